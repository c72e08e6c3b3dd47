"""What can be reached: predicates that can never hold, fields and worksheets that are never asked.

A field can be reached when its predicate, its worksheet's, and those on the way there can hold together, with values
only in fields that can themselves be reached. Two fields that wait for each other are never reached.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.worksheets.findings import Finding
from agent.worksheets.linter.findings import about, at
from agent.worksheets.linter.rules import Rule
from agent.worksheets.linter.trials import attributes, try_together
from agent.worksheets.specification import Field, Specification, Worksheet, WorksheetKind

FieldName = tuple[str, str]  # of the worksheet, and its own


class Reach:
    """The fields of a specification that can be reached."""

    def __init__(self, specification: Specification, rules: list[Rule]) -> None:
        self._specification = specification
        self._gates = {
            (rule.worksheet.name, rule.field.name if rule.field else ""): rule
            for rule in rules
            if rule.column in ("predicate", "ws_predicate") and rule.program.expression is not None
        }
        self._reached: set[FieldName] = set()
        while added := {name for name in self._unreached() if self._opens(*name)}:
            self._reached |= added

    def findings(self) -> Iterator[Finding]:
        """Predicates that fail or never hold, then what is out of reach for another reason."""
        for rule in self._gates.values():
            alone = try_together([rule.program], self._specification)
            if alone.error is not None:
                yield at(rule.finding(""), alone.error)
            elif not alone.holds and alone.certain:
                yield rule.finding("This can never hold, whatever people say.")
        closed = {name for name in self._specification.parents if not self._ways(name, frozenset())}
        for worksheet in (self._specification.by_name[name] for name in sorted(closed)):
            message = f"{worksheet.name} is never opened: no field that contains it is ever asked."
            yield about(worksheet, None, "ws_name", message)
        for name, field in sorted(self._unreached()):
            if name not in closed and self._alone(name, field) and self._alone(name, ""):
                yield self._out_of_reach(name, field)

    def _unreached(self) -> set[FieldName]:
        """Names of fields of tasks that are not reached (yet)."""
        named = {(task.name, field.name) for task in self._specification.tasks for field in task.fields}
        return named - self._reached

    def _opens(self, worksheet: str, field: str) -> bool:
        """Whether a field can be asked, with values only in fields reached so far."""
        for way in self._ways(worksheet, frozenset()):
            gates = [gate for gate in (self._gates.get((worksheet, field)), *way) if gate is not None]
            outcome = try_together([gate.program for gate in gates], self._specification, self._never)
            if outcome.holds or not outcome.certain or outcome.error is not None:
                return True
        return False

    def _ways(self, worksheet: str, seen: frozenset[str]) -> list[list[Rule]]:
        """The gates that stand before a worksheet, for each way it can be nested in others that are reached."""
        own = [self._gates[worksheet, ""]] if (worksheet, "") in self._gates else []
        parents = self._specification.parents.get(worksheet)
        if not parents or worksheet in seen:
            return [own]
        ways = []
        for parent, field in parents:
            gate = self._gates.get((parent.name, field.name))
            if (parent.name, field.name) in self._reached:
                above = self._ways(parent.name, seen | {worksheet})
                ways += [[*own, *([gate] if gate else []), *way] for way in above]
        return ways

    def _never(self, path: str, field: Field) -> bool:
        """Whether the attribute of that path is one of a task that is not reached."""
        owner = self._owner(path)
        return owner is not None and owner.kind is WorksheetKind.TASK and (owner.name, field.name) not in self._reached

    def _owner(self, path: str) -> Worksheet | None:
        first, *rest = path.split("/")
        worksheet = self._specification.by_name.get(first)
        for part in rest[:-1]:
            field = worksheet.by_name.get(part) if worksheet else None
            worksheet = self._specification.by_name.get(field.type.name) if field else None
        return worksheet

    def _alone(self, worksheet: str, field: str) -> bool:
        """Whether a gate could hold if everything it reads could be said; then it is something else that is wrong."""
        gate = self._gates.get((worksheet, field))
        if gate is None:
            return True
        outcome = try_together([gate.program], self._specification)
        return outcome.error is None and (outcome.holds or not outcome.certain)

    def _out_of_reach(self, worksheet: str, name: str) -> Finding:
        declared = self._specification.by_name[worksheet]
        field = declared.by_name[name]
        gates = [gate for gate in (self._gates.get((worksheet, name)), self._gates.get((worksheet, ""))) if gate]
        waits = sorted({path.replace("/", ".") for gate in gates for path in self._waits_for(gate)})
        if waits:
            message = f"{name} is never asked: it waits for {', '.join(waits)}, and that is never asked before it."
        else:
            message = f"{name} is never asked: its condition and those of the worksheets around it exclude each other."
        return about(declared, field, "predicate", message)

    def _waits_for(self, gate: Rule) -> Iterator[str]:
        for path, field in attributes(gate.program, self._specification).items():
            if field is not None and self._never(path, field):
                yield path
