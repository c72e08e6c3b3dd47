"""Things that are named only to search for others: "courses like X", "something to take alongside X"."""

from __future__ import annotations

import re

from agent.parsing.frame import Condition, Order
from agent.parsing.semantics.details import OPINION
from agent.parsing.semantics.workspace import Board, Mention

_YES_NO = re.compile(r"(?:is|are|was|does|do|did|how)\b")
_LIKE = re.compile(
    r"(?:^|\s)(?:(?:quite |very |a lot |much |most )?(?:similar|comparable|related|close)(?: in \S+)? to|"
    r"(?:a lot |much |just |kind of )?like|along the lines of|in the (?:style|spirit|vein) of|reminiscent of)"
    r" (?:the )?$"
)
_EXAMPLES = re.compile(  # "the big required courses, like X and Y"
    r"(?:courses|classes|ones|seminars|electives|those|requirements?|core)(?: ,)?(?: such as| like) $"
)
_BESIDE = re.compile(
    r"(?:^|(?<=\s))(?:(?:to |and )?(?:add|take|taking|do|doing|have|squeeze in|fit in)(?: (?:it|them|this|that))? )?"
    r"(?:next to|alongside(?: of)?|along with|together with|on top of|in addition to|beside|"
    r"(?:while|when|if) (?:i am |i'm |we are |also |already )*(?:taking|doing)|"
    r"(?:at |in )?the same (?:time|quarter|term) as|(?:in )?parallel (?:to|with)|concurrently with|simultaneously with|"
    r"(?:to )?(?:pairs?|goes|go|combines?|fits?|works?|balances?)(?: (?:well|nicely|good|best|great|easily))?"
    r"(?: together)? (?:with|around|beside|against))"
    r" (?:(?:my|the|taking|doing|a) )*$"
)
_GOES_ON = re.compile(r" (?:, )?(?:and|or|plus|,) ")


def others_than(board: Board, codes: str, title: str, subject: tuple[str, str] | None) -> None:
    """Leaves out what others are searched for beside; `codes` and `title` are slots, `subject` the column that tells
    what a thing is about, by which those are ordered that are to be like one named by its title."""
    if OPINION.search(board.norm) or _YES_NO.match(board.norm):
        return  # "do people like X", "is X like Y", "does X go well with Y"
    named = [m for m in board.mentions if isinstance(m.node, Condition) and m.slot in (codes, title)]
    named.sort(key=lambda mention: mention.start)
    beside: Mention | None = None
    for mention in named:
        said = board.norm[: mention.start]
        goes_on = beside is not None and _GOES_ON.fullmatch(board.norm[beside.stop : mention.start])
        lead = _LIKE.search(said)
        if lead is not None and subject is not None and not _EXAMPLES.search(said):
            _leave_out(board, mention, lead.start())
            _order(mention, title, subject)
            continue
        lead = _BESIDE.search(said) if mention is named[0] else None
        if lead is not None or goes_on:
            _leave_out(board, mention, lead.start() if lead is not None else mention.start)
            beside = mention


def _leave_out(board: Board, mention: Mention, start: int) -> None:
    assert isinstance(mention.node, Condition)  # it names a thing
    mention.node = mention.node.model_copy(update={"negated": True})
    mention.label, mention.fixed = "unlike", True
    board.claim(start, mention.start)


def _order(mention: Mention, title: str, subject: tuple[str, str]) -> None:
    """Has those first whose description is nearest to a title."""
    if mention.slot == title and isinstance(mention.node, Condition):
        mention.order = Order(table=subject[0], column=subject[1], words=str(mention.node.values[0]))
