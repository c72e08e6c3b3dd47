"""Marks become conditions: what is asked of the texts, and what is left out, given what a tagger marked."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, Condition, leaves
from tests.agent.parsing.marks import asked, read


@pytest.mark.parametrize(
    ("line", "question", "expected"),
    [
        ("somewhere with a {w:fountain}", "does this restaurant have a fountain?", "Yes"),
        ("a place that {w:knows its mushrooms}", "does this restaurant know its mushrooms?", "Yes"),
        ("one that is {w:run by sisters}", "is this restaurant run by sisters?", "Yes"),
        ("where nobody {n:makes you hurry}", "does anyone make you hurry at this restaurant?", "No"),
        ("somewhere they don't {n:film you}", "do they film you at this restaurant?", "No"),
        ("the {w:chairs should have backs}", "do the chairs have backs at this restaurant?", "Yes"),
        ("{w:my uncle can't sit low}", "is this restaurant good for someone who can not sit low?", "Yes"),
        ("{n:my uncle can't sit low}", "is this restaurant good for someone who can not sit low?", "Yes"),
        ("I want to {w:watch the ferries}", "can guests watch the ferries at this restaurant?", "Yes"),
        ("without {n:mirrors}", "does this restaurant have mirrors?", "No"),
        ("{w:crispy burgers}", "does this restaurant serve crispy burgers?", "Yes"),
        ("do any {s:thai} places {q:still push carts around}?", "does this restaurant push carts around?", "Yes"),
        ("which {s:thai} places do people trust not to {n:mix up bills}?", "does this restaurant mix up bills?", "No"),
        ("a bar nobody has {n:photographed}", "has anyone photographed this restaurant?", "No"),
        ("the menu isn't {n:only in latin}", "is the menu only in latin at this restaurant?", "No"),
        ("without {n:charging a fortune for corkage}", "does this restaurant charge a fortune for corkage?", "No"),
        ("where {w:the owner comes over to chat}", "does the owner come over to chat at this restaurant?", "Yes"),
        ("of the {s:thai} ones, which {q:do people think are spotless}?", "is this restaurant spotless?", "Yes"),
        ("{s:breakfast}, {w:good coffee} a must", "does this restaurant serve good coffee?", "Yes"),
        ("that still has a {w:working jukebox}", "does this restaurant have a working jukebox?", "Yes"),
        (
            "{s:dim sum} in {s:Sunnyvale} that is {w:brought on carts}",
            "is the dim sum brought on carts at this restaurant?",
            "Yes",
        ),
        (
            "{s:peking duck} with {w:crackling skin}",
            "does this restaurant serve peking duck with crackling skin?",
            "Yes",
        ),
        ("an elegant {s:french} place with {w:tasty desserts}", "does this restaurant serve tasty desserts?", "Yes"),
        ("could I {w:bring my own cake} to any of them?", "can guests bring their own cake at this restaurant?", "Yes"),
        ("where reviewers {w:rave about the lighting}", "do guests rave about the lighting at this restaurant?", "Yes"),
        ("looking for {w:old waiters in bow ties}", "does this restaurant have old waiters in bow ties?", "Yes"),
        ("outlets: {w:sockets to charge my lamp}", "does this restaurant have sockets to charge their lamp?", "Yes"),
        ("a cafe where the coffee is {w:strong}", "is the coffee strong at this restaurant?", "Yes"),
        (
            "a place with {w:desserts people rave about}",
            "does this restaurant serve desserts people rave about?",
            "Yes",
        ),
        ("{w:servers who know their wine}", "does this restaurant have servers who know their wine?", "Yes"),
        ("with {w:strong pisco sours}", "does this restaurant serve strong pisco sours?", "Yes"),
        ("where the {w:curry is actually spicy}", "is the curry actually spicy at this restaurant?", "Yes"),
        (
            "where the {w:tasting menu is worth the money}",
            "is the tasting menu worth the money at this restaurant?",
            "Yes",
        ),
        ("no {w:corkage fee}", "can guests bring their own wine without a corkage fee at this restaurant?", "Yes"),
        ("without {n:booking weeks ahead}", "do guests have to book weeks ahead at this restaurant?", "No"),
        ("where can I eat and {w:still hear my aunt}?", "can guests hear their aunt at this restaurant?", "Yes"),
        ("with high stools and a {w:menu for cats}", "does this restaurant have a menu for cats?", "Yes"),
        ("that isn't {n:too loud to have a conversation}", "is this restaurant quiet?", "Yes"),
        ("{s:boba} in {s:Sunnyvale} that is not {n:too sweet}", "is the food too sweet at this restaurant?", "No"),
        ("where {w:your clothes don't smell of smoke}", "do clothes smell of smoke at this restaurant?", "No"),
        (
            "I want to {w:watch the ferries while I eat}",
            "can guests watch the ferries while they eat at this restaurant?",
            "Yes",
        ),
        ("where would I {w:feel comfortable}?", "would guests feel comfortable at this restaurant?", "Yes"),
        ("but no {n:complaints about slow service}", "is the service at this restaurant fast?", "Yes"),
        ("the {w:cocktails must be praised in the reviews}", "are the cocktails good at this restaurant?", "Yes"),
        ("cheap, with a {s:fountain}", "does this restaurant have a fountain?", "Yes"),
    ],
)
def test_a_wish_becomes_one_question(line: str, question: str, expected: str) -> None:
    assert (question, expected) in asked(read(line))
    assert len(asked(read(line))) == 1


def test_a_quality_and_a_thing_beside_it_are_two_wishes() -> None:
    assert asked(read("somewhere {w:cozy with a harp}")) == [
        ("is this restaurant cozy?", "Yes"),
        ("does this restaurant have a harp?", "Yes"),
    ]
    assert len(asked(read("somewhere {w:patient with a toddler}"))) == 1
    assert asked(read("with a {w:harpist for my 30th birthday}")) == [
        ("does this restaurant have a harpist?", "Yes"),
        ("is this restaurant good for a 30th birthday?", "Yes"),
    ]


def test_reviews_are_counted_where_their_number_is_asked_for() -> None:
    frame = read("tell me the {q:price range} and the {q:number of reviews} of {s:thai} places in {s:Sunnyvale}")
    assert [one.column for one in frame.projections] == ["price", "num_reviews"]
    assert not frame.order


def test_what_is_had_for_whom_a_need_was_told_is_no_further_wish() -> None:
    frame = read("my sister is vegan, {s:thai} with {w:dishes for her too}")
    assert len(asked(frame)) == 1


def test_a_column_that_is_asked_for_is_shown() -> None:
    frame = read("{s:thai} in {s:Sunnyvale} with a {w:harp}, and tell me {q:when they open}")
    assert [(one.column, one.question) for one in frame.projections] == [("opening_hours", "")]
    frame = read("{s:thai} in {s:Sunnyvale}. {q:Phone number} too please.")
    assert [(one.column, one.question) for one in frame.projections] == [("phone_number", "")]
    frame = read("{s:thai} in {s:Sunnyvale}, {q:what do people say about the prices}?")
    assert all(one.question for one in frame.projections)


def test_an_open_question_in_the_search_is_told_and_no_condition() -> None:
    frame = read("{q:how rich is the broth} at the {s:best rated} {s:ramen} place in {s:Sunnyvale}")
    assert [one.question for one in frame.projections] == ["how rich is the broth?"]
    assert not asked(frame)


def test_what_is_denied_inside_a_mark_is_a_wish_of_its_own() -> None:
    assert [expected for _, expected in asked(read("a crust {w:flaky not greasy}"))] == ["Yes", "No"]


def test_what_was_told_is_no_condition() -> None:
    frame = read("We had burgers in Cupertino, they were loud. Now {s:thai} in {s:Sunnyvale}")
    values = {leaf.values for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)}
    assert values == {("thai",), ("Sunnyvale",)}
    assert not asked(frame)


def test_a_place_that_is_told_stays_where_no_other_is_looked_for() -> None:
    frame = read("we are in Sunnyvale now, {s:thai} please")
    assert any("Sunnyvale" in leaf.values for node in frame.where for leaf in leaves(node))


def test_a_column_recognised_inside_a_wish_is_no_part_of_the_question() -> None:
    frame = read("{w:a harpist in Sunnyvale}")
    assert asked(frame) == [("does this restaurant have a harpist?", "Yes")]


def test_an_unknown_place_in_a_wish_is_none() -> None:
    frame = read("{s:thai} in {s:Sunnyvale} where I can {w:order in Klingon}")
    assert asked(frame) == [("can guests order in klingon at this restaurant?", "Yes")]
    places = [leaf.values for node in frame.where for leaf in leaves(node) if getattr(leaf, "column", "") == "location"]
    assert places == [("Sunnyvale",)]


def test_a_dish_one_had_enough_of_is_told() -> None:
    frame = read("I've had enough butter chicken. {s:indian} in {s:Sunnyvale}, please")
    assert not asked(frame)


def test_what_is_only_preferred_can_be_given_up() -> None:
    frame = read("{s:thai}, ideally {p:mirrors on the wall}")
    (soft,) = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]
    assert soft.soft


def test_what_is_asked_of_the_results_is_told_with_each() -> None:
    frame = read("{s:thai} in {s:Sunnyvale}, and {q:how is the lighting}?")
    assert [one.question for one in frame.projections] == ["how is the lighting?"]
    assert not asked(frame)


@pytest.mark.parametrize("line", ["near {s:Lisbon}", "under {s:31}", "{s:Great Basin}"])
def test_values_that_no_column_knows_are_no_wishes(line: str) -> None:
    assert not asked(read(line))


def test_an_unlikely_mark_is_none() -> None:
    assert asked(read("a {w:fountain}", probability=0.3))
    assert not asked(read("a {w:fountain}", probability=0.05))
