"""The assistants to choose from, as the pages show them."""

from __future__ import annotations

from corpora.models import Assistant
from hybridchat.chat.errors import NotFound
from hybridchat.chat.rendering import AssistantView

PLACEHOLDERS = {
    "restaurants": "Ask about a place or a dish",
    "courses": "Ask about a course",
    "services": "Ask about forms or deadlines",
}
PLACEHOLDER = "Ask a question"


def assistant_views() -> tuple[AssistantView, ...]:
    """Return the active assistants, in order."""
    return tuple(_view(one) for one in Assistant.objects.filter(active=True))


def assistant_view(slug: str) -> AssistantView:
    """Return one assistant, active or not; raise `NotFound` if there is none of that name."""
    found = Assistant.objects.filter(slug=slug).first()
    if found is None:
        raise NotFound("There is no such assistant.")
    return _view(found)


def _view(one: Assistant) -> AssistantView:
    return AssistantView(
        slug=one.slug,
        name=one.title,
        description=one.description,
        examples=tuple(one.example_questions),
        placeholder=PLACEHOLDERS.get(one.slug, PLACEHOLDER),
    )
