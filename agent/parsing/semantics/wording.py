"""Pieces of a message as well-formed yes/no questions: "does this restaurant have belly dancing?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.semantics import english

_NOT = frozenset({"not", "no", "never", "without", "nothing", "nobody", "none"})
_CALL = re.compile(
    r"(?P<what>.+?) (?:reviewers|people|guests|everyone|customers|students|they) "
    r"(?:call|calls|find|consider|describe as|say (?:is|are)) (?P<how>.+)"
)

_NOBODY = re.compile(r"(?:nobody|no one|none of (?:the|them) ?\S*) (?P<verb>is|\S{3,}s) (?P<rest>.+)")
_NEVER = re.compile(
    r"(?P<who>(?!you|i|we|one)(?:(?!is|are|do|does|can|will)[a-z']+ )+)never (?P<verb>[a-z]+)(?P<rest>.*)"
)
_SAY = re.compile(
    r"(?:people|reviewers|customers|guests|everyone|students|they) (?:say|think|call|find|claim)(?: it| they)?"
    r"(?: is| are)? (?=\S)"
)
_REPORT = re.compile(  # "people say <the espresso is burnt>"
    r"(?:(?:the )?(?:people|reviewers|reviews|customers|guests|everyone|students|comments)|they) "
    r"(?:say|says|mention|think|thinks|find|claim|report|note|agree|write)(?: that)? "
    r"(?P<told>(?:the|its|their|every|most) \S+ .+)"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, empty where there is nothing to ask, and whether the words denied it."""

    text: str = ""
    negated: bool = False


class Wording:
    """Puts questions about one kind of thing ("restaurant")."""

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self.people, self.at = ("students", "in") if noun == "course" else ("guests", "at")

    # -- phrases: "outdoor heaters", "belly dancing", "quiet" ----------------------------------------------------------

    def phrase(self, marker: str, words: list[str]) -> Question:
        """The question for a phrase; `marker` is the word that leads to it ("with", "for", "to"), if any."""
        words, negated = _denied(words)
        return Question(self._phrase(marker, words), negated)

    @staticmethod
    def _of(thing: str, words: list[str]) -> str:
        verb = "are" if thing.endswith("s") and not thing.endswith("ss") else "is"
        rest = words[1:] if words[0] in ("is", "are", "that") else words
        return f"{verb} the {thing} {' '.join(rest)}?" if rest else ""

    def _phrase(self, marker: str, words: list[str]) -> str:
        if not english.content(words):
            return ""
        head, rest, said = words[0], words[1:], " ".join(words)
        if head in ("good", "great") and rest[:1] in (["for"], ["with"]):
            return f"is this {self.noun} {said}?"
        if marker == "acting":  # "we want to split the bill"
            return f"can {self.people} {said} {self.at} this {self.noun}?"
        if marker == "making":
            return f"do {self.people} {said} in this {self.noun}?"
        if marker == "for":
            return f"is this {self.noun} good for {said}?"
        if marker == "to":
            return f"is this {self.noun} a good place to {said}?" if len(words) > 1 else ""
        if head in ("is", "are"):
            rest = _bare(rest)
            return f"is this {self.noun} {' '.join(rest)}?" if rest else ""
        if head in ("has", "have") and rest[:1] == ["been"]:
            return f"has this {self.noun} {' '.join(rest)}?"
        if head in ("gotten", "become") and rest:
            return f"has this {self.noun} {said}?"
        if head in ("has", "have", "offers", "having"):
            return f"does this {self.noun} have {' '.join(rest)}?" if rest else ""
        if english.only_describes(head) and rest[:1] and rest[0] in _RELATED and len(words) > 2:
            return f"is this {self.noun} {said}?"  # "walkable from the station"
        if any(verb in words[1:4] for verb in ("is", "are")):
            return self._subject(words)
        if english.base(head) in _PERFORMING and rest and not english.describes(head):
            return f"does this {self.noun} {english.base(head)} {' '.join(rest)}?"
        plain = [word for word in words if word not in ("a", "an", "the")]
        if plain[0] in TOUGH and plain[1:2] == ["to"] and len(plain) > 2:
            return f"is this {self.noun} {' '.join(plain)}?"  # "an easy to find lunch counter"
        measured = len(plain) == 2 and (plain[0] in ("low", "high", "well") or plain[1] == "level")
        adjective = english.describes(plain[-1]) or measured
        if plain[-1] in english.cooked() and marker not in ("for", "to"):
            return f"does this {self.noun} serve {' '.join(plain)} food?"
        if adjective and len(plain) <= 3 and marker not in ("with", "w", "has", "have"):
            return f"is this {self.noun} {' '.join(plain)}?"
        return f"does this {self.noun} have {said}?"

    # -- clauses: "where they make noodles in front of you", "that packs food well" ------------------------------------

    def clause(self, marker: str, words: list[str]) -> Question:
        """The question for a clause about the thing searched for."""
        said = _bare(words, leading=False)
        words, negated = _affirmed(said)
        if not english.content(words):
            return Question()
        if negated and marker == "where" and words[0] in _ANYBODY and said[1:2] == ["do"]:  # "where you don't get lost"
            return Question(f"do {self.people} {' '.join(words[1:])} {self.at} this {self.noun}?", negated)
        if nobody := _NOBODY.fullmatch(" ".join(said)):
            verb, rest = english.base(nobody["verb"]), nobody["rest"]
            does = f"is anyone {rest}" if verb == "be" else f"does anyone {verb} {rest}"
            return Question(f"{does} {self.at} this {self.noun}?", negated=True)
        if marker == "where" and (never := _NEVER.fullmatch(" ".join(said))):
            does = "do" if never["verb"] == english.base(never["verb"]) else "does"
            doer = " ".join(english.someones(never["who"].split()))
            return Question(
                f"{does} {doer} {english.base(never['verb'])}{never['rest']} {self.at} this {self.noun}?", negated=True
            )
        if called := _CALL.fullmatch(" ".join(words)):
            return Question(self._of(called["what"], called["how"].split()), negated)
        if marker == "whose":
            return Question(self._subject(["the", *words]), negated)
        if marker == "where":
            report = _REPORT.fullmatch(" ".join(words))
            return Question(self._subject(report["told"].split() if report else words), negated)
        return Question(re.sub(rf"^(\w+ this {self.noun} .*)\btheir\b", r"\1its", self._predicate(words)), negated)

    @staticmethod
    def acts(words: list[str]) -> bool:
        """Whether words are a clause: something, and what it does ("the staff explain the dishes")."""
        begins = words[:1] in (["the"], ["every"], ["each"], ["nobody"], ["everyone"])
        return (begins or words[0] in english.subjects()) and _verb_at(words) > 0

    def _predicate(self, words: list[str]) -> str:
        if said := _SAY.match(" ".join(words)):
            return self._phrase("", " ".join(words)[said.end() :].split())
        head, rest = words[0], " ".join(words[1:])
        if any(word in ("will", "can", "would", "could") for word in words[1:4]):
            return self._subject(words)  # "that my aunts will love"
        if (head in english.subjects() and english.base(head) != "cook") or head in ("the", "my", "your"):
            return self._subject(words)
        if head in ("is", "are", "was", "were"):
            rest = " ".join(_bare(words[1:]))
            return f"is this {self.noun} {rest}?" if rest else ""
        if head in ("has", "have") and rest.startswith("been "):
            return f"has this {self.noun} {rest}?"
        if head in ("has", "have", "had", "got"):
            return f"does this {self.noun} have {rest}?" if rest else ""
        if head in ("can", "will", "would", "could"):
            return f"can this {self.noun} {rest}?" if rest else ""
        if head in ("does", "do") and (words[1:2] in (["a"], ["an"], ["the"]) or english.only_describes(words[-2])):
            return f"does this {self.noun} serve {rest}?"  # "that does a smoky brisket"
        if head in ("does", "do"):
            return f"does this {self.noun} {'do ' if not rest.startswith('have') else ''}{rest}?" if rest else ""
        if english.describes(head) and not head.endswith("s"):
            return f"is this {self.noun} {' '.join(words)}?"
        return f"does this {self.noun} {english.base(head)}{' ' + rest if rest else ''}?"

    def _subject(self, words: list[str]) -> str:
        """A clause with a subject of its own."""
        head, rest = words[0], words[1:]
        if head in _ANYBODY:
            if rest[:2] in (["have", "to"], ["need", "to"], ["must"]):
                return f"do {self.people} {' '.join(rest)} {self.at} this {self.noun}?"
            if rest[:1] and rest[0] in ("are", "am", "is") and len(rest) > 1:
                return f"are {self.people} {' '.join(english.of_others(rest[1:]))} {self.at} this {self.noun}?"
            rest = rest[1:] if rest[:1] and rest[0] in ("can", "could", "may", "will", "might", "are", "am") else rest
            rest = english.of_others(rest)
            return f"can {self.people} {' '.join(rest)} {self.at} this {self.noun}?" if rest else ""
        if head == "they" and rest:
            if rest[0] in ("are", "can", "will", "have"):
                return (
                    f"{'do they have' if rest[0] == 'have' else rest[0] + ' they'} "
                    f"{' '.join(rest[1:])} {self.at} this {self.noun}?"
                )
            return f"do they {' '.join(rest)} {self.at} this {self.noun}?"
        for verb in ("is", "are", "can", "will", "would", "could", "may"):
            if verb in words[1:5]:
                at = words.index(verb)
                subject = english.someones(words[:at])
                return f"{verb} {' '.join(subject)} {' '.join(words[at + 1 :])} {self.at} this {self.noun}?"
        if head in ("has", "have"):
            return f"does this {self.noun} have {' '.join(rest)}?"
        having = next((at for at, word in enumerate(words[:4]) if word in ("has", "have")), 0)
        if at := having or _verb_at(words):
            one = words[at] != english.base(words[at])  # "the owner greets you"
            does, verb = ("does", english.base(words[at])) if one else ("do", words[at])
            doer = " ".join(english.someones(words[:at]))
            return f"{does} {doer} {' '.join([verb, *words[at + 1 :]])} {self.at} this {self.noun}?"
        return f"does this {self.noun} have {' '.join(words)}?"


TOUGH = frozenset({"easy", "hard", "difficult", "tough", "tricky", "simple", "impossible"})  # "easy to walk into"
_PERFORMING = frozenset({"play", "host", "screen"})
_RELATED = frozenset({"from", "to", "for", "with", "about", "by", "near", "on"})
_ANYBODY = frozenset({"you", "i", "we", "one", "guests", "people", "anyone", "somebody"})
_HELPING = re.compile(r"is|are|was|were|am|do|does|did|can|could|will|would|should|has|have|had")
_AFTER_VERB = re.compile(
    r"you|me|us|them|it|him|her|each|everything|everyone|the|a|an|my|your|our|their|its|no|any|some|well"
)


_COMMON = frozenset({"eat", "get", "go", "come", "drink", "sit", "pay", "play"})  # verbs that are fillers elsewhere
_HOW_OFTEN = frozenset({"actually", "really", "always", "often", "usually", "just", "even", "ever", "still", "also"})


def _acts(word: str) -> bool:
    """Whether a word after several people may say what they do, as far as its form tells."""
    plain = word in english.verbs() or bool(english.content([word]))
    return plain and word == english.base(word) and not (english.describes(word) or word in english.adverbs())


def _affirmed(words: list[str]) -> tuple[list[str], bool]:
    """A clause without its negation, wherever that stands: "the waiters do not rush you"."""
    for at, word in enumerate(words[1:7], start=1):
        if word in ("not", "never") and _HELPING.fullmatch(words[at - 1]) and words[at + 1 : at + 2] != ["only"]:
            helping = at - 1 if words[at - 1] in ("do", "does", "did") else at
            return words[:helping] + words[at + 1 :], True
        if word == "no" and words[at - 1] in ("is", "are") and len(words) == at + 2:  # "a wheelchair is no problem"
            return [*words[:at], "any", words[at + 1]], True
    return _denied(words)


def _verb_at(words: list[str]) -> int:
    """Where the verb of a clause stands that begins with its subject; 0 where none is seen."""
    for at, word in enumerate(words[1:5], start=1):
        spoken_of = words[at - 1] in english.subjects() or words[at - 1].endswith("s")
        acting = len(words) > at + 1 and _AFTER_VERB.fullmatch(words[at + 1]) is not None
        if words[at - 1] in english.subjects() and word != english.base(word) and not words[at - 1].endswith("s"):
            return at  # "the chef comes out"
        doer = next((w for w in reversed(words[:at]) if w not in _HOW_OFTEN), "")
        several = doer in english.subjects() and doer.endswith("s")
        if several and _acts(word):
            return at  # "the chefs chat with you"
        if word in _COMMON and words[at - 1].endswith("s") and not words[at - 1].endswith("ss"):
            return at  # "kids eat free"
        if word in english.filler() and english.base(word) not in english.verbs():
            continue
        if word in english.verbs() and (spoken_of or acting):
            return at
        if word[-1:] == "s" != word[-2:-1] and (acting or english.base(word) in english.verbs()):
            return at
    return 0


def _denied(words: list[str]) -> tuple[list[str], bool]:
    """The words without a negation at their beginning, and whether there was one ("not just" is none)."""
    for index, word in enumerate(words[:4]):
        if english.content(words[:index]):
            break
        if word in _NOT:
            if words[index + 1 : index + 2] in (["just"], ["only"]):
                return [], False
            return words[:index] + words[index + 1 :], True
    return words, False


def _bare(words: list[str], *, leading: bool = True) -> list[str]:
    """Without the filler at either end; an article stays where it belongs to the words."""
    keep = {"is", "are", "has", "have", "can", "good", "great"}
    article = ""
    if words[:1] == ["well"] and len(words) > 1:
        leading = False  # "well lit"
    while leading and words and words[0] in (english.filler() | english.generic()) - keep:
        article = words[0] if words[0] in ("a", "an", "the") else ""
        words = words[1:]
    if article and words:
        words = [article, *words]
    while words and (words[-1] in english.trailing()):
        words = words[:-1]
    return words
