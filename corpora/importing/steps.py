"""What a person does for an import: bring files, describe them, ask for a dry run, for the import, or for its end."""

from __future__ import annotations

from collections.abc import Sequence

from celery import current_app
from django.contrib.auth.models import AbstractBaseUser
from django.core.files.base import File
from django.db import transaction
from django.utils import timezone

from corpora.importing.addresses import Address, seal
from corpora.importing.describing import Described
from corpora.models import Import, ImportFile

State = Import.State
WORK_ON = "corpora.tasks.work_on_import"


class NotNow(Exception):
    """The import is not where that can be done: somebody else was quicker."""


def begin(corpus: str, files: Sequence[File], by: AbstractBaseUser | None, encoding: str = "") -> Import:
    """Keep the files of an import, and have them recognised."""
    with transaction.atomic():
        one = Import.objects.create(corpus=corpus, by=by, encoding=encoding, since=timezone.now())
        for file in files:
            ImportFile.objects.create(of=one, name=file.name, file=file)
        _work_is_due(one)
    return one


def begin_copy(corpus: str, address: Address, by: AbstractBaseUser | None, only: Sequence[str] = ()) -> Import:
    """Have the tables of a database copied, and then recognised."""
    with transaction.atomic():
        one = Import.objects.create(
            corpus=corpus, by=by, state=State.COPYING, address=str(address), only=list(only),
            sealed=seal(address.password), since=timezone.now(),
        )  # fmt: skip
        _work_is_due(one)
    return one


def describe(one: Import, described: Described) -> None:
    """Keep what a curator says of the files. Raises NotNow."""
    _move(one, (State.DESCRIBING, State.CHECKED), State.DESCRIBING, described=described)


def recognise_again(one: Import, encoding: str) -> None:
    """Read the files anew in another encoding. Raises NotNow."""
    _move(one, (State.DESCRIBING, State.CHECKED, State.FAILED), State.RECOGNISING, encoding=encoding)


def check(one: Import, overwrite_edits: bool | None = None) -> None:
    """Ask for a dry run, of an import that may write over rows edited by hand or not. Raises NotNow."""
    said = {} if overwrite_edits is None else {"overwrite_edits": overwrite_edits}
    _move(one, (State.DESCRIBING, State.CHECKED), State.CHECKING, **said)


def go_on(one: Import) -> None:
    """Ask for the import itself, after the dry run. Raises NotNow."""
    _move(one, (State.CHECKED,), State.STORING)


def try_again(one: Import) -> None:
    """Go on after a failure from what there is: the stored rows, or what was recognised. Raises NotNow."""
    if not one.can_be_tried_again:
        raise NotNow
    state = State.RECOGNISING if not one.described else State.EMBEDDING if one.version else State.DESCRIBING
    _move(one, (State.FAILED,), state)


def cancel(one: Import) -> None:
    """Have the import end, with nothing changed. Raises NotNow."""
    if Import.objects.filter(pk=one.pk, state__in=Import.WORKING).update(cancel_asked=True):
        return
    _move(one, (State.DESCRIBING, State.CHECKED, State.FAILED), State.CANCELLED)


def forget(one: Import) -> None:
    """Remove an import that is not under way, with its files; what it imported stays. Raises NotNow."""
    if one.working:
        raise NotNow
    for file in one.files.all():
        file.file.delete(save=False)
    if one.refused:
        one.refused.delete(save=False)
    one.delete()


def _move(one: Import, before: Sequence[State], state: State, **fields: object) -> None:
    reset = {"problem": "", "done": 0, "total": 0, "since": timezone.now(), "cancel_asked": False}
    with transaction.atomic():
        if not Import.objects.filter(pk=one.pk, state__in=before).update(state=state, **(reset | fields)):
            raise NotNow
        one.refresh_from_db()
        if one.working:
            _work_is_due(one)


def _work_is_due(one: Import) -> None:
    """After commit: ask a worker. Where the broker is away, the sweep asks again."""
    transaction.on_commit(lambda: current_app.send_task(WORK_ON, [one.pk]), robust=True)
