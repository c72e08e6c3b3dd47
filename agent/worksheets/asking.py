"""The one thing a turn asks: which, and in which words; and what the agent then waits for."""

from __future__ import annotations

from typing import Any

from agent.worksheets import agenda, verbalise
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.agenda import Want
from agent.worksheets.instances import ancestors, children, family, machine, optional_part, root_of, worksheet_of
from agent.worksheets.specification import Basic, Field, FieldKind, Worksheet
from agent.worksheets.state import Choice, Instance, InstanceStatus, Pending, Slot, SlotStatus
from agent.worksheets.turning import Turn
from agent.worksheets.update import Updated

PATIENCE = 2  # times a required value may be refused, or not do, before it is offered to leave
YES_NO = ("Yes", "No")
SKIP = "Skip it"
NONE = "No, that is all"


def waiting(updated: Updated) -> Pending | None:
    """Return what was waited for before the message and is waited for still: nothing answered it."""
    pending = updated.state.pending
    return pending if pending is not None and pending == updated.before.pending else None


def waited_for(updated: Updated, asked_something: bool) -> tuple[str, str] | None:
    """Return the (instance, field) that is still waited for because the user asked something instead; not for ever."""
    pending = waiting(updated)
    if pending is None or pending.kind != "ask" or updated.changed or not asked_something or pending.turns >= PATIENCE:
        return None
    return pending.instance, pending.field


def ask_parameter(turn: Turn, query: int, worksheet: str, name: str) -> None:
    """Ask for what a query to the corpora still lacks."""
    declared = turn.specification.by_name.get(worksheet)
    table = declared.table if declared else worksheet
    corpora = [item for item in turn.specification.worksheets if item.table == table and table]
    fields = [item.by_name[name] for item in corpora if name in item.by_name]
    field = next((item for item in fields if item.kind is FieldKind.INPUT), None)
    text = verbalise.missing_parameter(field, name, turn.times(f"{worksheet}.{name}"))
    turn.acts.append(Act(act=ActKind.ASK, worksheet=worksheet, field=name, text=text, query=query))
    _wait(turn, Pending(kind="ask", instance="", field=name))


def ask_next(turn: Turn, updated: Updated) -> bool:
    """Ask what the task in focus wants next. False if there is nothing to ask."""
    before = updated.before.pending
    pending = None if waiting(updated) else turn.state.pending
    _wait(turn, None)
    _refocus(turn)
    focus = turn.state.instance(turn.state.focus)
    if focus is None or focus.status is not InstanceStatus.ACTIVE:
        return False
    if pending is not None and pending.kind in ("clarify", "leave"):
        _ask_about_task(turn, pending)
        return True
    if pending is not None and pending.kind == "which":
        _ask_which(turn, pending)
        return True
    want = _in_the_way(turn) or agenda.doubt(turn.state, turn.specification)
    want = want or _emptied(turn, updated) or _left_open(turn, updated)
    if want is None and _refused_anew(turn, updated, focus):
        return _stuck(turn, focus)
    if want is None:
        turn.state, want = agenda.next_want(turn.state, turn.rules)
    if want is None:
        return _stuck(turn, focus)
    _ask(turn, want, before, updated)
    return True


def _wait(turn: Turn, pending: Pending | None) -> None:
    turn.state = turn.state.model_copy(update={"pending": pending})


def _refocus(turn: Turn) -> None:
    """Where the task in focus has ended, another that is active is worked on."""
    focus = turn.state.instance(turn.state.focus)
    if focus is not None and focus.status is InstanceStatus.ACTIVE:
        return
    roots = [item for item in turn.state.open_instances() if not item.parent and not turn.routes(item)]
    turn.state = turn.state.model_copy(update={"focus": roots[-1].name if roots else ""})


def _in_the_way(turn: Turn) -> Want | None:
    """The field whose value would not do in this turn, if it still has none: it is asked before all others."""
    focus = turn.instance(turn.state.focus)
    refused = [act.field for act in turn.acts if act.act in (ActKind.CLARIFY, ActKind.ERROR) and act.instance]
    for member in family(turn.state, focus, turn.specification):
        for field in worksheet_of(turn.specification, member).fields:
            slot = member.slot(field.name)
            wanted = slot.status is SlotStatus.UNSET and (field.required or slot.asked < PATIENCE)
            if field.name in refused and wanted and _is_meant(turn, member, field) and _can_ask(turn, member, field):
                return Want("ask", member.name, field.name)
    return None


def _left_open(turn: Turn, updated: Updated) -> Want | None:
    """The field that was asked for once, need not be filled, and was passed over to put another value right: it is
    asked again, once. Who goes on with something new has passed it over."""
    before = updated.before.pending
    if before is None or before.kind != "ask" or not before.field or not _corrected(updated):
        return None
    instance = turn.state.instance(before.instance)
    if instance is None or instance.status is not InstanceStatus.ACTIVE:
        return None
    if root_of(turn.state, instance).name != turn.state.focus:
        return None
    field, slot = worksheet_of(turn.specification, instance).by_name[before.field], instance.slot(before.field)
    once = slot.status is SlotStatus.UNSET and slot.asked == 1 and not slot.refusals and not field.required
    return Want("ask", instance.name, field.name) if once and _can_ask(turn, instance, field) else None


def _emptied(turn: Turn, updated: Updated) -> Want | None:
    """The field that need not be filled and was emptied by the message, not refused: it is to hold something else."""
    for name, field_name in updated.changed:
        earlier, now = updated.before.instance(name), turn.state.instance(name)
        if earlier is None or now is None or root_of(turn.state, now).name != turn.state.focus:
            continue
        field = worksheet_of(turn.specification, now).by_name[field_name]
        was, status = earlier.slot(field_name).status, now.slot(field_name).status
        emptied = was is SlotStatus.SET and status is SlotStatus.UNSET and not field.required
        if emptied and now.status is InstanceStatus.ACTIVE and _can_ask(turn, now, field):
            return Want("ask", name, field_name)
    return None


def _corrected(updated: Updated) -> bool:
    """Whether a message changed a value that was known."""
    for name, field in updated.changed:
        earlier, now = updated.before.instance(name), updated.state.instance(name)
        if earlier is None or now is None or earlier.slot(field).status is not SlotStatus.SET:
            continue
        if now.slot(field).status is SlotStatus.SET and now.slot(field).value != earlier.slot(field).value:
            return True
    return False


def _is_meant(turn: Turn, instance: Instance, field: Field) -> bool:
    """Whether one of the turn's refusals is of this field: of its instance, or of one it is nested in."""
    around = {instance.name, *(above.name for above in ancestors(turn.state, instance))}
    return any(act.field == field.name and act.instance in around for act in turn.acts)


def _can_ask(turn: Turn, instance: Instance, field: Field) -> bool:
    return _is_plain(turn, field) and bool(turn.rules.shows(turn.state, instance, field))


def _refused_anew(turn: Turn, updated: Updated, focus: Instance) -> bool:
    """Whether an action was refused in this turn, with nothing in particular in the way."""
    for member in family(turn.state, focus, turn.specification):
        earlier = updated.state.instance(member.name)
        if member.problem and (earlier is None or earlier.problem != member.problem):
            return True
    return False


def _stuck(turn: Turn, focus: Instance) -> bool:
    """Nothing is left to ask, and yet it is not done: an action refused, so something has to change."""
    if not any(member.problem for member in family(turn.state, focus, turn.specification)):
        return False
    broken = agenda.broken(turn.rules, turn.state, focus)
    _ask_about_task(turn, Pending(kind="leave" if broken else "clarify", instance=focus.name))
    return True


def _ask_about_task(turn: Turn, pending: Pending, field: Field | None = None) -> None:
    """What should be changed, or whether the task should be dropped."""
    instance = root_of(turn.state, turn.instance(pending.instance))
    worksheet = worksheet_of(turn.specification, instance)
    if pending.kind == "leave":
        text = verbalise.leave(worksheet, field, turn.times(f"{instance.name}:leave"))
        turn.act(ActKind.ASK, text, instance, options=YES_NO)
    else:
        text = verbalise.change_what(worksheet, turn.times(f"{instance.name}:clarify"))
        turn.act(ActKind.ASK, text, instance, values=turn.known(instance))
    _wait(turn, Pending(kind=pending.kind, instance=instance.name))


def _ask_which(turn: Turn, pending: Pending) -> None:
    """Which of several things was meant."""
    instance = turn.instance(pending.instance)
    options = tuple(_option(turn, instance, one) for one in pending.choices)
    turn.act(ActKind.ASK, verbalise.which(options, turn.times(f"{instance.name}:which")), instance, options=options)
    _wait(turn, pending)


def _option(turn: Turn, instance: Instance, one: Choice) -> str:
    """One of the things that were meant; of another worksheet, with what would give way there."""
    other = turn.state.instance(one.instance)
    at = other or instance
    field = worksheet_of(turn.specification, at).by_name[one.field]
    held = at.slot(one.field).value if other is not None else None
    if held is None:
        return verbalise.choice(field, one.value, turn.today)
    return verbalise.in_place_of(field, one.value, held, turn.today)


def _ask(turn: Turn, want: Want, before: Pending | None, updated: Updated) -> None:
    instance = turn.instance(want.instance)
    field = worksheet_of(turn.specification, instance).by_name[want.field]
    slot = instance.slot(field.name)
    if want.kind == "ask" and (_refused_again(updated, instance, slot, field) or _in_vain(turn, want, updated)):
        _ask_about_task(turn, Pending(kind="leave", instance=instance.name), field)
        return
    digest = agenda.confirmation_digest(turn.state, want, turn.specification) if want.kind == "confirm" else ""
    kind = "propose" if want.kind == "more" else want.kind
    pending = Pending(kind=kind, instance=instance.name, field=field.name, digest=digest)
    same = before is not None and before.model_copy(update={"turns": 0}) == pending
    _act(turn, want, instance, field, slot, digest, updated)
    _wait(turn, pending.model_copy(update={"turns": before.turns + 1 if same and before else 0}))
    if want.kind != "more":
        turn.put(
            instance.name,
            field.name,
            turn.instance(instance.name).slot(field.name).model_copy(update={"asked": slot.asked + 1}),
        )


def _refused_again(updated: Updated, instance: Instance, slot: Slot, field: Field) -> bool:
    earlier = updated.before.instance(instance.name)
    times = earlier.slot(field.name).refusals if earlier else 0
    return field.required and slot.refusals >= PATIENCE and slot.refusals > times


def _in_vain(turn: Turn, want: Want, updated: Updated) -> bool:
    """Whether a field was asked for again and again and what the user says will still not do."""
    pending = waiting(updated)
    if pending is None or (pending.instance, pending.field) != (want.instance, want.field) or updated.changed:
        return False
    problem = any(act.act is ActKind.CLARIFY and act.field == want.field for act in turn.acts)
    return problem and pending.turns >= PATIENCE


def _act(turn: Turn, want: Want, instance: Instance, field: Field, slot: Slot, digest: str, updated: Updated) -> None:
    """The act for what is wanted."""
    root = worksheet_of(turn.specification, root_of(turn.state, instance))
    noted = _noted(turn, instance, updated)
    part = optional_part(turn.state, instance, turn.specification) if want.kind == "ask" else None
    times = turn.times(f"{instance.name}.{field.name}", instance.parent if part is not None else "")
    match want.kind:
        case "confirm" if field.type.basic is Basic.CONFIRM:
            text = _confirmation(turn, instance, digest, times, updated)
            text = _led_in(turn, text, root, [], updated)
            _confirm(turn, instance, field, text, turn.known(instance), digest)
            return
        case "confirm":
            text = verbalise.confirm_value(field, slot.value, times, turn.today)
            _confirm(turn, instance, field, text, {field.name: machine(slot.value)}, digest)
            return
        case "pick":
            text = verbalise.pick(field, slot, times)
            options = tuple(entity.title or entity.key for entity in slot.candidates)
        case "more":
            nested = turn.specification.by_name[field.type.name]
            held = len(slot.value) if isinstance(slot.value, tuple) else 0
            text, options = verbalise.one_more(field, nested, held, times), YES_NO
        case _ if part is not None:
            options, text = (NONE,), verbalise.ask(part, root, times)
        case _:
            options = _options(turn, field, slot)
            text = verbalise.ask(field, root, times, _to_name(turn, options) if slot.options else ())
            label = _one_of_several(turn, instance)
            if label and not (noted and all(label == group for group, _ in noted)):
                text = verbalise.inside(label, text)
    kind = ActKind.PROPOSE if want.kind == "more" else ActKind.ASK
    known = {item.name: machine(value) for _, values in noted for item, value in values}
    turn.act(kind, _led_in(turn, text, root, noted, updated), instance, field.name, values=known, options=options)


def _confirmation(turn: Turn, instance: Instance, digest: str, times: int, updated: Updated) -> str:
    """All values; in short, where the same ones were shown a turn before and another question came between."""
    before = updated.before.pending
    shown = before is not None and before.digest == digest and any(act.query is not None for act in turn.acts)
    if shown and any(True for _ in children(turn.state, instance, turn.specification)):
        return verbalise.confirm_again(worksheet_of(turn.specification, instance), times)
    return verbalise.confirm_all(turn.state, instance, turn.specification, turn.today, times)


def _confirm(turn: Turn, instance: Instance, field: Field, text: str, shown: dict[str, Any], digest: str) -> None:
    turn.act(ActKind.CONFIRM, text, instance, field.name, values=shown, digest=digest, options=YES_NO)


def _options(turn: Turn, field: Field, slot: Slot) -> tuple[str, ...]:
    """Answers to offer as quick replies."""
    if slot.options:
        return verbalise.choices(slot.options, field, turn.today)
    offered = YES_NO if field.type.basic is Basic.BOOLEAN else field.options
    return offered if field.required else (*offered, SKIP)


def _one_of_several(turn: Turn, instance: Instance) -> str:
    """What a nested worksheet is called where there are several of its kind ("second course"), else ""."""
    places = turn.specification.parents.get(instance.worksheet, ())
    owner, _, name = instance.parent.partition(".")
    at = turn.state.instance(owner)
    if at is None or len(places) < 2:
        return ""
    return worksheet_of(turn.specification, at).by_name[name].label


Noted = list[tuple[str, list[tuple[Field, Any]]]]


def _noted(turn: Turn, instance: Instance, updated: Updated) -> Noted:
    """The values that the message gave to this task, to be said back before the next question."""
    root = root_of(turn.state, instance).name
    noted: dict[str, list[tuple[Field, Any]]] = {}
    for name, field_name in (*_taken_up(updated, root), *updated.changed):
        at = turn.state.instance(name)
        if at is None or root_of(turn.state, at).name != root:
            continue
        field, slot = worksheet_of(turn.specification, at).by_name[field_name], at.slot(field_name)
        if slot.status is SlotStatus.SET and _is_plain(turn, field):
            noted.setdefault(_one_of_several(turn, at), []).append((field, slot.value))
    return list(noted.items())


def _taken_up(updated: Updated, root: str) -> tuple[tuple[str, str], ...]:
    """The values of a task that was offered before the message, and is worked on since."""
    before, now = updated.before.instance(root), updated.state.instance(root)
    if before is None or now is None or before.status is not InstanceStatus.PROPOSED:
        return ()
    changed = updated.changed
    return tuple(
        (root, name) for name in now.slots if now.status is InstanceStatus.ACTIVE and (root, name) not in changed
    )


def _is_plain(turn: Turn, field: Field) -> bool:
    """Whether a field holds a value of the user's own: no confirmation, no worksheet, nothing an action filled."""
    return (
        field.kind is FieldKind.INPUT
        and field.type.basic is not Basic.CONFIRM
        and turn.specification.nested(field) is None
    )


def _to_name(turn: Turn, options: tuple[str, ...]) -> tuple[str, ...]:
    """The choices a question has to name: none where what was just said names them."""
    said = " ".join(act.text for act in turn.acts)
    return () if all(option in said for option in options) else options


def _led_in(turn: Turn, text: str, worksheet: Worksheet, noted: Noted, updated: Updated) -> str:
    """The question after what was understood; after the answer to another question, with the way back to the task."""
    if noted:
        return f"{verbalise.noted(noted, turn.today)} {text}"
    answered = any(act.query is not None for act in turn.acts) and not updated.changed
    return verbalise.back_to(worksheet, text) if answered else text
