"""The phrases of conditions put around a noun: `cheap Italian restaurants in Palo Alto`."""

from __future__ import annotations

from agent.catalogue.tables import Table
from agent.suql.terms import shared_start
from agent.suql.voices import Phrase
from agent.text.english import listed

Piece = tuple[str, bool]  # text, whether it is emphasised


def noun_phrase(table: Table, phrases: list[Phrase]) -> list[Piece]:
    """`cheap Italian restaurants in Palo Alto that reviewers call romantic`, from phrases in any order."""
    pieces: list[Piece] = []
    for phrase in [*_slot(phrases, "quality"), *_slot(phrases, "adjective")]:
        pieces += [(phrase.text, True), (" ", False)]
    picked = _slot(phrases, "picked")
    pieces.append((listed([phrase.text for phrase in picked]), True) if picked else (table.noun[1], False))
    for slot in ("named", "place", "open", "with"):
        chosen = _slot(phrases, slot)
        if slot in ("with", "open") and chosen:
            link = " with " if slot == "with" else " "
            pieces += [(link, False), (listed([phrase.text for phrase in chosen]), True)]
            continue
        for text in _together([phrase.text for phrase in chosen]):
            pieces += [(" ", False), (text, True)]
    others = [phrase.text for phrase in _slot(phrases, "not")]
    clauses = [
        (" that are not ", [listed(others, "or")] if others else []),
        (" that ", _said(_slot(phrases, "that"))),
        (" ", _said(_slot(phrases, "whose"))),
        (" where ", _said(_slot(phrases, "where"))),
    ]
    spoken = [(link, said) for link, said in clauses if said]
    for number, (link, said) in enumerate(spoken):
        pieces += [(f" and{link}" if number else link, False), (listed(said), True)]
    return pieces


def _together(texts: list[str]) -> list[str]:
    """Places that begin alike are told as one: "on Monday", "on Friday" are "on Monday and Friday"."""
    gathered: dict[str, list[str]] = {}
    for text in texts:
        gathered.setdefault(text.split(" ")[0], []).append(text)
    told: list[str] = []
    for first, alike in gathered.items():
        shared = shared_start(alike)
        told.append(shared + listed([text[len(shared) :] for text in alike], "or" if first == "not" else "and"))
    return told


def _said(phrases: list[Phrase]) -> list[str]:
    """The claims of each voice gathered: "reviewers call romantic and not noisy"."""
    gathered: dict[str, list[str]] = {}
    for phrase in phrases:
        gathered.setdefault(phrase.voice, []).append(phrase.text)
    said: list[str] = []
    subject = ""
    for voice, texts in gathered.items():
        who = voice.split(" ")[0]
        said.append(f"{voice.removeprefix(who + ' ') if who == subject else voice} {listed(texts)}".strip())
        subject = who if who == "reviewers" else ""
    return said


def _slot(phrases: list[Phrase], slot: str) -> list[Phrase]:
    return [phrase for phrase in phrases if phrase.slot == slot]
