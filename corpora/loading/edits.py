"""What curators changed by hand: known by the line of a file that would write over it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from corpora.models import (
    Article,
    ArticleQuestion,
    Course,
    HandEdit,
    Offering,
    Place,
    Program,
    Rating,
    Restaurant,
    Review,
)

Line = tuple[str, str]  # the corpus and the key of a line, as text


def key_text(key: Any) -> str:
    """Return a key as it is written down: ("Mission", "San Francisco") is "Mission, San Francisco"."""
    return ", ".join(map(str, key)) if isinstance(key, tuple | list) else str(key)


def lines_of(row: Any) -> list[Line]:
    """Return the lines that hold a row: its own, or that of the row it belongs to."""
    match row:
        case Restaurant():
            return [("restaurants", row.slug)]
        case Review():
            return lines_of(row.restaurant)
        case Course():
            return [("courses", key_text(row.course_id))]
        case Offering() | Rating():
            return lines_of(row.course)
        case Program():
            return [("programs", row.program_id)]
        case Article():
            return [("articles", row.slug)]
        case ArticleQuestion():
            return [("questions", row.article.slug)]
        case Place():
            return [("landmarks", key_text((row.name, row.city)))]
    return []


def record(lines: Iterable[Line], by: AbstractBaseUser | None) -> None:
    """Note that these lines were edited by hand, and by whom."""
    for corpus, key in dict.fromkeys(lines):
        HandEdit.objects.update_or_create(corpus=corpus, key=key, defaults={"by": by})


def edited(corpus: str) -> frozenset[str]:
    """Return the keys of a corpus whose rows were edited by hand."""
    return frozenset(HandEdit.objects.filter(corpus=corpus).values_list("key", flat=True))


def forget(corpus: str, keys: Collection[str] | None) -> None:
    """Let files write these lines again; all of the corpus where no keys are given."""
    edits = HandEdit.objects.filter(corpus=corpus)
    (edits if keys is None else edits.filter(key__in=keys)).delete()
