"""Tasks begun by naming a row of the corpus with a day, a time or a party: "Zia Norma for 2, Thursday at 7".

Several rows, each with a time of its own, begin a task each.
"""

from __future__ import annotations

import re
from itertools import pairwise

from agent.parsing.tasks.message import TOLD, Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import choices
from agent.parsing.tasks.shapes import Shape, shape
from agent.parsing.tasks.spotting import Spotted, startable
from agent.parsing.tasks.values import Values, titled
from agent.parsing.tasks.workspace import Place, Workspace
from agent.text.readers.reading import Reading, apart
from agent.worksheets.specification import Basic, Specification, Worksheet

_MEETING = {Shape.DATE, Shape.TIME, Shape.PEOPLE}
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
    r"similar|like (?:cs|the)|before|after|hours|prereq\w*|instructor|schedule|syllabus|something|drop|leave|than|"
    r"whether|number of|how (?:many|much|long|hard)|answers? (?:to|on)|counts? (?:for|toward)|understand|"
    r"clarif\w+|confirm|(?:units|credits|prerequisites|requirements?|rules?|deadline) (?:for|of))\b"
)
_SHOWN = (
    r"(?:it|them|both|(?:that|this|those|these)(?: (?:one|course|class|two)s?)?|"
    r"(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th)(?: (?:one|two|course|class)s?)?)"
)
_TAKES = re.compile(
    r"\b(?:take|do|get|add|choose|pick|join|want|like|into|in|with|for|have) "
    rf"{_SHOWN}(?=\W*(?:$|[,.;!]|please|then|too|as|for|with|and|next))"
)
_POINTER = compiled(rf"^\W*(?:(?:{{filler}}|{{lead}})\W+)*{_SHOWN}\W*(?:{{filler}}\W*)*$")
_CODE_FIRST = compiled(r"^\W*(?:(?:{filler})\W+)*[a-z]{2,5} ?\d{1,3}[a-z]?\b")
_CODE = r"[a-z]{2,5} ?\d{1,3}[a-z]?\b"
_TAKEN = re.compile(  # what somebody has behind them: "I just finished CS 102 and 131"
    r"\b(?:finished|completed|passed|took|taken|done|did|had|failed)\b(?: [a-z'-]+){0,3}? "
    rf"{_CODE}(?:(?:,? and|,? or|,| &|/) ?(?:[a-z]{{2,5}} ?)?\d{{1,3}}[a-z]?\b)*"
)
_OR = re.compile(r"\b(?:or|instead|rather|not)\b")
_STRENGTH = 2.0
_COMMON = (Shape.DATE, Shape.PEOPLE, Shape.EMAIL, Shape.PHONE)  # what is said once for several, where it is said once


def named(
    workspace: Workspace, message: Message, given: dict[str, set[Shape]], titles: tuple[str, ...]
) -> list[Spotted]:
    """The task that a row is named for; none while another is worked on, or where something is asked of the row."""
    low = message.masked(*TOLD)
    if workspace.focus is not None or message.of(Form.QUESTION) or _ASKS.search(low) or not mentions(low, titles):
        return []
    for task in startable(workspace.specification):
        meeting = given.get(task.name, set()) & _MEETING
        enough = len(meeting) > 1 or Shape.PEOPLE in meeting or (meeting and _PERSONAL.search(low))
        if enough and _takes_row(task, workspace.specification):
            return [Spotted(task, _STRENGTH, message.of(*TOLD)[0])]
    return []


def coded(
    workspace: Workspace,
    message: Message,
    given: dict[str, set[Shape]],
    titles: tuple[str, ...],
    pointed: str | None = None,
) -> list[Spotted]:
    """The task that wants what a message names by its code or title, where it is wished for ("put me in CS 101"), or
    told with how it is wanted ("CS 101, 3 units, letter grade").

    `pointed`: the message points to a row shown before ("I'd take that one"); then it is what was said last, which
    may have wished for it.
    """
    low = message.masked(*TOLD)
    told = message.of(*TOLD)
    taken = _TAKES.search(low) if pointed is not None else None
    if workspace.focus is not None or message.of(Form.QUESTION) or not told:
        return []
    if _LEARNS.search(low if taken is None else low[: taken.start()] + low[taken.end() :]):
        return []
    wished = _WISHES.search(low) is not None
    titled = wished and any(re.search(rf"(?<!\w){re.escape(title.lower())}(?!\w)", low) for title in titles)
    chosen = pointed is not None and (
        (wished and taken is not None) or (_POINTER.match(low) is not None and _WISHES.search(pointed.lower()))
    )
    for task in startable(workspace.specification):
        root = Workspace(workspace.specification, workspace.state, workspace.now).new_root(task)
        open_ = [sheet for sheet in root.tree() if not any(one.held_by and one.held_by.predicate for one in sheet.path)]
        coded = [
            one
            for one in open_
            if any(shape(field, workspace.specification) is Shape.CODE for field in one.worksheet.fields)
        ]
        is_named = titled or (Shape.CODE in given.get(task.name, set()) and not _only_taken(low))
        if coded and (chosen or (is_named and (wished or _is_detailed(low, coded[0].worksheet)))):
            return [Spotted(task, _STRENGTH, told[0])]
    return []


def _only_taken(low: str) -> bool:
    """Whether every code in lower-case words is of something that was taken before."""
    rest, taken = _TAKEN.subn(" ", low)
    return taken > 0 and re.search(rf"\b{_CODE}", rest) is None


def _is_detailed(low: str, worksheet: Worksheet) -> bool:
    """Whether words begin with a code and go on with how it is wanted: a choice of the worksheet, or a number of what
    it counts."""
    code = _CODE_FIRST.match(low)
    if code is None:
        return False
    rest = low[code.end() :]
    chosen = any(choices.written(rest, field.enum_values) for field in worksheet.fields if field.enum_values)
    counted = [field.label.rstrip("s") for field in worksheet.fields if field.type.basic is Basic.INTEGER]
    return chosen or any(re.search(rf"\b\d+ ?{re.escape(one)}s?\b", rest) for one in counted)


def apiece(
    spotted: list[Spotted], message: Message, specification: Specification, found: Values, titles: tuple[str, ...]
) -> list[Spotted]:
    """A task for each of several rows that are named with times of their own; else what was spotted."""
    if len(spotted) != 1 or not _takes_row(spotted[0].worksheet, specification):
        return spotted
    low = message.masked(*TOLD)
    # A title of one word is one where it is written as a name.
    rows = apart([*mentions(low, titles), *titled(message.text, titles)])
    moments = found.of(Shape.TIME)
    if len({row.value for row in rows}) < 2 or len(rows) > len(moments) or _OR.search(low):
        return spotted
    starts = [0, *(_boundary(low, one, other) for one, other in pairwise(rows))]
    stops = [*starts[1:], len(low)]
    if not all(any(start <= one.start < stop for one in moments) for start, stop in zip(starts, stops, strict=True)):
        return spotted
    first = spotted[0]
    parts = [Sentence(start, stop, Form.STATEMENT) for start, stop in zip(starts, stops, strict=True)]
    return [Spotted(first.worksheet, first.strength, part, another=bool(at)) for at, part in enumerate(parts)]


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
