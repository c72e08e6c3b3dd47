"""Regression cases: asking them, judging what comes back, and what changed since the run before.

A run's results are stored one by one, so that a worker that dies leaves the rest to another; a case that two workers
asked at the same time counts once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from corpora.models import Assistant, FewShotPair
from hybridchat.celery import app
from hybridchat.research.models import RegressionCase, RegressionResult, RegressionRun
from hybridchat.talk import Answering, Talk
from hybridchat.variants import NONE, Variant
from hybridchat.version import __version__

RUN_CASES = "hybridchat.research.tasks.run_cases"
REASON = 300  # characters
GONE = "There is no assistant of this name any more."


@dataclass(frozen=True, slots=True)
class Changes:
    """How a run differs from the one before it, which was of the same corpus, language and few-shot setting."""

    before: RegressionRun | None
    broken: tuple[RegressionResult, ...] = ()
    fixed: tuple[RegressionResult, ...] = ()
    new: tuple[RegressionResult, ...] = ()


def begin(corpus: str, language: str, few_shot: bool, by: AbstractBaseUser | None = None) -> RegressionRun:
    """Begin a run of a corpus's active cases; whoever calls sees to the work."""
    return RegressionRun.objects.create(
        corpus=corpus, language=language, release=__version__, few_shot=few_shot, by=by, cases=_cases(corpus).count()
    )


def start(corpus: str, language: str, few_shot: bool, by: AbstractBaseUser | None = None) -> RegressionRun:
    """Begin a run and, after commit, ask a worker for it; the sweeper comes by where the broker is away."""
    with transaction.atomic():
        run = begin(corpus, language, few_shot, by)
        transaction.on_commit(lambda: app.send_task(RUN_CASES, [run.pk]), robust=True)
    return run


def stop(run: RegressionRun) -> bool:
    """Stop a run; returns whether it was running. What was asked stays."""
    running = RegressionRun.objects.filter(pk=run.pk, status=RegressionRun.Status.RUNNING)
    return bool(running.update(status=RegressionRun.Status.STOPPED, finished=timezone.now()))


def language_of(run: RegressionRun) -> str:
    """Return the name of the language that a run asks, with its few-shot setting."""
    return Variant(language=run.language, few_shot="" if run.few_shot else NONE).name


async def work(pk: int, agent: Answering, seconds: float = float("inf")) -> bool:
    """Ask the cases of a run that have no result yet, for some seconds; returns whether any are left."""
    until = time.monotonic() + seconds
    while (case := await sync_to_async(_next)(pk)) is not None:
        if time.monotonic() > until:
            return True
        found = await ask(case, agent)
        await sync_to_async(_keep)(pk, case, found)
    await sync_to_async(_finish)(pk)
    return False


async def ask(case: RegressionCase, agent: Answering) -> dict[str, Any]:
    """Hold the conversation of a case and return the fields of its result."""
    now = case.now
    talk = Talk(agent, case.corpus, lambda: timezone.localtime(now) if now else timezone.localtime())
    began = time.monotonic()
    try:
        reports = [await talk.say(message) for message in case.messages]
    except Assistant.DoesNotExist:
        return {"passed": False, "reason": GONE}
    return judged(case, reports[-1]) | {"seconds": round(time.monotonic() - began, 3)}


def judged(case: RegressionCase, report: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a case's result, from its last turn as `hybridchat.talk` reports it."""
    queries = report["queries"]
    keys = [key for query in queries for key in query["keys"] if key]
    relaxed = [words for query in queries for words in query["relaxed"]]
    reason = report["error"] or _unexpected(case, keys, relaxed, report["agent"])
    return {
        "passed": not reason,
        "reason": reason[:REASON],
        "keys": keys,
        "answer": report["agent"],
        "suql": ";\n".join(query["suql"] for query in queries if query["suql"]),
        "calls": sum(int(query["usage"]["calls"]) for query in queries),
    }


def changes(run: RegressionRun) -> Changes:
    """Return what a run broke and fixed, and which of its cases the run before did not have."""
    like = RegressionRun.objects.filter(corpus=run.corpus, language=run.language, few_shot=run.few_shot)
    before = like.filter(status=RegressionRun.Status.DONE, pk__lt=run.pk).order_by("-pk").first()
    if before is None:
        return Changes(None)
    was = dict(before.results.values_list("case", "passed"))
    results = list(run.results.select_related("case"))
    return Changes(
        before,
        broken=tuple(one for one in results if was.get(one.case_id) is True and not one.passed),
        fixed=tuple(one for one in results if was.get(one.case_id) is False and one.passed),
        new=tuple(one for one in results if one.case_id not in was),
    )


def tally(run: RegressionRun) -> dict[str, int]:
    """Return how many cases a run has asked and how many passed: all, and those whose message is in no pair."""
    results = list(run.results.values_list("passed", "in_bank"))
    fresh = [passed for passed, in_bank in results if not in_bank]
    return {
        "asked": len(results),
        "passed": sum(passed for passed, _ in results),
        "fresh": len(fresh),
        "fresh_passed": sum(fresh),
    }


def _unexpected(case: RegressionCase, keys: list[str], relaxed: list[str], answer: str) -> str:
    """What is not as the case expects; "" where all is."""
    if case.finds_nothing:
        return f"It found {', '.join(keys)}." if keys and not relaxed else ""
    if relaxed:
        return f"It gave up {', '.join(relaxed)}."
    if case.expected_keys and (keys if case.in_order else sorted(set(keys))) != (
        case.expected_keys if case.in_order else sorted(set(case.expected_keys))
    ):
        missing = [key for key in case.expected_keys if key not in keys]
        beside = [key for key in keys if key not in case.expected_keys]
        told = [f"missing: {', '.join(missing)}"] if missing else []
        told += [f"not expected: {', '.join(beside)}"] if beside else []
        return "; ".join(told) or "The rows come in another order."
    said = answer.casefold()
    unsaid = [line.strip() for line in case.expected_answer.splitlines() if line.strip().casefold() not in said]
    return f"It does not say: {'; '.join(unsaid)}" if unsaid else ""


def _cases(corpus: str) -> Any:
    return RegressionCase.objects.filter(corpus=corpus, active=True)


def _next(pk: int) -> RegressionCase | None:
    """The next case without a result; none where the run was stopped."""
    run = RegressionRun.objects.filter(pk=pk, status=RegressionRun.Status.RUNNING).first()
    if run is None:
        return None
    RegressionRun.objects.filter(pk=pk).update(touched=timezone.now())
    return _cases(run.corpus).exclude(results__run=run).order_by("pk").first()


def _keep(pk: int, case: RegressionCase, found: dict[str, Any]) -> None:
    in_bank = FewShotPair.objects.filter(corpus=case.corpus, active=True, message__iexact=case.messages[-1]).exists()
    with transaction.atomic():
        if RegressionCase.objects.select_for_update().filter(pk=case.pk).exists():  # it may be gone by now
            RegressionResult.objects.get_or_create(run_id=pk, case=case, defaults={**found, "in_bank": in_bank})


def _finish(pk: int) -> None:
    running = RegressionRun.objects.filter(pk=pk, status=RegressionRun.Status.RUNNING)
    running.update(status=RegressionRun.Status.DONE, finished=timezone.now())
