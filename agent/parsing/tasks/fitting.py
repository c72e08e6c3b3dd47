"""Whether what somebody tells is anything that a choice stands for: by its words, and by all that lies behind it."""

from __future__ import annotations

import math
import re

from agent.parsing.lexicon import english_rank
from agent.parsing.tasks.closeness import Closeness, meanings, spoken
from agent.parsing.tasks.gates import implied
from agent.parsing.tasks.workspace import Place
from agent.worksheets.specification import Specification

_EXPLAINED = 0.55  # share of what is told that the words of a choice explain, a rarer word counting for more
_LIKE = 0.5  # cosine to one of its descriptions
_PHRASE = 5  # words: a label or a title is too short to be compared in meaning
_RAREST = 20_000


def leads_on(place: Place) -> bool:
    """Whether the values of a choice open worksheets of their own: then each is a matter, and not any word is one."""
    gates = [child.held_by.predicate for child in place.sheet.children if child.held_by is not None]
    return any(re.search(rf"\b{re.escape(place.field.name)}\b", gate) for gate in gates)


def fits(low: str, place: Place, value: str, specification: Specification, closeness: Closeness) -> bool:
    """Whether lower-cased words can be about one value of a choice."""
    texts = _texts(place, value, specification)
    known = frozenset(name for text in texts for names in meanings(text) for name in names)
    said = spoken(low)
    weights = [_weight(low[item.start : item.stop]) for item in said]
    explained = sum(weight for weight, item in zip(weights, said, strict=True) if item.names & known)
    if not said or explained >= _EXPLAINED * sum(weights):
        return True
    phrases = [text for text in texts if len(text.split()) >= _PHRASE]
    return max(closeness.between(low, phrases), default=0.0) >= _LIKE


def fits_any(low: str, place: Place, specification: Specification, closeness: Closeness) -> bool:
    """Whether the words can be about any value of a choice."""
    return any(fits(low, place, one.value, specification, closeness) for one in place.field.enum_values)


def _texts(place: Place, value: str, specification: Specification) -> list[str]:
    """What the specification says of a value, and of the worksheets that it opens."""
    texts = [value, *(one.description for one in place.field.enum_values if one.value == value)]
    for child in place.sheet.children:
        held = child.held_by
        wanted = implied(specification, place.sheet.worksheet.name, held.predicate) if held is not None else ()
        if any(one.field == place.field.name and one.value == value for one in wanted):
            for sheet in child.tree():
                texts += [sheet.worksheet.title, sheet.worksheet.description]
                for field in sheet.worksheet.fields:
                    texts += [
                        field.label,
                        *(text for one in field.enum_values for text in (one.value, one.description)),
                    ]
    return [text for text in dict.fromkeys(texts) if text]


def _weight(word: str) -> float:
    return math.log(2 + min(english_rank().get(word, _RAREST), _RAREST))
