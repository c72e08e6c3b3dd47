"""Regression cases: judged by what they expect, run by a worker or a command, compared with the run before."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from corpora.examples import keep_pair
from corpora.loading.assistants import add_missing_assistants
from hybridchat.research import regression, tasks
from hybridchat.research.models import RegressionCase, RegressionResult, RegressionRun
from tests.chat import fakes
from tests.research.conftest import Run

UNLIKE = "SELECT * FROM restaurants WHERE price <> 'moderate' LIMIT 3"


def case(**fields: Any) -> RegressionCase:
    usual = {"corpus": "restaurants", "messages": ["rows=2"], "expected_keys": ["place-1", "place-0"]}
    return RegressionCase(**{**usual, **fields})


def report(keys: list[str], *, relaxed: tuple[str, ...] = (), answer: str = "", error: str = "") -> dict[str, Any]:
    query = {"keys": keys, "relaxed": relaxed, "suql": "SELECT", "usage": {"calls": 1}}
    return {"queries": [query], "agent": answer, "error": error or None}


@pytest.mark.parametrize(
    ("expected", "told", "reason"),
    [
        ({}, report(["place-0", "place-1"]), ""),
        ({"in_order": True}, report(["place-0", "place-1"]), "The rows come in another order."),
        ({}, report(["place-0"]), "missing: place-1"),
        ({}, report(["place-0", "place-1", "x"]), "not expected: x"),
        ({}, report(["place-0", "place-1"], relaxed=("quiet",)), "It gave up quiet."),
        ({}, report([], error="The database is away."), "The database is away."),
        ({"expected_keys": [], "expected_answer": "Two\nplaces"}, report([], answer="There are two places."), ""),
        ({"expected_keys": [], "expected_answer": "three"}, report([], answer="two"), "It does not say: three"),
        ({"expected_keys": [], "finds_nothing": True}, report([]), ""),
        ({"expected_keys": [], "finds_nothing": True}, report(["x"]), "It found x."),
        ({"expected_keys": [], "finds_nothing": True}, report(["x"], relaxed=("quiet",)), ""),
    ],
)
def test_a_case_passes_where_all_is_as_expected(expected: Any, told: Any, reason: str) -> None:
    found = regression.judged(case(**expected), told)
    assert (found["reason"], found["passed"]) == (reason, not reason)


@pytest.fixture
def cases(transactional_db: None) -> list[RegressionCase]:
    add_missing_assistants()
    made = [case(), case(messages=["romantic", "rows=1"], expected_keys=["place-0"]), case(messages=["rows=0"])]
    for one in made:
        one.save()
    return made


def done(run: RegressionRun) -> RegressionRun:
    left = async_to_sync(regression.work)(run.pk, fakes.ScriptedAgent())
    assert not left
    run.refresh_from_db()
    return run


def test_a_run_asks_every_case_once_however_often_it_is_worked_on(cases: Any) -> None:
    run = done(regression.begin("restaurants", "builtin", True))
    done(run)
    assert (run.status, run.cases) == ("done", 3)
    assert list(run.results.order_by("case").values_list("passed", flat=True)) == [True, True, False]
    assert regression.tally(run) == {"asked": 3, "passed": 2, "fresh": 3, "fresh_passed": 2}


def test_a_slice_ends_in_time_and_the_rest_is_left_to_the_next(cases: Any) -> None:
    run = regression.begin("restaurants", "builtin", True)
    assert async_to_sync(regression.work)(run.pk, fakes.ScriptedAgent(), seconds=0)
    assert run.results.count() < 3
    assert done(run).results.count() == 3


def test_a_run_that_was_stopped_asks_nothing_more(cases: Any) -> None:
    run = regression.begin("restaurants", "builtin", True)
    assert regression.stop(run)
    assert not regression.stop(run)
    assert done(run).status == "stopped"
    assert not run.results.exists()


def test_changes_name_what_broke_and_what_was_fixed(cases: Any) -> None:
    first = done(regression.begin("restaurants", "builtin", True))
    assert regression.changes(first).before is None
    RegressionCase.objects.filter(pk=cases[0].pk).update(expected_keys=["elsewhere"])
    RegressionCase.objects.filter(pk=cases[2].pk).update(expected_keys=[], finds_nothing=True)
    case(messages=["rows=2", "rows=2"]).save()
    done(regression.begin("restaurants", "builtin", False))
    second = done(regression.begin("restaurants", "builtin", True))
    told = regression.changes(second)
    assert told.before == first, "a run without few-shot pairs is no measure for one with them"
    assert [one.case for one in told.broken] == [cases[0]]
    assert [one.case for one in told.fixed] == [cases[2]]
    assert len(told.new) == 1


def test_a_case_whose_message_is_in_the_bank_is_counted_apart(cases: Any) -> None:
    keep_pair("restaurants", "ROWS=2", "SELECT * FROM restaurants LIMIT 2", "list", None)
    tally = regression.tally(done(regression.begin("restaurants", "builtin", True)))
    assert (tally["passed"], tally["fresh"], tally["fresh_passed"]) == (2, 2, 1)


def test_a_corpus_that_is_gone_fails_with_its_reason(cases: Any) -> None:
    case(corpus="atlantis").save()
    run = done(regression.begin("atlantis", "builtin", True))
    assert run.results.get().reason == regression.GONE


def test_the_database_refuses_what_is_no_case_and_no_result(cases: Any) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("research_case_corpus_filled", {"corpus": ""}),
        ("research_case_asks", {"messages": []}),
        ("research_case_expects", {"expected_keys": []}),
        ("research_case_expects", {"finds_nothing": True}),
    ]
    for name, change in wrong:
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            case(**change).save()
    run = regression.begin("restaurants", "builtin", True)
    values = {"run": run, "case": cases[0], "passed": True}
    RegressionResult.objects.create(**values)
    with pytest.raises(IntegrityError, match="research_result_once"), transaction.atomic():
        RegressionResult.objects.create(**values)
    with pytest.raises(IntegrityError, match="research_result_says_why"), transaction.atomic():
        RegressionResult.objects.create(run=run, case=cases[1], passed=False)
    with pytest.raises(IntegrityError, match="research_run_corpus_filled"), transaction.atomic():
        RegressionRun.objects.filter(pk=run.pk).update(corpus="")
    with pytest.raises(IntegrityError, match="research_run_over_has_a_time"), transaction.atomic():
        RegressionRun.objects.filter(pk=run.pk).update(status="done")


def staff(*permissions: str) -> Client:
    client, user = Client(), User.objects.create_user("curator", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def test_a_run_is_begun_watched_and_stopped_in_the_admin(cases: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(regression.app, "send_task", lambda name, arguments: sent.append((name, arguments)))
    client = staff("view_regressionrun", "add_regressionrun", "view_regressioncase")
    listed = client.get(reverse("admin:research_regressionrun_changelist")).content.decode()
    assert "with few-shot pairs" in listed
    begun = client.post(reverse("admin:research_regressionrun_start"), {"corpus": "restaurants"}, follow=True)
    run = RegressionRun.objects.get()
    assert (run.few_shot, sent) == (False, [(regression.RUN_CASES, [run.pk])])
    assert '<progress max="3" value="0">' in begun.content.decode()
    assert 'http-equiv="refresh"' in begun.content.decode()
    stopped = client.post(reverse("admin:research_regressionrun_stop", args=[run.pk]), follow=True).content.decode()
    assert "the run was stopped" in stopped
    assert 'http-equiv="refresh"' not in stopped
    first = done(regression.begin("restaurants", "builtin", True))
    RegressionCase.objects.filter(pk=cases[0].pk).update(expected_keys=["elsewhere"])
    second = done(regression.begin("restaurants", "builtin", True))
    page = client.get(reverse("admin:research_regressionrun_change", args=[second.pk])).content.decode()
    assert "1 broken, 0 fixed, 0 new" in page
    assert reverse("admin:research_regressionrun_change", args=[first.pk]) in page
    assert "missing: elsewhere" in page


def test_who_may_only_look_begins_no_run(cases: Any) -> None:
    client = staff("view_regressionrun")
    assert client.post(reverse("admin:research_regressionrun_start"), {"corpus": "restaurants"}).status_code == 404
    assert not RegressionRun.objects.exists()


def test_what_a_sweep_finds_left_behind_is_handed_out(cases: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.run_cases, "delay", sent.append)
    run = regression.begin("restaurants", "builtin", True)
    assert tasks.sweep() == 0
    RegressionRun.objects.update(touched=run.created - 2 * tasks.RUN_LEFT_BEHIND)
    assert tasks.sweep() == 1
    assert sent == [run.pk]


@pytest.mark.django_db(transaction=True)
def test_the_command_measures_what_few_shot_pairs_do(run: Run) -> None:
    """The builtin language cannot know what these words mean; a pair teaches them, also for another value."""
    add_missing_assistants()
    keep_pair("restaurants", "the antidote to moderate", UNLIKE, "list", None)
    question = case(messages=["the antidote to expensive"], expected_keys=["pa-proof-and-peel"])
    question.save()
    without, taught = json.loads(run("evaluate", "parsing", corpus="restaurants", few_shot="both", json=True))
    assert (without["few_shot"], without["passed"]) == (False, 0)
    assert (taught["few_shot"], taught["passed"], taught["fresh_passed"]) == (True, 1, 1)
    assert "price <> 'expensive'" in taught["results"][0]["suql"]
    printed = run("evaluate", "parsing", corpus="restaurants")
    assert "1 of 1 passed" in printed
    assert "0 broken, 0 fixed, 0 new" in printed
    assert RegressionRun.objects.count() == 3
    with pytest.raises(CommandError, match="no regression cases"):
        run("evaluate", "parsing", corpus="courses")
