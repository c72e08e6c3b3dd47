"""The kinds of files there are, and loading some of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import Error, transaction

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

SAMPLE = Path(__file__).resolve().parent.parent / "sample"


@dataclass(frozen=True)
class Corpus:
    """One kind of file: the form of its lines, what tells them apart, how they are stored, where the sample is."""

    name: str
    form: type[Line]
    key: Callable[[Any], Hashable]
    store: Callable[..., Changes]
    sample: tuple[str, ...]

    def sample_files(self) -> list[Path]:
        """The files that come with the project."""
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


def load(corpus: Corpus, paths: Sequence[Path], *, clear: bool = False) -> Loaded:
    """Load each file that has no problem; with `clear`, all of them or none, and rows they do not have are removed.

    Passages are not touched: see `corpora.passages.indexing`.
    """
    contents = [read(path, corpus.form, corpus.key) for path in paths]
    loaded = Loaded(problems=[problem for content in contents for problem in content.problems])
    if not clear:
        for content in contents:
            if not content.problems:
                _store(corpus, content, loaded)
    elif not loaded.problems:
        records = [record for content in contents for record in content.records]
        together = Contents(", ".join(content.file for content in contents), records)
        _store(corpus, together, loaded, only=True)
    return loaded


def _store(corpus: Corpus, contents: Contents[Any], loaded: Loaded, *, only: bool = False) -> None:
    try:
        with transaction.atomic():
            loaded.changes += corpus.store(contents.records, only=only)
    except Unfitting as error:
        loaded.problems.append(Problem(contents.file, 0, "", str(error)))
    except Error as error:
        loaded.problems.append(Problem(contents.file, 0, "", f"the database refuses it: {error}"))
