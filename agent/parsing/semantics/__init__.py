"""The builtin semantic parser: words to a `Frame` with no language model.

A message goes through four steps, one module each: `lexing` (words, numbers, spelling), recognisers that claim
stretches of it (`places`, `values`, `hours`, `numbers`, `aspects`, `intents`), `residue` (what is left and still means
something becomes a question to the free text), and `assembly` (negation, "or", "and": one frame).
"""
