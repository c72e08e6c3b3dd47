"""An export is asked for in the admin, made by a worker, and fetched by who may."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from hybridchat.chat.models import Turn
from hybridchat.research.exports import services, tasks
from hybridchat.research.models import Export


def staff(*permissions: str) -> Client:
    user = User.objects.create_user(" ".join(("staff", *permissions)), is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def researcher() -> Client:
    return staff("add_export", "view_export", "view_conversation")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker would do is done at once."""
    monkeypatch.setattr(tasks.write_export, "delay", tasks.write_export)


def test_an_export_is_asked_for_followed_and_fetched(researcher: Client, talk: Turn) -> None:
    asked = researcher.post(reverse("admin:research_export_add"), {"format": "jsonl", "scrub": "on", "export": "1"})
    made = Export.objects.get()
    assert asked.url == reverse("admin:research_export_page", args=[made.pk])  # type: ignore[attr-defined]
    page = researcher.get(asked.url).content.decode()  # type: ignore[attr-defined]
    assert "1 conversation, 3 turns" in page
    fetched: Any = researcher.get(reverse("admin:research_export_download", args=[made.pk]))
    with zipfile.ZipFile(io.BytesIO(b"".join(fetched.streaming_content))) as packed:
        assert sorted(packed.namelist()) == ["conversations.jsonl", "dictionary.md", "manifest.json"]
    made.refresh_from_db()
    assert (made.by, made.downloads) == ("staff add_export view_export view_conversation", 1)
    assert LogEntry.objects.get().change_message == "Downloaded."


def test_progress_is_shown_while_it_is_made(researcher: Client, talk: Turn) -> None:
    made = services.request("me", "jsonl", services.Filters())
    shown = researcher.get(reverse("admin:research_export_progress", args=[made.pk])).content.decode()
    assert 'hx-trigger="every 1s"' in shown
    services.work(made.pk, seconds=60)
    assert (
        "hx-trigger" not in researcher.get(reverse("admin:research_export_progress", args=[made.pk])).content.decode()
    )


def test_an_export_can_be_cancelled(researcher: Client, talk: Turn) -> None:
    made = services.request("me", "jsonl", services.Filters())
    researcher.post(reverse("admin:research_export_cancel", args=[made.pk]))
    made.refresh_from_db()
    assert made.status == "cancelled"


def test_personal_data_is_shown_before_an_export_is_made(researcher: Client, talk: Turn) -> None:
    page = researcher.post(reverse("admin:research_export_add"), {"format": "jsonl", "preview": "1"}).content.decode()
    assert "ada@example.org" in page
    assert not Export.objects.exists()


def test_conversations_chosen_in_their_list_are_exported_alone(researcher: Client, talk: Turn, answer: Any) -> None:
    other = answer("ramen").conversation
    action = {"action": "export_chosen", "_selected_action": [str(other.pk)]}
    researcher.post(reverse("admin:chat_conversation_changelist"), action)
    assert "1 conversation chosen" in researcher.get(reverse("admin:research_export_add")).content.decode()
    researcher.post(reverse("admin:research_export_add"), {"format": "jsonl", "export": "1"})
    made = Export.objects.get()
    assert (made.done, made.filters) == (1, {"conversations": [str(other.pk)]})
    assert "chosen in the list" not in researcher.get(reverse("admin:research_export_add")).content.decode()


def test_who_may_not_export_sees_nothing(talk: Turn) -> None:
    made = services.request("me", "jsonl", services.Filters())
    services.work(made.pk, seconds=60)
    for client in (staff(), staff("view_export"), staff("view_conversation", "view_turn")):
        for page in ("page", "progress", "download"):
            assert client.get(reverse(f"admin:research_export_{page}", args=[made.pk])).status_code == 404
        assert client.get(reverse("admin:research_export_add")).status_code in (403, 404)


def test_the_record_of_an_export_is_not_deleted_or_changed() -> None:
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    made = services.request("me", "jsonl", services.Filters())
    assert boss.post(reverse("admin:research_export_delete", args=[made.pk]), {"post": "yes"}).status_code == 403
    assert Export.objects.exists()
