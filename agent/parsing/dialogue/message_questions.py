"""The questions of one message: where one ends and the next begins, and which of them go on from the one before.

"How many are open on Sunday, and which is the cheapest?" asks twice of the same rows; "thai in Palo Alto, and somewhere
for a steak in Sunnyvale" looks for two things. What a search can answer at once stays one question: "a quiet place, and
when does it open?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.language import Question
from agent.parsing.dialogue import clauses, coordination, cues, pointing
from agent.parsing.dialogue.comparing import numbers_of_two, opposite
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.follow import Read
from agent.parsing.dialogue.joint_searches import additions, requests, says_what
from agent.parsing.dialogue.phrases import compiled
from agent.parsing.dialogue.question_split import Cut, Hold, asks_columns, chooses, own, says, told
from agent.parsing.frame import Frame

_TURN = compiled(  # before another question: "..., and which one is the worst?"
    r"(?:(?<=[?])|(?P<stop>[.!]+)|[,;:]*)(?P<and>(?:\s+(?:and|but|also|plus|then|btw|by the way|oh|[+&]),?)*)\s+"
    r"(?:(?:at|in|from|on|for|to|with) (?=which (?:ones?|places?|courses?|classes|restaurants?|of)\b))?"
    r"(?:if (?:so|yes|not|no|any|there (?:is|are)),? )?"
    r"(?P<tell>(?:(?:i(?:'d| would)?|would)(?: also)? (?:like|love|want|need) to (?:know|hear)|any idea|do you know|"
    r"(?:can you |could you |please )?(?:also )?(?:tell me|let me know)),? )?"
    r"(?=(?:{other_question}|(?:(?<=know )|(?<=hear ))(?:if|whether)|(?<=[?] )(?:{question}|{listing})|"
    r"(?:(?<=and )|(?<=also )|(?<=btw )|(?<=by the way ))"
    r"(?!{no_question}\b)"
    r"(?:is|are|do|does|can|will|would|could|should|did|has|have|(?:tell|give) me (?:the|its|their)))\b)"
)
_ONLY_ASKS = re.compile(
    r"(?P<asks>how (?:often|long|many times|much|late|soon|early)|for how long|until when|by when|when|how|why)\W*",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"(?:^|[,.;!?]\s+)(?:(?:and|but|so) )*(?P<who>(?:can|could|may|will|would|should|must|do|does|did) "
    r"(?:i|we|you|they|he|she|it|students?|people)) (?P<done>[^,.;!?]+)\W*$",
    re.IGNORECASE,
)
_PRICE = re.compile(  # "..., and what would they charge?"
    r"(?P<asks>(?:what|how much)(?: (?:do|does|would|will|is|are|should))? (?:(?:they|it|that|you|we|i) )?"
    r"(?:(?:have|need) to )?(?:charge|cost|pay|it|that)(?: (?:cost|extra|for))*|"
    r"is there (?:an? )?(?:extra )?(?:fee|charge)|does (?:it|that) cost (?:extra|anything|money))\W*",
    re.IGNORECASE,
)
_AND_THEN = compiled(r"(?<=[?])\s+(?=(?:and )?{elliptic}\b)")  # "...? and on Saturday at 3?"
_ASKS = compiled(
    r"(?:^|[,.;:!?]\s+)(?:(?:and|but|so|also) )*(?:{question}|which)\b|\?\s*$|"
    r"\b(?:know|wonder(?:ing)?|ask|find out|tell me) (?:if|whether|which|{wh})\b"
)
_LEADS_ON = re.compile(  # "is there a limit on | how many", "and if the second is worse, | which one counts"
    r"\b(?:on|of|for|about|to|in|at|by|from|with|than|like|know|say|see|tell|ask|wonder|idea|is|are|was|were)\W*$|"
    r"(?:^|[.?!;]\s+|,\s+)(?:(?:and|but|also|so),? )*(?:if|when|in case|suppose|assuming|since|because)\b[^.?!;]*$",
    re.IGNORECASE,
)
_NAMED_FIRST = re.compile(
    r"(?P<name>[^,:;?!–—]{3,50}?)(?:\s*[,:;?–—]|\s*\.\.+|\s+-+)\s+"
    r"(?P<asks>(?:is|are|does|do|has|have|was) (?:it|they)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_CIRCUMSTANCE = re.compile(  # what somebody is doing: "landing at SFO tonight, where can we eat?"
    r"\W*(?:(?:hi|hey|hello|so|ok)\W+)*(?:(?:i'?m|we'?re|i am|we are|i'?ll be|we'?ll be|just)\s+)*"
    r"(?!(?:look|search|crav|think|want|hop|seek|hunt|plan|anyth|someth|noth|even|morn)ing\b)[a-z]+ing\b",
    re.IGNORECASE,
)
_IF = re.compile(r"^if ", re.IGNORECASE)  # "I need to know <if>"
_THE_ONE = re.compile(r"(?:and |ok )?the (?:[\w'’-]+ ){1,4}(?:one|class|course|place|restaurant)", re.IGNORECASE)
_ITS = re.compile(r"\b(?:it|they)\b", re.IGNORECASE)
_TELLS_MORE = re.compile(r"\w,? and (?:give|tell|show|send) me\b", re.IGNORECASE)  # asks twice by itself
_ALSO = re.compile(r"\W*(?:and|but|also|plus|btw|by the way|oh)\b", re.IGNORECASE)
_STATES = re.compile(
    r"\W*(?:i|we)(?:'ve| have)? (?:just )?(?:\w+ed|read|saw|heard|was|were|went|had|ate|got)\b", re.IGNORECASE
)


def _ordered_apart(first: Frame, second: Frame) -> bool:
    return bool(first.order and second.order) and first.order != second.order


_TWO_AT_ONCE = (  # how one sentence asks twice, and what has to be true of both
    (coordination.both_ends, opposite),
    (coordination.two_orders, _ordered_apart),
    (coordination.two_groups, numbers_of_two),
)


def questions(text: str, read: Read, meaning: Meaning, *, shown: bool = False) -> tuple[Question, ...]:
    """The questions of a message, in its order; each that goes on from another says from which. `shown`: rows were
    shown before, of which it may ask."""
    text = _with_its_name(text, read, meaning)
    for left, right in coordination.enumerated(text):
        return (Question(words=left), *_going_on(left, right, read, meaning, own=own(read(right), right, meaning)))
    for left, right in coordination.apart(text):
        if says(read(left)) and says(read(right)):
            return (*questions(left, read, meaning, shown=shown), *questions(right, read, meaning))
    for sides, are_two in _TWO_AT_ONCE:
        for both in sides(text):
            if are_two(*map(read, both)):
                return tuple(Question(words=words) for words in both)
    cut = clauses.apart(text)
    for left, right in coordination.anew(cut):
        if _looks_anew(left, right, read, meaning):
            return (*questions(left, read, meaning, shown=shown), *questions(right, read, meaning))
    for turn in _TURN.finditer(cut):
        left, right = cut[: turn.start()].strip(" +&"), cut[turn.end() :].strip()
        right = _filled_up(left, clauses.direct(_IF.sub("whether ", right) if turn["tell"] else right))
        ended = left.endswith("?") or bool(turn["stop"] or turn["tell"])
        if left and _turns(left, right, read, meaning, joined=bool(turn["and"]), ended=ended, shown=shown):
            if _CIRCUMSTANCE.match(left) and _leads_up(left, text) and not says_what(read(left), meaning):
                continue
            aside = re.search(r"\b(?:oh|also)\b", turn["and"], re.IGNORECASE) is not None
            if parted := _parted(Cut(left, right, read, meaning, ended=ended, shown=shown, aside=aside)):
                return parted
    for turn in _AND_THEN.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        first, second = read(left), read(right)
        if first.aggregate is not None and second.where:
            return (Question(words=left), *_going_on(left, right, read, meaning, own=False))
    for left, right in coordination.again(text):
        if read(left).where and any(meaning.is_place(node) for node in read(right).where):
            return (Question(words=left), *_going_on(left, right, read, meaning, own=False))
    for left, right in (*additions(text, read, meaning), *requests(text, read, meaning)):
        following = left if pointing.there(right) or coordination.somewhere(right) else ""
        other, *others = questions(right, read, meaning)
        return (Question(words=left), other.model_copy(update={"following": following}), *others)
    return (Question(words=text),)


def _looks_anew(left: str, right: str, read: Read, meaning: Meaning) -> bool:
    """Whether the second part looks for something, and the first asks or looks for something else."""
    first, second = read(left), read(right)
    if (
        _TELLS_MORE.search(left)
        or pointing.points_out(right)
        or second.presentation != "list"
        or not (second.where or second.order)
    ):
        return False
    asks = _ASKS.search(left.rstrip(" ?")) is not None or cues.asks_yes_no(left)  # whatever mark was put behind it
    if meaning.names(first) or (asks and pointing.points(left)):
        return True
    return asks and says(first) and (bool(first.order) or says_what(second, meaning))


def _with_its_name(text: str, read: Read, meaning: Meaning) -> str:
    """A question after what it is about, with the name in it: "Alder - is it loud?" is "is Alder loud?"."""
    said = _NAMED_FIRST.match(text)
    if said is None:
        return text
    if _THE_ONE.fullmatch(said["name"].strip()):
        return _ITS.sub(said["name"].strip(), said["asks"], count=1)
    if told(read(said["name"])):
        return text
    named = read(said["name"])
    alone = meaning.names(named) and len(named.where) == 1 and named.presentation == "detail"
    return _ITS.sub(said["name"], said["asks"], count=1) if alone else text


def _turns(left: str, right: str, read: Read, meaning: Meaning, *, joined: bool, ended: bool, shown: bool) -> bool:
    """Whether a message can ask twice where it turns to a question: what comes before must ask, search or name
    something ("I lost my card, what do I do?" asks once). `joined`: by "and" or the like."""
    if not (joined or ended):
        opens = cues.asks_openly(right) or pointing.which_one(right)
        return _ASKS.search(left) is not None and opens and not _LEADS_ON.search(left)
    if _ASKS.search(left):
        return True
    if cues.searches(left) or cues.compares(left):
        return True
    first = read(left)
    if meaning.names(first) and not _STATES.match(left):  # "the address of X, and what people order"
        return True
    if pointing.of_it(right) and (ended or pointing.among_them(right)) and says_what(first, meaning):
        return True  # "I need a deli. Do they ...?"
    if joined and chooses(first) and (pointing.of_chosen(right) or pointing.of_its_part(right)):
        return True  # "the best one, and is it loud"
    return shown and joined and asks_columns(left, first, read)  # "phone number, and is it loud?"


def _leads_up(left: str, text: str) -> bool:
    """Whether what comes before a question only tells what leads up to it: "the note is four years old, is that good
    enough?". `text` is the message as it was written, without the marks that part it."""
    told = left.rstrip(" ?.!")
    marked = text.startswith(left) and left.endswith("?")
    return not (marked or _ASKS.search(told) or _ALSO.match(text, len(told)))


def _filled_up(left: str, right: str) -> str:
    """A question that says only what it asks for, with what that is asked of: "can I see a doctor, and how often?",
    "can we bring wine, and what do they charge?"."""
    first = _AUXILIARY.search(left)
    if first is None:
        return right
    done = first["done"].rstrip(" ?.!")
    if bare := _ONLY_ASKS.fullmatch(right):
        return f"{bare['asks']} {first['who']} {done}?"
    priced = _PRICE.fullmatch(right)
    return f"{priced['asks']} to {done}?" if priced else right


def _parted(cut: Cut) -> tuple[Question, ...]:
    """Both sides of a cut as questions of their own; none where they are but one."""
    hold, left = cut.hold(), Question(words=cut.left)
    if hold is None:
        return ()
    if hold in (Hold.OWN, Hold.GOES_ON):
        return (left, *_going_on(cut.left, cut.right, cut.read, cut.meaning, own=hold is Hold.OWN))
    other, *others = questions(cut.right, cut.read, cut.meaning, shown=True)
    if hold is Hold.AWAITS:
        other = other.model_copy(update={"following": cut.left, "awaits": True})
    return (left, other, *others)


def _going_on(left: str, right: str, read: Read, meaning: Meaning, *, own: bool) -> Iterator[Question]:
    for question in questions(right, read, meaning):
        yield question if own or question.following else question.model_copy(update={"following": left})
