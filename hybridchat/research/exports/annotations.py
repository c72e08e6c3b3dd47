"""What annotators and adjudicators said of a conversation's turns, and what they were asked, for its record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model

from hybridchat.research.annotation.models import Adjudication, Annotation, Item, Project, Scheme

SCHEME = ("slug", "version", "title", "guidelines", "questions")


def annotations_of(turns: Iterable[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """The items of the turns with their annotations, by turn. Annotators are named by "annotator ID" only."""
    items = Item.objects.filter(turn__in=list(turns)).select_related("project__scheme", "adjudication")
    found: dict[UUID, list[dict[str, Any]]] = {}
    for item in items.prefetch_related("annotations").order_by("project_id", "position"):
        found.setdefault(item.turn_id, []).append(_item(item))
    return found


def _item(item: Item) -> dict[str, Any]:
    decided = getattr(item, "adjudication", None)
    return {
        "project": item.project.title,
        "scheme": {name: getattr(item.project.scheme, name) for name in SCHEME},
        "overlap": item.project.overlap,
        "gold": item.gold,
        "suggestion": item.suggestion,
        "annotations": [_annotation(one) for one in item.annotations.all()],
        "adjudication": {"answers": decided.answers, "created": decided.created.isoformat()} if decided else None,
    }


def _annotation(one: Annotation) -> dict[str, Any]:
    finished = one.finished_at.isoformat() if one.finished_at else None
    told = {name: getattr(one, name) for name in ("status", "answers", "flagged", "note", "seconds")}
    return {"annotator": f"user {one.annotator_id}", **told, "opened": one.opened.isoformat(), "finished_at": finished}


def restore(turn: str, told: list[dict[str, Any]]) -> None:
    """Store the annotations of an imported turn. Annotators become users who cannot sign in, named by pseudonyms."""
    for item in told:
        project = _project(item)
        position = project.items.count() + 1
        stored = Item.objects.create(
            project=project, turn_id=turn, position=position, gold=item["gold"], suggestion=item["suggestion"]
        )
        for one in item["annotations"]:
            facts = {name: value for name, value in one.items() if name != "annotator"}
            Annotation.objects.create(item=stored, annotator=_annotator(one["annotator"]), **facts)
        if item["adjudication"]:
            Adjudication.objects.create(item=stored, by=_annotator("adjudicator"), **item["adjudication"])


def _project(item: dict[str, Any]) -> Project:
    """The project of that name on that very scheme; a scheme that differs from the one here becomes another version."""
    asked = item["scheme"]
    here = Scheme.objects.filter(
        slug=asked["slug"], questions=asked["questions"], guidelines=asked["guidelines"]
    ).first()
    if here is None:
        taken = Scheme.objects.filter(slug=asked["slug"]).order_by("-version").first()
        same = Scheme.objects.filter(slug=asked["slug"], version=asked["version"]).exists()
        version = taken.version + 1 if taken and same else asked["version"]
        here = Scheme.objects.create(**{**asked, "version": version})
    found, _ = Project.objects.get_or_create(
        title=item["project"], scheme=here, defaults={"overlap": item["overlap"], "active": False}
    )
    return found


def _annotator(name: str) -> Any:
    users = get_user_model().objects
    user, new = users.get_or_create(username=f"imported {name}"[:150], defaults={"is_active": False})
    if new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user
