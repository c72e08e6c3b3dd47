"""A study of two arms, from the invitation to the completion code, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, _manage, _window
from tests.browser.test_conversation import ask, finished

STUDY = """
from hybridchat.research.models import Arm, ConsentText, Study
made = Study.objects.create(
    slug="dinner", title="Finding a table", state="open", assistant="restaurants", quota=2, minimum_turns=2,
    instructions="Find a place for dinner.", openings=["Somewhere quiet?"], completion_code="C0DE1234",
    questionnaire=[
        {"name": "liked", "text": "What did you like?"},
        {"name": "ease", "kind": "likert", "text": "It was easy to use.", "low": "no", "high": "yes"},
    ],
)
ConsentText.objects.create(study=made, version=1, text="We keep what you write.")
Arm.objects.create(study=made, name="ours", overrides={"language": "builtin"})
Arm.objects.create(study=made, name="theirs", overrides={"language": "small at http://127.0.0.1:9/v1"})
"""


@pytest.fixture(scope="module")
def study(database: str, site: str) -> None:
    _manage(["shell", "-c", STUDY], {"DATABASE_URL": database})


@pytest.fixture
def second(browser: Browser, site: str) -> Iterator[Page]:
    """Somebody else, on a telephone."""
    yield from _window(browser, site, **PHONE)


def comes_as_far_as_the_chat(page: Page, person: str) -> None:
    page.goto(f"/study/dinner/?PROLIFIC_PID={person}&STUDY_ID=s&SESSION_ID=x")
    expect(page).to_have_url(re.compile(r"/study/dinner/here/$"))
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("Somewhere quiet?")).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Finish")).to_be_disabled()


def sends_two(page: Page) -> None:
    for number in (1, 2):
        ask(page, f"somewhere romantic {number}")
        finished(page, number)
        expect(page.locator(".study-bar__turns")).to_have_text(f"{number} of 2 messages")


def answers(page: Page) -> None:
    page.get_by_label("What did you like?").fill("It was quick.")
    page.get_by_role("radio", name="4").check(force=True)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#completion-code")).to_have_text("C0DE1234")


def test_two_people_come_from_invitation_to_completion_code(
    study: None, page: Page, second: Page, database: str
) -> None:
    comes_as_far_as_the_chat(page, "P1")
    sends_two(page)
    page.reload()
    expect(page.locator(".study-bar__turns")).to_have_text("2 of 2 messages")
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("Please answer this one.")).to_have_count(2)
    answers(page)

    comes_as_far_as_the_chat(second, "P2")
    sends_two(second)
    ask(second, "FINISHED")
    expect(second.get_by_role("heading", name="A few questions")).to_be_visible()
    answers(second)

    page.context.clear_cookies()
    page.goto("/study/dinner/?PROLIFIC_PID=P3")
    expect(page.get_by_role("heading", name="This study is full")).to_be_visible()
    assert arms_of(database) == [("ours", True), ("theirs", True)]


def arms_of(database: str) -> list[tuple[Any, ...]]:
    """The arms of the study's people, and whether their turns were answered as the arm says."""
    with psycopg.connect(database) as connection:
        return connection.execute(
            """
            SELECT arm.name, bool_and(coalesce(told.document->>'language' = arm.overrides->>'language', false))
            FROM research_participation own
            JOIN research_arm arm ON arm.id = own.arm_id
            JOIN chat_turn turn ON turn.conversation_id = own.conversation_id
            LEFT JOIN chat_configuration told ON told.hash = turn.configuration_id
            WHERE own.finished IS NOT NULL GROUP BY arm.name ORDER BY arm.name
            """
        ).fetchall()
