"""A curator at work in the browser: an assistant is made in a minute, and a corpus gets its words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.browser.guide import steps

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture
def nothing_left(database: str) -> Iterator[None]:
    """Other tests count the assistants, and read the corpora as they came."""
    yield
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DELETE FROM corpora_assistant WHERE slug = 'spring-planner'")
        connection.execute("DELETE FROM corpora_corpusdescription")


@pytest.mark.usefixtures("nothing_left")
def test_an_assistant_is_made_and_asked(admin: Page) -> None:
    assistants, add, title, description, tables, save = steps("Make an assistant")
    admin.get_by_role("link", name=assistants, exact=True).first.click()
    admin.get_by_role("link", name=add, exact=True).click()
    admin.get_by_label(title).press_sequentially("Spring planner")
    expect(admin.get_by_label("Slug")).to_have_value("spring-planner")
    admin.get_by_label(description).fill("Courses of the spring.")
    expect(admin.get_by_text(tables)).to_be_visible()
    admin.get_by_label(re.compile(r"^\s*courses:")).check()
    admin.get_by_role("button", name=save, exact=True).click()
    expect(admin.locator(".messagelist")).to_contain_text("Its questions are drafted from the data")

    admin.goto("/")
    admin.get_by_role("radio", name=re.compile("Spring planner")).check()
    shown = admin.locator(".examples:visible")
    expect(shown).to_have_count(1)
    expect(shown.get_by_role("button").first).to_be_visible()
    picture = admin.locator(".choice", has_text="Spring planner").locator("img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    words = shown.get_by_role("button").first.inner_text()
    shown.get_by_role("button").first.click()
    expect(admin.locator(".question__words")).to_have_text(words)
    expect(admin.locator(".top__title")).to_contain_text("Spring planner")


@pytest.mark.usefixtures("nothing_left")
def test_a_corpus_gets_its_words_and_they_are_taken_back(admin: Page) -> None:
    every, description, others, little, much, card, save = steps("Describe a corpus")
    admin.get_by_role("link", name=every, exact=True).first.click()
    admin.get_by_role("link", name=re.compile("^Courses")).last.click()
    hours = admin.locator("details.column", has_text="Average hours spent").first
    hours.locator("summary").click()
    came_with = hours.get_by_label(much).input_value()
    hours.get_by_label(description).fill("Hours of work in a week.")
    hours.get_by_label(others).fill("workload")
    hours.get_by_label(little).fill("light")
    hours.get_by_label(much).fill("laborious, hard")
    hours.get_by_label(card).select_option(label="under the title")
    admin.get_by_role("button", name=save, exact=True).click()
    expect(admin.locator(".messagelist")).to_contain_text("Saved as version 1")
    expect(admin.locator(".versions")).to_contain_text("counts now")
    admin.get_by_role("button", name="Go back to it").last.click()
    expect(admin.locator(".messagelist")).to_contain_text("version 2 counts now")
    hours = admin.locator("details.column", has_text="Average hours spent").first
    hours.locator("summary").click()
    expect(hours.get_by_label(much)).to_have_value(came_with)


@pytest.mark.parametrize(
    "address",
    [
        "/admin/",
        "/admin/corpora/assistant/",
        "/admin/corpora/assistant/add/",
        "/admin/corpora/corpusdescription/of/courses/",
        "/admin/corpora/course/",
        "/admin/chat/conversation/",
    ],
)
def test_pages_fit_a_laptop_and_a_phone_and_break_no_policy(admin: Page, address: str) -> None:
    said: list[str] = []
    admin.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    for screen in (LAPTOP, PHONE):
        admin.set_viewport_size(screen)
        admin.goto(address)
        assert admin.evaluate("document.documentElement.scrollWidth") <= screen["width"]
        lists = admin.locator("#changelist .results")
        assert lists.evaluate_all("lists => lists.every(one => one.scrollWidth <= one.clientWidth)"), screen
    admin.get_by_role("button", name="Menu").click()
    expect(admin.get_by_role("navigation", name="What there is")).to_be_visible()
    assert said == []
