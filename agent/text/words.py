"""Words of a text: tokens with their places and stems, and the reach of a negation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agent.text.letters import LETTER, unaccented

_TOKEN = re.compile(rf"{LETTER}+(?:['’][a-z]+)?|\d+(?:[.,:]\d+)*|[,;:.!?()$€£%\"–—-]")
_CONSONANT_E = re.compile("[^aeiou][aeiou][^aeiouwxy]")  # "mak", "lik": a final e was lost with the ending


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list written with blanks between them."""
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
_DENYING = (  # phrases that deny what follows, without a word that does
    ("far", "from"),
    ("anything", "but"),
    ("the", "opposite", "of"),
    ("the", "last", "place"),
    ("the", "last", "thing"),
    ("wrong", "place"),
    ("wrong", "choice"),
    ("wrong", "spot"),
    ("think", "twice"),
    ("too", "much", "to", "call"),
    ("a", "stretch", "to", "call"),
)
_ABLE = word_set("could can would couldn't can't wouldn't cannot couldnt cant")
_OUTDOING = word_set("more better happier")  # "could not be more romantic", "couldn't ask for a better date"
_OUTDONE_WITHIN = 6
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


def stem(word: str) -> str:
    """Return a light English stemmer: plural, -ing, -ed, -ly, doubled consonants and a final e."""
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
    """Return the tokens of a text, each told whether a negation reaches it."""
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


def _denies(words: list[str], index: int) -> int:
    """How many words from `index` on deny what follows them; 0 if they do not."""
    for phrase in _DENYING:
        if tuple(words[index : index + len(phrase)]) == phrase:
            return len(phrase)
    if not is_negation(words[index]) or tuple(words[index : index + 2]) in _NOT_A_NEGATION:
        return 0
    return 0 if _outdone(words, index) else 1


def _outdone(words: list[str], index: int) -> bool:
    """Does the negation say that nothing surpasses it: "could not have been more romantic"?"""
    able = words[index] in _ABLE or (index > 0 and words[index - 1] in _ABLE)
    ahead = words[index + 1 : index + 1 + _OUTDONE_WITHIN]
    clause = next((place for place, word in enumerate(ahead) if word in _ENDS_SCOPE), len(ahead))
    return able and not _OUTDOING.isdisjoint(ahead[:clause])


def _negated(words: list[str]) -> list[bool]:
    reach = [False] * len(words)
    for index, word in enumerate(words):
        length = _denies(words, index)
        if not length:
            continue
        for place in range(index + length, min(len(words), index + 1 + _SCOPE)):
            if words[place] in _ENDS_SCOPE:
                break
            reach[place] = word == "nor" or not reach[place]  # "neither quiet nor cheap"
    return reach


def words_of(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(token.stem for token in tokens(text) if token.content)
