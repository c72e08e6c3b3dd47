"""Evidence as quotations: which words of which text decided, with enough around them to judge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.formats import date_format

from hybridchat.chat.rendering import EvidenceView, SegmentView

AROUND = 110  # characters shown on either side of the deciding ones
BREAK = re.compile(r"(?<=[.!?])\s+|\n+")


def evidence_views(evidence: Iterable[Mapping[str, Any]]) -> tuple[EvidenceView, ...]:
    """Return one view per text and answer, in order; spans of one text for one answer are marked together."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for one in evidence:
        key = (one["question"], one["value"], one["text"], one.get("stance", "for"), one.get("label", ""))
        groups.setdefault(key, []).append(one)
    return tuple(_view(spans) for spans in groups.values())


def _view(spans: Sequence[Mapping[str, Any]]) -> EvidenceView:
    first, text = spans[0], spans[0]["text"]
    marks = _merged((max(0, span["start"]), min(len(text), span["stop"])) for span in spans)
    start, stop = _window(text, marks[0][0], marks[-1][1]) if marks else (0, min(len(text), 2 * AROUND))
    return EvidenceView(
        question=first["question"],
        value=first["value"] or "",
        excerpt=_segments(text, marks, start, stop),
        whole=_segments(text, marks, 0, len(text)),
        supports=first.get("stance", "for") == "for",
        label=first.get("label", ""),
        dated=_month(first.get("dated", "")),
        column=first.get("column", ""),
    )


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches in order, overlapping ones as one, empty ones dropped."""
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def _window(text: str, start: int, stop: int) -> tuple[int, int]:
    """A little more than the marks: from the beginning of a sentence or word to the end of one."""
    left, right = max(0, start - AROUND), min(len(text), stop + AROUND)
    if left:
        breaks = [match.end() for match in BREAK.finditer(text, left, start)]
        left = breaks[0] if breaks else text.find(" ", left, start) + 1 or start
    if right < len(text):
        breaks = [match.start() for match in BREAK.finditer(text, stop, right)]
        space = text.rfind(" ", stop, right)
        right = breaks[-1] if breaks else space if space > 0 else stop
    return left, right


def _segments(text: str, marks: Sequence[tuple[int, int]], start: int, stop: int) -> tuple[SegmentView, ...]:
    """`text[start:stop]` cut at the marks, with an ellipsis where something was left out."""
    segments, position = [], start
    for mark_start, mark_stop in marks:
        segments.append(SegmentView(text[position:mark_start], False))
        segments.append(SegmentView(text[mark_start:mark_stop], True))
        position = mark_stop
    segments.append(SegmentView(text[position:stop], False))
    if start > 0:
        segments.insert(0, SegmentView("… ", False))
    if stop < len(text):
        segments.append(SegmentView(" …", False))
    return tuple(segment for segment in segments if segment.text)


def _month(dated: str) -> str:
    """2026-10-03 as October 2026; words that are no date stay as they are."""
    try:
        return date_format(date.fromisoformat(dated), "F Y")
    except ValueError:
        return dated
