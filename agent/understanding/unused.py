"""What of a message its query does not use, in the user's own words: it is said with the answer, not dropped.

A word is accounted for where it stands in a value, names a column or table of the query, is asked of prose, belongs to
a number that is compared, or says nothing by itself. In a clause that the query uses, verbs and adverbs belong to what
is used ("built after 1990"); in one that it does not, they are what was asked for ("that run in winter").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz.distance import OSA

from agent.catalogue.tables import Kind
from agent.parsing.semantics import english
from agent.text import grammar
from agent.text.wordlists import words as listed
from agent.understanding.clauses import SPEAKERS, Span
from agent.understanding.denials import compared
from agent.understanding.joins import column_name, identifier
from agent.understanding.measures import is_unit, measured
from agent.understanding.moments import stretches_of_time
from agent.understanding.roles import LIMIT, Literal, Roles
from agent.understanding.schema import Schema, folded
from agent.understanding.values import CARDINALS, number_in

MISSPELT = 5  # letters of a word that may be spelled wrong
STEM = 5  # letters by which long words are alike
BESIDE = 6  # words before a counted thing in which its column may be named
LONGEST = 2_000  # characters of a message that is accounted for

#: Words that say nothing that a query could use.
_LIGHT = frozenset(
    listed(
        """
        i me we us my our mine am im id ive he she show list find give get tell name names need want like look looking
        search know see say said says know think mean means please pls thanks ok okay hi hello hey well oh now still
        tho really actually only just even too also quite very rather good decent fine best nearest closest one
        ones thing things
        something anything someone people else other others many much more most less least few fewer several lot lots
        plenty
        first last next top bottom number average mean total sum count amount maximum minimum max min highest lowest
        go goes going come comes let make take have has having got be been being is are was were do does did done can
        could will would should may might not never no yes don doesn isn aren didn won ll ve re s t d m there here how
        what which who whom whose where when why that this these those them they it its their his her so then than as
        if while per each every all any both either neither order sorted sort rank by again instead back forget drop
        start over remove without with don't doesn't isn't aren't didn't won't can't whats what's there's i'm i'd i've
        we're we'll it's that's dont doesnt isnt arent information info details detail about exactly year years kind
        according going report reports reported mention mentions mentioned place places somewhere
        whats thats theres used use using ever currently today result results row rows entry entries record records
        left remain remains remaining
        """
    )
)
_COUNTED = frozenset(CARDINALS[2:])  # numbers in words; "one" mostly counts nothing
_DEGREES = frozenset(listed("most least best worst more less fewer top"))
_SUBJECT_AFTER = frozenset(listed("do does did have has where when that"))
_MAY = frozenset(listed("can could may"))
_LEADS = frozenset(listed("with without not never no within near over under above below than least most only for"))
_WORD = re.compile(r"[£€$]?\d+(?:[.,:]\d+)*[^\W\d_]*|[^\W_]+(?:['’-][^\W_]+)*")
_ENDS = re.compile(
    r"[,;:.!?]+(?=\s|$)|\b(?:and|or|but|that|which|who|whose|where|with|without|also|plus|for|in|near|within)\b", re.I
)
_LITERAL = re.compile(r"'((?:[^']|'')*)'")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    stop: int
    tag: str
    clause: int
    spanned: bool  # it stands in a value, or in what is asked of prose
    named: bool  # the query says it otherwise
    column: bool  # it names a column of the query, or a value in it


@dataclass(frozen=True, slots=True)
class Account:
    """Where a message says a value that its query looks up, names what the query uses, and says what it does not."""

    claimed: tuple[Span, ...] = ()
    named: tuple[Span, ...] = ()
    left: tuple[Span, ...] = ()
    ordered: bool = False


def unused(message: str, schema: Schema, roles: Roles, sql: str, asked: Sequence[Span] = ()) -> tuple[str, ...]:
    """Return the stretches of a message that its query does not use; `asked` are those that prose is asked."""
    left = account(message, schema, roles, sql, asked).left
    return tuple(dict.fromkeys(message[start:stop] for start, stop in left))


def account(message: str, schema: Schema, roles: Roles, sql: str, asked: Sequence[Span] = ()) -> Account:
    """Return what a query makes of the words of a message; `asked` are those that prose is asked."""
    if roles.move in ("drop", "undo") or len(message) > LONGEST:
        return Account()
    literals = [compared(measured(one, schema, message), message) for one in roles.literals]
    told = [one for one in literals if one.stop and _is_in(one, schema, sql)]
    spans = [(one.start, one.stop) for one in told] + list(asked)
    if any(
        one.column.kind is Kind.OPENING_HOURS and column_name(schema, at) in sql for at, one in enumerate(schema.fields)
    ):
        spans += stretches_of_time(message)
    words = _words(message, spans, _said(schema, sql), _nouns(schema, sql))
    words = _with_thing(words)
    live = {word.clause for word in words if word.spanned or word.named}
    left = [_is_left(words, at, live, roles, sql) for at in range(len(words))]
    return Account(
        tuple(spans),
        tuple((word.start, word.stop) for word in words if word.named),
        tuple(_stretches(words, left)),
        bool(roles.order),
    )


def _is_in(literal: Literal, schema: Schema, sql: str) -> bool:
    """Whether a query has what a value is said of."""
    if literal.column == LIMIT:
        return " LIMIT " in sql
    return literal.column < 0 or column_name(schema, literal.column) in sql


def _words(message: str, spans: Iterable[Span], said: frozenset[str], nouns: frozenset[str]) -> list[_Word]:
    found = list(_WORD.finditer(message))
    ends = [match.start() for match in _ENDS.finditer(message)]
    spans = list(spans)
    tags = grammar.tags(tuple(match[0].lower().replace("’", "'") for match in found))
    words = []
    for match, tag in zip(found, tags, strict=True):
        text = match[0].lower().replace("’", "'")
        spanned = any(start < match.end() and stop > match.start() for start, stop in spans)
        clause = sum(end <= match.start() for end in ends)
        column = not spanned and not is_light(text) and _is_said(text, said)
        noun = not spanned and _is_called(text, nouns)
        words.append(_Word(text, *match.span(), tag, clause, spanned, column or noun, column))
    return words


def _with_thing(words: list[_Word]) -> list[_Word]:
    """The words with the one for what is searched for, which a message begins with: "ponies under 130 cm", where rows
    are called horses."""
    for at, word in enumerate(words[:-1]):
        if is_light(word.text) or word.tag == "JJS" or word.spanned:
            continue
        after = words[at + 1]
        said = any(one.spanned for one in words[at + 2 : at + 4])
        bounded = after.tag == "WDT" or after.text == "of" or (after.tag == "IN" and said)
        begins = word.tag == "VBZ" and all(one.spanned for one in words[:at])  # "easy <walks> with a view"
        thing = word.tag == "NNS" or begins or (word.tag == "NN" and bounded)
        thing = thing and not (at and words[at - 1].text in _SUBJECT_AFTER)  # "where do <guests> complain"
        return [*words[:at], replace(word, named=True), *words[at + 1 :]] if thing else words
    return words


def _is_left(words: Sequence[_Word], at: int, live: set[int], roles: Roles, sql: str) -> bool:
    """Whether a word says something that the query does not use."""
    word = words[at]
    counted = word.text in _COUNTED  # "for <four> people"
    if word.spanned or word.named or (is_light(word.text) and not counted):
        return False
    if counted:
        return not re.search(rf"(?:[=<>]|LIMIT) {number_in(word.text)}\b", sql)
    numeric = word.text[0] in "£€$" or word.text[0].isdigit()
    if not numeric and _tells_of_speaker([one.text for one in words if one.clause == word.clause]):
        return False
    if numeric:
        return not re.search(rf"[=<>] {re.escape(word.text)}\b", sql)
    ordered = " ORDER BY " in sql or bool(roles.compare)
    if word.tag in ("JJS", "RBS") or grammar.is_superlative(word.text):
        return not ordered
    if word.clause not in live:
        return True
    if word.tag in ("JJR", "RBR") or (word.text.endswith("er") and _leads_to_number(words, at)):
        return not (ordered or re.search(r" [<>]=? ", sql))
    if word.tag[:2] in ("VB", "RB", "MD", "IN", "TO", "RP", "UH", "PR", "CC") and not grammar.is_adjective(word.text):
        return False
    return not (_leads_to_number(words, at) or _follows_number(words, at))


def _tells_of_speaker(clause: Sequence[str]) -> bool:
    """Whether a clause tells of whoever asks, and does not ask what they can do: "where can we swim"."""
    asks = any(one in _MAY and other in SPEAKERS for one, other in pairwise(clause))
    return not asks and any(one in SPEAKERS for one in clause)


def _leads_to_number(words: Sequence[_Word], at: int) -> bool:
    """Whether a word is what a number is compared of: "entry under 4", "a deck of at least 30"."""
    after = next((one for one in words[at + 1 :] if not is_light(one.text) and one.tag[:2] != "IN"), None)
    return after is not None and after.spanned and _is_number(after.text)


def _follows_number(words: Sequence[_Word], at: int) -> bool:
    """Whether a word is what a number counts: a unit, or of something that is named beside: "room for 100 cars"."""
    if not at or not words[at - 1].spanned or not _is_number(words[at - 1].text):
        return False
    return is_unit(words[at].text) or any(one.column for one in words[max(0, at - BESIDE) : at])


def _is_number(text: str) -> bool:
    return number_in(text) is not None or text[0].isdigit()


def is_light(text: str) -> bool:
    """Return whether a word says nothing that a query could use."""
    light = _LIGHT | english.function()
    plain = text.removesuffix("'s")
    if plain in light or _DEGREES & {plain} or (plain.endswith("s") and grammar.base(plain) in light):
        return True
    misspelt = len(text) >= MISSPELT and not grammar.is_word(text)  # "quiet" is no "quite"
    return misspelt and any(len(one) >= MISSPELT and OSA.distance(text, one) <= 1 for one in light)


def _stretches(words: Sequence[_Word], left: Sequence[bool]) -> Iterator[Span]:
    """What is left, with the words between that say nothing, and what leads to it: "without a car"."""
    at = 0
    while at < len(words):
        if not left[at]:
            at += 1
            continue
        start = stop = at
        for place in range(at + 1, len(words)):
            if words[place].spanned or words[place].named or words[place].clause != words[at].clause:
                break
            stop = place if left[place] else stop
        while start and words[start - 1].clause == words[at].clause and _leads(words[start - 1]):
            start -= 1
        yield words[start].start, words[stop].stop
        at = stop + 1


def _leads(word: _Word) -> bool:
    return not (word.spanned or word.named) and (
        word.text in _LEADS | {"a", "an", "the", "at", "there's"} or word.tag in ("VBN", "VBD", "VBG", "JJ")
    )


def _said(schema: Schema, sql: str) -> frozenset[str]:
    """The words of what a query uses: of its literals, of the columns it names, and others for these."""
    literals = {text.replace("''", "'") for text in _LITERAL.findall(sql)}
    texts = list(literals)
    for at, one in enumerate(schema.fields):
        if column_name(schema, at) in sql:
            column = one.column
            texts += [one.words, column.description, column.unit, *column.synonyms, *column.low_words]
            texts += column.high_words
            texts += [form for form, value in schema.stored[at].items() if value in literals]
    return frozenset(word for text in texts for word in folded(text).split())


def _nouns(schema: Schema, sql: str) -> frozenset[str]:
    """What the rows of a query's tables are called."""
    texts: list[str] = []
    for table, words in zip(schema.tables, schema.words, strict=True):
        if re.search(rf"(?<!\w){re.escape(identifier(table.name))}(?!\w)", sql):
            texts += [words, *table.noun, *table.synonyms]
    return frozenset(word for text in texts for word in folded(text).split())


def _is_said(text: str, said: frozenset[str]) -> bool:
    forms = [form for part in [text, *text.split("-")] for form in folded(part.removesuffix("'s")).split()]
    return any(_alike(form, one) for form in forms for one in said)


def _is_called(text: str, nouns: frozenset[str]) -> bool:
    return any(form in nouns or form.removesuffix("s") in nouns for form in folded(text.removesuffix("'s")).split())


def _alike(word: str, other: str) -> bool:
    if word == other or word + "s" == other or word == other + "s" or grammar.base(word) == grammar.base(other):
        return True
    if not (word.isalpha() and min(len(word), len(other)) >= STEM):
        return False
    return word[:STEM] == other[:STEM] or OSA.distance(word, other) <= 1
