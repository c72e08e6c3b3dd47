"""What somebody has taken so far, and nothing else: they may take what needs no more than that.

"Having only finished CS 101, what could I take?" is asked for courses all of whose prerequisites are among those
named, which those without any are as well; where the courses named merely come first ("after CS 101"), the next ones
build on them, and `CodeFinder` reads that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.parsing.frame import Condition, Either
from agent.parsing.semantics.workspace import Board, Mention

_BREAK = re.compile(r"(?:^|\s)(?:[.,;:!?](?=\s|$)|if |(?:that|which) (?=(?:i|we) ))")
_ALONE = re.compile(
    r"^far (?=i|we|my)|\bjust $|"
    r"\b(?:only|merely|solely|so far|to date|until now|no more than|apart from|except|all (?:that )?(?:i|we)|"
    r"nothing (?:but|except|besides|more than|other than|else than))\b"
)
_GOES_ON = re.compile(r" (?:, )?(?:(?:and|or|plus|,) )?(?:(?:the|a|an|my) )*")
_HAD = re.compile(
    r"\b(?:taken|took|take|finished|completed|passed|done|did|had|have|know|cleared|belt|behind (?:me|us)|"
    r"credits? for|with|having)\b"
)
_MINE = re.compile(r"\b(?:i|we|my|our|me|having|with)\b")
_OF_COURSES = re.compile(r"\b(?:courses?|class|classes|which|what|that|who|requires?|requiring|needs?) (?!i |we )")
_WITH_ONLY = re.compile(
    r"\b(?:with|having|knowing)(?: (?:taken|done|finished|had|passed))? (?:only|just|nothing (?:but|except|besides))"
    r"(?: (?:taken|done|finished|had|passed))? $"
)
_ONLY_ONES = re.compile(
    r" (?:(?:is|are|was|were) (?:the only|all)(?: \S+){0,3}? (?:i|we) (?:have|had|took|know|did|finished|passed)"
    r"(?: taken| done| finished| passed| completed)?(?: so far| yet)?|"
    r"(?:so far|only|to date|and (?:nothing|no) (?:else|more|other \S+))(?= [.,;:!?]| and | but | so |$))"
)
_PASSED = re.compile(r"\b(?:taken|took|did|had|finished|completed|passed|done|cleared)\b")
_NOT_YET = re.compile(r"\b(?:not|never|without|nor|neither)\b(?! only)")
_MAY = re.compile(
    r"\b(?:can|could|may|might|should|shall) (?:i|we)\b|"
    r"\b(?:am i|are we|i am) (?:able|allowed|eligible|permitted|qualified)\b"
)
_ONWARDS = re.compile(r"\b(?:next|after|afterwards|follow\w*|builds?|building|continue|then)\b")
_BEHIND = re.compile(
    r" (?:behind (?:me|us)|under (?:my|our) belt|to (?:my|our) name|done|completed|finished|passed)(?= |$)"
)


def only_taken(board: Board, table: str, needs: str, codes: str) -> None:
    """Reads the courses that somebody names as all they have taken."""
    coded = [m for m in board.mentions if m.slot in (f"{table}.{needs}", f"{table}.{codes}")]
    if not coded or not needs:
        return
    first = coded[0]
    begin = max((m.end() for m in _BREAK.finditer(board.norm[: first.start])), default=0)
    if (alone := _may_with_only(board, coded)) is not None:
        begin, first = alone
    lead = board.norm[begin : first.start]
    listed = [first]
    for mention in coded[coded.index(first) + 1 :]:
        if _GOES_ON.fullmatch(board.norm, listed[-1].stop, mention.start):
            listed.append(mention)
    stop = listed[-1].stop
    after = _ONLY_ONES.match(board.norm, stop)
    rest = board.norm[stop:]
    passed = (_PASSED.search(lead) or _BEHIND.match(board.norm, stop)) and not _NOT_YET.search(lead)
    asked = passed and _MAY.search(rest) and not _ONWARDS.search(rest)
    told = (_ALONE.search(lead) or asked) and _HAD.search(lead) and _MINE.search(lead) and not _OF_COURSES.search(lead)
    if not after and not (alone or told):
        return
    stop = after.end() if after else stop
    behind = _BEHIND.match(board.norm, stop)
    stop = behind.end() if behind else stop
    if not re.search(r"[a-z]", board.norm[:begin] + board.norm[stop:]):
        return  # told, and nothing asked
    values = tuple(dict.fromkeys(v for m in listed if isinstance(m.node, Condition) for v in m.node.values))
    words = board.words(first.start, listed[-1].stop)
    among = Condition(table=table, column=needs, op="within", values=values, words=words)
    others = Condition(table=table, column=codes, values=values, negated=True, words=words)
    for mention in listed:
        board.mentions.remove(mention)
    node = Either(mode="all", parts=(among, others), words=words)
    board.add(Mention(begin, stop, "node", f"{table}.{needs}", node, fixed=True, label="value"))


def _may_with_only(board: Board, coded: Sequence[Mention]) -> tuple[int, Mention] | None:
    """Where it begins that somebody asks what they may take "with only CS 101", and the first course they name so."""
    for mention in coded:
        said = _WITH_ONLY.search(board.norm[: mention.start])
        if said is not None and _MAY.search(board.norm[: said.start()]):
            return said.start(), mention
    return None
