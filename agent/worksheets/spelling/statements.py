"""Statements in the notation: what a message does to the dialogue state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agent.worksheets.instances import worksheet_of
from agent.worksheets.specification import Basic, Field, Specification, Worksheet
from agent.worksheets.spelling.notation import ANSWERS, REFUSED, Made, Name, SpellingError, lines, written
from agent.worksheets.spelling.states import spelt
from agent.worksheets.state import Choice, DialogueState, Entity
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


def write_statements(
    statements: Sequence[Statement], questions: Sequence[str], state: DialogueState, specification: Specification
) -> list[str]:
    """Return the lines, in the order of the statements: a new instance with its values in one, then its place.

    `questions` are the message's, in words; those that no field is filled by stand alone, last.
    """
    return list(_Writer(questions, state, specification).write(statements))


class _Writer:
    def __init__(self, questions: Sequence[str], state: DialogueState, specification: Specification) -> None:
        self._questions, self._state, self._specification = questions, state, specification
        self._asked: set[int] = set()

    def write(self, statements: Sequence[Statement]) -> Iterator[str]:
        started = {item.instance: item for item in statements if isinstance(item, Start)}
        for item in statements:
            if isinstance(item, Start):
                values = [other for other in statements if other.instance == item.instance and other is not item]
                yield f"{item.instance} = {written(self._made(item, values))}"
                if item.parent:
                    yield f"{item.parent} = {item.instance}"
                if item.offered:
                    yield f"propose({item.instance})"
                yield from (self._other(other) for other in values if not _is_value(other))
            elif item.instance not in started:
                yield self._other(item)
        for index, question in enumerate(self._questions):
            if index not in self._asked:
                yield f"answer({question!r})"

    def _made(self, start: Start, values: Sequence[Statement]) -> Made:
        worksheet = self._specification.by_name[start.worksheet]
        given = [item for item in values if isinstance(item, Assign | Fill | Pick | Decline)]
        named = {item.field: self._value(item, worksheet.by_name[item.field]) for item in given}
        return Made(start.worksheet, (), named)

    def _other(self, item: Statement) -> str:
        match item:
            case Assign() | Fill() | Pick() | Decline() | Clear():
                value = self._value(item, self._field(item.instance, item.field))
                return f"{item.instance}.{item.field} = {written(value)}"
            case Confirm(instance=name, field=field, yes=yes):
                return self._confirm(name, field, yes)
            case Abandon(instance=name, aside=aside):
                return f"abandon({name}{', aside=True' if aside else ''})"
            case Resume(instance=name):
                return f"resume({name})"
            case Unclear(instance=name, field=field, choices=choices):
                return written(Made("unclear", (Name(name, field),), _by_field(choices)))
        raise TypeError(type(item))

    def _confirm(self, name: str, field: str, yes: bool) -> str:
        """A yes to everything is the value of the field of type confirm; to one value or to an offer it is a call."""
        instance = self._state.instance(name)
        pending = self._state.pending
        offered = pending is not None and pending.kind in ("propose", "leave") and pending.instance == name
        declared = worksheet_of(self._specification, instance).by_name.get(field) if instance else None
        if instance is not None and not field and not offered:
            declared = worksheet_of(self._specification, instance).confirmation
        if declared is not None and declared.type.basic is Basic.CONFIRM:
            return f"{name}.{declared.name} = {yes}"
        return f"{'confirm' if yes else 'deny'}({f'{name}.{field}' if field else name})"

    def _field(self, name: str, field: str) -> Field | None:
        instance = self._state.instance(name)
        return worksheet_of(self._specification, instance).by_name.get(field) if instance else None

    def _value(self, item: Statement, field: Field | None) -> Any:
        match item:
            case Assign(value=value):
                return value if field is None else spelt(value, field, self._specification)
            case Fill(question=index):
                self._asked.add(index)
                return Made("answer", (self._questions[index] if index < len(self._questions) else "",))
            case Pick(table=table, key=key, title=title) if field is not None:
                return spelt(Entity(table=table, key=key, title=title), field, self._specification)
            case Decline():
                return REFUSED
        return None


def _by_field(choices: Sequence[Choice]) -> dict[str, list[Any]]:
    """What a message may have meant: `time=['18:00', '19:00']`."""
    return {
        field: [choice.value for choice in choices if choice.field == field]
        for field in dict.fromkeys(choice.field for choice in choices)
    }


def _is_value(item: Statement) -> bool:
    return isinstance(item, Assign | Fill | Pick | Decline | Clear)


def read_statements(
    text: str | Sequence[str], state: DialogueState, specification: Specification
) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
    """Return the statements of a text, and the questions in it that they and the user ask. Raises SpellingError."""
    reader = _Reader(state, specification)
    for line in lines(text):
        reader.line(line.target, line.value)
    return tuple(reader.statements), tuple(reader.questions)


class _Reader:
    def __init__(self, state: DialogueState, specification: Specification) -> None:
        self._specification = specification
        self._worksheets = {item.name: specification.by_name[item.worksheet] for item in state.instances}
        self._counters = dict(state.counters)
        self.statements: list[Statement] = []
        self.questions: list[str] = []

    def line(self, target: Name | None, value: Any) -> None:
        match target, value:
            case None | Name("answer", ""), Made(name, positional, _) if name in ANSWERS:
                self._question(positional)
            case None, Made("propose", (Name(name),), _):
                self._offer(name)
            case None, Made("confirm" | "deny" | "abandon" | "resume" | "unclear" as call, (Name() as at,), named):
                self.statements.append(_called(call, at, named))
            case Name(name, ""), Made(made, _, named):
                self._start(name, made, named)
            case Name(name, at), _ if at and name in self._worksheets:
                self._value(name, at, value)
            case Name(name), _:
                raise SpellingError("This does not fit the worksheets.", f"there is no {name!r}")
            case _:
                raise SpellingError("This does not fit the worksheets.", f"{value!r} is no statement")

    def _question(self, positional: tuple[Any, ...]) -> int:
        words = next((item for item in reversed(positional) if isinstance(item, str)), "")
        self.questions.append(words)
        return len(self.questions) - 1

    def _start(self, name: str, made: str, named: dict[str, Any], parent: str = "") -> None:
        worksheet = self._specification.by_name.get(made)
        if worksheet is None:
            raise SpellingError("This does not fit the worksheets.", f"there is no worksheet {made!r}")
        if name not in self._worksheets:
            self._worksheets[name] = worksheet
            self.statements.append(Start(worksheet=made, instance=name, parent=parent))
        for at, value in named.items():
            self._value(name, at, value)

    def _value(self, name: str, at: str, value: Any) -> None:
        worksheet = self._worksheets[name]
        field = worksheet.by_name.get(at)
        if field is None:
            raise SpellingError("This does not fit the worksheets.", f"{name} has no field {at!r}")
        where = {"instance": name, "field": at}
        match value:
            case None:
                self.statements.append(Clear(**where))
            case Made(made, positional, _) if made in ANSWERS:
                self.statements.append(Fill(**where, question=self._question(positional)))
            case Made(made, _, named) if self._specification.nested(field) is not None:
                self._start(self._next(self._specification.by_name[field.type.name]), made, named, f"{name}.{at}")
            case Made(_, _, named):
                title = str(named.get("name") or named.get("title") or "")
                key = str(named.get("id") or named.get("key") or title)
                type_ = self._specification.knowledge(field)
                self.statements.append(Pick(**where, table=type_.table if type_ else "", key=key, title=title))
            case Name(other, "") if other in self._worksheets:
                self._link(other, f"{name}.{at}")
            case Name(other, inner, index):
                place = f"{other}.{inner}" if inner else other
                self.statements.append(Unclear(**where, words=place if index is None else f"{place}[{index}]"))
            case bool() if field.type.basic is Basic.CONFIRM:
                self.statements.append(Confirm(**where, yes=value))
            case str() if value == REFUSED:
                self.statements.append(Decline(**where))
            case _:
                self.statements.append(Assign(**where, value=value))

    def _next(self, worksheet: Worksheet) -> str:
        number = self._counters.get(worksheet.variable, 0) + 1
        self._counters[worksheet.variable] = number
        return f"{worksheet.variable}_{number}"

    def _offer(self, name: str) -> None:
        """What was begun before is only offered."""
        for index, item in enumerate(self.statements):
            if isinstance(item, Start) and item.instance == name:
                self.statements[index] = item.model_copy(update={"offered": True})

    def _link(self, child: str, parent: str) -> None:
        """A reference as a value says where an instance that was begun before it is nested."""
        for index, item in enumerate(self.statements):
            if isinstance(item, Start) and item.instance == child:
                self.statements[index] = item.model_copy(update={"parent": parent})


def _called(call: str, at: Name, named: dict[str, Any]) -> Statement:
    match call:
        case "abandon":
            return Abandon(instance=at.name, aside=named.get("aside") is True)
        case "resume":
            return Resume(instance=at.name)
        case "unclear":
            given = [(field, values if isinstance(values, list) else [values]) for field, values in named.items()]
            plain = [(field, one) for field, values in given for one in values if isinstance(one, str | int | float)]
            choices = tuple(Choice(field=field, value=value) for field, value in plain)
            return Unclear(instance=at.name, field=at.field, choices=choices)
    return Confirm(instance=at.name, field=at.field, yes=call == "confirm")
