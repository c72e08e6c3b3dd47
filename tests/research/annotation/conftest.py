"""Conversations to annotate."""

from __future__ import annotations

from tests.research.talks import answer, lies_in_a_folder_of_its_own, talk

__all__ = ["answer", "lies_in_a_folder_of_its_own", "talk"]
