"""The backends of a language: built in, prompted through an OpenAI-compatible endpoint, or recorded."""
