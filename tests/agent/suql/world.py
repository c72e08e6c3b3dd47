"""A small world for the engine's tests: two tables, a reader of ten lines, and the same reader as SQL functions.

A text says what it says in pairs, `quiet=Yes; wait=12; mood=calm`, and a question is answered with the pair it names.
PostgreSQL can therefore compute every query by itself, from its original text: that is what is right.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import psycopg

from agent.protocols.reading import AnswerReply, AnswerRequest, MatchReply, MatchRequest, Span, SummaryRequest
from agent.suql import Catalogue, Column, ForeignKey, Kind, Table

CATALOGUE = Catalogue(
    tables=(
        Table(
            "venues",
            (
                Column("id", Kind.NUMBER, integer=True),
                Column("slug", Kind.TEXT, hidden=True),
                Column("name", Kind.TEXT),
                Column("city", Kind.TEXT),
                Column("stars", Kind.NUMBER),
                Column("about", Kind.FREE_TEXT),
                Column("notes", Kind.FREE_TEXT, many=True),
                Column("tags", Kind.TEXT, many=True),
            ),
            entity="slug",
            title="name",
            noun=("venue", "venues"),
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
            entity="title",
            title="title",
            noun=("event", "events"),
        ),
    ),
    foreign_keys=(ForeignKey("events", "venue_id", "venues", "id"),),
    schema="kb",
)

SCHEMA = """
CREATE SCHEMA kb;
CREATE TABLE kb.venues (
    id int PRIMARY KEY, slug text, name text, city text, stars numeric, about text, notes text[], tags text[]
);
CREATE TABLE kb.events (id int PRIMARY KEY, venue_id int, title text, price int, blurb text);
CREATE SCHEMA oracle;
CREATE FUNCTION oracle.answer(t text, q text, options text[] DEFAULT NULL) RETURNS text LANGUAGE sql IMMUTABLE
    AS $$ SELECT substring(t FROM '(?:^|; )' || replace(q, '?', '') || '=([^;]+)') $$;
CREATE FUNCTION oracle.answer(t text[], q text, options text[] DEFAULT NULL) RETURNS text LANGUAGE sql IMMUTABLE
    AS $$ SELECT oracle.answer(array_to_string(t, '; '), q) $$;
CREATE FUNCTION oracle.summary(t text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT oracle.answer(t, 'gist?') $$;
CREATE FUNCTION oracle.summary(t text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT oracle.answer(t, 'gist?') $$;
"""

MOODS = ("calm", "upbeat", "formal")
CITIES = ("Aldo", "Brea", "Cove")


class PairReader:
    """Answers with the pair a question names; counts what it was asked."""

    name = "pairs"
    version = "1"

    def __init__(self) -> None:
        self.requests: list[AnswerRequest | SummaryRequest] = []
        self.matches: list[MatchRequest] = []

    @property
    def calls(self) -> int:
        return len(self.requests)

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        self.requests.extend(requests)
        asked = [request.question.removeprefix("Is it true: ").rstrip("?") for request in requests]
        return [self._reply(request, name) for request, name in zip(requests, asked, strict=True)]

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply]:
        self.requests.extend(requests)
        return [self._reply(request, "gist") for request in requests]

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]:
        self.matches.extend(requests)
        wanted = [request.wanted.lower() for request in requests]
        return [
            MatchReply(values=tuple(value for value in request.values if word in value.lower()))
            for request, word in zip(requests, wanted, strict=True)
        ]

    def _reply(self, request: AnswerRequest | SummaryRequest, name: str) -> AnswerReply:
        for _, number, passage in sorted((p.document, n, p) for n, p in enumerate(request.passages)):
            found = re.search(rf"(?:^|; ){re.escape(name)}=([^;]+)", passage.text)
            if found is not None:
                return AnswerReply(
                    value=found[1], spans=(Span(passage=number, start=found.start(1), stop=found.end(1)),)
                )
        return AnswerReply(value=None)


def text(chance: random.Random) -> str | None:
    """A text of a few pairs; sometimes empty, sometimes none at all, sometimes one that others have too."""
    if chance.random() < 0.08:
        return None
    if chance.random() < 0.05:
        return ""
    pairs = []
    if chance.random() < 0.85:
        pairs.append(f"quiet={chance.choice(('Yes', 'No'))}")
    if chance.random() < 0.7:
        pairs.append(f"kids={chance.choice(('Yes', 'No', 'No'))}")
    if chance.random() < 0.8:
        pairs.append(f"wait={chance.randrange(0, 8)}")
    if chance.random() < 0.6:
        pairs.append(f"mood={chance.choice(MOODS)}")
    if chance.random() < 0.5:
        pairs.append(f"gist=g{chance.randrange(4)}")
    if chance.random() < 0.5:
        pairs.append(f"opened=20{chance.randrange(10, 25)}-0{chance.randrange(1, 10)}-11")
    return "; ".join(pairs)


def fill(connection: psycopg.Connection, seed: int, venues: int = 24, events: int = 18) -> None:
    """Fills the tables with rows that are drawn from a seed."""
    chance = random.Random(seed)
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE kb.venues, kb.events")
        for number in range(1, venues + 1):
            notes = [text(chance) for _ in range(chance.randrange(0, 4))]
            row = (
                number, f"v{number}", f"Venue {chance.randrange(venues)}", chance.choice((*CITIES, None)),
                chance.choice((1, 2, 3, 3, 4, 4.5, None)), text(chance), chance.choice((notes, notes, notes, None)),
                chance.choice((["a"], ["a", "b"], [], None)),
            )  # fmt: skip
            cursor.execute("INSERT INTO kb.venues VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", row)
        for number in range(1, events + 1):
            venue = chance.choice((*range(1, venues + 6), None))
            row = (number, venue, f"Event {number % 5}", chance.choice((5, 10, 10, 20, None)), text(chance))
            cursor.execute("INSERT INTO kb.events VALUES (%s, %s, %s, %s, %s)", row)
    connection.commit()
