"""Holding conversations again: prepared in the database, held one by one, each stored when it is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from statistics import median
from typing import Any

from asgiref.sync import sync_to_async
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from pydantic import TypeAdapter

from agent.worksheets.statements import Statement
from hybridchat.chat.configurations import present_configuration
from hybridchat.research.replay.differences import differences, figures
from hybridchat.research.replay.models import Replayed, Run
from hybridchat.research.replay.sources import Source
from hybridchat.research.simulation_run import take_back
from hybridchat.talk import Talk

LEASE = timedelta(minutes=5)
GIVEN = TypeAdapter(tuple[Statement, ...])


@transaction.atomic
def prepare(
    what: str, by: str, language: str, sources: Iterable[Source], user: Any = None, system: str = "suql"
) -> Run:
    """Write down what is to be held again. Raises ValueError where nothing is."""
    run = Run.objects.create(
        kind=Run.Kind.REPLAY,
        what=what[:200],
        by=by,
        user=user,
        language=language,
        configuration=present_configuration(language, system),
    )
    total = 0
    for total, source in enumerate((one for one in sources if one.turns), start=1):
        Replayed.objects.create(
            run=run,
            number=total,
            source=source.name[:200],
            assistant=source.assistant,
            conversation=source.conversation,
            said=source.turns,
        )
    if not total:
        raise ValueError("There is nothing to hold again: no conversation has a message.")
    run.total = total
    run.save(update_fields=["total"])
    return run


async def work(run_id: Any, agent: Any, seconds: float, progress: Callable[[Run], None] = lambda run: None) -> bool:
    """Hold conversations of a run for so long; True when there is nothing left to do, or another does it."""
    run = await sync_to_async(_taken)(run_id)
    if run is None:
        return True
    began = time.monotonic()
    try:
        while (one := await sync_to_async(_due)(run)) is not None:
            turns = await hold(agent, one)
            progress(await sync_to_async(_keep)(run, one, turns))
            if time.monotonic() - began > seconds:
                await sync_to_async(_give_back)(run)
                return False
        await sync_to_async(_finish)(run)
    except Exception as error:
        await sync_to_async(_end)(run, Run.Status.FAILED, error=f"{type(error).__name__}: {error}")
        raise
    return True


async def hold(agent: Any, one: Replayed) -> list[dict[str, Any]]:
    """Say what was said again, at the hour it is now; what it brings about is taken back afterwards."""
    talk, turns = Talk(agent, one.assistant, timezone.localtime), []
    try:
        for said in one.said:
            began = time.monotonic()
            after = await talk.say(said["message"], given=GIVEN.validate_python(said["given"]))
            turns.append({**said, "after": after, "took": round(time.monotonic() - began, 3)})
    finally:
        await sync_to_async(take_back)(talk.id)
    return turns


def cancel(run: Run) -> None:
    """End a replay; what was held already stays."""
    running = Run.objects.filter(pk=run.pk, status__in=(Run.Status.WAITING, Run.Status.RUNNING))
    running.update(status=Run.Status.CANCELLED, finished_at=timezone.now(), lease_until=None)


def resume(run: Run) -> None:
    """Let a replay that failed or was cancelled go on."""
    over = Run.objects.filter(pk=run.pk, kind=Run.Kind.REPLAY, status__in=(Run.Status.FAILED, Run.Status.CANCELLED))
    over.update(status=Run.Status.WAITING, finished_at=None, error="", lease_until=None)


def abandoned() -> list[Any]:
    """The replays that are due and that nobody works on."""
    due = Q(lease_until=None) | Q(lease_until__lt=timezone.now())
    running = Run.objects.filter(due, status__in=(Run.Status.WAITING, Run.Status.RUNNING))
    return list(running.filter(kind=Run.Kind.REPLAY).values_list("pk", flat=True))


def keep(kind: str, what: str, by: str, language: str, report: Any, system: str = "suql") -> Run:
    """Keep an evaluation or a benchmark: its figures are the numbers of its summary."""
    now = timezone.now()
    return Run.objects.create(
        kind=kind,
        what=what,
        by=by,
        language=language,
        configuration=present_configuration(language, system),
        figures=numbers(report["summary"] if isinstance(report, dict) and "summary" in report else report),
        report=report,
        status=Run.Status.DONE,
        created=now,
        finished_at=now,
    )


def numbers(report: Any, name: str = "") -> dict[str, float]:
    """The numbers of a report by where they stand in it; of a list of alike ones, the median."""
    if isinstance(report, bool) or report is None or isinstance(report, str):
        return {}
    if isinstance(report, int | float):
        return {name or "value": report}
    if isinstance(report, list):
        each: dict[str, list[float]] = {}
        for found in (numbers(one, name) for one in report):
            for part, value in found.items():
                each.setdefault(part, []).append(value)
        return {f"{part} (median)": median(values) for part, values in each.items()}
    return {part: value for key, one in report.items() for part, value in numbers(one, f"{name} {key}".strip()).items()}


def _taken(run_id: Any) -> Run | None:
    with transaction.atomic():
        run = Run.objects.select_for_update().filter(pk=run_id, kind=Run.Kind.REPLAY).first()
        if run is None or not run.under_way or (run.lease_until and run.lease_until > timezone.now()):
            return None
        run.status, run.lease_until = Run.Status.RUNNING, timezone.now() + LEASE
        run.save(update_fields=["status", "lease_until"])
        return run


def _due(run: Run) -> Replayed | None:
    """The next conversation, with the lease renewed; none where the run was cancelled."""
    running = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    if not running.update(lease_until=timezone.now() + LEASE):
        return None
    return run.replayed.filter(finished_at=None).first()


@transaction.atomic
def _keep(run: Run, one: Replayed, turns: list[dict[str, Any]]) -> Run:
    kept = Replayed.objects.filter(pk=one.pk, finished_at=None)
    if kept.update(turns=turns, finished_at=timezone.now()):
        Run.objects.filter(pk=run.pk).update(done=F("done") + 1)
    run.refresh_from_db()
    return run


def _finish(run: Run) -> None:
    found = [one for replayed in run.replayed.all() for one in differences(replayed.turns)]
    _end(run, Run.Status.DONE, figures=figures(found))


def _give_back(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=None)


def _end(run: Run, status: str, **found: Any) -> None:
    ended = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    ended.update(status=status, finished_at=timezone.now(), lease_until=None, **found)
