"""A query while it runs: its events, stopping it, several at a time, readers that are slow, fail or hang."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import BadReply, ModelUnavailable
from agent.protocols.reading import AnswerReply, AnswerRequest, Span
from agent.suql import Budget, Engine, Finished, Planned, Progress, RowFound
from tests.agent.suql.world import CATALOGUE, PairReader, fill

QUIET = "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id"


class SlowReader(PairReader):
    """Takes `seconds` for each batch, and knows how many were stopped."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.stopped = 0

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        return await super().answer(requests)


class FailingReader(PairReader):
    """Cannot read texts in which `word` occurs; fails as a whole, or for that text only."""

    def __init__(self, word: str, *, whole: bool) -> None:
        super().__init__()
        self.word = word
        self.whole = whole

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        replies = await super().answer(requests)
        for place, request in enumerate(requests):
            if any(self.word in passage.text for passage in request.passages):
                if self.whole:
                    raise ModelUnavailable("The language model does not answer.")
                replies[place] = AnswerReply(value=None, problem="The text is too long.")
        return replies


@pytest.fixture(autouse=True)
def rows(world: psycopg.Connection[Any]) -> None:
    fill(world, seed=5, venues=30)


async def test_events_come_in_order_and_end_with_the_result(engine: Engine) -> None:
    events = [event async for event in engine.stream(QUIET)]
    assert isinstance(events[0], Planned)
    assert events[0].candidates == 26  # four have no text
    assert isinstance(events[-1], Finished)
    found = [event for event in events if isinstance(event, RowFound)]
    assert [event.position for event in found] == list(range(len(found)))
    assert tuple(event.row for event in found) == events[-1].result.rows
    progress = [event for event in events if isinstance(event, Progress)]
    assert progress
    assert all(event.done <= event.total == 26 and event.noun == "venues" for event in progress)


async def test_the_rows_of_a_join_are_not_counted_as_things(connect: Callable[[], Any]) -> None:
    joined = "SELECT v.id FROM venues v JOIN events w ON w.venue_id = v.id WHERE answer(v.about, 'quiet?') = 'Yes'"
    events = [event async for event in Engine(connect, CATALOGUE, PairReader()).stream(joined)]
    assert {event.noun for event in events if isinstance(event, Progress)} == {"rows"}


async def test_rows_are_shown_before_the_query_is_done(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    fill(world, seed=5, venues=300)
    reader = SlowReader(0.05)
    first_row = last_call = 0
    async for event in Engine(connect, CATALOGUE, reader).stream(QUIET):
        if isinstance(event, RowFound) and not first_row:
            first_row = reader.calls
        last_call = reader.calls
    assert 0 < first_row < last_call


async def test_closing_the_stream_stops_the_model(connect: Callable[[], Any]) -> None:
    reader = SlowReader(30)
    stream = Engine(connect, CATALOGUE, reader).stream(QUIET)
    async for event in stream:
        if isinstance(event, Planned):
            await asyncio.sleep(0.3)
            break
    await stream.aclose()
    assert reader.stopped > 0


async def test_cancelling_the_task_stops_the_sql_on_the_server(
    world: psycopg.Connection[Any], engine: Engine, database_url: str
) -> None:
    heavy = "SELECT count(*) FROM " + ", ".join(f"venues v{number}" for number in range(6))
    task = asyncio.create_task(engine.run(heavy))
    await asyncio.sleep(1.0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.3)
    running = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE usename = 'suql_test_reader' AND state = 'active' AND datname = current_database()"
    )
    row = world.execute(running).fetchone()
    world.rollback()
    assert row == (0,)


async def test_queries_at_the_same_time_share_what_they_ask(connect: Callable[[], Any]) -> None:
    reader = SlowReader(0.2)
    engine = Engine(connect, CATALOGUE, reader)
    one, two = await asyncio.gather(engine.run(QUIET), engine.run(QUIET))
    assert one.rows == two.rows
    assert reader.calls == len({request.model_dump_json() for request in reader.requests})
    assert one.usage.calls + two.usage.calls == reader.calls


async def test_a_query_that_is_stopped_leaves_the_others_their_answers(connect: Callable[[], Any]) -> None:
    reader = SlowReader(0.4)
    engine = Engine(connect, CATALOGUE, reader)
    stopped = asyncio.create_task(engine.run(QUIET))
    await asyncio.sleep(0.2)
    other = asyncio.create_task(engine.run(QUIET))
    await asyncio.sleep(0.1)
    stopped.cancel()
    result = await other
    assert result.complete
    assert result.rows


async def test_time_runs_out_in_time(connect: Callable[[], Any]) -> None:
    started = time.monotonic()
    result = await Engine(connect, CATALOGUE, SlowReader(30)).run(QUIET, budget=Budget(seconds=0.6))
    assert time.monotonic() - started < 5
    assert not result.complete
    assert "0.6 seconds" in result.notes[0]


async def test_a_text_that_cannot_be_read_is_named_and_its_row_is_not_taken_for_a_no(
    connect: Callable[[], Any],
) -> None:
    sql = "SELECT id FROM venues WHERE NOT answer(about, 'quiet?') = 'Yes' ORDER BY id"
    whole = await Engine(connect, CATALOGUE, PairReader()).run(sql)
    reader = FailingReader("quiet=No; kids=Yes", whole=False)
    result = await Engine(connect, CATALOGUE, reader).run(sql)
    assert not result.complete
    assert any("could not be read" in note and "too long" in note for note in result.notes)
    assert {row.key for row in result.rows} < {row.key for row in whole.rows}


async def test_a_failed_batch_leaves_the_other_batches(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    row = world.execute("SELECT about FROM kb.venues WHERE length(about) > 40 ORDER BY id LIMIT 1").fetchone()
    assert row is not None
    result = await Engine(connect, CATALOGUE, FailingReader(row[0], whole=True)).run(QUIET)
    assert result.rows
    assert not result.complete
    assert any("does not answer" in note for note in result.notes)


async def test_a_model_that_is_not_there_is_an_error_and_not_an_empty_result(connect: Callable[[], Any]) -> None:
    with pytest.raises(ModelUnavailable):
        await Engine(connect, CATALOGUE, FailingReader("", whole=True)).run(QUIET)


class LyingReader(PairReader):
    """Says what no reader should: spans outside the passages, control characters, endless numbers."""

    def __init__(self, value: str) -> None:
        super().__init__()
        self.value = value

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        self.requests.extend(requests)
        spans = (
            Span(passage=99, start=0, stop=5),
            Span(passage=0, start=-5, stop=10**9),
            Span(passage=0, start=9, stop=2),
        )
        return [AnswerReply(value=self.value, spans=spans) for _ in requests]


@pytest.mark.parametrize(
    "value",
    ["a\x00b", "\ud800", "9" * 200_000, "x" * 1_000_000, "1e999999", "', null); DROP TABLE kb.venues; --", '{"a": 1}'],
)
async def test_no_reply_can_break_a_query(connect: Callable[[], Any], value: str) -> None:
    engine = Engine(connect, CATALOGUE, LyingReader(value))
    sql = "SELECT id, answer(about, 'mood?'), answer(about, 'wait?')::int, answer(about, 'opened?')::date FROM venues"
    result = await engine.run(
        f"{sql} WHERE NOT (answer(about, 'kids?') = 'Yes' AND answer(about, 'wait?') > 5 AND id < 0)"
    )
    assert len(result.rows) == 30
    assert all(piece.start < piece.stop <= len(piece.text) for row in result.rows for piece in row.evidence)


async def test_a_reader_that_leaves_requests_out_is_an_error(connect: Callable[[], Any]) -> None:
    class Short(PairReader):
        async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
            return (await super().answer(requests))[1:]

    with pytest.raises(BadReply):
        await Engine(connect, CATALOGUE, Short()).run(QUIET)


async def test_what_could_not_be_read_is_asked_again_the_next_time(connect: Callable[[], Any]) -> None:
    failing = FailingReader("quiet=No; kids=Yes", whole=False)
    engine = Engine(connect, CATALOGUE, failing)
    assert not (await engine.run(QUIET)).complete
    failing.word = "no text holds this"
    assert (await engine.run(QUIET)).complete


async def test_more_rows_than_the_limit_are_cut_and_said(engine: Engine) -> None:
    result = await engine.run("SELECT id FROM venues", budget=Budget(rows=10))
    assert len(result.rows) == 10
    assert not result.complete
    assert "more than 10 rows" in result.notes[0]


async def test_rows_name_their_entity_whatever_is_selected(engine: Engine) -> None:
    for sql in (
        "SELECT city FROM venues WHERE id = 3",
        "SELECT DISTINCT city, stars FROM venues WHERE id = 3",
        "SELECT v.name, e.title FROM venues v LEFT JOIN events e ON e.venue_id = v.id WHERE v.id = 3 LIMIT 1",
        "SELECT DISTINCT v.name FROM venues v WHERE v.id = 3 ORDER BY v.name LIMIT 1",
        "SELECT t.city FROM (SELECT city, stars FROM venues WHERE id = 3) AS t",
        "WITH q AS (SELECT id, city FROM venues WHERE id < 9), r AS (SELECT * FROM q WHERE id = 3) SELECT city FROM r",
        "WITH q AS (SELECT * FROM venues WHERE id = 3) SELECT a.city FROM q AS a JOIN q AS b ON a.id = b.id",
    ):
        result = await engine.run(sql)
        assert (result.table, result.rows[0].key) == ("venues", "v3"), sql
        assert result.rows[0].title.startswith("Venue")
    assert (await engine.run("SELECT count(*) FROM venues")).rows[0].key is None


async def test_evidence_points_at_the_deciding_words(engine: Engine) -> None:
    result = await engine.run("SELECT id FROM venues WHERE answer(notes, 'quiet?') = 'Yes'")
    for row in result.rows:
        (piece,) = row.evidence
        assert piece.text[piece.start : piece.stop] == "Yes"
        assert (piece.column, piece.question, piece.value, piece.stance) == ("notes", "quiet?", "Yes", "for")


async def test_explain_asks_nothing(engine: Engine, reader: PairReader) -> None:
    step = await engine.explain(QUIET)
    assert reader.calls == 0
    titles = [child.title for block in step.children for child in block.children]
    assert "Ask “quiet?” where it can still change the result" in titles
    assert step.estimated["rows"] == 26
