"""The builtin semantic parser: words to a `Frame` with no language model.

A message goes through five steps: `lexing` (words, numbers, spelling), recognisers that claim stretches of it
(`places`, `vocabulary`, `hours`, `numbers`, `aspects`, `intents`), `told` (what they found where nothing is
wished for is left out), `wishes` (what the tagger marks as wished for and none of them carries becomes a question to
the free text), and `assembly` (negation, "or", "and": one frame).
"""
