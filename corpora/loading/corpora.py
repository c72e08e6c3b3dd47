"""The kinds of files there are, and loading some of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.db import Error, transaction

from corpora.loading.edits import edited, forget, key_text
from corpora.loading.plausible import misplaced
from corpora.loading.reading import Contents, Problem, read
from corpora.loading.records import (
    ArticleLine,
    CourseLine,
    LandmarkLine,
    Line,
    ProgramLine,
    QuestionLine,
    RestaurantLine,
)
from corpora.loading.rows import (
    store_articles,
    store_courses,
    store_landmarks,
    store_programs,
    store_questions,
    store_restaurants,
)
from corpora.loading.storing import Changes, Unfitting

MOST_REFUSED = 10  # lines the database refuses that are named
SAMPLE = Path(__file__).resolve().parent.parent / "sample"


@dataclass(frozen=True)
class Corpus:
    """One kind of file: the form of its lines, what tells them apart, how they are stored, where the sample is."""

    name: str
    form: type[Line]
    key: Callable[[Any], Hashable]
    store: Callable[..., Changes]
    sample: tuple[str, ...]
    edits: str = ""  # the field whose rows are edited together; the key where empty

    def edited_as(self, record: Any) -> str:
        """Return the key under which an edit by hand of what a line holds is noted."""
        return key_text(getattr(record, self.edits) if self.edits else self.key(record))

    def sample_files(self) -> list[Path]:
        """Return the files that come with the project."""
        return [path for pattern in self.sample for path in sorted(SAMPLE.glob(pattern))]


CORPORA = (
    Corpus("restaurants", RestaurantLine, lambda line: line.slug, store_restaurants, ("restaurants/*.jsonl",)),
    Corpus("courses", CourseLine, lambda line: line.course_id, store_courses, ("courses/courses.jsonl",)),
    Corpus("programs", ProgramLine, lambda line: line.program_id, store_programs, ("courses/programs.jsonl",)),
    Corpus("articles", ArticleLine, lambda line: line.slug, store_articles, ("articles.jsonl",)),
    Corpus(
        "questions",
        QuestionLine,
        lambda line: (line.article, line.quote),
        store_questions,
        ("article_questions.jsonl",),
        edits="article",
    ),
    Corpus(
        "landmarks",
        LandmarkLine,
        lambda line: (line.name, line.city),
        store_landmarks,
        ("landmarks.jsonl", "districts.jsonl"),
    ),
)


@dataclass(slots=True)
class Loaded:
    """What came of loading the files of one corpus."""

    changes: Changes = field(default_factory=Changes)
    problems: list[Problem] = field(default_factory=list)


def load(corpus: Corpus, paths: Sequence[Path], *, clear: bool = False, overwrite_edited: bool = False) -> Loaded:
    """Load each file that has no problem; with `clear`, all of them or none, and rows they do not have are removed.

    Rows edited by hand are kept as they are, unless `overwrite_edited` says otherwise.
    Passages are not touched: see `corpora.passages.indexing`.
    """
    contents = [read(path, corpus.form, corpus.key) for path in paths]
    for content in contents:
        content.problems += misplaced(content)
    loaded = Loaded(problems=[problem for content in contents for problem in content.problems])
    keep = frozenset() if overwrite_edited else edited(corpus.name)
    if not clear:
        for content in contents:
            if not content.problems:
                _store(corpus, content, loaded, keep)
    elif not loaded.problems:
        together = Contents[Any](
            ", ".join(content.file for content in contents),
            [record for content in contents for record in content.records],
            [place for content in contents for place in content.places],
        )
        _store(corpus, together, loaded, keep, only=True)
    return loaded


def _store(
    corpus: Corpus, contents: Contents[Any], loaded: Loaded, keep: frozenset[str], *, only: bool = False
) -> None:
    keys = [corpus.edited_as(record) for record in contents.records]
    records = [record for record, key in zip(contents.records, keys, strict=True) if key not in keep]
    try:
        with transaction.atomic():
            changes = corpus.store(records, only=only, keep=keep)
            if not keep:
                forget(corpus.name, None if only else keys)
    except (Unfitting, Error) as error:
        loaded.problems += _refused(corpus, contents) or [Problem(contents.file, 0, "", _said(error))]
    else:
        loaded.changes += replace(changes, kept=tuple(key for key in dict.fromkeys(keys) if key in keep))


def _refused(corpus: Corpus, contents: Contents[Any]) -> list[Problem]:
    """The first lines that are refused when each is stored by itself, after those before it. Nothing stays stored."""
    found: list[Problem] = []
    with transaction.atomic():
        for record, (file, line) in zip(contents.records, contents.places, strict=True):
            try:
                with transaction.atomic():
                    corpus.store([record])
            except (Unfitting, Error) as error:
                found.append(Problem(file, line, "", _said(error)))
                if len(found) == MOST_REFUSED:
                    break
        transaction.set_rollback(True)
    return found


def _said(error: Exception) -> str:
    if isinstance(error, Unfitting):
        return str(error)
    diagnosis = getattr(error.__cause__, "diag", None)
    said = [getattr(diagnosis, name, None) for name in ("message_primary", "message_detail")]
    return f"the database refuses it: {'. '.join(filter(None, said)) or error}"
