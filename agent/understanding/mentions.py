"""Where a question says values, and of which columns: whole ones, several in a list, parts of a name, denied ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from agent.catalogue.tables import Kind
from agent.text import grammar
from agent.text.words import STOP
from agent.understanding.moments import moment
from agent.understanding.respelling import LEADS_TO_PLACE
from agent.understanding.roles import OF_COLUMNS, WISHES, Literal, Roles
from agent.understanding.schema import NAMED, Schema, folded, forms

LISTED = frozenset({Kind.ENUM, Kind.LOCATION})  # kinds whose values mean the same wherever they are named
LEAST, SHORTEST = 4, 3  # letters of a value that is one wherever it is named; of one in its place
_LED = re.compile(r"(?:\b(?:on|every|or|and) |[/,]\s*)$", re.IGNORECASE)
_BESIDE = re.compile(r"\s*(?:,|/|\bor\b|\band\b|\bnor\b)?\s*(?:or|and)?\s*(?:an?|the|on|in)?\s*", re.IGNORECASE)
_COUNTS_FOR = re.compile(r"\b(?:count|fulfil|satisf|meet|cover)\w*(?: \w+){0,2} $", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SPEAKS_BEFORE = re.compile(r"\b(?:according to|as|by)(?: the| their| its| most| many)? $", re.IGNORECASE)
_SPEAKS_AFTER = re.compile(
    r" (?:say|said|find|found|call|complain|tell|told|report|mention|write|wrote|think|describe|rate|like|love|hate|"
    r"praise|recommend|warn)(?:s|d|ed|ing)?\b",
    re.IGNORECASE,
)
_ASKED_HOW = re.compile(r"\bhow $", re.IGNORECASE)
_TOLERATED = re.compile(
    r" (?:is|are|would be)(?: \w+)? (?:fine|ok|okay|alright|all right|good|acceptable|no problem)\b", re.IGNORECASE
)


def is_left_open(span: tuple[int, int], question: str) -> bool:
    """Return whether a place on a scale is asked for, or tolerated: "how <expensive> is", "<expensive> is fine"."""
    asked = _ASKED_HOW.search(question[: span[0]]) is not None
    return asked or _TOLERATED.match(question, span[1]) is not None


def is_wished(span: tuple[int, int], roles: Roles) -> bool:
    """Return whether a stretch is part of what prose is asked: "a class on <operating systems>"."""
    return any(mark.start <= span[0] and span[1] <= mark.stop for mark in roles.marks)


def is_speaker(question: str, named: re.Match[str]) -> bool:
    """Return whether what is named are people who tell something: "<campers> complain", "according to the campers"."""
    before, after = question[: named.start()], named.end()
    return _SPEAKS_BEFORE.search(before) is not None or _SPEAKS_AFTER.match(question, after) is not None


def spot(schema: Schema, question: str, column: int, value: str) -> re.Match[str] | None:
    """Where the question says a value, in its own or in other words for it. A place is no plain word of English
    ("a mission") but where it is written as a name, or led to ("in mission")."""
    kind = schema.fields[column].column.kind
    asked = f" {folded(question)} "
    said = {form for one, known in schema.spellings(column) if known == value for form in forms(one)}
    own = folded(value)  # before other words for it
    for form in sorted(
        (one for one in said if f" {one} " in asked), key=lambda one: (one == own, len(one)), reverse=True
    ):
        words = (re.sub(r"(?<=\w)(?=s$|t$)", "['’]?", word) for word in map(re.escape, form.split()))
        found = re.search(r"\b" + r"\W+".join(words) + r"\b", question, re.IGNORECASE)
        plain = kind is Kind.LOCATION and all(map(grammar.is_word, form.split()))
        led = found is not None and (found[0][0].isupper() or LEADS_TO_PLACE.search(question[: found.start()]))
        if found is None or (plain and not led):
            continue
        before = question[: found.start()]
        listed = " ".join(folded(before).split()[-1:]) in schema.stored[column]  # "mon <wed>"
        several = not grammar.is_word(form) and sum(at == column for at, _ in schema.values.get(form, ())) > 1  # "mw"
        if kind is Kind.LOCATION or len(form) >= LEAST or listed or several or _is_sure(form, before, found[0]):
            return found
    return None


def _is_sure(form: str, before: str, said: str) -> bool:
    """Whether a short word is a value: one that English does not have otherwise ("Tue", "MWF"), or in its place."""
    return len(form) >= SHORTEST and (not grammar.is_word(form) or said[0].isupper() or _LED.search(before) is not None)


def is_part_of_wish(span: tuple[int, int], roles: Roles, question: str, names: Set[str] = frozenset()) -> bool:
    """Whether a value is only part of a wish that says more than it: "authentic <poke>", but not "at the <weekend>",
    nor beside what only `names` columns."""
    return any(
        mark.has_part(*span)
        and not set(folded(question[mark.start : span[0]] + " " + question[span[1] : mark.stop]).split())
        <= STOP | names
        for mark in roles.marks
        if mark.kind not in OF_COLUMNS
    )


def is_told(span: tuple[int, int], column: int, roles: Roles, schema: Schema) -> bool:
    """Return whether a value of a vocabulary is only told, and not wanted, or one of a list is a wish of its own:
    "<expensive> is fine, but", "who keeps <kosher>"."""
    one = schema.fields[column].column
    if not roles.tagged or one.kind is not Kind.ENUM:
        return False
    wished = any(mark.kind in WISHES and mark.start <= span[0] and span[1] <= mark.stop for mark in roles.marks)
    return (one.many and wished) or any(start <= span[0] < stop for start, stop in roles.story)


def is_no_condition(span: tuple[int, int], column: int, roles: Roles, schema: Schema, question: str) -> bool:
    """Return whether a value is what the prose has to be about, or only told."""
    return is_topic(span, column, roles, schema, question) or is_told(span, column, roles, schema)


def is_topic(span: tuple[int, int], column: int, roles: Roles, schema: Schema, question: str) -> bool:
    """Whether a value is what the prose has to be about, since nobody names its column: "a class on <probability>"."""
    asked, one = f" {folded(question)} ", schema.fields[column]
    if not any(mark.kind == "topic" and mark.start <= span[0] and span[1] <= mark.stop for mark in roles.marks):
        return False
    said = folded(question[span[0] : span[1]])
    if _COUNTS_FOR.search(question[: span[0]]) or (" " in said and said in map(folded, one.column.values)):
        return False  # "<learning and modeling> courses"
    return not any(f" {name} " in asked for name in map(folded, (one.words, *one.column.synonyms)))


def stand_together(question: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two stretches are in one list: "cheap or moderate", "halal Chinese"."""
    return _BESIDE.fullmatch(question[min(one[1], other[1]) : max(one[0], other[0])]) is not None


def values_of(literal: Literal, schema: Schema) -> list[Literal]:
    """Return a stretch as the values that it names: each of a list or of a word for several ("weekend"), the parts of
    a name that no column stores whole ("Ada Byron" in first and last name)."""
    if literal.column < 0 or literal.operator not in ("=", "!="):
        return [literal]
    if schema.fields[literal.column].column.kind in NAMED:
        several = [value for at, value in schema.values.get(folded(literal.text), ()) if at == literal.column]
        if len(several) > 1:
            return [literal._replace(text=value) for value in several]
        known = any(form in schema.stored[literal.column] for form in forms(folded(literal.text)))
        if not known and (listed := list(_listed(literal, schema))):
            return listed
    return _parted(literal, schema)


def wanted_values(literal: Literal, roles: Roles, schema: Schema, question: str) -> list[Literal]:
    """Return the values that a stretch names, without those that only say part of a wish: "juicy <soup> dumplings"."""
    return [
        one
        for one in values_of(literal, schema)
        if one.text == literal.text
        or not (
            is_told((one.start, one.stop), one.column, roles, schema)
            or (
                one.column >= 0
                and schema.is_list(one.column)
                and is_part_of_wish((one.start, one.stop), roles, question)
            )
        )
    ]


def _listed(literal: Literal, schema: Schema) -> Iterator[Literal]:
    """The values of listed columns that a stretch names, and the rest of it where it is a name: "Ruiz mon wed"."""
    table, said, taken = schema.fields[literal.column].table, literal.text, []
    found = schema.found(said)
    here = {at for at in found if schema.table_of(at) == table}
    for column, values in found.items():
        field = schema.fields[column]
        twins = {at for at in found if at != column and {*found[at]} & {*values}}  # the nearest one is meant
        if field.column.kind not in LISTED or field.table not in schema.reached(table):
            continue
        if column not in here and (twins & here or min(twins, default=column) < column):
            continue
        for value in values:
            place = spot(schema, said, column, value)
            if place is not None and place[0] != said:
                taken.append(place.span())
                start = literal.start + place.start()
                yield literal._replace(text=value, column=column, start=start, stop=start + len(place[0]))
    years = (at for at in schema.of(table) if schema.fields[at].column.kind is Kind.NUMBER)
    year = next((at for at in years if "year" in schema.fields[at].words.split()), None)
    for one in _YEAR.finditer(said) if taken else ():  # "autumn 2022"
        if year is not None:
            start, stop = literal.start + one.start(), literal.start + one.end()
            yield literal._replace(text=one[0], column=year, start=start, stop=stop)
    if taken and schema.fields[literal.column].column.kind is Kind.TEXT:
        free = [word for word in _WORD.finditer(said) if not any(a <= word.start() < b for a, b in taken)]
        if free and free[-1].end() <= min(start for start, _ in taken):
            stop = free[-1].end()
            yield literal._replace(text=said[:stop], stop=literal.start + stop)


def _parted(literal: Literal, schema: Schema) -> list[Literal]:
    words = literal.text.split()
    if literal.operator != "=" or len(words) < 2 or folded(literal.text) in schema.values:
        return [literal]
    table = schema.fields[literal.column].table
    homes = [
        next((at for at, _ in schema.values.get(folded(word), ()) if schema.fields[at].table == table), None)
        for word in words
    ]
    if None in homes or len(set(homes)) < len(homes):
        return [literal]
    return [literal._replace(text=word, column=at) for word, at in zip(words, homes, strict=True) if at is not None]


def homed(literal: Literal, schema: Schema) -> Literal:
    """Return a value as one of another column than the one pointed to, where one vocabulary has it and the other has
    not."""
    column = literal.column
    if column < 0 or literal.operator not in ("=", "!=", "like"):
        return literal
    if schema.fields[column].column.kind not in LISTED | NAMED:
        return literal
    for form in forms(folded(literal.text)):
        known = schema.values.get(form, ())
        table = schema.fields[column].table
        homes = {at for at, _ in known if schema.fields[at].column.kind in LISTED and schema.fields[at].table == table}
        if form in schema.stored[column] or len(homes) > 1:
            return literal
        if homes:
            return literal._replace(column=homes.pop(), operator=literal.operator.replace("like", "="))
    return literal


def at_home(literal: Literal, schema: Schema) -> Literal:
    """Return a value as one of the column that has it, and a place as one of the column of places."""
    return homed(literal._replace(column=schema.place_of(literal.column)), schema) if literal.column >= 0 else literal


def alike_in_list(literals: Sequence[Literal], question: str) -> list[Literal]:
    """Return the values with one comparison for all times of a list: "in the 1920s or <1930s>"."""
    found: list[Literal] = []
    for one in sorted(literals, key=lambda literal: literal.start):
        last = found[-1] if found else one
        if last.column == one.column >= 0 and last.operator == "=" != one.operator and last.start < last.stop:
            both = moment(last.text) and moment(one.text)
            if both and last.stop <= one.start and stand_together(question, last[4:6], one[4:6]):
                one = one._replace(operator="=")
        found.append(one)
    return found


def denied_together(literals: Sequence[Literal], question: str, schema: Schema) -> list[Literal]:
    """Return the values with a denial that holds of a whole list, and of no place after it: "none of that Latin or
    German"."""
    found: list[Literal] = []
    for one in sorted(literals, key=lambda literal: literal.start):
        last = found[-1] if found else one
        place = one.column >= 0 and schema.kind_of(one.column) is Kind.LOCATION and one.operator == "!="
        other = last.operator == "!=" and last.column != one.column
        if place and other and LEADS_TO_PLACE.search(question[: one.start]):
            one = one._replace(operator="=")  # "anything but ramen near <the harbour>"
        listed = last.column == one.column >= 0 and last.start < last.stop <= one.start
        if listed and (last.operator, one.operator) == ("!=", "="):
            between = question[last.stop : one.start]
            if re.search(r"\b(?:or|nor|and)\b|/", between) and stand_together(question, last[4:6], one[4:6]):
                one = one._replace(operator="!=")
        found.append(one)
    return found
