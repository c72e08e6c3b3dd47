"""Prose as plain text: what was written as HTML, or with the marks of a wiki or a site generator, without the marks.

Texts are searched, quoted and shown as they are stored, so they are cleaned before they are stored: on loading, and in
the admin. A text without marks is not touched.
"""

from __future__ import annotations

import re
from html import unescape

_PARAGRAPHS = "p|div|section|article|header|footer|blockquote|ul|ol|dl|table|pre|h[1-6]|hr|figure"
_LINES = "br|li|tr|dt|dd|caption|figcaption"
_INLINE = "a|abbr|b|big|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span|strike|strong|sub|sup|td|th|tt|u|var"
_AROUND = "html|head|body|main|nav|aside|center|thead|tbody|tfoot|colgroup|col|wbr"
_ATTRIBUTE = r"""\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+)"""
_TAG = re.compile(rf"<(/?)({_PARAGRAPHS}|{_LINES}|{_INLINE}|{_AROUND})((?:{_ATTRIBUTE})*)\s*/?>", re.IGNORECASE)
_UNREAD = re.compile(r"(?is)<(script|style|template|noscript|title)\b[^<>]*>.*?</\1\s*>|<!--.*?-->")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ATTRIBUTE_LIST = re.compile(r"^[ \t]*\{:[^{}\n]*\}[ \t]*\n?|\{:[^{}\n]*\}", re.MULTILINE)  # kramdown's {: .class }
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+([^\n]*)$", re.MULTILINE)
_SPACES = re.compile(r"[ \t\xa0]+")
_AROUND_BREAKS = re.compile(r" ?\n ?")
_MANY_BREAKS = re.compile(r"\n{3,}")


def plain(text: str) -> str:
    """Return the text without tags, entities, attribute lists and heading marks; paragraphs stay paragraphs.

    Only what HTML knows is a tag: "a<b" and "<3" stay.
    """
    if _TAG.search(text) or _UNREAD.search(text):
        text = _tidy(_TAG.sub(_instead, _UNREAD.sub(" ", text)))
    if _ENTITY.search(text):
        text = unescape(text)
    if _ATTRIBUTE_LIST.search(text) or _HEADING.search(text):
        text = _HEADING.sub(lambda found: found[1].rstrip(" \t#") + "\n", _ATTRIBUTE_LIST.sub("", text))
        text = _MANY_BREAKS.sub("\n\n", text).strip()
    return text


def _instead(tag: re.Match[str]) -> str:
    """What a reader sees of a tag."""
    closes, name = bool(tag[1]), tag[2].lower()
    if re.fullmatch(_PARAGRAPHS, name):
        return "\n\n"
    if re.fullmatch(_LINES, name):
        return "" if closes else "\n- " if name == "li" else "\n"
    return " " if closes and name in ("td", "th") else ""


def _tidy(text: str) -> str:
    text = _AROUND_BREAKS.sub("\n", _SPACES.sub(" ", text))
    return _MANY_BREAKS.sub("\n\n", text.replace("\n\n\n- ", "\n- ")).strip()
