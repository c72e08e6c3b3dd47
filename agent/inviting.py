"""Whether what was asked invites an offer: who only wants to know something is not asked to book it."""

from __future__ import annotations

import re
from itertools import takewhile

from agent.parsing.tasks import values
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.spotting import titles
from agent.parsing.tasks.workspace import Workspace
from agent.record import TurnState
from agent.worksheets.specification import Specification, Worksheet
from agent.worksheets.state import DialogueState

_TELLING = (Shape.DATE, Shape.TIME, Shape.PEOPLE, Shape.EMAIL)
_PROPOSES = re.compile(r"\bpropose\((\w+)")


def invites(state: TurnState, specification: Specification, *, searched: bool) -> bool:
    """Whether the message speaks of a task that a row may be offered with: it names it ("do they take reservations?"),
    or tells a value for it (a day, a party). Of a search, the messages that led to it count as well."""
    before = list(takewhile(lambda turn: turn.queries, reversed(state.conversation.past))) if searched else []
    said = [Message(text) for text in (state.message, *(turn.user for turn in before))]
    names = {name for one in specification.worksheets for name in _PROPOSES.findall(one.actions)}
    tasks = [task for task in specification.roots if task.name in names]
    return any(_speaks_of(message, task, state, specification) for task in tasks for message in said)


def _speaks_of(message: Message, task: Worksheet, state: TurnState, specification: Specification) -> bool:
    now = state.conversation.now
    dialogue = state.conversation.state or DialogueState(application=specification.name, version=specification.version)
    workspace = Workspace(specification, dialogue, now)
    told = {place.shape for place in workspace.places(workspace.new_root(task))} & set(_TELLING)
    found = values.read(message, now, values.about(task), questions=True)
    named = titles(message, task) or re.search(rf"\b{re.escape(task.verb)}(?:ed|ings?|able)?\b", message.low)
    return not told or bool(named) or any(found.of(shape) for shape in told)
