"""A sentence that denies what is asked is never taken for it, whatever it denies it with."""

from __future__ import annotations

import pytest

from agent.text.words import tokens

from .conftest import Ask

DENIALS = (
    "I would not plan a {0} evening around it",
    "I wouldn't call it {0}",
    "It is hardly {0}",
    "It is far from {0}",
    "It is anything but {0}",
    "This is not the place for a {0} night",
    "Nobody would describe it as {0}",
    "By no means {0}",
    "It is neither {0} nor handsome",
    "It is neither handsome nor {0}",
    "It has never been {0}",
    "The opposite of {0}, really",
    "The wrong place for a {0} dinner",
    "The last place I would call {0}",
    "It would be a stretch to call it {0}",
    "You cannot say it is {0}",
    "There was nothing {0} about it",
)
AFFIRMATIONS = (
    "It could not have been more {0}",
    "You couldn't ask for a more {0} spot",
    "Not only {0} but cheap",
    "It is {0}, not fancy",
    "No doubt it is {0}",
    "I can't think of a more {0} corner",
    "It is not expensive, and it is {0}",
    "It was crowded but {0}",
)
WORDS = ("romantic", "quiet", "crowded", "easy", "spicy", "lively", "welcoming", "cheap", "scenic", "useful")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("sentence", DENIALS)
def test_a_denial_reaches_what_it_denies(sentence: str, word: str) -> None:
    (found,) = [token for token in tokens(sentence.format(word)) if token.text == word]
    assert found.negated


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("sentence", AFFIRMATIONS)
def test_what_affirms_is_no_denial(sentence: str, word: str) -> None:
    found = [token for token in tokens(sentence.format(word)) if token.text == word]
    assert not found[-1].negated


@pytest.mark.parametrize(
    ("question", "review"),
    [
        ("is this restaurant romantic?", "I would not plan a romantic evening around it."),
        ("is this restaurant romantic?", "Far from romantic."),
        ("is this restaurant romantic?", "Anything but romantic, with the television on."),
        ("is this restaurant romantic?", "Not the place for a romantic dinner."),
        ("is it quiet?", "I wouldn't call it quiet."),
        ("is this course easy?", "Nobody would describe this course as easy."),
        ("does this restaurant have vegan options?", "Don't expect vegan options."),
        ("is it quiet?", "It is neither cheap nor quiet."),
    ],
)
@pytest.mark.parametrize("beside", [(), ("We paid by card and left.", "I had the fish.")])
def test_a_review_that_denies_it_says_no(ask: Ask, question: str, review: str, beside: tuple[str, ...]) -> None:
    assert ask(question, *beside, review).value == "No"


@pytest.mark.parametrize(
    "review", ["You could not ask for a more romantic evening.", "It could not have been more romantic."]
)
def test_what_nothing_surpasses_is_so(ask: Ask, review: str) -> None:
    assert ask("is this restaurant romantic?", "I had the fish.", review).value == "Yes"
