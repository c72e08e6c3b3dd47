"""Exports in the background: a worker writes for a while, and comes back for the rest."""

from __future__ import annotations

from celery import shared_task

from hybridchat.research.exports import services

SECONDS = 60.0  # a worker writes before others have their turn
PACKING = 540  # seconds; less than the broker's visibility timeout


@shared_task(name="hybridchat.research.exports.write", soft_time_limit=PACKING, time_limit=PACKING + 20)
def write_export(export_id: str) -> None:
    """Write on an export; run twice at once, the second one does nothing."""
    if not services.work(export_id, SECONDS):
        write_export.delay(export_id)


@shared_task(name="hybridchat.research.exports.sweep")
def sweep_exports() -> int:
    """Take up exports that were left behind, and remove the files of old ones; returns how many were taken up."""
    services.expire()
    left = services.abandoned()
    for export_id in left:
        write_export.delay(str(export_id))
    return len(left)
