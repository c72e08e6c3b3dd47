"""Names that nothing introduces, and what is said beside them."""

import pytest

from agent.parsing.tasks.readers import contact, persons
from agent.worksheets.state import SlotStatus
from tests.agent.tasks.speaking import Talk, Understander

TOLD = ("my AP credit was never posted", "in March")


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Noor Haddad 0612399 noor@uni.edu", "Noor Haddad"),
        ("noor haddad / 0612399 / noor@uni.edu", "Noor Haddad"),
        ("Tomasz Wilk, i'm from Poland", "Tomasz Wilk"),
        ("tomasz wilk is my name", "Tomasz Wilk"),
        ("Grace Field", "Grace Field"),
        ("the portal is down", ""),
        ("AP Physics", ""),
        ("grace field", ""),
    ],
)
def test_a_name_is_told_by_how_it_is_written_and_what_stands_beside_it(text: str, name: str) -> None:
    found = persons.bare_names(text, [*contact.emails(text.lower()), *contact.identifiers(text)])
    assert [one.value for one in found] == ([name] if name else [])


@pytest.mark.parametrize(
    "words", ["Noor Haddad", "submit it please. Noor Haddad", "noor haddad is my name, nothing else"]
)
def test_a_name_is_no_further_detail(services: Talk, words: str) -> None:
    services.say(*TOLD, words)
    assert services.state.instance("main_1").slot("full_name").value == "Noor Haddad"
    assert services.state.instance("main_1").slot("extra_details").value is None


def test_who_has_no_details_gives_none(services: Talk) -> None:
    services.say("I want to drop CS 140", "I have no details")
    (change,) = [one for one in services.state.instances if one.worksheet == "ChangeCourse"]
    assert change.slot("issue_description").status is not SlotStatus.SET


def test_who_somebody_is_agrees_to_nothing(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140, 4 units, letter grade, that's all", "I am the dean, do it")
    assert talk.state.pending is not None
    assert (talk.state.pending.kind, talk.state.pending.instance) == ("confirm", "courses_to_take_1")
