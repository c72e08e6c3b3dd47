"""How large the values of a query can become, said before anything is run; what could grow without bounds is refused.

What PostgreSQL sorts, hashes or hands on it writes to disk where it does not fit into `work_mem`. A single value it
holds in memory, and so it does the rows that WITH RECURSIVE … UNION has seen. Hence the bounds:

- exact numbers do not grow beyond what is computed at once (`bound_powers`);
- an expression may be a bounded number of times as large as the texts it is put together from (`refuse_growth`);
- what is collected into one value is counted beforehand (`refuse_large_collections`);
- a CTE that reads itself may have a bounded number of rows (`bound_recursion`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from agent.protocols.errors import NotAllowed, TooExpensive
from agent.suql.allowed import at
from agent.suql.comparing import selects
from agent.suql.database import RECURSION_TOO_LARGE, Database
from agent.suql.lineage import Lineage
from agent.suql.names import Names
from agent.suql.recursion import reads_itself
from agent.suql.scopes import Block
from agent.suql.statements import Statement
from agent.suql.tree import inner, own_nodes, position, quoted, raw
from agent.suql.walking import children, every

GROWN = 200.0  # times as large as one stored text
TEXT = 1_000  # characters that a stored text is taken to have
COLLECTED = 4 * 2**20  # bytes of the values that one SELECT collects; they are held several times over
ELEMENT = 32  # bytes that each of them takes beside its letters
COUNTED = 250_000  # of them that are counted
GATHERED = 20.0  # texts that a collection is taken to be as large as, where it is part of something else
EXPONENT = 2  # digits of an exponent that a power is computed exactly with
RECURSIVE_ROWS = 100_000
RECURSIVE_BYTES = 2**20  # well below work_mem: a window whose rows do not fit into it reads them all before the first
COST = 1e15  # of PostgreSQL's planner: thousands of years; of tables it has not counted yet, it expects far too much

_PICKED = (exp.Case, exp.If, exp.Coalesce, exp.Greatest, exp.Least, exp.Nullif)
_COLLECTING = (exp.ArrayAgg, exp.GroupConcat)
_SMALL = (exp.Predicate, exp.Connector, exp.Not, exp.Length, exp.ArraySize, exp.Count)


# -- expressions -------------------------------------------------------------------------------------------------------


def refuse_growth(names: Names) -> None:
    """Raise `NotAllowed` for an expression that can be many times as large as the texts it is put together from."""
    growth = _Growth(names)
    for select in every(names.tree, exp.Select):
        clauses = [select.args.get(name) for name in ("where", "having", "group", "order")]
        for part in [*select.expressions, *(clause for clause in clauses if clause is not None)]:
            growth.check(part)


def bound_powers(names: Names) -> None:
    """Has powers computed in floating point, but for those with a small exponent that is written out.

    With exact numbers of 100,000 digits, PostgreSQL computes for minutes and cannot be stopped.
    """
    for power in every(names.tree, exp.Pow):
        exponent = inner(power.expression)
        if isinstance(exponent, exp.Literal) and not exponent.is_string and len(exponent.name) <= EXPONENT:
            continue
        for name in ("this", "expression"):
            power.set(name, exp.cast(exp.paren(power.args[name], copy=False), "double", copy=False))


class _Growth:
    def __init__(self, names: Names) -> None:
        self._lineage = Lineage(names)
        self._known: dict[int, float] = {}

    def check(self, part: exp.Expr) -> None:
        for node in own_nodes(part):
            if isinstance(node, exp.Func | exp.DPipe | exp.Array) and self.of(node) > GROWN:
                raise NotAllowed(
                    "A value here is put together from so many parts that it could become very large: use fewer parts, "
                    "and short texts in quotes as what replaces or joins others.",
                    at(node),
                    position(node),
                )

    def of(self, node: exp.Expr) -> float:
        """Return how many times as large as a stored text the value can be."""
        if id(node) not in self._known:
            self._known[id(node)] = 1.0  # of one that comes from itself
            self._known[id(node)] = self._of(node)
        return self._known[id(node)]

    def _of(self, node: exp.Expr) -> float:
        node = inner(node)
        if isinstance(node, exp.Literal):
            return len(str(node.this)) / TEXT
        if isinstance(node, exp.Column):
            return max((self.of(one) for one in self._lineage.behind(node)), default=1.0)
        if isinstance(node, exp.Query):
            return max((self.of(item) for select in selects(node) for item in select.expressions), default=0.0)
        if isinstance(node, _SMALL):
            return 0.0
        if collects(node):
            return GATHERED
        parts = [self.of(part) for part in children(node)]
        if isinstance(node, _PICKED):
            return max(parts, default=0.0)
        times = _multiplier(node)
        return max(parts, default=0.0) * (self._letters(times) + 1) if times is not None else sum(parts)

    def _letters(self, node: exp.Expr) -> float:
        """How many letters there are in what is put in for each letter, or between two elements."""
        node = inner(node)
        return len(str(node.this)) if isinstance(node, exp.Literal) else TEXT * self.of(node)


def _multiplier(node: exp.Expr) -> exp.Expr | None:
    """What the value of a function holds as often as another of its arguments has letters or elements."""
    if isinstance(node, exp.Replace | exp.RegexpReplace):
        replacement: exp.Expr | None = node.args.get("replacement")
        return replacement
    if isinstance(node, exp.ArrayToString):
        separator: exp.Expr | None = node.args.get("expression")
        return separator
    if isinstance(node, exp.Anonymous) and str(node.this).lower() in ("replace", "array_to_string", "regexp_replace"):
        arguments = node.expressions
        return arguments[-1] if len(arguments) > 1 else None
    return None


# -- collections -------------------------------------------------------------------------------------------------------


def collects(node: exp.Expr) -> bool:
    """Does the aggregate hold all the values that it is computed from?"""
    return isinstance(node, _COLLECTING) or (isinstance(node, exp.Anonymous) and str(node.this).lower() == "array_agg")


async def refuse_large_collections(
    database: Database, blocks: dict[int, Block], new_statement: Callable[[], Statement]
) -> None:
    """Raise `TooExpensive` where array_agg() or string_agg() would collect more than one value may hold.

    Their values are counted and weighed, up to that limit; inner SELECTs come first.
    """
    for block in blocks.values():
        found = [node for clause in _clauses(block.select) for node in own_nodes(clause) if collects(node)]
        listed = block.select.expressions if isinstance(block.select.parent, exp.Array) else []  # ARRAY(SELECT …)
        if not found and not listed:
            continue
        statement = new_statement()
        held = [*_held(found), *(item.unalias() for item in listed)]
        sizes = " + ".join(f"coalesce(octet_length(({statement.text(part)})::text), 0)" for part in held)
        where = block.select.args.get("where")
        conditions = []
        if where is not None:
            conditions = [statement.alive(block.where) if block.where is not None else statement.text(where.this)]
        inside = statement.over(block.scope, [sizes], conditions, most=COUNTED + 1)
        sql = f"SELECT count(*), coalesce(sum(c0), 0)::float8 FROM ({inside}) AS _collected"
        ((rows, letters),) = await database.rows(sql, statement.parameters)
        size = letters + rows * ELEMENT * len(held)
        windows = any(node.find_ancestor(exp.Window) for node in found)
        if rows > COUNTED or size * _repeated(block.select) * (rows if windows else 1) > COLLECTED:
            raise TooExpensive(
                f"This collects more than {COLLECTED // 2**20} MB of values into one: narrow it down with a condition, "
                "or collect the rows of a subquery with LIMIT.",
                at(block.select),
                position(block.select),
            )


def _clauses(select: exp.Select) -> Iterator[exp.Expr]:
    yield from select.expressions
    yield from (select.args[name] for name in ("having", "order") if select.args.get(name))


def _held(found: list[exp.Expr]) -> Iterator[exp.Expr]:
    """What aggregates hold of each row."""
    for node in found:
        value = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
        while isinstance(value, exp.Distinct | exp.Order):
            value = value.expressions[0] if isinstance(value, exp.Distinct) else value.this
        yield value
        if isinstance(node, exp.GroupConcat) and node.args.get("separator") is not None:
            separator = node.args["separator"]
            yield separator.this if isinstance(separator, exp.Order) else separator


def _repeated(select: exp.Select) -> int:
    """How many times the rows are grouped."""
    group = select.args.get("group")
    if group is None:
        return 1
    cubes = [len(cube.expressions) for cube in every(group, exp.Cube)]
    rollups = [len(rollup.expressions) + 1 for rollup in every(group, exp.Rollup)]
    sets = [len(listed.expressions) for listed in every(group, exp.GroupingSets)]
    times = 1
    for count in [*(2**width for width in cubes), *rollups, *sets]:
        times *= max(count, 1)
    return times


async def refuse_endless(database: Database, sql: str, parameters: list[object]) -> None:
    """Raise `TooExpensive` for a statement that PostgreSQL expects never to end. It plans it, without running it."""
    cost, rows = await database.cost(sql, parameters)
    if cost > COST:
        raise TooExpensive(
            "This would take the database too long: join its tables on columns they have in common, or narrow it down.",
            f"PostgreSQL expects a cost of {cost:.3g}, for {rows:.3g} rows",
        )


# -- recursion ---------------------------------------------------------------------------------------------------------


def bound_recursion(names: Names) -> None:
    """Has each CTE that reads itself stop, with an error, after so many rows or bytes.

        WITH RECURSIVE r AS (… FROM r)
        WITH RECURSIVE all_r AS (… FROM all_r), r AS (SELECT … FROM all_r WHERE it is no more than allowed)

    PostgreSQL makes the rows one by one, as they are read, so those beyond are never made.
    """
    for cte in [found for found in every(names.tree, exp.CTE) if reads_itself(found)]:
        clause, name = cte.parent, cte.alias
        assert clause is not None
        within = f"all_{name}"[:60]
        for table in every(cte.this, exp.Table):
            if not table.db and table.name.lower() == name.lower():
                table.set("this", exp.to_identifier(within, quoted=True))
        columns = _columns(cte)
        listed = ", ".join(map(quoted, columns))
        running = "OVER (ROWS UNBOUNDED PRECEDING)"
        counted = (
            f"SELECT {listed}, count(*) {running} AS _rows, sum(octet_length(_s::text)) {running} AS _bytes "
            f"FROM {quoted(within)} AS _s"
        )
        over = f"_rows > {RECURSIVE_ROWS} OR _bytes > {RECURSIVE_BYTES}"
        error = f"left('{RECURSION_TOO_LARGE}', 99 + 0 * _rows::int)::boolean"
        bounded = f"SELECT {listed} FROM ({counted}) AS _counted WHERE CASE WHEN {over} THEN {error} ELSE TRUE END"
        first = exp.CTE(this=cte.this, alias=cte.args["alias"].copy())
        first.args["alias"].set("this", exp.to_identifier(within, quoted=True))
        place = next(place for place, one in enumerate(clause.expressions) if one is cte)
        cte.set("this", raw(bounded))
        clause.set("expressions", [*clause.expressions[:place], first, *clause.expressions[place:]])


def _columns(cte: exp.Expr) -> list[str]:
    named = [column.name for column in cte.args["alias"].args.get("columns") or ()]
    select = cte.this
    while isinstance(select, exp.SetOperation | exp.Subquery):
        select = select.this
    selected = [item.alias_or_name for item in select.expressions]
    return [*named, *selected[len(named) :]]
