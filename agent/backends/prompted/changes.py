"""What a model says a message does to the worksheets, held to the specification, the state and the message.

A model names; code decides. It cannot confirm what nobody asked to be confirmed, name an instance or a row that is not
there, or give a value that nobody said. Whatever does not hold raises ValueError in words for the model, which may
then mend its reply once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from agent.backends.prompted.asking import Wire
from agent.backends.prompted.assent import objection
from agent.backends.prompted.bare import offered_day
from agent.backends.prompted.openings import Beginning, Openings
from agent.backends.prompted.provenance import said, told
from agent.language import Conversation
from agent.parsing.tasks.shapes import told_by_code
from agent.worksheets.actions import Refusal
from agent.worksheets.instances import family, root_of
from agent.worksheets.specification import Basic, Field, FieldKind, Specification
from agent.worksheets.state import DialogueState, Entity, Instance
from agent.worksheets.statements import (
    Abandon,
    Assign,
    Clear,
    Confirm,
    Decline,
    Fill,
    Pick,
    Resume,
    Start,
    Statement,
    Unclear,
)
from agent.worksheets.values import is_placeholder, read

FORMS = {Basic.DATE: "YYYY-MM-DD", Basic.TIME: "HH:MM", Basic.INTEGER: "a whole number", Basic.BOOLEAN: "true or false"}
ANSWERED = ("confirm", "propose", "leave", "clarify", "which")
_CHANGES = (Assign, Fill, Pick, Clear, Decline)


class Change(Wire):
    """One thing that the message does. `value` and `field` are empty where they mean nothing."""

    words: str
    do: Literal[
        "start", "set", "pick", "refuse", "dont_know", "clear", "yes", "no", "abandon", "set_aside", "resume", "unclear"
    ]  # fmt: skip
    instance: str
    field: str
    value: str | int | float | bool | list[str] | None


@dataclass
class Wanted:
    """A question that a field's value is looked for with, in the words of the message."""

    instance: str
    field: str
    words: str


@dataclass
class Reading:
    """Reads the changes of one message. `wanted` are rows that were named as values and have to be looked for."""

    message: str
    conversation: Conversation
    state: DialogueState
    specification: Specification
    wanted: list[Wanted] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._openings = Openings(self.state, self.specification)

    def statements(self, changes: Sequence[Change]) -> list[Statement]:
        """Return the statements, those that open instances first. Raises ValueError."""
        starts = [Beginning(one.instance, str(one.value), one.field, one.words) for one in changes if one.do == "start"]
        opened = self._openings.open(starts)
        rest = [item for change in changes if change.do != "start" for item in self._statement(change)]
        chosen = {(item.instance, item.field) for item in rest if isinstance(item, Assign)}
        implied = [one for one in opened if not (isinstance(one, Assign) and (one.instance, one.field) in chosen)]
        return [*implied, *rest]

    def fill(self, place: str, question: int, words: str) -> Fill:
        """Return a field, named by its place ("book_restaurant_1.restaurant"), that a question finds the value of."""
        name, _, at = place.partition(".")
        name = self._openings.named(name)
        field = self._field(name, at)
        if not self._is_looked_for(field) and not told_by_code(field, self.conversation.tables):
            raise ValueError(f"{place} holds no row of the tables, so no question can fill it: set it instead")
        return Fill(instance=name, field=field.name, question=question, words=words)

    def _statement(self, change: Change) -> Iterator[Statement]:
        match change.do:
            case "yes" | "no":
                yield self._answer(change)
            case "abandon":
                yield Abandon(instance=self._openings.named(change.instance), words=change.words)
            case "set_aside":
                yield Abandon(instance=self._openings.named(change.instance), words=change.words, aside=True)
            case "resume":
                yield Resume(instance=self._openings.named(change.instance), words=change.words)
            case "unclear":
                yield self._unclear(change)
            case _:
                yield from self._of_field(change)

    def _of_field(self, change: Change) -> Iterator[Statement]:
        name = self._openings.named(change.instance)
        at = self._field(name, change.field)
        where = {"instance": name, "field": at.name, "words": change.words}
        match change.do:
            case "refuse" | "dont_know":
                yield Decline(**where, unknown=change.do == "dont_know")
            case "clear":
                yield Clear(**where)
            case "pick":
                row = self._row(change, at)
                yield Pick(**where, table=row.table, key=row.key, title=row.title)
            case "set" if self._is_looked_for(at):
                self.wanted.append(Wanted(name, at.name, str(change.value)))
            case "set":
                yield Assign(**where, value=self._value(change, at))

    def _field(self, name: str, at: str) -> Field:
        worksheet = self._openings.sheets[name]
        found = worksheet.by_name.get(at)
        if found is None or found.kind is not FieldKind.INPUT:
            known = ", ".join(one.name for one in worksheet.fields if one.kind is FieldKind.INPUT)
            raise ValueError(f"{name} has no field {at!r}; it has {known}")
        if found.type.basic is Basic.CONFIRM:
            raise ValueError(f"{name}.{at} cannot be set: it is what `yes` or `no` answer, once that is asked")
        return found

    def _is_looked_for(self, at: Field) -> bool:
        row = self.specification.knowledge(at)
        return row is not None and row.table in self.conversation.tables

    def _value(self, change: Change, at: Field) -> object:
        """The machine value. Out of bounds is none of our business: the check on assignment says why it will not do."""
        place = f"{change.instance}.{at.name}"
        nested = self.specification.nested(at)
        if nested is not None:
            raise ValueError(f"{place} is a {nested.name}: start one with the field {place!r} and set its fields")
        if is_placeholder(change.value) or change.value == []:
            raise ValueError(f"{place}: {change.value!r} is no value. Leave out what was not said")
        self._check_told(change, at)
        try:
            value = read(change.value, at, self.specification, self.conversation.now.date())
            return self._of_those_offered(value, change, at)
        except Refusal:
            form = " or ".join(map(repr, at.options)) if at.options else FORMS.get(at.type.basic or Basic.TEXT, at.type)
            raise ValueError(
                f"{place} has to be {form}, not {change.value!r}; if the message gives none, that is `unclear`"
            ) from None

    def _of_those_offered(self, value: object, change: Change, at: Field) -> object:
        """A day named by its weekday alone, where days were offered: the one of them with that name."""
        instance = self.state.instance(change.instance)
        options = instance.slot(at.name).options if instance else ()
        if at.type.basic is not Basic.DATE or not options or re.search(r"\d", change.words):
            return value
        weekday = f"{date.fromisoformat(str(value)):%A}".lower()
        named = re.search(rf"\b{weekday[:3]}", change.words.lower()) if instance else None
        return (offered_day(instance.slot(at.name), str(value)) or value) if instance and named else value

    def _check_told(self, change: Change, at: Field) -> None:
        """Nobody's value is no value: the words it is read from stand in the message, and so does what is free text."""
        for value in change.value if isinstance(change.value, list) else [change.value]:
            free = isinstance(value, str) and at.type.basic in (Basic.TEXT, None)
            counted = isinstance(value, int | float) and not isinstance(value, bool)
            plain = value if isinstance(value, str | int | float) else None
            quoted = said(change.words, self.message)
            if not quoted and (plain is None or not told(plain, self.message)):
                raise ValueError(
                    f"{change.instance}.{at.name}: the words {change.words!r} are not in the message. "
                    "Set only what the message says, and quote it"
                )
            if plain is not None and (free or (counted and plain == 0)) and not told(plain, self._sources()):
                raise ValueError(
                    f"{change.instance}.{at.name}: nobody said {value!r}. Leave it out, or use the person's words"
                )

    def _sources(self) -> str:
        """Everything that was said so far, and what is known."""
        turns = [text for turn in self.conversation.past for text in (turn.user, turn.agent)]
        slots = [slot for one in self.state.instances for slot in one.slots.values()]
        known = [str(value) for slot in slots for value in (slot.value, *slot.options, *slot.candidates)]
        return "\n".join([self.message, *turns, *known, *(row.title for row in self._rows())])

    def _row(self, change: Change, at: Field) -> Entity:
        """The row that a key or a name stands for, among the candidates and the rows shown, the latest first."""
        type_ = self.specification.knowledge(at)
        if type_ is None:
            raise ValueError(f"{change.instance}.{at.name} is no row of a table: set it instead of picking one")
        candidates = self.state.instance(change.instance)
        fit = list(candidates.slot(at.name).candidates) if candidates else []
        fit += [row for row in (*self._rows(), *self._held()) if not type_.table or row.table == type_.table]
        wanted = str(change.value).casefold()
        found = next((row for row in fit if wanted in (row.key.casefold(), row.title.casefold())), None)
        if found is None:
            shown = ", ".join(dict.fromkeys(row.key for row in fit)) or "none"
            raise ValueError(f"{change.value!r} is no row that was shown; those are {shown}. Else write a question")
        return found

    def _rows(self) -> Iterator[Entity]:
        for turn in reversed(self.conversation.past):
            for query in reversed(turn.queries):
                titles = query.titles or ("",) * len(query.keys)
                for key, title in zip(query.keys, titles, strict=False):
                    yield Entity(table=query.table, key=key, title=title)

    def _held(self) -> Iterator[Entity]:
        """The rows that fields hold already ("the same place again")."""
        for instance in reversed(self.state.instances):
            for slot in instance.slots.values():
                yield from (row for row in (slot.value, *slot.candidates) if isinstance(row, Entity))

    def _answer(self, change: Change) -> Statement:
        """A yes or no to what is waited for, and to nothing else."""
        pending, yes = self.state.pending, change.do == "yes"
        at = self.state.instance(pending.instance) if pending else None
        if pending is None or at is None:
            raise ValueError(f"nothing waits for a yes or no, so there is nothing that `{change.do}` could answer")
        if pending.kind not in ANSWERED:
            if self._field(at.name, pending.field).type.basic is Basic.BOOLEAN:
                return Assign(instance=at.name, field=pending.field, value=yes, words=change.words)
            raise ValueError(
                f"{at.name}.{pending.field} was asked for, which no yes or no gives: set, refuse or unclear"
            )
        named = self.state.instance(change.instance)
        if change.instance and (named is None or root_of(self.state, named).name != root_of(self.state, at).name):
            raise ValueError(f"a yes or no can only answer {at.name}, not {change.instance!r}")
        if problem := objection(yes, change.words, self.message):
            raise ValueError(f"{change.do} to {at.name}: {problem}")
        return Confirm(instance=at.name, field=pending.field, yes=yes, words=change.words)

    def _unclear(self, change: Change) -> Statement:
        if not change.instance:
            return Unclear(words=change.words)
        name = self._openings.named(change.instance)
        declared = self._openings.sheets[name].by_name.get(change.field)
        whole = not change.field or (declared is not None and declared.type.basic is Basic.CONFIRM)
        at = "" if whole else self._field(name, change.field).name
        return Unclear(instance=name, field=at, words=change.words)


def without_idle_answers(
    statements: Sequence[Statement], state: DialogueState, specification: Specification
) -> tuple[Statement, ...]:
    """Return a yes or no to values that the same message changes answers nothing: what was changed is shown anew.

    What is said besides of something else (an address, where the courses are confirmed; another task) leaves it alone.
    """
    pending = state.pending
    at = state.instance(pending.instance) if pending else None
    if pending is None or at is None or pending.kind not in ("confirm", "clarify"):
        return tuple(statements)
    changed = {(item.instance, item.field) for item in statements if isinstance(item, _CHANGES)}
    declared = specification.by_name[at.worksheet].by_name.get(pending.field)
    of_all = declared is None or declared.type.basic is Basic.CONFIRM
    elsewhere = _elsewhere(statements, state, specification, at)
    beside = {name for name, _ in changed} <= elsewhere
    touched = not beside if of_all else (pending.instance, pending.field) in changed
    return tuple(item for item in statements if not (touched and isinstance(item, Confirm)))


def _elsewhere(
    statements: Sequence[Statement], state: DialogueState, specification: Specification, at: Instance
) -> set[str]:
    """The instances that are no part of what is confirmed: known ones outside it, and new tasks of their own."""
    inside = {member.name for member in family(state, at, specification)}
    found = {one.name for one in state.instances} - inside
    for item in statements:
        alone = isinstance(item, Start) and item.worksheet not in specification.parents
        if alone or (isinstance(item, Start) and item.parent.partition(".")[0] in found):
            found.add(item.instance)
    return found
