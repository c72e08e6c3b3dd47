"""The assistants to choose from, as the pages show them, and who may use which."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse

from agent.text.english import listed
from corpora.catalogue.imported import whole_catalogue
from corpora.models import Assistant
from corpora.questions import questions_of, welcome_of
from hybridchat.chat.errors import NotFound, Refused
from hybridchat.chat.markup import prose_html
from hybridchat.chat.models import Conversation
from hybridchat.chat.rendering import AssistantView

PLACEHOLDER = "Ask a question"
NONE_SUCH = "There is no such assistant."


def assistant_views(user: Any, wanted: str = "") -> tuple[AssistantView, ...]:
    """Return the assistants that somebody is offered, in their order: the active ones they may use.

    One that is not listed is offered to whoever comes with its address: `wanted` is its slug.
    """
    active = Assistant.objects.filter(active=True)
    hidden = Assistant.Audience.UNLISTED
    offered = [one for one in active if one.slug == wanted or one.audience != hidden]
    return tuple(_view(one) for one in offered if one.may_be_used_by(user))


def assistant_view(slug: str) -> AssistantView:
    """Return one assistant, active or not; raise `NotFound` if there is none of that name."""
    found = Assistant.objects.filter(slug=slug).first()
    if found is None:
        raise NotFound(NONE_SUCH)
    return _view(found)


def check_assistant(conversation: Conversation) -> None:
    """Whether the person of a conversation may ask its assistant.

    Raises `NotFound` for a conversation that is about to begin, `Refused` for one that has begun.
    """
    found = Assistant.objects.filter(slug=conversation.assistant).select_related("group").first()
    if found is None or found.audience != Assistant.Audience.GROUP:
        return
    person = get_user_model().objects.filter(pk=conversation.user_id).first()
    if found.may_be_used_by(person):
        return
    if conversation._state.adding:
        raise NotFound(NONE_SUCH)
    raise Refused("This assistant is not open to you any more.")


def _view(one: Assistant) -> AssistantView:
    version = f"?{one.picture_id[:12]}" if one.picture_id else ""  # browsers keep a picture for a day
    return AssistantView(
        slug=one.slug,
        name=one.title,
        description=one.description or _described(one),
        examples=tuple(one.example_questions) or questions_of(one.tables),
        placeholder=PLACEHOLDER,
        picture=reverse("chat:assistant_picture", args=[one.slug]) + version,
        welcome_html=prose_html(welcome) if (welcome := one.welcome or welcome_of(one.tables)) else "",
    )


def _described(one: Assistant) -> str:
    """What an assistant knows, for one that its curators have not described."""
    known = whole_catalogue()
    nouns = [table.noun[1] for name in one.tables if (table := known.table(name))]
    return f"Answers questions about {listed(nouns)}." if nouns else ""
