"""Rows in the order of similar(): the ones that scoring every passage would put first, however they are found."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import psycopg
import pytest

from agent.protocols.reading import AnswerReply, AnswerRequest
from agent.suql import Budget, Catalogue, Column, Engine, ForeignKey, Kind, Table, nearest, similarity
from agent.suql.nearest import Nearest, as_array
from agent.suql.passages import Words
from tests.agent.suql.world import PairReader

ROWS = 400
VOCABULARY = ("lantern", "harbour", "cellar", "orchard", "tower")

CATALOGUE = Catalogue(
    (
        Table(
            "inns",
            (
                Column("id", Kind.NUMBER, integer=True),
                Column("beds", Kind.NUMBER),
                Column("about", Kind.FREE_TEXT),
            ),
        ),
        Table("rooms", (Column("id", Kind.NUMBER, integer=True), Column("inn_id", Kind.NUMBER, integer=True))),
    ),
    foreign_keys=(ForeignKey("rooms", "inn_id", "inns", "id"),),
    schema="kb",
    passages="inn_passages",
)

SCHEMA = """
CREATE TABLE kb.inns (id int PRIMARY KEY, beds int, about text);
CREATE TABLE kb.rooms (id int PRIMARY KEY, inn_id int);
CREATE TABLE kb.inn_passages (
    owner_table text, owner_key text, column_name text, text_index int, start int, body text, text_md5 text,
    dated date, label text, embedding halfvec(6),
    search tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED
);
CREATE INDEX ON kb.inn_passages (owner_table, owner_key, column_name);
CREATE INDEX ON kb.inn_passages USING gin (search);
GRANT SELECT ON kb.inns, kb.rooms, kb.inn_passages TO suql_test_reader;
"""


class Directions:
    """Words have the direction that their letters give them."""

    name = "directions"
    dimensions = 6

    async def embed(self, texts: Sequence[str]) -> Any:
        vectors = np.array([np.random.default_rng(list(text.encode())).normal(size=6) for text in texts])
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def inns(world: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """Inns with up to three passages, some with none; one in five is quiet."""
    chance = random.Random(3)
    world.execute(SCHEMA)
    with world.cursor() as cursor:
        for number in range(1, ROWS + 1):
            quiet = "Yes" if number % 5 == 0 else "No"
            about = f"inn {number}; quiet={quiet}"
            cursor.execute("INSERT INTO kb.inns VALUES (%s, %s, %s)", [number, number % 7, about])
            for start in range(chance.randrange(4)):
                words = " ".join(word for word in VOCABULARY if chance.random() < 0.2)
                vector = str([round(chance.gauss(0, 1), 3) for _ in range(6)])
                cursor.execute(
                    "INSERT INTO kb.inn_passages VALUES ('inns', %s, 'about', 0, %s, %s, md5(%s), NULL, '', %s)",
                    [str(number), start, words, f"{number} {start}", vector],
                )
            if number % 3 == 0:
                cursor.execute("INSERT INTO kb.rooms VALUES (%s, %s), (%s, %s)", [number, number, -number, number])
    world.execute("ANALYZE kb.inns, kb.rooms, kb.inn_passages")
    world.commit()
    return world


@pytest.fixture
def engine(inns: None, connect: Callable[[], Any], reader: PairReader) -> Engine:
    return Engine(connect, CATALOGUE, reader, Directions(), budget=Budget(calls=None, seconds=None))


@pytest.fixture(params=["passage by passage", "by the indexes", "by the indexes, words often said"])
def many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Has a few rows count as many, for both ways of finding the nearest."""
    monkeypatch.setattr(similarity, "FEW", 0)
    monkeypatch.setattr(similarity, "RANKED", 10)
    monkeypatch.setattr(similarity, "WINDOW", 10)
    monkeypatch.setattr(similarity, "AHEAD", 2)
    if request.param != "passage by passage":
        monkeypatch.setattr(nearest, "SCORED", 0)
        monkeypatch.setattr(nearest, "LEAST", 1)
    if request.param == "by the indexes, words often said":
        monkeypatch.setattr(nearest, "SAID", 50)
    return str(request.param)


async def ranked(engine: Engine, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values.values()) for row in (await engine.run(sql)).rows]


async def every_row(engine: Engine, monkeypatch: pytest.MonkeyPatch, sql: str) -> list[tuple[Any, ...]]:
    """The rows as the statement that shows them puts them, which scores each by itself."""
    with monkeypatch.context() as patched:
        patched.setattr(similarity, "FEW", 10**9)
        patched.setattr(similarity, "RANKED", -1)
        return await ranked(engine, sql)


@pytest.mark.parametrize("words", ["lantern harbour", "old cellar", "something else"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM inns ORDER BY similar(about, '{}') DESC LIMIT 5",
        "SELECT id, similar(about, '{}') AS s FROM inns WHERE beds < 4 ORDER BY similar(about, '{}') DESC, id LIMIT 12",
        "SELECT id FROM inns WHERE beds = 3 ORDER BY similar(about, '{}') DESC LIMIT 4 OFFSET 3",
        "SELECT i.id, r.id FROM inns i JOIN rooms r ON r.inn_id = i.id ORDER BY similar(i.about, '{}') DESC LIMIT 7",
        "SELECT id FROM inns ORDER BY similar(about, '{}') DESC",
        "SELECT id, answer(about, 'quiet?') AS q FROM inns ORDER BY similar(about, '{}') DESC LIMIT 5",
    ],
)
async def test_the_first_rows_are_those_of_scoring_every_row(
    engine: Engine, many: str, monkeypatch: pytest.MonkeyPatch, sql: str, words: str
) -> None:
    sql = sql.replace("{}", words)
    mine = await ranked(engine, sql)
    assert mine == await every_row(engine, monkeypatch, sql)
    assert len(mine) > 3


@pytest.mark.parametrize("limit", [1, 3, 40, 100])
async def test_rows_with_an_answer_keep_the_order_that_was_asked_for(
    engine: Engine, many: str, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    """One in five is quiet, so that more rows have to be looked at than the nearest at first."""
    sql = (
        "SELECT id FROM inns WHERE beds < 6 AND answer(about, 'quiet?') = 'Yes' "
        f"ORDER BY similar(about, 'lantern harbour') DESC, id LIMIT {limit}"
    )
    mine = await ranked(engine, sql)
    assert mine == await every_row(engine, monkeypatch, sql)
    assert all(number % 5 == 0 for (number,) in mine)
    assert len(mine) == min(limit, sum(number % 5 == 0 and number % 7 < 6 for number in range(1, ROWS + 1)))


@pytest.mark.parametrize("limit", [1, 7, 80, 200])
async def test_without_an_order_every_row_is_found_that_there_is(engine: Engine, many: str, limit: int) -> None:
    result = await engine.run(f"SELECT id FROM inns WHERE answer(about, 'quiet?') = 'Yes' LIMIT {limit}")
    found = [row.values["id"] for row in result.rows]
    assert len(found) == len(set(found)) == min(limit, ROWS // 5)
    assert all(number % 5 == 0 for number in found)
    assert result.complete


@pytest.mark.parametrize("limit", [2, 60, 130])
async def test_rows_that_need_no_answer_come_before_the_nearest(
    engine: Engine, many: str, reader: PairReader, limit: int
) -> None:
    """Those with 3 beds, 57, whether or not they are among the nearest; then the quiet ones, 68 of the others."""
    result = await engine.run(f"SELECT id FROM inns WHERE answer(about, 'quiet?') OR beds = 3 LIMIT {limit}")
    found = [row.values["id"] for row in result.rows]
    assert len(found) == len(set(found)) == min(limit, 57 + 68)
    assert all(number % 7 == 3 for number in found[:57])
    assert all(number % 5 == 0 for number in found[57:])
    assert bool(reader.calls) == (limit > 57)


async def test_the_rows_nearest_to_the_question_are_asked_first(engine: Engine, many: str, reader: PairReader) -> None:
    await engine.run("SELECT id FROM inns WHERE answer(about, 'quiet?') = 'Yes' LIMIT 1")
    asked = {int(request.passages[0].text.split()[1].rstrip(";")) for request in reader.requests}
    by_score = await ranked(engine, "SELECT id FROM inns ORDER BY similar(about, 'quiet?') DESC LIMIT 60")
    assert asked <= {number for (number,) in by_score}


async def test_the_plan_says_that_only_the_nearest_are_looked_at(engine: Engine, many: str) -> None:
    plan = await engine.explain("SELECT id FROM inns ORDER BY similar(about, 'lantern') DESC LIMIT 5")
    assert """NEAREST("inns"."about", 'lantern')""" in plan.sql


@pytest.mark.parametrize("said", [0, 20, 60, 200, 10**6])
def test_no_passage_beyond_those_fetched_has_a_larger_share_of_the_words(
    monkeypatch: pytest.MonkeyPatch, said: int
) -> None:
    """Whatever the text index is expected to fetch cheaply, the rest of the passages is bounded by what is left."""
    chance = random.Random(said)
    texts = [{word for word in VOCABULARY if chance.random() < 0.4} for _ in range(300)]
    words = Words(300, {word: sum(word in text for text in texts) for word in VOCABULARY}, 300)
    monkeypatch.setattr(nearest, "SAID", said)
    monkeypatch.setattr(nearest, "COMBINED", 3)
    target = nearest.Target("p", "public", "inns", "about", words, "")
    found = Nearest(None, None, target, nearest.Rows("id", 300, lambda *_: ""))  # type: ignore[arg-type]
    fetched = [set(combined) for combined in found.fetched()]
    weights = words.weights
    shares = [
        nearest.WORDS_SHARE * sum(weights[word] for word in text)
        for text in texts
        if not any(combined <= text for combined in fetched)
    ]
    assert max(shares, default=0.0) <= found.share_left() + 1e-9
    assert (found.share_left() < nearest.WORDS_SHARE) == bool(fetched)


def test_keys_of_any_spelling_stay_apart_in_an_array(world: psycopg.Connection[Any]) -> None:
    keys = ['a"b', "a,b", "a\\b", "{}", "NULL", "", " a "]
    ((back,),) = world.execute("SELECT %s::text[]", [as_array(keys)]).fetchall()
    assert back == keys


async def test_queries_at_the_same_time_do_not_share_their_windows(engine: Engine, many: str) -> None:
    forms = [
        f"SELECT id FROM inns WHERE beds = {beds} ORDER BY similar(about, 'lantern') DESC LIMIT 3" for beds in (1, 2)
    ]
    alone = [await ranked(engine, sql) for sql in forms]
    assert await asyncio.gather(*(ranked(engine, sql) for sql in forms)) == alone


async def test_no_more_is_read_where_the_nearest_were_read_in_vain(
    inns: None, connect: Callable[[], Any], reader: PairReader
) -> None:
    """It is said how many were; asked again, nothing is read; one that has no LIMIT or an order reads all."""
    engine = Engine(connect, CATALOGUE, reader, Directions(), budget=Budget(calls=None, seconds=None, fruitless=20))
    asked = "SELECT id FROM inns WHERE answer(about, 'haunted?') = 'Yes'"
    for _ in range(2):
        result = await engine.run(f"{asked} LIMIT 3")
        assert (result.rows, result.complete, reader.calls) == ((), False, 20)
        assert "The 20 nearest to the question were read" in result.notes[0]
    assert (await engine.run(f"{asked} ORDER BY beds DESC LIMIT 3")).complete
    assert reader.calls == ROWS


async def test_of_two_questions_twice_as_many_rows_may_be_read_in_vain(
    inns: None, connect: Callable[[], Any], reader: PairReader
) -> None:
    engine = Engine(connect, CATALOGUE, reader, Directions(), budget=Budget(calls=None, seconds=None, fruitless=20))
    both = "answer(about, 'haunted?') = 'Yes' AND answer(about, 'quiet?') = 'Yes'"
    for _ in range(2):
        result = await engine.run(f"SELECT id FROM inns WHERE {both} LIMIT 3")
        assert (result.rows, result.complete) == ((), False)
        assert "The 40 nearest to the question were read" in result.notes[0]


async def test_rows_over_a_join_are_looked_at_nearest_first_each_once(
    inns: None, connect: Callable[[], Any], reader: PairReader
) -> None:
    engine = Engine(connect, CATALOGUE, reader, Directions(), budget=Budget(calls=None, seconds=None, fruitless=20))
    joined = "SELECT DISTINCT inns.* FROM inns JOIN rooms ON rooms.inn_id = inns.id WHERE rooms.id > -1000 AND "
    result = await engine.run(f"{joined}answer(inns.about, 'haunted?') = 'Yes' LIMIT 3")
    assert (result.rows, result.complete, reader.calls) == ((), False, 20)
    result = await engine.run(f"{joined}answer(inns.about, 'quiet?') = 'Yes' LIMIT 5")
    found = [row.values["id"] for row in result.rows]
    assert len(set(found)) == 5
    assert all(number % 15 == 0 for number in found)  # one in five is quiet, and one in three has rooms


async def test_what_is_found_does_not_count_as_read_in_vain(
    inns: None, connect: Callable[[], Any], reader: PairReader
) -> None:
    engine = Engine(connect, CATALOGUE, reader, Directions(), budget=Budget(calls=None, seconds=None, fruitless=200))
    result = await engine.run("SELECT id FROM inns WHERE answer(about, 'quiet?') = 'Yes' LIMIT 30")
    assert (len(result.rows), result.complete) == (30, True)


async def test_a_reader_that_sifts_shows_the_rows_that_it_is_surest_of(inns: None, connect: Callable[[], Any]) -> None:
    """As many of the nearest are read, for LIMIT of our order only; asked again, the rows are the same."""

    class Sifting(PairReader):
        sifts = 40

        async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
            numbers = [int(request.passages[0].text.split()[1].rstrip(";")) for request in requests]
            replies = await super().answer(requests)
            sure = zip(replies, numbers, strict=True)
            return [reply.model_copy(update={"confidence": number / ROWS}) for reply, number in sure]

    reader = Sifting()
    engine = Engine(connect, CATALOGUE, reader, Directions(), budget=Budget(calls=None, seconds=None))
    asked = "SELECT id FROM inns WHERE answer(about, 'quiet?') = 'Yes'"
    shown = [[row.key for row in (await engine.run(f"{asked} LIMIT 3")).rows] for _ in range(2)]
    read = {int(request.passages[0].text.split()[1].rstrip(";")) for request in reader.requests}
    assert len(read) == reader.calls == reader.sifts
    assert shown == [[str(number) for number in sorted(read, reverse=True) if number % 5 == 0][:3]] * 2
    ordered = await engine.run(f"{asked} ORDER BY id LIMIT 3")
    assert [row.key for row in ordered.rows] == ["5", "10", "15"]
