"""Answering questions on passages with no language model."""

from agent.backends.builtin.reading.reader import BuiltinReader

__all__ = ["BuiltinReader"]
