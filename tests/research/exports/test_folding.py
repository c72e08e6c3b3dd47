"""Folding writes each fact once and loses none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridchat.research.exports.folding import QUOTED, SAME, Dangling, fold, unfold

LONG = "a sentence that is long enough to be worth a pointer, which takes sixty-four characters"
names = st.one_of(st.text(max_size=3), st.sampled_from([SAME, QUOTED, "a/b", "~"]))
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from([LONG, LONG + "!"]))
documents = st.recursive(
    leaves, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4))
)


@given(documents)
def test_what_was_folded_unfolds_to_itself(document: object) -> None:
    assert unfold(json.loads(json.dumps(fold(document)))) == document


def test_what_stands_twice_is_written_once() -> None:
    value = {"text": LONG, "rows": [1, 2, 3]}
    folded = fold({"state": {"outcome": value}, "events": [{"kind": "outcome", "outcome": value}, {"text": LONG}]})
    assert json.dumps(folded).count(LONG) == 1
    assert folded["events"][0]["outcome"] == {SAME: "/state/outcome"}
    assert folded["events"][1]["text"] == {SAME: "/state/outcome/text"}


def test_a_pointer_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(Dangling, match="/missing"):
        unfold({"a": {SAME: "/missing"}})
