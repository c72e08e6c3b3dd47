"""The words of a wish as a plain statement: without who says so, without "should" and without its negation."""

from __future__ import annotations

import re

from agent.parsing.semantics.english import ANYBODY
from agent.text import grammar
from agent.text.grammar import BE, RELATIVE

_REPORTED = re.compile(  # "people say <the espresso is burnt>", "someone said <the owner sings>"
    r"(?:do |did )?(?:(?:the |a |my |all the )?(?:people|reviewers|reviews|customers|guests|everyone|everybody|"
    r"students|comments|locals|someone|somebody|friends?|they|i|we)) "
    r"(?:say|says|said|mention|mentioned|think|thinks|claim|report|note|agree|write|heard|swear|swears|told (?:me|us))"
    r"(?: that)?(?: (?:(?:it|they) )?(?:is|are))? (?=\S)"
)
_MODAL = re.compile(
    r"(?P<who>(?:they|it|(?:the |its |their )?(?:\S+ ){0,3}?(?!not |do |does )\S+)) "
    r"(?:should|must|ought to|ha(?:s|ve) to|needs? to) (?:really |also |all )?(?P<denied>(?:not )?)(?P<rest>\S+.*)"
)
_CONTRACTED = re.compile(
    r"(?<=[a-z])'s (?=(?:an?|the|not|always|never|too|very|so|to|on|in|at|up|as|no|\w+ing|\w+ed)\b)"
)
_FOR_WHOM = re.compile(r"(?<=easy|hard) for (?:him|her|them|us|me|(?:my|our) \S+)(?= to )")
_ACCORDING = re.compile(r" (?:according to|as per|per|in the eyes of) (?:the |its |their )?(?:\S+ )?\S+$")
_KIND_OF = re.compile(r"^(?:an? |the |some )?(?:kind|sort|type)s? of (?=\S)")
_BEING = re.compile(r"(?:the |its |their )?(?P<what>[a-z]+(?: [a-z]+)?) being (?P<how>.+)")
_PRAISED = re.compile(
    r"(?P<what>(?:\S+ ){0,2}\S+) (?:(?:must|should) be|have to be|has to be|is|are) "
    r"(?:praised|acclaimed|complimented|raved about|recommended)(?: (?:in|by) .+)?"
)
_LOOSE = frozenset({"please", "pls", "thanks", "thx", "lol", "though", "ideally", "possibly", "preferably", "maybe"})
_SPEAKING = frozenset({"i", "you", "he", "she", "we", "they"})
_ADVERBS = frozenset({"still", "also", "actually", "really", "always", "even", "just", "both"})


def shortened(words: list[str]) -> list[str]:
    """The words without what only introduces or rounds off: who says so, "still", "please"."""
    text = _CONTRACTED.sub(" is ", " ".join(words))
    said = _REPORTED.match(text)
    text = _FOR_WHOM.sub("", _ACCORDING.sub("", text[said.end() if said else 0 :]))
    words = _KIND_OF.sub("", text).split()
    if words[:1] and words[0] in BE and words[1:2] and words[1] in _ADVERBS - {"always", "both"}:
        words = [words[0], *words[2:]]
    while len(words) > 1 and words[-1] in _LOOSE | {"that", "which", "who", "and", "or", "but", "with"}:
        words = words[:-1]
    while len(words) > 1 and (words[0] in _ADVERBS or words[0] in _LOOSE):
        words = words[1:]
    return ["have" if word == "had" and at < 2 else word for at, word in enumerate(words)]


def indicative(words: list[str]) -> list[str]:
    """ "The chairs should have backs" as "the chairs have backs"."""
    if being := _BEING.fullmatch(" ".join(words)):  # "people mention <the bathrooms being clean>"
        what = being["what"].split()
        several = what[-1].endswith("s") and not what[-1].endswith("ss")
        return ["the", *what, "are" if several else "is", *being["how"].split()]
    if praised := _PRAISED.fullmatch(" ".join(words)):  # "the cocktails must be <praised in the reviews>"
        return [*praised["what"].split(), "are" if praised["what"].endswith("s") else "is", "good"]
    said = _MODAL.match(" ".join(words))
    if said is None or set(said["who"].split()) & (RELATIVE | ANYBODY | {"to"}):
        return words
    who, rest = said["who"].split(), said["rest"].split()
    several = who[-1] == "they" or (who[-1].endswith("s") and not who[-1].endswith("ss"))
    if rest[0] == "be":
        return [*who, "are" if several else "is", *said["denied"].split(), *rest[1:]]
    if said["denied"]:
        return [*who, "do" if several else "does", "not", *rest]
    at = next((place for place, tag in enumerate(grammar.tags(tuple(rest))) if tag != "RB"), 0)
    return [*who, *rest[:at], rest[at] if several else grammar.third_person(rest[at]), *rest[at + 1 :]]


def inverted(words: list[str]) -> list[str]:
    """ "<Do> nurses go" as "nurses go", "<is> the bread baked" as "the bread is baked"."""
    if words[0] in ("do", "does"):
        return words[1:]
    tags = grammar.tags(tuple(words[1:]))
    noun = next((at for at, tag in enumerate(tags) if grammar.is_noun(tag)), 0)
    return [*words[1 : noun + 2], words[0], *words[noun + 2 :]]


def affirmed(words: list[str]) -> tuple[list[str], bool, int | None]:
    """The words without their negation, wherever it stands in the main clause, whether there was one, and where the
    verb stands if the negation tells: "<do not> skimp"."""
    if words[:1] in (["no"], ["not"], ["without"], ["never"], ["zero"]):
        only = words[1:2] in (["just"], ["only"])
        return ([], False, None) if only else (words[1:], True, None)
    for at, word in enumerate(words[1:8], start=1):
        if word in RELATIVE or word in _SPEAKING:
            break  # "food <I don't have to chew>"
        more = words[at + 1 : at + 2] in (["only"], ["just"]) and {"but", "also"} & set(
            words
        )  # "not only good but cheap"
        if word in ("not", "never") and not more:
            helping = at - 1 if words[at - 1] in ("do", "does", "did") else at
            return words[:helping] + words[at + 1 :], True, helping if helping < at else None
        if word == "no" and words[at - 1] in ("is", "are") and len(words) == at + 2:  # "a wheelchair is no problem"
            return [*words[:at], "any", words[at + 1]], True, None
    return words, False, None
