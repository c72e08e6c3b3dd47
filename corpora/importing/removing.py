"""Removing an imported corpus: set aside, so that it can be brought back as it was; or for good."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from corpora.importing.showing import hide, show
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import active_version, check_names, lock, next_number, removal_of, views_ever
from corpora.importing.tables import VISIBLE, count, drop, stored_name
from corpora.models import Assistant, CorpusVersion, FewShotPair, Import, Passage

Kind = CorpusVersion.Kind


class NotThere(Exception):
    """There is no corpus of that name, or no such version of it."""


@transaction.atomic
def set_aside(corpus: str, by: AbstractBaseUser | None = None) -> CorpusVersion:
    """Let nobody find a corpus any more. That is a version of it; rows, edits and passages are kept.

    Assistants that ask other corpora as well go on without it; the others are not offered. Raises NotThere.
    """
    lock(corpus)
    version = active_version(corpus)
    if version is None:
        raise NotThere(f"There is no imported corpus {corpus!r}.")
    views = _views(version)
    changes = {table: {"removed": _rows(version, table)} for table in version.stored}
    hide(version)
    CorpusVersion.objects.filter(pk=version.pk).update(active=False)
    return CorpusVersion.objects.create(
        corpus=corpus, number=next_number(corpus), kind=Kind.REMOVAL, rows_of=version.rows_of,
        specification=version.specification, stored=version.stored, changes=changes, by=by,
        assistants={assistant.slug: _without(assistant, views) for assistant in _asking(views)},
    )  # fmt: skip


@transaction.atomic
def bring_back(corpus: str, by: AbstractBaseUser | None = None) -> CorpusVersion:
    """Let a corpus be there again as it was when it was set aside, and be asked by whom it was asked.

    Texts are not indexed. Raises NotThere, or NameTaken where something else has the name of one of its tables now.
    """
    lock(corpus)
    removal = removal_of(corpus)
    if removal is None:
        raise NotThere(f"There is no corpus {corpus!r} that was removed.")
    spec = CorpusSpec.model_validate(removal.specification)
    check_names(spec)
    show(spec, removal.stored, removal.rows_of)
    for assistant in Assistant.objects.filter(slug__in=removal.assistants):
        before = removal.assistants[assistant.slug]
        assistant.tables = [*assistant.tables, *(one for one in before["tables"] if one not in assistant.tables)]
        assistant.active = before["active"]
        assistant.save(update_fields=["tables", "active"])
    return CorpusVersion.objects.create(
        corpus=corpus, number=next_number(corpus), kind=Kind.REVERT, rows_of=removal.rows_of, active=True,
        specification=removal.specification, stored=removal.stored, by=by, note="brought back",
        changes={table: {"added": counts["removed"]} for table, counts in removal.changes.items()},
    )  # fmt: skip


def removed_corpora() -> list[CorpusVersion]:
    """Return the removals of the corpora that are set aside, the last first."""
    removals = CorpusVersion.objects.filter(kind=Kind.REMOVAL).select_related("by").order_by("-at")
    there = set(CorpusVersion.objects.filter(active=True).values_list("corpus", flat=True))
    last: dict[str, CorpusVersion] = {}
    for removal in removals:
        if removal.corpus not in there:
            last.setdefault(removal.corpus, removal)
    return list(last.values())


def hanging_on(corpus: str) -> list[str]:
    """Return what hangs on a corpus, in words. Raises NotThere."""
    version = active_version(corpus)
    if version is None:
        raise NotThere(f"There is no imported corpus {corpus!r}.")
    views = _views(version)
    counted = [(_rows(version, table), f"row of {table}", f"rows of {table}") for table in version.stored]
    counted += [
        (Passage.objects.filter(owner_table__in=views).count(), "passage of text", "passages of text"),
        (CorpusVersion.objects.filter(corpus=corpus).count(), "version", "versions"),
        (Import.objects.filter(corpus=corpus).count(), "import with its files", "imports with their files"),
        (FewShotPair.objects.filter(corpus=corpus).count(), "few-shot pair", "few-shot pairs"),
    ]
    found = [f"{number:,} {one if number == 1 else many}" for number, one, many in counted if number]
    for assistant in _asking(views):
        alone = set(assistant.tables) <= set(views)
        fate = "is not offered any more" if alone else "goes on with its other tables"
        found.append(f"the assistant {assistant.title} asks it, and {fate}")
    return found


@transaction.atomic
def remove(corpus: str) -> None:
    """Remove a corpus for good: its rows in all versions, their passages, its views, and the assistant of its name.

    Raises NotThere.
    """
    versions = list(CorpusVersion.objects.select_for_update().filter(corpus=corpus))
    if not versions:
        raise NotThere(f"There is no imported corpus {corpus!r}.")
    others = CorpusVersion.objects.filter(active=True).exclude(corpus=corpus)
    views = set(views_ever(corpus)).difference(*map(_views, others))
    for version in versions:
        if version.active:
            hide(version)
        for table in version.stored:
            drop(stored_name(corpus, version.rows_of, table))
    Passage.objects.filter(owner_table__in=views).delete()
    Assistant.objects.filter(slug=corpus).delete()
    CorpusVersion.objects.filter(corpus=corpus).delete()


def _views(version: CorpusVersion) -> list[str]:
    return [table["view"] for table in version.stored.values()]


def _rows(version: CorpusVersion, table: str) -> int:
    return count(f"SELECT count(*) FROM {stored_name(version.corpus, version.rows_of, table)} WHERE {VISIBLE}")


def _asking(views: list[str]) -> list[Assistant]:
    return list(Assistant.objects.filter(tables__overlap=views))


def _without(assistant: Assistant, views: list[str]) -> dict[str, Any]:
    """Take tables from an assistant; what it was before."""
    before = {"tables": assistant.tables, "active": assistant.active}
    kept = [table for table in assistant.tables if table not in views]
    assistant.tables, assistant.active = kept or assistant.tables, assistant.active and bool(kept)
    assistant.save(update_fields=["tables", "active"])
    return before
