"""The statements the executor runs: parts of the query, with what is known put in the place of the calls.

A call becomes a lookup in a parameter, a JSON object from content hash to value:

    answer(r.reviews, 'q')   →   jsonb_extract_path_text($1::jsonb, md5(to_jsonb(r.reviews)::text))

so that PostgreSQL computes every row, and an answer not yet known can be told from an answer that is NULL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg.types.json import Jsonb
from sqlglot import exp

from agent.protocols.errors import NotAllowed
from agent.suql.asking import Asking
from agent.suql.calls import Ask, asked
from agent.suql.laziness import guarded
from agent.suql.logic import AsSql, Formula, Leaf
from agent.suql.names import Names, Scope
from agent.suql.passages import ROWS
from agent.suql.passes.order_rows import key_terms
from agent.suql.scopes import Block, calls_in, scopes_in
from agent.suql.similarity import Similarity, is_ranking
from agent.suql.tree import conjuncts, inner, own_nodes, position, quoted, raw, write
from agent.suql.walking import copied, every, nodes
from agent.suql.writing import Writer


class Statement:
    """Writes one statement and collects its parameters."""

    def __init__(
        self, names: Names, blocks: dict[int, Block], resolved: set[int], asking: Asking, similarity: Similarity
    ) -> None:
        self._names = names
        self._blocks = blocks
        self._resolved = resolved
        self._asking = asking
        self._similarity = similarity
        self._maps: dict[Ask, str] = {}
        self._shared: dict[int, str] = {}
        self._hashed: dict[str, str] = {}  # contents whose hash is computed once for each row, and its name
        self._written: dict[tuple[int, int], str] = {}  # parts that occur several times
        self._writer = _Lookup(self)
        self.parameters: list[Any] = []

    # -- parameters --------------------------------------------------------------------------------------------------

    def parameter(self, value: Any) -> str:
        """Return a value as `$n`."""
        self.parameters.append(value)
        return f"${len(self.parameters)}"

    def _map(self, ask: Ask) -> str:
        if ask not in self._maps:
            self._maps[ask] = self.parameter(Jsonb(self._asking.known.get(ask, {}))) + "::jsonb"
        return self._maps[ask]

    def shared(self, value: Any) -> str:
        """Return a value as a parameter that is sent once, however often it is used."""
        if id(value) not in self._shared:
            self._shared[id(value)] = self.parameter(value)
        return self._shared[id(value)]

    # -- calls -------------------------------------------------------------------------------------------------------

    def hash(self, call: exp.Expr) -> str:
        """The hash of the content a call is asked of; NULL where there is no content, or nothing depends on it."""
        return guarded(call, self._md5(self.content(call)), self.text)

    def hash_once(self, calls: Iterable[exp.Expr]) -> None:
        """From here on, `over` computes the hash of each column or pair that is read once for a row."""
        for call in calls:
            name = str(call.this).lower()
            plain = name == "same" or (name in ("answer", "summary") and not asked(call).built)
            read = call.expressions if name == "same" else call.expressions[:1]
            if plain and all(isinstance(inner(argument), exp.Column) for argument in read):
                self._hashed.setdefault(self.content(call), f'"_h"."h{len(self._hashed)}"')

    def hashes(self, *, alone: bool = False) -> str:
        """Return what `hash_once` promised, as an item of FROM (the only one, if `alone`); "" for nothing."""
        columns = [f"md5({content}::text) AS {name.partition('.')[2]}" for content, name in self._hashed.items()]
        joined = " FROM" if alone else " CROSS JOIN LATERAL"
        return f'{joined} (SELECT {", ".join(columns)} OFFSET 0) AS "_h"' if columns else ""

    def _md5(self, content: str) -> str:
        return self._hashed.get(content) or f"md5({content}::text)"

    @contextmanager
    def _hashing_everywhere(self) -> Iterator[None]:
        """For parts of a statement that cannot see its hashes."""
        kept, self._hashed = self._hashed, {}
        try:
            yield
        finally:
            self._hashed = kept

    def content(self, call: exp.Expr) -> str:
        """The content a call is asked of, as JSON."""
        place = (id(call), len(self._hashed))
        if place not in self._written:
            self._written[place] = self._content(call, [self.text(argument) for argument in call.expressions])
        return self._written[place]

    def _content(self, call: exp.Expr, arguments: list[str]) -> str:
        """The same, with the arguments as SQL."""
        if other := self._along(call):
            text = f"array_remove(array_append({arguments[0]}, {other}::text), NULL)"
            arguments = [f"nullif({text}, '{{}}'::text[])", *arguments[1:]]
        return _content(call, arguments)

    def _along(self, call: exp.Expr) -> str:
        """The text that is read along with the list of texts in a call; "" for none, or where rows are grouped."""
        column, select = inner(call.expressions[0]), call.find_ancestor(exp.Select)
        if asked(call).summary or not isinstance(column, exp.Column) or select is None or select.args.get("group"):
            return ""
        origin, source = self._names.origin(column), self._names.sources.get(column.table)
        if origin is None or origin.column is None or source is None or source.table is None:
            return ""
        other = source.table.column(origin.column.along)
        return f"{quoted(source.alias)}.{quoted(other.name)}" if other is not None else ""

    def known(self, call: exp.Expr) -> str:
        """Is the call's value known (a call on NULL is NULL, and needs none)?"""
        if not self._asking.known.get(asked(call)) and isinstance(inner(call.expressions[0]), exp.Column):
            hashed = guarded(call, self.content(call), self.text)
            return f"({hashed} IS NULL)"
        return f"coalesce(jsonb_exists({self._map(asked(call))}, {self.hash(call)}), TRUE)"

    def open(self, call: exp.Expr, hashed: str) -> str:
        """Is there a value to ask for, where the content's hash is a column? Not for texts that cannot be read."""
        ask = asked(call)
        unread = [content for other, content in self._asking.unread if other == ask]
        test = f"({hashed} IS NOT NULL AND NOT jsonb_exists({self._map(ask)}, {hashed}))"
        return f"({test} AND {hashed} <> ALL ({self.parameter(unread)}::text[]))" if unread else test

    # -- text --------------------------------------------------------------------------------------------------------

    def text(self, node: exp.Expr) -> str:
        """The expression or query as SQL, its calls looked up and its unfinished SELECTs reduced to certain rows."""
        return self._writer.write(node)

    def looked_up(self, call: exp.Expr, arguments: list[str]) -> str:
        """The value of a call, with its arguments as SQL."""
        return f"jsonb_extract_path_text({self._map(asked(call))}, {self._md5(self._content(call, arguments))})"

    def score(self, call: exp.Expr) -> str:
        """Return what a ranking function gives."""
        return self._similarity.score(call, self)

    def reduced(self, where: exp.Where) -> str | None:
        """Return the condition of a SELECT of which not every row was looked at: only certain rows count."""
        scope = where.parent.meta.get("scope", 0) if where.parent is not None else 0
        block = self._blocks.get(scope)
        return self.kept(block.where) if block is not None and block.partial and block.where is not None else None

    def certain(self, found: Formula) -> str:
        """The condition holds, whatever is still unknown."""
        return AsSql(self._leaf, self._leaf_known).certain(found)

    def dead(self, found: Formula) -> str:
        """The condition cannot hold any more."""
        return AsSql(self._leaf, self._leaf_known).dead(found)

    def kept(self, found: Formula) -> str:
        """`certain`, for WHERE."""
        return AsSql(self._leaf, self._leaf_known).kept(found, open_too=False)

    def alive(self, found: Formula) -> str:
        """The condition holds or can still hold, for WHERE."""
        return AsSql(self._leaf, self._leaf_known).kept(found, open_too=True)

    def _leaf(self, leaf: Leaf) -> str:
        place = (id(leaf.node), len(self._hashed))
        if place not in self._written:
            self._written[place] = self.text(leaf.node)
        return self._written[place]

    def _leaf_known(self, leaf: Leaf) -> str:
        if not leaf.free:
            return ""
        if self.waits(leaf):
            return "FALSE"
        return " AND ".join(self.known(call) for call in calls_in(leaf.node)) or ""

    def waits(self, leaf: Leaf) -> bool:
        """Does the leaf hold a subquery whose answers are not all asked yet?"""
        return any(
            number not in self._resolved and self._blocks[number].needs_answers for number in scopes_in(leaf.node)
        )

    # -- whole statements ----------------------------------------------------------------------------------------------

    def over(
        self,
        scope: Scope,
        items: Sequence[str],
        conditions: Iterable[str] = (),
        *,
        places: int | None = None,
        crossed: int | None = None,
        tail: str = "",
        only: str = "",
        most: int | None = None,
    ) -> str:
        """Return a SELECT of `items` over the rows of a scope's FROM clause, or of its first `places` items.

        `crossed` names a join that is to give all pairs. A correlated scope is put beside the rows of those around it
        that may still be in the result. `only` is a condition on the items (c0, c1, …), `most` a limit for all.
        """
        named = [f"{item} AS c{number}" for number, item in enumerate(items)]
        rows = self._from(scope, places, crossed)
        core = f"SELECT {', '.join(named)}{rows}{self.hashes(alone=not rows)}{_where(conditions)}{tail}"
        core = f"SELECT * FROM ({core}) AS _first WHERE {only}" if only else core
        level = scope
        while level.outer and level.parent is not None:
            parent = level.parent
            places, crossed, conditions = self._around(level, parent)
            around = self._from(parent, places, crossed) or " FROM (SELECT) AS _none"
            core = (
                f"SELECT _s{level.number}.*{around} CROSS JOIN LATERAL ({core}) AS _s{level.number}{_where(conditions)}"
            )
            level = parent
        return self._with(scope) + core + (f" LIMIT {most}" if most is not None else "")

    def _around(self, inner: Scope, parent: Scope) -> tuple[int | None, int | None, list[str]]:
        """Which rows of the parent a subquery sees: those of the FROM items before it, or those WHERE lets through."""
        block = self._blocks[parent.number]
        for name, numbers in block.children.items():
            if inner.number in numbers and ":" in name:
                place = int(name.partition(":")[2])
                with self._hashing_everywhere():
                    before = self.before(parent, place)
                return (place, None, before) if name.startswith("from") else (place + 1, place, before)
        where = parent.select.args.get("where")
        if where is None:
            return None, None, []
        with self._hashing_everywhere():
            condition = self.alive(block.where) if block.where is not None else self.text(where.this)
        return None, None, [condition]

    def before(self, scope: Scope, place: int) -> list[str]:
        """What WHERE asks of the first items of FROM alone: rows that fail it are in no result, whatever is joined."""
        where, start = scope.select.args.get("where"), scope.select.args.get("from_")
        joins = scope.select.args.get("joins") or []
        if where is None or start is None or any(join.side in ("RIGHT", "FULL") for join in joins):
            return []
        seen = {item.this.alias for item in [start, *joins][:place]}
        found = []
        for part in conjuncts(where.this):
            parts = nodes(part)
            columns = {node.table for node in parts if isinstance(node, exp.Column)}
            plain = not any(node.meta.get("ask") or isinstance(node, exp.Query | exp.Var) for node in parts)
            if columns and columns <= seen and plain:
                found.append(self.text(part))
        return found

    def _from(self, scope: Scope, places: int | None, crossed: int | None) -> str:
        start = scope.select.args.get("from_")
        if start is None or places == 0:
            return ""
        joins = list(scope.select.args.get("joins") or ())
        joins = joins if places is None else joins[: places - 1]
        if crossed is not None:
            joins[crossed - 1] = _crossed(joins[crossed - 1])
        with self._hashing_everywhere():
            return "".join(f" {self.text(item)}" for item in [start, *joins])

    def _with(self, scope: Scope) -> str:
        """The CTEs in sight of a scope, outer ones first."""
        found = _ctes(scope.select)
        return f"WITH {_recursive(found)}{', '.join(map(self.text, found))} " if found else ""

    def output(self, select: exp.Select) -> str:
        """Return what a row gives, as one text: rows that give the same have the same."""
        return f"ROW({', '.join(self.text(item.this) for item in select.expressions)})::text"

    def order(self, select: exp.Select) -> str:
        """Its ORDER BY clause; ties of rows that DISTINCT makes one are broken by the keys."""
        order = select.args.get("order")
        terms = [self.text(term) for term in order.expressions] if order else []
        if select.meta.get("distinct"):
            terms += [self.text(term) for term in key_terms(self._names, select)]
        return f" ORDER BY {', '.join(terms)}" if terms else ""


def plain_sql(names: Names, query: exp.Expr, what: str) -> str:
    """Return a subquery by itself, with the CTEs it can see, where it needs no answers and no row around it.

    Raises `NotAllowed`, with `what` the subquery is for, where it does need them.
    """
    select = query.find(exp.Select)
    assert select is not None
    ctes = _ctes(select)
    if any(node.meta.get("ask") or is_ranking(node) for part in [query, *ctes] for node in nodes(part)):
        raise NotAllowed(f"The query in {what} is plain SQL, without reading or searching texts.", "", position(query))
    inside = {found.meta["scope"] for found in every(query, exp.Select) if "scope" in found.meta}
    mine = {alias for scope in names.scopes if scope.number in inside for alias in _aliases(scope)}
    if any(scope.outer - mine for scope in names.scopes if scope.number in inside):
        raise NotAllowed(
            f"The query in {what} is the same for every row; it cannot look at the row.", "", position(query)
        )
    sql = write(query.this if isinstance(query, exp.Subquery) else query)
    return f"WITH {_recursive(ctes)}{', '.join(map(write, ctes))} {sql}" if ctes else sql


def plain_value(names: Names, value: exp.Expr, what: str) -> str:
    """Return an expression that stands outside of any row, its subqueries included. Raises `NotAllowed`."""
    if any(isinstance(node, exp.Column) for node in own_nodes(value)):
        raise NotAllowed(f"{what} takes a number; it cannot look at a row.", "", position(value))
    if any(node.meta.get("ask") for node in own_nodes(value)):
        raise NotAllowed(f"{what} takes a number; it cannot be read from a text.", "", position(value))
    holder = exp.Paren(this=copied(value))
    for twin, original in zip(every(holder, exp.Subquery), every(value, exp.Subquery), strict=True):
        if twin.find_ancestor(exp.Subquery) is None:
            twin.replace(raw(f"({plain_sql(names, original, what)})"))
    return write(holder.this)


class _Lookup(Writer):
    """Writes trees with lookups in the place of the calls."""

    __slots__ = ("_statement",)

    def __init__(self, statement: Statement) -> None:
        super().__init__()
        self._statement = statement

    def anonymous_sql(self, node: exp.Anonymous) -> str:
        if node.meta.get("ask"):
            return self._statement.looked_up(node, [self.sql(argument) for argument in node.expressions])
        return self._statement.score(node) if is_ranking(node) else super().anonymous_sql(node)

    def where_sql(self, node: exp.Where) -> str:
        reduced = self._statement.reduced(node)
        return super().where_sql(node) if reduced is None else f" WHERE {reduced}"


def _aliases(scope: Scope) -> set[str]:
    return {source.alias for source in scope.sources.values()}


def _recursive(ctes: Sequence[exp.Expr]) -> str:
    return "RECURSIVE " if any(cte.parent is not None and cte.parent.args.get("recursive") for cte in ctes) else ""


def _ctes(select: exp.Expr) -> list[exp.Expr]:
    """The CTEs in sight of a SELECT, outer ones first."""
    found: list[exp.Expr] = []
    node: exp.Expr | None = select
    while node is not None:
        clause = node.args.get("with_") if isinstance(node, exp.Query) else None
        if clause is not None:
            found = [*_before(clause, select), *found]
        node = node.parent
    return found


def _crossed(join: exp.Expr) -> exp.Expr:
    """The join, giving all pairs."""
    crossed = copied(join)
    for name, value in (("on", None), ("side", None), ("using", None), ("kind", "CROSS")):
        crossed.set(name, value)
    return crossed


def _content(call: exp.Expr, arguments: list[str]) -> str:
    """What a call reads, as JSON: a text or list of texts, the rows of a query, a pair, or a text and its question."""
    name = str(call.this).lower()
    if name in ("answer_all", "validate"):
        rows = f"SELECT * FROM {arguments[0]} AS _t LIMIT {ROWS + 1}"
        return f"(SELECT jsonb_agg(to_jsonb(_r)) FROM ({rows}) AS _r)"
    if name == "same":
        return f"nullif(jsonb_build_array({arguments[0]}, {arguments[1]}), '[null, null]'::jsonb)"
    constant = isinstance(call.expressions[0], exp.Literal | exp.Null)
    text = f"to_jsonb(({arguments[0]})::text)" if constant else f"to_jsonb({arguments[0]})"
    if asked(call).built:
        question = f"({arguments[1]})::text"
        pair = f"jsonb_build_object('text', {text}, 'question', {question})"
        return f"CASE WHEN {text} IS NOT NULL AND {question} IS NOT NULL THEN {pair} END"
    return text


def _before(clause: exp.Expr, select: exp.Expr) -> list[exp.Expr]:
    """The CTEs of a WITH that a SELECT can see: all, or those before the CTE that holds it."""
    seen: list[exp.Expr] = []
    for cte in clause.expressions:
        if any(found is select for found in nodes(cte)):
            break
        seen.append(cte)
    return seen


def _where(conditions: Iterable[str]) -> str:
    found = [condition for condition in conditions if condition]
    return f" WHERE {' AND '.join(f'({condition})' for condition in found)}" if found else ""
