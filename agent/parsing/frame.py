"""What one question asks for, between the user's words and SUQL.

A `Frame` is typed and serialisable, so that a conversation can keep it and refine it: `merge` carries the constraints
of an earlier question over to the next, `replace` and `drop` change single ones. `agent.parsing.generate.to_suql`
writes it as SUQL. Everything here is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Comparison = Literal["=", ">", ">=", "<", "<=", "empty", "like", "same", "under", "over"]
Value = bool | int | float | str


class Part(BaseModel):
    """Base of a frame and its parts: immutable; one that an older version stored may have more fields."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Condition(Part):
    """A condition on a structured column: `column op value`, true for any of several values.

    `empty` takes no value; `like` compares with patterns of % and _. `same`, `under` and `over` compare with what the
    column is of the entity whose title is the value ("like X, but cheaper"); lists are the same that have an element in
    common. `soft` marks what the user would like but does not insist on ("preferably"); it is the first to go when
    nothing is found. `words` are the user's own.
    """

    kind: Literal["condition"] = "condition"
    table: str
    column: str
    op: Comparison = "="
    values: tuple[Value, ...] = ()
    negated: bool = False
    soft: bool = False
    words: str = ""


class Asked(Part):
    """A condition on free text: the answer to `question`, read from `columns`, is `expected`.

    With several columns the condition holds when any of them gives the answer (a dish is on the list of popular
    dishes, or reviewers say so). `questions` gives, per column, another wording than `question`. What is asked also
    holds of a row for which a condition of `also` holds (what is of a kind serves it). `unsure`: it was made of words
    that nothing else in the message explained.
    """

    kind: Literal["asked"] = "asked"
    table: str
    columns: tuple[str, ...]
    question: str
    expected: str = "Yes"
    negated: bool = False
    soft: bool = False
    unsure: bool = False
    words: str = ""
    questions: dict[str, str] = {}
    also: tuple[Condition, ...] = ()


class Either(Part):
    """Any (`any`) or all (`all`) of several conditions; `negated` turns the whole around."""

    kind: Literal["either"] = "either"
    mode: Literal["any", "all"] = "any"
    parts: tuple[Node, ...]
    negated: bool = False
    soft: bool = False
    words: str = ""


Node = Annotated[Condition | Asked | Either, Field(discriminator="kind")]


class Order(Part):
    """One term of the order of rows: a column. `at` orders places by their distance from a latitude and a longitude."""

    table: str
    column: str
    descending: bool = True
    at: tuple[float, float] | None = None


class Aggregate(Part):
    """One number (or one per group) in place of rows. `column` is empty for a count of rows.

    `distinct` lists the different values of `column`, and a count of a column counts them; `group` names the columns to
    group by. A `share` counts the rows for which the conditions `of` hold, beside all of them.
    """

    function: Literal["count", "avg", "min", "max", "sum", "distinct", "median", "share"] = "count"
    of: tuple[Node, ...] = ()
    table: str = ""
    column: str = ""
    group: tuple[tuple[str, str], ...] = ()  # (table, column)
    best_first: bool = False  # groups with the most come first
    worst_first: bool = False  # with `best_first`: those with the least do


class Projection(Part):
    """Something asked about the rows: a column, or with a `question` the answer read from a free-text column."""

    table: str
    column: str
    question: str = ""


class Use(Part):
    """A stretch of the user's own words, and what it was read as: a condition ("node"), an "order", a "limit", an
    "aggregate", a "projection"; "noise" says nothing to be searched for."""

    kind: Literal["node", "order", "limit", "aggregate", "projection", "noise"]
    words: str
    columns: tuple[str, ...] = ()  # of a node, as "table.column"


class Frame(Part):
    """One question. The first of `tables` is what the rows are about.

    `among` restricts rows to known entities ("which of these"), `exclude` keeps away those already shown
    ("something else"); both hold values of the table's entity column. `limit` None means all rows, and
    `limit_said` tells whether the user gave it. `each` names columns (table, column) of whose values one row each is
    wanted, the first by `order`. `leftover` are content words that ended up in no constraint; `uses` tells what was
    made of which words.
    """

    tables: tuple[str, ...]
    where: tuple[Node, ...] = ()
    among: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    limit_said: bool = False
    offset: int = 0
    each: tuple[tuple[str, str], ...] = ()
    aggregate: Aggregate | None = None
    projections: tuple[Projection, ...] = ()
    presentation: Literal["list", "detail", "aggregate", "comparison"] = "list"
    words: str = ""
    leftover: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()

    @property
    def table(self) -> str:
        """The table that the rows are about."""
        return self.tables[0]


Either.model_rebuild()
Aggregate.model_rebuild()
Frame.model_rebuild()


def leaves(node: Node) -> Iterator[Condition | Asked]:
    """The single conditions of a node, left to right."""
    if isinstance(node, Either):
        for part in node.parts:
            yield from leaves(part)
    else:
        yield node


def slots(node: Node) -> frozenset[str]:
    """What a node is about, for telling whether a later one takes its place.

    A column for most conditions; a column with a direction for bounds on numbers, so that "under 4" does not replace
    "at least 3"; the question for free text.
    """
    return frozenset(_slot(leaf) for leaf in leaves(node))


def _slot(leaf: Condition | Asked) -> str:
    if isinstance(leaf, Asked):
        return f"{leaf.table}.{leaf.columns[0]}?{leaf.question}"
    side = {">": ">", ">=": ">", "<": "<", "<=": "<"}.get(leaf.op, "")
    sign = "!" if leaf.negated and not side else ""
    return f"{leaf.table}.{leaf.column}{sign}{side}"


def columns(node: Node) -> frozenset[str]:
    """The columns a node reads, as "table.column"."""
    found: set[str] = set()
    for leaf in leaves(node):
        names = leaf.columns if isinstance(leaf, Asked) else (leaf.column,)
        found.update(f"{leaf.table}.{name}" for name in names)
    return frozenset(found)


def replace(frame: Frame, node: Node) -> Frame:
    """The frame with `node` in the place of whatever spoke of the same slots; appended where nothing did."""
    taken = slots(node)
    # A value takes the place of an exclusion of the same column as well, and the other way round ("no, chinese!").
    bare = {slot.rstrip("!") for slot in taken if "?" not in slot}
    kept = [old for old in frame.where if not (slots(old) & taken or {s.rstrip("!") for s in slots(old)} & bare)]
    return frame.model_copy(update={"where": (*kept, node)})


def drop(frame: Frame, column: str) -> Frame:
    """The frame without the conditions and the order on a column ("price" or "restaurants.price")."""

    def speaks_of(name: str) -> bool:
        return name == column or name.rpartition(".")[2] == column

    where = tuple(node for node in frame.where if not any(speaks_of(name) for name in columns(node)))
    order = tuple(term for term in frame.order if not speaks_of(f"{term.table}.{term.column}"))
    return frame.model_copy(update={"where": where, "order": order})


def without(frame: Frame, unwanted: Callable[[Node], bool]) -> Frame:
    """The frame without the conditions for which `unwanted` holds."""
    return frame.model_copy(update={"where": tuple(node for node in frame.where if not unwanted(node))})


def merge(base: Frame, update: Frame) -> Frame:
    """A refinement: `base` with the constraints of `update` added, each replacing what spoke of the same slots.

    Order, limit, aggregate and projections are the update's where it has any, and the base's otherwise; a projection
    or an aggregate of the base is not carried over, since it answered another question. A question about things it
    names stands on its own.
    """
    if update.presentation in ("detail", "comparison") and update.where and not update.among:
        return update  # it names what it asks about
    frame = base
    for node in update.where:
        frame = replace(frame, node)
    tables = tuple(dict.fromkeys((*base.tables, *update.tables)))
    return frame.model_copy(
        update={
            "tables": tables,
            "among": update.among or base.among,
            "exclude": tuple(dict.fromkeys((*base.exclude, *update.exclude))),
            "order": update.order or base.order,
            "limit": update.limit if update.limit_said or (update.order and update.limit == 1) else base.limit,
            "limit_said": update.limit_said or base.limit_said,
            "offset": update.offset,
            "each": update.each or base.each,
            "aggregate": update.aggregate,
            "projections": update.projections,
            "presentation": update.presentation,
            "words": update.words or base.words,
            "leftover": update.leftover,
            "uses": (*base.uses, *update.uses),
        }
    )
