"""A conversation as one record with everything that is stored about it, under the database's own names.

What a row holds is read off its model, so that a field that is added is exported. Left out are what names a person or a
machine (the owner's key, network addresses), and leases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db.models import Field as ModelField
from django.db.models import ForeignKey, Model, Prefetch, QuerySet

from corpora.models import ModelCall
from hybridchat.chat.models import Configuration, Conversation, Feedback, Turn, TurnEvent
from hybridchat.research.exports import participations
from hybridchat.research.exports.annotations import annotations_of

UNTOLD: dict[type[Model], frozenset[str]] = {
    Configuration: frozenset(),
    Conversation: frozenset({"owner_key", "user"}),
    Turn: frozenset({"conversation", "address_key", "lease_holder", "lease_until"}),
    TurnEvent: frozenset({"id", "turn"}),
    Feedback: frozenset({"id", "turn"}),
    ModelCall: frozenset({"id", "turn"}),
    **participations.UNTOLD,
}


def told(model: type[Model]) -> list[ModelField[Any, Any]]:
    """The fields of a model that are exported; who of the staff did a thing is not told."""
    return [
        field for field in model._meta.concrete_fields if field.name not in UNTOLD[model] and not _names_staff(field)
    ]


def _names_staff(field: ModelField[Any, Any]) -> bool:
    return isinstance(field, ForeignKey) and field.related_model is get_user_model()


def facts(row: Model) -> dict[str, Any]:
    """A row's fields as JSON values: moments in ISO form, identifiers as texts."""
    return {field.name: _plain(field, field.value_from_object(row)) for field in told(type(row))}


def _plain(field: ModelField[Any, Any], value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value


def conversations(chosen: QuerySet[Conversation]) -> Iterator[tuple[Conversation, dict[str, Any]]]:
    """Each conversation with its record; turns under way are left out, since nothing is settled about them."""
    finished = Turn.objects.finished().order_by("position").select_related("feedback", "configuration")
    events = Prefetch("events", TurnEvent.objects.order_by("seq"))
    rows = list(
        chosen.select_related("configuration").prefetch_related(
            Prefetch("turns", finished.prefetch_related(events), to_attr="told_turns")
        )
    )
    keys = [turn.pk for row in rows for turn in row.told_turns]
    calls, labelled = _calls(keys), annotations_of(keys)
    taking_part = participations.participations_of([row.pk for row in rows], facts)
    for row in rows:
        turns = [
            {**_turn(turn, calls.get(turn.pk, [])), "annotated": labelled.get(turn.pk, [])} for turn in row.told_turns
        ]
        _untie(turns)
        told_with = {
            one.pk: one for one in (row.configuration, *(turn.configuration for turn in row.told_turns)) if one
        }
        yield (
            row,
            {
                **facts(row),
                "configurations": [facts(one) for one in told_with.values()],
                "signed_in": row.user_id is not None,
                "participation": taking_part.get(row.pk),
                "turns": turns,
            },
        )


def _untie(turns: list[dict[str, Any]]) -> None:
    """Feedback is about a finished turn, but the turn that put it right may be under way, and is not told then."""
    told_here = {turn["id"] for turn in turns}
    for turn in turns:
        if turn["feedback"] and turn["feedback"]["correction"] not in told_here:
            turn["feedback"]["correction"] = None


def _turn(turn: Turn, calls: list[dict[str, Any]]) -> dict[str, Any]:
    feedback = getattr(turn, "feedback", None)
    return {
        **facts(turn),
        "feedback": facts(feedback) if feedback else None,
        "events": [facts(event) for event in turn.events.all()],
        "calls": calls,
    }


def _calls(turns: Iterable[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """The calls to language models, by turn, in order."""
    found: dict[UUID, list[dict[str, Any]]] = {}
    for call in ModelCall.objects.filter(turn__in=list(turns)).order_by("created", "pk"):
        found.setdefault(call.turn, []).append(facts(call))
    return found
