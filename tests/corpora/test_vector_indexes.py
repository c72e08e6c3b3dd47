"""The vectors of a column that has many passages have an index of their own, built after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from corpora.models import Passage
from corpora.models.passages import DIMENSIONS
from corpora.passages import vector_indexes
from corpora.passages.vector_indexes import bring_vector_indexes_in_step

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(vector_indexes, "SCORED", 10)
    monkeypatch.setattr(vector_indexes, "KEPT", 5)
    yield
    Passage.objects.all().delete()
    bring_vector_indexes_in_step()


def store(table: str, count: int) -> None:
    Passage.objects.bulk_create(
        Passage(
            owner_table=table, owner_key=str(number), column_name="note", text_md5="0" * 32, start=0, stop=1, body="a",
            embedder="e", embedding=[number + 1.0, *[1.0] * (DIMENSIONS - 1)],
        )
        for number in range(count)
    )  # fmt: skip


def keep(count: int) -> None:
    Passage.objects.exclude(pk__in=Passage.objects.values("pk")[:count]).delete()


def indexed() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE starts_with(indexname, 'passage_vectors_')")
        return [definition for (definition,) in cursor.fetchall()]


def plan_of_nearest(table: str) -> str:
    """How PostgreSQL answers what the engine asks (`agent.suql.nearest`), where it could read all passages as well."""
    vector = "[" + ",".join(["1"] * DIMENSIONS) + "]"
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off; SET enable_sort = off")
        cursor.execute(
            "EXPLAIN SELECT owner_key FROM kb.passages AS p WHERE p.owner_table = %s AND p.column_name = 'note' "
            "ORDER BY p.embedding <=> %s::text::halfvec LIMIT 3",
            [table, vector],
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("RESET enable_seqscan; RESET enable_sort")
    return plan


def test_a_column_of_many_passages_is_searched_by_an_index_of_its_own() -> None:
    store("inns", 20)
    store("bars", 8)
    said: list[tuple[int, int]] = []
    bring_vector_indexes_in_step(lambda done, total: said.append((done, total)))
    (definition,) = indexed()
    assert "hnsw" in definition
    assert "'inns'" in definition
    assert "passage_vectors_" in plan_of_nearest("inns")
    assert "passage_vectors_" not in plan_of_nearest("bars")
    assert said[0] == (0, 20)


def test_an_index_goes_once_it_serves_few_and_not_before() -> None:
    store("inns", 20)
    bring_vector_indexes_in_step()
    keep(7)
    bring_vector_indexes_in_step()
    assert len(indexed()) == 1, "seven may soon be more again"
    keep(4)
    bring_vector_indexes_in_step()
    assert indexed() == []


def test_a_build_that_was_cut_off_is_begun_again() -> None:
    store("inns", 20)

    def cancelled(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        bring_vector_indexes_in_step(cancelled)
    bring_vector_indexes_in_step()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid::regclass::text LIKE 'passage_v%'")
    assert "passage_vectors_" not in plan_of_nearest("inns")
    bring_vector_indexes_in_step()
    assert "passage_vectors_" in plan_of_nearest("inns")
