"""What a person would be asked, from an empty form to its action: the policy itself, with made-up answers.

    for step in await preview(specification, "BookRestaurant", now):
        step.act, step.field, step.text, step.answer, step.branches

Where rules look at a choice, every option is followed. Nothing runs: actions are stood in for.
"""

from __future__ import annotations

import ast
import dataclasses
import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets.actions import Action, Call, Registry, Result
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.entailment import is_router, opening
from agent.worksheets.expressions import Program, parse
from agent.worksheets.expressions.names import Names
from agent.worksheets.policy import Context, Decision
from agent.worksheets.rules import Rules
from agent.worksheets.specification import Basic, Field, Specification, Worksheet
from agent.worksheets.stages import take_turn
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Assign, Confirm, Decline, Pick, Statement

MOST_TURNS = 300  # of all branches together; a form that needs more is cut short, and says so


@dataclass(frozen=True)
class Step:
    """One act of the agent, and what is answered to it in the preview.

    `act` is an `ActKind`, or "RUN" for an action with `text` as its call. `branches` are the ways it may go on, as
    (option, steps) pairs, where they differ; the preview then ends at this step.
    """

    act: str
    worksheet: str = ""
    field: str = ""
    text: str = ""
    answer: str = ""
    optional: bool = False
    branches: tuple[tuple[str, tuple[Step, ...]], ...] = ()


def previewed(specification: Specification) -> tuple[Worksheet, ...]:
    """Return the tasks that a person can begin."""
    return tuple(worksheet for worksheet in specification.roots if not is_router(specification, worksheet))


async def preview(specification: Specification, worksheet: str, now: datetime.datetime) -> tuple[Step, ...]:
    """Return what is asked for a task that is begun with nothing said about it."""
    walk = _Walk(specification, now)
    state = DialogueState(application=specification.name, version=specification.version)
    return await walk.on(state, opening(state, specification, worksheet))


@dataclass
class _Walk:
    specification: Specification
    now: datetime.datetime
    turns: int = 0
    ran: list[str] = field(default_factory=list)  # the calls of the turn that is being decided
    registry: Registry = field(init=False)
    decisive: frozenset[tuple[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        programs = list(_programs(self.specification))
        names = {call.name for program in programs for call in program.calls}
        self.registry = Registry(actions={name: self._stand_in(name) for name in names})
        known = {name: Names(self.specification, name) for name in self.specification.by_name}
        self.decisive = frozenset(pair for one in programs for pair in _decides(one, known[one.worksheet]))

    def _stand_in(self, name: str) -> Action:
        async def run(call: Call, **arguments: Any) -> Result:
            given = ", ".join(argument for argument, value in arguments.items() if value is not None)
            self.ran.append(f"{name}({given})")
            return Result("")

        return run

    async def on(self, state: DialogueState, statements: Sequence[Statement]) -> tuple[Step, ...]:
        """Return the steps that follow when a message does this to the state."""
        steps: list[Step] = []
        asked_before: set[tuple[str, str, str]] = set()
        while True:
            self.turns += 1
            if self.turns > MOST_TURNS:
                return (*steps, Step("SAY", text="… and so on."))
            decision = await self._decide(state, statements)
            state = decision.state
            steps += self._said(decision)
            asked = decision.acts[-1] if decision.acts and self._is_question(decision.acts[-1]) else None
            if asked is None:
                return tuple(steps)
            step, answers = self._answered(state, asked)
            question = (asked.act.value, asked.instance, asked.field)
            if question in asked_before:
                return (*steps, step, Step("SAY", text="No sample answer passes this question."))
            asked_before.add(question)
            if len(answers) > 1:
                branches = [(words, await self.on(state, (answer,))) for words, answer in answers]
                return (*steps, _forked(step, branches))
            steps.append(step)
            statements = [answer for _, answer in answers]

    async def _decide(self, state: DialogueState, statements: Sequence[Statement]) -> Decision:
        context = Context("preview", self.now, self.specification.name)
        return await take_turn(state, statements, {}, (), self.specification, self.registry, context)

    def _said(self, decision: Decision) -> Iterator[Step]:
        """The actions that ran, and the acts besides the question at the end."""
        yield from (Step("RUN", text=call) for call in self.ran)
        self.ran.clear()
        for act in decision.acts:
            if not self._is_question(act) and act.act is not ActKind.REPORT:
                yield Step(act.act.value, act.worksheet, act.field, act.text)

    def _is_question(self, act: Act) -> bool:
        """Whether the act asks for a field, or for one more of a list. What is asked besides is left unanswered."""
        declared = self.specification.by_name[act.worksheet].by_name.get(act.field) if act.worksheet else None
        if declared is None:
            return False
        listed = declared.type.many and self.specification.nested(declared) is not None
        return act.act in (ActKind.ASK, ActKind.CONFIRM) or (act.act is ActKind.PROPOSE and listed)

    def _answered(self, state: DialogueState, act: Act) -> tuple[Step, list[tuple[str, Statement]]]:
        """The question as a step, and the answers to follow: each option where rules look at it, else one."""
        declared = self.specification.by_name[act.worksheet].by_name[act.field]
        answers = self._answers(state, act, declared)
        shown = answers[0][0] if len(answers) == 1 else ""
        return Step(act.act.value, act.worksheet, act.field, act.text, shown, not declared.required), answers

    def _answers(self, state: DialogueState, act: Act, declared: Field) -> list[tuple[str, Statement]]:
        nested = self.specification.nested(declared)
        if act.act is ActKind.CONFIRM or nested is not None:
            yes = nested is None  # "another one?" is answered with no
            return [("yes" if yes else "no", Confirm(instance=act.instance, field=act.field, yes=yes))]
        if (knowledge := self.specification.knowledge(declared)) is not None:
            title = f"a {knowledge.title or declared.label}"
            return [(title, Pick(instance=act.instance, field=act.field, table=knowledge.table, key="1", title=title))]
        values = self._values(state, act, declared)
        if not values:
            return [("(no sample value passes)", Decline(instance=act.instance, field=act.field))]
        branching = (act.worksheet, act.field) in self.decisive and declared.type.basic in (Basic.ENUM, Basic.BOOLEAN)
        followed = values if branching else values[:1]
        return [(_words(value), Assign(instance=act.instance, field=act.field, value=value)) for value in followed]

    def _values(self, state: DialogueState, act: Act, declared: Field) -> list[Any]:
        """Values that may be assigned."""
        rules, instance = Rules(self.specification, self.now), state.instance(act.instance)
        told = {one.slot(declared.name).value for one in state.instances if declared.primary}  # two things are not one
        samples = [value for value in _samples(declared, self.now.date()) if value not in told]
        return [value for value in samples if instance and rules.accepts(state, instance, declared, value)]


def _programs(specification: Specification) -> Iterator[Program]:
    """Every rule that can be read; the linter reports the others."""
    for worksheet in specification.worksheets:
        texts = [worksheet.predicate, worksheet.actions, worksheet.backend]
        texts += [text for one in worksheet.fields for text in (one.predicate, one.actions)]
        for text in texts:
            try:
                yield parse(text, specification, worksheet.name)
            except ExpressionError:
                continue


def _decides(program: Program, names: Names) -> Iterator[tuple[str, str]]:
    """The (worksheet, field) pairs that a rule turns on: all of a condition's, those an action asks with `if`."""
    if program.expression is not None:
        yield from program.reads
    for statement in program.body:
        for test in (node.test for node in ast.walk(statement) if isinstance(node, ast.If | ast.IfExp)):
            for node in ast.walk(test):
                if isinstance(node, ast.Attribute):
                    yield from names.chain(node)


def _samples(declared: Field, today: datetime.date) -> list[Any]:
    days = [today + datetime.timedelta(days=days) for days in (7, -7, 1, -1, 0, 400, -10_000)]
    match declared.type.basic:
        case Basic.ENUM:
            return list(declared.options)
        case Basic.BOOLEAN:
            return [True, False]
        case Basic.INTEGER:
            return [2, 1, 0, 5, 10, 20, 50, 100, 1000]
        case Basic.NUMBER:
            return [2.5, 1.0, 0.0, 10.0, 100.0]
        case Basic.DATE:
            return [day.isoformat() for day in days]
        case Basic.TIME:
            return ["19:00", "12:00", "09:00", "23:00", "06:00"]
    return ["something", "name@example.org", "(650) 555-0100", "1234", "12345678", "A long answer of several words."]


def _words(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _forked(step: Step, branches: list[tuple[str, tuple[Step, ...]]]) -> Step:
    """The question with the ways it may go on; options that lead to the same questions share one."""
    ways: dict[object, tuple[list[str], tuple[Step, ...]]] = {}
    for option, steps in branches:
        ways.setdefault(_shape(steps), ([], steps))[0].append(option)
    forks = tuple((", ".join(options), steps) for options, steps in ways.values())
    return dataclasses.replace(step, branches=forks)


def _shape(steps: Sequence[Step]) -> object:
    """What is asked, whatever the words."""
    return tuple(
        (step.act, step.worksheet, step.field, tuple((option, _shape(inner)) for option, inner in step.branches))
        for step in steps
    )
