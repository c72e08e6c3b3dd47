"""Whether a message's statements make sense at all: the instances, fields and worksheets they name exist."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.worksheets.specification import Basic, FieldKind, Specification, Worksheet, WorksheetKind
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Assign, Confirm, Decline, Fill, Start, Statement, Unclear
from agent.worksheets.values import as_boolean, is_placeholder


def tidied(
    statements: Sequence[Statement], state: DialogueState, specification: Specification
) -> tuple[Statement, ...]:
    """Return the same statements, each in the form of its meaning.

    A field of type confirm is answered, not assigned; an instance as a field's value is where it is nested; a
    placeholder is no value.
    """
    known = _worksheets(statements, state, specification)
    links: dict[str, str] = {}
    tidy: list[Statement] = []
    for item in statements:
        name = item.field if isinstance(item, Assign | Decline) else ""
        field = known[item.instance].by_name.get(name) if name and item.instance in known else None
        if isinstance(item, Decline) and field is not None and field.type.basic is Basic.CONFIRM:
            tidy.append(Confirm(instance=item.instance, field=item.field, yes=False, words=item.words))
            continue
        if not isinstance(item, Assign):
            tidy.append(item)
            continue
        if field is not None and field.type.basic is Basic.CONFIRM:
            yes = as_boolean(item.value)
            at = {"instance": item.instance, "field": item.field, "words": item.words}
            tidy.append(Unclear(**at) if yes is None else Confirm(**at, yes=yes))
        elif field is not None and specification.nested(field) is not None:
            named = item.value if isinstance(item.value, list | tuple) else (item.value,)
            links |= {name: f"{item.instance}.{item.field}" for name in named if isinstance(name, str)}
            if not all(isinstance(name, str) and known.get(name) for name in named):
                tidy.append(item)  # no instance: malformed
        elif is_placeholder(item.value):
            tidy.append(Unclear(instance=item.instance, field=item.field, words=item.words))
        else:
            tidy.append(item)
    placed = [
        item.model_copy(update={"parent": links.get(item.instance, item.parent)}) if isinstance(item, Start) else item
        for item in tidy
    ]
    return tuple(placed)


def malformed(
    statements: Sequence[Statement],
    state: DialogueState,
    specification: Specification,
    questions: Collection[int],
) -> str:
    """Return what is wrong with the first statement that cannot be applied, for the developer; "" if all can."""
    known = _worksheets(statements, state, specification)
    opened: set[str] = set()
    for item in statements:
        if isinstance(item, Start):
            worksheet = specification.by_name.get(item.worksheet)
            if worksheet is None or worksheet.kind is not WorksheetKind.TASK:
                return f"there is no task {item.worksheet!r}"
            if state.instance(item.instance) or item.instance in opened:
                return f"{item.instance} is open already"
            opened.add(item.instance)
            continue
        if problem := _misnamed(item, known, specification):
            return problem
        if isinstance(item, Fill) and item.question not in questions:
            return f"there is no question {item.question}"
    return ""


def _misnamed(item: Statement, known: dict[str, Worksheet], specification: Specification) -> str:
    if not item.instance and isinstance(item, Confirm | Unclear):
        return ""
    worksheet = known.get(item.instance)
    if worksheet is None:
        return f"there is no {item.instance!r}"
    name = getattr(item, "field", "")
    if not name:
        return ""
    field = worksheet.by_name.get(name)
    if field is None:
        return f"{worksheet.name} has no field {name!r}"
    if field.kind is not FieldKind.INPUT:
        return f"{name} of {worksheet.name} is not filled by the user"
    if isinstance(item, Assign | Fill) and specification.nested(field) is not None:
        return f"{name} of {worksheet.name} is a worksheet of its own"
    return ""


def _worksheets(
    statements: Sequence[Statement], state: DialogueState, specification: Specification
) -> dict[str, Worksheet]:
    """The worksheet of every instance there is or will be."""
    names = {item.name: item.worksheet for item in state.instances}
    names |= {item.instance: item.worksheet for item in statements if isinstance(item, Start)}
    return {name: specification.by_name[at] for name, at in names.items() if at in specification.by_name}
