"""Pictures in files: which are taken, told by their first bytes and not by what they call themselves."""

from __future__ import annotations

LARGEST = 2_000_000  # bytes

TYPES = {
    "image/png": (b"\x89PNG\r\n\x1a\n", 0),
    "image/jpeg": (b"\xff\xd8\xff", 0),
    "image/gif": (b"GIF8", 0),
    "image/webp": (b"WEBP", 8),
}


class NotAPicture(Exception):
    """The message says why, in a sentence."""


def type_of(data: bytes) -> str:
    """Return the type of a picture. Raises NotAPicture, also for SVG, which may hold scripts."""
    if not data:
        raise NotAPicture("The file is empty.")
    if len(data) > LARGEST:
        raise NotAPicture(f"The picture has {len(data) / 1e6:.1f} MB; the limit is {LARGEST / 1e6:.0f} MB.")
    for name, (mark, place) in TYPES.items():
        if data[place : place + len(mark)] == mark:
            return name
    raise NotAPicture("The file is no PNG, JPEG, GIF or WebP picture.")
