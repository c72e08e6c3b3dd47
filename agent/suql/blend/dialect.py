"""SQLite's ways in PostgreSQL's words: only where the same text means something else, or nothing, in PostgreSQL.

LIKE is blind to case, true is 1, `"text"` may be a string, a JOIN needs no ON, `documents MATCH 'words'` searches text
(FTS5) and `rank` orders by how well it did. What SQLite has and SUQL has not is refused later, by the allow-list.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Kind, Table
from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql.blend.affinity import spell_types
from agent.suql.blend.dates import spell_dates
from agent.suql.blend.printf import spell_printf
from agent.suql.blend.sources import enclosing_select, sources, table_of
from agent.suql.blend.truths import spell_truths
from agent.suql.tree import inner, position

_ROW = {"rowid", "_rowid_", "oid"}
_STANDS_ALONE = (exp.Select, exp.Alias, exp.Ordered, exp.Group, exp.Subquery)


def adapt(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Rewrite the tree in place. Raises `NotAllowed` or `TypeMismatch` for what cannot be said in PostgreSQL."""
    known = _names(tree, catalogue)
    for node in list(tree.walk()):
        if isinstance(node, exp.Column) and _is_text(node, known):
            node.replace(exp.Literal.string(node.name))
        elif isinstance(node, exp.Column) and node.name.lower() in _ROW - known:
            _row_number(node, catalogue)
    for node in list(tree.walk()):
        if isinstance(node, exp.Match | exp.MatchAgainst):
            _search(node, catalogue)
    spell_dates(tree, catalogue)
    for node in list(tree.walk()):
        rewrite = _REWRITINGS.get(type(node))
        if rewrite is not None:
            rewrite(node)
    spell_truths(tree, catalogue)
    spell_types(tree, catalogue)


# -- names and strings ---------------------------------------------------------------------------------------------


def _names(tree: exp.Expr, catalogue: Catalogue) -> set[str]:
    """Every name a column in the query can have, in lower case."""
    known = {column.name for table in catalogue for column in table.columns} | {table.name for table in catalogue}
    for node in tree.walk():
        if isinstance(node, exp.Alias | exp.TableAlias | exp.Table):
            known.add(node.alias_or_name)
        if isinstance(node, exp.TableAlias):
            known.update(column.name for column in node.args.get("columns") or ())
    return {name.lower() for name in known}


def _is_text(node: exp.Column, known: set[str]) -> bool:
    """`"italian"` is a string where there is no such column; where only a column makes sense, it is a typo."""
    if node.table or not isinstance(node.this, exp.Identifier) or not node.this.quoted:
        return False
    return node.name.lower() not in known and not isinstance(node.parent, _STANDS_ALONE)


def _row_number(node: exp.Column, catalogue: Catalogue) -> None:
    """`rowid` is the key of the table, where that is one column."""
    select = enclosing_select(node)
    items = [table_of(node.table, select)] if node.table and select else list(sources(select)) if select else []
    table = catalogue.table(items[0].name) if len(items) == 1 and isinstance(items[0], exp.Table) else None
    if table is not None and len(table.key) == 1:
        node.set("this", exp.to_identifier(table.key[0], quoted=True))


# -- text search ---------------------------------------------------------------------------------------------------


def _search(node: exp.Expr, catalogue: Catalogue) -> None:
    """`documents MATCH 'words'` and `content MATCH 'words'` become matches(); ORDER BY rank becomes similar()."""
    words = inner(node.expression)
    if not isinstance(words, exp.Literal) or not words.is_string:
        raise TypeMismatch(
            "MATCH takes words in quotes; they cannot be put together from columns here.", "", position(node)
        )
    searched = _searched(node, catalogue)
    query = _web_search(words.name)
    tests = [_function("matches", column, exp.Literal.string(query)) for column in searched]
    select = enclosing_select(node)
    node.replace(exp.paren(exp.or_(*tests)) if len(tests) > 1 else tests[0])
    order = select.args.get("order") if select is not None else None
    for term in order.expressions if order is not None else ():
        if _is_rank(term.this):
            term.replace(
                exp.Ordered(this=_function("similar", searched[0].copy(), exp.Literal.string(words.name)), desc=True)
            )


def _searched(node: exp.Expr, catalogue: Catalogue) -> list[exp.Expr]:
    """The column that is searched, or every text column of the table in its place, prose first."""
    column = inner(node.this)
    select = enclosing_select(node)
    if not isinstance(column, exp.Column) or select is None:
        raise TypeMismatch("MATCH searches a table or a column.", "", position(node))
    found = table_of(column.name, select) if not column.table else None
    table: Table | None = catalogue.table(found.name) if isinstance(found, exp.Table) else None
    if found is None or table is None:
        return [column]
    texts = [
        one for kind in (Kind.FREE_TEXT, Kind.TEXT) for one in table.columns if one.kind is kind and not one.hidden
    ]
    return [exp.column(one.name, table=found.alias_or_name, quoted=True) for one in texts]


def _is_rank(node: exp.Expr) -> bool:
    node = inner(node)
    return (isinstance(node, exp.Column) and node.name.lower() == "rank") or (
        isinstance(node, exp.Anonymous) and str(node.this).lower() == "bm25"
    )


def _web_search(query: str) -> str:
    """An FTS5 query in the words of websearch_to_tsquery: AND is silent, NOT is a minus."""
    if re.search(r"[(){}:^]|\bNEAR\b", query):
        raise NotAllowed('In MATCH, words, "phrases", AND, OR and NOT can be used, without brackets or columns.', query)
    query = re.sub(r"\s+AND\s+", " ", query)
    return re.sub(r"\s+NOT\s+", " -", query).replace("*", "").strip()


def _function(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


# -- single nodes --------------------------------------------------------------------------------------------------


def _like(node: exp.Expr) -> None:
    node.replace(exp.ILike(this=node.this, expression=node.expression, negate=node.args.get("negate")))


def _glob(node: exp.Expr) -> None:
    pattern = inner(node.expression)
    if not isinstance(pattern, exp.Literal) or "[" in pattern.name:
        raise NotAllowed(
            "GLOB takes a text with * and ?; write LIKE, or ~ with a regular expression.", "", position(node)
        )
    like = re.sub(r"([\\%_])", r"\\\1", pattern.name).replace("*", "%").replace("?", "_")
    node.replace(exp.Like(this=node.this, expression=exp.Literal.string(like), negate=node.args.get("negate")))


def _collate(node: exp.Expr) -> None:
    """`COLLATE NOCASE` compares in lower case, both sides."""
    if node.expression.name.upper() != "NOCASE":
        raise NotAllowed(f"COLLATE {node.expression.name} is not available; NOCASE is.", "", position(node))
    parent = node.parent
    lowered = exp.Lower(this=node.this)
    node.replace(lowered)
    if isinstance(parent, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
        other = parent.expression if parent.this is lowered else parent.this
        if not isinstance(other, exp.Lower | exp.Collate):
            other.replace(exp.Lower(this=other.copy()))


def _named(node: exp.Expr) -> None:
    """Functions that only SQLite has."""
    name = str(node.this).lower()
    if name == "total" and len(node.expressions) == 1:
        node.replace(exp.Coalesce(this=exp.Sum(this=node.expressions[0]), expressions=[exp.Literal.number("0.0")]))
    elif name == "printf" and node.expressions:
        spell_printf(node, node.expressions[0], node.expressions[1:])


def _from_the_end(node: exp.Expr) -> None:
    """`substr(x, -3, 2)` counts from the end."""
    start, length = node.args.get("start"), node.args.get("length")
    if isinstance(start, exp.Neg):
        last = exp.Right(this=node.this, expression=start.this)
        node.replace(exp.Left(this=last, expression=length) if length is not None else last)


def _either_null(node: exp.Expr) -> None:
    """`MAX(a, b)` is NULL where one of them is; PostgreSQL's passes over it."""
    given = [node.this, *node.expressions]
    columns = [one for one in given if isinstance(inner(one), exp.Column)]
    if columns and all(isinstance(inner(one), exp.Column | exp.Literal) for one in given):
        known = exp.and_(*(exp.Not(this=exp.Is(this=one.copy(), expression=exp.Null())) for one in columns))
        node.replace(exp.Case(ifs=[exp.If(this=known, true=node.copy())]))


def _remainder(node: exp.Expr) -> None:
    """Dividing by zero gives NULL."""
    if not isinstance(inner(node.expression), exp.Literal) or inner(node.expression).name == "0":
        node.set("expression", exp.Nullif(this=node.expression.copy(), expression=exp.Literal.number(0)))


def _no_limit(node: exp.Expr) -> None:
    """`LIMIT -1` is none."""
    if isinstance(node.expression, exp.Neg) and node.parent is not None:
        node.parent.set("limit", None)


_REWRITINGS: dict[type[exp.Expr], Callable[[exp.Expr], None]] = {
    exp.Like: _like,
    exp.Glob: _glob,
    exp.Collate: _collate,
    exp.Anonymous: _named,
    exp.Format: lambda node: spell_printf(node, node.this, node.expressions),
    exp.Substring: _from_the_end,
    exp.Greatest: _either_null,
    exp.Least: _either_null,
    exp.Mod: _remainder,
    exp.Limit: _no_limit,
}
