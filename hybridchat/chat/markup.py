"""Words and queries as HTML that is safe to put into a page as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

import nh3
from markdown_it import MarkdownIt
from sqlglot import Dialect, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.tokens import Token, TokenType

TAGS = {
    "p",
    "br",
    "strong",
    "em",
    "code",
    "ul",
    "ol",
    "li",
    "a",
    "h3",
    "h4",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
SCHEMES = {"http", "https", "mailto", "tel"}
FUNCTIONS = {"answer", "summary", "answer_all", "validate", "same", "similar"}
LITERALS = {TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.RAW_STRING}

# What Markdown would read: in data (a name, a cell, a quotation) it is part of the text.
_SIGNS = re.compile(r"[*_`\[\]<>#~|\\&]|^\s*(?:[-+]|\d+[.)])\s|\n", re.MULTILINE)
_QUOTED = re.compile("(?<=“)[^“”]+(?=”)")
_HOLDERS = str.maketrans("", "", "\ue000\ue001")  # private characters around the number of a literal
_HOLDER = re.compile("\ue000(\\d+)\ue001")

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable(["image", "html_inline"])
_linkless = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
_linkless.disable(["image", "html_inline", "link", "autolink", "reference"])
_postgres = Dialect.get_or_raise("postgres")


def reply_html(text: str, literals: Iterable[str] = ()) -> str:
    """Render a reply, written in Markdown by code or by a model, as sanitised HTML without links or images.

    `literals` are the data that may stand in it: names, values of rows, what people typed. They are shown as they are,
    and so is whatever stands in “quotation marks”.
    """
    text = text.translate(_HOLDERS)
    quoted = {*_QUOTED.findall(text), *(literal.translate(_HOLDERS) for literal in literals)}
    held = sorted((one for one in quoted if _is_marked(one)), key=len, reverse=True)
    for number, literal in enumerate(held):
        text = text.replace(literal, f"\ue000{number}\ue001")
    html = _sanitised(_linkless.render(text))
    return _HOLDER.sub(lambda match: escape(held[int(match[1])]).replace("\n", "<br>"), html)


def prose_html(text: str) -> str:
    """Render what the staff wrote in Markdown as sanitised HTML; it may link to the web, to an address or a number."""
    return _sanitised(_markdown.render(text))


def _is_marked(literal: str) -> bool:
    """Whether Markdown would read something into the literal, and it is more than signs."""
    return bool(_SIGNS.search(literal)) and any(map(str.isalnum, literal))


def _sanitised(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


def suql_html(sql: str) -> str:
    """Format and highlight a query: <span class="k"> keywords, "s" strings, "n" numbers, "f" the SUQL functions."""
    laid_out = _laid_out(sql)
    pieces, position = [], 0
    for token in _tokens(laid_out):
        pieces.append(escape(laid_out[position : token.start]))
        text = escape(laid_out[token.start : token.end + 1])
        kind = _token_class(token)
        pieces.append(f'<span class="{kind}">{text}</span>' if kind else text)
        position = token.end + 1
    return "".join(pieces) + escape(laid_out[position:])


def _laid_out(sql: str) -> str:
    """The query with a line per clause; as it is where it does not parse (the query is shown all the same)."""
    try:
        return parse_one(sql, dialect="postgres").sql(dialect="postgres", pretty=True, normalize_functions=False)
    except SqlglotError:
        return sql


def _tokens(sql: str) -> list[Token]:
    try:
        return _postgres.tokenize(sql)
    except SqlglotError:
        return []


def _token_class(token: Token) -> str:
    if token.token_type in LITERALS:
        return "s"
    if token.token_type == TokenType.NUMBER:
        return "n"
    if token.text.lower() in FUNCTIONS:
        return "f"
    word = token.text.replace(" ", "")
    keyword = word.isalpha() and word.isupper() and token.token_type != TokenType.IDENTIFIER
    return "k" if keyword else ""
