"""Where from and where to: "from the library to Main Street by bus"."""

from __future__ import annotations

import re

from agent.parsing.tasks.readers.reading import Reading

_END = (
    r"(?=\s*(?:$|[,;.!?]|\b(?:by|on foot|at|around|leaving|departing|please|tomorrow|today|tonight|via|"
    r"using|with|when|in the|this|now|and|instead|because|before|after)\b))"
)
_PLACE = r"(?P<{}>(?:(?!\b(?:to|from|by|at)\b)[\w'&-]++(?:\.++[\w'&-]++)*+\.?\s?){{1,6}}?)"
_FROM = re.compile(
    rf"\b(?:from|leaving|departing(?: from)?|starting (?:at|from|in)|i'm (?:at|in)|i am (?:at|in)|"
    rf"currently (?:at|in))\s+{_PLACE.format('a')}(?=\s+to\b|\s+towards?\b|{_END[3:-1]})"
)
_TO = re.compile(
    rf"\b(?:to|towards?|reach|into)\s+(?!(?:go|get|travel|walk|drive|take|be|come|leave|know|see|find|make|change|head|start|visit|book|have|do|meet)\b){_PLACE.format('b')}(?=\s+from\b|{_END[3:-1]})"
)
START = re.compile(r"\b(?:departure|depart|start\w*|begins?|origin|leav\w+|from|pick ?up|coming from)\b")
END = re.compile(r"\b(?:arrival|arrive|ends?|destination|going|drop ?off|to)\b")


def read(low: str) -> dict[str, Reading]:
    """The places a lower-cased message names, under "from" and "to"."""
    found = {}
    for side, pattern, group in (("from", _FROM, "a"), ("to", _TO, "b")):
        match = pattern.search(low)
        if match is not None and match[group].strip():
            start = match.start(group)
            found[side] = Reading(match[group].strip(), start, start + len(match[group].rstrip()))
    return found
