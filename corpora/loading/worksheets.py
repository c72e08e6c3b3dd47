"""The worksheets an installation has: those that come with the project, and each change as another edition."""

from __future__ import annotations

import json

from django.db import transaction

from agent.worksheets import applications
from agent.worksheets.formats import document
from agent.worksheets.specification import Specification
from corpora.models import Assistant, WorksheetEdition


def add_edition(
    assistant: Assistant, specification: Specification, note: str = "", *, active: bool = True, shipped: bool = False
) -> WorksheetEdition:
    """Another edition of an assistant's worksheets, with the next number."""
    with transaction.atomic():
        Assistant.objects.select_for_update().get(pk=assistant.pk)  # one number at a time
        latest = assistant.editions.order_by("-version").first()
        edition = WorksheetEdition.objects.create(
            assistant=assistant,
            version=latest.version + 1 if latest else 1,
            document=json.loads(document.write(specification)),
            note=note,
            shipped=shipped,
        )
        if active:
            activate(edition)
    return edition


def activate(edition: WorksheetEdition) -> None:
    """New conversations begin with this edition, and with no other of its assistant."""
    with transaction.atomic():
        Assistant.objects.select_for_update().get(pk=edition.assistant_id)
        WorksheetEdition.objects.filter(assistant=edition.assistant_id, active=True).update(active=False)
        WorksheetEdition.objects.filter(pk=edition.pk).update(active=True)
    edition.active = True


def add_shipped_editions() -> int:
    """Editions of the worksheets that come with the project, where they are new; how many that were.

    One becomes active unless a curator's own edition, or none at all, is active by choice.
    """
    added = 0
    for assistant in Assistant.objects.filter(slug__in=applications.ASSISTANTS):
        specification = applications.load(assistant.slug)
        if assistant.editions.filter(document=json.loads(document.write(specification))).exists():
            continue
        chosen = assistant.editions.exists() and not assistant.editions.filter(active=True, shipped=True).exists()
        add_edition(assistant, specification, "As it comes with the project.", active=not chosen, shipped=True)
        added += 1
    return added
