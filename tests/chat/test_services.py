"""What people do with conversations and turns."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from agent.language import Reply
from agent.record import Constraint, Outcome, TurnState
from agent.suql.describe import describe
from corpora.catalogue import catalogue
from hybridchat.chat import leases, limits, selectors, services
from hybridchat.chat.errors import Busy, Malformed, NotFound, Refused, TooFast, TooLong
from hybridchat.chat.models import Conversation, Feedback, Turn, TurnEvent
from hybridchat.chat.owners import Owner, key_of
from hybridchat.chat.presenting import turn_views
from tests.chat import fakes


def together(count: int, act):  # type: ignore[no-untyped-def]
    """Do something in `count` threads at the same moment; their results, exceptions included."""
    barrier = threading.Barrier(count)

    def one(number: int):  # type: ignore[no-untyped-def]
        barrier.wait()
        try:
            return act(number)
        except Exception as error:  # handed to the test, which says what it expects
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def finished(turn: Turn, *, status: str = Turn.Status.DONE) -> Turn:
    """Bring a turn to its end with the scripted agent's query."""
    leases.take(turn.pk, "me")
    state = TurnState(message=turn.message, conversation=fakes.conversation_for(turn))
    state = state.model_copy(update={"queries": (fakes.query_for(turn.message),)})
    if status == Turn.Status.DONE:
        leases.finish(turn.pk, "me", state.model_dump(mode="json"), {}, {})
    else:
        leases.fail(turn.pk, "me", "It broke.", "")
    turn.refresh_from_db()
    return turn


def test_a_double_send_is_one_turn(conversation: Conversation) -> None:
    uuid = uuid4()
    first, created = services.receive(conversation, uuid, "somewhere romantic")
    again, created_again = services.receive(conversation, uuid, "somewhere romantic")
    assert (created, created_again) == (True, False)
    assert first.pk == again.pk
    assert conversation.turns.count() == 1
    assert TurnEvent.objects.count() == 1


def test_concurrent_double_sends_are_one_turn(conversation: Conversation) -> None:
    uuid = uuid4()
    results = together(6, lambda _: services.receive(conversation, uuid, "somewhere romantic"))
    assert sorted(created for _, created in results) == [False] * 5 + [True]
    assert conversation.turns.count() == 1


def test_of_concurrent_different_sends_one_is_taken_and_the_others_are_told(conversation: Conversation) -> None:
    results = together(5, lambda number: services.receive(conversation, uuid4(), f"message {number}"))
    assert sum(isinstance(result, Busy) for result in results) == 4
    assert conversation.turns.get().position == 1


def test_an_identifier_of_another_conversation_is_refused(conversation: Conversation, owner: Owner, turn: Turn) -> None:
    other = services.new_conversation(owner, "restaurants")
    with pytest.raises(NotFound):
        services.receive(other, turn.pk, "somewhere romantic")
    assert other.turns.count() == 0


def test_positions_count_up_and_the_first_message_gives_the_title(conversation: Conversation) -> None:
    finished(services.receive(conversation, uuid4(), "somewhere romantic in Palo Alto")[0])
    second, _ = services.receive(conversation, uuid4(), "and cheaper?")
    assert second.position == 2
    conversation.refresh_from_db()
    assert conversation.title == "somewhere romantic in Palo Alto"


def test_empty_and_overlong_messages_are_refused_with_a_sentence(conversation: Conversation) -> None:
    with pytest.raises(Malformed):
        services.receive(conversation, uuid4(), " \n\0 ")
    with pytest.raises(TooLong, match="shorten"):
        services.receive(conversation, uuid4(), "x" * (limits.MESSAGE_CHARACTERS + 1))
    assert conversation.turns.count() == 0


def test_characters_that_postgresql_cannot_store_are_left_out(conversation: Conversation) -> None:
    turn, _ = services.receive(conversation, uuid4(), "caf\0é \ud800 open?")
    turn.refresh_from_db()
    assert turn.message == "café  open?"


def test_a_deleted_conversation_takes_no_message(conversation: Conversation) -> None:
    stale = Conversation.objects.get(pk=conversation.pk)
    services.delete(conversation)
    with pytest.raises(NotFound):
        services.receive(stale, uuid4(), "hello?")


def test_deleting_leaves_nothing_and_ends_the_work(held: Turn) -> None:
    services.give_feedback(held, 1)
    services.delete(held.conversation)
    assert not TurnEvent.objects.exists()
    assert not Feedback.objects.exists()
    assert leases.renew(held.pk, "me") is leases.Standing.LOST


def test_retry_is_a_new_turn_with_the_same_message_and_the_same_past(conversation: Conversation) -> None:
    first = finished(services.receive(conversation, uuid4(), "romantic")[0])
    second = finished(services.receive(conversation, uuid4(), "cheaper")[0])
    again, created = services.retry(second, uuid4())
    assert created
    assert (again.message, again.kind, again.origin) == ("cheaper", Turn.Kind.RETRY, second)
    assert [state.message for state in selectors.past_states(again)] == [first.message]


def test_a_failed_turn_can_be_tried_again_and_is_no_past(conversation: Conversation) -> None:
    broken = finished(services.receive(conversation, uuid4(), "romantic")[0], status=Turn.Status.FAILED)
    again, _ = services.retry(broken, uuid4())
    assert again.status == Turn.Status.RECEIVED
    assert selectors.past_states(again) == []


def test_stop_before_anybody_works_on_the_turn_stops_it_at_once(turn: Turn) -> None:
    assert services.request_stop(turn)
    turn.refresh_from_db()
    assert turn.status == Turn.Status.STOPPED
    assert leases.take(turn.pk, "me") is None


def test_stop_while_somebody_works_is_a_request_to_them(held: Turn) -> None:
    assert services.request_stop(held)
    assert leases.renew(held.pk, "me") is leases.Standing.STOP
    held.refresh_from_db()
    assert held.status == Turn.Status.PARSING


def test_stop_after_the_end_changes_nothing(conversation: Conversation) -> None:
    done = finished(services.receive(conversation, uuid4(), "romantic")[0])
    assert not services.request_stop(done)
    done.refresh_from_db()
    assert done.status == Turn.Status.DONE


def test_feedback_is_one_a_turn_and_can_be_changed_and_taken_back(turn: Turn) -> None:
    services.give_feedback(turn, 1)
    services.give_feedback(turn, -1, "wrong city")
    given = Feedback.objects.get()
    assert (given.rating, given.comment) == (-1, "wrong city")
    services.give_feedback(turn, 1)
    assert Feedback.objects.get().comment == "wrong city"
    services.give_feedback(turn, None, "")
    assert not Feedback.objects.exists()
    with pytest.raises(Malformed):
        services.give_feedback(turn, 5)


def test_a_title_is_short_and_never_empty_and_a_long_one_is_refused_not_cut(conversation: Conversation) -> None:
    services.rename(conversation, "  Anniversary \n dinner ")
    assert Conversation.objects.get().title == "Anniversary dinner"
    with pytest.raises(TooLong):
        services.rename(conversation, "x" * (limits.TITLE_CHARACTERS + 1))
    assert Conversation.objects.get().title == "Anniversary dinner"
    with pytest.raises(Refused):
        services.rename(conversation, "   ")


def test_more_messages_than_anybody_types_are_refused(conversation: Conversation, owner: Owner) -> None:
    for _ in range(limits.TURNS_PER_MINUTE):
        limits.check_pace(owner)
        finished(services.receive(conversation, uuid4(), "again")[0])
    with pytest.raises(TooFast):
        limits.check_pace(owner)
    limits.check_pace(Owner(key_of("somebody else")))


def test_more_conversations_than_anybody_opens_are_refused(transactional_db: None, owner: Owner) -> None:
    for _ in range(limits.CONVERSATIONS_PER_MINUTE):
        services.new_conversation(owner, "restaurants")
    with pytest.raises(TooFast):
        services.new_conversation(owner, "restaurants")


def test_history_is_the_owners_only_and_searches_what_was_said(conversation: Conversation, owner: Owner) -> None:
    assert selectors.history(owner) == ()  # nothing has been said yet
    finished(services.receive(conversation, uuid4(), "ramen near the station")[0])
    services.rename(conversation, "Noodles")
    (today,) = selectors.history(owner)
    assert (today.label, [entry.title for entry in today.conversations]) == ("Today", ["Noodles"])
    assert selectors.history(owner, "noodles station")
    turn = conversation.turns.get()
    turn.state = {**turn.state, "reply": {"text": "**Ramen Alley** fits.", "suggestions": []}}
    turn.save()
    assert selectors.history(owner, "station alley")
    assert selectors.history(owner, "noodles pizza") == ()
    assert selectors.history(Owner(key_of("somebody else"))) == ()
    assert selectors.history(Owner()) == ()


SUQL = (
    "SELECT * FROM restaurants WHERE location = 'Palo Alto' AND answer(reviews, 'is this restaurant romantic?') = 'Yes'"
)


@pytest.fixture
def searched(conversation: Conversation) -> Turn:
    """An answered turn whose query is described as it is in earnest."""
    turn = services.receive(conversation, uuid4(), "somewhere romantic in palo alto")[0]
    leases.take(turn.pk, "me")
    description = describe(SUQL, catalogue())
    chips = tuple(Constraint(id=one.id, label=one.label) for one in description.constraints)
    query = fakes.query_for(turn.message).model_copy(update={"suql": SUQL, "constraints": chips})
    state = TurnState(message=turn.message, conversation=fakes.conversation_for(turn), queries=(query,))
    state = state.model_copy(update={"outcomes": (Outcome(query=query),), "reply": Reply(text="None.")})
    leases.finish(turn.pk, "me", state.model_dump(mode="json"), {}, {})
    turn.refresh_from_db()
    return turn


def test_a_search_without_a_constraint_is_a_new_turn_that_is_already_parsed(searched: Turn) -> None:
    chip = next(one for one in searched.state["queries"][0]["constraints"] if "Palo Alto" in one["label"])
    again, created = services.search_without(searched, uuid4(), 0, chip["id"])
    assert created
    assert (again.status, again.kind, again.origin) == (Turn.Status.PARSED, Turn.Kind.WITHOUT, searched)
    assert "Palo Alto" in again.message
    (query,) = TurnState.model_validate(again.state).queries or ()
    assert "Palo Alto" not in query.suql
    assert "Palo Alto" not in query.description
    assert "romantic" in query.suql
    assert len(query.constraints) == 1
    assert again.state["outcomes"] == []
    assert again.state["reply"] is None


def test_a_constraint_that_is_not_there_any_more_is_not_removed(searched: Turn) -> None:
    for index, chip in ((0, "nothing"), (7, "nothing"), (-1, "nothing")):
        with pytest.raises(NotFound):
            services.search_without(searched, uuid4(), index, chip)
    assert searched.conversation.turns.count() == 1


def test_a_message_nobody_has_parsed_has_nothing_to_search_without(conversation: Conversation) -> None:
    broken = finished(services.receive(conversation, uuid4(), "romantic")[0], status=Turn.Status.FAILED)
    with pytest.raises(NotFound):
        services.search_without(broken, uuid4(), 0, "c0")


def test_trying_a_search_without_again_searches_the_same(searched: Turn) -> None:
    chip = searched.state["queries"][0]["constraints"][0]
    without = finished(services.search_without(searched, uuid4(), 0, chip["id"])[0])
    again, _ = services.retry(without, uuid4())
    assert (again.status, again.message) == (Turn.Status.PARSED, without.message)
    assert again.state["queries"] == without.state["queries"]


def test_old_conversations_are_deleted_where_the_site_keeps_none(conversation: Conversation, owner: Owner) -> None:
    newer = services.new_conversation(owner, "restaurants")
    before = timezone.now() - timedelta(days=31)
    Conversation.objects.filter(pk=conversation.pk).update(created=before, updated=before)
    assert (services.delete_old(0), services.delete_old(32), services.delete_old(30)) == (0, 0, 1)
    assert Conversation.objects.get() == newer


def test_condition_taken_away_right_after_an_answer_is_kept_as_a_pair(searched: Turn) -> None:
    chip = searched.state["queries"][0]["constraints"][0]
    again = finished(services.search_without(searched, uuid4(), 0, chip["id"])[0])
    given = Feedback.objects.get()
    assert (given.turn, given.correction, given.status) == (searched, again, Feedback.Status.NOTED)
    assert given.of_chip
    shown, _ = turn_views(selectors.turns_of(searched.conversation))
    assert shown.feedback.meant == ""  # nothing is put into the person's mouth
    services.give_feedback(searched, 1)
    assert Feedback.objects.get().status == Feedback.Status.NOTED
    finished(services.search_without(searched, uuid4(), 0, chip["id"])[0])
    assert Feedback.objects.get().correction == again  # the later one did not follow the answer
    finished(services.correct(searched, uuid4(), "with candles")[0])
    given = Feedback.objects.get()
    assert (given.meant, given.status, given.of_chip) == ("with candles", Feedback.Status.OPEN, False)


def test_what_was_meant_is_asked_and_stays_linked_to_what_was_misread(conversation: Conversation) -> None:
    misread = finished(services.receive(conversation, uuid4(), "romantic")[0])
    uuid = uuid4()
    asked, new = services.correct(misread, uuid, " with candles ")
    assert new
    assert (asked.message, asked.kind) == ("with candles", Turn.Kind.MESSAGE)
    given = Feedback.objects.get()
    assert (given.turn, given.meant, given.correction) == (misread, "with candles", asked)
    assert given.status == Feedback.Status.OPEN
    assert services.correct(misread, uuid, "with candles") == (asked, False), "sent twice, it is one turn"


def test_what_was_meant_is_not_kept_where_it_cannot_be_asked(turn: Turn) -> None:
    with pytest.raises(Busy):
        services.correct(turn, uuid4(), "with candles")
    assert not Feedback.objects.exists()


def test_a_thumb_taken_back_leaves_what_was_meant(conversation: Conversation) -> None:
    misread = finished(services.receive(conversation, uuid4(), "romantic")[0])
    services.correct(misread, uuid4(), "with candles")
    services.give_feedback(misread, -1, "", ["misread", "slow"])
    services.give_feedback(misread, None, "")
    given = Feedback.objects.get()
    assert (given.rating, given.reasons, given.meant) == (None, [], "with candles")


def test_reasons_are_those_there_are(turn: Turn) -> None:
    with pytest.raises(Malformed):
        services.give_feedback(turn, -1, None, ["because"])


def test_what_says_something_new_is_open_again_and_praise_is_not(turn: Turn) -> None:
    services.give_feedback(turn, 1)
    assert Feedback.objects.get().status == Feedback.Status.NOTED
    services.give_feedback(turn, -1)
    assert Feedback.objects.get().status == Feedback.Status.OPEN
    Feedback.objects.update(status=Feedback.Status.DONE)
    services.give_feedback(turn, -1, "still wrong")
    assert Feedback.objects.get().status == Feedback.Status.OPEN
    Feedback.objects.update(status=Feedback.Status.WORKING)
    services.give_feedback(turn, -1, "and slow")
    assert Feedback.objects.get().status == Feedback.Status.WORKING
