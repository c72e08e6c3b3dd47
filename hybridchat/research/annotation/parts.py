"""What a turn is made of, for judging it piece by piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hybridchat.chat.models import Turn

SHORT = 160  # characters of a part's description


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to judge: `id` names it within the turn, `label` says what it is."""

    id: str
    label: str
    detail: str = ""


def parts(turn: Turn, source: str, *, repeated: bool = False) -> list[Part]:
    """The parts of a turn of one source, in order, each once.

    An entity is judged where it comes up first in a conversation, as in SUQL's evaluation; `repeated` gives those that
    came up before, too.
    """
    found = {part.id: part for part in SOURCES[source](turn.state or {})}
    if source == "entities" and not repeated and found:
        earlier = turn.conversation.turns.filter(position__lt=turn.position).values_list("state", flat=True)
        for state in earlier:
            for part in _entities(state or {}):
                found.pop(part.id, None)
    return list(found.values())


def _entities(state: dict[str, Any]) -> Iterator[Part]:
    for outcome in state.get("outcomes") or ():
        for row in outcome["rows"]:
            if row.get("key"):
                yield Part(f"{row['table']}:{row['key']}", row["title"] or row["key"], _short(row["values"]))


def _executions(state: dict[str, Any]) -> Iterator[Part]:
    """Database queries and actions that were run."""
    for number, outcome in enumerate(state.get("outcomes") or ()):
        yield Part(f"query {number}", outcome["query"]["suql"] or "no query could be written", outcome.get("error", ""))
    for number, effect in enumerate(state.get("effects") or ()):
        yield Part(f"effect {number}", f"{effect['action']}({_short(effect['values'])})")


def _statements(state: dict[str, Any]) -> Iterator[Part]:
    """What the parser made of the message: queries, and what it says about worksheets."""
    for number, query in enumerate(state.get("queries") or ()):
        yield Part(f"query {number}", query["suql"] or "no query could be written", query["question"]["words"])
    understanding = state.get("understanding") or {}
    for number, statement in enumerate(understanding.get("statements") or ()):
        yield Part(f"statement {number}", _spelled(statement))


def _acts(state: dict[str, Any]) -> Iterator[Part]:
    for number, act in enumerate(state.get("acts") or ()):
        about = ".".join(name for name in (act.get("worksheet"), act.get("field")) if name)
        yield Part(f"act {number}", f"{act['act']} {about}".strip(), act.get("text", ""))


def _spelled(statement: dict[str, Any]) -> str:
    kind = statement.get("kind", "statement")
    return f"{kind} {_short({name: value for name, value in statement.items() if name != 'kind' and value})}"


def _short(value: Any) -> str:
    """The members that say something briefly, in words."""
    told = {name: one for name, one in value.items() if one not in (None, "", [], {}) and not _is_long(one)}
    text = ", ".join(f"{name.replace('_', ' ')}: {_plain(one)}" for name, one in told.items())
    return text if len(text) <= SHORT else f"{text[:SHORT].rsplit(',', 1)[0]} …"


def _is_long(value: Any) -> bool:
    """Whether it is no value to judge by at a glance: a long text, or the address of something."""
    return isinstance(value, str) and (len(value) >= SHORT // 2 or value.startswith(("/", "http://", "https://")))


def _plain(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " / ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


SOURCES: dict[str, Callable[[dict[str, Any]], Iterator[Part]]] = {
    "entities": _entities,
    "executions": _executions,
    "statements": _statements,
    "acts": _acts,
}
