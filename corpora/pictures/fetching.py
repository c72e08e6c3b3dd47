"""Pictures from elsewhere, fetched once: only from public addresses, only what is a picture, only so large.

The address comes from a file that somebody imported, so it may name anything: a host inside, a redirect to one, a name
that resolves to another address the second time. So each host is resolved once and the connection goes to that address.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import ip_address
from urllib.parse import SplitResult, urljoin, urlsplit

from corpora.pictures.files import LARGEST, NotAPicture, type_of

SECONDS = 10.0  # until a server has to say something
REDIRECTS = 3
PORTS = {"http": 80, "https": 443}
AGENT = "hybridchat (pictures for cards)"

Allowed = Callable[[str], bool]


def is_public(address: str) -> bool:
    """Whether a network address is one of the internet at large."""
    return ip_address(address.partition("%")[0]).is_global


def fetch(url: str, allowed: Allowed = is_public) -> tuple[str, bytes]:
    """Return the type and the bytes of a picture. Raises NotAPicture."""
    try:
        for _ in range(REDIRECTS + 1):
            parts = urlsplit(url)
            answer, further = _get(parts, allowed)
            if answer is not None:
                return type_of(answer), answer
            url = urljoin(url, further)
    except (OSError, HTTPException, ValueError) as error:
        raise NotAPicture(f"It cannot be fetched: {error or type(error).__name__}.") from error
    raise NotAPicture("It is redirected too often.")


def _get(parts: SplitResult, allowed: Allowed) -> tuple[bytes | None, str]:
    """What is at an address, or where it says to look instead."""
    if parts.scheme not in PORTS or not parts.hostname or parts.username:
        raise NotAPicture("Its address is none of the web.")
    port = parts.port or PORTS[parts.scheme]
    connection = HTTPConnection(parts.hostname, port, timeout=SECONDS)
    connection.sock = _connected(parts.hostname, port, parts.scheme == "https", allowed)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", path, headers={"User-Agent": AGENT, "Accept": "image/*"})
        return _read(connection.getresponse())
    finally:
        connection.close()


def _connected(host: str, port: int, secure: bool, allowed: Allowed) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(map(allowed, addresses)):
        raise NotAPicture("Its host is none of the internet.")
    opened = socket.create_connection((addresses[0], port), SECONDS)
    return ssl.create_default_context().wrap_socket(opened, server_hostname=host) if secure else opened


def _read(answer: HTTPResponse) -> tuple[bytes | None, str]:
    if answer.status in (301, 302, 303, 307, 308):
        return None, answer.headers.get("Location", "")
    if answer.status != 200:
        raise NotAPicture(f"Its server answers {answer.status}.")
    return answer.read(LARGEST + 1), ""
