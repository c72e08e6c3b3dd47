"""What is seen of a stretch of a sentence as the answer to a question: its words, its neighbours, what the two share.

The features of the logistic-regression baseline of SQuAD (Rajpurkar et al. 2016, section 5.1), without a parser:
kinds of words stand for constituents. Each is named, alone and together with the kind of question and with its group.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.language.builtin.reading.asked import Asked
from agent.language.builtin.reading.stretches import Sentence, Stretch

Clue = tuple[str, float]

_SPOKEN = frozenset({"preposition", "determiner", "pronoun", "auxiliary", "conjunction", "mark"})  # named by the word
_TOLD = frozenset({"digits", "number", "year", "month", "day", "duration", "measure", "sign", "capital", "mark"})
_TOLD |= {"auxiliary", "pronoun", "conjunction", "ly", "ing", "ed", "preposition"}
_NUMBERS = frozenset({"digits", "number", "year", "sign"})
_NAMES = frozenset({"capital", "first capital", "preposition"})
_CAPITALS = frozenset({"capital", "first capital"})
_REACH = 6  # tokens on either side in which a word of the question is looked for
_FAR = 5  # a distance from which on all are as good as one
_LONG = 6  # tokens


def clues(asked: Asked, sentence: Sentence, stretch: Stretch, rank: int, shared: float, near: float) -> Iterator[Clue]:
    """Each clue with its value, by itself and with the kind of question.

    `rank` of the sentence among those that may answer, the share of the question's words that it holds, and its
    closeness to the question (cosine).
    """
    found = [
        *_inside(sentence, stretch),
        *_beside(sentence, stretch),
        *_of_question(asked, sentence, stretch),
        *_neighbourhood(asked, sentence, stretch),
        *_noun(asked, sentence, stretch),
        *_agent(asked, sentence, stretch),
        (f"sentence {min(rank, 3)}", 1.0),
        ("sentence near", near * 4),
        ("sentence shares", shared * 2),
    ]
    for name, value in found:
        yield name, value
        yield f"{asked.kind}: {name}", value
        if asked.group != asked.kind:
            yield f"{asked.group}: {name}", value


def _inside(sentence: Sentence, stretch: Stretch) -> Iterator[Clue]:
    kinds = sentence.kinds[stretch.first : stretch.last]
    yield f"first {kinds[0]}", 1.0
    yield f"last {kinds[-1]}", 1.0
    if kinds[0] in _SPOKEN:
        yield f"first word {sentence.tokens[stretch.first].text.lower()}", 1.0
    yield f"length {min(len(kinds), _LONG)}", 1.0
    for kind in _TOLD.intersection(kinds):
        yield f"has {kind}", 1.0
    if _NUMBERS.intersection(kinds):
        if "duration" in kinds:
            yield "number of time", 1.0
        if "measure" in kinds or "sign" in kinds:
            yield "number of measure", 1.0
        if kinds[-1] in _NUMBERS:
            yield "number at end", 1.0
    if _NAMES.issuperset(kinds):
        yield "a name", 1.0
    if _cuts(sentence, stretch.first) or _cuts(sentence, stretch.last):
        yield "part of a name", 1.0


def _cuts(sentence: Sentence, place: int) -> bool:
    """Does a name ("Ferry Lane", "Dr. Amadi") go on across the place before this token?"""
    if not 0 < place < len(sentence.kinds) or sentence.kinds[place] not in _CAPITALS:
        return False
    before = place - 2 if sentence.tokens[place - 1].text == "." else place - 1
    return before >= 0 and sentence.kinds[before] in _CAPITALS


def _beside(sentence: Sentence, stretch: Stretch) -> Iterator[Clue]:
    for side, place in (("before", stretch.first - 1), ("after", stretch.last)):
        if 0 <= place < len(sentence.kinds):
            kind = sentence.kinds[place]
            yield f"{side} {kind}", 1.0
            if kind in _SPOKEN:
                yield f"{side} word {sentence.tokens[place].text.lower()}", 1.0
        else:
            yield f"{side} nothing", 1.0


def _of_question(asked: Asked, sentence: Sentence, stretch: Stretch) -> Iterator[Clue]:
    """An answer seldom repeats the question."""
    told = [_said(asked, sentence, place) for place in range(stretch.first, stretch.last) if _content(sentence, place)]
    if not told:
        yield "no content", 1.0
        return
    if any(told):
        yield "repeats", 1.0
    if all(told):
        yield "repeats all", 1.0
    if told[-1]:
        yield "repeats at end", 1.0
    if told[0] and len(told) > 1:
        yield "repeats at start", 1.0


def _neighbourhood(asked: Asked, sentence: Sentence, stretch: Stretch) -> Iterator[Clue]:
    """How near the question's words are on either side, and whether the nearest content word is one."""
    count = len(sentence.tokens)
    before = range(stretch.first - 1, max(-1, stretch.first - 1 - _REACH), -1)
    after = range(stretch.last, min(count, stretch.last + _REACH))
    for side, places in (("before", before), ("after", after)):
        distance, first = 0, True
        for place in places:
            distance += 2 if sentence.kinds[place] == "mark" else 1
            if not _content(sentence, place):
                continue
            if _said(asked, sentence, place):
                if first:
                    yield f"question's word next {side}", 1.0
                yield f"question's word {side} {min(distance, _FAR)}", 1.0
                break
            first = False


def _agent(asked: Asked, sentence: Sentence, stretch: Stretch) -> Iterator[Clue]:
    """Is it by this that happens what the question says ("designed by the engineer Paul Orme")?"""
    for place in range(max(1, stretch.first - 3), stretch.first + 1):
        if sentence.tokens[place].text == "by" and _said(asked, sentence, place - 1):
            yield "agent", 1.0


def _noun(asked: Asked, sentence: Sentence, stretch: Stretch) -> Iterator[Clue]:
    """Where the noun asked for stands: within the stretch ("nine seats"), or how far before or after it."""
    places = [place for place, token in enumerate(sentence.tokens) if asked.noun and token.stem == asked.noun]
    if not places:
        return
    if places[-1] == stretch.last - 1:
        yield "noun at end", 1.0
    away = [_distance(place, stretch) for place in places]
    nearest = min(away, key=abs)
    side = "before" if nearest < 0 else "after" if nearest else "within"
    yield f"noun {side} {min(abs(nearest), 4)}", 1.0


def _distance(place: int, stretch: Stretch) -> int:
    if place < stretch.first:
        return place - stretch.first
    return place - stretch.last + 1 if place >= stretch.last else 0


def _content(sentence: Sentence, place: int) -> bool:
    return sentence.tokens[place].content


def _said(asked: Asked, sentence: Sentence, place: int) -> bool:
    """Is the word one of the question's, or of the same family?"""
    return sentence.tokens[place].stem in asked.stems or bool(asked.families & sentence.families[place])
