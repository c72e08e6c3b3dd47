"""Whole lists compared, and DISTINCT rows ordered: as in SQL."""

import pytest

from agent.protocols.errors import TypeMismatch
from agent.suql import check
from agent.suql.kinds.comparisons import comparisons
from corpora.catalogue import catalogue


def test_a_whole_list_is_not_compared_by_its_members():
    checked = check("SELECT code FROM offerings WHERE days = ARRAY['Fri']", catalogue())
    assert list(comparisons(checked.names)) == []


def test_a_member_of_a_list_is():
    checked = check("SELECT code FROM offerings WHERE 'Fri' = ANY(days)", catalogue())
    assert [found.words for found in comparisons(checked.names)] == [("Fri",)]


def test_distinct_rows_are_ordered_by_what_they_show():
    with pytest.raises(TypeMismatch, match="select the score too"):
        check("SELECT DISTINCT title FROM courses ORDER BY similar(description, 'graphics') DESC", catalogue())
