"""What is remembered: answers by key, calls to models, the values of columns, the tables of assistants."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from agent.protocols.reading import CallRecord
from corpora import calls
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.records import CourseLine, RestaurantLine
from corpora.loading.rows import store_courses, store_restaurants
from corpora.memo import DatabaseMemo
from corpora.models import AnswerMemo, Article, Assistant, ModelCall
from corpora.selectors import assistant_tables, memory_of, value_memory
from tests.corpora.conftest import course, restaurant


@pytest.fixture
async def connections_of_threads_closed() -> AsyncIterator[None]:
    """The thread that asynchronous queries run in would keep its connection, and the test database with it."""
    yield
    await sync_to_async(connections.close_all)()


KEY, OTHER = "ab" * 32, "cd" * 32


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("connections_of_threads_closed")
async def test_answers_are_found_again_by_their_keys() -> None:
    memo = DatabaseMemo()
    await memo.put_many({KEY: {"value": "Yes", "spans": [[0, 3, 9]]}, OTHER: {"value": None}})
    assert await memo.get_many([KEY, OTHER, "ef" * 32]) == {
        KEY: {"value": "Yes", "spans": [[0, 3, 9]]},
        OTHER: {"value": None},
    }
    assert await memo.get_many([]) == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("connections_of_threads_closed")
async def test_an_answer_learnt_twice_stays_as_it_was_first() -> None:
    memo = DatabaseMemo()
    await memo.put_many({KEY: "first"})
    await memo.put_many({KEY: "second", OTHER: "new"})
    assert await memo.get_many([KEY, OTHER]) == {KEY: "first", OTHER: "new"}
    assert await AnswerMemo.objects.acount() == 2


@pytest.mark.django_db(transaction=True)
def test_calls_are_written_down_with_the_turn_that_caused_them() -> None:
    turn = uuid4()
    token = calls.current_turn.set(turn)
    calls.log_call(CallRecord(task="answer", model="m", prompt_tokens=10, cost=0.5, items=3))
    calls.current_turn.reset(token)
    calls.log_call(CallRecord(task="parse", model="m", error="no reply", cached=True))
    calls._writer.submit(lambda: None).result()  # the writer takes one at a time, in order
    assert list(ModelCall.objects.order_by("id").values_list("task", "turn", "prompt_tokens", "cost", "items")) == [
        ("answer", turn, 10, 0.5, 3),
        ("parse", None, 0, 0.0, 1),
    ]


@pytest.mark.django_db
def test_the_value_memory_holds_names_and_vocabularies_but_no_prose() -> None:
    store_restaurants([RestaurantLine.model_validate_json(json.dumps(restaurant()))])
    store_courses([CourseLine.model_validate_json(json.dumps(course()))])
    memory_of.cache_clear()
    memory = value_memory()
    memory_of.cache_clear()
    assert memory.of("restaurants", "cuisines") == ("greek", "wine bars")
    assert memory.of("restaurants", "name") == ("The Blue Door",)
    assert memory.of("courses", "course_codes") == ("CS 143", "EE 143")
    assert memory.of("offerings", "instructor_names") == ("Ada Byron",)
    assert memory.of("restaurants", "reviews") == memory.of("restaurants", "about") == ()


@pytest.mark.django_db
def test_the_value_memory_knows_the_words_of_articles() -> None:
    Article.objects.create(
        slug="seats", title="Seats", category="Enrollment", body="The waitlist is a list.", updated="2025-09-01"
    )
    memory_of.cache_clear()
    memory = value_memory()
    memory_of.cache_clear()
    assert memory.spoken("articles") == ("list", "waitlist")
    assert memory.spoken("restaurants") == ()


@pytest.mark.django_db
def test_an_assistant_may_query_its_tables_and_no_assistant_all() -> None:
    add_missing_assistants()
    assert assistant_tables("courses") == ("courses", "offerings", "ratings", "programs")
    assert assistant_tables("") == ("restaurants", "courses", "offerings", "ratings", "programs", "articles")
    Assistant.objects.filter(slug="courses").update(tables=["courses", "gone"])
    assert assistant_tables("courses") == ("courses",)
    with pytest.raises(Assistant.DoesNotExist):
        assistant_tables("nobody")
