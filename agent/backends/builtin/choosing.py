"""Which sentences of a text answer a message: for each part of it the best, and the rest of what it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import log
from typing import Protocol

import numpy as np

from agent.backends.builtin.asking import OWN, Asking, Kind, Part, asks_verdict, content, kind_of
from agent.backends.builtin.cases import named, qualifiers, special_case
from agent.backends.builtin.noted import Noted
from agent.backends.builtin.reading.vectors import Vectors
from agent.backends.builtin.weeks import asked_weeks, of_other_weeks
from agent.text.words import tokens, words_of

MOST = 3  # sentences chosen for a question; what they lean on comes besides
CLOSE = 0.08  # by which a further sentence may fall short of the best
MARGIN = 0.2  # the same, for one that says something of what is asked that those before it do not
REST = 0.6  # by which one may that alone speaks of a thing the question names beside others
ALONE = 0.35  # the same, where the question names but one thing
EXCEPTION = 0.3  # by which a general rule may fall short of one for a case that nobody asked of
RARE = 3  # sentences: a word that more of them have is not looked for on its own
# Weights beside a sentence's own closeness, which has 1.
PASSAGE_SHARE, BEFORE_SHARE, WORDS_SHARE, KIND_SHARE, READ_SHARE = 0.3, 0.1, 0.3, 0.15, 0.3
# Of a question noted beside a sentence, by how near it is to the one asked: what the sentence has for one that is the
# same, and for none as near as ALIKE; from where on it is taken for the same; what it counts as closeness of the text.
NOTED_SHARE, ALIKE, SAME, NOTED_CLOSENESS = 1.5, 0.65, 0.8, 0.8
WHOLE = 0.5  # how much of the closeness is to the whole message, rather than to the part of it
BESIDE = 0.5  # what a word of the setting counts beside one of the question
UNWANTED = 0.3  # what telling what is not wanted, or prescribing what is lacking, takes away
INSTEAD = 0.4  # what telling what to do without it adds
SAID = 0.2  # what it adds to the nearness of a text if it has all of the question's words
SHORT = 1.0  # taken from a heading, which answers nothing

_HOW = re.compile(r"\bhow (?:do|can|could|should|to)\b", re.IGNORECASE)
_CANNOT = re.compile(r"\b(?:cannot|can't|not possible)\b", re.IGNORECASE)
_FAILING = re.compile(r"(?:if (?:you|they|it) (?:have none|do not|cannot|lack|are unable)|otherwise|without)\b", re.I)
_FIGURE = re.compile(r"\d+\W\d|\d{3}|week \d")  # a number that says what it is of, or is no common one
_DAY = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d", re.IGNORECASE
)


Read = Callable[[str], Sequence[float]]


class Sentence(Protocol):
    """A sentence of passage number `passage`, `read` under its heading; one that `heads` others answers nothing."""

    @property
    def passage(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def read(self) -> str: ...
    @property
    def heads(self) -> bool: ...


class Scoring:
    """The sentences of a text against what is asked of it.

    `read` tells of a question how likely each sentence answers it, as the cross-encoder reads them.
    """

    def __init__(
        self,
        asking: Asking,
        found: Sequence[Sentence],
        passages: Sequence[str],
        vectors: Vectors,
        read: Read,
        noted: Sequence[Noted] = (),
    ) -> None:
        self.asking, self.found, self._vectors, self._read = asking, found, vectors, read
        self.held = [content(one.read) for one in found]
        told = " ".join(filter(None, (asking.about, asking.setting, asking.text)))
        self._weeks = asked_weeks(told)
        self._named = named(told)
        clauses = [(at, clause) for at, one in enumerate(found) for clause in _clauses(one.read)]
        self._owners = np.array([at for at, _ in clauses])
        self._clauses = vectors.of([clause for _, clause in clauses])
        self._passages = vectors.of(list(passages))
        self._noted = vectors.of([one.question for one in noted]) if noted else None
        self._answering = [
            [at for at, note in enumerate(noted) if one.text in note.quote or note.quote in one.text] for one in found
        ]
        self._whole = self._near(told)
        self._around = self._passages @ vectors.of([told])[0]
        # only the talk so far tells what is asked about: "can a friend collect it"
        self.leaning = bool(asking.about) and len(words_of(asking.text)) < OWN
        self.closeness = self._closeness([told, *(part.read for part in asking.parts if not self.leaning)])
        self.nearness = self.closeness + SAID * self._shared()

    def chosen(self) -> list[int]:
        """Return the numbers of the sentences that answer, those of the first part first."""
        taken: list[int] = []
        for part in self.asking.parts:
            scores = self.scores(part)
            best = sorted(range(len(scores)), key=lambda at: -scores[at])
            fitting = self._general(part, [at for at in best if not self._is_beside(part, at)] or best, scores)
            own = [at for at in self._own(part, fitting[:MOST], scores) if at == fitting[0] or self._holds(at, scores)]
            if part is not self.asking.parts[0] and any(
                at in taken and tells(part.kind, self.found[at].text) > 0 for at in own
            ):
                own = []
            own = [at for at in own if at not in taken]
            more = [at for at in self._rest(part, [*taken, *own], scores) if not self._is_beside(part, at)]
            taken += sorted([*own, *more], key=lambda at: self._first(part, at), reverse=True)
            taken += [at for at in self._dates(part, taken) if at not in taken]
        return list(dict.fromkeys(taken))

    def says(self, chosen: Sequence[int]) -> float | None:
        """How likely one of these sentences says yes or no to what is asked; None if more is asked than that."""
        if not all(asks_verdict(part.text) for part in self.asking.parts):
            return None
        return max(self._read(part.read)[at] for part in self.asking.parts for at in chosen)

    def is_noted(self, chosen: Sequence[int]) -> bool:
        """Return whether one of these sentences answers a question that was noted and is the same as the one asked."""
        return any(self._near_notes(part.read)[at] >= SAME for part in self.asking.parts for at in chosen)

    def _is_beside(self, part: Part, at: int) -> bool:
        """The sentence is of other weeks than the ones named; what asks for a date may be told another week."""
        dated = part.kind is not None and part.kind.name == "date"
        return not dated and of_other_weeks(self.found[at].text, self._weeks)

    def _general(self, part: Part, best: Sequence[int], scores: Sequence[float]) -> Sequence[int]:
        """The best sentences without the rules of cases that nobody asked of, where a general one comes near."""
        cases = {at for at in best if special_case(self.found[at].text, self._named)}
        general = [at for at in best if at not in cases]
        if best[0] not in cases or not general or scores[general[0]] < scores[best[0]] - EXCEPTION:
            return best
        if qualifiers(self.asking.text, self.found[best[0]].text) - self.held[general[0]]:
            return best
        told = tells(part.kind, self.found[best[0]].text) > 0
        return best if told and not tells(part.kind, self.found[general[0]].text) else general

    @staticmethod
    def _holds(at: int, scores: Sequence[float]) -> bool:
        return scores[at] >= max(scores) - MARGIN

    def _closeness(self, asked: Sequence[str]) -> float:
        """How close in meaning the nearest sentence comes to what is asked, 0 to 1; a heading answers nothing.

        Whole sentences count: an item of a list comes near to much that its list is not about. What hangs on the talk
        so far ("is there a fee for it?") is not asked alone: any text that speaks of fees would answer it.
        """
        whole = [one.read for one in self.found if not one.heads] or [one.read for one in self.found]
        near = float((self._vectors.of(whole) @ self._vectors.of(list(asked)).T).max())
        return max(0.0, near, *(NOTED_CLOSENESS * float(self._near_notes(text).max()) for text in asked))

    def _shared(self) -> float:
        """What share of the words asked with the text says; few words are taken with those of the talk."""
        words = words_of(self.asking.text)
        words |= words_of(self.asking.about) if len(words) < OWN else frozenset()
        return len(words & frozenset[str]().union(*self.held)) / max(len(words), 1)

    def _own(self, part: Part, best: Sequence[int], scores: Sequence[float]) -> list[int]:
        """The best sentence, with those nearly as good, and those somewhat less so that say more of what is asked."""
        words = {word for word in content(part.read) if len(self._speaking(word)) <= RARE}
        kept = [best[0]]
        for at in best[1:]:
            said = frozenset[str]().union(*(self.held[one] for one in kept))
            told = max(tells(part.kind, self.found[one].text) for one in kept)
            adds = bool(words & (self.held[at] - said)) or tells(part.kind, self.found[at].text) > told
            if scores[at] >= scores[best[0]] - (MARGIN if adds else CLOSE):
                kept.append(at)
        return kept

    def _rest(self, part: Part, taken: Sequence[int], scores: Sequence[float]) -> list[int]:
        """The sentences that alone speak of a thing or a number that the part names, perhaps beside others."""
        named = {word for word in content(part.text) if not part.several or len(_of(word, part.text)) == 1}
        named = {word for word in named if not word.isdigit()}
        named |= {word for word in content(f"{self.asking.setting} {part.read}") if _FIGURE.match(word)}
        more: list[int] = []
        for word in sorted(named):
            figure = _FIGURE.match(word) is not None
            speaking = self._speaking(word)
            if not 0 < len(speaking) <= (RARE if part.several and not figure else 1) or {*taken, *more} & {*speaking}:
                continue
            best = max(speaking, key=lambda at: scores[at])
            if figure or scores[best] >= max(scores) - (REST if part.several else ALONE):
                more.append(best)
        return more

    def _first(self, part: Part, at: int) -> tuple[bool, float, int]:
        """What comes first: what is of the very week named, what tells the kind of thing asked for, then what alone
        speaks of something named."""
        named = content(part.read)
        alone = sum(len(self._speaking(word)) == 1 for word in named & self.held[at])
        text = self.found[at].text
        return bool(self._weeks & asked_weeks(text)), tells(part.kind, text), alone

    def _dates(self, part: Part, taken: Sequence[int]) -> list[int]:
        """The sentence that gives the days for what the one before it says in weeks."""
        follow = [at + 1 for at in taken if at + 1 < len(self.found) and not _DAY.search(self.found[at].text)]
        if part.kind is None or part.kind.name != "date":
            return []
        same = (at for at in follow if self.found[at].passage == self.found[at - 1].passage)
        return [at for at in same if len(_DAY.findall(self.found[at].text)) > 1]

    def _speaking(self, word: str) -> list[int]:
        return [at for at, held in enumerate(self.held) if word in held]

    def scores(self, part: Part) -> list[float]:
        """Return how well each sentence answers one part of the message."""
        near = WHOLE * self._whole + (1 - WHOLE) * self._near(part.read)
        said, read = self._shares(part), self._read(part.read)
        noted = self._near_notes(part.read)
        return [
            float(near[at])
            + PASSAGE_SHARE * float(self._around[one.passage])
            + (BEFORE_SHARE * float(near[at - 1]) if at and self.found[at - 1].passage == one.passage else 0.0)
            + WORDS_SHARE * said[at]
            + KIND_SHARE * _told(part, one.text)
            + READ_SHARE * read[at]
            + NOTED_SHARE * max(0.0, float(noted[at]) - ALIKE) / (1 - ALIKE)
            - UNWANTED * self._unwanted(part, at)
            + INSTEAD * self._instead(at)
            - SHORT * one.heads
            for at, one in enumerate(self.found)
        ]

    def _near(self, text: str) -> np.ndarray:
        """How near each sentence is, or the clause of it that is nearest."""
        near = np.full(len(self.found), -1.0)
        np.maximum.at(near, self._owners, self._clauses @ self._vectors.of([text])[0])
        return near

    def _near_notes(self, text: str) -> np.ndarray:
        """How near to a text the nearest question comes that was noted beside each sentence; 0 if none was."""
        near = np.zeros(len(self.found))
        if self._noted is not None:
            alike = self._noted @ self._vectors.of([text])[0]
            for at, notes in enumerate(self._answering):
                near[at] = max((float(alike[note]) for note in notes), default=0.0)
        return near

    def _shares(self, part: Part) -> list[float]:
        """What share of the words asked with each sentence says, rare ones counted more, those of the setting less."""
        counted = dict.fromkeys(content(f"{self.asking.setting} {self.asking.about} {self.asking.text}"), BESIDE)
        counted |= dict.fromkeys(content(part.read), 1.0)
        weight = {word: share * self._rarity(word) for word, share in counted.items()}
        total = sum(weight.values()) or 1.0
        return [sum(weight[word] for word in held & counted.keys()) / total for held in self.held]

    def _rarity(self, word: str) -> float:
        times = sum(word in held for held in self.held)
        return log(1 + (len(self.held) - times + 0.5) / (times + 0.5))

    def _unwanted(self, part: Part, at: int) -> float:
        """1 where a sentence tells what is not wanted, or goes by what is lacking."""
        text = self.found[at].text
        if any(token.stem in self.asking.lacking and not token.negated for token in tokens(text)):
            return 1.0
        kind = kind_of(self.asking.unwanted)
        if kind is not None:
            return float(kind is not part.kind and tells(kind, text) > 1)
        return float(bool((content(self.asking.unwanted) - content(part.read)) & self.held[at]))

    def _instead(self, at: int) -> float:
        """1 where a sentence tells what to do without a thing the message lacks and the sentence before goes by."""
        before = self.held[at - 1] if at and self.found[at - 1].passage == self.found[at].passage else frozenset()
        return float(bool(self.asking.lacking & before) and bool(_FAILING.match(self.found[at].text)))


def _of(word: str, text: str) -> list[str]:
    """The words of a text with a stem: one that comes twice is what the things named have in common."""
    return [token.text for token in tokens(text) if token.stem == word]


def _clauses(text: str) -> list[str]:
    """A sentence and, where it is a list, its items."""
    items = [item.strip() for item in text.split(";")]
    return [text, *(item for item in items if len(items) > 1 and item)]


def tells(kind: Kind | None, text: str) -> float:
    """2 where a sentence surely tells a thing of the kind, 1 where it may, 0 if it does not."""
    if kind is None:
        return 0.0
    if kind.best is not None and kind.best.search(text):
        return 2.0
    return float(kind.told.search(text) is not None)


def _told(part: Part, text: str) -> float:
    """How well a sentence tells the kind of thing asked for; -1 for how it cannot be done."""
    if _HOW.search(part.text) and _CANNOT.search(text):
        return -1.0
    return tells(part.kind, text)
