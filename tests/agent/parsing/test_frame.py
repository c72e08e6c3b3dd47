from __future__ import annotations

from agent.parsing.frame import Asked, Condition, Either, Frame, Order, drop, merge, replace
from agent.parsing.generate import literal, to_suql
from corpora.catalogue import catalogue

R = "restaurants"


def condition(column: str, *values: object, op: str = "=", negated: bool = False) -> Condition:
    return Condition(table=R, column=column, op=op, values=values, negated=negated)  # type: ignore[arg-type]


def frame(*where: Condition | Asked | Either, **more: object) -> Frame:
    return Frame(tables=(R,), where=where, limit=3, **more)  # type: ignore[arg-type]


THAI, PALO_ALTO = condition("cuisines", "thai"), condition("location", "Palo Alto")
ROMANTIC = Asked(table=R, columns=("reviews",), question="is this restaurant romantic?")


def test_a_frame_survives_json() -> None:
    full = frame(Either(parts=(THAI, ROMANTIC), negated=True), PALO_ALTO, order=(Order(table=R, column="rating"),))
    assert Frame.model_validate_json(full.model_dump_json()) == full


def test_a_refinement_takes_the_place_of_the_same_column_and_keeps_the_rest() -> None:
    merged = merge(frame(THAI, PALO_ALTO, ROMANTIC), frame(condition("location", "Sunnyvale")))
    assert merged.where == (THAI, ROMANTIC, condition("location", "Sunnyvale"))


def test_bounds_on_both_sides_of_a_number_live_together() -> None:
    least, most = condition("rating", 3, op=">="), condition("rating", 4, op="<")
    assert merge(frame(least), frame(most)).where == (least, most)


def test_a_wish_takes_the_place_of_its_own_exclusion() -> None:
    assert replace(frame(condition("cuisines", "thai", negated=True)), THAI).where == (THAI,)


def test_dropping_a_column_drops_its_order_too() -> None:
    dropped = drop(frame(condition("rating", 4, op=">="), THAI, order=(Order(table=R, column="rating"),)), "rating")
    assert dropped.where == (THAI,)
    assert dropped.order == ()


def test_an_aggregate_is_not_carried_over_to_the_next_question() -> None:
    counted = Frame.model_validate({"tables": [R], "aggregate": {"function": "count", "table": R}})
    assert merge(counted, frame(THAI)).aggregate is None


def test_a_question_about_a_named_thing_stands_on_its_own() -> None:
    asked = frame(condition("name", "Quorum"), presentation="detail")
    assert merge(frame(THAI, PALO_ALTO), asked) == asked


def test_shown_rows_are_kept_away_and_chosen_ones_kept() -> None:
    suql = to_suql(frame(THAI, among=("a", "b"), exclude=("c",)), catalogue())
    assert "slug IN ('a', 'b')" in suql
    assert "slug NOT IN ('c')" in suql


def test_quotes_in_values_cannot_end_the_literal() -> None:
    assert literal("Fisherman's Wharf' OR 1=1 --") == "'Fisherman''s Wharf'' OR 1=1 --'"
