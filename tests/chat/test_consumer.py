"""A browser tab on a websocket: real consumer, channel layer and database; the searching is done in this process."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from html import escape
from typing import Any
from uuid import UUID, uuid4

import pytest
from channels.db import database_sync_to_async
from django.db import connection, transaction

from agent.record import TurnState
from hybridchat.chat import hints, leases, limits, runner, services
from hybridchat.chat.consumers import NOT_YOURS, SENT_AWAY
from hybridchat.chat.journal import LIVE_ROWS
from hybridchat.chat.models import Conversation, Feedback, Turn
from hybridchat.chat.threads import in_thread
from tests.chat import fakes
from tests.chat.tab import ENDED, PATIENCE, Tab

Opener = Callable[..., Awaitable["Tab"]]


@pytest.fixture
async def open_tab(conversation: Conversation, scripted: None) -> AsyncIterator[Opener]:
    tabs: list[Tab] = []

    async def opened(after: str = "", token: str = "a session's token", of: Conversation = conversation) -> Tab:
        tab = Tab(of, token, after)
        await tab.open()
        tabs.append(tab)
        return tab

    yield opened
    for tab in tabs:
        await tab.close()


@pytest.fixture
async def in_process_worker(scripted: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """What is due for a worker is done by this process's event loop, with the real runner, and ends with the test."""
    started: set[asyncio.Task[None]] = set()
    loop = asyncio.get_running_loop()
    over = asyncio.Event()

    def work_is_due(turn: UUID) -> None:
        def begin() -> None:
            if not over.is_set():
                started.add(loop.create_task(runner.work_on(turn)))

        transaction.on_commit(lambda: loop.call_soon_threadsafe(begin))

    monkeypatch.setattr(hints, "work_is_due", work_is_due)
    yield
    over.set()
    for work in started:
        work.cancel()
    await asyncio.gather(*started, return_exceptions=True)


async def stored(turn_id: UUID) -> Turn:
    return await Turn.objects.select_related("configuration").aget(pk=turn_id)


async def until_finished(turn_id: UUID) -> Turn:
    for _ in range(int(PATIENCE / 0.05)):
        if not (turn := await stored(turn_id)).running:
            return turn
        await asyncio.sleep(0.05)
    raise AssertionError(f"the turn is still {turn.status}")


async def test_a_message_is_answered_with_rows_evidence_and_chips(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="somewhere romantic")
    final = await tab.until(ENDED)
    assert f'id="turn-{uuid}"' in final
    assert "<strong>2</strong> places" in final
    assert "<mark>It was the most romantic evening.</mark>" in final
    assert "Something cheaper" in final
    assert re.search(r"beforeend:#turns", tab.frames[0]) or re.search(r"beforeend:#turns", tab.frames[1])


async def test_a_turn_keeps_what_it_was_answered_with_and_when_each_step_was_reached(
    open_tab: Opener, in_process_worker: None
) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="somewhere romantic")
    await tab.until(ENDED)
    turn = await stored(UUID(uuid))
    assert turn.configuration is not None
    assert turn.configuration.document["language"] == "builtin"
    assert turn.usage == {"calls": 3, "cached": 1, "seconds": 0.5}
    steps = ["parsing", "parsed", "executing", "done"]
    assert sorted(turn.timings.values()) == [turn.timings[step] for step in steps]


async def test_what_a_step_brought_is_stored_as_it_comes(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="slow rows=60")
    await tab.until("Place 0")
    state = TurnState.model_validate((await stored(UUID(uuid))).state)
    assert state.queries is not None
    assert state.outcomes == ()
    await tab.say(type="stop", turn=uuid)
    await tab.until(ENDED + "|Stopped")


async def test_the_first_frame_comes_before_anything_is_understood(open_tab: Opener, in_process_worker: None) -> None:
    tab = await open_tab()
    await tab.say(type="send", uuid=str(uuid4()), message="slow-parse please")
    first = await tab.until("beforeend:#turns")
    assert "slow-parse please" in first


async def test_a_double_send_is_answered_once(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    for _ in range(3):
        await tab.say(type="send", uuid=uuid, message="somewhere romantic")
    await tab.until(ENDED)
    assert await Turn.objects.acount() == 1
    assert await (await stored(UUID(uuid))).events.filter(kind="replied").acount() == 1
    assert "".join(tab.frames).count("beforeend:#turns") == 1


async def test_two_tabs_agree(open_tab: Opener, in_process_worker: None) -> None:
    one, other = await open_tab(), await open_tab()
    await one.say(type="send", uuid=str(uuid4()), message="somewhere romantic")
    article = re.compile(r'<article class="turn".*?</article>', re.S)
    finals = [await tab.until(ENDED) for tab in (one, other)]
    assert article.search(finals[0])[0].replace(' hx-swap-oob="true"', "") == article.search(finals[1])[0].replace(
        ' hx-swap-oob="true"', ""
    )
    assert one.cursor == other.cursor


async def test_a_tab_that_comes_back_gets_what_it_missed_and_only_that(
    open_tab: Opener, in_process_worker: None
) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="slow rows=4")
    await tab.until("Place 0")
    await tab.close()
    await until_finished(UUID(uuid))
    back = await open_tab(after=tab.cursor)
    frame = await back.until(ENDED)
    assert "beforeend:#turns" not in frame  # the page has the turn; it is replaced
    assert "Place 3" in frame
    seen_all = await open_tab(after=back.cursor)
    assert await seen_all.socket.receive_nothing(0.5)


async def test_a_tab_that_missed_a_whole_turn_gets_it_added(open_tab: Opener, in_process_worker: None) -> None:
    tab = await open_tab()
    await tab.say(type="send", uuid=str(uuid4()), message="first")
    await tab.until(ENDED)
    await tab.say(type="send", uuid=str(uuid4()), message="second")
    await tab.until("second.*#announcement")
    late = await open_tab(after="1.1")
    frame = await late.until("second")
    assert frame.count("beforeend:#turns") == 1
    assert late.cursor.startswith("2.")


@pytest.mark.parametrize("after", ["", "nonsense", "99.1", "1." + "9" * 40, "-1.0"])
async def test_a_strange_cursor_shows_the_last_turn_anew(
    open_tab: Opener, turn: Turn, in_process_worker: None, after: str
) -> None:
    frame = await (await open_tab(after=after)).until(f'id="(turn|status)-{turn.pk}"')
    assert "beforeend:#turns" not in frame


async def test_a_closed_tab_does_not_end_the_work(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="slow rows=3")
    await tab.until("beforeend:#turns")
    await tab.close()
    assert (await until_finished(UUID(uuid))).status == Turn.Status.DONE


async def test_a_message_posted_from_the_first_screen_is_answered_in_the_tab_that_opens(
    open_tab: Opener, turn: Turn, scripted: None
) -> None:
    tab = await open_tab(after="1.1")
    await runner.work_on(turn.pk)
    await tab.until(ENDED)


@pytest.mark.parametrize("message", ["slow-parse", "slow rows=60"])
async def test_stop_ends_the_work_at_once(open_tab: Opener, in_process_worker: None, message: str) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message=message)
    await tab.until("Working out|Looking at|Place 0")
    began = asyncio.get_running_loop().time()
    await tab.say(type="stop", turn=uuid)
    await tab.until(ENDED)
    assert asyncio.get_running_loop().time() - began < limits.HEARTBEAT / 2
    turn = await stored(UUID(uuid))
    assert (turn.status, turn.lease_holder) == (Turn.Status.STOPPED, "")
    events = await turn.events.acount()
    await asyncio.sleep(0.7)
    assert await turn.events.acount() == events  # nothing goes on behind the scenes


async def test_very_many_rows_are_few_events_and_all_in_the_outcome(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="rows=150")
    await tab.until(ENDED)
    turn = await stored(UUID(uuid))
    assert await turn.events.filter(kind="row").acount() == LIVE_ROWS
    assert len(turn.state["outcomes"][0]["rows"]) == 150


async def test_a_busy_event_loop_does_not_lose_the_lease(
    open_tab: Opener, in_process_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LEASE", timedelta(seconds=fakes.BUSY / 3))
    monkeypatch.setattr(limits, "HEARTBEAT", fakes.BUSY / 12)
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="busy")
    await tab.until("beforeend:#turns")
    taken = asyncio.create_task(in_thread(tries_to_take, UUID(uuid)))
    await tab.until(ENDED)
    assert await taken == 0


def tries_to_take(turn_id: UUID) -> int:
    """How often another process, trying all the time, gets the lease of a turn that is being executed."""
    count = 0
    while Turn.objects.running().filter(pk=turn_id).exists():
        executing = Turn.objects.filter(pk=turn_id, status=Turn.Status.EXECUTING).exists()
        count += executing and leases.take(turn_id, "another") is not None
        time.sleep(0.1)
    return count


async def test_threads_that_read_texts_do_not_hold_up_events(open_tab: Opener, in_process_worker: None) -> None:
    tab = await open_tab()
    reading = [asyncio.create_task(asyncio.to_thread(time.sleep, 3)) for _ in range(64)]
    began = asyncio.get_running_loop().time()
    await tab.say(type="send", uuid=str(uuid4()), message="somewhere romantic")
    await tab.until(ENDED)
    assert asyncio.get_running_loop().time() - began < 2.5
    for one in reading:
        one.cancel()


async def test_what_a_page_is_shown_does_not_wait_behind_what_a_crowd_sends(
    open_tab: Opener, conversation: Conversation
) -> None:
    tab = await open_tab()
    await tab.send("ping")
    await tab.until("pong")
    crowd = [asyncio.create_task(in_thread(time.sleep, 2)) for _ in range(16)]
    began = asyncio.get_running_loop().time()
    await database_sync_to_async(services.receive, thread_sensitive=False)(conversation, uuid4(), "somewhere romantic")
    await tab.until("beforeend:#turns")
    assert asyncio.get_running_loop().time() - began < 1.5
    await asyncio.gather(*crowd)


async def test_the_answer_appears_while_it_is_written_and_is_announced_once(
    open_tab: Opener, in_process_worker: None
) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="streamed rows=3")
    written = await tab.until("<strong>3</strong> places")
    assert f'id="text-{uuid}"' in written
    assert "for streamed" not in written
    assert ENDED not in written
    assert "for streamed" in await tab.until(ENDED)
    assert "".join(tab.frames).count(ENDED) == 1


def sleepers() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [fakes.SLEEPER])
        return cursor.fetchone()[0]


async def test_stop_ends_the_work_inside_postgresql_too(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="sleep-in-sql")
    for _ in range(100):
        if await in_thread(sleepers):
            break
        await asyncio.sleep(0.05)
    assert await in_thread(sleepers) == 1
    await tab.say(type="stop", turn=uuid)
    await tab.until(">Stopped")
    await asyncio.sleep(0.3)
    assert await in_thread(sleepers) == 0


@pytest.mark.parametrize(
    ("message", "sentence"), [("fail", "does not answer"), ("break", "Something went wrong on our side")]
)
async def test_what_goes_wrong_is_said(open_tab: Opener, in_process_worker: None, message: str, sentence: str) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    await tab.say(type="send", uuid=uuid, message=message)
    frame = await tab.until(ENDED)
    assert sentence in frame
    assert "ZeroDivision" not in frame
    assert (await stored(UUID(uuid))).error_detail


async def test_a_step_that_takes_too_long_ends_with_a_sentence(
    open_tab: Opener, in_process_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STEP_LIMIT", 0.5)
    tab = await open_tab()
    await tab.say(type="send", uuid=str(uuid4()), message="slow rows=60")
    assert "narrower question" in await tab.until(ENDED)


async def test_nobody_opens_the_conversation_of_another_session(conversation: Conversation) -> None:
    for token in ("another session's token", ""):
        tab = Tab(conversation, token, "")
        await tab.open()
        closed = await tab.socket.receive_output(PATIENCE)
        assert (closed["type"], closed["code"]) == ("websocket.close", NOT_YOURS)
        await tab.say(type="send", message="somewhere romantic", uuid=str(uuid4()))  # was under way already
        await tab.close()
    assert not await conversation.turns.aexists()


async def test_a_second_message_while_one_runs_is_refused_by_its_identifier(
    open_tab: Opener, in_process_worker: None
) -> None:
    tab = await open_tab()
    await tab.say(type="send", uuid=str(uuid4()), message="slow rows=9")
    await tab.until("beforeend:#turns")
    hostile = '"><b>x</b>'
    await tab.say(type="send", uuid=hostile, message="and cheaper")
    assert f'data-answers="{escape(hostile)}"' in await tab.until('id="refusal" class')
    second = str(uuid4())
    await tab.say(type="send", uuid=second, message="and cheaper")
    frame = await tab.until('id="refusal" class')
    assert "still working on your last message" in frame
    assert f'data-answers="{second}"' in frame


@pytest.mark.parametrize(
    "frame",
    [
        "not json",
        "[1, 2]",
        '{"type": "fly"}',
        '{"type": ["send"]}',
        '{"type": "send", "message": "no identifier"}',
        '{"type": "send", "uuid": 5, "message": "x"}',
        '{"type": "send", "uuid": "00000000-0000-0000-0000-000000000001", "message": {"a": 1}}',
        '{"type": "stop", "turn": "00000000-0000-0000-0000-000000000001"}',
        '{"type": "send", "message": "' + "x" * limits.FRAME_BYTES + '"}',
    ],
)
async def test_a_frame_that_makes_no_sense_is_answered_with_a_sentence(open_tab: Opener, frame: str) -> None:
    tab = await open_tab()
    await tab.send(frame)
    assert await tab.until('id="refusal" class')
    assert await Turn.objects.acount() == 0


async def test_what_was_heard_is_acknowledged_and_a_refusal_names_its_frame(open_tab: Opener, turn: Turn) -> None:
    tab, stop, busy = await open_tab(), str(uuid4()), str(uuid4())
    await tab.say(type="send", uuid=busy, message="meanwhile")
    assert f'data-answers="{busy}"' in await tab.until('id="refusal" class')
    assert json.loads(await tab.until("heard")) == {"heard": busy}
    await tab.say(type="stop", uuid=stop, turn=str(turn.pk))
    assert json.loads(await tab.until("heard")) == {"heard": stop}


async def test_a_page_that_asks_whether_the_connection_lives_is_answered(open_tab: Opener) -> None:
    tab = await open_tab()
    await tab.send("ping")
    assert await tab.until("^pong$")


async def test_a_comment_of_the_longest_kind_fits_a_frame(open_tab: Opener, turn: Turn) -> None:
    tab, uuid = await open_tab(), str(uuid4())
    comment = "語" * limits.COMMENT_CHARACTERS
    await tab.send(
        json.dumps(
            {"type": "feedback", "uuid": uuid, "turn": str(turn.pk), "rating": 1, "comment": comment},
            ensure_ascii=False,
        )
    )
    await tab.until("heard")
    assert (await Feedback.objects.aget()).comment == comment


async def test_who_sends_what_makes_no_sense_is_sent_away_over_all_their_tabs(open_tab: Opener) -> None:
    one, other = await open_tab(), await open_tab()
    for number in range(limits.PATIENCE):
        tab = (one, other)[number % 2]
        await tab.send("not json")
        await tab.until('id="refusal" class')
    for _ in range(3):
        await one.send("not json")
    assert (await one.socket.receive_output(PATIENCE))["code"] == SENT_AWAY
    await one.send("not json")
    assert await one.socket.receive_nothing()
    late = await open_tab()
    assert (await late.socket.receive_output(PATIENCE))["code"] == SENT_AWAY


async def test_the_pace_of_frames_is_a_persons_over_all_their_tabs(
    open_tab: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FRAMES_PER_TEN_SECONDS", 3)
    tabs = [await open_tab() for _ in range(8)]
    for number in range(2 * (3 + limits.PATIENCE) + 1):  # too many even where the ten seconds end meanwhile
        await tabs[number % 8].say(type="feedback", turn=str(uuid4()))
    ended = 0
    for tab in tabs:
        while (output := await tab.socket.receive_output(PATIENCE))["type"] != "websocket.close":
            assert "not in this conversation" in output["text"] or "faster than" in output["text"]
            if await tab.socket.receive_nothing(0.3):
                break
        ended += output.get("code") == SENT_AWAY
    assert ended > 0


async def test_an_address_and_the_site_have_a_pace_too(
    open_tab: Opener, in_process_worker: None, settings: Any
) -> None:
    settings.ADDRESS_PACE = 0
    tab = await open_tab()
    await tab.say(type="send", uuid=str(uuid4()), message="first")  # a test's connection has no address
    await tab.until(ENDED)
    settings.SITE_PACE = 0
    await tab.say(type="send", uuid=str(uuid4()), message="second")
    assert "too many messages on this site" in await tab.until('id="refusal" class')


async def test_bytes_are_refused(open_tab: Opener) -> None:
    tab = await open_tab()
    await tab.send(data=b"\x00\x01")
    assert await tab.until('id="refusal" class')


async def test_a_flood_of_frames_is_refused(
    open_tab: Opener, in_process_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FRAMES_PER_TEN_SECONDS", 3)
    tab = await open_tab()
    for _ in range(2 * 3 + 1):  # too many even where the ten seconds end meanwhile
        await tab.say(type="stop", turn=str(uuid4()))
    assert "faster than I can follow" in await tab.until("faster than I can follow")


async def test_more_messages_than_anybody_types_are_refused(
    open_tab: Opener, in_process_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TURNS_PER_MINUTE", 1)
    tab = await open_tab()
    await tab.say(type="send", uuid=str(uuid4()), message="first")
    await tab.until(ENDED)
    await tab.say(type="send", uuid=str(uuid4()), message="second")
    assert "messages in a minute" in await tab.until('id="refusal" class')


async def test_feedback_reaches_the_other_tab(open_tab: Opener, turn: Turn) -> None:
    await in_thread(services.request_stop, turn)
    one, other = await open_tab(), await open_tab()
    await one.say(type="feedback", turn=str(turn.pk), rating=-1, comment="wrong city")
    assert f'id="foot-{turn.pk}"' in await other.until("wrong city")
    assert (await Feedback.objects.aget()).rating == -1


async def test_reasons_come_as_one_or_as_several_and_empty_ones_are_none(open_tab: Opener, turn: Turn) -> None:
    await in_thread(services.request_stop, turn)
    tab = await open_tab()
    for sent, kept in ((["", "wrong", "slow"], ["wrong", "slow"]), ("", [])):
        uuid = str(uuid4())
        await tab.say(type="feedback", uuid=uuid, turn=str(turn.pk), rating="-1", comment="", reasons=sent)
        await tab.until("heard")
        assert (await Feedback.objects.aget()).reasons == kept


async def test_what_was_meant_becomes_the_next_turn(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid, meant = await open_tab(), str(uuid4()), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="somewhere romantic")
    await tab.until(ENDED)
    await tab.say(type="meant", uuid=meant, turn=uuid, message="with candles")
    await tab.until(f'id="turn-{meant}"')
    given = await Feedback.objects.aget()
    assert (str(given.turn_id), str(given.correction_id), given.meant) == (uuid, meant, "with candles")


async def test_try_again_asks_the_same_once_more(open_tab: Opener, in_process_worker: None) -> None:
    tab, uuid, again = await open_tab(), str(uuid4()), str(uuid4())
    await tab.say(type="send", uuid=uuid, message="somewhere romantic")
    await tab.until(ENDED)
    await tab.say(type="retry", uuid=again, turn=uuid)
    await tab.until(f'id="turn-{again}"')
    turn = await until_finished(UUID(again))
    assert (turn.message, turn.kind) == ("somewhere romantic", Turn.Kind.RETRY)


async def test_what_people_and_models_write_is_text_and_no_markup(open_tab: Opener, in_process_worker: None) -> None:
    tab = await open_tab()
    message = '<img src=x onerror=alert(1)> <div id="history" hx-swap-oob="true">gone</div> [x](javascript:alert(1))'
    await tab.say(type="send", uuid=str(uuid4()), message=message)
    await tab.until(ENDED)
    everything = "".join(tab.frames)
    assert "<img src=x" not in everything
    assert '<div id="history" hx-swap-oob="true">gone' not in everything
    assert 'href="javascript' not in everything
