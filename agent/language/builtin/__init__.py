"""The backend that needs no language model: rules, small learned weights and the sentence encoder."""
