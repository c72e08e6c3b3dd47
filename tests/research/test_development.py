"""The development sets with truth speak of entities that the sample corpora really have."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from hybridchat.research.lines import read_lines
from hybridchat.research.management.commands.evaluate import SETS
from tests.research.conftest import SAMPLE

QUESTIONS = read_lines(str(SETS / "questions.jsonl"), "id", "assistant", "messages", "truth")
LISTS = read_lines(str(SETS / "lists.jsonl"), "id", "question", "yes", "no", "unclear")


def sample(pattern: str) -> list[dict[str, Any]]:
    return [json.loads(line) for path in SAMPLE.glob(pattern) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def keys() -> dict[str, set[str]]:
    """The keys of the entities by assistant."""
    courses = {course["course_codes"][0] for course in sample("courses/courses.jsonl")}
    return {
        "restaurants": {restaurant["slug"] for restaurant in sample("restaurants/*.jsonl")},
        "courses": courses | {program["program_id"] for program in sample("courses/programs.jsonl")},
        "services": {article["slug"] for article in sample("articles.jsonl")},
    }


@pytest.mark.parametrize("item", QUESTIONS, ids=lambda item: item["id"])
def test_each_message_has_a_truth_of_known_entities(item: dict[str, Any], keys: dict[str, set[str]]) -> None:
    assert len(item["messages"]) == len(item["truth"])
    named = {key for truth in item["truth"] for key in truth or ()} | set(item.get("why", ()))
    assert named <= keys[item["assistant"]]


@pytest.mark.parametrize("items", [QUESTIONS, LISTS], ids=["questions", "lists"])
def test_ids_are_not_used_twice(items: list[dict[str, Any]]) -> None:
    assert len({item["id"] for item in items}) == len(items)


@pytest.mark.parametrize("item", LISTS, ids=lambda item: item["id"])
def test_a_list_puts_each_known_restaurant_on_one_side(item: dict[str, Any], keys: dict[str, set[str]]) -> None:
    sides = [slug for side in ("yes", "no", "unclear") for slug in item[side]]
    assert len(sides) == len(set(sides))
    assert set(sides) <= keys["restaurants"]


def test_every_article_question_has_an_article_that_says_its_fact() -> None:
    bodies = {article["slug"]: article["body"] for article in sample("articles.jsonl")}
    for item in read_lines(str(SETS / "articles.jsonl"), "id", "question", "articles", "fact", "part"):
        said = [re.search(item["fact"], bodies[slug]) for slug in item["articles"]]
        assert any(said) or not said, item["id"]
