"""Each fact once: what stands twice in a document is written the second time as a pointer to the first.

A turn's stored state repeats what its events say and what earlier turns said. `fold` replaces every later copy of a
value with `{"$same": POINTER}`, a JSON pointer (RFC 6901) into the same document, and `unfold` puts the values back.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

SAME = "$same"
QUOTED = "$quoted"  # holds an object that has one of these two names itself
WORTH = 64  # characters of JSON from which on a value is worth a pointer


class Dangling(ValueError):
    """A pointer that leads nowhere in its document."""


def fold(document: Any) -> Any:
    """The document with each larger value written once, where it stands first."""
    told: dict[int, str] = {}
    _tell(document, told)
    return _folded(document, "", {}, told)


def unfold(document: Any) -> Any:
    """The document that was folded. Raises Dangling."""
    return _unfolded(document, "", {})


def _tell(value: Any, told: dict[int, str]) -> str:
    """The value as JSON, members in order of their names; `told` gets that of each object and list in it, by `id`.

    Each is put together from what it holds: to write each out for itself costs the square of how deep it is.
    """
    if isinstance(value, dict):
        members = [f"{encode_basestring(name)}: {_tell(value[name], told)}" for name in sorted(value)]
        told[id(value)] = written = f"{{{', '.join(members)}}}"
        return written
    if isinstance(value, list):
        told[id(value)] = written = f"[{', '.join([_tell(one, told) for one in value])}]"
        return written
    return encode_basestring(value) if isinstance(value, str) else json.dumps(value)


def _folded(value: Any, place: str, seen: dict[str, str], told: dict[int, str]) -> Any:
    if isinstance(value, dict | list | str):
        written = encode_basestring(value) if isinstance(value, str) else told[id(value)]
        if len(written) >= WORTH:
            if written in seen:
                return {SAME: seen[written]}
            seen[written] = place
    if isinstance(value, dict):
        inside = {name: _folded(one, f"{place}/{_token(name)}", seen, told) for name, one in value.items()}
        return {QUOTED: inside} if SAME in value or QUOTED in value else inside
    if isinstance(value, list):
        return [_folded(one, f"{place}/{number}", seen, told) for number, one in enumerate(value)]
    return value


def _unfolded(value: Any, place: str, found: dict[str, Any]) -> Any:
    """`found` are the values read so far by where they stand; a pointer always leads back to one of them."""
    if isinstance(value, dict):
        if set(value) == {SAME}:
            if value[SAME] not in found:
                raise Dangling(f"{place} points at {value[SAME]}, where nothing stands.")
            return found[value[SAME]]
        inside = value[QUOTED] if set(value) == {QUOTED} else value
        whole: Any = {name: _unfolded(one, f"{place}/{_token(name)}", found) for name, one in inside.items()}
    elif isinstance(value, list):
        whole = [_unfolded(one, f"{place}/{number}", found) for number, one in enumerate(value)]
    else:
        whole = value
    found[place] = whole
    return whole


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
