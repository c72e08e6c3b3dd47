"""A specification as a prompt shows it: worksheets as small classes, in the way of Genie Worksheets (section 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.parsing.tasks.shapes import told_by_code
from agent.worksheets.specification import Basic, EnumValue, Field, FieldKind, Specification, Worksheet, WorksheetKind


def signatures(specification: Specification, tables: Sequence[str] = (), *, conditions: bool = True) -> str:
    """Return the tasks with their fields, and the rows that fields may hold. `tables` are those that may be asked.

    `conditions`: with what tasks and fields depend on, and what is confirmed. Before a task is open, nothing hangs on
    it, and nothing can be confirmed.
    """
    rows = [one for one in specification.worksheets if one.kind is WorksheetKind.TYPE]
    tasks = [_task(one, specification, tables, conditions) for one in specification.tasks]
    classes = tasks + [_row(one) for one in rows]
    return "\n\n".join(classes)


def offered(specification: Specification) -> str:
    """Return what there is to be done, a line for each task that a person begins: what it is for, or else asks."""
    asked = {one.name: [field.title for field in one.fields if field.ask] for one in specification.roots}
    return "\n".join(
        f"{one.name}{f' (the {one.title})' if one.title else ''}: {one.description or ', '.join(asked[one.name])}"
        for one in specification.roots
        if asked[one.name]
    )


def facts(specification: Specification) -> str:
    """Return what the specification tells in words of its own: knowledge that is a text and stands for no table."""
    texts = [one for one in specification.worksheets if one.kind is WorksheetKind.KNOWLEDGE and not one.table]
    return "\n".join(one.description for one in texts if one.description)


def _task(worksheet: Worksheet, specification: Specification, tables: Sequence[str], conditions: bool) -> str:
    parents = [f"{owner.name}.{field.name}" for owner, field in specification.parents.get(worksheet.name, ())]
    notes = [
        f"called the {worksheet.title}" if worksheet.title else "",
        f"the value of {' or '.join(parents)}" if parents else "",
        f"only if {worksheet.predicate}" if worksheet.predicate and conditions else "",
    ]
    shown = [
        field
        for field in worksheet.fields
        if field.kind is FieldKind.INPUT and (conditions or field.type.basic is not Basic.CONFIRM)
    ]
    body = [f'    """{worksheet.description}"""'] if worksheet.description else []
    body += [line for field in shown for line in _field(field, specification, tables, conditions)]
    return "\n".join([f"class {worksheet.name}(Task):{_comment(notes)}", *body])


def _row(worksheet: Worksheet) -> str:
    source = f"one row of the table {worksheet.table}" if worksheet.table else "told in the person's words"
    described = f'\n    """{worksheet.description}"""' if worksheet.description else ""
    return f"class {worksheet.name}(Row):  # {source}{described}"


def _field(field: Field, specification: Specification, tables: Sequence[str], conditions: bool) -> Iterator[str]:
    nested = specification.nested(field)
    notes = [
        "required" if field.required else "optional",
        "a task of its own" if nested else "",
        "never set, see `yes`" if field.type.basic is Basic.CONFIRM else "",
        "a row's code" if told_by_code(field, tables) else "",
        f"only if {field.predicate}" if field.predicate and conditions else "",
        field.title,
        field.description,
    ]
    yield f"    {field.name}: {field.type}{_comment(notes)}"
    yield from (f"        {_option(option)}" for option in field.enum_values)


def _option(option: EnumValue) -> str:
    return f"{option.value!r}: {option.description}" if option.description else repr(option.value)


def _comment(notes: list[str]) -> str:
    told = "; ".join(note for note in notes if note)
    return f"  # {told}" if told else ""
