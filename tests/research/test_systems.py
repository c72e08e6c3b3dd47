"""The systems that ours is compared with, on two restaurants and a local model server: in the chat, and measured."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.utils import timezone

from corpora.examples import StoredExamples
from corpora.models import FewShotPair
from hybridchat.agents import agent_for
from hybridchat.chat.configurations import document_of
from hybridchat.chat.overrides import SYSTEMS, Overrides
from hybridchat.effects.models import Receipt, Reservation
from hybridchat.research.commands import add_language, add_system, spoken
from hybridchat.research.models import Arm, Study
from hybridchat.systems import arranged
from hybridchat.talk import Talk
from hybridchat.variants import Variant
from tests.agent.language.model_server import Behaviour, Body, Fail, ModelServer, Say
from tests.research.conftest import Run, Write

pytestmark = pytest.mark.django_db

TRATTORIA = "pa-trattoria-sottovoce"
FOUND = "SELECT * FROM restaurants WHERE price = 'expensive'"
NOTHING = "SELECT * FROM restaurants WHERE name = 'Nowhere'"
BOOKING = {"restaurant": TRATTORIA, "date": "2026-11-27", "time": "19:00", "number_of_people": 2}
NOW = timezone.make_aware(datetime(2026, 11, 20, 10))

Says = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def server(two_restaurants: None) -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def says(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Says:
    """What a system answers to messages, where the model does one thing after the other between searches."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)

    def hold(system: str, *behaviour: Behaviour, messages: tuple[str, ...] = ("hi",), suql: str = FOUND) -> Any:
        queue = list(behaviour)

        def answered(body: Body) -> Any:
            if (schema := body.get("response_format", {}).get("json_schema", {}).get("name")) == "Query":
                return query(suql)
            if schema == "WantsFirst":
                return understood()
            if schema in ("Words", "WordsAndSayings"):
                return Say(json.dumps({"text": "**Trattoria Sottovoce**.", "sayings": [], "suggestions": []}))
            return queue.pop(0) if len(queue) > 1 else queue[0]

        server.will(answered)
        agent = arranged(agent_for(f"small-model at {server.base_url}", patient=True), system)
        talk = Talk(agent, "restaurants", lambda: NOW)

        async def said() -> list[dict[str, Any]]:
            return [await talk.say(message) for message in messages]

        return asyncio.run(said())

    return hold


def query(suql: str) -> Say:
    return Say(json.dumps({"thought": "", "suql": suql, "presentation": "list", "problem": ""}))


def understood() -> Say:
    question = {"words": "expensive ones", "tables": ["restaurants"]}
    reply = {"thought": "", "begins": [], "questions": [question], "chat": None, "reply": "", "ask": ""}
    return Say(json.dumps(reply))


def answers(server: ModelServer) -> list[Any]:
    """What the model was told that its calls came to, in the last request."""
    return [json.loads(one["content"]) for one in server.requests[-1]["messages"] if one["role"] == "tool"]


SEARCH = Say(calls=(("search", {"question": "expensive restaurants"}),))
DONE = Say("All set.")


def test_model_that_calls_functions_is_given_search_and_tasks_and_the_policy_as_prose(
    says: Says, server: ModelServer
) -> None:
    (turn,) = says("function-calling", SEARCH, Say("**Trattoria Sottovoce** it is."))
    assert turn["agent"] == "**Trattoria Sottovoce** it is."
    assert turn["queries"][0]["keys"] == [TRATTORIA]
    (found,) = answers(server)
    assert found["rows"][0]["key"] == TRATTORIA
    first = next(body for body in server.requests if "tools" in body)
    names = {one["function"]["name"]: one["function"]["parameters"] for one in first["tools"]}
    assert set(names) == {"search", "book_restaurant", "modify_booking", "cancel_booking"}
    assert names["book_restaurant"]["required"] == ["restaurant", "date", "time", "number_of_people"]
    assert "confirm" not in names["book_restaurant"]["properties"]
    assert "Ask for what is missing" in first["messages"][0]["content"]


def test_called_task_is_noted_down_and_never_done(says: Says, server: ModelServer) -> None:
    call = Say(calls=(("book_restaurant", BOOKING),))
    (turn,) = says("function-calling", SEARCH, call, DONE)
    (effect,) = turn["effects"]
    assert (effect["worksheet"], effect["values"]) == ("BookRestaurant", BOOKING)
    assert effect["result"]["simulated"] is True
    assert answers(server)[-1]["done"] is True
    assert not Reservation.objects.exists()
    assert not Receipt.objects.exists()


def test_row_of_an_earlier_turn_can_be_booked(says: Says) -> None:
    call = Say(calls=(("book_restaurant", BOOKING),))
    _, turn = says("function-calling", SEARCH, DONE, call, DONE, messages=("somewhere dear", "book it"))
    assert turn["effects"][0]["values"]["restaurant"] == TRATTORIA


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ((("book_restaurant", BOOKING),), "Search first"),  # a key that nothing has shown
        ((("fly_to", {"place": "the moon"}),), "no function 'fly_to'"),
        ((("search", "{not json"),), "no JSON"),
        ((("search", {}),), "`question` is missing"),
        ((("book_restaurant", {"date": "2026-11-27"}),), "restaurant is missing"),
        ((("book_restaurant", {"mood": "festive"}),), "no parameter 'mood'"),
        ((("book_restaurant", {"number_of_people": 300}),), "up to 20 people"),
    ],
)
def test_call_that_makes_no_sense_is_answered_with_why(
    says: Says, server: ModelServer, calls: tuple[tuple[str, Any], ...], told: str
) -> None:
    (turn,) = says("function-calling", Say(calls=calls), DONE)
    assert told in answers(server)[0]["error"]
    assert (turn["effects"], turn["agent"], turn["error"]) == ([], "All set.", None)


def test_model_that_never_stops_calling_ends_the_turn_with_a_sentence(says: Says, server: ModelServer) -> None:
    (turn,) = says("function-calling", Say(calls=(("search", {}),)))
    assert "never came to an answer" in turn["error"]
    assert len(server.requests) == 8


@pytest.mark.parametrize("fault", [Fail(500), Say("  ")])
def test_fault_of_the_server_is_told_and_nothing_is_done(says: Says, fault: Behaviour) -> None:
    (turn,) = says("function-calling", Say(calls=(("search", {"question": "x"}),)), fault)
    assert "language model" in turn["error"]
    assert turn["effects"] == []


def test_fallback_is_ours_where_something_is_found_and_the_model_alone_elsewhere(says: Says) -> None:
    alone = Say(json.dumps({"text": "From memory: Nowhere is nice."}))
    (empty,) = says("fallback", alone, suql=NOTHING)
    assert empty["agent"] == "From memory: Nowhere is nice."
    (found,) = says("fallback", alone)
    assert found["queries"][0]["keys"] == [TRATTORIA]
    assert "From memory" not in found["agent"]


@pytest.mark.parametrize("system", ["function-calling", "end-to-end", "fallback"])
def test_system_that_needs_a_model_says_so(two_restaurants: None, system: str) -> None:
    talk = Talk(arranged(agent_for("builtin"), system), "restaurants", lambda: NOW)
    assert "needs a language model" in asyncio.run(talk.say("hello"))["error"]


def test_evaluation_measures_the_system_it_is_given(run: Run, write: Write) -> None:
    item = {"id": "x", "assistant": "restaurants", "messages": ["romantic pasta"], "truth": [TRATTORIA]}
    source = write(item)
    baseline = json.loads(run("evaluate", "turns", source=source, json=True, system="linearization-1"))
    assert "nearest to" not in str(baseline["summary"])
    assert len(baseline["turns"][0]["returned"]) == 1  # one row, whatever is asked


@pytest.mark.parametrize("what", ["reading", "star"])
def test_evaluation_of_a_part_of_our_own_system_takes_no_other(run: Run, what: str) -> None:
    with pytest.raises(CommandError, match="a part of our own system"):
        run("evaluate", what, system="end-to-end")


# -- arms that differ in the language ---------------------------------------------------------------------------------


def test_version_of_the_prompts_is_what_its_folder_has_and_ours_for_the_rest(
    two_restaurants: None, server: ModelServer, settings: Any, tmp_path: Path
) -> None:
    settings.PROMPTS = tmp_path
    (tmp_path / "terse").mkdir()
    blocks = "{% block system %}Be terse.{% endblock %}{% block user %}{{ message }}{% endblock %}"
    (tmp_path / "terse" / "converse.jinja").write_text(blocks)
    server.will(Say(json.dumps({"text": "Yes."})))
    language = f"small-model at {server.base_url}"
    arm = Overrides(system="end-to-end", language=language, prompts="terse")
    talk = Talk(arranged(agent_for(arm.spoken(language)), arm.system), "restaurants", lambda: NOW)
    assert asyncio.run(talk.say("hi"))["agent"] == "Yes."
    assert server.requests[0]["messages"][0]["content"] == "Be terse."
    told = document_of(arm.system, arm.spoken(language))
    assert told["variant"] == {"prompts": "terse"}
    assert told["language"] == language
    assert told["prompts"] != document_of(arm.system, language)["prompts"]
    with pytest.raises(ValueError, match="There are: terse"):
        Overrides(prompts="verbose")


def test_arm_without_memory_corrects_no_value_by_those_of_the_corpora(two_restaurants: None) -> None:
    misspelt = "SELECT * FROM restaurants WHERE name = 'Tratoria Sottovoce'"
    assert "Trattoria" in agent_for("builtin").corrector.correct(misspelt)
    without = agent_for(Overrides(memory=False).spoken("builtin"))
    assert "Tratoria" in without.corrector.correct(misspelt)
    talk = Talk(without, "restaurants", lambda: NOW)
    assert asyncio.run(talk.say("expensive restaurants in Palo Alto"))["error"] is None


def test_arm_is_given_to_a_command_as_a_study_has_it(two_restaurants: None, capsys: pytest.CaptureFixture[str]) -> None:
    arm = '{"system": "linearization-1", "memory": false}'
    asked = ("--assistant", "restaurants", "--message", "romantic pasta", "--json")
    call_command("chat", *asked, "--language", "builtin", "--arm", arm)
    assert len(json.loads(capsys.readouterr().out)["queries"][0]["keys"]) == 1  # one row, whatever is asked
    parser = ArgumentParser()
    add_language(parser)
    add_system(parser)
    told = vars(parser.parse_args(["--language", "builtin", "--arm", arm]))
    assert (told["system"], told["language"]) == ("linearization-1", 'builtin with {"memory": false}')
    both = spoken({**told, "understanding": "catalogue"})
    assert Variant.of(both) == Variant(language="builtin", memory=False, understanding="catalogue")
    with pytest.raises(CommandError, match="no system 'magic'"):
        parser.parse_args(["--arm", '{"system": "magic"}'])


def test_arm_with_a_few_shot_set_sees_the_pairs_of_that_set_only(two_restaurants: None) -> None:
    for message, sets in (("cheap places", ["short"]), ("dear places", [])):
        FewShotPair.objects.create(corpus="restaurants", message=message, suql=FOUND, sets=sets)
    tables = ("restaurants",)
    assert [one.message for one in StoredExamples("short").of(tables)] == ["cheap places"]
    assert len(StoredExamples().of(tables)) == 2
    plain, none = (document_of("suql", Overrides(few_shot=name).spoken("builtin")) for name in ("", "none"))
    assert plain["few_shot"] != none["few_shot"] == ""
    study = Study(slug="s", title="S")
    with pytest.raises(ValidationError, match="set called 'long'"):
        Arm(study=study, name="a", overrides={"few_shot": "long"}).clean()


def test_name_of_a_variant_is_read_as_it_was_written() -> None:
    variant = Variant(language="small at http://127.0.0.1:9/v1", few_shot="none", memory=False)
    assert Variant.of(variant.name) == variant
    assert Variant.of("builtin") == Variant(language="builtin")


def test_every_system_can_be_made(two_restaurants: None) -> None:
    made = {type(arranged(agent_for("builtin"), name)).__name__ for name in SYSTEMS}
    assert made == {"Agent", "Linearization", "FunctionCalling", "EndToEnd", "Fallback"}
