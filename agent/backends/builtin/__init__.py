"""The backend that needs no language model: rules, a sentence encoder and a cross-encoder."""
