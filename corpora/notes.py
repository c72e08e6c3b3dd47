"""What curators noted beside the help articles, for whoever reads them."""

from __future__ import annotations

from django.db import connection

from agent.backends.builtin.noted import Noted
from corpora.models import ArticleQuestion


def article_notes(passage: str) -> list[Noted]:
    """Return the questions noted beside the articles that have this passage.

    Meant for threads that are not the event loop's; it gives the thread's database connection back.
    """
    asked = ArticleQuestion.objects.filter(article__body__contains=passage).values_list("text", "quote")
    try:
        return [Noted(question, quote) for question, quote in asked]
    finally:
        if not connection.in_atomic_block:
            connection.close()
