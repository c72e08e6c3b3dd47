"""A scripted agent: it searches as the message tells it, so that a test can hold a turn at any step.

The message is read as words: `slow-parse` parses for a long time at the first attempt, `slow` finds a row every 0.3 s,
`rows=N` finds N rows, `streamed` writes its reply in pieces, `fail` raises an error with a sentence, `break` an
unexpected one, `sleep-in-sql` waits inside PostgreSQL, and `busy` lets nothing else happen in its event loop for a
while. What it does is appended to the file named by the environment variable FAKE_AGENT_LOG, one line an act, so that a
test can count across processes.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

from agent.language import Conversation, Parsed, Question, Reply, Understanding
from agent.protocols.errors import ModelUnavailable
from agent.record import Card, Constraint, Outcome, Query, TurnState, past_turn
from agent.suql import Budget

Emit = Callable[[str, dict[str, Any]], Awaitable[None]]
LONG = 30.0
BUSY = 4.0
SLEEPER = "sleep-in-sql"


class ScriptedAgent:
    """Implements what the chat asks of `agent.turn.Agent`."""

    budget = Budget()

    async def ready(self) -> None:
        """It has nothing to load."""

    def within(self, budget: Budget) -> ScriptedAgent:
        return self

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        log(f"parse {state.message}")
        understanding = Understanding(questions=(Question(words=state.message, tables=("restaurants",)),))
        await emit("understood", understanding.model_dump(mode="json"))
        if "slow-parse" in state.message and state.understanding is None:
            await asyncio.sleep(LONG)
        queries = (query_for(state.message),)
        await emit("parsed", {"queries": [query.model_dump(mode="json") for query in queries]})
        return state.model_copy(update={"understanding": understanding, "queries": queries})

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        log(f"execute {state.message}")
        if "fail" in state.message:
            raise ModelUnavailable("The language model does not answer. Please try again in a minute.", "timed out")
        if "busy" in state.message:
            time.sleep(BUSY)  # noqa: ASYNC251 - what a language that computes would do
        if "sleep-in-sql" in state.message:
            await sleep_in_sql()
        if "break" in state.message:
            raise ZeroDivisionError("a bug")
        count = int(found.group(1)) if (found := re.search(r"rows=(\d+)", state.message)) else 2
        cards = tuple(card(number) for number in range(count))
        for position, one in enumerate(cards):
            await emit("searching", {"query": 0, "done": position, "total": count, "noun": "restaurants"})
            await emit("row", {"query": 0, "position": position, "card": one.model_dump(mode="json")})
            if "slow" in state.message:
                await asyncio.sleep(0.3)
        query = (state.queries or (query_for(state.message),))[0]
        outcome = Outcome(query=query, columns=("name",), rows=cards, usage={"calls": 3, "cached": 1, "seconds": 0.5})
        await emit("outcome", {"query": 0, "outcome": outcome.model_dump(mode="json")})
        reply = Reply(text=f"Found **{count}** places for {state.message}.", suggestions=("Something cheaper",))
        if "streamed" in state.message:
            for text in ("Found", "Found **" + str(count) + "** places"):
                await emit("text", {"text": text})
                await asyncio.sleep(0.3)
        await emit("replied", reply.model_dump(mode="json"))
        log(f"done {state.message}")
        return state.model_copy(update={"outcomes": (outcome,), "reply": reply})


async def sleep_in_sql() -> None:
    """A query that takes long, on a connection of its own, as the engine's queries are."""
    parameters = {name: value for name, value in connection.get_connection_params().items() if name != "pool"}
    plain = {name: parameters[name] for name in ("dbname", "user", "password", "host", "port") if name in parameters}
    async with await psycopg.AsyncConnection.connect(**plain, application_name=SLEEPER) as own:
        await own.execute("SELECT pg_sleep(30)")


def query_for(message: str) -> Query:
    """A query about romantic places, with two chips."""
    return Query(
        question=Question(words=message, tables=("restaurants",)),
        parsed=Parsed(suql="SELECT * FROM restaurants", tables=("restaurants",)),
        suql="SELECT * FROM restaurants WHERE location = 'Palo Alto' AND answer(reviews, 'is it romantic?') = 'Yes'",
        description="restaurants in Palo Alto that reviewers call romantic",
        parts=(("restaurants in ", False), ("Palo Alto", True), (" that reviewers call ", False), ("romantic", True)),
        constraints=(Constraint(id="c0", label="Palo Alto"), Constraint(id="c1", label="romantic")),
    )


def card(number: int) -> Card:
    """A row with one deciding sentence."""
    text = "We had a table by the window. It was the most romantic evening. Parking was hard."
    return Card(
        values={"name": f"Place {number}", "rating": 4.5},
        key=f"place-{number}",
        table="restaurants",
        title=f"Place {number}",
        evidence=(
            {
                "question": "is it romantic?",
                "value": "Yes",
                "text": text,
                "start": text.index("It was"),
                "stop": text.index(" Parking"),
                "stance": "for",
                "label": "Noor A.",
                "dated": "2026-10-03",
                "column": "reviews",
            },
        ),
    )


def conversation_for(turn: Any) -> Conversation:
    """What `hybridchat.chat.runner.conversation_for` gives, without the corpora."""
    from hybridchat.chat import selectors

    past = tuple(past_turn(state) for state in selectors.past_states(turn))
    return Conversation(
        assistant="restaurants", tables=("restaurants",), past=past, now=datetime(2026, 11, 20, tzinfo=UTC)
    )


def log(line: str) -> None:
    """Append an act to the log, if there is one."""
    if path := os.environ.get("FAKE_AGENT_LOG"):
        with Path(path).open("a") as file:
            file.write(f"{os.getpid()} {line}\n")


def agent_for(language: str) -> ScriptedAgent:
    """Return the scripted agent, for agent processes."""
    return ScriptedAgent()


def install(*, guarded: bool = False) -> None:
    """Make this process answer with the scripted agent; a guarded one runs in an agent process."""
    from hybridchat.chat import runner

    settings.AGENT_FACTORY = "tests.chat.fakes.agent_for"
    if not guarded:
        runner.agent_for = lambda language: ScriptedAgent()
    runner.conversation_for = conversation_for
