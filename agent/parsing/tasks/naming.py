"""Tasks begun by naming a row of the corpus with a day, a time or a party: "Zia Norma for 2, Thursday at 7".

Several rows, each with a time of its own, begin a task each.
"""

from __future__ import annotations

import re
from itertools import pairwise

from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers.reading import Reading, apart
from agent.parsing.tasks.shapes import Shape, shape
from agent.parsing.tasks.spotting import Spotted, startable
from agent.parsing.tasks.values import Values, about, read
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.worksheets.specification import Field, Specification, Worksheet

_MEETING = {Shape.DATE, Shape.TIME, Shape.PEOPLE}
_TOLD = (Form.STATEMENT, Form.REQUEST, Form.SUGGESTION)
_PERSONAL = compiled(r"\b(?:i|i'm|i've|i'd|my|me|we|our|us|we're|we'd|table|{request})\b")
_ASKS = re.compile(r"\b(?:open|opens|opening|closed?|closes|closing|hours|does|tell me|what|when|which|where|how)\b")
_WISHES = compiled(
    r"(?<![\w'])(?:(?:i|we)(?: really| just| also)? (?:want|need|wanna|gotta)|(?:i|we)(?:'?d| would) (?:like|love)|"
    r"put (?:me|us)|get (?:me|us) (?:in|into)|add (?:me|us)|(?:i|we)(?:'?ll| will) (?:take|do|have|go)|"
    r"(?:can|could|may) (?:i|we) (?:get (?:in|into)|join|sign up|enroll?)|let me (?:in|into|take|do)|"
    r"want(?:ing)? to (?:take|do|join|enroll?)|(?:i'?m|we'?re) (?:taking|doing|joining))\b"
)
_LEARNS = re.compile(
    r"\b(?:know|about|info|information|details?|reviews?|ratings?|find|see|show|compare|hear|read|tell|look\w*|search|"
    r"similar|like (?:cs|the)|before|after|hours|prereq\w*|instructor|schedule|syllabus|something|drop|leave|than)\b"
)
_OR = re.compile(r"\b(?:or|instead|rather|not)\b")
_STRENGTH = 2.0
_COMMON = (Shape.DATE, Shape.PEOPLE, Shape.EMAIL, Shape.PHONE)  # what is said once for several, where it is said once


def named(
    workspace: Workspace, message: Message, given: dict[str, set[Shape]], titles: tuple[str, ...]
) -> list[Spotted]:
    """The task that a row is named for; none while another is worked on, or where something is asked of the row."""
    low = message.masked(*_TOLD)
    if workspace.focus is not None or message.of(Form.QUESTION) or _ASKS.search(low) or not mentions(low, titles):
        return []
    for task in startable(workspace.specification):
        meeting = given.get(task.name, set()) & _MEETING
        enough = len(meeting) > 1 or Shape.PEOPLE in meeting or (meeting and _PERSONAL.search(low))
        if enough and _takes_row(task, workspace.specification):
            return [Spotted(task, _STRENGTH, message.of(*_TOLD)[0])]
    return []


def coded(workspace: Workspace, message: Message, given: dict[str, set[Shape]]) -> list[Spotted]:
    """The task that wants what a message names by its code or title, where it is wished for: "put me in CS 101"."""
    low = message.masked(*_TOLD)
    told = message.of(*_TOLD)
    if workspace.focus is not None or message.of(Form.QUESTION) or _LEARNS.search(low) or not _WISHES.search(low):
        return []
    for task in startable(workspace.specification):
        root = Workspace(workspace.specification, workspace.state, workspace.now).new_root(task)
        open_ = [sheet for sheet in root.tree() if not any(one.held_by and one.held_by.predicate for one in sheet.path)]
        codes = [one for sheet in open_ for one in sheet.worksheet.fields if _is_code(one, workspace.specification)]
        if codes and Shape.CODE in given.get(task.name, set()):
            return [Spotted(task, _STRENGTH, told[0])]
    return []


def _is_code(field: Field, specification: Specification) -> bool:
    return shape(field, specification) is Shape.CODE


def apiece(
    spotted: list[Spotted], message: Message, specification: Specification, found: Values, titles: tuple[str, ...]
) -> list[Spotted]:
    """A task for each of several rows that are named with times of their own; else what was spotted."""
    if len(spotted) != 1 or not _takes_row(spotted[0].worksheet, specification):
        return spotted
    low = message.masked(*_TOLD)
    rows, moments = mentions(low, titles), found.of(Shape.TIME)
    if len({row.value for row in rows}) < 2 or len(rows) > len(moments) or _OR.search(low):
        return spotted
    starts = [0, *(_boundary(low, one, other) for one, other in pairwise(rows))]
    stops = [*starts[1:], len(low)]
    if not all(any(start <= one.start < stop for one in moments) for start, stop in zip(starts, stops, strict=True)):
        return spotted
    first = spotted[0]
    parts = [Sentence(start, stop, Form.STATEMENT) for start, stop in zip(starts, stops, strict=True)]
    return [Spotted(first.worksheet, first.strength, part, another=bool(at)) for at, part in enumerate(parts)]


def recalled(draft: Draft, root: Sheet, before: str) -> None:
    """What the message before an offer told of it ("is it open Saturday at 7?"), once the offer is taken up."""
    found = read(Message(before), draft.workspace.now, about(root.worksheet), questions=True)
    for place in draft.workspace.places(root):
        told = [one for one in found.of(place.shape) if one.sure or place.shape is Shape.PEOPLE]
        alone = place.shape in _MEETING and len({str(one.value) for one in told}) == 1
        if alone and not place.known and not draft.assigned(place):
            others = told[0].others if place.shape is Shape.TIME else ()
            draft.assign(place, told[0].value, before[told[0].start : told[0].stop], others)


def mentions(low: str, titles: tuple[str, ...]) -> list[Reading]:
    """Where titles stand in lower-case words, each in full, with or without its apostrophes."""
    found = []
    for title in titles:
        pattern = re.escape(title.lower().replace("’", "'")).replace("'", "'?")
        if " " in title and (match := re.search(rf"(?<!\w){pattern}(?!\w)", low)):
            found.append(Reading(title, match.start(), match.end()))
    return apart(found)


def common(places: list[list[Place]]) -> list[tuple[Place, object]]:
    """What one task was told and another lacks, where all say the same: the day, the party, how to be reached."""
    shared = []
    for kind in _COMMON:
        holders = [next((one for one in own if one.shape is kind), None) for own in places]
        values = [one.sheet.value(one.field.name) for one in holders if one is not None and one.known]
        if len({str(value) for value in values}) == 1:
            shared += [(one, values[0]) for one in holders if one is not None and not one.known]
    return shared


def _boundary(low: str, one: Reading, other: Reading) -> int:
    """Where the words about the next row begin: after the last "and", "then" or stop before it."""
    between = low[one.stop : other.start]
    breaks = [match.start() for match in re.finditer(r"\b(?:and|then|plus|also)\b|[,;.]", between)]
    return one.stop + (breaks[-1] if breaks else 0)


def _takes_row(task: Worksheet, specification: Specification) -> bool:
    """Whether what the task is about is a row of a table."""
    rows = [one for one in task.fields if shape(one, specification) is Shape.ROW]
    return any((known := specification.knowledge(one)) is not None and known.table for one in rows)
