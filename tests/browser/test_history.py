"""The list of conversations: found, renamed, deleted, and nobody else's."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.test_conversation import begin, finished


def test_a_conversation_appears_under_today_and_can_be_renamed(page: Page) -> None:
    begin(page, "dinner for two")
    finished(page)
    history = page.locator("#history")
    expect(history.locator("h2")).to_have_text("Today")
    page.get_by_label("Rename or delete: dinner for two").click()
    page.get_by_label("Name", exact=True).fill("Anniversary")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(history.get_by_role("link")).to_have_text("Anniversary")
    expect(history.get_by_role("link")).to_be_focused()
    expect(page.locator("#conversation-title")).to_have_text("Anniversary")
    page.reload()
    expect(page.locator("#conversation-title")).to_have_text("Anniversary")


def test_a_name_that_is_being_written_survives_an_answer_that_arrives(page: Page) -> None:
    begin(page, "slow rows=8")
    page.get_by_label("Rename or delete: slow rows=8").click()
    page.get_by_label("Name", exact=True).fill("Half a na")
    finished(page)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Half a na")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()


def test_searching_the_list_finds_what_was_said(page: Page) -> None:
    begin(page, "ramen at midnight")
    finished(page)
    begin(page, "quiet tea room")
    finished(page)
    page.get_by_label("Search your conversations").fill("midnight")
    links = page.locator("#history").get_by_role("link")
    expect(links).to_have_text(["ramen at midnight"])
    page.get_by_label("Search your conversations").fill("nothing of the kind")
    expect(page.locator("#history")).to_contain_text("No conversation mentions")


def test_deleting_asks_once_more_and_leads_to_the_first_screen(page: Page) -> None:
    begin(page, "to be forgotten")
    finished(page)
    gone = page.url
    page.get_by_label("Rename or delete: to be forgotten").click()
    expect(page.get_by_role("button", name="Delete permanently")).to_be_hidden()
    page.get_by_text("Delete this conversation").click()
    page.get_by_role("button", name="Delete permanently").click()
    expect(page).to_have_url(re.compile(r"^[a-z]+://[^/]+/$"))
    expect(page.locator("#history")).not_to_contain_text("to be forgotten")
    assert page.goto(gone).status == 404


def test_after_deleting_one_is_at_the_next_conversation_or_at_a_new_one(page: Page) -> None:
    for words in ("oldest", "middle", "newest"):
        begin(page, words)
        finished(page)
    delete(page, "middle")
    expect(page.get_by_role("link", name="oldest")).to_be_focused()
    delete(page, "oldest")
    expect(page.get_by_role("link", name="newest")).to_be_focused()
    delete(page, "newest")
    expect(page).to_have_url(re.compile(r"^[a-z]+://[^/]+/$"))
    expect(page.get_by_label("Your question")).to_be_focused()


def delete(page: Page, title: str) -> None:
    """Delete a conversation by its menu, with the keyboard."""
    page.get_by_label(f"Rename or delete: {title}").press("Enter")
    entry = page.locator(".entry", has_text=title)
    entry.get_by_text("Delete this conversation").press("Enter")
    entry.get_by_role("button", name="Delete permanently").press("Enter")


def test_another_person_cannot_open_a_conversation(page: Page, browser: Browser) -> None:
    begin(page, "mine alone")
    finished(page)
    stranger = browser.new_context()
    answer = stranger.new_page().goto(page.url)
    assert answer.status == 404
    assert "mine alone" not in answer.text()
    stranger.close()
