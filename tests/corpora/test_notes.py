"""What curators noted beside articles reaches the reader, and is ranked by."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from agent.backends.builtin.noted import Noted
from corpora import checks
from corpora.models import Article, ArticleQuestion
from corpora.notes import article_notes


@pytest.mark.django_db
def test_the_notes_of_the_article_that_has_a_passage() -> None:
    one = Article.objects.create(slug="one", title="One", body="Seats open at noon. Bring a chair.")
    other = Article.objects.create(slug="other", title="Other", body="Nothing opens.")
    ArticleQuestion.objects.create(article=one, text="when can i sit", quote="Seats open at noon.")
    ArticleQuestion.objects.create(article=other, text="what opens", quote="Nothing opens.")
    assert article_notes("Bring a chair.") == [Noted("when can i sit", "Seats open at noon.")]
    assert article_notes("no such words") == []


def test_a_column_that_a_migration_will_add_keeps_no_one_from_migrating(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = SimpleNamespace(leaf_nodes=lambda app: [(app, "0012")])
    for applied, behind in (({("corpora", "0012"): 1}, False), ({}, True)):
        loader = SimpleNamespace(graph=graph, applied_migrations=applied)
        monkeypatch.setattr(checks, "MigrationLoader", lambda connection, found=loader: found)
        assert checks._has_to_migrate("default") is behind
