"""Words as they are compared, and misspelt ones put right where one known word is clearly meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from agent.parsing.lexicon import load
from agent.text.bounds import WORD
from agent.text.frequencies import english_rank
from agent.text.grammar import is_word
from agent.text.letters import fold

_PLAIN = re.compile(r"(?<![\w'’@./-])[a-z]{5,}(?![\w'’@/-]|\.\w)")  # a word that is no name, code or address
_LONG = 9  # letters from which two of them may be wrong


class Speller:
    """Puts misspelt words right. `targets` are words of the corpora (values, places, names) and of the lexicons."""

    def __init__(self, targets: Iterable[str]) -> None:
        words = {word for target in targets for word in re.findall(r"[a-z]+", fold(target))}
        self.targets = {word for word in words if len(word) >= 4}
        self._joined = {
            joined: target
            for target in (fold(target) for target in targets)
            if " " in target and re.fullmatch(r"[a-z]+ [a-z]+", target) and len(joined := target.replace(" ", "")) >= 8
        }
        self._by_length: dict[int, list[str]] = {}
        for word in sorted(self.targets):
            self._by_length.setdefault(len(word), []).append(word)
        self._function: dict[int, list[str]] = {}
        for word in sorted(_function()):
            if len(word) >= 5:
                self._function.setdefault(len(word), []).append(word)
        self._english: dict[int, list[str]] = {}
        for word, rank in english_rank().items():
            if len(word) >= 5 and rank < 6000:
                self._english.setdefault(len(word), []).append(word)
        self._memo: dict[str, str] = {}

    def known(self, word: str) -> bool:
        """Whether a word is English, a chat spelling, or of the corpora."""
        return len(word) <= WORD and (
            word in load("spellings")["written_out"]
            or self._listed(word)
            or len(word) < 4
            or self._inflected(word)
            or is_word(word)
        )

    def spelt(self, text: str) -> str:
        """A text with its misspelt words put right, but for names."""
        return _PLAIN.sub(lambda word: word[0] if self.known(word[0]) else self.right(word[0]), text)

    def right(self, word: str) -> str:
        """The word, or the one it was clearly meant to be."""
        if len(word) > WORD:
            return word
        if word not in self._memo:
            if len(self._memo) > 20_000:
                self._memo.clear()
            self._memo[word] = self._correct(word)
        return self._memo[word]

    def _correct(self, word: str) -> str:
        if word in self._joined:
            return self._joined[word]
        ended = f"{word[:-2]}y" if word.endswith("ey") else ""  # "spicey"
        if not word.isalpha() or self._listed(word):
            return word
        if self._listed(ended):
            return ended
        if several := next((form for form in (f"{word}s", f"{word}es") if form in self.targets), ""):
            return several  # "dumpling", where the corpora have dumplings
        if self._inflected(word) or is_word(word):
            return word
        if transposed := _transposed(word):
            return transposed
        if len(word) < 4:
            return word
        if squeezed := self._squeezed(word):
            return squeezed
        return (
            self._nearest(word, self._by_length, 1 if len(word) < _LONG else 2)
            or self._nearest(word, self._function, 1)
            or self._nearest(word, self._english, 1)
            or word
        )

    def _listed(self, word: str) -> bool:
        return word in self.targets or word in english_rank()

    def _squeezed(self, word: str) -> str:
        """ "sooo" is "so": letters said more than twice in a row are written fewer times."""
        shorter = {re.sub(r"(.)\1{2,}", r"\1" * times, word) for times in (2, 1)} - {word}
        rank = english_rank()
        known = [candidate for candidate in shorter if candidate in rank or candidate in self.targets]
        return min(known, key=lambda candidate: rank.get(candidate, 0), default="")

    def _inflected(self, word: str) -> bool:
        """Whether the word is a regular form of a known one."""
        rank = english_rank()
        stems = [
            word.removesuffix(end)
            for end in ("s", "es", "ed", "d", "ing", "ly", "er", "est", "y", "ness", "ish")
            if word.endswith(end)
        ]
        stems += [stem + "e" for stem in stems if word.endswith(("ing", "er", "est"))]
        stems += [stem[:-1] for stem in stems if len(stem) > 4 and stem[-1:] == stem[-2:-1]]
        stems += [word[:-3] + "y"] if word.endswith("ies") else []
        stems += [word[:-1] + "e"] if word.endswith("ly") else []  # "sustainably"
        if any(len(stem) >= 3 and (stem in rank or stem in self.targets) for stem in stems):
            return True
        if word.endswith("s") and not word.endswith("ss") and len(word) > 4 and self._inflected(word[:-1]):
            return True  # "bakes", where only "baking" is known
        prefix = re.match(r"(over|under|un|re|non|pre|out|mis)(?=[a-z]{4})", word)
        if prefix is not None and word[prefix.end() :] in rank:
            return True
        # The other way round: "bake" is known by "baked" and "baking".
        base = word.endswith("e") or word + "e" not in rank  # "plac" is none of "placed"
        return any(word.removesuffix("e") + end in rank for end in ("ed", "ing")) and len(word) > 3 and base

    @staticmethod
    def _nearest(word: str, vocabulary: Mapping[int, list[str]], allowed: int) -> str:
        near = [w for size in range(len(word) - allowed, len(word) + allowed + 1) for w in vocabulary.get(size, ())]
        found = process.extract(word, near, scorer=DamerauLevenshtein.distance, score_cutoff=allowed, limit=4)
        # People rarely get the first letter wrong: "mocktails" are no "cocktails".
        ranked = sorted(
            (distance, sorted(candidate) != sorted(word), candidate)  # of two as near, the one of the same letters
            for candidate, distance, _ in found
            if candidate[0] == word[0]
        )
        return ranked[0][2] if ranked and ranked[0][0] <= allowed else ""


def _transposed(word: str) -> str:
    """The word of a closed class that a word is with two neighbouring letters the wrong way round: "wiht"."""
    swapped = (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))
    return next((candidate for candidate in swapped if candidate in _function()), "")


@cache
def _function() -> frozenset[str]:
    """Words of the closed classes: determiners, pronouns, prepositions, conjunctions, auxiliaries."""
    return frozenset(load("words")["function"].split())
