"""A conversation that is deleted is gone from everything that the staff made of it, wherever that is stored."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.db import IntegrityError, connection
from django.test import Client
from django.urls import reverse

from corpora.loading.assistants import add_missing_assistants
from corpora.models import Article, ArticleQuestion, FewShotPair
from hybridchat.chat import services as chat
from hybridchat.chat.models import Conversation, Feedback, Turn
from hybridchat.research import feedback, playground
from hybridchat.research.annotation import services as annotation
from hybridchat.research.annotation.models import Scheme
from hybridchat.research.annotation.schemes import add_missing_schemes
from hybridchat.research.exports import services as exports
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.models import Copy, PlaygroundRun, RegressionCase
from hybridchat.research.replay import services as replay
from hybridchat.research.replay import sources
from tests.chat import fakes

WORD = "zarzuela"


@pytest.fixture
def staff(monkeypatch: pytest.MonkeyPatch) -> Client:
    add_missing_assistants()
    monkeypatch.setattr("corpora.services.index", lambda *_, **__: None)
    monkeypatch.setattr(playground.app, "send_task", lambda *_: None)
    client = Client()
    client.force_login(User.objects.create_superuser("staff"))
    return client


def everywhere(word: str) -> set[str]:
    """The tables, of all schemas, that have a word in some row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname !~ '^(pg_|information)'")
        tables = [table for (table,) in cursor.fetchall()]
        found = set()
        for table in tables:
            cursor.execute(f"SELECT EXISTS (SELECT FROM {table} AS one WHERE one::text ILIKE %s)", [f"%{word}%"])
            found |= {table} if cursor.fetchone() == (True,) else set()
    return found


def save(client: Client, model: str, origin: str, **fields: Any) -> None:
    """Save a form of the admin that was opened from a turn or a trial, as it was filled in."""
    address = f"{reverse(f'admin:{model}_add')}?{origin}"
    given = client.get(address).context["adminform"].form.initial
    lines = {name: "\n".join(value) if isinstance(value, list) else value for name, value in given.items()}
    response = client.post(address, {"in_order": "", **lines, **fields})
    assert response.status_code == 302, response.context["errors"]


def make_all_there_is(client: Client, turn: Turn) -> None:
    """What staff can make of a turn that names something and was put right."""
    user, article = User.objects.get(), Article.objects.create(slug="a", title="Singing", body="Songs are sung.")
    feedback.answer(turn.feedback, user, f"Of {WORD} we have none.")
    chosen = Feedback.objects.all()
    assert feedback.make_pairs(chosen, user)[0] == feedback.make_cases(chosen, user)[0] == 1
    origin = f"from_turn={turn.pk}"
    save(client, "corpora_articlequestion", origin, article=article.pk, quote="Songs are sung.")
    client.post(
        f"{reverse('admin:research_playgroundrun_start')}?{origin}", {"corpus": "restaurants", "question": turn.message}
    )
    run = PlaygroundRun.objects.get()
    async_to_sync(playground.play)(run, fakes.ScriptedAgent())
    save(client, "research_regressioncase", f"from_run={run.pk}", finds_nothing="on", expected_keys="")
    client.post(reverse("admin:chat_feedback_change", args=[turn.feedback.pk]), {"status": "done"})
    add_missing_schemes()
    project = annotation.begin("Pilot", Scheme.objects.get(slug="free"), Filters())
    annotation.hand_out(project, user)
    replay.prepare("all", "me", "builtin", sources.stored(Filters()))
    exports.work(exports.request("me", "jsonl", Filters()).pk, 60)


def test_deleting_a_conversation_reaches_every_copy_of_its_words(staff: Client, answer: Any) -> None:
    misread = answer(f"where is {WORD} sung")
    meant, _ = chat.correct(misread, misread.conversation_id, f"{WORD} with dinner")
    chat.request_stop(meant)
    Turn.objects.filter(pk=meant.pk).update(state=misread.state)
    make_all_there_is(staff, misread)
    kept = {f"public.{model._meta.db_table}" for model in (FewShotPair, RegressionCase, ArticleQuestion, PlaygroundRun)}
    assert kept | {"public.django_admin_log", "public.research_replayed"} <= everywhere(WORD)
    assert list(exports.folder().iterdir())
    staff.post(reverse("admin:chat_conversation_delete", args=[misread.conversation_id]), {"post": "yes"})
    assert everywhere(WORD) == set()
    assert not list(exports.folder().iterdir())


def test_what_a_curator_said_in_other_words_stays_and_leads_nowhere(staff: Client, answer: Any) -> None:
    turn = answer(f"where is {WORD} sung")
    save(staff, "research_regressioncase", f"from_turn={turn.pk}", messages="where do people sing?")
    save(staff, "research_regressioncase", f"from_turn={turn.pk}", messages=f"Where is {WORD}   sung?")
    chat.delete(turn.conversation)
    assert RegressionCase.objects.get().messages == ["where do people sing?"]


def test_what_two_people_said_goes_with_the_second_and_a_curators_own_words_with_nobody(
    staff: Client, answer: Any
) -> None:
    RegressionCase.objects.create(corpus="restaurants", messages=["where is soup"], finds_nothing=True)
    said = [answer(text, owner=who) for text in (f"where is {WORD} sung", "where is soup") for who in ("one", "two")]
    for turn in said:
        chat.give_feedback(turn, 1)
    feedback.make_cases(Feedback.objects.all(), User.objects.get())
    counts = []
    for turn in said:
        chat.delete(Conversation.objects.get(pk=turn.conversation_id))
        counts.append(RegressionCase.objects.count())
    assert counts == [2, 1, 1, 1]


def test_a_copy_is_one_thing_and_noted_once(answer: Any) -> None:
    turn = answer("where is soup")
    case = RegressionCase.objects.create(corpus="restaurants", messages=["where is soup"], finds_nothing=True)
    Copy.objects.create(turn=turn, case=case)
    for name, made in (("is_one_thing", {}), ("case_once", {"case": case})):
        with pytest.raises(IntegrityError, match=f"research_copy_{name}"):
            Copy.objects.create(turn=turn, **made)
