"""Going back: a corpus as it was at one of its versions, or at a moment. That is a version too, and can be undone."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from corpora.importing import tables as stored_tables
from corpora.importing.history import differences, restore
from corpora.importing.removing import NotThere
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import active_version, lock, next_number, put_in_place, references
from corpora.importing.tables import columns_of, count, stored_name
from corpora.models import CorpusVersion


def version_at(corpus: str, moment: dt.datetime) -> CorpusVersion:
    """Return the version that counted at a moment. Raises NotThere."""
    found = CorpusVersion.objects.filter(corpus=corpus, at__lte=moment).order_by("-number").first()
    if found is None:
        raise NotThere(f"There was no corpus {corpus!r} on {moment:%d %B %Y, %H:%M}.")
    return found


@transaction.atomic
def go_back(to: CorpusVersion, by: AbstractBaseUser | None = None) -> CorpusVersion:
    """Let a corpus be what it was at a version: its rows, what is known of it, and what was edited by hand.

    Texts are not indexed. Raises NotThere where the version is too old to be gone back to.
    """
    lock(to.corpus)
    now = active_version(to.corpus)
    if now is None:
        raise NotThere(f"{to.corpus} is removed: bring it back first.")
    if not to.stored:
        raise NotThere(f"Of version {to.number} of {to.corpus} no rows are kept.")
    number = next_number(to.corpus)
    spec = CorpusSpec.model_validate(to.specification)
    stored: dict[str, Any] = {}
    changes: dict[str, dict[str, int]] = {}
    for table in spec.tables:
        name = stored_name(to.corpus, number, table.name)
        columns = columns_of(table, to.stored[table.name])
        stored_tables.create(name, columns)
        restore(to, now, table, name)
        referring = references(table, to.stored[table.name]["parent_key"])
        stored[table.name] = to.stored[table.name] | stored_tables.finish(name, columns, table.keys, referring)
        rows = count(f"SELECT count(*) FROM {name} WHERE {stored_tables.VISIBLE}")
        changes[table.name] = {"stored": rows, **differences(now, table.name, name)}
    note = f"to version {to.number}"
    version = CorpusVersion(kind=CorpusVersion.Kind.REVERT, number=number, changes=changes, note=note, by=by)
    return put_in_place(spec, stored, now, version)
