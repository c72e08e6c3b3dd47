"""Values in words, each with the stretch that says it."""

from datetime import date

import pytest

from agent.networks.encoder import Encoder
from agent.parsing.tasks.readers import answers, choices, contact, dates, people, words
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.similarity import Closeness
from agent.text.readers import numbers, times
from agent.worksheets.specification import EnumValue

FRIDAY = date(2026, 11, 20)


def value(readings: list) -> object:
    return readings[-1].value if readings else None


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("friday", "2026-11-27"),
        ("this sunday", "2026-11-22"),
        ("next sunday", "2026-11-29"),
        ("tonight", "2026-11-20"),
        ("the day after tomorrow", "2026-11-22"),
        ("the 5th", "2026-12-05"),
        ("nov 27", "2026-11-27"),
        ("1/15", "2027-01-15"),
        ("in two weeks", "2026-12-04"),
        ("a week from monday", "2026-11-30"),
        ("the twenty-seventh", "2026-11-27"),
        ("2026-12-24", "2026-12-24"),
        ("thanksgiving", "2026-11-26"),
        ("may i come?", None),
        ("february 30", None),
    ],
)
def test_a_day_is_the_next_one_that_fits(said: str, day: str | None) -> None:
    assert value(dates.read(said, FRIDAY)) == day


@pytest.mark.parametrize(
    ("said", "day"),
    [("last monday", "2026-11-16"), ("march 5", "2026-03-05"), ("in march", "2026-03"), ("3/5/90", "1990-03-05")],
)
def test_what_was_done_was_done_before_today(said: str, day: str) -> None:
    assert value(dates.read(said, FRIDAY, past=True)) == day


@pytest.mark.parametrize(
    ("said", "evening", "clock"),
    [
        ("7", True, "19:00"),
        ("9", False, "09:00"),
        ("3", False, "15:00"),
        ("half past seven", True, "19:30"),
        ("quarter to eight", True, "19:45"),
        ("8 in the morning", True, "08:00"),
        ("7.30pm", False, "19:30"),
        ("noon", True, "12:00"),
        ("lunch at 1", True, "13:00"),
        ("12 am", True, "00:00"),
        ("5 people at 6", True, "18:00"),
        ("i am free at 8", True, "20:00"),
    ],
)
def test_an_hour_without_its_half_is_that_of_the_task(said: str, evening: bool, clock: str) -> None:
    assert value(times.read(said, evening=evening)) == clock


def test_the_one_that_stands_for_a_thing_is_no_hour() -> None:
    assert times.read("and now the other one?", evening=True) == []


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("the two of us", 2),
        ("me and my wife", 2),
        ("my parents and me", 3),
        ("my wife, my two kids and i", 4),
        ("2 adults and 3 kids", 5),
        ("a party of six", 6),
        ("just me", 1),
        ("me plus 3", 4),
        ("four adults and a baby", 5),
        ("four adults and one baby, so five", 5),
        ("2 couples and 3 kids, 7 in total", 7),
        ("five of us including one baby", 5),
        ("one of us is vegan", None),
        ("4 people, and my wife is allergic to nuts", 4),
        ("for 7:30", None),
    ],
)
def test_people_are_counted(said: str, number: int | None) -> None:
    assert value(people.read(said)) == number


@pytest.mark.parametrize(("said", "number"), [("forty two", 42), ("3.5", 3.5), ("that one", None), ("05123456", None)])
def test_numbers(said: str, number: float | None) -> None:
    assert value(numbers.read(said)) == number


def test_a_code_may_leave_its_letters_to_the_one_before() -> None:
    assert [one.value for one in contact.codes("cs107, 161 and MATH 51")] == ["CS 107", "CS 161", "MATH 51"]


@pytest.mark.parametrize("said", ["at 8", "for 2 on nov 27", "party of 6", "maybe 6", "option 2"])
def test_words_before_numbers_are_no_codes(said: str) -> None:
    assert contact.codes(said) == []


def test_readings_tell_where_they_were_read() -> None:
    (reading,) = contact.emails("write to ann@x.org please")
    assert "write to ann@x.org please"[reading.start : reading.stop] == "ann@x.org"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("it's jane doe", "Jane Doe"),
        ("My name is Jane O'Neill, and my id is 0612345", "Jane O'Neill"),
        ("Jane Doe, 06123456, jane@x.edu", "Jane Doe"),
        ("J. R. Smith", "J. R. Smith"),
        ("I'm looking for food", None),
    ],
)
def test_a_name_is_what_is_left_without_its_lead(said: str, name: str | None) -> None:
    assert words.name(said) == name


@pytest.mark.parametrize("said", ["yep!", "sure, go ahead", "looks good", "that's right", "book it", "ok great", "👍"])
def test_yes_has_many_forms(said: str) -> None:
    assert answers.whole(said, Answer.NO, Answer.YES) is Answer.YES


@pytest.mark.parametrize("said", ["nope", "not really", "don't book it", "that's wrong", "no thanks", "i'm not"])
def test_no_has_many_forms(said: str) -> None:
    assert answers.whole(said, Answer.NO, Answer.YES) is Answer.NO


@pytest.mark.parametrize("said", ["friday", "set confirm to true", "yes but make it 7", "the date is wrong"])
def test_what_says_more_is_no_mere_yes_or_no(said: str) -> None:
    assert answers.whole(said, Answer.NO, Answer.YES) is None


@pytest.mark.parametrize(("said", "value"), [("is", None), ("my", None), ("the german one", "German Abitur")])
def test_words_without_content_choose_nothing(said: str, value: str | None) -> None:
    options = tuple(EnumValue(value=name) for name in ("French Baccalaureate", "German Abitur", "NEWL"))
    chosen = choices.choose(said, options, Closeness(Encoder.load()), asked=True)
    assert (chosen.value if chosen else None) == value


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ("an easy class to fill 3 units", []),
        ("cs 152 and 154", ["CS 152", "CS 154"]),
        ("I HAVE TO TAKE CS 8 BY 10", ["CS 8"]),
        ("CHEM 31A please", ["CHEM 31A"]),
        ("arts 173", ["ARTS 173"]),
    ],
)
def test_a_code_begins_with_a_department_that_the_corpus_has(said: str, codes: list[str]) -> None:
    assert [one.value for one in contact.codes(said, frozenset({"CS", "ARTS"}))] == codes
