"""What a message says does not matter: "I don't care about the decor", "cash only is fine", "no matter how pricey"; and
what it says is not wanted again: "we had ramen yesterday, so not that"."""

from __future__ import annotations

import re

from agent.parsing.frame import Asked, Condition
from agent.parsing.semantics.workspace import Board, compiled

_STOP = r"(?= (?:[.,;:!?()]|but|just|so|as long as|however|i want|we want|because)(?:\s|$)|$)"
_PLACES = r"(?<!that )(?<!which )(?<!who )(?<!places )(?<!spots )(?<!restaurants )(?<!staff )(?<!owners )"
_FOLLOWING = compiled(  # of the speaker: a place that does not mind something is wished for
    rf"(?:(?:i|we|they|she|he|you)? ?{_PLACES}(?:really |also )*{_PLACES}(?:do|does|could|would) not "
    r"(?:really |even |particularly |much )*(?:care|mind|worry|bother)(?: less)?(?: (?:too much|at all|so much))?|"
    r"could care less|no matter|(?:it |that )?(?:does|do) not (?:really |even |much )*matter(?: (?:to|for) (?:me|us))?"
    r"(?= (?:if|how|whether|what|where|which|who|when) )|never mind|regardless(?: of)?|irrespective of|"
    r"not (?:too |very |really |that )?(?:fussed|bothered|picky|worried|fussy|concerned))"
    r"(?: (?:if|about|how|whether|what|where|which|for|that|the))*"
    rf"(?P<what>(?: (?!but )[^\s.,;:!?()]+){{0,7}}?){_STOP}"
)
_NEED_NOT = compiled(
    r"(?:it |they |that |the place )?(?:does|do|need) not (?:have|need|has) to (?:be|have|serve)"
    rf"(?: (?:a|an|the|super|very|too))*(?P<what>(?: [^\s.,;:!?()]+){{1,4}}?){_STOP}"
)
_UNIMPORTANT = compiled(
    r"(?:the |my |our )?(?:[a-z'-]+ ){1,2}(?:is|are|does|do) (?:not|no) (?:that |so |really |very |all that |too )*"
    r"(?:important|matter|(?:a )?(?:priority|concern|big deal|must|factor|dealbreaker|deal breaker|problem)|"
    r"(?:an )?(?:issue|object|worry|obstacle))"
    r"(?: (?:to|for) (?:me|us))?"
)
_NO_PREFERENCE = compiled(
    r"(?:(?:i|we) (?:really |just )?have )?(?:no|not any|zero) (?:real |strong |particular |specific )?"
    r"preferences?(?: (?:on|for|about|as to|regarding|when it comes to|with)(?: [^\s.,;:!?()]+){1,4}?)?"
    rf"{_STOP}"
)
_VISITING = compiled(  # why and how long somebody is in town is no occasion, and no time to eat
    r"(?:i|we|they|he|she) (?:am|are|is|will be|was) (?:here|in|at|visiting|staying|back|over)(?: \S+){0,4}? "
    r"(?P<why>for (?:work|business|a (?:conference|convention|meeting|business trip|work trip))|"
    r"(?:until|till|through) (?:next |this )?(?:\S+day|tomorrow|the weekend))"
)
_ANYWHERE = compiled(  # of all there is: "anywhere bay area", "any town is fine"
    r"(?:(?:any|some)where )?(?:(?:in|around|across|within|throughout) )?(?:the )?"
    r"(?:(?:whole|entire|greater) )?bay area|"
    r"any (?:town|city|neighbou?rhood|location)(?: (?:is|would be) (?:fine|ok|okay|good))?"
)
_NOT_MERELY = compiled(rf"(?:and|,) not (?:only|just|merely)(?: [^\s.,;:!?()]+){{1,3}}?{_STOP}")  # "and not just juice"
_WRITING = compiled(  # who writes is no subject: "chemistry major here"
    r"(?:[a-z]+ ){1,3}(?:majors?|minors?|students?|freshman|sophomore|junior|senior|postdoc|undergrad|phd) here"
)
_TOLERATED = re.compile(
    r"(?: at all)?(?:(?: is| are| would be| s)(?: also| totally| absolutely| perfectly)?"
    r" (?:fine|ok|okay|no problem|not a problem|alright|acceptable)| (?:fine|ok|okay)(?= [.,;!?]|$)|"
    r"(?: is| are| do| does) not (?:matter|important))"
    r"(?: (?:to|by|with|for) (?:me|us))?(?=\s|$)"
)

_DESCRIBING = re.compile(r"\bwhere (?:(?!(?:i|we|my|our) )[a-z']+ ){0,3}$")  # "where <a wheelchair> is no problem"
_THEM = r"(?:that|those|these|them)"
_NOT_AGAIN = compiled(
    r"(?:(?:so|but|and|just|please|let us do|i want|we want) )*(?:(?:definitely|maybe|rather|really|preferably) )?"
    rf"(?:not {_THEM}|(?:neither|none) of (?:{_THEM}|the two)|anything but {_THEM}|no more of {_THEM}|"
    r"(?:something|somewhere) (?:else|different))"
    r"(?: (?:ones?|2|3|again|either|this time|today|tonight|please|for a change|for once))*(?= [.,;:!?]| and | but |$)"
)
_HAD = re.compile(
    r"\b(?:had|ate|was|were|went|did|tried|got|ordered|been|yesterday|last (?:time|night|week|month|year)|"
    r"(?:the )?(?:day|night|week|month|year) before)\b"
)
_SENTENCE = re.compile(r"(?:^|\s)[.;!?](?=\s)")


def ignore_stated(board: Board) -> None:
    """Accounts for clauses about what does not matter, so that nothing in them becomes a condition."""
    for match in board.find(_WRITING):
        board.claim(*match.span())
    for match in board.find(_VISITING):
        board.claim(*match.span("why"))
    for pattern in (_NOT_MERELY, _ANYWHERE):
        for match in board.find(pattern):
            board.claim(*match.span())
    for pattern in (_FOLLOWING, _NEED_NOT, _UNIMPORTANT, _NO_PREFERENCE):
        for match in board.find(pattern):
            if match.group().startswith("where ") or _DESCRIBING.search(board.norm[: match.start()]):
                continue
            if not re.search(r"\bnot (?:mind )?(?:paying|going|waiting|driving)\b", match.group()):
                board.claim(*match.span())


def drop_tolerated(board: Board) -> None:
    """Takes back what a message only puts up with: "under 4 stars is fine" asks for nothing."""
    for mention in list(board.mentions):
        said = _TOLERATED.match(board.norm, mention.stop)
        if _DESCRIBING.search(board.norm[: mention.start]):
            continue
        bounded = isinstance(mention.node, Condition) and mention.label == "number" and mention.node.op in ("<", "<=")
        if said is not None and (isinstance(mention.node, Asked) or bounded):
            board.mentions.remove(mention)
            board.claim(mention.stop, said.end())


def leave_out_retold(board: Board) -> None:
    """Leaves out the kinds and dishes of what is told as had, in the sentence that wants them no more or before it."""
    for match in _NOT_AGAIN.finditer(board.norm):
        ends = [end.end() for end in _SENTENCE.finditer(board.norm, 0, match.start())]
        begins = not re.search(r"[a-z0-9]", board.norm[ends[-1] if ends else 0 : match.start()])
        start = (ends[-2] if len(ends) > 1 else 0) if begins else (ends[-1] if ends else 0)
        had = _HAD.search(board.norm, start, match.start())
        inside = [m for m in board.mentions if m.label in ("kind", "dish") and start <= m.start < match.start()]
        if had is None or not inside:
            continue
        for mention in inside:
            mention.fixed = mention.denied = True
        board.claim(*match.span())
