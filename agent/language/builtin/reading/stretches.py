"""The stretches of a sentence that may be a short answer: what kind of word each is made of, and where they lie.

A stretch is one to eight tokens within a sentence that crosses at most one comma, begins with no conjunction and ends
with no word that needs another after it. 99 of 100 short answers that people marked are among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from agent.language.builtin.reading.numbers import NUMBER_WORDS
from agent.language.builtin.reading.words import Token, concepts, tokens, word_set

LONGEST = 8  # tokens
AUXILIARIES = word_set(
    """is are was were be been being am do does did has have had can could will would shall should may might must
    's 're 'd 've"""
)
_KINDS = {
    "month": word_set(
        """january february march april may june july august september october november december jan feb mar apr jun
        jul aug sep sept oct nov dec"""
    ),
    "day": word_set(
        """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
        saturdays sundays today tomorrow yesterday tonight morning afternoon evening noon midnight lunch dinner
        breakfast spring summer autumn fall winter weekday weekdays weekends"""
    ),
    "duration": word_set(
        """second seconds minute minutes min mins hour hours hr hrs day days night nights week weeks month months year
        years decade decades century centuries quarter quarters term terms semester semesters fortnight weekend"""
    ),
    "measure": word_set(
        """mile miles km kilometre kilometres kilometer kilometers metre metres meter meters feet foot inch inches cm mm
        yard yards block blocks step steps degrees percent kg pound pounds dollar dollars euro euros cent cents pence
        quid bucks unit units point points page pages"""
    ),
    "determiner": word_set(
        """the a an my our your his her their its this that these those some any no every each all both another one"""
    ),
    "preposition": word_set(
        """in on at to for from with by of about into over under up down out off near behind beside inside outside above
        below after before during until till since around through against between among across without within along
        toward towards past per than as like opposite beyond upon onto"""
    ),
    "pronoun": word_set(
        """i you he she it we they me him us them who which that there here what myself himself herself itself everyone
        someone nobody anyone something nothing everything"""
    ),
    "auxiliary": AUXILIARIES,
    "conjunction": word_set("and or but nor so because although though while when where if unless whereas once then"),
    "adverb": word_set("not never very too so just only also even quite really still already always often"),
}
_ENDINGS = (("ly", "ly"), ("ing", "ing"), ("ed", "ed"))
_NO_START = frozenset({"mark", "conjunction"})
_NO_END = frozenset({"determiner", "conjunction", "preposition", "auxiliary"})
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


@dataclass(frozen=True)
class Sentence:
    """One sentence, and where it begins in its passage (characters)."""

    text: str
    start: int

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tokens(self.text)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kind of word that each token is."""
        return tuple(_kind(token, first=place == 0) for place, token in enumerate(self.tokens))

    @cached_property
    def families(self) -> tuple[frozenset[int], ...]:
        """The families of meaning that each token is part of."""
        found: list[set[int]] = [set() for _ in self.tokens]
        for concept in concepts(self.text):
            for place in range(concept.first, concept.last):
                found[place].add(concept.family)
        return tuple(frozenset(one) for one in found)

    def characters(self, stretch: Stretch) -> tuple[int, int]:
        """Where a stretch begins and ends in the sentence."""
        return self.tokens[stretch.first].start, self.tokens[stretch.last - 1].stop


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens `first:last` of a sentence."""

    first: int
    last: int


def stretches(sentence: Sentence) -> Iterator[Stretch]:
    """Every stretch of the sentence that may be an answer."""
    kinds, count = sentence.kinds, len(sentence.kinds)
    for first in (place for place in range(count) if kinds[place] not in _NO_START):
        commas = 0
        for end in range(first, min(count, first + LONGEST)):
            if kinds[end] == "mark":
                if sentence.tokens[end].text == "." and end < count - 1:  # of an abbreviation
                    continue
                commas += 1
                if commas > 1 or sentence.tokens[end].text in ".!?;:()":
                    break
            elif kinds[end] not in _NO_END and not (kinds[end] == "pronoun" and end > first):
                yield Stretch(first, end + 1)


def _kind(token: Token, *, first: bool) -> str:
    word = token.text.lower().replace("’", "'")
    if not word[0].isalnum():
        return "sign" if word in "$€£%" else "mark"
    if word[0].isdigit():
        return "year" if _YEAR.fullmatch(word) else "digits"
    if word == "may" and not token.text[0].isupper():
        return "auxiliary"
    if known := _known(word):
        return known
    if token.text[0].isupper():
        return "first capital" if first else "capital"
    return next((kind for ending, kind in _ENDINGS if word.endswith(ending)), "word")


@lru_cache(maxsize=4_096)
def _known(word: str) -> str:
    """The kind of a word that belongs to a closed class, else ""."""
    if word in NUMBER_WORDS:
        return "number"
    if word.endswith("n't"):
        return "auxiliary"
    return next((kind for kind, words in _KINDS.items() if word in words), "")
