"""The little English grammar the parser needs: which words say nothing, which describe, and base forms of verbs."""

from __future__ import annotations

import re
from functools import cache

from agent.parsing.lexicon import load
from agent.text import grammar


@cache
def filler() -> frozenset[str]:
    """Words that make no constraint by themselves."""
    return _listed("filler")


@cache
def function() -> frozenset[str]:
    """Words of the closed classes."""
    return _listed("function") | _listed("short")


def leading() -> frozenset[str]:
    """Words that lead to a quantity, a name or a thing, and limit what is searched for: "within", "whose"."""
    return _listed("leading")


def limiting() -> frozenset[str]:
    """Words that begin a condition, whatever follows."""
    return _listed("limiting")


def speakers() -> frozenset[str]:
    """Who tells of themselves and of others."""
    return _listed("speakers")


def sought() -> frozenset[str]:
    """Words of a sentence that looks for something."""
    return _listed("sought")


@cache
def generic() -> frozenset[str]:
    """Nouns that only say "one of the things searched for"."""
    return frozenset(load("words")["generic"])


@cache
def personal() -> re.Pattern[str]:
    """Beginnings of sentences about the user."""
    return re.compile(load("words")["personal"] + r"(?![^\s])")


# What people call anything that they like.
PRAISE = (
    *("good", "great", "amazing", "excellent", "delicious", "tasty", "decent", "killer", "solid", "awesome"),
    *("fantastic", "legit", "yummy", "incredible", "wonderful", "outstanding", "superb", "terrific", "phenomenal"),
    *("quality", "fabulous", "exceptional", "stellar"),
)
_ENDINGS = re.compile(r".{3,}(ful|ous|ive|able|ible|ish|less|ic|al|ary|ent|ant|esque|worthy|some|ed|y)$")
_NOUN_ENDINGS = re.compile(r".*(?:ology|graphy|onomy|istry|etry|acy|sophy|ity|ety|rapy|urgy|.{3}ment|berry)$")


@cache
def _listed(name: str) -> frozenset[str]:
    """One of the lists of words of the resource."""
    return frozenset(load("words")[name].split())


def describes(word: str) -> bool:
    """Whether a word is probably an adjective."""
    if word in _listed("adjectives"):
        return True
    if word in _listed("not_adjectives") or _NOUN_ENDINGS.match(word) or grammar.is_only_noun(word):
        return False
    return bool(_ENDINGS.match(word))


@cache
def superlatives() -> frozenset[str]:
    """Superlatives of adjectives that are compared by an ending: "cheapest", "noisiest"."""
    return frozenset(map(_superlative, filter(_COMPARED.fullmatch, _listed("adjectives") | _listed("graded"))))


@cache
def positives() -> dict[str, str]:
    """The adjectives of superlatives that only opinions tell: "quietest" is said of what is quiet. What a column tells
    ("cheapest", "latest") orders rows, and is not among them."""
    adjectives = filter(_COMPARED.fullmatch, _listed("adjectives") | _listed("graded"))
    return {best: word for word in adjectives if (best := _superlative(word)) not in _listed("ordering")}


@cache
def comparatives() -> dict[str, str]:
    """The adjectives of comparatives: "quieter" is said of what is quiet."""
    adjectives = filter(_COMPARED.fullmatch, _listed("adjectives") | _listed("graded"))
    return {f"{_superlative(word).removesuffix('st')}r": word for word in adjectives}


def positive(comparative: str) -> str:
    """What a comparative in "-ier" is said of: "friendlier" of what is friendly; empty where it is no adjective."""
    plain = f"{comparative[:-3]}y" if comparative.endswith("ier") else ""
    return comparatives().get(comparative, plain if describes(plain) else "")


_COMPARED = re.compile(r"[^aeiouy]*[aeiou]+[^aeiouy]+e?(?<!ed)|[a-z]{3,5}(?<!e)y")


def _superlative(word: str) -> str:
    if word.endswith("y"):
        return f"{word[:-1]}iest"
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]", word) is not None  # "hot", "dim", "big"
    return f"{word}{word[-1] if doubled else ''}{'st' if word.endswith('e') else 'est'}"


def only_describes(word: str) -> bool:
    """Whether a word is an adjective and never the name of a thing."""
    return word in _listed("adjectives") and word not in _NAMING


_NAMING = frozenset({"key", "back", "earth", "notch", "going", "chill", "light", "local", "modern", "open", "sweet"})


def past() -> frozenset[str]:
    """Irregular past tenses."""
    return _listed("tensed") | _listed("past")


def seeking() -> frozenset[str]:
    """Regular past tenses of verbs that say what is searched for, or what is wanted of it."""
    return _listed("seeking")


def cooked() -> frozenset[str]:
    """How food is made: words that describe a dish and never a place."""
    return _listed("cooked")


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


# Who nobody in particular is, or everybody: guests, where one speaks of a place.
ANYBODY = frozenset(
    {"you", "i", "we", "one", "guests", "people", "anyone", "somebody", "someone", "us", "everyone", "he", "she"}
)
REVIEWERS = frozenset({"reviewers", "customers", "diners", "patrons", "others", "critics", "folks"})


def doers() -> frozenset[str]:
    """Who does something for guests or students: "staff", "owner"; not the guests themselves."""
    return subjects() - ANYBODY - {"they", "nobody"}


def subjects() -> frozenset[str]:
    """Nouns and pronouns of which something may be said ("staff who ...", "they ...")."""
    return _listed("subjects")


def feelings() -> frozenset[str]:
    """How people feel, which is said of themselves and never of what they look for."""
    return _listed("feelings")


def verbs() -> frozenset[str]:
    """Base forms of common verbs that are no names of things one could have."""
    return _listed("verbs")


def spoken() -> frozenset[str]:
    """Nouns for what is said: wanted of an answer, and never of what is searched for."""
    return _listed("spoken")


def relatives() -> frozenset[str]:
    """Persons, animals and groups whose needs somebody tells as "my ..."."""
    return _listed("relatives")


def adverbs() -> frozenset[str]:
    """Adverbs and comparatives, which name nothing by themselves ("closer", "safely")."""
    return _listed("adverbs")


def heads() -> frozenset[str]:
    """Nouns that say nothing beside the words that describe them: "an authentic feel"."""
    return _listed("heads")


def never_names() -> frozenset[str]:
    """Capitalised words that are no names of things."""
    return _listed("never_names")


_ATTACHED = re.compile(r" (?:of|for|with|in|on|at|by|from|that|where|who|which) ")
_COUNTED_MASS = frozenset({"atmosphere", "ambience", "ambiance", "variety"})


def with_article(words: str) -> str:
    """A noun phrase with "a" or "an" where one thing is spoken of."""
    head = _ATTACHED.split(words, maxsplit=1)[0]  # "a view of the ocean", "outlets for a laptop"
    last, first = head.split()[-1], words.split()[0]
    if (
        first.endswith("'s")
        or first in ("a", "an", "the", "my", "your", "some", "lots", "plenty", "free")
        or first.isdigit()
    ):
        return words
    counted = last in _COUNTED_MASS and len(words.split()) > 1
    gerund = last.endswith("ing") and len(last) > 5 and last not in _listed("counted")  # "lighting", "belly dancing"
    if gerund or (last in _listed("mass") and not counted) or (last.endswith("s") and not last.endswith("ss")):
        return words
    if first.endswith("est") and len(first) > 5:
        return f"the {words}"
    return f"{'an' if first[0] in 'aeiou' else 'a'} {words}"


_PRONOUNS = frozenset({"everybody", "everyone", "everything", "anybody", "anything", "nothing", "most", "they", "you"})
_NAMED_BARE = frozenset({"breakfast", "brunch", "lunch", "dinner", "supper"})  # meals go without an article


def someones(subject: list[str]) -> list[str]:
    """The subject of a clause as others would say it: "our team" is a team."""
    if subject[0] in ("my", "our", "your", "his", "her", "their"):
        return with_article(" ".join(subject[1:])).split() if len(subject) > 1 else subject
    doing = subject[0].endswith("ing") and not (subject[1:] and grammar.is_noun(grammar.tags(tuple(subject))[1]))
    if subject[0] in _NAMED_BARE | _PRONOUNS or doing:
        return subject  # "eating alone", "breakfast"
    return (
        subject if subject[0] in ("the", "there", "all", "it", "a", "an", "some", "any", "every") else ["the", *subject]
    )


_THEIRS = {
    "you": "them",
    "your": "their",
    "yourself": "themselves",
    "me": "them",
    "us": "them",
    "i": "they",
    "we": "they",
    "my": "their",
    "our": "their",
    "myself": "themselves",
    "ourselves": "themselves",
}


def of_others(words: list[str]) -> list[str]:
    """The words with those for "you" as others would say them."""
    return [_THEIRS.get(word, word) for word in words]
