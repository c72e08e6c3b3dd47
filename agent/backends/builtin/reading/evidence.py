"""What one clause says of an aspect, and whether it is said of this place, now, and for certain.

A review talks of other places, of how things used to be, and of what would be nice; none of that is evidence about the
place as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.backends.builtin.reading.aspects import Aspect, counts_people, cue, sign_of
from agent.backends.builtin.reading.clauses import headcounts, read_clause
from agent.backends.builtin.reading.companies import NEARLY, weighed
from agent.backends.builtin.reading.reversals import speaks_of_else, turned_against
from agent.backends.builtin.reading.units import Unit
from agent.networks.layers import Array
from agent.text.words import tokens

_ELSEWHERE = re.compile(
    r"\b(?:unlike (?:the|its|their|most|other)|the (?:other|old|previous|rival) (?:place|branch|one|location|"
    r"restaurant|spot)|"
    r"next[- ]door|across the (?:street|road)|down the (?:street|road|block)|round the corner|around the corner|"
    r"over (?:on|in|at) [A-Z]\w+|went (?:on )?to (?:the|that|a) |"
    r"(?:their|the|its) (?:other|sister|old) (?:branch|location|place|restaurant)|elsewhere|other places|"
    r"another place|"
    r"(?:place|spot|one|joint|cafe|café|bar|branch) (?:in|on|by|near) [A-Z]\w+|my (?:old|former|last|"
    r"previous) (?:school|college|university))",
)
_PAST = re.compile(
    r"\b(?:used to|was [^.;]{0,40}until|years ago|back when|"
    r"back then|formerly|in the old days|once upon|until last (?:year|month)|"
    r"before (?:they|the (?:new|move|remodel|renovation)))\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:would be (?:nice|nicer|better|great|perfect|lovely)|i wish|wish (?:they|it|there)|if only|"
    r"would have been|could have been|"
    r"might be|could be (?:nicer|better)|should (?:have|be|offer|add|get)|hoping|hoped (?:for|to)|expected|"
    r"^(?:if|in case|unless) you (?:want|need|like|are|eat|must|have)|everyone says|"
    r"supposed(?:ly)? to be|was told|claims? to|advertised|promised|pretends?|they say it)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:no longer|any ?more|nowadays|these days|now(?! and)|since (?:the|then|january|february|march|april|"
    r"may|june|july|august|"
    r"september|october|november|december|last|they|20\d\d)|has changed|have changed|recently|finally|at last|"
    r"new (?:owner|chef|management|"
    r"owners)|stopped|got rid of|gone|have started|has started)\b",
    re.IGNORECASE,
)

_GOES_ON = re.compile(r"(?:which|who|where|whose|that|with|and)\b", re.IGNORECASE)

CUE_NEAR = 0.40  # a clause with a cue of one word must be at least this near to a statement of the aspect
PHRASE_NEAR = 0.28  # with a cue of several words, this near
CUE_LEAN = -0.14  # and not this much nearer to the other side
NEAR = 0.60  # without a cue, a clause must be this near to a statement
SIGN_STRENGTH = 0.3  # a sign needs no closeness: what it says it says in so many words
HEADING = 8  # words at most of a sentence that may only name what the next one is about
FEWEST_WORDS = 6  # and have this many words and marks: "The fish is" is near to everything about fish
MARGIN = 0.12  # and this much nearer to one side than to the other


@dataclass(frozen=True, slots=True)
class Vote:
    """Unit number `unit` of a passage, read on to the end of `through`, speaks for (1) or against (-1).

    `strength` is in 0..1.
    """

    unit: int
    sign: int
    strength: float
    through: int


def about_elsewhere(text: str) -> bool:
    """Does the clause speak of another place?"""
    return _ELSEWHERE.search(text) is not None


def about_the_past(text: str) -> bool:
    """Does the clause say how things were, not how they are?"""
    return _PAST.search(text) is not None


def unreal(text: str) -> bool:
    """Is it a wish, a promise or hearsay, not a fact?"""
    return _UNREAL.search(text) is not None


def tells_change(text: str) -> bool:
    """Does the clause say that something has changed?"""
    return _CHANGED.search(text) is not None


def denied(asked: set[str], text: str) -> bool:
    """Are the words that a question asks for (their stems) named, and only under a negation: "hardly romantic"?"""
    named = [token for token in tokens(text) if token.stem in asked]
    return bool(named) and all(token.negated for token in named)


def names_all(asked: set[str], text: str) -> bool:
    """Does the clause have every word that a question asks for?"""
    return asked <= {token.stem for token in tokens(text)}


def counts(text: str) -> bool:
    """Is it a statement of fact about this place? A question, a wish and a word on another place are not."""
    return not (text.endswith("?") or about_elsewhere(text) or unreal(text))


def counting(found: tuple[Unit, ...], number: int) -> bool:
    """Does unit `number` count? A clause that goes on ("..., which has a patio") counts only if that does."""
    unit = found[number]
    if not counts(unit.text):
        return False
    if unit.whole or not _GOES_ON.match(unit.text):
        return True
    before = found[number - 1]
    return before.whole or before.sentence != unit.sentence or counting(found, number - 1)


def speaking(aspect: Aspect, found: tuple[Unit, ...]) -> list[int]:
    """The units that may speak of the aspect: those that count and share a word with it. Only these need a vector."""
    return [
        number
        for number, unit in enumerate(found)
        if any(token.stem in aspect.words for token in tokens(unit.text)) and counting(found, number)
    ]


def votes(
    aspect: Aspect,
    found: tuple[Unit, ...],
    numbers: Sequence[int],
    rows: Array,
    yes: Array,
    no: Array,
    people: int = 0,
) -> list[Vote]:
    """Return what the units with these `numbers` say of the aspect; one that says nothing of it has no vote.

    `rows` are the vectors of those units, `yes` and `no` those of the aspect's statements. `people` is how many the
    question asks about, 0 if it names no number.
    """
    nearest_yes, nearest_no = (rows @ yes.T).max(axis=1), (rows @ no.T).max(axis=1)
    given = []
    for row, number in enumerate(numbers):
        text, through = found[number].text, number
        sign, strength = _read(aspect, text, float(nearest_yes[row]), float(nearest_no[row]))
        if not sign:
            sign, through = _read_on(aspect, found, number)
            strength = SIGN_STRENGTH + max(float(nearest_yes[row]), float(nearest_no[row]))
        if sign and about_the_past(text):
            sign, strength = -sign, strength * 0.5
        if counts_people(aspect):
            sign = weighed(text, sign, people)
            if people and sign > 0 and not headcounts(text):  # the company's number stands elsewhere in the text
                largest = max((told for unit in found for told in headcounts(unit.text)), default=people)
                sign = sign if largest >= NEARLY * people else 0
        if sign:
            given.append(Vote(number, sign, min(1.0, strength), through))
    return given


def _read_on(aspect: Aspect, found: tuple[Unit, ...], number: int) -> tuple[int, int]:
    """What a short sentence that only names the matter says with the one after it, and the number of the last unit.

    "Severe nut allergy. The chef came out to talk it through."
    """
    unit = found[number]
    following = next((at for at in range(number + 1, len(found)) if found[at].sentence != unit.sentence), None)
    if not unit.whole or following is None or len(unit.text.split()) > HEADING or not counts(found[following].text):
        return 0, number
    if read_clause(unit.text).first(aspect.things | frozenset(aspect.ask)) is None:
        return 0, number
    return sign_of(aspect, f"{unit.text} {found[following].text}"), following


def _read(aspect: Aspect, text: str, yes: float, no: float) -> tuple[int, float]:
    """(sign, strength) of one clause; `yes` and `no` are its closeness to the statements of either side."""
    nearest = max(yes, no)
    if speaks_of_else(aspect, text):
        return 0, 0.0
    if turned_against(aspect, text):
        return -1, min(1.0, SIGN_STRENGTH + nearest)
    told = cue(aspect, text)
    needed = PHRASE_NEAR if told.words > 1 else CUE_NEAR
    cued = (told.sign, min(1.0, 0.3 + nearest))
    leans = told.denied or (yes - no) * told.sign > CUE_LEAN  # vectors hardly tell "quiet" from "not quiet"
    stands = told.sign != 0 and nearest >= needed and leans
    if stands and told.words > 1:
        return cued
    sign = sign_of(aspect, text)
    if sign:
        return sign, min(1.0, SIGN_STRENGTH + nearest)
    if stands:
        return cued
    if nearest >= NEAR and abs(yes - no) >= MARGIN and not told.sign and len(tokens(text)) >= FEWEST_WORDS:
        return (1 if yes > no else -1), min(1.0, nearest)
    return 0, 0.0
