"""Patterns over what people write, which take a time that grows no faster than the message.

A pattern that backtracks is slow where one stretch can be read in many ways. What causes it here is a row of words
that say little ("so, well, ok, please and …"), each of which is in more than one list: n of them can be read in 2ⁿ
ways. Nobody begins with more than a few, so a row is read up to a length, and `tests/agent/parsing/test_patterns.py`
measures every pattern for any other cause.
"""

from __future__ import annotations

import re

ROW = 8  # words that say little, in a row

_ROW_ENDS = re.compile(r"(?P<end>(?: \??|\\W[+*]|\\s[+*]?|\[\\s[^\]]*\][+*])\))(?P<times>[*+])(?![+?])")


def rows_bounded(pattern: str) -> str:
    """The pattern with rows of words ("(?:(?:and|so) )*") up to a length, where they could be of any."""
    return _ROW_ENDS.sub(lambda row: f"{row['end']}{{{int(row['times'] == '+')},{ROW}}}", pattern)
