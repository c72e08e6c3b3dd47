"""What a question asks: its form (yes/no, how many, when, ...), and the statement it stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from agent.text.words import is_negation, word_set

_AUXILIARIES = word_set(
    """is are was were am do does did can could will would shall should may might must has have had isn't aren't wasn't
    weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't mustn't"""
)
_PRONOUNS = word_set("it they you i we he she this that these those there one anyone someone everyone people")
_DETERMINERS = word_set("the a an my your our their his her its this that these those any some all each every")
_WH = ("how many", "how much", "how long", "how often", "how far", "how old", "how", "who", "whose", "whom", "when")
_WH_REST = ("what time", "what", "which", "where", "why")
_ABOUT = re.compile(
    r"(?:is|does|do|are) (?:not )?(?:(?:this|the|that|it|they|these)(?: \w+)? (?:not )?(?:(?:mainly |"
    r"mostly )?about|deals? with|on the topic of)"
    r"|(?:this|the) (?:course|class|program|programme|seminar|article) covers?) (?P<topic>.+)$",
    re.IGNORECASE,
)
_BEFORE = r"(?:(?:in|on|at|by|to|from|for|since|until|till|with|of|under|about|within|during|after|before) )?"
_WH_FIRST = re.compile(rf"{_BEFORE}(?P<form>{'|'.join((*_WH, *_WH_REST))}) ", re.IGNORECASE)
_SHORT = re.compile(r"\b(what|who|where|when|how|why)'?s (?=\w)", re.IGNORECASE)
_REPORTED = re.compile(
    r"^(?:(?:do|did|does|have|would) (?:the |any |most |some )?(?:reviewers?|reviews?|people|ppl|folks|students?|"
    r"diners?|guests?|"
    r"customers?|comments?|visitors?) (?:say|mention|think|find|describe|report|call|said|agree|feel)(?: that|"
    r" about)? |"
    r"according to (?:the )?\w+,? |is it (?:said|true|mentioned) that )(?=\w+ \w)",
    re.IGNORECASE,
)


_ITS = re.compile(
    r"^its (?=(?:\w+ly )?(?:too |so |very |really )?"
    r"(?:\w+(?:ful|able|ous|ive|ing|y)|hard|easy|fun|good|worth)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """`form` is "yes/no" or the question word. `claim` is the statement a yes/no question weighs.

    `negated` tells that the question itself denies ("isn't it loud?", "is it not noisy?").
    """

    text: str
    form: str
    claim: str
    negated: bool
    topic: str = ""  # of "is this course about X?", X


@lru_cache(maxsize=4_096)
def read_question(text: str) -> Question:
    """Take a question apart. What begins with no question word or auxiliary is read as a claim ("good for kids")."""
    plain = re.sub(r"\s+", " ", text.replace("’", "'")).strip().rstrip("?!. ").strip()
    plain = _ITS.sub("it is ", _REPORTED.sub("", _SHORT.sub(r"\1 is ", plain)))
    condition, core = _split_condition(plain)
    words = core.split(" ")
    first = words[0].lower()
    if asking := _WH_FIRST.match(core):
        return Question(text, asking["form"].lower(), plain, negated=False)
    if first not in _AUXILIARIES:
        positive = " ".join(word for word in words if word.lower() != "not")
        return Question(text, "yes/no", positive, _denies(words))
    about = _ABOUT.match(core)
    if about:
        return Question(text, "yes/no", core, _denies(words), about["topic"])
    subject, rest = _subject(words[1:])
    auxiliary, negated = _positive(first)
    negated = negated != _denies(rest)
    rest_plain = " ".join(word for word in rest if word.lower() != "not")
    claim = (
        f"{condition}{subject} {auxiliary} {rest_plain}"
        if auxiliary not in _EMPTY
        else f"{condition}{subject} {rest_plain}"
    )
    return Question(text, "yes/no", _start(claim), negated)


_EMPTY = frozenset({"do", "does", "did"})


def _split_condition(plain: str) -> tuple[str, str]:
    """A leading "If my friend is late, " and what is asked then."""
    match = re.match(
        r"(?:(?:if|when|for|with|as|at|on|in|after|before|and|so|but|ok|hi|hey)\b[^,]*), +(.+)$", plain, re.I
    )
    if match and match.group(1).split(" ")[0].lower() in _AUXILIARIES:
        return plain[: match.start(1)], match.group(1)
    return "", plain


def _positive(auxiliary: str) -> tuple[str, bool]:
    if not auxiliary.endswith("n't"):
        return auxiliary, False
    return {"can't": "can", "won't": "will"}.get(auxiliary, auxiliary[:-3]), True


def _denies(words: list[str]) -> bool:
    return any(word.lower() == "not" or word.lower().endswith("n't") for word in words if is_negation(word.lower()))


def _subject(words: list[str]) -> tuple[str, list[str]]:
    """The subject of "is|do|can ..." and what is said of it: a pronoun, or a determiner with its noun."""
    if not words:
        return "it", []
    if words[0].lower() in _PRONOUNS and not (words[0].lower() in _DETERMINERS and len(words) > 2):
        return words[0], words[1:]
    size = 2 if words[0].lower() in _DETERMINERS else 1
    size = min(size, max(1, len(words) - 1))
    while size < len(words) - 1 and words[size - 1].lower().endswith("'s"):
        size += 1
    return " ".join(words[:size]), words[size:]


def _start(statement: str) -> str:
    statement = re.sub(r"\s+", " ", statement).strip()
    return statement[:1].upper() + statement[1:] + "."
