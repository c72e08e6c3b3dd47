"""The linter of specifications: everything that can be known to be wrong before anybody talks to it.

    for finding in lint(specification, registry=registry, tables={"restaurants"}):
        print(finding)             # row 7, column Predicate (BookRestaurant.date), line 1, character 6: …

Without a registry, names of actions are not checked; without tables, names of tables are not.
"""

from __future__ import annotations

from collections.abc import Collection

from agent.worksheets.actions import Registry
from agent.worksheets.findings import Finding, Level
from agent.worksheets.linter import declarations, rules
from agent.worksheets.linter.reaching import Reach
from agent.worksheets.specification import Specification

__all__ = ["Finding", "Level", "lint"]


def lint(
    specification: Specification, registry: Registry | None = None, tables: Collection[str] | None = None
) -> list[Finding]:
    """Return what is wrong with a specification: errors first, each kind in the order of its rows."""
    readable, findings = rules.read(specification)
    findings += [
        *declarations.worksheet_names(specification),
        *declarations.worksheets(specification, tables),
        *declarations.fields(specification),
        *declarations.confirmations(specification),
        *declarations.outcomes(specification),
        *declarations.nesting(specification),
        *rules.shapes(readable),
        *rules.comparisons(readable, specification),
        *rules.validations(readable, specification),
        *rules.actions(readable, registry),
        *rules.dry_runs(readable, specification),
        *Reach(specification, readable).findings(),
    ]
    return sorted(dict.fromkeys(findings), key=lambda finding: (finding.level is not Level.ERROR, finding.row))
