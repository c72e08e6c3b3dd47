"""STAR's dialogues: what the policy does next, turn by turn, against what the wizard picked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from agent.worksheets.acts import Act, ActKind
from hybridchat.research.star import dialogues, weighted_f1
from hybridchat.research.star_labels import NOTHING, Labels

pytestmark = pytest.mark.django_db

Run = Callable[..., str]


def user(text: str) -> dict[str, Any]:
    return {"Agent": "User", "Action": "utter", "Text": text}


def wizard(label: str, text: str = "…") -> dict[str, Any]:
    return {"Agent": "Wizard", "Action": "pick_suggestion", "Text": text, "ActionLabel": label}


TYPED = {"Agent": "Wizard", "Action": "utter", "Text": "That happens to everybody.", "ActionLabel": None}
BANK = [
    user("Hello, somebody paid with my card and I want to report it"),
    wizard("bank_ask_full_name", "Your name?"),
    user("Olga Brandt"),
    wizard("bank_ask_account_number", "Your account?"),
    user("55012"),
    wizard("bank_ask_pin", "Your PIN?"),
    user("I forgot it"),
    TYPED,
    wizard("bank_ask_date_of_birth", "When were you born?"),
]


@pytest.fixture
def star(run: Run, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Scores one dialogue."""

    def scored(task: str, events: list[dict[str, Any]]) -> dict[str, Any]:
        (tmp_path / "1.json").write_text(json.dumps({"Events": events}), encoding="utf-8")
        printed = run("evaluate", "star", dialogues=str(tmp_path), task=task, json=True)
        return dict(json.loads(printed))

    return scored


def test_a_wizard_who_follows_the_policy_is_predicted(star: Callable[..., dict[str, Any]]) -> None:
    scored = star("bank_fraud_report", BANK)
    assert scored["summary"]["f1_strict"] == 1.0, scored["turns"]


def test_only_picked_turns_are_scored(star: Callable[..., dict[str, Any]]) -> None:
    labels = [turn["label"] for turn in star("bank_fraud_report", BANK)["turns"]]
    assert labels == [event["ActionLabel"] for event in BANK if event.get("ActionLabel")]


def test_a_label_may_be_a_list_with_one(star: Callable[..., dict[str, Any]]) -> None:
    listed = [event | {"ActionLabel": [event["ActionLabel"]]} if event.get("ActionLabel") else event for event in BANK]
    assert star("bank_fraud_report", listed)["turns"] == star("bank_fraud_report", BANK)["turns"]


def test_the_next_message_answers_what_the_wizard_asked(star: Callable[..., dict[str, Any]]) -> None:
    events = [
        user("I need directions"),
        wizard("trip_ask_arrival_location", "Where to?"),  # the policy would ask for the mode first
        user("the museum"),
        wizard("trip_ask_travel_mode", "How?"),
        user("walking"),
        wizard("trip_ask_departure_location", "Where from?"),
    ]
    turns = star("trip_directions", events)["turns"]
    assert [turn["strict"] for turn in turns] == [False, True, True], turns


def test_a_query_may_be_an_act_of_its_own_or_none(star: Callable[..., dict[str, Any]]) -> None:
    asked = [user("directions from the station to the museum on foot at 9:30")]
    told = [wizard("trip_inform_simple_step_ask_proceed", "Leave by the gate.")]
    for events in (asked + told, [*asked, wizard("query", ""), *told]):
        assert star("trip_directions", events)["summary"]["f1_strict"] == 1.0


def test_a_detailed_step_for_a_simple_one_is_lenient(star: Callable[..., dict[str, Any]]) -> None:
    events = [
        user("directions from the station to the museum on foot at 9:30"),
        wizard("trip_inform_detailed_step", "Leave by the gate."),
    ]
    summary = star("trip_directions", events)["summary"]
    assert (summary["f1_strict"], summary["f1_lenient"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("task", "label", "act"),
    [
        ("bank_fraud_report", "bank_ask_account_number", "ASK FirstAuthentication.account_number"),
        ("bank_fraud_report", "bank_ask_mothers_maiden_name", "ASK SecondAuthentication.security_answer_1"),
        ("bank_fraud_report", "ask_name", "ASK Main.full_name"),
        ("trip_directions", "ask_departure_location", "ASK TravelInformation.departure_location"),
        ("trip_directions", "trip_ask_departure_time", "ASK TravelInformation.departure_time"),
        ("trivia", "trivia_ask_question_number", "ASK Main.starting_question_number"),
        ("trivia", "trivia_inform_answer_incorrect_ask_next", "REPORT QuestionAnswer[correct=false]"),
        ("trivia", "something_else", "something_else"),
    ],
)
def test_a_label_is_an_act_of_the_policy(task: str, label: str, act: str) -> None:
    assert Labels.of(task).meant(label) == act


def test_asking_again_for_what_was_not_understood_is_one_act() -> None:
    clarify = Act(act=ActKind.CLARIFY, worksheet="FirstAuthentication", field="pin")
    ask = Act(act=ActKind.ASK, worksheet="FirstAuthentication", field="pin")
    assert Labels.of("bank_fraud_report").done([clarify, ask], [], None) == ["ASK FirstAuthentication.pin"]
    assert Labels.of("bank_fraud_report").done([], [], None) == [NOTHING]


def test_f1_weighs_acts_by_how_often_the_wizards_do_them() -> None:
    assert weighted_f1([("a", "a"), ("a", "a"), ("b", "c")]) == pytest.approx(2 / 3, abs=1e-4)
    assert weighted_f1([("a", "a"), ("a", "b"), ("b", "b")]) == pytest.approx(2 / 3, abs=1e-4)
    assert weighted_f1([]) == 0.0


def test_a_file_that_is_no_dialogue_is_named(tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text("[]", encoding="utf-8")
    with pytest.raises(CommandError, match=r"odd\.json is not a dialogue"):
        dialogues(str(tmp_path))


def test_a_folder_without_dialogues_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no dialogue"):
        dialogues(str(tmp_path))
