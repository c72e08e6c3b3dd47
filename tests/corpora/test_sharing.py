"""Several workers index one corpus together; whoever began it sees to it that nothing is missed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from kombu.exceptions import OperationalError

from agent.catalogue.tables import Table
from corpora.catalogue import catalogue
from corpora.models import Article, Passage
from corpora.passages.indexing import help_along, index
from corpora.passages.sharing import claimed
from corpora.passages.texts import Part, parts
from corpora.politeness import place
from corpora.services import asking_others
from corpora.tasks import help_to_index
from tests.corpora.conftest import CountingEmbedder

ALL = catalogue()
RULES = 6

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def rules(monkeypatch: pytest.MonkeyPatch) -> list[Part]:
    """A table of as many parts as it has rows."""
    monkeypatch.setattr("corpora.passages.texts.ROWS", 1)
    for number in range(RULES):
        Article.objects.create(slug=f"rule-{number}", title="Rules", body=f"Rule {number}.")
    articles = ALL.table("articles")
    assert isinstance(articles, Table)
    return list(parts(articles, ALL.schema))


def bodies() -> list[str]:
    return sorted(Passage.objects.values_list("body", flat=True))


class Elsewhere:
    """A part that a worker somewhere else holds, until it dies."""

    def __init__(self, part: Part) -> None:
        self._session = connections.create_connection("default")
        options = {name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "pool"}
        self._session.settings_dict = {**connection.settings_dict, "OPTIONS": options}  # of no pool: closed is closed
        self._session.cursor().execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [f"passages of {part}"])

    def die(self) -> None:
        self._session.close()


def test_each_text_is_embedded_once_whoever_does_it() -> None:
    helped = threading.Event()

    class First(CountingEmbedder):
        async def embed(self, texts: Sequence[str]) -> Any:
            assert helped.wait(20), "nobody helps with what is left"
            return await super().embed(texts)

    class Second(CountingEmbedder):
        async def embed(self, texts: Sequence[str]) -> Any:
            helped.set()
            return await super().embed(texts)

    first, second = First(), Second()

    def help_once(tables: list[str], after: str | None) -> None:
        if after is None and tables[0] == "articles":
            helper.start()

    def work() -> None:
        try:
            help_along(ALL, second, ["articles"], None, lambda: True)
        finally:
            connection.close()

    helper = threading.Thread(target=work)
    index(ALL, first, wanted=help_once)
    helper.join()
    assert first.embedded
    assert second.embedded
    assert sorted(first.embedded + second.embedded) == [f"Rules. Rule {number}." for number in range(RULES)]
    assert bodies() == [f"Rule {number}." for number in range(RULES)]


def test_what_a_dead_worker_had_taken_is_done_by_who_began(rules: list[Part]) -> None:
    elsewhere = Elsewhere(rules[2])
    said: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        said.append((done, total))
        if said == [(number + 1, RULES) for number in range(RULES)]:
            assert len(bodies()) == RULES - 1, "all that nobody else has is done before"
            elsewhere.die()

    index(ALL, CountingEmbedder(), report=report)
    assert len(bodies()) == RULES
    assert set(said[RULES:]) == {(RULES, RULES)}


def test_who_waits_for_another_can_be_told_to_stop(rules: list[Part]) -> None:
    elsewhere = Elsewhere(rules[0])

    def cancelled() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError), claimed(rules[0], wait=cancelled):
        pass
    elsewhere.die()


def test_passages_of_rows_that_were_replaced_meanwhile_are_not_written() -> None:
    def replace() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_get_viewdef('kb.articles')")
            (definition,) = cursor.fetchone()
            cursor.execute(f"DROP VIEW kb.articles; CREATE VIEW kb.articles AS {definition}")
            cursor.execute("GRANT SELECT ON kb.articles TO hybridchat_reader")
        connection.close()  # of a thread that is about to end

    class Slow(CountingEmbedder):
        async def embed(self, texts: Sequence[str]) -> Any:
            if not self.embedded:
                await sync_to_async(replace)()
            return await super().embed(texts)

    index(ALL, Slow())
    assert bodies() == [f"Rule {number}." for number in range(1, RULES)]
    index(ALL, CountingEmbedder())
    assert len(bodies()) == RULES


def test_a_worker_helps_from_where_it_is_asked_if_it_has_a_place(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    sent: list[list[Any]] = []
    monkeypatch.setattr("corpora.services.ASKED_EVERY", 0.0)
    monkeypatch.setattr("corpora.services.current_app.send_task", lambda _, args, expires: sent.append(args))
    monkeypatch.setattr("corpora.tasks.embedder", CountingEmbedder)
    index(ALL, CountingEmbedder(), wanted=asking_others())
    (third,) = (args for args in sent if args[0][0] == "articles" and args[1] == sent[1][1])
    Passage.objects.all().delete()
    settings.CELERY_WORKER_CONCURRENCY = 2
    with place():
        help_to_index(*third)
    assert bodies() == [], "the other process is for turns"
    help_to_index(*third)
    assert bodies() == [f"Rule {number}." for number in range(1, RULES)], "the first had been taken already"


def test_indexing_goes_on_where_nobody_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr("corpora.services.ASKED_EVERY", 0.0)
    monkeypatch.setattr("corpora.services.current_app.send_task", away)
    assert index(ALL, CountingEmbedder(), wanted=asking_others()).written == RULES
