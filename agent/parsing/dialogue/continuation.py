"""What a question asks that goes on from another of the same message."""

from __future__ import annotations

from agent.parsing.dialogue import coordination, cues, pointing
from agent.parsing.dialogue.condition_kinds import Meaning, orders_part
from agent.parsing.dialogue.follow import Read
from agent.parsing.dialogue.joint_searches import says_what
from agent.parsing.dialogue.phrases import compiled
from agent.parsing.dialogue.question_split import KEYS, content
from agent.parsing.dialogue.references import without_references
from agent.parsing.frame import Frame, merge, without

_ELLIPTIC = compiled(r"(?:and )?{elliptic}\b")


def continued(first: Frame, words: str, read: Read, noun: str, meaning: Meaning) -> Frame:
    """What the words ask when they go on from a question of the same message: of the rows that it was about, or where
    those are, if they look for others there."""
    said = without_references(pointing.without_there(words))
    plain = cues.without_talk(said).lstrip(" ,:;-")
    new = read(cues.as_search(plain, noun))
    rows = first.model_copy(
        update={"aggregate": None, "projections": (), "order": (), "each": (), "limit": None, "presentation": "list"}
    )
    if _ELLIPTIC.match(words) and new.where and not (new.aggregate or new.order):
        return merge(first, new).model_copy(update={"aggregate": first.aggregate, "presentation": first.presentation})
    fresh = pointing.there(words) or pointing.one_more(words) or coordination.somewhere(words)
    if fresh and (says_what(new, meaning) or len(new.where) > 1 or (new.where and cues.names_kind(words))):
        placed = any(meaning.is_place(node) for node in new.where)
        places = () if placed else tuple(node for node in first.where if meaning.is_place(node))
        return new.model_copy(update={"where": (*new.where, *places)})
    if new.aggregate is not None:
        return merge(rows, new)
    known = read(plain, KEYS)
    if orders_part(new, known):
        return merge(rows, new.model_copy(update={"where": (), "order": (), "projections": known.projections}))
    if not (new.where or new.order or new.projections):
        # "what are they" asks for the rows
        told = tuple(one for one in known.projections if content(plain) or not one.question)
        new = new.model_copy(update={"projections": told})
    kinds = tuple(node for node in new.where if meaning.says_what(node))  # "which of them are vegetarian?"
    if kinds and pointing.which_are(words):  # "which places are kosher, and which are halal?"
        rows = without(rows, meaning.says_what)
    merged = merge(rows, without(new, lambda node: node in kinds))
    limit = new.limit if new.limit_said else 1 if new.order else None
    where = (*merged.where, *(node for node in kinds if node not in merged.where))
    return merged.model_copy(update={"where": where, "limit": limit, "presentation": new.presentation})


def within(first: Frame, new: Frame) -> Frame:
    """A question about a group that another told of, under the conditions that it was told under."""
    if new.table != first.table or new.presentation in ("detail", "comparison"):
        return new
    rows = Frame(tables=first.tables, where=first.where, words=first.words)
    return merge(rows, new).model_copy(update={"limit": new.limit, "limit_said": new.limit_said})
