"""Questions to English: "is this restaurant romantic?" becomes "reviewers call romantic".

`claim` turns a yes/no question into a clause that a description can carry, in one of three forms:

    adjective   "romantic"                       reviewers call it romantic
    verb        "has outdoor seating"            reviewers say it has outdoor seating
    clause      "the service is slow"            reviewers say the service is slow

and None if the grammar is beyond these rules; the question is then quoted as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.text import grammar
from agent.text.grammar import third_person
from agent.text.wordlists import words

_ITSELF = (
    r"(?:(?:this|the|these|that) (?:{noun}|place|places|spot|venue|establishment|item|document|"
    r"text|review|article|page)|it|this|they)"
)
_MODALS = r"can|could|will|would|should|may|must"
_PEOPLE = (
    r"(?:the |most |many |some )?"
    r"(?:reviewers?|reviews?|people|customers?|diners?|guests?|students?|users?|commenters?|you|i|we|one)"
)
_NOT_ADJECTIVE = re.compile(
    r"\b(?:a|an|the|for|in|on|at|with|to|by|near|open|from|of|about|as|one|and|or|known)\b|ed\b|ing\b"
)
_ANY = re.compile(r"\bany(thing|one|body|where|)\b(?! (?:time|other|more|day|of)\b)")
_AT_ALL = re.compile(r" any (?=(?:good|better|worse|different|use)$)")  # "is the food any good"
_BARE = 2  # words of a question that says nothing yet: "can guests"
_PLAIN_VERBS = frozenset({"not"})


@dataclass(frozen=True, slots=True)
class Claim:
    """What a yes to a question says, and how a no says it."""

    form: Literal["adjective", "verb", "clause"]
    yes: str
    no: str
    many_yes: str = ""  # of several: "have outdoor seating"
    many_no: str = ""

    def said(self, positive: bool, *, many: bool = False) -> str:
        """Return what a yes (or a no) says, of one thing or of several."""
        if positive:
            return (self.many_yes if many else "") or self.yes
        return (self.many_no if many else "") or self.no


def claim(question: str, nouns: Sequence[str]) -> Claim | None:
    """The claim a yes/no question asks about, where its grammar can be turned round; `nouns` are what it may be of."""
    text = " ".join(question.strip().rstrip("?.! ").split())
    text = _AT_ALL.sub(" ", text[:1].lower() + text[1:])
    itself = _ITSELF.format(noun="|".join(re.escape(word) for word in nouns))
    told = re.sub(rf" (?:in|at) {itself}$", "", text)
    text = told if len(told.split()) > _BARE else text  # where it is goes without saying
    for reading in (_truth, _anyone, _being, _doing, _existing, _modal, _people, _something_does):
        found = reading(text, itself)
        if found is not None:
            return _affirmed(found) if found.form == "verb" else found
    return None


def _affirmed(said: Claim) -> Claim:
    """The claim, of which a yes says "something" where the question has "anything"."""
    return replace(said, yes=_ANY.sub(r"some\1", said.yes), many_yes=_ANY.sub(r"some\1", said.many_yes))


def _being(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(rf"(is|are|was|were) {itself} (.+)", text, re.IGNORECASE)
    if found is None:
        return None
    rest = re.sub(r"^considered (?:to be )?", "", found[2])
    if len(rest.split()) <= 3 and not _NOT_ADJECTIVE.search(rest):
        bare = re.sub(r"^not ", "", rest)
        return Claim("adjective", rest, bare if rest.startswith("not ") else f"not {rest}")
    be = "was" if found[1].lower() in ("was", "were") else "is"
    are = {"is": "are", "was": "were"}[be]
    return Claim("verb", f"{be} {rest}", f"{be} not {rest}", f"{are} {rest}", f"{are} not {rest}")


def _doing(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(rf"(do|does|did) {itself} (?:also |actually |really )?(still )?(\w+)(.*)", text, re.IGNORECASE)
    if found is None:
        return None
    verb, rest = found[3].lower(), found[4]
    if found[1].lower() == "did":
        return Claim("verb", f"did {verb}{rest}", f"did not {verb}{rest}")
    if found[2]:
        one, many = f"{third_person(verb)}{rest}", f"{verb}{rest}"
        return Claim("verb", f"still {one}", f"no longer {one}", f"still {many}", f"no longer {many}")
    if verb == "not":
        return Claim("verb", f"does not{rest}", f"does{rest}", f"do not{rest}", f"do{rest}")
    return Claim(
        "verb", f"{third_person(verb)}{rest}", f"does not {verb}{rest}", f"{verb}{rest}", f"do not {verb}{rest}"
    )


def _existing(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(r"(is|are|was|were) there (.+)", text, re.IGNORECASE)
    if found is None:
        return None
    be, what = found[1].lower(), re.sub(r"^any ", "", found[2])
    none = f"not {what}" if what.startswith("enough") else "no " + re.sub(r"^(?:an?|some) ", "", what)
    return Claim("clause", f"there {be} {what}", f"there {be} {none}")


def _modal(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(rf"({_MODALS}) ({_PEOPLE}|{itself}) (.+)", text, re.IGNORECASE)
    if found is None:
        return None
    modal, (who, rest) = found[1].lower(), _spoken_to(found[2], found[3])
    never = "cannot" if modal == "can" else f"{modal} not"
    if re.fullmatch(itself, who, re.IGNORECASE):
        return Claim("verb", f"{modal} {rest}", f"{never} {rest}")
    return Claim("clause", f"{who} {modal} {rest}", f"{who} {never} {rest}")


def _people(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(rf"(?:do|does|did) ({_PEOPLE}|[a-z]+s) (\w+)(.*)", text, re.IGNORECASE)
    if found is None or found[2].lower() in _PLAIN_VERBS:
        return None
    verb, (who, rest) = found[2], _spoken_to(found[1], found[3])
    return Claim("clause", f"{who} {verb}{rest}", f"{who} do not {verb}{rest}")


def _spoken_to(who: str, rest: str) -> tuple[str, str]:
    """Who does something, and the rest of a sentence, as they are said to whoever asked: "I" and "my dog" as "you" and
    "your dog"."""
    if who.lower() not in ("i", "we", "one"):
        return who, rest
    return "you", re.sub(r"\b(?:my|our)\b", "your", re.sub(r"\b(?:me|us)\b", "you", rest))


def _anyone(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(r"(is|does) anyone (\S+)(.*)", text, re.IGNORECASE)
    if found is None:
        return None
    does = f"is {found[2]}" if found[1].lower() == "is" else third_person(found[2])
    return Claim("clause", f"someone {does}{found[3]}", f"nobody {does}{found[3]}")


def _something_does(text: str, itself: str) -> Claim | None:
    """`does the owner sing at this restaurant`, `is the raw fish super fresh ...`, `can a truck park ...`."""
    found = re.fullmatch(
        rf"(is|are|was|were|do|does|has|have|{_MODALS}) (.+)",
        re.sub(rf" (?:in|at|of) {itself}(?=[ ,])", "", text),
        re.IGNORECASE,
    )
    if found is None:
        return None
    first, said = found[1].lower(), found[2].split()
    if first in ("is", "are", "was", "were", "has", "have"):
        at = grammar.end_of_subject([word.lower().rstrip(",") for word in said])
        who, rest = " ".join(said[:at]), " ".join(said[at:])
        return Claim("clause", f"{who} {first} {rest}", f"{who} {first} not {rest}") if at else None
    at = grammar.verb_after_subject([word.lower().rstrip(",") for word in said])
    if not at:
        return None
    who, verb, rest = " ".join(said[:at]), said[at], " ".join(["", *said[at + 1 :]])
    if first in ("do", "does"):
        does = third_person(verb) if first == "does" else verb
        return Claim("clause", f"{who} {does}{rest}", f"{who} {first} not {verb}{rest}")
    never = "cannot" if first == "can" else f"{first} not"
    return Claim("clause", f"{who} {first} {verb}{rest}", f"{who} {never} {verb}{rest}")


def _truth(text: str, itself: str) -> Claim | None:
    found = re.fullmatch(r"is it true that (.+)", text, re.IGNORECASE)
    return Claim("clause", found[1], f"it is not true that {found[1]}") if found else None


def spoken(name: str) -> str:
    """Return a column's name as words: num_reviews → "reviews", average_hours_spent → "average hours spent"."""
    return re.sub(r"^num ", "", name.replace("_", " "))


_FIELDS = ("phics", "thics", "atics", "nomics", "botics", "istics", "ysics", "netics", "namics")  # "graphics"


def singular(word: str) -> str:
    """burgers → burger, as a word before a noun: "burger restaurants"."""
    if not word.endswith("s") or word.endswith(("ss", "us", "is", "as", *_FIELDS)) or len(word) < 5:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes")) else word[:-1]


def capitalised(word: str) -> str:
    """Words that English writes with a capital: nationalities, and nothing else that a vocabulary would hold."""
    return " ".join(
        part.upper() if part in _ACRONYMS else part[:1].upper() + part[1:] if part in _PROPER else part
        for part in word.split(" ")
    )


_ACRONYMS = frozenset({"bbq", "byob", "ai", "cs"})
#: Adjectives of nations, regions and peoples: English spells them with a capital.
_PROPER = frozenset(
    words(
        """
        afghan african albanian algerian american arab arabic argentine argentinian armenian asian asturian
        australian austrian azerbaijani bangladeshi basque bavarian belgian bengali bosnian brazilian
        british bulgarian burmese cajun californian cambodian canadian cantonese caribbean catalan chilean
        chinese colombian creole croatian cuban cypriot czech danish dominican dutch ecuadorian egyptian
        english eritrean estonian ethiopian european filipino finnish french galician georgian german
        ghanaian greek guatemalan gujarati haitian hawaiian hong honduran hungarian icelandic indian
        indonesian iranian iraqi irish israeli italian jamaican japanese jewish jordanian kazakh kenyan kong
        korean laotian lao latin latvian lebanese lithuanian malaysian maltese mediterranean mexican middle
        eastern moldovan mongolian moroccan nepalese nepali nicaraguan nigerian nordic norwegian oaxacan
        pakistani palestinian panamanian paraguayan persian peruvian piedmontese polish polynesian
        portuguese punjabi puerto rican romanian roman russian salvadoran sardinian scandinavian scottish
        senegalese serbian shanghainese sichuan sicilian singaporean slovak slovenian somali southern
        spanish sri lankan swedish swiss syrian taiwanese tamil tex-mex texan thai tibetan tunisian turkish
        tuscan ukrainian uruguayan uyghur uzbek venetian venezuelan vietnamese welsh yemeni
        """
    )
)


def answers(who: str, negated: bool) -> str:
    """The verb after what is read: "reviewers do not answer", "the description answers"."""
    one = who.startswith("the ") and " and " not in who
    if negated:
        return "does not answer" if one else "do not answer"
    return "answers" if one else "answer"
