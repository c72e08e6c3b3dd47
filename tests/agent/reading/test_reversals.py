"""What names a thing and says that it is not to be had, how many are spoken of, and what the next sentence tells."""

from __future__ import annotations

import pytest

from agent.backends.builtin.reading.companies import weighed

from .conftest import Ask
from .test_judging import DULL


@pytest.mark.parametrize(
    ("question", "review", "answer"),
    [
        ("does this restaurant have live music?", "They let the trio go in spring.", "No"),
        ("does this restaurant have live music?", "A trio plays on Sundays.", "Yes"),
        ("does this restaurant have outdoor seating?", "The terrace was fenced off when we came.", "No"),
        ("does this restaurant have a private room?", "I asked for a separate room and they laughed.", "No"),
        ("does this restaurant have a private room?", "I asked for a separate room and got one, no trouble.", "Yes"),
        ("does this restaurant have vegetarian options?", "The so-called vegetarian plate had anchovies.", "No"),
        ("does this restaurant have vegan options?", 'Their "vegan" stew tasted of beef.', "No"),
        ("does this restaurant have wifi?", "The wifi never dropped once.", "Yes"),
    ],
)
def test_what_is_lost_refused_or_named_with_scorn_is_not_to_be_had(
    ask: Ask, question: str, review: str, answer: str
) -> None:
    assert ask(question, *DULL, review).value == answer


@pytest.mark.parametrize(
    ("question", "review"),
    [
        ("is this restaurant quiet?", "It stands on a quiet street near the park."),
        ("does this restaurant take reservations?", "I have reservations about the sauce."),
        ("is this restaurant good for a business meal?", "My colleagues asked about the recipe for the cake."),
    ],
)
def test_the_same_words_for_something_else_say_nothing(ask: Ask, question: str, review: str) -> None:
    assert ask(question, *DULL, review).value is None


@pytest.mark.parametrize(
    ("text", "sign", "people", "said"),
    [
        ("We were nine at one table.", 1, 25, 0),  # a small company says nothing of a much larger one
        ("We were twenty-four at one table.", 1, 25, 1),
        ("The room holds fourteen in all.", 1, 25, -1),
        ("The cellar takes up to forty.", 1, 25, 1),
        ("They turned our party of sixty away.", -1, 10, 0),
        ("They would not seat a party of eight.", -1, 10, -1),
        ("Big tables for sharing.", 1, 25, 1),
        ("We were nine at one table.", 1, 0, 1),
    ],
)
def test_numbers_of_people_are_held_against_the_number_asked_about(
    text: str, sign: int, people: int, said: int
) -> None:
    assert weighed(text, sign, people) == said


def test_a_heading_is_read_with_the_sentence_after_it_and_both_are_shown(ask: Ask) -> None:
    review = "Bad sesame allergy. The cook came to the table with a list and we went through it. Good rice."
    reply = ask("does this restaurant take food allergies seriously?", *DULL, review)
    assert reply.value == "Yes"
    assert review[reply.spans[0].start : reply.spans[0].stop] == review.removesuffix(" Good rice.")


@pytest.mark.parametrize(
    ("review", "answer"),
    [
        ("One long midterm, and in the last month there were no points for effort.", "Yes"),
        ("The final was proctored, but without hours of review before it.", "Yes"),
        ("No exams, and no points lost for lateness.", "No"),
    ],
)
def test_what_another_clause_lacks_denies_nothing(ask: Ask, review: str, answer: str) -> None:
    assert ask("does this course have exams?", *DULL, review).value == answer
