"""Tables of documents, such as help articles: rows that are each one text, which a question is asked of.

The catalogue tells them: one prose column beside a title, no numbers, no links, and rows that are called articles,
guides or the like, or whose titles are questions. A curator makes a table one by what its rows are called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from agent.catalogue.tables import Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.language import Parsed
from agent.parsing.semantics import english
from agent.suql.tree import literal as quoted
from agent.text.letters import fold
from agent.text.wordlists import words as listed
from agent.understanding.joins import identifier
from agent.understanding.schema import Schema, folded, forms

#: What people call rows that are texts.
_CALLED = frozenset(listed("article page guide document faq policy howto tutorial factsheet leaflet"))
_BESIDE = frozenset({Kind.TEXT, Kind.ENUM, Kind.DATE})  # kinds of what is known of a document
_ASKED = re.compile(r"\b(?:questions?|ask(?:ed)?|queries|query)\b")
_ASKS_AFTER = re.compile(r"\b(?:contacts?|ask|e-?mail|phone|telephone|help ?desk)\b")  # what a contact is called
_REACHES = re.compile(r"@\w|\+?\d[\d ()/-]{4,}\d")
_REACHED = re.compile(
    r"\b(?:phones?|telephone|numbers?|e-?mail|mail|address(?:es)?|contacts?|contact (?:details|info(?:rmation)?)|"
    r"located|location|room|reach|call|ring|where|find|write|visit|details)\b"
)
_NAMED = 88  # least similarity, of 100, of a stretch of the message to a name
_SHORTEST = 8  # letters of a name that is looked for
_SEEN = 50  # values that are looked at to tell what a column holds


@dataclass(frozen=True)
class Documents:
    """A table of documents: its text, what people ask of a row, and whom a row says to ask."""

    table: Table
    text: Column
    asked: Column | None
    contact: Column | None
    contacts: tuple[str, ...] = ()  # its values

    @cached_property
    def _terms(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """What the texts call things, as a curator says, and what people call them."""
        return tuple(
            (
                term,
                re.compile(rf"(?<!\w)(?:{'|'.join(map(_loosely, sorted(words, key=len, reverse=True)))})(?!\w)", re.I),
            )
            for term, words in self.text.value_words
        )

    def in_terms(self, question: str) -> tuple[str, str]:
        """Return a question with the words of the texts beside those of whoever asks, "see a therapist (counsellor)",
        and these words."""
        added = []
        for term, pattern in self._terms:
            match = pattern.search(question) if term.lower() not in question.lower() else None
            if match is not None:
                question = f"{question[: match.end()]} ({term}){question[match.end() :]}"
                added.append(term)
        return question, ", ".join(added)

    @cached_property
    def listing(self) -> re.Pattern[str]:
        """Whether a message asks which documents there are, and nothing that they say."""
        nouns = {form for noun in (*self.table.noun, *_CALLED) for form in forms(folded(noun))}
        thing = rf"(?:(?:help|support) )?(?:{'|'.join(sorted(map(re.escape, nouns)))})"
        return re.compile(
            rf"\b(?:which|any|all|every|each|list|show|how many|number of|count|newest|latest|oldest|first|last|recent|"
            rf"what|your|the|\d+) (?:\S+ ){{0,3}}?{thing}\b|^(?:please )?{thing} (?!in )|"
            rf"^(?:list|show all|give me all)\b|\beverything (?:in|under|about|on)\b"
        )

    def nearest(self, question: str, words: str, beside: str = "") -> Parsed:
        """Return the query of the document nearest to words, and half as much to those `beside` them, and of what it
        answers to a question."""
        order = self._nearness(words) + (f" + 0.5 * ({self._nearness(beside)})" if beside else "")
        shown = [f"answer({identifier(self.text.name)}, {quoted(question)}) AS answer"]
        if self.contact is not None:
            shown.append(_alias(self.contact.name, "contact"))
        return self._parsed(f"{self._names(shown)} ORDER BY {order} DESC LIMIT 1", "article")

    def of_rows(self, column: str, keys: Sequence[str]) -> Parsed:
        """Return the query of what a column tells of documents that were shown."""
        key = self.table.entity or self.table.key[0]
        is_number = any(one.name == key and one.kind is Kind.NUMBER for one in self.table.columns)
        values = ", ".join(keys if is_number else map(quoted, keys))
        told = f"{self._names([identifier(column)])} WHERE {identifier(key)} IN ({values})"
        return self._parsed(told, "detail")

    def office(self, message: str) -> Parsed | None:
        """Return the query of how an office is reached, for "where is the housing office?": one that the documents say
        to ask, known by the name with which their line begins. None for another question."""
        norm = folded(message)
        if self.contact is None or not _REACHED.search(norm):
            return None
        for name in dict.fromkeys(line.partition(",")[0] for line in self.contacts):
            said = fold(name)
            found = fuzz.partial_ratio_alignment(said, norm) if len(said) >= _SHORTEST else None
            if found is None or found.score < _NAMED:
                continue
            rest = f"{norm[: found.dest_start]} {norm[found.dest_end :]}"
            if english.content(re.findall(r"[a-z]{2,}", _REACHED.sub(" ", rest))):
                continue  # "when do I have to call the housing office about ..." asks for more
            column = identifier(self.contact.name)
            where = f"{column} ILIKE {quoted(f'{name}%')}"
            return self._parsed(
                f"SELECT DISTINCT {column} FROM {identifier(self.table.name)} WHERE {where}", "aggregate"
            )
        return None

    def _names(self, shown: Sequence[str]) -> str:
        names = dict.fromkeys([identifier(self.table.title), *shown])
        return f"SELECT {', '.join(names)} FROM {identifier(self.table.name)}"

    def _nearness(self, words: str) -> str:
        text = f"similar({identifier(self.text.name)}, {quoted(words)})"
        if self.asked is None:
            return text
        return f"{text} + greatest({text}, similar({identifier(self.asked.name)}, {quoted(words)}))"

    def _parsed(self, suql: str, presentation: str) -> Parsed:
        return Parsed.model_validate({"suql": suql, "tables": (self.table.name,), "presentation": presentation})


def documents(schema: Schema, memory: ValueMemory) -> list[Documents]:
    """Return the tables of documents in a catalogue."""
    linked = {schema.table_of(at) for pair in schema.links for at in pair}
    found = (_of(table, memory) for at, table in enumerate(schema.tables) if at not in linked)
    return [one for one in found if one is not None]


def _of(table: Table, memory: ValueMemory) -> Documents | None:
    prose = [one for one in table.columns if one.kind is Kind.FREE_TEXT]
    asked = next((one for one in prose if one.name == table.title or _ASKED.search(folded(one.name))), None)
    texts = [one for one in prose if one is not asked and not (one.hidden or one.many)]
    beside = [one for one in table.columns if one.kind is not Kind.FREE_TEXT and not one.hidden]
    known = all(one.kind in _BESIDE or one.name in table.key for one in beside)
    if len(texts) != 1 or not table.title or not known or not _is_called(table, asked, memory):
        return None
    contact = next((one for one in beside if _reaches(table, one, memory)), None)
    return Documents(table, texts[0], asked, contact, memory.of(table.name, contact.name) if contact else ())


def _is_called(table: Table, asked: Column | None, memory: ValueMemory) -> bool:
    """Whether rows are called documents, or known by questions."""
    called = (word for noun in (table.name, *table.noun, *table.synonyms) for word in folded(noun).split())
    if any(form in _CALLED for word in called for form in forms(word)) or (asked and asked.name == table.title):
        return True
    titles = memory.of(table.name, table.title)
    return bool(titles) and 2 * sum(title.rstrip().endswith("?") for title in titles) > len(titles)


def _reaches(table: Table, column: Column, memory: ValueMemory) -> bool:
    """Whether a column tells whom to ask: by what it is called, or with telephone numbers and e-mail addresses."""
    if (
        column.many
        or column.kind not in (Kind.TEXT, Kind.ENUM)
        or column.name in (table.title, table.entity, *table.key)
    ):
        return False
    if _ASKS_AFTER.search(" ".join((folded(column.name), *column.synonyms))):
        return True
    values = memory.of(table.name, column.name)[:_SEEN]
    return bool(values) and 2 * sum(bool(_REACHES.search(value)) for value in values) > len(values)


def _loosely(words: str) -> str:
    """A pattern of words in either number, with what may stand before a noun between them."""
    parts = [re.escape(word).replace("'", "['’]?") for word in words.split()]
    return r"[ -](?:(?:an?|the|my|our|your|this|that) )?".join(parts) + "(?:e?s)?"


def _alias(column: str, name: str) -> str:
    return identifier(column) if column == name else f"{identifier(column)} AS {name}"
