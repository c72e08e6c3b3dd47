"""What is said to messages about rows that are not there."""

import pytest

from agent.language import PastTurn
from tests.agent.dialogue.test_interpreter import Talker


@pytest.fixture
def talk() -> Talker:
    return Talker()


def found_nothing(talk: Talker, message: str) -> None:
    """Says a message whose search finds nothing."""
    talk.say(message)
    last = talk.past[-1]
    query = last.queries[0].model_copy(
        update={"keys": (), "titles": (), "rows": (), "description": "Ethiopian restaurants in Cupertino, 3 at most"}
    )
    talk.past = (*talk.past[:-1], PastTurn(user=last.user, agent="", queries=(query,)))


@pytest.mark.parametrize("message", ["is the fourth one noisy?", "the fifth one", "number 4", "the first four"])
def test_a_place_beyond_the_list_is_said_to_be_none(talk, message):
    talk.say("indian food in Palo Alto")
    understood = talk.understand(message)
    assert not understood.questions
    assert "only 3 restaurants" in understood.reply
    assert "Quorum" in understood.reply


@pytest.mark.parametrize("message", ["compare the first and third", "is it open on the 5th?", "good for a fourth date"])
def test_a_place_in_the_list_or_a_day_is_none_of_that(talk, message):
    talk.say("indian food in Palo Alto")
    assert talk.understand(message).reply == ""


@pytest.mark.parametrize(
    "message", ["is the first one kid friendly?", "do they have parking", "phone number?", "is there outdoor seating?"]
)
def test_nothing_is_told_of_rows_that_were_not_found(talk, message):
    found_nothing(talk, "ethiopian food in Cupertino open at 3am")
    understood = talk.understand(message)
    assert not understood.questions
    assert understood.reply.startswith("I found no Ethiopian restaurants in Cupertino, so there is nothing to tell")
    assert "You could leave out" in understood.reply


def test_a_search_after_one_that_found_nothing_starts_anew(talk):
    found_nothing(talk, "quiet ethiopian food in Cupertino")
    suql = talk.say("indian food")
    assert "ethiopian" not in suql
    assert "quiet" not in suql
    assert "location = 'Cupertino'" in suql


def test_what_was_found_before_is_gone_back_to(talk):
    talk.say("indian food in Palo Alto")
    found_nothing(talk, "ethiopian food in Palo Alto")
    assert "IN ('kaveri')" in talk.say("is the second one noisy?").replace("= 'kaveri'", "IN ('kaveri')")


def test_what_else_there_is_looks_beyond_the_rows_compared(talk):
    talk.say("indian food in Palo Alto")
    talk.say("compare the first two")
    suql = talk.say("what else is there?")
    assert "'indian' = ANY(cuisines)" in suql
    assert "NOT IN ('fig', 'kaveri', 'quorum')" in suql


def test_what_narrowed_the_rows_down_to_none_is_not_kept(talk):
    talk.say("ramen in Cupertino")
    found_nothing(talk, "something cheaper")
    assert "price" not in talk.say("with parking")


def test_what_narrowed_the_rows_down_to_none_is_kept_where_another_place_is_named(talk):
    talk.say("ramen in Cupertino")
    found_nothing(talk, "only cheap ones")
    suql = talk.say("and in Sunnyvale?")
    assert "price = 'cheap'" in suql
    assert "location = 'Sunnyvale'" in suql


def test_an_open_question_that_says_nothing_to_a_search_is_not_known(talk):
    talk.say("ramen in Cupertino")
    understood = talk.understand("whats the total going to be")
    assert not understood.questions
    assert "I don't know that" in understood.reply


def test_the_same_search_asked_for_again_is_known(talk):
    talk.say("ramen in Cupertino")
    assert talk.understand("ramen in Cupertino").reply == ""


def test_what_a_search_gave_up_is_gone_and_the_rest_of_it_stays(talk):
    talk.say("vegan burgers in Cupertino after midnight")
    last = talk.past[-1]
    suql = "SELECT * FROM restaurants WHERE ('burgers' = ANY(cuisines)) AND location = 'Cupertino' LIMIT 3"
    talk.past = (PastTurn(user=last.user, agent="", queries=(last.queries[0].model_copy(update={"suql": suql}),)),)
    refined = talk.say("only cheap ones")
    assert "'burgers' = ANY(cuisines)" in refined
    assert "vegan" not in refined
    assert "opening_hours" not in refined


def test_which_is_best_after_a_comparison_is_asked_of_what_was_compared(talk):
    talk.say("indian food in Palo Alto")
    talk.say("compare the first two")
    assert "IN ('fig', 'kaveri')" in talk.say("which is rated best?")


def test_what_is_asked_about_the_only_row_is_told_of_it(talk):
    talk.say("indian food in Palo Alto")
    last = talk.past[-1]
    only = last.queries[0].model_copy(update={"keys": ("fig",), "titles": ("Fig & Foghorn",)})
    talk.past = (PastTurn(user=last.user, agent="", queries=(only,)),)
    assert talk.say("hm what about parking").startswith("SELECT")
    assert talk.past[-1].queries[0].presentation == "detail"


def test_a_column_all_of_whose_name_is_said_is_told(talk):
    talk.say("indian food in Palo Alto")
    assert "popular_dishes" in talk.say("what dishes are popular")


def test_a_wish_for_a_suggestion_is_no_question_that_nothing_tells(talk):
    talk.say("indian food in Palo Alto")
    assert talk.understand("what would you recommend instead").reply == ""


def test_what_rows_were_shown_with_is_known_after_a_question_about_one(talk):
    talk.say("indian food in Palo Alto")
    talk.say("is the second one noisy?")
    last = talk.past[-1]
    without_values = last.queries[0].model_copy(update={"rows": ({},) * len(last.queries[0].keys)})
    talk.past = (*talk.past[:-1], PastTurn(user=last.user, agent="", queries=(without_values,)))
    assert "price < 'moderate'" in talk.say("something cheaper")


def instead(talk: Talker, message: str) -> str:
    """What is asked of the database where none of the rows shown is as the message asks."""
    talk.say("indian food in Palo Alto")
    held = talk._conversation()
    return talk.interpreter.parse(talk.understand(message).questions[0], held).instead


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("are any of those open now?", "SELECT name, opening_hours FROM restaurants WHERE slug IN ("),
        ("which of these is quiet?", "SELECT name, answer(reviews, 'is this restaurant quiet?') AS answer"),
    ],
)
def test_what_is_so_of_each_is_told_where_none_is_as_asked(talk, message, told):
    assert instead(talk, message).startswith(told)


def test_of_a_search_nothing_is_told_instead(talk):
    assert instead(talk, "thai food in Cupertino") == ""
    assert instead(talk, "something else") == ""


def test_one_that_is_named_after_a_search_is_asked_what_the_search_asked(talk):
    talk.say("quiet indian food in Palo Alto")
    assert "answer(reviews, 'is this restaurant quiet?')" in talk.say("and The Slow Egg? my friends always go there")
    assert "slug NOT IN" in talk.say("is there some other place in Palo Alto?")


def test_others_than_the_one_told_of_are_looked_for_among_all(talk):
    talk.say("what's Quorum like?")
    suql = talk.say("is there some other place in Cupertino for brunch?")
    assert "slug NOT IN" in suql
    assert "slug IN" not in suql


def test_the_one_elsewhere_is_looked_for_after_nothing_was_found(talk):
    found_nothing(talk, "indian food in Cupertino")
    suql = talk.say("ok the one in Sunnyvale then")
    assert "'indian' = ANY(cuisines)" in suql
    assert "location = 'Sunnyvale'" in suql
    assert "Cupertino" not in suql


@pytest.mark.parametrize(
    ("message", "told"), [("is it cheaper than Quorum?", "price"), ("is that better rated than Quorum?", "rating")]
)
def test_one_is_compared_with_another_that_is_named(talk, message, told):
    talk.say("what's The Slow Egg like?")
    suql = talk.say(message)
    assert suql.startswith(f"SELECT name, {told} FROM restaurants WHERE (slug = ")
    assert "OR name = 'Quorum')" in suql
