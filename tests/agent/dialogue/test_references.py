"""Which of the rows shown a message points to."""

import pytest

from agent.language import PastQuery
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.references import referred, without_references
from tests.agent.dialogue.test_interpreter import Talker

SHOWN = PastQuery(
    question="q",
    suql="SELECT 1",
    table="restaurants",
    keys=("alder", "birch", "cedar"),
    titles=("Alder Kitchen", "Birch & Bone", "Cedar Noodle House"),
)


def keys(message: str) -> tuple[str, ...] | None:
    reference = referred(message, SHOWN, (SHOWN,))
    return reference.keys if reference else None


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("the second one", ("birch",)),
        ("number 3 please", ("cedar",)),
        ("what about the last?", ("cedar",)),
        ("compare the first two", ("alder", "birch")),
        ("1st and 3rd", ("alder", "cedar")),
        ("are they open on Monday?", ("alder", "birch", "cedar")),
        ("is it noisy?", ("alder",)),
        ("tell me more about cedar noodle house", ("cedar",)),
        ("is the noodle one loud?", ("cedar",)),
        ("the bone place and the noodles place", ("birch", "cedar")),
    ],
)
def test_rows_are_found(message, expected):
    assert keys(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "is there parking nearby",
        "it's our anniversary, somewhere nice",
        "tacos in Sunnyvale",
        "my first time in the city",
        "the cheap one",
        "the house one of my friends likes",
    ],
)
def test_words_that_only_look_like_a_reference_point_nowhere(message):
    assert keys(message) is None


def test_a_place_beyond_the_list_points_nowhere():
    assert keys("the fifth one") is None


def test_choosing_among_rows_is_told_from_asking_about_them():
    choosing, asking = referred("which of these is cheapest", SHOWN), referred("are they expensive", SHOWN)
    assert choosing is not None
    assert asking is not None
    assert (choosing.chooses, asking.chooses) == (True, False)


def test_nothing_is_pointed_to_before_anything_was_shown():
    assert referred("the second one", None) is None


DETAIL = SHOWN.model_copy(update={"keys": ("birch",), "titles": ("Birch & Bone",), "presentation": "detail"})


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("compare the first and third", ("alder", "cedar")),
        ("what about the first?", ("alder",)),
        ("which one is cheapest?", ("alder", "birch", "cedar")),
        ("is it noisy?", ("birch",)),
        ("do they have parking?", ("birch",)),
    ],
)
def test_places_count_in_the_list_before_a_question_about_one_of_its_rows(message, expected):
    reference = referred(message, DETAIL, (SHOWN, DETAIL))
    assert reference is not None
    assert reference.keys == expected


def test_places_count_in_what_was_found_since():
    found = SHOWN.model_copy(update={"keys": ("dill",), "titles": ("Dill House",)})
    reference = referred("the first one", found, (SHOWN, found))
    assert reference is not None
    assert reference.keys == ("dill",)


def test_what_keeps_going_asks_for_more_only_where_it_is_told_to() -> None:
    assert "keep going" in cues.without_talk("does my health insurance keep going?")
    assert "keep going" in cues.without_talk("can I keep going to the gym?")
    assert "keep going" not in cues.without_talk("ok keep going")


def test_a_name_that_two_rows_share_points_to_neither():
    both = SHOWN.model_copy(update={"titles": ("Alder Kitchen", "Birch Kitchen", "Cedar Noodle House")})
    assert referred("is the kitchen one open?", both, (both,)) is None


def test_a_question_is_left_without_the_row_that_it_describes():
    said = "does the noodle one take cards?"
    assert " ".join(without_references(said, SHOWN, (SHOWN,)).split()) == "does it take cards?"
    assert without_references(said) == said


def test_a_figure_of_rows_shown_is_worked_out_over_them() -> None:
    talk = Talker()
    talk.say("top 3 rated restaurants in Cupertino")
    suql = talk.say("what is their average rating?")
    assert "AVG(rating)" in suql
    assert " IN (" in suql


def test_a_search_with_its_own_noun_and_place_begins_anew() -> None:
    talk = Talker()
    talk.say("ramen in Palo Alto")
    assert "ramen" not in talk.say("restaurants in San Francisco with a view")
