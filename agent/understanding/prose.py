"""What a message wishes for that no column holds: asked of the prose of a table, as the tagger marks it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.catalogue.tables import Kind, Table
from agent.suql.tree import literal as quoted
from agent.text import grammar
from agent.text.wordlists import words as listed
from agent.text.words import stem
from agent.understanding.asking import asked
from agent.understanding.clauses import Clause, clause, marked_clause, resolved
from agent.understanding.joins import identifier
from agent.understanding.roles import OF_COLUMNS, Mark
from agent.understanding.schema import Schema, folded, forms
from agent.understanding.unused import Account, is_light

COVERED = 0.5  # the share of a mark that values of columns may cover before it is one of them
MOST_TEXTS = 2  # prose columns that one wish is asked of
#: Words that order or bound rows, and say nothing of prose.
_OF_ORDER = frozenset(
    listed(
        """
        most least best worst highest lowest top bottom more less fewer greater over under above below than at the a an
        of in by for with and or all any each every average avg mean total number many
        much walking driving distance first last newest oldest largest
        smallest longest shortest biggest sorted ordered order one two three four five six seven eight nine ten
        leaving leave out skip skipping avoid avoiding excluding exclude except but none nothing any
        different distinct same other than have has had is are was were do does did not too so very really that
        count counts fulfil fulfils fulfill fulfills satisfy satisfies
        """
    )
)
_REFUSED = re.compile(
    r"\b(?:leav(?:e|ing) out|skip(?:ping)?|avoid(?:ing)?|exclud(?:e|ing)|except(?: for)?|none|not (?:any|ones|those))"
    r"(?: (?:any|anything|all|the|ones?|those|of|them))*(?: (?:where|that|which|who|with|about|in which))*"
    r"(?: [a-z]+ (?:say|says|think|find|report|complain)(?: of| about)?)?\s*$",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:none|nothing) (?:that|which|who|where|with)$")
_HAS = re.compile(r",? with (?:an?|the) ", re.IGNORECASE)
#: Before what a wish is for, and before what somebody does not like to do, which is why they wish for something else.
_PURPOSE = re.compile(r"(?<!not) so (?:that )?(?:(?:i|we|my|our|the|nobody)\b[^,.;!?]*)?$", re.IGNORECASE)
_DISLIKED = re.compile(r"\b(?:hate|dislike|detest|can(?:'t|not|t) stand|(?:sick|tired) of) $", re.IGNORECASE)
_FOR_SPEAKER = re.compile(r" for (?=(?:my|our) )", re.IGNORECASE)
_PARTS = re.compile(r"[,;.!?]|\b(?:and|or|but|that|which|who|where|with|also|plus)\b", re.IGNORECASE)
REFUSED = "not Yes"  # the answer that is wanted where rows are left out, and what such a wish is
LEAST = 4  # letters of a wish
SHORT = 3  # letters of a word that is cut short
NARROW = 8  # letters between two marks that are one


@dataclass(frozen=True, slots=True)
class Wish:
    """A question for the prose: its words, the answer that is wanted, or that is not to be Yes, whether it may be given
    up first, and whether it is what a row is about."""

    question: str
    expected: str = "Yes"
    soft: bool = False
    topic: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A column that is read of the rows of a table: its name in SQL, the table it is in, whether it has what several
    people say of a row, and whether each says it in a row of another table."""

    name: str
    table: int
    many: bool
    linked: bool


def texts_of(schema: Schema, main: int) -> list[Text]:
    """Return the columns that are read of a table's rows, what many people wrote before what one did: its own, and
    those of remarks on its rows that stand in a table of their own; without those that are read along with another."""
    along = {column.along for column in schema.tables[main].columns}
    own = [(main, one, one.many) for one in schema.tables[main].columns if one.name not in along]
    linked = schema.remarks_on(main)
    others = [(at, one, True) for at in linked for one in schema.tables[at].columns if schema.has(at, one)]
    found = [
        Text(f"{identifier(schema.tables[at].name)}.{identifier(column.name)}", at, many, at != main)
        for at, column, many in (*own, *others)
        if column.kind is Kind.FREE_TEXT and not column.hidden
    ]
    return sorted(found, key=lambda text: not text.many)


def asked_of(texts: Sequence[Text], *, topic: bool = False) -> list[Text]:
    """Return the texts that one thing is asked of: what a row is about, of what describes it."""
    told = [text for text in texts if topic and not text.many]
    return (told or list(texts))[:MOST_TEXTS]


def wishes(
    marks: Sequence[Mark], message: str, table: Table, schema: Schema, said: Account, *, whole: bool = False
) -> list[Wish]:
    """Return what is wished for, in marks and in what the query leaves unused, beside what columns have claimed. Marks
    that are `whole` are all of it, and no part of a clause."""
    named, terms = _names(schema, table), _terms(schema)
    kinds: dict[Clause, str] = {}
    others = [] if whole else [Mark("wish", 0, *left) for left in said.left]
    marks = [*(_reasons_apart(list(_apart(marks, message)), message) if whole else _whole(marks, message)), *others]
    starts = [one.start for one in marks]
    for mark in marks:
        text = "".join(
            " " if any(start <= at < stop for start, stop in said.claimed) else letter
            for at, letter in enumerate(message[mark.start : mark.stop], mark.start)
        )
        covered = _covered(mark, said.claimed)
        text = " ".join(_in_terms(text.split(), terms))
        if covered > (0 if mark.kind in OF_COLUMNS else COVERED) or not _says(text, named, said.ordered):
            continue
        span = (mark.start, mark.stop)
        if whole:
            found = marked_clause(message, span, said.claimed)
        else:
            found = clause(message, span, said.claimed, said.named, starts)
        if found is not None:
            whole_of = resolved(found, message, said.claimed, said.named)
            thing = {*whole_of.words} - {*found.words}  # "my son has <a peanut allergy>. Who takes it seriously?"
            kinds = {one: how for one, how in kinds.items() if not (thing and one.of_speaker and thing <= {*one.words})}
            found = whole_of
        none = found is not None and len(found.words) > 2 and bool(_NONE.match(" ".join(found.words[:2])))
        if found is not None and none:  # "but none <where people say it smells>", "nothing <that smells>"
            found = replace(found, words=found.words[2:], lead=found.words[1])
        if found is not None and not any(found.start < one.stop and found.stop > one.start for one in kinds):
            kinds[found] = REFUSED if none or _REFUSED.search(message[: found.start]) else mark.kind
    kinds = {one: kind for one, kind in kinds.items() if not (one.of_speaker and _leads_to_value(one, message, said))}
    if any(one.words[0] in ("my", "our") for one in kinds):  # "my aunt has a walker. Where does she get in?"
        kinds = {one: kind for one, kind in kinds.items() if not {"he", "she"} & {*one.words[:2]}}
    if not whole and (of_things := {one: kind for one, kind in kinds.items() if not one.of_speaker}):
        kinds = of_things  # what people tell of themselves is why they ask
    return list(dict.fromkeys(wish for one, kind in kinds.items() if (wish := _wish(one, kind, table.noun[0], terms))))


def _leads_to_value(one: Clause, message: str, said: Account) -> bool:
    """Whether a clause ends at a value that says what it is for: "once I have done <CS 106B>"."""
    return any(start >= one.stop and not message[one.stop : start].strip() for start, _ in said.claimed)


def _terms(schema: Schema) -> dict[str, str]:
    """What texts call things, by what people call them, as curators say: "linear algebra" of "lin alg"."""
    prose = (one.column for one in schema.fields if one.column.kind is Kind.FREE_TEXT)
    return {folded(other): term for column in prose for term, others in column.value_words for other in others}


def _in_terms(words: Sequence[str], terms: Mapping[str, str]) -> tuple[str, ...]:
    """Words as texts put them: all together, or parts that no other word of English can mean."""
    whole = " ".join(words)
    if folded(whole) in terms:
        return tuple(terms[folded(whole)].split())
    for said, term in sorted(terms.items(), key=lambda one: -len(one[0])):
        if not all(map(grammar.is_word, said.split())):
            whole = re.sub(rf"\b{re.escape(said)}\b", term.replace("\\", r"\\"), whole)
    return tuple(whole.split())


def _wish(said: Clause, kind: str, noun: str, terms: Mapping[str, str]) -> Wish | None:
    if terms:
        said = replace(said, words=_in_terms(said.words, terms))
    if kind == "topic":
        return Wish(f"is this {noun} about {' '.join(said.words)}?", topic=True)
    text, denied = asked(said, noun)
    if text and kind == REFUSED and not denied:
        return Wish(text, REFUSED)  # what nobody says is left in: "leave out any that rattle"
    return (
        Wish(text, "No" if denied or kind in ("unwanted", "not column") else "Yes", soft=kind == "preferred")
        if text
        else None
    )


def _says(text: str, named: frozenset[str], ordered: bool) -> bool:
    """Whether words say more than the names of columns and an order."""
    words = [word for word in folded(text).split() if not (ordered and grammar.is_superlative(word))]
    more = any(not _is_named(word, named) and word not in _OF_ORDER and not is_light(word) for word in words)
    name = text.strip().isupper() or (len(text.strip()) >= SHORT and not all(map(grammar.is_word, words)))  # "IPA"
    return more and (len(" ".join(words)) >= LEAST or name)


def _is_named(word: str, named: frozenset[str]) -> bool:
    """Whether a word is one of some names, in another form or cut short: "req" of "requirement"."""
    cut = len(word) >= SHORT and not grammar.is_word(word)
    long = (name for name in named if len(name) > 2 * len(word))  # "pho" is no "phones"
    return bool({word, stem(word)} & named) or (cut and any(name.startswith(word) for name in long))


def _whole(marks: Sequence[Mark], message: str) -> list[Mark]:
    """Marks of one kind with only a word or two between them are one: "gets out" of "its stable"."""
    found: list[Mark] = []
    for mark in marks:
        between = message[found[-1].stop : mark.start] if found else ""
        if found and found[-1].kind == mark.kind and len(between) <= NARROW and not _PARTS.search(between):
            found[-1] = found[-1]._replace(stop=mark.stop)
        else:
            found.append(mark)
    return found


def _reasons_apart(marks: Sequence[Mark], message: str) -> list[Mark]:
    """The marks without what only says why another one is wished for: "good ventilation so <my clothes don't smell>",
    "I hate <standing in line>, who seats you right away"."""
    wished = [mark for mark in marks if mark.kind == "wish"]
    found = []
    for mark in marks:
        before = message[: mark.start]
        done = grammar.tags(tuple(message[mark.start : mark.stop].lower().split()))[:1] == ("VBG",)
        purpose = _PURPOSE.search(before) and any(one.stop <= mark.start for one in wished)
        reason = mark.kind == "unwanted" and done and _DISLIKED.search(before) and wished
        if not (purpose or reason):
            found.append(mark)
    return found


def _apart(marks: Sequence[Mark], message: str) -> Iterator[Mark]:
    """The marks, how something is apart from what it has, and what it has from whom it is for: "cozy <with a
    fireplace>", "a band <for our anniversary>"."""
    for mark in marks:
        own = _FOR_SPEAKER.search(message, mark.start, mark.stop) if mark.kind == "wish" else None
        if (
            own
            and own.start() > mark.start
            and grammar.is_noun(grammar.tags(tuple(message[mark.start : own.start()].lower().split()))[-1])
        ):
            yield mark._replace(start=own.end())
            mark = mark._replace(stop=own.start())
        has = _HAS.search(message, mark.start, mark.stop) if mark.kind == "wish" else None
        how = grammar.tags(tuple(message[mark.start : has.start()].lower().split())) if has else ()
        if has and how[-1:] == ("JJ",) and all(tag in ("JJ", "RB", "DT", "CC") for tag in how):
            yield mark._replace(stop=has.start())
            yield mark._replace(start=has.start() + 1)
        else:
            yield mark


def condition(texts: Sequence[Text], wish: Wish, table: Table) -> str:
    """Return the condition that one of some texts answers as wished, or that none of them does as refused; what a row
    is about, its title may say as well."""
    if wish.expected != REFUSED:
        asked = [f"answer({text.name}, {quoted(wish.question)}) = '{wish.expected}'" for text in texts]
        return _any([*_in_title(wish, table), *asked])
    refused = [
        f"answer({text.name}, {quoted(wish.question)}) {'=' if text.linked else 'IS DISTINCT FROM'} "
        f"{quoted('No' if text.linked else 'Yes')}"
        for text in texts
    ]
    return " AND ".join(refused)


def _in_title(wish: Wish, table: Table) -> Iterator[str]:
    """The condition that the title of a row has the words of what it is to be about."""
    if wish.topic and any(one.name == table.title and one.kind is Kind.TEXT for one in table.columns):
        words = folded(wish.question.partition(" about ")[2]).split()
        if words and min(map(len, words)) >= LEAST:
            pattern = quoted(f"%{'%'.join(words)}%")
            yield f"{identifier(table.name)}.{identifier(table.title)} ILIKE {pattern}"


def _any(conditions: Iterable[str]) -> str:
    some = list(conditions)
    return f"({' OR '.join(some)})" if len(some) > 1 else some[0]


def _covered(mark: Mark, claimed: Iterable[tuple[int, int]]) -> float:
    inside = sum(max(0, min(stop, mark.stop) - max(start, mark.start)) for start, stop in claimed)
    return inside / max(1, mark.stop - mark.start)


def _names(schema: Schema, main: Table) -> frozenset[str]:
    """The words that a table, and those that links connect with it, and their columns are called by."""
    near = schema.reached(schema.tables.index(main))
    called = [word for at in near for words in schema.nouns[at] for word in words.split()]
    for one in (one for one in schema.fields if one.table in near):
        called += [*one.words.split(), *folded(one.column.unit).split()]
        others = (*one.column.synonyms, *one.column.low_words, *one.column.high_words)
        called += [word for other in others for word in folded(other).split()]
    return frozenset(form for word in called for form in (*forms(word), stem(word)))
