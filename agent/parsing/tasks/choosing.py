"""The answer to "do you mean … or …?": the choice that is named, by its field, its place, or both of them."""

from __future__ import annotations

import re

from agent.parsing.tasks.closeness import telling
from agent.parsing.tasks.correcting import KINDS
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.shapes import called
from agent.parsing.tasks.workspace import Place
from agent.worksheets.state import Choice

_FIRST = re.compile(r"\b(?:first|former|1st)\b")
_LAST = re.compile(r"\b(?:second|latter|last|2nd)\b")
_BOTH = re.compile(r"\b(?:both|the two|all of them)\b")


def choose(draft: Draft, message: Message) -> bool:
    """Takes up the choices that a message names. False where it names none, or says something else."""
    pending = draft.workspace.state.pending
    sheet = draft.workspace.sheet(pending.instance) if pending and pending.kind == "which" else None
    if pending is None or sheet is None:
        return False
    found = [(draft.workspace.place(sheet, choice.field), choice) for choice in pending.choices]
    options = [(place, choice) for place, choice in found if place is not None]
    chosen = _named(message.low, options)
    for place, choice in chosen:
        draft.assign(place, choice.value, message.text.strip())
    if chosen:
        message.claim(0, len(message.text))
    return bool(chosen)


def _named(low: str, options: list[tuple[Place, Choice]]) -> list[tuple[Place, Choice]]:
    if re.search(r"\d", low):  # a value of its own, with what it is: "at 7 pm", "7 people"
        return []
    if _BOTH.search(low) and len({choice.field for _, choice in options}) == len(options):
        return options
    for pattern, at in ((_FIRST, 0), (_LAST, -1)):
        if pattern.search(low):
            return [options[at]]
    names = [f"{called(place.field)} {place.field.description} {KINDS.get(place.shape, '')}" for place, _ in options]
    scores = telling(low, names)
    best = max(scores, default=0.0)
    return [option for option, score in zip(options, scores, strict=True) if score == best] if best > 0 else []
