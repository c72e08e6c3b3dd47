"""What somebody is said to have said, and whether it is so: "my aunt swears it is closed on Sundays, is she right?".

Who said it and who doubts it change nothing of what is asked, which is whether the thing is so: "is it closed on
Sundays?". A report that nobody asks to be judged ("a friend told me about a ramen bar") is left as it stands.
"""

from __future__ import annotations

import re

from agent.parsing.dialogue.phrases import compiled
from agent.parsing.semantics import english

_LEAD = r"^\W*(?:(?:and|but|so|ok|okay|hi|hey|well|now|hmm?)\W+)*"
_THAT = r"(?:,? that\b(?! (?:is|was|one|place|course|class)\b))?[,:]?\s+(?=\S)"
_OFTEN = r"(?:(?:just|always|also|once|recently|still|have|has|had|now|really|have just) )*"
_REPORT = compiled(
    rf"{_LEAD}(?:{{reporter}}(?: [A-Z][\w-]+)? {_OFTEN}{{reports}}|i ?{_OFTEN}{{heard}}|{{rumoured}}){_THAT}"
)
_BELIEF = compiled(rf"{_LEAD}(?:i|we) ?{_OFTEN}{{believed}}{_THAT}")
_NAMED_REPORT = re.compile(
    r"^(?P<who>[A-Z][a-z]+) (?:says?|said|swears?|insists?|claims?|thinks|reckons|told (?:me|us))(?: that)? (?=\S)"
)
_VERDICT = compiled(
    r"(?:^|[\s,.;:?!–-]+)(?:(?:so|and|but|or|well|now)[\s,]+)*(?:{verdict}\W*|{tag}\s*\?\W*)$|,\s*{echo}\s*\?\W*$"
)
_CONTRARY = re.compile(
    r"[,.;:–-]+\s*(?:(?:but|and|while|though) )?(?:i|we|he|she|they) "
    r"(?:say|says|think|thinks|believe|insist|insists|bet) [^.?!]{3,60}\W*$",
    re.IGNORECASE,
)
_DISPUTE = compiled(r"(?:[,.;:?!–-]+|\b(?=(?:but|and|while|though|whereas|yet) ))\s*{disputes}\W*$")
_DEBATE = compiled(rf"{_LEAD}{{debate}}[.,:;!–-]+\s*")
_WISH = re.compile(
    r"(?:i|we)(?:'d|'ll|'m| would| want| need an?\b| need the| wish| will| feel| might| am| are| like| prefer)\b",
    re.IGNORECASE,
)
_DOUBTING = re.compile(
    r"^\W*(?P<verb>is|are|was|were|does|do|did|has|have|can|could|will|would|should|wo)n(?:'t|ot) (?=\w)", re.IGNORECASE
)
_ECHOED = compiled(r",\s*{echo}\s*\?\W*$")
_DENIAL = re.compile(
    r"\b(?P<verb>is|are|was|were|does|do|did|has|have|can|could|will|would|should)(?:n't| not)\b", re.IGNORECASE
)
_NO_CLAIM = re.compile(
    r"(?:about|of|to|anything|something|what|how|which|where|who|when|why|so|it|not|yes|no)(?:$|[\s,.;:?!]+$)|"
    r"(?:about|by|of|to|anything|what|how|which|where|who|when|why)\s",  # "swears by the tacos" claims nothing
    re.IGNORECASE,
)
_HELPING = re.compile(
    r"(?:is|are|was|were|can|could|will|would|has been|does|do|did|should|must|may|am)(?:n't)?|can't|won't|cannot",
    re.IGNORECASE,
)
_NOT = {"can't": "can", "won't": "will", "cannot": "can"}
_ASKED = re.compile(
    rf"(?:{_HELPING.pattern}|have|what|which|who|when|where|how|why|show|find|any|tell|list)\b", re.IGNORECASE
)
_SHORT = re.compile(r"\b(there|it|that|he|she|here)['’]s\b", re.IGNORECASE)
_MANY = re.compile(r"(?:i|you|we|they|people|students|guests|reviewers|most people|everyone)", re.IGNORECASE)
_SUBJECT = 8  # words, at most
_QUESTION_AFTER = compiled(rf"(?:[.;!]\s+|,?\s(?:and|but|or|so)\s+)(?!{{no_question}}\b)(?:{_ASKED.pattern})")


def as_question(message: str) -> str:
    """The question behind a report that is to be judged, or behind a statement with one ("it is closed, right?");
    any other message as it stands, and one that goes on to a question of its own."""
    whole = " ".join(message.replace("’", "'").split())
    if debate := _DEBATE.match(whole):
        message = whole = whole[debate.end() :]
    if doubting := _DOUBTING.match(whole):  # "isn't it open?" asks whether it is
        message = whole = f"{doubting['verb']} {whole[doubting.end() :]}"
    text, judged = _without_verdict(whole)
    if _ECHOED.search(whole):  # "it isn't open, is it?"
        text = _DENIAL.sub(r"\g<verb>", text, count=1)
    claim, reported = _without_report(text, judged=judged)
    if _WISH.match(claim) or not (judged or (reported and message.rstrip().endswith("?"))):
        return message
    if _QUESTION_AFTER.search(claim):  # "the cheapest one, and is it good or not?" has its question
        return message
    return f"{asked(claim)}?"


def asked(claim: str) -> str:
    """A statement as a question: "you can take it in May" is "can you take it in May"."""
    words = _SHORT.sub(r"\1 is", claim.strip(" .,;:!?")).split()
    if not words or _ASKED.match(words[0]):
        return " ".join(words)
    if words[0].lower() in ("if", "when", "unless", "once"):
        return f"is it so that {' '.join(words)}"
    for at, word in enumerate(words[1:_SUBJECT], start=1):
        if _HELPING.fullmatch(word):
            verb = _NOT.get(word.lower(), word.lower().removesuffix("n't"))
            denial = ["not"] if verb != word.lower() else []
            return " ".join([verb, *words[:at], *denial, *words[at + 1 :]])
        if _MANY.fullmatch(" ".join(words[:at])):
            return " ".join(["do", *words])
        if word in ("has", "have") or (word != english.base(word) and english.base(word) in english.verbs()):
            return " ".join(["does", *words[:at], english.base(word), *words[at + 1 :]])
    return f"is it so that {' '.join(words)}"


def _without_verdict(text: str) -> tuple[str, bool]:
    """The text without its closing question whether that is so, and whether there was one."""
    judged = False
    while end := _VERDICT.search(text) or (_contrary(text) if judged or _reported(text) else None):
        if not re.search(r"\w", text[: end.start()]):
            break
        judged = judged or _VERDICT.search(text) is not None
        text = text[: end.start()]
    return text, judged


def _contrary(text: str) -> re.Match[str] | None:
    """Where the contrary of what was reported begins."""
    general = _CONTRARY.search(text)
    return _DISPUTE.search(text) or (general if general and _reported(text[: general.start()]) else None)


def _reported(text: str, *, believed: bool = True) -> re.Match[str] | None:
    found = _REPORT.match(text) or _NAMED_REPORT.match(text) or (_BELIEF.match(text) if believed else None)
    if found is None:
        return None
    rest = text[found.end() :]
    return None if _NO_CLAIM.match(rest) or _HELPING.match(rest.split()[0]) or _WISH.match(rest) else found


def _without_report(text: str, *, judged: bool) -> tuple[str, bool]:
    """The text without who said it, and whether anybody is named as having done so."""
    reported = False
    while found := _reported(text, believed=judged):
        text, reported = text[found.end() :], True
    return text, reported
