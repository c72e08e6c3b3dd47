"""Nothing that was typed is lost, whatever fails: a token, the network, the connection, the site, a limit."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from tests.browser.test_conversation import ask, begin, finished

TALK = re.compile(r"/ws/chat/")
NEW = re.compile(r"/new/$")
NOTICED = 10_000  # milliseconds in which a dead connection has to be noticed


class Line:
    """The line between a page and the site. What is cut stays open and carries nothing; nobody is told."""

    def __init__(self, page: Page) -> None:
        self.opened = 0
        self.sent: list[str] = []
        self._cut = 0  # the number of connections made before it was cut
        self._deaf = 0  # the same, of those on which no answer comes back
        self._down = False
        page.route_web_socket(TALK, self._connect)

    def cut(self) -> None:
        self._cut, self._down = self.opened, True

    def deafen(self) -> None:
        """What the page sends still arrives; what the site answers does not."""
        self._deaf, self._down = self.opened, True

    def mend(self) -> None:
        """From now on a new connection works; the old one stays dead."""
        self._down = False

    def _connect(self, browser: WebSocketRoute) -> None:
        if self._down:
            browser.close(code=1013)
            return
        self.opened += 1
        number, site = self.opened, browser.connect_to_server()

        def up(message: str | bytes) -> None:
            self.sent.append(str(message))
            if number > self._cut:
                site.send(message)

        def down(message: str | bytes) -> None:
            if number > max(self._cut, self._deaf):
                browser.send(message)

        browser.on_message(up)
        site.on_message(down)


def fail(page: Page, pattern: re.Pattern[str], status: int, times: int = 1) -> None:
    """Let the next requests fail with a status; 0 is a network that is down."""

    def answer(route: Route) -> None:
        if status:
            route.fulfill(status=status, body="<h1>no</h1>", content_type="text/html")
        else:
            route.abort("internetdisconnected")

    page.route(pattern, answer, times=times)


def notice(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has=page.get_by_role("button", name="Dismiss this message"))


def test_a_question_goes_out_although_the_token_changed_in_another_tab(page: Page) -> None:
    page.goto("/")
    page.context.clear_cookies(name="csrftoken")
    other = page.context.new_page()
    other.goto("/")  # has a token of its own now, as after signing in
    other.close()
    ask(page, "asked under an old token")
    finished(page)
    expect(page.locator(".question__words")).to_have_text("asked under an old token")


def test_a_question_goes_out_although_the_token_is_gone(page: Page) -> None:
    page.goto("/")
    page.context.clear_cookies(name="csrftoken")
    ask(page, "asked without a token")
    finished(page)
    expect(page.locator(".question__words")).to_have_text("asked without a token")


def test_renaming_works_although_the_token_changed(page: Page) -> None:
    begin(page, "dinner for two")
    finished(page)
    page.context.clear_cookies(name="csrftoken")
    page.get_by_label("Rename or delete: dinner for two").click()
    page.get_by_label("Name", exact=True).fill("Anniversary")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.locator("#history").get_by_role("link")).to_have_text("Anniversary")


def test_each_failure_of_the_first_message_is_told_and_can_be_tried_again(page: Page) -> None:
    page.goto("/")
    for status, words in (
        (0, "cannot be reached"),
        (413, "too long"),
        (429, "Too many requests"),
        (502, "Something went wrong"),
    ):
        fail(page, NEW, status)
        ask(page, "first words")
        expect(notice(page)).to_contain_text(words)
        expect(page.get_by_label("Your question")).to_have_value("first words")
    notice(page).get_by_role("button", name="Try again").click()
    finished(page)
    expect(page.locator(".question__words")).to_have_text("first words")


def test_a_first_message_whose_answer_was_lost_begins_one_conversation(page: Page) -> None:
    page.goto("/")

    def lose(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()

    page.route(NEW, lose, times=1)
    ask(page, "sent twice")
    notice(page).get_by_role("button", name="Try again").click()
    finished(page)
    expect(page.locator("#history").get_by_role("link")).to_have_count(1)


def test_a_rename_that_fails_says_so_and_keeps_the_name(page: Page) -> None:
    begin(page, "dinner for two")
    finished(page)
    fail(page, re.compile("/rename/$"), 500)
    page.get_by_label("Rename or delete: dinner for two").click()
    page.get_by_label("Name", exact=True).fill("Anniversary")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(notice(page)).to_contain_text("Something went wrong")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Anniversary")
    notice(page).get_by_role("button", name="Try again").click()
    expect(page.locator("#history").get_by_role("link")).to_have_text("Anniversary")
    expect(notice(page)).to_have_count(0)


def test_a_draft_survives_a_reload_and_goes_when_it_is_sent(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Your question").fill("half a first quest")
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("half a first quest")
    ask(page, "a whole question")
    finished(page)
    page.get_by_label("Your question").fill("half a second")
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("half a second")
    conversation = page.url
    page.goto("/")
    expect(page.get_by_label("Your question")).to_have_value("")
    page.goto(conversation)
    ask(page, "second")
    finished(page, 2)
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("")


def test_a_draft_of_somebody_who_signed_out_is_gone(page: Page) -> None:
    page.goto("/")
    page.evaluate("sessionStorage.setItem('person', '7'); sessionStorage.setItem('draft:/', 'mine alone')")
    page.reload()
    expect(page.get_by_label("Your question")).to_have_value("")
    assert page.evaluate("sessionStorage.getItem('draft:/')") is None


def test_a_message_into_a_dead_connection_is_noticed_and_sent_once(page: Page) -> None:
    line = Line(page)
    begin(page, "first")
    finished(page)
    line.cut()
    ask(page, "into the void")
    expect(page.locator(".turn--waiting .question__words")).to_have_text("into the void")
    expect(page.locator("#offline")).to_be_visible(timeout=NOTICED)
    line.mend()
    finished(page, 2)
    expect(page.locator(".question__words")).to_have_text(["first", "into the void"])
    expect(page.locator("#offline")).to_be_hidden()


def test_a_message_whose_answer_was_lost_becomes_one_turn(page: Page) -> None:
    line = Line(page)
    begin(page, "first")
    finished(page)
    frames = len(line.sent)
    line.deafen()
    ask(page, "heard, not answered")
    expect(page.locator("#offline")).to_be_visible(timeout=NOTICED)
    first = next(frame for frame in line.sent[frames:] if "heard, not" in frame)
    line.mend()
    finished(page, 2)
    again = [frame for frame in line.sent if "heard, not" in frame]
    assert len(again) >= 2
    assert set(again) == {first}
    expect(page.locator(".turn")).to_have_count(2)


def test_an_idle_page_notices_a_dead_connection(page: Page) -> None:
    line = Line(page)
    begin(page, "first")
    finished(page)
    opened = line.opened
    line.cut()
    expect(page.locator("#offline")).to_be_visible(timeout=NOTICED)
    line.mend()
    expect(page.locator("#offline")).to_be_hidden(timeout=NOTICED * 2)
    assert line.opened > opened


def test_a_thumb_into_a_dead_connection_counts_when_it_is_back(page: Page) -> None:
    line = Line(page)
    begin(page, "first")
    finished(page)
    line.cut()
    page.get_by_role("button", name="Good answer").click()
    expect(page.locator("#offline")).to_be_visible(timeout=NOTICED)
    line.mend()
    expect(page.get_by_role("button", name="Good answer")).to_have_attribute("aria-pressed", "true")


def test_a_conversation_that_was_deleted_elsewhere_hands_its_draft_on(page: Page) -> None:
    begin(page, "first")
    finished(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label("Rename or delete: first").click()
    other.get_by_text("Delete this conversation").click()
    other.get_by_role("button", name="Delete permanently").click()
    expect(other).to_have_url(re.compile(r"^[a-z]+://[^/]+/$"))
    page.get_by_label("Your question").fill("what I was about to ask")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#offline")).to_contain_text("can no longer be opened")
    page.locator("#offline").get_by_role("link", name="New conversation").click()
    expect(page.get_by_label("Your question")).to_have_value("what I was about to ask")
    other.close()


def test_a_paste_over_the_limit_is_kept_whole_and_not_sent(page: Page) -> None:
    begin(page, "first")
    finished(page)
    field = page.get_by_label("Your question")
    page.evaluate("navigator.clipboard.writeText('word '.repeat(500) + 'end')")
    field.focus()
    page.keyboard.press("Control+v")
    assert len(field.input_value()) == 2_503
    expect(page.locator(".over-limit")).to_contain_text("2,503 characters; the limit is 2,000. Please remove 503.")
    field.press("Enter")
    expect(page.locator(".turn--waiting")).to_have_count(0)
    assert len(field.input_value()) == 2_503
    field.fill("short enough")
    expect(page.locator(".over-limit")).to_have_count(0)
    field.press("Enter")
    finished(page, 2)


ENTER = "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true, %s})"


def test_an_enter_that_ends_a_composition_does_not_send(page: Page) -> None:
    begin(page, "first")
    finished(page)
    field = page.get_by_label("Your question")
    field.fill("にほ")
    for detail in ("isComposing: true", "keyCode: 229"):
        field.evaluate(f"field => field.dispatchEvent({ENTER % detail})")
    expect(field).to_have_value("にほ")
    field.press("Enter")
    finished(page, 2)
