"""Getting things done in a real browser, nothing scripted: booked, enrolled and submitted, each only after a yes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_conversation import ask

pytestmark = pytest.mark.timeout(300)  # seconds; the first answer of a fresh process loads the encoder

LONG = 90_000  # milliseconds


class Talk:
    """A conversation in a page: what is typed and clicked, and what the last turn says."""

    def __init__(self, page: Page, assistant: str, words: str) -> None:
        self.page, self.turns = page, 1
        page.goto("/")
        page.get_by_role("radio", name=re.compile(assistant)).check()
        ask(page, words)
        self._answered()

    def say(self, words: str) -> None:
        ask(self.page, words)
        self._next()

    def press(self, name: str) -> None:
        self.last.get_by_role("button", name=name).click()
        self._next()

    def change(self, label: str, value: str) -> None:
        """Edit a value in the panel."""
        self.panel.get_by_label(f"Change {label}").click()
        editor = self.panel.locator(".edit[open]")
        editor.locator("input:not([type=hidden])").fill(value)
        editor.get_by_role("button", name="Save").click()
        self._next()

    @property
    def last(self) -> Locator:
        return self.page.locator(".turn").nth(self.turns - 1)

    @property
    def said(self) -> Locator:
        return self.last.locator(".said")

    @property
    def card(self) -> Locator:
        return self.last.locator(".check")

    @property
    def panel(self) -> Locator:
        return self.page.locator("#sheets")

    def _next(self) -> None:
        self.turns += 1
        self._answered()

    def _answered(self) -> None:
        expect(self.page.get_by_role("button", name="Good answer")).to_have_count(self.turns, timeout=LONG)


def test_a_table_is_booked_after_a_question_three_changes_a_no_and_a_yes(real_page: Page) -> None:
    talk = Talk(real_page, "Restaurants", "Book a table at Trattoria Sottovoce for two, please")
    expect(talk.panel.get_by_role("heading")).to_have_text("Your reservation so far")
    expect(talk.panel).to_contain_text("Trattoria Sottovoce")

    talk.say("is it a quiet place?")
    expect(talk.last.locator(".searched")).to_contain_text("quiet")
    expect(talk.said).to_contain_text("Back to the reservation")

    talk.say("next Saturday at 7 pm")
    talk.say("ana@example.com")
    expect(talk.card).to_contain_text("Saturday")
    expect(talk.card).to_contain_text("7:00 pm")
    expect(talk.panel).to_contain_text("nothing else is needed")
    expect(talk.card.get_by_role("button", name="Yes, book it")).to_be_in_viewport(ratio=1)

    talk.say("actually make it 5 people")
    expect(talk.card).to_contain_text("5")
    talk.change("time", "19:30")
    expect(talk.card).to_contain_text("7:30 pm")
    talk.card.get_by_label("Edit number of people").click()
    editor = talk.panel.locator(".edit[open] input:not([type=hidden])")
    editor.fill("4")
    editor.press("Enter")
    talk._next()
    expect(real_page.locator(".check__actions:visible")).to_have_count(1)

    talk.press("No, change something")
    expect(talk.said).to_contain_text("Nothing has been done")
    talk.say("for 3 people")
    expect(talk.card).to_contain_text("3")
    talk.press("Yes, book it")
    expect(talk.said).to_contain_text(re.compile("booked.*Trattoria Sottovoce.* 3 people"))

    real_page.get_by_role("link", name="Bookings, courses, tickets").click()
    expect(real_page.locator("main .thing")).to_have_count(1)
    expect(real_page.locator("main .thing")).to_contain_text("3 people")


def test_a_yes_typed_later_or_pressed_in_another_tab_books_nothing_twice(real_page: Page) -> None:
    talk = Talk(real_page, "Restaurants", "book Proof & Peel for 2 tomorrow at 6pm")
    while not talk.card.count():
        talk.say("skip it")
    other = real_page.context.new_page()
    other.goto(real_page.url)
    late = other.locator(".check").last.get_by_role("button", name="Yes, book it")
    expect(late).to_be_visible()
    talk.press("Yes, book it")
    expect(talk.said).to_contain_text("booked")
    expect(other.locator(".turn")).to_have_count(talk.turns)
    other.goto("/mine/")
    expect(other.locator("main .thing")).to_have_count(1)
    other.close()


def test_on_a_phone_the_panel_folds_again_after_an_edit(real_phone: Page) -> None:
    talk = Talk(real_phone, "Restaurants", "book Proof & Peel for 2 tomorrow at 6pm")
    while not talk.card.count():
        talk.say("skip it")
    fields, yes = talk.panel.locator(".sheets__in"), talk.card.get_by_role("button", name="Yes, book it")
    talk.card.get_by_label("Edit number of people").click()
    editor = talk.panel.locator(".edit[open] input:not([type=hidden])")
    expect(editor).to_be_focused()
    editor.press("Escape")
    expect(fields).to_be_hidden()
    expect(talk.card.get_by_label("Edit number of people")).to_be_focused()
    expect(yes).to_be_in_viewport(ratio=1)

    talk.card.get_by_label("Edit number of people").click()
    editor.fill("4")
    editor.press("Enter")
    talk._next()
    expect(fields).to_be_hidden()
    expect(talk.card.get_by_role("button", name="Yes, book it")).to_be_in_viewport(ratio=1)
    expect(talk.card).to_contain_text("4")


def test_of_two_courses_one_is_full_and_the_other_is_taken(real_page: Page) -> None:
    talk = Talk(real_page, "Courses", "enroll me in CS 101 and CS 131")
    talk.say("letter grade for both")
    talk.say("4 units each")
    for answer in ("that's all", "yes", "Ana Lima", "12345678", "ana@example.edu", "no", "yes"):
        if "waitlist" in talk.said.inner_text().lower():
            break
        talk.say(answer)
    expect(talk.said).to_contain_text("CS 101")
    expect(talk.said).to_contain_text(re.compile("CS 131.*waitlist|waitlist.*CS 131", re.IGNORECASE))


ANSWERS = {
    "how did you hand": "by e-mail",
    "which day|hand it in": "November 2",
    "know or get done|problem": "I have heard nothing since",
    "anything else|further details": "no, that is all of it",
    "name": "Ana Lima",
    "about|status": "the status of the form",
}


def test_two_tickets_in_one_conversation_are_confirmed_each_on_its_own(real_page: Page) -> None:
    talk = Talk(real_page, "Student services", "I want to submit a ticket about the status of my leave of absence form")
    for done in (1, 2):
        while not talk.card.count():
            asked = talk.said.inner_text().lower().splitlines()[-1]
            talk.say(next(answer for words, answer in ANSWERS.items() if re.search(words, asked)))
        talk.press("Yes, submit it")
        expect(talk.said).to_contain_text("submitted")
        expect(talk.panel.locator(".sheet--done")).to_have_count(done)
        if done == 1:
            talk.say("I need another ticket about the status of my leave of absence form")
            expect(talk.panel.locator(".known--set", has_text="Ana Lima")).to_have_count(0)
    talk.page.goto("/mine/")
    expect(talk.page.locator("main .thing")).to_have_count(2)
