"""The allow-list: the node types, functions and casts a query may hold. Whatever is not listed here is refused."""

from __future__ import annotations

import re
from difflib import get_close_matches

from sqlglot import exp

from agent.protocols.errors import NotAllowed, UnknownName
from agent.suql.tree import position
from agent.text.wordlists import words

#: The functions of the language that read text (see DESIGN "The language").
READING = frozenset({"answer", "summary", "answer_all", "validate", "same"})
#: The functions of the language that the database computes.
RANKING = frozenset({"similar", "matches"})

_STRUCTURE = {
    "Select From Join Table TableAlias Where Group Having Order Ordered Limit Offset Fetch LimitOptions Distinct With "
    "CTE Subquery Union Intersect Except Lateral Unnest Explode Tuple "
    "Star Column Identifier Alias Literal RawString Boolean Null Var Kwarg Anonymous Window WindowSpec Filter "
    "WithinGroup Paren Rollup Cube GroupingSets Grouping"
}
_OPERATORS = {
    "And Or Not EQ NEQ GT GTE LT LTE Is In Between Like ILike SimilarTo RegexpLike RegexpILike Escape Any All Exists "
    "NullSafeEQ NullSafeNEQ Add Sub Mul Div IntDiv Mod Neg Pow DPipe Case If Cast DataType DataTypeParam Interval "
    "AtTimeZone Extract Array ArrayContainsAll ArrayContainedBy ArrayOverlaps Bracket Slice JSONExtract "
    "JSONExtractScalar JSONPath JSONPathRoot JSONPathKey JSONPathSubscript"
}
_FUNCTIONS = {
    "Count Sum Avg Min Max ArrayAgg GroupConcat LogicalAnd LogicalOr AnyValue Stddev StddevPop StddevSamp Variance "
    "VariancePop PercentileCont PercentileDisc Mode Corr RowNumber Rank DenseRank PercentRank CumeDist Ntile Lag Lead "
    "FirstValue LastValue NthValue Coalesce Nullif Greatest Least Lower Upper Initcap Length Trim Substring Left Right "
    "Concat ConcatWs SplitPart Replace RegexpReplace StrPosition Reverse StartsWith StringToArray ArrayToString "
    "ArraySize ArrayAppend ArrayPrepend ArrayConcat ArrayRemove ArrayPosition "
    "Abs Round Ceil Floor Sqrt Exp Ln Log Sign Trunc CurrentDate "
    "CurrentTime CurrentTimestamp Localtime Localtimestamp TimestampTrunc DateTrunc TimeToStr StrToDate StrToTime "
    "Date DateFromParts ToNumber TimeFromParts MakeInterval WidthBucket RegexpCount Translate CovarPop CovarSamp Cbrt "
    "Degrees Radians Pi Sin Cos Tan Asin Acos Atan Atan2"
}
NODES: frozenset[type[exp.Expr]] = frozenset(
    getattr(exp, name)
    for group in (_STRUCTURE, _OPERATORS, _FUNCTIONS)
    for text in group
    for name in text.split()
    if hasattr(exp, name)
)

#: Functions that sqlglot has no class for.
NAMES = (
    READING
    | RANKING
    | frozenset(
        words(
            """
        all any array_agg array_position array_remove array_length array_cat array_append array_prepend
        array_to_string string_to_array cardinality char_length character_length lower upper initcap btrim
        ltrim rtrim trim strpos position starts_with split_part left right substr substring replace reverse
        concat concat_ws length now age date_part date_trunc make_date make_time to_char to_date to_number
        bool_and bool_or every mode abs round ceil ceiling floor sqrt power exp ln log sign trunc mod
        greatest least coalesce nullif row jsonb_array_length unnest width_bucket regexp_count
        """
        )
    )
)

CASTS = frozenset(
    exp.DataType.Type[name]
    for name in words(
        """
        TEXT VARCHAR CHAR BOOLEAN SMALLINT INT BIGINT FLOAT DOUBLE DECIMAL DATE TIME TIMESTAMP TIMESTAMPTZ
        INTERVAL ARRAY
        """
    )
)

#: Functions whose value changes while a query runs.
CHANGING = frozenset(words("random random_normal setseed gen_random_uuid uuidv4 uuidv7 clock_timestamp timeofday"))

_ARGUMENTS: dict[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset(
        words(
            """
        expressions from_ joins where group having order limit offset distinct with_ windows
        """
        )
    ),
    exp.Table: frozenset(["this", "db", "alias", "joins"]),
    exp.With: frozenset(["expressions", "recursive"]),
    exp.CTE: frozenset(["this", "alias", "materialized"]),
    exp.Subquery: frozenset(["this", "alias", "order", "limit", "offset", "with_", "joins"]),
    exp.Union: frozenset(["this", "expression", "distinct", "order", "limit", "offset", "with_"]),
    exp.Intersect: frozenset(["this", "expression", "distinct", "order", "limit", "offset", "with_"]),
    exp.Except: frozenset(["this", "expression", "distinct", "order", "limit", "offset", "with_"]),
    exp.Join: frozenset(["this", "on", "using", "side", "kind", "method"]),
    exp.Limit: frozenset(["expression"]),
    exp.Cast: frozenset(["this", "to"]),
    exp.DataType: frozenset(["this", "expressions", "nested"]),
    exp.Lateral: frozenset(["this", "alias"]),
    exp.Unnest: frozenset(["expressions", "alias", "offset"]),
}
_METHODS = frozenset({"", "NATURAL"})
_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")


def check(node: exp.Expr) -> None:
    """Refuse a node that is not on the list. Raises `NotAllowed` or, for a function, `UnknownName`."""
    kind = type(node)
    if isinstance(node, exp.Anonymous):
        _check_function(node)
    elif kind not in NODES:
        if isinstance(node, exp.Func):
            raise NotAllowed(_unavailable(at(node).partition("(")[0].lower()), at(node), position(node))
        instead = ": write SELECT … UNION ALL SELECT …" if kind is exp.Values else ""
        raise NotAllowed(f"{_spoken(kind)} is not allowed in a query{instead}.", at(node), position(node))
    if kind in _ARGUMENTS:
        _check_arguments(node, _ARGUMENTS[kind])
    if isinstance(node, exp.DataType):
        _check_type(node)
    elif isinstance(node, exp.Var) and not _PLAIN_WORD.match(node.name):
        raise NotAllowed("This is not allowed in a query.", at(node), position(node))
    elif isinstance(node, exp.Join) and str(node.args.get("method") or "").upper() not in _METHODS:
        raise NotAllowed(f"A {node.args['method']} join is not allowed in a query.", at(node), position(node))
    elif isinstance(node, exp.Limit | exp.Fetch | exp.Offset) and not isinstance(node.parent, exp.Query):
        raise NotAllowed("LIMIT, OFFSET and FETCH belong at the end of a query.", at(node), position(node))
    elif isinstance(node, exp.LimitOptions) and (node.args.get("with_ties") or node.args.get("percent")):
        raise NotAllowed("FETCH … WITH TIES is not available: number the rows with rank() in a subquery.", at(node))
    elif isinstance(node, exp.Identifier):
        _check_identifier(node)
    elif isinstance(node, exp.Column | exp.TableAlias | exp.Alias):
        _check_parts(node)
    elif isinstance(node, exp.Table) and not isinstance(node.this, exp.Identifier):
        _check_table_function(node)


def at(node: exp.Expr) -> str:
    """Return the node as SQL, cut short, for an error's detail."""
    return node.sql(dialect="postgres")[:200]


def _check_function(node: exp.Anonymous) -> None:
    name = str(node.this).lower()
    if name in NAMES and _PLAIN_WORD.match(str(node.this)):
        return
    if name in CHANGING:
        raise NotAllowed(_unavailable(name), at(node), position(node))
    near = get_close_matches(name, sorted(NAMES), n=1, cutoff=0.75)
    hint = f" Did you mean {near[0]}()?" if near else ""
    raise UnknownName(f"There is no function {name}() here.{hint}", at(node), position(node))


def _unavailable(name: str) -> str:
    if name in CHANGING:
        return f"{name}() returns a different value each time; a query must always give the same rows."
    return f"The function {name}() is not available here."


def _check_arguments(node: exp.Expr, known: frozenset[str]) -> None:
    for name, value in node.args.items():
        if value and name not in known:
            spoken = name.strip("_").replace("_", " ").upper()
            raise NotAllowed(f"{spoken} is not allowed in a query.", at(node), position(node))


def _check_type(node: exp.DataType) -> None:
    if node.this not in CASTS or node.args.get("kind"):
        raise NotAllowed(f"A cast to {node.sql(dialect='postgres').lower()} is not allowed.", at(node), position(node))


def _check_identifier(node: exp.Identifier) -> None:
    name = node.name
    if len(name.encode()) > 63 or any(ord(character) < 32 for character in name):
        raise NotAllowed("A name is longer than 63 bytes or contains a control character.", repr(name)[:100])


def _check_parts(node: exp.Expr) -> None:
    """What names something is a name."""
    parts = [node.args.get("alias")] if isinstance(node, exp.Alias) else [node.this, node.args.get("table")]
    parts += node.args.get("columns") or [] if isinstance(node, exp.TableAlias) else []
    if not all(part is None or isinstance(part, exp.Identifier | exp.Star) for part in parts):
        raise NotAllowed("A name is written like a name.", at(node), position(node))


def _check_table_function(node: exp.Table) -> None:
    raise NotAllowed("Only tables, subqueries and unnest() are allowed in FROM.", at(node), position(node))


def _spoken(kind: type[exp.Expr]) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__)
    return words[:1].upper() + words[1:].lower()
