"""Queries in English, and queries without one of their constraints."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Saying
from agent.protocols.errors import QueryError
from agent.suql import Catalogue, Column, Geo, Kind, Table, check, describe, without
from agent.suql.describe import kind_described

C = Column
CATALOGUE = Catalogue(
    (
        Table(
            "hotels",
            (
                C("id", Kind.NUMBER), C("slug", Kind.TEXT), C("name", Kind.TEXT), C("styles", Kind.ENUM, many=True),
                C("price", Kind.ENUM, values=("cheap", "moderate", "dear")), C("rating", Kind.NUMBER, unit="stars"),
                C("num_reviews", Kind.NUMBER), C("location", Kind.LOCATION), C("latitude", Kind.NUMBER),
                C("longitude", Kind.NUMBER), C("desk_hours", Kind.OPENING_HOURS), C("phone", Kind.TEXT),
                C("has_pool", Kind.BOOLEAN), C("description", Kind.FREE_TEXT), C("reviews", Kind.FREE_TEXT, many=True),
                C("reception_hours", Kind.TEXT), C("opened", Kind.DATE), C("min_guests", Kind.NUMBER),
                C("max_guests", Kind.NUMBER),
                C("keepers", Kind.TEXT, many=True, said="kept by"),
            ),
            entity="slug", title="name", noun=("hotel", "hotels"), geo=Geo(),
        ),
        Table(
            "rooms",
            (
                C("id", Kind.NUMBER), C("hotel_id", Kind.NUMBER), C("beds", Kind.NUMBER), C("season", Kind.ENUM),
                C("days", Kind.ENUM, many=True),
            ),
            noun=("room", "rooms"),
        ),
    )
)  # fmt: skip


def yes(question: str, column: str = "reviews", value: str = "Yes") -> str:
    return f"answer({column}, '{question}') = '{value}'"


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("'greek' = ANY(styles) AND location = 'Brea'", "Greek hotels in Brea"),
        ("price = 'cheap' AND 'lodges' = ANY(styles)", "cheap lodge hotels"),
        ("'greek' = ANY(styles) AND (price = 'cheap' OR price = 'moderate')", "cheap or moderate Greek hotels"),
        ("location = 'Main Street'", "hotels near Main Street"),
        ("NOT 'greek' = ANY(styles) AND price <> 'dear'", "hotels that are not Greek or dear"),
        (
            "price < (SELECT price FROM hotels WHERE name = 'Alder' LIMIT 1)",
            "hotels with price below that of Alder",
        ),
        ("styles && (SELECT styles FROM hotels WHERE name = 'Alder')", "hotels with styles in common with Alder"),
        (yes("is this hotel quaint?"), "hotels that reviewers call quaint"),
        (
            f"{yes('is this hotel quaint?')} AND {yes('is it loud?', value='No')}",
            "hotels that reviewers call quaint and not loud",
        ),
        (f"NOT {yes('is this hotel loud?')}", "hotels that reviewers call not loud"),
        (yes("does this hotel have anything green?"), "hotels that reviewers say have something green"),
        (yes("does it have anything green?", value="No"), "hotels that reviewers say do not have anything green"),
        (
            "answer(reviews, 'is it loud?') IS DISTINCT FROM 'Yes'",
            "hotels where reviewers do not say it is loud",
        ),
        (
            "answer(description, 'does this hotel have a sauna?') IS DISTINCT FROM 'No'",
            "hotels where the description does not deny that it has a sauna",
        ),
        (
            "answer(reviews, 'is this hotel quaint?') IS DISTINCT FROM 'No'",
            "hotels that no reviewer denies are quaint",
        ),
        (
            "answer(reviews, 'does it allow dogs?') IS DISTINCT FROM 'No'",
            "hotels that no reviewer denies allow dogs",
        ),
        (yes("does this hotel have a sauna?"), "hotels that reviewers say have a sauna"),
        (yes("does this hotel have a sauna?", value="No"), "hotels that reviewers say do not have a sauna"),
        (
            f"{yes('is this hotel quaint?')} AND {yes('does it allow dogs?')}",
            "hotels that reviewers call quaint and say allow dogs",
        ),
        (yes("is the breakfast any good?"), "hotels where reviewers say the breakfast is good"),
        (yes("is there a lift?"), "hotels where reviewers say there is a lift"),
        (yes("is there a lift?", value="No"), "hotels where reviewers say there is no lift"),
        (yes("can you hear the trains?"), "hotels where reviewers say you can hear the trains"),
        (yes("is the staff rude?", value="No"), "hotels where reviewers say the staff is not rude"),
        (yes("is breakfast at this hotel late?"), "hotels where reviewers say breakfast is late"),
        (yes("is it suitable for a wedding?"), "hotels that reviewers say are suitable for a wedding"),
        (yes("do reviewers complain about mice?"), "hotels where reviewers complain about mice"),
        (yes("does this hotel face the sea?", "description"), "hotels whose description says it faces the sea"),
        (
            f"({yes('does it serve tea?')} OR {yes('does it serve tea?', 'description')})",
            "hotels that reviewers or the description say serve tea",
        ),
        (
            f"({yes('is it quaint?', 'description')} OR {yes('is it quaint?')})",
            "hotels that the description or reviewers say are quaint",
        ),
        (
            f"({yes('is it quaint?')} OR {yes('is it loud?')})",
            "hotels that reviewers call quaint or loud",
        ),
        (
            "answer(reviews, 'how many rooms face the garden?') > 5",
            "hotels where the answer of reviewers to “how many rooms face the garden?” is more than 5",
        ),
        (
            "answer(reviews, 'which mood?') IN ('calm', 'lively')",
            "hotels where the answer of reviewers to “which mood?” is “calm” or “lively”",
        ),
        ("rating >= 4.5", "hotels with a rating of at least 4.5 stars"),
        ("NOT rating >= 4.5", "hotels with a rating of less than 4.5 stars"),
        ("num_reviews > 9 AND rating BETWEEN 3 AND 4",
         "hotels with more than 9 reviews and a rating between 3 and 4 stars"),
        ("price <= 'moderate'", "hotels with price at most moderate"),
        ("name ILIKE '%astor%'", "hotels called “astor”"),
        ("name ILIKE '%the astor%' OR name ILIKE '%the ritz%'", "hotels called “the astor” or “the ritz”"),
        ("desk_hours = 'open now'", "hotels open now"),
        ("desk_hours = 'open Sunday until 00:00'", "hotels open Sunday until midnight"),
        ("desk_hours = 'Friday 23:00'", "hotels open Friday 11 pm"),
        ("has_pool", "hotels with has pool"),
        ("phone IS NOT NULL", "hotels with a known phone"),
        ("opened > '2020-01-01'", "hotels opened after January 1, 2020"),
        ("slug IN ('a', 'b')", "hotels among the 2 already shown"),
        ("slug NOT IN ('a', 'b')", "hotels other than 2 hotels already shown"),
        ("rating > (SELECT avg(rating) FROM hotels)", "hotels with a rating of more than the average rating of hotels"),
    ],
)  # fmt: skip
def test_conditions_read_as_a_person_would_say_them(where: str, sentence: str) -> None:
    assert describe(f"SELECT * FROM hotels WHERE {where}", CATALOGUE).text == sentence


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("SELECT count(*) FROM hotels WHERE price = 'cheap'", "the number of cheap hotels"),
        ("SELECT avg(rating) FROM hotels", "the average rating of hotels"),
        (
            "SELECT price, avg(rating) FROM hotels GROUP BY price HAVING count(*) > 2",
            "the average rating of hotels, for each price where the count is more than 2",
        ),
        ("SELECT * FROM hotels ORDER BY rating DESC LIMIT 3", "hotels, best rated first, 3 at most"),
        ("SELECT * FROM hotels ORDER BY price", "hotels, cheap first"),
        ("SELECT * FROM hotels ORDER BY num_reviews DESC", "hotels, most reviews first"),
        ("SELECT * FROM hotels ORDER BY similar(reviews, 'sea view') DESC", "hotels, closest to “sea view” first"),
        (
            "SELECT name, answer(reviews, 'how loud is it?') FROM hotels WHERE name = 'Astor'",
            "the answer to “how loud is it?” for hotels called “Astor”",
        ),
        (
            "SELECT name, answer(description, 'is breakfast free?') FROM hotels "
            "WHERE answer(description, 'is breakfast free?') IS NOT NULL",
            "hotels where the description answers “is breakfast free?”",
        ),
        (
            "SELECT answer(description, 'is it far?') FROM hotels "
            "ORDER BY similar(description, 'is it far') DESC LIMIT 1",
            "the answer to “is it far?” in the hotel closest to it",
        ),
        (
            "SELECT name FROM hotels ORDER BY similar(description, 'sea view') DESC LIMIT 1",
            "the hotel closest to “sea view”",
        ),
        ("SELECT summary(reviews) FROM hotels WHERE price = 'dear'", "a summary of the reviews for dear hotels"),
        (
            "SELECT h.name FROM hotels h JOIN rooms r ON r.hotel_id = h.id "
            "WHERE r.season = 'spring' AND 'Mon' = ANY(r.days)",
            "hotels with spring rooms on Monday",
        ),
        ("SELECT name FROM hotels WHERE price = 'cheap' EXCEPT SELECT name FROM hotels WHERE rating < 3",
         "cheap hotels, but not hotels with a rating of less than 3 stars"),
        ("WITH c AS (SELECT * FROM hotels WHERE price = 'cheap') SELECT count(*) FROM c", "the number of cheap hotels"),
    ],
)  # fmt: skip
def test_whole_queries(sql: str, sentence: str) -> None:
    assert describe(sql, CATALOGUE).text == sentence


def test_a_column_says_its_values_in_its_own_words() -> None:
    said = describe("SELECT * FROM hotels WHERE NOT 'Ann Roe' = ANY(keepers)", CATALOGUE)
    assert (said.text, [chip.label for chip in said.chips]) == ("hotels not kept by Ann Roe", ["not kept by Ann Roe"])


def test_who_is_left_out_is_told_together() -> None:
    where = "NOT 'Ann Roe' = ANY(keepers) AND NOT 'Bo Lee' = ANY(keepers) AND location = 'Brea'"
    assert describe(f"SELECT * FROM hotels WHERE {where}", CATALOGUE).text == (
        "hotels not kept by Ann Roe or Bo Lee in Brea"
    )


def test_days_are_told_together() -> None:
    where = "'Mon' = ANY(rooms.days) AND 'Fri' = ANY(rooms.days)"
    assert describe(f"SELECT * FROM rooms WHERE {where}", CATALOGUE).text == "rooms on Monday and Friday"


@pytest.mark.parametrize("value", ["Sunnyvale", "Monterey", "Fritters", "Wedding", "Su"])
def test_what_only_begins_like_a_day_is_none(value: str) -> None:
    said = describe(f"SELECT * FROM hotels WHERE '{value}' = ANY(styles)", CATALOGUE).text
    assert "day" not in said
    assert value.lower().rstrip("s") in said.lower()


@pytest.mark.parametrize("value", ["Thu", "thurs", "Thursday"])
def test_a_day_may_be_cut_short(value: str) -> None:
    assert describe(f"SELECT * FROM rooms WHERE '{value}' = ANY(days)", CATALOGUE).text == "rooms on Thursday"


def test_two_columns_are_compared_in_words() -> None:
    assert describe("SELECT * FROM hotels WHERE NOT min_guests < num_reviews", CATALOGUE).text == (
        "hotels with min guests at least reviews"
    )


def test_an_order_by_distance_is_nearest_first() -> None:
    far = "power(latitude - 37.1, 2) + 0.6 * power(longitude - -122.4, 2)"
    assert describe(f"SELECT * FROM hotels ORDER BY {far}", CATALOGUE).text == "hotels, nearest first"
    assert describe(f"SELECT * FROM hotels ORDER BY {far} DESC", CATALOGUE).text == "hotels, farthest first"


def test_the_bounds_of_a_range_are_one_chip() -> None:
    sql = "SELECT * FROM hotels WHERE max_guests >= 4 AND phone IS NOT NULL AND min_guests <= 4"
    described = describe(sql, CATALOGUE)
    assert [chip.label for chip in described.chips] == ["4 guests", "a known phone"]
    assert without(sql, described.chips[0].id, CATALOGUE) == "SELECT * FROM hotels WHERE NOT phone IS NULL"


def test_parts_make_up_the_text_and_mark_what_was_asked() -> None:
    told = describe("SELECT * FROM hotels WHERE price = 'cheap' AND location = 'Brea'", CATALOGUE)
    assert "".join(text for text, _ in told.parts) == told.text
    assert [text for text, emphasised in told.parts if emphasised] == ["cheap", "in Brea"]


SQL = (
    "SELECT * FROM hotels WHERE price = 'cheap' AND (location = 'Brea' OR location = 'Cove') "
    "AND answer(reviews, 'is this hotel quaint?') = 'Yes' ORDER BY rating DESC LIMIT 3"
)


def test_each_condition_is_a_chip() -> None:
    assert [chip.label for chip in describe(SQL, CATALOGUE).constraints] == ["cheap", "in Brea or Cove", "quaint"]


def test_a_chip_can_be_removed() -> None:
    for removed in range(3):
        chips = describe(SQL, CATALOGUE).constraints
        shorter = without(SQL, chips[removed].id, CATALOGUE)
        left = [chip.label for chip in describe(shorter, CATALOGUE).constraints]
        assert left == [chip.label for number, chip in enumerate(chips) if number != removed]
        assert shorter.endswith("ORDER BY rating DESC NULLS LAST LIMIT 3")
        assert shorter.startswith("SELECT * FROM hotels")


def test_the_last_chip_leaves_no_where() -> None:
    sql = "SELECT * FROM hotels WHERE price = 'cheap'"
    (chip,) = describe(sql, CATALOGUE).constraints
    assert without(sql, chip.id, CATALOGUE) == "SELECT * FROM hotels"


def test_an_unknown_chip_is_an_error() -> None:
    with pytest.raises(QueryError):
        without(SQL, "nothing", CATALOGUE)


def test_what_is_described_is_what_is_checked() -> None:
    assert check(SQL, CATALOGUE).sql == SQL
    with pytest.raises(QueryError):
        describe("SELECT * FROM motels", CATALOGUE)


def test_rows_known_by_name_are_named():
    sql = "SELECT name, price FROM hotels WHERE slug IN ('a', 'b')"
    titles = {"a": "Aster", "b": "Borage"}
    assert describe(sql, CATALOGUE, titles).text == "the price of Aster and Borage"
    assert describe(sql, CATALOGUE).text == "hotels among the 2 already shown"


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        (
            "EXISTS (SELECT 1 FROM rooms r WHERE r.hotel_id = h.id AND r.beds >= 3)",
            "hotels with rooms with beds of at least 3",
        ),
        ("id IN (SELECT hotel_id FROM rooms WHERE beds >= 3)", "hotels with rooms with beds of at least 3"),
        (
            "id NOT IN (SELECT o.id FROM hotels o JOIN rooms r ON r.hotel_id = o.id WHERE r.beds >= 3)",
            "hotels with no rooms with beds of at least 3",
        ),
        ("phone IN (SELECT name FROM hotels)", "hotels where the phone is the name of one of the hotels"),
        (
            "rating > 3 AND NOT EXISTS (SELECT 1 FROM hotels o WHERE o.location = h.location AND o.id <> h.id)",
            "hotels with a rating of more than 3 stars where there are no other hotels of the same location",
        ),
        (
            f"EXISTS (SELECT * FROM rooms WHERE hotel_id <> h.id AND season = 'summer') AND {yes('is it quiet?')}",
            "hotels that reviewers call quiet and where there are summer rooms of another hotel",
        ),
    ],
)
def test_rows_that_have_to_exist_are_said_in_words(where: str, sentence: str) -> None:
    assert describe(f"SELECT name FROM hotels h WHERE {where}", CATALOGUE).text == sentence


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("max_guests >= 3 AND min_guests <= 4", "hotels with 3 to 4 guests"),
        (
            "min_guests <= 4 AND rating > 3 AND max_guests >= 4",
            "hotels with 4 guests and a rating of more than 3 stars",
        ),
        ("min_guests <= 1 AND max_guests >= 1", "hotels with 1 guest"),
        ("max_guests >= 3", "hotels with at least 3 guests"),
        ("max_guests <= 3", "hotels with at most 3 guests"),
        ("min_guests >= 2 AND max_guests <= 6", "hotels with at least 2 guests and at most 6 guests"),
        ("max_guests = 6", "hotels with max guests of 6"),
        ("min_guests = 2 AND max_guests = 2", "hotels with exactly 2 guests"),
        ("min_guests = 1 AND max_guests >= 3", "hotels with min guests of 1 and at least 3 guests"),
    ],
)
def test_the_bounds_of_a_range_are_said_as_one(condition: str, said: str) -> None:
    description = describe(f"SELECT * FROM hotels WHERE {condition}", CATALOGUE)
    assert description.text == said
    assert len(description.constraints) == condition.count("AND") + 1


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("cardinality(styles) = 0", "hotels with no styles"),
        ("NOT cardinality(styles) = 0", "hotels with some styles"),
        ("cardinality(styles) > 0", "hotels with some styles"),
        ("phone IS NULL", "hotels with no phone"),
        ("phone IS NOT NULL", "hotels with a known phone"),
        ("NOT phone IS NOT NULL", "hotels with no phone"),
    ],
)
def test_what_is_there_and_what_is_not(condition: str, said: str) -> None:
    assert describe(f"SELECT * FROM hotels WHERE {condition}", CATALOGUE).text == said


def test_a_text_of_one_table_may_speak_of_the_rows_of_another() -> None:
    sql = f"SELECT hotels.* FROM hotels JOIN rooms ON rooms.hotel_id = hotels.id WHERE {yes('is this room quiet?')}"
    assert describe(sql, CATALOGUE).text == "hotels that reviewers call quiet"


def test_the_average_of_averages_is_one_word() -> None:
    courses = Table("courses", (C("id", Kind.NUMBER), C("title", Kind.TEXT), C("average_rating", Kind.NUMBER)))
    told = describe("SELECT AVG(average_rating) AS avg FROM courses", Catalogue((courses,)))
    assert "the average rating" in told.text
    assert "average average" not in told.text


def test_one_of_each_group_says_which_comes_first() -> None:
    query = "SELECT DISTINCT ON (price) price, name FROM hotels ORDER BY price, rating DESC"
    assert describe(query, CATALOGUE).text == "hotels, one for each price, best rated first"


@pytest.mark.parametrize("rest", ["", ", 3 at most", ", best rated first", ", best rated first, one at most"])
def test_what_kind_is_described_whatever_the_order_and_number(rest: str) -> None:
    assert kind_described(f"thai restaurants in Palo Alto{rest}") == "thai restaurants in Palo Alto"


def test_what_is_left_of_what_is_taken_is_told_in_the_units_of_the_table() -> None:
    taken = Column("guests", Kind.NUMBER, saying=Saying(other="beds", fills=True))
    huts = Table(
        name="huts", columns=(taken, Column("beds", Kind.NUMBER, unit="beds")), key=(), noun=("hut", "huts")
    )  # fmt: skip
    catalogue = Catalogue((huts,))
    assert describe("SELECT * FROM huts WHERE guests < beds", catalogue).text == "huts with beds left"
    assert describe("SELECT * FROM huts ORDER BY beds - guests DESC", catalogue).text == "huts, most beds left first"
