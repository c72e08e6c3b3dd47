"""What stays of the query before: its roles as they are kept with a turn, and what a later message makes of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.language import Conversation
from agent.understanding.prose import Wish
from agent.understanding.roles import COUNT, LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded

MOST = 5  # queries that can be gone back to
_FLAGS = ("kind", "everything", "distinct", "either", "limit", "order_count", "having_count", "skip")
_COLUMNS = ("select", "where", "order", "having", "compare", "filled")  # tuples that begin with a column


SEARCHING = frozenset({"refine", "replace", "drop"})  # moves that change the search, not what is shown
_ORDERED = SEARCHING | {"show", "row", "another"}  # moves in which an order, and how many rows, stay
_FEW = 3  # words of a message that is a fragment
_STEM = 4  # letters by which words are alike
_GOES_ON = re.compile(
    r"\W*(?:and|but|or|so|also|now|only|just|then|instead|ok(?:ay)?|no wait|what about|how about|which (?:one|of)s?|"
    r"same|make|forget|drop|undo|sort|order|group|rank|limit|exclude|include|remove|skip|never mind|any)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|these|those|this|that|he|she|his|her|him|ones?|others?|another|ours|same|former|"
    r"latter|above|previous|instead|too|as well|else|there(?=\W*$))\b",
    re.IGNORECASE,
)
_BOUNDS = re.compile(
    r"\W*(?:with|without|in|at|under|over|above|below|between|near|by|for|from|on|until|before|after|since|less|more|"
    r"fewer|not|run|made|open|cheaper|dearer|bigger|smaller|older|newer|longer|shorter|must|should)\b",
    re.IGNORECASE,
)
_ANEW = re.compile(
    r"\W*(?:(?:ok(?:ay)?|no|well|let's|lets|now),? )*(?:start(?:ing)? (?:over|again|afresh|from scratch)|"
    r"(?:a )?new (?:search|question)|forget (?:all|everything))\b",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"\b(?:forget|drop|remove|skip|ignore|never mind|cancel|lose|leave|without|regardless|whatever|any|all|back|"
    r"matters?|care|instead|anywhere|anyone|anything|wherever|either|not (?:just|only)|no need|scrap|undo)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:which|what|who|whose|where|when|how|list|show|find|give|need|want)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A query that was asked: its roles, and what it wished of prose."""

    roles: Roles
    wishes: tuple[Wish, ...] = ()


def earlier(conversation: Conversation, schema: Schema) -> list[Earlier]:
    """Return the queries that a message may go on from, the last one first; none where the last turn asked nothing."""
    past = conversation.past
    if not past or not past[-1].queries:
        return []
    frame = past[-1].queries[-1].frame or {}
    found = [recalled(one, schema) for one in frame.get("queries", ())]
    return [one for one in found if one is not None]


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
    kept["wishes"] = [[wish.question, wish.expected, wish.soft] for wish in one.wishes]
    return kept


def recalled(kept: Mapping[str, Any], schema: Schema) -> Earlier | None:
    """Return a query as it was kept, None where a column that it names is not there any more."""
    number = {_namer(schema)(at): at for at in range(len(schema.fields))} | {str(n): n for n in (ROWS, LIMIT, COUNT)}
    tables = {table.name: at for at, table in enumerate(schema.tables)}
    try:
        roles = Roles(**{flag: kept[flag] for flag in _FLAGS})
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


def anew(message: str) -> bool:
    """Return whether a message says that it begins a new search."""
    return _ANEW.match(message) is not None


def goes_on(message: str) -> bool:
    """Return whether a message cannot stand alone: it begins or points as one that goes on, or is a fragment."""
    if _GOES_ON.match(message) or _POINTS.search(message) or len(message.split()) <= _FEW:
        return True
    return bool(_BOUNDS.match(message)) and not _ASKS.search(message)


def going_on(roles: Roles, message: str, before: Earlier, schema: Schema) -> Roles:
    """Return the roles of a message with what stays of the query before: all conditions but those on columns of which
    it says a value; where it drops something, the one that it speaks of."""
    if roles.move == "new":
        return roles
    if roles.move == "drop" and not _DROPS.search(message) and not _names_any(message, before, schema):
        roles = replace(roles, move="refine")
    then, said = before.roles, {one.column for one in roles.literals}
    held = {one.column for one in then.literals} | {column for column, *_ in [*then.where, *then.filled]}
    dropped = set() if roles.move != "drop" else _dropped(roles, message, before, held, schema)
    keep = held - said - dropped
    if roles.move == "row" and any(_is_title(column, schema) for column in said):
        keep = set()
    told = {one.column for one in then.literals}
    flags = [one for one in then.where if one[0] in keep - told and one not in roles.where]
    where = [one for one in roles.where if one[0] not in dropped or one[0] in said]
    stays = [one._replace(start=0, stop=0) for one in then.literals if one.column in keep]
    filled = [one for one in then.filled if one[0] in keep and one not in roles.filled]
    roles = replace(roles, where=[*where, *flags], filled=[*roles.filled, *filled], literals=[*stays, *roles.literals])
    if roles.move in _ORDERED and not (roles.order or roles.order_count):
        roles = replace(roles, order=then.order, order_count=then.order_count, limit=then.limit, skip=then.skip)
    if roles.move == "another" and roles.limit:
        roles = replace(roles, skip=max(roles.skip, then.skip + 1))
    if roles.move in SEARCHING:
        roles = replace(roles, select=then.select, everything=then.everything, guessed=False)
        roles = replace(roles, group=roles.group or then.group, kind=then.kind if roles.kind == "none" else roles.kind)
    return roles


def _dropped(roles: Roles, message: str, before: Earlier, held: set[int], schema: Schema) -> set[int]:
    """The condition that a message gives up: that whose column or value it names, else one that seems not to stay."""
    for column in sorted(at for at in held if at >= 0):
        if _names(message, column, before, schema):
            return {column}
    if len(kept_wishes(roles, message, before)) < len(before.wishes):
        return set()
    unsure = sorted(held - roles.keep) or sorted(held)
    return set(unsure[-1:])


def _names(message: str, column: int, before: Earlier, schema: Schema) -> bool:
    """Whether a message names a column, or the value that the query before has of it."""
    one, values = schema.fields[column], [told.text for told in before.roles.literals if told.column == column]
    return bool(_stems(message) & _stems(" ".join((one.words, one.described, *one.column.synonyms, *values))))


def _names_any(message: str, before: Earlier, schema: Schema) -> bool:
    """Whether a message names a condition or a wish of the query before."""
    columns = {one.column for one in before.roles.literals} | {column for column, _ in before.roles.where}
    named = any(_names(message, column, before, schema) for column in columns if column >= 0)
    return named or any(_stems(message) & _stems(wish.question) for wish in before.wishes)


def kept_wishes(roles: Roles, message: str, before: Earlier) -> list[Wish]:
    """Return the wishes that stay: all but those that a message which drops something speaks of."""
    if roles.move == "new":
        return []
    if roles.move not in ("drop", "replace"):
        return list(before.wishes)
    words = _stems(message)
    return [one for one in before.wishes if not words & _stems(one.question)]


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in folded(text).split() if len(word) >= _STEM}


def _is_title(column: int, schema: Schema) -> bool:
    return column >= 0 and schema.fields[column].column.name == schema.tables[schema.fields[column].table].title
