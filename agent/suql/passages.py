"""Which part of a text is read: the passages nearest the question, few enough for one prompt.

Passages are addressed by content: the md5 of the whole text (one review) they were cut from. Texts that the table of
passages does not know are cut here, and embedded here where there is an embedder.
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.protocols.reading import Embedder, Passage
from agent.suql.database import Database
from agent.suql.tree import quoted

MOST = 12  # passages in one request
LONGEST = 6_000  # characters of passages in one request
ROWS = 5_000  # rows that answer_all() and validate() read
COUNTED = 20_000  # passages that words are counted in; of more, PostgreSQL's statistics tell how often they occur
COUNTED_SECONDS = 60.0  # how long such counts are trusted
COUNTED_MOST = 500
CUT = 600  # characters of a passage that is cut here
_AS_QUERY = r"""'''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''"""
EMBEDDED = 4_000  # passages that are not indexed, and compared with a question by meaning in one query
AT_ONCE = 64  # of them embedded before it is looked whether anybody still waits
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage with its place: `text` is the whole it was cut from, which begins `start` characters before it."""

    body: str
    text: str
    start: int
    document: int
    dated: str = ""
    label: str = ""
    nearness: float = 0.0
    image: str = ""
    provisional: bool = False  # chosen while only some of the content's texts were indexed

    def shown(self) -> Passage:
        """Return the passage as a reader gets it."""
        return Passage(
            text=self.body,
            document=self.document,
            start=self.start,
            whole=len(self.text),
            dated=self.dated,
            label=self.label,
            image=self.image,
        )


@dataclass(frozen=True, slots=True)
class Words:
    """Words as text queries of one word each, by how many of a column's `total` passages say them, about.

    `rows` are those of the column's table, about; `since` is when they were counted, by `time.monotonic`.
    """

    total: float
    said: Mapping[str, float]
    rows: float
    since: float = 0.0

    @property
    def weights(self) -> dict[str, float]:
        """What each word weighs among them: together 1, rare ones more."""
        weights = {word: math.log(1 + (self.total - times + 0.5) / (times + 0.5)) for word, times in self.said.items()}
        return {word: weight / sum(weights.values()) for word, weight in weights.items()}


Counted = dict[tuple[str, str, str], Words]  # by words, table and column; an engine's queries share them


class Passages:
    """Finds the passages of contents, for many contents at a time."""

    def __init__(
        self, database: Database, schema: str, table: str, embedder: Embedder | None, counted: Counted | None = None
    ) -> None:
        self._database = database
        self._schema = quoted(schema)
        self._counted = {} if counted is None else counted
        self._table = f"{quoted(schema)}.{quoted(table)}" if table else ""
        self._embedder = embedder
        self._vectors: dict[str, str] = {}
        self.embedded = 0  # passages that were embedded for this query
        self.capped = 0  # and those that were not, since they would have been too many

    async def vector(self, words: str) -> str:
        """Return the embedding of words, as pgvector writes it; "" if there is no embedder or no pgvector."""
        if self._embedder is None or not self._database.vector_schema:
            return ""
        if words not in self._vectors:
            (vector,) = await self._embedder.embed([words])
            self._vectors[words] = "[" + ",".join(f"{float(number):.6g}" for number in vector) + "]"
        return self._vectors[words]

    async def words(self, words: str, table: str, column: str) -> Words:
        """Return the words as text queries, with how many of the column's passages say each; kept for a while.

        That is counted where there are few passages, and else taken from PostgreSQL's statistics.
        """
        known = self._counted.get((words, table, column))
        if known is None or time.monotonic() - known.since > COUNTED_SECONDS:
            known = self._counted[words, table, column] = await self._count(words, table, column)
        while len(self._counted) > COUNTED_MOST:
            del self._counted[next(iter(self._counted))]
        return known

    async def _count(self, words: str, table: str, column: str) -> Words:
        here = f"FROM {self._table} AS p WHERE p.owner_table = $1 AND p.column_name = $2"
        lexemes = await self._database.rows(
            f"SELECT DISTINCT {_AS_QUERY} AS word FROM unnest(to_tsvector('english', $1::text)) ORDER BY 1", [words]
        )
        said = [word for (word,) in lexemes]
        saying = [f"SELECT 1 {here} AND p.search @@ ${place}::tsquery" for place, _ in enumerate(said, 3)]
        of_table = f"SELECT 1 FROM {self._schema}.{quoted(table)}"
        rows, total, *times = await self._database.estimates(
            [of_table, f"SELECT 1 {here}", *saying], [table, column, *said]
        )
        if total <= COUNTED:
            columns = "".join(
                f", count(*) FILTER (WHERE p.search @@ ${place}::tsquery)" for place, _ in enumerate(said, 3)
            )
            ((total, *times),) = await self._database.rows(f"SELECT count(*){columns} {here}", [table, column, *said])
        return Words(total, dict(zip(said, times, strict=True)), rows, time.monotonic())

    async def all(self, question: str, contents: Sequence[Sequence[str]], *, summary: bool) -> list[list[Cut]]:
        """For each content all its passages, in the order of the texts; for a summary in that of time and of text."""
        if not summary:
            return [
                [
                    Cut(text[start:stop], text, start, place)
                    for place, text in enumerate(texts)
                    for start, stop in cut(text)
                ]
                for texts in contents
            ]
        known = await self._indexed(question, {_md5(text) for texts in contents for text in texts})
        return [await self._of(question, texts, known, summary=True) for texts in contents]

    async def nearest(self, question: str, contents: Sequence[Sequence[str]], *, summary: bool) -> list[list[Cut]]:
        """For each content (a list of texts) its passages, best first; for a summary in the order of time or text."""
        known = await self._indexed(question, {_md5(text) for texts in contents for text in texts})
        found = [await self._of(question, texts, known, summary=summary) for texts in contents]
        return [_within_limits(cuts) for cuts in found]

    async def _of(
        self, question: str, texts: Sequence[str], known: dict[str, list[Cut]], *, summary: bool
    ) -> list[Cut]:
        cuts: list[Cut] = []
        unknown: list[Cut] = []
        for document, text in enumerate(texts):
            stored = known.get(_md5(text))
            if stored is None or not _covers(stored, text):
                unknown.extend(Cut(text[start:stop], text, start, document) for start, stop in cut(text))
            else:
                cuts.extend(
                    Cut(
                        text[each.start : each.start + len(each.body)],
                        text,
                        each.start,
                        document,
                        each.dated,
                        each.label,
                        each.nearness,
                    )
                    for each in stored
                )
        chosen = len(unknown) + len(cuts) > MOST and not summary
        partly = chosen and bool(unknown) and bool(cuts)
        cuts += await self._embedded(question, unknown) if chosen else unknown
        if partly:  # near by two measures: what is read of it is not to be remembered
            cuts = [replace(each, provisional=True) for each in cuts]
        if summary:
            return _spread(cuts)
        return sorted(cuts, key=lambda each: -each.nearness)

    async def _indexed(self, question: str, hashes: set[str]) -> dict[str, list[Cut]]:
        """The stored passages of texts, by md5. One stored for two owners is taken once, dated if it can be."""
        if not self._table or not hashes:
            return {}
        vector = await self.vector(question)
        parameters: list[Any] = [sorted(hashes), question]
        nearness = f"ts_rank(search, {any_word('$2')})"
        if vector:
            schema = quoted(self._database.vector_schema)
            nearness = f"(1 - (embedding OPERATOR({schema}.<=>) $3::{schema}.halfvec)) + 0.3 * {nearness}"
            parameters.append(vector)
        rows = await self._database.rows(
            f"SELECT DISTINCT ON (text_md5, start) text_md5, start, body, dated::text, label, ({nearness})::float8 "
            f"FROM {self._table} WHERE text_md5 = ANY($1::text[]) "
            "ORDER BY text_md5, start, dated DESC NULLS LAST",
            parameters,
        )
        found: dict[str, list[Cut]] = {}
        for md5, start, body, dated, label, near in rows:
            found.setdefault(md5, []).append(Cut(body, "", start, 0, dated or "", label or "", near or 0.0))
        return found

    async def _embedded(self, question: str, cuts: list[Cut]) -> list[Cut]:
        """Cuts with their nearness to the question; unchanged where there is no embedder."""
        if self._embedder is None or not cuts:
            return cuts
        near: dict[int, float] = {}
        (asked,) = await self._embedder.embed([question])
        places = self._affordable(question, cuts)
        for start in range(0, len(places), AT_ONCE):
            part = places[start : start + AT_ONCE]
            vectors = await self._embedder.embed([cuts[place].body for place in part])
            near.update((place, float(asked @ vector)) for place, vector in zip(part, vectors, strict=True))
        return [replace(each, nearness=near.get(place, 0.0)) for place, each in enumerate(cuts)]

    def _affordable(self, question: str, cuts: Sequence[Cut]) -> list[int]:
        """Which passages are compared by meaning: all, or, of more than a query may, those with words in common."""
        if self.embedded + len(cuts) > EMBEDDED:
            self.capped += self.embedded + len(cuts) - EMBEDDED
        asked = set(_WORD.findall(question.lower()))
        shared = sorted(
            range(len(cuts)), key=lambda place: -len(asked.intersection(_WORD.findall(cuts[place].body.lower())))
        )
        places = sorted(shared[: max(0, EMBEDDED - self.embedded)])
        self.embedded += len(places)
        return places


def _covers(stored: Sequence[Cut], text: str) -> bool:
    """Are the passages all of a text's, with nothing but blanks between them? An index may have been cut off."""
    at = 0
    for each in sorted(stored, key=lambda one: one.start):
        if text[at : each.start].strip():
            return False
        at = max(at, each.start + len(each.body))
    return not text[at:].strip()


def any_word(parameter: str) -> str:
    """Return a text query that any of the words satisfies, as SQL."""
    return f"replace(plainto_tsquery('english', {parameter}::text)::text, '&', '|')::tsquery"


def cut(text: str) -> list[tuple[int, int]]:
    """Return a text in stretches of whole sentences, each of about `CUT` characters at most."""
    stretches: list[tuple[int, int]] = []
    start, stop = 0, 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        if end - start > CUT and stop > start:
            stretches.append((start, stop))
            start = stop
        stop = end
    stretches.append((start, len(text)))
    return [(begin, end) for begin, end in stretches if text[begin:end].strip()]


def texts_of(content: Any) -> list[str]:
    """Return the texts in a content as it came from the database: a string, a list of strings or of rows."""
    items = content if isinstance(content, list) else [content]
    return [told for told in map(_told, items) if told.strip()]


def _told(item: Any) -> str:
    """A row as "name: value" pairs."""
    if item is None:
        return ""
    if isinstance(item, dict):
        return "; ".join(f"{name}: {_told(value)}" for name, value in item.items() if value is not None)
    return ", ".join(map(_told, item)) if isinstance(item, list) else str(item)


def _within_limits(cuts: list[Cut]) -> list[Cut]:
    chosen: list[Cut] = []
    length = 0
    for each in cuts[:MOST]:
        if chosen and length + len(each.body) > LONGEST:
            break
        chosen.append(each)
        length += len(each.body)
    return chosen


def _spread(cuts: list[Cut]) -> list[Cut]:
    """For a summary: the newest texts first, the beginning of each before the rest of any."""
    newest = sorted(range(len(cuts)), key=lambda number: cuts[number].dated, reverse=True)
    seen: dict[int, int] = {}
    ranked: list[tuple[int, int, int]] = []
    for number in newest:
        document = cuts[number].document
        seen[document] = seen.get(document, 0) + 1
        ranked.append((seen[document], len(ranked), number))
    return [cuts[number] for _, _, number in sorted(ranked)]


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
