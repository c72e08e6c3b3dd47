"""How much and how fast: the limits of the chat, in one place.

Seconds unless the name says otherwise. A lease is renewed every `HEARTBEAT` and outlives a few missed beats; a turn
that is handed over is taken up within `HANDOVER`, or the sweeper hands it out again.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from hybridchat.chat.errors import TooFast, TooLong
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner

MESSAGE_CHARACTERS = 2_000
COMMENT_CHARACTERS = 4_000
FRAME_BYTES = 20_000  # a comment of four-byte characters, and what stands around it
TITLE_CHARACTERS = 120

TURNS_PER_MINUTE = 20
CONVERSATIONS_PER_MINUTE = 20
FRAMES_PER_TEN_SECONDS = 40

LEASE = timedelta(seconds=12)
HEARTBEAT = 3.0
HANDOVER = timedelta(seconds=8)
PICKUP = timedelta(seconds=2)  # a new turn is for the web process that received it; after this, for any worker
ATTEMPTS = 3  # how often one step of a turn is taken up before the turn fails
STEP_LIMIT = 100.0  # one step of a turn may take this long; below Celery's soft limit


def clean(text: str) -> str:
    """The text without what PostgreSQL cannot store (NUL, halves of surrogate pairs) and without surrounding space.

    A line ends in one character, as the browser counted it: a form sends two.
    """
    return text.replace("\0", "").replace("\r\n", "\n").encode("utf-8", "ignore").decode().strip()


def check_message(text: str) -> str:
    """The message without surrounding space, or `TooLong`."""
    text = clean(text)
    if len(text) > MESSAGE_CHARACTERS:
        raise TooLong(
            f"That message has {len(text):,} characters; up to {MESSAGE_CHARACTERS:,} are read. Please shorten it."
        )
    return text


def check_pace(owner: Owner) -> None:
    """Raises `TooFast` when the owner has sent more turns in the last minute than anybody types."""
    since = timezone.now() - timedelta(minutes=1)
    sent = Turn.objects.filter(conversation__in=owner.conversations(), created__gt=since).count()
    if sent >= TURNS_PER_MINUTE:
        raise TooFast(f"That was {sent} messages in a minute. Please wait a moment and send it again.")


def check_new_conversations(owner: Owner) -> None:
    """Raises `TooFast` when the owner has opened more conversations in the last minute than anybody needs."""
    since = timezone.now() - timedelta(minutes=1)
    opened = Conversation.objects.filter(pk__in=owner.conversations(), created__gt=since).count()
    if opened >= CONVERSATIONS_PER_MINUTE:
        raise TooFast(f"That was {opened} new conversations in a minute. Please wait a moment and try again.")
