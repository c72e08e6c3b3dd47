"""What the words beside a value can say of its field: what it counts, what it asks whether."""

from __future__ import annotations

import re

from agent.parsing.tasks.closeness import meanings
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.shapes import about
from agent.parsing.tasks.workspace import Place

MORE = compiled(r"\b(?:more|another|else|additional|third|fourth|further|extra|other)\b")
"""Words by which a field asks whether there is another one, and without which nothing answers it."""

THE_ONE = re.compile(
    r"\b(?:most|least|best|worst|top|(?!interest|request|honest|modest|forest|suggest|contest|guest|harvest|protest|invest)"
    r"[a-z]{3,}est)\b",
    re.IGNORECASE,
)
"""What asks for the one row that comes first: "the cheapest", "the most …"."""

_CORE = compiled(r"^(?:whether|if|is|are|does|do) (?:the |a |an |one |you |there )?(?:\w+ )?")


def core(description: str) -> str:
    """What a yes-or-no field is about, without "whether the student"."""
    return _CORE.sub("", description.lower())


def counted(place: Place) -> str:
    """What a number field counts ("units"), without the worksheet it is of."""
    own = frozenset().union(*meanings(f"{place.sheet.worksheet.title} {place.sheet.worksheet.name} number num"))
    words = re.findall(r"\w+", about(place.field))
    return " ".join(word for word in words if not any(item & own for item in meanings(word)))
