"""English cues of what a message does to the search before it: another, drop, start over, compare, cheaper."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FLAGS = re.IGNORECASE

_ANOTHER = re.compile(
    r"\b(?:something else|some(?:where|place) else|anything else|any(?:where| place| body)? else|another(?: one| option| place|"
    r" restaurant| course| class| spot)?|others?(?: options?| ones?| places?| courses?| suggestions?)?|(?:some|any|few|"
    r"two|three|four|five|[2-9]) more(?! than)|more (?:options|results|like (?:this|that|these)|of (?:them|these|those)|"
    r"places|restaurants|courses|suggestions|choices)|show (?:me )?more|(?:a )?different (?:one|place|restaurant|course|"
    r"option)|next (?:one|ones|page|few)|what else|who else|keep going|not (?:that|this) one)\b|^\W*more\W*(?:please)?\W*$",
    _FLAGS,
)
_OTHER_THAN = re.compile(r"\b(?:other than|each other|the other (?:hand|day|one))\b", _FLAGS)
_MORE_COUNT = re.compile(r"\b(one|two|three|four|five|[1-9]) (?:more|others?)\b", _FLAGS)
_RESET = re.compile(
    r"\b(?:start(?:ing)? (?:over|again|fresh)|new (?:search|topic|question)|forget (?:all|everything|it all|about all)|"
    r"clear (?:all|everything)|reset|from scratch|scratch (?:that|all))\b",
    _FLAGS,
)
_DROP = re.compile(
    r"\b(?:drop|forget(?: about)?|ignore|remove|skip|lose|without|leave out|never ?mind|take (?:off|away|out)|minus|"
    r"regardless of|no longer need|don'?t (?:need|care about|worry about|mind)|(?:does|do)(?:n'?t| not) (?:have to|need to|matter))\b"
    r"\s*(?:the|that|my|any|be|about)?\s*(?P<what>[\w\s'-]{2,40})",
    _FLAGS,
)
_ANY = re.compile(
    r"\b(?:any|whatever|all) (?P<what>price|cuisine|food|city|location|place|area|neighbou?rhood|rating|time|day|quarter|"
    r"season|units?|number of units|hours|grading|instructor|level)(?:s| range)?(?: (?:is|are|will be|works?|would be|does?))?"
    r"(?: fine| ok(?:ay)?| good| do)?\b|\b(?P<also>price|city|location|cuisine|rating|quarter|units|time|day)s? "
    r"(?:does(?:n'?t| not) matter|is(?:n'?t| not) important|do(?:n'?t| not) matter)\b",
    _FLAGS,
)
_COMPARE = re.compile(r"\b(?:compare|comparison|versus|vs\.?|side by side|difference between|differ)\b", _FLAGS)
_SAME = re.compile(r"\bsame (?:thing|search|but|question|for|again|in|with)\b", _FLAGS)
_BACK = re.compile(
    r"\b(?:back to|go(?:ing)? back|return to|earlier|before that|at the (?:very )?start|originally|previous)\b", _FLAGS
)
_CONNECTOR = re.compile(
    r"^\W*(?:and|but|or|also|plus|then|so|only|just|actually|instead|what about|how about|with|without|no|not|nothing|in|near|"
    r"on|under|over|at|for|make (?:it|that)|preferably|ideally|maybe|ok(?:ay)? (?:but|and)|any that|ones? (?:that|with|in)|"
    r"those|the ones?|i (?:want|need|prefer|meant?|said)|we (?:want|need|prefer)|must|should|has to|needs? to|less|more)\b",
    _FLAGS,
)
_TRAILING = re.compile(r"\b(?:too|also|as well|instead|then|though|tho|this time)\W*$", _FLAGS)
_SEARCH = re.compile(
    r"\b(?:find|show|search|looking for|look for|recommend|suggest|where (?:can|could|should|do|is)|give me|list|"
    r"i(?:'m| am) (?:after|craving|in the mood)|any good|what(?:'s| is) (?:a|the) (?:good|best)|is there an?|are there any|"
    r"(?:restaurants?|places?|spots?|courses?|class(?:es)?) (?:in|near|around|for|with|that|on|about|which))\b",
    _FLAGS,
)
_LISTING = re.compile(r"^\W*(?:and |so |then |ok |now )*(?:list|show|give|name|display|see|which|what are)\b", _FLAGS)
_YES_NO = re.compile(
    r"^\W*(?:and |but |so |then |ok |hm+ )*(?:is|are|was|were|does|do|did|can|could|will|would|has|have|should|am|any)\b",
    _FLAGS,
)
_INTERROGATIVE = re.compile(
    r"^\W*(?:and |but |so |then |ok |now )*(?:what|what's|when|when's|where|where's|who|who's|whom|whose|why|how|how's|tell me|"
    r"is|are|was|were|does|do|did|can|could|will|would|has|have)\b|\?\s*$",
    _FLAGS,
)

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True, slots=True)
class Comparative:
    """ "cheaper", "better rated": a column, and whether less or more of it is wanted than what was shown."""

    column: str
    less: bool


_COMPARATIVES = (
    (Comparative("price", True), r"cheaper|less (?:expensive|pricey|costly)|more affordable|lower[- ]priced?|too (?:expensive|pricey|dear)|not (?:so|as|that) (?:expensive|pricey)|more budget"),
    (Comparative("price", False), r"fancier|more expensive|pricier|more upscale|posher|higher[- ]end|more luxurious"),
    (Comparative("rating", False), r"(?:better|higher)[- ](?:rated|ratings?|reviewed|stars?)|more stars|rated (?:higher|better)"),
    (Comparative("num_reviews", False), r"more (?:reviews|reviewed|popular|ratings)|better known"),
    (Comparative("average_hours_spent", True), r"(?:less|lighter) (?:work(?:load)?|time)|fewer hours|lighter|less (?:demanding|time[- ]consuming)"),
    (Comparative("max_units", False), r"more units"),
    (Comparative("min_units", True), r"fewer units|less units"),
)  # fmt: skip
_COMPILED = tuple((meaning, re.compile(rf"\b(?:{words})\b", _FLAGS)) for meaning, words in _COMPARATIVES)


def wants_another(message: str) -> bool:
    """ "something else", "two more": the same search, other rows."""
    return bool(_ANOTHER.search(_OTHER_THAN.sub(" ", message)))


def how_many_more(message: str) -> int | None:
    """The number in "two more", where there is one."""
    match = _MORE_COUNT.search(message)
    return None if match is None else _NUMBERS.get(match[1].lower()) or int(match[1])


def starts_over(message: str) -> bool:
    return bool(_RESET.search(message))


def dropped(message: str) -> str:
    """What the message takes away ("the price bit"), as words; empty where it takes nothing away."""
    match = _ANY.search(message)
    if match:
        return match["what"] or match["also"]
    match = _DROP.search(message)
    return match["what"].strip() if match else ""


def compares(message: str) -> bool:
    return bool(_COMPARE.search(message))


def goes_back(message: str) -> bool:
    return bool(_BACK.search(message))


def repeats(message: str) -> bool:
    """ "same thing but in Cupertino"."""
    return bool(_SAME.search(message))


def connects(message: str) -> bool:
    """The message hangs on the one before it: "but not a chain", "what about thai", "with a patio too"."""
    return bool(_CONNECTOR.search(message) or _TRAILING.search(message) or _SAME.search(message))


def searches(message: str) -> bool:
    """The message has the words of a search of its own."""
    return bool(_SEARCH.search(message))


def lists(message: str) -> bool:
    return bool(_LISTING.search(message))


def asks_yes_no(message: str) -> bool:
    return bool(_YES_NO.search(message))


def asks(message: str) -> bool:
    """The message is a question by its form."""
    return bool(_INTERROGATIVE.search(message))


def comparative(message: str) -> Comparative | None:
    """The comparison with what was shown, if the message makes one."""
    return next((meaning for meaning, pattern in _COMPILED if pattern.search(message)), None)
