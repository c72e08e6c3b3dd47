"""Yes, no, enough, "I don't know" and "I'd rather not say", in their many forms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from agent.parsing.tasks.phrases import compiled

_GAP = r"[\s,.!;:?-]*"
_FILLED = r"(?:(?:{filler})[\s,.!;:-]+)*"
_TAIL = r"(?:[\s,.!;:-]+(?:{filler})){0,8}"
_ENDS = r"(?=$|[\s,.!;:?-])"


class Answer(StrEnum):
    YES = "yes"
    NO = "no"
    ENOUGH = "enough"  # nothing is to follow
    NONE = "none"  # there is nothing to say
    REFUSED = "refused"
    UNKNOWN = "unknown"


def _whole(name: str) -> re.Pattern[str]:
    return compiled(rf"^\W*{_FILLED}(?:{{{name}}}){_TAIL}\W*$")


_WHOLE = {
    Answer.ENOUGH: _whole("enough"),
    Answer.NONE: compiled(rf"^\W*{_FILLED}(?:(?:{{no}})[\s,.!;:-]+)*(?:{{none}}|{{enough}}){_TAIL}\W*$"),
    Answer.UNKNOWN: _whole("unknown"),
    Answer.REFUSED: _whole("refuse"),
    Answer.NO: compiled(
        rf"^\W*{_FILLED}(?:{{no}})(?:[\s,.!;:-]+(?:{{no}}|{{filler}}|it'?s not|not really)){{0,8}}\W*$"
    ),
    Answer.YES: compiled(rf"^\W*{_FILLED}(?:{{yes}})(?:[\s,.!;:-]+(?:{{yes}}|{{filler}})){{0,8}}\W*$"),
}
_LEAD = {
    Answer.YES: compiled(
        rf"^\W*(?:(?:oh|well|um+|uh+|hm+|so)[\s,]+)*(?:{{yes}})(?=[,.!;:-]|\s+(?:and|but|please|with|make|for|book|it|that|i|we|my|the|also|though|can|could|just|only|except|however|change|add|at|on|however|although)\b){_GAP}"
    ),
    Answer.NO: compiled(
        rf"^\W*(?:(?:oh|well|um+|uh+|hm+|so|actually|sorry)[\s,]+)*(?:{{no}})(?=[,.!;:-]|\s+(?:and|but|please|make|i'?m|i|we|my|the|it|that|just|only|change|let|should|can|could|at|on|for|it's|not|thanks|thank)\b){_GAP}"
    ),
}


@dataclass(frozen=True, slots=True)
class Lead:
    """The yes or no that a longer message begins with; `stop` is where the rest begins."""

    answer: Answer
    stop: int


def whole(low: str, *answers: Answer) -> Answer | None:
    """What a message is if it is nothing but an answer of one of these kinds, in the order given."""
    for answer in answers or tuple(_WHOLE):
        if _WHOLE[answer].match(low):
            return answer
    return None


_SUBJECT = compiled(r"^\W*(?:(?:{filler})\W+)*(?:i|we|it|they|there) [a-z]+ $")  # "I am the …" tells something


_DOES = compiled(r"^\W*(?:(?:{filler})\W+)*(?:make(?: (?:it|that|this|them))?|{doing})\W*$")  # "make it …" is a change


def lead(low: str) -> Lead | None:
    """The yes or no at the head of a message that goes on."""
    for answer in (Answer.NO, Answer.YES):
        match = _LEAD[answer].match(low)
        if match is None or not re.search(r"\w", low[match.end() :]):
            continue
        goes_on = re.search(r"[\w\s]$", match.group()) is not None and _DOES.match(match.group()) is not None
        if not goes_on and not _SUBJECT.match(match.group()):
            return Lead(answer, match.end())
    return None
