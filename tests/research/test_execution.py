"""Execution accuracy: when two results say the same, and how hard a gold query is."""

from __future__ import annotations

import sqlite3
from datetime import date
from decimal import Decimal

import pytest

from hybridchat.research.execution import GoldFailed, gold_rows, hardness, is_ordered, same_rows


def test_rows_are_a_multiset_unless_ordered():
    assert same_rows([(1,), (2,)], [(2,), (1,)], ordered=False)
    assert not same_rows([(1,), (2,)], [(2,), (1,)], ordered=True)
    assert not same_rows([(1,), (1,), (2,)], [(1,), (2,), (2,)], ordered=False)


def test_columns_have_their_order():
    assert not same_rows([("a", 1)], [(1, "a")], ordered=False)


@pytest.mark.parametrize(
    ("ours", "gold"),
    [
        (True, "Y"),
        (False, "no"),
        (date(2018, 3, 1), "2018-03-01 00:00:00"),
        (Decimal("3.50"), 3.5),
        (7, "7"),
        ("Port  Ellery", "port ellery"),
        (None, None),
        (None, " "),
        (2.00001, 2.00002),
    ],
)
def test_values_that_say_the_same(ours, gold):
    assert same_rows([(ours,)], [(gold,)], ordered=True)


@pytest.mark.parametrize(("ours", "gold"), [(True, "N"), (date(2018, 3, 1), "2018-03-02"), (3, None), ("a", "b")])
def test_values_that_do_not(ours, gold):
    assert not same_rows([(ours,)], [(gold,)], ordered=True)


@pytest.mark.parametrize(
    ("query", "level"),
    [
        ("SELECT name FROM ferries", "easy"),
        ("SELECT count(*) FROM ferries WHERE length > 40", "easy"),
        ("SELECT name, built FROM ferries WHERE length > 40", "medium"),
        ("SELECT name FROM ferries ORDER BY length DESC LIMIT 1", "medium"),
        ("SELECT name FROM ferries WHERE length > (SELECT avg(length) FROM ferries)", "hard"),
        ("SELECT a.x FROM a JOIN b ON a.i = b.i WHERE a.y = 1 GROUP BY a.x ORDER BY count(*) DESC LIMIT 1", "extra"),
    ],
)
def test_hardness(query, level):
    assert hardness(query) == level


def test_only_the_outermost_order_counts():
    assert is_ordered("SELECT a FROM t ORDER BY a")
    assert not is_ordered("SELECT a FROM t WHERE b = (SELECT b FROM t ORDER BY b LIMIT 1)")


def test_gold_that_cannot_be_run_is_no_empty_result(tmp_path):
    path = tmp_path / "a.sqlite"
    sqlite3.connect(path).execute("CREATE TABLE t (a)").connection.close()
    assert gold_rows(path, "SELECT a FROM t") == []
    with pytest.raises(GoldFailed):
        gold_rows(path, "SELECT nothing FROM t")
