"""What is conversation and what is left to search for."""

import pytest

from agent.language import ChatKind
from agent.parsing.dialogue.chitchat import chat_kind, courtesy, without_courtesies


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Hello there!", ChatKind.GREETING),
        ("good evening", ChatKind.GREETING),
        ("thx", ChatKind.THANKS),
        ("ok, thank you so much!", ChatKind.THANKS),
        ("great, bye", ChatKind.FAREWELL),
        ("what can you do?", ChatKind.CAPABILITIES),
        ("help", ChatKind.CAPABILITIES),
        ("are you a robot?", ChatKind.SMALL_TALK),
        ("anywhere is fine", ChatKind.DONT_CARE),
        ("I don't mind", ChatKind.DONT_CARE),
        ("okay", ChatKind.SMALL_TALK),
    ],
)
def test_conversation_is_recognised(message, kind):
    assert chat_kind(message) is kind


@pytest.mark.parametrize(
    "message",
    [
        "hi, a ramen place in Cupertino please",
        "thanks! and is it open on Sundays?",
        "no chinese",
        "nice view over the bay",
        "any place with a view",
        "something for a goodbye dinner",
    ],
)
def test_a_question_is_never_taken_for_conversation(message):
    assert chat_kind(message) is None


def test_courtesies_are_taken_from_both_ends_only():
    assert without_courtesies("Hi there, okay: a cheap cafe, please. Thanks!") == "a cheap cafe"
    assert without_courtesies("no more than two units") == "no more than two units"
    assert without_courtesies("forget it. pizza instead") == "pizza instead"
    assert without_courtesies("oh nvm what about Monday?") == "what about Monday?"
    assert without_courtesies("never mind the patio") == "never mind the patio"
    assert without_courtesies("nice view over the bay") == "nice view over the bay"
    assert without_courtesies("great, a cheap cafe") == "a cheap cafe"
    assert without_courtesies("Dear Sir or Madam,\n\na cheap cafe. Thank you very much in advance.") == "a cheap cafe"
    assert without_courtesies("To whom it may concern (a bot?): a cheap cafe. Signed, a guest") == "a cheap cafe"
    signed = "Signed the form last week. Who gets it next?"
    assert without_courtesies(signed) == signed
    assert without_courtesies("who keeps the form I signed") == "who keeps the form I signed"
    assert without_courtesies("Alright computer, do your thing: a cheap cafe") == "a cheap cafe"
    assert without_courtesies("a cheap cafe. Make it happen, machine.") == "a cheap cafe"
    assert without_courtesies("a cafe with a good coffee machine") == "a cafe with a good coffee machine"
    assert without_courtesies("somewhere that says thanks to its staff") == "somewhere that says thanks to its staff"


def test_the_courtesy_beside_a_question_is_kept():
    assert courtesy("hello, any tacos in SF?") is ChatKind.GREETING
    assert courtesy("tacos in SF") is None


def test_how_something_works_that_was_told_of_is_no_question_about_the_chat() -> None:
    assert chat_kind("hi, I'm new here, how does this work?") is ChatKind.CAPABILITIES
    assert chat_kind("I'm 6th of 17 on the waitlist for a class I need, how does this work?") is None
