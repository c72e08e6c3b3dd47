"""The dialogue state as a panel shows it: "Your reservation so far". Plain data, computed from the state alone."""

from __future__ import annotations

import datetime
from typing import Any

from agent.worksheets import verbalise
from agent.worksheets.entailment import is_router
from agent.worksheets.instances import bound_to, children, machine, root_of, worksheet_of
from agent.worksheets.rules import Rules
from agent.worksheets.specification import Basic, Field, FieldKind, Specification
from agent.worksheets.state import DialogueState, Instance, InstanceStatus, SlotStatus
from agent.worksheets.wording import in_words, title_of

SHOWN = (InstanceStatus.ACTIVE, InstanceStatus.SUSPENDED, InstanceStatus.DONE)

_STATUS = {
    SlotStatus.UNSET: "unset",
    SlotStatus.SET: "set",
    SlotStatus.REFUSED: "refused",
    SlotStatus.UNKNOWN: "refused",
    SlotStatus.OPEN: "open",
}


def view(
    state: DialogueState, specification: Specification, now: datetime.datetime, done: bool = False
) -> list[dict[str, Any]]:
    """Return the open tasks, the one in focus first (finished ones too, where `done`), each as

        {"instance", "worksheet", "title", "verb", "status", "focus", "problem", "sentence" (what its action said),
         "fields", "progress", "confirmation"}

    `fields` are those that apply now, in order: {"instance", "name", "label", "type" (a `Basic`, "entity" or
    "worksheet"), "many", "options", "required", "description", "value" (a machine value), "words", "status" (unset,
    set, refused, open), "candidates", "alternatives" (that would do where the last would not), "confirmed", "nested"}.
    `nested` lists the worksheets that are the field's value: {"instance", "worksheet", "title", "complete", "fields"}.
    `progress` counts the required fields among them, nested ones too, and those of what is not opened yet:
    {"done", "left"}.
    `confirmation`, where one is waited for, is {"instance", "field", "digest", "text", "whole" (of the task, not of a
    part)}: what a button sends as `Confirm(instance, field, yes, digest)`.
    """
    rules = Rules(specification, now)
    statuses = SHOWN if done else SHOWN[:2]
    roots = [item for item in state.instances if item.status in statuses and not item.parent]
    roots = [item for item in roots if not is_router(specification, worksheet_of(specification, item))]
    roots.sort(key=lambda item: item.name != state.focus)
    return [_task(state, rules, item) for item in roots]


def _task(state: DialogueState, rules: Rules, instance: Instance) -> dict[str, Any]:
    worksheet = worksheet_of(rules.specification, instance)
    fields = _fields(state, rules, instance)
    done, left = _counted(rules.specification, instance.worksheet, fields)
    return {
        "instance": instance.name,
        "worksheet": worksheet.name,
        "title": title_of(worksheet),
        "verb": worksheet.verb,
        "status": instance.status.value,
        "focus": instance.name == state.focus,
        "problem": instance.problem,
        "sentence": str((instance.result or {}).get("sentence", "")),
        "fields": fields,
        "progress": {"done": done, "left": left},
        "confirmation": _confirmation(state, rules, instance),
    }


def _flat(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        inner
        for item in fields
        for inner in (item, *(deep for nest in item["nested"] for deep in _flat(nest["fields"])))
    ]


def _counted(specification: Specification, worksheet: str, fields: list[dict[str, Any]]) -> tuple[int, int]:
    """How many of the required values are known, and how many are not."""
    done = left = 0
    for item in fields:
        if item["nested"]:
            inside = [_counted(specification, nest["worksheet"], nest["fields"]) for nest in item["nested"]]
            done, left = done + sum(known for known, _ in inside), left + sum(missing for _, missing in inside)
        elif item["required"] and item["status"] == "set":
            done += 1
        elif item["required"]:
            left += _values_of(specification, specification.by_name[worksheet].by_name[item["name"]])
    return done, left


def _values_of(specification: Specification, field: Field) -> int:
    """How many values a field takes: its own, or those that a worksheet that is not opened yet will surely ask for."""
    nested = specification.nested(field)
    inside = nested.fields if nested is not None else ()
    asked = [one for one in inside if one.required and not one.predicate and one.kind is FieldKind.INPUT]
    return sum(_values_of(specification, one) for one in asked if one.type.basic is not Basic.CONFIRM) or 1


def _fields(state: DialogueState, rules: Rules, instance: Instance) -> list[dict[str, Any]]:
    """The fields that apply. Of several nested worksheets in a row, those after the first unfinished one wait for it:
    a third course is no gap in the panel while the second is still asked for."""
    shown: list[dict[str, Any]] = []
    waiting = False
    for field in worksheet_of(rules.specification, instance).fields:
        if field.kind is not FieldKind.INPUT or field.type.basic is Basic.CONFIRM:
            continue
        if not _is_shown(state, rules, instance, field):
            continue
        item = _field(state, rules, instance, field)
        begun = item["status"] != "unset" or any(_is_begun(nest) for nest in item["nested"])
        if waiting and not begun:
            continue
        if not begun and not field.required:
            item["nested"] = []  # it was only asked for
        shown.append(item)
        if item["type"] == "worksheet" and not (item["nested"] and all(nest["complete"] for nest in item["nested"])):
            waiting = waiting or bool(_siblings(rules, instance, field))
    return shown


def _is_begun(nest: dict[str, Any]) -> bool:
    """Whether anything was told of a nested worksheet."""
    return any(item["status"] != "unset" for item in _flat(nest["fields"]))


def _siblings(rules: Rules, instance: Instance, field: Field) -> list[Field]:
    """The other fields that take the same worksheet as `field`."""
    nested = rules.specification.nested(field)
    fields = worksheet_of(rules.specification, instance).fields
    return [other for other in fields if other is not field and rules.specification.nested(other) is nested]


def _is_shown(state: DialogueState, rules: Rules, instance: Instance, field: Field) -> bool:
    return instance.slot(field.name).status is not SlotStatus.UNSET or bool(rules.shows(state, instance, field))


def _field(state: DialogueState, rules: Rules, instance: Instance, field: Field) -> dict[str, Any]:
    specification, slot = rules.specification, instance.slot(field.name)
    known = slot.status is SlotStatus.SET
    nested = specification.nested(field)
    inside = [child for at, child in children(state, instance, specification) if at is field]
    return {
        "instance": instance.name,
        "name": field.name,
        "label": field.label,
        "type": "worksheet" if nested else _type(specification, field),
        "many": field.type.many,
        "options": list(field.options),
        "required": field.required,
        "description": field.description,
        "value": machine(slot.value) if known and not nested else None,
        "words": in_words(slot.value, field, rules.now.date()) if known and not nested else "",
        "status": _STATUS[slot.status],
        "candidates": [item.model_dump() for item in slot.candidates] if slot.status is SlotStatus.OPEN else [],
        "alternatives": [machine(item) for item in slot.options],
        "confirmed": slot.confirmed,
        "nested": [
            {
                "instance": child.name,
                "worksheet": child.worksheet,
                "title": title_of(worksheet_of(specification, child)),
                "complete": rules.complete(state, child),
                "fields": _fields(state, rules, child),
            }
            for child in inside
        ],
    }


def _type(specification: Specification, field: Field) -> str:
    """The type as an input control needs it: a `Basic`, or "entity" for a row of a corpus."""
    return "entity" if specification.knowledge(field) else (field.type.basic or Basic.TEXT).value


def _confirmation(state: DialogueState, rules: Rules, root: Instance) -> dict[str, Any] | None:
    """The confirmation that is waited for, if it is of this task and still of these values."""
    pending = state.pending
    if pending is None or pending.kind != "confirm":
        return None
    instance = state.instance(pending.instance)
    if instance is None or root_of(state, instance).name != root.name:
        return None
    field = worksheet_of(rules.specification, instance).by_name[pending.field]
    of_all = field.type.basic is Basic.CONFIRM
    if bound_to(state, instance, rules.specification, "" if of_all else field.name) != pending.digest:
        return None
    slot = instance.slot(field.name)
    text = (
        verbalise.confirm_all(state, instance, rules.specification, rules.now.date(), 0)
        if of_all
        else verbalise.confirm_value(field, slot.value, 0, rules.now.date())
    )
    whole = of_all and instance.name == root.name
    return {"instance": instance.name, "field": field.name, "digest": pending.digest, "text": text, "whole": whole}
