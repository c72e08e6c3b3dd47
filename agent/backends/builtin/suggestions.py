"""What one might ask next, from what was found: never more than three."""

from __future__ import annotations

from agent.backends.builtin.talking import Talking
from agent.language import Found, RespondRequest
from agent.worksheets.acts import ActKind

MORE = "Show more"
MOST = 3


def suggestions(request: RespondRequest, talking: Talking) -> tuple[str, ...]:
    """Up to three next messages. Every one is something the parser can follow from here."""
    asked = [act for act in request.acts if act.act in (ActKind.ASK, ActKind.CONFIRM, ActKind.CLARIFY)]
    if request.ask == "location" or any(act.field == "location" for act in asked):
        return (*talking.areas[1][: MOST - 1], "Anywhere")
    if asked or (request.acts and not request.found):
        return ()  # a task is under way: what comes next is an answer
    if not request.found:
        return tuple(talking.first())[:MOST]
    return _after(request.found[-1], talking)


def _after(found: Found, talking: Talking) -> tuple[str, ...]:
    talk = talking.table_of(found.noun[1])
    if found.error or not found.rows:
        return talk.after_none
    entities = set(found.titles) or range(len(found.rows))
    told = found.columns if found.presentation in ("detail", "comparison") else ()
    phrases = talk.after_one if len(entities) == 1 else talk.after_several
    next_ = tuple(phrase for phrase, answered_by in phrases if not answered_by or answered_by not in told)
    if found.more and found.presentation == "list" and len(entities) > 1:
        next_ = (*next_[: MOST - 1], MORE)
    return next_[:MOST]
