"""What a message does with an offer that an answer about a row made: takes it up, or goes on looking past it."""

from __future__ import annotations

import re

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.excluding import rows_left_out
from agent.parsing.semantics import english
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.spotting import ordered, titles
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.workspace import Sheet, Workspace
from agent.worksheets.specification import Worksheet
from agent.worksheets.state import InstanceStatus

_VALUES = (Shape.PEOPLE, Shape.DATE, Shape.TIME, Shape.EMAIL, Shape.PHONE, Shape.PERSON)
_ANY = re.compile(r"\b(?:some|any)(?:thing|where|place|one that)\b")
_OF_ROWS = ("open", "opened", "opens", "menu", "rated", "cheap")  # filler to a search, and no part of an appointment
_ROUND = compiled(  # what stands around a day, a time or a party: "this", "let's say around", "there will be"
    r"(?<![\w'])(?:this|next|coming|around|about|say|maybe|probably|there|will|be|make|it|that|us|we|we're|we'll|come|coming|"
    r"going|go|party|people|person|guests?|name|number|{filler}|{yes}|{lead})(?![\w'])"
)


def offered(workspace: Workspace) -> Sheet | None:
    """The task that is offered with a row of a corpus in it; None where nothing is, or something else is asked."""
    pending = workspace.state.pending
    sheet = workspace.sheet(pending.instance) if pending is not None and pending.kind == "propose" else None
    if pending is None or sheet is None or sheet.instance is None or pending.field:
        return None
    row = workspace.row(sheet.root)
    proposed = sheet.instance.status is InstanceStatus.PROPOSED
    return sheet if proposed and row is not None and row.known else None


def looks_on(message: Message, found: Values, task: Worksheet) -> bool:
    """Whether a message that says neither yes nor no to an offer goes on with the search: it looks for another row, or
    says something besides a day, a time, a party and who comes, which alone begin what is offered."""
    low = message.rest(0, len(message.text)).lower()
    if cues.compares(low) or cues.wants_another(low) or cues.names_kind(low) or rows_left_out(low) or _ANY.search(low):
        return True
    if ordered(message, task) or titles(message, task):
        return False
    told = {shape for shape in _VALUES if found.of(shape)}
    for reading in (*(one for shape in _VALUES for one in found.of(shape)), *found.vague):
        low = low[: reading.start] + " " * (reading.stop - reading.start) + low[reading.stop :]
    rest = [word for word in re.findall(r"[^\W\d_]+", _ROUND.sub(" ", low)) if _is_content(word)]
    for_people = Shape.PEOPLE in told and (Shape.DATE in told or Shape.TIME in told)
    return bool(rest) and not (for_people and not cues.searches(low))


def _is_content(word: str) -> bool:
    return word in _OF_ROWS or bool(english.content([word]))
