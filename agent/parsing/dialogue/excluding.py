"""What a message takes away from a search ("drop the price", "drop the loud ones"), and what it adds to one."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.condition_kinds import Meaning, beside, overlaps
from agent.parsing.dialogue.history import Past
from agent.parsing.dialogue.phrases import compiled
from agent.parsing.frame import Asked, Condition, Either, Frame, Node, leaves, merge, without

_ROWS = compiled(  # "drop the loud ones", "leave out everything over 15 hours", "skip those that meet on Friday"
    r"\b{leaves_out}\s+(?P<what>"
    r"(?:(?:all|any|of|the|these|those|such|super|very|really|too)\s+)*(?:(?!{goes_on}\b)[\w$'-]+\s+){0,4}?{rows}\b"
    r"(?:\s+(?!{goes_on}\b)(?:[^.!?;,]|[.,](?=\d))*)?|"
    r"(?:(?:all|any|of)\s+)*(?:the\s+)?{every}\s+(?!{goes_on}\b)(?:[^.!?;,]|[.,](?=\d))*|"
    r"the\s+(?!(?:{ordinal}|other|same|only|one)\b)(?:[\w'-]+\s+){1,3}?one\b)"  # "drop the evening one"
)
_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


def rows_left_out(message: str) -> re.Match[str] | None:
    """The part of a message that leaves rows out by what they are; their description is its group `what`."""
    match = _ROWS.search(message)
    return None if match is None or re.search(r"\b(?:my|our)\b", match["what"].lower()) else match


def taken_away(message: str, read: Callable[[str], Frame], base: Frame, past: Past, meaning: Meaning) -> Frame | None:
    """The search `base` without what a message takes away; None where it takes nothing away."""
    if (match := rows_left_out(message)) is not None:
        named = read(match["what"]).where
        unwanted = tuple(turned(node) for node in named)
        if len(named) > 1:  # "the noisy bars": what is both, and not all that is noisy
            unwanted = (Either(mode="all", parts=named, negated=True, words=match["what"]),)
        if unwanted:
            rest = f"{message[: match.start()]} {message[match.end() :]}"
            kept = read(cues.without_talk(rest)) if re.search(r"\w{3,}", rest) else None
            wanted = kept.where if kept is not None and kept.table == base.table else ()
            read_of = tuple(leaf.table for node in (*wanted, *unwanted) for leaf in leaves(node))
            update = {"where": (*wanted, *unwanted), "tables": tuple(dict.fromkeys((base.table, *read_of)))}
            return merge(base, Frame(tables=base.tables, words=message).model_copy(update=update))
    what = cues.dropped(message)
    if not what:
        return None
    frame = meaning.dropped(base, what)
    if frame == base and not _was_asked(what, base, past, meaning):
        return None
    return merge(frame, without(read(message), lambda node: overlaps(node, what)))


def _was_asked(what: str, base: Frame, past: Past, meaning: Meaning) -> bool:
    """The last search asked for it, before it was given up to find anything."""
    searched = past.searched
    asked = Frame.model_validate(searched.frame) if searched is not None and searched.frame else base
    return meaning.dropped(asked, what) != asked


def turned(node: Node) -> Node:
    """What holds of the rows of which a condition does not."""
    if isinstance(node, Either):
        return node.model_copy(update={"negated": not node.negated})
    if isinstance(node, Asked):
        answer = {"Yes": "No", "No": "Yes"}.get(node.expected)
        return node.model_copy(update={"expected": answer} if answer else {"negated": not node.negated})
    if isinstance(node, Condition) and node.op in _OPPOSITE and not node.negated:
        return node.model_copy(update={"op": _OPPOSITE[node.op]})
    return node.model_copy(update={"negated": not node.negated})


def adding(message: str, new: Frame, base: Frame, meaning: Meaning) -> Frame:
    """What a message adds to a search (`base`): turned around where it rejects it ("we had thai yesterday"), beside
    what was there where it widens it."""
    unwanted = cues.rejected(message)
    where = [_rejected(node, meaning) if node.words.lower() in unwanted else node for node in new.where]
    if cues.widens(message):
        where = [beside(node, base) for node in where]
    return new.model_copy(update={"where": tuple(where)})


def _rejected(node: Node, meaning: Meaning) -> Node:
    """The opposite of a condition on a vocabulary."""
    if isinstance(node, Condition) and meaning.says_what(node):
        return node.model_copy(update={"negated": True})
    return node
