"""Which arm somebody gets, and which scenarios: balanced, and drawn so that a seed gives the same draw again."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hybridchat.research.studies.models import Arm, Study
from hybridchat.research.studies.participations import Participation


def drawn_arm(study: Study, place: int) -> tuple[Arm | None, dict[str, Any]]:
    """The arm of whoever gets a place of a locked study, and how it was drawn; None where the study has no arms.

    It is drawn among the arms that would be the least full for their weight, so that at no time an arm is more than
    one participant ahead of where its weight puts it.
    """
    arms = list(study.arms.order_by("name"))
    if not arms:
        return None, {}
    seated = Participation.objects.filter(study=study, place__isnull=False, arm__isnull=False)
    counts = Counter(seated.values_list("arm", flat=True))
    fullness = {arm: (counts[arm.pk] + 1) / arm.weight for arm in arms}
    candidates = [arm for arm in arms if fullness[arm] == min(fullness.values())]
    arm = Random(f"{study.seed} arm {place}").choice(candidates)  # noqa: S311 - to be drawn again, not to be secret
    told = {one.name: counts[one.pk] for one in arms}
    return arm, {"arm": arm.name, "before": told, "among": [one.name for one in candidates], "place": place}


def drawn_scenarios(study: Study, participation: Participation) -> list[str]:
    """The scenarios of a participant: all in order, or the next few, so that within each arm every one comes up as
    often as the others."""
    texts = list(study.scenarios.order_by("position").values_list("text", flat=True))
    wanted = study.scenarios_each
    if wanted is None or wanted >= len(texts):
        return texts
    alike = Participation.objects.filter(study=study, arm=participation.arm, agreed__isnull=False)
    before = alike.exclude(pk=participation.pk).count()
    first = Random(f"{study.seed} scenarios {participation.arm}").randrange(len(texts))  # noqa: S311 - as above
    places = sorted((first + before * wanted + step) % len(texts) for step in range(wanted))
    return [texts[place] for place in places]
