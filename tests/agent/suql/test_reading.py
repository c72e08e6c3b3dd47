"""How the reader is asked: texts together in a prompt, prompts side by side, and readers that fail in every way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import BadReply, LanguageError, ModelUnavailable, RateLimited, TooExpensive
from agent.protocols.metering import report
from agent.protocols.reading import AnswerReply, AnswerRequest, CallRecord, Passage
from agent.suql import Budget, Engine
from agent.suql.reading import Reading, Sizes
from agent.suql.result import Usage
from tests.agent.suql.world import CATALOGUE, PairReader, fill

QUIET = "SELECT id FROM venues WHERE answer(about, 'quiet?') = 'Yes' ORDER BY id"
BOTH = "SELECT id, answer(about, 'mood?'), answer(about, 'wait?')::int FROM venues ORDER BY id"


@pytest.fixture(autouse=True)
def rows(world: psycopg.Connection[Any]) -> None:
    fill(world, seed=5, venues=30)


class Together(PairReader):
    """Takes up to `batch` texts in a prompt, and remembers the prompts."""

    def __init__(self, batch: int, concurrency: int = 4) -> None:
        super().__init__()
        self.batch = batch
        self.concurrency = concurrency
        self.prompts: list[list[AnswerRequest]] = []
        self.out = self.most_out = 0

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        self.prompts.append(list(requests))
        self.out += 1
        self.most_out = max(self.most_out, self.out)
        await asyncio.sleep(0.01)
        self.out -= 1
        return await super().answer(requests)


class Overflowing(Together):
    """Writes nonsense for prompts of more than `fits` texts."""

    def __init__(self, batch: int, fits: int) -> None:
        super().__init__(batch)
        self.fits = fits

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        replies = await super().answer(requests)
        return replies if len(requests) <= self.fits else replies[: self.fits]


class Metered(Together):
    """Tells what its prompts took."""

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        report(CallRecord(task="answer", model="m", prompt_tokens=100, completion_tokens=10, cost=0.01))
        return await super().answer(requests)


class Troubled(PairReader):
    """Raises what it is given, one after the other, before it answers."""

    def __init__(self, *troubles: Exception) -> None:
        super().__init__()
        self.troubles = list(troubles)

    async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
        if self.troubles:
            raise self.troubles.pop(0)
        return await super().answer(requests)


def values(result: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values.values()) for row in result.rows]


@pytest.mark.parametrize("batch", [2, 3, 16, 100])
async def test_texts_share_prompts_and_the_rows_stay_the_same(connect: Callable[[], Any], batch: int) -> None:
    alone = await Engine(connect, CATALOGUE, PairReader()).run(BOTH)
    reader = Together(batch)
    together = await Engine(connect, CATALOGUE, reader).run(BOTH)
    assert values(together) == values(alone)
    assert max(map(len, reader.prompts)) <= batch
    fewest = -(-reader.calls // batch)
    assert fewest <= together.usage.calls == len(reader.prompts) <= fewest + 1
    assert reader.most_out <= reader.concurrency


async def test_questions_on_one_text_share_its_prompt(connect: Callable[[], Any]) -> None:
    reader = Together(8)
    await Engine(connect, CATALOGUE, reader).run(BOTH)
    texts = [{request.passages[0].text for request in prompt} for prompt in reader.prompts]
    split = [
        text for number, seen in enumerate(texts) for text in seen if any(text in other for other in texts[:number])
    ]
    assert len(split) <= len(texts) - 1  # only where a prompt is full


async def test_a_prompt_that_fails_is_asked_in_halves_and_later_ones_are_smaller(connect: Callable[[], Any]) -> None:
    alone = await Engine(connect, CATALOGUE, PairReader()).run(BOTH)
    reader = Overflowing(16, fits=5)
    engine = Engine(connect, CATALOGUE, reader)
    result = await engine.run(BOTH)
    assert result.complete
    assert values(result) == values(alone)
    reader.prompts.clear()
    await engine.run("SELECT answer(about, 'kids?') FROM venues")
    assert max(map(len, reader.prompts)) <= 4


async def test_prompts_grow_again_after_they_worked(connect: Callable[[], Any]) -> None:
    sizes = Sizes(Together(16))
    sizes.failed(16)
    sizes.failed(8)
    assert sizes.current == 4
    for _ in range(40):
        sizes.worked()
    assert sizes.current == 16


async def test_a_busy_server_is_asked_again(connect: Callable[[], Any]) -> None:
    reader = Troubled(RateLimited("busy", retry_after=0.01), ModelUnavailable("away"))
    result = await Engine(connect, CATALOGUE, reader).run(QUIET)
    assert result.complete
    assert values(result) == values(await Engine(connect, CATALOGUE, PairReader()).run(QUIET))


async def test_a_server_that_wants_a_long_pause_is_not_waited_for(connect: Callable[[], Any]) -> None:
    started = time.monotonic()
    with pytest.raises(RateLimited):
        await Engine(connect, CATALOGUE, Troubled(*[RateLimited("busy", retry_after=3600)] * 50)).run(QUIET)
    assert time.monotonic() - started < 5


async def test_a_reader_that_hangs_is_given_up(connect: Callable[[], Any]) -> None:
    class Hanging(PairReader):
        async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
            await asyncio.sleep(3600)
            return []

    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.05 seconds"):
        await Engine(connect, CATALOGUE, Hanging(), silence=0.05).run(QUIET)


@pytest.mark.parametrize("reply", [None, "Yes", [None] * 8, [], {"value": "Yes"}, ["Yes"] * 8])
async def test_what_is_no_reply_is_an_error_and_not_an_empty_result(connect: Callable[[], Any], reply: Any) -> None:
    class Lying(PairReader):
        async def answer(self, requests: Sequence[AnswerRequest]) -> Any:
            return reply

    with pytest.raises(BadReply):
        await Engine(connect, CATALOGUE, Lying()).run(QUIET)


async def test_a_reader_that_breaks_is_an_error_of_the_model(connect: Callable[[], Any]) -> None:
    with pytest.raises(LanguageError):
        await Engine(connect, CATALOGUE, Troubled(*[ZeroDivisionError("oh")] * 500)).run(QUIET)


async def test_rows_that_could_not_be_read_are_named(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    found = world.execute("SELECT name, about FROM kb.venues WHERE length(about) > 40 ORDER BY id LIMIT 1").fetchone()
    assert found is not None
    world.rollback()

    class Failing(PairReader):
        async def answer(self, requests: Sequence[AnswerRequest]) -> list[AnswerReply]:
            if any(found[1] == passage.text for request in requests for passage in request.passages):
                raise BadReply("This text cannot be read.")
            return await super().answer(requests)

    result = await Engine(connect, CATALOGUE, Failing()).run(QUIET)
    assert not result.complete
    assert any(note.startswith("Not read: ") and found[0] in note for note in result.notes)
    assert any("1 text could not be read" in note for note in result.notes)


async def test_what_calls_took_is_counted_as_the_reader_tells_it(connect: Callable[[], Any]) -> None:
    reader = Metered(8)
    usage = (await Engine(connect, CATALOGUE, reader).run(QUIET)).usage
    assert usage.calls == len(reader.prompts)
    assert usage.tokens == 110 * usage.calls
    assert usage.cost == pytest.approx(0.01 * usage.calls)


async def test_queries_side_by_side_are_not_charged_for_one_another(connect: Callable[[], Any]) -> None:
    engine = Engine(connect, CATALOGUE, Metered(4))
    one, other = await asyncio.gather(
        engine.run(QUIET), engine.run("SELECT id FROM events WHERE answer(blurb, 'kids?') = 'Yes'")
    )
    assert one.usage.tokens == 110 * one.usage.calls
    assert other.usage.tokens == 110 * other.usage.calls


@pytest.mark.parametrize(
    ("budget", "name"), [(Budget(tokens=300), "300 tokens"), (Budget(cost=0.03), "$0.03"), (Budget(calls=3), "3 calls")]
)
async def test_every_budget_ends_the_asking(connect: Callable[[], Any], budget: Budget, name: str) -> None:
    reader = Metered(2, concurrency=1)
    result = await Engine(connect, CATALOGUE, reader).run(QUIET, budget=budget)
    assert len(reader.prompts) <= 3
    assert not result.complete
    assert name in result.notes[0]


async def test_a_query_far_over_its_budget_is_refused_before_it_spends(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    fill(world, seed=6, venues=90)
    reader = PairReader()
    engine = Engine(connect, CATALOGUE, reader)
    counting = "SELECT count(*) FROM venues WHERE answer(about, 'quiet?') = 'Yes'"
    with pytest.raises(TooExpensive, match="calls of the language model, and the budget is 2"):
        await engine.run(counting, budget=Budget(calls=2))
    assert reader.calls == 0
    assert not (await engine.run(QUIET, budget=Budget(calls=2))).complete  # a few rows are worth having
    await engine.run(counting, budget=Budget(calls=None))
    assert (await engine.run(counting, budget=Budget(calls=2))).complete  # what is known costs nothing


async def test_analyze_tells_what_each_question_took(connect: Callable[[], Any]) -> None:
    engine = Engine(connect, CATALOGUE, Metered(8))
    plan = await engine.explain(
        "SELECT id, answer(about, 'mood?') FROM venues WHERE answer(about, 'quiet?') = 'Yes'", analyze=True
    )
    steps = {
        step.title.split("”")[0]: step for block in plan.children for step in block.children if "Ask" in step.title
    }
    quiet, mood = steps["Ask “quiet?"], steps["Ask “mood?"]
    assert quiet.estimated["values"] >= quiet.actual["values"] > mood.actual["values"] > 0
    assert plan.actual["values"] == quiet.actual["values"] + mood.actual["values"]
    assert plan.actual["tokens"] == 110 * plan.actual["calls"]
    assert quiet.actual["seconds"] > 0


async def test_a_call_that_failed_is_counted_too() -> None:
    usage = Usage()
    reader = Troubled(ModelUnavailable("away"))
    reading = Reading(reader, Sizes(reader), usage)
    await reading.answers([AnswerRequest(question="quiet?", passages=(Passage(text="quiet=Yes"),))])
    assert usage.calls == 2
