"""What is measured of the participants of a study: a name, what it means, and a value for each conversation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, median
from typing import Any

from django.db.models import Count, F, QuerySet, Sum

from corpora.models import ModelCall
from hybridchat.chat.models import Feedback, Turn
from hybridchat.research.studies.models import Study
from hybridchat.research.studies.participations import Participation, QuestionnaireAnswer
from hybridchat.research.studies.questionnaire import Questionnaire

Values = Mapping[Any, float]  # by conversation
Measure = tuple[str, str, Values]


def talked(people: Sequence[Participation]) -> Iterator[Measure]:
    """Yield what the conversations themselves tell."""
    turns = Turn.objects.filter(conversation__in=[own.conversation_id for own in people]).exclude(kind=Turn.Kind.NOTE)
    done = {own.conversation_id: float(own.finished is not None) for own in people}
    yield "finished", "of those who ended the conversation, who also answered the questionnaire", done
    counts = turns.order_by().values_list("conversation").annotate(n=Count("pk"))
    yield "messages", "of a participant", {talk: float(n) for talk, n in counts}
    spans = {one.conversation_id: one.ended - one.began for one in people if one.ended and one.began}
    yield "minutes", "from the instructions to the end", {key: span.total_seconds() / 60 for key, span in spans.items()}
    yield from _answers(turns)
    rated = Feedback.objects.filter(turn__in=turns, rating__isnull=False).values_list("turn__conversation", "rating")
    thumbs = _gathered((talk, float(rating > 0)) for talk, rating in rated)
    yield "thumbs up", "share of the thumbs of each participant who gave any", _each(mean, thumbs)
    yield "cost", "US dollars of a conversation", _costs(turns, list(done))


def _answers(turns: QuerySet[Turn]) -> Iterator[Measure]:
    """How long answers took, and whether searches found anything."""
    done = turns.filter(status=Turn.Status.DONE).annotate(took=F("finished_at") - F("created"))
    rows = list(done.values_list("conversation", "took", "state__outcomes"))
    waited = _gathered((talk, took.total_seconds()) for talk, took, _ in rows)
    yield "seconds an answer", "median of each participant", _each(median, waited)
    found = _gathered((talk, float(any(one["rows"] for one in told))) for talk, _, told in rows if told)
    yield "searches that found something", "share of each participant's searches", _each(mean, found)


def _costs(turns: QuerySet[Turn], talks: Sequence[Any]) -> Values:
    """What each conversation cost; nothing where none cost anything."""
    of_turn = dict(turns.values_list("pk", "conversation"))
    costs = dict.fromkeys(talks, 0.0)
    calls = ModelCall.objects.filter(turn__in=list(of_turn)).values_list("turn").annotate(all=Sum("cost"))
    for turn, cost in calls:
        costs[of_turn[turn]] += cost or 0.0
    return costs if any(costs.values()) else {}


def answered(study: Study, people: Sequence[Participation]) -> Iterator[Measure]:
    """Yield what the questionnaire tells in numbers, and who passed its attention checks."""
    answers = QuestionnaireAnswer.objects.filter(participation__in=people).select_related("participation")
    given: dict[str, dict[Any, QuestionnaireAnswer]] = defaultdict(dict)
    for one in answers.exclude(value=None):
        given[one.item][one.participation.conversation_id] = one
    for item in Questionnaire.model_validate(study.questionnaire).root:
        told = given[item.name]
        if item.kind in ("likert", "number"):
            yield item.name, item.text, {talk: float(one.value) for talk, one in told.items()}
        checks = {talk: float(one.attentive) for talk, one in told.items() if one.attentive is not None}
        yield f"{item.name}: passed", item.text, checks


def _gathered(pairs: Any) -> dict[Any, list[float]]:
    found: dict[Any, list[float]] = defaultdict(list)
    for talk, value in pairs:
        found[talk].append(value)
    return found


def _each(what: Any, values: Mapping[Any, list[float]]) -> Values:
    return {talk: what(all_of) for talk, all_of in values.items()}
