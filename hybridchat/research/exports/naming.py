"""Who is who in an export, without saying who.

Every person, conversation and turn has a pseudonym, which is a keyed hash with the shape of a UUID. The key is the
installation's secret together with the name of a scope: within a scope one person always has one pseudonym, and two
scopes cannot be put together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.crypto import salted_hmac

IDENTIFIER = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE)
SHORTEST = 36  # characters of an identifier


@dataclass(frozen=True, slots=True)
class Names:
    """The pseudonyms of one scope."""

    scope: str

    def of(self, name: str) -> str:
        """The pseudonym of whoever or whatever has this name in the database."""
        digest = salted_hmac(f"hybridchat.research.export {self.scope}", name, algorithm="sha256").digest()
        return str(UUID(bytes=digest[:16], version=4))

    def person(self, owner_key: str, user_id: int | None) -> str:
        """The pseudonym of the owner of a conversation: a signed-in user's, else a browser session's."""
        return self.of(f"user {user_id}" if user_id is not None else owner_key)

    def renamed(self, text: str) -> str:
        """The text with a pseudonym in the place of each identifier of a row (they are all UUIDs)."""
        if len(text) < SHORTEST:  # most are
            return text
        return IDENTIFIER.sub(lambda found: self.of(found[0].lower()), text)


def through(value: Any, change: Any) -> Any:
    """A JSON value with each of its texts, names of members too, put through `change`."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(name): through(one, change) for name, one in value.items()}
    return [through(one, change) for one in value] if isinstance(value, list) else value
