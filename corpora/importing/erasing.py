"""Deleting a corpus that was removed for good: nothing of it is left, and nothing brings it back."""

from __future__ import annotations

from collections.abc import Iterable

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db import models, transaction
from django.db.models.fields.files import FieldFile

from corpora.importing.removing import NotThere, remove
from corpora.importing.storing import lock, removal_of, views_ever
from corpora.models import Assistant, CorpusLimit, CorpusVersion, Import, ImportFile, Passage
from corpora.services import index_later

KEPT = (CorpusLimit,)  # who may look after what is no part of the data; somebody without any limit may look after all


def going(corpus: str) -> list[str]:
    """Return what is deleted with a corpus that was removed, in words. Raises NotThere."""
    _removal(corpus)
    counted = [(Passage, Passage.objects.filter(owner_table__in=views_ever(corpus)).count())]
    counted += [(model, model._default_manager.filter(corpus=corpus).count()) for model in belonging()]
    counted.append((ImportFile, ImportFile.objects.filter(of__corpus=corpus).count()))
    said = [f"{number:,} {_named(model, number)}" for model, number in counted if number]
    return said + [f"the assistant {one.title}, which asks nothing else" for one in _asking_only(corpus)]


@transaction.atomic
def erase(corpus: str) -> None:
    """Delete a corpus that was removed: its tables, passages, versions, imports with their files, words, pairs, cases,
    and the assistants that ask nothing else. Conversations stay. Raises NotThere.
    """
    lock(corpus)
    _removal(corpus)
    views = views_ever(corpus)
    files = [one.file for one in ImportFile.objects.filter(of__corpus=corpus)]
    files += [one.refused for one in Import.objects.filter(corpus=corpus) if one.refused]
    for assistant in _asking_only(corpus):
        assistant.delete()
    remove(corpus)
    for model in belonging():
        model._default_manager.filter(corpus=corpus).delete()
    transaction.on_commit(lambda: _delete(files))
    index_later(views)  # a worker drops the indexes of their vectors


def belonging() -> list[type[models.Model]]:
    """Return the models whose rows belong to the corpus that they name."""
    return [model for model in apps.get_models() if model not in KEPT and _names_a_corpus(model)]


def _names_a_corpus(model: type[models.Model]) -> bool:
    try:
        return isinstance(model._meta.get_field("corpus"), models.CharField)
    except FieldDoesNotExist:
        return False


def _removal(corpus: str) -> CorpusVersion:
    removal = removal_of(corpus)
    if removal is None:
        raise NotThere(f"There is no corpus {corpus!r} that was removed.")
    return removal


def _asking_only(corpus: str) -> list[Assistant]:
    views = views_ever(corpus)
    return list(Assistant.objects.filter(tables__contained_by=views, active=False))


def _named(model: type[models.Model], number: int) -> str:
    return str(model._meta.verbose_name if number == 1 else model._meta.verbose_name_plural)


def _delete(files: Iterable[FieldFile]) -> None:
    for file in files:
        file.delete(save=False)
