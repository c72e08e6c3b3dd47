"""Descriptions tell what values are called."""

from __future__ import annotations

import pytest

from agent.understanding.value_names import value_names


@pytest.mark.parametrize(
    ("description", "values", "words"),
    [
        ("IN = indoor, OUT = open air", ("IN", "OUT"), {"IN": {"indoor"}, "OUT": {"open air"}}),
        (
            "Kind of boat: SL = sailing or motor boat, DG = dinghy (tender), RW = rowing (pulling) boat",
            ("SL", "DG", "RW"),
            {
                "SL": {"sailing or motor boat", "sailing boat", "motor boat"},
                "DG": {"dinghy", "tender"},
                "RW": {"rowing boat", "pulling boat"},
            },
        ),
        ("State: N = new; U = used, good; S = a wreck", ("N", "U", "S"), {"N": {"new"}, "U": {"used"}, "S": {"wreck"}}),
        ("On site: pool (swimming pool, a bath), bar", ("Pool", "Bar"), {"Pool": {"swimming pool", "bath"}}),
        ("in (all of them) as it is", ("IN",), {}),
    ],
)
def test_values_are_called_what_the_description_says(
    description: str, values: tuple[str, ...], words: dict[str, set[str]]
) -> None:
    told: dict[str, set[str]] = {}
    for said, value in value_names(description, values):
        told.setdefault(value, set()).add(said)
    assert told == words
