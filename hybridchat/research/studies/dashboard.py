"""How a study is going: who came, how far they got, in which arm, how long it took, and what they said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from corpora.models import ModelCall
from hybridchat.chat.models import Feedback, Turn
from hybridchat.research.plots import Plot, Row, bars, steps
from hybridchat.research.studies.models import Study
from hybridchat.research.studies.participations import Participation, QuestionnaireAnswer
from hybridchat.research.studies.questionnaire import Item, Questionnaire

STEPS = ("arrived", "agreed", "began", "ended", "finished")
NO_ARM = "no arm"


@dataclass(frozen=True, slots=True)
class ArmRow:
    """One arm in figures; None where there is nothing to tell yet."""

    name: str
    taking_part: int
    finished: int
    turns: float | None
    minutes: float | None
    answer_seconds: float | None
    thumbs_up: int
    thumbs_down: int
    attentive: str
    cost: float


@dataclass(frozen=True, slots=True)
class Said:
    """What was answered to one item: by plot where it can be counted, else as texts with their arm."""

    item: Item
    plot: Plot | None
    texts: tuple[tuple[str, str], ...]


def dashboard(study: Study) -> dict[str, Any]:
    """Everything the page of a study shows."""
    people = Participation.objects.filter(study=study)
    events = Counter(study.events.values_list("kind", flat=True))
    return {
        "study": study,
        "seated": people.filter(place__isnull=False).count(),
        "withdrawn": events["withdrawn"],
        "turned_away": events["turned away"],
        "arrivals": _arrivals(people),
        "drop_out": _drop_out(people),
        "arms": (arms := _arms(people)),
        "plots": list(_plots(arms)),
        "said": [_said(item, people) for item in Questionnaire.model_validate(study.questionnaire).root],
    }


def _arrivals(people: QuerySet[Participation]) -> Plot | None:
    moments = people.order_by("arrived").values_list("arrived", flat=True)
    counted = [
        (f"{timezone.localtime(moment):%b %-d, %H:%M}", number) for number, moment in enumerate(moments, start=1)
    ]
    return steps("Arrivals", counted)


def _drop_out(people: QuerySet[Participation]) -> Plot:
    """How many came as far as each step."""
    reached = people.aggregate(**{f"n_{step}": Count("pk", filter=Q(**{f"{step}__isnull": False})) for step in STEPS})
    counts = [reached[f"n_{step}"] for step in STEPS]
    rows = [
        Row(step, count, f"{count} ({count / counts[0]:.0%})" if counts[0] else "0")
        for step, count in zip(STEPS, counts, strict=True)
    ]
    return bars("How far people came", rows)


def _arms(people: QuerySet[Participation]) -> list[ArmRow]:
    agreed = people.filter(agreed__isnull=False).select_related("arm")
    names = sorted({arm_name(own) for own in agreed})
    return [_arm(name, [own for own in agreed if arm_name(own) == name]) for name in names]


def _arm(name: str, people: list[Participation]) -> ArmRow:
    talks = [own.conversation_id for own in people if own.conversation_id]
    turns = Turn.objects.filter(conversation__in=talks).exclude(kind=Turn.Kind.NOTE)
    said = [row["n"] for row in turns.order_by().values("conversation").annotate(n=Count("pk"))]
    waited = turns.filter(status=Turn.Status.DONE).annotate(took=F("finished_at") - F("created"))
    thumbs = Counter(Feedback.objects.filter(turn__in=turns).values_list("rating", flat=True))
    cost = ModelCall.objects.filter(turn__in=turns.values("pk")).aggregate(all=Sum("cost"))["all"]
    checks = QuestionnaireAnswer.objects.filter(participation__in=people, attentive__isnull=False)
    passed, asked = checks.filter(attentive=True).count(), checks.count()
    return ArmRow(
        name=name,
        taking_part=len(people),
        finished=sum(own.finished is not None for own in people),
        turns=_middle(said),
        minutes=_middle((own.ended - own.began).total_seconds() / 60 for own in people if own.ended and own.began),
        answer_seconds=_middle(took.total_seconds() for took in waited.values_list("took", flat=True)),
        thumbs_up=thumbs[1],
        thumbs_down=thumbs[-1],
        attentive=f"{passed} of {asked}" if asked else "",
        cost=cost or 0.0,
    )


def _plots(arms: list[ArmRow]) -> Iterator[Plot]:
    """What is measured of the arms, each figure on one scale; figures that no arm has are left out."""
    if not arms:
        return
    yield bars("Taking part", [Row(arm.name, arm.taking_part, f"{arm.taking_part}") for arm in arms])
    yield bars(
        "Finished, of those who agreed",
        [Row(arm.name, arm.finished / arm.taking_part, f"{arm.finished / arm.taking_part:.0%}") for arm in arms],
    )
    rated = [(arm, arm.thumbs_up + arm.thumbs_down) for arm in arms]
    figures = {
        "Messages, median": ([(arm.name, arm.turns) for arm in arms], ".1f"),
        "Minutes, median": ([(arm.name, arm.minutes) for arm in arms], ".1f"),
        "Seconds an answer, median": ([(arm.name, arm.answer_seconds) for arm in arms], ".1f"),
        "Thumbs up, share": ([(arm.name, arm.thumbs_up / of if of else None) for arm, of in rated], ".0%"),
        "Cost, US dollars": ([(arm.name, arm.cost or None) for arm in arms], ".2f"),
    }
    for title, (values, spelled) in figures.items():
        known = [Row(name, value, format(value, spelled)) for name, value in values if value is not None]
        if known:
            yield bars(title, known)


def _said(item: Item, people: QuerySet[Participation]) -> Said:
    answers = QuestionnaireAnswer.objects.filter(participation__in=people, item=item.name, value__isnull=False)
    given = [
        (one.participation.arm.name if one.participation.arm else NO_ARM, one.value)
        for one in answers.exclude(value=None).select_related("participation__arm").order_by("created")
    ]
    if item.kind == "text":
        return Said(item, None, tuple((arm, str(value)) for arm, value in given))
    if item.kind == "choice":
        chosen = Counter(str(value) for _, value in given)
        return Said(
            item, bars(item.text, [Row(option, chosen[option], str(chosen[option])) for option in item.options]), ()
        )
    arms = sorted({arm for arm, _ in given})
    rows = [_average(arm, [float(value) for name, value in given if name == arm]) for arm in arms]
    return Said(item, bars(item.text, rows), ())


def _average(arm: str, values: list[float]) -> Row:
    return Row(arm, mean(values), f"{mean(values):.2f} (n = {len(values)})")


def arm_name(own: Participation) -> str:
    """What the arm of a participant is called in tables."""
    return own.arm.name if own.arm else NO_ARM


def _middle(values: Iterable[float]) -> float | None:
    found = list(values)
    return median(found) if found else None
