"""What a project's annotations come to: agreement between annotators, the papers' figures, progress and time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import mean, median
from typing import Any

from django.db.models import QuerySet

from hybridchat.research.annotation.models import Annotation, Item, Project
from hybridchat.research.annotation.questions import Question, questions_of
from hybridchat.research.statistics import Estimate, alpha, cohen, share

TRUE = ("right", "true_positive")
FIFTHS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")
Values = dict[str, dict[Any, Any]]  # by unit, what each annotator said


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one question: alpha, and Cohen's kappa averaged over the pairs of annotators."""

    question: Question
    alpha: Estimate
    kappa: float | None
    pairs: int


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a project, with how it is calculated."""

    name: str
    formula: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Tally:
    """A figure before it is one: what counts for it in each conversation, of how many."""

    name: str
    formula: str
    hits: dict[Any, float]
    of: dict[Any, float]

    @property
    def figure(self) -> Figure:
        """The figure over all conversations."""
        return Figure(self.name, self.formula, share([self.hits[key] for key in self.of], list(self.of.values())))


@dataclass(frozen=True, slots=True)
class Work:
    """How one annotator got on: items done and skipped, the usual seconds an item, and the share of gold met."""

    annotator: str
    done: int
    skipped: int
    flagged: int
    seconds: float
    gold: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is shown of a project. `through` are the acts by the part of the conversation."""

    items: int
    finished: int
    settled: int
    work: list[Work] = field(default_factory=list)
    agreement: list[Agreement] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    through: list[Figure] = field(default_factory=list)


def report(project: Project) -> Report:
    """Everything that is shown of a project."""
    items = items_of(project)
    questions, labelled = questions_of(project.scheme.questions), _labelled(items)
    finished = sum(len(done(item)) >= project.overlap for item in items)
    settled = {item.pk: answers for item in items if (answers := final(item)) is not None}
    return Report(
        items=len(items),
        finished=finished,
        settled=len(settled),
        work=_work(items),
        agreement=[_agreement(question, items) for question in questions if question.kind != "text"],
        figures=[one.figure for one in _tallies(questions, labelled)],
        through=_through(questions, labelled),
    )


def tallies(project: Project) -> list[Tally]:
    """The project's figures by conversation, of the items that have one label."""
    return list(_tallies(questions_of(project.scheme.questions), _labelled(items_of(project))))


def _labelled(items: Iterable[Item]) -> list[tuple[Item, dict[str, Any]]]:
    return [(item, answers) for item in items if (answers := final(item)) is not None]


def items_of(project: Project) -> list[Item]:
    """The project's items with their annotations."""
    found: QuerySet[Item] = project.items.select_related("turn", "adjudication", "project")
    return list(found.prefetch_related("annotations__annotator").order_by("position"))


def done(item: Item) -> list[Annotation]:
    """The annotations of an item that count."""
    return [one for one in item.annotations.all() if one.status == Annotation.Status.DONE]


def final(item: Item) -> dict[str, Any] | None:
    """The one label of an item: as it was adjudicated, else as all its annotators said it. None where they differ."""
    if hasattr(item, "adjudication"):
        return dict(item.adjudication.answers)
    given = [one.answers for one in done(item)]
    if len(given) < item.project.overlap or any(one != given[0] for one in given):
        return None
    return dict(given[0])


def disputed(project: Project) -> list[Item]:
    """The items on which annotators differ and nobody has decided."""
    return [item for item in items_of(project) if len(done(item)) >= project.overlap and final(item) is None]


def _agreement(question: Question, items: Iterable[Item]) -> Agreement:
    values: Values = defaultdict(dict)
    for item in items:
        for one in done(item):
            for unit, value in _units(question, one.answers.get(question.name)):
                values[f"{item.pk} {unit}"][one.annotator_id] = value
    kappas = list(_kappas(values, question))
    return Agreement(
        question,
        alpha([list(said.values()) for said in values.values()], question.scale),
        mean(kappas) if kappas else None,
        len(kappas),
    )


def _kappas(values: Values, question: Question) -> Iterator[float]:
    people = sorted({person for said in values.values() for person in said})
    for one, other in combinations(people, 2):
        both = [(said[one], said[other]) for said in values.values() if one in said and other in said]
        if (found := cohen(both, question.scale)) is not None:
            yield found


def _units(question: Question, answer: Any) -> Iterator[tuple[str, Any]]:
    """What is agreed on: the answer, whether each label was chosen, or the verdict on each part."""
    if question.kind == "judge":
        yield from (answer or {}).get("parts", {}).items()
    elif question.kind == "labels":
        for option in question.options:
            yield option.value, option.value in (answer or [])
    elif answer is not None:
        yield "", _number(answer) if question.scale != "nominal" else answer


def _number(value: str) -> float:
    return float(value)


def _through(questions: Iterable[Question], labelled: list[tuple[Item, dict[str, Any]]]) -> list[Figure]:
    """The accuracy of the acts in each fifth of the conversations, as in figure 5 of Genie Worksheets; none where no
    acts were judged."""
    last: dict[Any, int] = defaultdict(int)
    for item, _ in labelled:
        last[item.turn.conversation_id] = max(last[item.turn.conversation_id], item.turn.position)
    found = []
    for question in (one for one in questions if one.kind == "judge" and one.source == "acts"):
        for fifth, name in enumerate(FIFTHS):
            there = [
                (item.turn.conversation_id, said.get(question.name))
                for item, said in labelled
                if len(FIFTHS) * (item.turn.position - 1) // last[item.turn.conversation_id] == fifth
            ]
            found.append(replace(_judged(question, there).figure, name=name))
    return found if any(one.estimate.value is not None for one in found) else []


def _tallies(questions: Iterable[Question], labelled: list[tuple[Item, dict[str, Any]]]) -> Iterator[Tally]:
    for question in questions:
        answers = [(item.turn.conversation_id, said.get(question.name)) for item, said in labelled]
        if question.kind == "judge":
            yield _judged(question, answers)
        elif question.kind in ("choice", "labels"):
            yield from _chosen(question, answers, labelled)


def _judged(question: Question, answers: list[tuple[Any, Any]]) -> Tally:
    """Right over right and wrong, and missing ones where they are counted."""
    right, all_of = Counter[Any](), Counter[Any]()
    for conversation, answer in answers:
        verdicts = list((answer or {}).get("parts", {}).values())
        right[conversation] += sum(verdict in TRUE for verdict in verdicts)
        all_of[conversation] += len(verdicts) + (answer or {}).get("missing", 0)
    formula = "right / (right + wrong + missing)" if question.missing else "TP / (TP + FP)"
    return Tally(question.name, formula, right, all_of)


def _chosen(
    question: Question, answers: list[tuple[Any, Any]], labelled: list[tuple[Item, dict[str, Any]]]
) -> Iterator[Tally]:
    """The share of each answer among the turns it was asked of; false negatives are of all turns that searched."""
    for option in question.options:
        hits, asked = Counter[Any](), Counter[Any]()
        for (conversation, answer), (_, said) in zip(answers, labelled, strict=True):
            chosen = option.value in answer if isinstance(answer, list) else answer == option.value
            hits[conversation] += chosen
            whole = answer is not None
            if option.value == "false_negative":
                whole = said.get("search", "") != "none"
            asked[conversation] += whole
        formula = "of the turns that search" if option.value == "false_negative" else "of the turns it was asked of"
        yield Tally(f"{question.name}: {option.label}", formula, hits, {key: n for key, n in asked.items() if n})


def _work(items: Iterable[Item]) -> list[Work]:
    by_person: dict[str, list[Annotation]] = defaultdict(list)
    gold = {item.pk: item.gold for item in items if item.gold}
    for item in items:
        for one in item.annotations.all():
            by_person[one.annotator.get_username()].append(one)
    return [_work_of(name, ones, gold) for name, ones in sorted(by_person.items())]


def _work_of(name: str, ones: list[Annotation], gold: dict[int, Any]) -> Work:
    finished = [one for one in ones if one.status == Annotation.Status.DONE]
    met = [one.answers == gold[one.item_id] for one in finished if one.item_id in gold]
    return Work(
        annotator=name,
        done=len(finished),
        skipped=sum(one.status == Annotation.Status.SKIPPED for one in ones),
        flagged=sum(one.flagged for one in ones),
        seconds=round(median(one.seconds for one in finished), 1) if finished else 0.0,
        gold=sum(met) / len(met) if met else None,
    )
