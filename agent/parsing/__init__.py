"""The parser by rules. It serves the corpora that it has vocabularies for, and no other."""

RULED = frozenset({"restaurants"})
"""The tables whose words the rules know; questions to any other are read by `agent.understanding`."""
