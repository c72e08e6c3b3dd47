"""Other ways to answer, to compare ours with."""
