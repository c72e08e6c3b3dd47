"""The ingredients, each as the SUQL function that does the same.

An ingredient's output takes its type from the SQL around it (the paper's appendix A.1), which SUQL's functions do by
themselves. What SUQL does not have by itself is the paper's *example output*: compared with `'CA'`, an answer should
look like CA, not California. It is passed on as `example => 'CA'`, to every call of that question.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.protocols.errors import TypeMismatch, UnknownName
from agent.suql.blend.joins import place_join
from agent.suql.blend.sources import reference, values_of
from agent.suql.tree import inner, position

_FORMS = {
    "llmmap": "LLMMap('question', 'table::column')",
    "llmqa": "LLMQA('question', (SELECT …))",
    "llmvalidate": "LLMValidate('claim', (SELECT …))",
    "llmjoin": "LLMJoin(left_on='table::column', right_on='table::column')",
    "vqa": "VQA('question', 'table::column')",
}
_POSITIONS = {"llmjoin": ("left_on", "right_on")}
_USUAL = ("question", "context")
_KEYWORDS = {
    "llmmap": {"question", "context", "options", "return_type", "example_outputs"},
    "llmqa": {"question", "context", "options", "return_type", "example_outputs"},
    "llmvalidate": {"question", "context"},
    "llmjoin": {"left_on", "right_on"},
    "vqa": {"question", "context", "options", "return_type", "example_outputs"},
}
_RETURNS = {
    "int": "DECIMAL", "integer": "DECIMAL", "float": "DECIMAL", "number": "DECIMAL", "bool": "BOOLEAN",
    "boolean": "BOOLEAN", "date": "DATE", "str": "", "string": "", "text": "",
}  # fmt: skip
_LISTED = re.compile(r"""(['"])(.*?)\1\s*(?:,|$)""")  # of ['a', 'b'], which SQLite reads as one name in brackets
_NO_EXAMPLES = {"yes", "no", "true", "false", "t", "f"}


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One call as it is written: its name in lower case, its arguments by name."""

    node: exp.Anonymous
    name: str
    arguments: dict[str, exp.Expr]

    def need(self, argument: str) -> exp.Expr:
        """Return an argument that has to be there."""
        if argument not in self.arguments:
            raise TypeMismatch(f"Write {_FORMS[self.name]}; {argument} is missing.", "", position(self.node))
        return self.arguments[argument]

    def text(self, argument: str) -> str:
        """Return an argument that is a text in quotes."""
        value = inner(self.need(argument))
        if not isinstance(value, exp.Literal) or not value.is_string or not value.name.strip():
            raise TypeMismatch(f"{argument} in {_FORMS[self.name]} is a text in quotes.", "", position(self.node))
        return str(value.name)


def is_ingredient(node: exp.Expr) -> bool:
    """Is this a call of an ingredient?"""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in _FORMS


def replace_ingredients(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Put SUQL's functions in the places of the ingredients, in place."""
    for node in list(tree.find_all(exp.Anonymous)):
        if str(node.this).lower().startswith("llm") and not is_ingredient(node):
            raise UnknownName(
                f"There is no ingredient {node.this}. There are: {', '.join(_names())}.", "", position(node)
            )
    for node in [found for found in tree.find_all(exp.Anonymous) if str(found.this).lower() == "llmjoin"]:
        read = _read(node)
        place_join(node, read.text("left_on"), read.text("right_on"))
    found = [_read(node) for node in tree.find_all(exp.Anonymous) if is_ingredient(node)]
    examples = _examples(found)
    for one in reversed(found):
        call = _WRITERS[one.name](one, catalogue)
        example = examples.get(_asked(one))
        if example and not any(isinstance(argument, exp.Kwarg) for argument in call.expressions):
            call.append("expressions", _keyword("example", exp.Literal.string(example)))
        one.node.replace(_returned(call, one))


def _names() -> list[str]:
    return [form.partition("(")[0] for form in _FORMS.values()]


def _read(node: exp.Anonymous) -> Ingredient:
    name = str(node.this).lower()
    order = _POSITIONS.get(name, _USUAL)
    arguments: dict[str, exp.Expr] = {}
    positional = 0
    for argument in node.expressions:
        keyword = _keyword_of(argument)
        if keyword is None:
            if positional >= len(order):
                raise TypeMismatch(f"Write {_FORMS[name]}; this has more arguments.", "", position(node))
            keyword, value = order[positional], argument
            positional += 1
        else:
            value = argument.expression
        if keyword not in _KEYWORDS[name]:
            known = ", ".join(sorted(_KEYWORDS[name]))
            raise TypeMismatch(
                f"{_FORMS[name].partition('(')[0]} has no argument {keyword}; it has {known}.", "", position(node)
            )
        arguments[keyword] = value
    return Ingredient(node, name, arguments)


def _keyword_of(argument: exp.Expr) -> str | None:
    """The name in `name=value`."""
    if isinstance(argument, exp.EQ | exp.PropertyEQ | exp.Kwarg):
        name = argument.this
        if isinstance(name, exp.Column) and not name.table:
            return name.name.lower()
        if isinstance(name, exp.Var | exp.Identifier):
            return name.name.lower()
    return None


# -- one ingredient each -------------------------------------------------------------------------------------------


def _map(one: Ingredient, catalogue: Catalogue) -> exp.Anonymous:
    value = inner(one.need("context"))
    if isinstance(value, exp.Literal):
        value = reference(one.text("context"), one.node)
    elif isinstance(value, exp.Subquery):
        raise TypeMismatch(
            "LLMMap reads a column, row by row; LLMQA reads the rows of a query.", "", position(one.node)
        )
    return _call("answer", value, exp.Literal.string(one.text("question")), *_options(one, catalogue))


def _ask_all(one: Ingredient, catalogue: Catalogue) -> exp.Anonymous:
    if isinstance(one.node.parent, exp.In):
        raise TypeMismatch(
            "LLMQA gives one value: compare it with =, or write IN with a subquery.", "", position(one.node)
        )
    rows = _rows(one, catalogue)
    return _call("answer_all", rows, exp.Literal.string(one.text("question")), *_options(one, catalogue))


def _validate(one: Ingredient, catalogue: Catalogue) -> exp.Anonymous:
    return _call("validate", _rows(one, catalogue), exp.Literal.string(one.text("question")))


_WRITERS: dict[str, Callable[[Ingredient, Catalogue], exp.Anonymous]] = {
    "llmmap": _map,
    "vqa": _map,
    "llmqa": _ask_all,
    "llmvalidate": _validate,
}


def _rows(one: Ingredient, catalogue: Catalogue) -> exp.Expr:
    """What is read: the rows of a query, or of one column."""
    if "context" not in one.arguments:
        raise TypeMismatch(
            f"{_FORMS[one.name]} answers from rows: give it a query. A model's own knowledge is not asked here.",
            "",
            position(one.node),
        )
    rows = inner(one.arguments["context"])
    if isinstance(rows, exp.Literal):
        return values_of(one.text("context"), one.node, catalogue)
    if not isinstance(rows, exp.Subquery):
        raise TypeMismatch(f"Write {_FORMS[one.name]}.", "", position(one.node))
    return rows


def _options(one: Ingredient, catalogue: Catalogue) -> list[exp.Expr]:
    """`options='a;b'`, a list, a column or a query of values, as SUQL writes it."""
    given = one.arguments.get("options")
    if given is None:
        return []
    value = inner(given)
    if isinstance(value, exp.Literal) and "::" in value.name:
        return [_keyword("options", values_of(value.name, one.node, catalogue))]
    if isinstance(value, exp.Column) and value.table:
        return [_keyword("options", values_of(f"{value.table}::{value.name}", one.node, catalogue))]
    if isinstance(value, exp.Literal):
        listed = _LISTED.findall(value.name) if value.name.lstrip()[:1] in ("'", '"') else []
        texts = [text for _, text in listed] or [text.strip() for text in value.name.split(";") if text.strip()]
        return [_keyword("options", exp.Array(expressions=[exp.Literal.string(text) for text in texts]))]
    if isinstance(value, exp.Tuple | exp.Array):
        return [_keyword("options", exp.Array(expressions=value.expressions))]
    if isinstance(value, exp.Subquery):
        return [_keyword("options", value)]
    raise TypeMismatch("options is 'a;b', ('a', 'b'), 'table::column' or a query.", "", position(one.node))


def _returned(call: exp.Expr, one: Ingredient) -> exp.Expr:
    """The call, cast to the type it is told to return."""
    if "return_type" not in one.arguments:
        return call
    name = one.text("return_type").lower()
    if name not in _RETURNS:
        raise TypeMismatch(f"return_type is one of {', '.join(_RETURNS)}.", name, position(one.node))
    return exp.cast(call, _RETURNS[name], dialect="postgres") if _RETURNS[name] else call


def _call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


def _keyword(name: str, value: exp.Expr) -> exp.Kwarg:
    return exp.Kwarg(this=exp.Var(this=name), expression=value)


# -- example outputs -----------------------------------------------------------------------------------------------


def _asked(one: Ingredient) -> tuple[str, str]:
    """What makes two calls one question."""
    return one.text("question") if one.name != "llmvalidate" else "", one.need(
        "context"
    ).sql() if "context" in one.arguments else ""


def _examples(found: list[Ingredient]) -> dict[tuple[str, str], str]:
    """For each question, what its answer is compared with, or is told to look like."""
    examples: dict[tuple[str, str], str] = {}
    for one in found:
        if one.name == "llmvalidate" or "options" in one.arguments:
            continue
        told = one.text("example_outputs") if "example_outputs" in one.arguments else _compared_with(one.node)
        if told:
            examples.setdefault(_asked(one), told)
    return examples


def _compared_with(node: exp.Expr) -> str:
    """The text in `… = 'CA'` or the first of `… IN ('CA', 'NY')`."""
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    parent = node.parent
    if isinstance(parent, exp.EQ | exp.NEQ):
        other = [parent.expression if parent.this is node else parent.this]
    elif isinstance(parent, exp.In) and parent.this is node:
        other = list(parent.expressions)
    else:
        return ""
    texts = [inner(one).name for one in other if isinstance(inner(one), exp.Literal) and inner(one).is_string]
    return texts[0] if texts and texts[0].strip().lower() not in _NO_EXAMPLES else ""
