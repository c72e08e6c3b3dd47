"""Framing: what leads to a wish, lends it force or asks whether it was told rightly, and adds no condition to it.

"To cut it short, ...", "... of any kind whatsoever", "a friend told me that there is ...", "..., is that true?": what
they frame counts as if it stood alone.
"""

from __future__ import annotations

import re
from functools import cache

from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, compiled

_BEGIN = r"(?:^|(?<=[.,;:!?] )|(?<= so )|(?<= but )|(?<= and )|(?<=^so )|(?<=^but )|(?<=^and ))"
_ADVERBS = r"(?:(?:just|once|also|recently|already|really|have|has|had|always|keeps?|did|actually|even|only) )*"
_SOURCE = (
    r"(?:(?:some|every)(?:one|body)|people|they|others|i|we|word|rumou?rs?|legend|"
    r"an? (?:[a-z]+ )?friend|one of (?:my|our) [a-z]+|"
    rf"(?:my|our|his|her|the|an?|some) (?:[a-z]+ )?(?:{'|'.join(sorted(english.relatives() | english.tellers()))}))"
)


@cache
def _emphasis() -> re.Pattern[str]:
    return compiled("|".join(load("words")["emphasis"]))


@cache
def _frames() -> tuple[re.Pattern[str], ...]:
    """Patterns of what frames a wish; each may stand at the places that it says."""
    words = load("words")
    telling = "|".join(words["telling"])
    return (
        compiled("|".join(words["framing"])),
        re.compile(rf"(?:^|(?<=[.,;:!?] ))(?:(?:and|so|but|is|or) )*(?:{'|'.join(words['verifying'])})(?= [?.!]|$)"),
        re.compile(rf"(?:^|(?<=[.,;!?] ))(?:{'|'.join(words['introducing'])})(?= (?:[.;!?,]|and i |who |with no ))"),
        compiled(r"(?:so )?is it (?:really |actually )?(?:true|correct|right|a fact|the case)(?: that)?"),
        re.compile(
            rf"{_BEGIN}{_SOURCE}(?: (?:in|from|of|at|on) (?:(?:the|my|our|a|an) )?[a-z]+)?(?: [a-z]+ \d+)? {_ADVERBS}"
            rf"(?:{telling})(?: (?:me|us|to me|it))?(?: (?:that|about there being))?"
            r"(?: there (?:is|was|are|were|might be|may be|should be|could be|would be))?(?= |$)(?! (?:to|about|of)\b)"
        ),
    )


def ignore_framing(board: Board) -> None:
    """Accounts for what frames a wish, in a message that says more than that."""
    for pattern in (*_frames(), _emphasis()):
        for match in board.find(pattern):
            rest = board.norm[: match.start()] + board.norm[match.end() :]
            if not re.search(r"[a-z]", rest):
                continue
            if pattern is _emphasis():
                board.pass_over(*match.span())
            else:
                board.claim(*match.span())
