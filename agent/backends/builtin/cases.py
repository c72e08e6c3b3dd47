"""Rules of a special case: whose a sentence is, where it says so before anything else ("Short classes close ...")."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from agent.text.words import tokens

FIRST = 4  # words of a sentence in which what it is about is looked for
NOUN = 4  # letters of a noun that means little by itself ("class"): a shorter word rather joins others

_LIMITED = re.compile(
    r"(?:for|after|in (?:the )?case of) (?P<case>[^,;:]{3,60}?)(?:,| (?=an? |the ))|"
    r"(?P<range>\w+ \d[\d.,]*) (?:and|or) (?:above|below|under|over|more|less|fewer|later|earlier)\b",
    re.IGNORECASE,
)
_ARTICLES = frozenset(("a", "an", "the", "my"))


def named(text: str) -> frozenset[str]:
    """Return the stems of the words that name what a question is about, common ones such as "class" too."""
    nouns = {
        token.stem
        for before, token in pairwise(tokens(text))
        if len(token.stem) >= NOUN and (before.content or before.text.lower() in _ARTICLES)
    }
    return _content(text) | nouns


def special_case(text: str, asked: frozenset[str]) -> frozenset[str]:
    """Return the words (their stems) by which a sentence limits itself to a case that the question does not name.

    `asked` are the stems of what the question names. "Short classes ..." is of a case of a question for classes, and so
    are "Units 19 and above ..." of one for units and "For graduate students, ..." of one that names none.
    """
    if limited := _LIMITED.match(text):
        return _content(limited["case"] or limited["range"]) - asked
    first = [token for token in tokens(text) if token.stem[:1].isalnum()][: FIRST + 1]
    before = list(takewhile(lambda token: token.stem not in asked, first))
    if len(before) == len(first):
        return frozenset()
    after = first[len(before) + 1 : len(before) + 2]
    number = {token.stem for token in after if token.stem.isdigit()}
    if any(not token.content for token in before):  # "the class", "your last class" is no kind of class
        return frozenset()
    return frozenset({token.stem for token in before} | number) - asked


def qualifiers(question: str, sentence: str) -> frozenset[str]:
    """The words (their stems) by which a question names a case of what a sentence begins with, perhaps in other words.

    "Gym" of "when do gym classes close?" beside "Physical education classes ...".
    """
    subject = {token.stem for token in tokens(sentence)[: FIRST + 1] if len(token.stem) >= NOUN}
    named_so = (before for before, token in pairwise(tokens(question)) if token.stem in subject)
    return frozenset(before.stem for before in named_so if before.content) - subject


def _content(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text) if token.content)
