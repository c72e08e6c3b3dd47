"""What is read about feedback: how much waits, and how it goes week by week."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import TruncWeek
from django.utils import timezone

from agent.record import Query, TurnState
from hybridchat.chat.models import Feedback, Turn

WEEKS = 12
LONGEST_TALK = 20  # messages that lead up to one, where one is tested


def open_feedback(assistants: Collection[str] | None = None) -> int:
    """Return how much feedback nobody has looked at: on all assistants, or on some."""
    waiting = Feedback.objects.filter(status=Feedback.Status.OPEN)
    if assistants is not None:
        waiting = waiting.filter(turn__conversation__assistant__in=assistants)
    return waiting.count()


def labels_in_use(feedback: QuerySet[Feedback]) -> list[str]:
    """Return the labels that feedback has, in order."""
    labelled = feedback.exclude(labels=[]).values_list("labels", flat=True)
    return sorted({label for labels in labelled for label in labels})


@dataclass(frozen=True, slots=True)
class Trend:
    """Thumbs on one assistant's answers, by week and by what answered."""

    assistant: str
    weeks: tuple[date, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]
    versions: tuple[Version, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """The thumbs of the turns that one release answered with one system in one language, and when it first did."""

    release: str
    system: str
    language: str
    up: int
    down: int

    @property
    def rated(self) -> int:
        """How many answers were rated."""
        return self.up + self.down

    @property
    def percent(self) -> int:
        """The share of thumbs up in percent."""
        return round(100 * self.up / self.rated)


def feedback_trends(weeks: int = WEEKS, rated: QuerySet[Feedback] | None = None) -> list[Trend]:
    """Return the trends of the assistants whose answers were rated in the last weeks: of all, or of some feedback."""
    given = Feedback.objects.all() if rated is None else rated
    this = timezone.localdate() - timedelta(days=timezone.localdate().weekday())
    mondays = tuple(this - timedelta(weeks=back) for back in reversed(range(weeks)))
    counted = (
        given.filter(turn__created__date__gte=mondays[0], rating__isnull=False)
        .annotate(week=TruncWeek("turn__created"))
        .values_list("turn__conversation__assistant", "rating", "week")
        .annotate(count=Count("pk"))
    )
    found: dict[str, dict[tuple[int, date], int]] = defaultdict(dict)
    for assistant, rating, week, count in counted:
        found[assistant][rating, timezone.localtime(week).date()] = count
    versions = _versions(given.filter(turn__created__date__gte=mondays[0], rating__isnull=False))
    return [
        Trend(
            assistant,
            mondays,
            up=tuple(counts.get((Feedback.Rating.UP, monday), 0) for monday in mondays),
            down=tuple(counts.get((Feedback.Rating.DOWN, monday), 0) for monday in mondays),
            versions=versions.get(assistant, ()),
        )
        for assistant, counts in sorted(found.items())
    ]


def _versions(rated: QuerySet[Feedback]) -> dict[str, tuple[Version, ...]]:
    """The thumbs by assistant and by what answered, in the order in which that came."""
    told = [f"turn__configuration__document__{name}" for name in ("release", "system", "language")]
    counted = (
        rated.order_by()
        .values_list("turn__conversation__assistant", *told)
        .annotate(
            up=Count("pk", filter=Q(rating=Feedback.Rating.UP)),
            down=Count("pk", filter=Q(rating=Feedback.Rating.DOWN)),
            first=Min("turn__created"),
        )
    )
    found: dict[str, list[Version]] = defaultdict(list)
    for assistant, release, system, language, up, down, _ in sorted(counted, key=lambda row: row[-1]):
        found[assistant].append(Version(release or "", system or "", language or "", up, down))
    return {assistant: tuple(versions) for assistant, versions in found.items()}


def leading_to(turn: Turn) -> list[str]:
    """Return the messages of a conversation up to a turn, oldest first: what it takes to ask it again.

    A message that was tried again counts once, and what was pressed or told was not said.
    """
    said = turn.conversation.turns.filter(position__lt=turn.position, kind=Turn.Kind.MESSAGE).order_by("-position")
    before = list(said.values_list("message", flat=True)[: LONGEST_TALK - 1])
    return [*reversed(before), turn.message]


def queries_of(turn: Turn) -> list[Query]:
    """Return the queries of a turn as they were finally run."""
    if not turn.state:
        return []
    state = TurnState.model_validate(turn.state)
    return [outcome.query for outcome in state.outcomes] or list(state.queries or ())


def keys_of(turn: Turn) -> list[str]:
    """Return the entities that a turn showed, in order."""
    state = TurnState.model_validate(turn.state) if turn.state else None
    return [row.key for outcome in state.outcomes for row in outcome.rows if row.key] if state else []


def with_conversations(chosen: QuerySet[Feedback]) -> QuerySet[Feedback]:
    """Return feedback with all that is shown and exported of it."""
    return chosen.select_related("turn__conversation", "correction", "assignee")
