"""What a review denies is never shown as a reason: from retrieval through the reader to the card and the reply."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.utils import timezone

from hybridchat.agents import agent_for
from hybridchat.chat.evidence import evidence_views
from hybridchat.talk import Talk
from tests.drawn import FULL, SEED
from tests.research.conftest import SAMPLE, loaded

PLACES = 60 if FULL else 6
#: What is asked for, how a review says that it is so, and how reviews deny it.
WISHES = {
    "romantic": (
        ("It is such a romantic place.", "We had a truly romantic evening here."),
        (
            "It is not romantic at all.",
            "I would not call it romantic.",
            "Nothing about the evening was romantic.",
            "I would not plan a romantic evening around it.",
            "Romantic it certainly is not.",
            "Hardly a romantic place, with a screen in every corner.",
            "We were hoping for something romantic, and it was anything but.",
        ),
    ),
    "quiet": (
        ("It is a quiet place where one can talk.", "The room is always quiet."),
        (
            "It is not quiet.",
            "I would not call this a quiet place.",
            "It was never quiet while we were there.",
            "Quiet is the last thing I would call it.",
            "Far from quiet: we had to shout.",
            "Don't come here for a quiet talk.",
        ),
    ),
}
FILLER = ("The staff took our coats.", "We paid by card.", "The bread came warm.", "We shared two starters.")


def reviews(chance: random.Random, wish: str, *, confirmed: bool) -> list[str]:
    said, denied = WISHES[wish]
    whole = [f"{chance.choice(FILLER)} {one} {chance.choice(FILLER)}" for one in chance.sample(denied, 2)]
    if confirmed:
        whole += [f"{chance.choice(FILLER)} {one} {chance.choice(FILLER)}" for one in said]
        whole.append(f"{chance.choice(FILLER)} Really {wish}, as we had hoped.")
    return chance.sample(whole, len(whole))


@pytest.fixture(scope="module")
def told_places(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Places whose reviews deny both wishes, every third with reviews that outvote those."""
    chance = random.Random(SEED)
    written = (SAMPLE / "restaurants" / "palo_alto.jsonl").read_text(encoding="utf-8").splitlines()
    lines = []
    for number, line in enumerate(islice(written, PLACES)):
        place = json.loads(line)
        texts = [text for wish in WISHES for text in reviews(chance, wish, confirmed=number % 3 == 0)]
        template = place["reviews"][0]
        place["reviews"] = [{**template, "text": text} if isinstance(template, dict) else text for text in texts]
        lines.append(json.dumps(place | {"about": "A place with tables and chairs."}))
    with django_db_blocker.unblock(), loaded(lines, tmp_path_factory.mktemp("corpus")):
        yield


@pytest.mark.timeout(900)
@pytest.mark.parametrize("wish", WISHES)
def test_what_denies_is_never_shown_as_a_reason(told_places: None, wish: str) -> None:
    talk = Talk(agent_for("builtin"), "restaurants", timezone.localtime)
    report = asyncio.run(talk.say(f"{wish} restaurants in Palo Alto"))
    rows = [row for outcome in talk.states[-1].outcomes for row in outcome.rows]
    assert rows, report["agent"]
    denied = WISHES[wish][1]
    for row in rows:
        shown = evidence_views(row.evidence)
        reasons = [view for view in shown if view.supports and view.value == "Yes"]
        assert reasons, f"{row.title} is shown without a reason"
        for view in reasons:
            marked = " ".join(segment.text for segment in view.excerpt if segment.marked)
            assert not [one for one in denied if one in marked], f"{row.title}: {marked}"
    assert not [one for one in denied if one.rstrip(".") in report["agent"]]
