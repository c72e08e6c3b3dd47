"""What cannot be told as it is asked: "the third" of two rows, what is asked after a search without results, figures
that no query computes; and what is told of a few rows where none of them is as a message asks."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from agent.catalogue.tables import Catalogue
from agent.language import PastQuery
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.condition_kinds import Meaning, column_called, put
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.dialogue.references import listed, positions
from agent.parsing.frame import Asked, Condition, Frame, Projection, leaves
from agent.suql import describe
from agent.suql.describe import kind_described
from agent.text.english import listed as joined
from agent.text.figures import DISTANCE, FIGURES

FEW, ASKED = 4, 2  # rows of which each is told, and of how many things at most
_ON_A_DAY = re.compile(r"\b(?:on|for|until|till|by|before|after|from) (?:the )?[1-8](?:st|nd|rd|th)\b", re.IGNORECASE)
_THE_ONE_IN = re.compile(r"\bthe ones? (?:in|at|near|by|on)\b", re.IGNORECASE)
_DEFINITE = compiled(r"\b(?:the {ordinal}|{ordinal} (?:ones?|place|restaurant|result)|{slice}|{numbered})\b")
CANNOT = (
    "I can't work out {figure} here. I can count, add up and average, give a median or a percentage, and find the "
    "highest and the lowest: ask for one of those."
)
_AVERAGE = re.compile(r"\b(?:average|mean) (?:\w+ ){1,2}(?:of|for) (?:those|these|them|all|the)\b", re.IGNORECASE)
ONE_BY_ONE = "I can work out one figure at a time here: ask for them one by one."
TOGETHER = "I can't look for “{first}” and “{second}” at once: nothing is both. Which of them do you mean?"
_COMPARED = re.compile(r"\b(?:more|fewer|less|higher|lower|better|worse)\b(?: [\w-]+){0,4}? than\b", re.IGNORECASE)
_MOST_OF = re.compile(r"\bthe (?P<how>most|fewest|least) (?P<what>[a-z]+)", re.IGNORECASE)
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le
}  # fmt: skip
_NAMED = re.compile(r"\b(?:average|median|total|highest|lowest)\b")


def beyond_shown(message: str, past: Past, catalogue: Catalogue) -> str:
    """What was shown, where the message points beyond the end of it; empty where it does not."""
    shown = past.shown
    if shown is None or not _DEFINITE.search(message):
        return ""
    choices = listed(shown, past.queries)
    titles = list(dict.fromkeys(title for title in choices.titles if title))
    places = positions(_ON_A_DAY.sub(" ", message), len(titles))
    if not titles or not places or max(places) < len(titles):
        return ""
    one, several = _noun(choices, catalogue)
    shown_so_far = f"only one {one}" if len(titles) == 1 else f"only {len(titles)} {several}"
    return f"I showed {shown_so_far}: {joined([f'**{title}**' for title in titles])}."


def about_nothing(message: str, past: Past, new: Frame, catalogue: Catalogue) -> str:
    """That nothing was found that the message could be about, and what could be left out; empty where it is not about
    what was found. `new` is what the message says by itself."""
    emptied = past.emptied
    if emptied is None or past.shown is not None or cues.dropped(message) or cues.wants_another(message):
        return ""
    table = catalogue.table(emptied.table)
    if _THE_ONE_IN.search(message) and any(map(Meaning(catalogue).is_place, new.where)):
        return ""  # "the one in Sunnyvale then"
    asks_column = table is not None and column_called(message.lower().rstrip("?!. "), table) is not None
    if not (asks_column or _refers(message) or _asks_of_rows(message, new)):
        return ""
    conditions = list(dict.fromkeys(item.label for item in describe(emptied.suql, catalogue).constraints))
    searched = kind_described(emptied.description) or _noun(emptied, catalogue)[1]
    said_so = f"I found no {searched}, so there is nothing to tell about them."
    if len(conditions) < 2:
        return f"{said_so} Ask for something else, and I will look for that."
    return f"{said_so} You could leave out {joined([f'*{one}*' for one in conditions], 'or')}."


def of_each(frame: Frame, catalogue: Catalogue) -> Frame | None:
    """What is so of each of a few rows that a question chooses among, which is told where none of them is as it asks:
    "are any of those open now?" with the hours of each; None where there is nothing that could be told."""
    table = catalogue.table(frame.table)
    asked = [leaf for node in frame.where for leaf in leaves(node)]
    few = 1 <= len(frame.among) <= FEW and not frame.exclude and frame.aggregate is None
    if table is None or frame.presentation != "list" or not few or not asked or len(asked) > ASKED:
        return None
    told = map(_told, asked)
    title = (Projection(table=table.name, column=table.title),) if table.title else ()
    return Frame(
        tables=(frame.table,),
        among=frame.among,
        projections=tuple(dict.fromkeys((*title, *told))),
        presentation="detail",
        words=frame.words,
    )


def _told(leaf: Condition | Asked) -> Projection:
    """What tells whether a condition is so."""
    return put(leaf) if isinstance(leaf, Asked) else Projection(table=leaf.table, column=leaf.column)


def _refers(message: str) -> bool:
    """The message points to rows by their places or with a pronoun."""
    plain = said("existential").sub(" ", _ON_A_DAY.sub(" ", message))
    if said("within").search(plain):
        return False
    pointed = bool(positions(plain, 1)) and _DEFINITE.search(plain) is not None
    return pointed or any(said(name).search(plain) for name in ("of_several", "plural", "singular"))


def _asks_of_rows(message: str, new: Frame) -> bool:
    """The message asks something of rows without saying what kind they are: "phone number?", "is there parking?"."""
    if new.aggregate:
        return False
    found = [leaf for node in new.where for leaf in leaves(node)]
    if any(isinstance(leaf, Condition) for leaf in found):
        return False
    read = all(isinstance(leaf, Asked) for leaf in found)
    return read and (bool(new.projections) or (bool(found) and cues.asks_yes_no(message)))


def _noun(query: PastQuery, catalogue: Catalogue) -> tuple[str, str]:
    table = catalogue.table(query.table)
    return table.noun if table else ("row", "rows")


def uncomputed(message: str, frames: Sequence[Frame], catalogue: Catalogue) -> str:
    """What to say to a message that asks for a figure that none of its queries computes; empty where there is none."""
    if against := next((told for frame in frames if (told := _against_itself(frame))), ""):
        return TOGETHER.format(first=against[0], second=against[1])
    if _COMPARED.search(message) and any(_leaves_out_by_name(frame, catalogue) for frame in frames):
        return CANNOT.format(figure="a comparison with one that you name")
    if (most := _MOST_OF.search(message)) and all(_has_no_order(frame) for frame in frames):
        called = {name for frame in frames for name in _nouns(frame, catalogue)}
        if most["what"].lower() in called:
            return CANNOT.format(figure=f"who or what has the {most['how'].lower()} {most['what']}")
    computed = {frame.aggregate.function for frame in frames if frame.aggregate is not None}
    for figure in FIGURES:
        if figure.pattern.search(message) and figure.function not in computed:
            return CANNOT.format(figure=figure.told)
    if _AVERAGE.search(message) and "avg" not in computed and all(frame.presentation == "list" for frame in frames):
        return CANNOT.format(figure="an average of what is no number")
    if DISTANCE.pattern.search(message) and all(frame.presentation == "list" for frame in frames):
        return CANNOT.format(figure=DISTANCE.told)
    if len(frames) == 1 and computed and _names_two(message):
        return ONE_BY_ONE
    return ""


def _names_two(message: str) -> bool:
    """Whether a message asks for two figures: "the average rating and the highest price"."""
    before, _, after = message.lower().partition(" and ")
    first = set(_NAMED.findall(before))
    return bool(first) and not first >= set(_NAMED.findall(after))


def _against_itself(frame: Frame) -> tuple[str, str] | tuple[()]:
    """The words of a value and of a bound on the same column that it does not meet: "4.7 or 4.8"."""
    said = [one for one in frame.where if isinstance(one, Condition) and not one.negated and len(one.values) == 1]
    for exact in (one for one in said if one.op == "=" and _is_number(one.values[0])):
        for bound in (one for one in said if one.op in _BOUNDS and _is_number(one.values[0])):
            same = (exact.table, exact.column) == (bound.table, bound.column)
            if same and not _BOUNDS[bound.op](exact.values[0], bound.values[0]):
                return exact.words or str(exact.values[0]), bound.words or str(bound.values[0])
    return ()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _leaves_out_by_name(frame: Frame, catalogue: Catalogue) -> bool:
    """Whether rows are told apart only by not being called so: what they were to be compared in is lost."""
    table = catalogue.table(frame.table)
    title = table.title if table is not None else ""
    return any(isinstance(one, Condition) and one.negated and one.column == title for one in frame.where)


def _has_no_order(frame: Frame) -> bool:
    return not frame.order and not frame.each and frame.aggregate is None


def _nouns(frame: Frame, catalogue: Catalogue) -> tuple[str, ...]:
    table = catalogue.table(frame.table)
    return (*table.noun, *table.synonyms, *(f"{one}s" for one in table.synonyms)) if table is not None else ()
