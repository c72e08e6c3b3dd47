"""The reader of the builtin backend: questions on passages, values by meaning and summaries, with no language model.

It is precise and modest: what it says it shows with the stretch of text that says so, and where the evidence is thin it
says nothing. `manage.py evaluate reading` measures it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

from agent import networks, text
from agent.backends.builtin.reading import opinions
from agent.backends.builtin.reading.extract import extract, pairs_to_cut, texts_to_cut
from agent.backends.builtin.reading.judge import judge, pairs_for, texts_for
from agent.backends.builtin.reading.pieces import closest, pieces, texts_for_pieces
from agent.backends.builtin.reading.questions import Question, read_question
from agent.backends.builtin.reading.readings import Readings
from agent.backends.builtin.reading.stopping import Wanted, on_a_thread
from agent.backends.builtin.reading.summary import summarise
from agent.backends.builtin.reading.units import units
from agent.backends.builtin.reading.values import match_values
from agent.backends.builtin.reading.vectors import TextEncoder, Vectors
from agent.networks.cross_encoder import CrossEncoder
from agent.protocols.reading import AnswerReply, AnswerRequest, MatchReply, MatchRequest, Passage, Span, SummaryRequest
from agent.text.addressed import quietened
from agent.text.sentences import sentences
from agent.text.values import AnswerType

LOOKED_AT = 2  # passages, the nearest ones, that are looked through for what comes near when nothing answers
SIFTED = 40  # rows, the nearest to a question, that are read so that the surest can be shown
OPENING, SHORT = 3, 300  # sentences, and letters that they have at most
_WHAT_ABOUT = re.compile(
    r"\s*what(?:'s| is| does) (?:this|the) \w+ (?:all )?(?:about|cover|deal with)\s*\??\s*", re.IGNORECASE
)
_YES_NO = ({"yes", "no"}, {"yes", "no", "no info"})


def _put(question: Question) -> list[str]:
    """A question in the ways that texts are compared with."""
    return [question.text, question.claim]


def _first(request: AnswerRequest) -> tuple[Passage, ...]:
    """The passages that come nearest to the question, where something is said beside it if nothing answers it."""
    return tuple(passage for passage in request.passages[:LOOKED_AT] if passage.text.strip())


def _version() -> str:
    """A digest of the code and data that a reply depends on: it may be kept for as long as they are the same."""
    digest = hashlib.sha256()
    packages = (Path(__file__).parent, Path(networks.__file__).parent, Path(text.__file__).parent)
    for folder in packages:
        for path in sorted([*folder.glob("*.py"), *folder.glob("data/*")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


class BuiltinReader:
    """Implements `agent.protocols.reading.Reader`. Both networks are loaded on first use unless an encoder is given."""

    name = "builtin"
    version = _version()
    sifts = SIFTED

    def __init__(self, encoder: TextEncoder | None = None) -> None:
        self._encoder = encoder
        self._vectors: Vectors | None = Vectors(encoder) if encoder is not None else None
        self._readings = Readings(CrossEncoder.load)

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        """One reply per request, off the event loop. The texts of the whole batch are encoded together.

        When the caller is cancelled, the work ends at the next text.
        """
        return await on_a_thread(lambda wanted: self._answer_all(requests, wanted))

    async def match_values(self, requests: Sequence[MatchRequest]) -> list[MatchReply]:
        """Return the values of each request that mean what is wanted, in the vocabulary's order."""

        def match(wanted: Wanted) -> list[MatchReply]:
            return [MatchReply(values=self._matching(one, wanted)) for one in requests]

        return await on_a_thread(match)

    async def summarise(self, requests: Sequence[SummaryRequest]) -> list[AnswerReply]:
        """Two or three representative sentences of each request's passages."""

        def shorten(wanted: Wanted) -> list[AnswerReply]:
            vectors = self._memory()
            pieces = (unit.text for one in requests for passage in one.passages for unit in units(passage.text))
            vectors.learn(pieces, wanted.check)
            return [self._summary(one, wanted) for one in requests]

        return await on_a_thread(shorten)

    def warm(self, texts: Iterable[str]) -> None:
        """Encode passages ahead of being asked about them, so that the first question is as fast as the next."""
        self._memory().learn(piece for text in texts for piece in (text, *(unit.text for unit in units(text))))

    def save_vectors(self, path: Path) -> None:
        """Write what has been encoded so far, for `recall_vectors` of another process."""
        self._memory().save(path)

    def recall_vectors(self, path: Path) -> None:
        """Take up vectors written before. Raises OSError if there is no such file."""
        self._memory().recall(path)

    def answer_now(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        """`answer`, on the calling thread."""
        return self._answer_all(requests, Wanted())

    def _answer_all(self, requests: Sequence[AnswerRequest], wanted: Wanted) -> list[AnswerReply]:
        vectors = self._memory()
        questions = [read_question(request.question) for request in requests]
        requests = [_quietened(question, request) for question, request in zip(questions, requests, strict=True)]
        asked = list(zip(questions, requests, strict=True))
        judged = [pair for pair in asked if _is_yes_no(*pair)]
        told = [
            (topic, request)
            for question, request in asked
            if not _is_yes_no(question, request) and (topic := _opinions_of(request)) is not None
        ]
        cut = [pair for pair in asked if not _is_yes_no(*pair) and _opinions_of(pair[1]) is None]
        vectors.learn(
            chain(
                (text for question, request in judged for text in texts_for(question, request.passages)),
                (text for question, request in cut for text in texts_to_cut(question, request)),
                (text for topic, request in told for text in opinions.texts_for(topic, request.passages)),
                (text for question, request in asked for text in texts_for_pieces(_put(question), _first(request))),
            ),
            wanted.check,
        )
        self._readings.learn(
            chain(
                (pair for question, request in judged for pair in pairs_for(question, request.passages, vectors)),
                (
                    pair
                    for topic, request in told
                    for pair in opinions.pairs_for(topic, request.question, request.passages, vectors)
                ),
            ),
            (pair for question, request in cut for pair in pairs_to_cut(question, request.passages, vectors)),
            wanted.check,
        )
        replies = []
        for question, request in asked:
            wanted.check()
            reply = self._answer(question, request, vectors)
            if reply.value is None and not reply.spans:
                read = pieces(_put(question), _first(request), vectors)
                reply = reply.model_copy(update={"spans": closest(read, [0.0] * len(read))})
            replies.append(reply)
        return replies

    def _answer(self, question: Question, request: AnswerRequest, vectors: Vectors) -> AnswerReply:
        passages = [passage for passage in request.passages if passage.text.strip()]
        if not passages:
            return AnswerReply(value=None, confidence=0.0)
        if len(passages) < len(request.passages):
            raise ValueError("A passage without text cannot be read; leave empty texts out of the request.")
        if _is_yes_no(question, request):
            reply = judge(question, passages, vectors, self._readings)
            return reply.model_copy(update={"value": _as_option(reply.value, request.options)})
        if (topic := _opinions_of(request)) is not None:
            if opinions.of_complaints(request.question):
                return opinions.complaints(topic, passages, vectors, self._readings)
            return opinions.opinions(topic, passages, vectors, self._readings)
        if request.type is AnswerType.TEXT and _WHAT_ABOUT.fullmatch(request.question) and not request.options:
            return _opening(passages[0])
        cut = extract(question, passages, request.type, request.options, vectors, self._readings)
        if cut.value is None and (topic := _amount_of(request)) is not None:
            return opinions.opinions(topic, passages, vectors, self._readings)
        return cut

    def _matching(self, request: MatchRequest, wanted: Wanted) -> tuple[str, ...]:
        wanted.check()
        return match_values(request.wanted, request.values, self._memory())

    def _summary(self, request: SummaryRequest, wanted: Wanted) -> AnswerReply:
        wanted.check()
        return summarise(request.passages, self._memory(), self._readings)

    def _memory(self) -> Vectors:
        if self._vectors is None:
            from agent.networks.encoder import Encoder

            self._vectors = Vectors(Encoder.load())
        return self._vectors


def _opening(passage: Passage) -> AnswerReply:
    """What a text begins with, which says what it is about: its first sentences, as many as are short."""
    spans = sentences(passage.text)
    stop = next((stop for _, stop in reversed(spans[:OPENING]) if stop <= SHORT), spans[0][1])
    span = Span(passage=0, start=spans[0][0], stop=stop)
    return AnswerReply(value=passage.text[span.start : span.stop], spans=(span,), confidence=1.0)


def _quietened(question: Question, request: AnswerRequest) -> AnswerRequest:
    """The request without the sentences of its passages that tell a reader what to say: they are no evidence."""
    closed = request.type is not AnswerType.TEXT or _is_yes_no(question, request)
    texts = [quietened(passage.text, closed=closed) for passage in request.passages]
    if all(text == passage.text for text, passage in zip(texts, request.passages, strict=True)):
        return request
    passages = [
        passage.model_copy(update={"text": text}) for text, passage in zip(texts, request.passages, strict=True)
    ]
    return request.model_copy(update={"passages": tuple(passages)})


def _is_yes_no(question: Question, request: AnswerRequest) -> bool:
    if request.type is AnswerType.BOOLEAN:
        return True
    if _opinions_of(request) is not None and not request.options:
        return False  # "are there any complaints?" wants to hear them
    options = {option.lower() for option in request.options}
    typed = request.type in (AnswerType.TEXT, AnswerType.OPTION)
    return question.form == "yes/no" and typed and (not options or options in _YES_NO)


def _opinions_of(request: AnswerRequest) -> str | None:
    """What opinions are asked for of several texts in free form; None for any other question."""
    return opinions.topic_of(request.question) if _is_free(request) else None


def _amount_of(request: AnswerRequest) -> str | None:
    """What an amount is asked of that no text puts a number to; None for any other question."""
    return opinions.topic_of_amount(request.question) if _is_free(request) else None


def _is_free(request: AnswerRequest) -> bool:
    """Whether several texts may answer in their own words."""
    return request.type is AnswerType.TEXT and len({passage.document for passage in request.passages}) > 1


def _as_option(value: str | None, options: Sequence[str]) -> str | None:
    """The value in the options' own spelling."""
    return next((option for option in options if value is not None and option.lower() == value.lower()), value)
