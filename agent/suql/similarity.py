"""`similar(column, 'words')` and `matches(column, 'words')`, as SQL.

`similar` says how near a row's text is to words, by meaning and by words together: the score of its best passage,
cosine similarity plus a share for the words it says, where a word counts the more the fewer passages say it (the
inverse document frequency of Robertson and Spärck Jones 1976). Unlike a rank of text search, that share means the same
for every question: from 0, none of the words, to 1, all of them. `matches` is text search: do all the words occur, in
any form?

Where rows are put in the order of their scores, the nearest are found first (`nearest`), for all rows at once. The
statements of the query then look at these rows only, `nearest(column, 'words')` in its plan, and at more where they
turn out to be too few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg.types.json import Jsonb
from sqlglot import exp

from agent.protocols.errors import TypeMismatch
from agent.suql.allowed import RANKING
from agent.suql.logic import Both, Formula, Leaf, leaves
from agent.suql.names import Names
from agent.suql.nearest import Nearest, Rows, Target, as_array
from agent.suql.passages import any_word
from agent.suql.passes.settled_first import SETTLED
from agent.suql.tree import inner, position, quoted, write

if TYPE_CHECKING:
    from agent.catalogue.tables import Catalogue
    from agent.suql.database import Database
    from agent.suql.passages import Passages
    from agent.suql.scopes import Block
    from agent.suql.statements import Statement

RANKED = 5_000  # rows whose scores are all kept between the statements of a query; of more, those of the nearest
FEW = 200  # rows that are scored in the statement that shows them
WINDOW = 250  # rows looked at first; then MORE times as many, up to WIDEST, and then all
WIDEST = 10_000
MORE = 6
AHEAD = 8  # rows looked at for each one wanted, to begin with


@dataclass(frozen=True, slots=True)
class Place:
    """A call on a column that has passages, in a query."""

    key: str  # the column that names the row, as SQL
    alias: str
    table: str
    column: str
    words: str
    about: bool  # only an order of looking, which the query did not ask for


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores by key. `whole`: rows that are not there have no passages."""

    by_key: Jsonb
    whole: bool


@dataclass(slots=True)
class Window:
    """The rows of a SELECT that are looked at: those whose keys are in an array, or, when it is opened, all."""

    block: Block
    where: Formula | None
    places: Sequence[Place]
    rows: int
    count: int
    new_statement: Callable[[], Statement]
    found: int = 0
    keys: str = ""


class Similarity:
    """Writes scores for one query. `prepare` embeds the words; `rank` finds the nearest; `score` writes the SQL."""

    def __init__(self, names: Names, catalogue: Catalogue, passages: Passages, database: Database) -> None:
        self._names = names
        self._table = f"{quoted(catalogue.schema)}.{quoted(catalogue.passages)}" if catalogue.passages else ""
        self._passages = passages
        self._database = database
        self._targets: dict[tuple[str, str, str], Target] = {}  # by table, column and words
        self._scores: dict[Place, Scores] = {}
        self._window: Window | None = None
        #: How conditions of the engine's own are written, by the name in their meta["own"].
        self.own: dict[str, Callable[[exp.Expr, Statement], str]] = {"nearest": self._in_window}

    async def prepare(self, tree: exp.Expr) -> None:
        """Embed the words of every similar() in a query. Raises `TypeMismatch` for one that is not written right."""
        for call in list(tree.find_all(exp.Anonymous)):
            if str(call.this).lower() == "similar":
                check_ranking(call)
                place = self._place(call)
                if place is not None and _name(place) not in self._targets:
                    words = await self._passages.words(place.words, place.table, place.column)
                    vector = await self._passages.vector(place.words)
                    self._targets[_name(place)] = Target(
                        self._table, self._database.vector_schema, place.table, place.column, words, vector
                    )

    # -- which rows are nearest ----------------------------------------------------------------------------------------

    async def rank(self, block: Block, new_statement: Callable[[], Statement], rows: int) -> None:
        """Find the rows that come first in the order of a SELECT, about `rows` of which its cheap conditions leave."""
        order = block.select.args.get("order")
        calls = [found for found in order.walk() if is_ranking(found)] if order is not None else []
        places = [place for call in calls if (place := self._similar(call)) is not None]
        if rows <= RANKED and block.where is not None:
            for place in dict.fromkeys(places):
                scores = await self._nearest(place, block, block.where, rows, new_statement).all()
                self._scores[place] = Scores(Jsonb(scores), whole=True)
        elif block.limit is not None and rows > FEW and not block.ordered_by_answers:
            first = self._leading(order)
            wanted = block.limit + block.offset
            count = wanted if block.where is None else max(WINDOW, AHEAD * wanted)
            if first and count < rows:
                await self._open(Window(block, block.where, first, rows, count, new_statement))

    async def _widen(self) -> bool:
        """More rows to look at than so far; False if all are looked at."""
        window = self._window
        if window is None or not window.keys:
            return False
        window.count *= MORE
        if window.count > min(WIDEST, window.rows) or not await self._fill(window):
            window.keys = ""
        return True

    async def _open(self, window: Window) -> None:
        """Has the SELECT look at the nearest rows only, as far as they can be told."""
        if not await self._fill(window):
            return
        self._window = window
        block, place = window.block, window.places[0]
        column = exp.column(exp.to_identifier(place.column, quoted=True), table=exp.to_identifier(place.alias))
        near = exp.Anonymous(this="nearest", expressions=[column, exp.Literal.string(place.words)])
        near.meta["own"] = "nearest"
        first = block.select.args["order"].expressions[0]
        looked_at = exp.paren(exp.or_(exp.Not(this=first.this), near)) if first.meta.get(SETTLED) else near
        where = block.select.args.get("where")
        both = exp.and_(exp.paren(where.this), looked_at) if where is not None else looked_at
        block.select.set("where", exp.Where(this=both))
        if block.where is not None:
            block.widen = self._widen
            number = len(list(leaves(block.where)))
            block.where = Both((Leaf(number, looked_at, free=False), block.where))

    async def _fill(self, window: Window) -> bool:
        """Finds the rows of a window; False if they are no more than it had, or too few to be the result."""
        keys: dict[str, None] = {}
        for place in window.places:
            nearest = self._nearest(place, window.block, window.where, window.rows, window.new_statement)
            scores = await nearest.first(window.count, about=place.about)
            self._scores[place] = Scores(Jsonb(scores), whole=place.about)
            keys.update(dict.fromkeys(scores))
        more = len(keys) > window.found if window.where is not None else len(keys) >= window.count
        window.found, window.keys = len(keys), as_array(list(keys))
        return more

    def _nearest(
        self, place: Place, block: Block, where: Formula | None, rows: int, new_statement: Callable[[], Statement]
    ) -> Nearest:
        plain = block.select.args.get("where") if where is None else None

        def write_keys(statement: Statement, condition: str) -> str:
            conditions = [condition, statement.alive(where) if where is not None else ""]
            if plain is not None:
                conditions.append(statement.text(plain.this))
            return statement.over(block.scope, [f"{place.key}::text"], conditions)

        return Nearest(self._database, new_statement, self._targets[_name(place)], Rows(place.key, rows, write_keys))

    def _leading(self, order: exp.Expr | None) -> list[Place]:
        """The calls that the order begins with: one, highest first, or several added up to look at rows by."""
        terms = [term for term in order.expressions if not term.meta.get(SETTLED)] if order is not None else []
        term = terms[0] if terms else None
        if not isinstance(term, exp.Ordered) or not term.args.get("desc"):
            return []
        summands = _summands(term.this)
        places = [place for call in summands if (place := self._similar(call)) is not None]
        alone = len(summands) == 1 or all(place.about for place in places)
        return places if len(places) == len(summands) and alone else []

    # -- in the statements ---------------------------------------------------------------------------------------------

    def score(self, call: exp.Expr, statement: Statement) -> str:
        """Return the call as SQL: the score from 0 (nothing in common) up, or, of others, a condition."""
        if call.meta.get("own"):
            return self.own[call.meta["own"]](call, statement)
        words = check_ranking(call)
        column = inner(call.expressions[0])
        if str(call.this).lower() == "matches":
            return f"({_search_vector(column)} @@ websearch_to_tsquery('english', {statement.shared(words)}::text))"
        if (place := self._place(call)) is not None:
            return self._of_passages(place, statement)
        return f"ts_rank({_search_vector(column)}, {any_word(statement.shared(words))})"

    def _in_window(self, _: exp.Expr, statement: Statement) -> str:
        window = self._window
        if window is None or not window.keys:
            return "TRUE"
        return f"({window.places[0].key} = ANY ({statement.shared(window.keys)}))"

    def _of_passages(self, place: Place, statement: Statement) -> str:
        target, scores = self._targets[_name(place)], self._scores.get(place)
        ways = []
        if scores is not None:
            known = statement.shared(scores.by_key)
            ways.append(f"jsonb_extract_path_text({known}::jsonb, {place.key}::text)::float8")
        if scores is None or not scores.whole:
            best = f"SELECT max({target.score(statement)}) FROM {self._table} AS p"
            ways.append(f"({best} WHERE {target.here} AND p.owner_key = {place.key}::text)")
        return f"coalesce({', '.join(ways)}, 0)"

    def _similar(self, call: exp.Expr) -> Place | None:
        is_similar = isinstance(call, exp.Anonymous) and str(call.this).lower() == "similar"
        return self._place(call) if is_similar else None

    def _place(self, call: exp.Expr) -> Place | None:
        """Where a call is on a column that has passages; None for one on anything else."""
        column = inner(call.expressions[0])
        source = self._names.sources.get(column.table) if isinstance(column, exp.Column) else None
        if not self._table or source is None or source.table is None or self._names.origin(column) is None:
            return None
        if not source.table.key:  # passages name their row by its key
            return None
        key = f"{quoted(source.alias)}.{quoted(source.table.key[0])}"
        about = bool(call.meta.get("about"))
        return Place(key, source.alias, source.table.name, column.name, check_ranking(call), about)


def is_ranking(node: exp.Expr) -> bool:
    """Is this a call of similar() or matches(), or a condition of the engine's own?"""
    return isinstance(node, exp.Anonymous) and (str(node.this).lower() in RANKING or bool(node.meta.get("own")))


def _name(place: Place) -> tuple[str, str, str]:
    return place.table, place.column, place.words


def _summands(node: exp.Expr) -> list[exp.Expr]:
    plain = inner(node)
    return [*_summands(plain.this), *_summands(plain.expression)] if isinstance(plain, exp.Add) else [plain]


def _search_vector(column: exp.Expr) -> str:
    return f"to_tsvector('english', coalesce(to_jsonb({write(column)}), '\"\"'::jsonb))"


def check_ranking(call: exp.Expr) -> str:
    """Return the words of the call. Raises `TypeMismatch` if it is not `similar(column, 'words')`."""
    arguments = call.expressions
    if len(arguments) == 2 and isinstance(inner(arguments[0]), exp.Column):
        words = inner(arguments[1])
        if isinstance(words, exp.Literal) and words.is_string and words.name.strip():
            return str(words.name)
    raise TypeMismatch(
        f"Write {str(call.this).lower()}(column, 'words').", call.sql(dialect="postgres")[:200], position(call)
    )
