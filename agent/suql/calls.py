"""The calls of `answer` and its kin in a query: what each asks, and of which type.

A call's type comes from the SQL around it: a cast, what it is compared with, the function it is an argument of. Calls
that ask the same question share one type, so that WHERE and SELECT speak of the same value. In the tree a call stays
what it was (`answer(text, 'question')`), marked with `meta["ask"]`, with the comparison around it made explicit:

    answer(t, q) as a condition     answer(t, q) = 'Yes'
    answer(t, q) > 5                CAST(answer(t, q) AS DECIMAL) > 5
    answer(t, q) = 'yes'            answer(t, q) = 'Yes'
    answer(t, q) = 'Upbeat'         LOWER(answer(t, q)) = 'upbeat'
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from agent.errors import NotAllowed, TypeMismatch
from agent.language.tasks import AnswerType
from agent.suql.allowed import READING, at
from agent.suql.catalogue import Kind
from agent.suql.names import Names
from agent.suql.tree import inner, position

SUMMARY = "what is the summary of this document?"
SAME = "do both mean the same?"
PICTURE = "what does this picture show?"
_FORMS = {
    "answer": "answer(text, 'question')",
    "summary": "summary(text)",
    "answer_all": "answer_all((SELECT …), 'question')",
    "validate": "validate((SELECT …), 'claim')",
    "same": "same(one, other)",
}


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of a text, whichever text that is."""

    question: str
    type: AnswerType = AnswerType.TEXT
    options: tuple[str, ...] = ()
    summary: bool = False
    same: bool = False  # asked of a pair: do both mean the same?
    example: str = ""  # what an answer looks like: "CA", where California is meant
    built: bool = False  # the question is put together from a row's values; `question` then shows how
    image: bool = False  # asked of pictures
    choice: str = ""  # the query that gives the options, until it is run


_NUMBERS = {exp.DataType.Type[name] for name in ("SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")}
_DATES = {exp.DataType.Type[name] for name in ("DATE", "TIMESTAMP", "TIMESTAMPTZ")}
_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Pow, exp.Abs, exp.Round, exp.Ceil, exp.Floor)
_KINDS = {
    Kind.NUMBER: AnswerType.NUMBER,
    Kind.DATE: AnswerType.DATE,
    Kind.TIME: AnswerType.TIME,
    Kind.BOOLEAN: AnswerType.BOOLEAN,
}
_CASTS = {AnswerType.NUMBER: "DECIMAL", AnswerType.DATE: "DATE", AnswerType.TIME: "TIME"}
_YES_NO = {"yes": "Yes", "no": "No", "true": "Yes", "false": "No"}


def is_call(node: exp.Expr) -> bool:
    """Is this a call that reads texts?"""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in READING


def is_truth(call: exp.Expr) -> bool:
    """Does the call give true or false by itself (validate, same), rather than a text?"""
    return str(call.this).lower() in ("validate", "same")


def asked(node: exp.Expr) -> Ask:
    """What a marked call asks."""
    ask = node.meta["ask"]
    assert isinstance(ask, Ask)
    return ask


def require_sight(tree: exp.Expr, reader: object) -> None:
    """Raises `NotAllowed` where pictures are asked about and the reader sees none; costs nothing."""
    for node in tree.walk():
        if node.meta.get("ask") and asked(node).image and not getattr(reader, "sees", False):
            raise NotAllowed(
                f"{at(node)} asks about pictures, and the language model in use reads only text. Choose one that sees.",
                position=position(node),
            )


def mark(names: Names) -> list[exp.Anonymous]:
    """Marks every call in the tree with what it asks, and makes the comparisons around the calls explicit."""
    calls = [node for node in names.tree.find_all(exp.Anonymous) if is_call(node)]
    drafts = [_draft(call, names) for call in calls]
    types = [
        AnswerType.OPTION if draft.options or draft.choice else _type(call, names)
        for call, draft in zip(calls, drafts, strict=True)
    ]
    shared: dict[Ask, set[AnswerType]] = {}
    for draft, kind in zip(drafts, types, strict=True):
        if kind is not AnswerType.TEXT:
            shared.setdefault(draft, set()).add(kind)
    for call, draft, kind in zip(calls, drafts, types, strict=True):
        strong = shared.get(draft, set())
        chosen = next(iter(strong)) if kind is AnswerType.TEXT and len(strong) == 1 and not draft.summary else kind
        call.meta["ask"] = draft if is_truth(call) else replace(draft, type=chosen)
    for call in calls:
        _make_explicit(call)
    return calls


# -- reading one call ----------------------------------------------------------------------------------------------


_KEYWORDS = {"answer": ("options", "example"), "answer_all": ("options", "example")}


def _draft(call: exp.Anonymous, names: Names) -> Ask:
    name = str(call.this).lower()
    arguments = [argument for argument in call.expressions if not isinstance(argument, exp.Kwarg)]
    keywords = {
        argument.name.lower(): argument.expression for argument in call.expressions if isinstance(argument, exp.Kwarg)
    }
    if len(arguments) != (1 if name == "summary" else 2):
        raise TypeMismatch(f"Write {_FORMS[name]}; this has {len(arguments)} arguments.", at(call), position(call))
    for word in keywords:
        if word not in _KEYWORDS.get(name, ()):
            raise TypeMismatch(f"{name}() takes no argument called {word}.", at(call), position(call))
    image = _check_text(arguments[0], names)
    if name in ("answer_all", "validate") and not isinstance(inner(arguments[0]), exp.Subquery):
        raise TypeMismatch(f"{name}() reads the rows of a query: {_FORMS[name]}.", at(call), position(call))
    if name == "summary":
        return Ask(PICTURE, image=True) if image else Ask(SUMMARY, summary=True)
    if name == "same":
        return Ask(SAME, AnswerType.BOOLEAN, same=True)
    options, choice = _options(keywords["options"]) if "options" in keywords else ((), "")
    example = _constant(keywords["example"], "example") if "example" in keywords else ""
    ask = _question(call, name, inner(arguments[1]))
    return replace(
        ask, options=options, choice=choice, example=example, image=image, summary=ask.summary and not options
    )


def _question(call: exp.Anonymous, name: str, words: exp.Expr) -> Ask:
    if not isinstance(words, exp.Literal) or not words.is_string:
        return _built_question(call, name, words)
    said = _constant(words, f"the words in {name}()")
    if name == "validate":
        asked = said if said.endswith("?") else f"Is it true: {said.rstrip('.!')}?"
        return Ask(asked, AnswerType.BOOLEAN)
    return Ask(said, summary=said.lower() == SUMMARY)


def _built_question(call: exp.Anonymous, name: str, words: exp.Expr) -> Ask:
    """`answer(reviews, 'is it good for ' || name)`: a question of each row's own."""
    if name != "answer" or isinstance(words, exp.Literal | exp.Null | exp.Boolean):
        raise TypeMismatch(f"The words in {name}() are a text in single quotes.", at(call), position(words))
    return Ask(_shown(words), built=True)


def _shown(words: exp.Expr) -> str:
    """How a question is put together, to be read: "is it good for {name}"."""
    words = inner(words)
    if isinstance(words, exp.DPipe):
        return _shown(words.this) + _shown(words.expression)
    if isinstance(words, exp.Literal):
        return str(words.name)
    return "{" + (words.name if isinstance(words, exp.Column) else words.sql(dialect="postgres")) + "}"


def _constant(node: exp.Expr, what: str) -> str:
    node = inner(node)
    if not isinstance(node, exp.Literal) or not node.is_string or not node.name.strip():
        what = what[:1].upper() + what[1:]
        raise TypeMismatch(f"{what} are a text in single quotes." if " " in what else f"{what} is a text.", at(node))
    return str(node.name.strip())


def _check_text(argument: exp.Expr, names: Names) -> bool:
    """Is it a picture? Raises `TypeMismatch` where it is neither that nor a text."""
    origin = names.origin(argument)
    kind = origin.column.kind if origin and origin.column else None
    if kind in (Kind.NUMBER, Kind.BOOLEAN, Kind.DATE, Kind.TIME, Kind.OPENING_HOURS):
        raise TypeMismatch(
            f"answer() reads texts; {inner(argument).name} is not one: compare it directly.",
            position=position(argument),
        )
    return kind is Kind.IMAGE


def _options(node: exp.Expr) -> tuple[tuple[str, ...], str]:
    """The options, or the query that gives them."""
    node = inner(node)
    if isinstance(node, exp.Subquery):
        return (), node.sql(dialect="postgres")
    if isinstance(node, exp.Literal) and node.is_string:
        found = [option.strip() for option in node.name.split(";")]
    elif isinstance(node, exp.Array) and all(isinstance(item, exp.Literal) for item in node.expressions):
        found = [item.name for item in node.expressions]
    else:
        raise TypeMismatch(
            "options is a list of texts, options => ARRAY['a', 'b'], or a query of one column.",
            at(node),
            position(node),
        )
    found = [option for option in found if option]
    if len(found) < 2:
        raise TypeMismatch("options needs at least two texts to choose from.", at(node), position(node))
    return tuple(found), ""


# -- the type a call's surroundings ask for ------------------------------------------------------------------------


def _type(call: exp.Expr, names: Names) -> AnswerType:
    node, parent = _outside(call)
    if isinstance(parent, exp.Cast):
        return _cast_type(parent.to.this) or AnswerType.TEXT
    if _is_condition(node, parent):
        return AnswerType.BOOLEAN
    if isinstance(parent, _COMPARISONS):
        other = parent.expression if parent.this is node else parent.this
        return _type_of(other, names)
    if isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Boolean):
        return AnswerType.BOOLEAN
    if isinstance(parent, exp.In | exp.Between):
        others = [*parent.expressions] if isinstance(parent, exp.In) else [parent.args["low"], parent.args["high"]]
        found = {_type_of(other, names) for other in others if other is not node}
        return found.pop() if len(found) == 1 else AnswerType.TEXT
    if isinstance(parent, exp.Add | exp.Sub) and isinstance(_other(parent, node), exp.Interval):
        return AnswerType.DATE
    if isinstance(parent, _ARITHMETIC) or (isinstance(parent, exp.Sum | exp.Avg) and parent.this is node):
        return AnswerType.NUMBER
    return AnswerType.TEXT


def _outside(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
    """The node with the parentheses around it, and what stands around those."""
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    return node, node.parent


def _other(parent: exp.Expr, node: exp.Expr) -> exp.Expr:
    return inner(parent.expression if parent.this is node else parent.this)


def _is_condition(node: exp.Expr, parent: exp.Expr | None) -> bool:
    """Does the node stand where SQL wants a truth value?"""
    if isinstance(parent, exp.And | exp.Or | exp.Not | exp.Where | exp.Having | exp.LogicalAnd | exp.LogicalOr):
        return True
    if isinstance(parent, exp.Join):
        return parent.args.get("on") is node
    return isinstance(parent, exp.If) and parent.this is node and _searched(parent)


def _searched(branch: exp.If) -> bool:
    return not (isinstance(branch.parent, exp.Case) and branch.parent.this is not None)


def _cast_type(kind: object) -> AnswerType | None:
    if kind in _NUMBERS:
        return AnswerType.NUMBER
    if kind in _DATES:
        return AnswerType.DATE
    if kind is exp.DataType.Type.TIME:
        return AnswerType.TIME
    return AnswerType.BOOLEAN if kind is exp.DataType.Type.BOOLEAN else None


def _type_of(node: exp.Expr, names: Names) -> AnswerType:
    """The type of what a call is compared with."""
    node = inner(node)
    if isinstance(node, exp.Literal):
        if not node.is_string:
            return AnswerType.NUMBER
        return AnswerType.BOOLEAN if node.name.strip().lower() in ("yes", "no") else AnswerType.TEXT
    if isinstance(node, exp.Boolean):
        return AnswerType.BOOLEAN
    if isinstance(node, exp.Cast):
        return _cast_type(node.to.this) or AnswerType.TEXT
    if isinstance(node, exp.CurrentDate | exp.CurrentTimestamp):
        return AnswerType.DATE
    if isinstance(node, (*_ARITHMETIC, exp.Sum, exp.Avg, exp.Count)):
        return AnswerType.NUMBER
    if isinstance(node, exp.Min | exp.Max):
        return _type_of(node.this, names)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and len(node.this.expressions) == 1:
        return _type_of(node.this.expressions[0].unalias(), names)
    origin = names.origin(node)
    if origin is not None and origin.column is not None and (not origin.column.many or origin.element):
        return _KINDS.get(origin.column.kind, AnswerType.TEXT)
    return AnswerType.TEXT


# -- making comparisons explicit -----------------------------------------------------------------------------------


def _make_explicit(call: exp.Anonymous) -> None:
    kind = asked(call).type
    if is_truth(call):
        _cast(call, "BOOLEAN")
        return
    node, parent = _outside(call)
    if kind in _CASTS:
        _cast(call, _CASTS[kind])
    elif _is_condition(node, parent):
        replacement = exp.EQ(this=exp.Null(), expression=exp.Literal.string("Yes"))
        node.replace(exp.paren(replacement, copy=False) if isinstance(parent, exp.Not) else replacement)
        replacement.set("this", node)
    elif isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Boolean):
        test = exp.EQ(this=exp.Null(), expression=exp.Literal.string("Yes"))
        node.replace(exp.Paren(this=test))
        test.set("this", node)
    elif isinstance(parent, (*_COMPARISONS, exp.In)):
        _compare_words(node, parent, kind)


def _cast(call: exp.Anonymous, name: str) -> None:
    holder = exp.Cast(this=exp.Null(), to=exp.DataType.build(name))
    call.replace(holder)
    holder.set("this", call)


def _compare_words(node: exp.Expr, parent: exp.Expr, kind: AnswerType) -> None:
    """Yes/No are written one way; other words compare without regard to case."""
    others = list(parent.expressions) if isinstance(parent, exp.In) else [_other(parent, node)]
    if kind is AnswerType.BOOLEAN:
        for other in others:
            word = (
                other.name
                if isinstance(other, exp.Literal)
                else str(other.this)
                if isinstance(other, exp.Boolean)
                else ""
            )
            if word.strip().lower() in _YES_NO:
                other.replace(exp.Literal.string(_YES_NO[word.strip().lower()]))
    elif others and all(isinstance(other, exp.Literal) and other.is_string for other in others):
        lowered = exp.Lower(this=exp.Null())
        node.replace(lowered)
        lowered.set("this", node)
        for other in others:
            other.replace(exp.Literal.string(other.name.strip().lower()))
