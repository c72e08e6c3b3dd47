"""What an annotator says a question asks for, in one line, and whether a query asks for it.

For questions over any table, where `query_slots` knows restaurants only. The line has items joined by ";":

    location=Palo Alto; cuisines=thai,lao; cuisines!=chinese; rating>=4; ~quiet|not loud; order rating DESC; limit 3

- `column=a,b`, `column!=a`, `column>4`, `column empty`: a condition; several values are alternatives. `column` alone:
  any condition on it.
- `~words|other words`: a wish that free text answers, in any of these words.
- `show what`: a column or a question asked of the rows. `order column DIR`, `limit n`.
- `count`, `avg column`, `distinct column`, `by column`: one number, or one for each group.
- `among`: only rows that the talk has settled, or named ones. `table name`: what is searched. `none`: no query at all.
- `?item`: may be there and need not. `any`: whatever else the query asks is right.

*Strict*: every item is met and nothing is added. *Lenient*: the structured items are met and at most one wish or thing
to show is missing or added.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import sqlglot
from rapidfuzz import fuzz
from sqlglot import exp

from agent.parsing.lexicon import load
from agent.text.letters import fold
from hybridchat.research.query_slots import Similarity, Slots, Verdict, means, slots

_CONDITION = re.compile(r"(?P<column>\w+)(?:\s*(?P<op>!=|>=|<=|=|>|<|empty)\s*(?P<values>.*))?$")
_ENTITIES = frozenset({"slug", "code", "course_codes", "name", "title", "id", "program_id"})  # ways to name one thing
_ALIKE = 84  # similarity, out of 100, from which two values are spellings of one
_STATED: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.ILike: "=",
}
_EXPECTED = re.compile(r"(?:average_)?rating DESC|.*similar")  # orders that nobody need ask for
_REVERSED = {"=": "!=", "!=": "=", ">": "<=", "<": ">=", ">=": "<", "<=": ">"}


@dataclass(slots=True)
class Stated:
    """One condition of a query or of a gold line, its values folded."""

    column: str
    op: str
    values: set[str] = field(default_factory=set)

    def fits(self, other: Stated) -> bool:
        """Whether two conditions say the same; one without values stands for any on its column."""
        if self.column != other.column:
            return False
        if not self.values or not other.values:
            return True
        return self.op == other.op and _same(self.values, other.values)


def score(suqls: list[str], gold: str, similarity: Similarity | None = None) -> Verdict:
    """The verdict on the queries of one message."""
    items = [item.strip() for item in gold.split(";") if item.strip()]
    if items == ["none"]:
        return Verdict(not suqls, not suqls, () if not suqls else ("a query",), not suqls)
    if not suqls:
        return Verdict(strict=False, lenient=False, wrong=("no query",))
    try:
        said = [_Said.of(suql) for suql in suqls]
    except sqlglot.ParseError:
        return Verdict(strict=False, lenient=False, wrong=("syntax",))
    hard, soft = _differences(said[0], items, lambda one, other: means(one, other, similarity))
    return Verdict(not hard and not soft, not hard and len(soft) <= 1, (*hard, *soft), not hard)


@dataclass(slots=True)
class _Said:
    """A query as its conditions and the rest of its slots."""

    tables: set[str]
    conditions: list[Stated]
    slots: Slots
    shown: list[str]  # what is selected beside the title
    distinct: list[str]  # the column whose different values are listed
    each: list[str]  # the columns of DISTINCT ON

    @classmethod
    def of(cls, suql: str) -> _Said:
        tree = sqlglot.parse_one(suql, read="postgres")
        distinct, where = tree.args.get("distinct"), tree.find(exp.Where)
        distinct = distinct if isinstance(distinct, exp.Distinct) else None  # a UNION's is a flag
        on = distinct.args.get("on") if distinct is not None else None
        selected = [item.unalias() for item in tree.expressions]
        return cls(
            tables={table.name for table in tree.find_all(exp.Table)},
            conditions=_stated(where) if where else [],
            slots=slots(suql),
            shown=[_shown(item) for item in selected if not isinstance(item, exp.Star)],
            distinct=[column.name for column in tree.expressions] if distinct and len(tree.expressions) == 1 else [],
            each=[column.name for column in on.expressions] if on is not None else [],
        )


def _shown(item: exp.Expr) -> str:
    """A selected column, or the column and the question of an answer."""
    if isinstance(item, exp.Anonymous):
        return " ".join(part.name for part in item.expressions)
    return item.name if isinstance(item, exp.Column) else item.sql()


def _stated(where: exp.Where) -> list[Stated]:
    found: list[Stated] = []
    for node in where.find_all(*_STATED, exp.In, exp.Is):
        left, right = node.this, node.args.get("expression")
        if isinstance(right, exp.Any):
            left, right = right.this.unnest() if isinstance(right.this, exp.Paren) else right.this, left
        if isinstance(left, exp.Anonymous) and str(left.this).lower() == "cardinality":
            found.append(Stated(left.expressions[0].name, "empty"))
        if not isinstance(left, exp.Column) or _widens(node) or _joins(node):
            continue
        if isinstance(node, exp.Is):
            found.append(Stated(left.name, "known" if _above(node, exp.Not) else "empty"))
            continue
        denied = sum(1 for _ in _above(node, exp.Not)) % 2 == 1
        op = _STATED.get(type(node), "=")
        values = node.expressions if isinstance(node, exp.In) else [right]
        one = Stated(
            left.name,
            _REVERSED[op] if denied else op,
            {_folded(value.this) for value in values if isinstance(value, exp.Literal | exp.Boolean)},
        )
        _joined(found, one)
    return found


def _joins(node: exp.Expr) -> bool:
    """Rows of another table are no value, nor is the column that joins it."""
    right = node.args.get("expression")
    return node.args.get("query") is not None or (isinstance(right, exp.Column) and right.name == node.this.name)


def _widens(node: exp.Expr) -> bool:
    """A title that holds the words of a wish only widens the wish it stands beside."""
    return isinstance(node, exp.ILike) and any(call.find(exp.Anonymous) for call in _above(node, exp.Or))


def _joined(found: list[Stated], one: Stated) -> None:
    """Adds a condition; values of one column are gathered, in whatever way the query joins them."""
    entity = one.column in _ENTITIES
    for other in found:
        if (other.column == one.column or (entity and other.column in _ENTITIES)) and other.op == one.op in ("=", "!="):
            other.values |= one.values
            return
    found.append(one)


def _above(node: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    found, parent = [], node.parent
    while parent is not None and not isinstance(parent, exp.Where):
        if isinstance(parent, kind):
            found.append(parent)
        parent = parent.parent
    return found


def _folded(value: object) -> str:
    text = fold(str(value)).strip("% ")
    return _CANONICAL.get(text, f"{float(text):g}" if re.fullmatch(r"\d+(\.\d+)?", text) else text)


_CANONICAL = {
    fold(other): fold(canonical)
    for canonical, others in load("food")["cuisines"].items()
    for other in (canonical, *others)
}


def _same(ours: set[str], theirs: set[str]) -> bool:
    return len(ours) == len(theirs) and all(any(_alike(one, other) for other in theirs) for one in ours)


def _alike(one: str, other: str) -> bool:
    plain = [re.sub(r"\b(?:the|district)\b|,", " ", text) for text in (one, other)]
    return fuzz.token_set_ratio(*plain) > _ALIKE


Meaning = Callable[[str, str], bool]


def _differences(said: _Said, items: list[str], same: Meaning) -> tuple[list[str], list[str]]:
    """The structured items that differ, and the wishes and things shown that do."""
    allowed = [item[1:] for item in items if item.startswith("?")]
    needed = [item for item in items if not item.startswith("?")]
    hard: list[str] = []
    soft: list[str] = []
    left, shown = list(said.conditions), list(said.shown)
    wishes = [*said.slots.dishes, *said.slots.free]
    for item in [*needed, *allowed]:
        word, _, rest = item.partition(" ")
        if word in ("any", "among", "table", "order", "limit", "count", "avg", "distinct", "by"):
            met = _plain(said, word, rest)
            if not met and item in needed:
                hard.append(item)
        elif word == "show":
            met = _shows(said, rest, shown, wishes, same)
            if not met and item in needed:
                soft.append(f"-{rest}")
        elif item.startswith("~"):
            if not _wished(item, wishes, left, same) and item in needed:
                soft.append(f"-{item}")
        else:
            if not _met(item, left) and item in needed:
                hard.append(item)
    if "any" not in items:
        pointed = "among" in items
        hard += [f"+{one.column} {one.op} {', '.join(sorted(one.values))}" for one in left
                 if not (one.column in _ENTITIES and (pointed or one.op == "!="))]  # fmt: skip
        soft += [f"+{wish}" for wish in wishes]
        if said.slots.aggregate and not re.search(r"(?:^|;)\s*\??(count|avg|by|distinct)\b", ";".join(items)):
            hard.append(f"+{said.slots.aggregate}")
        if not said.slots.aggregate and not any(item.lstrip("?").startswith("order") for item in items):
            hard += [f"+order {term}" for term in said.slots.order if not _EXPECTED.match(term)]
    return hard, soft


def _plain(said: _Said, word: str, rest: str) -> bool:
    """Whether a query has an order, a limit, an aggregate, settled rows or a table."""
    if word == "among":
        return any(one.column in _ENTITIES and one.op == "=" for one in said.conditions)
    if word == "table":
        return rest in said.tables
    if word == "order":
        return any(term.lower().startswith(rest.lower()) for term in said.slots.order)
    if word == "limit":
        return said.slots.limit == int(rest)
    if word in ("count", "avg"):
        return word in said.slots.aggregate
    if word == "distinct":
        return any(rest.startswith(column) or column.startswith(rest) for column in said.distinct)
    if word == "by":
        return rest.rstrip("s") in said.slots.aggregate.partition(" by ")[2] or rest in said.each
    return True


def _shows(said: _Said, rest: str, shown: list[str], wishes: list[str], same: Meaning) -> bool:
    for place in (shown, wishes):
        for one in place:
            if fold(one) == rest or rest in one or same(rest.replace("_", " "), one.replace("_", " ")):
                place.remove(one)
                return True
    return False


def _wished(item: str, wishes: list[str], left: list[Stated], same: Meaning) -> bool:
    for words in item[1:].split("|"):
        for one in wishes:
            if same(words, one):
                wishes.remove(one)
                return True
        for stated in left:  # a title that holds the words answers the wish as well
            if stated.column == "title" and any(same(words, value) for value in stated.values):
                left.remove(stated)
                return True
    return False


def _met(item: str, left: list[Stated]) -> bool:
    match = _CONDITION.match(item)
    if match is None:
        raise ValueError(f"{item!r} is no item of a gold line.")
    values = {_folded(value.strip()) for value in (match["values"] or "").split(",") if value.strip()}
    gold = Stated(match["column"], match["op"] or "=", values)
    for one in left:
        entity = gold.column in _ENTITIES and one.column in _ENTITIES
        if gold.fits(Stated(gold.column, one.op, one.values) if entity else one):
            left.remove(one)
            return True
    return False
