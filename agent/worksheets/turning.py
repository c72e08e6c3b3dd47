"""One turn of the policy while it is being decided: the state, the acts so far, and the steps that actions take."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import ExpressionError, SpecificationError
from agent.worksheets import verbalise
from agent.worksheets.actions import Call, Refusal, Registry, Result
from agent.worksheets.acts import Act, ActKind, Effect
from agent.worksheets.agenda import ran
from agent.worksheets.calling import bound
from agent.worksheets.checking import alternatives, stored
from agent.worksheets.entailment import is_router
from agent.worksheets.expressions import (
    AskConfirmation,
    CallAction,
    ExitWorksheet,
    Nested,
    Propose,
    Say,
    SetField,
    Step,
)
from agent.worksheets.instances import (
    bound_to,
    family,
    machine,
    opened,
    values,
    with_slot,
    with_status,
    worksheet_of,
)
from agent.worksheets.rules import Rules
from agent.worksheets.specification import Basic, Field, FieldKind, Specification
from agent.worksheets.state import DialogueState, Instance, InstanceStatus, Slot, SlotStatus

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Context:
    """Whose turn it is: what an action is told about its caller. `now` is in the users' time zone.

    `answered`: the message asked something that was answered without the corpora.
    """

    conversation: str
    now: datetime.datetime
    assistant: str = ""
    answered: bool = False


@dataclass
class Turn:
    """The working copy of one decision."""

    state: DialogueState
    specification: Specification
    registry: Registry
    rules: Rules
    context: Context
    acts: list[Act] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)

    @property
    def today(self) -> datetime.date:
        return self.context.now.date()

    def instance(self, name: str) -> Instance:
        found = self.state.instance(name)
        if found is None:
            raise KeyError(name)
        return found

    def act(self, kind: ActKind, text: str, instance: Instance | None = None, name: str = "", **more: Any) -> None:
        """One more act."""
        worksheet, called = (instance.worksheet, instance.name) if instance else ("", "")
        self.acts.append(Act(act=kind, text=text, worksheet=worksheet, instance=called, field=name, **more))

    def put(self, instance: str, name: str, slot: Slot | None) -> None:
        self.state = with_slot(self.state, instance, name, slot)

    def replace(self, instance: str, **update: Any) -> Instance:
        replaced = self.instance(instance).model_copy(update=update)
        self.state = self.state.with_instance(replaced)
        return replaced

    def routes(self, instance: Instance) -> bool:
        """Return whether it is a worksheet that only tells which task is wanted."""
        return is_router(self.specification, worksheet_of(self.specification, instance))

    def known(self, instance: Instance) -> dict[str, Any]:
        return values(self.state, instance, self.specification)

    def times(self, what: str, within: str = "") -> int:
        """How often something that has no slot was asked before; counts this time. What was never asked goes on from
        how often anything was asked `within` the same place."""
        asked = self.state.asked
        before = asked.get(what) or asked.get(within, 0)
        counted = {what: before + 1, **({within: before + 1} if within else {})}
        self.state = self.state.model_copy(update={"asked": {**asked, **counted}})
        return before

    # -- running -----------------------------------------------------------------------------------------------------

    async def run_field(self, instance: Instance, field: Field) -> None:
        """The actions of a field whose value was set. Each value once."""
        slot = instance.slot(field.name)
        self.put(instance.name, field.name, slot.model_copy(update={"ran": ran(slot)}))
        where = f"{instance.name}.{field.name}:{self.state.turns}:{bound_to(self.state, instance, self.specification)}"
        await self._run(field.actions, self.instance(instance.name), where, field.name)
        self._take_back_no(instance, field)

    def _take_back_no(self, instance: Instance, field: Field) -> None:
        """A no to a confirmation stands until its actions ran: what remains open is asked again."""
        left = self.instance(instance.name)
        if field.type.basic is Basic.CONFIRM and left.slot(field.name).value is False:
            self.put(
                instance.name,
                field.name,
                left.slot(field.name).model_copy(update={"status": SlotStatus.UNSET, "value": None}),
            )

    async def run_worksheet(self, instance: Instance) -> None:
        """The actions of a completed worksheet, under a key that is the same whenever the turn is taken up again."""
        worksheet = worksheet_of(self.specification, instance)
        where = f"{instance.name}:{bound_to(self.state, instance, self.specification)}"
        done = True
        for text in filter(str.strip, (worksheet.backend, worksheet.actions)):
            done = done and await self._run(text, self.instance(instance.name), where)
        left = self.instance(instance.name)
        if done and left.status is InstanceStatus.ACTIVE:
            self.state = with_status(self.state, left, InstanceStatus.DONE, self.specification)

    async def _run(self, text: str, instance: Instance, key: str, name: str = "") -> bool:
        """Whether all steps of an action were taken. A refusal or a rule that does not work ends it."""
        try:
            steps = self.rules.steps(text, self.state, instance)
            calls = 0
            for step in steps:
                calls += isinstance(step, CallAction)
                await self._take(step, instance, key if calls < 2 else f"{key}:{calls}")
        except Refusal as refusal:
            self._refused(self.instance(instance.name), refusal)
            return False
        except SpecificationError as error:
            self.broken(instance, name, error)
            return False
        return True

    def broken(self, instance: Instance, name: str, error: SpecificationError) -> None:
        """A rule or an action that does not work: said to the user, told to the curator, and not tried again."""
        self.tell_curator(instance.worksheet, name, error)
        self.replace(instance.name, problem=error.sentence)
        said = (
            {"rule": error.reason, "line": error.line} if isinstance(error, ExpressionError) else {"rule": error.detail}
        )
        self.act(ActKind.ERROR, error.sentence, instance, name, values=said)

    def tell_curator(self, worksheet: str, name: str, error: SpecificationError) -> None:
        """Log what does not work, with its place."""
        logger.error("%s: %s.%s: %s", self.specification.name, worksheet, name, error.detail)

    async def _take(self, step: Step, instance: Instance, key: str) -> None:
        match step:
            case Say(text):
                self.act(ActKind.SAY, text, instance)
            case Propose(worksheet, proposed):
                self.propose(worksheet, proposed)
            case ExitWorksheet():
                self._exit(self.instance(instance.name))
            case AskConfirmation(name):
                slot = self.instance(instance.name).slot(name)
                if slot.status is SlotStatus.SET and not slot.confirmed:
                    self.put(instance.name, name, slot.model_copy(update={"doubted": True}))
            case SetField(owner, name, value):
                self._set(instance, owner, name, value)
            case CallAction(name, arguments):
                await self._call(name, arguments, instance, key)

    async def _call(self, name: str, arguments: Mapping[str, Any], instance: Instance, key: str) -> None:
        action = self.registry.actions.get(name)
        if action is None:
            raise SpecificationError(
                "I can't do that, because this form is not set up correctly.", f"no action {name!r} is registered"
            )
        given = bound(name, action, {argument: self._argument(value) for argument, value in arguments.items()})
        call = Call(
            f"{self.context.conversation}:{key}", self.context.conversation, self.context.now, self.context.assistant
        )
        result = await action(call, **given)
        self._report(name, result, self.instance(instance.name), call.key)

    def _argument(self, value: Any) -> Any:
        """A value as an action is given it: a nested worksheet as the object of its values, a list as a list."""
        match value:
            case Nested(name):
                return self.known(self.instance(name))
            case tuple() | list():
                return [self._argument(item) for item in value]
        return value

    def _report(self, action: str, result: Result, instance: Instance, key: str) -> None:
        """What came of an action: reported, recorded, and in the output fields that bear its names."""
        outcome = {name: machine(stored(value)) for name, value in result.values.items() if value is not None}
        known = self.known(instance)
        self.effects.append(
            Effect(
                worksheet=instance.worksheet,
                instance=instance.name,
                action=action,
                values=known,
                result={**outcome, "sentence": result.sentence},
                key=key,
            )
        )
        self.act(ActKind.REPORT, result.sentence, instance, values={**known, **outcome})
        self.replace(instance.name, result={**outcome, "sentence": result.sentence}, problem="")
        for output in worksheet_of(self.specification, instance).fields:
            if output.kind is not FieldKind.INPUT and output.name in result.values:
                self._set(instance, "self", output.name, result.values[output.name])

    def _set(self, instance: Instance, owner: str, name: str, value: Any) -> None:
        """Sets a field from an action; None empties it, so that it is asked again."""
        at = self.instance(instance.name) if owner == "self" else self._owner(instance, owner)
        if at is None:
            return
        slot = at.slot(name)
        if value is None:
            self.put(at.name, name, Slot(asked=slot.asked))
        elif not isinstance(value, Nested):
            update = {"status": SlotStatus.SET, "value": stored(value), "confirmed": True, "options": ()}
            self.put(at.name, name, slot.model_copy(update=update))

    def _owner(self, instance: Instance, variable: str) -> Instance | None:
        worksheet = self.specification.by_variable.get(variable)
        return self.rules.nearest(self.state, instance, worksheet.name) if worksheet else None

    def _exit(self, instance: Instance) -> None:
        """The worksheet is given up, and what cannot do without it."""
        self.state = with_status(self.state, instance, InstanceStatus.ABANDONED, self.specification)
        if not instance.parent:
            if self.state.focus == instance.name:
                self.state = self.state.model_copy(update={"focus": "", "pending": None})
            return
        owner, name = instance.parent.split(".", 1)
        parent = self.instance(owner)
        self.put(owner, name, Slot(status=SlotStatus.REFUSED, refusals=1))
        if worksheet_of(self.specification, parent).by_name[name].required:
            self._exit(parent)

    def propose(self, worksheet: str, proposed: Mapping[str, Any]) -> Instance:
        """Return a task to offer, with values that accepting it accepts."""
        declared = self.specification.by_name[worksheet]
        self.state, instance = opened(self.state, declared, status=InstanceStatus.PROPOSED)
        for name, value in proposed.items():
            if name in declared.by_name and value is not None:
                slot = Slot(status=SlotStatus.SET, value=stored(value), confirmed=True)
                self.put(instance.name, name, slot)
        return self.instance(instance.name)

    def withdraw_unused(self) -> None:
        """A confirmation is for now: where it did not run what it was given for, it is not kept for later."""
        for instance in self.state.instances:
            worksheet = worksheet_of(self.specification, instance)
            field = worksheet.confirmation
            runs = bool(worksheet.actions.strip() or worksheet.backend.strip())
            if field is None or not runs or instance.status is InstanceStatus.DONE:
                continue
            slot = instance.slot(field.name)
            if slot.status is SlotStatus.SET:
                self.put(instance.name, field.name, Slot(asked=slot.asked))

    # -- refusals ----------------------------------------------------------------------------------------------------

    def _refused(self, instance: Instance, refusal: Refusal) -> None:
        """The action was not done, for a reason the user can do something about: what is in the way is asked again."""
        at, name = self._in_the_way(instance, refusal.field)
        worksheet = worksheet_of(self.specification, instance)
        options: tuple[str, ...] = ()
        if name:
            slot, field = at.slot(name), worksheet_of(self.specification, at).by_name[name]
            update = {
                "status": SlotStatus.UNSET,
                "options": alternatives(refusal),
                "confirmed": False,
            }
            self.put(at.name, name, slot.model_copy(update=update))
            options = verbalise.choices(alternatives(refusal), field, self.today)
        self.act(
            ActKind.ERROR,
            refusal.sentence,
            instance,
            name,
            options=options,
            values=self.known(self.instance(instance.name)),
        )
        if worksheet.confirmation is not None:
            asked = instance.slot(worksheet.confirmation.name).asked
            self.put(instance.name, worksheet.confirmation.name, Slot(asked=asked))
        self.replace(instance.name, problem=refusal.sentence)

    def _in_the_way(self, instance: Instance, name: str) -> tuple[Instance, str]:
        """The instance that has the field a refusal names, its own or a nested one's; no name where there is none.

        A nested one is named by the field that holds it, which is all an action is told: course_1_details.course_name.
        """
        owner, _, inner = name.rpartition(".")
        for member in [instance, *family(self.state, instance, self.specification)]:
            declared = worksheet_of(self.specification, member).by_name.get(inner)
            if (
                declared is None
                or self.specification.nested(declared)
                or (owner and owner not in (member.name, member.parent, member.parent.rpartition(".")[2]))
            ):
                continue
            if declared.kind is FieldKind.INPUT and declared.type.basic is not Basic.CONFIRM:
                return member, inner
        return instance, ""
