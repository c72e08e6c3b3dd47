"""Exports of conversations: what is in them, how they are written in several formats, and how they are read back."""
