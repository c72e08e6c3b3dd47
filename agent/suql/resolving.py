"""Whose is each name? Every table, column and alias of a query, resolved against the catalogue.

PostgreSQL's own rules: inner names hide outer ones, ORDER BY sees an output's name first, GROUP BY an input column
first, a CTE hides a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.protocols.errors import NotAllowed, SyntaxProblem, TypeMismatch
from agent.suql.aliases import stand_in_for_aliases
from agent.suql.joined import as_select, joined_core, open_first, resolve_joined
from agent.suql.names import Names, Output, Scope, Source
from agent.suql.naming import (
    column_of,
    identifiers,
    implicit_name,
    is_hidden,
    is_star,
    match,
    refuse_doubles,
    renamed,
    unknown,
    unwrapped,
    written_alias,
)
from agent.suql.owners import named_source, owner_of
from agent.suql.recursion import reads_itself, resolve_recursive
from agent.suql.tree import inner, own_nodes, position
from agent.suql.using import merged_column, share_columns


def resolve(tree: exp.Query, catalogue: Catalogue) -> Names:
    """Make every name explicit. Raises `UnknownName` (with the nearest name), `NotAllowed` or `TypeMismatch`."""
    resolver = Resolver(catalogue)
    outputs = resolver.query(tree, None, {}, "main")
    return Names(tree, resolver.scopes, resolver.sources, outputs)


@dataclass(frozen=True, slots=True)
class _With:
    """A CTE in sight: the name it is written with, and what it offers."""

    written: str
    outputs: tuple[Output, ...]


class Resolver:
    """Resolves one query, from the outside in; `scopes` and `sources` fill as it goes."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.scopes: list[Scope] = []
        self.sources: dict[str, Source] = {}
        self.taken: set[str] = set()
        self.numbers = 0

    # -- queries -----------------------------------------------------------------------------------------------------

    def query(self, node: exp.Expr, parent: Scope | None, ctes: Mapping[str, _With], role: str) -> list[Output]:
        """Resolve a query of any form and says which columns it gives."""
        while isinstance(node, exp.Subquery):
            if node.args.get("with_") or node.args.get("limit") or node.args.get("order") or node.args.get("offset"):
                raise NotAllowed("Put ORDER BY and LIMIT inside the parentheses.", position=position(node))
            node = node.this
        if isinstance(node, exp.SetOperation):
            return self.set_operation(node, parent, ctes, role)
        if isinstance(node, exp.Select):
            return self.select(node, parent, ctes, role)
        raise NotAllowed("Only a SELECT may stand here.", position=position(node))

    def set_operation(
        self, node: exp.SetOperation, parent: Scope | None, ctes: Mapping[str, _With], role: str
    ) -> list[Output]:
        ctes = self.with_clause(node, parent, ctes)
        branch = "branch" if role == "main" else role
        left = self.query(node.this, parent, ctes, branch)
        right = self.query(node.expression, parent, ctes, branch)
        if len(left) != len(right):
            raise TypeMismatch(
                f"Both sides of a {node.key.upper()} must have the same number of columns: "
                f"{len(left)} and {len(right)} here.",
                position=position(node),
            )
        for term in node.args["order"].expressions if node.args.get("order") else ():
            self.set_order(term.this, left)
        both = zip(left, right, strict=True)
        return [one if one.column == two.column else Output(one.name) for one, two in both]

    def set_order(self, term: exp.Expr, outputs: list[Output]) -> None:
        if isinstance(term, exp.Literal) and term.is_int:
            return
        names = [output.name for output in outputs]
        if not isinstance(term, exp.Column) or term.table:
            raise NotAllowed("ORDER BY after a set operation names a column of the result.", position=position(term))
        term.set("this", exp.to_identifier(match(term.name, names) or unknown(term, names, "column"), quoted=True))

    def with_clause(self, node: exp.Query, parent: Scope | None, ctes: Mapping[str, _With]) -> Mapping[str, _With]:
        clause = node.args.get("with_")
        if clause is None:
            return ctes
        known = dict(ctes)
        for cte in clause.expressions:
            written = self.unique(cte.alias)
            if clause.args.get("recursive") and reads_itself(cte):
                outputs = resolve_recursive(self, cte, written, parent, known)
            else:
                outputs = renamed(self.query(cte.this, parent, known, "cte"), cte.args["alias"])
            known = self.seen(known, cte.alias, written, outputs)
            cte.set("alias", exp.TableAlias(this=exp.to_identifier(written, quoted=True), columns=identifiers(outputs)))
        return known

    def seen(self, ctes: Mapping[str, _With], name: str, written: str, outputs: list[Output]) -> dict[str, _With]:
        """Return the CTEs in sight, with one more."""
        return {**ctes, name.lower(): _With(written, tuple(outputs))}

    def select(self, node: exp.Select, parent: Scope | None, ctes: Mapping[str, _With], role: str) -> list[Output]:
        self.numbers += 1
        scope = Scope(self.numbers, node, parent, role)
        node.meta["scope"] = scope.number
        ctes = self.with_clause(node, parent, ctes)
        self.from_clause(node, scope, ctes)
        self.spell_out_stars(node, scope)
        self.name_outputs(node)
        outputs = [self.output(item, scope) for item in node.expressions]
        stand_in_for_aliases(node, scope)
        for part in self.parts(node):
            self.expressions(part, scope, ctes)
        # Resolved only now, once the columns are qualified.
        outputs = [self.output(item, scope) for item in node.expressions]
        self.scopes.append(scope)
        return outputs

    def parts(self, node: exp.Select) -> Iterator[exp.Expr]:
        """Yield the clauses that hold expressions over the whole FROM clause."""
        yield from node.expressions
        for name in ("where", "group", "having", "order", "limit", "offset", "distinct"):
            if node.args.get(name):
                yield node.args[name]
        yield from node.args.get("windows") or ()

    # -- FROM --------------------------------------------------------------------------------------------------------

    def from_clause(self, node: exp.Select, scope: Scope, ctes: Mapping[str, _With]) -> None:
        start = node.args.get("from_")
        if start is None:
            if node.args.get("joins"):
                raise SyntaxProblem("There is a JOIN without FROM.", position=position(node))
            return
        open_first(node)
        self.source(start, scope, ctes)
        for join in node.args.get("joins") or ():
            before = list(scope.sources.values())
            self.source(join, scope, ctes)
            share_columns(join, scope, before)
            if join.args.get("on"):
                self.expressions(join.args["on"], scope, ctes)

    def source(self, holder: exp.Expr, scope: Scope, ctes: Mapping[str, _With]) -> None:
        """Resolve what a FROM or JOIN brings in, and gives it its unique alias."""
        item = holder.this
        core = joined_core(item)
        if core is not None and not item.alias:
            views, new = resolve_joined(self, core, scope, ctes)
            holder.set("this", new)
            for name, view in views.items():
                self.bring_in(name, view, scope, item)
            return
        if core is not None:
            item.set("this", as_select(core))
        if isinstance(item, exp.Table):
            source, new = self.table(item, ctes)
        elif isinstance(item, exp.Unnest):
            source, new = self.unnest(item, scope, ctes)
        elif isinstance(item, exp.Subquery):
            source, new = self.derived(item, scope, ctes, lateral=False)
        elif isinstance(item, exp.Lateral) and isinstance(item.this, exp.Subquery):
            source, new = self.derived(item, scope, ctes, lateral=True)
        elif isinstance(item, exp.Lateral) and isinstance(item.this, exp.Unnest | exp.Explode):
            arguments = item.this.expressions or [item.this.this]
            place = item.this.args.get("offset")
            unnest = exp.Unnest(expressions=arguments, alias=item.args.get("alias"), offset=place)
            source, new = self.unnest(unnest, scope, ctes)
        else:
            raise NotAllowed("Only tables, subqueries and unnest() are allowed in FROM.", position=position(item))
        holder.set("this", new)
        self.bring_in(written_alias(item), source, scope, item)
        self.sources[source.alias] = source

    def bring_in(self, name: str, source: Source, scope: Scope, item: exp.Expr) -> None:
        if name.lower() in scope.sources:
            raise NotAllowed(
                f"The name {name} stands for two things in FROM; give one an alias.", position=position(item)
            )
        scope.sources[name.lower()] = source

    def table(self, item: exp.Table, ctes: Mapping[str, _With]) -> tuple[Source, exp.Expr]:
        name, schema = item.name, item.db
        if item.catalog or (schema and schema.lower() != self.catalogue.schema):
            raise NotAllowed(f"Only tables of the schema {self.catalogue.schema} can be read.", position=position(item))
        alias = self.unique(item.alias or name)
        known = ctes.get(name.lower()) if not schema else None
        if known is not None:
            outputs = renamed(list(known.outputs), item.args.get("alias"))
            reference = exp.Table(this=exp.to_identifier(known.written, quoted=True))
            return self.aliased(reference, alias, outputs, rename=bool(item.alias_column_names))
        table = self.catalogue.table(match(name, [table.name for table in self.catalogue]) or name)
        if table is None:
            unknown(item, [table.name for table in self.catalogue] + [cte.written for cte in ctes.values()], "table")
        assert table is not None
        if item.alias_column_names:
            raise NotAllowed("Columns of a table keep their names.", position=position(item))
        reference = exp.Table(
            this=exp.to_identifier(table.name, quoted=True), db=exp.to_identifier(self.catalogue.schema, quoted=True)
        )
        outputs = [Output(column.name, table, column) for column in table.columns]
        source, new = self.aliased(reference, alias, outputs)
        source.table = table
        return source, new

    def derived(
        self, item: exp.Expr, scope: Scope, ctes: Mapping[str, _With], *, lateral: bool
    ) -> tuple[Source, exp.Expr]:
        subquery = item.this if lateral else item
        parent = scope if lateral else scope.parent
        outputs = self.query(subquery.this, parent, ctes, "lateral" if lateral else "from")
        outputs = renamed(outputs, item.args.get("alias"))
        alias = self.unique(written_alias(item) or "derived")
        holder: exp.Expr = exp.Subquery(this=unwrapped(subquery))
        if lateral:
            holder = exp.Lateral(this=holder)
        return self.aliased(holder, alias, outputs, rename=True)

    def unnest(self, item: exp.Unnest, scope: Scope, ctes: Mapping[str, _With]) -> tuple[Source, exp.Expr]:
        """`unnest(reviews) AS r` is a source with one column, r; `AS t(r)` names them apart."""
        for argument in item.expressions:
            self.expressions(argument, scope, ctes)
        written = item.args.get("alias")
        table_name = written_alias(item)
        columns = [column.name for column in written.args.get("columns") or ()] if written else []
        if len(item.expressions) != 1:
            raise NotAllowed("unnest() takes one array.", position=position(item))
        column = (columns or [table_name])[0].lower()
        origin = self.origin(item.expressions[0])
        outputs = [Output(column, origin.table, origin.column, element=True) if origin else Output(column)]
        alias = self.unique(table_name)
        new = exp.Unnest(expressions=item.expressions)
        names = exp.TableAlias(this=exp.to_identifier(alias, quoted=True), columns=identifiers(outputs))
        if place := item.args.get("offset"):
            outputs.append(Output(place.name.lower() if isinstance(place, exp.Identifier) else "ordinality"))
            new.set("offset", exp.to_identifier(outputs[-1].name, quoted=True))
        new.set("alias", names)
        return Source(alias, {output.name: output for output in outputs}, function=True), new

    def aliased(
        self, node: exp.Expr, alias: str, outputs: list[Output], *, rename: bool = False
    ) -> tuple[Source, exp.Expr]:
        refuse_doubles(outputs)
        columns = identifiers(outputs) if rename else None
        node.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True), columns=columns))
        return Source(alias, {output.name: output for output in outputs}), node

    # -- the select list ---------------------------------------------------------------------------------------------

    def spell_out_stars(self, node: exp.Select, scope: Scope) -> None:
        spelled: list[exp.Expr] = []
        for item in node.expressions:
            if isinstance(item, exp.Star):
                spelled.extend(self.every_column(scope, list(scope.sources.values()), item))
            elif isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
                spelled.extend(
                    self.every_column(scope, [named_source(item, scope, self.catalogue.schema)[0]], item, merge=False)
                )
            else:
                spelled.append(item)
        node.set("expressions", spelled)

    def every_column(
        self, scope: Scope, sources: list[Source], star: exp.Expr, *, merge: bool = True
    ) -> Iterable[exp.Expr]:
        if not sources:
            raise NotAllowed("SELECT * needs a FROM clause.", position=position(star))
        front = scope.front if merge else []
        for name in front:
            if not is_hidden(scope.merged[name][0].outputs[name]):
                yield exp.alias_(merged_column(scope.merged[name], name), name, quoted=True)
        seen = set(front)
        for source in sources:
            for output in source.outputs.values():
                hidden = is_hidden(output) and (source.table is not None or bool(source.renamed))
                if hidden or (merge and output.name in scope.merged and output.name in seen):
                    continue
                seen.add(output.name)
                if merge and output.name in scope.merged:
                    column = merged_column(scope.merged[output.name], output.name)
                    yield exp.alias_(column, output.name, quoted=True)
                    continue
                column = column_of(source.alias, source.written(output.name))
                yield exp.alias_(column, output.name, quoted=True) if source.renamed else column

    def name_outputs(self, node: exp.Select) -> None:
        named: list[exp.Expr] = []
        for item in node.expressions:
            if isinstance(item, exp.Alias):
                name = item.alias
                item.set("alias", exp.to_identifier(name if item.args["alias"].quoted else name.lower(), quoted=True))
                named.append(item)
            else:
                named.append(exp.alias_(item, implicit_name(item), quoted=True, copy=False))
        node.set("expressions", named)

    def output(self, item: exp.Expr, scope: Scope) -> Output:
        origin = self.origin(item.this)
        if origin is None:
            return Output(item.alias)
        return Output(item.alias, origin.table, origin.column, origin.element)

    def origin(self, node: exp.Expr) -> Output | None:
        node = inner(node)
        if isinstance(node, exp.Column) and node.table in self.sources:
            return self.sources[node.table].outputs.get(node.name)
        return None

    # -- columns -----------------------------------------------------------------------------------------------------

    def expressions(self, part: exp.Expr, scope: Scope, ctes: Mapping[str, _With]) -> None:
        """Qualifies every column in a clause, and resolves the subqueries in it."""
        for node in list(own_nodes(part)):
            if (isinstance(node, exp.Query) and node is not part and not isinstance(node, exp.Subquery)) or isinstance(
                node, exp.Subquery
            ):
                self.query(node, scope, ctes, "expression")
            elif is_star(node):
                raise NotAllowed("A * stands alone in the SELECT list, or in count(*).", position=position(node))
            elif isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
                self.column(node, scope)

    def column(self, node: exp.Column, scope: Scope) -> None:
        if node.table and node.table in self.sources and node.meta.get("resolved"):
            return
        source, name, owner = owner_of(node, scope, self.catalogue.schema)
        merged = owner.merged.get(name, ()) if not node.table else ()
        self.reaches(scope, owner, merged or (source,))
        if len(merged) > 1:
            node.replace(merged_column(merged, name))
            return
        node.set("this", exp.to_identifier(source.written(name), quoted=True))
        node.set("table", exp.to_identifier(source.alias, quoted=True))
        node.set("db", None)
        node.meta["resolved"] = True

    def reaches(self, scope: Scope, owner: Scope, sources: Iterable[Source]) -> None:
        """Note that the SELECTs from one outwards to another refer to sources of the latter."""
        inward: Scope | None = scope
        while inward is not None and inward is not owner:
            inward.outer.update(source.alias for source in sources)
            inward = inward.parent

    def unique(self, name: str) -> str:
        """A safe alias nobody else in the query has."""
        base = "".join(character if character.isalnum() and character.isascii() else "_" for character in name.lower())
        base = (base or "t")[:50]
        candidate, count = base, 1
        while candidate in self.taken:
            count += 1
            candidate = f"{base}_{count}"
        self.taken.add(candidate)
        return candidate
