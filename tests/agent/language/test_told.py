"""What a reply is told of what was found and said, and how a conversation is shown to a model."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from agent.backends.prompted import context
from agent.language import Conversation, Found, PastQuery, PastTurn, RespondRequest, Voice
from tests.agent.language.model_server import Say

NOW = datetime(2026, 11, 20, 10, 0)
HOURS = {
    "mon": [], "tue": [], "wed": [], "thu": [], "fri": [["18:00", "24:00"]],
    "sat": [["00:00", "02:00"], ["18:00", "24:00"]], "sun": [["00:00", "02:00"]],
}  # fmt: skip
LONG = "a corner bakery that mills part of its own flour " * 4


def talk(*past: PastTurn) -> Conversation:
    return Conversation(assistant="inns", tables=("inns",), past=past, now=NOW)


@pytest.fixture
def told(server, speak):
    """The facts that the model is told of what was found."""

    async def run(found: Found) -> dict[str, Any]:
        server.will(Say(json.dumps({"text": "Here it is.", "suggestions": []})))
        await speak().respond(RespondRequest(message="well?", conversation=talk(), found=(found,)))
        user = server.requests[-1]["messages"][1]["content"]
        facts = user[user.index("<<<FACTS") :].split("\n", 1)[1].rsplit("\nFACTS", 1)[0]
        [fact] = json.loads(facts)
        return fact

    return run


def found(*rows: dict[str, Any], **more: Any) -> Found:
    names = tuple(str(row.get("name", "")) for row in rows)
    return Found(question="q", description="d", rows=rows, titles=names, **more)


async def test_both_sides_of_a_judgement_reach_the_reply(told):
    voices = (Voice(text="so calm"), Voice(text="a fair hush"), Voice(text="shouting matches", supports=False))
    fact = await told(found({"name": "Hart"}, voices=(voices,)))
    assert fact["deciding_sentences"] == [
        {"row": "Hart", "for": ["so calm", "a fair hush"], "against": ["shouting matches"]}
    ]


async def test_a_night_is_told_with_the_day_it_begins_on(told):
    fact = await told(found({"name": "Hart", "hours": HOURS}))
    assert fact["rows"][0]["hours"] == "Mon-Thu closed; Fri-Sat 6:00 pm to 2:00 am; Sun closed"


async def test_a_list_is_told_without_the_long_values_that_its_cards_show(told):
    rows = tuple({"name": name, "price": "cheap", "about": LONG, "answer": LONG} for name in ("Hart", "Plough"))
    fact = await told(found(*rows, asked={"answer": "what is it like?"}))
    assert [set(row) for row in fact["rows"]] == [{"name", "price", "answer"}] * 2
    alone = await told(found(rows[0]))
    assert "about" in alone["rows"][0]


@pytest.mark.parametrize("more", [True, False])
async def test_a_list_cut_short_says_that_there_may_be_others(told, more):
    assert ("limit" in await told(found({"name": "Hart"}, more=more))) is more


async def test_a_reply_is_not_told_again_what_was_looked_up_before(server, speak):
    server.will(Say(json.dumps({"text": "You're welcome.", "suggestions": []})))
    before = PastTurn(
        user="inns?", agent="**Hart**.", queries=(PastQuery(question="q", suql="SELECT 1", keys=("hart",)),)
    )
    await speak().respond(RespondRequest(message="thanks", conversation=talk(before), chat="thanks"))
    user = server.requests[-1]["messages"][1]["content"]
    assert "**Hart**." in user
    assert "SELECT" not in user


def test_a_long_reply_is_cut_between_words_and_marked():
    [turn] = context.past(talk(PastTurn(user="tell me all", agent="wonderful " * 100)))
    assert turn["assistant"].endswith("wonderful …")
    assert len(turn["assistant"]) <= context.REPLY_CHARACTERS + 2
    assert context.past(talk(PastTurn(user="hi", agent="Hello.")))[0]["assistant"] == "Hello."


def test_only_the_rows_of_the_latest_search_come_with_their_values():
    searches = [
        PastTurn(
            user="inns?",
            agent=f"**{name}**.",
            queries=(PastQuery(question="q", suql="SELECT 1", keys=(name,), titles=(name,), rows=({"beds": 7},)),),
        )
        for name in ("Hart", "Plough")
    ]
    first, second, thanks = context.past(talk(*searches, PastTurn(user="thanks", agent="You're welcome.")))
    assert first["queries"][0]["rows_shown_in_order"] == [{"key": "Hart", "name": "Hart"}]
    assert second["queries"][0]["rows_shown_in_order"] == [{"key": "Plough", "name": "Plough", "beds": 7}]
    assert "queries" not in thanks


def test_an_earlier_row_is_told_without_addresses_and_without_its_name_twice():
    row = {"title": "Hart", "picture": "/pictures/hart.svg", "link": "https://hart.example", "beds": 7}
    query = PastQuery(question="q", suql="SELECT 1", keys=("hart",), titles=("Hart",), rows=(row,))
    [turn] = context.past(talk(PastTurn(user="inns?", agent="**Hart**.", queries=(query,))))
    assert turn["queries"][0]["rows_shown_in_order"] == [{"key": "hart", "name": "Hart", "beds": 7}]


@pytest.mark.parametrize(("presentation", "told_of"), [("list", {"name"}), ("detail", {"name", "link"})])
async def test_an_address_is_told_where_it_may_have_been_asked_for(told, presentation, told_of):
    fact = await told(found({"name": "Hart", "link": "https://hart.example"}, presentation=presentation))
    assert set(fact["rows"][0]) == told_of


async def test_what_was_noted_of_all_rows_is_told_too(told):
    note = "spring has the same count."
    fact = await told(Found(question="q", description="d", rows=({"season": "autumn"},), notes=(note,)))
    assert (fact["notes"], "incomplete" in fact) == ([note], False)
    fact = await told(Found(question="q", description="d", complete=False, notes=(note,)))
    assert (fact["incomplete"], "notes" in fact) == ([note], False)


async def test_a_group_is_not_called_by_the_name_of_its_only_row(told):
    groups = {"titles": ("Hart", "Plough"), "rows": ({"county": "Kent", "inns": 1}, {"name": "Plough", "inns": 1})}
    assert (await told(Found(question="q", description="d", presentation="aggregate", **groups)))["names"] == [
        "",
        "Plough",
    ]
    assert (await told(Found(question="q", description="d", **groups)))["names"] == ["Hart", "Plough"]
