"""What is said beside a question is no part of it."""

import pytest

from agent.parsing.dialogue.parentheticals import joined, of_kin, unreported


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
