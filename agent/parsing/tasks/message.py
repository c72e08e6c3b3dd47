"""A message as it is read for tasks: its text, its sentences and what each is, and which stretches were understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from agent.parsing.tasks.phrases import compiled, said

_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=\S)|\n+")
_ABBREVIATION = re.compile(r"(?:\b[ap]\.m\.|\b[a-z]\.|\b(?:mr|mrs|ms|dr|st|vs|prof|e\.g|i\.e|jr|sr)\.)$")
_NUMBERED = re.compile(r"\bno\.\s+\d$")  # "no. 5"; "no. How …" says no
_ADDS_CLAUSE = re.compile(  # "CS 8, which is …" asks nothing; "…, which theory courses can I take" does
    r",? *(?:which|who)\b(?! (?:[\w'-]+ ){1,4}(?:can|could|may|should|do|would|will) (?:i|we)\b)"
)
_FILLER = r"(?:{filler}[\s,.!;:-]+)*"
_ASKS = compiled(rf"^\W*{_FILLER}(?:{{wh}}|{{aux}})(?![\w'])")
_WH = compiled(
    rf"^\W*{_FILLER}(?:(?:until|till|since|from|by|for|at|in|to|of|with|on|around) (?=wh|how))?(?:{{wh}})(?![\w'])"
)
_RELATIVE = compiled(  # "when I click it nothing happens"
    rf"^\W*{_FILLER}(?:when|whenever|where|while|what|how|who|which)"
    r"(?: (?!(?:do|does|did|can|could|should|will|would|is|are|am|was|were|have|has|may|must|"
    r"shall)\b)\w+)? (?:i|we|you|it|they|he|she|that|this)\b(?!'s)"
)
_REQUESTS = compiled(
    rf"^\W*{_FILLER}(?:(?:can|could|would|will|may|might|shall)(?: you| u| i| we)"
    r"(?! (?:actually|really|even|ever|usually|normally|generally|realistically)\b)"  # asks whether one can
    r"(?: please| kindly| also| just| maybe)*|(?:is it|would it be|any chance it'?s) possible(?: for (?:me|us))? to)\b"
)
_TELL_ME = compiled(  # "could you kindly tell me the last day"
    rf"^\W*{_FILLER}(?:(?:can|could|would|will|may|might)(?: you| u| i| we)?(?: please| kindly| also| just| maybe)* )"
    r"(?:(?:tell|remind|advise|inform) (?:me|us)|let (?:me|us) know|explain|clarify)\b"
)
_MAY_I = compiled(rf"^\W*{_FILLER}(?:{{asking}})\b")
_MAY_ONE = re.compile(r"\W*(?:can|could|may|am) (?:i|we)\b")
_ON_TERMS = compiled(r"\b(?:{procedure})(?![\w'])")
_DECLARES = compiled(rf"^\W*{_FILLER}(?:{{declared}})(?![\w'])")
_MAY = compiled(rf"^\W*{_FILLER}(?:{{permitted}})(?![\w'])")
_TAGGED = compiled(r"\w,? (?:{tag})\W*$")  # "you can cancel for free, right?"
_SUGGESTS = compiled(rf"^\W*{_FILLER}(?:{{suggest}})")
# "Friday at 8, and do they have parking?": the question begins after the comma.
_TURNS = compiled(
    r"(?:[,;:–—-]+ ?(?:and |but |also |oh )*|\b(?:and|but) (?:also )?)(?=(?:{wh}|(?:is|are|does|do|did|"
    r"can|could|may|might|will|would|has|have|should) (?:it|they|there|i|we|you|the|this|that|he|"
    r"she)|(?:can you |could you |please )?(?:tell me|let me know) (?:if|whether|what|when|where|who|"
    r"how|about))(?![\w']))"
)

# "I can't drop CS 107, and my scores are missing": two things are said.
_CLAUSE = re.compile(
    r"(?<=\w)(?:, (?:and|but) |; (?:and |but )?|\s(?:and|but) )(?:also )?(?=(?:i|i'm|i've|i'd|my|we|"
    r"we'd|the|then|(?:then )?another)\b)"
)
# "Who teaches CS 8, and drop CS 9": an order follows what is asked.
_ORDERS = compiled(
    r"(?<=\w)(?:[,;]+ ?(?:and |but |then |also |please )+|,? ?\b(?:and|then) (?:also |then |please )+|; )"
    r"(?=(?:enrol+|sign (?:me|us) up|put (?:me|us)|drop|cancel|remove|add|change|swap|replace|open|start|{doing})\b)"
)
_ONESELF = re.compile(r"\b(?:i|we|you|u|one)\b")
_LONG = 4  # words that a clause of its own has at least


_SUPPOSES = compiled(
    rf"^\W*{_FILLER}(?:if|in case|suppos(?:e|ing)(?: that)?|assuming(?: that)?|when) "
    r"(?:i|we|you|it|they|he|she|one|my|our|the|some(?:one|body)|any(?:one|body))\b"
)


class Form(StrEnum):
    STATEMENT = "statement"
    QUESTION = "question"  # wants to know something
    REQUEST = "request"  # "can you …", which may ask for something to be done or to be known
    SUGGESTION = "suggestion"  # "how about Friday?", which puts a value forward


TOLD = (Form.STATEMENT, Form.REQUEST, Form.SUGGESTION)
"""All that tells something: every form but a question."""


@dataclass(frozen=True, slots=True)
class Sentence:
    start: int
    stop: int
    form: Form


@dataclass
class Message:
    """`low` is `text` in lower case with straight quotes: the same length, so that places are the same in both."""

    text: str
    low: str = ""
    sentences: list[Sentence] = field(default_factory=list)
    claimed: list[tuple[int, int]] = field(default_factory=list)
    dropped: list[tuple[int, int]] = field(default_factory=list)  # claimed, and of no use all the same

    def __post_init__(self) -> None:
        self.low = "".join(_plain(character) for character in self.text)
        self.sentences = list(_sentences(self.low))

    def claim(self, start: int, stop: int) -> None:
        """Marks a stretch as understood."""
        self.claimed.append((start, stop))

    def free(self, start: int, stop: int) -> bool:
        return all(stop <= first or start >= last for first, last in self.claimed)

    def words(self, start: int, stop: int) -> str:
        """The user's own words for a stretch."""
        return self.text[start:stop].strip()

    def rest(self, start: int, stop: int) -> str:
        """A stretch with what was understood blanked out; the same length."""
        letters = list(self.text[start:stop])
        for first, last in self.claimed:
            for place in range(max(first, start), min(last, stop)):
                letters[place - start] = " "
        return "".join(letters)

    def without(self, stretches: list[tuple[int, int]]) -> str:
        """The text less some stretches of it, with the stops that parted them; all of it where nothing else is said."""
        letters = list(self.text)
        for start, stop in stretches:
            letters[start:stop] = " " * (stop - start)
        rest = re.sub(r"^[\s.,;:!?)–—-]+|\s+(?=[,.;])", "", re.sub(r"\s{2,}(?:[,.;]|and\b)?\s*", " ", "".join(letters)))
        return rest if len(re.findall(r"\w+", rest)) > 1 else self.text

    def of(self, *forms: Form) -> list[Sentence]:
        return [sentence for sentence in self.sentences if sentence.form in forms]

    def masked(self, *forms: Form) -> str:
        """`low` with only the sentences of some forms left in it; the same length."""
        letters = [" "] * len(self.low)
        for sentence in self.of(*forms):
            letters[sentence.start : sentence.stop] = self.low[sentence.start : sentence.stop]
        return "".join(letters)


def _plain(character: str) -> str:
    lower = character.lower()
    return {"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"'}.get(character, lower if len(lower) == 1 else character)


def _sentences(low: str) -> Iterable[Sentence]:
    start = 0
    for stop in [*_ends(low), len(low)]:
        piece = low[start:stop]
        if piece.strip():
            yield from _split(low, start, stop)
        start = stop


def _ends(low: str) -> list[int]:
    ends = (match for match in _SENTENCE.finditer(low) if not _ABBREVIATION.search(low[: match.start()]))
    return [match.end() for match in ends if not _NUMBERED.search(low[: match.end() + 1])]


def _split(low: str, start: int, stop: int) -> Iterable[Sentence]:
    """One sentence, or a statement and the question that follows it in the same sentence."""
    piece = low[start:stop]
    if not _ASKS.match(piece) or _REQUESTS.match(piece):
        turn = _TURNS.search(piece)
        marked = piece.rstrip().endswith("?")
        adds = turn is not None and _ADDS_CLAUSE.match(piece[turn.start() :]) is not None
        rest = piece[turn.end() :] if turn is not None else ""
        asks = turn is not None and (marked or _MAY_ONE.match(rest) or (form(rest) is Form.QUESTION and not adds))
        if turn is not None and asks and turn.start() > 0 and re.search(r"\w", piece[: turn.start()]):
            supposes = _SUPPOSES.match(piece) is not None  # "if I cancel the day before, is there a fee?"
            first = Form.QUESTION if supposes else form(piece[: turn.start()])
            yield Sentence(start, start + turn.start(), first)
            yield from _ordered(low, start + turn.start(), stop, form(piece[turn.end() :]))
            return
    said = form(piece)
    if said is Form.QUESTION:
        yield from _ordered(low, start, stop, said)
        return
    clause = _CLAUSE.search(piece) if said is Form.STATEMENT else None
    if clause is not None and min(len(piece[: clause.start()].split()), len(piece[clause.end() :].split())) >= _LONG:
        yield Sentence(start, start + clause.start(), said)
        yield from _split(low, start + clause.start(), stop)
        return
    yield Sentence(start, stop, said)


def _ordered(low: str, start: int, stop: int, said: Form) -> Iterable[Sentence]:
    """A sentence, or a question about something else than what one may do and the order that follows it."""
    match = _ORDERS.search(low, start, stop) if said is Form.QUESTION else None
    if match is None or _ONESELF.search(low[start : match.start()]) is not None:
        yield Sentence(start, stop, said)
        return
    yield Sentence(start, match.start(), said)
    yield Sentence(match.start(), stop, Form.STATEMENT)


def form(piece: str) -> Form:
    """What a sentence is by its form."""
    marked = piece.rstrip().endswith("?")
    if not marked and _RELATIVE.match(piece):
        return Form.STATEMENT
    if _TELL_ME.match(piece) or _declares(piece, marked=marked) or (_MAY_I.match(piece) and _ON_TERMS.search(piece)):
        return Form.QUESTION
    if _SUGGESTS.match(piece):
        return Form.SUGGESTION
    if _REQUESTS.match(piece):
        return Form.REQUEST
    if _WH.match(piece) or (marked and _ASKS.match(piece)):
        return Form.QUESTION
    if (
        _ASKS.match(piece)
        and not said("order", piece)
        and len(piece.split()) > 2
        and not re.match(r"\W*(?:have|will|may|must) (?!(?:they|you|it|i|we|the|he|she|there|this|that)\b)", piece)
    ):
        return Form.QUESTION
    return Form.SUGGESTION if marked else Form.STATEMENT


def _declares(piece: str, *, marked: bool) -> bool:
    """ "U can cancel for free right": asks, though in the order of a statement."""
    tagged = _TAGGED.search(piece) is not None
    if _DECLARES.match(piece):
        return marked or tagged
    return _MAY.match(piece) is not None and (tagged or (marked and _ON_TERMS.search(piece) is not None))


# -- remarks on the talk itself: "sorry, was away", "hm, what else …" --------------------------------------------------

_STOPS = re.compile(r"\.{2,}|…|[.!?;,](?=\s|$)|\s[-–—]+(?=\s)|\n")
_REMARK = compiled(r"^\W*(?:(?:{filler}|{apology})[\s,]+)*(?:{remark})(?:[\s,]+(?:{filler}|{apology})){0,8}\W*$")
_TELLS_OF_ONESELF = re.compile(r"^\W*(?:i|we)\b")  # "I was away" may be an answer
_LEADS = compiled(r"^\W*(?:(?:{filler}|{apology})\W*)+$")
_HESITATES = re.compile(r"^\W*(?:(?:oh|no|but|actually|um+|hm+)\W+)*(?:wait|hold on|hang on|stop)\b")
_APOLOGISES = compiled(r"^\W*(?:{apology})\W*$")


def without_remarks(low: str, text: str) -> str:
    """The text with its remarks blanked, so that the rest stands where it stood. All blank where it is nothing else.
    `low` is the text in lower case with straight quotes."""
    pieces = _pieces(low)
    letters = list(text)
    for index, (start, stop) in enumerate(pieces):
        if not _is_remark(low[start:stop], [low[first:last] for first, last in pieces[:index]]):
            continue
        for first, last in [*_leads(low, pieces[:index]), (start, stop)]:
            letters[first:last] = " " * (last - first)
    return "".join(letters)


def _pieces(low: str) -> list[tuple[int, int]]:
    """The stretches between stops, each with the stop that ends it."""
    bounds = [0, *(match.end() for match in _STOPS.finditer(low)), len(low)]
    return [(start, stop) for start, stop in pairwise(bounds) if low[start:stop].strip()]


def _is_remark(piece: str, before: list[str]) -> bool:
    """Whether a piece is one: of oneself, only where it excuses something."""
    if _REMARK.match(piece) is None or (before and _HESITATES.match(piece)):
        return False  # "yes, oh wait" takes back what was said before it
    return _TELLS_OF_ONESELF.match(piece) is None or any(_APOLOGISES.match(one) for one in before[-1:])


def _leads(low: str, before: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What leads to a remark and says nothing either."""
    found: list[tuple[int, int]] = []
    for start, stop in reversed(before):
        if _LEADS.match(low[start:stop]) is None:
            break
        found.append((start, stop))
    return found
