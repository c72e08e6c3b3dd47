"""A conversation without a browser: what `manage.py chat` and `manage.py evaluate` hold.

The same agent and the same steps as behind the page; nothing is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

from asgiref.sync import sync_to_async

from agent.language import Conversation
from agent.protocols.errors import AgentError
from agent.protocols.metering import metered
from agent.protocols.reading import CallRecord
from agent.record import Outcome, TurnState
from agent.worksheets.acts import Act, Effect
from agent.worksheets.statements import Statement
from hybridchat.agents import conversation_for
from hybridchat.guard.agent import GuardedAgent

if TYPE_CHECKING:
    from agent.turn import Agent, Emit

Answering: TypeAlias = "Agent | GuardedAgent"  # what a conversation is held with


async def ignore(kind: str, payload: dict[str, Any]) -> None:
    """An `Emit` for those who only want the outcome."""


@dataclass
class Talk:
    """One conversation. `now` is its clock; `assistant` a slug, or "" to let each question find its corpus."""

    agent: Answering
    assistant: str
    now: Callable[[], datetime]
    states: list[TurnState] = field(default_factory=list)
    id: str = field(default_factory=lambda: str(uuid4()))

    async def say(self, message: str, emit: Emit = ignore, given: tuple[Statement, ...] = ()) -> dict[str, Any]:
        """Answers one message, or what a form `given` says; the turn as `manage.py chat --json` prints it."""
        conversation = await sync_to_async(self._conversation)()
        state, problem = TurnState(message=message, conversation=conversation, given=given), ""
        with metered() as calls:
            try:
                state = await self.agent.parse_turn(state, emit)
                state = await self.agent.execute_turn(state, emit)
            except AgentError as error:
                problem = error.sentence
        self.states.append(state)
        report = turn_report(len(self.states), state, problem)
        return report if isinstance(self.agent, GuardedAgent) else report | {"usage": usage_report(calls)}

    def _conversation(self) -> Conversation:
        """What the next turn is understood against. The state of the worksheets is what the last decision left."""
        decided = [state.dialogue for state in self.states if state.dialogue is not None]
        return conversation_for(self.assistant, self.states, self.now(), decided[-1] if decided else None, self.id)


def turn_report(number: int, state: TurnState, problem: str = "") -> dict[str, Any]:
    """One turn as JSON: the words, the queries with their rows, and the error if there was one."""
    errors = [outcome.error for outcome in state.outcomes if outcome.error]
    return {
        "turn": number,
        "user": state.message,
        "agent": state.reply.text if state.reply else problem,
        "queries": [query_report(outcome) for outcome in state.outcomes],
        "acts": [act_report(act) for act in state.acts],
        "effects": [effect_report(effect) for effect in state.effects],
        "state": state.dialogue.model_dump(mode="json") if state.dialogue else {},
        "suggestions": list(state.reply.suggestions) if state.reply else [],
        "error": problem or (errors[0] if errors else None),
    }


def usage_report(calls: Sequence[CallRecord]) -> dict[str, Any]:
    """What the calls of a language model took, those of the queries among them: known where they are made here."""
    return {
        "calls": len(calls),
        "by_task": dict(Counter(call.task for call in calls)),
        "tokens": sum(call.prompt_tokens + call.completion_tokens for call in calls),
        "cost": sum(call.cost for call in calls),
    }


def act_report(act: Act) -> dict[str, Any]:
    """One act as JSON, with machine values."""
    return {**act.model_dump(mode="json", include={"worksheet", "field", "values", "text"}), "act": act.act.value}


def effect_report(effect: Effect) -> dict[str, Any]:
    """One effect as JSON."""
    return effect.model_dump(mode="json", include={"worksheet", "values", "result"})


def query_report(outcome: Outcome) -> dict[str, Any]:
    """One query as JSON. `keys` has an entry per row, None for rows that are no entity."""
    return {
        "question": outcome.query.question.words,
        "suql": outcome.query.suql,
        "description": outcome.query.description,
        "columns": list(outcome.columns),
        "rows": [row.model_dump(mode="json")["values"] for row in outcome.rows],
        "keys": [row.key for row in outcome.rows],
        "evidence": [list(row.evidence) for row in outcome.rows],
        "relaxed": list(outcome.relaxed),
        "complete": outcome.complete,
        "notes": list(outcome.notes),
        "usage": {name: outcome.usage.get(name, 0) for name in ("calls", "cached", "seconds", "tokens", "cost")},
        "error": outcome.error or None,
    }
