"""A picture in a corpus, as an address that a model's server can open: http, https, or the bytes themselves as data."""

from __future__ import annotations

import base64
import re

LARGEST = 10 * 2**20
"""Bytes of a picture that are sent along, at most."""

_ADDRESS = re.compile(r"https?://[^\s\"'<>\\]+|data:image/[a-z.+-]+;base64,[A-Za-z0-9+/=]+", re.IGNORECASE)
_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}


def address(picture: str) -> str | None:
    """The address of a picture, given as one or as the hexadecimal bytes PostgreSQL shows; None if it is neither."""
    picture = picture.strip()
    if len(picture) > 2 * LARGEST:
        return None
    if picture.startswith("\\x"):
        return _as_data(picture[2:])
    return picture if _ADDRESS.fullmatch(picture) else None


def _as_data(written: str) -> str | None:
    try:
        content = bytes.fromhex(written)
    except ValueError:
        return None
    kind = next((kind for start, kind in _KINDS.items() if content.startswith(start)), None)
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}" if kind else None
