"""The health of a corpus: what its tables lack, how its questions went, and the way from a fault to what mends it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from agent.catalogue.tables import Column, Kind
from agent.language import Conversation as Context
from agent.record import Outcome, TurnState
from corpora.embedding import embedder
from corpora.loading.assistants import add_missing_assistants
from corpora.models import Assistant, CorpusLimit, CorpusVersion, Passage, Restaurant
from corpora.selectors import memory_of
from hybridchat.chat import leases, services
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.research import health
from hybridchat.research.admin.mending import Ways
from hybridchat.research.drafts import question_from
from tests.chat import fakes


@pytest.fixture(autouse=True)
def corpus(transactional_db: None) -> None:
    add_missing_assistants()
    memory_of.cache_clear()


def asked(message: str, rows: int = 1, *, error: str = "", assistant: str = "restaurants", **changes: Any) -> Turn:
    """A turn that is over, in a conversation of its own."""
    conversation = services.new_conversation(Owner(key_of(message)), assistant)
    turn, _ = services.receive(conversation, uuid4(), message)
    query = fakes.query_for(message)
    outcome = Outcome(query=query, rows=tuple(map(fakes.card, range(rows))), error=error, **changes)
    context = Context(assistant=assistant, tables=(), now=turn.created)
    state = TurnState(message=message, conversation=context, queries=(query,), outcomes=(outcome,))
    turn.state = state.model_dump(mode="json")
    turn.save(update_fields=["state"])
    leases.end(turn, Turn.Status.DONE)
    return turn


def staff(*permissions: str) -> Client:
    client, user = Client(), User.objects.create_user("curator", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def page(client: Client, slug: str = "restaurants") -> str:
    pk = Assistant.objects.get(slug=slug).pk
    return client.get(reverse("admin:research_corpushealth_change", args=[pk])).content.decode()


def test_questions_are_told_apart_by_how_they_went() -> None:
    asked("all well")
    asked("in vain", rows=0)
    asked("less than that", relaxed=("quiet",))
    asked("broken", rows=0, error="The database is away.")
    disliked = asked("badly")
    services.give_feedback(disliked, -1)
    asked("elsewhere", rows=0, assistant="courses")
    found = {one.message: one for one in health.asked("restaurants")}
    assert {name: one.way for name, one in found.items()} == {
        "all well": "answered",
        "in vain": "nothing found",
        "less than that": "relaxed",
        "broken": "failed",
        "badly": "answered",
    }
    assert {name for name, one in found.items() if one.unanswered} == {"in vain", "less than that", "broken", "badly"}
    assert found["less than that"].given_up == ("quiet",)
    labels, ways = health.weekly(list(found.values()), weeks=2)
    assert len(labels) == 2
    assert {way: counts[-1] for way, counts in ways.items()} == {
        "answered": 2,
        "relaxed": 1,
        "nothing found": 1,
        "failed": 1,
    }


def test_a_message_that_searched_for_nothing_is_no_question() -> None:
    turn = asked("hello")
    turn.state["outcomes"] = []
    turn.save(update_fields=["state"])
    (found,) = health.asked("restaurants")
    assert (found.way, found.unanswered) == ("", False)


def test_what_was_asked_in_vain_more_than_once_is_listed_once() -> None:
    asked("in vain", rows=0)
    newest = asked("In  vain", rows=0)
    asked("all well")
    ((one, times),) = health.unanswered(health.asked("restaurants"))
    assert (one.turn, times) == (newest.pk, 2)


def test_slow_and_dear_questions_come_first() -> None:
    asked("quick", usage={"seconds": 0.2, "calls": 40, "cost": 0.0})
    asked("slow", usage={"seconds": 7.5, "calls": 2, "cost": 0.0})
    asked("paid", usage={"seconds": 0.3, "calls": 1, "cost": 0.02})
    found = health.asked("restaurants")
    assert [one.message for one in health.slowest(found)] == ["slow", "paid", "quick"]
    assert [one.message for one in health.dearest(found)] == ["paid", "quick", "slow"]
    spans, counts = health.speeds(found)
    assert dict(zip(spans, counts, strict=True)) == {
        "< 0.5 s": 2,
        "< 1 s": 0,
        "< 2 s": 0,
        "< 5 s": 0,
        "< 10 s": 1,
        "10 s +": 0,
    }


def test_tables_show_empty_columns_and_texts_that_are_not_embedded() -> None:
    place = {"city": "Elm", "location": "x", "latitude": 1, "longitude": 1, "rating": 4, "num_reviews": 1}
    values = {name: value for name, value in place.items() if hasattr(Restaurant, name)}
    one = Restaurant.objects.create(slug="a", name="Alder", about="A small place.", price="cheap", **values)
    Restaurant.objects.create(slug="b", name="Birch", about="Another one.", price="cheap", **values)
    Passage.objects.create(
        owner_table="restaurants",
        owner_key=str(one.pk),
        column_name="about",
        text_md5="0" * 32,
        start=0,
        stop=len(one.about),
        body=one.about,
        embedder="another model",
        embedding=[1.0] + [0.0] * 383,
    )
    (table,) = health.tables("restaurants")
    columns = {column.name: column for column in table.columns}
    assert (table.rows, table.passages, table.foreign) == (2, 1, 1)
    assert columns["phone_number"].empty == 2
    assert (columns["about"].empty, columns["about"].unread) == (0, 1)
    assert "phone_number" in {column.name for column in table.ailing}
    assert "name" not in {column.name for column in table.ailing}
    Passage.objects.update(embedder=embedder().name)
    assert health.tables("restaurants")[0].foreign == 0


def test_values_without_a_word_are_reached_once_one_is_noted() -> None:
    column = Column("grade", Kind.ENUM)
    assert health.unreached(column, ["A1", "$$", "fine", "B 2", "Old Town"]) == ["A1", "$$", "B 2"]
    worded = Column("grade", Kind.ENUM, value_words=(("A1", ("best",)),))
    assert health.unreached(worded, ["A1", "$$"]) == ["$$"]


def test_a_question_in_vain_leads_to_what_mends_it() -> None:
    turn = asked("how do I park", rows=0, assistant="services")
    rights = ("view_corpushealth", "view_turn", "add_articlequestion", "add_article", "add_fewshotpair")
    client = staff(*rights, "add_regressioncase", "view_article")
    text = page(client, "services")
    assert "how do I park" in text
    assert "How questions went, by week: 0 answered, 1 nothing found, 0 relaxed, 0 failed" in text
    for model in ("corpora_articlequestion", "corpora_article", "corpora_fewshotpair", "research_regressioncase"):
        address = f"{reverse(f'admin:{model}_add')}?from_turn={turn.pk}"
        assert address in text
        assert "how do I park" in client.get(address).content.decode(), model
    assert question_from(turn)["text"] == "how do I park"


def test_a_question_people_ask_is_kept_with_an_article_or_else_with_its_query() -> None:
    turn = asked("how do I park", rows=0, assistant="services")
    ways = Ways(User.objects.create_superuser("boss"))
    named = {words: address for address, words in ways.of(turn.pk, "services")}
    assert "articlequestion" in named["Question people ask"]
    named = {words: address for address, words in ways.of(turn.pk, "restaurants")}
    assert "fewshotpair" in named["Question people ask (few-shot pair)"]


def test_who_may_not_read_conversations_sees_tables_and_no_words_of_anybody() -> None:
    turn = asked("something private", rows=0)
    client = staff("view_corpushealth", "add_fewshotpair", "add_regressioncase")
    assert "something private" not in page(client)
    assert "restaurants" in page(client)
    for model in ("corpora_fewshotpair", "research_regressioncase"):
        form = client.get(reverse(f"admin:{model}_add"), {"from_turn": str(turn.pk)}).content.decode()
        assert "something private" not in form


def test_no_health_without_the_right_to_see_it() -> None:
    pk = Assistant.objects.get(slug="restaurants").pk
    assert staff("view_turn").get(reverse("admin:research_corpushealth_change", args=[pk])).status_code == 404


def test_a_value_without_a_word_leads_to_its_column_on_the_page_of_its_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "unreached", lambda column, values: ["4B"] if column.name == "cuisines" else [])
    client = staff("view_corpushealth", "view_corpusdescription", "change_corpusdescription")
    address = f"{reverse('admin:corpora_corpus', args=['restaurants'])}?at=restaurants.cuisines"
    assert f'href="{address}#at-restaurants.cuisines">Give them words' in page(client)
    opened = client.get(address).content.decode()
    assert '<details class="column" id="at-restaurants.cuisines" open>' in opened


def test_a_question_in_vain_leads_to_the_words_of_the_table_that_was_searched() -> None:
    turn = asked("in vain", rows=0)
    may = ("view_corpushealth", "view_turn", "view_corpusdescription")
    words = f"{reverse('admin:corpora_corpus', args=['restaurants'])}?from_turn={turn.pk}#table-restaurants"
    assert words not in page(staff(*may))
    User.objects.all().delete()
    client = staff(*may, "change_corpusdescription")
    assert words in page(client)
    opened = client.get(words).content.decode()
    assert "Somebody asked: “in vain”" in opened
    assert 'id="table-restaurants"' in opened
    User.objects.all().delete()
    assert "in vain" not in staff("view_corpusdescription").get(words).content.decode(), "for those who may read it"


def test_a_question_in_vain_leads_to_the_rows_whose_texts_may_say_more() -> None:
    stored = {"boats": {"view": "ferries_boats"}}
    CorpusVersion.objects.create(corpus="ferries", number=1, active=True, specification={}, stored=stored)
    curator = User.objects.create_superuser("boss")
    assert Ways(curator).rows_of("ferries_boats") == reverse("admin:corpora_rows", args=["ferries", "boats"])
    assert Ways(curator).rows_of("restaurants") == "", "a sample's rows have lists of their own"
    limited = User.objects.create_user("ann", is_staff=True)
    limited.groups.add(Group.objects.get(name="curator"))
    CorpusLimit.objects.create(user=limited, corpus="courses")
    assert Ways(limited).rows_of("ferries_boats") == ""
