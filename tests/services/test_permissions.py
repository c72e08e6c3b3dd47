"""Who may open what: every address of the site and every websocket, for every kind of person.

The addresses are read off the URL configuration. Each has to have a rule here, so that a page that is added without
one fails; what a rule does not allow must not be answered with a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.apps import apps
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from hybridchat.chat.consumers import NOT_YOURS
from hybridchat.chat.owners import TOKEN, Owner, key_of
from hybridchat.chat.routing import websocket_urlpatterns
from hybridchat.chat.services import new_conversation
from hybridchat.research.models import Study
from hybridchat.staff.roles import HELD_BACK, make_roles
from hybridchat.staff.roles import ROLES as PRODUCT

NOBODY = UUID("00000000-0000-4000-8000-000000000000")
STAFF, ANYBODY = "staff", "anybody"
PATIENCE = 10.0  # seconds


def given_by(role: str) -> set[str]:
    """The permissions of one of the product's roles, as they are written down: "app.*" is every model of an app."""
    granted: set[str] = set()
    for models, verbs in PRODUCT[role]:
        app, _, name = models.partition(".")
        every = [str(model._meta.model_name) for model in apps.get_app_config(app).get_models()]
        named = [one for one in every if f"{app}.{one}" != HELD_BACK] if name == "*" else [name]
        granted |= {f"{app}.{verb}_{model}" for verb in verbs for model in named}
    return granted


ROLES: dict[str, set[str] | None] = {
    "anonymous": None,
    "participant": None,
    "person": None,
    "staff": set(),
    "annotator": {"research.view_project", "research.add_annotation"},
    "adjudicator": {"research.view_project", "research.add_adjudication"},
    "exporter": {"research.view_export", "research.add_export"},
    "curator": given_by("curator"),
    "support": given_by("support"),
    "researcher": given_by("researcher"),
    "operator": given_by("operator"),
    "superuser": None,
}  # fmt: skip
"""The permissions of each kind of person; None where it is no matter of permissions."""

PUBLIC = {
    "health": ANYBODY, "chat:start": ANYBODY, "chat:new": ANYBODY, "chat:history": ANYBODY, "chat:connect": ANYBODY,
    "chat:picture": ANYBODY, "chat:assistant": ANYBODY, "chat:assistant_picture": ANYBODY, "chat:kept_picture": ANYBODY,
    "effects:mine": ANYBODY,
    "study:join": ANYBODY, "study:here": ANYBODY, "study:agree": ANYBODY, "study:begin": ANYBODY, "study:bar": ANYBODY,
    "study:finish": ANYBODY, "study:questions": ANYBODY, "study:answers": ANYBODY, "study:withdraw": ANYBODY,
    "admin:login": ANYBODY, "admin:jsi18n": STAFF, "admin:index": STAFF, "admin:logout": STAFF,
    "admin:password_change": STAFF, "admin:password_change_done": STAFF, "admin:autocomplete": STAFF,
    "admin:view_on_site": STAFF, "admin:app_list": STAFF,
}  # fmt: skip
OWNERS = {  # they are their owner's alone, who is none of the people here
    "chat:conversation", "chat:rename", "chat:delete", "chat:feedback", "effects:cancel", "effects:calendar",
    "effects:drop",
}  # fmt: skip
OWN_PAGES = {
    "admin:chat_conversation_read": {"chat.view_conversation"},
    "admin:chat_feedback_trends": {"chat.view_feedback"},
    "admin:corpora_corpora": {"corpora.view_corpusdescription"},
    "admin:corpora_corpus": {"corpora.view_corpusdescription"},
    "admin:corpora_corpus_draft": {"corpora.change_corpusdescription"},
    "admin:corpora_corpus_revert": {"corpora.change_corpusdescription"},
    "admin:corpora_erase": {"corpora.delete_corpusversion"},
    "admin:corpora_import_do": {"corpora.change_import"},
    "admin:corpora_import_progress": {"corpora.view_import"},
    "admin:corpora_import_refused": {"corpora.view_import"},
    "admin:corpora_row": {"corpora.change_corpusversion"},
    "admin:corpora_row_delete": {"corpora.change_corpusversion"},
    "admin:corpora_row_undo": {"corpora.change_corpusversion"},
    "admin:corpora_rows": {"corpora.view_corpusversion"},
    "admin:corpora_versions": {"corpora.view_corpusversion"},
    "admin:corpora_worksheetedition_edit": {"corpora.add_worksheetedition"},
    "admin:corpora_worksheetedition_export": {"corpora.view_worksheetedition"},
    "admin:corpora_worksheetedition_preview": {"corpora.add_worksheetedition"},
    "admin:research_study_dashboard": {"research.view_study"},
    "admin:research_study_comparison": {"research.view_study"},
    "admin:research_study_questions": {"research.view_study"},
    "admin:research_playgroundrun_start": {"research.add_playgroundrun"},
    "admin:research_regressionrun_start": {"research.add_regressionrun"},
    "admin:research_regressionrun_stop": {"research.add_regressionrun"},
    "admin:research_export_page": {"research.view_export", "research.add_export"},
    "admin:research_export_progress": {"research.view_export", "research.add_export"},
    "admin:research_export_download": {"research.view_export", "research.add_export"},
    "admin:research_export_cancel": {"research.view_export", "research.add_export"},
    "admin:research_project_annotate": {"research.add_annotation"},
    "admin:research_project_adjudicate": {"research.add_adjudication"},
    "admin:research_project_gold": {"research.add_adjudication"},
    "admin:research_project_report": {"research.view_project"},
    "admin:research_run_page": {"research.view_run", "chat.view_conversation"},
    "admin:research_run_progress": {"research.view_run", "chat.view_conversation"},
    "admin:corpora_remove": {"corpora.delete_corpusversion"},
    "admin:corpora_bring_back": {"corpora.delete_corpusversion"},
    "admin:research_run_cancel": {"research.view_run", "research.add_run"},
    "admin:research_run_resume": {"research.view_run", "research.add_run"},
    "admin:research_run_over_time": {"research.view_run"},
    "admin:research_run_compared": {"research.view_run"},
    "admin:research_run_add": {"research.add_run", "chat.view_conversation"},
}
VERBS = {"changelist": "view", "add": "add", "change": "view", "delete": "delete", "history": "view"}
GIVEN = {"uuid": str(NOBODY), "int": 0, "slug": "nothing", "string": "nothing", "path": "0"}


@dataclass(frozen=True)
class Address:
    """An address of the site, by its name, with arguments that lead to nothing."""

    name: str
    path: str


def addresses() -> Iterator[Address]:
    """Every named address of the URL configuration."""
    yield from _inside(get_resolver().url_patterns, "")


def _inside(patterns: list[URLPattern | URLResolver], space: str) -> Iterator[Address]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from _inside(pattern.url_patterns, space + inner)
        elif pattern.name:
            name = space + pattern.name
            given = {part: _argument(converter) for part, converter in pattern.pattern.converters.items()}
            if pattern.name == "app_list":
                given = {"app_label": "chat"}
            yield Address(name, reverse(name, kwargs=given) if given else reverse(name))


def _argument(converter: object) -> object:
    return GIVEN[type(converter).__name__.removesuffix("Converter").lower()]


def needed(name: str) -> str | set[str]:
    """What an address asks for: anybody, staff, permissions, or the owner (then nothing that anybody here has)."""
    if name in PUBLIC:
        return PUBLIC[name]
    if name in OWNERS:
        return {"the owner's"}
    if name in OWN_PAGES:
        return OWN_PAGES[name]
    kind = name.removeprefix("admin:")
    if kind.startswith("auth_user_password"):
        return {"auth.change_user"}
    model, _, action = kind.rpartition("_")
    app, _, model = model.partition("_")
    if not name.startswith("admin:") or action not in VERBS:
        raise KeyError(f"{name} has no rule here: say who may open it.")
    return {f"{app}.{VERBS[action]}_{model}"}


def may(role: str, name: str) -> bool:
    """Whether a kind of person may open an address."""
    rule = needed(name)
    if rule == {"the owner's"}:
        return False
    if rule == ANYBODY or role == "superuser":
        return True
    own = ROLES[role]
    if rule == STAFF or own is None:
        return rule == STAFF and own is not None
    assert isinstance(rule, set)
    changing = {one.replace(".view_", ".change_") for one in rule}
    return rule <= own or changing <= own


@pytest.fixture
def client_of(request: pytest.FixtureRequest, transactional_db: None) -> Client:
    """A browser of the person that the test is about."""
    role: str = request.param
    client = Client(raise_request_exception=False)
    if role == "participant":
        Study.objects.create(slug="theirs", title="Theirs", assistant="restaurants", quota=1, state="open")
        client.get(reverse("study:join", args=["theirs"]), {"PROLIFIC_PID": "P1"})
        assert client.post(reverse("study:agree", args=["theirs"])).status_code == 302
    elif role != "anonymous":
        user = User.objects.create_user(role, is_staff=role != "person", is_superuser=role == "superuser")
        make_roles()  # the tables of an earlier test were emptied, with the roles in them
        if role in PRODUCT:
            user.groups.add(Group.objects.get(name=role))
        else:
            for name in ROLES[role] or ():
                app, codename = name.split(".")
                user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
        client.force_login(user)
    return client


def test_every_address_has_a_rule() -> None:
    found = list(addresses())
    assert len(found) > 100
    for address in found:
        needed(address.name)


@pytest.mark.parametrize(("role", "client_of"), [(role, role) for role in ROLES], indirect=["client_of"])
def test_nobody_opens_what_is_not_theirs(role: str, client_of: Client) -> None:
    wrong = []
    for address in addresses():
        if address.name == "admin:logout":
            continue  # it takes a form, and then the rest would be asked as somebody else
        answer = client_of.get(address.path)
        if answer.status_code >= 500 and address.name != "health":  # no worker runs here, and it says so
            wrong.append(f"{address.name} fails: {answer.status_code}")
        if answer.status_code == 200 and not may(role, address.name):
            wrong.append(f"{address.name} is open")
        if answer.status_code != 200 and address.name.endswith("_changelist") and may(role, address.name):
            wrong.append(f"{address.name} is closed: {answer.status_code}")
    assert not wrong


@pytest.mark.parametrize("client_of", ["superuser"], indirect=True)
def test_what_is_allowed_is_open(client_of: Client) -> None:
    listed = [address for address in addresses() if address.name.endswith("_changelist")]
    closed = [address.name for address in listed if client_of.get(address.path).status_code != 200]
    assert len(listed) > 20
    assert not closed


@pytest.mark.parametrize(("role", "client_of"), [(role, role) for role in ROLES], indirect=["client_of"])
async def test_no_websocket_opens_on_a_conversation_of_somebody_else(role: str, client_of: Client) -> None:
    assert len(websocket_urlpatterns) == 1, "a new websocket needs a rule here"
    owned = await sync_to_async(new_conversation)(Owner(key_of("somebody else")), "restaurants")
    scope = {
        "type": "websocket",
        "path": f"/ws/chat/{owned.pk}/",
        "query_string": b"",
        "headers": [],
        "subprotocols": [],
        "session": {TOKEN: f"the token of {role}"},
        "user": await User.objects.filter(username=role).afirst() or AnonymousUser(),
    }
    socket = ApplicationCommunicator(URLRouter(websocket_urlpatterns), scope)
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(PATIENCE))["type"] == "websocket.accept"  # so that the reason can be told
    assert await socket.receive_output(PATIENCE) == {"type": "websocket.close", "code": NOT_YOURS}
