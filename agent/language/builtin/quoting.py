"""A question to one long text: the one to three sentences that answer it, in the text's own words.

A verdict ("Yes") on a help article is of little use without its conditions, so none is passed: the text is quoted. A
sentence counts for its own closeness to the question, for that of the sentence before it and the passage around it,
for the words it shares with the question (rare ones in this text more) and for telling the kind of thing asked for: an
amount, a time, a name, a thing to do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from agent.language.builtin.reading.vectors import Vectors
from agent.language.builtin.reading.words import tokens
from agent.language.sentences import sentences
from agent.language.tasks import AnswerReply, AnswerRequest, AnswerType, Passage, Span

VERSION = "7"  # part of what answers are remembered by
LONG = 4  # passages from which a single text counts as long
MOST = 3  # sentences chosen; what they lean on comes besides
MARGIN = 0.25  # by which a further sentence may fall short of the best
# Weights beside a sentence's own closeness, which has 1.
PASSAGE_SHARE, BEFORE_SHARE, WORDS_SHARE, KIND_SHARE = 0.3, 0.1, 0.3, 0.15
ANSWERS = 0.53  # closeness of the nearest sentence, with SAID, below which the text does not answer
SAID = 0.2  # what it adds to that if the text has all of the question's words
HEADING = 4  # words: a shorter sentence heads the ones after it

_ASKED_AND_TOLD = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (r"\bhow much\b|\b(?:costs?|fees?|price|pay|charged?)\b", r"[$£€]|\bfree\b|\bno (?:fee|charge)\b|\bpercent\b"),
        (
            r"\bwhen\b|\bhow (?:long|soon|fast|quickly|late)\b|\b(?:deadlines?|dates?|until|hours)\b|"
            r"\bwhat (?:time|day)\b",
            r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\bweek \d|\b\d{1,2}(?::\d\d)? ?[ap]\.m|"
            r"\b(?:minutes?|hours?|days?|weeks?|months?|weekdays?|weekends?|noon|midnight|nights?)\b",
        ),
        (
            r"\bhow (?:many|often)\b|\bmaximum\b|\bat most\b",
            r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice)\b",
        ),
        (
            r"\bwho\b|\bwhom\b|\bcontact\b|\b(?:call|ring|write to)\b",
            r"\d{3}-\d{4}|@|\b(?:office|desk|dean|team|center|committee|registrar|advis[eo]r|instructors?|department)\b",
        ),
        (
            r"\bhow (?:do|can|could|should|would|to)\b|\bwhere (?:do|can)\b",
            r"\b(?:you can|choose|open|press|fill|send|apply|order|ask|book|use|sign|bring|go to|ring|submit|edit)\b|"
            r" > ",
        ),
    )
)
_HOW_LONG = re.compile(r"\bhow (?:long|soon|fast|quickly)\b", re.IGNORECASE)
_LASTS = re.compile(
    r"\b(?:takes?|took|within|arrives?|ready|allow|lasts?|processed)\b(?: \w+){0,3}? (?:an?|\d+|half|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)(?: (?:to|or) \w+)?"
    r"(?: (?:business|working|full))? (?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b",
    re.IGNORECASE,
)  # "it takes ten minutes", rather than "for two years"
_HOW = re.compile(r"\bhow (?:do|can|could|should|to)\b", re.IGNORECASE)
_CANNOT = re.compile(r"\b(?:cannot|can't|not possible)\b", re.IGNORECASE)
_LEANS = re.compile(
    r"(?:it|this|that|these|those|they|both|then|after that|later|otherwise|in the (?:first|second) case)\b", re.I
)
_ITEM = re.compile(r"[^:.!?]{2,40}: \S+(?: \S+){0,5}$")  # "Week 4: 60 percent."
_STEP = re.compile(r"(?:second|third|fourth|fifth|next|then|finally|after that)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """`start:stop` of a passage; `read` is the sentence under the heading it stands under, if it has one."""

    passage: int
    start: int
    stop: int
    text: str
    read: str


def is_long_text(request: AnswerRequest) -> bool:
    """A question in free form to one text of several passages, as against a verdict, or a choice of many opinions."""
    one = {passage.document for passage in request.passages}
    return request.type is AnswerType.TEXT and not request.options and len(one) == 1 and len(request.passages) >= LONG


def quote(request: AnswerRequest, vectors: Vectors) -> AnswerReply:
    """The sentences that answer, those that tell the kind of thing asked for first.

    No info (value None) where none comes near enough.
    """
    found = [one for at, passage in enumerate(request.passages) for one in _sentences(at, passage)]
    if not found:
        return AnswerReply(value=None, confidence=0.0)
    near = vectors.of([one.read for one in found]) @ vectors.of([request.question])[0]
    around = vectors.of([passage.text for passage in request.passages]) @ vectors.of([request.question])[0]
    in_all, said = _shares(request.question, [one.text for one in found])
    if float(near.max()) + SAID * in_all < ANSWERS:
        return AnswerReply(value=None, confidence=0.0)
    scores = [
        float(near[at])
        + PASSAGE_SHARE * float(around[one.passage])
        + (BEFORE_SHARE * float(near[at - 1]) if at and found[at - 1].passage == one.passage else 0.0)
        + WORDS_SHARE * said[at]
        + KIND_SHARE * _tells(request.question, one.text)
        - (1.0 if len(one.text.split()) < HEADING and not _ITEM.match(one.text) else 0.0)
        for at, one in enumerate(found)
    ]
    best = sorted(range(len(found)), key=lambda at: -scores[at])
    chosen = [at for at in best[:MOST] if scores[at] >= scores[best[0]] - MARGIN]
    chosen.sort(key=lambda at: -_tells(request.question, found[at].text))
    runs = _runs(chosen, found)
    spans = tuple(
        Span(passage=found[first].passage, start=found[first].start, stop=found[last].stop) for first, last in runs
    )
    value = "\n\n".join(request.passages[span.passage].text[span.start : span.stop] for span in spans)
    return AnswerReply(value=value, spans=spans, confidence=round(min(float(near[best[0]]), 1.0), 3))


def _sentences(at: int, passage: Passage) -> list[_Sentence]:
    """The sentences of a passage. One of a word or three ("Travel signature.") heads the others."""
    found = []
    heading = ""
    for number, (start, stop) in enumerate(sentences(passage.text)):
        text = passage.text[start:stop]
        found.append(_Sentence(at, start, stop, text, f"{heading}{text}"))
        if number == 0 and len(text.split()) < HEADING:
            heading = f"{text} "
    return found


def _shares(question: str, texts: Sequence[str]) -> tuple[float, list[float]]:
    """Of the question's words, what share the texts say together, and what share each says, rare ones counted more."""
    asked = {token.stem for token in tokens(question) if token.content}
    held = [{token.stem for token in tokens(text)} & asked for text in texts]
    times = {word: sum(word in words for words in held) for word in asked}
    weight = {word: log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for word, count in times.items()}
    total = sum(weight.values()) or 1.0
    in_all = sum(count > 0 for count in times.values()) / max(len(asked), 1)
    return in_all, [sum(weight[word] for word in words) / total for words in held]


def _tells(question: str, text: str) -> float:
    """1 where the question asks for a kind of thing and the sentence has one, 2 for how long something takes; -1 for
    how it cannot be done."""
    if _HOW.search(question) and _CANNOT.search(text):
        return -1.0
    if _HOW_LONG.search(question) and _LASTS.search(text):
        return 2.0
    for asked, told in _ASKED_AND_TOLD:
        if asked.search(question):
            return 1.0 if told.search(text) else 0.0
    return 0.0


def _runs(chosen: Sequence[int], found: Sequence[_Sentence]) -> list[tuple[int, int]]:
    """The chosen sentences with what they lean on and the steps that follow, as (first, last), the best first."""
    taken = set(chosen)
    for at in chosen:
        if at > 0 and found[at - 1].passage == found[at].passage and _hangs(found[at], found[at - 1]):
            taken.add(at - 1)
        last = at + 1
        while last < len(found) and _follows(found[last], found[at]):
            taken.add(last)
            last += 1
    runs: list[tuple[int, int]] = []
    for at in chosen:
        first = last = at
        while first - 1 in taken and _goes_on(found[first], found[first - 1]):
            first -= 1
        while last + 1 in taken and _goes_on(found[last + 1], found[last]):
            last += 1
        runs += [run for run in _by_passage(first, last, found) if run not in runs]
    return runs


def _by_passage(first: int, last: int, found: Sequence[_Sentence]) -> list[tuple[int, int]]:
    """A run of sentences, cut where a passage ends: a list may go on in the next."""
    starts = [at for at in range(first, last + 1) if at == first or found[at].passage != found[at - 1].passage]
    return list(zip(starts, [*(start - 1 for start in starts[1:]), last], strict=True))


def _goes_on(sentence: _Sentence, before: _Sentence) -> bool:
    return sentence.passage == before.passage or bool(_ITEM.match(sentence.text))


def _follows(sentence: _Sentence, chosen: _Sentence) -> bool:
    """The sentence goes on with the list, or in the same passage with the steps, that the chosen one begins."""
    if _ITEM.match(sentence.text):
        return True
    return sentence.passage == chosen.passage and bool(_STEP.match(sentence.text))


def _hangs(sentence: _Sentence, before: _Sentence) -> bool:
    """The sentence is not understood without the one before it."""
    if _ITEM.match(sentence.text):
        return True
    return bool(_LEANS.match(sentence.text)) or (len(before.text.split()) < HEADING and not _ITEM.match(before.text))
