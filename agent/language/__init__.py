"""What is asked of a language model: one typed task each, its prompt, and the backends that can do it."""
