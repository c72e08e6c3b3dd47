"""Whether a question made of what was left over is English.

A question that is not costs more than a constraint that is missing: nothing fits it, and it is shown to the user. What
is checked is the little that words of closed classes tell: nobody "has can", and no phrase ends in "the".
"""

from __future__ import annotations

import re
from itertools import pairwise

from agent.parsing.semantics import english


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_DETERMINERS = _words(
    "a an the this that these those my your our his her its their some any every each no all both another such"
)
_PRONOUNS = _words("i he she they we it him them us me myself himself herself themselves itself")
_PEOPLE = _words("someone somebody anyone anybody everyone everybody one ones you people guests")
_AUXILIARIES = _words(
    "am is are was were be been being do does did has have had can could will would shall should may might must"
)
_LINKS = _words("and or but nor if because since while although than as so yet though unless whether")
_ASKING = _words("who whom whose which what when where why how")
_TOWARDS = _words("of to for with from by at on in into onto about near around between among during until like per via")
# Words that may not stand at the end of a phrase; "eat in", "come with", "in front of you" may.
_OPEN_ENDED = _DETERMINERS | _LINKS | _ASKING | {"of", "to", "for", "from", "into", "i", "he", "she", "they", "we"}
_BEING = _words("am is are was were be been being")
_GOING = _words("go goes went going come comes came get gets be say says")
_UNDER_WAY = _words("going coming getting being having doing saying")
_DOING = _words("do does did can could will would")
_HAVE = re.compile(r"does this \S+ (?:have|serve|offer) (?P<rest>.+)\?")
_GOOD_TO = re.compile(r"is this \S+ a good place to (?P<rest>.+)\?")
_GOOD_FOR = re.compile(r"is this \S+ good for (?P<rest>.+)\?")
_IS = re.compile(r"is this \S+ (?P<rest>.+)\?")
_DOES = re.compile(r"(?:does|can) this \S+ (?:do )?(?P<rest>.+)\?")
_OTHER = re.compile(r"(?:is|are|do|can|will|has) (?P<rest>.+)\?")


def sound(question: str) -> bool:
    """Whether a question of `wording` reads as English."""
    if re.search(r"[,;:()\"]|\s'|(?<![a-z'])s(?![a-z])|(?<!')\b[b-hj-z]\b(?!-)|'s(?! [a-z]{3})", question):
        return False
    if any(word in english.filler() for word in re.findall(r"'s ([a-z]+)", question)):
        return False  # "the water's off"
    for pattern, check in (
        (_HAVE, _thing),
        (_GOOD_TO, _doing),
        (_GOOD_FOR, _aim),
        (_IS, _quality),
        (_DOES, _doing),
        (_OTHER, _orderly),
    ):
        if match := pattern.fullmatch(question):
            return check(match["rest"].split())
    return True


def _orderly(words: list[str]) -> bool:
    """Whether words of closed classes stand where they can."""
    if not english.content(words) or words[-1] in _OPEN_ENDED | _BEING | _DOING:
        return False
    if len(words) > 1 and words[-2] in ("a", "an", "the") and words[-1] in english.filler():
        return False  # "a table at a nice"
    for first, second in pairwise(words):
        if first in _DETERMINERS - {"all", "both", "that", "such", "her", "no"} and second in (
            _DETERMINERS | _PRONOUNS | _AUXILIARIES | _LINKS
        ):
            return False
        if second == "not" and first in _LINKS | _ASKING | {"that"}:
            return False
        if first in _AUXILIARIES and second in _AUXILIARIES and (first, second) not in _VERB_PAIRS:
            return False
    return True


_VERB_PAIRS = frozenset(
    (first, second)
    for first in ("do", "does", "did", "can", "could", "will", "would", "should", "may", "might", "must")
    for second in ("be", "have", "do")
) | {("has", "been"), ("have", "been"), ("is", "being"), ("are", "being"), ("have", "had")}


def _thing(words: list[str]) -> bool:
    """Whether the words can name a thing: "a fish tank", not "closer", "miss", "hear well"."""
    head = words[0]
    if head in ("still", "also", "even", "just"):
        return False
    if head in _AUXILIARIES | _PRONOUNS | _PEOPLE | _LINKS | _ASKING | _TOWARDS or not _orderly(words):
        return False
    named = words[1:] if head in _DETERMINERS and len(words) > 1 else words
    if named in (["play"], ["host"]):
        return False  # what is played was understood
    if len(named) == 1 and named[0].endswith("s") and english.base(named[0]) in english.verbs():
        return False  # "nobody minds"
    if named[-1] in _GOING or (len(named) == 2 and named[-1] in ("about", "at", "for", "from", "with")):
        return False  # "students go", "rave about"
    if all(english.only_describes(word) or word in _HOW for word in named):
        return False  # "a big what?"
    following = named[1] if len(named) > 1 else ""
    if named[0] in english.verbs() and (not following or following in _FOLLOWS_VERB or following in english.adverbs()):
        return False
    if english.base(named[0]) in english.verbs() and following in _FOLLOWS_VERB | english.adverbs():
        return False  # "opens earlier"
    if head == "the" and len(words) == 2 and words[1].endswith("est"):
        return False  # the shortest what?
    return len(named) > 1 or not (named[0] in english.adverbs() or named[0] in _PEOPLE)


_HOW = english.adverbs() | {"well"}
_FOLLOWS_VERB = _DETERMINERS | _PRONOUNS | _PEOPLE | _TOWARDS


def _doing(words: list[str]) -> bool:
    """Whether the words can say what is done: "watch the game", not "the station"."""
    closed = _DETERMINERS | _PRONOUNS | _PEOPLE | _LINKS | _ASKING | _TOWARDS
    if len(words) == 1:
        return False  # "does it hate?", "does it direction?"
    if words[0] in ("walk", "drive", "travel", "commute") or words[-1] == "far":
        return False  # how somebody gets there
    return words[0] not in closed and _orderly(words)


def _aim(words: list[str]) -> bool:
    """Whether the words can say what or whom something is good for."""
    closed = _AUXILIARIES | _LINKS | _ASKING | _TOWARDS | _PRONOUNS
    if words[0] in ("a", "an") and all(english.only_describes(word) for word in words[1:]):
        return False  # good for a long what?
    return words[0] not in closed and not (words[0] in _PEOPLE and len(words) == 1) and _orderly(words)


def _quality(words: list[str]) -> bool:
    """Whether the words can say how something is: "independent", "near the water", not "that is"."""
    closed = _LINKS | _ASKING | _PRONOUNS | _AUXILIARIES | {"that", "this", "these", "those"}
    if len(words) == 1 and words[0].endswith("ly") and not english.only_describes(words[0]):
        return False  # "is it seriously?"
    if words[-1] in _UNDER_WAY:
        return False  # "is it total going?"
    if words[-1] in english.feelings():
        return False  # "is it hungry?"
    done = len(words) > 2 and words[1] == "by"  # "run by a family"
    if words[0] in english.verbs() and not done and (len(words) == 1 or not english.describes(words[0])):
        return False
    if len(words) == 1 and re.search(r"[^s]s$", words[0]) and not english.describes(words[0]):
        return False  # "is it decades?"
    if words[1:2] == ["to"] and words[-1] in _TOWARDS and len(words) > 3:
        words = words[:-1]  # "easy to get into"
    return words[0] not in closed and words[-1] not in _TOWARDS and _orderly(words)
