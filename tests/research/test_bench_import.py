"""What `bench import` measures: the files it makes are imported whole, and what follows from the figures."""

from __future__ import annotations

import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from corpora.embeddings_endpoint import EndpointEmbedder
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
from hybridchat.research.stand_in import Handler


@pytest.mark.django_db(transaction=True)
def test_the_files_are_imported_whole(tmp_path: Path) -> None:
    write_files(tmp_path, 20)
    done = import_files(tmp_path, encoded=False, again=True)
    try:
        assert (done.rows, done.passages) == (20, 60), "a thing's text, a note's, and the notes as the thing's"
        assert Passage.objects.filter(body__endswith="Anew.").count() == 6, "of a tenth of them, in the end"
        assert all((done.checking, done.storing, done.embedding, done.storing_again, done.embedding_again))
    finally:
        remove(NAME)


def test_what_does_not_grow_is_not_extrapolated() -> None:
    def one(rows: int, memory: int) -> Imported:
        return Imported(rows, 3 * rows, rows / 1000, rows / 1000, rows / 100, 0.0, 0.0, 0.0, 1.0, memory, 50)

    report = Report(one(1_000, 100), one(4_000, 100), one(100, 300), 0.5, [1.0, 1.0, 4.0], [1.1, 1.1])
    found = import_figures(report)
    assert (found["bytes_a_row"], found["memory_at_a_million"]) == (0, 300)
    assert found["rows_a_second"] == pytest.approx(2_000)
    assert found["slower"] == pytest.approx(1.1)
    grown = import_figures(Report(one(1_000, 100), one(4_000, 3_100), one(100, 300), 0.5, [1.0], []))
    assert grown["memory_at_a_million"] == 3_100 + 996_000
    assert "1.10 times" in import_table(report)
    assert "memory a row more" in import_table(report)
    assert "memory a row more" not in import_table(Report(None, one(4_000, 100), one(100, 300), 0.5, [1.0], []))


async def test_the_stand_in_speaks_as_an_endpoint_and_says_the_same_of_the_same_text() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        first, other, again = await EndpointEmbedder(f"http://127.0.0.1:{server.server_port}/v1").embed(["a", "b", "a"])
        server.shutdown()
    assert np.array_equal(first, again)
    assert first @ other < 0.9
