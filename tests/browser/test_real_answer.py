"""The whole product in a browser, nothing scripted: words in, a grounded answer with its evidence out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_conversation import ask, begin

pytestmark = pytest.mark.timeout(300)  # seconds; texts are embedded first

LONG = 90_000  # milliseconds; the first answer of a fresh process also loads the encoder


def answered(page: Page, number: int = 1) -> None:
    """Wait until answer `number` is complete."""
    expect(page.get_by_role("button", name="Good answer")).to_have_count(number, timeout=LONG)


def test_a_question_is_answered_from_the_corpus_then_followed_up_and_widened(real_page: Page) -> None:
    page = real_page
    begin(page, "a quiet restaurant in Palo Alto")
    answered(page)
    first = page.locator(".turn").first
    expect(first.locator(".searched")).to_contain_text(re.compile("restaurants .*Palo Alto"))
    expect(first.locator(".chip")).to_have_count(2)
    expect(first.locator(".card").first.locator(".why mark").first).to_be_visible()
    names = first.locator(".card h3").all_inner_texts()

    ask(page, "what is the phone number of the first one?")
    answered(page, 2)
    expect(page.locator(".turn").nth(1).locator(".card h3")).to_have_text(names[:1])

    first.get_by_role("button", name="Search again without “quiet”").click()
    answered(page, 3)
    wider = page.locator(".turn").nth(2)
    expect(wider.locator(".chip")).to_contain_text(["Palo Alto"])
    expect(wider.locator(".searched")).not_to_contain_text("quiet")
    assert wider.locator(".card h3").count() >= len(names)


def test_courtesy_is_answered_without_a_search(real_page: Page) -> None:
    begin(real_page, "hello")
    answered(real_page)
    expect(real_page.locator(".searched")).to_have_count(0)
    expect(real_page.locator(".said")).not_to_be_empty()
