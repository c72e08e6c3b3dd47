"""What a curator sees of a turn beyond what its owner sees: what was understood, and what the worksheets made of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.protocols.errors import AgentError
from agent.record import TurnState
from agent.worksheets.acts import ActKind
from agent.worksheets.specification import Specification
from agent.worksheets.spelling import write_state, write_statements
from agent.worksheets.state import DialogueState
from hybridchat.chat.models import Turn


@dataclass(frozen=True, slots=True)
class ActLine:
    """One act: its kind, what it is about, and its words."""

    kind: str
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """One turn from inside; statements and states as `agent.worksheets.spelling` writes them.

    `problem` says why there is nothing to show of the worksheets, where their edition is gone. `broken` are the rules
    that failed, each with its place and the reason.
    """

    statements: str = ""
    before: str = ""
    after: str = ""
    acts: tuple[ActLine, ...] = ()
    effects: tuple[str, ...] = ()
    problem: str = ""
    broken: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return self.before != self.after


def inspections(turns: Iterable[Turn]) -> list[Inspection | None]:
    """Return an inspection of each turn in order, None if no worksheet was involved."""
    return [_inspection(TurnState.model_validate(turn.state)) if turn.state else None for turn in turns]


def broken_rules(state: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the worksheet rules that failed in a stored turn: "BookRestaurant.date, line 1: …"."""
    acts = (state or {}).get("acts") or ()
    failed = [act for act in acts if act.get("act") == ActKind.ERROR.value and "rule" in (act.get("values") or {})]
    return tuple(dict.fromkeys(_broken(act) for act in failed))


def _broken(act: Mapping[str, Any]) -> str:
    line = act["values"].get("line")
    place = _about(act.get("worksheet", ""), act.get("field", ""))
    return f"{place}{f', line {line}' if line else ''}: {act['values']['rule']}"


def _inspection(state: TurnState) -> Inspection | None:
    from hybridchat.agents import edition  # it loads the agent's parts

    if state.dialogue is None or state.conversation.state is None:
        return None
    try:
        specification = edition(state.dialogue.application, state.dialogue.version)
    except AgentError as error:
        return Inspection(problem=error.sentence)
    understanding = state.understanding
    questions = [question.words for question in understanding.questions] if understanding else []
    statements = understanding.statements if understanding else ()
    return Inspection(
        statements="\n".join(write_statements(statements, questions, state.conversation.state, specification)),
        before=_written(state.conversation.state, specification),
        after=_written(state.dialogue, specification),
        acts=tuple(ActLine(act.act.value, _about(act.worksheet, act.field), act.text) for act in state.acts),
        broken=broken_rules(state.model_dump(mode="json", include={"acts"})),
        effects=tuple(f"{effect.action}: {_json(effect.values)} → {_json(effect.result)}" for effect in state.effects),
    )


def _written(state: DialogueState, specification: Specification) -> str:
    return write_state(state, specification) or "# nothing yet"


def _about(worksheet: str, field: str) -> str:
    return f"{worksheet}.{field}" if worksheet and field else worksheet or field


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, default=str)
