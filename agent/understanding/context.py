"""What is kept of the queries of a conversation, and whether a message goes on from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from agent.language import Conversation, PastQuery
from agent.understanding.prose import Wish
from agent.understanding.roles import COUNT, LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded

MOST = 5  # queries that can be gone back to
_FLAGS = ("kind", "everything", "distinct", "either", "limit", "order_count", "having_count", "skip", "move")
_COLUMNS = ("select", "where", "order", "having", "compare", "filled")  # tuples that begin with a column
_FEW = 3  # words of a message that is a fragment
_GOES_ON = re.compile(
    r"\W*(?:(?:h+m+|u+h+|u+m+|ah|oh|well|yeah|yes)\b\W*)?"
    r"(?:and|but|or|so|also|now|only|just|then|instead|ok(?:ay)?|no wait|what about|how about|which (?:one|of)s?|"
    r"same|make|forget|drop|undo|sort|order|group|rank|limit|exclude|include|remove|skip|leave|never mind|any|"
    r"(?:any|some)(?:thing|where|one)(?= (?:that|thats|that['’]s|which|who|with|without|more|less|not|\w+er)\b))\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|these|those|this|that|he|she|his|her|him|ones?|others?|another|ours|same|former|"
    r"latter|above|previous|instead|too|as well|else|there(?=\W*$))\b",
    re.IGNORECASE,
)
_AMONG = re.compile(
    r"\b(?:its?|they|them|their|these|those|this|of that|he|she|his|her|him|others?|else|another|same|too|also|more|"
    r"less|than|instead|like (?:it|that))\b|^\W*(?:and|but|or|only|just|what about|how about)\b",
    re.IGNORECASE,
)
_BOUNDS = re.compile(
    r"\W*(?:with|without|in|at|under|over|above|below|between|near|by|for|from|on|until|before|after|since|less|more|"
    r"fewer|not|run|made|open|cheaper|dearer|bigger|smaller|older|newer|longer|shorter|must|should)\b",
    re.IGNORECASE,
)
_ANEW = re.compile(
    r"\W*(?:(?:ok(?:ay)?|no|well|let's|lets|now),? )*(?:no thank(?:s| you)(?=[.,:;!]\W*\w+ \w+ \w+)|"
    r"start(?:ing)? (?:over|again|afresh|from scratch)|"
    r"(?:a )?(?:new|different|another|other) (?:search|question|thing|topic|subject)|something else(?=[,:;.]\W*\w)|"
    r"(?:forget|scrap|drop|never mind) (?:everything|all(?: of)?(?: (?:that|this|those|it))?))\b(?! the\b)\W*",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\A\W*(?:(?:and|but|so|ok(?:ay)?|now|right|then|well|also)\b\W*)*", re.IGNORECASE)
_ASKED = re.compile(
    _LEADS.pattern + r"(?:which|what|who|whose|how many|do|does|is there|are there)\b(?! about)", re.IGNORECASE
)
_ASKS = re.compile(r"\b(?:which|what|who|whose|where|when|how|list|show|find|give|need|want)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A query that was asked: its roles, what it wished of prose, and the rows that were shown."""

    roles: Roles
    wishes: tuple[Wish, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)


def earlier(conversation: Conversation, schema: Schema) -> list[Earlier]:
    """Return the queries that a message may go on from, the last one first; none where the last turn asked nothing."""
    past = conversation.past
    if not past or not past[-1].queries:
        return []
    kept = (past[-1].queries[-1].frame or {}).get("queries", ())
    found: list[Earlier] = []
    turns = [turn.queries[-1] for turn in reversed(past) if turn.queries]
    for written in kept:
        query = next((one for one in turns if (one.frame or {}).get("queries", [None])[0] == written), None)
        if one := recalled(written, schema):
            found.append(replace(one, rows=_shown(query, schema) if query else ()))
    return found


def _shown(query: PastQuery, schema: Schema) -> tuple[Mapping[str, Any], ...]:
    """The rows that a query showed, each with its name, whatever was asked of it."""
    title = next((one.title for one in schema.tables if one.name == query.table), "")
    if not title or len(query.titles) != len(query.rows):
        return query.rows
    return tuple({title: name, **row} for name, row in zip(query.titles, query.rows, strict=True))


def remembered(asked: list[Earlier], schema: Schema) -> dict[str, Any]:
    """Return queries, the last one first, as they are kept with a turn: columns by name, since numbers change."""
    return {"queries": [_written(one, schema) for one in asked[:MOST]]}


def _written(one: Earlier, schema: Schema) -> dict[str, Any]:
    roles, name = one.roles, _namer(schema)
    kept: dict[str, Any] = {flag: getattr(roles, flag) for flag in _FLAGS}
    kept |= {part: [[name(told[0]), *told[1:]] for told in getattr(roles, part)] for part in _COLUMNS}
    kept["group"] = [name(column) for column in roles.group]
    kept["tables"] = [[schema.tables[table].name for table in sorted(side)] for side in roles.tables]
    kept["literals"] = [[one.text, name(one.column), one.operator, one.inner] for one in roles.literals]
    kept["wishes"] = [[*astuple(wish)] for wish in one.wishes]
    return kept


def recalled(kept: Mapping[str, Any], schema: Schema) -> Earlier | None:
    """Return a query as it was kept, None where a column that it names is not there any more."""
    number = {_namer(schema)(at): at for at in range(len(schema.fields))} | {str(n): n for n in (ROWS, LIMIT, COUNT)}
    tables = {table.name: at for at, table in enumerate(schema.tables)}
    try:
        roles = Roles(**{"move": "new"} | {flag: kept[flag] for flag in _FLAGS if flag in kept})
        for part in _COLUMNS:
            setattr(roles, part, [(number[column], *told) for column, *told in kept[part]])
        roles.group = [number[column] for column in kept["group"]]
        outer, inner = ({tables[name] for name in side} for side in kept["tables"])
        roles.tables = (outer, inner)
        roles.literals = [Literal(text, number[column], *told) for text, column, *told in kept["literals"]]
        return Earlier(roles, tuple(Wish(*wish) for wish in kept["wishes"]))
    except (KeyError, TypeError, ValueError):
        return None


def _namer(schema: Schema) -> Any:
    def name(column: int) -> str:
        if column < 0:
            return str(column)
        one = schema.fields[column]
        return f"{schema.tables[one.table].name}.{one.column.name}"

    return name


def begun(message: str) -> str | None:
    """Return what a message that says it begins a new search asks for; None where it does not say so."""
    match = _ANEW.match(message)
    return (message[match.end() :] or message) if match else None


def is_of_others(message: str, before: Earlier, schema: Schema) -> bool:
    """Return whether a message speaks of rows of a kind of which the query before named one, and points to nothing:
    "ferries to Inishmoor" after "how long is the Lady Moyna?"."""
    named = [one for one in before.roles.literals if schema.names_rows(one.column) and one.operator == "="]
    tables = {schema.table_of(one.column) for one in named}
    words = {word for word in folded(message).split() if word.endswith("s")}
    several = any(schema.nouns[table] & words for table in tables)
    return several and not _AMONG.search(message)


def goes_on(message: str) -> bool:
    """Return whether a message cannot stand alone: it begins or points as one that goes on, or is a fragment. A whole
    question after "and" or "so" may begin anew."""
    rest = _LEADS.sub("", message, count=1) if _ASKED.match(message) else message
    if rest != message and len(rest.split()) > _FEW and not _POINTS.search(rest):
        return False
    if _GOES_ON.match(message) or _POINTS.search(message) or len(message.split()) <= _FEW:
        return True
    return bool(_BOUNDS.match(message)) and not _ASKS.search(message)
