from __future__ import annotations

from typing import Any

import pytest

from hybridchat.research.query_slots import Scorer, slots

GOLD: dict[str, Any] = {"location": "Palo Alto", "cuisines": ["thai"], "free_text": ["romantic"]}
RIGHT = (
    "SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Palo Alto' "
    "AND answer(reviews, 'is this restaurant romantic?') = 'Yes' LIMIT 3"
)


def test_every_slot_right_is_strict() -> None:
    assert Scorer().score(RIGHT, GOLD).strict


def test_a_missing_free_text_is_only_lenient() -> None:
    verdict = Scorer().score("SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Palo Alto'", GOLD)
    assert (verdict.strict, verdict.lenient) == (False, True)
    assert verdict.wrong == ("-romantic",)


@pytest.mark.parametrize("wrong", ["'thai'|'lao'", "'Palo Alto'|'Sunnyvale'", "LIMIT 3|AND rating > 4 LIMIT 3"])
def test_a_wrong_structured_slot_is_neither(wrong: str) -> None:
    old, new = wrong.split("|")
    suql = RIGHT.replace(old, new) if "LIMIT" not in old else RIGHT.replace(" LIMIT 3", " AND rating > 4 LIMIT 3")
    verdict = Scorer().score(suql, GOLD)
    assert (verdict.strict, verdict.lenient) == (False, False)


def test_what_does_not_parse_is_wrong() -> None:
    assert Scorer().score("SELECT FROM WHERE (", GOLD).wrong == ("syntax",)


def test_exclusions_are_told_from_wishes() -> None:
    found = slots(
        "SELECT * FROM restaurants WHERE NOT 'thai' = ANY(cuisines) AND rating BETWEEN 1 AND 2 OR price = 'cheap'"
    )
    assert found.excluded == {"cuisines": {"thai"}}
    assert found.equal == {"price": {"cheap"}}
