"""Replays in the background: a worker holds a few conversations, and comes back for the rest."""

from __future__ import annotations

from celery import shared_task

from hybridchat.chat.tasks import complete
from hybridchat.guard.agent import GuardedAgent
from hybridchat.research.replay import services
from hybridchat.research.replay.models import Run

SECONDS = 60.0  # a worker holds conversations before others have their turn; the last one may take as long again


@shared_task(name="hybridchat.research.replay.hold")
def hold_run(run_id: str) -> None:
    """Hold conversations of a run; run twice at once, the second one does nothing."""
    run = Run.objects.select_related("configuration").filter(pk=run_id).first()
    if run is not None:
        complete(_hold(run))


async def _hold(run: Run) -> None:
    agent = GuardedAgent(run.language, system=run.system)
    await agent.ready()
    if not await services.work(run.pk, agent, SECONDS):
        hold_run.delay(str(run.pk))


@shared_task(name="hybridchat.research.replay.sweep")
def sweep_runs() -> int:
    """Take up replays that were left behind; returns how many."""
    left = services.abandoned()
    for run_id in left:
        hold_run.delay(str(run_id))
    return len(left)
