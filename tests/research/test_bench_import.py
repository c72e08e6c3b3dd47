"""What `bench import` measures: the files it makes are imported whole, and what follows from the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.importing.removing import remove
from corpora.models import Passage
from hybridchat.research.bench_import import (
    NAME,
    Imported,
    Report,
    import_figures,
    import_files,
    import_table,
    write_files,
)


@pytest.mark.django_db(transaction=True)
def test_the_files_are_imported_whole(tmp_path: Path) -> None:
    write_files(tmp_path, 20)
    done = import_files(tmp_path, encoded=False)
    try:
        assert (done.rows, done.passages) == (20, 60), "a thing's text, a note's, and the notes as the thing's"
        assert Passage.objects.count() == 60
    finally:
        remove(NAME)


def test_what_does_not_grow_is_not_extrapolated() -> None:
    def one(rows: int, memory: int) -> Imported:
        return Imported(rows, 3 * rows, rows / 1000, rows / 100, 0.0, memory, 50)

    report = Report(one(1_000, 100), one(4_000, 100), one(100, 300), 0.5, [1.0, 1.0, 4.0], [1.1, 1.1])
    found = import_figures(report)
    assert (found["bytes_a_row"], found["memory_at_a_million"]) == (0, 300)
    assert found["rows_a_second"] == pytest.approx(2_000)
    assert found["slower"] == pytest.approx(1.1)
    grown = import_figures(Report(one(1_000, 100), one(4_000, 3_100), one(100, 300), 0.5, [1.0], []))
    assert grown["memory_at_a_million"] == 3_100 + 996_000
    assert "1.10 times" in import_table(report)
