"""A question to a long text is answered with its own sentences, or not at all."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from agent.backends.builtin.quoting import is_long_text, quote
from agent.backends.builtin.reading.readings import Readings
from agent.backends.builtin.reading.vectors import Vectors
from agent.networks.cross_encoder import CrossEncoder
from agent.networks.encoder import Encoder
from agent.protocols.reading import AnswerReply, AnswerRequest, Passage
from agent.text.values import AnswerType
from corpora.passages.cutting import cut

SAMPLE = Path(__file__).parents[3] / "corpora" / "sample" / "articles.jsonl"


@cache
def vectors() -> Vectors:
    return Vectors(Encoder.load())


@cache
def readings() -> Readings:
    return Readings(CrossEncoder.load)


def ask(request: AnswerRequest) -> AnswerReply:
    return quote(request, vectors(), readings())


def article(slug: str) -> tuple[Passage, ...]:
    lines = map(json.loads, SAMPLE.read_text(encoding="utf-8").splitlines())
    body = next(line["body"] for line in lines if line["slug"] == slug)
    return tuple(Passage(text=body[start:stop]) for start, stop in cut(body))


def asked(question: str, slug: str) -> AnswerReply:
    return ask(AnswerRequest(question=question, passages=article(slug)))


@pytest.mark.parametrize(
    ("question", "slug", "fact"),
    [
        ("how much are the robes?", "apply-to-graduate", r"\$62"),
        ("is there credit for the SAT?", "send-test-scores", "No credit is given for the SAT"),
        ("someone found my card, can I unblock it?", "lost-student-id", "press Unblock"),
        ("when does my mailbox close?", "email-after-graduation", "120 days"),
        ("do I get my money back (refund) if I withdraw in week 4?", "tuition-refunds", "Week 4: 60"),
        ("what share of the tuition comes back for a leave in week 2?", "tuition-refunds", "Week 2: 80"),
    ],
)
def test_the_sentence_that_answers_is_quoted(question: str, slug: str, fact: str) -> None:
    reply = asked(question, slug)
    assert reply.value is not None
    assert re.search(fact, reply.value)


def test_how_long_something_takes_is_told_first() -> None:
    reply = asked("how long does it take to get a new one?", "lost-student-id")
    assert reply.value is not None
    assert "ten minutes" in reply.value.split("\n\n")[0]


@pytest.mark.parametrize(
    ("question", "slug", "told", "other"),
    [
        ("what part of the fees comes back for a leave in week 4?", "tuition-refunds", "Week 4", "week 3 gives"),
        ("I go on leave in week 2, am I still insured?", "leave-aid-insurance-email", "If you go earlier", "after the"),
    ],
)
def test_what_is_so_in_the_week_named_is_told_first_and_no_other_instead(
    question: str, slug: str, told: str, other: str
) -> None:
    reply = asked(question, slug)
    assert reply.value is not None
    assert reply.value.startswith(told)
    assert other not in reply.value


def test_what_asks_for_a_date_may_be_told_another_week() -> None:
    told = (
        "Bikes are mended at the gate.",
        "Lockers can be rented in week 3.",
        "Keys are lent.",
        "Tents are lent too.",
    )
    passages = tuple(Passage(text=text) for text in told)
    reply = ask(AnswerRequest(question="it is week 1, when can lockers be rented?", passages=passages))
    assert reply.value == told[1]


def test_every_quotation_is_the_texts_own() -> None:
    passages = article("tuition-refunds")
    reply = asked("how long does a refund take?", "tuition-refunds")
    quoted = [passages[span.passage].text[span.start : span.stop] for span in reply.spans]
    assert reply.value == "\n\n".join(quoted)


def test_what_the_text_does_not_say_is_no_info() -> None:
    assert asked("what are the opening hours of the swimming pool?", "tuition-refunds").value is None
    assert asked("which laptop should I buy?", "apply-to-graduate").value is None


@pytest.mark.parametrize(
    ("question", "slug", "fact"),
    [
        ("am I able to use the gym while I am away on leave?", "leave-aid-insurance-email", "gyms"),
        ("will you let my mom and dad know that I came to see a counsellor?", "counselling", "We do not tell parents"),
        ("I failed chemistry, may I take it again?", "repeat-courses", "if you did not pass it"),
    ],
)
def test_a_yes_or_no_said_in_other_words_answers(question: str, slug: str, fact: str) -> None:
    assert fact in (asked(question, slug).value or "")


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("are grades posted in the hallway?", "transcripts-and-degree-verification"),
        ("are the counsellors paid well?", "counselling"),
        ("do you pay interns?", "apply-for-leave"),
    ],
)
def test_the_same_words_do_not_answer_where_none_says_yes_or_no(question: str, slug: str) -> None:
    assert asked(question, slug).value is None


def test_where_none_is_near_enough_the_nearest_is_pointed_at() -> None:
    slug = "transcripts-and-degree-verification"
    passages = article(slug)
    reply = asked("A background check company wants to confirm that I graduated. Who should I point them to?", slug)
    assert reply.value is None
    (span,) = reply.spans
    assert "National Student Registry" in passages[span.passage].text[span.start : span.stop]
    assert not asked("which laptop should I buy?", "apply-to-graduate").spans


def test_a_sentence_that_leans_on_the_one_before_comes_with_it() -> None:
    text = "A hold blocks enrolling in classes. It never stops you from dropping a class."
    rest = ("Robes cost sixty dollars.", "Diplomas are posted later.", "The library is closed on Monday.")
    passages = tuple(Passage(text=one) for one in (text, *rest))
    reply = ask(AnswerRequest(question="does a hold stop me from dropping a class?", passages=passages))
    assert reply.value is not None
    assert reply.value.startswith(text)


def test_steps_stay_together() -> None:
    text = "First, wait two minutes and reload the planner. Second, look at the term. Third, pick the section."
    rest = ("Robes cost sixty dollars.", "Diplomas are posted later.", "The library is closed on Monday.")
    passages = tuple(Passage(text=one) for one in (text, *rest))
    reply = ask(AnswerRequest(question="should I reload the planner first?", passages=passages))
    assert reply.value is not None
    assert text in reply.value


def test_only_free_questions_to_one_long_text_are_quoted() -> None:
    one = article("apply-to-graduate")
    assert is_long_text(AnswerRequest(question="q?", passages=one))
    assert not is_long_text(AnswerRequest(question="q?", passages=one, type=AnswerType.BOOLEAN))
    assert not is_long_text(AnswerRequest(question="q?", passages=one, options=("a", "b")))
    assert not is_long_text(AnswerRequest(question="q?", passages=one[:2]))
    reviews = tuple(passage.model_copy(update={"document": at}) for at, passage in enumerate(one))
    assert not is_long_text(AnswerRequest(question="q?", passages=reviews))


def test_what_hangs_on_the_talk_is_not_answered_by_its_own_few_words() -> None:
    alone = asked("is there a fee for it?", "payment-plan-and-late-fee")
    about = asked("is there a fee for it? (about: how do I switch rooms with my roommate)", "payment-plan-and-late-fee")
    assert alone.value is not None
    assert about.value is None
    assert asked("is there a fee for it? (about: how do I join the payment plan)", "payment-plan-and-late-fee").value


def test_the_confidence_is_closeness_in_meaning() -> None:
    told = asked("I dropped my phone in a lake and the new one has another number", "two-step-login")
    trouble = asked("I was charged twice for my transcript", "repeat-courses")
    assert told.confidence > 0.6 > trouble.confidence


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("can my brother fetch it? (about: my card is gone, how do I get another)", "Nobody can collect a card"),
        ("is there an app for that? (about: my card is gone, how do I get another)", None),
    ],
)
def test_in_the_text_that_the_talk_is_on_a_likely_yes_or_no_answers(question: str, said: str | None) -> None:
    value = asked(question, "lost-student-id").value

    assert (value is None) if said is None else (value is not None and said in value)


@pytest.mark.parametrize(
    "question",
    [
        "what is the deadline to drop a class?",
        "when is the last day to drop a class?",
        "until when can I drop a class?",
    ],
)
def test_the_rule_of_a_special_case_is_not_taken_for_the_general_one(question: str) -> None:
    value = asked(question, "add-drop-change-units").value or ""
    assert value.startswith("Until 5 p.m. on Friday of week 3")
    assert "Short classes" not in value
    assert "Physical education" not in value


def test_the_rule_of_a_case_asked_of_in_other_words_is_told() -> None:
    assert "end of week 2" in (asked("until when can I drop gym class", "add-drop-change-units").value or "")


def test_the_rule_of_a_special_case_is_told_to_who_asks_of_it() -> None:
    value = asked("when is the deadline to drop a short class?", "add-drop-change-units").value or ""
    assert value.startswith("Short classes")


SHORT = "No. The parking permit is an offer of the city. If you have no car, you may pass it on to your neighbour."


def test_a_short_text_that_stands_alone_is_quoted_with_its_own_verdict() -> None:
    request = AnswerRequest(question="must I buy the parking permit?", passages=(Passage(text=SHORT),), prose=True)
    assert is_long_text(request)
    assert not is_long_text(request.model_copy(update={"prose": False}))
    reply = ask(request)
    assert (reply.value or "").startswith("No. The parking permit")
