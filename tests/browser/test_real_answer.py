"""The whole product in a browser, nothing scripted: words in, a grounded answer with its evidence out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.agent.language.model_server import Body, ModelServer, Say
from tests.browser.conftest import _manage
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


STUDY = """
from hybridchat.research.models import Arm, Study
made = Study.objects.create(
    slug="functions", title="A table", state="open", assistant="restaurants", quota=1, minimum_turns=2,
    instructions="Book a table.", completion_code="C0DE1234", questionnaire=[],
)
Arm.objects.create(study=made, name="functions", overrides={"system": "function-calling", "language": "small at %s"})
"""


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A server that speaks the protocol of language models, in the place of one."""
    server = ModelServer()
    yield server
    server.close()


def test_arm_that_calls_functions_answers_in_the_chat_and_books_nothing(
    real_page: Page, real_world: dict[str, str], model: ModelServer
) -> None:
    shown: list[str] = []

    def answer(body: Body) -> Say:
        """Search, name the first row; once asked to book, book it."""
        schema = body.get("response_format", {}).get("json_schema", {}).get("name")
        if schema:  # a task of the search: the query, what was understood
            return Say(json.dumps(TASKS[schema]))
        last = body["messages"][-1]
        if last["role"] == "tool":
            told = json.loads(last["content"])
            shown.extend(row["key"] for row in told.get("rows", ())[:1])
            return Say("It is booked." if told.get("done") else "**This one** would suit you.")
        if "book" in last["content"]:
            wanted = {"restaurant": shown[0], "date": a_friday(), "time": "19:00", "number_of_people": 2}
            return Say(calls=(("book_restaurant", wanted),))
        return Say(calls=(("search", {"question": "restaurants"}),))

    model.will(answer)
    _manage(["shell", "-c", STUDY % model.base_url], real_world)
    page = real_page
    page.goto("/study/functions/?PROLIFIC_PID=P1")
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_load_state()
    ask(page, "somewhere for two")
    answered(page)
    expect(page.locator(".turn").first).to_contain_text("This one would suit you.")
    ask(page, "please book it for next Friday at seven")
    answered(page, 2)
    expect(page.locator(".turn").nth(1)).to_contain_text("It is booked.")
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("#completion-code")).to_have_text("C0DE1234")
    with psycopg.connect(real_world["DATABASE_URL"]) as base:
        assert base.execute("SELECT count(*) FROM effects_reservation").fetchone() == (0,)
        (effects,) = base.execute("SELECT state->'effects' FROM chat_turn WHERE message LIKE 'please book%'").fetchall()
    assert effects[0][0]["result"]["simulated"] is True


def a_friday() -> str:
    """A Friday that tables can be booked for, on which the trattoria is open."""
    soon = date.today() + timedelta(days=7)
    return (soon + timedelta(days=(4 - soon.weekday()) % 7)).isoformat()


TRATTORIA = "SELECT * FROM restaurants WHERE name = 'Trattoria Sottovoce'"
TASKS = {
    "Query": {"thought": "", "suql": TRATTORIA, "presentation": "list", "problem": ""},
    "WantsFirst": {
        "thought": "", "begins": [], "questions": [{"words": "any", "tables": ["restaurants"]}],
        "chat": None, "reply": "", "ask": "",
    },
    "Words": {"text": "Here.", "sayings": [], "suggestions": []},
    "WordsAndSayings": {"text": "Here.", "sayings": [], "suggestions": []},
}  # fmt: skip
"""What the model says to each task but the conversation itself."""
