"""Checked pairs as paraphrases: what takes a pair's query, and what must not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.backends.builtin.paraphrases import Paraphrases, words
from agent.backends.examples import Example
from agent.catalogue.places import Place
from agent.catalogue.tables import Catalogue, Column, Geo, Kind, Table
from agent.catalogue.values import ValueMemory

GARDENS = Table(
    name="gardens",
    key=("slug",),
    entity="slug",
    title="name",
    geo=Geo("latitude", "longitude", ("town",)),
    columns=(
        Column("slug", Kind.TEXT, hidden=True),
        Column("name", Kind.TEXT),
        Column("town", Kind.ENUM),
        Column("location", Kind.LOCATION),
        Column("style", Kind.ENUM, value_words=(("japanese", ("zen",)),)),
        Column("fee", Kind.NUMBER),
        Column("notes", Kind.FREE_TEXT, many=True),
        Column("latitude", Kind.NUMBER, hidden=True),
        Column("longitude", Kind.NUMBER, hidden=True),
    ),
)
MEMORY = ValueMemory(
    {"gardens.style": ["japanese", "cottage", "herb"], "gardens.town": ["Elm Lake", "Brenton"], "gardens.name": ["Box"]}
)
TOWNS = {"elm lake": Place("Elm Lake", "city", 1, 1, 5), "brenton": Place("Brenton", "city", 2, 2, 5)}
STYLED = Example(
    "the 3 cheapest Japanese gardens near Elm Lake",
    "SELECT * FROM gardens WHERE style = 'japanese' AND location = 'Elm Lake' ORDER BY fee LIMIT 3",
    ("gardens",),
)
FEES = Example("gardens under 10 that are quiet", "SELECT * FROM gardens WHERE fee < 10 LIMIT 3", ("gardens",))


class Gazetteer:
    def resolve(self, said: str) -> list[Place]:
        found = TOWNS.get(said.casefold())
        return [found] if found else []

    def places(self) -> list[Place]:
        return list(TOWNS.values())


class Bank:
    def __init__(self, *examples: Example) -> None:
        self.examples = examples

    def of(self, tables: Sequence[str]) -> Sequence[Example]:
        return [one for one in self.examples if set(one.tables) <= set(tables)]

    def nearest(self, message: str, tables: Sequence[str]) -> Sequence[Example]:
        return self.of(tables)


def suql(message: str, *examples: Example, tables: Sequence[str] = ("gardens",)) -> str:
    bank = Bank(*(examples or (STYLED, FEES)))
    found = Paraphrases(Catalogue((GARDENS,), ()), MEMORY, Gazetteer(), bank).parsed(message, tables)
    return found.suql if found else ""


@pytest.mark.parametrize(
    "message",
    [
        "the 3 cheapest Japanese gardens near Elm Lake",
        "Please, the 3 cheapest japanese gardens near elm lake!",
        "three cheapest zen gardens near Elm Lake",
    ],
)
def test_the_same_words_take_the_query_as_it_stands(message: str) -> None:
    assert suql(message) == STYLED.suql


def test_values_of_the_same_columns_are_exchanged() -> None:
    assert suql("the 5 cheapest herb gardens near Brenton") == (
        "SELECT * FROM gardens WHERE style = 'herb' AND location = 'Brenton' ORDER BY fee LIMIT 5"
    )
    assert "fee < 25" in suql("gardens under 25 that are quiet")


@pytest.mark.parametrize(
    "message",
    [
        "the 3 cheapest Japanese gardens near Elm Lake with a pond",
        "the 3 dearest Japanese gardens near Elm Lake",
        "the 3 cheapest Japanese gardens",
        "the 3 cheapest baroque gardens near Elm Lake",
        "the 3 cheapest Japanese gardens near Atlantis",
        "gardens under 10 that are not quiet",
        "gardens over 10 that are quiet",
        "gardens under ten pounds that are quiet",
        "",
        "日本",
    ],
)
def test_what_asks_for_anything_else_takes_no_query(message: str) -> None:
    assert suql(message) == ""


def test_a_pair_over_other_tables_is_not_asked() -> None:
    assert suql("gardens under 10 that are quiet", tables=("parks",)) == ""


def test_questions_to_texts_are_never_exchanged() -> None:
    quiet = "SELECT * FROM gardens WHERE answer(notes, 'is it quiet?') = 'Yes' AND style = 'herb'"
    pair = Example("quiet herb gardens", quiet, ("gardens",))
    assert suql("quiet cottage gardens", pair) == quiet.replace("'herb'", "'cottage'")
    assert suql("loud herb gardens", pair) == ""


def test_a_value_that_stands_twice_in_the_query_is_exchanged_twice() -> None:
    twice = "SELECT * FROM gardens WHERE style = 'herb' AND fee = (SELECT MIN(fee) FROM gardens WHERE style = 'herb')"
    pair = Example("cheapest herb garden of all", twice, ("gardens",))
    assert suql("cheapest cottage garden of all", pair) == twice.replace("'herb'", "'cottage'")


def test_a_figure_of_a_column_is_no_number_of_rows() -> None:
    pair = Example("gardens under 3", "SELECT * FROM gardens WHERE fee < 3 LIMIT 3", ("gardens",))
    assert suql("gardens under 20", pair) == "SELECT * FROM gardens WHERE fee < 20 LIMIT 3"


def test_values_that_overlap_are_not_exchanged() -> None:
    both = "SELECT * FROM gardens WHERE location = 'Elm Lake' AND name = 'Lake'"
    pair = Example("gardens by Elm Lake", both, ("gardens",))
    assert suql("gardens by Elm Lake", pair) == both
    assert suql("gardens by Brenton", pair) == ""


def test_a_word_said_twice_is_no_slot() -> None:
    pair = Example("herb gardens, herb only", "SELECT * FROM gardens WHERE style = 'herb'", ("gardens",))
    assert suql("herb gardens, herb only", pair) == pair.suql
    assert suql("cottage gardens, cottage only", pair) == ""


def test_words_are_folded_and_idle_ones_left_out() -> None:
    assert words("Please show me the Café, at 10:30!") == ("show", "cafe", "at", "10:30")


QUIET = Example(
    "quiet herb gardens in Brenton",
    "SELECT * FROM gardens WHERE answer(notes, 'is it quiet?') = 'Yes' AND style = 'herb' AND town = 'Brenton'",
    ("gardens",),
)


@pytest.mark.parametrize(
    "message",
    [
        "are there any cottage gardens in Elm Lake that are quiet?",
        "I'd like something quiet in Elm Lake, a cottage one",
    ],
)
def test_the_same_in_another_order_takes_the_query_with_its_values(message: str) -> None:
    assert suql(message, QUIET) == QUIET.suql.replace("'herb'", "'cottage'").replace("'Brenton'", "'Elm Lake'")


@pytest.mark.parametrize(
    "message",
    [
        "cottage gardens in Elm Lake that are not quiet",
        "how many quiet cottage gardens are there in Elm Lake?",
        "quiet cottage gardens in Elm Lake with a pond",
        "quiet gardens in Elm Lake",
        "quiet cottage gardens near Elm Lake",
        "quiet herb or cottage gardens in Elm Lake",
    ],
)
def test_what_says_more_or_less_than_a_pair_takes_no_query(message: str) -> None:
    assert suql(message, QUIET) == ""


def test_values_that_could_change_places_are_not_exchanged() -> None:
    pair = Example(
        "from Brenton gardens to Elm Lake",
        "SELECT * FROM gardens WHERE town = 'Brenton' AND location = 'Elm Lake'",
        ("gardens",),
    )
    assert suql("gardens to Brenton from Elm Lake", pair) == ""
