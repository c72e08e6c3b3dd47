"""The tasks that a message begins, under the names they will have, with what has to be open and set for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.worksheets.entailment import opening
from agent.worksheets.specification import Specification, Worksheet
from agent.worksheets.state import DialogueState, InstanceStatus
from agent.worksheets.statements import Assign, Start


@dataclass(frozen=True)
class Beginning:
    """A task that is to be started: its name, and where it is nested if that is said."""

    name: str
    worksheet: str
    place: str
    words: str


class Openings:
    """The instances of a message: those there are, and those it opens. `sheets` has the worksheet of each by name."""

    def __init__(self, state: DialogueState, specification: Specification) -> None:
        self._state, self._specification = state, specification
        self.sheets = {one.name: specification.by_name[one.worksheet] for one in state.instances}
        self._counters = dict(state.counters)
        self._called: dict[str, str] = {}  # what new instances were called -> what they are called
        self._began: dict[str, str] = {}  # worksheet -> the last instance that was begun

    def named(self, name: str) -> str:
        """Return the instance that is meant by a name. Raises ValueError if there is none."""
        name = self._called.get(name, name)
        if name not in self.sheets:
            known = ", ".join(self.sheets) or "none"
            raise ValueError(f"there is no instance {name!r}; there are {known}. A new one has to be started first")
        return name

    def open(self, beginnings: Sequence[Beginning]) -> list[Start | Assign]:
        """Return the statements that begin them. Raises ValueError, in words for who wrote them."""
        for one in beginnings:
            if one.name in self.sheets or one.name in self._called:
                raise ValueError(f"{one.name} is taken: use it as it is, or start the new one under a new name")
            worksheet = self._task(one.worksheet)
            self._called[one.name] = self._next(worksheet)
            self.sheets[self._called[one.name]] = worksheet
        named = {self._task(one.worksheet).name for one in beginnings}
        opened: list[Start | Assign] = []
        for one in beginnings:
            worksheet = self._task(one.worksheet)
            opened += self._root(worksheet, named)
            opened += self._owner(one.place)
            implied = opening(self._state, self._specification, worksheet.name)[:-1]
            opened += [made for item in implied for made in self._implied(item, named) if made not in opened]
            name, parent = self._called[one.name], self._parent(one, worksheet)
            self._began[worksheet.name] = name
            opened.append(Start(worksheet=worksheet.name, instance=name, parent=parent, words=one.words))
        starts = [item for item in opened if isinstance(item, Start)]
        return [*starts, *(self._renamed(item) for item in opened if isinstance(item, Assign))]

    def _task(self, name: str) -> Worksheet:
        worksheet = self._specification.by_name.get(name)
        if worksheet is None or worksheet not in self._specification.tasks:
            known = ", ".join(one.name for one in self._specification.tasks)
            raise ValueError(f"the value of start is the name of a task, one of {known}, and not {name!r}")
        return worksheet

    def _next(self, worksheet: Worksheet) -> str:
        number = self._counters.get(worksheet.variable, 0) + 1
        self._counters[worksheet.variable] = number
        return f"{worksheet.variable}_{number}"

    def _owner(self, place: str) -> Iterator[Start]:
        """What a nested task says it goes into, where that is not open: it is opened under the name it was given."""
        name = place.partition(".")[0]
        if not name or name in self.sheets or name in self._called:
            return
        worksheet = self._specification.by_variable.get(name.rpartition("_")[0])
        if worksheet is not None and worksheet in self._specification.tasks:
            start = self._begin(worksheet)
            self._called[name] = start.instance
            yield start

    def _parent(self, beginning: Beginning, worksheet: Worksheet) -> str:
        if not beginning.place:
            return self._only_place(worksheet)
        owner, _, at = beginning.place.partition(".")
        owner = self.named(owner)
        field = self.sheets[owner].by_name.get(at)
        if field is None or self._specification.nested(field) is not worksheet:
            raise ValueError(
                f"the field of start is empty or a place that takes a {worksheet.name}, not {beginning.place!r}"
            )
        return f"{owner}.{at}"

    def _implied(self, item: Start | Assign, named: set[str]) -> Iterator[Start | Assign]:
        """What has to be open and set before a task can be, unless the message opens it itself."""
        if isinstance(item, Assign):
            yield item
        elif item.worksheet not in named and item.worksheet not in self._began:
            yield self._begin(self._specification.by_name[item.worksheet])

    def _begin(self, worksheet: Worksheet) -> Start:
        name = self._next(worksheet)
        self._began[worksheet.name], self.sheets[name] = name, worksheet
        return Start(worksheet=worksheet.name, instance=name, parent=self._only_place(worksheet))

    def _only_place(self, worksheet: Worksheet) -> str:
        """Where a nested task goes that has one place to go to, if that is open and free."""
        places = self._specification.parents.get(worksheet.name, ())
        if len(places) != 1:
            return ""
        owner, field = places[0]
        active = [one for one in self._state.open_instances() if one.worksheet == owner.name]
        if owner.name in self._began:
            return f"{self._began[owner.name]}.{field.name}"
        free = [one for one in active if one.slot(field.name).value is None]
        return f"{free[-1].name}.{field.name}" if free else ""

    def _root(self, worksheet: Worksheet, named: set[str]) -> Iterator[Start]:
        """The task that a nested one belongs to, where it is not open."""
        root, seen = worksheet, {worksheet.name}
        while owners := self._specification.parents.get(root.name):
            root = owners[0][0]
            if root.name in seen:
                return
            seen.add(root.name)
        active = {one.worksheet for one in self._state.instances if one.status is InstanceStatus.ACTIVE}
        if root is not worksheet and root.name not in active | named | set(self._began):
            yield self._begin(root)

    def _renamed(self, item: Assign) -> Assign:
        """An implied value at the instance that the message opened for it."""
        if self._state.instance(item.instance) is not None:
            return item
        worksheet = self._specification.by_variable[item.instance.rpartition("_")[0]]
        return item.model_copy(update={"instance": self._began.get(worksheet.name, item.instance)})
