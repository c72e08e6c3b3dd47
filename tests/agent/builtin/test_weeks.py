"""Whether a sentence speaks of the week that is asked about."""

from __future__ import annotations

import pytest

from agent.backends.builtin.weeks import asked_weeks, of_other_weeks


def test_the_weeks_that_a_message_names() -> None:
    assert asked_weeks("I left in week 2 and came back in Week 10, a week later") == {2, 10}


@pytest.mark.parametrize(
    "sentence",
    [
        "A locker given back in week 3 costs half.",
        "Week 3: 70.",
        "After the end of week 6 all of it is owed.",
        "From week 6 on: all of it.",
        "In weeks 7 to 9 it takes longer.",
    ],
)
def test_what_is_so_in_other_weeks_is_not_of_this_one(sentence: str) -> None:
    assert of_other_weeks(sentence, frozenset({5}))


@pytest.mark.parametrize(
    "sentence",
    [
        "Week 5: 50.",
        "After week 3 it costs $50.",
        "By Friday of week 3 you may still change.",
        "It is settled on Friday of week 3.",
        "Giving it back by the week 3 deadline costs nothing.",
        "Up to the end of week 5 it can be mended.",
        "In weeks 4 to 9 it takes longer.",
        "No request is taken after week 3.",
        "It takes two weeks.",
    ],
)
def test_what_may_be_so_in_the_week_asked_about_is_of_it(sentence: str) -> None:
    assert not of_other_weeks(sentence, frozenset({5}))


def test_where_no_week_is_named_every_sentence_may_answer() -> None:
    assert not of_other_weeks("Week 3: 70.", frozenset())
