"""Tables as CSV: commas, semicolons or tabs between the cells, UTF-8 with or without its mark."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from agent.protocols.errors import SpecificationError

DELIMITERS = ",;\t"


def rows(data: bytes, wanted: Callable[[list[list[str]]], bool]) -> list[list[str]]:
    """Return the cells of a CSV file, split at the first mark with which they are `wanted`, else by commas.

    Raises SpecificationError if it is no CSV file.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecificationError("This file is not UTF-8 text; save it as “CSV UTF-8”.", str(error)) from None
    parted: list[list[list[str]]] = []
    problem = ""
    for mark in DELIMITERS:
        try:
            parted.append(list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)))
        except csv.Error as error:
            problem = problem or str(error)
    found = next((cells for cells in parted if wanted(cells)), None)
    if found is None and problem:
        raise SpecificationError(f"This is not a CSV file: {problem}.")
    return found or parted[0]


def data(rows: list[list[str]]) -> bytes:
    """Return a CSV file of cells."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
