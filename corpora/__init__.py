"""The corpora: what people ask about, how it is loaded, and what of it a query may see."""
