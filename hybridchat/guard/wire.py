"""Frames between an agent process and the one that asks it: a length of four bytes, then JSON."""

from __future__ import annotations

import asyncio
import json
from typing import Any

LENGTH = 4  # bytes
Frame = dict[str, Any]


async def read_frame(reader: asyncio.StreamReader) -> Frame | None:
    """The next frame; None if the other side has gone."""
    try:
        length = int.from_bytes(await reader.readexactly(LENGTH), "big")
        return json.loads(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


async def write_frame(writer: asyncio.StreamWriter, frame: Frame) -> None:
    """Send a frame. Raises ConnectionError if the other side has gone."""
    data = json.dumps(frame, ensure_ascii=False).encode("utf-8", "surrogatepass")
    writer.write(len(data).to_bytes(LENGTH, "big") + data)
    await writer.drain()
