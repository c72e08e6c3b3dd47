"""Names and types: what is declared twice, not at all, or in a way that cannot work."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from agent.worksheets.entailment import is_router
from agent.worksheets.expressions.names import nearest
from agent.worksheets.findings import Finding, Level
from agent.worksheets.formats.vocabulary import TYPE_WORDS
from agent.worksheets.linter.findings import about, sentence
from agent.worksheets.specification import Basic, Field, FieldKind, Specification, Worksheet, WorksheetKind

RESERVED = ("self", "value", "today", "now")


def worksheet_names(specification: Specification) -> Iterator[Finding]:
    """Worksheets of the same name or variable, and names that mean something else."""
    seen: dict[str, str] = {}
    for worksheet in specification.worksheets:
        other = seen.setdefault(worksheet.variable, worksheet.name)
        if list(specification.worksheets).index(worksheet) != _first(specification, worksheet.variable):
            message = f"{other} and {worksheet.name} are both called {worksheet.variable!r} in rules: rename one."
            if other == worksheet.name:
                message = f"There are two worksheets called {worksheet.name}."
            yield about(worksheet, None, "ws_name", message)
        if worksheet.name in Basic._value2member_map_ or worksheet.variable in RESERVED:
            yield about(worksheet, None, "ws_name", f"{worksheet.name!r} already has another meaning: rename it.")


def _first(specification: Specification, variable: str) -> int:
    return next(index for index, one in enumerate(specification.worksheets) if one.variable == variable)


def worksheets(specification: Specification, tables: Collection[str] | None) -> Iterator[Finding]:
    """Worksheets without fields, with unknown tables, and fields of the same name."""
    for worksheet in specification.worksheets:
        if worksheet.kind is WorksheetKind.TASK and not worksheet.fields:
            yield about(
                worksheet, None, "ws_name", "This task has no fields, so there is nothing to do.", Level.WARNING
            )
        if worksheet.table and tables is not None and worksheet.table not in tables:
            message = sentence(f"There is no table {worksheet.table!r}{nearest(worksheet.table, tables)}")
            yield about(worksheet, None, "ws_table", message)
        names: set[str] = set()
        for field in worksheet.fields:
            if field.name in names:
                yield about(worksheet, field, "name", f"{worksheet.name} has two fields called {field.name}.")
            names.add(field.name)


def fields(specification: Specification) -> Iterator[Finding]:
    """Fields whose type, enum values or kind cannot work."""
    for worksheet in specification.worksheets:
        for field in worksheet.fields:
            yield from _type(specification, worksheet, field)
            if field.required and field.kind is not FieldKind.INPUT:
                message = f"A field that is {field.kind} does not come from the user, so it cannot be required."
                yield about(worksheet, field, "required", message)


def _type(specification: Specification, worksheet: Worksheet, field: Field) -> Iterator[Finding]:
    name = field.type.name
    if field.type.basic is None and name not in specification.by_name:
        known = (*(basic.value for basic in Basic), *TYPE_WORDS, *specification.by_name)
        yield about(worksheet, field, "type", sentence(f"There is no type or worksheet {name!r}{nearest(name, known)}"))
    if field.type.basic is Basic.ENUM and not field.enum_values:
        yield about(worksheet, field, "enum_value", "An Enum needs values, one per row below it.")
    if field.type.basic is not Basic.ENUM and field.enum_values:
        message = f"Only an Enum has values to choose from; this is {field.type}."
        yield about(worksheet, field, "type", message)
    for index, option in enumerate(field.options):
        if option in field.options[:index]:
            yield about(worksheet, field, "enum_value", f"The value {option!r} appears twice.")
    if field.type.basic is Basic.CONFIRM and field.type.many:
        yield about(worksheet, field, "type", "A confirmation is a single yes or no, not a list.")


def confirmations(specification: Specification) -> Iterator[Finding]:
    """Tasks with more than one confirmation: only the first stands before the actions."""
    for worksheet in specification.tasks:
        confirms = [field for field in worksheet.fields if field.type.basic is Basic.CONFIRM]
        for field in confirms[1:]:
            message = f"{worksheet.name} is confirmed with {confirms[0].name}: a second confirmation does nothing."
            yield about(worksheet, field, "type", message, Level.WARNING)


def outcomes(specification: Specification) -> Iterator[Finding]:
    """Tasks that lead to nothing: they are no other's field, choose no task, and have no actions."""
    for worksheet in specification.roots:
        acts = (worksheet.actions, worksheet.backend, *(field.actions for field in worksheet.fields))
        if worksheet.fields and not any(text.strip() for text in acts) and not is_router(specification, worksheet):
            message = f"Nothing happens when {worksheet.name} is complete: it has no actions."
            yield about(worksheet, None, "ws_actions", message, Level.WARNING)


def nesting(specification: Specification) -> Iterator[Finding]:
    """Worksheets that are inside themselves: an error where that never ends, else worth a look."""
    for worksheet in specification.tasks:
        for field in worksheet.fields:
            way = _way_back(specification, field, worksheet.name)
            if way is not None:
                endless = all(one.required and not one.predicate and not one.type.many for one in (field, *way))
                names = " → ".join((worksheet.name, field.type.name, *(one.type.name for one in way)))
                message = f"This worksheet is inside itself ({names})" + (", without end." if endless else ".")
                yield about(worksheet, field, "type", message, Level.ERROR if endless else Level.WARNING)


def _way_back(specification: Specification, field: Field, home: str) -> tuple[Field, ...] | None:
    """The fields that lead from the worksheet nested in `field` back to `home`; () where it is `home` itself."""
    reached: list[tuple[str, tuple[Field, ...]]] = [(field.type.name, ())]
    seen: set[str] = set()
    while reached:
        name, way = reached.pop(0)
        if name == home:
            return way
        nested = specification.by_name.get(name)
        if nested is None or name in seen or nested.kind is not WorksheetKind.TASK:
            continue
        seen.add(name)
        reached += [(one.type.name, (*way, one)) for one in nested.fields]
    return None
