"""What a message says beside its question, for the question to be read without it: that several follow, what led to one
("someone told me there is a fee"), what was thought of the answer before, who it is about."""

from __future__ import annotations

import re

_REPORTED = re.compile(  # after a question, what led to it: "does it cost extra, someone told me there's a fee"
    r"(?P<question>(?:^|[.?!;]\s+|\b(?:and|also|but) )"
    r"(?:what|who|when|how|which|is|are|does|do|did|can|could|has|have)\b[^.?!,;]{8,}),\s*"
    r"(?:(?:someone|somebody|a friend|my \w+|people|they|i|we) (?:just )?(?:told|says?|said|heard|read)\b|"
    r"i (?:might|may|could) (?:end up|have|get|be)\b)[^.?!;]*",
    re.IGNORECASE,
)
_TOLD_WHY = re.compile(  # "tell me about X, I'm a bit scared of it"
    r"(?P<question>\btell me (?:more )?about [^,;.?!]{3,50}),\s*(?:i'?m|i am|i've|i have|i heard|my \w+)\b[^.?!;]*",
    re.IGNORECASE,
)
_REMARKED = re.compile(  # on what was found, before a question: "sounds too hard for me. What is the next best?"
    r"^\W*(?:(?:ok|okay|hm+|ah|oh|well),? )?(?:(?:that|it|this)(?: one)? )?(?:sounds|looks|seems) [^.?!;]{3,40}[.!]\s+"
    r"(?=(?:what'?s?|which|who'?s?|how'?s?|is|are|do|does|any|anything)\b)",
    re.IGNORECASE,
)
_OF_KIN = re.compile(  # "my wife is coeliac. Is X safe for her?"
    r"\b(?:my|our) (?:[\w'’-]+ ){1,3}?(?:is|are|has|have) (?:an? |the )?"
    r"(?P<what>c(?:o?e)liacs?(?: disease)?|vegans?|vegetarians?|pescatarians?|gluten[- ]free|lactose[- ]intolerant|"
    r"diabetic|pregnant|deaf|blind|allergic to [\w-]+(?: [\w-]+)?)(?: and [^,;.?!]{0,30})?[.,;!]+\s+"
    r"(?:(?:so|and|now),? )?"
    r"(?P<asks>(?:is|are|would|will|can|could|does|do)\b[^.?!]*?\b(?:for|with)) (?:him|her|them|it)\b",
    re.IGNORECASE,
)
_BY_THE_WAY = re.compile(
    r"(?:(?<=\w)(?P<mid>,?\s+(?:(?:and|oh|but) )*)|(?<=[.?!;]\s)|^)(?:btw|by the way)\b,?\s*", re.IGNORECASE
)
_ANNOUNCED = re.compile(
    r"^\W*(?:(?:hi|hello|hey|so|ok)\W+)?(?:(?:i have|i've got|i got|just) )?"
    r"(?:two|2|three|3|a couple(?: of)?|a few|some|several|another two) (?:quick )?"
    r"(?:things|questions|q's|qs)\s*[:;,.–—-]+\s*",
    re.IGNORECASE,
)


def unannounced(text: str) -> str:
    """The text without that several questions follow: "two things: ..."."""
    return _ANNOUNCED.sub("", text)


def joined(text: str) -> str:
    """The text with "btw" as what joins two questions."""
    return _BY_THE_WAY.sub(lambda said: " and " if said["mid"] else "", text)


def unreported(text: str) -> str:
    """The text without what somebody says beside a question: what led to it, or what they think of what was found."""
    return _TOLD_WHY.sub(r"\g<question>", _REPORTED.sub(r"\g<question>", _REMARKED.sub("", text)))


def of_kin(text: str) -> str:
    """A question about somebody who was spoken of, as one about people of their kind."""
    return _OF_KIN.sub(lambda said: f"{said['asks']} {_people(said['what'])}", text)


def _people(what: str) -> str:
    return "coeliacs" if re.fullmatch(r"c(?:o?e)liac(?: disease)?", what, re.IGNORECASE) else f"{what} people"
