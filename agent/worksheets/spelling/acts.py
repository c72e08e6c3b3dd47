"""What the agent waits for, read from its acts as they are written: "AskField(course, grade_type, …)", "ASK(x, y)"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agent.worksheets.instances import ancestors, bound_to, opened, root_of, worksheet_of
from agent.worksheets.specification import Basic, Field, Specification, Worksheet
from agent.worksheets.state import DialogueState, Instance, InstanceStatus, Pending

_ACT = re.compile(r"(?P<act>[A-Za-z_]+)\s*\(\s*(?P<inside>[^()]*)")
_WORD = re.compile(r"[A-Za-z_]\w*")

Kind = Literal["ask", "confirm", "propose"]


def read_pending(acts: str | Sequence[Any], state: DialogueState, specification: Specification) -> DialogueState:
    """Return the state with what the last act that asks waits for: its instance in focus, and opened if it has to be.

    Acts are text, a list of texts, or objects with "act", "worksheet" or "instance", and "field".
    """
    items: list[Any] = [acts] if isinstance(acts, str) else list(acts)
    for kind, words in reversed([found for item in items for found in _acts(item)]):
        state, instance = _instance(words, state, specification, kind)
        if instance is None:
            continue
        return _waiting(
            state, specification, kind, instance, _field(words, worksheet_of(specification, instance), kind)
        )
    return state


def _acts(item: Any) -> list[tuple[Kind, list[str]]]:
    """The acts that ask, with the words inside them."""
    if isinstance(item, Mapping):
        words = [str(item.get(name) or "") for name in ("instance", "worksheet", "field")]
        kind = _kind(str(item.get("act", "")))
        return [(kind, [word for word in words if word])] if kind else []
    found = []
    for match in _ACT.finditer(str(item)):
        kind = _kind(match["act"])
        if kind:
            found.append((kind, _WORD.findall(match["inside"])))
    return found


def _kind(act: str) -> Kind | None:
    for kind in ("ask", "confirm", "propose"):
        if act.lower().startswith(kind):
            return kind
    return None


def _instance(
    words: Sequence[str], state: DialogueState, specification: Specification, kind: Kind
) -> tuple[DialogueState, Instance | None]:
    """The instance that an act is about: by its name, else the latest of its worksheet, else a new one."""
    for word in words:
        if (named := state.instance(word)) is not None:
            return state, named
    for word in words:
        worksheet = specification.by_name.get(word) or specification.by_variable.get(re.sub(r"_\d+$", "", word))
        if worksheet is None or worksheet not in specification.tasks:
            continue
        latest = [item for item in state.instances if item.worksheet == worksheet.name]
        if latest:
            return state, latest[-1]
        status = InstanceStatus.PROPOSED if kind == "propose" else InstanceStatus.ACTIVE
        name = word if re.search(r"_\d+$", word) else ""
        return opened(state, worksheet, name, status=status)
    return state, None


def _field(words: Sequence[str], worksheet: Worksheet, kind: Kind) -> Field | None:
    named = next((worksheet.by_name[word] for word in words if word in worksheet.by_name), None)
    return named if named is not None or kind != "confirm" else worksheet.confirmation


def _waiting(
    state: DialogueState, specification: Specification, kind: Kind, instance: Instance, field: Field | None
) -> DialogueState:
    if kind == "ask" and field is not None and field.type.basic is Basic.CONFIRM:
        kind = "confirm"  # "AskField(main, confirm)" is how the paper's system asks for one
    digest = ""
    if kind == "confirm":
        of_all = field is None or field.type.basic is Basic.CONFIRM
        digest = bound_to(state, instance, specification, "" if of_all or field is None else field.name)
    pending = Pending(kind=kind, instance=instance.name, field=field.name if field else "", digest=digest)
    focus = state.focus if kind == "propose" else root_of(state, instance).name
    for above in (instance, *ancestors(state, instance)):
        if kind != "propose" and above.status is InstanceStatus.SUSPENDED:
            state = state.with_instance(above.model_copy(update={"status": InstanceStatus.ACTIVE}))
    return state.model_copy(update={"pending": pending, "focus": focus})
