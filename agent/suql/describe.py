"""A query in English, written from its tree, so that it cannot claim what was not searched for.

    Italian restaurants in Palo Alto that reviewers call romantic and not noisy, best rated first

Each condition that must hold becomes a `Constraint`, which `without` removes from the query.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Table
from agent.suql import spans
from agent.suql.check import Checked, check
from agent.suql.conditions import Phrasing, shown_as_written
from agent.suql.constraints import BOTH, Constraint, conditions, identity
from agent.suql.nouns import Piece, noun_phrase
from agent.suql.phrases import spoken
from agent.suql.terms import AGGREGATES, aggregated, spoken_term, unit_filled
from agent.suql.tree import conjuncts, inner, write
from agent.suql.voices import Phrase
from agent.text.english import listed

_COMPUTED = (exp.AggFunc, exp.Window, exp.Subquery)
MOST_NAMED = 6  # columns of known rows that a description lists; of more, it says only whose they are
_ORDER_AND_LIMIT = re.compile(r"(?:, [^,]+ first)?(?:, skipping the first \w+)?(?:, \w+ at most)?$")


@dataclass(frozen=True, slots=True)
class Description:
    """The sentence, the same in pieces (text, emphasised), and the conditions it states, one by one.

    `chips` are what a person takes away: the conditions, those that bound one range together.
    """

    text: str
    parts: tuple[Piece, ...]
    constraints: tuple[Constraint, ...]
    chips: tuple[Constraint, ...]


def describe(sql: str, catalogue: Catalogue, titles: Mapping[str, str] | None = None) -> Description:
    """Return what a query searches for, in English. Raises a `QueryError` where the query is not one.

    `titles` names entities that the query picks out by their keys: "Lucerna" rather than "the one already shown".
    """
    checked = replace(check(sql, catalogue), titles=titles or {})
    parts = tuple(_joined(_query(checked.tree, checked)))
    phrasing = _phrasing(checked)
    hold = conditions(checked.tree)
    found = [Constraint(identity(condition), phrasing.label(condition)) for condition in hold]
    chips = [
        Constraint(BOTH.join(found[place].id for place in places), phrase.label)
        for places, phrase in spans.told(hold, phrasing)
    ]
    return Description("".join(text for text, _ in parts).strip(), parts, tuple(found), tuple(chips))


def kind_described(description: str) -> str:
    """What rows a description is about, without how many of them and which come first: "thai restaurants in Palo Alto"
    of "thai restaurants in Palo Alto, best rated first, 3 at most"."""
    return _ORDER_AND_LIMIT.sub("", description)


def _query(node: exp.Expr, checked: Checked) -> list[Piece]:
    while isinstance(node, exp.Subquery):
        node = node.this
    if isinstance(node, exp.SetOperation):
        word = {"union": ", and also ", "intersect": " that are also ", "except": ", but not "}[node.key]
        order = node.args.get("order")
        terms = [spoken_term(term.this) + " from the end" * bool(term.args.get("desc")) for term in order or ()]
        terms = [_quoted(term.this) if name == "value" else name for name, term in zip(terms, order or (), strict=True)]
        ordered = [(f", by {listed(terms, 'then')}", False)] if terms else []
        return [
            *_query(node.this, checked),
            (word, False),
            *_query(node.expression, checked),
            *ordered,
            *_cut(node),
        ]
    assert isinstance(node, exp.Select)
    return _Sentence(node, checked).pieces()


def _phrasing(checked: Checked) -> Phrasing:
    return Phrasing(checked, lambda node: "".join(text for text, _ in _query(node, checked)))


class _Sentence:
    """The sentence of one SELECT."""

    def __init__(self, select: exp.Select, checked: Checked) -> None:
        self.select = select
        self.checked = checked
        self.phrasing = _phrasing(checked)

    def pieces(self) -> list[Piece]:
        where = self.select.args.get("where")
        conditions = list(conjuncts(where.this)) if where else []
        conditions += [condition for join in self.joins() if not join.side for condition in _compared(join)]
        phrases = [phrase for _, phrase in spans.told(conditions, self.phrasing)]
        main = self.main_table()
        if main is not None and not phrases and (words := self.nearest()):
            told = [said for item in self.select.expressions if (said := _wanted(item.this, main))]
            it = "it" if len(told) == 1 and _plain(words) in _plain(told[0]) else f"“{words}”"
            return [(f"{listed(told)} in " if told else "", False), (f"the {main.noun[0]} closest to {it}", True)]
        return [
            *self.opening(main),
            *self.subject(main, phrases),
            *self.joined(),
            *self.grouping(),
            *self.order(),
            *_cut(self.select),
        ]

    def joins(self) -> list[exp.Join]:
        return self.select.args.get("joins") or []

    def counted(self) -> set[str]:
        """Return the columns of which the different values are counted."""
        counts = [node for item in self.select.expressions for node in item.find_all(exp.Count)]
        return {inner(one.this.expressions[0]).name for one in counts if isinstance(one.this, exp.Distinct)}

    def joined(self) -> list[Piece]:
        """Return what is joined beside tables that are matched by equal columns."""
        pieces: list[Piece] = []
        for join in self.joins():
            source = self.checked.names.sources.get(join.this.alias)
            table = source.table if source is not None else None
            told = table.noun[1] if table is not None else self.source(join.this)
            with_ = [self.phrasing.label(condition) for condition in _compared(join)] if join.side else []
            if join.side:
                pieces.append((f", with their {told}, if any{' where ' if with_ else ''}{listed(with_)}", False))
            elif table is None and (element := _element(join)) is not None:
                if join.this.alias not in self.counted():
                    pieces.append((f", for each of their {spoken_term(element)}", False))
            elif table is None:
                pieces.append((f", joined with {told}", False))
            elif join.args.get("on") is None and not join.args.get("using") and not self.is_matched(join.this.alias):
                pieces.append((f", each with all {told}", False))
        return pieces

    def source(self, item: exp.Expr) -> str:
        """Something in FROM that is no table, in words."""
        if isinstance(item, exp.Lateral):
            item = item.this
        if isinstance(item, exp.Subquery):
            return "".join(text for text, _ in _query(item, self.checked))
        ctes = [cte.this for cte in self.checked.tree.find_all(exp.CTE) if cte.alias == item.name]
        return "".join(text for text, _ in _query(ctes[0], self.checked)) if ctes else _quoted(item)

    def is_matched(self, alias: str) -> bool:
        """Does WHERE compare a column of this source with one of another?"""
        where = self.select.args.get("where")
        tables = (
            [{column.table for column in one.find_all(exp.Column)} for one in conjuncts(where.this)] if where else []
        )
        return any(alias in names and len(names) > 1 for names in tables)

    def main_table(self) -> Table | None:
        start = self.select.args.get("from_")
        source = self.checked.names.sources.get(start.this.alias) if start else None
        return source.table if source else None

    def picks(self, main: Table | None) -> bool:
        """Are the rows entities known by name?"""
        where = self.select.args.get("where")
        told = [self.phrasing.phrase(condition).slot for condition in conjuncts(where.this)] if where else []
        return main is not None and "picked" in told

    def tables(self) -> list[Table]:
        items = [self.select.args.get("from_"), *(self.select.args.get("joins") or ())]
        sources = [self.checked.names.sources.get(item.this.alias) for item in items if item is not None]
        return [source.table for source in sources if source is not None and source.table is not None]

    def nearest(self) -> str:
        """Return the words that the one row wanted is to come closest to; "" if the rows are others."""
        order, limit = self.select.args.get("order"), self.select.args.get("limit")
        first = inner(order.expressions[0].this) if order and order.expressions else None
        count = limit.args.get("expression") if limit else None
        if not isinstance(first, exp.Anonymous) or first.name.lower() != "similar":
            return ""
        if any(self.select.args.get(name) for name in ("joins", "offset", "group", "having")):
            return ""
        return str(inner(first.expressions[1]).name) if isinstance(count, exp.Literal) and count.name == "1" else ""

    # what is wanted of the rows

    def opening(self, main: Table | None) -> list[Piece]:
        items = [item for item in self.select.expressions if not self.is_best(item.this, main)]
        wanted = [self.wanted(item.this, main) for item in items if not self.has_to_be(item.this)]
        if self.picks(main) and not any(wanted):
            named = [_column_of(item.this, main) for item in self.select.expressions]
            wanted = named if len(named) <= MOST_NAMED else []
        told = list(dict.fromkeys(words for words in wanted if words))
        if not told:
            return []
        link = (
            " for " if any(isinstance(inner(item.this), exp.Anonymous) for item in self.select.expressions) else " of "
        )
        return [(listed(told) + link, False)]

    def by_key(self, main: Table | None) -> bool:
        """Are the rows those of the main table, each with the rows of other tables that it is joined with?"""
        group = self.select.args.get("group")
        origins = [self.checked.names.origin(term) for term in group.expressions] if group else []
        known = [one.name for one in origins if one is not None and one.table is main]
        return main is not None and bool(main.key) and set(main.key) <= set(known) and len(known) == len(origins)

    def is_best(self, node: exp.Expr, main: Table | None) -> bool:
        """Is it the highest or lowest value of the rows that a row of the main table is joined with?"""
        return isinstance(inner(node), exp.Max | exp.Min) and self.by_key(main)

    def wanted(self, node: exp.Expr, main: Table | None) -> str:
        """Return what a selected expression asks for, where it is more than a column; as SQL where it has no words."""
        words = _wanted(node, main)
        filtered = node.find(exp.Filter)
        if words and filtered is not None:
            told = [self.phrasing.label(condition) for condition in conjuncts(filtered.expression.this)]
            return f"{words} where {listed(told)}"
        if words or not any(isinstance(part, _COMPUTED) or part.meta.get("ask") for part in node.walk()):
            return words
        if isinstance(inner(node), exp.Subquery):
            return "".join(text for text, _ in _query(node, self.checked))
        return _quoted(node)

    def has_to_be(self, node: exp.Expr) -> bool:
        """Is it asked for as a condition as well? `answer(body, 'q')` of those where it IS NOT NULL."""
        where = self.select.args.get("where")
        told = list(conjuncts(where.this)) if where else []
        wanted = inner(node.unalias())
        return any(isinstance(one, exp.Not) and _is_null(inner(one.this), wanted) for one in told)

    def subject(self, main: Table | None, phrases: list[Phrase]) -> list[Piece]:
        if main is None:
            inside = self.inside()
            rest = [phrase for phrase in phrases if phrase.text]
            return [*inside, *([(" where ", False), (listed([phrase.label for phrase in rest]), True)] if rest else [])]
        mine = [phrase for phrase in phrases if phrase.table is None or phrase.table is main]
        pieces = noun_phrase(main, mine)
        for table in dict.fromkeys(self.tables()):
            theirs = [phrase for phrase in phrases if phrase.table is table and table is not main]
            if theirs:
                pieces += [(" with ", False), *noun_phrase(table, theirs)]
        return pieces

    def inside(self) -> list[Piece]:
        """Return the description of the subquery or CTE that the rows come from."""
        start = self.select.args.get("from_")
        if start is None:
            return [("one computed row", False)]
        if isinstance(start.this, exp.Subquery):
            return _query(start.this.this, self.checked)
        for cte in self.checked.tree.find_all(exp.CTE):
            if isinstance(start.this, exp.Table) and cte.alias == start.this.name:
                if self.select.find_ancestor(exp.CTE) is cte:  # WITH RECURSIVE
                    return [("what follows from them", False)]
                return _query(cte.this, self.checked)
        return [("rows", False)]

    # how they are grouped, ordered, cut

    def grouping(self) -> list[Piece]:
        group, pieces = self.select.args.get("group"), list[Piece]()
        if group and not self.by_key(self.main_table()):
            terms = [self.term(term) for term in group.expressions]
            sets = [_quoted(one) for name in ("rollup", "cube", "grouping_sets") for one in group.args.get(name) or ()]
            pieces = [(", for each ", False), (listed([*terms, *sets]), False)]
        having = self.select.args.get("having")
        if having:
            told = listed([self.phrasing.label(condition) for condition in conjuncts(having.this)])
            pieces += [(" where ", False), (told, True)]
        return pieces

    def order(self) -> list[Piece]:
        order, distinct = self.select.args.get("order"), self.select.args.get("distinct")
        on = distinct.args.get("on") if distinct else None
        each = on.expressions if on is not None else []
        terms = order.expressions[len(each) :] if order else []
        pieces = [(f", one for each {listed([spoken_term(term) for term in each])}", False)] if each else []
        further = [term for term in terms[1:] if not self.goes_without_saying(term)]
        told = [self.ordered(term) for term in [*terms[:1], *further]]
        return [*pieces, *([(f", {', then '.join(told)}", False)] if terms else [])]

    def goes_without_saying(self, term: exp.Ordered) -> bool:
        """Does it only break ties: by a key, or by what rows are ordered by anyway?"""
        origin = self.checked.names.origin(inner(term.this))
        if origin is None or origin.column is None or origin.table is None:
            return inner(term.this).find(exp.Anonymous) is None and not isinstance(inner(term.this), exp.Column)
        name, table = origin.column.name, origin.table
        return name in (*table.key, table.entity, table.title) or name in re.findall(r"\w+", table.order)

    def term(self, node: exp.Expr) -> str:
        """Return a value's name; its SQL where it has none."""
        name = spoken_term(node)
        return _quoted(node) if name == "value" else name

    def ordered(self, term: exp.Ordered) -> str:
        down = bool(term.args.get("desc"))
        node = inner(term.this)
        while isinstance(node, exp.Cast) or self.is_best(node, self.main_table()):
            node = inner(node.this)
        if self.is_distance(node):
            return f"{'farthest' if down else 'nearest'} first"
        if left := self.what_is_left(node):
            return f"{'most' if down else 'fewest'} {left} left first"
        while isinstance(node, exp.Add) and any(node.find_all(exp.Anonymous)):
            node = inner(node.this)
        if isinstance(node, exp.Anonymous) and str(node.this).lower() == "similar":
            return f"closest to “{inner(node.expressions[1]).name}” first"
        if isinstance(node, exp.Anonymous) and node.meta.get("ask"):
            return f"{'highest' if down else 'lowest'} answer to “{node.meta['ask'].question}” first"
        origin = self.checked.names.origin(node)
        name = self.term(node)
        if origin is not None and origin.column is not None:
            if origin.column.name == "rating" or origin.column.unit == "stars":
                return f"{'best' if down else 'worst'} rated first"
            if origin.column.name.startswith("num_") or isinstance(node, exp.Count):
                return f"{'most' if down else 'fewest'} {name} first"
            if origin.column.kind.value == "ENUM" and origin.column.values:
                return f"{origin.column.values[-1 if down else 0]} first"
            if origin.column.kind.value in ("TEXT", "ENUM", "LOCATION"):
                return f"by {name}" + (" from the end" if down else "")
            if origin.column.kind.value in ("DATE", "TIME"):
                return f"{'latest' if down else 'earliest'} {name} first"
        return f"{'highest' if down else 'lowest'} {name} first"

    def what_is_left(self, node: exp.Expr) -> str:
        """Of how many there are less how many are taken, what they are: "seats"; "" for anything else."""
        if not isinstance(node, exp.Sub):
            return ""
        origins = [self.checked.names.origin(inner(side)) for side in (node.this, node.expression)]
        columns = [origin.column for origin in origins if origin is not None and origin.column is not None]
        return unit_filled(columns[1], columns[0]) if len(columns) == 2 else ""

    def is_distance(self, node: exp.Expr) -> bool:
        """Is it reckoned from where a row lies?"""
        read = {column.name for column in node.find_all(exp.Column)}
        places = [table.geo for table in self.tables() if table.geo is not None]
        return any(read == {geo.latitude, geo.longitude} for geo in places)


def _cut(node: exp.Query) -> list[Piece]:
    """How many rows are left out at the beginning, and how many there are at most."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    count = (limit.args.get("expression") or limit.args.get("count")) if limit else None
    skipped = offset.expression if offset else None
    pieces: list[Piece] = []
    if skipped is not None and skipped.name != "0":
        pieces.append((f", skipping the first {_counted(skipped)}", False))
    if count is not None and not isinstance(count, exp.Null):
        pieces.append((f", {_counted(count)} at most", False))
    return pieces


def _counted(node: exp.Expr) -> str:
    return ("one" if node.name == "1" else node.name) if isinstance(node, exp.Literal) else _quoted(node)


def _compared(join: exp.Join) -> list[exp.Expr]:
    """The conditions of a join beside those that columns are equal."""
    on = join.args.get("on")
    return [one for one in conjuncts(on) if not _is_match(one)] if on is not None else []


def _is_match(node: exp.Expr) -> bool:
    sides = (inner(node.this), inner(node.expression)) if isinstance(node, exp.EQ) else ()
    return (bool(sides) and all(isinstance(side, exp.Column) for side in sides)) or isinstance(node, exp.Boolean)


def _quoted(node: exp.Expr) -> str:
    """A part that there are no words for, as SQL."""
    return f"“{shown_as_written(node)}”"


def _plain(text: str) -> str:
    """The words alone."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _is_null(condition: exp.Expr, wanted: exp.Expr) -> bool:
    return (
        isinstance(condition, exp.Is)
        and isinstance(condition.expression, exp.Null)
        and write(inner(condition.this)) == write(wanted)
    )


def _column_of(node: exp.Expr, main: Table | None) -> str:
    """ "the phone number", for a selected column that is not what the entity is known by."""
    node = inner(node.unalias())
    if not isinstance(node, exp.Column) or main is None or node.name in (main.title, main.entity, *main.key):
        return ""
    return f"the {spoken(node.name)}"


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbouring pieces of the same emphasis become one."""
    joined: list[Piece] = []
    for text, emphasised in pieces:
        if joined and joined[-1][1] == emphasised:
            joined[-1] = (joined[-1][0] + text, emphasised)
        elif text:
            joined.append((text, emphasised))
    return joined


def _element(join: exp.Join) -> exp.Column | None:
    """The column of whose lists the elements are joined, each as a row."""
    lists = join.this.expressions if isinstance(join.this, exp.Unnest) and not join.args.get("on") else []
    column = inner(lists[0]) if len(lists) == 1 else None
    return column if isinstance(column, exp.Column) else None


def _wanted(node: exp.Expr, main: Table | None) -> str:
    """What a selected expression asks for, where it is more than a column."""
    node = inner(node)
    while isinstance(node, exp.Cast | exp.Round | exp.Coalesce | exp.Filter):
        node = inner(node.this)
    if isinstance(node, exp.Anonymous) and node.meta.get("ask"):
        ask = node.meta["ask"]
        about = spoken_term(node.expressions[0])
        return f"a summary of the {about}" if ask.summary else f"the answer to “{ask.question}”"
    if isinstance(node, exp.Count) and node.this is not None:
        counted = inner(node.this.expressions[0]) if isinstance(node.this, exp.Distinct) else inner(node.this)
        if isinstance(counted, exp.Star) or (main is not None and counted.name in (*main.key, main.entity)):
            return "the number"
        return (
            f"the number of different {spoken_term(counted)} values"
            if isinstance(node.this, exp.Distinct)
            else "the number"
        )
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PercentileCont) and node.this.this.name == "0.5":
        return f"the median {spoken_term(node.expression.expressions[0].this)}"
    if type(node) in AGGREGATES:
        return aggregated(node)
    return ""
