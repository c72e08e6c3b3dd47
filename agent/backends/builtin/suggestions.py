"""What one might ask next, from what was found: never more than three."""

from __future__ import annotations

from agent.language import Found, RespondRequest
from agent.worksheets.acts import ActKind

FIRST = {
    "restaurants": (
        "A quiet place for dinner in Palo Alto",
        "Cheap vegetarian lunch in San Francisco",
        "Sushi in Cupertino, best rated first",
    ),
    "courses": (
        "Machine learning courses in winter",
        "Four-unit courses with a light workload",
        "Which courses meet only on Tuesdays?",
    ),
    "services": (
        "How do I drop a class?",
        "How long can a leave of absence be?",
        "Do I get credit for AP scores?",
    ),
}
AFTER_ONE = {
    "restaurants": (
        "When is it open?",
        "What do reviewers say about the service?",
        "Something else",
        "What should I order there?",
    ),
    "courses": ("When does it meet?", "What do students say about the workload?", "Something else", "Who teaches it?"),
    "articles": ("Whom do I contact?",),
}
AFTER_SEVERAL = {
    "restaurants": ("Which of these is the quietest?", "Something cheaper", "Compare the first two"),
    "courses": ("Which of these takes the least time?", "Who teaches them?", "Compare the first two"),
    "articles": ("Whom do I contact?",),
}
MORE = "Show more"
AFTER_NONE = {
    "restaurants": ("Any price is fine", "In any city"),
    "courses": ("In any quarter", "Any number of units"),
}
TELLS = {  # the columns that answer what might be asked next
    "When is it open?": "opening_hours",
    "When does it meet?": "days",
    "Who teaches it?": "instructor_names",
    "Who teaches them?": "instructor_names",
    "What should I order there?": "popular_dishes",
}
MOST = 3


def suggestions(request: RespondRequest) -> tuple[str, ...]:
    """Up to three next messages. Every one is something the parser can follow from here."""
    assistant = request.conversation.assistant
    asked = [act for act in request.acts if act.act in (ActKind.ASK, ActKind.CONFIRM, ActKind.CLARIFY)]
    if request.ask == "location" or any(act.field == "location" for act in asked):
        return ("San Francisco", "Palo Alto", "Anywhere")
    if asked or (request.acts and not request.found):
        return ()  # a task is under way: what comes next is an answer
    if not request.found:
        return FIRST.get(assistant, tuple(phrases[0] for phrases in FIRST.values()))
    return _after(request.found[-1], assistant)


def _after(found: Found, assistant: str) -> tuple[str, ...]:
    table = "articles" if found.presentation == "article" else assistant
    if found.error or not found.rows:
        return AFTER_NONE.get(table, ())
    entities = set(found.titles) or range(len(found.rows))
    next_ = (AFTER_ONE if len(entities) == 1 else AFTER_SEVERAL).get(table, ())
    told = found.columns if found.presentation in ("detail", "comparison") else ()
    next_ = tuple(phrase for phrase in next_ if TELLS.get(phrase) not in told)
    if found.more and found.presentation == "list" and len(entities) > 1:
        next_ = (*next_[: MOST - 1], MORE)
    return next_[:MOST]
