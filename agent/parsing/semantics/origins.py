"""Places that a message only tells of: where somebody comes from or once lived is not where they look for something."""

from __future__ import annotations

import re

from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention, alternatives

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
