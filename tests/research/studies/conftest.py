"""A study with two arms, and people who take part in it."""

from __future__ import annotations

import pytest
from channels.layers import channel_layers
from django.core.cache import cache

from corpora.models import Assistant
from hybridchat.research.models import Arm, ConsentText, Study


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """What earlier tests sent does not count against anybody."""
    cache.clear()
    channel_layers.backends.clear()


@pytest.fixture
def study(transactional_db: None) -> Study:
    """An open study of two arms that look alike, for four people, two messages each."""
    Assistant.objects.create(slug="restaurants", title="Restaurants", tables=["restaurants"])
    made = Study.objects.create(
        slug="dinner",
        title="Finding a table",
        state=Study.State.OPEN,
        assistant="restaurants",
        instructions="Find a place for dinner.\n\nTake your time.",
        openings=["Somewhere quiet in town?"],
        minimum_turns=2,
        quota=4,
        completion_code="C0DE1234",
        completion_url="https://recruiting.example/back",
        contact="lab@example.org",
        seed=7,
    )
    ConsentText.objects.create(study=made, version=1, text="We keep what you write.")
    Arm.objects.create(study=made, name="ours", overrides={"system": "suql", "language": "builtin"})
    Arm.objects.create(study=made, name="theirs", overrides={"language": "small at http://127.0.0.1:9/v1"})
    return made
