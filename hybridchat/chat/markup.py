"""Words and queries as HTML that is safe to put into a page as it is."""

from __future__ import annotations

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

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable(["image", "html_inline"])
_postgres = Dialect.get_or_raise("postgres")


def reply_html(text: str) -> str:
    """A reply, written in Markdown by code or by a model, as sanitised HTML without images, scripts or styles."""
    return nh3.clean(
        _markdown.render(text),
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


def suql_html(sql: str) -> str:
    """A query laid out and highlighted: <span class="k"> keywords, "s" strings, "n" numbers, "f" the SUQL functions."""
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
