"""Values where a question says them: in lists, as parts of longer ones, denied together."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.compose import compose
from agent.understanding.conditions import read_conditions
from agent.understanding.mentions import is_left_open
from agent.understanding.roles import ALL, ROWS, Literal, Mark, Roles
from agent.understanding.schema import Schema, read_schema

STALLS = Table(
    "stalls",
    (
        Column("keeper", Kind.TEXT),
        Column("days", Kind.ENUM, many=True),
        Column("sells", Kind.ENUM),
        Column("has", Kind.ENUM, many=True),
        Column("pays", Kind.ENUM, value_words=(("cash/no card", ("cash only",)),)),
    ),
)


@pytest.fixture(scope="module")
def stalls() -> Schema:
    memory = {
        "stalls.days": ["Tue", "Thu", "Sat", "Sun"],
        "stalls.sells": ["fish", "cheese", "bread"],
        "stalls.has": ["awning", "scales", "bench"],
        "stalls.pays": ["cash/no card", "card"],
    }
    return read_schema(Catalogue((STALLS,)), ValueMemory(memory))


def where(schema: Schema, message: str, text: str = "", column: int = 1) -> str:
    """The conditions of a message of which the linker pointed at one stretch, if any."""
    at = message.index(text)
    literals = [Literal(text, column, "=", False, at, at + len(text))] if text else []
    found = compose(Roles(select=[(ROWS, "")], literals=literals, tables=({0}, set())), schema, message, 2026).sql
    return found.partition(" WHERE ")[2].replace("stalls.", "")


@pytest.mark.parametrize(
    ("said", "joined"),
    [
        ("with an awning and a bench", "('awning' = ANY(has) AND 'bench' = ANY(has))"),
        ("with both an awning and a bench", "('awning' = ANY(has) AND 'bench' = ANY(has))"),
        ("with an awning or a bench", "('awning' = ANY(has) OR 'bench' = ANY(has))"),
        ("awning and bench stalls", "('awning' = ANY(has) OR 'bench' = ANY(has))"),
        ("both awning and bench stalls", "('awning' = ANY(has) AND 'bench' = ANY(has))"),
        ("at the weekend", "('Sat' = ANY(days) OR 'Sun' = ANY(days))"),
        ("open Tuesdays and Thursdays", "('Tue' = ANY(days) OR 'Thu' = ANY(days))"),
    ],
)
def test_a_row_has_all_values_of_a_list_but_of_alternatives_one(stalls, said, joined):
    assert where(stalls, said) == joined


def test_a_value_that_is_added_to_a_list_is_wanted_too(stalls):
    said = [Literal("awning", 3, "=", False), Literal("bench", 3, "=", False, 11, 16)]
    roles = Roles(select=[(ROWS, "")], literals=said, tables=({0}, set()), move="refine")
    read = read_conditions(roles, stalls, "and with a bench", 2026)
    assert [one.operator for one in read.literals] == [ALL, ALL]


def test_a_word_for_several_values_is_all_of_them(stalls):
    assert where(stalls, "not at the weekend") == "NOT 'Sat' = ANY(days) AND NOT 'Sun' = ANY(days)"


def test_a_denial_holds_of_the_whole_list(stalls):
    assert where(stalls, "none of that fish or cheese") == "sells <> 'fish' AND sells <> 'cheese'"
    assert where(stalls, "anything but bread") == "sells <> 'bread'"
    assert where(stalls, "leave out the fish ones") == "sells <> 'fish'"


def test_a_no_inside_a_value_denies_nothing(stalls):
    assert where(stalls, "cash / no card", "card", 4) == "pays = 'cash/no card'"


def test_a_day_in_what_is_taken_for_a_name_is_a_day(stalls):
    found = where(stalls, "stall of Ruiz-Hale tue", "Ruiz-Hale tue", 0)
    assert "'Tue' = ANY(days)" in found
    assert "keeper = 'Ruiz-Hale'" in found


def test_an_apostrophe_may_be_left_out():
    stored = {"stalls.sells": ["Otter's Holt", "Lions Den"], "stalls.days": ["Tue"]}
    schema = read_schema(Catalogue((STALLS,)), ValueMemory(stored))
    assert where(schema, "what is at otters holt") == "sells = 'Otter''s Holt'"
    assert where(schema, "what is at Lion's Den") == "sells = 'Lions Den'"


def test_a_value_with_nothing_but_what_leads_to_it_is_no_wish(stalls):
    message = "not at the weekend"
    roles = Roles(select=[(ROWS, "")], tables=({0}, set()), marks=[Mark("unwanted", 0, 4, 18)])
    assert "'Sat' = ANY(stalls.days)" in compose(roles, stalls, message, 2026).sql
    wish = Roles(select=[(ROWS, "")], tables=({0}, set()), marks=[Mark("wish", 0, 0, 19)])
    assert compose(wish, stalls, "room for weekend fun", 2026).sql.endswith("FROM stalls")


def test_who_tells_something_is_no_condition():
    columns = (Column("name", Kind.TEXT), Column("guests", Kind.BOOLEAN, synonyms=("visitors",)))
    schema = read_schema(Catalogue((Table("stalls", columns),)), ValueMemory({}))

    def asked(message: str) -> str:
        roles = Roles(select=[(ROWS, "")], where=[(1, "=")], tables=({0}, set()))
        return compose(roles, schema, message, 2026).sql

    assert "WHERE" not in asked("stalls that are clean, according to the visitors")
    assert "WHERE" not in asked("where do visitors complain about flies")
    assert "guests = TRUE" in asked("stalls that let visitors in")


def test_days_that_are_written_together_are_all_meant(stalls):
    assert where(stalls, "open tue/thu") == "('Tue' = ANY(days) AND 'Thu' = ANY(days))"
    assert where(stalls, "open Tue or Thu") == "('Tue' = ANY(days) OR 'Thu' = ANY(days))"


def test_only_these_days_are_no_others(stalls):
    assert where(stalls, "stalls that only open on Tuesdays") == "days = ARRAY['Tue']"
    assert where(stalls, "Tuesdays only, please") == "days = ARRAY['Tue']"


@pytest.mark.parametrize(
    ("message", "said", "expected"),
    [("how expensive is it", "expensive", True), ("dear is fine by me", "dear", True), ("a dear one", "dear", False)],
)
def test_a_place_on_a_scale_that_is_asked_for_or_tolerated_is_left_open(message, said, expected):
    assert is_left_open((message.index(said), message.index(said) + len(said)), message) is expected
