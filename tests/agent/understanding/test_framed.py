"""What a form's words ask of rows, over a catalogue that has no rules."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue
from agent.parsing.frame import Asked, Condition, leaves
from agent.understanding.parser import CatalogueParser
from tests.agent.understanding.conftest import CATALOGUE, MEMORY
from tests.agent.understanding.test_documents import GUIDE_MEMORY, GUIDES

TABLES = ("ferries", "calls")


@pytest.fixture(scope="module")
def parser() -> CatalogueParser:
    return CatalogueParser(CATALOGUE, MEMORY)


def conditions(parser: CatalogueParser, words: str) -> set[tuple[str, str, str]]:
    found = [leaf for node in parser.frame(words, TABLES).where for leaf in leaves(node)]
    return {(one.table, one.column, one.op) for one in found if isinstance(one, Condition)}


def test_values_are_conditions_on_their_columns(parser: CatalogueParser) -> None:
    assert conditions(parser, "a ferry based in Sandwick that is longer than 40 m") == {
        ("ferries", "home_port", "="),
        ("ferries", "length_m", ">"),
    }


def test_a_name_is_a_condition_on_the_title(parser: CatalogueParser) -> None:
    assert conditions(parser, "the Lady Moyna") == {("ferries", "name", "=")}


def test_the_longest_is_an_order(parser: CatalogueParser) -> None:
    (order,) = parser.frame("the longest ferry", TABLES).order
    assert (order.column, order.descending) == ("length_m", True)


def test_a_count_is_one(parser: CatalogueParser) -> None:
    assert parser.frame("how many ferries are there?", TABLES).aggregate is not None


def test_wishes_are_asked_of_the_prose(parser: CatalogueParser) -> None:
    found = parser.frame("ferries with a friendly crew", TABLES).where
    assert [node.columns for node in found if isinstance(node, Asked)] == [("remarks",)]


def test_documents_are_found_by_all_their_words() -> None:
    parser = CatalogueParser(Catalogue((GUIDES,)), GUIDE_MEMORY)
    assert parser.are_documents((GUIDES.name,))
    assert not parser.frame("can I bring a dog?", (GUIDES.name,)).where
