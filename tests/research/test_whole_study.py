"""A study of two arms from its invitation to its analysis: taken part in, exported, imported, labelled, compared, and
held again on the other arm. What the two systems answer is their own, on two restaurants."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agent.record import TurnState
from hybridchat.agents import agent_for
from hybridchat.chat import leases
from hybridchat.chat import services as chat
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.overrides import overrides_of
from hybridchat.research.annotation import figures
from hybridchat.research.annotation import services as annotation
from hybridchat.research.annotation.models import Project, Scheme
from hybridchat.research.annotation.parts import parts
from hybridchat.research.annotation.schemes import add_missing_schemes
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.models import Arm, ConsentText, Participation, Run, Study
from hybridchat.research.replay import services as replay
from hybridchat.research.replay import sources
from hybridchat.research.replay.report import report
from hybridchat.research.studies import services
from hybridchat.research.studies.comparison import as_json
from hybridchat.systems import arranged
from hybridchat.talk import Talk
from tests.research.studies.people import Visitor, somebody

PEOPLE, WITHDREW, LEFT, CHANGED_BROWSER = 20, {5, 12}, {9}, {4, 13}
SAID = ("somewhere in Palo Alto that is not Italian", "expensive restaurants in Palo Alto")
RIGHT = {SAID[0]: "pa-proof-and-peel", SAID[1]: "pa-trattoria-sottovoce"}
QUESTIONNAIRE = [
    {"name": "ease", "kind": "likert", "text": "It was easy to use.", "points": 7},
    {"name": "liked", "text": "What did you like?"},
]

Answers = Callable[[Turn], None]


@pytest.fixture
def study(two_restaurants: None, transactional_db: None, settings: Any, tmp_path: Path) -> Study:
    settings.VAR = tmp_path / "var"
    cache.clear()
    made = Study.objects.create(
        slug="dinner",
        title="Finding a table",
        state=Study.State.OPEN,
        assistant="restaurants",
        instructions="Find a place for dinner.",
        minimum_turns=2,
        quota=PEOPLE,
        questionnaire=QUESTIONNAIRE,
        completion_code="C0DE1234",
        seed=7,
    )
    ConsentText.objects.create(study=made, version=1, text="We keep what you write.")
    Arm.objects.create(study=made, name="ours", overrides={"language": "builtin"})
    Arm.objects.create(study=made, name="nearest", overrides={"system": "linearization-1", "language": "builtin"})
    return made


@pytest.fixture
def answers(study: Study) -> Answers:
    """Answers a turn as the system of its conversation does, which is asked once for each message."""
    known: dict[tuple[str, str], TurnState] = {}

    def answered(turn: Turn) -> None:
        system = overrides_of(turn.conversation).system
        if (system, turn.message) not in known:
            talk = Talk(arranged(agent_for("builtin", patient=True), system), "restaurants", timezone.localtime)
            asyncio.run(talk.say(turn.message))
            known[system, turn.message] = talk.states[-1]
        state = known[system, turn.message].model_dump(mode="json")
        assert leases.take(turn.pk, "me") is not None
        leases.append_event(turn.pk, "me", "replied", state["reply"])
        leases.finish(turn.pk, "me", state, {"done": 1.0}, {})

    return answered


def takes_part(study: Study, number: int, answers: Answers) -> str:
    """What one person does, from the invitation on; all pages of everybody are in `test_crowd`."""
    person = f"P{number}"
    own = services.begin(services.agree(services.arrive(study, somebody(), person)))
    says(own.conversation, SAID[0], answers)
    if number in WITHDREW:
        services.withdraw(own)
        return "withdrew"
    if number in LEFT:
        return "left"
    ease = str((6 if own.arm.name == "ours" else 3) + number % 2)
    if number in CHANGED_BROWSER:
        visitor = Visitor(study)
        assert "<b>1</b> of 2 " in visitor.opens(PROLIFIC_PID=person).content.decode()
        assert Participation.objects.get(external_id=person).arm == own.arm
        says(own.conversation, SAID[1], answers)
        visitor.presses("finish")
        assert "C0DE1234" in visitor.presses("answers", ease=ease, liked="Quick.").content.decode()
        return "finished"
    says(own.conversation, SAID[1], answers)
    services.answer(services.end(own), {"ease": ease, "liked": "Quick."})
    return "finished"


def says(conversation: Any, message: str, answers: Answers) -> None:
    turn, _ = chat.receive(conversation, uuid4(), message)
    answers(turn)


def labels(project: Project, name: str, *, strict: bool) -> None:
    """What one annotator says of everything; a strict one finds fault with one row that the others let pass."""
    annotator = User.objects.create_user(name, is_staff=True)
    faults = 1 if strict else 0
    while (held := annotation.hand_out(project, annotator)) is not None:
        turn = held.item.turn
        verdicts = {}
        for part in parts(turn, "entities"):
            right = RIGHT[turn.message] in part.id
            if right and faults:
                right, faults = False, faults - 1
            verdicts[part.id] = "true_positive" if right else "false_positive"
        annotation.answer(held, {"search": "structured", "entities": {"parts": verdicts}})


def test_study_from_invitation_to_analysis(study: Study, answers: Answers, tmp_path: Path) -> None:
    went = Counter(takes_part(study, number, answers) for number in range(PEOPLE))
    assert went == {"finished": 17, "withdrew": 2, "left": 1}
    drawn = Counter(Participation.objects.values_list("arm__name", flat=True))
    assert abs(drawn["ours"] - drawn["nearest"]) <= 1
    assert not Participation.objects.filter(external_id__in=[f"P{number}" for number in WITHDREW]).exists()
    assert Conversation.objects.count() == PEOPLE - len(WITHDREW)

    call_command("export", study="dinner", out=tmp_path / "dinner.zip")
    Conversation.objects.all().delete()
    study.delete()
    call_command("import_conversations", tmp_path / "dinner.zip")
    imported = Study.objects.get(slug="dinner")
    assert imported.participations.count() == PEOPLE - len(WITHDREW)
    assert Counter(imported.participations.values_list("arm__name", flat=True)) == drawn

    add_missing_schemes()
    project = annotation.begin("Rows", Scheme.objects.get(slug="suql"), Filters(study="dinner"), overlap=3)
    for name in ("ada", "bob", "cyd"):
        labels(project, name, strict=name == "cyd")
    found = figures.report(project)
    assert found.finished == found.items == Turn.objects.count()
    assert found.settled == found.items - 1
    agreed = {one.question.name: one.alpha for one in found.agreement}["entities"]
    assert agreed.value is not None
    assert 0.6 < agreed.low < agreed.value < 1
    (rows,) = [one for one in found.figures if one.formula == "TP / (TP + FP)"]
    assert rows.estimate.low < rows.estimate.value < rows.estimate.high

    compared = {one["name"]: one for one in as_json(imported)["metrics"]}
    ease = compared["ease"]["between"][0]
    assert ease["arms"] == ["nearest", "ours"]
    assert ease["difference"]["low"] > 2
    assert ease["p"]["welch t"] < 0.001
    assert ease["paired_p"]["t"] < 0.001
    assert ease["pairs"] >= 8
    assert {"fisher", "permutation"} <= set(compared["finished"]["between"][0]["p"])
    assert "mcnemar" in compared["finished"]["between"][0]["paired_p"]
    by_arm = compared["Rows: entities"]["arms"]
    assert by_arm["ours"]["value"] > by_arm["nearest"]["value"]

    staff = Client()
    staff.force_login(User.objects.create_superuser("staff"))
    page = staff.get(reverse("admin:research_study_comparison", args=[imported.pk])).content.decode()
    assert "ours − nearest" in page
    assert "p &lt; 0.001" in page

    chosen = Filters(study="dinner", conversations=(str(_of_arm(imported, "ours")),))
    run = replay.prepare("ours", "me", "builtin", sources.stored(chosen), system="linearization-1")
    agent = arranged(agent_for(run.language, patient=True), run.system)
    assert asyncio.run(replay.work(run.pk, agent, 60))
    run = Run.objects.get()
    assert run.configuration is not None
    assert run.configuration.document["system"] == "linearization-1"
    turns = report(run)["conversations"][0]["turns"]
    assert any("reply" in turn["changed"] for turn in turns)
    assert "nearest" not in json.dumps(turns[0].get("before", {}))
    assert "changed" in staff.get(reverse("admin:research_run_page", args=[run.pk])).content.decode()


def _of_arm(study: Study, name: str) -> Any:
    """A conversation of an arm that came to its end."""
    ended = study.participations.filter(arm__name=name, finished__isnull=False)
    return ended.order_by("place").values_list("conversation", flat=True)[0]
