"""Messages as they are plainly asked."""

import pytest

from agent.parsing.dialogue.normalization import advised, believed, counted, direct, in_common_words, plain, served


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
    ("words", "said"),
    [
        ("what do people moan about there", "what do people complain about there"),
        ("which of those is best liked?", "which of those is best rated?"),
        ("who should I take it with?", "who is the better teacher for it?"),
        ("and do people actually like it?", "and is it any good?"),
        ("do students like those", "are they any good"),
        ("do they like it spicy", "do they like it spicy"),
        ("is it open next quarter", "is it offered next quarter"),
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


def test_the_steps_follow_one_another() -> None:
    assert plain("Hi! Two questions: is it true that it's loud, btw whats the dress code") == plain(
        "is it loud and whats the dress code"
    )
