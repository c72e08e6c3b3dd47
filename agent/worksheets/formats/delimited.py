"""Tables as CSV: commas, semicolons or tabs between the cells, UTF-8 with or without its mark."""

from __future__ import annotations

import csv
import io

from agent.errors import SpecificationError

DELIMITERS = ",;\t"


def rows(data: bytes) -> list[list[str]]:
    """The cells of a CSV file. Raises SpecificationError where it is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecificationError("This file is not UTF-8 text; save it as “CSV UTF-8”.", str(error)) from None
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    except csv.Error as error:
        raise SpecificationError(f"This is not a CSV file: {error}.") from None


def data(rows: list[list[str]]) -> bytes:
    """A CSV file of cells."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _delimiter(text: str) -> str:
    """The mark that parts the cells: the commonest one in the first line."""
    first = text.partition("\n")[0]
    return max(DELIMITERS, key=first.count)
