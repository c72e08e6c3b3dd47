"""Tags of the pages of research."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from hybridchat.chat.markup import reply_html
from hybridchat.research import statistics

register = template.Library()
register.filter("spelled", statistics.spelled)


@register.filter
def reply(text: str) -> SafeString:
    """Render a reply as the chat does: sanitised, and without links."""
    return SafeString(reply_html(text))


@register.simple_tag
def who(said: dict[str, list[str]] | str, question: str, value: str, part: str = "") -> SafeString | str:
    """Write who of the annotators gave an answer; nothing on pages that do not tell."""
    field = f"{question}.{part}" if part else question
    names = said.get(f"{field}={value}", ()) if isinstance(said, dict) else ()
    return format_html(' <span class="said-by">{}</span>', ", ".join(sorted(names))) if names else ""
