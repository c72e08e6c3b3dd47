"""Quarters by the clock, and course numbers without their department."""

from datetime import datetime

import pytest

from agent.parsing.dialogue.plainly import (
    advised,
    believed,
    counted,
    departments,
    direct,
    in_common_words,
    joined,
    of_kin,
    served,
    unreported,
    with_departments,
    with_needs,
    with_season,
)

CODES = ("CS 131", "CS 210", "CS 42", "MATH 221", "EE 221", "CS 101", "CS 152", "PHIL 152", "CS 9")


@pytest.mark.parametrize(
    ("month", "words", "said"),
    [
        (11, "what is offered next quarter?", "what is offered winter?"),
        (11, "courses this term", "courses autumn"),
        (1, "next quarter", "spring"),
        (12, "next term", "winter"),
        (6, "the upcoming quarter", "summer"),
        (8, "next quarter", "autumn"),
        (11, "a quarter of the students", "a quarter of the students"),
    ],
)
def test_the_clock_tells_which_quarter_is_meant(month: int, words: str, said: str) -> None:
    assert with_season(words, datetime(2026, month, 20)) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("can I take 210 and 131 together?", "can I take CS 210 and CS 131 together?"),
        ("I've done 101, 131 and 210", "I've done CS 101, CS 131 and CS 210"),
        ("I've taken 221", "I've taken 221"),  # two departments have one
        ("take 999", "take 999"),
        ("it had 210 students", "it had 210 students"),
        ("I've taken 152", "I've taken CS 152"),  # nearly all are of one department
        ("I have CS 101, 131 and 210 behind me", "I have CS 101, CS 131 and CS 210 behind me"),
        ("is cs 210 gentler than 131?", "is cs 210 gentler than CS 131?"),
        ("210 or 131 for spring?", "CS 210 or CS 131 for spring?"),
        ("between 210 and 42", "between CS 210 and CS 42"),
        ("only 101 so far", "only 101 so far"),
        ("after only 101", "after only CS 101"),
        ("CS 101 and 42 hours", "CS 101 and 42 hours"),
        ("MATH 221 and 131", "MATH 221 and 131"),
        ("a capacity of 131, 210", "a capacity of 131, 210"),
        ("does 210 have a lab?", "does CS 210 have a lab?"),
    ],
)
def test_a_number_that_one_department_has_is_its_own(words: str, said: str) -> None:
    assert with_departments(words, departments(CODES)) == said


@pytest.mark.parametrize(
    ("indirect", "asked"),
    [
        ("whether they can seat ten", "can they seat ten"),
        ("whether it takes cards?", "does it take cards?"),
        ("whether or not CS 140 is required", "is CS 140 required"),
        ("which of them is open", "which of them is open"),
        (
            "whether Fig & Foghorn takes dogs, and what the deposit is",
            "does Fig & Foghorn take dogs, and what is the deposit",
        ),
        ("Could you tell me whether it takes cards?", "does it take cards?"),
        ("Do you know if they close early?", "do they close early?"),
        ("do you know what the corkage is?", "do you know what is the corkage?"),
        ("what the cook does is art", "what the cook does is art"),
    ],
)
def test_an_indirect_question_is_asked(indirect: str, asked: str) -> None:
    assert direct(indirect) == asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("spring, no CS 145 prerequisite, please", "spring, without CS 145 as a prerequisite, please"),
        ("courses with a CS 101 prereq", "courses that need CS 101 as a prerequisite"),
        ("no prerequisites at all", "no prerequisites at all"),
    ],
)
def test_what_has_to_come_first_is_said_of_a_code(text: str, said: str) -> None:
    assert with_needs(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("is it open, btw do they deliver?", "is it open and do they deliver?"),
        ("who teaches it? by the way, is it hard?", "who teaches it? is it hard?"),
        ("BTW is there parking", "is there parking"),
    ],
)
def test_by_the_way_joins_two_questions(text: str, said: str) -> None:
    assert joined(text) == said


def test_in_total_adds_nothing_to_how_many() -> None:
    assert counted("how many do you have in total, and where?") == "how many do you have, and where?"
    assert counted("the total units") == "the total units"


def test_advice_is_what_is_rated_best() -> None:
    assert advised("which one would you pick, CS 101 or CS 102?") == "which one is the best rated, CS 101 or CS 102?"
    assert advised("which would you recommend?") == "which one is the best rated?"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("is it true they run out of things?", "do they run out of things?"),
        ("which has room? and do people say the game class is hard?", "which has room? and is the game class hard?"),
        ("Is it true that it's cash only, and is it loud?", "is it cash only, and is it loud?"),
        ("do students think the lectures are boring", "are the lectures boring"),
        ("do people say its useful for a job?", "is it useful for a job?"),
        ("do people say anything about parking", "do people say anything about parking"),
        ("do people say good things about the staff?", "do people say good things about the staff?"),
        ("do they say how long it takes", "do they say how long it takes"),
    ],
)
def test_what_is_said_to_be_so_is_asked_itself(text: str, plain: str) -> None:
    assert believed(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("is there anything vegan on their menu?", "do they have anything vegan?"),
        ("anything halal on the menu?", "do they have anything halal?"),
        ("is there anything vegan on the menu and is it loud", "do they have anything vegan and is it loud"),
        ("what's on the menu?", "what's on the menu?"),
        ("a place with duck on the menu", "a place with duck on the menu"),
    ],
)
def test_what_is_on_the_menu_is_what_they_have(text: str, plain: str) -> None:
    assert served(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("does the class cost extra, someone told me theres a fee", "does the class cost extra"),
        ("what do students say about Lund, I might end up with her", "what do students say about Lund"),
        ("where can we eat tonight, we have two kids", "where can we eat tonight, we have two kids"),
        ("someone told me there is a fee, is that so?", "someone told me there is a fee, is that so?"),
    ],
)
def test_what_led_to_a_question_is_not_asked(text: str, plain: str) -> None:
    assert unreported(text) == plain


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("what do people moan about there", "what do people complain about there"),
        ("which of those is best liked?", "which of those is best rated?"),
        ("who should I take it with?", "who is the better teacher for it?"),
        ("what is the wifi like these days", "what is the wifi like nowadays"),
        ("somewhere to hear live music", "somewhere with live music"),
        ("is there one where you build websites instead?", "is there something where you build websites?"),
        (
            "can I just turn up at Alder tonight without a booking?",
            "do they accept walk-ins at Alder?",
        ),
        ("I work mon to fri so is there anything on weekends", "is there anything on weekends"),
        ("I work with robots so is there anything on robots", "I work with robots so is there anything on robots"),
    ],
)
def test_rarer_words_are_put_as_common_ones(words: str, said: str) -> None:
    assert in_common_words(words) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("my wife is coeliac. is Alder safe for her?", "is Alder safe for coeliacs?"),
        ("Our kids are vegan, would Alder be ok for them?", "would Alder be ok for vegan people?"),
        ("my sister is visiting. is Alder good for her?", "my sister is visiting. is Alder good for her?"),
        ("my friend is abroad, can I collect it for her?", "my friend is abroad, can I collect it for her?"),
    ],
)
def test_who_was_spoken_of_is_asked_about_as_people_of_their_kind(words: str, said: str) -> None:
    assert of_kin(words) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tell me about CS 140, im kinda scared of it", "tell me about CS 140"),
        ("sounds too theoretical for me. whats the next best?", "whats the next best?"),
        ("sounds good. Book it", "sounds good. Book it"),
    ],
)
def test_what_somebody_thinks_of_it_is_no_part_of_the_question(words: str, said: str) -> None:
    assert unreported(words) == said
