"""What reaches a page: markup, evidence, hours, progress, cards."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from html import escape
from typing import Any
from uuid import uuid4

import pytest

from agent.language import Conversation, Parsed, Question, Reply
from agent.record import Card, Constraint, Outcome, Query, TurnState
from agent.worksheets.acts import Act, ActKind
from corpora import descriptions
from corpora.catalogue.cards import Place
from corpora.catalogue.said import ColumnSaid, CorpusSaid, TableSaid
from corpora.models import Article, Course, Offering, Program, Rating, Restaurant
from hybridchat.chat import leases, selectors
from hybridchat.chat.display import displays
from hybridchat.chat.evidence import evidence_views
from hybridchat.chat.faces import BLANK
from hybridchat.chat.hours import hours_today
from hybridchat.chat.markup import prose_html, reply_html, suql_html
from hybridchat.chat.models import Turn
from hybridchat.chat.presenting import (
    MOST_SHOWN,
    _asked_days,
    _beside_card,
    _card_view,
    _step_views,
    turn_views,
    written,
)
from hybridchat.chat.rendering import LinkView, RatingView, TurnView
from hybridchat.chat.templatetags.page import merged
from tests.chat import fakes


def view(turn: Turn) -> TurnView:
    return turn_views(selectors.turns_of(turn.conversation))[0]


# -- markup


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Two **places**", "<p>Two <strong>places</strong></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("one\ntwo", "<p>one<br>\ntwo</p>"),
    ],
)
def test_a_reply_becomes_html_that_is_safe(text: str, html: str) -> None:
    assert reply_html(text).strip() == html


def test_a_reply_brings_no_image_and_no_foreign_window() -> None:
    assert "<img" not in reply_html("![x](https://example.org/a.png)")
    assert "<a " not in reply_html("[x](https://example.org) <https://example.org>")


def test_what_the_staff_wrote_may_link_to_the_web_only() -> None:
    assert 'rel="noopener noreferrer nofollow"' in prose_html("[x](https://example.org)")
    assert "<strong>solved</strong>" in prose_html("It is **solved**.")
    for link in ("javascript:alert(1)", "data:text/html,x", "vbscript:x"):
        assert "href" not in prose_html(f"[x]({link})")


@pytest.mark.parametrize(
    "name",
    [
        "Five* Stars [Menu](http://menu.example) *Bar*",
        "**Bold**",
        "snake_case_ and _this_",
        "`Code` & <b>tags</b>",
        "C | D",
        "&lt;Amp&gt;",
        "1. First",
        "# Heading",
        "Two\nlines",
        "back\\*slash",
    ],
)
def test_a_name_in_a_reply_is_shown_as_it_is_written(name: str) -> None:
    shown = escape(name).replace("\n", "<br>")
    assert reply_html(f"The best is **{name}**.", [name]) == f"<p>The best is <strong>{shown}</strong>.</p>\n"
    assert f"“{shown}”" in reply_html(f"You wrote “{name}”.")
    assert reply_html(name, [name]) == f"<p>{shown}</p>\n"


def test_a_name_within_a_quotation_is_shown_as_it_is_written() -> None:
    assert "“a *b* c_d_”" in reply_html("“a *b* c_d_”", ["*b*"])


def test_signs_alone_are_no_name_and_held_numbers_cannot_be_forged() -> None:
    assert reply_html("Two **places**", ["**"]) == "<p>Two <strong>places</strong></p>\n"
    assert reply_html("\ue0000\ue001 *x* *y*", ["*z*\ue0000\ue001"]) == "<p>0 <em>x</em> <em>y</em></p>\n"


@pytest.mark.django_db
def test_the_rows_and_the_message_of_a_turn_are_no_markup_in_its_reply() -> None:
    name = "Five* Stars [Menu](http://menu.example) *Bar*"
    question = Question(words="x")
    rows = (Card(values={"name": name, "dish": "_soup_ of the day"}, title=name),)
    state = TurnState(
        message="say *this*",
        conversation=Conversation(assistant="restaurants", tables=(), now=datetime.now(UTC)),
        outcomes=(Outcome(query=Query(question=question, parsed=Parsed(suql="SELECT 1")), rows=rows),),
        reply=Reply(text=f"For say *this*, **{name}** has _soup_ of the day."),
    )
    turn = Turn(id=uuid4(), position=1, message="say *this*", status="done", state=state.model_dump(mode="json"))
    shown = turn_views([turn])[0].reply_html
    assert shown == f"<p>For say *this*, <strong>{name}</strong> has _soup_ of the day.</p>\n"


def test_a_query_is_laid_out_and_highlighted_and_escaped() -> None:
    html = suql_html(
        "SELECT name FROM restaurants WHERE answer(reviews, '<b>ok?') = 'Yes' ORDER BY rating DESC LIMIT 3"
    )
    assert '<span class="f">answer</span>' in html
    assert '<span class="s">&#x27;&lt;b&gt;ok?&#x27;</span>' in html
    assert '<span class="k">ORDER BY</span>' in html
    assert '<span class="n">3</span>' in html
    assert "\n" in html
    assert '<span class="k">name' not in html


def test_a_query_that_does_not_parse_is_shown_all_the_same() -> None:
    assert "SELEC" in suql_html("SELEC 'x <")


# -- evidence


def evidence(text: str, *marked: str, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "question": "q",
            "value": "Yes",
            "text": text,
            "start": text.index(one),
            "stop": text.index(one) + len(one),
            **more,
        }
        for one in marked
    ]


def test_deciding_words_are_marked_and_nothing_else_changes() -> None:
    text = "Lovely room. Candles everywhere. Slow bar."
    (one,) = evidence_views(evidence(text, "Candles everywhere."))
    assert "".join(segment.text for segment in one.whole) == text
    assert [segment.text for segment in one.whole if segment.marked] == ["Candles everywhere."]


def test_spans_of_one_text_are_one_quotation_and_overlaps_one_mark() -> None:
    text = "Candles, a fiddler, and a garden."
    (one,) = evidence_views(evidence(text, "Candles, a", "a fiddler", "garden"))
    assert [segment.text for segment in one.whole if segment.marked] == ["Candles, a fiddler", "garden"]


def test_a_long_text_is_shortened_around_what_decided_without_cutting_words() -> None:
    text = "A sentence before. " * 20 + "The decisive words. " + "A sentence after. " * 20
    (one,) = evidence_views(evidence(text, "The decisive words."))
    shown = "".join(segment.text for segment in one.excerpt)
    assert one.shortened
    assert shown.startswith("… A sentence before.")
    assert shown.endswith(". …")
    assert "The decisive words." in shown
    assert len(shown) < 300


def test_those_who_disagree_are_told_apart() -> None:
    for_it = evidence("Quiet.", "Quiet.", label="Noor A.", dated="2026-10-03")
    against = evidence("Loud.", "Loud.", stance="against")
    first, second = evidence_views([*for_it, *against])
    assert (first.supports, first.label, first.dated) == (True, "Noor A.", "October 2026")
    assert not second.supports


def test_spans_beyond_the_text_do_no_harm() -> None:
    (one,) = evidence_views([{"question": "q", "value": None, "text": "Short.", "start": -3, "stop": 99}])
    assert [segment.text for segment in one.whole] == ["Short."]
    (empty,) = evidence_views([{"question": "q", "value": None, "text": "", "start": 0, "stop": 0}])
    assert empty.whole == ()


# -- hours

WEEK = {"fri": [["11:00", "14:30"], ["17:00", "01:00"]], "sat": [["17:00", "24:00"]], "sun": [["00:00", "02:00"]]}


@pytest.mark.parametrize(
    ("moment", "open_now", "words"),
    [
        ("2026-11-20T12:00", True, "Open until 2:30 pm"),
        ("2026-11-20T14:30", False, "Opens today at 5:00 pm"),
        ("2026-11-20T23:59", True, "Open until 1:00 am"),
        ("2026-11-21T00:30", True, "Open until 1:00 am"),  # Friday's last stretch
        ("2026-11-21T01:00", False, "Opens today at 5:00 pm"),
        ("2026-11-21T20:00", True, "Open until 2:00 am"),  # Saturday's and Sunday's are one evening
        ("2026-11-22T09:00", False, "Closed now, opens Friday at 11:00 am"),
        ("2026-11-19T23:00", False, "Closed now, opens tomorrow at 11:00 am"),
    ],
)
def test_hours_are_told_as_a_visitor_wants_to_hear_them(moment: str, open_now: bool, words: str) -> None:
    today = hours_today(WEEK, datetime.fromisoformat(moment))
    assert (today.open_now, today.words) == (open_now, words)


def test_unknown_hours_are_not_closed() -> None:
    now = datetime(2026, 11, 20)
    assert hours_today(None, now).open_now is None
    assert hours_today({}, now).open_now is False


# -- values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (True, "yes"),
        (4.50, "4.5"),
        (3, "3"),
        (12345.678, "12,345.68"),
        (["a", "b"], "a, b"),
        ({"mon": [["11:00", "14:00"]]}, "mon: 11:00, 14:00"),
        (date(2026, 11, 20), "November 20, 2026"),
    ],
)
def test_values_are_written_for_people(value: Any, text: str) -> None:
    assert written(value) == text


# -- turns


def row(turn: Turn, number: int, position: int) -> None:
    card = fakes.card(number).model_dump(mode="json")
    leases.append_event(turn.pk, "me", "row", {"query": 0, "position": position, "card": card})


def parsed(turn: Turn) -> None:
    query = fakes.query_for(turn.message).model_dump(mode="json")
    leases.append_event(turn.pk, "me", "parsed", {"queries": [query]})


def test_a_running_turn_shows_its_rows_in_their_places(held: Turn) -> None:
    parsed(held)
    row(held, 1, 1)
    row(held, 0, 0)
    shown = view(held)
    assert [card.title for card in shown.queries[0].cards] == ["Place 0", "Place 1"]
    assert not shown.queries[0].done
    assert not shown.queries[0].empty
    assert shown.running


def test_a_fresh_attempt_begins_with_no_rows(held: Turn) -> None:
    parsed(held)
    row(held, 0, 0)
    leases.append_event(held.pk, "me", "resumed", {"step": "executing", "attempt": 2})
    assert view(held).queries[0].cards == ()


def test_a_stopped_turn_keeps_what_was_found(held: Turn) -> None:
    parsed(held)
    row(held, 0, 0)
    Turn.objects.filter(pk=held.pk).update(stop_requested=True)
    leases.stop(held.pk, "me")
    shown = view(held)
    assert shown.stopped
    assert len(shown.queries[0].cards) == 1


def test_what_a_question_awaited_has_one_card(held: Turn) -> None:
    first = fakes.query_for("the best place")
    question = Question(words="is it open on Sunday?", following="the best place", awaits=True)
    second = first.model_copy(update={"question": question})
    queries = [query.model_dump(mode="json") for query in (first, second)]
    leases.append_event(held.pk, "me", "parsed", {"queries": queries})
    plain = fakes.card(0).model_copy(update={"evidence": ()})
    for query, card in ((0, fakes.card(0)), (1, plain), (1, fakes.card(1))):
        payload = {"query": query, "position": int(card.key == "place-1"), "card": card.model_dump(mode="json")}
        leases.append_event(held.pk, "me", "row", payload)
    shown = view(held)
    assert [card.title for card in shown.queries[0].cards] == ["Place 0"]
    assert [card.title for card in shown.queries[1].cards] == ["Place 1"]
    assert (shown.queries[1].total, shown.queries[1].above) == (2, 1)
    assert not replace(shown.queries[1], cards=(), done=True).empty  # found, and shown above


def asked_twice(held: Turn, presentation: str, found: tuple[int, ...], then: tuple[int, ...]) -> TurnView:
    """Two questions, of which one found the places `found`, and the other, of a `presentation`, the places `then`."""
    first = fakes.query_for("is it open")
    parsed = first.parsed.model_copy(update={"presentation": presentation})
    second = first.model_copy(update={"parsed": parsed})
    queries = [query.model_dump(mode="json") for query in (first, second)]
    leases.append_event(held.pk, "me", "parsed", {"queries": queries})
    for query, places in enumerate((found, then)):
        for position, number in enumerate(places):
            card = fakes.card(number)
            evidence = tuple({**item, "question": f"question {query}"} for item in card.evidence)
            card = card.model_copy(update={"evidence": evidence})
            payload = {"query": query, "position": position, "card": card.model_dump(mode="json")}
            leases.append_event(held.pk, "me", "row", payload)
    return view(held)


@pytest.mark.parametrize(
    ("presentation", "then", "shared"),
    [("list", (1, 0), True), ("detail", (0,), True), ("list", (0,), False), ("detail", (0, 2), False)],
)
def test_two_questions_of_the_same_things_have_one_card_for_each(
    held: Turn, presentation: str, then: tuple[int, ...], shared: bool
) -> None:
    first, second = asked_twice(held, presentation, (0, 1), then).queries
    assert first.shared is shared
    assert (second.cards == ()) is shared
    assert second.above == (len(then) if shared else 0)
    asked = {quote.question for card in merged(first.cards) for quote in card.evidence}
    assert asked == ({"question 0", "question 1"} if shared else {"question 0"})


def test_a_card_knows_the_hours_of_the_days_that_were_asked_about(turn: Turn) -> None:
    turn.created = datetime(2026, 11, 26, 20, tzinfo=UTC)  # a Thursday
    query = fakes.query_for("a place for Sunday evening")
    assert _asked_days(query, turn) == ("sun",)
    kept = fakes.query_for("which is the cheapest?")
    kept = kept.model_copy(update={"constraints": (Constraint(id="c0", label="open tomorrow night"),)})
    assert _asked_days(kept, turn) == ("fri",)
    week = {"fri": [["17:00", "24:00"]], "sat": [["00:00", "02:00"]]}
    shown = {("restaurants", "pa-x"): {**BLANK, "week": week}}
    place = Card(values={}, key="pa-x", table="restaurants")
    assert _card_view(place, shown, ("fri", "sun")).asked_hours == (
        "open on Friday 5:00 pm to 2:00 am and closed on Sunday"
    )
    assert _card_view(place, shown).asked_hours == ""


def test_what_a_button_asked_is_told_from_what_was_typed(turn: Turn) -> None:
    assert not view(turn).pressed
    turn.kind, turn.origin = Turn.Kind.WITHOUT, turn
    assert turn_views([turn])[0].pressed
    again = Turn(id=uuid4(), conversation=turn.conversation, position=2, kind=Turn.Kind.RETRY, origin=turn)
    assert turn_views([again])[0].pressed


def test_chips_and_pieces_of_the_description_are_shown(held: Turn) -> None:
    parsed(held)
    query = view(held).queries[0]
    assert [(chip.id, chip.label) for chip in query.constraints] == [("c0", "Palo Alto"), ("c1", "romantic")]
    assert [part.text for part in query.parts if part.emphasised] == ["Palo Alto", "romantic"]


@pytest.mark.parametrize(
    ("kind", "payload", "sentence"),
    [
        ("searching", {"query": 0, "done": 12, "total": 40, "noun": "restaurants"}, "Looking at 12 of 40 restaurants"),
        ("relaxed", {"query": 0}, "Nothing matches everything; widening the search"),
        ("text", {"text": "Two"}, "Writing the answer"),
        ("resumed", {}, "Interrupted; picking it up again"),
        ("understood", {}, "Working out what to search for"),
    ],
)
def test_progress_is_told_in_words(held: Turn, kind: str, payload: dict[str, Any], sentence: str) -> None:
    leases.append_event(held.pk, "me", kind, payload)
    assert view(held).progress.sentence == sentence


# -- cards


@pytest.fixture
def corpora(transactional_db: None) -> None:
    Restaurant.objects.create(
        slug="pa-lucerna",
        name="Lucerna",
        cuisines=["italian"],
        price="expensive",
        rating=4.6,
        num_reviews=412,
        city="Palo Alto",
        latitude=37.4,
        longitude=-122.1,
        phone_number="+1 650-555-0101",
        opening_hours={day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")},
    )
    course = Course.objects.create(course_id=1, title="Databases", course_codes=["CS 145"], min_units=3, max_units=4)
    Offering.objects.create(course=course, position=0, season="autumn", days=["Mon", "Wed"])
    for number, (average, count) in enumerate([(4.0, 30), (5.0, 10)]):
        Rating.objects.create(
            rating_id=number, course=course, average_rating=average, num_ratings=count, season="autumn",
            start_year=2025, end_year=2026,
        )  # fmt: skip
    Program.objects.create(
        program_id="ms-ai", level=Program._meta.get_field("level").choices[0][0], specialization="AI"
    )
    Article.objects.create(slug="leave", title="Leave of absence", body="File the form.\n\nThen wait.")


WANTED = {
    ("restaurants", "pa-lucerna"),
    ("courses", "CS 145"),
    ("offerings", "CS 145"),
    ("ratings", "CS 145"),
    ("programs", "ms-ai"),
    ("articles", "leave"),
}


def test_cards_of_every_table_have_the_same_fields(corpora: None) -> None:
    shown = displays(WANTED)
    assert set(shown) == WANTED
    assert {frozenset(fields) for fields in shown.values()} == {frozenset(BLANK)}


def test_a_place_has_its_picture_its_rating_its_hours_and_its_links(corpora: None) -> None:
    lucerna = displays(WANTED)["restaurants", "pa-lucerna"]
    assert lucerna["picture"] == "/pictures/pa-lucerna.svg"
    assert lucerna["rating"] == RatingView(4.6, 412, "reviews")
    assert lucerna["under"] == ["Italian", "expensive", "Palo Alto"]
    hours, call, where = lucerna["links"]
    assert hours == LinkView("Open 24 hours", tone="open")
    assert call == LinkView("Call", "tel:+16505550101", "phone", "+1 650-555-0101")
    assert where.leaves
    assert "mlat=37.40000" in where.address


def test_a_card_averages_linked_ratings_by_how_many_gave_them_and_lists_linked_rows(corpora: None) -> None:
    course = displays(WANTED)["courses", "CS 145"]
    assert course["rating"] == RatingView(4.25, 40, "ratings")
    assert course["under"] == ["3–4 units"]
    assert course["listed"] == ["Autumn, Mon and Wed"]
    assert (course["stamp"].over, course["stamp"].main) == ("CS", "145")


def test_a_row_that_people_know_by_another_has_the_card_of_that(corpora: None) -> None:
    shown = displays(WANTED)
    assert shown["offerings", "CS 145"]["title"] == shown["courses", "CS 145"]["title"] == "Databases"


def test_what_is_not_in_the_corpora_any_more_has_no_fields(corpora: None) -> None:
    assert displays({("restaurants", "gone"), ("planets", "mars")}) == {}


def test_curators_move_a_column_of_a_sample_to_another_place(corpora: None) -> None:
    said = {"price": ColumnSaid(card=Place.BADGE), "rating": ColumnSaid(card=Place.NOWHERE)}
    descriptions.save("restaurants", CorpusSaid(tables={"restaurants": TableSaid(columns=said)}))
    lucerna = displays(WANTED)["restaurants", "pa-lucerna"]
    assert (lucerna["badges"], lucerna["under"], lucerna["rating"]) == (["expensive"], ["Italian", "Palo Alto"], None)


def test_cards_take_as_many_queries_for_many_entities_as_for_one(corpora: None, django_assert_num_queries: Any) -> None:
    tables = {table for table, _ in WANTED}
    many = WANTED | {(table, f"another {number}") for table in tables for number in range(20)}
    with django_assert_num_queries(8):  # the state of the corpora; four tables of cards, two linked to them
        displays(many)


def test_of_very_many_rows_the_first_are_shown_and_all_are_counted(held: Turn) -> None:
    query = fakes.query_for(held.message)
    outcome = Outcome(query=query, rows=tuple(fakes.card(number) for number in range(500)))
    parsed(held)
    leases.append_event(held.pk, "me", "outcome", {"query": 0, "outcome": outcome.model_dump(mode="json")})
    shown = view(held).queries[0]
    assert shown.total == 500
    assert len(shown.cards) == MOST_SHOWN


# -- worksheets


def test_the_values_that_a_card_shows_are_not_listed_above_it_again() -> None:
    asked = Act(act=ActKind.CONFIRM, text="Please check:\n- Course: CS 101\n\nShall I enroll you?")
    conversation = Conversation(assistant="courses", tables=(), now=datetime(2026, 11, 20))
    state = TurnState(message="no", conversation=conversation, acts=(asked,))
    assert _beside_card(f"All right.\n\n{asked.text}", state) == "All right.\n\nShall I enroll you?"
    assert _beside_card("Hello", None) == "Hello"


def test_a_plan_tells_what_was_spent_and_names_without_quotes() -> None:
    detail = """("city" = 'a "b" c') AND ANSWER("t"."reviews", 'ok?')"""
    plan = {"title": "Run", "detail": detail, "actual": {"calls": 2, "cost": 0.0, "planning": 0.25}}
    (step,) = _step_views(plan)
    assert step.detail == """(city = 'a "b" c') AND ANSWER(t.reviews, 'ok?')"""
    assert [(fact.label, fact.value) for fact in step.numbers] == [("Calls", "2"), ("seconds of planning", "0.25")]
    (once,) = _step_views({"title": "Run", "actual": {"calls": 1}})
    assert [(fact.label, fact.value) for fact in once.numbers] == [("Call", "1")]
