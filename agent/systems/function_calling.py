"""Function calling, a baseline (Genie Worksheets, section 7): a model with our search and our tasks as functions, and
the policy as prose. No code decides what is asked, confirmed or done; so nothing is done either. A task that is called
is rehearsed (`agent.systems.rehearsal`): checked against the application's registry and noted down, not carried out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from agent.language import Question, Reply, ToolRequest
from agent.protocols.errors import AgentError
from agent.protocols.tools import Tool, ToolCall, ToolRound, ToolStep
from agent.record import Card, Outcome, TurnState
from agent.systems.rehearsal import rehearsed
from agent.systems.tasks_as_tools import policy, tasks_that_act, tools
from agent.systems.unparsed import Unparsed
from agent.turn import Emit
from agent.worksheets.actions import Refusal
from agent.worksheets.specification import Specification
from agent.worksheets.state import Entity

ROUNDS = 8  # of calls in one turn
ROWS = 10  # that a search returns to the model
CHARACTERS = 300  # of a value that it returns
SEARCH = Tool(
    "search",
    "Answers one question from the tables and the texts in them. Returns rows with their keys.",
    {
        "type": "object",
        "properties": {"question": {"type": "string", "description": "One question in plain words."}},
        "required": ["question"],
        "additionalProperties": False,
    },
)


@runtime_checkable
class Caller(Protocol):
    """A language that can call functions."""

    async def call(self, request: ToolRequest) -> ToolStep: ...


@dataclass(frozen=True)
class FunctionCalling(Unparsed):
    """An agent that lets the model call functions until it replies."""

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Raises AgentError where there is no model, or where it does not come to an end."""
        if not isinstance(self.language, Caller):
            raise AgentError("This assistant needs a language model that can call functions, and none is connected.")
        specification = await self._specification(state)
        state = state.model_copy(update={"queries": (), "outcomes": (), "effects": ()})
        rounds: tuple[ToolRound, ...] = ()
        for _ in range(ROUNDS):
            step = await self.language.call(_request(state, specification, rounds))
            if not step.calls:
                reply = Reply(text=step.text)
                await emit("replied", reply.model_dump(mode="json"))
                return state.model_copy(update={"reply": reply})
            answers = []
            for call in step.calls:
                state, answer = await self._called(call, state, specification, emit)
                answers.append(json.dumps(answer, ensure_ascii=False, default=str))
            rounds = (*rounds, ToolRound(step.calls, tuple(answers)))
        raise AgentError("The language model looked things up again and again and never came to an answer.")

    async def _specification(self, state: TurnState) -> Specification | None:
        if self.applications is None or state.conversation.state is None:
            return None
        return await self.applications.specification(state.conversation.state)

    async def _called(
        self, call: ToolCall, state: TurnState, specification: Specification | None, emit: Emit
    ) -> tuple[TurnState, dict[str, Any]]:
        """The turn after a call, and what the model is told. A call that makes no sense is answered with why."""
        try:
            arguments = json.loads(call.arguments or "{}")
        except json.JSONDecodeError as error:
            return state, {"error": f"The arguments are no JSON: {error}."}
        if not isinstance(arguments, dict):
            return state, {"error": "The arguments have to be an object."}
        if call.name == SEARCH.name:
            return await self._searched(str(arguments.get("question") or ""), state, emit)
        return await self._rehearsed(call.name, arguments, state, specification)

    async def _searched(self, question: str, state: TurnState, emit: Emit) -> tuple[TurnState, dict[str, Any]]:
        if not question.strip():
            return state, {"error": "`question` is missing."}
        index = len(state.outcomes)
        query = await self._parse(Question(words=question), state)
        state = state.model_copy(update={"queries": (*(state.queries or ()), query)})
        await emit("parsed", {"queries": [one.model_dump(mode="json") for one in state.queries or ()]})
        outcome = await self._execute(index, query, state, emit)
        state = state.model_copy(update={"outcomes": (*state.outcomes, outcome)})
        await emit("outcome", {"query": index, "outcome": outcome.model_dump(mode="json")})
        return state, _told(outcome)

    async def _rehearsed(
        self, name: str, arguments: Mapping[str, Any], state: TurnState, specification: Specification | None
    ) -> tuple[TurnState, dict[str, Any]]:
        tasks = {one.variable: one for one in tasks_that_act(specification)} if specification else {}
        if specification is None or self.applications is None or name not in tasks:
            return state, {"error": f"There is no function {name!r}."}
        registry = self.applications.registry(specification.name, state.conversation.id)
        now = state.conversation.now
        try:
            effect = await rehearsed(tasks[name], arguments, specification, registry, _rows(state), now)
        except Refusal as refusal:
            instead = [one.key if isinstance(one, Entity) else one for one in refusal.alternatives]
            return state, {"error": refusal.sentence} | ({"would_do": instead} if instead else {})
        return state.model_copy(update={"effects": (*state.effects, effect)}), {"done": True, "values": effect.values}


def _request(state: TurnState, specification: Specification | None, rounds: tuple[ToolRound, ...]) -> ToolRequest:
    return ToolRequest(
        message=state.message,
        conversation=state.conversation,
        policy=policy(specification) if specification else "",
        tools=(SEARCH, *(tools(specification) if specification else ())),
        rounds=rounds,
    )


def _rows(state: TurnState) -> dict[str, Entity]:
    """The rows that the conversation has shown, by key; the newest of one key."""
    before = [
        Entity(table=query.table, key=key, title=title)
        for turn in state.conversation.past
        for query in turn.queries
        for key, title in zip(query.keys, query.titles, strict=False)
    ]
    now = [
        Entity(table=row.table, key=row.key, title=row.title)
        for outcome in state.outcomes
        for row in outcome.rows
        if row.key is not None
    ]
    return {one.key: one for one in (*before, *now)}


def _told(outcome: Outcome) -> dict[str, Any]:
    """What a search found, as the model is told."""
    if outcome.error:
        return {"error": outcome.error}
    told: dict[str, Any] = {
        "searched_for": outcome.query.description,
        "rows": [_row(row) for row in outcome.rows[:ROWS]],
        "more_rows": max(0, len(outcome.rows) - ROWS),
    }
    if outcome.relaxed:
        told["left_out_because_nothing_fits_everything"] = list(outcome.relaxed)
    return told


def _row(row: Card) -> dict[str, Any]:
    values = {name: _short(value) for name, value in row.values.items() if value not in (None, "", [])}
    quotes = [str(item["text"][item["start"] : item["stop"]]) for item in row.evidence[:2] if item["value"] is not None]
    named = {"key": row.key, "name": row.title} if row.key is not None else {}
    return {**named, **values, **({"evidence": quotes} if quotes else {})}


def _short(value: Any) -> Any:
    text = str(value)
    return value if len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"
