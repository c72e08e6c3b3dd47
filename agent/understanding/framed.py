"""A composed query as a frame: what a form's words ask of rows, for whoever reads the form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.parsing.frame import Aggregate, Asked, Comparison, Condition, Frame, Node, Order
from agent.understanding.compose import Query
from agent.understanding.prose import Text, Wish
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import Schema

_COMPARED: dict[str, Comparison] = {">": ">", "<": "<", ">=": ">=", "<=": "<=", "like": "like"}


def framed(query: Query, roles: Roles, asked: Sequence[tuple[Wish, list[Text]]], schema: Schema, words: str) -> Frame:
    """Return a query's conditions, its wishes with the texts that they are `asked` of, its order and its count."""
    said = [_condition(one, schema) for one in query.literals if one.column >= 0]
    said += [
        Condition(table=_table(schema, at), column=schema.fields[at].column.name, op="empty", negated=how == "any")
        for at, how in roles.filled
        if how
    ]
    where: list[Node] = [*dict.fromkeys(said), *(_asked(wish, texts, schema) for wish, texts in asked if texts)]
    order = [
        Order(table=_table(schema, at), column=schema.fields[at].column.name, descending=turn == "desc")
        for at, _, turn in roles.order
        if at != ROWS
    ]
    read = dict.fromkeys([schema.tables[query.main].name, *(schema.tables[at].name for at in sorted(query.tables))])
    return Frame(
        tables=tuple(read),
        where=tuple(where),
        order=tuple(order),
        aggregate=Aggregate() if (ROWS, "") in roles.select else None,
        words=words,
    )


def _condition(one: Literal, schema: Schema) -> Condition:
    return Condition(
        table=_table(schema, one.column),
        column=schema.fields[one.column].column.name,
        op=_COMPARED.get(one.operator, "="),
        values=(one.text,),
        negated=one.operator == "!=",
        words=one.text,
    )


def _asked(wish: Wish, texts: Iterable[Text], schema: Schema) -> Asked:
    columns = [text.name.rpartition(".")[2] for text in texts]
    table = schema.tables[next(iter(texts)).table].name
    return Asked(table=table, columns=tuple(columns), question=wish.question, soft=wish.soft, words=wish.question)


def _table(schema: Schema, column: int) -> str:
    return schema.tables[schema.fields[column].table].name
