"""Values that are marked and that no column stores so."""

from __future__ import annotations

import pytest

from agent.understanding.misspelt import with_misspelt
from agent.understanding.roles import Mark, Roles


@pytest.mark.parametrize(
    ("said", "operator", "value"),
    [("sandwik", "=", "Sandwick"), ("Lady Moina", "=", "Lady Moyna"), ("castle", "", ""), ("qqqqqqq", "", "")],
)
def test_a_misspelt_value_is_the_one_that_is_nearly_spelled_so(schema, said, operator, value):
    message = f"ferries of {said}"
    mark = Mark("column", 0, message.index(said), len(message))
    found = [(one.operator, one.text) for one in with_misspelt(Roles(marks=[mark]), schema, message).literals]
    assert found == ([(operator, value)] if value else [])


def test_marks_that_stand_together_may_be_one_name(schema):
    message = "is lady moina fast"
    marks = [Mark("column", 0, 3, 7), Mark("column", 0, 8, 13)]
    [found] = with_misspelt(Roles(marks=marks), schema, message).literals
    assert (found.text, found.start, found.stop) == ("Lady Moyna", 3, 13)
