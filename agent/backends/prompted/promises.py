"""What a reply may not say because nothing stands behind it: waiting, deeds, plans, amounts and days of its own.

The agent does what its acts say and nothing else. It cannot come back later, so it never asks for a moment; that
something was done, or will be, is only said where an act says so in the same word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WAITING = re.compile(
    r"\b(?:(?:give|grant|allow) me (?:a|an|one|just|some)\b|"
    r"(?:one|just a|a) (?:moment|second|sec|minute)(?=\W*$|[.,;:!…]|\s+(?:please|while|and|let|to|I|as)\b)|"
    r"hold on\b|hang on\b|bear with me|stand by\b|please wait|(?:be )?right back|get back to you|shortly\b|"
    r"keep you (?:posted|updated)|in the meantime|working on (?:it|that)|"
    r"let me (?:\w+ )?(?:check|look|see|find|get|process|confirm|pull|verify))",
    re.IGNORECASE,
)
_WHO = r"(?:I|we|it|they|the restaurant|you|someone|somebody|staff|our team)"
_PLANS = re.compile(
    rf"\b{_WHO}(?:['’]ll| will| shall|['’](?:m|re) going to| (?:am|is|are) going to)\s+"
    r"(?:(?:then|now|just|also|soon|gladly|happily|be|have|go ahead and|be able to)\s+)*(?P<deed>[a-z]+)",
    re.IGNORECASE,
)
_DEEDS = re.compile(
    r"\b(?:(?:I|we)(?:['’]ve| have)?|(?:is|are|was|were|['’]s|['’]re|has been|have been|been|it['’]s|you['’]re))\s+"
    r"(?:(?:now|already|just|successfully|all|officially|gone ahead and)\s+)*"
    r"(?P<deed>[a-z]{2,}ed|made|sent|put|set|kept|held|taken|paid|given|done|begun|ready)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:I|we)\b|let me", re.IGNORECASE)
_IDLE = {"need", "needed", "needs", "require", "required", "note", "noted", "understood", "interested", "know", "like",
         "want", "wanted", "asked"}  # fmt: skip
_AMOUNT = re.compile(r"(?:[$€£¥]\s?(\d[\d.,]*)|\b(\d[\d.,]*)\s?(?:dollars?|euros?|pounds?|usd|eur)\b)", re.IGNORECASE)
_FREE = re.compile(
    r"\b(?:free of charge|for free|complimentary|discount|on us|on the house|no (?:fee|charge))\b", re.IGNORECASE
)
_DAY = re.compile(
    r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|today|tonight|tomorrow|yesterday)\b", re.IGNORECASE
)
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_MONTH = re.compile(rf"\b(?:({_MONTHS})[a-z]*\.? \d|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?({_MONTHS}))", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,;:] )(?!I\b)[A-Z][\w'’&.-]+")


def promised(text: str, known: str) -> list[str]:
    """Return what the text says of the agent's own doing that `known` does not, in words for who wrote it."""
    claims = [found[0] for found in _claims(text, known) if _OWN.match(found[0])]
    return [*_waits(text), *(f"“{claim}” (nothing says that this is so)" for claim in claims)]


def unfounded(text: str, known: str, names: str) -> list[str]:
    """What the text says that `known` does not, in words for who wrote it. `names` is where names may come from."""
    return [
        *_waits(text),
        *(f"“{found[0]}” (nothing says that this is so)" for found in _claims(text, known)),
        *(f"“{found}” (no such amount is given)" for found in sorted(_amounts(text) - _amounts(known))),
        *(f"“{found}” (no such day is given)" for found in sorted(_days(text) - _days(known))),
        *(f"“{found}” (no such name is given)" for found in _strange(text, names)),
    ]


def _waits(text: str) -> list[str]:
    return [f"“{found[0]}” (the assistant cannot do anything later)" for found in _WAITING.finditer(text)]


def _claims(text: str, known: str) -> Iterator[re.Match[str]]:
    """Deeds and plans whose word is not among what is known."""
    words = set(re.findall(r"[a-z]+", known.lower()))
    for pattern in (_PLANS, _DEEDS):
        for found in pattern.finditer(text):
            if found["deed"].lower() not in words | _IDLE:
                yield found
    for found in _FREE.finditer(text):
        if found[0].lower() not in known.lower():
            yield found


def _amounts(text: str) -> set[str]:
    return {(one or other).rstrip(".,") for one, other in _AMOUNT.findall(text)}


def _days(text: str) -> set[str]:
    months = {(before or after).lower() for before, after in _MONTH.findall(text)}
    return {found.lower().rstrip("s") for found in _DAY.findall(text)} | months


def _strange(text: str, names: str) -> list[str]:
    """Words written as names, inside a sentence, that nobody has used; days are looked at by themselves."""
    known = set(re.findall(r"[\w]+", names.casefold()))
    found = [
        name.strip(".,")
        for name in _NAME.findall(text)
        if not re.match(rf"(?:{_MONTHS}|Mon|Tue|Wed|Thu|Fri|Sat|Sun)", name)
    ]
    return [name for name in dict.fromkeys(found) if not set(re.findall(r"[\w]+", name.casefold())) <= known]
