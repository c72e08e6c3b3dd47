"""A question to one long text: the one to three sentences that answer it, in the text's own words.

A verdict ("Yes") on a help article is of little use without its conditions, so none is passed: the text is quoted. A
sentence counts for its own closeness to the question, for that of the sentence before it and the passage around it,
for the words it shares with the question (rare ones in this text more), for telling the kind of thing asked for (an
amount, a time, a name, a thing to do), and for how likely the cross-encoder finds that it answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.backends.builtin.asking import read_asking
from agent.backends.builtin.choosing import Scoring
from agent.backends.builtin.noted import Noted
from agent.backends.builtin.reading.questions import read_question
from agent.backends.builtin.reading.readings import Readings
from agent.backends.builtin.reading.vectors import Vectors
from agent.protocols.reading import AnswerReply, AnswerRequest, Passage, Span
from agent.text.sentences import sentences
from agent.text.values import AnswerType

VERSION = "19"  # part of what answers are remembered by
LONG = 4  # passages from which a single text counts as long
SEVERAL = 3  # sentences from which one that stands alone does
ANSWERS = 0.53  # nearness below which the text does not answer
SETTLED = 0.45  # the same, where a sentence surely says yes or no to what is asked
LIKELY = 0.7  # how likely one says so from which it does, in the text that the talk is on
SURE, SILENT = 0.9, 0.15  # how likely one says so from which it surely does, and below which none does
NEARBY = 0.4  # nearness from which it is worth a look all the same
HEADING = 4  # words: a shorter sentence heads the ones after it

_LEANS = re.compile(
    r"(?:it|this|that|these|those|they|both|then|after that|later|otherwise|in the (?:first|second) case|"
    r"if (?:you|they|it) (?:have none|do not|are not|is not|lack it)|"
    r"if [^,]*\b(?:longer|later|earlier|less|more|shorter)\b(?! than))\b",
    re.I,
)
_ITEM = re.compile(r"[^:.!?]{2,40}: \S+(?: \S+){0,5}$")  # "Week 4: 60 percent."
_VERDICT = re.compile(r"(?:yes|no)[.!,]?", re.I)  # what a text begins with that answers its own title
_STEP = re.compile(r"(?:second|third|fourth|fifth|next|then|finally|after that)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """`start:stop` of a passage; `read` is the sentence under the heading it stands under, if it has one."""

    passage: int
    start: int
    stop: int
    text: str
    read: str

    @property
    def heads(self) -> bool:
        """It is a label ("Travel signature.") rather than a sentence; an item of a list ("Week 2: 80.") is none."""
        return len(self.text.split()) < HEADING and not _ITEM.match(self.text)


def is_long_text(request: AnswerRequest) -> bool:
    """A question in free form to one text of several sentences, as against a verdict, or a choice of many opinions."""
    one = {passage.document for passage in request.passages}
    if request.type is not AnswerType.TEXT or request.options or len(one) != 1:
        return False
    if len(request.passages) >= LONG:
        return True
    return request.prose and sum(len(sentences(passage.text)) for passage in request.passages) >= SEVERAL


def quote(request: AnswerRequest, vectors: Vectors, readings: Readings, noted: Sequence[Noted] = ()) -> AnswerReply:
    """Return the sentences that answer, in the order of what is asked.

    No info (value None) where none comes near enough; its span is then the stretch to look at first, if any. The
    confidence is how close in meaning the text comes, whatever words it shares.
    """
    found = [one for at, passage in enumerate(request.passages) for one in _sentences(at, passage)]
    if not found:
        return AnswerReply(value=None, confidence=0.0)
    asking = read_asking(request.question)
    passages = [passage.text for passage in request.passages]
    scoring = Scoring(asking, found, passages, vectors, lambda question: _read(question, found, readings), noted)
    if scoring.nearness < NEARBY:
        return AnswerReply(value=None, confidence=0.0)
    chosen = scoring.chosen()
    runs = _runs(chosen, found)
    spans = tuple(
        Span(passage=found[first].passage, start=found[first].start, stop=found[last].stop) for first, last in runs
    )
    if not _answers(scoring, chosen):
        return AnswerReply(value=None, spans=spans[:1], confidence=0.0)
    value = "\n\n".join(request.passages[span.passage].text[span.start : span.stop] for span in spans)
    return AnswerReply(value=value, spans=spans, confidence=round(min(scoring.closeness, 1.0), 3))


def _answers(scoring: Scoring, chosen: Sequence[int]) -> bool:
    """Whether the text comes near enough to answer. Of a question for a yes or a no the cross-encoder knows more than
    nearness tells: a text may settle it in other words, or be all about the same things and not say."""
    said = scoring.says(chosen)
    if said is not None and said >= (LIKELY if scoring.leaning else SURE):
        return scoring.nearness >= SETTLED
    if scoring.is_noted(chosen):
        return True
    return (said is None or said >= SILENT) and scoring.nearness >= ANSWERS


def _read(question: str, found: Sequence[_Sentence], readings: Readings) -> list[float]:
    """How likely each sentence answers: says anything to a yes/no question, or has a stretch that answers another."""
    pairs = [(question, one.read) for one in found]
    if read_question(question).form == "yes/no":
        return [1 - said.nothing for said in readings.verdicts(pairs)]
    return [one.probability for one in readings.stretches(pairs)]


def _sentences(at: int, passage: Passage) -> list[_Sentence]:
    """The sentences of a passage. One of a word or three ("Travel signature.") heads the others."""
    found = []
    heading = ""
    for number, (start, stop) in enumerate(sentences(passage.text)):
        text = passage.text[start:stop]
        found.append(_Sentence(at, start, stop, text, f"{heading}{text}"))
        if number == 0 and found[-1].heads:
            heading = f"{text} "
    return found


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
    """The sentence is not understood without the one before it; an item of a list is without the item before."""
    item = _ITEM.match(sentence.text) and not _ITEM.match(before.text)
    return bool(item or _LEANS.match(sentence.text) or _VERDICT.fullmatch(before.text))
