"""A connected model drafts what may be said of a corpus; nothing of it counts before a curator saves it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from agent.protocols.reading import CallRecord
from corpora import descriptions, proposals
from corpora.catalogue.imported import said_of, whole_catalogue
from corpora.catalogue.said import ColumnSaid, CorpusSaid, TableSaid
from corpora.models import CorpusDescription, CorpusDraft
from corpora.tasks import write_draft
from hybridchat.chat.models import ModelChoice
from tests.agent.language.model_server import Body, ModelServer, Plain, Say
from tests.corpora.test_descriptions import curator, form_of, inns, page

__all__ = ["curator", "inns"]

pytestmark = pytest.mark.django_db

SILENT = {"synonyms": [], "low": [], "high": [], "values": []}
TOLD = [
    SILENT | {"column": "price", "description": "What a night costs.", "synonyms": ["rate"], "low": ["cheapest"],
              "high": ["dearest"]},
    SILENT | {"column": "style", "description": "How it is furnished.",
              "values": [{"value": "rustic", "words": ["rural"]}, {"value": "gothic", "words": ["dark"]}]},
]  # fmt: skip


def drafts(body: Body) -> Plain:
    """A model that does as it is asked."""
    if "TABLES" in body["messages"][1]["content"]:
        return Say(json.dumps({"welcome": "Ask about inns."}))
    return Say(
        json.dumps({"description": "Places to sleep.", "synonyms": ["guest house"], "columns": TOLD,
                    "questions": ["Which inn is by the river?"]})
    )  # fmt: skip


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[CallRecord]:
    """What is logged of calls to the model."""
    logged: list[CallRecord] = []
    monkeypatch.setattr("hybridchat.agents.log_call", logged.append)
    return logged


@pytest.fixture
def server(calls: list[CallRecord]) -> Iterator[ModelServer]:
    server = ModelServer()
    server.will(drafts)
    ModelChoice.objects.create(base_url=server.base_url, model="small-model")
    yield server
    server.close()


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was given to a worker."""
    sent: list[Any] = []
    monkeypatch.setattr("corpora.proposals.current_app.send_task", lambda name, args: sent.append((name, args)))
    return sent


def ask(curator: Client) -> CorpusDraft:
    """Press the button, and let a worker do what it was given, twice."""
    curator.post(page(name="corpora_corpus_draft"))
    asked = CorpusDraft.objects.get()
    write_draft(asked.pk)
    write_draft(asked.pk)
    asked.refresh_from_db()
    return asked


def test_a_model_proposes_and_what_is_saved_counts(
    curator: Client, inns: Path, server: ModelServer, worker: list[Any], calls: list[CallRecord],
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    assert "Have small-model draft" in curator.get(page()).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        curator.post(page(name="corpora_corpus_draft"))
    asked = CorpusDraft.objects.get()
    assert worker == [(write_draft.name, [asked.pk])]
    waiting = curator.get(page(name="corpora_corpus_draft"))
    assert "is drafting what is missing" in waiting.content.decode()
    write_draft(asked.pk)
    assert curator.get(page(name="corpora_corpus_draft")).headers["HX-Refresh"] == "true"
    shown = curator.get(page())
    assert "proposes what is marked below" in shown.content.decode()
    assert (said_of("inns"), CorpusDescription.objects.count()) == (CorpusSaid(), 0), "nothing is applied unasked"
    sent = form_of(shown)
    assert sent["inns-synonyms"] == "guest house"
    assert sent["inns.style-values"] == "rustic: rural\nmodern:"
    assert (sent["welcome"], sent["examples"]) == ("Ask about inns.", "Which inn is by the river?")
    curator.post(page(), sent | {"inns.price-synonyms": "tariff"})
    price = whole_catalogue().table("inns").column("price")
    assert (price.synonyms, price.low_words, price.high_words) == (("tariff",), ("cheapest",), ("dearest",))
    assert not CorpusDraft.objects.exists()
    assert "Ask about inns." in curator.get(reverse("chat:assistant", args=["inns"])).content.decode()
    assert [call.task for call in calls] == ["describe", "welcome"]


def test_what_is_said_already_is_not_proposed_again(curator: Client, inns: Path, server: ModelServer) -> None:
    told = {"price": ColumnSaid(synonyms=["tariff"], low=["low"])}
    descriptions.save(
        "inns", CorpusSaid(welcome="Hello.", tables={"inns": TableSaid(description="Inns.", columns=told)})
    )
    said = CorpusSaid.model_validate(ask(curator).document)
    price = said.tables["inns"].columns["price"]
    assert (price.synonyms, price.low, price.description) == (None, None, "What a night costs.")
    assert (said.welcome, said.tables["inns"].description) == (None, None)


@pytest.mark.parametrize(
    ("behaviour", "problem"),
    [
        (Say("It is a lovely day."), "could not be used, twice in a row"),
        (Say(refusal="I would rather not."), "declined"),
        (Say(after=3.0), "had written nothing after"),
    ],
    ids=["nonsense", "refusal", "time-out"],
)
def test_a_model_that_writes_nothing_useful_is_said_to(
    curator: Client, inns: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch, behaviour: Plain, problem: str
) -> None:
    monkeypatch.setattr(proposals, "LONGEST", 0.3 if behaviour.after else 30)
    server.will(behaviour)
    assert ask(curator).state == CorpusDraft.State.FAILED
    shown = curator.get(page())
    assert problem in shown.content.decode()
    assert "drafted nothing" in shown.content.decode()
    assert form_of(shown)["inns.price-low"] == ""
    curator.post(page(name="corpora_corpus_draft"), {"action": "discard"})
    assert not CorpusDraft.objects.exists()


def test_a_draft_that_was_discarded_or_asked_for_anew_is_not_written_over(
    inns: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, written = proposals.ask("inns"), proposals._drafted

    def meanwhile(draft: CorpusDraft) -> CorpusSaid:
        said = written(draft)
        proposals.ask("inns")
        return said

    monkeypatch.setattr(proposals, "_drafted", meanwhile)
    write_draft(asked.pk)
    assert CorpusDraft.objects.get().state == CorpusDraft.State.WAITING
    proposals.discard("inns")
    write_draft(asked.pk)
    assert not CorpusDraft.objects.exists()


def test_without_a_model_the_data_suggest_and_nobody_is_asked(curator: Client, inns: Path, worker: list[Any]) -> None:
    assert "Have " not in curator.get(page()).content.decode()
    curator.post(page(name="corpora_corpus_draft"))
    assert not CorpusDraft.objects.exists()
    assert form_of(curator.post(page(), {"action": "draft"}))["inns.price-low"] == "cheap, cheapest, inexpensive"


def test_only_whoever_may_describe_a_corpus_has_it_drafted(client: Client, inns: Path, server: ModelServer) -> None:
    client.force_login(User.objects.create_user("reader", is_staff=True))
    assert client.post(page(name="corpora_corpus_draft")).status_code == 403
    assert not CorpusDraft.objects.exists()
