"""Which table does a name in a query mean? As much of that as a translation needs; the resolver does the rest."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Kind
from agent.protocols.errors import TypeMismatch, UnknownName
from agent.suql.naming import match, nearest
from agent.suql.tree import inner, position


def enclosing_select(node: exp.Expr) -> exp.Select | None:
    """Return the SELECT whose clause a node stands in."""
    found = node.find_ancestor(exp.Select)
    return found if isinstance(found, exp.Select) else None


def sources(select: exp.Select) -> Iterator[exp.Expr]:
    """Yield what a SELECT's FROM clause brings in."""
    for item in [select.args.get("from_"), *(select.args.get("joins") or ())]:
        if item is not None:
            yield item.this


def table_of(name: str, select: exp.Select) -> exp.Expr | None:
    """Return the item of a FROM clause that a name means: by its alias, or else by its table."""
    items = list(sources(select))
    for told in (lambda item: item.alias_or_name, lambda item: item.name if isinstance(item, exp.Table) else ""):
        found = [item for item in items if told(item).lower() == name.lower()]
        if len(found) > 1:
            raise TypeMismatch(f"{name} is in FROM twice: say which by its alias.", "", position(found[1]))
        if found:
            return found[0]
    return None


def kinds_of(node: exp.Expr, catalogue: Catalogue) -> set[Kind]:
    """Return what kinds a column may be of, by the tables it may be of; none of what is no column, or one of lists."""
    node = inner(node)
    select = enclosing_select(node)
    if not isinstance(node, exp.Column):
        return set()
    found = table_of(node.table, select) if node.table and select is not None else None
    items = [found] if found is not None else list(sources(select)) if select is not None else []
    near = [table for item in items if isinstance(item, exp.Table) and (table := catalogue.table(item.name))]
    for tables in (near, list(catalogue)):
        columns = [column for table in tables for column in table.columns if column.name.lower() == node.name.lower()]
        if columns:
            return {column.kind for column in columns if not column.many}
    return set()


def split_reference(text: str, node: exp.Expr) -> tuple[str, str]:
    """'table::column' in its two parts."""
    table, separator, column = text.partition("::")
    if not separator or not table.strip() or not column.strip():
        raise TypeMismatch(f"“{text}” is not 'table::column'.", "", position(node))
    return _bare(table), _bare(column)


def reference(text: str, node: exp.Expr) -> exp.Column:
    """'table::column' as a column of the FROM clause around a node, or of one further out."""
    table, column = split_reference(text, node)
    select = enclosing_select(node)
    while select is not None:
        found = table_of(table, select)
        if found is not None:
            return exp.column(column, table=found.alias_or_name, quoted=True)
        select = enclosing_select(select)
    raise UnknownName(f"“{text}”: {table} is not in the FROM clause around it.", "", position(node))


def values_of(text: str, node: exp.Expr, catalogue: Catalogue) -> exp.Subquery:
    """Return every value of 'table::column', as a subquery; the items, where each value is a list."""
    alias, name = split_reference(text, node)
    select = enclosing_select(node)
    found: exp.Expr | None = None
    while select is not None and found is None:
        found, select = table_of(alias, select), enclosing_select(select)
    if found is not None and not isinstance(found, exp.Table):
        raise TypeMismatch(f"“{text}”: name a table or a CTE; {alias} is a subquery.", "", position(node))
    written = found.name if found is not None else alias
    holder = exp.Table(this=exp.to_identifier(written, quoted=True))
    table = catalogue.table(match(written, [one.name for one in catalogue]) or "")
    value: exp.Expr = exp.column(name, quoted=True)
    if table is not None:
        known = table.column(match(name, [column.name for column in table.columns]) or "")
        if known is None:
            near = nearest(name, [column.name for column in table.columns])
            raise UnknownName(f"There is no column called {name} in {alias}.{near}", "", position(node))
        value = exp.Explode(this=value) if known.many else value
    return exp.Subquery(this=exp.Select(expressions=[value], from_=exp.From(this=holder)))


def _bare(name: str) -> str:
    """A name without the quotes it may be written in."""
    name = name.strip()
    return name[1:-1] if len(name) > 1 and name[0] + name[-1] in ('""', "``", "[]") else name
