"""Reports that are to be judged are the questions behind them; what nobody asks to be judged stays as it is."""

import pytest

from agent.parsing.dialogue.reported_speech import as_question


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("My lab partner claims CS 152 meets on Fridays. Is she right?", "does CS 152 meet on Fridays?"),
        ("Our waiter told us the Quorum closes on Mondays, is that true?", "does the Quorum close on Mondays?"),
        ("I heard that you need CS 101 before CS 140. True?", "do you need CS 101 before CS 140?"),
        ("Jo says it has no parking, I say it does. Which of us is right?", "does it have no parking?"),
        ("Apparently there's a patio?", "is there a patio?"),
        ("CS 239 is only taught in winter, right?", "is CS 239 only taught in winter?"),
        ("The Quorum isn't cheap, is it?", "is The Quorum cheap?"),
        ("Doesn't Quorum open on Sundays?", "Does Quorum open on Sundays?"),
        ("Settle an argument: is Quorum expensive?", "is Quorum expensive?"),
        ("Is CS 140 worth four units or not?", "Is CS 140 worth four units?"),
    ],
)
def test_what_is_asked_is_whether_it_is_so(message, question):
    assert as_question(message) == question


@pytest.mark.parametrize(
    "message",
    [
        "A colleague told me about a noodle bar in Sunnyvale, do you know it?",
        "My cousin swears by the dosas at Kaveri. Is it expensive?",
        "Which courses did students say are dull?",
        "somewhere people say is good for a birthday?",
        "I think I'd like something spicy?",
        "I need a table by the window, right?",
        "My parents want sushi and I want tacos",
        "Is that right?",
        "right",
        "the nearest ramen bar, and is it any good or not",
        "I heard that Quorum moved. Is it still cheap, or not?",
    ],
)
def test_what_is_wished_for_or_left_open_stays(message):
    assert as_question(message) == message


def test_doing_worse_is_no_question() -> None:
    said = "my friend says if you fail, try again and do even worse, the better mark counts. is that right?"
    assert as_question(said) == "is it so that if you fail, try again and do even worse, the better mark counts?"
