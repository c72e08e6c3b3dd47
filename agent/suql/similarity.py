"""`similar(column, 'words')` and `matches(column, 'words')`, as SQL.

`similar` says how near a row's text is to words, by meaning and by words together: the score of its best passage,
cosine similarity plus a share for the words it says, where a word counts the more the fewer passages say it (the
inverse document frequency of Robertson and Spärck Jones 1976). Unlike a rank of text search, that share means the same
for every question: from 0, none of the words, to 1, all of them. `matches` is text search: do all the words occur, in
any form?
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb
from sqlglot import exp

from agent.errors import TypeMismatch
from agent.suql.allowed import RANKING
from agent.suql.names import Names
from agent.suql.passages import any_word
from agent.suql.tree import inner, literal, position, quoted, write

if TYPE_CHECKING:
    from agent.suql.catalogue import Table
    from agent.suql.database import Database
    from agent.suql.passages import Passages
    from agent.suql.scopes import Block
    from agent.suql.statements import Statement

MOST_RANKED = 5_000  # rows whose scores are kept between the statements of a query
WORDS_SHARE = 0.5  # what saying all of the words is worth beside the similarity


class Similarity:
    """Writes scores for one query. `prepare` embeds the words; `score` writes the SQL."""

    def __init__(self, names: Names, schema: str, passages_table: str, vector_schema: str, passages: Passages) -> None:
        self._names = names
        self._table = f"{quoted(schema)}.{quoted(passages_table)}" if passages_table else ""
        self._vectors = vector_schema
        self._passages = passages
        self._embedded: dict[str, str] = {}
        self._rarity: dict[tuple[str, str, str], dict[str, float]] = {}
        self._ranked: dict[tuple[str, str, str], Jsonb] = {}  # by alias, column and words: score by key

    async def prepare(self, tree: exp.Expr) -> None:
        """Embeds the words of every similar() in a query. Raises `TypeMismatch` for one that is not written right."""
        for call in list(tree.find_all(exp.Anonymous)):
            if str(call.this).lower() == "similar":
                words = check_ranking(call)
                self._embedded[words] = await self._passages.vector(words) if self._table else ""
                if (home := self._home(call)) is not None:
                    _, table, column = home
                    self._rarity[words, table.name, column] = await self._passages.rarity(words, table.name, column)

    async def rank(self, database: Database, block: Block, statement: Callable[[], Statement]) -> None:
        """Computes once what a SELECT's rows are ordered by, in one statement with its cheap conditions."""
        order = block.select.args.get("order")
        for call in [found for found in order.walk() if is_ranking(found)] if order is not None else ():
            home = self._home(call)
            if home is None or str(call.this).lower() != "similar":
                continue
            alias, table, column = home
            writing = statement()
            key = f"{quoted(alias)}.{quoted(table.key[0])}::text"
            conditions = [f"NOT {writing.dead(block.where)}"] if block.where is not None else []
            items = [key, self.score(call, writing)]
            sql = writing.over(block.scope, items, conditions, tail=f" LIMIT {MOST_RANKED + 1}")
            rows = await database.rows(sql, writing.parameters)
            if len(rows) <= MOST_RANKED:
                self._ranked[alias, column, check_ranking(call)] = Jsonb(dict(rows))

    def score(self, call: exp.Expr, statement: Statement) -> str:
        """The score as a scalar expression, from 0 (nothing in common) up."""
        words = check_ranking(call)
        column = inner(call.expressions[0])
        if str(call.this).lower() == "matches":
            return f"({_search_vector(column)} @@ websearch_to_tsquery('english', {statement.shared(words)}::text))"
        if (home := self._home(call)) is not None:
            return self._of_passages(words, *home, statement)
        return f"ts_rank({_search_vector(column)}, {any_word(statement.shared(words))})"

    def _home(self, call: exp.Expr) -> tuple[str, Table, str] | None:
        """Alias, table and column of a call on a column that has passages; None for one on anything else."""
        column = inner(call.expressions[0])
        source = self._names.sources.get(column.table) if isinstance(column, exp.Column) else None
        if not self._table or source is None or source.table is None or self._names.origin(column) is None:
            return None
        return source.alias, source.table, column.name

    def _of_passages(self, words: str, alias: str, table: Table, column: str, statement: Statement) -> str:
        if (ranked := self._ranked.get((alias, column, words))) is not None:
            key = f"{quoted(alias)}.{quoted(table.key[0])}::text"
            return f"coalesce(jsonb_extract_path_text({statement.shared(ranked)}::jsonb, {key})::float8, 0)"
        terms = [
            f"{WORDS_SHARE * weight:.4f} * (p.search @@ {statement.shared(word)}::text::tsquery)::int"
            for word, weight in self._rarity.get((words, table.name, column), {}).items()
        ]
        score = " + ".join(terms) or "0"
        vector = self._embedded.get(words, "")
        if vector:
            schema = quoted(self._vectors)
            score += f" + 1 - (p.embedding OPERATOR({schema}.<=>) {statement.shared(vector)}::text::{schema}.halfvec)"
        return (
            f"coalesce((SELECT max({score}) FROM {self._table} AS p WHERE p.owner_table = {literal(table.name)} "
            f"AND p.owner_key = {quoted(alias)}.{quoted(table.key[0])}::text AND p.column_name = {literal(column)}), 0)"
        )


def is_ranking(node: exp.Expr) -> bool:
    """Is this a call of similar() or matches()?"""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in RANKING


def _search_vector(column: exp.Expr) -> str:
    return f"to_tsvector('english', coalesce(to_jsonb({write(column)}), '\"\"'::jsonb))"


def check_ranking(call: exp.Expr) -> str:
    """The words of the call. Raises `TypeMismatch` where it is not `similar(column, 'words')`."""
    arguments = call.expressions
    if len(arguments) == 2 and isinstance(inner(arguments[0]), exp.Column):
        words = inner(arguments[1])
        if isinstance(words, exp.Literal) and words.is_string and words.name.strip():
            return str(words.name)
    raise TypeMismatch(
        f"Write {str(call.this).lower()}(column, 'words').", call.sql(dialect="postgres")[:200], position(call)
    )
