"""Messages to statements, for the commands: one message against one state, both in the notation of worksheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agent.language import Conversation, Language, PastTurn, UnderstandRequest
from agent.protocols.errors import AgentError
from agent.worksheets import applications
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.specification import Specification
from agent.worksheets.spelling import read_pending, read_state, write_statements
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Start, Statement
from corpora.models import Assistant
from corpora.selectors import assistant_tables, specification

_WEIGHTS = (4, 2, 1)  # of a word of the application's own name, of its worksheets' names, of what they are said to be
_COMMON = {"the", "and", "app", "application", "worksheet", "worksheets", "genie", "agent", "bot", "domain", "star"}


@dataclass(frozen=True)
class Application:
    """What a message can be understood against: worksheets, and the tables that their questions go to."""

    specification: Specification
    tables: tuple[str, ...] = ()


class UnknownApplication(AgentError):
    """No application, or more than one, goes by a name."""


class UnreadableItem(AgentError):
    """A field of an item is not of the kind it has to be."""


def known_applications() -> dict[str, Application]:
    """By slug: the assistants' worksheets in their active editions, and those that policies are measured on."""
    found = {name: Application(applications.load(name)) for name in applications.STAR}
    for slug in Assistant.objects.values_list("slug", flat=True):
        worksheets = specification(slug)
        if worksheets is not None:
            found[slug] = Application(worksheets, assistant_tables(slug))
    return found


def application(name: str, known: Mapping[str, Application]) -> Application:
    """The application that a name means: a slug, or words of its name or its worksheets ("course_enrollment").

    Raises UnknownApplication where none is meant more than the others.
    """
    if name in known:
        return known[name]
    wanted = _words(name) - _COMMON
    scores = {slug: _score(wanted, one.specification) for slug, one in known.items()}
    best = max(scores.values(), default=0)
    meant = [slug for slug, score in scores.items() if score == best]
    if not best or len(meant) > 1:
        listed = ", ".join(sorted(known))
        raise UnknownApplication(f"There is no application {name!r}. There are: {listed}.")
    return known[meant[0]]


def _score(wanted: Iterable[str], one: Specification) -> int:
    own = _words(f"{one.name} {one.title}")
    named = _words(" ".join(f"{sheet.name} {sheet.title} {sheet.verb}" for sheet in one.worksheets))
    told = _words(" ".join(sheet.description for sheet in one.worksheets))
    return sum(
        next((weight for weight, words in zip(_WEIGHTS, (own, named, told), strict=True) if word in words), 0)
        for word in wanted
    )


def _words(text: str) -> set[str]:
    """The words of a name or a text, by their beginnings: "CoursesToTake" and "course" have one in common."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", text)
    return {word.rstrip("s")[:6] for word in re.findall(r"[a-z]{3,}", apart.lower())}


async def understood(
    item: Mapping[str, Any], language: Language, known: Mapping[str, Application], now: datetime
) -> list[str]:
    """What a message does, as statements in the notation; see `understood_as_far`."""
    return (await understood_as_far(item, language, known, now))[0]


async def understood_as_far(
    item: Mapping[str, Any], language: Language, known: Mapping[str, Application], now: datetime
) -> tuple[list[str], str]:
    """What a message does, as statements in the notation, under the names of the state it is said in; and what to say
    of the part of it that was too long to be read.

    `item` has "app" and "user", and may have "state", "agent_acts" and "agent". Raises AgentError for a state that
    cannot be read, and what the language raises.
    """
    app = application(str(item["app"]), known)
    spec = app.specification
    state = read_state(_text(item, "state"), spec, now.date())
    acts = item.get("agent_acts") or []
    if not isinstance(acts, str | list):
        raise UnreadableItem('"agent_acts" has to be a text or a list.')
    state = read_pending(acts, state, spec)
    conversation = Conversation(
        assistant=spec.name,
        tables=app.tables,
        past=(PastTurn(user="", agent=str(item["agent"])),) if item.get("agent") else (),
        now=now,
        state=state,
        acts=tuple(_acts(acts, state)),
    )
    request = UnderstandRequest(message=str(item["user"]), conversation=conversation, specification=spec)
    found = await language.understand(request)
    statements = _as_named(found.statements, state, spec)
    return write_statements(statements, [question.words for question in found.questions], state, spec), found.unread


def _text(item: Mapping[str, Any], name: str) -> str:
    """A field that is a text or a list of its lines."""
    value = item.get(name) or ""
    lines = value if isinstance(value, list) else [value]
    if not all(isinstance(line, str) for line in lines):
        raise UnreadableItem(f'"{name}" has to be a text or a list of texts.')
    return "\n".join(lines)


def _acts(acts: str | Sequence[Any], state: DialogueState) -> Iterable[Act]:
    """The agent's acts, however they are written, as a prompt can show them."""
    for act in [acts] if isinstance(acts, str) else acts:
        written = act.get("act", "") if isinstance(act, Mapping) else str(act)
        kind = next((kind for kind in ActKind if written.strip().upper().startswith(kind)), ActKind.SAY)
        if isinstance(act, Mapping):
            told = {name: str(act.get(name) or "") for name in ("instance", "worksheet", "field", "text")}
            yield Act(act=kind, **told)
            continue
        words = re.findall(r"[A-Za-z_]\w*", written)[1:]
        named = next((word for word in words if state.instance(word)), "")
        yield Act(act=kind, instance=named, text=written)


def _as_named(statements: Sequence[Statement], state: DialogueState, spec: Specification) -> tuple[Statement, ...]:
    """The statements with new instances named as those of the state are: without counters, where those have none."""
    counted = [one for one in state.instances if re.search(r"_\d+$", one.name)]
    if counted or not state.instances:
        return tuple(statements)
    taken = {one.name for one in state.instances}
    names: dict[str, str] = {}
    for item in statements:
        variable = spec.by_name[item.worksheet].variable if isinstance(item, Start) else ""
        if variable and variable not in taken:
            names[item.instance] = variable
            taken.add(variable)
    return tuple(_renamed(item, names) for item in statements)


def _renamed(item: Statement, names: Mapping[str, str]) -> Statement:
    changed: dict[str, str] = {"instance": names.get(item.instance, item.instance)}
    if isinstance(item, Start) and item.parent:
        owner, _, field = item.parent.partition(".")
        changed["parent"] = f"{names.get(owner, owner)}.{field}"
    return item.model_copy(update=changed)
