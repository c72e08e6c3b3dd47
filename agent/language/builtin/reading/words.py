"""Words of a text: tokens with their places, stems, families of meaning and the reach of a negation.

The families are in `data/synonyms.txt` and `data/opposites.txt`; both are plain lists that a person can extend.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from agent.letters import LETTER, unaccented

_TOKEN = re.compile(rf"{LETTER}+(?:['’][a-z]+)?|\d+(?:[.,:]\d+)*|[,;:.!?()$€£%\"–—-]")
_CONSONANT_E = re.compile("[^aeiou][aeiou][^aeiouwxy]")  # "mak", "lik": a final e was lost with the ending
_LONGEST_PHRASE = 5


def word_set(words: str) -> frozenset[str]:
    """The words of a list written with blanks between them."""
    return frozenset(words.split())


STOP = word_set(
    """a an the this that these those there here it its it's they them their theirs he
    she his him her hers we us our you
    your i me my is are was were be been being am do does did done doing have has had having can could will would shall
    should may might must of to in on at by for with from as into about over under up down out off and or but if then so
    than too very just also even only really quite some any all each every both either other such own same more most
    much many few lot lots one ones get gets got getting go goes going went gone make makes made like well what which
    who whom whose when where why how while during because until again still yet already ever now once s t re ll ve d m
    not no nor n't never place places restaurant restaurants course courses class writer reviewer customer diner guest
    serve serves served serving offer offers offered
    somebody someone something anyone anything people person thing things way kind sort bit"""
)
NEGATIONS = word_set(
    """not no never nobody nothing none neither nor without cannot nowhere hardly barely scarcely rarely seldom lack
    lacks lacking lacked except minus zero isnt dont doesnt didnt wasnt wont cant aint refuse refuses refused stopped
    failed fails avoid avoids"""
)
_ENDS_SCOPE = word_set(", ; : . ! ? ( ) – — but although though however yet because whereas")
_SCOPE = 8  # tokens that a negation reaches, unless a boundary comes first
_NOT_A_NEGATION = (
    ("not", "only"),
    ("no", "doubt"),
    ("no", "wonder"),
    ("no", "matter"),
    ("not", "just"),
    ("no", "problem"),
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or mark, without accents. `stem` is lower case without its inflection."""

    text: str
    stem: str
    start: int
    stop: int
    negated: bool = False

    @property
    def content(self) -> bool:
        """Does it carry meaning of its own?"""
        return self.stem[:1].isalnum() and self.text.lower() not in STOP


@dataclass(frozen=True, slots=True)
class Concept:
    """Tokens `first:last` name family number `family`; `pole` is 0 or 1 where the family has an opposite, else 0."""

    first: int
    last: int
    family: int
    pole: int


def stem(word: str) -> str:
    """A light English stemmer: plural, -ing, -ed, -ly, doubled consonants and a final e."""
    word = word.lower().replace("’", "'")
    word = re.sub(r"'(s|re|ve|ll|d|m)$", "", word)
    if len(word) <= 3 or not word.isalpha():
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending):
            return _tidy(word[: -len(ending)] + instead)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ingly", "edly", "ing", "ied", "ed", "ly"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and re.search("[aeiouy]", rest):
            word = rest + ("y" if ending == "ied" else "")
            if _CONSONANT_E.fullmatch(word):
                word += "e"
            break
    return _tidy(word)


def _tidy(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 3 and word.endswith("y"):
        word = word[:-1] + "i"
    return word


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text, each told whether a negation reaches it."""
    return _tokens(text)


@lru_cache(maxsize=20_000)
def _tokens(text: str) -> tuple[Token, ...]:
    raw = [(unaccented(match.group(0)), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    words = [word.lower().replace("’", "'") for word, _, _ in raw]
    reach = _negated(words)
    return tuple(
        Token(word, stem(word), start, stop, negated) for (word, start, stop), negated in zip(raw, reach, strict=True)
    )


def is_negation(word: str) -> bool:
    """Is it a word that denies what follows?"""
    return word in NEGATIONS or word.endswith("n't")


def _negated(words: list[str]) -> list[bool]:
    reach = [False] * len(words)
    for index, word in enumerate(words):
        if not is_negation(word) or tuple(words[index : index + 2]) in _NOT_A_NEGATION:
            continue
        for place in range(index + 1, min(len(words), index + 1 + _SCOPE)):
            if words[place] in _ENDS_SCOPE:
                break
            reach[place] = not reach[place]
    return reach


def concepts(text: str) -> tuple[Concept, ...]:
    """Every family of meaning that the text names, with where."""
    return _concepts(text)


@lru_cache(maxsize=20_000)
def _concepts(text: str) -> tuple[Concept, ...]:
    stems = [token.stem for token in _tokens(text)]
    lexicon = _lexicon()
    found = []
    for first in range(len(stems)):
        for last in range(first + 1, min(len(stems), first + _LONGEST_PHRASE) + 1):
            for family, pole in lexicon.get(tuple(stems[first:last]), ()):
                found.append(Concept(first, last, family, pole))
    return tuple(found)


@lru_cache(maxsize=1)
def _lexicon() -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Stems of a word or phrase to its (family, pole)s. Families with an opposite have negative numbers."""
    table: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, line in enumerate(_lines("opposites.txt")):
        for pole, words in enumerate(line.split("|")):
            _enter(table, words, -1 - number, pole)
    for number, line in enumerate(_lines("synonyms.txt")):
        _enter(table, line, number, 0)
    return table


def opposites(phrase: tuple[str, ...]) -> list[str]:
    """Two opposites from each of the first two families that the phrase (a tuple of stems) has a pole in."""
    return _opposites().get(phrase, [])


@lru_cache(maxsize=1)
def _opposites() -> dict[tuple[str, ...], list[str]]:
    table: dict[tuple[str, ...], list[str]] = {}
    for line in _lines("opposites.txt"):
        poles = [[word.strip() for word in pole.split(",")] for pole in line.split("|")]
        for mine, other in (poles, reversed(poles)):
            for word in mine:
                entry = table.setdefault(tuple(token.stem for token in _tokens(word)), [])
                if len(entry) < 4:
                    entry.extend(other[:2])
    return table


def _enter(table: dict[tuple[str, ...], list[tuple[int, int]]], words: str, family: int, pole: int) -> None:
    for phrase in words.split(","):
        key = tuple(token.stem for token in _tokens(phrase.strip()))
        entries = table.setdefault(key, [])
        if (family, pole) not in entries:
            entries.append((family, pole))


def _lines(name: str) -> list[str]:
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
