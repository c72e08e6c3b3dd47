"""Statements over those rows of a scope that count by now."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.suql.candidates import Build
from agent.suql.names import Scope
from agent.suql.statements import Statement


def building(
    scope: Scope,
    kept: Callable[[Statement], list[str]],
    closing: Callable[[Statement], str] = lambda statement: "",
    *,
    places: int | None = None,
    crossed: int | None = None,
) -> Build:
    """What writes statements over those rows of a scope that are kept (see `Statement.over`), and what closes them."""

    def build(
        statement: Statement,
        items: Sequence[str],
        conditions: list[str],
        tail: str = "",
        *,
        only: str = "",
        most: int | None = None,
    ) -> str:
        return statement.over(
            scope,
            items,
            [*kept(statement), *conditions],
            places=places,
            crossed=crossed,
            tail=closing(statement) + tail,
            only=only,
            most=most,
        )

    return build
