"""Template tags of the corpora's admin pages."""
