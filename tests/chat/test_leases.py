"""Of all processes that believe they work on a turn, one leaves a trace."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from hybridchat.chat import leases, limits, services, tasks
from hybridchat.chat.errors import LeaseLost
from hybridchat.chat.models import Turn, TurnEvent
from tests.chat.test_services import together


def expire(turn: Turn) -> None:
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def kinds(turn: Turn) -> list[str]:
    return list(turn.events.values_list("kind", flat=True))


def test_of_concurrent_takers_one_gets_the_lease(turn: Turn) -> None:
    taken = together(6, lambda number: leases.take(turn.pk, f"process {number}"))
    assert sum(one is not None for one in taken) == 1


def test_event_numbers_have_no_gaps_under_concurrency(held: Turn) -> None:
    together(8, lambda number: [leases.append_event(held.pk, "me", "row", {"n": number}) for _ in range(5)])
    assert list(held.events.values_list("seq", flat=True)) == list(range(1, 42))
    held.refresh_from_db()
    assert held.last_event == 41


def test_an_event_that_is_rolled_back_leaves_no_gap(held: Turn) -> None:
    with pytest.raises(Exception, match="chat_event_kind_valid"):
        leases.append_event(held.pk, "me", "gossip", {})
    assert leases.append_event(held.pk, "me", "row", {}) == 2


def test_an_expired_lease_is_taken_over_and_the_first_holder_writes_no_more(held: Turn) -> None:
    expire(held)
    assert leases.take(held.pk, "another") is not None
    for write in (
        lambda: leases.append_event(held.pk, "me", "row", {}),
        lambda: leases.go_on(held.pk, "me", {}, {}),
        lambda: leases.failed_by_itself(held.pk, "me", "no", ""),
        lambda: leases.finish(held.pk, "me", {}, {}, {}),
        lambda: leases.fail(held.pk, "me", "no", ""),
        lambda: leases.stop(held.pk, "me"),
    ):
        with pytest.raises(LeaseLost):
            write()
    assert leases.renew(held.pk, "me") is leases.Standing.LOST
    assert kinds(held) == ["received", "resumed"]


def test_a_held_lease_is_not_taken_over(held: Turn) -> None:
    assert leases.take(held.pk, "another") is None


def test_a_released_turn_is_free_for_the_next(held: Turn) -> None:
    leases.release(held.pk, "me")
    assert leases.take(held.pk, "another") is not None


def test_a_turn_that_failed_by_itself_is_tried_once_more_and_then_given_up(held: Turn) -> None:
    leases.failed_by_itself(held.pk, "me", "It broke.", "a traceback")
    assert leases.take(held.pk, "another") is not None
    leases.failed_by_itself(held.pk, "another", "It broke.", "a traceback")
    held.refresh_from_db()
    assert (held.status, held.error, held.error_detail) == (Turn.Status.FAILED, "It broke.", "a traceback")


def test_what_was_away_is_no_fault_of_the_turn(held: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "AWAY", timedelta(0))
    for _ in range(3 * limits.ATTEMPTS):
        leases.give_back(held.pk, "me")
        assert leases.take(held.pk, "me") is not None


def test_a_turn_that_is_given_back_waits_a_moment(held: Turn) -> None:
    leases.give_back(held.pk, "me")
    assert leases.take_next("another") is None
    expire(held)
    assert leases.take_next("another") == held


def test_a_turn_finishes_once(held: Turn) -> None:
    leases.finish(held.pk, "me", {}, {}, {})
    with pytest.raises(LeaseLost):
        leases.finish(held.pk, "me", {}, {}, {})
    assert kinds(held).count("done") == 1


def test_a_step_that_keeps_breaking_off_fails_with_a_sentence(turn: Turn) -> None:
    for attempt in range(limits.ATTEMPTS):
        assert leases.take(turn.pk, f"process {attempt}") is not None
        expire(turn)
    assert leases.take(turn.pk, "one more") is None
    turn.refresh_from_db()
    assert turn.status == Turn.Status.FAILED
    assert "Please try again" in turn.error
    assert kinds(turn)[-1] == "failed"


def test_the_sweeper_asks_for_work_on_what_was_left_and_only_that(held: Turn) -> None:
    assert tasks.sweep() == 0
    expire(held)
    assert tasks.sweep() == 1
    assert leases.take_next("another") == held
    assert tasks.sweep() == 0


def test_the_sweeper_takes_a_new_turn_whose_hint_was_lost(turn: Turn) -> None:
    expire(turn)
    assert tasks.sweep() == 1


def test_a_stopped_turn_whose_holder_died_is_stopped_by_the_next(held: Turn) -> None:
    services.request_stop(held)
    expire(held)
    assert leases.take(held.pk, "another") is None
    held.refresh_from_db()
    assert held.status == Turn.Status.STOPPED
    assert TurnEvent.objects.filter(turn=held, kind="stopped").count() == 1
