"""The English that every part of the engine needs: how a list is told, and the words for numbers."""

from __future__ import annotations

from collections.abc import Sequence

_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"

ONES = tuple(_BELOW_TWENTY.split())
TENS = tuple(_FROM_TWENTY.split())
#: The numbers below a hundred that are one word.
NUMBERS = {word: number for number, word in enumerate(ONES)} | {
    word: 10 * number for number, word in enumerate(TENS, 2)
}


def listed(items: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} {last} {items[-1]}"
