"""What a query asks of texts, by the column that holds the answers."""

import pytest

from agent.describing import asked_of_texts


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
