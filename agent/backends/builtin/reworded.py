"""Messages that say the same as a checked pair in another order, with other words that ask for nothing.

"Are there quiet herb gardens in Brenton?" and "gardens in Elm Lake that are quiet, rose ones" say the same of other
values. Every word that says something stands in both; a word that denies or bounds stands before the same thing in
both; the names of things keep their order, since "halls of choirs" are no "choirs of halls".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from agent.text import grammar
from agent.text.wordlists import words as listed

LONGEST_VALUE = 6  # words of a value
MOST = 12  # ways of filling the places of values that are tried
SHORT = 3  # letters of a word that has no ending

#: Words that ask for nothing by themselves. Those that count, deny, bound or order are not among them.
_IDLE = frozenset(
    listed(
        """
        a an the some any there please kindly i me we us my our you your it its they them their is are was were be been
        am do does did has have had can could will would shall should may might want need like look looking search
        searching find show list give get tell know see let which who that what this these those here of to in on at by
        for from and as with one ones place places thing things somewhere something im id ive whats thats whos theres
        hi hello hey thanks thank ok okay well so just also d m ll ve s re
        """
    )
)
#: Words that say something of what follows them.
_BINDING = frozenset(
    listed(
        """
        no not never without nothing except but excluding isnt arent doesnt dont didnt wasnt or over under above below
        near before after between until since than more less fewer most least at_least at_most best worst how
        """
    )
)

Nouns = tuple[frozenset[str], ...]  # what the rows of each table are called
Part = str | int  # a word, or the number of a place that a value fills
Words = tuple[str, ...]
Spans = dict[int, tuple[int, int]]


def fillings(
    parts: Sequence[Part], said: Words, values: Mapping[int, Callable[[Words], bool]], nouns: Nouns
) -> Iterator[dict[int, Words]]:
    """Yield what of a message fills each place of a pair's, where the rest of both says the same.

    `values` tells by the number of a place whether words may fill it. Nothing is yielded where values could change
    places.
    """
    wanted = _told(parts, nouns)
    told = {one for one, _ in wanted if isinstance(one, str)}
    if not told <= {"", *map(base_form, said)} or not wanted:
        return
    free = {at for at, word in enumerate(said) if word not in _IDLE and word not in _BINDING}
    found = [spans for spans in _placed(list(values), said, values, free) if _fits(wanted, said, spans, nouns)]
    if len(found) == 1:
        yield {number: said[start:stop] for number, (start, stop) in found[0].items()}


def _fits(wanted: Counter[tuple[Part, str]], said: Words, spans: Spans, nouns: Nouns) -> bool:
    starts, inside = {start: number for number, (start, _) in spans.items()}, set[int]()
    for start, stop in spans.values():
        inside.update(range(start, stop))
    parts: list[Part] = [starts.get(at, word) for at, word in enumerate(said) if at in starts or at not in inside]
    return _told(parts, nouns) == wanted


def _told(parts: Sequence[Part], nouns: Nouns) -> Counter[tuple[Part, str]]:
    """What a message tells: each word that says something, with what stands before it to deny or bound it. Names of
    rows count where there are rows of several tables, each with its place in their order."""
    found: Counter[tuple[Part, str]] = Counter()
    bound, things = "", 0
    for part in parts:
        if isinstance(part, str) and part in _BINDING:
            bound = f"{bound} {part}".strip()
            continue
        if isinstance(part, str) and part in _IDLE:
            continue
        word = part if isinstance(part, int) else base_form(part)
        if any(word in names for names in nouns):
            if len(nouns) == 1:
                continue
            things += 1
            bound = f"{bound} {things}".strip()
        found[word, bound] += 1
        bound = ""
    if bound:
        found["", bound] += 1
    return found


def _placed(
    numbers: list[int], said: Words, values: Mapping[int, Callable[[Words], bool]], free: set[int]
) -> list[Spans]:
    """The ways in which stretches of a message fill places, the first MOST + 1."""
    ways: list[Spans] = [{}]
    for number in numbers:
        spots = [
            (start, stop)
            for start in sorted(free)
            for stop in range(start + 1, min(start + LONGEST_VALUE, len(said)) + 1)
            if stop - 1 in free and values[number](said[start:stop])
        ]
        ways = [
            {**way, number: spot}
            for way in ways
            for spot in spots
            if not any(spot[0] < stop and start < spot[1] for start, stop in way.values())
        ]
        if not ways or len(ways) > MOST:
            return []
    return ways


def base_form(word: str) -> str:
    """Return a word without its ending, the same for all its forms; it need not be a word."""
    base = grammar.base(word) if word.isalpha() else word
    return base.removesuffix("s") if len(base) > SHORT and not base.endswith("ss") else base
