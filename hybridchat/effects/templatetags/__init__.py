"""Template tags of the effects."""
