"""A month without its day: kept where it is asked when something was, else the day is asked for."""

import pytest

from tests.agent.tasks.speaking import Talk, Understander


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


@pytest.mark.parametrize(
    "opening",
    [
        "open a ticket, my AP scores from June were never posted",
        "my IB credit is not posted, I sent the scores in June",
    ],
)
def test_a_month_of_the_opening_is_not_asked_for_again(services: Talk, opening: str) -> None:
    services.say(opening, "no", "Mo Farr", "yes")
    ((_, values),) = services.done
    assert values["external_test_credits"]["time_of_test_score_submission"] == "2026-06"


def test_a_month_is_shown_as_a_month(services: Talk) -> None:
    decision = services.say("my IB credit is not posted, I sent the scores in June", "no", "Mo Farr")
    assert "June 2026" in decision.acts[-1].text


def test_a_field_for_a_day_asks_for_the_day_of_the_month(services: Talk) -> None:
    services.say("open a ticket: what is the status of my leave of absence form?", "by email")
    decision = services.say("in March")
    assert any("Which day of March" in act.text for act in decision.acts)
    decision = services.say("the 12th")
    assert decision.state.instance("form_status_1").slot("submission_date").value == "2026-03-12"


def test_a_month_in_passing_opens_no_other_part_of_the_form(services: Talk) -> None:
    decision = services.say("open a ticket: I can't drop CS 145, it has been like this since October")
    assert decision.state.instance("external_test_credits_1") is None
    assert decision.state.instance("form_status_1") is None
