"""What workers do for the staff: carry their answers into conversations, run regression cases, try questions."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from hybridchat.chat.errors import Busy
from hybridchat.chat.tasks import complete
from hybridchat.guard.agent import GuardedAgent
from hybridchat.research import feedback, playground, regression
from hybridchat.research.exports.tasks import sweep_exports, write_export
from hybridchat.research.models import FeedbackAnswer, PlaygroundRun, RegressionRun
from hybridchat.research.replay.tasks import hold_run, sweep_runs

__all__ = ["carry_answer", "hold_run", "play", "run_cases", "sweep", "sweep_exports", "sweep_runs", "write_export"]

LEFT_BEHIND = timedelta(minutes=1)  # after which what was not done is looked at again
RUN_LEFT_BEHIND = timedelta(minutes=5)  # a case is a whole conversation
SWEPT_AT_ONCE = 50
SLICE = 60.0  # seconds a worker asks cases before others have their turn; a conversation may take as long again


@shared_task(name=feedback.CARRY_ANSWER, autoretry_for=(Busy,), retry_backoff=2, retry_jitter=False, max_retries=6)
def carry_answer(pk: int) -> bool:
    """Carry an answer into its conversation; while a turn runs there, come back in a few seconds."""
    return feedback.carry(pk)


@shared_task(name=regression.RUN_CASES)
def run_cases(pk: int) -> None:
    """Ask cases of a run in agent processes, for a while, and come back for the rest; run twice, each counts once."""
    run = RegressionRun.objects.filter(pk=pk, status=RegressionRun.Status.RUNNING).first()
    if run is not None:
        complete(_run_cases(run))


async def _run_cases(run: RegressionRun) -> None:
    agent = GuardedAgent(regression.language_of(run))
    await agent.ready()
    if await regression.work(run.pk, agent, SLICE):
        run_cases.delay(run.pk)


@shared_task(name=playground.PLAY)
def play(pk: str) -> None:
    """Try what a run of the playground asks, in an agent process; run twice, the first result counts."""
    run = PlaygroundRun.objects.filter(pk=pk, status=PlaygroundRun.Status.RUNNING).first()
    if run is None:
        return
    try:
        complete(_play(run))
    except Exception:
        playground.fail(run)
        raise


async def _play(run: PlaygroundRun) -> None:
    agent = GuardedAgent(run.language)
    await agent.ready()
    await playground.play(run, agent)


@shared_task(name="hybridchat.research.tasks.sweep")
def sweep() -> int:
    """Hand out what was left behind: a hint was lost, or a server away. Returns how much. Old trials are forgotten."""
    playground.forget()
    now = timezone.now()
    untold = FeedbackAnswer.objects.filter(told_at__isnull=True, created__lt=now - LEFT_BEHIND)
    running = RegressionRun.objects.filter(status=RegressionRun.Status.RUNNING, touched__lt=now - RUN_LEFT_BEHIND)
    answers = list(untold.order_by("created").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    runs = list(running.order_by("touched").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    for pk in answers:
        carry_answer.delay(pk)
    for pk in runs:
        run_cases.delay(pk)
    return len(answers) + len(runs)
