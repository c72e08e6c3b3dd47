"""Answering questions on passages with no language model."""
