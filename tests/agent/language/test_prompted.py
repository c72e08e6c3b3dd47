"""The pieces under the prompts: JSON in prose, typed values, quotes in texts, figures in replies, schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agent.backends.prompted import json_text, matching, parsing, reading, responding, understanding
from agent.backends.prompted.asking import Wire
from agent.backends.prompted.grounding import unsupported
from agent.backends.prompted.quotes import locate
from agent.backends.prompted.settings import Price
from agent.backends.prompted.values import typed
from agent.text.values import AnswerType

REVIEW = "The waiter’s jokes fell flat –\nbut we  could hear every word, which is rare. Crème brûlée was burnt."

# -- quotes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("we  could hear every word", "we  could hear every word"),
        ("The waiter's jokes fell flat - but we could", "The waiter’s jokes fell flat –\nbut we  could"),
        ("COULD HEAR EVERY WORD", "could hear every word"),
        ('"which is rare."', "which is rare."),
        ("which is rare. Creme brulee was burnt", "which is rare. Crème brûlée was burnt"),
        ("The waiter's jokes ... Crème brûlée was burnt", "Crème brûlée was burnt"),
    ],
)
def test_a_quote_is_found_where_it_stands(quote, found):
    where = locate(quote, REVIEW)
    assert where is not None
    assert REVIEW[slice(*where)] == found


@pytest.mark.parametrize("quote", ["", "  ", "the music was too loud", "hear", "jokes were great", "word " * 60])
def test_what_the_text_does_not_say_is_not_found(quote):
    where = locate(quote, REVIEW)
    assert where is None or REVIEW[slice(*where)] == "hear" == quote


# -- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("yes.", AnswerType.BOOLEAN, "Yes"),
        ("false", AnswerType.BOOLEAN, "No"),
        ("maybe", AnswerType.BOOLEAN, None),
        ("YES", AnswerType.TEXT, "Yes"),
        ("True Grit", AnswerType.TEXT, "True Grit"),
        ("true", AnswerType.TEXT, "true"),
        ("No info", AnswerType.TEXT, None),
        ("  by the window ", AnswerType.TEXT, "by the window"),
        ("$1,200", AnswerType.NUMBER, "1200"),
        ("about 4.50", AnswerType.NUMBER, "4.5"),
        ("-3", AnswerType.NUMBER, "-3"),
        ("10 to 20", AnswerType.NUMBER, None),
        ("2026-02-30", AnswerType.DATE, None),
        ("2026-02-03", AnswerType.DATE, "2026-02-03"),
        ("9:30 pm", AnswerType.TIME, "21:30"),
        ("12am", AnswerType.TIME, "00:00"),
        ("17.45", AnswerType.TIME, "17:45"),
        ("9", AnswerType.TIME, None),
        ("25:00", AnswerType.TIME, None),
        ("Calm", AnswerType.OPTION, "calm"),
        ("calm-ish", AnswerType.OPTION, None),
        (None, AnswerType.TEXT, None),
    ],
)
def test_a_value_is_of_its_type_or_none(value, kind, expected):
    assert typed(value, kind, ("calm", "lively")) == expected


# -- figures ---------------------------------------------------------------------------------------------------------

KNOWN = """{"name": "Otto's & Co", "rating": 4.26, "reviews": 1204, "phone": "+1 650 555 0134",
"open": "17:30-24:00", "link": "https://ottos.example/menu"}"""


@pytest.mark.parametrize(
    "text",
    [
        "**Otto's & Co** has 4.3 stars from 1,204 reviews.",
        "Call (650) 555-0134.",
        "Open 5:30 pm to midnight (24:00).",
        "It opens at 17:30, that is 5:30.",
        "All 3 of them, 1. first, 2. second.",
        "1. **Otto's & Co**",
        "See [the menu](https://ottos.example/menu).",
    ],
)
def test_what_the_facts_hold_is_supported_however_it_is_written(text):
    assert unsupported(text, KNOWN) == []


@pytest.mark.parametrize(
    ("text", "invented"),
    [
        ("It has 4.5 stars.", ["4.5"]),
        ("It costs $37.", ["37"]),
        ("Open until 9:15 pm.", ["21:15"]),
        ("Try **Otto's Other Place**.", ["Otto's Other Place"]),
        ("1,205 reviews", ["1205"]),
        ("![](https://elsewhere.example/collect)", ["https://elsewhere.example/collect"]),
    ],
)
def test_what_the_facts_do_not_hold_is_named(text, invented):
    assert unsupported(text, KNOWN) == invented


# -- JSON ------------------------------------------------------------------------------------------------------------


def test_the_beginning_of_an_object_is_read_as_far_as_it_goes():
    assert json_text.extract_partial('{"text": "Good eve') == {"text": "Good eve"}
    assert json_text.extract_partial('```json\n{"text": "a\\"b') == {"text": 'a"b'}
    assert json_text.extract_partial("Sure") == {}


def test_a_brace_in_prose_is_not_an_object():
    with pytest.raises(ValueError, match="not a JSON object"):
        json_text.extract("Use {braces} wisely.")


# -- schemas ---------------------------------------------------------------------------------------------------------

WIRES = [
    reading.Answers,
    matching.Matches,
    matching.Gist,
    understanding.Wants,
    parsing.Query,
    responding.Words,
    understanding.WantsFirst,
    understanding.WantsDone,
    responding.WordsAndSayings,
]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_every_schema_is_one_that_servers_take_as_strict(wire: type[Wire]):
    schema = wire.model_json_schema()
    for node in nodes(schema):
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert set(node["required"]) == set(node["properties"])
        assert not {"default", "minLength", "maxLength", "pattern", "minimum", "maximum", "format"} & set(node)
        assert "$ref" not in node or set(node) == {"$ref"}


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema in a schema; the names of properties are not keywords."""
    if isinstance(schema, dict):
        yield schema
        for name, value in schema.items():
            inner = value.values() if name in ("properties", "$defs") else [value]
            for part in inner:
                yield from nodes(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from nodes(part)


# -- prices ----------------------------------------------------------------------------------------------------------


def test_prompt_tokens_the_server_kept_cost_their_own_price():
    assert Price(2.0, 8.0).of(1_000_000, 0, 500_000) == 2.0
    assert Price(2.0, 8.0, cached=0.5).of(1_000_000, 1_000_000, 500_000) == 1.0 + 0.25 + 8.0
