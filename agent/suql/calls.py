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

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from agent.catalogue.tables import Kind
from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql.allowed import at
from agent.suql.comparing import COMPARISONS, compared, is_row
from agent.suql.contexts import CASTS, YES_NO, Types
from agent.suql.lineage import is_call, is_condition, is_truth
from agent.suql.names import Names
from agent.suql.tree import inner, position
from agent.suql.walking import every, nodes
from agent.text.values import AnswerType, canonical

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
    whole: bool = False  # asked of all the rows or texts, not of those nearest to the question
    choice: str = ""  # the query that gives the options, until it is run
    prose: bool = False  # asked of a column that holds one text, not a list of them


_COUNTED = re.compile(r"how (many|much)\b", re.IGNORECASE)


def asked(node: exp.Expr) -> Ask:
    """Return what a marked call asks."""
    ask = node.meta["ask"]
    assert isinstance(ask, Ask)
    return ask


def require_sight(tree: exp.Expr, reader: object) -> None:
    """Raise `NotAllowed` where pictures are asked about and the reader sees none; costs nothing."""
    for node in nodes(tree):
        if node.meta.get("ask") and asked(node).image and not getattr(reader, "sees", False):
            raise NotAllowed(
                f"{at(node)} asks about images, but the language model in use reads only text. "
                "Choose one that accepts images.",
                position=position(node),
            )


def mark(names: Names) -> list[exp.Anonymous]:
    """Mark every call in the tree with what it asks, and makes the comparisons around the calls explicit."""
    calls = [node for node in every(names.tree, exp.Anonymous) if is_call(node)]
    drafts = [_draft(call, names) for call in calls]
    types = Types(names)
    kinds = [_kind(call, draft, types) for call, draft in zip(calls, drafts, strict=True)]
    shared: dict[Ask, set[AnswerType]] = {}
    for draft, kind in zip(drafts, kinds, strict=True):
        if kind is not AnswerType.TEXT:
            shared.setdefault(draft, set()).add(kind)
    for call, draft, kind in zip(calls, drafts, kinds, strict=True):
        strong = shared.get(draft, set())
        chosen = next(iter(strong)) if kind is AnswerType.TEXT and len(strong) == 1 and not draft.summary else kind
        call.meta["ask"] = draft if is_truth(call) else replace(draft, type=chosen)
    _make_explicit(calls, types)
    return calls


def _kind(call: exp.Anonymous, draft: Ask, types: Types) -> AnswerType:
    """The type of a call's answers, as far as the call alone tells."""
    if draft.options or draft.choice:
        return AnswerType.OPTION
    return types.around(call, counts=_COUNTED.match(draft.question) is not None)


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
        return Ask(PICTURE, image=True) if image else Ask(SUMMARY, summary=True, whole=True)
    if name == "same":
        return Ask(SAME, AnswerType.BOOLEAN, same=True)
    options, choice = _options(keywords["options"]) if "options" in keywords else ((), "")
    example = _constant(keywords["example"], "example") if "example" in keywords else ""
    ask = _question(call, name, inner(arguments[1]))
    summary = ask.summary and not options
    whole = summary or name in ("answer_all", "validate")
    told = replace(ask, options=options, choice=choice, example=example, image=image, summary=summary, whole=whole)
    return replace(told, prose=name == "answer" and _is_prose(arguments[0], names))


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
        raise TypeMismatch(f"The words in {name}() must be a text in single quotes.", at(call), position(words))
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
        raise TypeMismatch(
            f"{what} must be a text in single quotes." if " " in what else f"{what} must be a text.", at(node)
        )
    return str(node.name.strip())


def _is_prose(argument: exp.Expr, names: Names) -> bool:
    """Is it a column of one long text, such as the body of an article?"""
    origin = names.origin(argument)
    column = origin.column if origin else None
    return column is not None and column.kind is Kind.FREE_TEXT and not column.many


def _check_text(argument: exp.Expr, names: Names) -> bool:
    """Is it a picture? Raises `TypeMismatch` if it is neither that nor a text."""
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


# -- making comparisons explicit -----------------------------------------------------------------------------------


def _make_explicit(calls: list[exp.Anonymous], types: Types) -> None:
    """Writes out what is meant where answers are used, and gives numbers, dates and times their type."""
    read = [call for call in calls if not is_truth(call)]
    ends = {id(end[0]): (asked(call).type, *end) for call in read for end in types.lineage.ends(call)}
    truths = {
        name for name, (_, node, parent, _) in ends.items() if any(map(types.gives_truth, compared(node, parent)))
    }
    for kind, node, parent, beside in ends.values():
        _spell(node, parent, beside, kind)
    for name, (kind, node, parent, _) in ends.items():
        if kind is AnswerType.BOOLEAN and name in truths and isinstance(parent, COMPARISONS):
            _cast(node, "BOOLEAN")
        elif kind not in CASTS:
            _say_yes(node, parent, kind)
    for call in calls:
        if is_truth(call):
            _cast(call, "BOOLEAN")
        elif asked(call).type in CASTS:
            _cast(call, CASTS[asked(call).type])


def _spell(node: exp.Expr, parent: exp.Expr | None, beside: list[exp.Expr], kind: AnswerType) -> None:
    """What an answer is compared with, or replaced by: 'March 3, 2015' is '2015-03-03' for a date, 'yes' is 'Yes'."""
    for other in [*compared(node, parent), *beside]:
        word = other.name if isinstance(other, exp.Literal) and other.is_string else None
        if kind is AnswerType.BOOLEAN:
            if isinstance(other, exp.Boolean) and parent is not None:
                placed = isinstance(parent, (*COMPARISONS, exp.In, exp.Case)) or is_row(parent)
                word = str(other.this) if placed else None
            if word is not None and word.strip().lower() in YES_NO:
                other.replace(exp.Literal.string(YES_NO[word.strip().lower()]))
        elif kind in CASTS and word is not None:
            spelled = canonical(word, kind)
            if spelled is not None:
                other.replace(exp.Literal.string(spelled))
            elif isinstance(parent, exp.Nullif):
                other.replace(exp.Null())  # no number and no date is these words


def _say_yes(node: exp.Expr, parent: exp.Expr | None, kind: AnswerType) -> None:
    """A condition is `= 'Yes'`; truth values are compared as such; words without regard to case."""
    if is_condition(node, parent):
        test = exp.EQ(this=exp.Null(), expression=exp.Literal.string("Yes"))
        node.replace(exp.paren(test, copy=False) if isinstance(parent, exp.Not) else test)
        test.set("this", node)
    elif isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Boolean):
        test = exp.EQ(this=exp.Null(), expression=exp.Literal.string("Yes"))
        node.replace(exp.Paren(this=test))
        test.set("this", node)
    elif kind is not AnswerType.BOOLEAN:
        _compare_words(node, parent)


def _cast(call: exp.Expr, name: str) -> None:
    holder = exp.Cast(this=exp.Null(), to=exp.DataType.build(name))
    call.replace(holder)
    holder.set("this", call)


def _compare_words(node: exp.Expr, parent: exp.Expr | None) -> None:
    """Words in quotes compare without regard to case."""
    others = compared(node, parent)
    if not others or isinstance(node, exp.Any | exp.All | exp.Query) or isinstance(parent, exp.Between):
        return
    if all(isinstance(other, exp.Literal) and other.is_string for other in others):
        lowered = exp.Lower(this=exp.Null())
        node.replace(lowered)
        lowered.set("this", node)
        for other in others:
            other.replace(exp.Literal.string(other.name.strip().lower()))
