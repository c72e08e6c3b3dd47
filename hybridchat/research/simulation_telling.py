"""The sentences of a simulated user that hold values: openings, answers, corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from agent.worksheets.specification import Basic
from hybridchat.research.simulation_goals import Goal, Leaf, Task
from hybridchat.research.simulation_wording import Voice, wordings

Believed = Mapping[str, Any]

SOME = 3  # values that a first message holds at most, where the goal does not say


class Telling:
    """How one user tells values. What is particular to the goal stands in its `words`."""

    def __init__(self, goal: Goal, voice: Voice, titles: Mapping[str, str]) -> None:
        self._goal, self._voice, self._titles = goal, voice, titles

    def opening(
        self, task: Task, known: Sequence[Leaf], believed: Believed, number: int, *, again: bool = False
    ) -> tuple[str, list[Leaf]]:
        """A message that starts a task, with some of its values; and those values."""
        if self._goal.opening and number == 0 and not again:
            return self._goal.opening, []
        greeting = self._voice.one("greetings", self._voice.style) if number == 0 and not again else ""
        start = self._voice.one("openings_more" if number and not again else "openings", self._name(task))
        attachable = [one for one in known if one.field.name in wordings()["attached"]]
        if len({one.path[:-1] for one in attachable}) > 1:
            return self._grouped(f"{greeting}{start}", attachable, believed)
        told = self._voice.shuffled(attachable)[: self._told(len(attachable))]
        parts = " ".join(self._attached(one, believed) for one in told)
        return f"{greeting}{start} {parts}".strip(), told

    def answer(self, leaf: Leaf, believed: Believed, times: int) -> str:
        """The answer to a question about just this value, asked for the first, second or third time."""
        if times > 2:
            return self.exactly(leaf, believed)
        said = self._said(leaf, believed)
        if times == 2:
            return self._voice.one("answers", "second").format(said, label=leaf.field.label)
        if leaf.field.name == "number_of_people" and said == str(believed[leaf.name]):
            said = self._voice.one("number_of_people", "answers").format(said)
        elif leaf.field.name in ("full_name", "student_name"):
            said = self._voice.one("answers", "name").format(said)
        plain = leaf.field.type.basic in (Basic.TEXT, Basic.BOOLEAN)
        return said if plain else self._voice.styled(said)

    def exactly(self, leaf: Leaf, believed: Believed) -> str:
        """The plainest way to say it."""
        value = believed[leaf.name]
        if isinstance(value, bool):
            return "yes" if value else "no"
        return self._titles.get(str(value), str(value))

    def correction(self, leaf: Leaf, believed: Believed, old: Any, group: Leaf | None) -> str:
        """What a value should be, where it is shown, or was said, otherwise."""
        label = leaf.field.label if group is None or group is leaf else f"{leaf.field.label} for {believed[group.name]}"
        new = self._titled(believed[leaf.name]) if old is None else self._said(leaf, believed, fresh=True)
        if leaf.field.name == "number_of_people":
            return self._voice.one("moves", "correct_people").format(new, old=old)
        bare = group is None and leaf.field.type.basic in (Basic.DATE, Basic.TIME)
        old = self._titled(old) if old is not None else "that"
        return self._voice.one("moves", "correct_bare" if bare else "correct").format(new, label=label, old=old)

    def removal(self, leaf: Leaf) -> str:
        """What is shown and was never wanted."""
        return f"please remove the {leaf.field.label}"

    def _grouped(self, start: str, known: Sequence[Leaf], believed: Believed) -> tuple[str, list[Leaf]]:
        """Several of a kind ("CS 101 for 4 units and CS 220"): as many as are told, with their details or without."""
        groups = [list(group) for _, group in groupby(known, key=lambda one: one.path[:-1])]
        whole = self._goal.tells is not None and self._goal.tells >= len(known)
        count = self._told(len(groups))
        told = [group if whole else group[:1] for group in groups[:count]]
        parts = [", ".join(self._attached(one, believed) for one in group) for group in told]
        return f"{start} {'; ' if whole else ''}{' and '.join(parts)}".strip(), [one for group in told for one in group]

    def _told(self, most: int) -> int:
        return min(most, self._goal.tells) if self._goal.tells is not None else self._voice.some(min(most, SOME))

    def _attached(self, leaf: Leaf, believed: Believed) -> str:
        said = self._said(leaf, believed)
        on = "on " if said[:1].isupper() or said[:1].isdigit() or said.startswith("the ") else ""
        return self._voice.one("attached", leaf.field.name).format(said, on=on)

    def _said(self, leaf: Leaf, believed: Believed, *, fresh: bool = False) -> str:
        """The value in words; those of the goal, unless it is another value than at first."""
        words = self._goal.words.get(leaf.name) or self._goal.words.get(leaf.field.name)
        if words and not fresh:
            return words
        value = believed[leaf.name]
        return self._titles[value] if value in self._titles else self._voice.value(leaf.field, value)

    def _titled(self, value: Any) -> str:
        return self._titles.get(str(value), str(value))

    def _name(self, task: Task) -> str:
        return (
            task.worksheet if task.worksheet in wordings()["openings"] else f"{self._goal.assistant}/{task.worksheet}"
        )
