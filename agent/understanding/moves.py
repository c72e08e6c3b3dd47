"""What a later message makes of the query before it: each move keeps some parts of it and says the others anew.

The linker says the roles of the whole new query. A part that a move does not change is taken from the query before,
where it is known; docs/decisions/linking.md has how often each part stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.parsing.semantics import english
from agent.understanding.context import Earlier
from agent.understanding.denials import is_denied
from agent.understanding.prose import Wish
from agent.understanding.roles import LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded
from agent.understanding.values import quoted, value_of

SEARCHING = frozenset({"refine", "replace", "drop"})  # moves that change which rows are searched
SHOWN_AS_BEFORE = SEARCHING | {"sort"}  # moves that show the same columns, in the same groups
SAME_ROWS = frozenset({"show", "sort", "aggregate"})  # moves that leave the conditions as they are
ORDERED = SEARCHING | {"show", "row"}  # moves in which an order, and how many rows, stay
NESTED = SHOWN_AS_BEFORE | {"show", "aggregate", "group"}  # moves in which what is nested stays
OPPOSITE = {"=": "!=", "!=": "=", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "like": "!="}
_UP, _DOWN = frozenset({">", ">="}), frozenset({"<", "<="})
_STEM = 4  # letters by which words are alike
_DROPS = re.compile(
    r"\b(?:forget|drop|remove|skip|ignore|never mind|cancel|lose|leave|without|regardless|whatever|any|all|back|"
    r"matters?|care|instead|anywhere|anyone|anything|wherever|whether|either|not (?:just|only)|no need|scrap|undo)\b",
    re.IGNORECASE,
)
_NARROWS = re.compile(
    r"\b(?:just|only|nothing but|alone|instead|rather|hide|remove|drop|without|leave out)\b", re.IGNORECASE
)
_ADDS = re.compile(r"\b(?:also|too|as well|plus|add|along|besides|both)\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:others?|else|elsewhere|rest|besides|except|outside|apart)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:all|full|whole|every\w*|complete|entire|plain)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|start|beginning|original|initial)\b", re.IGNORECASE)


def going_on(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles:
    """Return the roles of a message with what stays of the queries before it, `past`, the last one first."""
    if roles.move == "new":
        return roles
    before = past[0]
    roles = replace(roles, literals=[one for one in roles.literals if _holds(one, before.roles, schema)])
    roles = _with_move(roles, message, before, schema)
    if roles.move == "another":
        return _another(roles, message, past, schema)
    dropped = _dropped(roles, message, before, schema) if roles.move == "drop" else set[int]()
    roles = _with_conditions(roles, before.roles, dropped, schema)
    roles = _with_order(roles, before.roles)
    roles = _with_nesting(roles, before.roles)
    return _with_tables(_with_shown(roles, message, before.roles, schema), before.roles, dropped, schema)


# -- which move ------------------------------------------------------------------------------------------------------


def _with_move(roles: Roles, message: str, before: Earlier, schema: Schema) -> Roles:
    """The roles with the move that what they say amounts to, where that is another than the linker's."""
    then = before.roles
    if roles.move == "drop" and not _DROPS.search(message) and not _names_any(message, before, schema):
        roles = replace(roles, move="refine")
    said = _changes(roles, then)
    shown = {column for column, _ in roles.select} - {column for column, _ in then.select}
    ordered = bool(roles.order or roles.order_count) and not (then.order or then.order_count)
    if roles.move in ("refine", "replace", "show") and not said and ordered and not shown:
        return replace(roles, move="sort")
    if roles.move in ("refine", "replace") and not said and not roles.guessed:
        elsewhere = roles.tables[0] - then.tables[0] - {_table(column, schema) for column in shown if column >= 0}
        return replace(roles, move="show") if roles.select != then.select and not elsewhere else roles
    if roles.move == "show" and said and not shown:
        return replace(roles, move="refine")
    return roles


def _changes(roles: Roles, then: Roles) -> bool:
    """Whether a message says another condition than those of the query before."""
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


# -- conditions ------------------------------------------------------------------------------------------------------


def _with_conditions(roles: Roles, then: Roles, dropped: set[int], schema: Schema) -> Roles:
    """The conditions of the query before that stay, and those that are said: all stay but those that are dropped, and
    those on columns of which the message says another value."""
    told = roles.literals
    if roles.move in SAME_ROWS:
        told = [one for one in told if one.column == LIMIT]
    held = {one.column for one in then.literals} | {column for column, *_ in [*then.where, *then.filled]}
    if roles.move == "drop":
        told = [one for one in told if one.column not in held]
    said = {one.column for one in told if not (roles.move == "refine" and _bounds(one, then))}
    keep = held - said - dropped
    if roles.move == "row" and any(_is_title(column, schema) for column in said):
        keep = set()
    if roles.move == "group":
        keep -= {column for column in held if _is_grouped(column, roles, schema)}
    if roles.move == "compare" and len([one for one in told if one.column in held]) == 1:
        keep |= {one.column for one in told}
    valued = {one.column for one in then.literals}
    flags = [one for one in then.where if one[0] in keep - valued and one not in roles.where]
    where = [one for one in roles.where if one[0] not in dropped or one[0] in said]
    if roles.move in SAME_ROWS | {"drop", "group"}:
        where = [one for one in where if one[0] in keep]
    stays = [one._replace(start=0, stop=0) for one in then.literals if one.column in keep]
    known = {(one.column, one.operator, one.text) for one in stays}
    told = [one for one in told if (one.column, one.operator, one.text) not in known]
    filled = [one for one in then.filled if one[0] in keep and one not in roles.filled]
    either = then.either and not dropped if roles.move not in ("new", "refine") else roles.either
    return replace(
        roles,
        where=[*where, *flags],
        filled=[*roles.filled, *filled],
        literals=[*stays, *told],
        either=either,
    )


def _bounds(literal: Literal, then: Roles) -> bool:
    """Whether a literal bounds a column from the other side than the query before does: over 10, then under 20."""
    held = {one.operator for one in then.literals if one.column == literal.column}
    return bool((literal.operator in _UP and held <= _DOWN) or (literal.operator in _DOWN and held <= _UP)) and bool(
        held
    )


def _is_grouped(column: int, roles: Roles, schema: Schema) -> bool:
    """Whether a condition holds one group of those that are asked for: on the column, or on what names its rows."""
    groups = {*roles.group, *(one for one, aggregate in roles.select if not aggregate and one != ROWS)}
    tables = {_table(one, schema) for one in roles.group if schema.fields[one].primary}
    return column in groups or (column >= 0 and _is_title(column, schema) and _table(column, schema) in tables)


def _dropped(roles: Roles, message: str, before: Earlier, schema: Schema) -> set[int]:
    """The conditions that a message gives up: those whose column or value it names, else one that seems not to stay."""
    then = before.roles
    held = {one.column for one in then.literals} | {column for column, *_ in [*then.where, *then.filled]}
    said = {one.column for one in roles.literals} & held
    named = {column for column in held if column >= 0 and _names(message, column, before, schema)}
    if said | named:
        return said | named
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
    return {word[:_STEM] for word in folded(text).split() if word not in english.function()}


# -- order, groups, nesting ------------------------------------------------------------------------------------------


def _with_order(roles: Roles, then: Roles) -> Roles:
    """The roles with the order, and how many rows: of the message where it sorts, else of the query before."""
    if roles.move == "aggregate":
        return replace(roles, order=[], order_count="", limit=0, skip=0)
    if roles.move in ORDERED and (then.order or then.order_count or not (roles.order or roles.order_count)):
        counted = any(one.column == LIMIT for one in roles.literals if one.stop)
        limit = roles.limit if counted else then.limit
        return replace(roles, order=then.order, order_count=then.order_count, limit=limit, skip=then.skip)
    return _with_measure(roles, then) if roles.move == "sort" else roles


def _with_measure(roles: Roles, then: Roles) -> Roles:
    """A sort in which groups go by what is told of them, where the message names no other column."""
    measures = [(column, aggregate) for column, aggregate in then.select if aggregate or column == ROWS]
    bare = [one for one in roles.order if not one[1]]
    if not measures or (roles.order_count and (ROWS, "") in measures):
        return roles
    own = {column for column, aggregate in then.select if not aggregate} | set(then.group)
    if (roles.order and not bare) or any(column in own for column, *_ in bare):
        return roles
    column, aggregate = next((one for one in measures if one[0] in {at for at, *_ in bare}), measures[-1])
    direction = roles.order_count or (bare[0][2] if bare else "desc")
    if column == ROWS:
        return replace(roles, order=[], order_count=direction)
    return replace(roles, order=[(column, aggregate, direction)], order_count="")


def _with_nesting(roles: Roles, then: Roles) -> Roles:
    """The roles with the groups and the inner query of the query before, in the moves that do not touch them."""
    if roles.move in SHOWN_AS_BEFORE or (roles.move == "show" and then.group):
        having = roles.having if roles.move == "refine" and roles.having else then.having
        count = roles.having_count if roles.move == "refine" and roles.having_count else then.having_count
        roles = replace(roles, group=then.group, having=having, having_count=count, distinct=then.distinct)
    if roles.move in NESTED and (roles.kind == "none" or roles.move != "refine"):
        inner = then.tables[1] if then.kind != "none" else roles.tables[1]
        roles = replace(roles, kind=then.kind, compare=then.compare, tables=(roles.tables[0], inner))
    return roles


# -- what is shown ---------------------------------------------------------------------------------------------------


def _with_shown(roles: Roles, message: str, then: Roles, schema: Schema) -> Roles:
    """The roles with the columns that the move shows."""
    said, before = roles.select, then.select
    if roles.move in SHOWN_AS_BEFORE:
        return replace(roles, select=before, everything=then.everything, guessed=False)
    if roles.move == "show" and not roles.everything:
        return replace(roles, select=_added(said, message, then), guessed=False)
    if roles.move == "row" and not roles.everything:
        asked = [one for one in said if one not in before]
        return replace(roles, select=asked or said)
    if roles.move == "aggregate":
        measures = [one for one in said if one[1] or one[0] == ROWS] or [(ROWS, "")]
        if then.distinct and measures == [(ROWS, "")] and len(before) == 1 and before[0][0] != ROWS:
            measures = [(before[0][0], "count distinct")]
        grouped = [one for one in said if one not in measures and one[0] in roles.group]
        return replace(roles, select=[*grouped, *measures], group=roles.group if grouped else [], distinct=False)
    if roles.move == "group" and roles.group:
        measures = [one for one in said if one[1] or one[0] == ROWS] or [
            one for one in before if one[1] or one[0] == ROWS
        ]
        groups = [one for one in said if not one[1] and one[0] != ROWS and one not in before]
        groups = groups or [one for one in said if not one[1] and one[0] != ROWS]
        groups = groups or [(_title_of(column, schema), "") for column in roles.group]
        new = [one for one in roles.group if one not in then.group] or roles.group
        return replace(roles, select=[*groups, *(measures or [(ROWS, "")])], group=new, guessed=False)
    return roles


def _added(said: list[tuple[int, str]], message: str, then: Roles) -> list[tuple[int, str]]:
    """The columns that a message wants to see: those shown before and new ones, or new ones alone. One that names none
    means what the rows were chosen by: "the oldest bridge", "and how old is it?"."""
    before = then.select
    new = [one for one in said if one not in before]
    if then.everything or (_NARROWS.search(message) and not _ADDS.search(message) and said != before):
        return said
    if not new:
        held = [(one.column, "") for one in then.literals if one.column >= 0 and one.operator != "="]
        ordered = [(column, aggregate) for column, aggregate, _ in then.order]
        new = [one for one in [*ordered, *held] if one not in before][:1]
    return [*before, *new]


def _with_tables(roles: Roles, then: Roles, dropped: set[int], schema: Schema) -> Roles:
    """The roles over the tables of the query before, and those that the new parts need."""
    outer = set(then.tables[0])
    if roles.move in ("compare", "group") or (roles.move == "refine" and not _changes(roles, then)):
        outer |= roles.tables[0]
    needed = {_table(column, schema) for column, _ in roles.select if column != ROWS}
    needed |= {_table(one.column, schema) for one in roles.literals if one.column >= 0 and not one.inner}
    needed |= {_table(column, schema) for column in roles.group}
    needed |= {_table(one[0], schema) for one in roles.order} | {_table(one[0], schema) for one in roles.where}
    if roles.move == "drop":
        outer -= {_table(column, schema) for column in dropped if column >= 0} - needed
    if roles.move == "row" and any(_is_title(one.column, schema) for one in roles.literals if one.stop):
        outer = set(roles.tables[0])
    return replace(roles, tables=(outer | needed, roles.tables[1]))


# -- others than those shown, and going back -------------------------------------------------------------------------


def _another(roles: Roles, message: str, past: Sequence[Earlier], schema: Schema) -> Roles:
    """The row after the one that was shown, or those that the conditions left out. What is shown is what the search
    showed, before somebody asked about one of its rows."""
    before = past[0].roles
    base = next((one.roles for one in past if one.roles.move != "row"), before)
    base = base if base.order == before.order and base.order_count == before.order_count else before
    if before.limit and (before.order or before.order_count):
        number = next((one for one in roles.literals if one.column == LIMIT), None)
        literals = [one for one in before.literals if one.column != LIMIT] + ([number] if number else [])
        shown = 1 if before.limit == 1 else 0
        skip = roles.skip if roles.skip > before.skip else before.skip + max(shown, 1)
        return replace(
            before, move="another", select=base.select, literals=literals, skip=skip, limit=2 if number else 1
        )
    said = [one for one in roles.literals if one.column >= 0]
    if said or not (held := _excluded(roles, before, schema)):
        return _with_tables(_with_conditions(roles, before, set(), schema), before, set(), schema)
    literals = [
        one._replace(operator=OPPOSITE[one.operator], start=0, stop=0) if one.column == held else one
        for one in before.literals
    ]
    where = [(at, OPPOSITE[operator] if at == held else operator) for at, operator in before.where]
    return replace(
        before, move="another", select=base.select, everything=base.everything, literals=literals, where=where
    )


def _excluded(roles: Roles, before: Roles, schema: Schema) -> int | None:
    """The column whose condition the others do not meet: what names rows, else what the linker does not keep, else the
    last one that was said."""
    held = [one.column for one in before.literals if one.column >= 0 and not one.inner]
    held += [column for column, _ in before.where if column not in held]
    titles = [column for column in held if _is_title(column, schema)]
    unsure = [column for column in held if column not in roles.keep]
    return next(iter([*titles, *unsure[-1:], *held[-1:]]), None)


def gone_back(message: str, past: Sequence[Earlier], schema: Schema) -> int:
    """Return which of the queries before a message goes back to: 1 for the one before the last, and so on. It is the
    one whose values or columns it names and the last one has not, or the first one, or the last with fewer
    conditions."""
    said, last = _stems(message), _words_of(past[0], schema)
    for at, one in enumerate(past[1:], 1):
        if said & (_words_of(one, schema) - last):
            return at
    if _FIRST.search(message):
        return len(past) - 1
    if _WHOLE.search(message):
        number = len(_held(past[0]))
        fewer = [at for at, one in enumerate(past[1:], 1) if len(_held(one)) < number]
        return fewer[0] if fewer else 1
    return 1


def gives_up(message: str, before: Earlier, schema: Schema) -> bool:
    """Whether a message that seems to go back denies a condition of the last query: "it need not be heated"."""
    for column in _held(before):
        one = schema.fields[column]
        values = [told.text for told in before.roles.literals if told.column == column]
        for name in [*values, one.words]:
            spot = message.lower().find(name.lower())
            if spot >= 0 and is_denied(message, spot):
                return True
    return False


def _held(one: Earlier) -> set[int]:
    roles = one.roles
    columns = {told.column for told in roles.literals} | {column for column, *_ in [*roles.where, *roles.filled]}
    return {column for column in columns if column >= 0}


def _words_of(one: Earlier, schema: Schema) -> set[str]:
    """The words that a query is about."""
    texts = [told.text for told in one.roles.literals if told.column != LIMIT]
    columns = {column for column, _ in one.roles.select if column != ROWS} | _held(one) | set(one.roles.group)
    texts += [schema.fields[column].words for column in columns]
    texts += ["count"] if (ROWS, "") in one.roles.select else []
    texts += [wish.question for wish in one.wishes]
    return _stems(" ".join(texts))


# -- the schema ------------------------------------------------------------------------------------------------------


def _table(column: int, schema: Schema) -> int:
    return schema.fields[column].table


def _title_of(column: int, schema: Schema) -> int:
    """The column that names the rows of a key's table, or the column itself."""
    one = schema.fields[column]
    if not one.primary:
        return column
    table = schema.tables[one.table]
    return next((at for at in schema.of(one.table) if schema.fields[at].column.name == table.title), column)


def _is_title(column: int, schema: Schema) -> bool:
    return column >= 0 and schema.fields[column].column.name == schema.tables[schema.fields[column].table].title
