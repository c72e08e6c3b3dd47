"""Generated tables for `bench suql`, of any size, and a model that is simulated.

A text says what it says in pairs, `quiet=Yes; wait=12; mood=calm`, and a question is answered with the pair it names.
So PostgreSQL can answer by itself, with a plain function: it knows what is right and what was needed to know it.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Sequence
from typing import Any

import psycopg
from sqlglot import exp

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.protocols.reading import AnswerReply, AnswerRequest, MatchReply, MatchRequest, SummaryRequest
from agent.suql.check import check
from agent.suql.tree import raw, write

SCHEMA = "suql_bench"

CATALOGUE = Catalogue(
    tables=(
        Table(
            "venues",
            (
                Column("id", Kind.NUMBER, integer=True),
                Column("name", Kind.TEXT),
                Column("city", Kind.TEXT),
                Column("stars", Kind.NUMBER),
                Column("about", Kind.FREE_TEXT),
                Column("notes", Kind.FREE_TEXT, many=True),
                Column("guide", Kind.FREE_TEXT, description="what a guide says of the region; few different texts"),
            ),
            title="name",
        ),
        Table(
            "events",
            (
                Column("id", Kind.NUMBER, integer=True),
                Column("venue_id", Kind.NUMBER, integer=True),
                Column("title", Kind.TEXT),
                Column("price", Kind.NUMBER),
                Column("blurb", Kind.FREE_TEXT),
            ),
        ),
        Table(
            "labels",
            (Column("id", Kind.NUMBER, integer=True), Column("word", Kind.TEXT)),
        ),
    ),
    foreign_keys=(ForeignKey("events", "venue_id", "venues", "id"),),
    schema=SCHEMA,
)

_TABLES = f"""
DROP SCHEMA IF EXISTS {SCHEMA} CASCADE;
CREATE SCHEMA {SCHEMA};
CREATE UNLOGGED TABLE {SCHEMA}.venues (
    id int PRIMARY KEY, name text, city text, stars numeric, about text, notes text[], guide text
);
CREATE UNLOGGED TABLE {SCHEMA}.events (id int PRIMARY KEY, venue_id int, title text, price int, blurb text);
CREATE UNLOGGED TABLE {SCHEMA}.labels (id int PRIMARY KEY, word text);
CREATE FUNCTION {SCHEMA}.chance(seed int, number int, salt text) RETURNS float8 LANGUAGE sql IMMUTABLE AS
    $$ SELECT ('x' || substr(md5(seed || salt || number), 1, 7))::bit(28)::int / 268435456.0 $$;
CREATE FUNCTION {SCHEMA}.told(seed int, number int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT format(
        'venue %s; quiet=%s; kids=%s; rare=%s; wait=%s; mood=%s; opened=20%s-03-%s; gist=g%s; %s', number,
        CASE WHEN {SCHEMA}.chance(seed, number, 'quiet') < 0.5 THEN 'Yes' ELSE 'No' END,
        CASE WHEN {SCHEMA}.chance(seed, number, 'kids') < 0.3 THEN 'Yes' ELSE 'No' END,
        CASE WHEN {SCHEMA}.chance(seed, number, 'rare') < 0.1 THEN 'Yes' ELSE 'No' END,
        trunc({SCHEMA}.chance(seed, number, 'wait') * 60),
        (ARRAY['calm', 'formal', 'upbeat'])[1 + trunc({SCHEMA}.chance(seed, number, 'mood') * 3)::int],
        10 + number % 15, 10 + number % 18, number % 7,
        repeat('words that say nothing on it, ', 4 + number % 5)) $$;
CREATE FUNCTION {SCHEMA}.answer(t text, q text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT substring(t FROM '(?:^|; )' || replace(q, '?', '') || '=([^;]+)') $$;
CREATE FUNCTION {SCHEMA}.answer(t text[], q text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT {SCHEMA}.answer(array_to_string(t, '; '), q) $$;
CREATE FUNCTION {SCHEMA}.counted(t text, q text) RETURNS text LANGUAGE plpgsql IMMUTABLE COST 10000 AS
    $$ BEGIN RETURN {SCHEMA}.answer(t, q); END $$;
CREATE FUNCTION {SCHEMA}.counted(t text[], q text) RETURNS text LANGUAGE plpgsql IMMUTABLE COST 10000 AS
    $$ BEGIN RETURN {SCHEMA}.answer(t, q); END $$;
"""

#: A tenth of the venues share their text with another one, some have none, some an empty one.
_ROWS = f"""
INSERT INTO {SCHEMA}.venues
    SELECT n, 'Venue ' || n, 'City ' || n * 7 %% 10, 1 + trunc({SCHEMA}.chance(%(seed)s, n, 'stars') * 9) / 2,
        CASE n %% 50 WHEN 7 THEN NULL WHEN 8 THEN '' ELSE {SCHEMA}.told(%(seed)s, n - (n %% 10 = 0)::int) END,
        ARRAY(SELECT {SCHEMA}.told(%(seed)s + 1, 4 * n + part) FROM generate_series(1, n %% 4) AS part),
        {SCHEMA}.told(%(seed)s + 2, n * 13 %% 40)
    FROM generate_series(1, %(rows)s) AS n;
"""
_EVENTS = f"""
INSERT INTO {SCHEMA}.events
    SELECT n, 1 + trunc({SCHEMA}.chance(%(seed)s, n, 'venue') * %(rows)s), 'Event ' || n %% 20, n * 11 %% 40,
        {SCHEMA}.told(%(seed)s + 3, n)
    FROM generate_series(1, %(rows)s) AS n;
"""
_LABELS = f"INSERT INTO {SCHEMA}.labels SELECT n, 'Event ' || n FROM generate_series(1, 8) AS n;"
_INDEXES = f"""
CREATE INDEX ON {SCHEMA}.venues (city);
CREATE INDEX ON {SCHEMA}.events (venue_id);
ANALYZE {SCHEMA}.venues, {SCHEMA}.events, {SCHEMA}.labels;
"""


def create(connection: psycopg.Connection[Any]) -> None:
    """The tables anew, empty."""
    connection.execute(_TABLES)


def generate(connection: psycopg.Connection[Any], rows: int, seed: int = 1) -> None:
    """The tables anew, with so many venues and events."""
    create(connection)
    for statement in (_ROWS, _EVENTS):
        connection.execute(statement, {"seed": seed, "rows": rows})
    connection.execute(_LABELS)
    connection.execute(_INDEXES)
    connection.commit()


def drop(connection: psycopg.Connection[Any]) -> None:
    """Leaves nothing behind."""
    connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    connection.commit()


def plain_sql(sql: str, function: str = "answer") -> str:
    """The query for PostgreSQL alone, its calls as calls of a plain function."""
    return spell_out(check(sql, CATALOGUE).tree, function)


def spell_out(tree: exp.Expr, function: str = "answer") -> str:
    """A checked tree as SQL, its calls as calls of a plain function; `same` is equality."""
    holder = exp.Paren(this=tree.copy())
    for call in [node for node in holder.walk() if node.meta.get("ask")][::-1]:
        arguments = [write(argument) for argument in call.expressions if not isinstance(argument, exp.Kwarg)]
        name = str(call.this).lower()
        if name == "same":
            call.replace(raw(f"({arguments[0]} = {arguments[1]})"))
        else:
            question = "'gist?'" if name == "summary" else arguments[1]
            call.replace(raw(f"{SCHEMA}.{function}({arguments[0]}, {question})"))
    return write(holder.this)


class Clock:
    """Real time, plus the time the simulated model would have taken."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.skipped


class SimulatedReader:
    """A model that takes `seconds` for a prompt of up to `batch` texts and works on `concurrency` prompts at once.

    Nobody waits for it: prompts that are out together end together, and the clock is put forward by what they took.
    """

    name = "simulated"
    version = "1"

    def __init__(self, seconds: float = 0.0, batch: int = 16, concurrency: int = 8) -> None:
        self.seconds = seconds
        self.batch = batch
        self.concurrency = concurrency
        self.clock = Clock()
        self.prompts = 0
        self.rounds = 0
        self.tokens = 0
        self.asked: set[tuple[str, str]] = set()
        self.matched = 0
        self.again = 0  # values asked for a second time
        self._out = 0
        self._begun = 0  # prompts begun in this round

    @property
    def values(self) -> int:
        """Distinct values asked for."""
        return len(self.asked) + self.matched

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        await self._take(sum(40 + sum(len(p.text) for p in request.passages) for request in requests))
        return [self._reply(request.question.rstrip("?"), request) for request in requests]

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply]:
        await self._take(sum(40 + sum(len(p.text) for p in request.passages) for request in requests))
        return [self._reply("gist", request) for request in requests]

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]:
        for request in requests:
            await self._take(len(request.wanted) + sum(map(len, request.values)))
            self.matched += len(request.values)
        return [
            MatchReply(values=tuple(value for value in request.values if value == request.wanted))
            for request in requests
        ]

    async def _take(self, characters: int) -> None:
        """One prompt: those that are out at the same moment make one round."""
        self.prompts += 1
        self.tokens += math.ceil(characters / 4)
        if self._out == 0 or self._begun == self.concurrency:
            self.rounds += 1
            self.clock.skipped += self.seconds
            self._begun = 0
        self._begun += 1
        self._out += 1
        try:
            for _ in range(3):
                await asyncio.sleep(0)
        finally:
            self._out -= 1

    def _reply(self, name: str, request: AnswerRequest | SummaryRequest) -> AnswerReply:
        whole = "; ".join(passage.text for passage in sorted(request.passages, key=lambda p: p.document))
        self.again += (name, whole) in self.asked
        self.asked.add((name, whole))
        found = re.search(rf"(?:^|; ){re.escape(name)}=([^;]+)", whole)
        return AnswerReply(value=found[1] if found else None)
