"""Conversations to hold again."""

from __future__ import annotations

from tests.research.talks import answer, lies_in_a_folder_of_its_own, talk, without_corpora

__all__ = ["answer", "lies_in_a_folder_of_its_own", "talk", "without_corpora"]
