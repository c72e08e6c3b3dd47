"""What of a message its queries do not use, in the user's own words.

Every word is accounted for: a query uses it (in a condition, an order, a number, a column asked for), it says nothing
by itself ("show me the"), or it only tells why somebody asks ("my sister is in town"). What is left was asked for, and
is to be said with the answer rather than dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from agent.catalogue.tables import Catalogue, Kind
from agent.parsing.frame import Asked, Condition, Frame, Use, leaves
from agent.parsing.semantics import english
from agent.parsing.semantics.lexing import Text, Token, read
from agent.parsing.semantics.spelling import Speller
from agent.text.letters import fold

_WORD = re.compile(r"\$+|\d+(?:[.:]\d+)+|[^\W_]+(?:['’][^\W_]+)*")
_LACKS = re.compile(
    r"\b(?:without|with no)(?: (?:any|an?|the))? [a-z]+\b|\b(?:nobody|no one|nothing)(?= at all|\s*[.?!,;]|\s*$)",
    re.IGNORECASE,
)
_SIGNS = frozenset("$€£¥₹")
_ENDS = frozenset(".,;:!?()")
_SENTENCE = frozenset(".!?")
_QUANTITY = re.compile(r"[$€£¥₹]+|\d+(?:[.:]\d+)*(?!st|nd|rd|th)[^\W\d_]{0,4}")


def unused(
    message: str, frames: Sequence[Frame], catalogue: Catalogue, speller: Speller, *, follows: bool = False
) -> tuple[str, ...]:
    """The stretches of a message that limit what is wanted and that none of its queries uses, as they were written.

    `follows` tells that the message goes on from a search before it, of which it may speak.
    """
    frames = [_limited(frame, catalogue) for frame in frames]
    known: set[str] = set().union(*(_used(frame, catalogue) for frame in frames))
    bare = all(_is_bare(frame, follows=follows) for frame in frames)
    found: list[str] = []
    for sentence in _sentences(read(message, speller)):
        if not _is_story(sentence):
            runs = (_trimmed(run) for run in _runs(sentence, known) if not _tells_of_speaker(run))
            limiting = (run for run in runs if run and _tells(run, known) and (bare or _limits(run, sentence[0])))
            found += [message[run[0].start : run[-1].stop] for run in limiting]
    if not follows and not any(_denies(leaf) for frame in frames for leaf in _leaves(frame)):
        lacks = (match.group() for match in _LACKS.finditer(message))
        found += [words for words in lacks if not any(words in other for other in found)]
    return tuple(dict.fromkeys(found))


def _denies(leaf: Condition | Asked) -> bool:
    """Whether a condition may say that something is not there; texts are asked for it in words of their own."""
    return isinstance(leaf, Asked) or leaf.negated or leaf.op == "empty"


def _limited(frame: Frame, catalogue: Catalogue) -> Frame:
    """A frame without the conditions that every row meets: any class of prices lies "under $150"."""
    return frame.model_copy(update={"where": tuple(one for one in frame.where if not _holds_of_all(one, catalogue))})


def _holds_of_all(node: object, catalogue: Catalogue) -> bool:
    if not isinstance(node, Condition) or node.op != "=" or node.negated:
        return False
    table = catalogue.table(node.table)
    column = table.column(node.column) if table is not None else None
    return column is not None and bool(column.values) and set(column.values) <= set(node.values)


def is_used(word: str, frame: Frame, catalogue: Catalogue) -> bool:
    """Whether a query uses a word."""
    return not _stems([word]).isdisjoint(_used(frame, catalogue))


def _sentences(text: Text) -> Iterator[list[Token]]:
    sentence: list[Token] = []
    for token in text.tokens:
        sentence.append(token)
        if token.mark and token.norm in _SENTENCE:
            yield sentence
            sentence = []
    yield sentence


def _is_story(sentence: list[Token]) -> bool:
    """Whether a sentence tells of the person who asks, and looks for nothing."""
    said = {token.norm for token in sentence}
    return bool(said & (english.speakers() | english.relatives())) and not said & english.sought()


def _tells_of_speaker(run: list[Token]) -> bool:
    """Whether a run goes on about the person who asks: "because I commute"."""
    return any(token.norm in english.speakers() for token in run[:2])


def _runs(sentence: list[Token], known: set[str]) -> Iterator[list[Token]]:
    """What stands between words that a query uses, and between marks."""
    run: list[Token] = []
    for token, after in zip_longest(sentence, sentence[1:]):
        of_sum = token.raw in _SIGNS and after is not None and after.start == token.stop and _is_known(after, known)
        if token.norm in _ENDS or of_sum or (_says(token) and _is_known(token, known)):
            yield run
            run = []
        else:
            run.append(token)
    yield run


def _trimmed(run: list[Token]) -> list[Token]:
    """A run without words that say nothing at its ends; what leads to a quantity or a thing stays: "within 2 miles"."""
    while run and not _says(run[0]) and not _leads(run[0]):
        run = run[1:]
    while run and not _says(run[-1]) and not (len(run) > 1 and _is_unit(run[-1], run[-2])):
        run = run[:-1]
    return run


def _tells(run: list[Token], known: set[str]) -> bool:
    """Whether a run says more than that something is done or felt: a quantity, a name, a thing, how it is."""
    light = english.verbs() | english.relatives() | english.feelings() | english.adverbs() | english.function()
    left = (token.norm for token in run if _says(token) and not _is_known(token, known))
    return any(not light & {word, english.base(word), _doing(word)} for word in left)


def _is_bare(frame: Frame, *, follows: bool) -> bool:
    """Whether a query says next to nothing: what else the message says is hardly in passing."""
    conditions = list(_leaves(frame))
    asked = any(isinstance(leaf, Asked) for leaf in conditions)
    told = frame.presentation == "aggregate" or (frame.presentation == "list" and not follows)
    return len(conditions) <= 1 and not asked and told


def _limits(run: list[Token], first: Token) -> bool:
    """Whether a run limits what is wanted: it holds a quantity or a name, or begins as a condition does."""
    if run[0].norm in english.limiting():
        return True
    return any(
        _QUANTITY.fullmatch(token.norm) or (token is not first and len(token.raw) > 1 and token.raw[0].isupper())
        for token in run
        if _says(token)
    )


def _doing(word: str) -> str:
    """The verb of a gerund: "counting" is what somebody does who counts."""
    return word.removesuffix("ing")


def _says(token: Token) -> bool:
    if token.mark:
        return False
    return _QUANTITY.fullmatch(token.norm) is not None or bool(english.content([token.norm]))


def _leads(token: Token) -> bool:
    return token.norm in english.leading()


def _is_unit(word: Token, before: Token) -> bool:
    """Whether a word says of what a number before it is one: "20 <seats>"."""
    return before.norm[-1:].isdigit() and word.norm not in english.function() and word.norm.isalpha()


def _is_known(token: Token, known: set[str]) -> bool:
    return not known.isdisjoint({token.norm, _stem(token.norm), *map(_stem, _words(token.raw))})


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    return english.base(word) if len(word) > 3 else word


def _words(text: str) -> list[str]:
    return [fold(found[0]) for found in _WORD.finditer(text)]


def _stems(texts: Iterable[str]) -> set[str]:
    return {_stem(word) for text in texts for word in _words(text)}


# -- what a query uses -------------------------------------------------------------------------------------------------


def _used(frame: Frame, catalogue: Catalogue) -> set[str]:
    """The stems of the words that a query uses, or was meant not to."""
    said = [use.words for use in frame.uses if _counts(use, frame) and not _measures(use, catalogue)]
    return _stems([*_texts(frame, catalogue), *said])


def _measures(use: Use, catalogue: Catalogue) -> bool:
    """Whether words give a distance from a place, which no condition bounds: "within <2> miles of the park"."""
    columns = [name.partition(".") for name in use.columns]
    tables = [(catalogue.table(table), column) for table, _, column in columns]
    found = [table.column(column) for table, column in tables if table is not None]
    placed = any(column is not None and column.kind is Kind.LOCATION for column in found)
    return use.kind == "node" and placed and any(_QUANTITY.fullmatch(word) for word in _words(use.words))


def _counts(use: Use, frame: Frame) -> bool:
    """Whether what was made of words is part of the query."""
    if use.kind == "order":
        return bool(frame.order or frame.each or (frame.aggregate and frame.aggregate.best_first))
    if use.kind == "aggregate":
        return bool(frame.aggregate or frame.each)
    if use.kind == "node" and frame.presentation not in ("detail", "comparison"):
        said, read_of = _stems([use.words]), set(use.columns)
        if read_of & {f"{term.table}.{term.column}" for term in frame.order}:
            return True  # "closest to <Apple Park>"
        return any(read_of & _columns(leaf) or said & _stems([leaf.words]) for leaf in _leaves(frame))
    return True


def _columns(leaf: Condition | Asked) -> set[str]:
    names = leaf.columns if isinstance(leaf, Asked) else (leaf.column,)
    return {f"{leaf.table}.{name}" for name in names}


def _leaves(frame: Frame) -> Iterator[Condition | Asked]:
    for node in (*frame.where, *(frame.aggregate.of if frame.aggregate is not None else ())):
        yield from leaves(node)


def _texts(frame: Frame, catalogue: Catalogue) -> Iterator[str]:
    """What a query says: the words of its conditions, their values, and the names of the columns it uses."""
    for node in frame.where:
        yield node.words
    for leaf in _leaves(frame):
        yield leaf.words
        if isinstance(leaf, Asked):
            yield leaf.question
        else:
            yield from map(str, leaf.values)
            yield from _called(leaf.table, leaf.column, catalogue)
    for term in frame.order:
        yield from _called(term.table, term.column, catalogue)
    for item in frame.projections:
        yield item.question
        yield from _called(item.table, item.column, catalogue)
    if frame.aggregate is not None:
        yield "total altogether overall"
        for table, column in ((frame.aggregate.table, frame.aggregate.column), *frame.aggregate.group):
            yield from _called(table, column, catalogue)
    if frame.among:
        yield str(len(frame.among))  # "compare the first <2>"
    if frame.limit_said:
        yield str(frame.limit)
    for name in frame.tables:
        if (found := catalogue.table(name)) is not None:
            yield from (*found.noun, *found.synonyms, name)


def _called(table: str, column: str, catalogue: Catalogue) -> Iterator[str]:
    found = catalogue.table(table)
    one = found.column(column) if found is not None else None
    if one is not None:
        yield from (one.name.replace("_", " "), *one.synonyms)
