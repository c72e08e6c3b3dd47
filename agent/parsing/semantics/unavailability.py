"""When somebody cannot come: "I work Fridays", "can't do evenings" rule out what they name."""

from __future__ import annotations

import re

from agent.parsing.semantics.workspace import Board

_BUSY = re.compile(
    r"\b(?:i|we) (?:(?:also|already|always|usually|have to|got to|really) )*(?:work|"
    r"have (?:(?:a|an|my|band|choir|team|soccer|football) )*"
    r"(?:job|lab|shifts?|practice|rehearsals?|work|training|kids)|"
    r"am (?:always |usually )?(?:busy|working|at work|away|not (?:free|available|around|on campus|in town))|"
    r"(?:can|could|will) not(?: (?:do|make|attend|come(?: in)?|take|be there|get to campus))?|"
    r"(?:do|would) not (?:do|have time))"
    r"(?: (?:on|in|the|during|every|all|any|class(?:es)?|most))* $|"
    r"(?:^|[.,;] |\b(?:and|but) )(?:(?:and|but|also|cause|because|since|bc) )*(?:can not|cannot) "
    r"(?:do|make|attend|come|take)"
    r"(?: (?:on|in|the|during|any|class(?:es)?))* $"
)
_AND = re.compile(r"(?: ,)?(?: (?:and|or|nor))? (?:on |in )?(?:the )?")


def unavailable(board: Board) -> None:
    """Turns around the days and the times of day that somebody cannot come on; those that go on with them as well."""
    before = -1
    for mention in sorted(board.mentions, key=lambda m: m.start):
        days = mention.slot.endswith(".days")
        if mention.kind != "node" or not (days or (mention.label == "time" and not mention.fixed)):
            continue
        lead = _BUSY.search(board.norm[: mention.start])
        goes_on = before >= 0 and _AND.fullmatch(board.norm, before, mention.start)
        if lead is None and not goes_on:
            continue
        mention.denied = True
        before = mention.stop
        if lead is not None and board.free(lead.start(), mention.start):
            board.claim(lead.start(), mention.start)
