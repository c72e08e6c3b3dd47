"""Utterances and the SUQL they become, as pairs of lines in `tests/fixtures/parsing/*.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.parsing.parser import BuiltinParser, Known
from agent.suql import check
from corpora.catalogue import catalogue

FIXTURES = Path(__file__).parents[2] / "fixtures" / "parsing"


def pairs(table: str) -> list[tuple[str, str, str]]:
    blocks = (FIXTURES / f"{table}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [(table, *block.split("\n", 1)) for block in blocks]


@pytest.mark.parametrize(
    ("table", "utterance", "expected"),
    [
        *pairs("restaurants"),
    ],
)
def test_words_become_the_query(parser: BuiltinParser, table: str, utterance: str, expected: str) -> None:
    assert parser.parse(utterance, (table,)).suql == expected


@pytest.mark.parametrize(
    ("table", "utterance", "expected"),
    [
        *pairs("restaurants"),
    ],
)
def test_every_query_passes_the_check(parser: BuiltinParser, table: str, utterance: str, expected: str) -> None:
    check(expected, catalogue())


def test_known_entities_are_asked_about_instead_of_searched_for(parser: BuiltinParser) -> None:
    suql = parser.parse("is it good for kids?", ("restaurants",), Known(("quorum",))).suql
    assert "slug IN ('quorum')" in suql
    assert "answer(reviews, 'is this restaurant good for kids?') AS answer" in suql


def test_what_is_only_preferred_is_marked_soft(parser: BuiltinParser) -> None:
    frame = parser.frame("thai in cupertino, ideally with live music", ("restaurants",))
    assert [node.soft for node in frame.where] == [False, False, True]


def test_common_words_are_never_taken_for_values(parser: BuiltinParser) -> None:
    for word in ("there", "think", "those", "tell", "dinner", "place", "plate", "quite"):
        frame = parser.frame(f"{word} in palo alto", ("restaurants",))
        assert not any(getattr(node, "column", "") == "cuisines" for node in frame.where), word


@pytest.mark.parametrize(
    "words", ["open on monday at noon", "Which cafes are open at noon?", "in sf at 6. Then 4 is ok", "a bakery near me"]
)
def test_an_english_word_is_no_name_by_itself(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("restaurants",))
    assert not any(getattr(node, "column", "") == "name" for node in frame.where)


@pytest.mark.parametrize("words", ["is there a place called noon?", "how loud is Heron?", "when does foghorn close?"])
def test_part_of_a_name_is_enough_where_it_is_written_as_one(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("restaurants",))
    assert any(getattr(node, "column", "") == "name" for node in frame.where)


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("what's its number", ["phone_number"]),
        ("where exactly is it", ["address"]),
        ("how do I get there?", ["address"]),
        ("which dishes are popular?", ["popular_dishes"]),
        ("how much is it", ["price"]),
        ("which one is cheaper?", ["price"]),
        ("what time does it close", ["opening_hours"]),
        ("how many reviews does it have", ["num_reviews"]),
        ("is it in the mission district?", ["location"]),
    ],
)
def test_attributes_of_known_things_are_columns(parser: BuiltinParser, question: str, columns: list[str]) -> None:
    frame = parser.frame(question, ("restaurants",), Known(("quorum", "the-slow-egg")))
    assert [item.column for item in frame.projections] == columns
    assert not any(item.question for item in frame.projections)
    assert frame.limit is None


@pytest.mark.parametrize(
    ("question", "selected"),
    [
        ("how much would dinner be?", "name, price"),
        ("when do they serve dinner?", "name, opening_hours"),
        ("is it good for lunch?", "name, answer(reviews, 'is it good for lunch?') AS answer"),
    ],
)
def test_a_meal_asks_for_hours_only_where_the_question_is_when(
    parser: BuiltinParser, question: str, selected: str
) -> None:
    suql = parser.parse(question, ("restaurants",), Known(("quorum",))).suql
    assert suql == f"SELECT {selected} FROM restaurants WHERE slug IN ('quorum')"


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("pick one thai place in Palo Alto", 1),
        ("choose two bars in SF", 2),
        ("which thai place in SF has the most reviews, and does it offer soup?", 1),
    ],
)
def test_whoever_is_to_choose_is_told_how_many(parser: BuiltinParser, words: str, limit: int) -> None:
    frame = parser.frame(words, ("restaurants",))
    assert frame.limit == limit
