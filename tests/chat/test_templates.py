"""The templates, fed with made-up views: every state of a turn, and nothing that the policy or a reader minds."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.template.loader import render_to_string

from agent.record import Card
from hybridchat.chat.faces import BLANK
from hybridchat.chat.markup import reply_html, suql_html
from hybridchat.chat.presenting import _card_view
from hybridchat.chat.rendering import (
    CardView,
    ConstraintView,
    EvidenceView,
    FactView,
    FeedbackView,
    LinkView,
    PartView,
    ProgressView,
    QueryView,
    RatingView,
    SegmentView,
    StampView,
    StepView,
    TableView,
    TurnView,
    UsageView,
)
from hybridchat.chat.templatetags.page import merged, question_class, reasons, untold_facts, why_title

TURN = UUID("11111111-1111-4111-8111-111111111111")
HOSTILE = "<script>alert(1)</script>"
SQL = "SELECT name FROM restaurants WHERE answer(reviews, 'is it quiet?') = 'Yes' LIMIT 3"


def evidence(text: str, question: str = "is it quiet?", value: str = "Yes", supports: bool = True) -> EvidenceView:
    segments = (SegmentView("So ", False), SegmentView(text, True), SegmentView(".", False))
    return EvidenceView(question, value, segments, segments, supports, "Noor A.", "October 2026", "reviews")


def card(table: str = "restaurants", key: str = "pa-lucerna", **display: Any) -> CardView:
    return CardView(
        "Lucerna",
        table,
        key,
        {},
        {**BLANK, **display},
        (FactView("Parking", "behind the house"),),
        (evidence("quiet"),),
    )


def query(**changes: Any) -> QueryView:
    usual = QueryView(
        index=0,
        question="quiet places",
        description="restaurants that reviewers call quiet",
        parts=(PartView("restaurants that reviewers call ", False), PartView("quiet", True)),
        constraints=(ConstraintView('c"1', "quiet", 0),),
        suql=SQL,
        suql_html=suql_html(SQL),
        table="restaurants",
        presentation="list",
        steps=(StepView("Ask the reviews", "is it quiet?", 1, (FactView("Calls", "12"),)),),
        usage=UsageView(calls=12, cached=3, seconds=0.5),
        done=True,
    )
    return replace(usual, **changes)


def turn(**changes: Any) -> TurnView:
    text = changes.pop("text", "One place is **quiet**.")
    usual = TurnView(
        uuid=TURN,
        conversation=UUID("22222222-2222-4222-8222-222222222222"),
        position=1,
        message="somewhere quiet",
        status="done",
        created=datetime(2026, 11, 20, tzinfo=UTC),
        last_event=4,
        progress=ProgressView("Done"),
        queries=(query(cards=(card(),)),),
        reply_html=reply_html(text),
        reply_text=text,
        suggestions=("Something cheaper",),
        seconds=0.6,
    )
    return replace(usual, **changes)


LINKS = (
    LinkView("Website", "https://x.example", "out"),
    LinkView("Call", "tel:5550148", "phone", "555-0148"),
    LinkView("Map", "https://maps.example", "pin", "1 High Street"),
    LinkView("Desk 2, a@b.cd"),
)
STATES = {
    "received": turn(status="received", queries=(), text="", progress=ProgressView("One moment")),
    "executing": turn(
        status="executing", queries=(query(done=False),), progress=ProgressView("Looking", 3, 40), text=""
    ),
    "done": turn(),
    "nothing found": turn(queries=(query(),)),
    "relaxed": turn(queries=(query(cards=(card(),), relaxed=("quiet",)),), text="", status="executing"),
    "cut short": turn(queries=(query(cards=(card(),), complete=False, notes=("12 were not looked at.",)),)),
    "ran out": turn(queries=(query(complete=False),)),
    "a count": turn(queries=(query(grid=TableView(("Places",), (("12",),))),)),
    "a table": turn(queries=(query(grid=TableView(("City", "Places"), (("Palo Alto", "12"), ("Sunnyvale", "9")))),)),
    "two questions": turn(queries=(query(cards=(card(),)), query(index=1, question="and cheap ones"))),
    "many rows": turn(queries=(query(cards=tuple(card(key=f"p{n}") for n in range(9))),)),
    "more than shown": turn(queries=(query(cards=(card(),), total=90),)),
    "a stamp and a list": turn(queries=(query(cards=(card(stamp=StampView.of("CS 229", 6), listed=["Autumn"]),)),)),
    "a rating and badges": turn(
        queries=(query(cards=(card(rating=RatingView(4.2, 12, "ratings"), badges=["heated"], under=["cheap"]),)),)
    ),
    "an opening": turn(queries=(query(cards=(replace(card(above="Records", opening="File it."), evidence=()),)),)),
    "links": turn(queries=(query(cards=(card(links=LINKS),)),)),
    "failed": turn(status="failed", error="The model does not answer.", queries=(), text=""),
    "a failed query": turn(queries=(query(error="There is no such column."),)),
    "stopped": turn(status="stopped", text=""),
    "reasoned": turn(feedback=FeedbackView(-1, "", (("wrong", "Wrong results", True),), "with candles")),
    "rated": turn(feedback=FeedbackView(-1, "It was closed.")),
    "chat": turn(queries=(), text="You are welcome."),
}


class Reading(HTMLParser):
    """What a browser would make of it: the tags, their attributes, whether each one that opens is closed."""

    VOID = {"input", "img", "br", "hr", "meta", "link", "use", "path"}

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def rendered(view: TurnView, oob: bool = False) -> str:
    return render_to_string("chat/turn.html", {"turn": view, "oob": oob})


def test_of_several_questions_those_head_their_rows_that_have_any() -> None:
    told = query(question="how many are there", grid=TableView(("Count",), (("5",),)))  # which the answer tells
    shown = query(index=1, question="which is the cheapest", cards=(card(),))
    html = rendered(turn(queries=(told, shown)))
    assert re.findall(r'<div class="found__group">\s*<h3 class="found__title">([^<]+)</h3>', html) == [
        "Which is the cheapest"
    ]
    running = rendered(turn(queries=(query(question="how many", done=False), shown), status="executing"))
    assert "How many</h3>" in running


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_well_formed_with_ids_that_occur_once(state: str) -> None:
    reading = Reading(rendered(STATES[state]))
    assert reading.open == []
    ids = [attributes["id"] for _, attributes in reading.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("state", STATES)
def test_no_state_holds_what_the_policy_blocks(state: str) -> None:
    for tag, attributes in Reading(rendered(STATES[state])).tags:
        assert tag not in ("script", "style", "iframe")
        assert not [name for name in attributes if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("state", STATES)
def test_every_button_says_something_and_what_it_sends_is_json(state: str) -> None:
    html = rendered(STATES[state])
    for tag, attributes in Reading(html).tags:
        if "hx-vals" in attributes:
            assert json.loads(attributes["hx-vals"] or "")["type"] in ("stop", "send", "retry", "without", "feedback")
        if tag == "button":
            assert attributes.get("type") in ("button", "submit")
    for label, words in re.findall(r"<button([^>]*)>(.*?)</button>", html, re.S):
        assert "aria-label" in label or re.sub(r"<[^>]+>|\s", "", words)


def test_the_regions_have_the_ids_that_fragments_replace() -> None:
    html = rendered(turn(), oob=True)
    for region in ("turn", "searched", "status", "text", "rows", "foot"):
        assert f'id="{region}-{TURN}"' in html
    assert html.count("hx-swap-oob") == 1


@pytest.mark.parametrize("region", ["searched", "status", "text", "rows", "foot"])
def test_a_fragment_is_one_element_that_replaces_its_like(region: str) -> None:
    view = turn()
    context = {"turn": view, "progress": view.progress, "oob": True}
    tag, attributes = Reading(render_to_string(f"chat/_turn_{region}.html", context)).tags[0]
    assert tag == "div"
    assert (attributes["id"], attributes["hx-swap-oob"]) == (f"{region}-{TURN}", "true")


def test_what_a_button_asked_is_not_shown_as_typed() -> None:
    pressed = rendered(turn(message="Search again without “quiet”", pressed=True))
    assert re.search(r'<h2 class="question question--pressed"[^>]*><span class="unseen">You chose: </span>', pressed)
    assert "question--pressed" not in rendered(turn())


def test_what_is_asked_stands_under_the_words_that_ask_it() -> None:
    html = rendered(turn(replies=("Yes", "No")))
    assert html.index("One place is") < html.index('aria-label="Answers to choose from"') < html.index("card__body")


def test_cards_that_answer_two_questions_stand_under_neither() -> None:
    both = (query(question="is it open", cards=(card(),), shared=True), query(index=1, question="is it loud"))
    html = rendered(turn(queries=both))
    assert not re.search(r'<div class="found__group">\s*<h3', html)
    assert html.count('data-card="pa-lucerna"') == 1


def test_a_comment_that_was_sent_is_thanked_for_and_kept_to_be_changed() -> None:
    html = rendered(STATES["rated"])
    assert "Thank you. Your comment is saved." in html
    assert 'enterkeyhint="send">It was closed.</textarea>' in html
    assert "What was wrong?" in rendered(turn(feedback=FeedbackView(-1)))


def test_reasons_are_ticked_and_what_was_meant_is_told() -> None:
    html = rendered(STATES["reasoned"])
    assert re.search(r'name="reasons" value="wrong" checked', html)
    assert "You meant: “with candles”" in html
    assert "Thank you. Your comment is saved." in html


def test_the_hours_of_the_day_that_was_asked_about_come_first() -> None:
    sunday = replace(card(links=[LinkView("Opens today at 5:00 pm", tone="shut")]), asked_hours="closed on Sunday")
    html = rendered(turn(queries=(query(cards=(sunday,)),)))
    assert html.index("Closed on Sunday") < html.index("Opens today at 5:00 pm")


def test_a_panel_says_what_is_still_needed_and_leaves_out_what_is_optional() -> None:
    optional = {"type": "worksheet", "label": "second course", "required": False, "nested": []}
    needed = optional | {"label": "student", "required": True}
    sheet = {"instance": "main_1", "title": "enrollment", "status": "active", "fields": [optional, needed]}
    html = render_to_string("chat/_sheets.html", {"sheets": [sheet | {"progress": {"done": 3, "left": 4}}]})
    assert "4 still needed" in html
    assert '<progress max="7" value="3"' in html
    assert "Student" in html
    assert "Second course" not in html
    done = render_to_string("chat/_sheets.html", {"sheets": [sheet | {"progress": {"done": 7, "left": 0}}]})
    assert "nothing else is needed" in done


def test_what_was_searched_for_is_a_sentence_with_its_pieces_emphasised() -> None:
    html = rendered(turn())
    assert "I searched for restaurants that reviewers call <b>quiet</b>." in html


def test_a_chip_sends_its_identifier_unharmed() -> None:
    sent = [json.loads(found["hx-vals"] or "") for _, found in Reading(rendered(turn())).tags if "hx-vals" in found]
    assert {"type": "without", "turn": str(TURN), "query": "0", "constraint": 'c"1'} in sent


def test_hostile_words_are_escaped_everywhere() -> None:
    hostile = turn(
        message=HOSTILE,
        text=HOSTILE,
        suggestions=(HOSTILE,),
        feedback=FeedbackView(1, HOSTILE),
        queries=(
            query(
                question=HOSTILE,
                parts=(PartView(HOSTILE, True),),
                constraints=(ConstraintView(HOSTILE, HOSTILE, 0),),
                cards=(
                    replace(
                        card(
                            above=HOSTILE,
                            under=[HOSTILE],
                            badges=[HOSTILE],
                            listed=[HOSTILE],
                            lines=[(HOSTILE, HOSTILE)],
                            opening=HOSTILE,
                            links=[LinkView(HOSTILE, "https://x.example/" + HOSTILE, "out", HOSTILE)],
                        ),
                        title=HOSTILE,
                        facts=(FactView(HOSTILE, HOSTILE),),
                        evidence=(evidence(HOSTILE, question=HOSTILE),),
                    ),
                ),
                grid=TableView((HOSTILE,), ((HOSTILE,), (HOSTILE,))),
                relaxed=(HOSTILE,),
                notes=(HOSTILE,),
                steps=(StepView(HOSTILE, HOSTILE, 0, (FactView(HOSTILE, HOSTILE),)),),
                suql_html=suql_html(f"SELECT '{HOSTILE}'"),
                complete=False,
            ),
        ),
    )
    assert "<script" not in rendered(hostile)
    assert "<script" not in render_to_string("chat/_announcement.html", {"turn": hostile})
    assert "<script" not in render_to_string(
        "chat/_refusal.html", {"problem": HOSTILE, "message": HOSTILE, "oob": True}
    )


def test_chips_wait_while_the_turn_runs() -> None:
    running = rendered(STATES["executing"])
    assert re.search(r"<button[^>]+Search again without[^>]+disabled", running)
    assert not re.search(r"<button[^>]+Search again without[^>]+disabled", rendered(turn()))


def test_progress_is_a_bar_only_where_it_can_be_counted() -> None:
    assert '<progress value="3" max="40"' in rendered(STATES["executing"])
    assert "<progress" not in rendered(STATES["received"])


def test_the_composer_offers_stop_while_a_turn_runs() -> None:
    running = render_to_string("chat/_composer.html", {"running": STATES["executing"], "oob": True})
    assert "Stop" in running
    assert 'aria-label="Send"' in render_to_string("chat/_composer.html", {"running": None, "oob": True})


def test_an_announcement_is_words_alone() -> None:
    html = render_to_string("chat/_announcement.html", {"turn": turn()})
    assert "One place is quiet." in html
    assert "**" not in html
    assert "Lucerna" in html


def test_rows_beyond_the_sixth_are_folded_away() -> None:
    assert "Show 3 more" in rendered(STATES["many rows"])


def test_a_long_result_says_how_long_it_is() -> None:
    assert "These are the first 1 of 90." in rendered(STATES["more than shown"])
    assert "These are the first" not in rendered(STATES["done"])
    assert "These are the first" not in rendered(turn(queries=(query(cards=(card(),), total=2, above=1),)))


def test_reasons_are_by_question_with_those_who_agree_and_disagree() -> None:
    quotes = (
        evidence("loud", supports=False),
        evidence("quiet"),
        evidence("hushed"),
        evidence("cheap", question="is it cheap?"),
        evidence("calm"),
    )
    quiet, cheap = reasons(replace(card(), evidence=quotes))
    assert (quiet.question, cheap.question) == ("is it quiet?", "is it cheap?")
    assert quiet.lead is quotes[1]
    assert quiet.summary == "2 more that say so, 1 disagrees"
    assert not cheap.opens


def test_an_answer_is_told_once_with_the_words_it_rests_on() -> None:
    told = replace(card(), evidence=(evidence("until ten", "when does it close?", "22:00"),))
    asked = replace(told, facts=(FactView("Answer", "22:00"), FactView("Parking", "behind the house")))
    assert [fact.label for fact in untold_facts(asked)] == ["Parking"]
    assert (why_title(asked), why_title(card())) == ("Where it says so", "Why this matched")
    silent = replace(card(), evidence=(evidence("we walked", "is there parking?", ""),))
    assert why_title(silent) == "What comes nearest"


def test_a_no_is_no_match_and_looks_unlike_a_yes() -> None:
    denied = replace(card(), evidence=(evidence("by street only", "is there parking?", "No"),))
    asked = rendered(turn(queries=(query(cards=(denied,), presentation="detail"),)))
    assert "Where it says so</h4>" in asked
    assert '<b class="why__value why__value--no">No</b>' in asked
    searched = rendered(turn())
    assert "Why this matched</h4>" in searched
    assert '<b class="why__value">Yes</b>' in searched


def test_the_words_of_a_quote_are_not_repeated_as_its_value() -> None:
    verbatim = replace(card(), evidence=(evidence("open until ten", "when does it close?", "until ten"),))
    assert reasons(verbatim)[0].value == ""
    assert reasons(card())[0].value == "Yes"


def test_of_a_row_selected_whole_the_facts_are_what_was_asked_besides() -> None:
    columns = ("title", "grading", "level")
    shown = {("courses", "CS 8"): {**BLANK, "every": frozenset(columns)}}
    row = {**dict.fromkeys(columns, "x"), "workload": "heavy"}
    whole = _card_view(Card(values=row, key="CS 8", table="courses"), shown)
    asked = _card_view(Card(values={"title": "x", "grading": "letter"}, key="CS 8", table="courses"), shown)
    assert [fact.label for fact in whole.facts] == ["Workload"]
    assert "Grading" in [fact.label for fact in asked.facts]


def test_that_nothing_was_found_is_left_to_the_answer_and_running_out_of_time_is_told() -> None:
    assert "found__group" not in rendered(STATES["nothing found"])
    assert "Try again to continue from where it stopped." in rendered(STATES["ran out"])


def test_a_single_figure_is_shown_unless_the_reply_says_it() -> None:
    count = (query(grid=TableView(("Places",), (("12",),))),)
    assert "figure" in rendered(turn(queries=count, text="Here it is."))
    assert "figure" not in rendered(turn(queries=count, text="There are 12."))


def test_rows_of_one_thing_are_one_card() -> None:
    other = replace(card(), evidence=(evidence("calm"),), facts=(FactView("Season", "winter"),))
    one, different = merged((card(), card(key="pa-moro"), other))
    assert (one.key, different.key) == ("pa-lucerna", "pa-moro")
    assert [quote.excerpt[1].text for quote in one.evidence] == ["quiet", "calm"]
    assert [fact.label for fact in one.facts] == ["Parking", "Season"]


@pytest.mark.parametrize(
    ("length", "size"), [(20, "question"), (150, "question question--long"), (500, "question question--essay")]
)
def test_a_long_question_is_set_smaller(length: int, size: str) -> None:
    assert question_class("x" * length) == size


def test_the_pages_hold_no_inline_script_or_style() -> None:
    for template in (settings.BASE_DIR / "templates").rglob("*.html"):
        source = template.read_text()
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=", source), template.name


def test_every_icon_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="([a-z]+)"', (settings.BASE_DIR / "static/img/icons.svg").read_text()))
    used = {link.icon for link in LINKS if link.icon}
    for folder in ("templates", "hybridchat/effects/templates"):
        for template in (settings.BASE_DIR / folder).rglob("*.html"):
            used |= set(re.findall(r'{% icon "([a-z]+)" %}', template.read_text()))
    assert used == drawn


def test_what_is_vendored_stands_beside_its_licence() -> None:
    vendored = settings.BASE_DIR / "static" / "vendor"
    for script in vendored.glob("*.js"):
        name = re.sub(r"-\d+\.\d+\.\d+\.min\.js$", "", script.name)
        assert (vendored / f"{name}.LICENSE").exists()
        assert script.name in (settings.BASE_DIR / "templates" / "base.html").read_text()
        assert hashlib.sha256(script.read_bytes()).hexdigest() in (vendored / "README.md").read_text()
