"""`manage.py bench suql`, small: the rows are right, the bounds hold, and what does not hang on the machine is met."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from hybridchat.research.bench_bounds import suite
from hybridchat.research.bench_suql import Measured

pytestmark = pytest.mark.django_db  # a test database is made for marked tests only


@pytest.fixture(scope="module")
def report(django_db_setup: None, django_db_blocker: Any) -> dict[str, Any]:
    """One small run, as JSON."""
    out = io.StringIO()
    with django_db_blocker.unblock():
        call_command("bench", "suql", rows=150, large=2_000, ranked=2_000, seeds=3, json=True, stdout=out)
    return dict(json.loads(out.getvalue()))


def goal(report: dict[str, Any], name: str) -> dict[str, Any]:
    return next(found for found in report["goals"] if found["name"].startswith(name))


def test_every_query_gives_the_rows_postgresql_gives(report: dict[str, Any]) -> None:
    assert [each["name"] for each in report["suite"] if not each["right"]] == []


def test_the_suite_has_sixty_different_queries(report: dict[str, Any]) -> None:
    queries = {item.sql for item in suite()}
    assert len(queries) == len(report["suite"]) >= 60


def test_no_query_needs_less_than_the_lower_bound(report: dict[str, Any]) -> None:
    """Where any row of a group settles it, luck can beat the order that the bound follows: there the sum counts."""
    lucky = {item.name for item in suite() if item.needs}
    for each in report["suite"]:
        assert each["name"] in lucky or each["values"] >= 0.95 * each["bound"], each["name"]
    values, fewest = (sum(each[name] for each in report["suite"]) for name in ("values", "bound"))
    assert values >= fewest


def test_a_repeated_query_costs_nothing(report: dict[str, Any]) -> None:
    assert {each["name"]: each["again"] for each in report["suite"] if each["again"]} == {}


def test_prompts_are_full(report: dict[str, Any]) -> None:
    assert goal(report, "calls / ⌈D/b⌉")["met"]


def test_few_values_more_than_the_fewest_are_asked(report: dict[str, Any]) -> None:
    """On tables as small as these the pilots of the conditions weigh more than on the suite's own."""
    values, fewest = (sum(each[name] for each in report["suite"]) for name in ("values", "bound"))
    assert values <= 1.15 * fewest


def test_seconds_are_the_engine_s_own_and_the_rounds_of_the_model() -> None:
    numbers = dict.fromkeys(("bound", "values", "prompts", "tokens", "again", "plain", "naive"), 0)
    assert Measured("x", right=True, rounds=4, planning=1.0, own=0.5, **numbers).seconds(0.5) == 2.5


def test_every_goal_says_what_was_wanted_and_what_was_measured(report: dict[str, Any]) -> None:
    assert len(report["goals"]) == 11
    assert all(found["wanted"] and found["measured"] and found["met"] in (True, False) for found in report["goals"])


def test_a_plain_function_and_the_naive_plan_need_more(report: dict[str, Any]) -> None:
    engine, plain, naive = (sum(each[name] for each in report["suite"]) for name in ("values", "plain", "naive"))
    assert engine < plain
    assert engine < naive


def test_a_cascade_keeps_what_it_promises(report: dict[str, Any]) -> None:
    assert goal(report, "cascade")["met"]
    assert report["cascade"]["read"] < 0.6


def test_calls_with_limit_are_measured_with_one_text_and_with_several(report: dict[str, Any]) -> None:
    assert sorted({each["batch"] for each in report["limits"]}) == [1, 16]
    for each in report["limits"]:
        assert each["fewest"] >= max(1.0, each["expected"] / each["batch"]) - 1e-6
        if each["batch"] == 1:
            assert each["calls"] == each["values"]
            assert abs(each["fewest"] - each["expected"]) < 1e-3 * each["expected"]
