"""`similar(column, 'words')` and `matches(column, 'words')`, as SQL.

`similar` says how near a row's text is to words, by meaning and by words together: the score of its best passage,
cosine similarity plus a share of the text search rank. `matches` is text search: do all the words occur, in any form?
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from agent.errors import TypeMismatch
from agent.suql.allowed import RANKING
from agent.suql.names import Names
from agent.suql.passages import any_word
from agent.suql.tree import inner, literal, position, quoted, write

if TYPE_CHECKING:
    from agent.suql.passages import Passages
    from agent.suql.statements import Statement

TEXT_SHARE = 0.3  # weight of the text search rank beside the similarity


class Similarity:
    """Writes scores for one query. `prepare` embeds the words; `score` writes the SQL."""

    def __init__(self, names: Names, schema: str, passages_table: str, vector_schema: str, passages: Passages) -> None:
        self._names = names
        self._table = f"{quoted(schema)}.{quoted(passages_table)}" if passages_table else ""
        self._vectors = vector_schema
        self._passages = passages
        self._embedded: dict[str, str] = {}

    async def prepare(self, tree: exp.Expr) -> None:
        """Embeds the words of every similar() in a query. Raises `TypeMismatch` for one that is not written right."""
        for call in list(tree.find_all(exp.Anonymous)):
            if str(call.this).lower() == "similar":
                words = check_ranking(call)
                self._embedded[words] = await self._passages.vector(words) if self._table else ""

    def score(self, call: exp.Expr, statement: Statement) -> str:
        """The score as a scalar expression, from 0 (nothing in common) up."""
        words = check_ranking(call)
        column = inner(call.expressions[0])
        if str(call.this).lower() == "matches":
            return f"({_search_vector(column)} @@ websearch_to_tsquery('english', {statement.words(words)}::text))"
        origin = self._names.origin(column)
        source = self._names.sources.get(column.table) if isinstance(column, exp.Column) else None
        if self._table and source is not None and source.table is not None and origin is not None:
            return self._of_passages(words, source.alias, column.name, statement)
        return f"ts_rank({_search_vector(column)}, {any_word(statement.words(words))})"

    def _of_passages(self, words: str, alias: str, column: str, statement: Statement) -> str:
        table = self._names.sources[alias].table
        assert table is not None
        score = f"{TEXT_SHARE} * ts_rank(p.search, {any_word(statement.words(words))})"
        vector = self._embedded.get(words, "")
        if vector:
            schema = quoted(self._vectors)
            score += f" + 1 - (p.embedding OPERATOR({schema}.<=>) {statement.words(vector)}::text::{schema}.halfvec)"
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
