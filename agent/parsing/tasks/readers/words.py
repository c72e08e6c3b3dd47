"""Names of people and free text: what was asked for, without the words that only lead up to it."""

from __future__ import annotations

import re

from agent.parsing.tasks.phrases import compiled
from agent.text.frequencies import english_rank
from agent.text.readers.reading import Reading
from agent.text.words import word_set

_LEAD = compiled(r"^\W*(?:{lead}|{filler})(?=[\s,.:!-])[\s,.:!-]*")
_TAIL = compiled(
    r"[\s,.!;-]+(?:please|pls|plz|thanks?(?: you)?(?: so much)?|thx|for now|i think|i guess|instead|"
    r"then|actually|if possible|speaking|here)[\s.!]*$"
)
_NAMED = compiled(
    r"(?:\b(?:my|the|full|our)(?: full| last| legal)? name(?:'s| is| should be|:)(?: actually| really|"
    r" spelled| spelt)*|\bname(?:'s| is|:)|\bi'm(?: called)?|\bi am(?: called)?|\bthis is|\bcall me|"
    r"\bmy (?:full )?name(?! (?:is|was|out|from|in|on|and|should|has|to|off)\b)(?= [^\W\d_])|"
    r"\bunder(?: the name(?: of)?)?|\bfor the name|\bname of)[\s:]+(?P<name>[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,3})"
)
_PLAIN_CUE = re.compile(r"^(?:i'm|i am|this is|under)\b")
_LINK = re.compile(
    r"^\s*(?:and|,|but|with|at|from|for|in|on|who|my|i|a|an|the|is|not|id|email|e-mail|phone|number|please|here|so|or|to)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"^ (?:on|in|at|with|about|of|to|by|for|because|that|since|as)\b")  # "I'm stuck on …"
_INITIAL = re.compile(r"^[A-Z]")
_COMMON = 2_500  # words more frequent than this are seldom names


def free(text: str) -> str:
    """The text without what leads up to it ("it's", "I'd say") and trailing courtesies, in the user's own spelling."""
    text = text.strip()
    while match := _LEAD.match(_plain(text)):
        rest = text[match.end() :]
        if not re.search(r"\w", rest):
            break
        text = rest
    while match := _TAIL.search(_plain(text)):
        if not re.search(r"\w", text[: match.start()]):
            break
        text = text[: match.start()]
    return text.strip(" \t,;:-").rstrip(".!").strip().strip('"“”')


def name(text: str) -> str | None:
    """The person's name that an answer to "what is your name?" gives, or None."""
    named = spoken_names(text)
    said = str(named[0].value) if named else free(text)
    said = re.split(r"[,;(]|(?<=[a-z]{2})\.\s| - | and (?:my|i|the)\b", said)[0].strip()
    words = said.split()
    if not 1 <= len(words) <= 5 or not all(re.fullmatch(r"[^\W\d_][\w.'’-]*\.?", word) for word in words):
        return None
    if any(word.lower() in NOT_NAMES for word in words):
        return None
    if is_dated(text) or all(word.lower().rstrip(".") in MONTHS for word in words):
        return None
    return cased(said)


def is_dated(text: str) -> bool:
    """Whether a month is told with its day or year: "May 2026" is nobody."""
    return _DATED.search(text.lower()) is not None


def spoken_names(text: str) -> list[Reading]:
    """Names that are introduced as such: "my name is …", "I'm Jane Doe"."""
    found = []
    for match in _NAMED.finditer(_plain(text)):
        start, stop = match.span("name")
        words = _until_link(text[start:stop])
        bare = _PLAIN_CUE.match(_plain(text)[match.start() :]) is not None
        if not words or any(word.lower() in NOT_NAMES for word in words.split()):
            continue
        if bare and not all(_is_name_like(word) for word in words.split()):
            continue
        if bare and words.islower() and _GOES_ON.match(_plain(text)[start + len(words) :]):
            continue
        found.append(Reading(cased(words), start, start + len(words), not bare))
    return found


def introductions(text: str) -> list[tuple[int, int]]:
    """The stretches in which somebody says who they are, and nothing else: "my name is Jane Doe"."""
    told = [one.stop for one in spoken_names(text)]
    return [
        (match.start(), stop)
        for match in _NAMED.finditer(_plain(text))
        for stop in told
        if match.start("name") < stop <= match.end("name")
    ]


def cased(said: str) -> str:
    """A name with capitals where it was typed without any."""
    return " ".join(word[:1].upper() + word[1:] for word in said.split()) if said.islower() else " ".join(said.split())


def _until_link(words: str) -> str:
    kept: list[str] = []
    for word in words.split():
        if kept and _LINK.match(word):
            break
        kept.append(word)
        if word.endswith("."):
            break
    return " ".join(kept).rstrip(".")


def _is_name_like(word: str) -> bool:
    rare = english_rank().get(word.lower().strip(".'"), 10**6) > _COMMON
    return bool(_INITIAL.match(word)) or (rare and not word.lower().endswith(("ing", "ed", "ly")))


def _plain(text: str) -> str:
    return text.lower().replace("’", "'").replace("‘", "'") if len(text.lower()) == len(text) else text


NOT_NAMES = word_set(
    """not a an the yes no i you it is are was to for at on in of my your what when where how why who which book table
    want need have would like please skip sure looking trying hoping going interested wondering having getting still
    also just so very really international domestic student don't can't sorry here back done good fine ready allergic
    vegetarian vegan do does did can could with about and but this that because from free busy new nothing none enrolled
    unable able same before above previous last one ones course class name friday monday tuesday wednesday thursday
    saturday sunday tomorrow today tonight actually spelled anonymous anonymously private nobody either
    neither pls plz plase please thx ty thanks thank cheers hello hi hey ok okay yep yeah nope nah sorry um uh hm hmm oh
    ah well whatever maybe perhaps later wait stop help cool great fine perfect"""
)
MONTHS = word_set(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec"""
)
_DATED = re.compile(
    rf"\b(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.? (?:of )?'?\d{{1,4}}\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b"
)
