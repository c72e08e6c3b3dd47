"""Stage 1 without a model: what a message wants, against the talk so far."""
