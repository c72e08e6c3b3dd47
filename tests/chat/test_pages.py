"""The pages over HTTP, as a browser session sees them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from agent.backends import discovery
from agent.backends.discovery import Offer
from corpora.models import Assistant, Restaurant
from hybridchat.chat import languages, leases, limits, services
from hybridchat.chat.models import Conversation, Feedback, ModelChoice, Turn

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def assistant() -> Assistant:
    return Assistant.objects.create(
        slug="restaurants", title="Restaurants", tables=["restaurants"], example_questions=["Somewhere quiet?"]
    )


@pytest.fixture
def opened(client: Client, assistant: Assistant) -> Conversation:
    """A conversation with one message, begun by the client's session."""
    client.post(reverse("chat:new"), {"assistant": "restaurants", "message": "somewhere romantic", "uuid": uuid4()})
    return Conversation.objects.get()


def page(conversation: Conversation, name: str = "conversation") -> str:
    return reverse(f"chat:{name}", args=[conversation.pk])


def stopped(conversation: Conversation) -> Turn:
    turn = conversation.turns.get()
    services.request_stop(turn)
    return turn


def test_the_first_screen_offers_the_assistants_with_examples(client: Client, assistant: Assistant) -> None:
    text = client.get("/").content.decode()
    assert "Restaurants" in text
    assert "Somewhere quiet?" in text
    assert not Conversation.objects.exists()
    assert "sessionid" not in client.cookies  # looking is not being remembered


def test_a_first_message_begins_a_conversation_and_is_stored(client: Client, assistant: Assistant) -> None:
    uuid = uuid4()
    answer = client.post(reverse("chat:new"), {"assistant": "restaurants", "message": "ramen", "uuid": uuid})
    turn = Turn.objects.get()
    assert (turn.pk, turn.message, turn.status) == (uuid, "ramen", Turn.Status.RECEIVED)
    assert answer.headers["Location"] == page(turn.conversation)
    assert "ramen" in client.get(page(turn.conversation)).content.decode()


def test_a_conversation_reloads_in_the_middle_of_an_answer(client: Client, opened: Conversation) -> None:
    turn = opened.turns.get()
    leases.take(turn.pk, "me")
    leases.append_event(turn.pk, "me", "searching", {"query": 0, "done": 12, "total": 40, "noun": "restaurants"})
    text = client.get(page(opened)).content.decode()
    assert "Looking at 12 of 40 restaurants" in text
    assert 'data-after="1.2"' in text


def test_nobody_opens_or_changes_the_conversation_of_another_session(client: Client, opened: Conversation) -> None:
    stranger = Client()
    assert stranger.get(page(opened)).status_code == 404
    for name in ("rename", "delete", "feedback"):
        answer = stranger.post(page(opened, name), {"title": "mine", "turn": opened.turns.get().pk, "rating": "1"})
        assert answer.status_code == 404
    opened.refresh_from_db()
    assert opened.title == "somewhere romantic"
    assert "somewhere romantic" not in stranger.get(reverse("chat:history")).content.decode()


def test_the_sessions_token_is_not_stored_in_the_conversation(client: Client, opened: Conversation) -> None:
    token = client.session["chat_owner"]
    assert len(opened.owner_key) == 64
    assert token not in opened.owner_key
    assert opened.owner_key != client.session.session_key


def test_signing_in_keeps_the_conversations_of_the_session(client: Client, opened: Conversation) -> None:
    client.force_login(User.objects.create_user("noor"))
    assert client.get(page(opened)).status_code == 200


def test_a_users_conversations_follow_them_to_another_browser(client: Client, assistant: Assistant) -> None:
    user = User.objects.create_user("noor")
    client.force_login(user)
    client.post(reverse("chat:new"), {"assistant": "restaurants", "message": "ramen"})
    other = Client()
    other.force_login(user)
    assert other.get(page(Conversation.objects.get())).status_code == 200


def test_renaming_and_deleting_from_the_sidebar(client: Client, opened: Conversation) -> None:
    text = client.post(page(opened, "rename"), {"title": "Anniversary"}).content.decode()
    assert "Anniversary" in text
    elsewhere = {"HX-Request": "true", "HX-Current-URL": "http://testserver/"}
    assert "Anniversary" not in client.post(page(opened, "delete"), headers=elsewhere).content.decode()
    assert not Conversation.objects.exists()


def test_deleting_the_open_conversation_leads_to_the_first_screen(client: Client, opened: Conversation) -> None:
    here = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page(opened)}"}
    assert client.post(page(opened, "delete"), headers=here).headers["HX-Redirect"] == "/"


def test_searching_the_history(client: Client, opened: Conversation) -> None:
    assert "somewhere romantic" in client.get(reverse("chat:history"), {"q": "romantic"}).content.decode()
    assert "somewhere romantic" not in client.get(reverse("chat:history"), {"q": "parking"}).content.decode()


def test_nul_that_reaches_the_database_is_the_senders_fault(client: Client, opened: Conversation) -> None:
    client.raise_request_exception = False
    assert client.get(reverse("chat:history"), {"q": "a\0"}).status_code == 400
    begun = {"assistant": "restaurants\0", "message": "somewhere romantic", "uuid": uuid4()}
    assert client.post(reverse("chat:new"), begun).status_code == 400


def test_feedback_over_http(client: Client, opened: Conversation) -> None:
    turn = stopped(opened)
    answer = client.post(page(opened, "feedback"), {"turn": turn.pk, "rating": "-1", "comment": "wrong city"})
    assert "wrong city" in answer.content.decode()
    assert Feedback.objects.get().rating == -1
    client.post(page(opened, "feedback"), {"turn": turn.pk, "rating": "-1", "reasons": ["", "slow", "wrong"]})
    assert Feedback.objects.get().reasons == ["wrong", "slow"]
    assert client.post(page(opened, "feedback"), {"turn": turn.pk, "rating": "7"}).status_code == 400
    assert client.post(page(opened, "feedback"), {"turn": "x", "rating": "1"}).status_code == 400


def test_posts_need_a_csrf_token(opened: Conversation, client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    assert strict.post(page(opened, "delete")).status_code == 403
    assert Conversation.objects.exists()


def test_a_form_with_an_old_token_gets_its_words_back(client: Client, assistant: Assistant) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(reverse("chat:new"), {"assistant": "restaurants", "message": "typed & kept"})
    assert answer.status_code == 403
    said = answer.content.decode()
    assert "typed &amp; kept</textarea>" in said
    assert "csrfmiddlewaretoken" in said
    assert not Conversation.objects.exists()


def test_a_request_of_the_page_with_an_old_token_gets_a_sentence(opened: Conversation) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(page(opened, "rename"), {"title": "x"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["X-CSRF-Failure"]) == (403, "1")
    assert answer.headers["Content-Type"].startswith("text/plain")


def test_a_first_message_that_is_sent_twice_begins_one_conversation(client: Client, assistant: Assistant) -> None:
    form = {"assistant": "restaurants", "message": "once", "uuid": str(uuid4())}
    first, again = (client.post(reverse("chat:new"), form, headers={"HX-Request": "true"}) for _ in range(2))
    assert first.headers["HX-Redirect"] == again.headers["HX-Redirect"]
    assert Conversation.objects.count() == 1


def test_lines_of_a_form_count_as_the_browser_counted_them(client: Client, assistant: Assistant) -> None:
    message = "\r\n".join("x" * (limits.MESSAGE_CHARACTERS // 2))  # twice the letters, and one
    assert client.post(reverse("chat:new"), {"assistant": "restaurants", "message": message}).status_code == 302


def test_an_overlong_first_message_begins_nothing(client: Client, assistant: Assistant) -> None:
    message = "x" * (limits.MESSAGE_CHARACTERS + 1)
    answer = client.post(reverse("chat:new"), {"assistant": "restaurants", "message": message})
    assert answer.status_code == 413
    assert "Please shorten it" in answer.content.decode()
    assert not Conversation.objects.exists()


def test_an_assistant_that_is_none_begins_nothing(client: Client, assistant: Assistant) -> None:
    assert client.post(reverse("chat:new"), {"assistant": "astrology", "message": "hi"}).status_code == 404


def test_no_page_allows_inline_script_or_style(client: Client, opened: Conversation) -> None:
    for address in ("/", page(opened)):
        answer = client.get(address)
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        text = answer.content.decode()
        assert "<script>" not in text
        assert " style=" not in text
        assert " onclick=" not in text


def test_a_picture_is_drawn_and_kept(client: Client) -> None:
    Restaurant.objects.create(
        slug="pa-lucerna", name="Lucerna", cuisines=["italian"], city="Palo Alto", latitude=37.4, longitude=-122.1
    )
    answer = client.get(reverse("chat:picture", args=["pa-lucerna"]))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert b"Lucerna" in answer.content
    assert "max-age" in answer.headers["Cache-Control"]
    assert client.get(reverse("chat:picture", args=["nowhere"])).status_code == 404


# -- connecting a model


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Offer:
    offer = Offer("Ollama", "http://127.0.0.1:11434/v1", ("small",))

    async def look(*_: object) -> Sequence[Offer]:
        return [offer]

    monkeypatch.setattr(discovery, "look", look)
    return offer


def test_a_model_on_this_machine_is_offered_and_used_only_when_chosen(client: Client, offered: Offer) -> None:
    assert "small" in client.get(reverse("chat:connect")).content.decode()
    assert languages.current_language() == "builtin"
    client.post(reverse("chat:connect"), {"base_url": offered.base_url, "model": "small"})
    assert languages.current_language() == "small at http://127.0.0.1:11434/v1"
    assert "no model connected" not in client.get("/").content.decode()
    client.post(reverse("chat:connect"), {"base_url": "", "model": ""})
    assert languages.current_language() == "builtin"


def test_only_what_is_offered_can_be_connected(client: Client, offered: Offer) -> None:
    answer = client.post(reverse("chat:connect"), {"base_url": "http://10.0.0.1/v1", "model": "small"})
    assert answer.status_code == 400
    assert not ModelChoice.objects.exists()


def test_a_visitor_from_elsewhere_connects_nothing(client: Client, offered: Offer) -> None:
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get(reverse("chat:connect"), **elsewhere).status_code == 403
    client.force_login(User.objects.create_user("staff", is_staff=True))
    assert client.get(reverse("chat:connect"), **elsewhere).status_code == 200


def test_a_conversation_goes_on_with_the_model_that_is_connected(
    client: Client, offered: Offer, opened: Conversation
) -> None:
    stopped(opened)
    client.post(reverse("chat:connect"), {"base_url": offered.base_url, "model": "small"})
    turn, _ = services.receive(opened, uuid4(), "and cheaper?")
    taken = leases.take(turn.pk, "me")
    assert taken is not None
    assert taken.conversation.language == "small at http://127.0.0.1:11434/v1"
    assert taken.configuration is not None
    models = taken.configuration.document["models"]
    assert set(models.values()) == {"small", "http://127.0.0.1:11434/v1"}
