"""Pieces of a message as well-formed yes/no questions: "does this restaurant have belly dancing?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.semantics import english
from agent.parsing.semantics.board import Mention

_NOT = frozenset({"not", "no", "never", "without", "nothing", "nobody", "none"})
_HOUSES = frozenset({"bar", "pub", "cafe", "diner", "bistro", "bakery", "brewery"})  # "a piano bar"
_BY = frozenset({"by", "in", "on", "off", "from", "over"})  # "by the slice", "on a stick"
_CALL = re.compile(
    r"(?P<what>.+?) (?:reviewers|people|guests|everyone|customers|students|they) "
    r"(?:call|calls|find|consider|describe as|say (?:is|are)) (?P<how>.+)"
)

_DEMANDED = re.compile(  # "the staff should be patient"
    r"(?P<what>the \S+(?: \S+)?) (?:should|must|ought to|ha(?:s|ve) to|needs? to) (?:really |also )?(?P<not>not )?be "
    r"(?P<how>.+)"
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

    # -- phrases: "with outdoor heaters", "belly dancing", "smoky <brisket>" ------------------------------------------

    def phrases(self, marker: str, runs: list[str | Mention], before: str = "") -> list[Question]:
        """The questions for words around mentions. `before` is a dish that stands right before them."""
        at = next((i for i, run in enumerate(runs) if isinstance(run, Mention) and run.label == "dish"), None)
        if at is not None:
            return [self._of_dish(runs, at)]
        sides: list[list[str]] = [[]]
        for run in runs:
            if isinstance(run, Mention):
                sides.append([])
            else:
                sides[-1].append(run)
        kind = next((run for run in runs if isinstance(run, Mention) and run.label == "kind"), None)
        mentions = [run for run in runs if isinstance(run, Mention)]
        asked: list[Question] = []
        for index, side in enumerate(sides):
            if index and mentions[index - 1].label in _MODIFYING and side[:1] and side[0] in english.heads():
                side = side[1:]  # "an <authentic> feel"
            if english.content(side):
                after = kind is not None and index == 0 and runs[runs.index(kind) - 1] == side[-1]
                near = kind if not index or mentions[index - 1] is kind else None
                asked.append(
                    self._side(side, near, after=after, marker="" if index else marker, before=before, at=index)
                )
        return asked

    def _side(
        self, side: list[str], kind: Mention | None, *, after: bool, marker: str, before: str, at: int
    ) -> Question:
        """The question for the words on one side of the mentions of a piece; `after`: a kind follows right after."""
        if at and side[0] in _BY:
            if kind is None or kind.node is None:
                return Question()  # "good wine <by the glass>"
            thing = english.lowered(kind.node.words)
            return Question(f"does this {self.noun} serve {thing} {' '.join(_bare(side, leading=False))}?")
        belonging = self._of_kind(side, kind, marker) if kind is not None and after else None
        if belonging is not None:
            return belonging
        if side[0] in _DOING and side[1:2] == ["not"]:  # "doesn't play music loudly"
            return self.clause("that", side)
        if side[0] == "the" and side[1:2] and side[1] in english.subjects() and "not" in side[2:5]:
            return self.clause("where", side)  # "the waiters don't hover"
        if demanded := _DEMANDED.fullmatch(" ".join(side)):
            verb = "are" if demanded["what"].endswith("s") else "is"
            return self.clause("where", f"{demanded['what']} {verb} {demanded['not'] or ''}{demanded['how']}".split())
        words, negated = _denied(side)
        # In front of a kind of restaurant stand its adjectives; words after it are phrases of their own.
        return Question(self._phrase(marker, _bare(words), before if not at else ""), negated)

    def _of_kind(self, side: list[str], kind: Mention, marker: str) -> Question | None:
        """What belongs to a kind of food: a noun right before it ("garden brunch"), and how what is had of it should be
        ("with strong coffee")."""
        words, negated = _denied(_bare(side))
        plain = [word for word in words if word not in ("a", "an", "the")]
        had = marker in _HAVING and bool(plain) and english.only_describes(plain[-1])
        if plain and kind.node is not None and (had or all(word in _OF_FOOD for word in plain)):
            return Question(
                f"does this {self.noun} serve {' '.join(plain)} {english.lowered(kind.node.words)}?", negated
            )
        if len(plain) == 1 and plain[0] in english.verbs():
            return Question()  # "forget <ramen>"
        if len(plain) != 1 or english.describes(plain[0]) or plain[0] in english.adverbs() or plain[0].endswith("s"):
            return None
        if kind.node is None:
            return None
        said = english.lowered(kind.node.words)
        if said in _HOUSES:
            return Question(f"is this {self.noun} {english.with_article(f'{plain[0]} {said}')}?", negated)
        return Question(f"does this {self.noun} have {plain[0]} {said}?", negated)

    def _of_dish(self, runs: list[str | Mention], at: int) -> Question:
        """Adjectives of a dish: "smoky <brisket>", "<ribs> falling off the bone"."""
        mention = runs[at]
        assert isinstance(mention, Mention)  # `at` was found so
        assert mention.node is not None
        served = re.search(r" serve (.+)\?$", getattr(mention.node, "question", ""))
        dish = served[1] if served else english.lowered(mention.node.words)
        front = [run for run in runs[:at] if isinstance(run, str)]
        words, negated = _denied(front)
        words = _of_the_phrase(words)
        describing = [word for word in words if word not in english.filler() and word not in english.generic()]
        while describing and describing[-1].endswith("ly") and not english.only_describes(describing[-1]):
            describing.pop()  # "widely praised for its <mole>"
        if describing:
            joined = "of " if front[-1] == "of" else ""  # "pitchers of <margaritas>"
            said = f"{' '.join(describing)} {joined}{dish}"
            said = english.with_article(said) if joined else said  # "a glass of <wine>"
            return Question(f"does this {self.noun} serve {said}?", negated)
        rest = [run for run in runs[at + 1 :] if isinstance(run, str)]
        if rest[:1] and rest[0] in _BY and english.content(rest):
            return Question(f"does this {self.noun} serve {dish} {' '.join(_bare(rest, leading=False))}?", negated)
        after = _bare(rest)
        if len(after) == 1 and rest[:1] == after and _names(after[0]):
            verb = "have a" if after[0] in _SERVED_FROM else "serve"  # "<salsa> bar", "<cheese> plates"
            return Question(f"does this {self.noun} {verb} {dish} {after[0]}?")
        if english.content(after):
            words, negated = _denied(after)
            return Question(self._of(dish, words), negated)
        return Question()

    @staticmethod
    def _of(thing: str, words: list[str]) -> str:
        verb = "are" if thing.endswith("s") and not thing.endswith("ss") else "is"
        rest = words[1:] if words[0] in ("is", "are", "that") else words
        return f"{verb} the {thing} {' '.join(rest)}?" if rest else ""

    def _phrase(self, marker: str, words: list[str], before: str) -> str:
        if not english.content(words):
            return ""
        head, rest, said = words[0], words[1:], " ".join(words)
        if before and not marker and len(words) <= 4 and (english.describes(words[-1]) or head.endswith("ing")):
            return self._of(before, words)
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

    def _predicate(self, words: list[str]) -> str:
        if said := _SAY.match(" ".join(words)):
            return self._phrase("", " ".join(words)[said.end() :].split(), "")
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
                    f"{' '.join(rest[1:])} at this {self.noun}?"
                )
            return f"do they {' '.join(rest)} at this {self.noun}?"
        for verb in ("is", "are", "can", "will", "would", "could", "may"):
            if verb in words[1:5]:
                at = words.index(verb)
                subject = english.someones(words[:at])
                return f"{verb} {' '.join(subject)} {' '.join(words[at + 1 :])} at this {self.noun}?"
        if head in ("has", "have"):
            return f"does this {self.noun} have {' '.join(rest)}?"
        if at := _verb_at(words):
            one = words[at] != english.base(words[at])  # "the owner greets you"
            does, verb = ("does", english.base(words[at])) if one else ("do", words[at])
            doer = " ".join(english.someones(words[:at]))
            return f"{does} {doer} {' '.join([verb, *words[at + 1 :]])} at this {self.noun}?"
        return f"does this {self.noun} have {' '.join(words)}?"


_HAVING = frozenset({"with", "w", "has", "have", "having", "serving", "offering"})
TOUGH = frozenset({"easy", "hard", "difficult", "tough", "tricky", "simple", "impossible"})  # "easy to walk into"
_OF_FOOD = frozenset({"fresh", "homemade", "handmade", "organic", "crispy", "juicy", "tender", "greasy", "smoky"})
_BEFORE_PHRASE = frozenset({"over", "with", "at", "in", "on", "near", "by", "from", "for", "about"})
_SUBJECTS = frozenset({"i", "we", "they", "he", "she", "you"})
_MODIFYING = frozenset({"aspect", "flag", "value"})  # mentions that say how something is
_SERVED_FROM = frozenset({"bar", "station", "cart", "menu", "tower", "fountain", "counter", "selection"})
_PERFORMING = frozenset({"play", "host", "screen"})
_DOING = frozenset({"does", "do", "can", "will", "would"})
_RELATED = frozenset({"from", "to", "for", "with", "about", "by", "near", "on"})
_ANYBODY = frozenset({"you", "i", "we", "one", "guests", "people", "anyone", "somebody"})
_HELPING = re.compile(r"is|are|was|were|am|do|does|did|can|could|will|would|should|has|have|had")
_AFTER_VERB = re.compile(
    r"you|me|us|them|it|him|her|each|everything|everyone|the|a|an|my|your|our|their|its|no|any|some|well"
)


_COMMON = frozenset({"eat", "get", "go", "come", "drink", "sit", "pay", "play"})  # verbs that are fillers elsewhere
_HOW_OFTEN = frozenset({"actually", "really", "always", "often", "usually", "just", "even", "ever", "still", "also"})


def _of_the_phrase(words: list[str]) -> list[str]:
    """The words before a noun that belong to it: not what goes before a preposition, nor a subject and its verb."""
    for at, word in reversed(list(enumerate(words))):
        if word in _BEFORE_PHRASE:
            return words[at + 1 :]
        if word in _SUBJECTS:
            after = at + 1
            while after < len(words) and (_HELPING.fullmatch(words[after]) or words[after] in english.adverbs()):
                after += 1
            return words[after + 1 :]
    return words


def _names(word: str) -> bool:
    """Whether a word is a noun, as far as its form tells."""
    verbal = english.base(word) in english.verbs() or word.endswith("ing")
    return bool(english.content([word])) and not (english.describes(word) or verbal or word in english.adverbs())


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
