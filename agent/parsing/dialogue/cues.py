"""What a message does to the search before it: another, drop, start over, compare, cheaper."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.dialogue.phrases import comparatives, compiled, said
from agent.parsing.dialogue.pointing import THE_MORE

_ONLY_MORE = compiled(r"^\W*more\W*(?:please)?\W*$")
_MORE_COUNT = compiled(r"\b(one|two|three|four|five|[1-9]) (?:more|others?)\b")
_DROPPED = compiled(r"\b{drop}\s+(?:the|that|my|any|be|about)?\s*(?P<what>[\w\s'-]{2,40})")
_CONNECTED = compiled(r"^\W*(?:ok(?:ay)? )?{connector}\b")
_TRAILING = compiled(r"\b{trailing}\W*$")
_WIDENED = compiled(r"^\W*or\b|\b{widens}\W*$")
_LISTING = compiled(r"^\W*(?:{lead} )*{listing}\b")
_WANTS = compiled(
    r"^\W*(?:{lead} )*(?:(?:i|we)(?:'d| would|'ll| will)? ?(?:also )?)?(?:need|want|like|love|take|looking for|find)\b"
    r"(?= .*\b(?:one|some|somewhere|a table|the)\b)|"
    r"^\W*(?:{lead} )*(?:where|which(?: (?:ones?|of (?:them|these|those)))?) "
)
_YES_NO = compiled(r"^\W*(?:{lead} )*{yes_no}\b")
_QUESTION = compiled(r"^\W*(?:{lead} )*{question}\b|\?\s*$")
_WHAT_ABOUT = compiled(r"^\W*(?:{lead} )*(?:what|how) about\b")
_OPEN_QUESTION = compiled(r"^\W*(?:{lead} )*{wh}\b(?! (?:about|else)\b)")
_CHOOSING = compiled(
    r"^\W*(?:{lead} )*(?:{yes_no} )?(?:which|any|either|one)(?: ones?)?(?: of)?(?: (?:that )?(?:is|are|would be))?\s+"
)
_WHICH = compiled(r"^\W*(?:{lead} )*(?:which|who)(?: (?:one|place|course))?(?: (?:is|has|gets|takes|does))? ")
_OF_PART = compiled(
    r"^\W*(?:(?:{lead}|also) )*(?:how )?(?:is|are|was|were) (?:the|their|its) (?!(?:first|second|third|last|other)\b)"
)
_IT = compiled(r"\b(?:it|they|them|those|these)\b")
_OF_ANY = compiled(
    r"(?:do|does|are|is|have|has|can|will) (?:any|either|all|some)(?: of (?:them|these|those))?\b(?! \w+s\b)"
)
_ELSE = compiled(
    r"\bwhat else(?= (?:do|does|did|can|could|should|would|is|are) (?:they|it|this|that|the|i|we|you|one)\b)"
)
_WHERE_ELSE = compiled(r"\b(?:any|some)where else\b")
_HOW = compiled(
    r"^\W*(?:{lead} )*(?:how(?:'?s)? (?!about\b|many\b)|"
    r"what(?:'?s| is| are| was) (?:the|their|its) (?:\w+ ){1,3}like\b)"
)
_BOUND_SAID = compiled(
    r"\b(?:max(?:imum)?|at (?:most|least)|min(?:imum)?|no more than|up to|(?:less|more|fewer) than|under|over) "
    r"(\d+(?:\.\d+)?)\b(?! ?(?:am|pm|:))"
)
_MORE_THAN = compiled(r"\b(?:\w{2,}er|worse|(?:more|less) \w+) than\b")
_ONLY_ABOUT = compiled(
    r"^\W*(?:{lead} )*(?:what|how) about (?:the )?(?P<what>[\w' -]{2,40}?)(?: ones?| class| course)?"
    r"(?: (?:then|instead))?\W*$"
)
HIGH, LOW = ("most", "highest"), ("fewest", "least", "lowest")  # of whatever was spoken of
_ONLY_MOST = compiled(
    r"^\W*(?:{lead} )*(?:(?:what|how) about |what is |which (?:one )?(?:has|is|gets|takes) )?(?:the )?"
    r"(?P<most>(?!best\b|rest\b)[a-z]{2,}est|most|least)"
    r"(?: (?:one|of all|overall))*\W*$"
)
_SETS_ASIDE = compiled(
    r"^\W*(?:{lead} )*(?:not counting|leaving out|apart from|aside from|besides|other than|except(?: for)?|excluding|"
    r"without) (?:that|this|it|those|these|them)\b[^,;?!.]*\W*$"
)
_POINTS_BACK = compiled(r"\b(?:its?|their)\b")
_ASKS_WHICH = compiled(r"^\W*(?:{lead} )*(?:which|what)\b")
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True, slots=True)
class Comparative:
    """ "cheaper", "better rated": a column, and whether less or more of it is wanted than what was shown."""

    column: str
    less: bool


_COMPARATIVES = tuple((Comparative(column, sign == "<"), pattern) for column, sign, pattern in comparatives())


def as_search(message: str, noun: str) -> str:
    """ "which are open on Monday" as a search: "restaurants open on Monday"."""
    return _CHOOSING.sub(f"{noun} ", message, count=1)


def wants_another(message: str) -> bool:
    """ "something else", "two more": the same search, other rows."""
    text = said("not_another").sub(" ", message)
    return bool(said("another").search(text) or _ONLY_MORE.match(text))


def only_about(message: str) -> str:
    """What a message is about that asks "what about <haskell> then?" and no more; else empty."""
    match = _ONLY_ABOUT.match(message)
    return match["what"] if match else ""


def only_most(message: str) -> str:
    """The superlative that is all a message says: "and the <smallest>?"; else empty."""
    match = _ONLY_MOST.match(message)
    return match["most"].lower() if match else ""


def sets_aside(message: str) -> bool:
    """ "Not counting that summer thing": what was shown is not wanted, whatever it is called."""
    return _SETS_ASIDE.match(message) is not None


def points_back(message: str, start: int) -> bool:
    """Whether "it" or "its" stands behind a place in a message."""
    return _POINTS_BACK.search(message, start) is not None


def elsewhere(message: str, *, after_nothing: bool) -> bool:
    """ "What about other cities?": the same search at another place, which "anywhere else?" asks only after nothing was
    found."""
    return bool(said("elsewhere").search(message) or (after_nothing and _WHERE_ELSE.search(message)))


def how_many_more(message: str) -> int | None:
    """The number in "two more", where there is one."""
    match = _MORE_COUNT.search(message)
    return None if match is None else _NUMBERS.get(match[1].lower()) or int(match[1])


def starts_over(message: str) -> bool:
    return bool(said("start_over").search(message))


def without_reset(message: str) -> str:
    """The message without "start over" and the like."""
    return said("start_over").sub(" ", message) if starts_over(message) else message


def dropped(message: str) -> str:
    """What the message takes away ("the price bit"), as words; empty where it takes nothing away."""
    match = said("any_value").search(message) or _DROPPED.search(message)
    return next(filter(None, match.groups()), "").strip() if match else ""


def compares(message: str) -> bool:
    return bool(said("compare").search(message))


def sets_beside(message: str) -> bool:
    """The message compares, or asks whether one thing is more of something than another: "is it easier than ..."."""
    return compares(message) or _MORE_THAN.search(message) is not None


def repeats(message: str) -> bool:
    """ "same thing but in Cupertino"."""
    return bool(said("same").search(message))


def connects(message: str) -> bool:
    """The message hangs on the one before it: "but not a chain", "what about thai", "with a patio too"."""
    return bool(_CONNECTED.search(message) or _TRAILING.search(message) or repeats(message))


def searches(message: str) -> bool:
    """The message has the words of a search of its own."""
    return bool(said("search").search(message))


def names_kind(message: str) -> bool:
    """ "a quiet two-unit class": the message says anew what kind of thing is wanted."""
    return bool(said("kind").search(message))


def of_all_there_is(message: str) -> bool:
    """ "How many classes are ...", "who in Cupertino has ...": asks of everything there is."""
    return bool(said("all_of_kind").search(message))


def rejected(message: str) -> str:
    """ "I had chinese yesterday": the sentences whose things are not wanted, in small letters."""
    sentences = re.split(r"(?<=[.!?;])\s+", message)
    return " ".join(one for one in sentences if said("rejects").search(one)).lower()


def asks_why(message: str) -> bool:
    """ "Why did you pick that one?"."""
    return bool(said("why").search(message))


def picks(message: str) -> bool:
    """ "The four unit one": the message picks a row by what is true of it."""
    return bool(said("picks").search(message))


def chooses(message: str) -> bool:
    """ "Which has more reviews?": asks for one of those that were shown."""
    return bool(_WHICH.match(message))


def asks_of_part(message: str) -> bool:
    """ "Are the burgers any good?": asks how something is of what was shown."""
    return bool(_OF_PART.match(message))


def replaces(message: str) -> bool:
    """ "Actually make it pho": what the message names takes the place of what was searched for."""
    return bool(said("replaces").search(message))


def widens(message: str) -> bool:
    """ "Sunnyvale too": what the message names is wanted beside what was asked for, not in its place."""
    return bool(_WIDENED.search(message))


def lists(message: str) -> bool:
    return bool(_LISTING.search(message))


def wants(message: str) -> bool:
    """ "Need one for Tuesday": wants to be shown some, however many there are."""
    return _WANTS.match(message) is not None


def asks_yes_no(message: str) -> bool:
    return bool(_YES_NO.search(message))


def asks_of_any(message: str) -> bool:
    """ "Do any need CS 101": asks which of those just spoken of, if any."""
    return bool(_OF_ANY.match(message))


def ask_of_it(first: str, second: str) -> bool:
    """Two yes/no questions of what was shown: "is it much work, and could I take it in spring"."""
    return asks_yes_no(first) and asks_yes_no(second) and _IT.search(first) is not None


def asks(message: str) -> bool:
    """The message is a question by its form."""
    return bool(_QUESTION.search(message))


def asks_about(message: str) -> bool:
    """ "What about parking": a thing is asked about, rather than some place wished for."""
    return bool(_WHAT_ABOUT.match(message)) and not said("indefinite").search(message)


def asks_openly(message: str) -> bool:
    """The message asks for something that is no yes or no: "what's the total?"."""
    return bool(_OPEN_QUESTION.search(message))


def asks_how(message: str) -> bool:
    """ "How bad is the wait on a Saturday?": asks of something known, rather than for what has it."""
    return bool(_HOW.match(message))


def comparative(message: str) -> Comparative | None:
    """The comparison with what was shown, if the message makes one: not where it is what a row is called by, "who
    teaches the easier one"."""
    if asks(message) and not (_ASKS_WHICH.match(message) or picks(message)):
        message = THE_MORE.sub(" ", message)
    return next((meaning for meaning, pattern in _COMPARATIVES if pattern.search(message)), None)


def bound_said(message: str) -> int | float | None:
    """The number in "max 8", "at most 3.5"."""
    match = _BOUND_SAID.search(message)
    return None if match is None else float(match[1]) if "." in match[1] else int(match[1])


def without_talk(message: str) -> str:
    """The message without words about the talk itself ("instead", "you mentioned earlier") and its comparatives."""
    message = _ELSE.sub("what", message)
    for pattern in (
        said("not_another"),
        said("another"),
        said("talk"),
        said("compare"),
        *(pattern for _, pattern in _COMPARATIVES),
    ):
        message = pattern.sub(" ", message)
    return " ".join(message.split())
