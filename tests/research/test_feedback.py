"""The queue of feedback: who sees it, what staff do about it, and what reaches the person."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from agent.language import Conversation as Context
from agent.language import Reply, Understanding
from agent.record import Outcome, TurnState
from corpora.loading.assistants import add_missing_assistants
from corpora.models import FewShotPair
from hybridchat.chat import leases, services
from hybridchat.chat.errors import Busy
from hybridchat.chat.models import Configuration, Conversation, Feedback, Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.research import feedback, plots, tasks
from hybridchat.research.models import Export, FeedbackAnswer, RegressionCase
from hybridchat.research.plots import stacked_bars
from hybridchat.research.selectors import feedback_trends
from tests.chat import fakes

LIST = "admin:chat_feedback_changelist"


@pytest.fixture
def conversation(transactional_db: None) -> Conversation:
    return services.new_conversation(Owner(key_of("somebody's session")), "restaurants")


def answered(conversation: Conversation, message: str, rows: int = 2) -> Turn:
    """A turn that is over, with the rows of the scripted agent."""
    turn, _ = services.receive(conversation, uuid4(), message)
    query = fakes.query_for(message)
    context = Context(assistant="restaurants", tables=("restaurants",), now=turn.created)
    outcome = Outcome(query=query, columns=("name",), rows=tuple(fakes.card(number) for number in range(rows)))
    state = TurnState(
        message=message,
        conversation=context,
        understanding=Understanding(questions=(query.question,)),
        queries=(query,),
        outcomes=(outcome,),
        reply=Reply(text=f"Found {rows} places."),
    )
    turn.state = state.model_dump(mode="json")
    turn.save(update_fields=["state"])
    leases.end(turn, Turn.Status.DONE)
    return turn


def staff(*permissions: str) -> Client:
    """Somebody of the staff with these permissions and no others."""
    client, user = Client(), User.objects.create_user(f"staff {len(permissions)}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


@pytest.fixture
def queue(conversation: Conversation) -> Iterable[Feedback]:
    good, bad = answered(conversation, "somewhere romantic"), answered(conversation, "=cheaper")
    services.give_feedback(good, 1)
    services.give_feedback(bad, -1, "@wrong city", ["wrong"])
    meant, _ = services.correct(bad, uuid4(), "cheap and romantic")
    services.request_stop(meant)
    return Feedback.objects.order_by("turn__position")


def shown(client: Client, **filters: str) -> list[str]:
    return [one.turn.message for one in client.get(reverse(LIST), filters).context["cl"].result_list]


def test_the_queue_is_filtered_by_status_reason_label_and_words(queue: Any) -> None:
    client = staff("view_feedback", "change_feedback")
    Feedback.objects.filter(rating=-1).update(labels=["parser"])
    assert shown(client, status__exact="open") == ["=cheaper"]
    assert shown(client, reason="wrong") == ["=cheaper"]
    assert shown(client, reason="slow") == []
    assert shown(client, label="parser") == ["=cheaper"]
    assert shown(client, words="meant") == ["=cheaper"]
    assert shown(client, rating__exact="1") == ["somewhere romantic"]


def test_the_front_page_counts_what_waits_for_those_who_may_see_it(queue: Any) -> None:
    assert "1 open" in staff("view_feedback").get("/admin/").content.decode()
    assert "1 open" not in staff("view_turn", "view_conversation").get("/admin/").content.decode()
    Feedback.objects.update(status="done")
    assert "1 open" not in staff("view_feedback", "view_turn", "view_turnevent").get("/admin/").content.decode()


def test_staff_take_settle_and_label_and_change_nothing_that_was_said(queue: Any) -> None:
    client = staff("view_feedback", "change_feedback")
    bad = Feedback.objects.get(rating=-1)
    client.post(reverse(LIST), {"action": "take", "_selected_action": [bad.pk]})
    bad.refresh_from_db()
    assert (bad.status, bad.assignee) == ("working", User.objects.get())
    address = reverse("admin:chat_feedback_change", args=[bad.pk])
    form = {"status": "done", "assignee": "", "labels": "parser,city", "comment": "all is well", "rating": "1"}
    formset = {"answers-TOTAL_FORMS": "1", "answers-INITIAL_FORMS": "0", "answers-0-text": "It was closed that week."}
    assert client.post(address, {**form, **formset}).status_code == 302
    bad.refresh_from_db()
    assert (bad.status, bad.labels, bad.comment, bad.rating) == ("done", ["parser", "city"], "@wrong city", -1)
    assert FeedbackAnswer.objects.get().author == User.objects.get()


def test_who_may_only_look_changes_and_answers_nothing(queue: Any) -> None:
    client = staff("view_feedback")
    bad = Feedback.objects.get(rating=-1)
    page = client.get(reverse("admin:chat_feedback_change", args=[bad.pk]))
    assert page.status_code == 200
    assert "answers-0-text" not in page.content.decode()
    assert "Regression case" not in page.content.decode()
    assert client.post(reverse("admin:chat_feedback_change", args=[bad.pk]), {"status": "done"}).status_code == 403
    assert Client().get(reverse("admin:chat_feedback_trends")).status_code == 302
    assert staff("view_turn", "view_turnevent").get(reverse("admin:chat_feedback_trends")).status_code == 403


def test_an_answer_reaches_the_conversation_once(queue: Any, conversation: Conversation) -> None:
    bad = Feedback.objects.get(rating=-1)
    answer = feedback.answer(bad, None, "It was closed that week.")
    assert tasks.carry_answer(answer.pk)
    assert not tasks.carry_answer(answer.pk)
    told = conversation.turns.filter(kind=Turn.Kind.NOTE).get()
    assert told.message == "The staff on your feedback: “=cheaper”"
    assert told.state["reply"]["text"] == "It was closed that week."


def test_an_answer_says_something(queue: Any) -> None:
    with pytest.raises(IntegrityError, match="research_answer_text_filled"):
        feedback.answer(Feedback.objects.get(rating=-1), None, "")


def test_an_answer_waits_for_the_turn_that_runs(queue: Any, conversation: Conversation) -> None:
    answer = feedback.answer(Feedback.objects.get(rating=-1), None, "It was closed that week.")
    services.receive(conversation, uuid4(), "still talking")
    with pytest.raises(Busy):
        feedback.carry(answer.pk)
    assert FeedbackAnswer.objects.get().told_at is None


def test_the_export_names_nobody_and_starts_no_formula(queue: Any, conversation: Conversation) -> None:
    client = staff("view_feedback")
    chosen = [one.pk for one in queue]
    response = client.post(reverse(LIST), {"action": "export_csv", "_selected_action": chosen})
    text = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    assert str(conversation.pk) not in text
    assert conversation.owner_key not in text
    good, bad = csv.DictReader(StringIO(text))
    assert (good["asked"], good["rating"], good["meant"]) == ("somewhere romantic", "1", "")
    assert (bad["asked"], bad["comment"], bad["reasons"]) == ("'=cheaper", "'@wrong city", "wrong")
    assert bad["meant"] == "cheap and romantic"
    assert good["person"] == bad["person"] != ""
    (noted,) = Export.objects.all()
    assert (noted.user, noted.filters, noted.downloads, noted.kept) == (User.objects.get(), {"feedback": 2}, 1, False)


def test_trends_count_thumbs_by_assistant_and_week(queue: Any) -> None:
    (trend,) = feedback_trends(weeks=3)
    assert (trend.assistant, trend.up, trend.down) == ("restaurants", (0, 0, 1), (0, 0, 1))
    page = staff("view_feedback").get(reverse("admin:chat_feedback_trends")).content.decode()
    assert "restaurants: 1 thumbs up, 1 thumbs down" in page
    assert "style=" not in page.partition('<div class="board">')[2].partition("</figure>")[0]


def test_trends_tell_versions_apart(queue: Any) -> None:
    older, newer = (
        Configuration.objects.create(hash=f"{number:064x}", document={"release": name, "language": "builtin"})
        for number, name in enumerate(("1.0", "2.0"))
    )
    for given, configuration in zip(queue, (older, newer), strict=True):
        Turn.objects.filter(pk=given.turn_id).update(configuration=configuration)
    (trend,) = feedback_trends(weeks=3)
    assert [(one.release, one.language, one.percent) for one in trend.versions] == [
        ("1.0", "builtin", 100),
        ("2.0", "builtin", 0),
    ]
    page = staff("view_feedback").get(reverse("admin:chat_feedback_trends")).content.decode()
    assert "1 of 1 (100 %)" in page
    assert "0 of 1 (0 %)" in page


def test_bars_stand_on_each_other_and_end_below_the_top() -> None:
    plot = stacked_bars("Two", ["a", "b"], {"up": [3, 0], "down": [1, 7]})
    first, second, third = plot.bars
    assert second.y + second.height == pytest.approx(first.y)
    assert first.y + first.height == pytest.approx(plots.HEIGHT - plots.BOTTOM)
    assert min(bar.y for bar in plot.bars) >= 0
    assert third.title == "b: 7 down"
    assert [word.text for word in plot.words] == ["a", "b", "0", "4", "8"]
    assert stacked_bars("None", [], {}).bars == ()


def test_cases_are_made_of_first_messages_that_nobody_doubts(queue: Any) -> None:
    client, chosen = staff("view_feedback", "add_regressioncase"), [one.pk for one in queue]
    page = client.post(reverse(LIST), {"action": "make_cases", "_selected_action": chosen}, follow=True)
    assert "Regression cases made: 1. Left alone: 1." in page.content.decode()
    made = RegressionCase.objects.get()
    assert (made.messages, made.expected_keys) == (["somewhere romantic"], ["place-0", "place-1"])
    client.post(reverse(LIST), {"action": "make_cases", "_selected_action": chosen})
    assert RegressionCase.objects.count() == 1


def test_a_pair_is_what_was_misread_with_the_query_of_what_was_meant(conversation: Conversation) -> None:
    add_missing_assistants()
    misread = answered(conversation, "candle things")
    meant = answered(conversation, "romantic places")
    Feedback.objects.create(turn=misread, meant=meant.message, correction=meant)
    doubted = answered(conversation, "more candle things")
    worse = answered(conversation, "still wrong")
    Feedback.objects.create(turn=doubted, meant=worse.message, correction=worse)
    services.give_feedback(worse, -1)
    client, chosen = staff("view_feedback", "add_fewshotpair"), [one.pk for one in Feedback.objects.all()]
    page = client.post(reverse(LIST), {"action": "make_pairs", "_selected_action": chosen}, follow=True)
    assert "Few-shot pairs made: 1. Left alone: 2." in page.content.decode()
    pair = FewShotPair.objects.get()
    assert (pair.message, pair.corpus) == ("candle things", "restaurants")
    assert "is it romantic?" in pair.suql


def test_nothing_is_made_without_the_right_to_add_it(queue: Any) -> None:
    client, chosen = staff("view_feedback", "change_feedback"), [one.pk for one in queue]
    for action in ("make_cases", "make_pairs"):
        page = client.post(reverse(LIST), {"action": action, "_selected_action": chosen}, follow=True)
        assert "You may not add" in page.content.decode()
    assert not RegressionCase.objects.exists()
    assert not FewShotPair.objects.exists()


def test_a_deleted_conversation_leaves_no_feedback_and_no_answer(queue: Any, conversation: Conversation) -> None:
    feedback.answer(Feedback.objects.get(rating=-1), None, "It was closed that week.")
    services.delete(conversation)
    assert not Feedback.objects.exists()
    assert not FeedbackAnswer.objects.exists()
