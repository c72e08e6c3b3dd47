"""What one person may spend on language models in a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from agent.suql import Budget
from corpora.models import Assistant, ModelCall
from hybridchat.chat import allowance, services
from hybridchat.chat.errors import TooMuch
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of

MODEL = "large at http://models.example/v1"


@pytest.fixture(autouse=True)
def day(settings: Any) -> None:
    settings.DAY_CALLS, settings.DAY_TOKENS, settings.DAY_COST, settings.DAY_SECONDS = 10, 0, 1.0, 0.0


def call(turn: Turn | None, *, count: int = 1, hours_ago: float = 0, **more: Any) -> None:
    for _ in range(count):
        made = ModelCall.objects.create(turn=turn.pk if turn else None, task="answer", model="large", **more)
        ModelCall.objects.filter(pk=made.pk).update(created=timezone.now() - timedelta(hours=hours_ago))


def test_every_call_of_all_turns_counts_and_no_others(turn: Turn, owner: Owner) -> None:
    other = services.receive(services.new_conversation(Owner(key_of("another")), "courses"), uuid4(), "logic")[0]
    mine = services.receive(services.new_conversation(owner, "courses"), uuid4(), "logic")[0]
    call(turn, count=2, prompt_tokens=100, completion_tokens=5, cost=0.25, milliseconds=1500)
    call(mine)
    call(turn, cached=True)
    call(turn, hours_ago=25)
    call(other)
    call(None)
    assert allowance.spent(owner) == {"calls": 3, "tokens": 210, "cost": 0.5, "seconds": 3.0}


def test_a_spent_day_is_refused_with_what_it_was(turn: Turn, owner: Owner) -> None:
    call(turn, count=9)
    allowance.check(owner, MODEL)
    call(turn)
    with pytest.raises(TooMuch, match="10 calls"):
        allowance.check(owner, MODEL)
    allowance.check(owner, "builtin")
    allowance.check(Owner(key_of("another")), MODEL)


def test_each_limit_counts_by_itself(turn: Turn, owner: Owner, settings: Any) -> None:
    call(turn, cost=1.25)
    with pytest.raises(TooMuch, match=r"1\.00 US dollars"):
        allowance.check(owner, MODEL)
    settings.DAY_COST = 0
    allowance.check(owner, MODEL)


def test_a_query_may_spend_what_is_left(turn: Turn, owner: Owner) -> None:
    call(turn, count=4, cost=0.125)
    budget = allowance.left(owner, MODEL, Budget(calls=200, seconds=30.0))
    assert (budget.calls, budget.cost, budget.seconds, budget.tokens) == (6, 0.5, 30.0, None)
    assert allowance.left(owner, MODEL, Budget(calls=3)).calls == 3
    call(turn, count=8)
    assert allowance.left(owner, MODEL, Budget(calls=200)).calls == 0
    assert allowance.left(owner, "builtin", Budget(calls=200)).calls == 200


def test_an_address_and_the_site_have_a_days_share_too(turn: Turn, owner: Owner, settings: Any) -> None:
    settings.ADDRESS_SHARE, settings.SITE_SHARE = 2, 3
    Turn.objects.filter(pk=turn.pk).update(address_key="home")
    call(turn, count=20)
    another = Owner(key_of("another"))
    with pytest.raises(TooMuch, match="Your network has used its daily share of the language model: 20 calls"):
        allowance.check(another, MODEL, "home")
    allowance.check(another, MODEL, "elsewhere")
    call(turn, count=10)
    with pytest.raises(TooMuch, match="The site has used its daily share of the language model: 30 calls"):
        allowance.check(another, MODEL, "elsewhere")


def test_without_limits_nothing_is_counted(turn: Turn, owner: Owner, settings: Any) -> None:
    settings.DAY_CALLS = settings.DAY_COST = 0
    call(turn, count=50, cost=5.0)
    allowance.check(owner, MODEL)
    assert allowance.left(owner, MODEL, Budget()) == Budget()


def test_a_first_message_is_refused_too(client: Client, transactional_db: None, settings: Any) -> None:
    settings.LANGUAGE_BACKEND, settings.DAY_CALLS = "openai", 1
    Assistant.objects.create(slug="courses", title="Courses", tables=["courses"], example_questions=["Logic?"])
    client.post("/new/", {"assistant": "courses", "message": "logic"})
    call(Turn.objects.get(message="logic"))
    refused = client.post("/new/", {"assistant": "courses", "message": "more logic"})
    assert "share of the language model" in refused.content.decode()
    assert not Turn.objects.filter(message="more logic").exists()
    assert Conversation.objects.count() == 1
