"""Writing what curators say of corpora: each save is a version, and each version can be gone back to."""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction
from django.db.models import Max

from corpora.catalogue.said import CorpusSaid
from corpora.models import CorpusDescription
from corpora.services import index_later


def save(corpus: str, said: CorpusSaid, by: Any = None) -> CorpusDescription:
    """Let this count from now on, in every process; nothing is written where it says what counts already."""
    document = said.model_dump(mode="json", exclude_defaults=True)
    with transaction.atomic():
        with connection.cursor() as cursor:  # one version at a time
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"description {corpus}"])
        versions = CorpusDescription.objects.filter(corpus=corpus)
        now = versions.filter(active=True).first()
        if now is not None and now.document == document:
            return now
        last = versions.aggregate(last=Max("number"))["last"] or 0
        versions.filter(active=True).update(active=False)
        if changed := _other_titles(CorpusSaid.model_validate(now.document if now else {}), said):
            index_later(changed)
        return CorpusDescription.objects.create(corpus=corpus, number=last + 1, document=document, by=by, active=True)


def revert(version: CorpusDescription, by: Any = None) -> CorpusDescription:
    """Let what an earlier version said count again, as a new version."""
    return save(version.corpus, CorpusSaid.model_validate(version.document), by)


def forget(corpus: str, by: Any = None) -> CorpusDescription:
    """Let the corpus be as it came, as a version that says nothing."""
    return save(corpus, CorpusSaid(), by)


def _other_titles(before: CorpusSaid, after: CorpusSaid) -> list[str]:
    """The tables whose rows are known by another column than before: their passages are embedded with the title."""
    titles = [{name: table.title for name, table in said.tables.items()} for said in (before, after)]
    return [name for name in {**titles[0], **titles[1]} if titles[0].get(name) != titles[1].get(name)]
