"""The board that recognisers work on: a message, and the stretches of it already accounted for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agent.parsing.frame import Aggregate, Node, Order, Projection, Use, columns
from agent.parsing.semantics import english
from agent.parsing.semantics.lexing import Text
from agent.text.patterns import rows_bounded

_USED_AS: dict[str, Literal["node", "order", "limit", "aggregate", "projection"]] = {
    "node": "node",
    "order": "order",
    "limit": "limit",
    "aggregate": "aggregate",
    "projection": "projection",
}
Kind = Literal["node", "order", "limit", "aggregate", "projection", "noise", "focus", "bound"]


@dataclass(slots=True)
class Mention:
    """A stretch of the message that means something. `start:stop` are characters of the normalised text.

    `slot` groups mentions that "or", "and" and commas may join ("restaurants.cuisines"); `fixed` mentions are not
    touched by a negation in front of them, since they have dealt with it themselves.
    """

    start: int
    stop: int
    kind: Kind
    slot: str = ""
    node: Node | None = None
    order: Order | None = None
    aggregate: Aggregate | None = None
    projection: Projection | None = None
    number: int = 0
    fixed: bool = False
    denied: bool = False  # its own words say that it must not hold: "anywhere but X"
    single: bool = False  # of a column that holds one value: two such values can only be alternatives
    label: str = ""  # what was recognised: "dish", "place", ...
    unwanted: bool = False  # the sentence it stands in says that somebody would rather be without it


@dataclass(slots=True)
class Board:
    """A message with the mentions found so far. Later recognisers only see what earlier ones left."""

    text: Text
    mentions: list[Mention] = field(default_factory=list)
    _taken: bytearray = field(init=False)

    def __post_init__(self) -> None:
        self._taken = bytearray(len(self.text.norm) + 1)

    @property
    def norm(self) -> str:
        return self.text.norm

    def free(self, start: int, stop: int) -> bool:
        """Whether nothing in `start:stop` has been claimed."""
        return not any(self._taken[start:stop])

    def taken(self, position: int) -> bool:
        """Whether the character has been claimed."""
        return bool(self._taken[position])

    def within(self, start: int, stop: int, stretches: Sequence[tuple[int, int]]) -> bool:
        """Whether characters of the normalised text stand in any stretch of characters of the message."""
        first, last = self.text.token_at(start), self.text.token_at(stop - 1)
        begin, end = self.text.tokens[first].start, self.text.tokens[last].stop
        return any(one < end and other > begin for one, other in stretches)

    def says_only(self, start: int, stop: int, stretches: Sequence[tuple[int, int]]) -> bool:
        """Whether characters of the text stand in one of its stretches in which nothing else is said."""
        return any(
            start < last
            and stop > first
            and not english.content((self.norm[first:start] + self.norm[stop:last]).split())
            for first, last in stretches
        )

    def claim(self, start: int, stop: int) -> None:
        """Account for a stretch without a mention of its own."""
        self._taken[start:stop] = b"\x01" * (stop - start)

    def add(self, mention: Mention) -> Mention:
        """Claim a stretch for what it means."""
        self.claim(mention.start, mention.stop)
        self.mentions.append(mention)
        return mention

    def drop(self, label: str, start: int, stop: int) -> None:
        """Take back the mentions of a label in a stretch that something closer explains; it stays accounted for."""
        self.mentions[:] = [m for m in self.mentions if m.label != label or m.stop <= start or m.start >= stop]

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The matches of a pattern that no earlier mention overlaps, left to right."""
        for match in pattern.finditer(self.text.norm):
            if match.end() > match.start() and self.free(*match.span()):
                yield match

    def before(self, position: int, words: int = 4) -> str:
        """The last few words before a position, in the same sentence, with a trailing space."""
        head = re.split(r"(?:^|\s)[.;!?](?=\s|$)", self.text.norm[:position])[-1]
        return " ".join(head.split()[-words:]) + " "

    def uses(self) -> tuple[Use, ...]:
        """What was made of which words, in their order; what was claimed for no mention is noise."""
        noise = bytearray(self._taken)
        found: list[tuple[int, Use]] = []
        for mention in self.mentions:
            noise[mention.start : mention.stop] = bytes(mention.stop - mention.start)
            kind = _USED_AS.get(mention.kind, "noise")
            named = tuple(sorted(columns(mention.node))) if mention.node is not None else ()
            found.append((mention.start, Use(kind=kind, words=self.words(mention.start, mention.stop), columns=named)))
        for run in re.finditer(rb"\x01+", noise[: len(self.norm)]):
            found.append((run.start(), Use(kind="noise", words=self.words(*run.span()))))
        return tuple(use for _, use in sorted(found, key=lambda item: item[0]))

    def words(self, start: int, stop: int) -> str:
        """The user's own words for a stretch."""
        return self.text.source(start, stop)


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern over whole words of the normalised text."""
    return re.compile(rf"(?<![^\s])(?:{rows_bounded(pattern)})(?![^\s])")


def alternatives(phrases: list[str]) -> str:
    """A pattern for any of several phrases, the longest first."""
    return "|".join(re.escape(phrase) for phrase in sorted(set(phrases), key=len, reverse=True))
