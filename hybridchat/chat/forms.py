"""What the forms of a worksheet send, as statements: a value changed in place, a candidate picked, a button pressed.

A form is a message in another spelling. It becomes a turn like any other, is checked where every value is checked, and
is shown in the conversation in words.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from agent.worksheets.specification import Basic, Field, Specification
from agent.worksheets.state import Instance
from agent.worksheets.statements import Abandon, Assign, Clear, Confirm, Decline, Pick, Resume, Statement
from agent.worksheets.wording import in_words, title_of
from hybridchat.chat import selectors
from hybridchat.chat.errors import Malformed, NotFound
from hybridchat.chat.models import Conversation

GONE = "This form is out of date: the conversation has moved on. Use the latest one, at the end."


def statement_of(conversation: Conversation, form: dict[str, Any]) -> tuple[Statement, str]:
    """Return the statement a form makes and the words that show it. Raise `NotFound` if its subject is gone."""
    from hybridchat.agents import edition  # the first turn has loaded it

    state = selectors.dialogue_of(conversation)
    instance = state.instance(_text(form, "instance")) if state else None
    if state is None or instance is None:
        raise NotFound(GONE)
    specification = edition(state.application, state.version)
    match _text(form, "act"):
        case "confirm":
            return _confirm(form, instance, specification)
        case "abandon":
            return Abandon(instance=instance.name), f"Drop the {title_of(specification.by_name[instance.worksheet])}"
        case "resume":
            return Resume(
                instance=instance.name
            ), f"Go on with the {title_of(specification.by_name[instance.worksheet])}"
    field = specification.by_name[instance.worksheet].by_name.get(_text(form, "field"))
    if field is None or field.type.basic is Basic.CONFIRM:
        raise NotFound(GONE)
    match _text(form, "act"):
        case "assign":
            return _assign(form, instance, field)
        case "pick":
            return _pick(form, instance, field)
        case "decline":
            return Decline(instance=instance.name, field=field.name), f"{field.label.capitalize()}: skip"
        case _:
            raise Malformed("This page sent something the site does not understand. Please reload the page.")


def _confirm(form: dict[str, Any], instance: Instance, specification: Specification) -> tuple[Statement, str]:
    yes = _text(form, "yes") == "1"
    statement = Confirm(
        instance=instance.name, field=_text(form, "field"), yes=yes, digest=_text(form, "digest") if yes else ""
    )
    return statement, "Yes, that is right" if yes else "No, not like that"


def _assign(form: dict[str, Any], instance: Instance, field: Field) -> tuple[Statement, str]:
    text = _text(form, "value").strip()
    label = field.label.capitalize()
    if not text:
        return Clear(instance=instance.name, field=field.name), f"{label}: leave it open"
    try:
        shown = in_words(text, field, timezone.localdate())
    except ValueError:  # no date or time: the check on assignment will say so
        shown = text
    return Assign(instance=instance.name, field=field.name, value=text, words=text), f"{label}: {shown}"


def _pick(form: dict[str, Any], instance: Instance, field: Field) -> tuple[Statement, str]:
    key = _text(form, "key")
    for entity in instance.slot(field.name).candidates:
        if entity.key == key:
            pick = Pick(instance=instance.name, field=field.name, table=entity.table, key=key, title=entity.title)
            return pick, entity.title or key
    raise NotFound(GONE)


def _text(form: dict[str, Any], name: str) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise Malformed(f"“{name}” should be text.")
    return value
