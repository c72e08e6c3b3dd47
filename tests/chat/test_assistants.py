"""Assistants made in the admin: live at once, and asked by nobody whom they are not for."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.loading.assistants import add_missing_assistants
from corpora.loading.records import RestaurantLine
from corpora.loading.rows import store_restaurants
from corpora.loading.worksheets import add_shipped_editions
from corpora.models import Assistant, CorpusLimit, Picture, WorksheetEdition
from hybridchat.chat import services
from hybridchat.chat.assistants import assistant_view
from hybridchat.chat.errors import NotFound, Refused
from hybridchat.chat.models import Conversation, ModelChoice, Turn
from hybridchat.chat.owners import Owner, key_of
from tests.chat.tab import Tab
from tests.corpora.conftest import restaurant

pytestmark = pytest.mark.django_db(transaction=True)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40
ADD = "admin:corpora_assistant_add"


@pytest.fixture
def curator() -> Client:
    return client_of("ann", "curator")


@pytest.fixture
def club() -> Group:
    return Group.objects.create(name="club")


def client_of(name: str, *groups: str) -> Client:
    client = Client()
    user = User.objects.create_user(name, is_staff="curator" in groups)
    user.groups.set(Group.objects.filter(name__in=groups))
    client.force_login(user)
    return client


def made(**changes: Any) -> dict[str, Any]:
    """What the form of a new assistant sends."""
    return {
        "title": "Supper", "slug": "supper", "description": "Where to eat tonight.", "tables": ["restaurants"],
        "welcome": "", "example_questions": "", "audience": "public", "language": "", "active": "on", "position": "9",
    } | changes  # fmt: skip


def offered(client: Client, address: str = "/") -> list[str]:
    return [one.slug for one in client.get(address).context["assistants"]]


def test_an_assistant_is_live_on_save_with_drafted_questions_and_a_drawn_picture(curator: Client) -> None:
    store_restaurants([RestaurantLine.model_validate_json(json.dumps(restaurant()))])
    answer = curator.post(reverse(ADD), made())
    assert answer.status_code == 302, answer.context["errors"]
    page = Client().get("/").content.decode()
    assert "Where to eat tonight." in page
    questions = Assistant.objects.get(slug="supper").example_questions
    assert questions
    assert all(question.replace("'", "&#x27;") in page for question in questions)
    picture = Client().get(reverse("chat:assistant_picture", args=["supper"]))
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert "<title>Supper</title>" in picture.content.decode()
    begun = Client().post(reverse("chat:new"), {"assistant": "supper", "message": "ramen", "uuid": uuid4()})
    assert begun.status_code == 302
    assert Turn.objects.get().conversation.assistant == "supper"


def test_an_uploaded_picture_is_served_under_its_own_type(curator: Client) -> None:
    curator.post(reverse(ADD), made(upload=SimpleUploadedFile("a.svg", PNG)))
    served = Client().get(reverse("chat:assistant_picture", args=["supper"]))
    assert (served.headers["Content-Type"], served.content) == ("image/png", PNG)
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    one = Assistant.objects.get(slug="supper")
    curator.post(reverse("admin:corpora_assistant_change", args=[one.pk]), made(drawn="on"))
    assert Client().get(reverse("chat:assistant_picture", args=["supper"])).headers["Content-Type"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("a.png", b"<svg onload='alert(1)'/>", "no PNG, JPEG, GIF or WebP"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"0" * 2_000_001, "the limit is 2 MB"),
    ],
)
def test_what_is_no_picture_is_refused(curator: Client, name: str, body: bytes, said: str) -> None:
    answer = curator.post(reverse(ADD), made(upload=SimpleUploadedFile(name, body)))
    assert said in answer.content.decode()
    assert not Assistant.objects.exists()
    assert not Picture.objects.exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tables": []}, "This field is required"),
        ({"tables": ["planets"]}, "planets is not one of the available choices"),
        ({"audience": "group"}, "Name the group"),
        ({"language": "gpt at http://elsewhere.example"}, "not one of the available choices"),
    ],
)
def test_what_is_wrong_is_said(curator: Client, changes: dict[str, Any], said: str) -> None:
    assert said in curator.post(reverse(ADD), made(**changes)).content.decode()
    assert not Assistant.objects.exists()


def test_a_limited_curator_makes_assistants_of_their_own_corpora(curator: Client) -> None:
    CorpusLimit.objects.create(user=User.objects.get(username="ann"), corpus="courses")
    assert "not one of the available choices" in curator.post(reverse(ADD), made()).content.decode()
    assert curator.post(reverse(ADD), made(tables=["courses"])).status_code == 302


def test_one_that_nobody_described_says_what_it_knows() -> None:
    Assistant.objects.create(slug="both", title="Both", tables=["courses", "articles"])
    assert assistant_view("both").description == "Answers questions about courses and articles."


def test_the_tables_keep_their_order_and_new_ones_come_last(curator: Client) -> None:
    one = Assistant.objects.create(slug="supper", title="Supper", tables=["ratings", "courses"])
    curator.post(
        reverse("admin:corpora_assistant_change", args=[one.pk]), made(tables=["courses", "offerings", "ratings"])
    )
    one.refresh_from_db()
    assert one.tables == ["ratings", "courses", "offerings"]


def test_worksheets_are_copied_as_an_edition_of_its_own(curator: Client) -> None:
    add_missing_assistants()
    add_shipped_editions()
    source = WorksheetEdition.objects.get(assistant__slug="restaurants")
    assert curator.post(reverse(ADD), made(worksheets=source.pk)).status_code == 302
    copied = WorksheetEdition.objects.get(assistant__slug="supper")
    assert copied.active
    assert copied.document["worksheets"] == source.document["worksheets"]


def test_its_turns_use_its_own_language_model(curator: Client) -> None:
    ModelChoice.objects.create(base_url="http://127.0.0.1:11434/v1", model="small")
    chosen = "small at http://127.0.0.1:11434/v1"
    Assistant.objects.create(slug="plain", title="Plain", tables=["courses"], language="builtin")
    Assistant.objects.create(slug="asks", title="Asks", tables=["courses"])
    for slug, language in (("plain", "builtin"), ("asks", chosen)):
        one = services.new_conversation(Owner(key_of(slug)), slug)
        assert one.language == language
        services.receive(one, uuid4(), "databases")
        one.refresh_from_db()
        assert one.language == language
    assert curator.post(reverse(ADD), made(language=chosen)).status_code == 302


# -- Who may use it ------------------------------------------------------------------------------------------------


@pytest.fixture
def assistants(club: Group) -> None:
    for slug, audience, group in (("open", "public", None), ("hidden", "unlisted", None), ("inner", "group", club)):
        Assistant.objects.create(
            slug=slug, title=slug, tables=["courses"], audience=audience, group=group, example_questions=[f"ask {slug}"]
        )


@pytest.mark.usefixtures("assistants")
@pytest.mark.parametrize(
    ("who", "lists", "opens"),
    [
        ("anonymous", ["open"], ["open", "hidden"]),
        ("stranger", ["open"], ["open", "hidden"]),
        ("member", ["open", "inner"], ["open", "hidden", "inner"]),
        ("curator", ["open", "inner"], ["open", "hidden", "inner"]),
    ],
)
def test_people_are_offered_what_is_for_them(who: str, lists: list[str], opens: list[str]) -> None:
    groups = {"member": ["club"], "curator": ["curator"]}.get(who, [])
    client = Client() if who == "anonymous" else client_of(who, *groups)
    assert sorted(offered(client)) == sorted(lists)
    for slug in ("open", "hidden", "inner"):
        may = slug in opens
        assert (client.get(reverse("chat:assistant", args=[slug])).status_code == 200) is may
        assert (client.get(reverse("chat:assistant_picture", args=[slug])).status_code == 200) is may
        begun = client.post(reverse("chat:new"), {"assistant": slug, "message": "hello", "uuid": uuid4()})
        assert (begun.status_code == 302) is may
        assert Conversation.objects.filter(assistant=slug).exists() is may


@pytest.mark.usefixtures("assistants")
def test_an_address_shows_one_assistant_alone() -> None:
    assert offered(Client(), reverse("chat:assistant", args=["hidden"])) == ["hidden"]
    assert Client().get(reverse("chat:assistant", args=["nobody"])).status_code == 404
    Assistant.objects.filter(slug="hidden").update(active=False)
    assert Client().get(reverse("chat:assistant", args=["hidden"])).status_code == 404


@pytest.mark.usefixtures("assistants")
def test_no_service_begins_or_goes_on_with_what_is_not_for_somebody(club: Group) -> None:
    """Views, websocket and whatever comes next go through these."""
    with pytest.raises(NotFound):
        services.new_conversation(Owner(key_of("x")), "inner")
    user = User.objects.create_user("member")
    user.groups.add(club)
    begun = services.new_conversation(Owner(key_of("x"), user.pk), "inner")
    turn, _ = services.receive(begun, uuid4(), "hello")
    services.request_stop(turn)
    user.groups.clear()
    with pytest.raises(Refused, match="not open to you any more"):
        services.receive(begun, uuid4(), "hello again")
    with pytest.raises(Refused):
        services.retry(turn, uuid4())
    assert services.tell(begun, uuid4(), "An answer", "From the staff.").pk
    user.groups.add(club)
    User.objects.filter(pk=user.pk).update(is_active=False)
    with pytest.raises(Refused):
        services.receive(begun, uuid4(), "hello again")


@pytest.mark.usefixtures("assistants")
async def test_the_websocket_says_so_to_whoever_lost_the_right(club: Group) -> None:
    user = await User.objects.acreate(username="member")
    await user.groups.aadd(club)
    owner = Owner(key_of("a session's token"), user.pk)
    begun = await sync_to_async(services.new_conversation)(owner, "inner")
    await user.groups.aclear()
    tab = Tab(begun, "a session's token")
    await tab.open()
    await tab.say(type="send", uuid=str(uuid4()), message="hello")
    await tab.until("not open to you any more")
    await tab.close()
    assert not await Turn.objects.aexists()
