"""Where the words of a message name two sides: both ends of an order, two groups, two things that are wanted.

What the sides mean decides whether they are two questions (`several`); here are only the places and the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.parsing.dialogue.phrases import compiled
from agent.parsing.semantics import english

_SUPERLATIVE = rf"(?:(?:most|least) \w+|best|worst|{'|'.join(english.superlatives())})"
_OPPOSITES = re.compile(
    rf"\b(?P<one>{_SUPERLATIVE}) (?:and|&|\+) (?:also )?(?:the )?(?P<other>{_SUPERLATIVE})(?= \w)", re.IGNORECASE
)
_END = re.compile(rf"\b(?:{_SUPERLATIVE}|most|least|fewest|highest|lowest|top|bottom)\b", re.IGNORECASE)
_BARE_END = re.compile(r"\b(?:most|least|fewest)\b", re.IGNORECASE)
_OTHER_END = re.compile(
    r"(?<![\s,;])[\s,;]++(?:and|but)\s+(?:(?:which|what|who)\b(?:\s(?!the\b)\w+){0,2}\s)?(?:the\s)?"
    rf"(?P<other>{_END.pattern})(?:\s(?:\d+|two|three|four|five|ones?|rated))*\W*$",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\W*(?:which|what) (?P<noun>[a-z]{3,})\b", re.IGNORECASE)
_AND_WHICH = re.compile(r",?\s(?:and|but)\s(?=(?:which|what)\b)", re.IGNORECASE)
_COMPARED = re.compile(  # before the second of two groups that a number is asked of
    r",?\s(?:(?:compared?|next) (?:to|with|against)|versus|vs\.?|as opposed to|than|"
    r"and(?=\s(?:of|for|that of|those of)\b))"
    r"\s(?:(?:the|that|those|of|for)\s)*",
    re.IGNORECASE,
)
_OF_GROUP = re.compile(r"\b(?:of|for|in|at|near|on)\s(?:the\s)?(?=\w)", re.IGNORECASE)
_THAN = re.compile(r"(?:\s(?:is|are|really|any|much|higher|lower|better|worse|more|less))+$", re.IGNORECASE)
_ASKS = r"(?:what|how|when|where|who|which|is|are|do|does|can)"
_NUMBERED = (
    re.compile(r"(?:^|\s)\(?1[).:]\s*(?P<one>.{8,}?)\s\(?2[).:]\s*(?P<two>.{8,})$", re.DOTALL),
    re.compile(
        rf"^.{{0,40}}?\bfirst(?:ly| of all)?,? (?P<one>{_ASKS}\b.{{8,}}?)[,;.?]? "
        rf"(?:and )?second(?:ly)?,? (?P<two>{_ASKS}\b.{{8,}})$",
        re.IGNORECASE | re.DOTALL,
    ),
)
_PLAIN = r"(?!(?:with|that|which|and|or|without)\b)[\w'-]+"
_KIND = (  # a kind of house, of which nothing is said but where it is
    rf"\b(?:an?|another|some(?:where)?) (?:{_PLAIN} ){{1,3}}"
    r"(?:restaurant|place|spot|cafe|bar|bakery|eatery|joint|shop|diner|pub|steakhouse|brewery)s?"
)
_ENDS_IN_KIND = re.compile(rf"{_KIND}(?: (?:in|near|around|by|at|on)(?: {_PLAIN}){{1,4}})?\W*$", re.IGNORECASE)
_BEGINS_WITH_KIND = re.compile(rf"{_KIND}\b", re.IGNORECASE)
_ADDS = compiled(  # before something else that is wanted: "also, a bakery for tomorrow"
    r"(?:\s*[.;!?]\s+(?:and |but |then )*|,? and )"
    r"(?:(?:also|plus|separately|in addition|besides(?: that)?|on top of that|secondly|another thing)\b[, ]*)+|"
    r",? (?:and )?(?:plus|also) (?=(?:an?|some\w*|another|any\w*)\b)|"
    r",? oh,? (?:and )?(?=(?:an?|some\w*|another)\b)|"
    r",? and (?:(?:if possible|maybe|perhaps|ideally|preferably),? )?(?=another\b)|"
    r",? (?:and )?then (?=some(?:where|place|thing)\b)|"
    r"\s*[.;!?]\s+(?:and )?then (?=(?:(?:for|in|on|at) (?:the )?\w+(?: \w+)?, )?(?:an?|some\w*|another)\b)"
)
_APART = re.compile(  # before something that has nothing to do with what came before it
    r"[.;!?]\s+(?:(?:and|but|also|then|ok|oh),? )*"
    r"(?:separately|(?:on a|as a) (?:separate|different|side|completely different) (?:note|matter|topic|question)|"
    r"(?:a )?(?:separate|different|unrelated|another|second) (?:question|thing|matter)|unrelated(?:ly)?|"
    r"in other news)\b[\s,:;.–-]*",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?<![\s,;])[\s,;]++(?:and|plus)\s(?:also\s)?"
    r"(?:another|(?:a|one)\s(?:separate|different|second|more|other))(?:\s(?:one|place|spot|option))?"
    r"\s(?=(?:in|near|at|around|by|on|for)\s)",
    re.IGNORECASE,
)
_INDEFINITE = re.compile(
    r"^(?:[\w'-]+,? ){0,7}?(?:an?|any|some|(?:any|some)(?:thing|where|place)|another|one)\b", re.IGNORECASE
)  # "I'd like a ...", "find me some ..."


_KIND = r"(?:[\w'-]+ ){0,3}?(?:place|spot|restaurant|caf[eé]|bar|course|class|seminar)s?"
_LOOKS = (  # begins to look for something of its own
    rf"(?:(?:do you (?:know|have)|(?:is|are) there|got|have you got|know)(?: of)? )(?:an?|any|some) {_KIND}\b|"
    rf"(?:an?|any|some) {_KIND} (?:that|with|where|which|in|for|on|about)\b|"
    r"(?:do you (?:know|have)|(?:is|are) there|got) (?:another )?one (?:where|that|with|which|in which)\b|"
    r"(?:do you (?:know|have)|is there|got) (?:some|any)(?:where|thing) (?!else\b)|"
    r"where (?:in|near|around|by|on) (?:[\w'’-]+ ){1,4}?(?:can|could|do|does|should|would|is|are) |"
    rf"(?:what(?:'s|s| is)|which(?: one)? is) the {_KIND} (?:that|with|where|which|in)\b|"
    rf"who else (?:has|does|serves|makes|sells|offers|is|teaches)\b"
)
_ANEW = re.compile(
    rf"(?:(?<=[?.!])|[,;])?\s+(?:(?:and|also|plus|but|then|oh),?\s+)+(?={_LOOKS})|(?<=[?.!])\s+(?={_LOOKS})",
    re.IGNORECASE,
)


def anew(text: str) -> Iterator[tuple[str, str]]:
    """A message that goes on to look for something of its own: "..., and also where in Cupertino can we ...?"."""
    for turn in _ANEW.finditer(text):
        left, right = text[: turn.start()].strip(" ,;"), text[turn.end() :].strip()
        if left and right:
            yield left, right


def enumerated(text: str) -> Iterator[tuple[str, str]]:
    """A message that numbers what it asks: "1) how do I pay 2) what does it cost", "first ..., second ..."."""
    for pattern in _NUMBERED:
        if (said := pattern.search(text)) is not None:
            yield said["one"].strip(" ,;"), said["two"].strip()
            return


def both_ends(text: str) -> Iterator[tuple[str, str]]:
    """A message that asks for both ends of an order at once ("the best and worst ..."), or names the other end at last
    ("..., and which the fewest?"), as two questions."""
    if both := _OPPOSITES.search(text):
        first, second = (f"{text[: both.start()]}{both[side]}{text[both.end() :]}" for side in ("one", "other"))
        yield first, second
    if last := _OTHER_END.search(text):
        left, end = text[: last.start()], _BARE_END if _BARE_END.fullmatch(last["other"]) else _END
        if (named := end.search(left)) is not None:
            yield left, f"{left[: named.start()]}{last['other']}{left[named.end() :]}"


def two_orders(text: str) -> Iterator[tuple[str, str]]:
    """A message that asks which row has the most of one thing, and which of another: "which class has the lowest
    workload and which one has the highest rating?"."""
    first = _WHICH.match(text)
    for turn in _AND_WHICH.finditer(text):
        left, right = text[: turn.start()], text[turn.end() :]
        if first is not None and _END.search(left) and _END.search(right):
            yield left, re.sub(r"^(which|what) one\b", rf"\1 {first['noun']}", right, flags=re.IGNORECASE)


def two_groups(text: str) -> Iterator[tuple[str, str]]:
    """A message that compares one number of two groups ("the average rating of thai places and of indian ones")."""
    compared = _COMPARED.search(text)
    left = _THAN.sub("", text[: compared.start()]) if compared is not None else ""
    if compared is None or not left.strip():
        return
    other = re.sub(r"\bones\b", left.split()[-1], text[compared.end() :].strip(" ?!."))
    for of in reversed(list(_OF_GROUP.finditer(left))):
        yield left, f"{left[: of.end()]}{other}"


def additions(text: str) -> Iterator[tuple[str, str]]:
    """A message that goes on to something else, and says so: "a thai place. Also, a bakery for tomorrow"."""
    for turn in _ADDS.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        if left and _INDEFINITE.search(right):
            yield left, right


def apart(text: str) -> Iterator[tuple[str, str]]:
    """A message that asks for two things, and says that they are two: "... And separately, is there any ...?"."""
    for turn in _APART.finditer(text):
        left, right = text[: turn.start() + 1].strip(), text[turn.end() :].strip()
        if left and right:
            yield left, right


def again(text: str) -> Iterator[tuple[str, str]]:
    """A message that wants the same once more, elsewhere or at another time: "... and another in Sunnyvale"."""
    for turn in _AGAIN.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        if left and right:
            yield left, right


def of_a_kind(left: str, right: str) -> bool:
    """Whether words end in a kind of house, and others begin with one: "a ramen place", "a dessert bar near it"."""
    return _ENDS_IN_KIND.search(left) is not None and _BEGINS_WITH_KIND.match(right) is not None


def indefinite(words: str) -> bool:
    """Whether words look for what nothing is called: "a good place for dumplings"."""
    return _INDEFINITE.search(words) is not None


def somewhere(words: str) -> bool:
    """Whether words begin with what nothing is called: "somewhere for ice cream", "anything about robots"."""
    return re.match(r"\W*(?:some|any)(?:where|place|thing)\b", words, re.IGNORECASE) is not None
