"""What is asked about things already named: their columns, in the words people use for them.

`intents.asked` finds columns by their names ("address?"). These are the ways of asking that name none: "where exactly
is it", "when does it close", "what do they serve".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.parsing.frame import Condition, Projection
from agent.parsing.semantics import english
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention, compiled

_IT = r"(?:it|they|that|this|there|one|the (?:place|restaurant|shop|bar|cafe)|that (?:place|one)|this (?:place|one))"
_IS_IT = re.compile(r"(?<!\S)(?:is|are) (?:it|they|that|this one)(?: \S+)? \S?$")
_WHERE = compiled(
    rf"where(?: exactly)? (?:is|are|can i find) {_IT}(?: exactly| located| situated)*|where exactly|"
    rf"how (?:do|can|would) (?:i|we|you) (?:get|go) (?:there|to {_IT})|(?:give me )?directions"
)
_HOURS = compiled(
    rf"(?:when|what time|(?:what|which) (?:days?|nights?|evenings?|hours)|how late|until when|till when|how long)"
    rf"(?: exactly)? "
    rf"(?:(?:do|does|are|is|will) {_IT}(?: be)?|{_IT}(?: (?:is|are|will be))?)"
    r"(?: (?:still|open|opens|close|closes|closed|closing|opening|stay open|stays open|shut|shuts))+|"
    r"(?:(?:the|its|their) )?(?:opening|closing|business) (?:hours|times?)(?: (?:on )?(?:\w+days?|today|tomorrow))?"
)
_NUMBER = compiled(
    r"(?:(?:what is|give me|the|send me|tell me|get me|i need|a|and|their|its) )*"
    r"(?:phone |telephone |contact )?numbers?(?: to (?:call|ring|dial|reach (?:it|them|\S+) (?:at|on|by)))?(?! of)"
)
_REVIEWED = compiled(
    rf"how many (?:reviews?|ratings|people reviewed {_IT})"
    rf"(?: (?:do|does|has|have) {_IT}(?: have)?| {_IT} (?:has|have|got))?"
)
_PRICED = compiled(
    r"(?:which|who|what)(?: one| of them| of these)* is (?:the )?(?:cheaper|pricier|(?:more|less) expensive)"
)
_MORE_REVIEWED = compiled(
    r"(?:has |have |got )?(?:the )?(?:more|most) (?:reviews|ratings|popular|reviewed)|reviewed more"
)
_RATED_HIGHER = compiled(
    r"(?:has |have |is |got )*(?:the )?(?:better|higher|best|highest)[ -]"
    r"(?:rated|ratings?|reviewed|reviews|stars?|score)|rated (?:higher|better|highest|best)|more stars"
)
_DEARER = compiled(
    r"(?:is |are )?(?:cheaper|pricier|fancier|(?:more|less) (?:expensive|pricey|affordable|upscale))(?: than)?"
)
# A sum for one: a class of prices does not tell it, and the reviews may.
_PER_HEAD = compiled(
    r"(?:(?:how much|what|cost|costs|price|prices|pay|spend|charge|run|runs|the|is|it|to|eat|be|there|here) )*"
    r"(?:per|each|every|a) (?:person|head|guest|diner|pax)"
)
_MONEY = re.compile(r"\b(?:how much|costs?|prices?|pay|spend|charge|runs?|bill|\$|dollars)\b")
_SUM_OF = re.compile(r"(?<!\S)how much (?:is|are|was|were|does|do|did|would|will|for)(?P<of>(?: [^\s.,;:?!]+){1,9})")
_WHOLE = re.compile(  # what is said of the whole bill
    r"costs?|prices?|pay|spend|charge|run|eat|dine|food|meals?|dinner|lunch|breakfast|brunch|person|people|head|guests?|"
    r"usually|normally|typically|average|about|roughly|place|restaurant|money|go"
)
_SERVED = compiled(
    r"(?:what|which)(?: (?:dishes|dish|foods?|items|plates|meals))? (?:are|is)(?: the)?(?: most)? "
    r"(?:popular|famous|recommended|signature|well known)(?: there| here)?|"
    rf"what (?:do|does) {_IT} (?:serve|offer|make|cook|sell)"
)


def sum_of_part(board: Board) -> tuple[int, int] | None:
    """Where it is asked how much a part of the bill is, "the tasting menu" or "for a kid of 8": a class of prices does
    not tell it."""
    for match in _SUM_OF.finditer(board.norm):
        said = [m for m in re.finditer(r"[a-z]+", board.norm[: match.end()]) if m.start() >= match.start("of")]
        content = english.content([m.group() for m in said if not board.taken(m.start())])
        if not all(map(_WHOLE.fullmatch, content)):
            return match.span()
    return None


class AttributeFinder:
    """Adds the columns that are asked about named things to a board."""

    def __init__(self, profile: Profile) -> None:
        self._sum = (profile.scale, profile.opinions) if profile.scale and profile.opinions else None
        self._noun = profile.noun
        self._asked: list[tuple[re.Pattern[str], tuple[str, str]]] = []
        table = profile.table
        by_word = {word: column.name for column in table.columns for word in column.synonyms}
        for pattern, part in (
            (_WHERE, _of(table.name, by_word.get("street address"))),
            (_HOURS, profile.hours),
            (_NUMBER, _of(table.name, by_word.get("telephone"))),
            (_REVIEWED, profile.popularity),
            (_PRICED, profile.scale),
            (_MORE_REVIEWED, profile.popularity),
            (_RATED_HIGHER, profile.rating),
            (_DEARER, profile.scale),
            (_SERVED, profile.dishes),
        ):
            if part is not None:
                self._asked.append((pattern, part))

    def __call__(self, board: Board) -> None:
        if self._sum is not None and _MONEY.search(board.norm):
            self._per_head(board, *self._sum)
        for pattern, (table, column) in self._asked:
            for match in board.find(pattern):
                projection = Projection(table=table, column=column)
                board.add(Mention(*match.span(), "projection", projection=projection))

    def told(self, board: Board, stretches: Sequence[tuple[int, int]]) -> None:
        """Adds what is to be told of things that are looked for: a column and nothing else, in one of the stretches of
        the text that ask something ("and <when they open>")."""
        for mention in board.mentions:
            doubted = mention.label == "scale" and any(start < mention.stop <= stop for start, stop in stretches)
            if doubted and isinstance(mention.node, Condition) and _IS_IT.search(board.norm[: mention.start + 1]):
                mention.projection = Projection(table=mention.node.table, column=mention.node.column)
                mention.node, mention.kind = None, "projection"  # "the best one, and <is it expensive>"
        for pattern, (table, column) in self._asked:
            for match in board.find(pattern):
                if board.says_only(*match.span(), stretches):
                    board.add(Mention(*match.span(), "projection", projection=Projection(table=table, column=column)))

    def _per_head(self, board: Board, scale: tuple[str, str], opinions: tuple[str, str]) -> None:
        question = f"how much does it cost per person at this {self._noun}?"
        for match in board.find(_PER_HEAD):
            for projection in (
                Projection(table=opinions[0], column=opinions[1], question=question),
                Projection(table=scale[0], column=scale[1]),
            ):
                board.add(Mention(*match.span(), "projection", projection=projection))


def _of(table: str, column: str | None) -> tuple[str, str] | None:
    return (table, column) if column else None
