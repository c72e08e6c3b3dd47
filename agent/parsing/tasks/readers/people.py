"""How many people: "a party of six", "the two of us", "me and my wife", "my parents and I", "2 adults and 3 kids"."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.text.readers import numbers
from agent.text.readers.numbers import SPELLED
from agent.text.readers.reading import Reading, apart

_WHOLE = r"-?\d{1,3}(?:,\d{3})+|-?\d+(?!\.?\d)"  # nobody is half of one
_N = rf"(?P<n>{_WHOLE}|{SPELLED}|a hundred|five hundred|a couple|a dozen|half a dozen)(?:-?ish)?"
_HEADS = (
    r"people|ppl|pax|persons?|guests?|adults?|kids?|children|child|toddlers?|babies|baby|infants?|friends?|diners?|"
    r"guys|folks|men|women|ladies|girls|boys|colleagues|coworkers|co-workers|customers|attendees|"
    r"seats?|of us|of you|heads|"
    r"grown-?ups?|little ones|seniors?|students|members|relatives|cousins|siblings"
)
# "two of us are vegetarian" is about some of them.
_NOT_SOME = r"(?! (?:is|are|has|have|can|can't|cannot|will|who|don't|doesn't|eats?|needs?|wants?|likes?|uses?)\b)"
_COUNTED = re.compile(
    rf"(?<![\w.:/$-]){_N}(?:[ -]?(?:more|other|of my|of our|hungry|young|small|"
    rf"little))?[ -]?(?P<head>{_HEADS})\b{_NOT_SOME}"
)
_PARTS_OF_PEOPLE = re.compile(rf"(?<![\w.:/$-])\d+\.\d+ (?:{_HEADS})\b")
_PARTY = re.compile(rf"\b(?:party|group|family|team|crowd|total) (?:of|for) {_N}\b(?!:| ?[ap]\.?m)")
_SIZE = re.compile(
    rf"\b(?:party|group|number of (?:people|guests|persons)|head ?count|size)(?: size)?(?: (?:is|are|"
    rf"will be|should be|to|of))+ {_N}\b"
)
_BOOKED = re.compile(rf"\b(?:table|booking|reservation|seats?) (?:of|for) {_N}\b(?!:| ?[ap]\.?m)")
_TOP = re.compile(rf"\b{_N}[ -]?top\b")
_NOW = r"(?: now| only| just| actually| really| about)*"
_WE = re.compile(
    rf"\b(?:(?:we|we'll|we r|we'r|there(?:'s| is| are| will|'ll)?) ?(?:are|will be|be|'re|is|were)?{_NOW}|we're{_NOW}|"
    rf"it's(?: just| actually)?) {_N}\b(?!:| ?[ap]\.?m)"
    r"(?= of us| people|\W*$|[,.;]| in total| total| now| and| so| at| on| for| not| instead| rather)"
)
_FOR = re.compile(
    rf"\bfor(?: just| only| about| like| around| maybe)? {_N}\b(?! ?(?:[ap]\.?\s?m\b|o'? ?clock|:\d|"
    rf"days?|weeks?|nights?|hours?|minutes?|units?|credits?|on the dot|sharp|\d))"
)
_ALONE = re.compile(
    r"\b(?:(?:just|only) (?:me|myself|one(?= (?:person|of us|guest|diner)))|by myself|on my own|table for one|for one|"
    r"(?:me|myself) alone|alone|solo|me(?=\W*$))\b"
)
_US = re.compile(r"\b(?:(?:the )?both of us|us two|we two|me and one other|me plus one|plus one|\+1)\b")
_PLUS = re.compile(rf"\b(?:me|myself|i)(?: and| plus| \+|,) (?:my )?{_N}(?: (?:others?|more|{_HEADS}))?\b")

KIN = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mom|mum|mother|dad|father|son|daughter|brother|sister|friend|boss|"
    r"colleague|coworker|roommate|cousin|aunt|uncle|grandma|grandmother|grandpa|grandfather|nephew|niece|neighbou?r|baby|"
    r"date|buddy|mate|advisor|client|kid|child|bf|gf|better half|significant other|in-law"
)
_ALL = r"adults?|grown-?ups?|people|ppl|persons?|guests?|seniors?"
_PLURAL_KIN = {"parents": 2, "grandparents": 2, "in-laws": 2, "twins": 2}
_PERSON = (
    rf"(?:(?:my|our|his|her|the|a|an|one)(?: (?:{SPELLED}|\d+))?(?: (?:older|younger|little|best|old|good))?"
    rf" (?:{KIN}|{'|'.join(_PLURAL_KIN)}|[a-z]+s)|me|myself|i|(?:{SPELLED}|\d+) (?:of my )?(?:{_HEADS}|(?:{KIN})s))"
)
_LISTED = re.compile(  # "… and my wife is allergic" tells of somebody who was counted
    rf"\b{_PERSON}(?:(?:, and |,? (?:and|plus|with|&) |, ){_PERSON})+(?![\w'])"
    r"(?! (?:is|was|has|needs?|wants?|can|can't|cannot|will|won't|would|likes?|loves?|hates?|does|doesn't|uses?|eats?|"
    r"prefers?|comes?)\b)"
)
_TOTAL = re.compile(  # "…, so five", "…, 5 in total"
    rf"(?:\b(?:so|making|makes|that's|that is|equals|i\.e\.|in total|altogether|total(?: of)?)|=) ?{_N}\b"
    rf"(?!:| ?[ap]\.?m)(?: of us| people| in (?:all|total)| total| altogether)?|"
    rf"\b{_N.replace('?P<n>', '?P<m>')} (?:in (?:all|total)|total|altogether|all together|all told)\b"
)
_PART = re.compile(r"\b(?:including|incl\.?|counting|of (?:them|us|whom|which)|among (?:them|us|whom))\W*$")
_OF_THEM = re.compile(r" (?:of|among) (?:them|whom|which)\b| (?:is|are|being) (?:an? )?(?:kids?|child|children|bab)")


def impossible(low: str) -> list[Reading]:
    """Numbers of people in a lower-cased message that nobody can be: "2.5 people"."""
    return [Reading("", *match.span()) for match in _PARTS_OF_PEOPLE.finditer(low)]


def read(low: str) -> list[Reading]:
    """Numbers of people that a lower-cased message says to be such."""
    found: list[Reading] = []
    counted = [match for match in _COUNTED.finditer(low) if not is_part(low, *match.span())]
    joined = _joined(low, counted)
    found += joined
    for match in counted:
        number = _number(match["n"])
        # A unit that could be anyone else's ("3 kids" beside "2 adults") has been added up above.
        if number is not None:
            extra = 1 if re.search(r"\b(?:me|myself|i) (?:and|plus) (?:my )?$", low[: match.start()]) else 0
            found.append(
                Reading(number + extra, match.start(), match.end(), match["head"] not in ("friends", "friend", "seats"))
            )
    for pattern in (_PARTY, _SIZE, _TOP, _WE):
        found += [_of(match) for match in pattern.finditer(low)]
    found += [Reading(_number(match["n"]), match.start("n"), match.end()) for match in _BOOKED.finditer(low)]
    found += [Reading(_number(match["n"]), match.start(), match.end(), False) for match in _FOR.finditer(low)]
    found += [Reading((_number(match["n"]) or 0) + 1, match.start(), match.end()) for match in _PLUS.finditer(low)]
    found += [Reading(1, match.start(), match.end(), match.group() != "me") for match in _ALONE.finditer(low)]
    found += [Reading(2, match.start(), match.end()) for match in _US.finditer(low)]
    found += [
        Reading(_kin(match.group()), match.start(), match.end())
        for match in _LISTED.finditer(low)
        if _kin(match.group())
    ]
    found = [reading for reading in found if reading.value is not None]
    return apart([*found, *_summed(low, found)])


def is_part(low: str, start: int, stop: int) -> bool:
    """Whether a number counts some of those who were counted before: "including 2 kids", "one of them"."""
    return _PART.search(low[:start]) is not None or _OF_THEM.match(low[stop:]) is not None


def _joined(low: str, counted: list[re.Match[str]]) -> list[Reading]:
    """ "2 adults and 3 kids" as one number."""
    found = []
    for first, second in pairwise(counted):
        if first["head"] != "of us" and re.fullmatch(
            r"(?:,| and|, and| plus| \+| &) ?(?:also )?", low[first.end() : second.start()]
        ):
            total = (_number(first["n"]) or 0) + (_number(second["n"]) or 0)
            found.append(Reading(total, first.start(), second.end()))
    return found


def _summed(low: str, found: list[Reading]) -> list[Reading]:
    """ "Four adults and one baby, so five": what is said to be the sum, over what it is the sum of."""
    totals = [match for match in _TOTAL.finditer(low) if any(one.stop <= match.start() for one in found)]
    first = min((one.start for one in found), default=0)
    return [Reading(_number(match["n"] or match["m"]), first, match.end()) for match in totals[-1:]]


def _of(match: re.Match[str]) -> Reading:
    return Reading(_number(match["n"]), match.start(), match.end())


def _number(said: str) -> int | None:
    found = numbers.read(said)
    return int(found[0].value) if found else None


def _kin(said: str) -> int:
    """How many people a list of them comes to; 0 where it is none."""
    total = 0
    people = False
    for part in re.split(r",? (?:and|plus|with|&) |, (?:and )?", said):
        words = part.split()
        amounts = [number for word in words if (number := numbers.word(word)) is not None]
        plural = next((_PLURAL_KIN[word] for word in words if word in _PLURAL_KIN), 0)
        known = plural or re.search(rf"\b(?:{KIN}|{_HEADS})s?\b", part) or part in ("me", "myself", "i")
        if not known:
            return 0
        people = people or part not in ("i", "me", "myself")
        total += (
            amounts[0] if amounts else plural or (2 if words[-1].endswith("s") and words[-1] not in ("boss",) else 1)
        )
    # "my wife and my son" go with the one who speaks; "four adults and a baby" are all.
    speaker = re.search(rf"\b(?:i|me|myself|us|{_ALL})\b", said) is not None
    return (total if speaker else total + 1) if people else 0
