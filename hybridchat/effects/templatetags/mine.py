"""What pages show of the effects, and how they say it."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from hybridchat.chat.owners import owner_of
from hybridchat.effects import selectors, speech

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_replies(context: Context) -> int:
    """Return the number of replies that the visitor has not seen; 0 without a request."""
    request: Any = context.get("request")
    return selectors.unread(owner_of(request.session, request.user)).count() if request is not None else 0


register.filter("clock", speech.clock)
register.filter("people", speech.people)


@register.filter
def subject(code: str) -> str:
    """Return the letters of a course code: "CS" of "CS 229"."""
    return code.partition(" ")[0]


@register.filter
def number(code: str) -> str:
    """Return what follows the letters of a course code: "229" of "CS 229"."""
    return code.partition(" ")[2]
