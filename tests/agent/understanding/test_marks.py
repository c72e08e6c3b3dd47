"""The tagger's marks beside the linker's columns: what is part of a wish is no value of its own."""

from __future__ import annotations

import numpy as np
import pytest

from agent.networks import tagger
from agent.understanding.marks import marked
from agent.understanding.roles import Literal, Roles

MESSAGE = "room for twelve dogs in Sandwick"


def marks(*found: tuple[str, str, float]) -> tagger.Marks:
    spans = ((MESSAGE.index(text), kind, sure, len(text)) for text, kind, sure in found)
    return tagger.Marks(
        tuple(tagger.Mark(start, start + size, kind, sure) for start, kind, sure, size in spans), np.ones(len(MESSAGE))
    )


def value(schema, text: str, name: str) -> Literal:
    column = next(at for at, one in enumerate(schema.fields) if one.column.name == name)
    return Literal(text, column, "=", False, MESSAGE.index(text), MESSAGE.index(text) + len(text))


@pytest.mark.parametrize(("text", "column"), [("twelve", "length_m"), ("dogs", "takes")])
def test_a_number_or_a_value_of_a_list_inside_a_wish_is_part_of_it(schema, text, column):
    roles = marked(
        Roles(literals=[value(schema, text, column)]), schema, marks(("room for twelve dogs", "wish", 0.9)), MESSAGE
    )
    assert roles.literals == []


def test_a_value_beside_a_wish_stays(schema):
    place = value(schema, "Sandwick", "home_port")
    roles = marked(Roles(literals=[place]), schema, marks(("room for twelve dogs", "wish", 0.9)), MESSAGE)
    assert roles.literals == [place]
    assert [(one.kind, MESSAGE[one.start : one.stop]) for one in roles.marks] == [("wish", "room for twelve dogs")]


@pytest.mark.parametrize(("sure", "kinds"), [(0.9, ["column"]), (0.4, [])])
def test_a_likely_value_is_marked_as_one_of_a_column(schema, sure, kinds):
    roles = marked(Roles(), schema, marks(("dogs", "column", sure)), MESSAGE)
    assert [one.kind for one in roles.marks] == kinds


def test_a_value_that_is_only_told_is_none(schema):
    told = tagger.Marks((), np.zeros(len(MESSAGE)))
    assert marked(Roles(literals=[value(schema, "dogs", "takes")]), schema, told, MESSAGE).literals == []


def test_a_wish_goes_on_in_its_examples_and_in_what_is_said_of_its_thing(schema):
    def whole(message: str, *stretches: tuple[str, str]) -> list[str]:
        spans = [(message.index(text), len(text), kind) for kind, text in stretches]
        found = tuple(tagger.Mark(start, start + size, kind, 0.9) for start, size, kind in spans)
        roles = marked(Roles(), schema, tagger.Marks(found, np.ones(len(message))), message)
        return [message[one.start : one.stop] for one in roles.marks]

    fuss = "one that makes a fuss, like a song or a cake"
    assert whole(fuss, ("wish", "makes a fuss")) == ["makes a fuss, like a song or a cake"]
    crew = "a crew that doesn't shout at children"
    assert whole(crew, ("wish", "crew"), ("unwanted", "shout at children")) == ["crew that doesn't shout at children"]


def test_a_number_that_is_compared_is_no_part_of_a_wish(schema):
    message = "ferries with fewer than 40 dogs aboard"
    length = Literal("40", 2, "=", False, 24, 26)
    aboard = tagger.Marks((tagger.Mark(13, 38, "wish", 0.9),), np.zeros(len(message)))
    assert marked(Roles(literals=[length]), schema, aboard, message).literals == [length]
