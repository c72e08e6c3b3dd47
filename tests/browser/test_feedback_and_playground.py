"""What a person says of an answer reaches the staff and comes back answered; a question is tried, saved and run."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Browser, Page, expect

PASSWORD = "only for this test"


@pytest.fixture
def admin(browser: Browser, site: str, database: str) -> Iterator[Page]:
    """A window of somebody of the staff, beside the visitor's."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO auth_user (username, password, is_superuser, is_staff, is_active, first_name, last_name,"
            " email, date_joined) VALUES ('support', %s, true, true, true, '', '', '', now()) ON CONFLICT DO NOTHING",
            [PBKDF2PasswordHasher().encode(PASSWORD, "salt")],
        )
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    window = context.new_page()
    blocked: list[str] = []
    window.on("console", lambda said: blocked.append(said.text) if "Content Security Policy" in said.text else None)
    window.goto("/admin/")
    window.get_by_label("Username").fill("support")
    window.get_by_label("Password").fill(PASSWORD)
    window.get_by_role("button", name="Log in").click()
    yield window
    context.close()
    assert not blocked


def fits(window: Page) -> bool:
    """Whether a page is no wider than a telephone, looked at on one."""
    window.set_viewport_size({"width": 390, "height": 844})
    width = window.evaluate("document.documentElement.scrollWidth")
    window.set_viewport_size({"width": 1280, "height": 900})
    return bool(width <= 390)


FIELDS = "main :is(input:not([type=hidden]), select, textarea)"
CUT_OFF = """fields => fields.filter(one => one.offsetParent && one.getBoundingClientRect().right > innerWidth)
    .map(one => one.name)"""


@pytest.mark.parametrize("form", ["corpora/assistant", "research/study", "research/project"])
def test_no_field_of_a_form_is_cut_off_on_a_phone(admin: Page, form: str) -> None:
    admin.set_viewport_size({"width": 390, "height": 844})
    admin.goto(f"/admin/{form}/add/")
    expect(admin.locator(FIELDS).first).to_be_visible()
    assert admin.locator(FIELDS).evaluate_all(CUT_OFF) == []


def test_feedback_goes_to_the_staff_and_their_answer_comes_back(page: Page, admin: Page) -> None:
    page.goto("/")
    page.locator("#message").fill("somewhere romantic")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Bad answer").click()
    page.get_by_text("Wrong results").click()
    page.get_by_label("In your own words").fill("These are all closed.")
    page.locator(".comment").get_by_role("button", name="Send").click()
    expect(page.locator(".comment")).to_contain_text("Your comment is saved.")
    page.get_by_text("I meant …").first.click()
    page.get_by_label("What did you mean?").fill("romantic and open")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".meant__said")).to_have_text("You meant: “romantic and open”")
    expect(page.get_by_role("button", name="Bad answer")).to_have_count(2)
    expect(page.locator(".turn").last).to_contain_text("places for romantic and open")

    admin.goto("/admin/chat/feedback/?status__exact=open")
    row = admin.locator("#result_list tr", has_text="These are all closed.")
    expect(row).to_contain_text("Wrong results")
    expect(row).to_contain_text("I meant: romantic and open")
    row.get_by_role("link", name="somewhere romantic").click()
    assert fits(admin)
    admin.locator("#id_answers-0-text").fill("Their hours were wrong. They are mended.")
    admin.get_by_label("Status").select_option("done")
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".turn").last).to_contain_text("Their hours were wrong. They are mended.")
    expect(page.locator(".turn").last).to_contain_text("The staff on your feedback")
    admin.goto("/admin/chat/feedback/trends/")
    expect(admin.locator(".plot svg").first).to_be_visible()
    assert fits(admin)


def test_a_question_is_tried_and_saved_and_asked_again(admin: Page) -> None:
    admin.goto("/admin/research/playgroundrun/")
    admin.get_by_label("Corpus").select_option("restaurants")
    admin.get_by_label("Question").fill("romantic rows=2")
    admin.get_by_role("button", name="Ask", exact=True).click()
    expect(admin.get_by_role("heading", name="I searched for")).to_be_visible(timeout=60_000)
    expect(admin.locator(".bench table")).to_contain_text("Place 1")
    assert fits(admin)
    admin.locator(".way", has_text="Few-shot pair").click()
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(admin.locator(".messagelist")).to_contain_text("was added successfully")
    admin.goto("/admin/research/playgroundrun/")
    admin.get_by_role("link", name="romantic rows=2").first.click()
    admin.locator(".way", has_text="Regression case").click()
    expect(admin.get_by_label("Expected rows")).to_have_value("place-0\nplace-1")
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.goto("/admin/research/regressionrun/")
    admin.get_by_role("button", name="Run", exact=True).click()
    expect(admin.locator(".figure")).to_contain_text("1 of 1 passed", timeout=60_000)
    assert fits(admin)
    admin.goto("/admin/research/corpushealth/")
    admin.locator("#result_list").get_by_role("link", name="Restaurants").click()
    expect(admin.get_by_role("heading", name="Tables")).to_be_visible()
    assert fits(admin)
