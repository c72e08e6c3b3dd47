"""CSV that no spreadsheet program takes for formulas."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def neutral(cell: str) -> str:
    """Return a cell that is no formula: an apostrophe goes before what would start one."""
    return f"'{cell}" if cell.lstrip(" \u00a0").startswith(FORMULA_STARTS) or cell.startswith(FORMULA_STARTS) else cell


def csv_line(cells: Iterable[str]) -> str:
    """Return one line of CSV."""
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()
