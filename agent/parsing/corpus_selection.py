"""Which tables an utterance is about when nobody chose an assistant.

Two kinds of evidence are added up for each main table: its vocabulary (what its rows and columns are called, the values
they hold, the words of its domain's lexicons; a word that several tables share counts less for each) and, where an
encoder is at hand, the similarity of the utterance to what the table's rows say of themselves.
(The database selection of the Relational Database Augmented LLM, without its model.)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from agent.catalogue.tables import Catalogue, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.networks.asides import aside_odds
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.text.letters import fold

Encode = Callable[[Sequence[str]], Any]  # texts to unit vectors, shape (texts, dimensions)

NAMED, SAID, HELD = 3.0, 1.0, 1.5  # weight of a table's own names, its columns' words, its values
SIMILAR = 4.0  # weight of the best similarity to a title or description
CLEAR = 1.0  # a lead of the vocabulary that needs no encoder
NEARLY = 6.0  # how far behind the best score a table may be that the words name by its noun
_REQUIRED = re.compile(
    r"\b(?:require|requires|required|requirements?|need|needed|graduate|counts?|counting|towards?|belongs?|part of|"
    r"(?:on|in) the (?:\w+ ){0,2}?(?:list|sheet))\b"
)
_NEEDED_FOR = re.compile(  # "which class do I need for <the AI degree>", "must I take a math class for ..."
    r"\b(?:need|needed|required|must|have to|has to|counts?|counting)\b.* (?:for|towards?|in|on|by) "
    r"(?=(?:(?:the|an?|my|your|their) )?(?P<whose>(?:[a-z]+ ){0,5}?[a-z]+)\W*$)"
)
_STUDENTS = re.compile(  # people, not what they study, and what they do
    r"\b((?:non|for|an?|are|other|most) (?:[a-z]+ ){0,2}?)(?:majors?|minors?)\b|"
    r"(?:^|(?<=[.,;!?] )|\bi(?:'m| am) |\bas |\bbeing )(?:an? )?(?:[a-z]+ ){1,2}(?:majors?|minors?)"
    r"(?= here|[.,;!?]| and| who| with)|"
    r"\b(?:to|not|cannot|can't|don't|couldn't|never|ever) program\b"
)
_ASKED_FOR = re.compile(
    r"(?<!do )(?<!s )\b(?:i|we)(?:'m|'re|'d|'ve)? (?:\S+ ){0,2}?(?:need|want|like|looking for|search(?:ing)? for)\b"
)
_LOOKS_FOR = re.compile(
    r"\b(?:which|any|what (?!is|are|do|does|happens|if)\w+|some|find|show|list|recommend|suggest|is there)\b"
)
_MAY_DO = re.compile(  # something with any row at all, which its rules tell: "may I take a class pass/fail"
    r"\b(?:(?:can|could|may) (?:i|we|you|one|students?)|(?:am|are) (?:i|we|you|students?) allowed to|"
    r"is it (?:possible|allowed|ok|okay) to|how (?:do|can|could|would) (?:i|we|you|one)) (?:(?:still|also|ever|just) )?"
    r"(?!(?:find|see|get|have|know|tell|choose|pick|look|search|show)\b)[a-z]+ (?:(?:out of|from|for|in|into) )?"
    r"(?:an?|my|one|two) (?P<noun>[a-z]+)\b"
    r"(?! (?:with|on|about|in|of|that|which|where|who|from|by|at|near|like|under|this|next|online|taught|offered)\b)"
)
_SAMPLE = 60  # values of a column, at most, whose meaning an utterance is compared with

_TIMES = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "day", "weekday"),
)  # of any table with times


class CorpusSelector:
    """Ranks the main tables of a catalogue for an utterance."""

    def __init__(self, catalogue: Catalogue, memory: ValueMemory, encode: Encode | None = None) -> None:
        self._encode = encode
        self._main = tuple(table for table in catalogue if not _detail(table, catalogue))
        self._detailed = tuple(table for table in catalogue if _detail(table, catalogue))
        related = {table.name: [table, *_details(table, catalogue)] for table in self._main}
        self._weights = _shared({name: _vocabulary(tables, memory) for name, tables in related.items()})
        self._samples = {table.name: _samples(table, memory) for table in self._main} if encode else {}
        self._vectors: dict[str, Any] = {}

    @property
    def details(self) -> tuple[str, ...]:
        """The tables that only tell more of the rows of others."""
        return tuple(table.name for table in self._detailed)

    def aside_odds(self, words: str) -> float:
        """The log odds that words search nothing; without an encoder, nothing speaks for it."""
        return aside_odds(self._encode([words])[0]) if self._encode is not None else float("-inf")

    def rank(self, words: str, tables: Sequence[str] = ()) -> list[tuple[str, float]]:
        """Main tables with their scores, best first; only of `tables` where some are given."""
        open_to = [table.name for table in self._main if not tables or table.name in tables]
        said = _words(_STUDENTS.sub(r"\1", fold(words)))
        scores = {name: sum(self._weights[name].get(word, 0.0) for word in said) for name in open_to}
        if self._encode is not None and not _clear(scores):
            vector = self._encode([words])[0]
            for name in open_to:
                scores[name] += SIMILAR * float(max(self._sample(name) @ vector))
        return sorted(scores.items(), key=lambda item: -item[1])

    def choose(self, words: str, tables: Sequence[str]) -> str:
        """The main table an utterance is about; the first of `tables` where nothing speaks for another."""
        ranked = self.rank(words, tables)
        if not ranked:
            return tables[0]
        first = next((name for name, _ in ranked if name == tables[0]), ranked[0][0])
        if rules := self._with_rules_of(words, [name for name, _ in ranked]):
            return rules
        best, score = ranked[0]
        if sheet := self._with_needs(words, [name for name, own in ranked if own > 0]):
            return sheet
        said = {name: self._said_at(words, name) for name, own in ranked if own > 0}
        named = sorted((name for name in said if said[name] >= 0), key=lambda name: said[name])
        if (
            named
            and not self._about_doing(words, best, named[0], score - dict(ranked)[named[0]])
            and (len(named) == 1 or not _REQUIRED.search(_ASKED_FOR.sub(" ", fold(words))))
            and dict(ranked)[named[0]] * NEARLY >= score
        ):
            return named[0]
        return best if score > dict(ranked)[first] else first

    def _about_doing(self, words: str, best: str, named: str, lead: float) -> bool:
        """Whether words that say "class" ask what is to be done about one, which a table of texts tells: "what is the
        last day to drop a class?", but not "which class ..."."""
        looks = any(pattern.search(fold(words)) for pattern in (_LOOKS_FOR, _ASKED_FOR))
        return best != named and self._texts(best) and lead >= CLEAR and not looks

    def _with_rules_of(self, words: str, ranked: Sequence[str]) -> str:
        """The table of texts, if any, that tells what may be done with any row of another, whichever: "can I take a
        class pass/fail", but not "can I take a class on film"."""
        asked = _MAY_DO.search(fold(words))
        named = _words(asked["noun"]) if asked else set()
        texts = next((name for name in ranked if self._texts(name)), "")
        rows = any(_nouns(table) & named for table in self._main if table.name in ranked and table.name != texts)
        return texts if rows and texts and any(self._weights[texts].get(word) for word in named) else ""

    def _with_needs(self, words: str, ranked: Sequence[str]) -> str:
        """The table, if any, a row of which is what something is needed for, where it is a row of another that is:
        "which ethics class do I need for the AI degree"."""
        needed = _NEEDED_FOR.search(_ASKED_FOR.sub(" ", fold(words)))
        if needed is None:
            return ""
        before, whose = _words(needed.group()), _words(needed["whose"])
        nouns = {table.name: _nouns(table) for table in self._main if table.name in ranked}
        wanted = [
            name for name, own in nouns.items() if own & (before - whose) or own & _words(words[: needed.start()])
        ]
        sheets = [name for name, own in nouns.items() if own & whose and name not in wanted]
        return sheets[0] if wanted and sheets else ""

    def _texts(self, name: str) -> bool:
        table = next(table for table in self._main if table.name == name)
        return not any(column.kind is Kind.NUMBER and not column.hidden for column in table.columns)

    def _said_at(self, words: str, name: str) -> int:
        """Where the words say what a row of the table is called ("course", "programs"); -1 where they do not."""
        nouns = _nouns(next(table for table in self._main if table.name == name))
        asked = [match.end() for match in _ASKED_FOR.finditer(fold(words))]
        found = [
            at.start() + (0 if not asked or at.start() > asked[-1] else len(words))
            for at in re.finditer(r"[a-z]{2,}", _STUDENTS.sub(r"\1", fold(words)))
            if _words(at.group()) & nouns
        ]
        return min(found, default=-1)

    def _sample(self, name: str) -> Any:
        if name not in self._vectors:
            assert self._encode is not None  # rank() asks only then
            self._vectors[name] = self._encode(self._samples[name])
        return self._vectors[name]


def _nouns(table: Table) -> set[str]:
    """What a row of the table is called, in one word."""
    return {word for noun in (*table.noun, *table.synonyms) if " " not in noun for word in _words(noun)}


def _clear(scores: dict[str, float]) -> bool:
    first, second, *_ = [*sorted(scores.values(), reverse=True), 0.0, 0.0]
    return first - second >= CLEAR


def _detail(table: Table, catalogue: Catalogue) -> bool:
    return any(key.table == table.name for key in catalogue.foreign_keys)


def _details(main: Table, catalogue: Catalogue) -> list[Table]:
    names = {key.table for key in catalogue.foreign_keys if key.target == main.name}
    return [table for table in catalogue if table.name in names]


def _vocabulary(tables: Sequence[Table], memory: ValueMemory) -> dict[str, float]:
    """The words of a domain with what each weighs; a word keeps its heaviest weight."""
    weights: dict[str, float] = {}

    def learn(texts: Sequence[str], weight: float) -> None:
        for text in texts:
            for word in _words(text):
                weights[word] = max(weights.get(word, 0.0), weight)

    for table in tables:
        learn([*table.noun, *table.synonyms], NAMED)
        for column in table.columns:
            if not column.hidden:
                learn([column.name.replace("_", " "), *column.synonyms, column.unit], SAID)
            if column.kind in (Kind.ENUM, Kind.TEXT) and column.name not in ("address", "link", "contact"):
                learn(memory.of(table.name, column.name), HELD)
            if column.kind is Kind.FREE_TEXT:
                learn([word for term, others in column.value_words for word in (term, *others)], HELD)
                continue
            # A closed vocabulary is as telling as a name ("BS", "winter"), unless it is what the rows are about.
            closed = [*column.values, *(word for _, words in column.value_words for word in words)]
            whole = [text for text in closed if text.isalpha()]
            learn(whole, HELD if column.name == table.title else NAMED)
            learn([text for text in closed if text not in whole], SAID)  # "cost" of "low-cost" is no name
            if column.kind in (Kind.OPENING_HOURS, Kind.TIME):
                learn(_TIMES, NAMED)
            if "cuisine" in column.synonyms:
                food = load("food")
                learn([*food["cuisines"], *food["dishes"]["words"].split(",")], HELD)
    for lexicon in ("restaurants", "courses"):
        if tables[0].name == lexicon:
            learn([entry["ask"] for entry in load(lexicon)["aspect"]], SAID / 2)
    return weights


def _shared(vocabularies: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Each word's weight divided by the number of tables that know it."""
    known = Counter(word for words in vocabularies.values() for word in words)
    return {
        name: {word: weight / known[word] ** 2 for word, weight in words.items()}
        for name, words in vocabularies.items()
    }


def _samples(table: Table, memory: ValueMemory) -> list[str]:
    return [table.description or table.name, *memory.of(table.name, table.title)[:_SAMPLE]]


def _words(text: str) -> set[str]:
    """Content words, without the ending of a plural."""
    found = re.findall(r"[a-z]{2,}", fold(text))
    plain = english.filler() - {"dinner", "lunch", "breakfast", "eat", "eating", "rating", "rated"}
    return {word.removesuffix("s") if len(word) > 4 else word for word in found if word not in plain}
