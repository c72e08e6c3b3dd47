"""Which move a message makes from the query before it, and to which query it goes back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.parsing.semantics import english
from agent.suql.tree import literal as quoted
from agent.understanding.comparing import compares
from agent.understanding.context import Earlier
from agent.understanding.denials import DENYING, is_denied
from agent.understanding.mentions import at_home
from agent.understanding.pointing import OTHERS, asks_of_shown, shares
from agent.understanding.roles import LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded
from agent.understanding.values import number_in, value_of

_STEM = 4  # letters by which words are alike
_DROPS = re.compile(
    r"\b(?:forget|drop|remove|skip|ignore|never mind|cancel|lose|leave|without|regardless|whatever|any|all|back|"
    r"matters?|care|instead|anywhere|anyone|anything|wherever|whether|either|not (?:just|only)|no need|scrap|undo)\b",
    re.IGNORECASE,
)
NARROWS = re.compile(
    r"\b(?:just|only|nothing but|alone|instead|rather|hide|remove|drop|without|leave out)\b", re.IGNORECASE
)
NEXT = re.compile(
    r"\b(?:next|second|third|2nd|3rd|runner-?\s?up|runners-up|after (?:that|this|it|him|her)|behind)\b", re.IGNORECASE
)
ADDS = re.compile(r"\b(?:also|too|as well|plus|add|along|besides|both)\b", re.IGNORECASE)
_NEED_NOT = re.compile(
    r"\b(?:(?:do|does)(?: not|n'?t)|need(?: not|n'?t)|no need(?: for it)?)(?: have| need)?(?: to)?(?: be)?"
    r"(?: an?| the)? ?$",
    re.IGNORECASE,
)
_UNDOES = re.compile(r"\W*(?:[\w']+\W+){0,4}undo (?:that|this|it|the last)\b", re.IGNORECASE)
_LEAVES = re.compile(
    r"\b(?:aside|away|forget|leave|take|without|regardless|never mind|drop|remove|off)\b", re.IGNORECASE
)
_GIVES_UP = re.compile(
    r"\b(?:aside|away|forget|never mind|scrap|(?:leave|drop|remove)(?! out| any| ones| those| the ones))\b",
    re.IGNORECASE,
)
_LEAVES_OUT = re.compile(r"\b(?:leav(?:e|ing) out|exclud(?:e|ing)|except)\b", re.IGNORECASE)
_ON_TOP = re.compile(r"\b(?:at the|on|on the) top\W*$", re.IGNORECASE)
EACH = re.compile(r"\b(?:each|every|per|by|apiece)\b", re.IGNORECASE)
_TOTALS = re.compile(r"\b(?:average|avg|mean|total|sum|all|together|altogether|overall|how many)\b", re.IGNORECASE)
_AND = re.compile(r"\W*and\b", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:the|that|this|number) (first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th)|one|two|three)"
    r"(?= ones?\b| of (?:them|these|those)\b|\W*$)",
    re.IGNORECASE,
)
_DENIES = re.compile(rf"\W*{DENYING.pattern}", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:all|full|whole|every\w*|complete|entire|plain)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|start|beginning|original|initial)\b", re.IGNORECASE)


def with_move(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles:
    """Return the roles with the move that what they say amounts to, where that is another than the linker's, and
    without values that do not hold. `past` has the queries before, the last one first."""
    before, then = past[0], past[0].roles
    roles = replace(roles, literals=[at_home(one, schema) for one in roles.literals])
    if compares(roles, message, past, schema):
        return replace(roles, move="compare")
    if shares(message, past, schema) is not None:
        return replace(roles, move="another")
    if asks_of_shown(roles, message, before, schema):
        return replace(roles, move="row")
    if roles.move == "new" and _ON_TOP.search(message):
        return replace(roles, move="sort")
    if roles.move == "new":
        follows = _is_next(message, before) and roles.order == then.order and not changes(roles, then)
        return replace(roles, move="another") if follows else roles
    roles = replace(roles, literals=[one for one in roles.literals if _holds(one, then, schema)])
    said = changes(roles, then)
    if _is_next(message, before) or (OTHERS.search(message) and not (said or roles.marks or roles.move == "drop")):
        return replace(roles, move="another")
    if _UNDOES.match(message) and roles.move != "undo":
        return replace(roles, move="undo")
    if roles.move == "undo" and _LEAVES.search(message) and names_any(message, before, schema):
        return replace(roles, move="drop")
    if roles.move in ("refine", "replace") and _GIVES_UP.search(message) and names_wish(message, before):
        return replace(roles, move="drop")
    if roles.move in ("refine", "replace") and _gives_up(message, before, schema, needless=True):
        return replace(roles, move="drop")
    if roles.move == "undo":
        return replace(roles, move="drop") if _gives_up(message, before, schema) else roles
    denied = any(mark.kind in ("not column", "unwanted") for mark in roles.marks)  # "anything that's not heated"
    drops = _DROPS.search(message) and not (denied or _LEAVES_OUT.search(message))
    anew = _DENIES.match(message) and not (_says_again(message, then, schema) or names_wish(message, before))
    if roles.move == "drop" and not drops and (anew or not names_any(message, before, schema)):
        roles = replace(roles, move="refine")
    if spot := _pointed(message, before, schema):
        return replace(roles, move="row", literals=[spot])
    if roles.move in ("row", "show") and before.rows and not (said or then.everything):
        alone = len(before.rows) == 1 and not ADDS.search(message)
        roles = replace(roles, move="row" if alone else "show")
    return _by_measures(_by_what_changes(roles, then, schema, said=said), then, message, said=said)


def _by_measures(roles: Roles, then: Roles, message: str, *, said: bool) -> Roles:
    """A message that asks for totals alone aggregates, beside those of groups it shows more, and one that makes no
    other groups but says a condition refines."""
    told, before = ({one for one in of.select if one[1] or one[0] == ROWS} for of in (roles, then))
    new = [one for one in roles.select if one not in then.select]
    alone = new and set(new) <= told and not (before or roles.group)
    if roles.move == "show" and alone and _TOTALS.search(message) and not EACH.search(message):
        return replace(roles, move="aggregate")
    if roles.move == "aggregate" and then.group and new and not said and (ADDS.search(message) or _AND.match(message)):
        return replace(roles, move="show")
    if (
        roles.move == "group"
        and said
        and then.group
        and not {*roles.group} - {*then.group, *(at for at, _ in then.select)}
    ):
        return replace(roles, move="refine")
    return roles


def _by_what_changes(roles: Roles, then: Roles, schema: Schema, *, said: bool) -> Roles:
    """A message that says no condition refines and replaces none; one that shows nothing else shows nothing."""
    shown = {column for column, _ in roles.select} - {column for column, _ in then.select}
    ordered = bool(roles.order or roles.order_count) and not (then.order or then.order_count)
    if roles.move in ("refine", "replace", "show") and not said and ordered and not shown:
        return replace(roles, move="sort")
    if roles.move in ("refine", "replace") and not said and not roles.guessed:
        elsewhere = roles.tables[0] - then.tables[0] - {schema.table_of(column) for column in shown if column >= 0}
        return replace(roles, move="show") if roles.select != then.select and not elsewhere else roles
    if roles.move == "show" and said and not shown:
        return replace(roles, move="refine")
    return roles


def _is_next(message: str, before: Earlier) -> bool:
    """Whether a message asks for the row after the one that was shown."""
    then = before.roles
    return bool(then.limit and (then.order or then.order_count) and NEXT.search(message) and len(before.rows) < 2)


def _pointed(message: str, before: Earlier, schema: Schema) -> Literal | None:
    """The row that a message means by its place among those that were shown: "the second one"."""
    match = _PLACE.search(message)
    if match is None or len(before.rows) < 2:
        return None
    number = -1 if match[1].lower() == "last" else int(number_in(match[1]) or 1) - 1
    row = before.rows[number] if number < len(before.rows) else {}
    shown = [column for column, aggregate in before.roles.select if column != ROWS and not aggregate]
    shown += schema.titles
    named = sorted(
        (at for at in shown if schema.fields[at].column.kind in NAMED), key=lambda at: not schema.is_title(at)
    )
    values = ((at, row.get(schema.fields[at].column.name)) for at in named)
    return next((Literal(str(value), at, "=", inner=False) for at, value in values if value is not None), None)


def _gives_up(message: str, before: Earlier, schema: Schema, *, needless: bool = False) -> bool:
    """Whether a message denies a condition of the last query ("not heated"), or says that there is no need of it."""
    for column in held_columns(before):
        values = [told.text for told in before.roles.literals if told.column == column]
        for name in [*values, schema.fields[column].words]:
            spot = message.lower().find(name.lower())
            if spot >= 0 and (_NEED_NOT.search(message[:spot]) or (not needless and is_denied(message, spot))):
                return True
    return False


def _says_again(message: str, then: Roles, schema: Schema) -> bool:
    """Whether a message says a value of the query before, or what it has no value of."""
    valued = {one.column for one in then.literals}
    said = any(one.text.lower() in message.lower() for one in then.literals)
    return said or any(names_column(message, column, schema) for column, _ in then.where if column not in valued)


def changes(roles: Roles, then: Roles) -> bool:
    """Return whether a message says another condition than those of the query before."""
    held = {(one.column, one.operator, one.text) for one in then.literals}
    flags = {column for column, *_ in [*then.where, *then.filled]} | {one.column for one in then.literals}
    new = any((one.column, one.operator, one.text) not in held for one in roles.literals if one.column != LIMIT)
    new |= any(column not in flags for column, _ in [*roles.where, *roles.filled])
    return new or roles.having != then.having or (bool(roles.having_count) and roles.having_count != then.having_count)


def _holds(literal: Literal, then: Roles, schema: Schema) -> bool:
    """Whether a literal may take the place of what is known of its column: a word of names has to be a stored value."""
    if literal.column < 0 or not any(one.column == literal.column for one in then.literals):
        return True
    one, stored = schema.fields[literal.column], schema.stored[literal.column]
    if one.column.kind not in NAMED or not stored or literal.operator not in ("=", "!="):
        return True
    column, value = value_of(schema, literal.column, literal.text, literal.operator)
    return column == literal.column and (value != quoted(literal.text) or folded(literal.text) in stored)


def gone_back(message: str, past: Sequence[Earlier], schema: Schema) -> int:
    """Return which of the queries before a message goes back to: 1 for the one before the last, and so on. It is the
    one whose values or columns it names and the last one has not, or the first one, or the last with fewer
    conditions."""
    said, last = stems(message), _words_of(past[0], schema)
    for at, one in enumerate(past[1:], 1):
        if said & (_words_of(one, schema) - last):
            return at
    if _FIRST.search(message):
        return len(past) - 1
    if _WHOLE.search(message):
        number = len(held_columns(past[0]))
        fewer = [at for at, one in enumerate(past[1:], 1) if len(held_columns(one)) < number]
        return fewer[0] if fewer else 1
    return 1


def taken_back(roles: Roles, message: str, before: Earlier) -> Roles:
    """Return the roles of a query that a message goes back to, with fewer of its columns where it wants only some."""
    then = replace(before.roles, move="undo", marks=[])
    few = [one for one in then.select if one in roles.select]
    return replace(then, select=few) if few and NARROWS.search(message) else then


def _words_of(one: Earlier, schema: Schema) -> set[str]:
    """The words that a query is about."""
    texts = [told.text for told in one.roles.literals if told.column != LIMIT]
    columns = {column for column, _ in one.roles.select if column != ROWS} | held_columns(one) | set(one.roles.group)
    texts += [schema.fields[column].words for column in columns]
    texts += ["count"] if (ROWS, "") in one.roles.select else []
    texts += [wish.question for wish in one.wishes]
    return stems(" ".join(texts))


def held_columns(one: Earlier) -> set[int]:
    """Return the columns that a query has conditions on."""
    roles = one.roles
    columns = {told.column for told in roles.literals} | {column for column, *_ in [*roles.where, *roles.filled]}
    return {column for column in columns if column >= 0}


def names_column(message: str, column: int, schema: Schema) -> bool:
    """Return whether a message names a column, by whatever it is called."""
    one = schema.fields[column]
    return bool(stems(message) & stems(" ".join((one.words, *one.column.synonyms))))


def names(message: str, column: int, before: Earlier, schema: Schema) -> bool:
    """Return whether a message names a column, or the value that the query before has of it."""
    one, values = schema.fields[column], [told.text for told in before.roles.literals if told.column == column]
    return bool(stems(message) & stems(" ".join((one.words, one.described, *one.column.synonyms, *values))))


def names_any(message: str, before: Earlier, schema: Schema) -> bool:
    """Return whether a message names a condition or a wish of the query before."""
    columns = {one.column for one in before.roles.literals} | {column for column, _ in before.roles.where}
    named = any(names(message, column, before, schema) for column in columns if column >= 0)
    return named or names_wish(message, before)


def names_wish(message: str, before: Earlier) -> bool:
    """Return whether a message names a wish of the query before."""
    return any(stems(message) & stems(wish.question) for wish in before.wishes)


def stems(text: str) -> set[str]:
    """Return the beginnings of the words that say something, by which words are alike."""
    return {word[:_STEM] for word in folded(text).split() if word not in english.function()}
