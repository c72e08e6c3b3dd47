"""The text of a file and the JSON values in it, whatever the file was saved as, or one sentence on what is wrong."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any, NoReturn

MARKS = (  # the longer first: a UTF-32 mark begins like one of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SIGNATURES = {b"PK\x03\x04": "a zip archive or a spreadsheet", b"\x1f\x8b": "a gzip archive", b"PAR1": "a Parquet file",
              b"SQLite format 3": "a SQLite database", b"%PDF": "a PDF"}  # fmt: skip
JSON_LINES = "What is expected is one JSON object a line, or an array of them, in UTF-8"


class Unreadable(Exception):
    """A file as a whole, or one value of it; the message says what it is and what to do."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Value:
    """One JSON value: the line it begins on (1-based), and what it is or what is wrong with it."""

    line: int
    data: Any
    problem: str = ""


def read_text(path: Path) -> str:
    """Return the file as text: UTF-8, or what its byte-order mark says. Raises Unreadable, OSError."""
    data = path.read_bytes()
    for signature, name in SIGNATURES.items():
        if data.startswith(signature):
            raise Unreadable(f"is {name}. {JSON_LINES}")
    mark, encoding = next(((mark, name) for mark, name in MARKS if data.startswith(mark)), (b"", "utf-8"))
    if not mark and b"\0" in data[:1000]:
        raise Unreadable(
            f"has NUL characters: it is UTF-16 without a byte-order mark, or not text. {JSON_LINES}: "
            f"iconv -f UTF-16LE -t UTF-8 {path.name} > utf8-{path.name}"
        )
    try:
        return data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if mark:
            raise Unreadable(f"begins as {encoding.upper()} and is damaged at byte {len(mark) + error.start}") from None
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode(encoding)) + 1
        raise Unreadable(
            f"is not UTF-8 (byte {data[error.start]:#04x} at column {column}). If it is Windows-1252 or Latin-1, as "
            f"older programs save it, convert it: iconv -f WINDOWS-1252 -t UTF-8 {path.name} > utf8-{path.name}",
            line,
        ) from None


def values(text: str) -> Iterator[Value]:
    """The JSON values of a text: one a line, an array of them, or objects over several lines. Raises Unreadable."""
    start = _after_blank(text, 0)
    if start == len(text):
        return iter(())
    first = text[start:].split("\n", 1)[0].strip()
    if text[start] not in "{[":
        shape = next((name for sign, name in (("\t", "TSV"), (";", "CSV"), (",", "CSV")) if sign in first), "")
        looks = f"looks like {shape}, with the header {first[:80]!r}" if shape else f"begins with {first[:40]!r}"
        raise Unreadable(f"is not JSON: it {looks}. {JSON_LINES}", text.count("\n", 0, start) + 1)
    if text[start] == "[" and (_holds_objects(first) or not _whole(first)):
        return _array(text, start)
    if text[start] == "{" and not _whole(first) and _spans_lines(text, start):
        return _objects(text, start)
    return _lines(text)


def _lines(text: str) -> Iterator[Value]:
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip(" \t\r")
        if line:
            yield _value(number, line)


def _objects(text: str, position: int) -> Iterator[Value]:
    """Objects one after the other, over several lines each, as pretty printers write them."""
    number, counted = 1, 0
    while position < len(text):
        number, counted = number + text.count("\n", counted, position), position
        stop = _stop(text, position)
        yield _value(number, text[position:stop])
        position = _after_blank(text, stop)


def _array(text: str, start: int) -> Iterator[Value]:
    number, counted = 1, 0
    position = _after_blank(text, start + 1)
    while text[position : position + 1] != "]":
        number, counted = number + text.count("\n", counted, position), position
        stop = _stop(text, position)
        yield _value(number, text[position:stop])
        position = _after_blank(text, stop)
        if text[position : position + 1] == ",":
            position = _after_blank(text, position + 1)
        elif text[position : position + 1] != "]":
            line, column = _place(text, position)
            raise Unreadable(f"is a JSON array that breaks off at column {column}: ',' or ']' is expected", line)
    rest = _after_blank(text, position + 1)
    if rest < len(text):
        line, _ = _place(text, rest)
        raise Unreadable("is a JSON array with something after its end", line)


def _stop(text: str, position: int) -> int:
    try:
        return _LENIENT.raw_decode(text, position)[1]
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not JSON: {_lower(error.msg)}, at column {error.colno}", error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not JSON: {_reason(error)}", _place(text, position)[0]) from None


def _value(line: int, text: str) -> Value:
    try:
        data = _STRICT.decode(text)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()  # half of a surrogate pair is no character
        return Value(line, data)
    except UnicodeEncodeError as error:
        half = error.object[error.start].encode("unicode_escape").decode()
        return Value(line, None, f"half a character ({half})")
    except json.JSONDecodeError as error:
        return Value(line, None, f"not a JSON object ({_lower(error.msg)}, at column {error.pos + 1})")
    except (ValueError, RecursionError) as error:
        return Value(line, None, _reason(error))


def _whole(text: str) -> bool:
    """Whether a text is one JSON value, whatever is wrong in it."""
    try:
        _LENIENT.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "lists or objects are nested too deeply"
    return "a number has too many digits" if "limit" in str(error) else str(error)


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _holds_objects(first: str) -> bool:
    """Whether a line that is a whole JSON array holds objects: then it is the file, else a bad line."""
    return re.match(r"\[\s*\{", first) is not None


def _spans_lines(text: str, start: int) -> bool:
    try:
        return "\n" in text[start : _LENIENT.raw_decode(text, start)[1]]
    except (ValueError, RecursionError):
        return False


def _after_blank(text: str, position: int) -> int:
    return WHITESPACE.match(text, position).end()  # type: ignore[no-any-return]


def _place(text: str, position: int) -> tuple[int, int]:
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is given twice")
    return found


def _not_a_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number; leave out what is not known")


def _finite(digits: str) -> float:
    if math.isinf(number := float(digits)):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


_LENIENT = json.JSONDecoder(strict=False)
_STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_not_a_number, parse_float=_finite)
