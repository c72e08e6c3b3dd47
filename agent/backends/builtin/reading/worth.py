"""Whether a place, a course or the food is good: asked of every text as a whole, since most say so in no such words."""

from __future__ import annotations

import re

_SO = r"(?:any |really |actually |that |so |all that |as )*"
_GOOD = rf"{_SO}(?:good|great|nice|decent|bad)"
_AT = r"(?: (?:at|in|of|for|from|here|there)\b.*)?"
_FOOD = re.compile(
    rf"(?:the|their) (?:food|cooking|meals?|dishes) (?:here |there )?(?:is |are |was )?{_SO}"
    rf"(?P<sign>good|great|nice|decent|tasty|delicious|bad|terrible|awful){_AT}\.?",
    re.IGNORECASE,
)
_THING = r"(?:this|that|the) (?P<thing>restaurant|place|course|class)"
_ITSELF = re.compile(
    rf"(?:{_THING} (?:is |are |was )?(?:{_GOOD}|(?:really |actually )*worth "
    r"(?:it|a visit|the trip|going(?: to)?|taking|visiting|trying))|"
    rf"(?:people|students|guests|reviewers|diners|customers|everyone) (?:really |actually |generally )*"
    rf"(?:like|liked|love|loved|enjoy|enjoyed|recommend) {_THING.replace('<thing>', '<liked>')})\.?",
    re.IGNORECASE,
)
_BAD = re.compile(r"\b(?:bad|terrible|awful)\b", re.IGNORECASE)


def asked_of_each(claim: str) -> str:
    """What a claim of worth ("The food is good at this restaurant.") asks of each text; empty for any other claim."""
    if _FOOD.fullmatch(claim):
        return "is the food good?"
    itself = _ITSELF.fullmatch(claim)
    return f"does the reviewer like this {(itself['thing'] or itself['liked']).lower()}?" if itself else ""


def turned(claim: str) -> bool:
    """Return whether it is claimed that something is bad."""
    return _BAD.search(claim) is not None
