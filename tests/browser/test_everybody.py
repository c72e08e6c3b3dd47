"""A telephone, a keyboard alone, a screen reader, large text, dark, and the automatic checks of axe."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_conversation import ask, begin, finished

# Keeps what a screen reader would be told in `window.heard`.
LISTEN = """() => {
    const region = document.getElementById('announcement');
    const heard = window.heard = [];
    const options = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => heard.push(region.textContent.trim())).observe(region, options);
}"""


def assert_no_violations(page: Page) -> None:
    """None of axe's rules is broken on the page as it is."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_on_a_telephone_everything_fits_and_the_drawer_opens(phone: Page) -> None:
    phone.goto("/")
    assert sideways(phone) == 0
    expect(phone.get_by_label("Your question")).to_be_in_viewport()
    begin(phone, "a long question about romantic places rows=3")
    finished(phone)
    assert sideways(phone) == 0
    phone.locator(".more summary").first.tap()
    phone.get_by_text("How I searched").tap()
    assert sideways(phone) == 0
    expect(phone.locator("#history")).not_to_be_in_viewport()
    phone.get_by_role("button", name="Your conversations").tap()
    expect(phone.locator("#history")).to_be_in_viewport()
    phone.get_by_role("button", name="Close the list of conversations").tap()
    expect(phone.locator("#history")).not_to_be_in_viewport()


def test_touch_targets_are_large_enough(phone: Page) -> None:
    begin(phone, "rows=1")
    finished(phone)
    small = phone.evaluate(
        """() => [...document.querySelectorAll('button, summary, a.button')]
            .filter(one => one.checkVisibility() && one.getBoundingClientRect().width > 1)
            .filter(one => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 24)
            .map(one => one.outerHTML.slice(0, 90))"""
    )
    assert small == []


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the conversation")).to_be_focused()
    page.get_by_label("Your question").focus()
    page.keyboard.type("romantic rows=2")
    page.keyboard.press("Enter")
    finished(page)
    reached = tab_until(page, "Search again without “romantic”")
    assert "outline" in reached
    page.keyboard.press("Enter")
    finished(page, 2)


def tab_until(page: Page, label: str) -> str:
    """Press Tab until the control with that label has the focus; how its focus is drawn."""
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.innerText")
        if found == label:
            style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            return "outline" if style != "none" else "nothing"
    raise AssertionError(f"{label!r} cannot be reached with Tab")


def test_who_has_asked_writes_on(page: Page) -> None:
    begin(page, "first")
    expect(page.get_by_label("Your question")).to_be_focused()
    finished(page)
    page.keyboard.type("second")
    page.keyboard.press("Enter")
    finished(page, 2)
    expect(page.get_by_label("Your question")).to_be_focused()
    page.reload()
    expect(page.get_by_label("Your question")).not_to_be_focused()


def test_on_a_telephone_the_answer_begins_high_and_the_chips_scroll(phone: Page) -> None:
    begin(phone, "romantic rows=2")
    finished(phone)
    tops = {chip.bounding_box()["y"] for chip in phone.locator(".chip").all()}
    assert len(tops) == 1
    assert phone.locator(".said").bounding_box()["y"] < 300
    field = phone.get_by_label("Your question")
    room = "field => [field.scrollWidth, field.clientWidth]"
    needed, there = field.evaluate(room)
    assert needed <= there  # for its placeholder


def test_escape_empties_the_search_first_and_then_closes_the_drawer(phone: Page) -> None:
    begin(phone, "first")
    finished(phone)
    phone.get_by_role("button", name="Your conversations").tap()
    search = phone.get_by_label("Search your conversations")
    search.fill("nothing of the kind")
    expect(phone.locator("#history")).to_contain_text("No conversation mentions")
    search.press("Escape")
    expect(search).to_have_value("")
    expect(phone.locator("#history").get_by_role("link")).to_have_text(["first"])
    expect(search).to_be_in_viewport()
    search.press("Escape")
    expect(search).not_to_be_in_viewport()


def test_the_focus_survives_what_arrives(page: Page) -> None:
    begin(page, "slow rows=6")
    page.locator(".more summary").first.focus()
    finished(page)
    expect(page.locator(".more summary").first).to_be_focused()


def test_a_finished_answer_is_announced_once_and_nothing_else_is_live(page: Page) -> None:
    begin(page, "first")
    finished(page)
    page.evaluate(LISTEN)
    ask(page, "second rows=4")
    finished(page, 2)
    expect(page.locator("#announcement")).to_contain_text("Found 4 places for second rows=4.")
    assert len({words for words in page.evaluate("window.heard") if words}) == 1
    live = page.locator("#turns [aria-live], #turns [role=status], #turns [role=alert], #turns [role=log]")
    expect(live).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, site: str, scheme: str) -> None:
    context = browser.new_context(
        base_url=site, color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1280, "height": 900}
    )
    page = context.new_page()
    page.goto("/")
    assert_no_violations(page)
    begin(page, "romantic rows=3")
    finished(page)
    page.locator(".more summary").first.click()
    page.get_by_text("How I searched").click()
    page.get_by_role("button", name="Good answer").click()
    expect(page.locator(".comment")).to_be_visible()
    assert_no_violations(page)
    ask(page, "rows=0")
    finished(page, 2)
    ask(page, "fail")
    expect(page.locator(".trouble")).to_be_visible()
    assert_no_violations(page)
    page.get_by_label(re.compile("^Rename or delete")).first.click()
    assert_no_violations(page)
    context.close()


def test_axe_finds_nothing_on_a_telephone_with_the_drawer_open(phone: Page) -> None:
    begin(phone, "rows=2")
    finished(phone)
    assert_no_violations(phone)
    phone.get_by_role("button", name="Your conversations").tap()
    assert_no_violations(phone)


def test_at_twice_the_size_nothing_is_cut_off(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, viewport={"width": 640, "height": 400}, device_scale_factor=2)
    page = context.new_page()
    begin(page, "rows=3")
    finished(page)
    assert sideways(page) == 0
    expect(page.get_by_label("Your question")).to_be_in_viewport()
    context.close()


def test_the_colours_can_be_switched_and_stay(page: Page) -> None:
    page.goto("/")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Change between light and dark").click()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after
