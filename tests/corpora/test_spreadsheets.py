"""Cells that a spreadsheet would run as a formula."""

from __future__ import annotations

import pytest

from corpora.spreadsheets import neutral


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1"])
def test_what_would_start_a_formula_is_neutralised(cell: str) -> None:
    assert neutral(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "ramen", "2+2", "it's = 4"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert neutral(cell) == cell
