"""The playground: a question or a query tried by a worker, shown with every step, and saved as something lasting."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agent.protocols.errors import QueryError
from agent.record import TurnState
from corpora.examples import keep_pair
from corpora.loading.assistants import add_missing_assistants
from hybridchat.research import playground, tasks
from hybridchat.research.models import PlaygroundRun
from tests.chat import fakes

RIGHTS = ("view_playgroundrun", "add_playgroundrun", "add_fewshotpair", "add_regressioncase")
CHEAP = "SELECT name FROM restaurants WHERE price = 'cheap' LIMIT 3"
PAGE = "admin:research_playgroundrun_changelist"


@pytest.fixture
def sent(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    add_missing_assistants()
    asked: list[Any] = []
    monkeypatch.setattr(playground.app, "send_task", lambda name, arguments: asked.append((name, arguments)))
    return asked


def staff(*permissions: str, name: str = "curator") -> Client:
    client, user = Client(), User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def tried(client: Client, agent: Any = None, **form: str) -> PlaygroundRun:
    """A trial as the page begins it and a worker ends it."""
    response = client.post(reverse("admin:research_playgroundrun_start"), {"corpus": "restaurants", **form})
    assert response.status_code == 302, response.context["form"].errors
    run = PlaygroundRun.objects.latest("created")
    async_to_sync(playground.play)(run, agent or fakes.ScriptedAgent())
    run.refresh_from_db()
    return run


def page_of(client: Client, run: PlaygroundRun) -> str:
    return client.get(reverse("admin:research_playgroundrun_change", args=[run.pk])).content.decode()


def test_a_question_is_tried_by_a_worker_and_shown_with_every_step(sent: Any) -> None:
    client = staff(*RIGHTS)
    keep_pair("restaurants", "somewhere romantic", CHEAP, "list", None)
    begun = client.post(
        reverse("admin:research_playgroundrun_start"),
        {"corpus": "restaurants", "question": "somewhere romantic rows=2"},
        follow=True,
    ).content.decode()
    run = PlaygroundRun.objects.get()
    assert sent == [(playground.PLAY, [str(run.pk)])]
    assert 'http-equiv="refresh"' in begun
    assert "style=" not in begun.partition('<div class="bench">')[2]
    async_to_sync(playground.play)(run, fakes.ScriptedAgent())
    page = page_of(client, run)
    assert 'http-equiv="refresh"' not in page
    assert "I searched for restaurants in Palo Alto that reviewers call romantic." in page
    assert "Few-shot pairs that are near" in page
    assert "somewhere romantic (" in page, "the pair that is near"
    assert "It was the most romantic evening." in page, "the evidence"
    assert "Place 1" in page, "the rows"
    assert "2 rows, 3 calls" in page


class Executing(fakes.ScriptedAgent):
    """Keeps what it is given to execute, and understands nothing."""

    seen: TurnState

    async def parse_turn(self, state: TurnState, emit: Any) -> TurnState:
        raise AssertionError("a written query is not parsed")

    async def execute_turn(self, state: TurnState, emit: Any) -> TurnState:
        self.seen = state
        return await super().execute_turn(state, emit)


def test_an_edited_query_is_run_as_it_stands_and_does_nothing_else(sent: Any) -> None:
    client, agent = staff(*RIGHTS), Executing()
    run = tried(client, agent, question="cheap places", suql=CHEAP, run_query="yes")
    (query,) = agent.seen.queries or ()
    assert (run.status, query.suql) == ("done", CHEAP)
    assert query.parsed.presentation == "aggregate", "nothing is given up where it finds nothing"
    assert agent.seen.conversation.state is None, "no worksheet, and so no effect"
    assert "cheap restaurants" in query.description


def test_asking_leaves_the_query_in_the_form_alone(sent: Any) -> None:
    run = tried(staff(*RIGHTS), question="cheap places", suql="SELECT nonsense")
    assert run.suql == ""


@pytest.mark.parametrize(
    "suql", ["DELETE FROM restaurants", "SELECT * FROM auth_user", "SELECT title FROM articles", "SELECT stars FROM x"]
)
def test_what_may_not_be_run_is_refused_before_anything_is_kept(sent: Any, suql: str) -> None:
    client = staff(*RIGHTS)
    form = {"corpus": "restaurants", "suql": suql, "run_query": "yes"}
    page = client.post(reverse("admin:research_playgroundrun_start"), form)
    assert page.context["form"].errors["suql"]
    assert not PlaygroundRun.objects.exists()
    assert not sent
    with pytest.raises(QueryError):
        playground.start(User.objects.get(), "restaurants", "", suql, "builtin")


def test_a_trial_of_nothing_says_so(sent: Any) -> None:
    page = staff(*RIGHTS).post(reverse("admin:research_playgroundrun_start"), {"corpus": "restaurants"})
    assert "Write a question" in page.content.decode()


def test_a_trial_that_fails_says_why(sent: Any) -> None:
    client = staff(*RIGHTS)
    run = tried(client, question="fail")
    assert "The language model does not answer." in page_of(client, run)


def test_the_first_result_counts(sent: Any) -> None:
    run = tried(staff(*RIGHTS), question="rows=1")
    PlaygroundRun.objects.update(question="rows=2")
    async_to_sync(playground.play)(PlaygroundRun.objects.get(), fakes.ScriptedAgent())
    assert PlaygroundRun.objects.get().result["queries"][0]["found"] == 1
    tasks.play(str(run.pk))  # it is over, so nothing is asked


def test_a_trial_becomes_a_pair_and_a_case_with_what_it_found(sent: Any) -> None:
    client = staff(*RIGHTS)
    run = tried(client, question="romantic rows=2")
    pair = client.get(reverse("admin:corpora_fewshotpair_add"), {"from_run": str(run.pk)}).content.decode()
    assert "answer(reviews, &#x27;is it romantic?&#x27;)" in pair
    case = client.get(reverse("admin:research_regressioncase_add"), {"from_run": str(run.pk)})
    initial = case.context["adminform"].form.initial
    assert (initial["messages"], initial["expected_keys"]) == (["romantic rows=2"], ["place-0", "place-1"])
    assert "place-0\nplace-1" in case.content.decode()


def test_nobody_sees_the_trials_of_another_or_tries_without_the_right(sent: Any) -> None:
    run = tried(staff(*RIGHTS), question="rows=1")
    other = staff("view_playgroundrun", name="other")
    assert other.get(reverse("admin:research_playgroundrun_change", args=[run.pk])).status_code == 404
    assert "rows=1" not in other.get(reverse(PAGE)).content.decode()
    assert other.post(reverse("admin:research_playgroundrun_start"), {"question": "x"}).status_code == 404
    assert staff("view_turn", name="third").get(reverse(PAGE)).status_code == 404


def test_old_trials_are_forgotten(sent: Any) -> None:
    tried(staff(*RIGHTS), question="rows=1")
    assert playground.forget() == 0
    PlaygroundRun.objects.update(created=timezone.now() - playground.KEPT - timedelta(minutes=1))
    assert playground.forget() == 1


def test_the_database_refuses_a_trial_of_nothing(sent: Any) -> None:
    client = staff(*RIGHTS)
    run = tried(client, question="rows=1")
    for name, change in (("research_trial_asks", {"question": ""}), ("failed_says_why", {"status": "failed"})):
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            PlaygroundRun.objects.filter(pk=run.pk).update(**change)
