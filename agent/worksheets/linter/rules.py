"""Predicates, validations and actions: each read on its own, with every name in it."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from agent.protocols.errors import ExpressionError
from agent.worksheets.actions import Registry
from agent.worksheets.expressions import ActionCall, Program, parse
from agent.worksheets.expressions.names import nearest
from agent.worksheets.findings import Finding, Level
from agent.worksheets.linter.findings import about, at
from agent.worksheets.linter.trials import chain, try_action, try_values
from agent.worksheets.specification import Basic, Field, FieldKind, Specification, Worksheet, WorksheetKind

EXPRESSIONS = ("predicate", "ws_predicate", "validation")


@dataclass(frozen=True)
class Rule:
    """One rule as it was declared: in which column, of which field (None: of the worksheet), and what it reads as."""

    worksheet: Worksheet
    field: Field | None
    column: str
    program: Program

    def finding(self, message: str, level: Level = Level.ERROR) -> Finding:
        return about(self.worksheet, self.field, self.column, message, level)


def read(specification: Specification) -> tuple[list[Rule], list[Finding]]:
    """Return all rules of a specification that can be read, and what is wrong with the others."""
    rules, findings = [], []
    for worksheet in specification.worksheets:
        for field, column, text in _texts(worksheet):
            if not text.strip():
                continue
            try:
                program = parse(text, specification, worksheet.name)
            except ExpressionError as error:
                findings.append(at(about(worksheet, field, column, ""), error))
            else:
                rules.append(Rule(worksheet, field, column, program))
    return rules, findings


def _texts(worksheet: Worksheet) -> Iterator[tuple[Field | None, str, str]]:
    yield None, "ws_predicate", worksheet.predicate
    if worksheet.kind is WorksheetKind.TASK:
        yield None, "ws_backend", worksheet.backend
    yield None, "ws_actions", worksheet.actions
    for field in worksheet.fields:
        yield field, "predicate", field.predicate
        yield field, "validation", field.validation
        yield field, "actions", field.actions


def shapes(rules: list[Rule]) -> Iterator[Finding]:
    """Rules in the wrong column: actions as predicates, predicates as actions, `value` outside of a validation."""
    for rule in rules:
        if rule.column in EXPRESSIONS and rule.program.expression is None:
            yield rule.finding("This must be a condition, not an action.")
        if rule.column not in EXPRESSIONS and not rule.program.acts:
            yield rule.finding("This has no effect: it only reads a value.", Level.WARNING)
        if rule.program.uses_value and rule.column != "validation":
            yield rule.finding("'value' is only known in a validation; name the field (self.…).")
        if rule.column == "validation" and not rule.program.uses_value and rule.program.expression is not None:
            yield rule.finding("This does not use 'value', the value to be checked.", Level.WARNING)


def comparisons(rules: list[Rule], specification: Specification) -> Iterator[Finding]:
    """Enums compared with texts that are none of their values."""
    for rule in rules:
        for statement in rule.program.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Compare):
                    yield from _compared(rule, node, specification)


def _compared(rule: Rule, node: ast.Compare, specification: Specification) -> Iterator[Finding]:
    sides = [node.left, *node.comparators]
    for one, other in itertools.pairwise(sides):
        for field_side, text_side in ((one, other), (other, one)):
            field = _enum(rule, field_side, specification)
            for text in _texts_in(text_side) if field is not None else ():
                if field is not None and text.value not in field.options:
                    known = nearest(str(text.value), field.options)
                    error = rule.program.error(f"{text.value!r} is not a value of {field.name}{known}", text)
                    yield at(rule.finding(""), error)


def _enum(rule: Rule, node: ast.expr, specification: Specification) -> Field | None:
    if isinstance(node, ast.Name) and node.id == "value":
        return rule.field if rule.field is not None and rule.field.type.basic is Basic.ENUM else None
    if not isinstance(node, ast.Attribute):
        return None
    field = next(reversed(chain(node, rule.program.worksheet, specification).values()), None)
    return field if field is not None and field.type.basic is Basic.ENUM and field.name == node.attr else None


def _texts_in(node: ast.expr) -> list[ast.Constant]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
    return [item for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def validations(rules: list[Rule], specification: Specification) -> Iterator[Finding]:
    """Validations that no value passes, or that fail."""
    for rule in rules:
        if rule.column != "validation" or rule.field is None or rule.program.expression is None:
            continue
        outcome = try_values(rule.program, rule.field, specification)
        if outcome.error is not None:
            yield at(rule.finding(""), outcome.error)
        elif not outcome.holds and outcome.certain:
            yield rule.finding(f"No value of {rule.field.name} can pass this.")


def dry_runs(rules: list[Rule], specification: Specification) -> Iterator[Finding]:
    """Actions that fail once they are run: they are tried with values for all that can be known when they begin.

    An action reads values as they were when it began: what it sets itself, or what comes of what it calls, is not known
    to it yet.
    """
    for rule in rules:
        if rule.column in EXPRESSIONS or not rule.program.acts:
            continue
        elsewhere = {target for other in rules if other is not rule for target in _written(other, specification)}
        own = _written(rule, specification) - elsewhere
        before = rule.column == "ws_actions" and bool(rule.worksheet.backend.strip())
        calls = bool(rule.program.calls) and not before

        def unknown(path: str, field: Field, own: frozenset[str] = own, calls: bool = calls, rule: Rule = rule) -> bool:
            output = field.kind is FieldKind.OUTPUT and calls and path == f"{rule.worksheet.name}/{field.name}"
            return path in own or output

        outcome = try_action(rule.program, specification, unknown)
        if outcome.error is not None:
            level = Level.WARNING if outcome.holds else Level.ERROR
            yield at(rule.finding("", level), outcome.error)


def _written(rule: Rule, specification: Specification) -> frozenset[str]:
    """The paths of the fields that a rule sets."""
    found = set()
    for statement in rule.program.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign):
                found |= {path for target in node.targets for path in chain(target, rule.worksheet.name, specification)}
    return frozenset(found)


def actions(rules: list[Rule], registry: Registry | None) -> Iterator[Finding]:
    """Actions that are not registered, or not called as they are; and those that run without a confirmation."""
    for rule in rules:
        for call in rule.program.calls:
            if registry is not None:
                yield from _call(rule, call, registry)
        if rule.program.calls and not _confirmed(rule):
            names = ", ".join(dict.fromkeys(call.name for call in rule.program.calls))
            yield rule.finding(f"{names} runs without a confirmation: add a field of type confirm.", Level.WARNING)


def _call(rule: Rule, call: ActionCall, registry: Registry) -> Iterator[Finding]:
    action = registry.actions.get(call.name)
    problems = []
    if action is None:
        problems.append(f"there is no action {call.name!r}{nearest(call.name, registry.actions)}")
    else:
        parameters = list(inspect.signature(action).parameters.values())[1:]
        names = [parameter.name for parameter in parameters]
        needed = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
        problems += [
            f"the action {call.name} takes no {name!r}{nearest(name, names)}"
            for name in call.arguments
            if name not in names
        ]
        problems += [f"the action {call.name} needs {name!r}" for name in needed if name not in call.arguments]
    for problem in problems:
        error = ExpressionError(problem, call.place.line, call.place.column, rule.program.text)
        yield at(rule.finding(""), error)


def _confirmed(rule: Rule) -> bool:
    """Whether the user was asked before the rule runs: for the worksheet, or for the field's value."""
    if rule.field is not None and rule.field.type.basic is not Basic.CONFIRM:
        return rule.field.confirm
    return rule.worksheet.confirmation is not None
