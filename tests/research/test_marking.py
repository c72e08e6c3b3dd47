"""Messages marked by hand: how a line is read, and the files that the tagger was learned on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybridchat.research import marking

FOLDER = Path(marking.__file__).parent / "development" / "marking"


def test_a_line_is_a_message_and_its_marks() -> None:
    assert marking.message("no {n:bibs}, {s:crab} please") == marking.Message(
        "no bibs, crab please", ((3, 7, "unwanted"), (9, 13, "column"))
    )


def test_a_broken_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="broken"):
        marking.message("no {n:bibs please")


def test_no_held_out_message_was_learned_on() -> None:
    learned = {one.text for one in marking.messages([*FOLDER.glob("?.txt")])}
    held = {one.text for one in marking.messages([FOLDER / "held.txt"])}

    assert len(learned) > 3_000
    assert len(held) >= 400
    assert not learned & held
