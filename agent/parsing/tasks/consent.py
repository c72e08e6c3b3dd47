"""Reads a message as a plain yes to one question, a plain no, or neither. Without a plain yes nothing is done.

A plain yes is made of nothing but words of assent, of this task's own verb, of the values that were shown, and of
courtesy: every word is accounted for. Whatever else a message says (a condition, a question, a doubt, a shrug, somebody
else's yes) makes it neither, and it is asked once more. The grammar is closed on purpose: a word that nobody thought of
costs one more question, never an effect.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from agent.parsing.tasks.message import Message
from agent.text.wordlists import words
from agent.worksheets.instances import family, root_of, worksheet_of
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState, Entity
from agent.worksheets.statements import Confirm, Statement, Unclear
from agent.worksheets.verbalise import values_shown
from agent.worksheets.wording import in_words, title_of

BOUND = ("confirm", "leave")
"""What a yes has consequences for: an effect, or the loss of what was typed."""

_ASSENT = """
y yes yeah yea yep yup yah ya ye aye yessir yeh yeha yse yws yea
uh huh|uh-huh|mhm|mm-hm|mmhm|uhuh
affirmative|roger|indeed|certainly|absolutely|definitely|totally|exactly|precisely|correct|agreed|deal|perfect
sure|sure thing|for sure|of course|by all means|most certainly|most definitely|very much so|gladly|please do
ok|okay|okey|oki|okie|okie dokie|okey dokey|k|kk|alright|all right|aight
fine by me|fine with me|that is fine|that's fine|this is fine|it's fine|it is fine|all fine|looks fine|sounds fine
go ahead|go for it|go on then|go right ahead|do it|do so|do that|do this|make it so|make it happen|proceed|ship it
go|go on|carry on|continue|let's|let's go|let's do it|let's do this|let's do that|let's go for it|let's go ahead
let's go with it|let's go with that|let us do it|please proceed|please continue
looks good|looks great|looks right|looks correct|looks perfect|looks lovely|looks ok|looks okay|looks all right
it looks good|it looks right|it looks correct|that looks good|that looks great|that looks right|that looks correct
everything looks good|everything looks right|everything looks correct|all looks good|this looks good|this looks right
sounds good|sounds great|sounds perfect|sounds right|sounds lovely|sounds like a plan|that sounds good
that sounds great|that sounds perfect|that sounds right|that sounds lovely|good to go|all good|all set|all correct
all right with me|that works|works for me|works for us|that works for me|that works for us|it works for me
that will do|that'll do|that would be great|that would be good|that would be lovely|that would be perfect
that's right|that is right|that's correct|that is correct|that's perfect|that is perfect|that's good|that's great
that's ok|that's okay|that's it|that's the one|that's exactly right|that's all right|that's all correct|that's true
it's right|it's correct|it's perfect|it is correct|it is right|it's all correct|it's all right|this is right
this is correct|everything is right|everything is correct|everything's correct|everything's right|everything is fine
everything is good|all is correct|all is right|they're correct|they are correct|those are right|those are correct
they're right|they are right|these are correct|these are right|the details are right|the details are correct
the details look good|the details look right|the details look correct|those look right|those look good
i confirm|i confirm it|i confirm that|i confirm this|confirm|confirmed|confirm it|confirm that|confirm this
i can confirm|i can confirm that|i do confirm|i hereby confirm|consider it confirmed|i agree|i do|i approve|approved
i'd like that|i would like that|i'd love that|i'd like to|i would like to|i'd love to|i want that|i want it
i'll take it|we'll take it|you can|you may|you got it|you bet|count me in|count us in|i'm in|we're in
good|great|right|awesome|excellent|wonderful|lovely|brilliant|splendid|super|true|ready|ready to go|lgtm
100|100%|1000%|100 percent|a hundred percent|hell yes|hell yeah|heck yes|heck yeah|hell ya
"""
_ONLY_AFTER_YES = """
i do|i am|i would|i will|i did|i want to|i want that|i want it|it is|it does|that is|we do|we are|we would|why not
i'm sure|i am sure|i'm certain|i am certain|i'm positive|i would love to|that's all|that is all|that's everything
that is everything|that's all of them|that's all of it|nothing else|nothing more|as shown|as shown above|like that
just like that|exactly like that|that is the one|that's the one|those are|these are|they are|they're|i meant|i mean
that's what i want|that's what i meant|i want|i wanted|i need|i'm quite sure|i am quite sure|i'm very sure
i'm looking forward to it|looking forward to it|i look forward to it|see you then|see you there|see you soon
for your help|for the help|for your time|for everything|for that
"""
_COURTESY = """
please pls plz pleas plase pelase thanks thank you thx ty cheers kindly thankyou so much very much a lot again now then
so well oh ah um uh hm hmm hi hello hey there actually great good cool nice perfect awesome super lovely wonderful
excellent brilliant fantastic amazing sir madam ma'am mate buddy pal dear friend boss bot assistant everyone folks
good morning|good afternoon|good evening|if possible|if you can|if you could|if you would|if you please
if you don't mind|no problem|right away|straight away|as soon as possible|asap|right now|immediately|got it
have a nice day|have a good day|that's kind of you|much appreciated|appreciate it|i appreciate it|to me|to us|for me
for us|you can|you may|i'd like you to|i would like you to|go ahead and|very well|let me see|all right|alright|ok|okay
by the way
"""
_LINKS = "with at on for in of the a an my our your to and is it this that from under as by ones two three four"
_VERBS = (
    ("book", "reserve", "make", "place"),
    ("submit", "send", "file", "send off", "hand in"),
    ("enroll", "enrol", "register", "sign up", "sign me up", "sign us up"),
    ("change", "modify", "update", "apply"),
    ("cancel",),
    ("drop",),
    ("save", "keep"),
    ("begin", "start"),
    ("look up",),
)
_OBJECTS = "it that this these those them all everything one me us up off in now then away through"
_FOREIGN = """
sí|si|oui|ouais|ja|jawohl|doch|jo|da|да|ага|tak|ano|áno|igen|evet|hai|はい|ええ|うん|是|是的|好|好的|可以|对|對|行
네|예|응|हाँ|हां|जी|जी हाँ|जी हां|نعم|أجل|ايوه|بله|آره|כן|ναι|sim|sì|vâng|có|ใช่|kyllä|joo|jah|taip|jā|iya|ya
evet lütfen|opo|так|jes|ie
"""
_FOREIGN_COURTESY = """
por favor|gracias|muchas gracias|bitte|danke|vielen dank|s'il vous plaît|s'il vous plait|s'il te plaît|svp|merci
merci beaucoup|per favore|grazie|obrigado|obrigada|пожалуйста|спасибо|お願いします|ありがとう|请|謝謝|谢谢|proszę
dziękuję|lütfen|teşekkürler|alstublieft|graag|dank je|tack|takk|من فضلك|شكرا|감사합니다|부탁합니다|prosím|děkuji|señor
"""
_MOCKING = re.compile(r"\b(?:ye+a+h+|ya|yea)\W+right\b|\boh\W+(?:great|perfect|lovely|wonderful|brilliant|super)\W*$")
_AGREES = frozenset("👍👌✅✔☑💯🙌🆗")
_SMILES = frozenset("😊🙂😀😃😄😁🎉🥳❤🙏🤗🤩😍💪✨☺😋")
_REFUSES = frozenset("👎❌🚫⛔🙅")
_PLAIN_NO = re.compile(
    r"\W*(?:(?:please|actually|sorry|oh|um+|hm+)\W+)*(?:n|no+|nope|nah|nay|negative|"
    r"i'?d rather not|(?:absolutely|definitely|certainly|of course) not|"
    r"not (?:now|yet|today|like (?:this|that))|"
    r"(?:please )?don'?t|do not|never|stop|cancel(?: (?:it|that|this))?|abort)(?: (?:do|book|send|submit) "
    r"(?:it|that|this))?(?:\W+(?:please|thanks|thank you|thx|sorry|no+|way|not (?:now|yet|today)))*\W*"
)
_ASKS_FOR_IT = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|sure)\W+)?(?:can|could|will|would) you (?:please |just |now )?"
)
_TOKEN = re.compile(r"[^\W_][\w'’%-]*%?|[^\w\s]")
_WORD = re.compile(r"[^\s.,!;:。、，！،।]+|[?？]")  # of any language: in many, what \w takes for a word is half of one
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_SILENT = frozenset(".,!;:-–—()*~+\u200d\ufe0f\ufe0e" + _SKIN_TONES)
_BRIEF = 40  # characters of a value that may be said back
_LONGEST = 6  # words of a phrase


class Consent(StrEnum):
    YES = "yes"
    NO = "no"
    NEITHER = "neither"


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    """Phrases parted by "|"; a line without one is a list of words."""
    found: list[tuple[str, ...]] = []
    for line in text.strip().splitlines():
        parts = line.split("|") if "|" in line else line.split()
        for part in parts:
            found += [tuple(part.split()), tuple(part.replace("'", "").split())]
    return frozenset(found)


_YES, _AFTER_YES, _POLITE = _phrases(_ASSENT), _phrases(_ONLY_AFTER_YES), _phrases(_COURTESY)
_ABROAD, _POLITE_ABROAD = _phrases(_FOREIGN), _phrases(_FOREIGN_COURTESY)
_CAN_STRETCH = frozenset(words("yes yeah yea yep yup ok okay sure please y k ya ye ja oui si"))


@dataclass(frozen=True)
class Asked:
    """What a yes would be to: the `verb` of the task ("book"), what it is called, the values that were shown."""

    verb: str = ""
    title: str = ""
    shown: frozenset[tuple[str, ...]] = field(default_factory=frozenset)

    @property
    def acts(self) -> frozenset[tuple[str, ...]]:
        """The ways to say the verb; those of other tasks are none."""
        if not self.verb:
            return frozenset()
        group = next((verbs for verbs in _VERBS if self.verb.lower() in verbs), ())
        return frozenset(tuple(verb.split()) for verb in {self.verb.lower(), *group})

    @property
    def objects(self) -> frozenset[str]:
        named = self.title.lower().split()
        return frozenset([*_OBJECTS.split(), *named, *(f"{word}s" for word in named)])


def reading(message: str, asked: Asked | None = None, *, abroad: bool = False) -> Consent:
    """What a message is to a question that takes a yes. `abroad`: plain words of other languages count as well."""
    low = Message(message).low
    if _is_yes(low, asked or Asked(), abroad=abroad):
        return Consent.YES
    refuses = set(low) & _REFUSES and not re.search(r"\w", low)
    return Consent.NO if refuses or _PLAIN_NO.fullmatch(low) else Consent.NEITHER


def stretches(told: str) -> frozenset[tuple[str, ...]]:
    """The stretches of a value that may be said back with a yes. A number alone is none: "yes, 4 of us" need not mean
    the 4 of December 4."""
    tokens = [token for token in _TOKEN.findall(told.lower()) if token not in _SILENT]
    pairs = ((start, stop) for start in range(len(tokens)) for stop in range(start + 1, len(tokens) + 1))
    return frozenset(
        tuple(tokens[start:stop]) for start, stop in pairs if any(one.isalpha() for one in tokens[start:stop])
    )


def asked(state: DialogueState, specification: Specification, today: datetime.date) -> Asked:
    """What the pending confirmation asks."""
    pending = state.pending
    at = state.instance(pending.instance) if pending else None
    if at is None or pending is None:
        return Asked()
    worksheet = worksheet_of(specification, at)
    root = worksheet_of(specification, root_of(state, at))
    if pending.kind == "leave":
        return Asked("drop", title_of(root))
    told: set[tuple[str, ...]] = set()
    for member in family(state, at, specification):
        for one, value in values_shown(state, member, specification):
            said = in_words(value, one, today)
            told.update(stretches(said) if isinstance(value, Entity) or len(said) < _BRIEF else ())
    return Asked(worksheet.verb or root.verb, f"{title_of(worksheet)} {title_of(root)}", frozenset(told))


def held(
    statements: Sequence[Statement],
    message: str,
    state: DialogueState,
    specification: Specification,
    today: datetime.date,
    *,
    asks: bool = False,
    abroad: bool = False,
) -> tuple[Statement, ...]:
    """The statements, with a yes that the words do not plainly give replaced by the question once more.

    What the message says of other tasks is left out of the reading; that it `asks` something is not.
    """
    pending = state.pending
    if pending is None or pending.kind not in BOUND:
        return tuple(statements)
    if not any(isinstance(item, Confirm) and item.yes and not item.digest for item in statements):
        return tuple(statements)
    if not asks and _agrees(statements, message, asked(state, specification, today), abroad=abroad):
        return tuple(statements)
    kept = tuple(item for item in statements if not isinstance(item, Confirm))
    if kept or asks:
        return kept
    return (Unclear(instance=pending.instance, why=ONCE_MORE, words=message.strip()),)


ONCE_MORE = "I did not take that as a clear yes, so nothing has been done yet."


def _agrees(statements: Sequence[Statement], message: str, question: Asked, *, abroad: bool) -> bool:
    if reading(message, question, abroad=abroad) is Consent.YES:
        return True
    others = [item.words for item in statements if not isinstance(item, Confirm) and item.words]
    rest = message
    for said in sorted(others, key=len, reverse=True):
        rest = rest.replace(said, " ")
    if not others or not re.search(r"\w", rest):
        return False
    return reading(re.sub(r"\W*\b(?:and|then|also)\W*$", "", rest), question, abroad=abroad) is Consent.YES


def _is_yes(low: str, asked: Asked, *, abroad: bool) -> bool:
    if re.search(r"""["«»„“”]|(?<!\w)'|'(?!\w)|\.\.|…""", low) or _MOCKING.search(low):
        return False
    why_not = re.sub(r"(\w\W+why not)\W*$", r"\1", low)
    if (opening := _ASKS_FOR_IT.match(low)) is not None:  # "could you book it then?"
        rest = low[opening.end() :].rstrip(" ?!.")
        return any(rest.startswith(" ".join(act)) for act in asked.acts) and _is_yes(rest, asked, abroad=False)
    ways = (_TOKEN, _WORD) if abroad else (_TOKEN,)
    return any(_is_made_of_assent(way.findall(why_not), asked, abroad=abroad) for way in ways)


def _is_made_of_assent(said: Sequence[str], asked: Asked, *, abroad: bool) -> bool:
    tokens = [token for token in said if token not in _SILENT]
    agreed = False
    place = 0
    while place < len(tokens):
        used, assents = _unit(tokens, place, asked, agreed=agreed, abroad=abroad)
        if not used:
            return False
        agreed, place = agreed or assents, place + used
    return agreed and tokens[-1] not in ("and", "if", "but")


def _unit(tokens: Sequence[str], at: int, asked: Asked, *, agreed: bool, abroad: bool) -> tuple[int, bool]:
    """How many tokens from a place on are part of a yes, and whether they assent by themselves."""
    if tokens[at] in _AGREES:
        return 1, True
    if tokens[at] in _SMILES:
        return 1, False
    assent = [_YES, *([_ABROAD] if abroad else [])]
    polite = [_POLITE, *([_AFTER_YES] if agreed else []), *([_POLITE_ABROAD] if abroad else [])]
    for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
        said = tuple(_plain(token) for token in tokens[at : at + length])
        if said in asked.acts:
            return length + _object(tokens, at + length, asked), True
        if any(said in known for known in assent):
            return length, True
        if agreed and said in asked.shown:
            return length, False
        if any(said in known for known in polite):
            return length, False
    alone = _plain(tokens[at])
    linked = alone in asked.objects or alone in _LINKS.split()
    return (1, False) if agreed and linked else (0, False)


def _object(tokens: Sequence[str], at: int, asked: Asked) -> int:
    """How many tokens say what the verb is done to: "it", "the reservation", "me"."""
    place = at
    while place < len(tokens) and (tokens[place] in asked.objects or tokens[place] in ("the", "my", "our")):
        place += 1
    return place - at


def _plain(token: str) -> str:
    """A word with its letters not drawn out: "yesss", "okkk", "suuure"."""
    token = token.replace("’", "'").strip("-'")
    short = re.sub(r"(\w)\1+", r"\1", token)
    return short if short in _CAN_STRETCH else token
