"""What staff can see of conversations, and that it is only they."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agent.language import Conversation as TurnContext
from agent.language import Understanding
from agent.record import TurnState
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.state import Instance
from agent.worksheets.statements import Start
from hybridchat import agents
from hybridchat.chat import services
from hybridchat.chat.models import ModelChoice, Turn
from hybridchat.chat.owners import Owner, key_of

MODELS = ("conversation", "turn", "turnevent", "feedback", "modelchoice", "configuration")


@pytest.fixture
def staff(transactional_db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("staff"))
    return client


@pytest.fixture
def rated(turn: Turn) -> Turn:
    services.request_stop(turn)
    services.give_feedback(turn, -1, "wrong city")
    ModelChoice.objects.create()
    return turn


@pytest.mark.parametrize("model", MODELS)
def test_every_model_can_be_listed_searched_and_opened(staff: Client, rated: Turn, model: str) -> None:
    listed = staff.get(reverse(f"admin:chat_{model}_changelist"), {"q": "romantic"})
    assert listed.status_code == 200
    thing: Any = listed.context["cl"].model.objects.first()
    assert staff.get(reverse(f"admin:chat_{model}_change", args=[thing.pk])).status_code == 200


@pytest.mark.parametrize("model", MODELS)
def test_what_happened_is_not_edited_or_made_up(staff: Client, rated: Turn, model: str) -> None:
    assert staff.get(reverse(f"admin:chat_{model}_add")).status_code == 403


def test_feedback_is_filtered_by_assistant_rating_and_date_and_opens_its_conversation(
    staff: Client, rated: Turn
) -> None:
    other = services.new_conversation(Owner(key_of("x")), "courses")
    services.give_feedback(services.receive(other, uuid4(), "databases")[0], 1)
    address = reverse("admin:chat_feedback_changelist")

    def asked(**filters: str) -> list[str]:
        return [one.turn.message for one in staff.get(address, filters).context["cl"].result_list]

    assert sorted(asked()) == ["databases", "somewhere romantic"]
    assert asked(turn__conversation__assistant="courses") == ["databases"]
    assert asked(rating__exact="-1") == ["somewhere romantic"]
    assert asked(updated__year="1999") == []
    read = reverse("admin:chat_conversation_read", args=[rated.conversation_id])
    assert read in staff.get(address).content.decode()
    assert "somewhere romantic" in staff.get(read).content.decode()


def test_the_staffs_view_offers_nothing_to_send(staff: Client, rated: Turn) -> None:
    text = staff.get(reverse("admin:chat_conversation_read", args=[rated.conversation_id])).content.decode()
    assert "ws-connect" not in text
    assert "<fieldset" in text
    assert "disabled" in text


def test_the_staffs_view_shows_what_the_worksheets_made_of_a_turn(staff: Client, rated: Turn) -> None:
    before = agents.beginning("restaurants")
    assert before is not None
    started = Start(worksheet="BookRestaurant", instance="book_restaurant_1")
    after = before.model_copy(
        update={"instances": (Instance(name="book_restaurant_1", worksheet="BookRestaurant"),), "turns": 1}
    )
    conversation = TurnContext(assistant="restaurants", tables=(), now=timezone.localtime(), state=before)
    state = TurnState(
        message=rated.message,
        conversation=conversation,
        understanding=Understanding(statements=(started,)),
        dialogue=after,
        acts=(Act(act=ActKind.ASK, worksheet="BookRestaurant", field="date", text="For which <day>?"),),
    )
    Turn.objects.filter(pk=rated.pk).update(state=state.model_dump(mode="json"))
    text = staff.get(reverse("admin:chat_conversation_read", args=[rated.conversation_id])).content.decode()
    assert "book_restaurant_1 = BookRestaurant()" in text
    assert "BookRestaurant.date" in text
    assert "For which &lt;day&gt;?" in text


def test_a_rule_that_failed_is_found_and_told_where_curators_look(staff: Client, rated: Turn) -> None:
    conversation = TurnContext(assistant="restaurants", tables=(), now=timezone.localtime())
    failed = Act(
        act=ActKind.ERROR, worksheet="BookRestaurant", field="date", text="Not set up right.",
        values={"rule": "a date is compared with <text>", "line": 2},
    )  # fmt: skip
    refused = Act(act=ActKind.ERROR, worksheet="BookRestaurant", text="It is full.", values={"date": "2026-11-27"})
    listed = reverse("admin:chat_turn_changelist") + "?rules=failed"
    for acts, shown in (((refused,), False), ((refused, failed), True)):
        state = TurnState(message=rated.message, conversation=conversation, acts=acts)
        Turn.objects.filter(pk=rated.pk).update(state=state.model_dump(mode="json"))
        text = staff.get(listed).content.decode()
        assert ("BookRestaurant.date, line 2: a date is compared with &lt;text&gt;" in text) is shown


@pytest.mark.parametrize("who", ["nobody", "a visitor", "staff without rights"])
def test_others_do_not_read_conversations(rated: Turn, who: str) -> None:
    client = Client()
    if who != "nobody":
        client.force_login(User.objects.create_user("someone", is_staff=who == "staff without rights"))
    answer = client.get(reverse("admin:chat_conversation_read", args=[rated.conversation_id]))
    assert answer.status_code in (302, 404)


def test_an_owners_key_is_not_shown(staff: Client, rated: Turn) -> None:
    address = reverse("admin:chat_conversation_change", args=[rated.conversation_id])
    assert rated.conversation.owner_key not in staff.get(address).content.decode()


def test_conversations_leave_only_through_exports_and_for_whoever_may_make_one(rated: Turn) -> None:
    """Reading them is not enough: an export says who took what, and leaves personal data out."""
    address = reverse("admin:chat_conversation_changelist")
    reader = User.objects.create_user("reader", is_staff=True)
    offered = {}
    for codename in ("view_conversation", "add_export"):
        reader.user_permissions.add(Permission.objects.get(codename=codename))
        client = Client()
        client.force_login(reader)
        form = client.get(address).context["action_form"]  # None where there are no actions
        choices = form.fields["action"].choices if form else ()
        offered[codename] = [name for name, _ in choices if name.startswith("export")]
    assert offered == {"view_conversation": [], "add_export": ["export_chosen"]}
