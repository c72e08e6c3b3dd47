"""Messages about rows that are not there: "the third" of two, "who teaches it?" after a search without results; and
what is told of a few rows where none of them is as a message asks."""

from __future__ import annotations

import re

from agent.catalogue.tables import Catalogue
from agent.language import PastQuery
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.meaning import Meaning, column_called, put
from agent.parsing.dialogue.past import Past
from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.dialogue.references import listed, positions
from agent.parsing.frame import Asked, Condition, Frame, Projection, leaves
from agent.suql import describe
from agent.suql.describe import kind_described
from agent.text.english import listed as joined

FEW, ASKED = 4, 2  # rows of which each is told, and of how many things at most
_ON_A_DAY = re.compile(r"\b(?:on|for|until|till|by|before|after|from) (?:the )?[1-8](?:st|nd|rd|th)\b", re.IGNORECASE)
_THE_ONE_IN = re.compile(r"\bthe ones? (?:in|at|near|by|on)\b", re.IGNORECASE)
_DEFINITE = compiled(r"\b(?:the {ordinal}|{ordinal} (?:ones?|place|restaurant|result)|{slice}|{numbered})\b")


def beyond_shown(message: str, past: Past, catalogue: Catalogue) -> str:
    """What was shown, where the message points beyond the end of it; empty where it does not."""
    shown = past.shown
    if shown is None or not _DEFINITE.search(message):
        return ""
    choices = listed(shown, past.queries)
    if choices.presentation == "article":  # "the second step" is one of the article's own
        return ""
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
    said = [leaf for node in frame.where for leaf in leaves(node)]
    asked = [leaf for leaf in said if not (isinstance(leaf, Asked) and leaf.titled)]  # but for what they are about
    few = 1 <= len(frame.among) <= FEW and not frame.exclude and frame.aggregate is None
    if table is None or frame.presentation != "list" or not few or not asked or len(asked) > ASKED:
        return None
    told = tuple(item for leaf in asked for item in _told(leaf))
    tables = tuple(dict.fromkeys((frame.table, *(item.table for item in told))))
    title = (Projection(table=table.name, column=table.title),) if table.title else ()
    return Frame(
        tables=tables,
        among=frame.among,
        projections=tuple(dict.fromkeys((*title, *told))),
        presentation="detail",
        words=frame.words,
    )


def _told(leaf: Condition | Asked) -> tuple[Projection, ...]:
    """What tells whether a condition is so: its column, and the one it is compared with ("not full")."""
    if isinstance(leaf, Asked):
        return (put(leaf),)
    columns = (leaf.column, *(map(str, leaf.values) if leaf.op == "below" else ()))
    return tuple(Projection(table=leaf.table, column=column) for column in columns)


def _refers(message: str) -> bool:
    """The message points to rows by their places or with a pronoun."""
    plain = said("existential").sub(" ", _ON_A_DAY.sub(" ", message))
    if said("within").search(plain):
        return False
    pointed = bool(positions(plain, 1)) and _DEFINITE.search(plain) is not None
    return pointed or any(said(name).search(plain) for name in ("of_several", "plural", "singular"))


def _asks_of_rows(message: str, new: Frame) -> bool:
    """The message asks something of rows without saying what kind they are: "phone number?", "is there parking?"."""
    if new.presentation == "article" or new.aggregate:
        return False
    found = [leaf for node in new.where for leaf in leaves(node)]
    if any(isinstance(leaf, Condition) for leaf in found):
        return False
    read = all(isinstance(leaf, Asked) and not leaf.titled for leaf in found)
    return read and (bool(new.projections) or (bool(found) and cues.asks_yes_no(message)))


def _noun(query: PastQuery, catalogue: Catalogue) -> tuple[str, str]:
    table = catalogue.table(query.table)
    return table.noun if table else ("row", "rows")
