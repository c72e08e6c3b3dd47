"""Things like one that is named, near it, or more or less of something than it: "somewhere like X, but cheaper"."""

from __future__ import annotations

import re

from agent.parsing.frame import Comparison, Condition
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention, compiled

_LIKE = re.compile(
    r"\b(?:like|similar to|comparable to|(?:similar|same) (?:\w+ )?(?:as|to)|along the lines of|reminds (?:me|us) of) "
    r"(?:the )?$"
)
_NEAR = re.compile(r"\b(?:near|close to|next to|around|by|walking distance (?:of|from|to)) (?:the )?$")
_THAN = re.compile(r"\bthan (?:the )?$")
_LIKE_IT = re.compile(r"\b(?:like|similar to) (?:it|that|that one|this one|that place)(?= [.,;!?]| but| in| near|$)")
_SOMEWHAT = r"(?:(?:a (?:bit|little|lot)|much|slightly|way) )?"
_CHEAPER = compiled(
    rf"{_SOMEWHAT}(?:cheaper|less (?:expensive|pricey|costly|money)|more affordable|easier on the wallet|"
    r"not (?:so|as|quite so|quite as) (?:expensive|pricey|dear)(?: as)?)"
)
_DEARER = compiled(rf"{_SOMEWHAT}(?:fancier|pricier|posher|more (?:expensive|upscale|luxurious|special))")
_RATED = compiled(r"(?:with )?(?:better|higher)(?: |-)(?:rated|ratings?|reviewed|reviews)|rated (?:higher|better)")


def looks_for_others(board: Board) -> bool:
    """Whether a message looks for things like the one that it names: "we liked X, what else is like it"."""
    return _LIKE_IT.search(board.norm) is not None


class Kindred:
    """What a message compares with a thing that it names: its kinds, its price, its rating, and where it is."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._areas = profile.table.geo.areas if profile.table.geo is not None else ()

    def __call__(self, board: Board) -> tuple[Condition, ...]:
        """The conditions, beside those that the rest of the message has; none where it compares with nothing."""
        names = [mention for mention in board.mentions if mention.label == "name"]
        if len(names) != 1 or not isinstance(names[0].node, Condition) or names[0].node.negated:
            return ()
        (named,), before = names, board.before(names[0].start)
        like = _LIKE.search(before) is not None or looks_for_others(board)
        if not like and not _THAN.search(before):
            near = self._areas and _NEAR.search(before)
            return self._compared((self.profile.table.name, self._areas[-1]), "same", named) if near else ()
        found = self._compared(self.profile.kinds, "same", named) if like and not self._said(board, "kind") else ()
        for pattern, part, op in self._scales():
            for match in pattern.finditer(board.norm):
                board.claim(*match.span())
                board.drop("scale", *match.span())  # "less expensive than X" says how dear by X, and not by itself
                found += self._compared(part, op, named, board.words(*match.span()))
        if found and self._areas and not self._said(board, "place"):
            found += self._compared((self.profile.table.name, self._areas[0]), "same", named)
        return found

    def _scales(self) -> tuple[tuple[re.Pattern[str], tuple[str, str] | None, Comparison], ...]:
        scale, rating = self.profile.scale, self.profile.rating
        return ((_CHEAPER, scale, "under"), (_DEARER, scale, "over"), (_RATED, rating, "over"))

    @staticmethod
    def _said(board: Board, label: str) -> bool:
        return any(mention.label == label for mention in board.mentions)

    @staticmethod
    def _compared(
        part: tuple[str, str] | None, op: Comparison, named: Mention, words: str = ""
    ) -> tuple[Condition, ...]:
        if part is None or not isinstance(named.node, Condition):
            return ()
        title = named.node.values[:1]
        return (Condition(table=part[0], column=part[1], op=op, values=title, words=words or named.node.words),)
