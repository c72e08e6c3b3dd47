"""Addresses of PostgreSQL databases that data are copied from: which are allowed, and their passwords.

A password is shown nowhere. While a copy waits for its worker, the database keeps it encrypted with a key that is made
of SECRET_KEY; once the copy is made, or has failed, it is gone.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from corpora.loading.sources import Unreadable

SCHEMES = ("postgresql", "postgres")
PORT = 5432
SSL_MODES = ("disable", "prefer", "require", "verify-full")
CONNECT_WITHIN = 10  # seconds
FORM = "postgresql://user@host/database"


@dataclass(frozen=True, slots=True)
class Address:
    """A database of a server. `host` may be the folder of a socket."""

    host: str
    database: str
    user: str
    port: int = PORT
    password: str = field(default="", repr=False)
    sslmode: str = "prefer"

    def __str__(self) -> str:
        """The address without its password."""
        port = f":{self.port}" if self.port != PORT else ""
        said = {"host": self.host} if self.host.startswith("/") else {}
        said |= {"sslmode": self.sslmode} if self.sslmode != "prefer" else {}
        more = "&".join(f"{name}={quote(value, safe='/')}" for name, value in said.items())
        host = "" if "host" in said else f"[{self.host}]" if ":" in self.host else self.host
        user, database = quote(self.user, safe=""), quote(self.database, safe="")
        return f"postgresql://{user}@{host}{port}/{database}" + (f"?{more}" if more else "")

    def is_allowed(self, hosts: Iterable[str]) -> bool:
        """Whether an operator lists its host: one without a port stands for the usual port."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"{shown}:{self.port}" in hosts or (self.port == PORT and shown in hosts)

    def parameters(self, trusted: bool) -> dict[str, Any]:
        """What psycopg needs. Only where whoever asks is `trusted` may a login come from the server's own files."""
        found: dict[str, Any] = {
            "host": self.host, "port": self.port, "dbname": self.database, "user": self.user, "sslmode": self.sslmode,
            "connect_timeout": CONNECT_WITHIN, "application_name": "hybridchat import", "client_encoding": "utf8",
        }  # fmt: skip
        if self.sslmode == "verify-full":
            found["sslrootcert"] = "system"
        if trusted and not self.password:
            return found
        own = {"passfile": os.devnull, "gssencmode": "disable", "sslcertmode": "disable", "options": ""}
        return found | own | {"password": self.password}


def is_address(text: str) -> bool:
    """Whether something is meant as the address of a database."""
    return text.partition("://")[0].casefold() in SCHEMES and "://" in text


def read_address(text: str) -> Address:
    """Return the address that a URL says. Raises Unreadable, without the password."""
    try:
        parts = urlsplit(text.strip())
        said = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
        login, _, place = parts.netloc.rpartition("@")
        user, _, password = login.partition(":")
        port = int(said.pop("port", "") or parts.port or PORT)
        host = said.pop("host", "") or (parts.hostname or "")
    except ValueError:
        raise Unreadable(f"The address of the database cannot be read: {FORM} is expected.") from None
    database, mode = unquote(parts.path.removeprefix("/")), said.pop("sslmode", "prefer")
    if said:
        raise Unreadable(
            f"A database address cannot have the option {min(said)}; the options are host, port and sslmode."
        )
    if mode not in SSL_MODES:
        raise Unreadable(f"sslmode is one of {', '.join(SSL_MODES)}.")
    if parts.scheme not in SCHEMES or not (host and database and user) or "," in host + place or "/" in database:
        raise Unreadable(f"The address of a database has a user, a host and a database: {FORM} is expected.")
    return Address(host, database, unquote(user), port, unquote(password), mode)


def seal(password: str) -> str:
    """Return a password as the database may keep it."""
    return _box().encrypt(password.encode()).decode()


def unseal(sealed: str) -> str:
    """Return the password. Raises Unreadable where SECRET_KEY has changed."""
    try:
        return _box().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise Unreadable(
            "The stored password can no longer be read. Please enter the address and password again."
        ) from None


def _box() -> Fernet:
    digest = hashlib.sha256(b"passwords of databases\n" + str(settings.SECRET_KEY).encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
