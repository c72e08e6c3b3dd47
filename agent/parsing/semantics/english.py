"""The little English grammar the parser needs: which words say nothing, which describe, and base forms of verbs."""

from __future__ import annotations

import re
from functools import cache

from agent.parsing.lexicon import load
from agent.parsing.semantics.board import compiled


@cache
def filler() -> frozenset[str]:
    """Words that make no constraint by themselves."""
    return frozenset(load("words")["filler"].split())


@cache
def generic() -> frozenset[str]:
    """Nouns that only say "one of the things searched for"."""
    return frozenset(load("words")["generic"])


@cache
def noise() -> tuple[re.Pattern[str], ...]:
    """Phrases of courtesy and hesitation."""
    return (compiled("|".join(load("words")["noise"])),)


@cache
def request() -> re.Pattern[str]:
    """Beginnings of requests."""
    return re.compile("(?:" + "|".join(load("words")["request"]) + r")(?![^\s])")


@cache
def personal() -> re.Pattern[str]:
    """Beginnings of sentences about the user."""
    return re.compile(load("words")["personal"] + r"(?![^\s])")


@cache
def _adjectives() -> frozenset[str]:
    return frozenset(load("words")["adjectives"].split())


_ENDINGS = re.compile(r".{3,}(ful|ous|ive|able|ible|ish|less|ic|al|ary|ent|ant|esque|worthy|some|ed|y)$")
_NOT_ADJECTIVES = frozenset(
    """family party city story history variety delivery bakery gallery brewery money honey turkey celery jelly curry ceremony study library company country menu music parking crowd
    restaurant table chef staff people service price food music bed seed feed need speed video radio club public hospital arrival meal deal proposal animal festival journal manual metal fabric
    picnic topic logic traffic magic clinic mechanic music garlic arabic bread red client student parent patient event moment restaurant tent agent rent accent plant giant elephant ingredient discount appetizer buffet history
    biology chemistry theory philosophy psychology anthropology sociology geometry policy security privacy technology strategy economy therapy photography cryptography energy industry category efficiency day birthday holiday highway pathway subway play tray
    essay survey journey key monkey valley berry cherry candy brandy whiskey body baby lady army enemy facility quality quantity ability community university society majority activity lottery battery surgery pottery grocery""".split()
)


def describes(word: str) -> bool:
    """Whether a word is probably an adjective."""
    if word in _adjectives():
        return True
    return word not in _NOT_ADJECTIVES and bool(_ENDINGS.match(word))


_IRREGULAR = {"has": "have", "does": "do", "is": "be", "are": "be", "goes": "go", "says": "say"}


def base(verb: str) -> str:
    """The base form of a verb in the third person: "serves" → "serve"."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"(sh|ch|ss|x|zz|o)es$", verb):
        return verb[:-2]
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def content(words: list[str]) -> list[str]:
    """The words that say something."""
    return [
        word
        for word in words
        if word not in filler()
        and word not in generic()
        and re.search(r"[a-z]", word)
        and not re.fullmatch(r"\d+(st|nd|rd|th)", word)
    ]


@cache
def subjects() -> frozenset[str]:
    """Nouns and pronouns of which something may be said ("staff who ...", "they ...")."""
    return frozenset(
        """you i we they one people guests staff service waiters waiter servers server chef chefs cook cooks owner owners
        food music menu kitchen someone anyone somebody nobody bartender bartenders host prof professor instructor""".split()
    )


@cache
def trailing() -> frozenset[str]:
    """Words that add nothing at the end of a phrase."""
    return frozenset(
        """please too also though there here me us it and or but with of for to in at on by a an the is are was some any that which
        who where so then than if be as my your our their this these restaurant place places restaurants spot thanks lol either
        anyway possible ideally preferably from near around just because would very really one ones""".split()
    )


def lowered(words: str) -> str:
    """A user's words inside a question."""
    return " ".join(words.lower().split())


_MASS = frozenset(
    """parking seating wifi internet music jazz service food beer wine decor ambience ambiance atmosphere karaoke dancing air conditioning dining
    coffee tea water bread cheese rice fish meat seating space staff delivery takeout entertainment produce sushi pizza romance value
    variety trivia sake seafood salsa soup chicken beef pork milk heating conditioning people kids children""".split()
)
_COUNTED_MASS = frozenset({"atmosphere", "ambience", "ambiance", "variety"})


def with_article(words: str) -> str:
    """A noun phrase with "a" or "an" where one thing is spoken of."""
    last, first = words.split()[-1], words.split()[0]
    if first in ("a", "an", "the", "my", "your", "some", "lots", "plenty", "free") or first.isdigit():
        return words
    counted = last in _COUNTED_MASS and len(words.split()) > 1
    if (last in _MASS and not counted) or (last.endswith("s") and not last.endswith("ss")) or " of " in f" {words} ":
        return words
    return f"{'an' if first[0] in 'aeiou' else 'a'} {words}"
