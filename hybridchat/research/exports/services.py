"""Making an export: asked for, written slice by slice, packed, taken, and gone again after a while.

A slice is a few conversations. When one is written, the export's row says so together with the length of each file, so
that whoever takes the work up again cuts the files to that length and goes on: a slice is never in an export twice.
"""

from __future__ import annotations

import json
import shutil
import time
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from hybridchat.chat.models import Conversation
from hybridchat.research.exports import participations, personal
from hybridchat.research.exports.choosing import Filters, after, chosen
from hybridchat.research.exports.dictionary import SCHEMA_VERSION, dictionary
from hybridchat.research.exports.formats import FORMATS
from hybridchat.research.exports.models import Export
from hybridchat.research.exports.naming import Names, through
from hybridchat.research.exports.records import conversations, facts
from hybridchat.version import __version__

SLICE = 20  # conversations
LEASE = timedelta(minutes=5)
KEPT = timedelta(days=7)


def folder() -> Path:
    """Where exports lie."""
    return settings.VAR / "exports"


def archive_of(export: Export) -> Path:
    """The file of a finished export."""
    return folder() / f"{export.pk}.zip"


def request(
    by: str, form: str, filters: Filters, *, scrubbed: bool = True, scope: str = "", user: Any = None
) -> Export:
    """Write down that somebody wants an export; nothing is written yet."""
    asked = {"by": by, "user": user, "format": form, "filters": filters.stored(), "scrubbed": scrubbed}
    return Export.objects.create(**asked, **({"scope": scope} if scope else {}))


def work(export_id: Any, seconds: float, progress: Callable[[Export], None] = lambda export: None) -> bool:
    """Work on an export for so long; True when there is nothing left to do, or another has it."""
    export = _taken(export_id)
    if export is None:
        return True
    began = time.monotonic()
    try:
        while export.status == Export.Status.RUNNING:
            if not _slice(export):
                _pack(export)
            progress(export)
            if export.status == Export.Status.RUNNING and time.monotonic() - began > seconds:
                Export.objects.filter(pk=export.pk).update(lease_until=None)
                return False
            export.refresh_from_db()
    except Exception as error:
        _end(export, Export.Status.FAILED, error=f"{type(error).__name__}: {error}")
        raise
    return True


def cancel(export: Export) -> None:
    """End an export that is under way; its files go."""
    found = Export.objects.filter(pk=export.pk, status__in=(Export.Status.WAITING, Export.Status.RUNNING))
    if found.update(status=Export.Status.CANCELLED, finished_at=timezone.now(), lease_until=None):
        shutil.rmtree(_workplace(export), ignore_errors=True)


def abandoned() -> list[Any]:
    """The exports that are due and that nobody works on."""
    due = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    running = (Export.Status.WAITING, Export.Status.RUNNING)
    return list(Export.objects.filter(due, status__in=running).values_list("pk", flat=True))


def expire() -> int:
    """Remove the files of exports that are older than a week; returns of how many. The rows stay."""
    return _remove(Export.objects.filter(kept=True, finished_at__lt=timezone.now() - KEPT))


def recall(since: datetime) -> int:
    """Remove the stored exports that may hold what has been there since then and is being deleted; returns how many.

    Those that are being written begin again: a worker that is about to note how far it has come finds its cursor gone.
    """
    for export in Export.objects.filter(status=Export.Status.RUNNING, created__gte=since):
        again = {"restarts": export.cursor.get("restarts", 0) + 1}
        Export.objects.filter(pk=export.pk).update(cursor=again, done=0, turns=0)
    return _remove(Export.objects.filter(kept=True, finished_at__gte=since))


def taken(export: Export) -> None:
    """Count a download."""
    Export.objects.filter(pk=export.pk).update(downloads=F("downloads") + 1)


def handed_over(export: Export) -> None:
    """Count an export that was copied to where somebody wanted it, and keep no copy here."""
    taken(export)
    _remove(Export.objects.filter(pk=export.pk))


def note(by: str, user: Any, form: str, filters: dict[str, Any], scope: str) -> Export:
    """Write down that somebody took data that were sent at once, without a file here: feedback, collected questions."""
    return Export.objects.create(
        by=by, user=user, format=form, filters=filters, scope=scope, scrubbed=False, status=Export.Status.DONE,
        finished_at=timezone.now(), downloads=1,
    )  # fmt: skip


def _remove(exports: Any) -> int:
    removed = list(exports)
    for export in removed:
        archive_of(export).unlink(missing_ok=True)
        Export.objects.filter(pk=export.pk).update(kept=False)
    return len(removed)


def _taken(export_id: Any) -> Export | None:
    """The export, with a lease on it, where it is under way and nobody else has one."""
    with transaction.atomic():
        export = Export.objects.select_for_update().filter(pk=export_id).first()
        if export is None or not export.under_way or (export.lease_until and export.lease_until > timezone.now()):
            return None
        if export.status == Export.Status.WAITING:
            export.total = chosen(Filters.of(export.filters)).count()
        export.status, export.lease_until = Export.Status.RUNNING, timezone.now() + LEASE
        export.save(update_fields=["status", "lease_until", "total"])
        return export


def _slice(export: Export) -> bool:
    """Write a few conversations; False where none is left."""
    left = chosen(Filters.of(export.filters)).filter(created__lte=export.created)
    if export.cursor.get("last"):
        left = after(left, *export.cursor["last"])
    rows = list(conversations(left[:SLICE]))
    if not rows:
        return False
    sizes = _append(export, [record for _, record in map(partial(_named, export), rows)])
    last = rows[-1][0]
    done = export.done + len(rows)
    _as_read(export).update(
        cursor={**export.cursor, "last": [last.created.isoformat(), str(last.pk)], "sizes": sizes},
        done=done,
        total=max(export.total, done),
        turns=F("turns") + sum(len(record["turns"]) for _, record in rows),
        lease_until=timezone.now() + LEASE,
    )
    export.refresh_from_db()
    return True


def _as_read(export: Export) -> QuerySet[Export]:
    """The export, if it is under way and stands where it stood when it was read."""
    return Export.objects.filter(pk=export.pk, status=Export.Status.RUNNING, cursor=export.cursor)


def _named(export: Export, row: tuple[Conversation, dict[str, Any]]) -> tuple[Conversation, dict[str, Any]]:
    """A conversation under its pseudonyms, without what is personal where that is to be taken out."""
    conversation, record = row
    names = Names(export.scope)
    person = names.person(conversation.owner_key, conversation.user_id)
    if export.scrubbed:
        record = _scrubbed(record)
    for turn in record["turns"]:
        for one in (one for item in turn["annotated"] for one in item["annotations"]):
            one["annotator"] = names.of(one["annotator"])
    return conversation, {**through(record, names.renamed), "person": person}


def _append(export: Export, records: list[dict[str, Any]]) -> dict[str, int]:
    """Append the records to the export's files, cut to where the last slice left them; returns how long they are."""
    form, place = FORMATS[export.format], _workplace(export)
    sizes: dict[str, int] = dict(export.cursor.get("sizes", {}))
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    files: dict[str, Any] = {}
    lines = [] if sizes else list(form.begin())
    try:
        for name, line in [*lines, *(line for record in records for line in form.lines(record))]:
            if name not in files:
                files[name] = (place / name).open("r+b" if name in sizes else "wb")
                files[name].truncate(sizes.get(name, 0))
                files[name].seek(0, 2)
            files[name].write(line.encode("utf-8", "surrogatepass"))
        return {**sizes, **{name: file.tell() for name, file in files.items()}}
    finally:
        for file in files.values():
            file.close()


def _pack(export: Export) -> None:
    """Add who wrote questions, finish the files, add the manifest and the dictionary, and put all into one archive."""
    sizes = export.cursor.get("sizes") or _append(export, [])
    place = _workplace(export)
    for name, size in sizes.items():
        with (place / name).open("r+b") as file:
            file.truncate(size)
    finished = place.with_suffix(".finished")
    shutil.rmtree(finished, ignore_errors=True)
    shutil.copytree(place, finished)
    collected = _add_collected(export, finished)
    FORMATS[export.format].finish(finished)
    manifest = manifest_of(export) | {"collected": collected}
    (finished / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")
    (finished / "dictionary.md").write_text(dictionary(export.format, manifest), encoding="utf-8")
    archive = archive_of(export)
    with zipfile.ZipFile(archive.with_suffix(".part"), "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(finished.iterdir()):
            packed.write(path, path.name)
    archive.with_suffix(".part").chmod(0o600)
    archive.with_suffix(".part").replace(archive)
    shutil.rmtree(finished)
    more = {"cursor": {**export.cursor, "collected": collected}}
    _end(export, Export.Status.DONE, size=archive.stat().st_size, kept=True, **more)


def _add_collected(export: Export, place: Path) -> int:
    """Append those who wrote questions, without a conversation, to the files; returns how many they are."""
    names, form, added = Names(export.scope), FORMATS[export.format], 0
    wrote = participations.wrote_questions(Filters.of(export.filters)).filter(arrived__lte=export.created)
    for own, record in participations.collected(wrote, facts):
        added += 1
        told = _scrubbed(record) if export.scrubbed else record
        person = names.person(own.owner_key, None)
        for name, line in form.collected({**through(told, names.renamed), "person": person}):
            with (place / name).open("ab") as file:
                file.write(line.encode("utf-8", "surrogatepass"))
    return added


def _scrubbed(record: dict[str, Any]) -> dict[str, Any]:
    found = personal.findings(record)
    return through(record, personal.Scrubber(found)) if found else record


def manifest_of(export: Export) -> dict[str, Any]:
    """What a program needs to know of an export."""
    return {
        "schema": "hybridchat conversations",
        "schema_version": SCHEMA_VERSION,
        "release": __version__,
        "format": export.format,
        "created": timezone.localtime(export.created).isoformat(),
        "filters": {name: value for name, value in export.filters.items() if name != "conversations"},
        "scope": export.scope,
        "scrubbed": export.scrubbed,
        "conversations": export.done,
        "turns": export.turns,
    }


def _end(export: Export, status: str, **found: Any) -> None:
    ended = _as_read(export) if status == Export.Status.DONE else Export.objects.filter(pk=export.pk, status="running")
    if not ended.update(status=status, finished_at=timezone.now(), lease_until=None, **found):
        archive_of(export).unlink(missing_ok=True)  # it was cancelled meanwhile, or has to begin again
    shutil.rmtree(_workplace(export), ignore_errors=True)
    export.refresh_from_db()


def _workplace(export: Export) -> Path:
    return folder() / f"{export.pk}.work"


def moment_of(text: str) -> datetime:
    """A date or a moment in ISO form, in the site's time zone where it names none. Raises ValueError."""
    found = datetime.fromisoformat(text)
    return found if timezone.is_aware(found) else timezone.make_aware(found)
