"""A simulated user: has a goal, reads the acts of each turn as a person reads the reply, and says the next thing.

It knows nothing of the system but the acts: it compares what it is shown with what it wants, corrects what differs,
and says yes only to what is right. Nothing it says depends on how the system understood it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from agent.worksheets.specification import Basic, Field, Specification
from hybridchat.research.simulation_goals import Goal, Leaf, Path, Task, alike, counts, leaves, resolved
from hybridchat.research.simulation_telling import Telling
from hybridchat.research.simulation_wording import Voice

Act = Mapping[str, Any]
Report = Mapping[str, Any]

WAITING = ("ASK", "CONFIRM", "PROPOSE", "CLARIFY")


class SimulatedUser:
    """One user in one conversation. `titles` are the names of entities by key, as a person calls them."""

    def __init__(self, goal: Goal, specification: Specification, titles: Mapping[str, str], now: datetime) -> None:
        self._goal, self._specification = goal, specification
        self._voice = Voice(goal.id, goal.style, now.date())
        self._telling = Telling(goal, self._voice, titles)
        self._results: list[Any] = []
        self._asides = {aside.at: list(aside.say) for aside in goal.asides}
        self._lines: list[str] = self._asides.pop("start", [])
        self._left = self._insisted = False  # gave the last task up, and said so again
        self._last: Leaf | None = None  # what was asked for last
        self._hesitates = goal.hesitates
        self._number = -1
        self._next_task()

    def begin(self) -> str:
        """The first message."""
        return self._lines.pop(0) if self._lines else self._open()

    def reply(self, report: Report) -> str | None:
        """The next message, or None where there is nothing more to say."""
        for effect in report["effects"]:
            self._results.append(effect["result"])
            self._next_task()
        if self._task is None:
            return None
        if self._left:
            return self._insist(_waiting(report["acts"]))
        if self._lines:
            return self._lines.pop(0)
        if not self._opened:
            return self._open()
        return self._answer(_waiting(report["acts"]))

    def _insist(self, act: Act | None) -> str | None:
        """The task was given up: a question whether to drop it is agreed to, anything else that is asked refused."""
        if act is None or self._insisted:
            return None
        self._insisted = True
        asks_to_drop = act["act"] == "ASK" and not act["field"]
        return self._voice.one("moves", "agree" if asks_to_drop else "disagree")

    def _next_task(self) -> None:
        self._number += 1
        self._task: Task | None = self._goal.tasks[self._number] if self._number < len(self._goal.tasks) else None
        self._opened = False
        self._leaves = [] if self._task is None else [one for one in self._all() if counts(one)]
        first = self._goal.first if self._number == 0 else {}
        self._believed = {one.name: first.get(one.name, resolved(one.value, self._results)) for one in self._leaves}
        self._changes = [one for one in self._leaves if one.name in first]
        self._said: set[str] = set()
        self._asked: Counter[str] = Counter()

    def _all(self) -> list[Leaf]:
        assert self._task is not None
        return list(leaves(self._specification, self._task.worksheet, self._task.values))

    def _open(self) -> str:
        assert self._task is not None
        self._opened = True
        words, told = self._telling.opening(self._task, self._leaves, self._believed, self._number)
        self._said |= {one.name for one in told}
        return words

    def _answer(self, act: Act | None) -> str:
        if act is None:
            return self._go_on()
        if (aside := self._aside(act)) is not None:
            return aside
        if act["act"] == "CONFIRM":
            return self._confirm(act)
        if act["act"] == "PROPOSE":
            return self._proposal(act)
        declared = self._specification.by_name.get(act["worksheet"])
        if declared is not None and act["field"] in declared.by_name:
            return self._tell(act, declared.by_name[act["field"]])
        return self._what_to_change(act) if declared is not None else self._go_on(act["field"])

    def _aside(self, act: Act) -> str | None:
        at = "confirm" if act["act"] == "CONFIRM" else act["field"]
        lines = self._asides.pop(at, None)
        if not lines:
            return None
        self._lines = lines[1:]
        return lines[0]

    # -- confirmations and offers -------------------------------------------------------------------------------

    def _confirm(self, act: Act) -> str:
        field = self._specification.by_name[act["worksheet"]].by_name[act["field"]]
        if field.type.basic is not Basic.CONFIRM:
            return self._confirm_one(act, field)
        if self._goal.gives_up == "confirm" and self._is_last():
            self._left = True
            return self._voice.one("moves", "drop")
        if self._hesitates or (self._changes and self._goal.when == "after_no"):
            self._hesitates = False
            return self._voice.one("moves", "disagree")
        if self._changes:
            return self._change()
        if (wrong := self._difference(act)) is not None:
            return wrong
        return self._voice.one("moves", "agree")

    def _confirm_one(self, act: Act, field: Field) -> str:
        found = self._asked_for(act, field)
        shown = act["values"].get(field.name)
        if found is None or shown == self._believed[found.name]:
            return self._voice.one("moves", "agree")
        return f"no, {self._telling.exactly(found, self._believed)}"

    def _difference(self, act: Act) -> str | None:
        """A correction of the first thing shown that is not as it should be, or missing, or not wanted at all."""
        prefix = self._place_of(act["worksheet"])
        shown = {one.name: one for one in leaves(self._specification, act["worksheet"], act["values"], prefix)}
        for leaf in self._leaves:
            if leaf.path[: len(prefix)] != prefix:
                continue
            got = shown.get(leaf.name)
            if got is None or not alike(leaf, self._believed[leaf.name], got.value):
                return self._telling.correction(leaf, self._believed, got.value if got else None, self._group(leaf))
        for one in shown.values():
            if counts(one) and one.name not in self._believed:
                return self._telling.removal(one)
        return None

    def _place_of(self, worksheet: str) -> Path:
        """Where in the task the values of a worksheet stand; () for the task's own."""
        places = (one.path[:depth] for one in self._leaves for depth in range(len(one.path)))
        return next((place for place in places if self._worksheet_at(place) == worksheet), ())

    def _worksheet_at(self, place: Path) -> str:
        assert self._task is not None
        name = self._task.worksheet
        for step in place:
            name = self._specification.by_name[name].by_name[step].type.name
        return name

    def _proposal(self, act: Act) -> str:
        assert self._task is not None
        believed = {name.rsplit(".", 1)[-1]: value for name, value in self._believed.items()}
        differs = any(name in believed and believed[name] != value for name, value in act["values"].items())
        return self._voice.one(
            "moves", "accept" if act["worksheet"] == self._task.worksheet and not differs else "decline"
        )

    def _what_to_change(self, act: Act) -> str:
        if self._changes:
            return self._change()
        if not act["values"]:
            return "no"  # whether to drop it
        return self._difference(act) or self._voice.one("moves", "keep")

    def _change(self) -> str:
        """What was said first becomes what is wanted."""
        leaf = self._changes.pop(0)
        old, self._believed[leaf.name] = self._believed[leaf.name], resolved(leaf.value, self._results)
        return self._telling.correction(leaf, self._believed, old, self._group(leaf))

    # -- answers --------------------------------------------------------------------------------------------------

    def _tell(self, act: Act, field: Field) -> str:
        found = self._asked_for(act, field)
        if found is None:
            return self._without(field)
        self._asked[found.name] += 1
        self._last = found
        if field.name in self._goal.refuses and self._asked[found.name] == 1:
            return self._voice.one("moves", "refuse_required")
        again = found.name in self._said
        if again and self._goal.gives_up == field.name and self._is_last():
            self._left = True
            return self._voice.one("moves", "drop")
        if again and found in self._changes and self._goal.when == "refused":
            self._changes.remove(found)
            self._believed[found.name] = resolved(found.value, self._results)
        self._said.add(found.name)
        answer = self._telling.answer(found, self._believed, self._asked[found.name])
        if self._goal.when == "later" and self._changes and found not in self._changes:
            return f"{answer}. {self._change()}" if self._changes[0].name in self._said else answer
        return answer

    def _without(self, field: Field) -> str:
        """Asked for something that the goal does not hold."""
        if field.name in self._goal.words:
            return self._goal.words[field.name]
        if field.type.basic is Basic.BOOLEAN:
            return self._voice.one("booleans", "yes" if self._leads_on(field) else "no")
        if field.required and field.type.basic is Basic.ENUM:
            return self._about_something_else(field)
        return self._voice.one("moves", "unknown" if field.required else "pass")

    def _about_something_else(self, field: Field) -> str:
        """What it is about, nearest to what was asked: the choice made beside it, else the first of the task."""
        chosen = [one for one in self._leaves if one.field.type.basic is Basic.ENUM]
        near = [one for one in chosen if field.name in one.worksheet.by_name]
        return self._telling.correction((near or chosen or self._leaves)[0], self._believed, None, None)

    def _leads_on(self, field: Field) -> bool:
        """Whether the goal holds something that is only asked for after a yes to this."""
        assert self._task is not None
        return any(part in self._names_after(field) for one in self._leaves for part in one.path)

    def _names_after(self, field: Field) -> set[str]:
        return {
            one.name
            for worksheet in self._specification.tasks
            for one in worksheet.fields
            if f"self.{field.name} " in f"{one.predicate} " and one.type.basic is not Basic.BOOLEAN
        }

    def _asked_for(self, act: Act, field: Field) -> Leaf | None:
        """The value of the goal that an act asks for: of several, the one whose place the words name, else the next."""
        asked = [
            one
            for one in self._leaves
            if (one.worksheet.name == act["worksheet"] and one.field.name == field.name) or field.name in one.path[:-1]
        ]
        if len(asked) < 2 or field.name in asked[0].path[:-1]:
            return asked[0] if asked else None
        text = act["text"].casefold()
        named = [(max(text.rfind(word) for word in self._group_words(one)), -place) for place, one in enumerate(asked)]
        best = max(named)
        if best[0] >= 0:
            return asked[-best[1]]
        beside = self._last.path[:-1] if self._last is not None else None
        if (same := next((one for one in asked if one.path[:-1] == beside), None)) is not None:
            return same
        return next((one for one in asked if one.name not in self._said), asked[0])

    def _group(self, leaf: Leaf) -> Leaf | None:
        """The first value of the nested worksheet that a value stands in, where there are several of its kind."""
        alike_ = [one for one in self._leaves if one.worksheet.name == leaf.worksheet.name and one.field == leaf.field]
        if len(alike_) < 2:
            return None
        return next(one for one in self._leaves if one.path[:-1] == leaf.path[:-1])

    def _group_words(self, leaf: Leaf) -> tuple[str, ...]:
        """What a reply may call the nested worksheet: "the second course", "CS 220"."""
        head = next(one for one in self._leaves if one.path[:-1] == leaf.path[:-1])
        holder = [
            one.label.casefold()
            for worksheet in self._specification.tasks
            for one in worksheet.fields
            if len(leaf.path) > 1 and one.name == leaf.path[-2]
        ]
        return (*holder, str(self._believed[head.name]).casefold())

    def _go_on(self, parameter: str = "") -> str:
        """The agent waits for nothing, or for something to search with: the next thing that was not said yet."""
        if parameter:
            return self._goal.words.get(parameter, "it doesn't matter")
        assert self._task is not None
        unsaid = [one for one in self._leaves if one.name not in self._said]
        if not unsaid:
            title = self._specification.by_name[self._task.worksheet].title
            return self._voice.one("moves", "resume").format(title=title)
        words, told = self._telling.opening(self._task, unsaid, self._believed, self._number, again=True)
        self._said |= {one.name for one in told}
        return words

    def _is_last(self) -> bool:
        return self._number == len(self._goal.tasks) - 1


def _waiting(acts: Sequence[Act]) -> Act | None:
    """What the agent waits for: the last act that asks something."""
    return next((act for act in reversed(acts) if act["act"] in WAITING), None)
