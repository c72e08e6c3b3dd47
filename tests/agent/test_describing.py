"""What a query asks of texts, by the column that holds the answers, and whether it wants the first of an order."""

import pytest

from agent.describing import asked_of_texts, limit_of, takes_the_first, ties, with_ties


@pytest.mark.parametrize(
    ("suql", "columns", "asked"),
    [
        ("SELECT name, answer(reviews, 'is it quiet?') FROM r", ("name", "answer"), {"answer": "is it quiet?"}),
        ("SELECT answer(reviews, 'how far?') AS far FROM r", ("far",), {"far": "how far?"}),
        ("SELECT * FROM r WHERE answer(reviews, 'is it quiet?') = 'Yes'", ("name", "rating"), {}),
        ("", (), {}),
    ],
)
def test_the_questions_of_columns(suql: str, columns: tuple[str, ...], asked: dict[str, str]) -> None:
    assert asked_of_texts(suql, columns) == asked


@pytest.mark.parametrize(
    ("suql", "first"),
    [
        ("SELECT * FROM r ORDER BY price ASC LIMIT 1", ("price",)),
        ("SELECT * FROM r ORDER BY rating DESC, name LIMIT 1", ("rating", "name")),
        ("SELECT * FROM r ORDER BY price ASC LIMIT 3", ()),
        ("SELECT * FROM r ORDER BY price ASC", ()),
        ("SELECT * FROM r LIMIT 1", ()),
        ("SELECT * FROM r ORDER BY similar(body, 'x') DESC LIMIT 1", ()),
        ("", ()),
    ],
)
def test_the_first_of_an_order_is_one_row_by_columns(suql: str, first: tuple[str, ...]) -> None:
    assert takes_the_first(suql) == first


@pytest.mark.parametrize(
    ("suql", "limit"),
    [("SELECT * FROM r LIMIT 3", 3), ("SELECT * FROM r", None), ("SELECT * FROM r LIMIT 0", 0), ("", None)],
)
def test_how_many_rows_are_wanted_at_most(suql: str, limit: int | None) -> None:
    assert limit_of(suql) == limit


def test_an_order_by_what_is_shown_under_a_name_is_known() -> None:
    suql = "SELECT title, capacity - enrolled AS seats_left FROM r ORDER BY capacity - enrolled DESC LIMIT 1"
    assert takes_the_first(suql) == ("seats_left",)


def test_the_first_of_an_order_is_looked_at_with_those_after_it() -> None:
    asking = "SELECT * FROM r WHERE answer(reviews, 'is it quiet?') = 'Yes' ORDER BY price LIMIT 1"
    assert with_ties("SELECT * FROM r ORDER BY price LIMIT 1").endswith("LIMIT 5")
    assert with_ties(asking).endswith("LIMIT 2")  # one more has to be found
    assert with_ties("SELECT * FROM r ORDER BY price LIMIT 3") == ""


def test_groups_show_what_they_are_ordered_by_so_that_those_in_the_first_place_can_be_told() -> None:
    wider = with_ties("SELECT month FROM r GROUP BY month ORDER BY COUNT(*) DESC, MIN(price) LIMIT 1")
    assert wider.startswith('SELECT "month", COUNT(*) AS "count" FROM')
    assert wider.endswith("LIMIT 5")
    rows = [{"month": "April", "count": 3}, {"month": "May", "count": 3}, {"month": "June", "count": 2}]
    assert ties(wider, rows, ["", "Kaveri", ""]) == "May has the same count."
    assert ties(wider, [rows[0], rows[2]], ["", ""]) == ""


def test_an_order_of_rows_by_what_they_do_not_show_is_left_alone() -> None:
    assert with_ties("SELECT title FROM r ORDER BY similar(body, 'dogs') DESC LIMIT 1") == ""
