"""Import, edit, go back, remove and bring back, in any order: the rows that people see are those of a plain model.

FULL_SWEEP=1 tries twenty times as many orders.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpora.importing import editing
from corpora.importing.reading import tables_of
from corpora.importing.removing import NotThere, bring_back, set_aside
from corpora.importing.reverting import go_back
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import store
from corpora.models import CorpusVersion, RowChange
from tests.corpora.importing.test_importing import rows
from tests.drawn import FULL

Row = tuple[str, str]  # a value, and what a hand did to the row: "", "added", "changed", "deleted"
State = dict[str, Row]

KEYS = st.sampled_from("abc")
VALUES = st.sampled_from(["1", "2", "2.5"])
FILES = st.dictionaries(KEYS, VALUES, min_size=1)
STEPS = st.one_of(
    st.tuples(st.just("import"), FILES, st.booleans()),
    st.tuples(st.just("edit"), KEYS, VALUES),
    st.tuples(st.just("add"), KEYS, VALUES),
    st.tuples(st.just("delete"), KEYS, st.none()),
    st.tuples(st.just("go back"), st.integers(0, 9), st.none()),
    st.tuples(st.just("undo"), st.integers(0, 9), st.none()),
    st.tuples(st.just("remove"), st.none(), st.none()),
)


class Model:
    """All states of a corpus so far, the last one counting; each with whether a hand made it, row by row."""

    def __init__(self) -> None:
        self.states: list[State] = [{}]
        self.by_hand: list[bool] = [False]
        self.changed: list[tuple[int, str]] = []  # the versions that changed a row, as RowChange keeps them

    @property
    def now(self) -> State:
        return self.states[-1]

    @property
    def seen(self) -> dict[str, float]:
        return {key: float(value) for key, (value, mark) in self.now.items() if mark != "deleted"}

    def become(self, state: State, hand: bool, noted: bool = False) -> None:
        if len(self.states) > 1:  # of the first import nothing is noted: before it there was no corpus
            keys = {key for key in {*self.now, *state} if self.now.get(key) != state.get(key)}
            self.changed += [(len(self.states), key) for key in sorted(keys)]
        self.states.append(state)
        self.by_hand.append(hand)


def step(model: Model, what: str, first: Any, second: Any, folder: Path) -> None:
    now = dict(model.now)
    version = len(model.states)
    if what == "import":
        bring(first, folder, overwrite_edits=second)
        kept = {} if second else {key: row for key, row in now.items() if row[1]}
        model.become({key: (value, "") for key, value in first.items()} | kept, hand=False)
    elif version == 1:
        return
    elif what == "edit" and first in now:
        editing.edit("letters", "letters", first, {"value": float(second)})
        model.become(now | {first: (second, "added" if now[first][1] == "added" else "changed")}, hand=True)
    elif what == "add" and (first not in now or now[first][1] == "deleted"):
        editing.add("letters", "letters", {"key": first, "value": float(second)})
        model.become(now | {first: (second, "changed" if first in now else "added")}, hand=True)
    elif what == "delete" and first in now and now[first][1] != "deleted":
        editing.delete("letters", "letters", first)
        model.become(now | {first: (now[first][0], "deleted")}, hand=True)
    elif what == "go back":
        number = first % (version - 1) + 1
        go_back(CorpusVersion.objects.get(corpus="letters", number=number))
        model.become(dict(model.states[number]), hand=False)
    elif what == "remove":
        set_aside("letters")
        assert rows("SELECT to_regclass('kb.letters')") == [(None,)]
        for refused in (lambda: editing.delete("letters", "letters", "a"), lambda: go_back(last_version())):
            with pytest.raises(NotThere):
                refused()
        bring_back("letters")
        model.become(now, hand=False)
        model.become(now, hand=False)
    elif what == "undo" and model.changed:
        number, key = model.changed[first % len(model.changed)]
        change = RowChange.objects.get(version__corpus="letters", version__number=number, origin=key)
        was = model.states[number - 1].get(key)
        editing.undo(change)
        rest = {other: row for other, row in now.items() if other != key}
        if model.by_hand[number]:
            model.become(rest | ({key: was} if was else {}), hand=True)
        elif was:
            model.become(rest | {key: (was[0], was[1] or "changed")}, hand=True)
        else:
            model.become(rest | ({key: (now[key][0], "deleted")} if key in now else {}), hand=True)


def bring(values: dict[str, str], folder: Path, overwrite_edits: bool) -> None:
    table = {"name": "letters", "file": "letters.csv", "key": "key", "columns": [{"name": "value", "kind": "NUMBER"}]}
    spec = CorpusSpec.model_validate({"name": "letters", "tables": [table]})
    lines = "".join(f"{key},{value}\n" for key, value in values.items())
    (folder / "letters.csv").write_text(f"key,value\n{lines}")
    store(spec, tables_of(spec, open_sources([folder / "letters.csv"], folder)), overwrite_edits=overwrite_edits)


@pytest.mark.django_db
@given(steps=st.lists(STEPS, max_size=9))
@settings(max_examples=400 if FULL else 20, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_order_of_imports_edits_and_going_back_equals_a_plain_model(steps: list[tuple[str, Any, Any]]) -> None:
    model = Model()
    with tempfile.TemporaryDirectory() as folder, transaction.atomic():
        for what, first, second in steps:
            step(model, what, first, second, Path(folder))
            if len(model.states) > 1:
                assert dict(rows("SELECT key, value FROM kb.letters")) == model.seen, what  # type: ignore[comparison-overlap]
                marks = dict(rows("SELECT origin, mark FROM (SELECT row_origin AS origin, coalesce(row_edit, '') AS "
                                  f"mark FROM {stored()}) t"))  # fmt: skip
                assert marks == {key: mark for key, (_, mark) in model.now.items()}, what
        for number, state in list(enumerate(model.states))[1:]:
            go_back(CorpusVersion.objects.get(corpus="letters", number=number))
            expected = {key: float(value) for key, (value, mark) in state.items() if mark != "deleted"}
            assert dict(rows("SELECT key, value FROM kb.letters")) == expected, number  # type: ignore[comparison-overlap]
        transaction.set_rollback(True)


def last_version() -> CorpusVersion:
    return CorpusVersion.objects.filter(corpus="letters").latest("number")


def stored() -> str:
    version = CorpusVersion.objects.filter(corpus="letters", active=True).first()
    if version is None:
        raise NotThere
    return f'imported."letters_{version.rows_of}_letters"'
