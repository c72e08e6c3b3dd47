"""Messages, and parts of messages, that are conversation rather than questions."""

from __future__ import annotations

import re

from agent.language import ChatKind
from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.semantics import english

_LEADING = compiled(
    r"^\W*(?:(?:{greeting}|{thanks}|{interjection}|{please}|{farewell})(?=$|[\s,.!?;:-])|{acknowledgement}(?=$|\s*[,.!?;:-]))"
    r"[\s,.!?;:-]*"
)
_DISMISSED = re.compile(  # "forget it. pizza instead": what was spoken of before
    r"^\W*(?:(?:oh|ok|actually|no|hm+),? )*"
    r"(?:forget (?:it|that|about it)|never ?mind|nvm|screw (?:it|that)|skip (?:it|that))"
    r"(?:\s*[.,;!:–-]+\s*(?=\w)|(?<=nvm)\s+(?=(?:what|how|any|can|could|do|does|is|are|show|find|i)\b))",
    re.IGNORECASE,
)
_FOR_WHAT = compiled(  # "thanks for the help earlier!", with nothing asked for in it
    r"^\W*(?:{thanks}|so+r+y+|apologies|forgive me|pardon)\s+(?:for|about)\s"
    r"(?:(?!\b(?:find|show|want|need|looking|places?|restaurants?|class(?:es)?|courses?|how|what|where|any)\b)[^,.!?;:])+"
    r"[,.!?;:]+\s*"
)
_THAT_SEARCHES = re.compile(
    r"\b(?:somewhere|someplace|places?|spots?|restaurants?|class(?:es)?|courses?) (?:that|which|with|where)\b",
    re.IGNORECASE,
)
_CLOSING = compiled(r"(?:[\s,.!?;:-]+(?:{thanks}|{please}|{farewell}|lol|haha+)|[,.!?;:-]+\s*{agent})[\s.!?]*$")
_NO_PREFERENCE = compiled(r"^\W*{no_preference}\W*$")
_COURTESIES = (
    (ChatKind.FAREWELL, compiled(r"\b{farewell}\W*$")),
    (ChatKind.THANKS, compiled(r"(?<!\w){thanks}(?!\w)")),
    (ChatKind.GREETING, compiled(r"^\W*{greeting}\b")),
)
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+")
_ANNOUNCED = re.compile(  # "two things: where can I get ramen, and ...?", "by the way, ..."
    r"^\W*(?:btw|by the way)\b,?\s*|"
    r"^\W*(?:two|2|three|3|a couple(?: of)?|a few|some|several) (?:quick )?(?:things|questions|q's|qs)\s*[:;,.–—-]+\s*",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:which|what)(?: one)?(?: of (?:them|these|those|the (?:two|three)))? (?:would|do|should) (?:you|i|we) "
    r"(?:recommend|pick|choose|suggest|prefer|advise|go (?:for|with))(?=\W*$|,\s+\w)|"
    r"\bwhat(?:'s| is) your (?:favou?rite|pick|recommendation|suggestion)(?=\W*$)",
    re.IGNORECASE,
)
TALK = 14  # words: a longer message with a little small talk in it is about something


def without_courtesies(message: str) -> str:
    """The message without greetings, thanks and the like at its two ends; empty where there was nothing else."""
    text = message.strip()
    while match := _FOR_WHAT.match(text) or _DISMISSED.match(text) or _LEADING.match(text):
        text = text[match.end() :]
    while match := _CLOSING.search(text):
        text = text[: match.start()]
    return text.strip()


def plain(message: str) -> str:
    """Return what a message asks, without courtesies, e-mail addresses ("me@school.edu" asks nothing about schools) and
    the word that several questions follow. Advice is asked as what decides it: the best rating."""
    text = _ANNOUNCED.sub("", _ADDRESS.sub(" ", without_courtesies(message)))
    return _ADVICE.sub("which one is the best rated", text)


def courtesy(message: str) -> ChatKind | None:
    """The courtesy in a message, whatever else it holds."""
    return next((kind for kind, pattern in _COURTESIES if pattern.search(message)), None)


def chat_kind(message: str) -> ChatKind | None:
    """What a message is if it is nothing but conversation; None where something is left to be searched for."""
    asked = said("capabilities").search(message)
    if asked is not None and not english.content(re.findall(r"[a-z]{3,}", message[: asked.start()].lower())):
        return ChatKind.CAPABILITIES  # but "I'm 6th of 17 on the waitlist, how does this work" asks of that
    if _NO_PREFERENCE.match(message):
        return ChatKind.DONT_CARE
    talks = said("small_talk").search(message) and not _THAT_SEARCHES.search(message)
    if talks and len(message.split()) < TALK:
        return ChatKind.SMALL_TALK
    if re.search(r"\w", without_courtesies(message)):
        return None
    return courtesy(message) or ChatKind.SMALL_TALK
