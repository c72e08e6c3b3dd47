"""Conversations are held again, each once, and compared turn by turn with how they went."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from hybridchat.chat.models import Turn
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.keeping import keep_report
from hybridchat.research.management.commands import replay as command
from hybridchat.research.models import Replayed, Run
from hybridchat.research.replay import services, sources, tasks
from hybridchat.research.replay.differences import difference, figures
from hybridchat.research.replay.kept import paired, plots_of
from hybridchat.research.replay.report import report, table
from tests.chat import fakes


def held(found: Any, seconds: float = 60) -> Run:
    """A run of the conversations, held to its end."""
    run = services.prepare("pilot", "me", "builtin", found)
    asyncio.run(services.work(run.pk, fakes.ScriptedAgent(), seconds))
    run.refresh_from_db()
    return run


def test_a_stored_conversation_is_held_again_and_compared(talk: Turn) -> None:
    run = held(sources.stored(Filters()))
    assert (run.status, run.done, run.total) == ("done", 1, 1)
    (turn, *_) = report(run)["conversations"][0]["turns"]
    assert turn["message"] == "somewhere romantic in Palo Alto for two of us tomorrow evening"
    assert turn["changed"] == ("rows", "reply")  # the scripted agent finds place 0 and 1, where 1 and 2 were found
    assert (turn["lost"], turn["found"]) == (("place-2",), ("place-0",))
    assert run.figures["same parse"] == 1
    assert run.figures["same rows"] == 0
    assert (run.figures["turns"], run.figures["compared"]) == (3, 3)


def test_an_export_is_held_again(talk: Turn, tmp_path: Path) -> None:
    call_command("export", out=tmp_path / "out.zip")
    Turn.objects.all().delete()
    run = held(sources.exported(tmp_path / "out.zip"))
    assert [turn["message"] for turn in run.replayed.get().turns][-1] == "I am [name 1], [e-mail 1]"
    assert run.figures["compared"] == 3


def test_a_file_of_messages_is_held_with_nothing_to_compare(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "assistant": "restaurants", "messages": ["ramen", "rows=3"]},
        {"messages": [{"role": "user", "content": "pho"}, {"role": "assistant", "content": "Found"}]},
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = held(sources.exported(path))
    assert (run.figures["turns"], run.figures["compared"]) == (3, 0)
    assert [one.source for one in run.replayed.all()] == ["a", "2"]
    assert "+ Found **3** places" in table(run)


def test_no_address_of_a_person_is_said_again(talk: Turn) -> None:
    run = services.prepare("pilot", "me", "builtin", sources.stored(Filters()))
    said = json.dumps(run.replayed.get().said)
    assert "ada@example.org" not in said
    assert "person@example.invalid" in said


def test_a_run_that_was_cut_off_goes_on_where_it_stood(talk: Turn, answer: Any) -> None:
    for number in range(3):
        answer(f"ramen {number}")
    run = services.prepare("pilot", "me", "builtin", sources.stored(Filters()))
    agent = fakes.ScriptedAgent()
    assert asyncio.run(services.work(run.pk, agent, seconds=0)) is False
    first = Replayed.objects.get(run=run, number=1).finished_at
    assert services.abandoned() == [run.pk]
    while not asyncio.run(services.work(run.pk, agent, seconds=0)):
        pass
    run.refresh_from_db()
    assert (run.status, run.done, run.figures["turns"]) == ("done", 4, 6)
    assert Replayed.objects.get(run=run, number=1).finished_at == first


def test_a_run_that_another_works_on_is_left_alone(talk: Turn) -> None:
    run = services.prepare("pilot", "me", "builtin", sources.stored(Filters()))
    services._taken(run.pk)
    assert asyncio.run(services.work(run.pk, fakes.ScriptedAgent(), seconds=60)) is True
    assert not Replayed.objects.exclude(finished_at=None).exists()


def test_a_run_that_fails_says_why_and_can_go_on(talk: Turn, answer: Any) -> None:
    answer("break")
    run = services.prepare("pilot", "me", "builtin", sources.stored(Filters()))
    with pytest.raises(ZeroDivisionError):
        asyncio.run(services.work(run.pk, fakes.ScriptedAgent(), seconds=60))
    run.refresh_from_db()
    assert (run.status, run.error, run.done) == ("failed", "ZeroDivisionError: a bug", 1)
    services.resume(run)
    run.refresh_from_db()
    assert run.status == "waiting"


def test_an_error_of_a_turn_is_told_and_the_conversation_goes_on(talk: Turn, answer: Any) -> None:
    failing = answer("fail")
    answer("ramen", conversation=failing.conversation)
    run = held(sources.stored(Filters(conversations=(str(failing.conversation_id),))))
    assert run.figures["errors"] == 1
    assert len(run.replayed.get().turns) == 2


def test_nothing_to_hold_again_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to hold"):
        services.prepare("pilot", "me", "builtin", sources.stored(Filters()))
    assert not Run.objects.exists()


def test_a_replay_goes_with_its_conversation(talk: Turn) -> None:
    run = held(sources.stored(Filters()))
    talk.conversation.delete()
    assert not run.replayed.exists()


def told(suql: str, keys: list[str], reply: str) -> dict[str, Any]:
    query = {"suql": suql, "keys": keys}
    return {"queries": [query], "acts": [], "agent": reply, "error": None}


def test_only_what_changed_counts_as_changed() -> None:
    before, after = told("SELECT 1", ["a", "b"], "Two."), told("SELECT 1", ["b", "c"], "Two.")
    turn = {"message": "m", "before": before, "after": after, "seconds": 2.0, "took": 1.0}
    found = difference(1, turn)
    assert (found.changed, found.lost, found.found) == (("rows",), ("a",), ("c",))
    assert figures([found])["same reply"] == 1


def test_cost_is_compared_as_calls_were_counted_or_else_as_queries_were() -> None:
    before, after = told("SELECT 1", [], "None."), told("SELECT 1", [], "None.")
    turn = {"message": "m", "before": before, "after": after, "seconds": 2.0, "took": 1.0, "cost": 0.25}
    after["queries"][0]["usage"] = {"cost": 0.5}
    assert difference(1, turn).cost == (0.25, 0.5)
    after["usage"] = {"cost": 0.75}
    assert difference(1, turn).cost == (0.25, 0.75)
    summary = figures([difference(1, turn)] * 2)
    assert (summary["cost before"], summary["cost"]) == (0.5, 1.5)


def test_what_a_stored_turn_cost_is_known(talk: Turn) -> None:
    (source,) = sources.stored(Filters())
    assert [turn["cost"] for turn in source.turns] == [0.25, 0.25, 0.25]


# --- command and pages -----------------------------------------------------------------------------------------------


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command and the worker hold conversations with the scripted agent."""
    monkeypatch.setattr(command, "prepare", lambda: None)
    monkeypatch.setattr(command, "agent_for", lambda language, patient: fakes.ScriptedAgent())

    def at_once(run_id: str) -> None:
        asyncio.run(services.work(run_id, fakes.ScriptedAgent(), 60))

    monkeypatch.setattr(tasks.hold_run, "delay", at_once)


def test_the_command_prints_what_differs(talk: Turn, scripted: None, capsys: Any) -> None:
    call_command("replay", conversation=str(talk.conversation_id))
    told = capsys.readouterr().out
    assert "- place-2" in told
    assert "+ place-0" in told
    assert "same rows        0" in told
    assert "seconds a turn" in told


def test_the_command_takes_a_run_up_again(talk: Turn, scripted: None, capsys: Any) -> None:
    run = services.prepare("pilot", "me", "builtin", sources.stored(Filters()))
    services.cancel(run)
    call_command("replay", run=str(run.pk), json=True)
    assert json.loads(capsys.readouterr().out)["summary"]["turns"] == 3


@pytest.mark.parametrize(
    ("options", "complaint"),
    [({}, "Name an export"), ({"source": Path("/no/such")}, "no export"), ({"run": "x"}, "not the id")],
)
def test_wrong_options_are_explained(scripted: None, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        call_command("replay", **options)


@pytest.fixture
def researcher() -> Client:
    user = User.objects.create_user("researcher", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=("add_run", "view_run", "view_conversation")))
    client = Client()
    client.force_login(user)
    return client


def test_chosen_conversations_are_held_again_from_the_admin(talk: Turn, scripted: None, researcher: Client) -> None:
    action = {"action": "replay_chosen", "_selected_action": [str(talk.conversation_id)]}
    researcher.post(reverse("admin:chat_conversation_changelist"), action)
    assert "1 conversation chosen" in researcher.get(reverse("admin:research_run_add")).content.decode()
    researcher.post(reverse("admin:research_run_add"), {"language": "builtin"})
    run = Run.objects.get()
    page = researcher.get(reverse("admin:research_run_page", args=[run.pk])).content.decode()
    assert "place-2" in page
    assert "only now" in page
    assert "of 3 turns changed" in page
    assert page.index("same parse") < page.index("errors before") < page.index("seconds a turn<")
    assert run.by == "researcher"


def test_a_replay_is_shown_only_to_who_may_read_conversations(talk: Turn) -> None:
    run = held(sources.stored(Filters()))
    user = User.objects.create_user("someone", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_run"))
    client = Client()
    client.force_login(user)
    assert client.get(reverse("admin:research_run_page", args=[run.pk])).status_code == 404
    assert client.get(reverse("admin:research_run_add")).status_code == 403


@pytest.fixture
def kept() -> Callable[..., Run]:
    def keep(accuracy: float) -> Run:
        options = {"keep": True, "what": "turns", "source": None, "limit": None, "language": "builtin"}
        keep_report("evaluate", options, {"summary": {"accuracy": accuracy}, "turns": [1]})
        return Run.objects.latest("created")

    return keep


def test_evaluations_are_kept_with_their_configuration_and_plotted_over_time(
    kept: Callable[..., Run], researcher: Client
) -> None:
    runs = [kept(value) for value in (0.5, 0.75, 0.7)]
    assert runs[0].figures == {"accuracy": 0.5}
    assert runs[0].configuration.document["language"] == "builtin"
    (plot,) = plots_of(runs)
    assert plot.bars[1].y < plot.bars[2].y < plot.bars[0].y
    page = researcher.get(reverse("admin:research_run_over_time")).content.decode()
    assert "from 0.5 to 0.75, last 0.7" in page


def test_two_kept_runs_are_compared_in_the_items_they_share(researcher: Client, capsys: Any) -> None:
    def kept(*right: bool, **options: Any) -> Run:
        turns = [{"id": f"t{number}", "right": one, "seconds": number + one} for number, one in enumerate(right)]
        keep_report("evaluate", {"keep": True, "what": "turns", "language": "builtin", **options}, {"turns": turns})
        return Run.objects.latest("created")

    first, second = kept(True, False, True, False), kept(True, True, True, True, system="linearization-1")
    found = {one.name: one.comparison for one in paired(first, second)}
    assert (found["turns right"].first, found["turns right"].second) == (0.5, 1.0)
    assert set(found["turns right"].p) == {"mcnemar", "permutation"}
    assert "t" in found["turns seconds"].p
    address = reverse("admin:research_run_compared")
    page = researcher.get(address, {"first": first.pk, "second": second.pk}).content.decode()
    assert "linearization-1" in page
    assert "turns right" in page
    assert researcher.get(address, {"first": "x", "second": second.pk}).status_code == 404
    call_command("compare", runs=[str(first.pk), str(second.pk)])
    assert "mcnemar p = 0.500" in capsys.readouterr().out
    with pytest.raises(CommandError, match="is not the id"):
        call_command("compare", runs=["x", str(second.pk)])
    with pytest.raises(CommandError, match="share no items"):
        call_command("compare", runs=[str(first.pk), str(kept(True).pk)])


def test_a_report_is_kept_only_when_asked_for() -> None:
    keep_report("bench", {"keep": False}, {})
    assert not Run.objects.exists()


def test_numbers_are_named_by_where_they_stand() -> None:
    report = {"a": {"b": 1, "c": "text"}, "d": [1.0, 2.0, 6.0], "e": [{"f": 1}, {"f": 3}], "g": True}
    assert services.numbers(report) == {"a b": 1, "d (median)": 2.0, "e f (median)": 2}


def test_times_are_compared_in_pairs(talk: Turn) -> None:
    run = held(sources.stored(Filters()))
    assert report(run)["seconds"]["first"] == pytest.approx(0.012, abs=0.001)


@pytest.mark.django_db(transaction=True)
def test_what_a_run_was_answered_with_survives_the_migration_both_ways() -> None:
    run = services.keep("evaluate", "turns", "me", "builtin", {"summary": {}})
    document = run.configuration.document
    try:
        call_command("migrate", "research", "0007", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("SELECT configuration->>'language' FROM research_run")
            assert cursor.fetchall() == [("builtin",)]
    finally:
        call_command("migrate", "research", verbosity=0)
    run.refresh_from_db()
    assert run.configuration.document == document
