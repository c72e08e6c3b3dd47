"""The arms of a study compared: each figure of each arm with its interval, and each two arms by tests.

The unit is a participant who ended the conversation. Participants of two arms are different people, so the tests are
of independent samples. The arms are also compared in pairs, the n-th of one arm with the n-th of the other by their
places: arms fill up together, so the two of a pair came at about the same time. Pairs take out what changed while the
study ran (the release, a model's bad day).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hybridchat.research.annotation import figures
from hybridchat.research.annotation.models import Project
from hybridchat.research.plots import Plot, Row, intervals
from hybridchat.research.statistics import Comparison, Estimate, compare, contrast, mean, share, spelled
from hybridchat.research.studies.dashboard import arm_name
from hybridchat.research.studies.measures import Values, answered, talked
from hybridchat.research.studies.models import Study
from hybridchat.research.studies.participations import Participation

LEAST = 2  # pairs that a paired comparison needs


@dataclass(frozen=True, slots=True)
class Between:
    """Two arms in one figure: as different people, and in pairs where there are enough."""

    first: str
    second: str
    apart: Comparison | None
    pairs: Comparison | None


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: what it is, what it comes to in each arm, and how the arms differ."""

    name: str
    meaning: str
    arms: tuple[tuple[str, Estimate], ...]
    between: tuple[Between, ...]

    @property
    def plot(self) -> Plot:
        """The arms on one scale."""
        known = [_row(arm, found) for arm, found in self.arms if found.value is not None]
        return intervals(self.name[:1].upper() + self.name[1:], known)


def comparison(study: Study) -> list[Metric]:
    """Every figure of a study's arms. Figures that no participant has are left out."""
    ended = Participation.objects.filter(study=study, ended__isnull=False, conversation__isnull=False)
    people = list(ended.select_related("arm").order_by("place", "agreed"))
    arms: dict[str, list[Any]] = defaultdict(list)
    for own in people:
        arms[arm_name(own)].append(own.conversation_id)
    talks = [own.conversation_id for own in people]
    told = [*talked(people), *answered(study, people)]
    found = [_metric(name, meaning, values, arms) for name, meaning, values in told if values]
    return found + [one for project in _projects(talks) for one in _labelled(project, arms)]


def _projects(talks: Sequence[Any]) -> Iterable[Project]:
    found = Project.objects.filter(items__turn__conversation__in=talks).distinct()
    return found.select_related("scheme").order_by("created")


def _labelled(project: Project, arms: Mapping[str, Sequence[Any]]) -> Iterable[Metric]:
    """The figures of an annotation project: those of an arm over all that was labelled in it, as in its report."""
    for tally in figures.tallies(project):
        shares = {talk: tally.hits.get(talk, 0.0) / of for talk, of in tally.of.items() if of}
        of_arm = {}
        for name, talks in arms.items():
            labelled = [talk for talk in talks if talk in shares]
            of_arm[name] = share([tally.hits.get(one, 0.0) for one in labelled], [tally.of[one] for one in labelled])
        if any(one.value is not None for one in of_arm.values()):
            yield _metric(f"{project.title}: {tally.name}", tally.formula, shares, arms, of_arm)


def _metric(
    name: str,
    meaning: str,
    values: Values,
    arms: Mapping[str, Sequence[Any]],
    known: Mapping[str, Estimate] | None = None,
) -> Metric:
    """A figure of all arms; `known` are what it comes to in each, where that is no mean of the participants'."""
    has = {arm: [values[talk] for talk in talks if talk in values] for arm, talks in arms.items()}
    found = known or {arm: mean(has[arm]) if has[arm] else Estimate(None) for arm in has}
    between = [
        Between(one, other, contrast(has[one], has[other]), _pairs(values, arms[one], arms[other]))
        for one, other in combinations(sorted(arms), 2)
    ]
    return Metric(name, meaning, tuple((arm, found[arm]) for arm in sorted(found)), tuple(between))


def _pairs(values: Values, first: Sequence[Any], second: Sequence[Any]) -> Comparison | None:
    """The n-th of one arm with the n-th of the other, where both have a value."""
    both = [
        (values[one], values[other]) for one, other in zip(first, second, strict=False) if {one, other} <= set(values)
    ]
    return compare([one for one, _ in both], [other for _, other in both]) if len(both) >= LEAST else None


def _row(arm: str, found: Estimate) -> Row:
    value = found.value or 0.0
    if found.low is None or found.high is None:
        return Row(arm, value, spelled(value))
    note = f"{spelled(value)} [{spelled(found.low)}, {spelled(found.high)}]"
    return Row(arm, value, note, found.low, found.high)


def as_json(study: Study) -> dict[str, Any]:
    """The comparison for programs."""
    return {
        "study": study.slug,
        "metrics": [
            {
                "name": one.name,
                "meaning": one.meaning,
                "arms": {arm: _plain(found) for arm, found in one.arms},
                "between": [
                    {
                        "arms": [two.first, two.second],
                        "difference": _plain(two.apart.difference) if two.apart else None,
                        "p": two.apart.p if two.apart else {},
                        "pairs": two.pairs.difference.n if two.pairs else 0,
                        "paired_difference": _plain(two.pairs.difference) if two.pairs else None,
                        "paired_p": two.pairs.p if two.pairs else {},
                    }
                    for two in one.between
                ],
            }
            for one in comparison(study)
        ],
    }


def table(study: Study) -> str:
    """The comparison for people."""
    lines = []
    for one in comparison(study):
        lines += ["", f"{one.name} ({one.meaning})"]
        lines += [
            f"  {arm:24} {_row(arm, found).note}  n = {found.n}" for arm, found in one.arms if found.value is not None
        ]
        for two in one.between:
            for called, found in (("", two.apart), (", in pairs", two.pairs)):
                if found is not None:
                    told = "  ".join(f"p {test} {p:.3f}" for test, p in found.p.items())
                    lines.append(f"  {two.second} − {two.first}{called}: {_row('', found.difference).note}  {told}")
    return "\n".join(lines).strip() or "Nobody has ended a conversation yet."


def _plain(found: Estimate) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
