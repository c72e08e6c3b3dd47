"""What simulated users want: goals, and whether a conversation brought about exactly that.

A goal is a line of `development/goals.jsonl`: `{"id", "assistant", "behaviour", "style", "tasks": [{"worksheet",
"values", "outcome"}], …}`. `values` are machine values as an effect carries them, nested worksheets as nested objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.worksheets.specification import Basic, Field, Specification, Worksheet

Path = tuple[str, ...]

STYLES = ("plain", "terse", "chatty", "typos")
FRAME = 6  # words that a free text may have more than was wanted ("the problem is that …")


@dataclass(frozen=True, slots=True)
class Task:
    """Something to get done. `done` False: it is tried, and given up; it must have no effect."""

    worksheet: str
    values: Mapping[str, Any]
    done: bool = True


@dataclass(frozen=True, slots=True)
class Aside:
    """Something said instead of an answer, once: at the confirmation ("confirm"), when a field is asked for, or at the
    start of the conversation ("start")."""

    at: str
    say: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """One simulated user.

    `first` are values said before the wanted ones, by dotted path within a task; they are changed `when` "later" (with
    another answer), "confirm" (when they are shown), "after_no" (a plain no comes first), or "refused" (when they will
    not do). `words` say how a field is put. `refuses` are fields not told: at all where the task does not hold them,
    else only the first time. `gives_up` says where the last task is dropped: "confirm", or the name of a field.
    `tells` is how many values the first message holds, None for some.
    """

    id: str
    assistant: str
    behaviour: str
    style: str
    tasks: tuple[Task, ...]
    opening: str = ""
    tells: int | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)
    when: str = "later"
    asides: tuple[Aside, ...] = ()
    refuses: frozenset[str] = frozenset()
    gives_up: str = ""
    hesitates: bool = False  # a plain no to the first confirmation, then a yes

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> Goal:
        """Read from a line. Raises TypeError for a field there is none of."""
        tasks = tuple(
            Task(one["worksheet"], one["values"], one.get("outcome", "done") == "done") for one in item["tasks"]
        )
        asides = tuple(Aside(one["at"], tuple(one["say"])) for one in item.get("asides", ()))
        told = {name: value for name, value in item.items() if name not in ("tasks", "asides", "refuses")}
        return cls(**told, tasks=tasks, asides=asides, refuses=frozenset(item.get("refuses", ())))


def variations(goal: Goal, count: int) -> list[Goal]:
    """The goal as it is, and by users who want the same, draw other words, and talk in other styles."""
    at = STYLES.index(goal.style)
    others = (replace(goal, id=f"{goal.id}~{n}", style=STYLES[(at + n) % len(STYLES)]) for n in range(1, count))
    return [goal, *others]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a task, and the field it belongs to."""

    path: Path
    worksheet: Worksheet
    field: Field
    value: Any

    @property
    def name(self) -> str:
        return ".".join(self.path)


def leaves(specification: Specification, worksheet: str, values: Mapping[str, Any], path: Path = ()) -> Iterator[Leaf]:
    """The values that are no worksheets, in the order of the fields. Raises KeyError for a field there is none of."""
    declared = specification.by_name[worksheet]
    for name in values.keys() - declared.by_name.keys():
        raise KeyError(f"{worksheet} has no field {name!r}.")
    for one in declared.fields:
        value = values.get(one.name)
        if value is None:
            continue
        nested = specification.nested(one)
        if nested is not None and isinstance(value, Mapping):
            yield from leaves(specification, nested.name, value, (*path, one.name))
        else:
            yield Leaf((*path, one.name), declared, one, value)


def achieved(goal: Goal, effects: Sequence[Mapping[str, Any]], specification: Specification) -> bool:
    """Whether the effects are those wanted, in order, with exactly the values wanted, and no others."""
    wanted = [task for task in goal.tasks if task.done]
    if len(wanted) != len(effects):
        return False
    results = [effect["result"] for effect in effects]
    return all(
        task.worksheet == effect["worksheet"] and same(task, effect["values"], specification, results)
        for task, effect in zip(wanted, effects, strict=True)
    )


def same(task: Task, values: Mapping[str, Any], specification: Specification, results: Sequence[Any]) -> bool:
    """Whether an effect's values are the task's."""
    wanted = {one.name: one for one in leaves(specification, task.worksheet, task.values) if counts(one)}
    got = {one.name: one for one in leaves(specification, task.worksheet, values) if counts(one)}
    return wanted.keys() == got.keys() and all(
        alike(one, resolved(one.value, results), got[name].value) for name, one in wanted.items()
    )


def counts(leaf: Leaf) -> bool:
    """Whether a value matters: a yes or no that only decides what else is asked ("a third course?") does not, since
    what was asked for then is compared itself."""
    decides = re.compile(rf"\bself\.{leaf.field.name}\b")
    return leaf.field.type.basic is not Basic.BOOLEAN or not any(
        decides.search(one.predicate) for one in leaf.worksheet.fields
    )


def resolved(value: Any, results: Sequence[Any]) -> Any:
    """A value that an earlier effect of the conversation gave: `{"of": 0, "value": "booking_id"}`."""
    if isinstance(value, Mapping) and "of" in value:
        return results[value["of"]].get(value["value"]) if value["of"] < len(results) else None
    return value


def alike(leaf: Leaf, wanted: Any, got: Any) -> bool:
    """Equal; texts without regard to case and punctuation, and a text of one's own may stand in a sentence."""
    if not (isinstance(wanted, str) and isinstance(got, str)):
        return type(wanted) is type(got) and bool(wanted == got)
    left, right = _plain(wanted), _plain(got)
    if left == right:
        return True
    free = leaf.field.type.basic is Basic.TEXT and len(left.split()) > 2
    return free and left in right and len(right.split()) <= len(left.split()) + FRAME


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w@./+-]+", " ", text.casefold()).strip(" .").split())
