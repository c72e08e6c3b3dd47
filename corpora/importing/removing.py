"""Removing an imported corpus, with all its versions."""

from __future__ import annotations

from django.db import connection, transaction

from corpora.importing.tables import drop, stored_name
from corpora.models import Assistant, CorpusVersion, Passage


class NotThere(Exception):
    """There is no corpus of that name, or no such version of it."""


@transaction.atomic
def remove(name: str) -> None:
    """Remove a corpus: its rows in all versions, their passages, its views, and the assistant of its name.

    Raises NotThere.
    """
    versions = list(CorpusVersion.objects.select_for_update().filter(corpus=name))
    if not versions:
        raise NotThere(f"There is no imported corpus {name!r}.")
    views = [one["view"] for version in versions if version.active for one in version.stored.values()]
    with connection.cursor() as cursor:
        for view in views:
            cursor.execute(f'DROP VIEW IF EXISTS kb."{view}"')
    for version in versions:
        for table in version.stored:
            drop(stored_name(name, version.rows_of, table))
    Passage.objects.filter(owner_table__in=views).delete()
    Assistant.objects.filter(slug=name).delete()
    CorpusVersion.objects.filter(corpus=name).delete()
