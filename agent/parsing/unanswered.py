"""What to do where a text was read and does not answer: the text itself, where one row was meant, or where to look."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlglot import exp, parse_one

from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.similarity import meanings, spoken
from agent.suql import Result, Row

_ASKS = re.compile(  # a question within a statement: "locked out, how long does it last"
    r"\b(?:what(?:'?s)?|how|when(?= (?:is|are|do|does|can|will)\b)|where|who(?:m|se)?|which|why|whether|"
    r"(?:can|could|may|should|must|do|did|will|would|am|was) (?:i|we|you|they)|"
    r"(?:is|are|does|was) (?:it|there|that|they|this)|"
    r"(?:price|cost|deadline|rules?|steps?|way|form|office|number) (?:of|for|to)|"
    r"help|advice|any (?:idea|way|chance))\b",
    re.IGNORECASE,
)
CLOSE = 0.6  # confidence from which a text speaks of what was told, in whatever words
NEAREST = "The closest I found is in"  # begins what is told of a text that may answer


def is_unanswered(result: Result) -> bool:
    """The texts nearest to the question were read, and none of them answers it."""
    answers = [name for name in result.columns if name.startswith("answer")]
    return bool(answers) and all(row.values.get(name) is None for row in result.rows for name in answers)


def is_beside_the_point(result: Result, words: str) -> bool:
    """Whether what somebody told, and asked nothing with it, is hardly spoken of in the text that comes nearest."""
    said = spoken(words.lower())
    close = any(one.confidence >= CLOSE for row in result.rows[:1] for one in row.evidence)
    if (
        close
        or _ASKS.search(words)
        or not said
        or any(sentence.form is not Form.STATEMENT for sentence in Message(words).sentences)
    ):
        return False
    text = " ".join(str(value) for row in result.rows[:1] for value in (row.title, *row.values.values()) if value)
    names = frozenset(name for item in meanings(text) for name in item)
    return 2 * sum(bool(item.names & names) for item in said) < len(said)


def in_full(suql: str) -> str:
    """The query with the text in place of an answer from it, where its conditions say which row is meant ("the BS in
    AI"); empty where they do not."""
    tree = parse_one(suql, dialect="postgres")
    where = tree.args.get("where")
    compared = where.find_all(exp.EQ) if where else ()
    if not isinstance(tree, exp.Select) or not any(isinstance(one.this, exp.Column) for one in compared):
        return ""
    for alias in [one for one in tree.expressions if isinstance(one, exp.Alias) and one.alias.startswith("answer")]:
        call = alias.this
        text = next(iter(_arguments(call)), None)
        if not isinstance(text, exp.Column):
            return ""
        alias.set("this", text.copy())
    return str(tree.sql(dialect="postgres"))


def nearest(result: Result, *, beside: bool = False) -> tuple[str, ...]:
    """Where to look, with the words that come nearest, and whom to ask, when no article answers; whom alone, when the
    nearest is `beside` the point."""
    named = result.rows[:1] if not beside else ()
    notes = [_where(row) for row in named if row.title]
    contacts = [row.values.get("contact") for row in result.rows[:1]]
    return (*notes, *(f"You can ask: {contact}" for contact in contacts if contact))


def _where(row: Row) -> str:
    """The title of an article, with what it says that comes nearest, if anything does."""
    near = next((one.text[one.start : one.stop].rstrip(".") for one in row.evidence if one.value is None), "")
    return f"{NEAREST} “{row.title}”: “{near}”" if near else f"The article nearest to it is “{row.title}”"


def _arguments(call: exp.Expression) -> Iterable[exp.Expression]:
    return call.expressions if isinstance(call, exp.Anonymous) else ()
