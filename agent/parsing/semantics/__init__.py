"""The builtin semantic parser: words to a `Frame` with no language model.

A message goes through four steps: `lexing` (words, numbers, spelling), recognisers that claim stretches of it
(`places`, `vocabulary`, `hours`, `numbers`, `aspects`, `intents`), `told` (what is no condition), `wishes` (what the tagger marks as wished for and
none of them carries becomes a question to the free text; what they found in the story around it is left out), and
`assembly` (negation, "or", "and": one frame).
"""
