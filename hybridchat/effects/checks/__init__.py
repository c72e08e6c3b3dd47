"""Checks of values on assignment, by application; importing this registers them."""
