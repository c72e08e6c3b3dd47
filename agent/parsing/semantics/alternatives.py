"""Conditions that exclude each other are alternatives: nothing is in two cities, nor cheap and dear at once."""

from __future__ import annotations

from collections.abc import Callable

from agent.parsing.frame import Condition, Node


def one_place(nodes: tuple[Node, ...], column: str, city: Callable[[str], str]) -> tuple[Node, ...]:
    """The nodes with one condition on the place; `city` gives the city of a place, itself for a city.

    A landmark and its city are one place: "Union Square, San Francisco".
    """
    places = [n for n in nodes if isinstance(n, Condition) and n.column == column and not n.negated]
    values = [str(v) for node in places for v in node.values]
    narrow = [v for v in values if city(v) != v]
    wide = [v for v in values if v not in narrow]
    if not narrow or not wide:
        return _together(nodes, places, soft=all(place.soft for place in places)) if len(places) > 1 else nodes
    kept = tuple(v for v in wide if not any(city(n) in (v, "") for n in narrow))
    merged = tuple(f"{n}, {wide[0]}" if len(wide) == 1 and wide[0] not in n else n for n in narrow)
    first = places[0].model_copy(update={"values": (*merged, *kept)})
    return tuple(first if node is places[0] else node for node in nodes if node is places[0] or node not in places)


def one_step(nodes: tuple[Node, ...], column: str) -> tuple[Node, ...]:
    """The nodes with steps of a scale that exclude each other as alternatives: "cheap, or at least moderate"."""
    said = [n for n in nodes if isinstance(n, Condition) and n.column == column and not n.negated and n.op == "="]
    if len(said) < 2 or set(said[0].values).intersection(*(node.values for node in said[1:])):
        return nodes
    return _together(nodes, said, soft=said[0].soft)


def _together(nodes: tuple[Node, ...], said: list[Condition], *, soft: bool) -> tuple[Node, ...]:
    """The nodes with one condition, in the place of the first that was `said`, which any of their values meets."""
    values = tuple(dict.fromkeys(value for node in said for value in node.values))
    merged = said[0].model_copy(update={"values": values, "soft": soft})
    return tuple(merged if node is said[0] else node for node in nodes if node is said[0] or node not in said)
