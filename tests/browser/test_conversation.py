"""What a person does in a conversation, in a real browser over a real websocket."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

# What a lost network does to the open connection: `set_offline` only keeps new ones from being made.
CUT = "document.querySelector('[ws-connect]')['htmx-internal-data'].webSocket.socket.close(4000)"


def ask(page: Page, words: str) -> None:
    """Type a question and send it."""
    page.get_by_label("Your question").fill(words)
    page.get_by_label("Your question").press("Enter")


def begin(page: Page, words: str) -> None:
    """A new conversation with its first question."""
    page.goto("/")
    ask(page, words)
    expect(page).to_have_url(re.compile(r"/c/[0-9a-f-]{36}/"))


def finished(page: Page, number: int = 1) -> None:
    """Wait until answer `number` is complete."""
    expect(page.get_by_role("button", name="Good answer")).to_have_count(number)


def test_the_first_screen_says_what_this_is_and_offers_three_assistants(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(3)
    page.get_by_role("radio", name=re.compile("Courses")).check()
    visible = page.locator(".examples:visible")
    expect(visible).to_have_count(1)
    expect(visible).to_have_attribute("data-examples", "courses")


def test_an_example_starts_a_conversation(page: Page) -> None:
    page.goto("/")
    example = page.locator(".examples:visible button").first
    words = example.inner_text()
    example.click()
    expect(page.locator(".question__words")).to_have_text(words)
    finished(page)


def test_a_question_gets_what_was_searched_for_chips_cards_and_words(page: Page) -> None:
    begin(page, "somewhere romantic rows=3")
    finished(page)
    expect(page.locator(".searched")).to_contain_text("I searched for restaurants in Palo Alto")
    expect(page.locator(".searched b").first).to_contain_text("Palo Alto")
    expect(page.locator(".chip")).to_contain_text(["Palo Alto", "romantic"])
    expect(page.locator(".card")).to_have_count(3)
    expect(page.locator(".said strong")).to_have_text("3")
    picture = page.locator(".card img").first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("picture => picture.naturalWidth") == 320


def test_a_card_links_to_the_phone_and_the_map(page: Page) -> None:
    begin(page, "somewhere rows=1")
    finished(page)
    card = page.locator(".card").first
    expect(card.get_by_role("link", name=re.compile("^Call"))).to_have_attribute("href", re.compile(r"^tel:\d+"))
    expect(card.get_by_role("link", name=re.compile("^Map"))).to_have_attribute("href", re.compile("openstreetmap"))


def test_the_evidence_is_marked_and_opens_to_those_who_agree_and_disagree(page: Page) -> None:
    begin(page, "somewhere rows=1")
    finished(page)
    why = page.locator(".why")
    expect(why.locator("mark").first).to_have_text(
        "It was the most romantic evening of the year, and nobody hurried us."
    )
    expect(why.locator(".quote footer").first).to_have_text("Noor A., October 2026")
    more = why.locator("summary")
    expect(more).to_have_text(re.compile("1 more that says so, 1 disagrees"))
    expect(why.get_by_text("We got engaged")).to_be_hidden()
    more.click()
    expect(why.get_by_text("We got engaged")).to_be_visible()
    expect(why.locator(".quote--against mark")).to_contain_text("so loud that we left")


def test_how_it_searched_shows_the_query(page: Page) -> None:
    begin(page, "somewhere rows=1")
    finished(page)
    page.get_by_text("How I searched").click()
    expect(page.locator(".sql .k").first).to_have_text("SELECT")
    expect(page.locator(".sql .f")).to_have_text("answer")


def test_removing_a_chip_searches_again_without_it(page: Page) -> None:
    begin(page, "somewhere romantic")
    finished(page)
    page.get_by_role("button", name="Search again without “romantic”").click()
    finished(page, 2)
    expect(page.locator(".turn").nth(1).locator(".question--pressed")).to_contain_text("romantic")
    expect(page.get_by_role("heading", name="You chose: Search again without “romantic”")).to_be_visible()


def test_a_follow_up_is_the_next_turn_and_suggestions_send(page: Page) -> None:
    begin(page, "first")
    finished(page)
    ask(page, "second")
    finished(page, 2)
    page.get_by_role("button", name="Something cheaper").last.click()
    finished(page, 3)
    expect(page.locator(".question__words")).to_have_text(["first", "second", "Something cheaper"])


def test_rows_arrive_while_it_works_and_stop_keeps_them(page: Page) -> None:
    begin(page, "slow rows=40")
    expect(page.locator(".status")).to_contain_text(re.compile(r"Looking at \d+ of 40 restaurants"))
    expect(page.locator(".card:not(.card--bone)").nth(1)).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".status")).to_contain_text("Stopped")
    assert 2 <= page.locator(".card:not(.card--bone)").count() < 40
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def test_a_reload_in_the_middle_goes_on_where_it_was(page: Page) -> None:
    begin(page, "slow rows=8")
    expect(page.locator(".card:not(.card--bone)").first).to_be_visible()
    page.reload()
    expect(page.locator(".turn")).to_have_count(1)
    finished(page)
    expect(page.locator(".said")).to_contain_text("Found 8 places")
    expect(page.locator(".turn")).to_have_count(1)


def test_what_was_opened_stays_open_while_rows_arrive(page: Page) -> None:
    begin(page, "slow rows=8")
    page.locator(".more summary").first.click()
    expect(page.locator(".card:not(.card--bone)").nth(4)).to_be_visible()
    expect(page.locator(".more").first).to_have_attribute("open", "")
    finished(page)
    expect(page.locator(".more").first).to_have_attribute("open", "")


def test_two_tabs_of_one_person_show_the_same(page: Page) -> None:
    begin(page, "first")
    finished(page)
    other = page.context.new_page()
    other.goto(page.url)
    ask(page, "asked in the first tab")
    finished(other, 2)
    expect(other.locator(".question__words").nth(1)).to_have_text("asked in the first tab")
    other.close()


def test_a_question_asked_without_a_connection_is_sent_when_it_is_back(page: Page) -> None:
    begin(page, "first")
    finished(page)
    page.context.set_offline(True)
    page.evaluate(CUT)
    expect(page.locator("#offline")).to_be_visible()
    ask(page, "asked offline")
    expect(page.locator(".turn--waiting .question__words")).to_have_text("asked offline")
    page.context.set_offline(False)
    finished(page, 2)
    expect(page.locator(".question__words")).to_have_text(["first", "asked offline"])
    expect(page.locator("#offline")).to_be_hidden()


def test_a_question_that_a_reload_interrupted_is_asked_once(page: Page) -> None:
    begin(page, "first")
    finished(page)
    page.context.set_offline(True)
    page.evaluate(CUT)
    expect(page.locator("#offline")).to_be_visible()
    ask(page, "asked offline")
    expect(page.locator(".turn--waiting")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    finished(page, 2)
    page.reload()
    expect(page.locator(".question__words")).to_have_text(["first", "asked offline"])


def test_reconnects_that_fall_together_make_one_connection(page: Page) -> None:
    opened: list[str] = []
    begin(page, "first")
    finished(page)
    page.context.set_offline(True)
    page.evaluate(CUT)
    expect(page.locator("#offline")).to_be_visible()
    ask(page, "asked offline")
    page.on("websocket", lambda socket: opened.append(socket.url))
    page.context.set_offline(False)
    page.evaluate("for (let i = 0; i < 3; i++) window.dispatchEvent(new Event('online'))")
    finished(page, 2)
    expect(page.locator(".question__words")).to_have_text(["first", "asked offline"])
    assert len(opened) >= 3


def test_a_failure_says_what_happened_and_offers_another_try(page: Page) -> None:
    begin(page, "fail")
    trouble = page.locator(".trouble")
    expect(trouble).to_contain_text("The language model does not answer")
    expect(trouble.get_by_role("button", name="Try again")).to_be_visible()


def test_nothing_found_is_said_plainly(page: Page) -> None:
    begin(page, "rows=0")
    finished(page)
    expect(page.locator(".said")).to_contain_text("Found 0 places")
    expect(page.locator(".found")).to_be_hidden()


def test_a_thumb_can_be_given_a_comment_and_taken_back(page: Page) -> None:
    begin(page, "first")
    finished(page)
    bad = page.get_by_role("button", name="Bad answer")
    bad.click()
    expect(bad).to_have_attribute("aria-pressed", "true")
    page.get_by_label("In your own words").fill("It was closed.")
    page.locator(".comment").get_by_role("button").click()
    expect(page.locator(".comment")).to_contain_text("Your comment is saved.")
    page.reload()
    expect(page.locator(".comment")).to_contain_text("Your comment is saved.")
    page.get_by_text("View or edit").click()
    expect(page.get_by_label("In your own words")).to_have_value("It was closed.")
    bad.click()
    expect(bad).to_have_attribute("aria-pressed", "false")


def test_enter_sends_a_comment_and_the_focus_goes_to_its_thanks(page: Page) -> None:
    begin(page, "first")
    finished(page)
    page.get_by_role("button", name="Bad answer").click()
    comment = page.get_by_label("In your own words")
    expect(comment).to_be_in_viewport(ratio=1)
    comment.press_sequentially("It was closed.")
    comment.press("Shift+Enter")
    comment.press_sequentially("And far.")
    comment.press("Enter")
    expect(page.locator(".comment__thanks")).to_be_focused()
    page.get_by_text("View or edit").click()
    kept = page.get_by_label("In your own words")
    expect(kept).to_have_value("It was closed.\nAnd far.")
    kept.fill("It was open.")
    kept.press("Control+Enter")
    expect(page.locator(".comment__thanks")).to_be_focused()
    expect(kept).to_have_value("It was open.")


def test_a_refused_message_leaves_what_is_being_answered_in_view(page: Page) -> None:
    begin(page, "first rows=6")
    finished(page)
    ask(page, "slow rows=40")
    expect(page.locator(".turn[data-running] .card:not(.card--bone)").nth(2)).to_be_visible()
    page.locator("#turns").evaluate("turns => turns.lastElementChild.querySelector('.card').scrollIntoView()")
    ask(page, "another")
    expect(page.locator("#refusal")).to_contain_text("still working on your last message")
    expect(page.locator(".turn[data-running] .question")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Your question")).to_have_value("another")
    page.get_by_role("button", name="Stop").click()


def test_copy_puts_the_answer_on_the_clipboard(page: Page) -> None:
    begin(page, "first")
    finished(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert "Found" in page.evaluate("navigator.clipboard.readText()")


def test_hostile_words_are_words_wherever_they_come_from(page: Page) -> None:
    hostile = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    begin(page, f"{hostile} rows=2")
    finished(page)
    expect(page.locator(".question__words")).to_contain_text("<script>")
    expect(page.locator(".facts")).to_contain_text(["<img src=x", "Indeed"])
    page.locator(".more summary").first.click()
    expect(page.locator("#turns img[src='x']")).to_have_count(0)
    expect(page.locator("#turns script")).to_have_count(0)
    ask(page, hostile)
    finished(page, 2)
    page.reload()
    assert "owned" not in page.title().replace(hostile[:80], "").replace("document.title='owned'", "")
