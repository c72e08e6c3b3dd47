"""Passages: which texts there are, how they are cut, embedded and kept in step with the rows they come from."""
