"""What turns a clause that names a thing against it: that it was lost or refused, or that its name is used with scorn.

"They let the band go", "I asked for a private room and was offered a curtain" and "the so-called vegan bowl" name what
is asked about, and say that it is not to be had. The words that do so are classes in `data/classes.toml`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent.backends.builtin.reading.aspects import Aspect, classes
from agent.backends.builtin.reading.clauses import Group, Sign, read_clause, read_signs, stems

REACH = 6  # words that a thing may stand before what happened to it
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,30}?)[\"”,.]")


def speaks_of_else(aspect: Aspect, text: str) -> bool:
    """Do the aspect's words stand for something else in the clause ("a quiet street")?"""
    return bool(aspect.unless) and read_clause(text).first(aspect.unless) is not None


def turned_against(aspect: Aspect, text: str) -> bool:
    """Does the clause say of something that the aspect is told by that it is gone, refused, or so in name only?"""
    named = read_clause(text).first(aspect.things) if aspect.things else None
    if named is None:
        return False
    return any(_turns(text, named[0], sign) for sign in _turning()) or _named_in_quotes(aspect.things, text)


def _turns(text: str, thing: int, sign: Sign) -> bool:
    """Does the clause show the sign in the order of its groups, about what is named at place `thing`?"""
    clause = read_clause(text)
    met = clause.meets(sign)
    places = [place for place, _ in met]
    if not met or clause.denies(met) or places != sorted(places):
        return False
    return len(met) == 1 or places[0] - REACH <= thing <= places[-1] + 2  # "took away the patio"


@lru_cache(maxsize=1)
def _turning() -> tuple[Sign, ...]:
    return tuple(sign for name in ("lost", "refused", "scorned") for sign in read_signs(classes()[name]))


def _named_in_quotes(things: Group, text: str) -> bool:
    """Is the thing named between quotation marks ('"vegetarian" here means ...')?"""
    return any(stems(match[1]) in things for match in _QUOTED.finditer(text.replace("'", '"')))
