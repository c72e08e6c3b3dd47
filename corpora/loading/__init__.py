"""Loading corpora from files of JSON lines: every line is checked, a file is loaded whole or not at all."""

from corpora.loading.corpora import Corpus, Loaded, load

__all__ = ["Corpus", "Loaded", "load"]
