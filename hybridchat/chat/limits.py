"""How much and how fast: the limits of the chat, in one place.

Seconds unless the name says otherwise. A lease is renewed every `HEARTBEAT` and outlives a few missed beats.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from hybridchat.chat import pace
from hybridchat.chat.errors import Flood, TooFast, TooLong
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner

BUILTIN = "builtin"
MESSAGE_CHARACTERS = 2_000
COMMENT_CHARACTERS = 4_000
FRAME_BYTES = 20_000  # a comment of four-byte characters, and what stands around it
TITLE_CHARACTERS = 120

TURNS_PER_MINUTE = 20
CONVERSATIONS_PER_MINUTE = 20
FRAMES_PER_TEN_SECONDS = 40
PATIENCE = 3  # frames that are refused with a sentence before the connection is closed

LEASE = timedelta(seconds=12)
HEARTBEAT = 3.0
AWAY = timedelta(seconds=1)  # until what the database or Redis could not do is tried again
ATTEMPTS = 20  # how often a step of a turn is taken up whose holders die, before the turn fails
FAILURES = 2  # how often a turn may fail by itself
STEP_LIMIT = 100.0  # one step of a turn may take this long; two are below Celery's soft limit
UNDERSTANDING_LIMIT = 8.0  # what one message may take to be understood where no model has to be waited for


def of_understanding(language: str) -> float:
    """Return how long understanding and parsing may take: longer with a model."""
    return UNDERSTANDING_LIMIT if language == BUILTIN else STEP_LIMIT


def clean(text: str) -> str:
    """Remove from a text what PostgreSQL cannot store (NUL, halves of surrogate pairs) and without surrounding space.

    A line ends in one character, as the browser counted it: a form sends two.
    """
    return text.replace("\0", "").replace("\r\n", "\n").encode("utf-8", "ignore").decode().strip()


def check_message(text: str) -> str:
    """Return the message without surrounding space, or raise `TooLong`."""
    text = clean(text)
    if len(text) > MESSAGE_CHARACTERS:
        raise TooLong(
            f"This message has {len(text):,} characters; the limit is {MESSAGE_CHARACTERS:,}. Please shorten it."
        )
    return text


def check_pace(owner: Owner, address: str = "") -> None:
    """Raise `TooFast` when more turns were sent in the last minute than a person types, or than their address, or
    the whole site, may send."""
    since = timezone.now() - timedelta(minutes=1)
    sent = Turn.objects.filter(conversation__in=owner.conversations(), created__gt=since).count()
    if sent >= TURNS_PER_MINUTE:
        raise TooFast(f"You have sent {sent} messages in a minute. Please wait a moment, then send it again.")
    _check_together("messages", address, TURNS_PER_MINUTE)


def check_new_conversations(owner: Owner, address: str = "") -> None:
    """Raise `TooFast` if more conversations were begun in the last minute than allowed."""
    since = timezone.now() - timedelta(minutes=1)
    opened = Conversation.objects.filter(pk__in=owner.conversations(), created__gt=since).count()
    if opened >= CONVERSATIONS_PER_MINUTE:
        raise TooFast(f"You have started {opened} conversations in a minute. Please wait a moment, then try again.")
    _check_together("new conversations", address, CONVERSATIONS_PER_MINUTE)


def check_frames(owner: Owner, address: str) -> None:
    """Count a frame of this person over all their tabs. Raise `TooFast` above the limit, `Flood` soon after."""
    sent = pace.count("frames", owner.name or address, 10)
    if sent > FRAMES_PER_TEN_SECONDS + PATIENCE:
        pace.count("sent away", owner.name or address, 60)
        raise Flood("")
    if sent > FRAMES_PER_TEN_SECONDS:
        raise TooFast("You are sending faster than I can follow. Please wait a few seconds.")


def check_sense(owner: Owner, address: str) -> None:
    """Count a malformed frame. Raise `Flood` if there were more than an outdated page sends."""
    if pace.count("nonsense", owner.name or address, 60) > PATIENCE:
        pace.count("sent away", owner.name or address, 60)
        raise Flood("")


def check_sent_away(owner: Owner, address: str) -> None:
    """Raise `Flood` if a connection of this person was closed within the last minute for what it sent."""
    if pace.counted("sent away", owner.name or address, 60):
        raise Flood("")


def _check_together(what: str, address: str, of_a_person: int) -> None:
    """Raises `TooFast` when an address, or the site, sends more in a minute than so many people together would."""
    if address and pace.count(what, address, 60) > of_a_person * settings.ADDRESS_PACE:
        raise TooFast(f"There are too many {what} from your network just now. Please try again in a minute.")
    if pace.count(what, "site", 60) > of_a_person * settings.SITE_PACE:
        raise TooFast(f"There are too many {what} on this site just now. Please try again in a minute.")
