"""The answer to "do you mean … or …?": the choice that is named, by its field, its place, or both of them."""

from __future__ import annotations

import re

from agent.parsing.tasks.correcting import KINDS
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers.choices import ORDINALS
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.similarity import telling
from agent.parsing.tasks.workspace import Place
from agent.text.readers.numbers import SPELLED, word
from agent.worksheets.state import Choice, Entity

_NTH = re.compile(rf"\b(?P<nth>{'|'.join(ORDINALS)})\b")
_PLACE = compiled(
    rf"^\W*(?:(?:{{filler}}|{{lead}}|the)[\s,]+)*(?P<nth>{'|'.join(ORDINALS)})(?: (?:one|time|option|choice))?"
    r"\W*(?:(?:{filler}|works|is (?:fine|good|great))\W*)*$"
)
_NUMBER = compiled(rf"^\W*(?:(?:{{filler}}|{{lead}})\W+)*(?P<number>\d+|{SPELLED})\W*(?:{{filler}}\W*)*$")
_BOTH = re.compile(r"\b(?:both|the two|all of them)\b")


def choose(draft: Draft, message: Message) -> bool:
    """Takes up the choices that a message names. False where it names none, or says something else."""
    pending, asked = draft.workspace.state.pending, draft.workspace.asked
    if pending is not None and pending.kind == "ask" and asked is not None:
        return _by_place(draft, message, asked) or _by_value(draft, message, asked)
    sheet = draft.workspace.sheet(pending.instance) if pending and pending.kind == "which" else None
    if pending is None or sheet is None:
        return False
    sheets = [draft.workspace.sheet(choice.instance) or sheet for choice in pending.choices]
    found = [
        (draft.workspace.place(one, choice.field), choice) for one, choice in zip(sheets, pending.choices, strict=True)
    ]
    options = [(place, choice) for place, choice in found if place is not None]
    chosen = _held(message.low, options) or _named(message.low, options)
    for place, choice in chosen:
        draft.assign(place, choice.value, message.text.strip())
    if chosen:
        message.claim(0, len(message.text))
    return bool(chosen)


def _held(low: str, options: list[tuple[Place, Choice]]) -> list[tuple[Place, Choice]]:
    """The one whose present value is named, where each would give way in its own sheet."""
    others = [(place, choice) for place, choice in options if choice.instance]
    held = [(place.sheet.value(place.field.name), place.sheet.slot(place.field.name).words) for place, _ in others]
    plain = low.replace(" ", "")
    return [
        option
        for option, names in zip(others, held, strict=True)
        if any(isinstance(name, str) and name and name.replace(" ", "").lower() in plain for name in names)
    ][:1]


def _by_place(draft: Draft, message: Message, asked: Place) -> bool:
    """ "The second", of the values that were put up with the question."""
    values = [one for one in asked.sheet.slot(asked.field.name).options if not isinstance(one, Entity)]
    match = _PLACE.match(message.low)
    if match is None or len(values) < 2 or ORDINALS[match["nth"]] >= len(values):
        return False
    draft.assign(asked, values[ORDINALS[match["nth"]]], message.text.strip())
    message.claim(0, len(message.text))
    return True


def _by_value(draft: Draft, message: Message, asked: Place) -> bool:
    """A number alone that was put up for another field than the one that is asked for."""
    match = _NUMBER.match(message.low)
    value = word(match["number"]) if match else None
    if value is None or asked.shape in (Shape.NUMBER, Shape.PEOPLE, Shape.TIME):
        return False
    for place in draft.workspace.places(asked.sheet.root):
        if not place.known and value in place.sheet.slot(place.field.name).options:
            draft.assign(place, value, message.text.strip())
            message.claim(0, len(message.text))
            return True
    return False


def _named(low: str, options: list[tuple[Place, Choice]]) -> list[tuple[Place, Choice]]:
    if re.search(r"\d", low):  # a value of its own, with what it is: "at 7 pm", "7 people"
        return []
    if _BOTH.search(low) and len({choice.field for _, choice in options}) == len(options):
        return options
    nth = _NTH.search(low)
    if nth is not None and ORDINALS[nth["nth"]] < len(options):
        return [options[ORDINALS[nth["nth"]]]]
    names = [f"{called(place.field)} {place.field.description} {KINDS.get(place.shape, '')}" for place, _ in options]
    scores = telling(low, names)
    best = max(scores, default=0.0)
    return [option for option, score in zip(options, scores, strict=True) if score == best] if best > 0 else []
