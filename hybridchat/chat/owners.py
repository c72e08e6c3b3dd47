"""Whose conversation is it? A signed-in user's, or that of the browser session it was begun in.

The session holds a random token; the database holds only its keyed hash, so that neither a leaked table nor an export
opens anybody's conversation. The token lives in the session's data and so survives signing in.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from hybridchat.chat.models import Conversation

TOKEN = "chat_owner"  # noqa: S105 - the name of a session key


@dataclass(frozen=True, slots=True)
class Owner:
    """`key` is the keyed hash of the session's token ("" if the session has none), `user_id` a signed-in user."""

    key: str = ""
    user_id: int | None = None

    @property
    def name(self) -> str:
        """Return a name for counting what this owner does; "" if they own nothing."""
        return f"user {self.user_id}" if self.user_id is not None else self.key

    def conversations(self) -> QuerySet[Conversation]:
        """Return all conversations of this owner."""
        mine = Q(pk__in=())
        if self.key:
            mine |= Q(owner_key=self.key)
        if self.user_id is not None:
            mine |= Q(user_id=self.user_id)
        return Conversation.objects.filter(mine)


def key_of(token: str) -> str:
    """Return the keyed hash that stands for a session's token in the database (64 hexadecimal digits)."""
    return salted_hmac("hybridchat.chat.owner", token, algorithm="sha256").hexdigest()


def owner_of(session: Mapping[str, Any], user: Any) -> Owner:
    """Return the owner that a request or a websocket speaks for; it owns nothing where the session is new."""
    token = session.get(TOKEN, "")
    return Owner(key_of(token) if token else "", user.pk if user is not None and user.is_authenticated else None)


def become_owner(session: Any, user: Any) -> Owner:
    """Like `owner_of`, but gives a new session a token: for whoever is about to begin a conversation."""
    if TOKEN not in session:
        session[TOKEN] = secrets.token_urlsafe(32)
    return owner_of(session, user)
