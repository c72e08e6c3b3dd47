"""Handing out items, taking answers, and taking them back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from hybridchat.chat.models import Turn
from hybridchat.research.annotation.models import Adjudication, Annotation, Item, Project, Scheme
from hybridchat.research.annotation.questions import questions_of
from hybridchat.research.exports.choosing import Filters, chosen

HELD = timedelta(hours=1)  # after which an item that was handed out and not answered goes to another
ANNOTATED = (Turn.Kind.MESSAGE, Turn.Kind.RETRY, Turn.Kind.WITHOUT, Turn.Kind.FORM)


def new_version(slug: str, title: str, guidelines: str, questions: list[Any]) -> Scheme:
    """Store a scheme under a slug as its next version. Raises ValueError where the questions do not do."""
    questions_of(questions)
    with transaction.atomic():
        newest = Scheme.objects.select_for_update().filter(slug=slug).order_by("-version").first()
        version = newest.version + 1 if newest else 1
        return Scheme.objects.create(
            slug=slug, version=version, title=title, guidelines=guidelines, questions=questions
        )


@transaction.atomic
def begin(title: str, scheme: Scheme, filters: Filters, overlap: int = 1) -> Project:
    """Begin a project with the finished turns of the conversations that the filters choose, in order."""
    project = Project.objects.create(title=title, scheme=scheme, overlap=overlap, filters=filters.stored())
    add_items(project)
    return project


def add_items(project: Project) -> int:
    """Add the turns that have come since; returns how many."""
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        turns = Turn.objects.finished().filter(conversation__in=chosen(Filters.of(project.filters)), kind__in=ANNOTATED)
        new = turns.exclude(annotation_items__project=project)
        start = project.items.count()
        ordered = new.order_by("conversation__created", "conversation_id", "position").values_list("pk", flat=True)
        items = [Item(project=project, turn_id=pk, position=start + n) for n, pk in enumerate(ordered, start=1)]
        return len(Item.objects.bulk_create(items, batch_size=1_000))


def hand_out(project: Project, annotator: Any) -> Annotation | None:
    """The annotator's open item, else one that still needs somebody; None where there is none.

    An item is locked while it is handed out, and others pass over it, so that no two people are given one that needs
    only one of them; where every item is being handed out at this moment, they wait for one.
    """
    mine = Annotation.objects.filter(item__project=project, annotator=annotator, status=Annotation.Status.OPEN)
    if (held := mine.first()) is not None or not project.active:
        return held
    _release(project)
    with transaction.atomic():
        for item in _locked(_needing(project, annotator)):
            if _taken(item).count() < project.overlap:  # as it is now that nobody else can take it
                return Annotation.objects.create(item=item, annotator=annotator)
        return None


def _locked(items: Any) -> Iterator[Item]:
    """Items one by one, each locked: first those that nobody has locked, then the others."""
    seen: list[int] = []
    for passing_over in (True, False):
        free = items.select_for_update(skip_locked=passing_over, of=("self",))
        while (item := free.exclude(pk__in=seen).first()) is not None:
            seen.append(item.pk)
            yield item


def answer(annotation: Annotation, answers: dict[str, Any], *, flagged: bool = False, note: str = "") -> None:
    """Store an annotator's answers."""
    _close(annotation, Annotation.Status.DONE, answers=answers, flagged=flagged, note=note)


def skip(annotation: Annotation, note: str = "") -> None:
    """Leave an item to others."""
    _close(annotation, Annotation.Status.SKIPPED, flagged=False, note=note)


def undo(project: Project, annotator: Any) -> Annotation | None:
    """Open the annotator's last item again, with its answers; the one that was open meanwhile is given back."""
    with transaction.atomic():
        mine = Annotation.objects.select_for_update().filter(item__project=project, annotator=annotator)
        last = mine.exclude(status=Annotation.Status.OPEN).order_by("-finished_at").first()
        if last is None:
            return None
        mine.filter(status=Annotation.Status.OPEN).delete()
        last.status, last.finished_at, last.opened = Annotation.Status.OPEN, None, timezone.now()
        last.save(update_fields=["status", "finished_at", "opened"])
        return last


def adjudicate(item: Item, answers: dict[str, Any], by: Any) -> None:
    """Decide on the one label of an item."""
    Adjudication.objects.update_or_create(item=item, defaults={"answers": answers, "by": by, "created": timezone.now()})


def know(item: Item, answers: dict[str, Any]) -> None:
    """Keep the known answers of an item: annotators are measured by them."""
    Item.objects.filter(pk=item.pk).update(gold=answers)


def _close(annotation: Annotation, status: str, **found: Any) -> None:
    with transaction.atomic():
        held = Annotation.objects.select_for_update().get(pk=annotation.pk)
        if held.status != Annotation.Status.OPEN:
            return  # the form was sent twice
        now = timezone.now()
        spent = (now - held.opened).total_seconds()
        Annotation.objects.filter(pk=held.pk).update(
            status=status, finished_at=now, seconds=F("seconds") + spent, **found
        )


def _release(project: Project) -> None:
    """Give back what was handed out and left lying."""
    stale = Annotation.objects.filter(
        item__project=project, status=Annotation.Status.OPEN, opened__lt=timezone.now() - HELD
    )
    stale.filter(answers={}).delete()


def _taken(item: Item) -> Any:
    return item.annotations.exclude(status=Annotation.Status.SKIPPED)


def _needing(project: Project, annotator: Any) -> Any:
    """Items that need somebody and that the annotator has not had, in order."""
    taken = Annotation.objects.filter(item=OuterRef("pk")).exclude(status=Annotation.Status.SKIPPED).order_by()
    counted = Subquery(taken.values("item").annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    mine = Annotation.objects.filter(item=OuterRef("pk"), annotator=annotator)
    return (
        project.items.alias(taken=Coalesce(counted, 0))
        .filter(~Exists(mine), taken__lt=project.overlap)
        .order_by("position")
    )
