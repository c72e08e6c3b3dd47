"""Making harmless what goes into a prompt and what comes out of a model: no hidden letters, no smuggled addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.text.addressed import quietened

#: What steers how text is shown or hides text in text: bidirectional controls, tag letters, zero-width spaces.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e01ef]"
)
_IMAGE = re.compile(r"!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\]]*)\]\(\s*([^)\s]*)[^)]*\)")
_TAG = re.compile(r"</?[a-zA-Z!][^>]*>")
_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.|\b(?:javascript|data|vbscript|mailto):)[^\s<>\"')\]]+", re.IGNORECASE
)


def visible(text: str) -> str:
    """The text with a space for each letter that nobody sees: as long as before, so that places in it stay the same."""
    return _HIDDEN.sub(" ", text)


def clean(value: str, sources: Iterable[str]) -> str:
    """Return what a model wrote, as plain words. Pictures and HTML are taken out, a link is its label.

    An address stays only where one of the texts that were read has it, letter by letter, and does not ask for it to be
    said: one put together by the model could carry away what it has read.
    """
    text = _TAG.sub("", _LINK.sub(r"\1 \2", _IMAGE.sub(r"\1", visible(value))))
    known = " ".join(quietened(source, closed=False) for source in sources)
    text = _ADDRESS.sub(lambda found: found[0] if _said(found[0], known) else "", text)
    return re.sub(r"[ \t]{2,}", " ", text).strip()


def _said(address: str, known: str) -> bool:
    """Does the text have exactly this address, and not just its beginning or in a picture or HTML?"""
    bare = address.rstrip(".,;:!?")
    if re.match(r"(?:javascript|data|vbscript):", bare, re.IGNORECASE):
        return False
    known = _TAG.sub("", _IMAGE.sub("", known))
    return re.search(rf"{re.escape(bare)}(?![\w/?=&%#-])", known) is not None
