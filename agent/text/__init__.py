"""Readers of what people write: one for each kind of thing, whatever the convention it is written in."""
