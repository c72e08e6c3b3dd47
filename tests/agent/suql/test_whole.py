"""answer_all(), validate() and summary() read all rows, in parts where they are many, or say how many they read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from agent.protocols.reading import AnswerReply, Span
from agent.suql import Budget, Engine
from agent.suql.reducing import Capacity
from tests.agent.suql.world import CATALOGUE, PairReader

ROWS = 200
ALL = "SELECT answer_all((SELECT about FROM venues ORDER BY id), '{}') AS a"


@pytest.fixture
def many(world: psycopg.Connection[Any]) -> Callable[[Callable[[int], str]], None]:
    """Writes 200 rows whose texts are made from their numbers."""

    def write(text: Callable[[int], str]) -> None:
        world.execute("TRUNCATE kb.venues, kb.events")
        for number in range(1, ROWS + 1):
            world.execute("INSERT INTO kb.venues (id, about) VALUES (%s, %s)", [number, text(number)])
        world.commit()

    return write


class CountingReader(PairReader):
    """Decides by the rows it is shown: `most` says what most of them say, else Yes if any says so."""

    def __init__(self, *, most: bool, spans: bool = True) -> None:
        super().__init__()
        self.most = most
        self.spans = spans

    def _reply(self, request: Any, name: str) -> AnswerReply:
        said = [(number, passage.text) for number, passage in enumerate(request.passages) if f"{name}=" in passage.text]
        votes = Counter("Yes" if f"{name}=Yes" in text else "No" for _, text in said)
        if not votes:
            return AnswerReply(value=None)
        value = "Yes" if votes["Yes"] > (votes["No"] if self.most else 0) else "No"
        spans = [
            Span(passage=number, start=0, stop=len(text), supports=(f"{name}=Yes" in text) == (value == "Yes"))
            for number, text in said
        ]
        return AnswerReply(value=value, spans=tuple(spans) if self.spans else ())


async def told(connect: Callable[[], Any], reader: PairReader, sql: str, **budget: Any) -> tuple[Any, Any]:
    result = await Engine(connect, CATALOGUE, reader, budget=Budget(**budget)).run(sql)
    return result.rows[0].values["a"], result


@pytest.mark.parametrize("spans", [True, False])
@pytest.mark.parametrize("place", [1, 13, 150, ROWS])
async def test_what_any_one_of_many_rows_says_is_found(
    many: Callable[..., None], connect: Callable[[], Any], place: int, spans: bool
) -> None:
    many(lambda number: f"kids={'Yes' if number == place else 'No'}; wait={number}")
    value, result = await told(connect, CountingReader(most=False, spans=spans), ALL.format("kids?"), calls=None)
    assert (value, result.complete, result.notes) == ("Yes", True, ())


@pytest.mark.parametrize(("yes", "right"), [(ROWS // 2 + 10, "Yes"), (ROWS // 2 - 10, "No"), (3, "No"), (197, "Yes")])
@pytest.mark.parametrize("first", [True, False])
async def test_the_majority_of_many_rows_is_theirs_and_not_that_of_the_first(
    many: Callable[..., None], connect: Callable[[], Any], yes: int, right: str, first: bool
) -> None:
    many(lambda number: f"kids={'Yes' if (number <= yes if first else number > ROWS - yes) else 'No'}; wait={number}")
    value, result = await told(connect, CountingReader(most=True), ALL.format("kids?"))
    assert (value, result.complete) == (right, True)
    claim = "SELECT validate((SELECT about FROM venues ORDER BY id), 'kids') AS a"
    assert (await told(connect, CountingReader(most=True), claim))[0] is (right == "Yes")


async def test_each_row_is_shown_to_the_reader(many: Callable[..., None], connect: Callable[[], Any]) -> None:
    many(lambda number: f"wait={number}; gist=g{number}")
    for sql in (ALL.format("mood?"), "SELECT summary(array_agg(about ORDER BY id)) AS a FROM venues"):
        reader = PairReader()
        await told(connect, reader, sql)
        shown = {text for request in reader.requests for text in seen(request)}
        assert len(shown) >= ROWS
        assert all(len(request.passages) <= Capacity().passages for request in reader.requests)


def seen(request: Any) -> list[str]:
    return [passage.text for passage in request.passages]


async def test_a_budget_that_ends_leaves_rows_out_and_says_how_many(
    many: Callable[..., None], connect: Callable[[], Any]
) -> None:
    many(lambda number: f"kids={'Yes' if number < 90 else 'No'}; wait={number}")
    value, result = await told(connect, CountingReader(most=True), ALL.format("kids?"), calls=4)
    assert value == "Yes"
    assert not result.complete
    (note,) = [note for note in result.notes if "rows" in note and "kids?" in note]
    read = int(note.split("asked of ")[1].split(" ")[0])
    assert note.endswith(f"asked of {read} of {ROWS} rows.")
    assert 0 < read < ROWS


async def test_an_answer_over_some_of_the_rows_is_not_remembered(
    many: Callable[..., None], connect: Callable[[], Any]
) -> None:
    many(lambda number: f"kids={'Yes' if number > 190 else 'No'}; wait={number}")
    engine = Engine(connect, CATALOGUE, CountingReader(most=False))
    short = await engine.run(ALL.format("kids?"), budget=Budget(calls=3))
    whole = await engine.run(ALL.format("kids?"), budget=Budget(calls=None))
    assert (short.complete, whole.complete, whole.rows[0].values["a"]) == (False, True, "Yes")


async def test_more_rows_than_are_ever_read_are_said_to_be_more(
    many: Callable[..., None], connect: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("passages", "asking", "statements", "notes"):
        monkeypatch.setattr(f"agent.suql.{module}.ROWS", 150)
    many(lambda number: f"kids=No; wait={number}")
    _, result = await told(connect, CountingReader(most=False), ALL.format("kids?"))
    assert not result.complete
    assert result.notes == ("“kids?” was asked of 150 of more than 150 rows.",)


async def test_a_reader_that_takes_more_at_once_is_given_it(
    many: Callable[..., None], connect: Callable[[], Any]
) -> None:
    many(lambda number: f"kids={'Yes' if number > 101 else 'No'}; wait={number}")
    reader = CountingReader(most=True)
    reader.capacity = 100_000  # type: ignore[attr-defined]
    value, _ = await told(connect, reader, ALL.format("kids?"))
    assert (value, reader.calls) == ("No", 1)


async def test_the_evidence_of_parts_is_that_of_the_rows(many: Callable[..., None], connect: Callable[[], Any]) -> None:
    many(lambda number: f"kids={'Yes' if number == 77 else 'No'}; wait={number}")
    sql = "SELECT v.id, answer_all((SELECT about FROM venues ORDER BY id), 'kids?') AS a FROM venues v WHERE v.id = 1"
    _, result = await told(connect, CountingReader(most=False), sql)
    supporting = [piece.text for piece in result.rows[0].evidence if piece.stance == "for"]
    assert supporting == ["about: kids=Yes; wait=77"]
