"""Columns that both sides of a join share: USING and NATURAL.

SELECT k FROM a RIGHT JOIN b USING (k)     SELECT b.k FROM a RIGHT JOIN b USING (k)
SELECT k FROM a FULL JOIN b USING (k)      SELECT coalesce(a.k, b.k) FROM a FULL JOIN b USING (k)
"""

from __future__ import annotations

from sqlglot import exp

from agent.protocols.errors import NotAllowed, UnknownName
from agent.suql.names import Scope, Source
from agent.suql.naming import column_of, is_hidden, match


def share_columns(join: exp.Join, scope: Scope, before: list[Source]) -> None:
    """USING and NATURAL become names that are known to be shared."""
    joined = list(scope.sources.values())[-1]
    if str(join.args.get("method") or "").upper() == "NATURAL":
        seen = {name for source in before for name, output in source.outputs.items() if not is_hidden(output)}
        shared = [name for name, output in joined.outputs.items() if name in seen and not is_hidden(output)]
        shared.sort(key=[name for source in before for name in source.outputs].index)
        join.set("method", None)
        join.set("using", [exp.to_identifier(name, quoted=True) for name in shared])
    names = [_merge(identifier, join, scope, before) for identifier in join.args.get("using") or ()]
    scope.front = names + [name for name in scope.front if name not in names]


def _merge(identifier: exp.Expr, join: exp.Join, scope: Scope, before: list[Source]) -> str:
    """One column of USING: which column it is, and of which side its value is."""
    joined = list(scope.sources.values())[-1]
    name = match(identifier.name, joined.outputs) or identifier.name
    left = next((source for source in before if name in source.outputs), None)
    if name not in joined.outputs or left is None:
        raise UnknownName(f"USING ({identifier.name}): both sides of the join need that column.")
    if any(name in source.renamed for source in [joined, *before]):
        raise NotAllowed(f"Next to a join in parentheses, write ON instead of USING ({name}).")
    identifier.replace(exp.to_identifier(name, quoted=True))
    known = scope.merged.get(name, (left,))
    scope.merged[name] = {"RIGHT": (joined,), "FULL": (*known, joined)}.get(join.side, known)
    return name


def merged_column(sources: tuple[Source, ...], name: str) -> exp.Expr:
    """Return the value of a column that several tables share: of the first that has one."""
    first, *others = (column_of(source.alias, source.written(name)) for source in sources)
    return exp.Coalesce(this=first, expressions=others) if others else first
