"""Places where nothing is looked for: those to be left out ("anywhere but X", "outside of X"), and those that a message
only tells of, such as where somebody comes from."""

from __future__ import annotations

import re
from typing import Literal

from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention, alternatives

_BUT = (
    r"(?:but|except(?:ing)?(?: for)?|excluding|save(?: for)?|bar|barring|"
    r"other than|besides|apart from|aside from|minus)"
)
_ANYWHERE = (
    r"(?:(?:any|every|some)(?:where|place)|wherever|all over(?: \S+){0,3}?|"
    r"(?:any|every|all|each|some|another|other)(?: (?!and |or )[a-z]+){1,4}?|nowhere|no place)"
)
_TRAVEL = r"(?:make it|get|go|drive|head|come|travel|cross|trek)(?: (?:out|over|up|down|back|all the way))? to"
_AT = r"(?: (?:in|at|near|around|the|downtown|central|all|of|to))*"
_BEFORE = re.compile(
    rf"(?:^|(?<=\s))(?:(?:in|at|to|from|be) )?(?:"
    rf"{_ANYWHERE}(?: else| at all)*(?: ,)? (?:{_BUT}|(?:that |which )?(?:is |are )?not){_AT}|"
    rf"not (?:(?:want|like|have|able) )?(?:to )?(?:do|{_TRAVEL}){_AT}|"
    r"(?:(?:(?:just|right|well|anywhere|somewhere|located) )*(?:outside(?: of)?|beyond)|"
    r"(?:keep|stay|staying|get|getting|go|going|be|us|me|somewhere|anywhere|venture|venturing) out of|"
    r"(?:well |somewhere |anywhere |far |farther |further |as far )*(?:away|far|farther|further) (?:as possible )?from)"
    r"(?: (?:the|downtown|central))*"
    r") $"
)
_FAR = (
    r"(?:too (?:far|long|much)(?: (?:away|off|out|of|an?|the|drive|trip|trek|hike|haul))*|"
    r"(?:quite )?a (?:trek|hike|haul))"
)
_AFTER = re.compile(
    r" (?:is|are|would be|will be|feels|seems|sounds)"
    r"(?: (?:just|simply|way|much|a bit|a little|really|honestly|probably|definitely|for us|for me|today|tonight))*"
    rf" (?:{_FAR}|off the (?:table|list|menu)|out of (?:the question|reach|our way|my way|range)|not an option|"
    r"not (?:doable|feasible|possible|realistic))(?: (?:for|from) (?:me|us|here|there|home|work))?(?= |$)"
)
_ONLY = re.compile(
    r"(?:^|\s)(?:nowhere|no place|nothing|not|never|no|none)(?: (?:too|very|so|that|really|anything|anywhere))* $"
)
_LATER = re.compile(r" (?:before|until|till|by|on time|in time|early|that)(?= |$)")
_INSIDE = frozenset({"city", "far city", "district", ""})  # kinds of places that one can be outside of, and still near

Sense = Literal["out", "in", ""]
_MOVING = (
    r"(?:mov(?:e|es|ed|ing)|fl(?:y|ies|ew|own|ying)|dr(?:ove|iven|iving)|(?:i|we|they|to|will) drive|"
    r"c(?:ome|omes|ame|oming)|"
    r"arriv(?:e|es|ed|ing)|visit(?:s|ed|ing)?|travel(?:s|ed|ing)?|relocat(?:e|es|ed|ing)|return(?:s|ed|ing)?|hails?|hailing|"
    r"transplanted|originally|straight|fresh|transplants?|newcomers?|flights?|trains?|plane|bus|layover|commut(?:e|es|ing)|"
    r"(?:i|we|he|she|they|who) (?:am|are|is|was|were)|back|here|people|folks|somebody|someone)"
)
_ON_THE_WAY = (
    r"(?: (?:in|up|down|over|out|here|back|home|to (?:town|the area|the bay area|california)|today|tonight|tomorrow|"
    r"yesterday|recently|originally|all the way|on [a-z]+day))*"
)
_CAME = rf"(?:{_MOVING}|{alternatives(sorted(english.relatives()))}){_ON_THE_WAY} from"
_STAYED = (
    r"(?:grew up|grown up|born(?: and (?:raised|bred))?|raised|lived|used to (?:live|work|be|eat)|studied|"
    r"went to (?:school|college|university))(?: (?:for|near|close|just|right|\S+ years?))* (?:in|near|around|outside)"
)
_RETURNED = (
    r"(?:back|home|returned) from (?:[a-z0-9]+ ){0,4}?(?:trip|vacation|holidays?|honeymoon|visit|weeks?|months?|years?|"
    r"days?|conference|weekend|semester|summer) (?:to|in|at|around)"
)
_TOLD = re.compile(
    rf"(?:^|(?<=\s))(?:(?:just|recently|only|finally|originally|newly|all|(?:i|we) (?:am|are)) )*"
    rf"(?:{_CAME}|{_STAYED}|{_RETURNED}|miss(?:es|ing)?|"
    rf"(?:just )?like (?:they (?:do|make|have) (?:it )?|back |the ones? |what you get )?in|"
    rf"(?:what|how|the way) (?:\S+ ){{1,4}}?(?:cook(?:s|ed)?|makes?|made|eats?|ate|serve[sd]?|does|did|had)(?: it)? in)"
    rf"(?: the)? $"
)
_HOME = re.compile(
    r"(?:^|(?<=\s))(?:(?:i|we|he|she|they) (?:all |both |currently |now )*(?:live|lives|work|works|study|studies)|"
    r"(?:my|our|his|her|their) (?:\S+ )?(?:office|home|house|apartment|flat|hotel|school|job|place) is)"
    r"(?: (?:down|up|over|right|out))*(?: (?:in|near|by|around))(?: the)? $"
)


def sense(board: Board, start: int, stop: int, kind: str) -> tuple[Sense, int, int]:
    """Whether the words around a place say that it is left out, or only it is wanted; and the stretch they take up.

    `start:stop` is the place's name, `kind` what sort of place it is. Nothing is said of most places: then it is "".
    """
    if (after := _AFTER.match(board.norm, stop)) is not None and board.free(stop, after.end()):
        return "out", start, after.end()
    clause = re.split(r"(?:^|\s)[.;!?](?=\s)", board.norm[:start])[-1]
    said = _BEFORE.search(clause)
    if said is None:
        return "", start, stop
    words = said.group()
    if re.search(r"\boutside\b", words) and kind not in _INSIDE:
        return "", start, stop  # "outside the station" is near it
    if re.search(r"\bnot\b", words) and _LATER.match(board.norm, stop):
        return "in", start, stop  # "I cannot get to X before eight"
    begin = start - len(clause) + said.start()
    none = _ONLY.search(clause[: said.start()])
    only = none is not None or re.match(r"(?:in |at |to )?(?:nowhere|no place)\b", words) is not None
    if none is not None and re.search(r"\bfar(?:ther)?\b|\bfurther\b", words):
        return "", start, stop  # "not too far from X" is near it
    begin -= len(none.group().lstrip()) if none is not None else 0
    return "in" if only else "out", begin, stop


def mark(board: Board, mention: Mention, start: int, stop: int, kind: str) -> None:
    """Tells a mention of a place what the words around it say."""
    meant, begin, end = sense(board, start, stop, kind)
    if not meant:
        return
    mention.fixed, mention.denied = True, meant == "out"
    if board.free(begin, mention.start):
        mention.start = min(begin, mention.start)
    if board.free(mention.stop, end):
        mention.stop = max(end, mention.stop)


def told(board: Board, start: int) -> int:
    """Where the words begin that tell of the place whose name starts there, as where somebody was; -1 where none do."""
    return _begin(_TOLD, board, start)


def drop_homes(board: Board) -> None:
    """Where somebody lives or works is where to look, unless the message names another place."""
    places = [mention for mention in board.mentions if mention.label == "place" and mention.node is not None]
    homes = [mention for mention in places if _is_home(board, mention)]
    if len(homes) < len(places):
        for mention in homes:
            mention.node = None


def _is_home(board: Board, mention: Mention) -> bool:
    """Whether a home is told of by the words before a mention, or by those it begins with: "I live <in X>"."""
    begun = re.match(r"(?:in|near|by|around)(?: the)? ", board.norm[mention.start :])
    return _begin(_HOME, board, mention.start + (begun.end() if begun is not None else 0)) >= 0


def _begin(pattern: re.Pattern[str], board: Board, start: int) -> int:
    clause = re.split(r"(?:^|\s)[.;:!?](?=\s)", board.norm[:start])[-1]
    found = pattern.search(clause)
    return start - len(clause) + found.start() if found is not None else -1
