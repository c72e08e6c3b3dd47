"""The commands that researchers and graders run, on two restaurants: what goes in, what comes out, what is an error."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from agent.backends.builtin.language import BuiltinLanguage
from tests.research.conftest import Run, Write

pytestmark = pytest.mark.django_db

TRATTORIA, PIZZERIA = "pa-trattoria-sottovoce", "pa-proof-and-peel"
NOON = "2026-11-20T12:00"

LinesOf = Callable[..., list[dict[str, Any]]]


def test_parse_writes_a_checked_query_and_its_words_for_each_utterance(lines_of: LinesOf, write: Write) -> None:
    source = write({"id": "a", "utterance": "expensive restaurants in Palo Alto"}, {"id": "b", "utterance": "hello!"})
    first, second = lines_of("parse", source=source, assistant="restaurants")
    assert first["id"] == "a"
    assert "price = 'expensive'" in first["suql"]
    assert "Palo Alto" in first["description"]
    assert (second["id"], second["suql"]) == ("b", "")


def test_parse_takes_the_assistant_of_a_line_before_that_of_the_command(lines_of: LinesOf, write: Write) -> None:
    utterance = "what does it cost to replace a lost card"
    source = write({"id": "a", "utterance": utterance, "assistant": "services"})
    (found,) = lines_of("parse", source=source, assistant="restaurants")
    assert "articles" in found["suql"]


def test_an_assistant_there_is_none_of_is_an_error_that_lists_those_there_are(run: Run, write: Write) -> None:
    with pytest.raises(CommandError, match=r"no assistant 'hotels'.*courses, restaurants, services"):
        run("parse", source=write({"id": "a", "utterance": "hi"}), assistant="hotels")


def test_the_assistant_of_a_line_may_go_by_its_title(lines_of: LinesOf, write: Write) -> None:
    source = write(
        {"id": "a", "utterance": "what does it cost to replace a lost card", "assistant": "Student services"}
    )
    (found,) = lines_of("parse", source=source)
    assert "articles" in found["suql"]


@pytest.mark.parametrize("said", [{"utterance": "hi"}, {"messages": ["hi"]}])
def test_an_assistant_of_a_line_that_there_is_none_of_is_an_error_with_the_line(
    run: Run, write: Write, said: dict[str, object]
) -> None:
    with pytest.raises(CommandError, match=r"b7: There is no assistant 'hotels'"):
        run("parse" if "utterance" in said else "chat", source=write({"id": "b7", "assistant": "hotels", **said}))


def test_a_clock_that_is_no_time_is_an_error(run: Run, write: Write) -> None:
    with pytest.raises(CommandError, match="'noon' is not a time"):
        run("parse", source=write({"id": "a", "utterance": "hi"}), now="noon")


def test_suql_prints_rows_keys_and_what_it_cost(run: Run) -> None:
    printed = json.loads(run("suql", "SELECT name FROM restaurants WHERE price = 'expensive'", json=True))
    assert printed["rows"] == [{"name": "Trattoria Sottovoce"}]
    assert printed["keys"] == [TRATTORIA]
    assert (printed["complete"], printed["usage"]["calls"]) == (True, 0)


def test_suql_answers_from_the_reviews_and_shows_the_words_it_rests_on(run: Run) -> None:
    query = "SELECT name FROM restaurants WHERE answer(reviews, 'is this restaurant romantic?') = 'Yes'"
    printed = json.loads(run("suql", query, json=True))
    assert TRATTORIA in printed["keys"]
    assert any(item["text"] for item in printed["evidence"][printed["keys"].index(TRATTORIA)])


def test_suql_keeps_to_the_calls_it_is_given_and_says_so(run: Run) -> None:
    query = "SELECT name FROM restaurants WHERE answer(reviews, 'do they repair umbrellas?') = 'Yes'"
    printed = json.loads(run("suql", query, json=True, max_calls=0))
    assert (printed["complete"], printed["usage"]["calls"]) == (False, 0)
    assert printed["notes"]


def test_suql_decides_by_similarity_only_where_it_is_told_to(run: Run) -> None:
    query = "SELECT name FROM restaurants WHERE answer(reviews, 'is this restaurant romantic?') = 'Yes'"
    told = json.loads(run("suql", query, json=True, cascade_recall=0.9))
    assert any("Nothing was decided by similarity: there are too few texts" in note for note in told["notes"])
    assert not any("similarity" in note for note in json.loads(run("suql", query, json=True))["notes"])


@pytest.mark.parametrize(
    ("options", "why"),
    [({"cascade_confidence": 0.9}, "goes with"), ({"cascade_recall": 1.5}, "at most 1")],
)
def test_a_cascade_without_targets_or_with_wrong_ones_is_an_error(
    run: Run, options: dict[str, float], why: str
) -> None:
    with pytest.raises(CommandError, match=why):
        run("suql", "SELECT name FROM restaurants", **options)


def test_suql_explains_a_plan_without_asking_anything(run: Run) -> None:
    plan = json.loads(
        run("suql", "SELECT name FROM restaurants WHERE answer(reviews, 'x?') = 'Yes'", json=True, explain=True)
    )
    assert plan["title"]


def test_the_clock_of_suql_decides_what_is_open(run: Run) -> None:
    query = "SELECT name FROM restaurants WHERE opening_hours = 'open now'"
    assert json.loads(run("suql", query, json=True, now=NOON))["keys"] == [PIZZERIA]
    assert json.loads(run("suql", query, json=True, now="2026-11-20T10:00"))["keys"] == []


def test_a_query_that_cannot_run_is_an_error_not_an_empty_result(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="colour"):
        run("suql", "SELECT colour FROM restaurants", json=True)


@pytest.mark.usefixtures("guarded")
def test_chat_answers_a_file_of_conversations_turn_by_turn(lines_of: LinesOf, write: Write) -> None:
    source = write(
        {
            "id": "x",
            "assistant": "restaurants",
            "messages": ["expensive restaurants in Palo Alto", "what is its phone number?"],
        },
        {"id": "y", "assistant": "restaurants", "messages": ["hello"]},
    )
    turns = lines_of("chat", source=source, now=NOON, assistant="")
    assert [(turn["id"], turn["turn"]) for turn in turns] == [("x", 1), ("x", 2), ("y", 1)]
    assert turns[0]["queries"][0]["keys"] == [TRATTORIA]
    assert turns[0]["error"] is None
    assert "(650) 555-0103" in turns[1]["agent"]
    assert turns[2]["queries"] == []
    assert turns[2]["agent"]


@pytest.mark.usefixtures("guarded")
@pytest.mark.parametrize("guarded", ["tests.guard.faulty.agent_for"], indirect=True)
@pytest.mark.parametrize(
    ("said", "error"),
    [("stuck", "longer than 2 seconds"), ("die", "ended in the middle"), ("break", "ZeroDivisionError: a bug")],
)
def test_message_that_is_stuck_or_kills_its_process_costs_its_own_turn(
    run: Run,
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    error: str,
) -> None:
    out = tmp_path / "out.jsonl"
    source = write({"id": "x", "messages": [said, "hello"]}, {"id": "y", "messages": ["hello"]})
    monkeypatch.setattr("hybridchat.research.management.commands.chat.LONGEST", 2.0)
    with contextlib.suppress(CommandError):
        run("chat", source=source, out=str(out), assistant="restaurants")
    failed, *others = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert error in failed["error"]
    assert [(one["id"], one["error"]) for one in others] == [("x", None), ("y", None)]


def test_chat_in_a_terminal_says_what_it_searched_for(run: Run) -> None:
    printed = run("chat", message=["cheap restaurants in Palo Alto"], assistant="restaurants", now=NOON)
    assert "I searched for" in printed


def test_read_answers_from_the_given_texts_alone(lines_of: LinesOf, write: Write) -> None:
    texts = ["Parking is free.", "We paid in cash, they take no cards."]
    source = write(
        {"id": "a", "texts": texts, "question": "is parking free?"},
        {"id": "b", "texts": texts, "question": "do they play live jazz?"},
        {"id": "c", "texts": texts[0], "question": "is parking free?"},
    )
    answers = lines_of("read", source=source)
    assert [one["id"] for one in answers] == ["a", "b", "c"]
    assert answers[1]["answer"] == "no info"
    assert answers[0]["answer"] == answers[2]["answer"] == "Yes"


def test_evaluate_turns_compares_rows_with_the_truth(run: Run, write: Write) -> None:
    source = write(
        {
            "id": "x",
            "assistant": "restaurants",
            "messages": ["expensive restaurants in Palo Alto"],
            "truth": [[TRATTORIA]],
        },
        {
            "id": "y",
            "assistant": "restaurants",
            "messages": ["expensive restaurants in Palo Alto"],
            "truth": [[PIZZERIA]],
        },
    )
    figures = json.loads(run("evaluate", "turns", source=source, json=True))
    assert [(one["id"], one["right"], one["missed"]) for one in figures["turns"]] == [
        ("x.1", 1, []),
        ("y.1", 0, [PIZZERIA]),
    ]
    assert (figures["summary"]["turn_accuracy"], figures["summary"]["mean_recall"]) == (0.5, 0.5)


def test_evaluate_reads_only_as_many_items_as_asked_for(run: Run, write: Write) -> None:
    item = {"assistant": "restaurants", "messages": ["hello"], "truth": [[]]}
    figures = json.loads(
        run("evaluate", "turns", source=write({"id": "x", **item}, {"id": "y", **item}), json=True, limit=1)
    )
    assert [one["id"] for one in figures["turns"]] == ["x.1"]


def test_evaluate_names_what_a_line_lacks(run: Run, write: Write) -> None:
    with pytest.raises(CommandError, match="line 1: truth missing"):
        run("evaluate", "turns", source=write({"id": "x", "messages": ["hello"]}))


def test_evaluate_parsing_scores_the_query_against_the_gold(run: Run, write: Write) -> None:
    gold = {"location": "Palo Alto", "price": ["expensive"]}
    source = write(
        {"id": "x", "utterance": "expensive restaurants in Palo Alto", "gold": gold},
        {"id": "y", "utterance": "expensive restaurants in Palo Alto", "gold": {**gold, "price": ["cheap"]}},
    )
    figures = json.loads(run("evaluate", "parsing", source=source, json=True))
    assert (figures["utterances"], figures["strict"]) == (2, 0.5)
    assert figures["wrong_slots"] == {"price": 1}


def test_evaluate_reading_counts_what_a_text_does_not_say(run: Run, write: Write) -> None:
    questions = [{"q": "is parking free?", "a": "Yes"}, {"q": "do they play live jazz?", "a": "no info"}]
    item = {"id": "x", "domain": "d", "passage": "Parking is free.", "yesno": questions, "spans": []}
    figures = json.loads(run("evaluate", "reading", source=write(item), json=True))
    assert (figures["questions"], figures["accuracy"]) == (2, 1.0)
    assert figures["confusion"]["no info"]["no info"] == 1


def test_evaluate_lists_asks_a_question_of_every_restaurant(run: Run, write: Write) -> None:
    question = "is this restaurant romantic?"
    source = write(
        {"id": "x", "question": question, "yes": [TRATTORIA], "unclear": [PIZZERIA]},
        {"id": "y", "question": question, "yes": [], "unclear": [PIZZERIA]},
    )
    figures = json.loads(run("evaluate", "lists", source=source, json=True))
    assert [(row["recall"], row["wrong_yes"]) for row in figures["rows"]] == [(1.0, []), (0.0, [TRATTORIA])]
    assert (figures["precision"], figures["recall"]) == (0.5, 1.0)


BREAKS = "what nobody foresaw"


@pytest.mark.parametrize(
    ("command", "lines", "asked"),
    [
        ("parse", [{"utterance": BREAKS}, {"utterance": "hello"}], "understand"),
        ("understand", [{"app": "restaurants", "user": BREAKS}, {"app": "restaurants", "user": "hello"}], "understand"),
        ("read", [{"texts": "Quiet.", "question": BREAKS}, {"texts": "Quiet.", "question": "is it quiet?"}], "answer"),
    ],
)
def test_line_that_fails_says_so_and_the_others_are_done(
    run: Run,
    write: Write,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    lines: list[dict[str, object]],
    asked: str,
) -> None:
    does = getattr(BuiltinLanguage, asked)

    async def breaks(self: BuiltinLanguage, request: Any) -> Any:
        if BREAKS in str(request):
            raise IndexError("tuple index out of range")
        return await does(self, request)

    monkeypatch.setattr(BuiltinLanguage, asked, breaks)
    source = write(*({"id": str(number), **line} for number, line in enumerate(lines)))
    out = tmp_path / "out.jsonl"
    with pytest.raises(CommandError, match="1 line could not be done"):
        run(command, source=source, out=str(out))
    failed, done = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert failed["error"] == "IndexError: tuple index out of range"
    assert not done.get("error")
    assert "Traceback" in capsys.readouterr().err
