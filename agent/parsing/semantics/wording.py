"""What a message wishes for as one well-formed yes/no question: "does this restaurant have belly dancing?".

A wish is a thing ("a fountain"), how something is ("run by sisters"), what the place does ("takes walk-ins"), what
others do there ("kids eat free"), or what one can do there ("read without a torch"). Which it is, the parts of speech
tell and the word that leads to it; each has one way to be asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.semantics import english
from agent.parsing.semantics.asking import asked_with_a_mark
from agent.parsing.semantics.english import ANYBODY, REVIEWERS
from agent.parsing.semantics.statement import affirmed, indicative, inverted, shortened
from agent.parsing.semantics.workspace import Board
from agent.text import grammar
from agent.text.grammar import AUXILIARY, BE, MODAL, RELATIVE

HAVING = frozenset({"with", "w", "has", "have", "having", "serving", "offering", "without", "featuring", "including"})
CLAUSE = frozenset({"that", "which", "who", "where", "whose"})
_CALLED = re.compile(  # "people call it <a hidden gem>", "reviewers find the tasting menu <worth it>"
    r"(?:the )?(?:reviewers|people|guests|everyone|customers|students|they|locals) "
    r"(?:call|calls|find|finds|consider|describe as|describe)(?P<what>(?: (?:the|its|their|every) \S+(?: \S+)?)?)"
    r"(?: (?:it|them))?(?: as)? (?P<how>\S.*)"
)
_PARTY = re.compile(
    r"(?:(?:we are|we will be|we would be|there (?:are|will be)) )?(?:(?:a|the) )?(?:(?:about|around|up to|at least) )?"
    r"(?:(?:large |big )?(?:party|group|table|crowd|team|family|gang) of (?:\d+|a dozen)|"
    r"\d+(?: of us| people| persons| guests| adults| diners| couples| families| friends| colleagues)?"
    r"(?: (?:with|and|including|plus) .+)?)"
)
_OCCASION = frozenset({"my", "our", "his", "her", "their"})
_NOBODY = re.compile(r"(?:nobody|no one|none of (?:the|them) ?\S*) (?P<rest>.+)")
_PREDICATIVE = frozenset(
    {"welcome", "allowed", "optional", "ok", "okay", "fine", "free", "included", "available", "possible", "permitted"}
    | {"worth", "necessary", "required", "compulsory", "mandatory", "provided", "accepted"}
)
_DEGREE = frozenset({"too", "very", "so", "really", "super", "pretty", "quite", "more", "less", "not", "extra", "well"})
_ENDS_ADJECTIVE = frozenset({"IN", "TO", "RP", "RB", "WRB", "WDT", "DT", "PRP", "WP"})
_UNDERGOING = frozenset(
    {"feel", "get", "hear", "see", "smell", "end", "regret", "become"}
)  # what nobody does on purpose
_OF_STAFF = frozenset({"charging", "skimping", "overcharging", "upselling", "rushing", "drowning", "adding"})
_SOAKED = frozenset({"swimming", "drowning", "dripping", "floating", "soaking", "oozing", "bursting"})  # of food
_WHILE = frozenset({"weeks", "days", "hours", "months", "minutes", "ages", "forever", "half"})  # "booking weeks ahead"
_TASTES = frozenset(
    {"sweet", "salty", "oily", "crispy", "soggy", "bland", "creamy", "chewy", "sour", "bitter", "juicy"}
)
_SEEMING = frozenset({"looking", "sounding", "tasting", "smelling", "feeling"})
_TOUGH = frozenset({"easy", "hard", "difficult", "tough", "tricky", "simple", "impossible"})  # "easy to walk into"
_SERVES = re.compile(r"(?:a|an|the|great|good|proper|real|\S+y|\S+ed|\S+en|\S+an|\S+ese|\S+ish|half|small|big|huge)\s")
_BESIDE = frozenset({"by", "beside", "near", "under", "on", "outside", "inside", "around", "between", "among", "next"})
_LIKING = frozenset({"enjoy", "love", "like", "appreciate", "hate", "choose", "pick", "recommend", "visit", "go"})
_BARE = frozenset(  # what stands before a thing in place of an article
    {"something", "anything", "somebody", "someone", "less", "more", "fewer", "lots", "plenty", "loads", "tons"}
    | {"some", "enough", "any", "no", "all"}
)
_OF_ANY = re.compile(  # "is any of them getting better": asked of each
    r"^(is|are|does|do|has|have|did|was|were) (?:any|either|some|one|all)(?: of (?:them|these|those))?(?= )",
    re.IGNORECASE,
)
_SINGULAR = {"are": "is", "do": "does", "have": "has", "were": "was"}
_ANY_GOOD = re.compile(r"\bany good\b", re.IGNORECASE)
_TELL = re.compile(
    r"^(?:(?:can|could|would) you )?(?:please )?tell me (?:more |a bit |something )*about ", re.IGNORECASE
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

    def question(self, marker: str, words: list[str], *, unwanted: bool = False) -> Question:
        """The question for the words of a wish; `marker` is the word that leads to it ("with", "where"), if any."""
        words = shortened(words)
        if words[1:] and words[-1] in ("one", "ones"):
            words = words[:-1]  # "not the conveyor belt one"
        if _PARTY.fullmatch(" ".join(words)):
            return Question()  # how many guests are many, the aspects know
        if nobody := _NOBODY.fullmatch(" ".join(words)):
            return Question(self._clause("where", ["anyone", *nobody["rest"].split()], 1), negated=True)
        words, negated, verb = affirmed(indicative(words))
        if not english.content(words) and len(words) < 2:
            return Question()
        if called := _CALLED.fullmatch(" ".join(words)):
            return Question(self._called(called["what"].split(), called["how"].split()), negated)
        if verb is not None and verb < len(words):
            told = (
                self._clause(marker, words, verb, negated=True)
                if verb
                else self._predicate(words, ("VB",) * len(words))
            )
            return Question(told, negated)
        return Question(self._asked(marker, words, unwanted, negated), negated)

    def _asked(self, marker: str, words: list[str], unwanted: bool, negated: bool) -> str:
        if words[0] in ("do", "does", "is", "are") and marker == "where" and len(words) > 2:
            words = inverted(words)
        if words[0] in MODAL and words[1:2] and words[1] in ANYBODY:  # "where <can I get pho>"
            words = [words[1], words[0], *words[2:]]
        elif words[0] in MODAL and marker == "where" and (verb := grammar.verb_after_subject(words[1:])):
            words = [*words[1 : verb + 1], words[0], *words[verb + 1 :]]  # "where <will the staff sing>"
        follows = marker in ("that", "which", "who")
        tags = grammar.tags(("it", *words))[1:] if follows else grammar.tags(tuple(words))
        lasting = words[0].endswith("ing") and words[1:2] and words[1] in _WHILE
        if (tags[0] == "VBG" or lasting) and (doing := self._doing(words, tags, marker, unwanted)):
            return doing
        at = 0 if words[0] == "got" else _finite_at(words, tags, marker)
        if at == len(words) - 1 and marker in HAVING and at:
            at = None  # "with <strong pisco sours>"
        if at == 0 and not follows and _names(words, tags):
            at = None
        if marker in ("acting", "to") and at in (0, None) and grammar.is_verb(words[0]):
            does = "do guests" if words[0] in _UNDERGOING else "do guests have to"
            does = does if unwanted else "can guests"
            return f"{does} {' '.join(english.of_others(words))} {self._here}"
        if marker in ("has", "have") and tags[0] == "VBN" and not (words[1:] and grammar.is_noun(tags[1])):
            return f"has this {self.noun} {' '.join(words)}?"  # "have <gone downhill>"
        if marker == "whose":
            words, tags = ["the", *words], ("DT", *tags)
            at = at + 1 if at else None
        if at:
            return self._clause(marker, words, at, negated=negated)
        if at == 0 and marker not in HAVING | {"for"}:
            return self._predicate(words, tags)
        if _is_predicative(words, tags):
            be = "are" if tags[-2] == "NNS" else "is"
            return f"{be} {' '.join(english.someones(words[:-1]))} {words[-1]} {self._here}"
        return self._phrase(marker, words, tags)

    @property
    def _here(self) -> str:
        return f"at this {self.noun}?"

    def _called(self, what: list[str], how: list[str]) -> str:
        """What others call the thing searched for, or something of it."""
        tags = grammar.tags(tuple(how))
        said = how if _is_adjective(how, tags) else english.with_article(" ".join(how)).split()
        if what:
            be = "are" if what[-1].endswith("s") else "is"
            return f"{be} {' '.join(['the', *what[1:]])} {' '.join(said)} {self._here}"
        return f"is this {self.noun} {' '.join(said)}?"

    def _doing(self, words: list[str], tags: tuple[str, ...], marker: str, unwanted: bool) -> str:
        """What one does or has done to one: "queueing", "being glared at", "watching the game"; empty for a thing."""
        rest = " ".join(english.of_others(words[1:]))
        if words[0] in _SOAKED:
            return f"is the food {' '.join(words)} {self._here}"
        if words[0] == "being" and len(words) > 1:
            return f"are guests {rest} {self._here}"
        if words[0] in _OF_STAFF or (unwanted and words[1:2] and words[1] in ("you", "me", "us", "people", "guests")):
            return f"does this {self.noun} {grammar.base(words[0])} {rest}?"
        if unwanted and (len(words) == 1 or not grammar.is_noun(tags[1]) or words[1] in _WHILE):
            return f"do guests have to {grammar.base(words[0])} {rest} {self._here}".replace("  ", " ")
        if marker == "" and len(words) > 1 and tags[1] in ("DT", "PRP$", "PRP", "TO"):
            return f"can guests {grammar.base(words[0])} {rest} {self._here}"
        return ""

    # -- things and how they are: "outdoor heaters", "belly dancing", "quiet" ------------------------------------------

    def _phrase(self, marker: str, words: list[str], tags: tuple[str, ...]) -> str:
        said = " ".join(words)
        adjective = _is_adjective(words, tags)
        if words[0] in ("their", "its") and words[1:2] == ["own"]:
            return f"does this {self.noun} have its own {' '.join(words[2:])}?"
        if words[0] in _OCCASION and words[1:2] == ["own"]:
            return f"can guests have their own {' '.join(words[2:])} {self._here}"
        if words[0] in _OCCASION and len(words) > 1:  # "our anniversary", "my kid's team"
            of_one = "a " if words[1].endswith("'s") else ""
            return f"is this {self.noun} good for {of_one}{english.with_article(' '.join(words[1:]))}?"
        if marker == "for" and not adjective:
            return f"is this {self.noun} good for {said}?"
        if words[:2] == ["made", "to"] and words[2:3] != ["order"]:
            return f"are guests {said} {self._here}"  # "made to wait"
        done = tags[0] in ("VBN", "VBD") and words[0] in english.cooked()
        if done and len(words) > 1 and not grammar.is_noun(tags[1]):
            return f"is the food {said} {self._here}"
        if words[-1] in english.cooked() and len(words) <= 3 and marker not in ("for", "to"):
            return f"does this {self.noun} serve {' '.join(w for w in words if w not in ('a', 'an', 'the'))} food?"
        if adjective and words[-1] in _TASTES:
            return f"is the food {said} {self._here}"
        if adjective and marker not in HAVING:
            lone = len(words) == 2 or words[-1] in _SEEMING  # "a quiet", "a retro looking"
            bare = words[1:] if words[0] in ("a", "an", "the") and lone else words
            return f"is this {self.noun} {' '.join(bare)}?"
        if tags[0] == "IN" and words[0] in _BESIDE:
            return f"can guests sit {said} {self._here}"
        if tags[0] == "IN" and words[0] != "like":
            return f"is this {self.noun} {said}?"
        if tags[0] in ("WP", "WRB"):
            return f"is it true that {said} {self._here}"
        complete = marker in HAVING or words[0] in _BARE or (len(words) > 1 and words[1] == "of")
        to = words.index("to") if "to" in words else len(words)
        words = [*words[:to], *english.of_others(words[to:])]  # "sockets to charge <my> lamp"
        said = " ".join(words)
        return f"does this {self.noun} have {said if complete or _has_verb(tags) else _with_article(words, tags)}?"

    # -- clauses: "they make noodles in front of you", "packs food well" -----------------------------------------------

    def _predicate(self, words: list[str], tags: tuple[str, ...]) -> str:
        """What the thing searched for is or does."""
        head, rest = words[0], words[1:]
        told = " ".join(_its(rest))
        if not rest:
            return f"does this {self.noun} {english.base(head)}?" if head not in AUXILIARY else ""
        if head in BE and rest[-1] in _TASTES:
            return f"is the food {told} {self._here}"
        if head in BE:
            return f"is this {self.noun} {told}?"
        if head in ("has", "have") and rest[0] == "been":
            return f"has this {self.noun} {told}?"
        if head in ("has", "have", "had", "got"):
            return f"does this {self.noun} have {' '.join(rest[1:] if rest[0] == 'got' else rest)}?"
        if head in MODAL:
            return f"{'would' if head == 'would' else 'can'} this {self.noun} {told}?"
        if head in ("does", "do"):
            if tags[1:2] == ("VB",) and grammar.is_only_verb(rest[0]):
                return f"does this {self.noun} {told}?"
            return f"does this {self.noun} {'serve' if _SERVES.match(told) and self.noun != 'course' else 'do'} {told}?"
        return f"does this {self.noun} {english.base(head)} {told}?"

    def _clause(self, marker: str, words: list[str], at: int, *, negated: bool = False) -> str:
        """What something or somebody else is or does there."""
        tags = grammar.tags(tuple(words))
        subject, verb, rest = words[:at], words[at] if at < len(words) else "", words[at + 1 :]
        if not verb:
            return ""
        if subject in (["it"], ["this"]):
            return self._predicate(words[at:], tags[at:])
        here = self._here
        liked = words[-1] in _LIKING
        rest = [*rest, "to"] if words[-1] == "go" and rest else rest
        if ((marker in ("that", "which") and (not rest or tags[-1] in ("IN", "TO"))) or liked) and verb not in BE:
            here = f"this {self.noun}?"  # "that <my aunts will love>", "that <locals go to>"
        if subject[0] in REVIEWERS and len(subject) == 1:
            return self._anybody("people", verb, rest, negated, here)
        if subject[0] in ANYBODY and len(subject) == 1:
            return self._anybody(subject[0], verb, rest, negated, here)
        who = " ".join(subject if subject == ["they"] else english.someones(subject))
        told = " ".join(rest)
        if verb in BE or verb in MODAL:
            verb = "are" if verb == "were" else "is" if verb in ("was", "am", "be") else verb
            return f"{verb} {who} {told} {here}"
        if verb in ("has", "have") and rest and tags[at + 1] == "VBN":
            return f"{verb} {who} {told} {here}"
        verb = grammar.base(verb) if tags[at] in ("VBD", "VBN") else verb
        one = verb != english.base(verb) or subject[0].endswith("ing")  # "the owner greets you", "eating alone feels"
        return f"{'does' if one else 'do'} {who} {english.base(verb)} {told} {here}".replace("  ", " ")

    def _anybody(self, subject: str, verb: str, rest: list[str], negated: bool, here: str) -> str:
        """What one can do or has to do there."""
        who = subject if subject in ("anyone", "everyone") else "guests"
        told = " ".join(rest if who == subject else english.of_others(rest))
        if who == subject and verb in ("has", "have"):
            return f"has {who} {told} {here}" if rest[1:] else f"has {who} {told} this {self.noun}?"
        if who == subject:
            one = "is" if verb in BE else "does"
            return f"{one} {who} {told if verb in BE else f'{english.base(verb)} {told}'.strip()} {here}"
        if verb in BE:
            return f"are {who} {told} {here}" if told else ""
        if verb in MODAL:
            return f"{'would' if verb == 'would' else 'can'} {who} {told} {here}" if told else ""
        if verb in ("get", "gets") and rest[:1] == ["to"]:
            return f"can {who} {' '.join(english.of_others(rest[1:]))} {here}"
        does = "do" if negated or subject == "people" or (verb in ("have", "need") and rest[:1] == ["to"]) else "can"
        return f"{does} {who} {english.base(verb)} {told} {here}".replace("  ", " ")


def _finite_at(words: list[str], tags: tuple[str, ...], marker: str = "") -> int | None:
    """Where the verb of a clause stands: 0 where its subject is left out, None where the words are no clause."""
    subject = ""  # the tag of the word that may be the subject
    for at, (word, tag) in enumerate(zip(words, tags, strict=True)):
        if at and (word in RELATIVE or tag == "TO"):
            return None
        if word in AUXILIARY:
            return at
        if at and grammar.is_noun(subject) and (word in ANYBODY or tag in ("PRP", "PRP$")) and at + 1 < len(words):
            return None  # "puddings <you finish in two bites>"
        if at == 1 and words[0] in ("people", "guests", "students") and tag == "NN" and grammar.is_verb(word):
            return at  # "people dance"
        if not at and words[1:2] and words[1] in BE | {"has", "have"} and not grammar.is_only_verb(word):
            subject = "NN"  # "curry is rich"
            continue
        if grammar.is_finite(tag) or (tag in ("VBD", "VBN") and subject == "PRP"):
            if not at:
                return 0
            several = subject == "NNS" or words[at - 1] in english.subjects() or words[at - 1] in ANYBODY
            if subject == "PRP" or (subject in ("NN", "NNP") and tag == "VBZ") or (several and tag != "VBZ"):
                return at
        if at and marker in ("where", "whose") and (subject, tag) == ("NN", "NNS") and grammar.is_verb(word):
            return at  # "where <brunch ends late>"
        if tag == "IN" and word != "of":
            subject = "IN"
        elif tag != "RB" and subject != "IN":
            subject = tag if word not in ANYBODY else "PRP"
    return None


def _names(words: list[str], tags: tuple[str, ...]) -> bool:
    """Whether a word that may be a verb stands for a thing or a quality where it begins a phrase: "knife work"."""
    if tags[0] not in ("VB", "VBP") or words[0] in AUXILIARY:
        return False
    if english.describes(words[0]):
        return True
    acts = grammar.is_only_verb(words[0]) or words[0] in english.verbs()
    return not acts and (len(words) == 1 or grammar.is_noun(tags[1]) or tags[1] == "VBG")


def _has_verb(tags: tuple[str, ...]) -> bool:
    return tags[0] in ("VB", "VBP", "VBZ")


def _is_adjective(words: list[str], tags: tuple[str, ...]) -> bool:
    """Whether a phrase says how something is, and names no thing: "close to the water", "dog friendly"."""
    at = 1 if words[0] in ("a", "an", "the") else 0
    while at < len(words) and (words[at] in _DEGREE or tags[at] == "RB"):
        at += 1
    if at == len(words):
        return english.describes(words[-1]) or words[-1] == "well"
    if words[-1] in _SEEMING and len(words) - at == 2:
        return True  # "retro looking"
    done = grammar.is_verb(words[at]) and tags[at] != "VBG" and not grammar.is_noun(tags[at])
    if words[at + 1 : at + 2] == ["by"] and done:
        return True  # "run by sisters"
    if not _describes(words[at], tags[at]):
        compound = len(words) - at <= 3 and all(grammar.is_noun(tag) for tag in tags[at:-1])
        return compound and english.describes(words[-1]) and tags[-1][:2] not in ("VB", "RB")
    while at < len(words) and (_describes(words[at], tags[at]) or tags[at] == "CC" or words[at] in _DEGREE):
        at += 1
    return at == len(words) or tags[at] in _ENDS_ADJECTIVE or words[at] in ("enough", "than")


def _describes(word: str, tag: str) -> bool:
    return (
        tag in ("JJ", "JJR", "JJS", "VBN", "VBD")
        or (english.describes(word) and tag != "NNS")
        or word in _TOUGH | _PREDICATIVE
    )


def _is_predicative(words: list[str], tags: tuple[str, ...]) -> bool:
    """Whether a phrase is a thing and how it is, without a verb: "dogs welcome", "staff friendly"."""
    if len(words) < 2 or len(words) > 4 or not grammar.is_noun(tags[-2]):
        return False
    return words[-1] in _PREDICATIVE or (words[-2] in english.subjects() and _describes(words[-1], tags[-1]))


def _with_article(words: list[str], tags: tuple[str, ...]) -> str:
    """A thing with its article, which hasty writers leave out."""
    first = next(
        (at for at, tag in enumerate(tags) if tag in ("IN", "WDT", "WP", "PRP", "PRP$", "VBN", "WRB") and at),
        len(words),
    )
    if tags[first - 1] == "NNS" or tags[0] in ("DT", "PRP$", "CD") or not grammar.is_noun(tags[first - 1]):
        return " ".join(words)
    return " ".join([english.with_article(" ".join(words[:first])), *words[first:]])


def _its(words: list[str]) -> list[str]:
    """The words of a predicate with "its" for the thing's own."""
    return ["its" if word == "their" else word for word in words]


def own_words(board: Board, noun: str, question: str) -> str:
    """The question with "this restaurant" in the place of a name, and what asks of any as it is asked of one."""
    words, this = asked_with_a_mark(question).strip().rstrip("?!. "), f"this {noun}"
    for mention in board.mentions:
        if mention.label == "name" and mention.node is not None:
            words = words.replace(mention.node.words, this)
    words = re.sub(rf"\bthe ({this})", r"\1", words)  # "the X curry"
    words = _OF_ANY.sub(lambda said: f"{_SINGULAR.get(said[1].lower(), said[1])} {this}", words)
    words = _ANY_GOOD.sub("good", _TELL.sub("what do guests say about ", words))
    return words[:1].lower() + words[1:] + "?"
