"""JSON-lines files, in and out, with errors that name the line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

LISTS, TEXTS = ("messages",), ("utterance", "question")  # fields of the same form wherever they stand


def read_lines(path: str, *required: str) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file ("-" is standard input), each with at least the required fields."""
    return [item for _, item in read_numbered(path, *required)]


def read_numbered(path: str, *required: str) -> list[tuple[int, dict[str, Any]]]:
    """The same objects, each with the number of its line."""
    return list(_objects(_text(path), path, required))


def write_lines(path: str, objects: Iterable[dict[str, Any]]) -> None:
    """Writes one object a line ("-" is standard output)."""
    text = "".join(json.dumps(one, ensure_ascii=False, default=str) + "\n" for one in objects)
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error}.") from error


def flaw(value: Any) -> str:
    """What no text of a message or a query may hold, where a value holds it at any depth; "" where it does not."""
    ahead = [value]
    for one in ahead:
        if isinstance(one, str):
            if "\x00" in one:
                return "a NUL character"
            if any("\ud800" <= character <= "\udfff" for character in one):
                return "half a character (a lone surrogate, or bytes that are not UTF-8)"
        elif isinstance(one, dict):
            ahead += [*one, *one.values()]
        elif isinstance(one, list):
            ahead += one
    return ""


def _text(path: str) -> str:
    try:
        if path == "-":
            return sys.stdin.read()
        return Path(path).read_text(encoding="utf-8-sig")  # some editors put a mark before the first line
    except (OSError, ValueError) as error:  # ValueError: the file's text, or its name, cannot be one
        raise CommandError(f"{path} cannot be read: {error}. Give a JSON-lines file in UTF-8.") from error


def _objects(text: str, path: str, required: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):  # splitlines would also cut at U+2028 inside a string
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise CommandError(f"{path}, line {number}: not JSON ({error.msg}).") from error
        except RecursionError as error:
            raise CommandError(f"{path}, line {number}: nested too deeply.") from error
        except ValueError as error:
            raise CommandError(f"{path}, line {number}: a number has too many digits.") from error
        if not isinstance(item, dict):
            raise CommandError(f"{path}, line {number}: an object is expected.")
        if held := flaw(item):
            raise CommandError(f"{path}, line {number}: a text holds {held}.")
        missing = [name for name in required if name not in item]
        if missing:
            raise CommandError(f"{path}, line {number}: {', '.join(missing)} missing.")
        for name in required:
            if (expected := _unlike(name, item[name])) is not None:
                raise CommandError(f"{path}, line {number}: {name} has to be {expected}.")
        yield number, item


def _unlike(name: str, value: Any) -> str | None:
    """What a field has to be, where it is something else; None where it is right, or may be anything."""
    if name in LISTS:
        right = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return None if right else "a list of texts"
    if name == "texts":
        several = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return None if several or isinstance(value, str) else "a text or a list of texts"
    return "a text" if name in TEXTS and not isinstance(value, str) else None
