"""Answering questions on passages with no language model."""

from agent.language.builtin.reading.reader import BuiltinReader

__all__ = ["BuiltinReader"]
