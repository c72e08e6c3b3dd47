"""The questions of one message: where one ends and the next begins, and which of them go on from the one before.

"How many are open on Sunday, and which is the cheapest?" asks twice of the same rows; "thai in Palo Alto, and somewhere
for a steak in Sunnyvale" looks for two things. What a search can answer at once stays one question: "a quiet place, and
when does it open?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from agent.language.tasks import Question
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.follow import Read
from agent.parsing.dialogue.meaning import Meaning
from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.dialogue.references import without_references
from agent.parsing.frame import Condition, Frame, leaves, merge, without
from agent.parsing.semantics import english

_TURN = compiled(  # before another question: "..., and which one is the worst?"
    r"(?:(?<=[?])|[,;:.!]*)(?P<and>(?:\s+(?:and|but|also|plus|then))*)\s+(?={other_question}\b)"
)
_JOIN = compiled(r"\s*[,;.]?\s+(?:(?:and|also|plus|then)\s+)+|\s*[;.]\s+")
_ASKS = compiled(r"(?:^|[,.;:!?]\s+)(?:(?:and|but|so|also) )*(?:{question}|which)\b|\?\s*$")
_ELLIPTIC = compiled(r"(?:and )?(?:(?:what|how) about|on|in|at|for|near|by|after|before|under|with)\b")
_AND_THEN = re.compile(rf"(?<=[?])\s+(?={_ELLIPTIC.pattern})", re.IGNORECASE)  # "...? and on Saturday at 3?"
_SUPERLATIVE = rf"(?:(?:most|least) \w+|best|worst|{'|'.join(english.superlatives())})"
_OPPOSITES = re.compile(
    rf"\b(?P<one>{_SUPERLATIVE}) (?:and|&|\+) (?:also )?(?:the )?(?P<other>{_SUPERLATIVE})(?= \w)", re.IGNORECASE
)
_POINTS = re.compile(r"\b(?:it|its|they|them|theirs?|those|these|there)\b", re.IGNORECASE)
_MEAL = re.compile(r"^open .*\bfor \w+$")
_HANGS = re.compile(rf"{_POINTS.pattern}|\b(?:this|that|one)\b", re.IGNORECASE)
_THERE = re.compile(r"\b(?:near|around|close to|next to) (?:there|it|them|that)\b|\bthere\W*$", re.IGNORECASE)
FEW = 1  # content words: a question to the articles that has no more hangs on the one before it
_KEYS = ("",)  # something that is known, whatever it is


def questions(text: str, read: Read, meaning: Meaning) -> tuple[Question, ...]:
    """The questions of a message, in its order; each that goes on from another says from which."""
    for turn in _TURN.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        if not left or not (turn["and"] or left.endswith("?")) or not _ASKS.search(left):
            continue  # "I lost my card, what do I do?" asks once
        first, second = read(left), read(right)
        if not _says(second) and first.aggregate is not None:
            second = read(right, _KEYS)  # "how many are there, and where are they?"
        if _asks_apart(first, second, right, meaning):
            return (Question(words=left), *_going_on(left, right, read, meaning, own=_own(second, right, meaning)))
    for turn in _AND_THEN.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        first, second = read(left), read(right)
        if first.aggregate is not None and second.where:
            return (Question(words=left), *_going_on(left, right, read, meaning, own=False))
    for left, right in _requests(text, read, meaning):
        return (Question(words=left), *questions(right, read, meaning))
    if both := _OPPOSITES.search(text):
        sides = [f"{text[: both.start()]}{both[side]}{text[both.end() :]}" for side in ("one", "other")]
        if _opposite(*map(read, sides)):
            return tuple(Question(words=words) for words in sides)
    return (Question(words=text),)


def continued(first: Frame, words: str, read: Read, noun: str, meaning: Meaning) -> Frame:
    """What the words ask when they go on from a question of the same message: of the rows that it was about, or where
    those are, if they look for others there."""
    plain = cues.without_talk(without_references(words)).lstrip(" ,:;-")
    new = read(cues.as_search(plain, noun))
    if new.presentation == "article":
        return _of_the_same(first, new, words)
    rows = first.model_copy(
        update={"aggregate": None, "projections": (), "order": (), "each": (), "limit": None, "presentation": "list"}
    )
    if _ELLIPTIC.match(words) and new.where and not (new.aggregate or new.order):
        return merge(first, new).model_copy(update={"aggregate": first.aggregate, "presentation": first.presentation})
    if _THERE.search(words) and _says_what(new, meaning):
        placed = any(meaning.is_place(node) for node in new.where)
        places = () if placed else tuple(node for node in first.where if meaning.is_place(node))
        return new.model_copy(update={"where": (*new.where, *places)})
    if new.aggregate is not None:
        return merge(rows, new)
    if not (new.where or new.order or new.projections):
        asked = read(plain, _KEYS).projections
        told = tuple(one for one in asked if _content(plain) or not one.question)  # "what are they" asks for the rows
        new = new.model_copy(update={"projections": told})
    kinds = tuple(node for node in new.where if meaning.says_what(node))  # "which of them are vegetarian?"
    merged = merge(rows, without(new, lambda node: node in kinds))
    limit = new.limit if new.limit_said else 1 if new.order else None
    where = (*merged.where, *(node for node in kinds if node not in merged.where))
    return merged.model_copy(update={"where": where, "limit": limit, "presentation": new.presentation})


def _of_the_same(first: Frame, new: Frame, words: str) -> Frame:
    """A question to the articles, with what the message asked before where its own words say too little."""
    if len(_content(words)) > FEW and not _HANGS.search(words):
        return new
    order = tuple(term.model_copy(update={"words": f"{first.words} {term.words}"}) for term in new.order)
    about = f" (about: {first.words.rstrip('?!. ')})"
    asked = tuple(
        one.model_copy(update={"question": one.question + about}) if one.question else one for one in new.projections
    )
    return new.model_copy(update={"order": order, "projections": asked})


def _going_on(left: str, right: str, read: Read, meaning: Meaning, *, own: bool) -> Iterator[Question]:
    for question in questions(right, read, meaning):
        yield question if own or question.following else question.model_copy(update={"following": left})


def _asks_apart(first: Frame, second: Frame, words: str, meaning: Meaning) -> bool:
    """Whether what comes second is a question that no answer to the first can hold."""
    if first.presentation == "article" or second.presentation == "article":
        both = first.presentation == second.presentation
        return both and bool(_content(words))  # "..., and how much?" belongs to what it is said of
    if not (_says(first) and _says(second)):
        return False
    if first.aggregate is not None and first.aggregate.group and second.aggregate is None:
        return _own(second, words, meaning)  # "who has the best ratings, and what else does she teach?"
    if first.aggregate is not None or second.aggregate is not None:
        return True
    if _THERE.search(words) and _says_what(first, meaning) and _says_what(second, meaning):
        return True
    if _own(second, words, meaning):
        return _says_what(first, meaning) or meaning.names(first)
    return _opposite(first, second)


def _own(frame: Frame, words: str, meaning: Meaning) -> bool:
    """Whether a question says what it is about, rather than to go on from another."""
    if frame.presentation == "article" or _POINTS.search(said("existential").sub(" ", words)):
        return False
    return _says_what(frame, meaning) or meaning.names(frame)


def _says_what(frame: Frame, meaning: Meaning) -> bool:
    """Whether some condition says what kind of thing is wanted."""
    return any(meaning.says_what(node) for node in frame.where)


def _content(words: str) -> list[str]:
    """The words that say something."""
    return english.content(re.findall(r"[a-z]+", words.lower()))


def _says(frame: Frame) -> bool:
    return bool(frame.where or frame.order or frame.aggregate or frame.projections)


def _opposite(first: Frame, second: Frame) -> bool:
    """ "The best and the worst": both ends of one column."""
    ends = [{(term.table, term.column, term.descending) for term in frame.order} for frame in (first, second)]
    return any((table, column, not down) in ends[1] for table, column, down in ends[0])


def _requests(text: str, read: Read, meaning: Meaning) -> Iterator[tuple[str, str]]:
    """Where a message stops looking for one thing and goes on to another: each has a kind of its own, and they differ
    in something of which a thing has one, like its place."""
    joins = list(_JOIN.finditer(text))
    if not joins or not any(_differ(*pair) for pair in combinations(_values(read(text), meaning), 2)):
        return
    for join in joins:
        left, right = text[: join.start()].strip(), text[join.end() :].strip()
        first, second = read(left), read(right)
        differ = any(_differ(one, other) for one in _values(first, meaning) for other in _values(second, meaning))
        if differ and all(_is_request(frame, meaning) for frame in (first, second)):
            yield left, right


def _is_request(frame: Frame, meaning: Meaning) -> bool:
    """Whether words say what is wanted: a kind of thing, or a meal at a place."""
    placed = any(meaning.is_place(node) for node in frame.where)
    meal = any(isinstance(value, str) and _MEAL.search(value) for _, _, value in _values(frame, meaning))
    return _says_what(frame, meaning) or (placed and meal)


def _values(frame: Frame, meaning: Meaning) -> list[tuple[str, str, object]]:
    """The values that conditions ask for of columns that hold one: (column, comparison, value)."""
    said_of = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    single = [leaf for leaf in said_of if not leaf.negated and leaf.op in ("=", "<=", ">=") and not meaning.many(leaf)]
    return [(f"{leaf.table}.{leaf.column}", leaf.op, value) for leaf in single for value in leaf.values]


def _differ(one: tuple[str, str, object], other: tuple[str, str, object]) -> bool:
    return one[:2] == other[:2] and one[2] != other[2]
