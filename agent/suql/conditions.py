"""Conditions to English: each becomes a phrase that knows where in a sentence it stands.

A phrase's slot: "adjective" before the noun, "picked" in its place, "named" (called …), "place" (in …), "open",
"with" (with a rating of …), "that" (that reviewers call …), "where" (anything else).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp

from agent.catalogue.places import with_bound
from agent.catalogue.tables import Column, Kind, Table
from agent.suql.calls import asked
from agent.suql.check import Checked
from agent.suql.kinds.comparisons import Comparison, read_comparison
from agent.suql.lineage import is_truth
from agent.suql.others import of_another
from agent.suql.phrases import answers, capitalised, claim, singular, spoken
from agent.suql.related import among, related
from agent.suql.terms import (
    MIRROR,
    OPPOSITE,
    SIGNS,
    amount,
    article,
    clock_words,
    ordered_words,
    presence,
    shared_start,
    spoken_term,
    unit_filled,
    unit_of,
    value_of,
)
from agent.suql.tree import inner
from agent.suql.voices import Phrase, claimed, not_claimed
from agent.text.english import listed
from agent.text.wordlists import words

_NAMED = 4  # rows picked out by name; more are counted
_WEEKDAYS = {
    name[:3].lower(): name for name in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}


class Phrasing:
    """Words for the conditions of one query."""

    def __init__(self, checked: Checked, inside: Callable[[exp.Expr], str]) -> None:
        self.checked = checked
        self.names = checked.names
        self.inside = inside  # a subquery in words
        tables = [source.table for source in self.names.sources.values() if source.table]
        self.nouns = tuple(word for table in tables for word in table.noun)  # a rating speaks of its course

    def label(self, condition: exp.Expr) -> str:
        """Return the condition on its own, as a chip shows it."""
        return self.phrase(condition).label

    def phrase(self, condition: exp.Expr, negated: bool = False) -> Phrase:
        """Return the condition as a phrase. What no rule covers is shown as it is written."""
        node = inner(condition)
        if isinstance(node, exp.Not):
            return self.phrase(node.this, not negated)
        if (
            isinstance(node, exp.NullSafeNEQ) and _call_in(node) is None
        ):  # that null differs as well goes without saying
            return self.phrase(exp.EQ(this=node.this.copy(), expression=node.expression.copy()), not negated)
        if isinstance(node, exp.And | exp.Or):
            return self.compound(node, negated)
        readings = (self.exists, self.related, self.truth, self.said, self.beside, self.compared, self.measured)
        for reading in (*readings, self.flagged, self.present, self.limited):
            found = reading(node, negated)
            if found is not None:
                return found
        text = self.plain(node)
        return Phrase("where", f"not ({text})" if negated else text, f"not ({text})" if negated else text)

    # -- and, or -----------------------------------------------------------------------------------------------------

    def compound(self, node: exp.Expr, negated: bool) -> Phrase:
        parts = [self.phrase(part, negated) for part in node.flatten()]
        word = "and" if isinstance(node, exp.And) != negated else "or"
        first = parts[0]
        if word == "or" and [part.slot for part in parts] == [
            "named",
            "whose",
        ]:  # its title has the words, or a text says so
            return _titled(parts[1])
        if first.many and all(part.many == first.many for part in parts):
            who = listed(list(dict.fromkeys(part.who for part in parts)), word)
            label = min((part.label for part in parts), key=len)
            return Phrase("that", first.many, label, first.table, f"{who} say", f"{who} say they {first.many}")
        if all((part.slot, part.voice, part.table) == (first.slot, first.voice, first.table) for part in parts):
            texts = [part.text for part in parts]
            shared = shared_start(texts)
            text = shared + listed([part[len(shared) :] for part in texts], word)
            label = _either([part.label for part in parts], word) if first.slot in ("that", "where") else text
            return Phrase(first.slot, text, label, first.table, first.voice)
        whole = listed([part.whole for part in parts], word)
        table = first.table if all(part.table is first.table for part in parts) else None
        label = _either([part.label for part in parts], word)
        return Phrase("where", f"({whole})" if word == "or" else whole, label, table)

    # -- other rows --------------------------------------------------------------------------------------------------

    def exists(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`EXISTS (SELECT …)`: which rows there have to be."""
        if not isinstance(node, exp.Exists):
            return None
        rows = self.inside(node.this)
        tables = [source.table for source in self.names.sources.values() if source.table is not None]
        own = [f" of the same {table.noun[0]}" for table in tables]
        mine = next((words for words in own if words in rows), "")
        if mine:  # whose they are goes without saying: "courses with no summer offerings"
            text = f"{'no ' if negated else ''}{rows.replace(mine, '', 1)}"
            return Phrase("with", text, text)
        text = f"there are {'no ' if negated else ''}{rows}"
        return Phrase("where", text, text)

    def related(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`rooms.hotel_id = hotels.id`, `id IN (SELECT hotel_id FROM rooms)`: how rows hang on others."""
        found = related(node, self.names, negated) or among(node, self.names, self.inside, negated)
        return Phrase(found[0], found[1], found[1]) if found is not None else None

    def beside(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`price < (SELECT price FROM … WHERE name = 'Alder')`: how it compares with a row that is named."""
        found = of_another(node, self.names)
        if found is None:
            return None
        text = f"{'no ' if negated else ''}{found.text}"
        return Phrase("with", text, text, found.table)

    # -- answers -----------------------------------------------------------------------------------------------------

    def truth(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`same(a, b)` and `validate((SELECT …), 'claim')`."""
        call = inner(node.this) if isinstance(node, exp.Cast) else node
        if not call.meta.get("ask") or not is_truth(call):
            return None
        if asked(call).same:
            one, other = (spoken_term(argument) for argument in call.expressions)
            text = f"{one} and {other} {'do not mean' if negated else 'mean'} the same"
        else:
            rows, claimed = self.inside(call.expressions[0]), inner(call.expressions[1]).name
            text = f"“{claimed}” is {'not ' if negated else ''}true of {rows}"
        return Phrase("where", text, text)

    def said(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`answer(reviews, 'is this restaurant romantic?') = 'Yes'` and the like."""
        call = _call_in(node)
        if call is None:
            return None
        table, who = self.voice(call)
        question = asked(call).question
        if isinstance(node, exp.EQ | exp.NEQ):
            other = inner(node.expression if _call_in(node.this) is call else node.this)
            word = other.name.lower() if isinstance(other, exp.Literal) else ""
            found = claim(question, (*self.nouns, "row", "rows"))
            if word in ("yes", "no") and found is not None:
                positive = (word == "yes") != (isinstance(node, exp.NEQ) != negated)
                return claimed(found, positive, who, table)
        if isinstance(node, exp.NullSafeNEQ) and not negated and isinstance(node.expression, exp.Literal):
            found, word = claim(question, (*self.nouns, "row", "rows")), node.expression.name.lower()
            if word in ("yes", "no") and found is not None:
                return not_claimed(found, word == "yes", who, table)
        return self.quoted(node, call, who, table, negated)

    def quoted(self, node: exp.Expr, call: exp.Expr, who: str, table: Table | None, negated: bool) -> Phrase:
        """Return a question whose grammar is not turned round is quoted."""
        question = asked(call).question
        about = f"the answer of {who} to “{question}”" if not asked(call).summary else f"the summary of {who}"
        be = "is not" if negated else "is"
        if isinstance(node, exp.Is):
            text = f"{who} {answers(who, not negated)} “{question}”"
            return Phrase("where", text, text, table)
        if isinstance(node, exp.In) and node.expressions:
            text = f"{about} {be} {listed([value_of(item) for item in node.expressions], 'or')}"
        elif isinstance(node, exp.Between):
            text = f"{about} {be} between {value_of(node.args['low'])} and {value_of(node.args['high'])}"
        elif type(node) in SIGNS and not (_call_in(node.this) and _call_in(node.expression)):
            left = _call_in(node.this) is not None
            kind: type[exp.Expr] = type(node) if left else MIRROR[type(node)]
            other = node.expression if left else node.this
            sign = "" if kind is exp.EQ else "not " if kind is exp.NEQ else SIGNS[kind] + " "
            text = f"{about} {be} {sign}{value_of(other)}"
        else:
            text = ("not " if negated else "") + self.plain(node)
        return Phrase("where", text, text, table)

    def voice(self, call: exp.Expr) -> tuple[Table | None, str]:
        """Whose text is read: "reviewers", or "the description"."""
        argument = call.expressions[0]
        origins = [self.names.origin(column) for column in argument.find_all(exp.Column)]
        known = [origin for origin in origins if origin is not None and origin.column is not None]
        if not known:
            return None, "the text"
        names = list(dict.fromkeys(str(origin.column.name) for origin in known if origin.column))
        if all("review" in name for name in names):
            return known[0].table, "reviewers"
        if all("comment" in name for name in names):
            return known[0].table, "comments"
        return known[0].table, "the " + listed(["description" if name == "about" else spoken(name) for name in names])

    # -- comparisons with words --------------------------------------------------------------------------------------

    def compared(self, node: exp.Expr, negated: bool) -> Phrase | None:
        found = read_comparison(node, self.names)
        if found is None:
            return None
        negated = negated != found.negated
        column, table = found.column, found.table
        if found.op != "=":
            words = f"{spoken(column.name)} {ordered_words(found)}"
            slot = "place" if _is_done(column) and not negated else "with"
            return Phrase(slot, f"{'no ' if negated else ''}{words}", words, table)
        return self.worded(found, table, column, negated)

    def worded(self, found: Comparison, table: Table, column: Column, negated: bool) -> Phrase:
        word = "and" if found.every or (negated and len(found.words) > 1) else "or"
        text = listed([_as_written(column, item) for item in found.words], word)
        if column.kind is Kind.LOCATION:
            text = ("not " if negated else "") + f"{_near(found.words[-1])} {text}".lstrip()
            return Phrase("place", text, text, table)
        if column.kind is Kind.OPENING_HOURS:
            said = text if text.lower().startswith("open") else f"open {text}"
            return Phrase("open", ("not " if negated else "") + said, ("not " if negated else "") + said, table)
        if column.name in (table.entity, *table.key) and column.name != table.title:
            return _picked(table, found.words, negated, self.checked.titles)
        if column.name == table.title:
            text = ("not " if negated else "") + f"called “{text}”"
            return Phrase("named", text, text, table)
        if column.said:
            label = f"{'not ' if negated else ''}{column.said} {text}"
            return Phrase("place", label, label, table)
        if column.kind is Kind.ENUM:
            return _vocabulary(found, table, column, text, negated)
        if column.kind in (Kind.DATE, Kind.TIME):
            label = f"{spoken(column.name)} {'not ' if negated else ''}{text}"
            return Phrase("with", label, label, table)
        link = "mentioning" if found.pattern and column.kind is Kind.FREE_TEXT else "like" if found.pattern else ""
        label = " ".join(part for part in (spoken(column.name), "not" if negated else "", link, f"“{text}”") if part)
        return Phrase("with", label, label, table)

    # -- numbers, dates, flags, presence ------------------------------------------------------------------------------

    def measured(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """Return a column compared with a number, a date or a time."""
        if isinstance(node, exp.Between):
            origin = self.names.origin(node.this)
            if origin is None or origin.column is None:
                return None
            bounds = (
                f"{'not ' if negated else ''}between {value_of(node.args['low'])} and {value_of(node.args['high'])}"
            )
            text = f"{article(origin.column)} {bounds}{unit_of(origin.column)}"
            return Phrase("with", text, text, origin.table)
        if type(node) not in SIGNS:
            return None
        mine, others = self.names.origin(node.this), self.names.origin(node.expression)
        if mine is not None and mine.column is not None and others is not None and others.column is not None:
            sign = SIGNS[OPPOSITE[type(node)] if negated else type(node)]
            text = f"{spoken(mine.column.name)} {sign} {spoken(others.column.name)}"
            if unit := unit_filled(mine.column, others.column):
                left = {"less than": f"{unit} left", "at least": f"no {unit} left"}
                text = left.get(sign, text)
            return Phrase("with", text, text, mine.table)
        for side, other, kind in (
            (node.this, node.expression, type(node)),
            (node.expression, node.this, MIRROR[type(node)]),
        ):
            origin, kind = self.names.origin(side), OPPOSITE[kind] if negated else kind
            subquery = isinstance(inner(other), exp.Subquery)
            if isinstance(inner(other), exp.Boolean) or (other.find(exp.Column) and not subquery):
                continue
            value = self.inside(inner(other)) if subquery else value_of(other)
            if origin is not None and origin.column is not None:
                text = amount(origin.column, kind, value, "" if subquery else unit_of(origin.column))
                return Phrase("place" if _is_done(origin.column) else "with", text, text, origin.table)
            counted = inner(side)
            is_count = isinstance(counted, exp.Anonymous) and str(counted.this).lower() == "cardinality"
            if is_count and presence(node) is None:
                listed_in = self.names.origin(counted.expressions[0])
                if listed_in is not None and listed_in.column is not None:
                    name = spoken(listed_in.column.name)
                    text = f"{SIGNS[kind]} {value} {singular(name) if value == '1' else name}"
                    return Phrase("with", text, text, listed_in.table)
            if isinstance(counted, exp.AggFunc):
                text = f"the {spoken_term(side)} is {SIGNS[kind]} {value}"
                return Phrase("where", text, text)
        return None

    def flagged(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """Return a boolean column: alone, `= TRUE`, `IS FALSE`."""
        if isinstance(node, exp.EQ | exp.NEQ | exp.Is) and isinstance(inner(node.expression), exp.Boolean):
            negated = negated != (not inner(node.expression).this) != isinstance(node, exp.NEQ)
            node = inner(node.this)
        origin = self.names.origin(node) if isinstance(node, exp.Column) else None
        if origin is None or origin.column is None or origin.column.kind is not Kind.BOOLEAN:
            return None
        text = ("no " if negated else "") + spoken(origin.column.name)
        return Phrase("with", text, text, origin.table)

    def present(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`phone_number IS NOT NULL`, `cardinality(dishes) = 0`."""
        tested = presence(node)
        origin = self.names.origin(tested[0]) if tested else None
        if tested is None or origin is None or origin.column is None:
            return None
        there = "some " if origin.column.many else "a known "
        text = (there if negated != tested[1] else "no ") + spoken(origin.column.name)
        return Phrase("with", text, text, origin.table)

    def limited(self, node: exp.Expr, negated: bool) -> Phrase | None:
        """`prerequisites <@ ARRAY['CS 1']`: a list that holds nothing else."""
        items = inner(node.expression) if isinstance(node, exp.ArrayContainedBy) else None
        origin = self.names.origin(node.this) if isinstance(items, exp.Array) else None
        if not isinstance(items, exp.Array) or origin is None or origin.column is None or not items.expressions:
            return None
        words = listed([value_of(item) for item in items.expressions], "and")
        text = f"{'some' if negated else 'no'} {spoken(origin.column.name)} beside {words}"
        return Phrase("with", text, text, origin.table)

    def plain(self, node: exp.Expr) -> str:
        """Return the condition as it is written, names unqualified."""
        return shown_as_written(node)


def shown_as_written(node: exp.Expr) -> str:
    """Return a part of a query as SQL, names unqualified."""
    bare = node.copy()
    for column in bare.find_all(exp.Column):
        column.set("table", None)
        column.this.set("quoted", False)
    for table in bare.find_all(exp.Table):
        table.set("db", None)
        table.set("alias", None)
        table.this.set("quoted", False)
    for alias in list(bare.find_all(exp.Alias)):
        alias.replace(alias.this)
    return bare.sql(dialect="postgres", normalize_functions=False)


def _is_done(column: Column) -> bool:
    """Does the column say when something was done ("opened"), so that it stands right after the noun?"""
    return column.kind is Kind.DATE and column.name.endswith("ed")


def _call_in(node: exp.Expr) -> exp.Expr | None:
    """The only call in an expression, looking through casts and the like, not into subqueries."""
    node = inner(node)
    calls = [found for found in node.find_all(exp.Anonymous) if found.meta.get("ask")]
    return calls[0] if len(calls) == 1 and not node.find(exp.Select) else None


def _vocabulary(found: Comparison, table: Table, column: Column, text: str, negated: bool) -> Phrase:
    """ENUM words stand before the noun where the column's name is one word; days and long names do not."""
    if all(_is_weekday(item) for item in found.words):
        text = listed([_WEEKDAYS[item[:3].lower()] for item in found.words], "and" if found.every else "or")
        label = ("not " if negated else "") + f"on {text}"
        return Phrase("place", label, label, table)
    if "_" in column.name:
        label = f"{spoken(column.name)} {'not ' if negated else ''}{text}"
        return Phrase("with", label, label, table)
    if negated:
        return Phrase("not", text, f"not {text}", table)
    return Phrase("adjective" if column.many else "quality", text, text, table)


def _is_weekday(value: str) -> bool:
    """Is a value the name of a weekday, or the beginning of one ("Thurs"), unlike "Sunnyvale"?"""
    low = value.lower()
    return _WEEKDAYS.get(low[:3], "").lower().startswith(low) and len(low) > 2


def _titled(phrase: Phrase) -> Phrase:
    """What a description says, said by the title or the description."""
    said = {name: getattr(phrase, name) for name in ("text", "label", "voice", "clause", "who")}
    return replace(
        phrase, **{name: text.replace("description", "title or description", 1) for name, text in said.items()}
    )


def _picked(table: Table, keys: tuple[str, ...], negated: bool, titles: Mapping[str, str]) -> Phrase:
    """Rows picked out by their keys: by name where the names are known."""
    if all(key in titles for key in keys) and len(keys) <= _NAMED:
        names = listed([titles[key] for key in keys])
        return (
            Phrase("named", f"other than {names}", f"other than {names}", table)
            if negated
            else (Phrase("picked", names, names, table))
        )
    one = len(keys) == 1
    noun = table.noun[0] if one else table.noun[1]
    if negated:
        label = f"other than the {noun} already shown" if one else f"other than {len(keys)} {noun} already shown"
    else:
        label = "limited to the one already shown" if one else f"among the {len(keys)} already shown"
    return Phrase("named", label, label, table)


def _as_written(column: Column, word: str) -> str:
    if column.kind in (Kind.OPENING_HOURS, Kind.TIME):
        return clock_words(word)
    if column.kind is not Kind.ENUM or word != word.lower():
        return word
    return capitalised(singular(word) if column.many else word.replace("_", " "))


_SPOTS = frozenset(
    words(
        """
    airport alley avenue ave boulevard blvd bridge campus center centre court drive garden gardens hall
    highway hospital lane library mall market museum park pier place plaza road row school square station
    stadium street tower university wharf zoo
    """
    )
)


def _near(place: str) -> str:
    """One is in a city, but near a street or a station; a distance says how near."""
    if with_bound(place)[1] is not None:
        return ""
    words = place.lower().split(",")[0].split()
    return "near" if words and words[-1] in _SPOTS else "in"


def _either(labels: list[str], word: str) -> str:
    return listed(list(dict.fromkeys(labels)), word)
