"""Yes, no, enough, "I don't know" and "I'd rather not say", in their many forms; and yes or no to a field from a
statement that speaks of it ("I'm an international student")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.similarity import meanings, spoken
from agent.text.frequencies import english_rank
from agent.text.readers.reading import Reading
from agent.text.words import stem, word_set

_GAP = r"[\s,.!;:?-]*"
_FILLED = r"(?:(?:{filler})[\s,.!;:-]+)*"
_TAIL = r"(?:[\s,.!;:-]+(?:{filler})){0,8}"
_SUBJECT = compiled(r"^\W*(?:(?:{filler})\W+)*(?:i|we|it|they|there) [a-z]+ $")  # "I am the …" tells something
_DOES = compiled(r"^\W*(?:(?:{filler})\W+)*(?:make(?: (?:it|that|this|them))?|{doing})\W*$")  # "make it …" is a change
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|without|neither|isn't|aren't|don't|doesn't|didn't|haven't|hasn't|wasn't|won't|cannot|can't|nor|nothing)\b"
)
_REACH = 6  # words over which a negation reaches
_SHARE = 0.6  # of a field's own words that a statement has to say
_TELLING = 1_500  # a word less frequent than this tells a field by itself where it is the last of its name
_WEAK = word_set(
    "is whether was be of the student person user customer get got has have more another other one number 1 2 3 4"
)


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


@cache
def _opposites() -> list[tuple[frozenset[str], frozenset[str]]]:
    lines = files("agent.parsing.tasks").joinpath("opposites.txt").read_text(encoding="utf-8").splitlines()
    pairs = []
    for line in (line for line in lines if line and not line.startswith("#")):
        having, lacking = (frozenset(part.strip() for part in side.split(",")) for side in line.split("|"))
        pairs.append((having, lacking))
    return pairs


def read(low: str, label: str, context: str = "", *, head: bool = True) -> Reading | None:
    """Whether a lower-cased statement says that what a field is called is so; None where it does not speak of it.

    Words of the `context` tell nothing. `head`: the last word of the label tells by itself, if it is not a plain one.
    """
    opposite = _opposite(low, label)
    if opposite is not None:
        return opposite
    known = frozenset().union(*meanings(context))  # by their families too: "visit" says nothing in an appointment
    wanted = [names for names in meanings(label) if not names & _WEAK and not names & known]
    hits = [item for item in spoken(low) if any(item.names & names for names in wanted)]
    covered = sum(any(item.names & names for item in hits) for names in wanted)
    noun = wanted[-1] if wanted and head else frozenset()
    by_head = any(item.names & noun for item in hits) and english_rank().get(label.split()[-1], 10**6) > _TELLING
    if not wanted or not hits or (covered / len(wanted) < _SHARE and not by_head):
        return None
    first, last = hits[0], hits[-1]
    return Reading(not _negated(low, first.start), first.start, last.stop)


def _opposite(low: str, label: str) -> Reading | None:
    stems = {stem(word) for word in label.lower().split()}
    for having, lacking in _opposites():
        for said, other, value in ((having, lacking, True), (lacking, having, False)):
            about = any(stem(word) in stems for word in having)
            reverse = any(stem(word) in stems for word in lacking)
            if not (about or reverse):
                continue
            for word in sorted(said, key=len, reverse=True):
                match = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", low)
                if match is not None and not any(
                    word in longer for longer in other if re.search(rf"(?<![\w-]){re.escape(longer)}", low)
                ):
                    so = value != _negated(low, match.start())
                    return Reading(so if about else not so, *match.span())
    return None


def _negated(low: str, start: int) -> bool:
    before = re.split(r"[,;.!?]|\bbut\b", low[:start])[-1]
    return bool(_NEGATION.search(" ".join(before.split()[-_REACH:])))
