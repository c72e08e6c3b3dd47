"""Value correction: literals of a query put right with the value memory before it is checked and run.

A model writes `'itallian'`, `'Thai'` where the column holds `thai`, or half a restaurant's name; so does a user of the
query window. A literal is replaced only by a value that it clearly meant; everything else stays as it was written.
(The data value memory of the Relational Database Augmented LLM.)
"""

from __future__ import annotations

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.protocols.errors import QueryError
from agent.suql.syntax import parse
from agent.text.frequencies import english_rank
from agent.text.letters import fold

NAME_CUTOFF = 84.0  # of 100: how nearly a name must be spelt
VALUE_CUTOFF = 82.0


class Corrector:
    """Mends the literals of queries over a catalogue."""

    def __init__(self, catalogue: Catalogue, memory: ValueMemory) -> None:
        self.catalogue = catalogue
        self.memory = memory

    def correct(self, suql: str) -> str:
        """The query with its values put right; as it was where nothing is, or where it does not parse."""
        if not suql:
            return suql
        try:
            tree = parse(suql)
        except QueryError:
            return suql  # the check that follows says what is wrong with it
        changed = False
        for column, value in _compared(tree):
            table, definition = self._definition(column, tree)
            if table is None or definition is None or not value.is_string:
                continue
            better = self._value(table, definition, value.this)
            if better != value.this:
                value.replace(exp.Literal.string(better))
                changed = True
        return tree.sql(dialect="postgres", normalize_functions=False, comments=False) if changed else suql

    def _definition(self, column: exp.Column, tree: exp.Expr) -> tuple[Table | None, Column | None]:
        """The catalogue's entry of a column, by its qualifier or by the tables of the query."""
        sources = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
        names = [sources.get(column.table, column.table)] if column.table else list(sources.values())
        for name in names:
            table = self.catalogue.table(name)
            found = table.column(column.name) if table is not None else None
            if found is not None:
                return table, found
        return None, None

    def _value(self, table: Table, column: Column, words: str) -> str:
        if column.kind not in (Kind.TEXT, Kind.ENUM):
            return words
        exact = self.memory.exact(table.name, column.name, words) or _listed(column, words)
        if exact is not None:
            return exact
        if column.kind is Kind.TEXT:
            near = self.memory.nearest(table.name, column.name, words, NAME_CUTOFF)
            return near or self.memory.of_part(table.name, column.name, words, NAME_CUTOFF) or words
        # A word of its own right is compared by meaning: 'sushi' is no misspelling of 'sushi bars'.
        if all(word in english_rank() for word in fold(words).split()):
            return words
        return self.memory.nearest(table.name, column.name, words, VALUE_CUTOFF) or words


def _listed(column: Column, words: str) -> str | None:
    """The value of a closed vocabulary that the words name, also by its other names."""
    said = fold(words)
    for value in column.values:
        if fold(value) == said:
            return value
    return next((value for value, others in column.value_words if said in {fold(other) for other in others}), None)


def _compared(tree: exp.Expr) -> list[tuple[exp.Column, exp.Literal]]:
    """Columns with the literals they are compared with: `=`, `<>`, `= ANY(...)`, `IN (...)`."""
    found: list[tuple[exp.Column, exp.Literal]] = []
    for node in tree.find_all(exp.EQ, exp.NEQ):
        left, right = _plain(node.this), _plain(node.expression)
        for column, value in ((left, right), (right, left)):
            if isinstance(column, exp.Column) and isinstance(value, exp.Literal):
                found.append((column, value))
    for listed in tree.find_all(exp.In):
        if isinstance(listed.this, exp.Column):
            found.extend((listed.this, value) for value in listed.expressions if isinstance(value, exp.Literal))
    return found


def _plain(node: exp.Expr) -> exp.Expr:
    """A side of a comparison without ANY and parentheses."""
    while isinstance(node, exp.Any | exp.Paren):
        node = node.this
    return node
