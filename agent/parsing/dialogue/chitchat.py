"""Messages, and parts of messages, that are conversation rather than questions."""

from __future__ import annotations

import re

from agent.language.tasks import ChatKind

_GREETING = r"(?:hi+|hey+|hello+|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day))(?: there| again| all| everyone)?"
_THANKS = (
    r"(?:many )?(?:thanks?(?: you)?(?: so much| a lot| a bunch| very much)?|thank (?:you|u)(?: so much| very much)?|thx|"
    r"ty|ta|cheers|much appreciated|i appreciate (?:it|that)|appreciate it|you(?:'ve| have) been (?:very |so )?"
    r"(?:kind|helpful|great)|you(?:'re| are) (?:a )?(?:lifesaver|star|the best|great|awesome))"
)
_FAREWELL = (
    r"(?:good ?bye|bye+(?: bye)?|see (?:you|ya)(?: later| soon)?|good night|take care|later|cya|"
    r"that(?:'s| is|ll be|'ll be) (?:all|everything|it)(?: for (?:now|today))?|i(?:'m| am) done)"
)
_ACKNOWLEDGEMENT = (
    r"(?:ok(?:ay)?|k|cool|great|nice|perfect|awesome|wonderful|excellent|lovely|super|fine|alright|all right|right|"
    r"got it|gotcha|sounds? good|makes sense|i see|hm+|ah+|oh+|lol|haha+|hehe|wow|yay|yes|yeah|yep|sure|no|nope|nah|"
    r"never ?mind|no worries|no problem|fair enough|that works|good to know|interesting|ugh|pity|too bad|well|anyway)"
)
_COURTESY = r"(?:please|pls|plz|kindly)"

_EDGE = re.compile(
    rf"^(?:(?:{_GREETING}|{_THANKS}|{_ACKNOWLEDGEMENT}|{_COURTESY}|{_FAREWELL})(?=$|[\s,.!?;:-]))[\s,.!?;:-]*",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"[\s,.!?;:-]+(?:{_THANKS}|{_COURTESY}|{_FAREWELL}|lol|haha+)[\s.!?]*$", re.IGNORECASE)

_KINDS = (
    (ChatKind.FAREWELL, re.compile(rf"\b{_FAREWELL}\W*$", re.IGNORECASE)),
    (ChatKind.THANKS, re.compile(rf"(?<!\w){_THANKS}(?!\w)", re.IGNORECASE)),
    (ChatKind.GREETING, re.compile(rf"^\W*{_GREETING}\b", re.IGNORECASE)),
)

_CAPABILITIES = re.compile(
    r"\b(?:what (?:all )?(?:can|could|do) (?:you|u)(?: guys)? (?:do|help|know|offer|search|cover|answer)\b|"
    r"what are (?:you|your) (?:able|capabilities|for)\b|how (?:do|does|can) (?:you|this|it|i use)(?: thing| chat| bot| app)?"
    r"(?: work| use)?\s*(?:you|this)?\W*$|what(?:'s| is) this\W*$|who are (?:you|u)\W*$|what are (?:you|u)\W*$|"
    r"^\W*help(?: me)?\W*$|how can (?:you|u) help)",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\b(?:how(?:'s| is| are) (?:you|u|it going|things|your day|life)|what(?:'s| is) (?:up|your name|your favou?rite)|"
    r"are (?:you|u) (?:a |an )?(?:bot|robot|human|real|person|ai|machine|alive|there|sure)|do (?:you|u) (?:eat|sleep|like|"
    r"have feelings|get tired|dream|love)\b|tell me (?:a |another )?(?:joke|story)|sing |i(?:'m| am) (?:bored|sad|tired|"
    r"happy|back|lost|new here)|i love (?:you|this)|(?:you(?:'re| are)|that(?:'s| is)) (?:funny|cute|hilarious|weird|silly)|"
    r"did you get my|nice to meet you|happy (?:birthday|new year|friday|holidays)|merry christmas|where (?:are|do) you (?:from|live)|"
    r"who (?:made|built|created) you|how old are you)",
    re.IGNORECASE,
)
_DONT_CARE = re.compile(
    r"^\W*(?:any(?:where|thing|one)?(?: (?:is|works|would be|will do|goes)(?: fine| ok(?:ay)?| good)?)?|whatever|wherever|"
    r"(?:i )?(?:don'?t|do not|dont) (?:mind|care)(?: (?:where|which|about (?:the )?(?:city|location|place)))?|no preference|"
    r"(?:it )?does(?:n'?t| not) matter(?: where| which)?|all of them|any (?:city|place|location|area)(?: is fine| works)?|"
    r"(?:all|any) (?:four|cities|of them)|you (?:choose|decide|pick)|surprise me|up to you|either|not (?:fussed|picky))\W*$",
    re.IGNORECASE,
)


def without_courtesies(message: str) -> str:
    """The message without greetings, thanks and the like at its two ends; empty where there was nothing else."""
    text = message.strip()
    while match := _EDGE.match(text):
        text = text[match.end() :]
    while match := _TAIL.search(text):
        text = text[: match.start()]
    return text.strip()


def courtesy(message: str) -> ChatKind | None:
    """The courtesy in a message, whatever else it holds."""
    return next((kind for kind, pattern in _KINDS if pattern.search(message)), None)


def chat_kind(message: str) -> ChatKind | None:
    """What a message is if it is nothing but conversation; None where something is left to be searched for."""
    if _CAPABILITIES.search(message):
        return ChatKind.CAPABILITIES
    if _DONT_CARE.match(message):
        return ChatKind.DONT_CARE
    if _SMALL_TALK.search(message) and len(message.split()) < 14:
        return ChatKind.SMALL_TALK
    if re.search(r"\w", without_courtesies(message)):
        return None
    return courtesy(message) or ChatKind.SMALL_TALK
