"""Values in words: one module a type, each a function from a message to `Reading`s with their places in it."""
