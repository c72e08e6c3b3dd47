"""Values of any ENUM, BOOLEAN or code column, by their names and the words the catalogue gives for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.catalogue.tables import Column, Kind, Table
from agent.parsing.frame import Condition
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text.frequencies import english_rank
from agent.text.letters import fold

_PLAIN = 12_000  # a value whose words are this common needs the column's name beside it
_FULFILLED = re.compile(
    r"\b(?:fulfill?(?:s|ing)?|satisf(?:y|ies|ying)|meets?|count(?:s|ed)? (?:for|as|towards?)|checks? off|ticks? off|"
    r"gets? rid of|knocks? out)(?: (?:the|my|a|an|both|either))* $"
)
_ABBREVIATED = 3  # letters from which capitals alone tell a code: "AQR"
_LETTERS = {"m": "Mon", "t": "Tue", "tu": "Tue", "w": "Wed", "th": "Thu", "r": "Thu", "f": "Fri"}


@dataclass(frozen=True, slots=True)
class _Said:
    values: tuple[str, ...]  # several where words are listed for several
    ambiguous: bool


class EnumFinder:
    """Finds the values of one ENUM column. Values that are plain English need a word for the column beside them."""

    def __init__(self, table: Table, column: Column, values: tuple[str, ...], *, guarded: bool = False) -> None:
        self.table, self.column, self.guarded = table.name, column, guarded
        self._said: dict[str, _Said] = {}
        for value in dict.fromkeys((*column.values, *values)):
            self._learn(value, value)
            self._learn(value.replace("_", " "), value)
        for value, words in column.value_words:
            for said in words:
                self._learn(said, value, listed=True)
        if guarded:
            for value in dict.fromkeys((*column.values, *values)):
                self._learn_parts(value)
                if len(short := fold(value.partition("-")[2])) > 1:
                    self._said.setdefault(short, _Said((value,), True))  # the "CE" of "WAY-CE"
        names = "|".join(re.escape(said) for said in sorted(self._said, key=len, reverse=True))
        called = {form for word in (column.name, *column.synonyms) for form in _forms(word)}
        heads = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))
        lead = (
            r"(?:(?:in|during|on|for|the|every|this|next|only|either|both|a|an|of|with|"
            r"graded|fulfill?s?|fulfill?ing|satisf(?:y|ies|ying)|meets?|count(?:s|ed)? (?:for|as|toward|"
            r"towards)|checks? off|ticks? off|gets? rid of|knocks? out|requirement|called|named) )*"
        )
        self._alone = (
            compiled(
                rf"{lead}(?P<value>{names})s?(?P<tail>(?: (?:{heads}|requirements?|"
                rf"quarters?|terms?|credit|area|basis))*)"
            )
            if names
            else None
        )
        self._beside = (
            compiled(
                rf"(?:{heads})(?: (?:requirement|area|courses?|class|classes|is|in|of|for|:|=))* (?:the )?"
                rf"(?P<value>{names})"
            )
            if names
            else None
        )

    def words(self) -> list[str]:
        """What this finder knows, for the speller."""
        return list(self._said)

    def _learn(self, said: str, value: str, *, listed: bool = False) -> None:
        words = _spaced(said)
        coded = bool(re.search(r"[A-Z]{2}|\d", said))
        plain = not coded and all(english_rank().get(word, 10**6) < _PLAIN for word in words.split())
        if len(words) > 1:
            before = self._said.get(words)
            if before is None:
                self._said[words] = _Said((value,), plain)
            elif listed and value not in before.values:
                self._said[words] = _Said((*before.values, value), before.ambiguous)

    def _learn_parts(self, value: str) -> None:
        """Parts of a long value, which mean it where the column is named as well: "computer systems foundation"."""
        words = _spaced(value.replace("_", " ")).split()
        for first in range(len(words)):
            for last in range(first + 2, len(words) + 1):
                if last - first < len(words) and words[first] not in english.filler():
                    self._said.setdefault(" ".join(words[first:last]), _Said((value,), True))

    def __call__(self, board: Board) -> None:
        for pattern in (self._beside, self._alone):
            if pattern is None:
                continue
            for match in pattern.finditer(board.norm):
                # What leads to the value may have been understood already: "meet" in "when does it meet in spring".
                start = match.start() if board.free(*match.span()) else match.start("value")
                stop = match.end() if board.free(start, match.end()) else match.end("value")
                if not board.free(start, stop):
                    continue
                said = self._said[match["value"]]
                tail = match.groupdict().get("tail")
                if board.norm[:start].endswith(" to ") and match["value"] in english.verbs():
                    continue  # "to graduate" is what somebody does
                plain = said.ambiguous and not self._coded(board, match)
                if pattern is self._alone and self.guarded and plain and not tail:
                    continue
                self.add(board, (start, stop), said.values)

    def _coded(self, board: Board, match: re.Match[str]) -> bool:
        """Whether a value of plain words is clearly one: written as a code is, or said to be fulfilled."""
        fulfilled = _FULFILLED.search(board.norm[: match.start("value")])
        written = board.words(*match.span("value"))
        capitals = written.isupper() and len(written) >= _ABBREVIATED and not board.text.message.isupper()
        return "_" in written or capitals or fulfilled is not None

    def add(self, board: Board, span: tuple[int, int], values: tuple[str, ...]) -> None:
        """Adds the condition that the column has one of the values."""
        node = Condition(table=self.table, column=self.column.name, values=values, words=board.words(*span))
        slot, single = f"{self.table}.{self.column.name}", not self.column.many
        board.add(Mention(*span, "node", slot, node, label="value", single=single))


class DaysFinder(EnumFinder):
    """Days of the week, also as letters: "MWF", "TTh", "tues/thurs"."""

    _RUN = compiled(r"(?:(?:that|which|only|just|meet(?:s|ing)?|held|on|is|are) )*(?P<days>(?:m|tu|th|t|w|r|f){2,5})")

    def __call__(self, board: Board) -> None:
        for match in board.find(self._RUN):
            token = board.text.tokens[board.text.token_at(match.start("days"))]
            letters = re.findall(r"th|tu|[mtwrf]", match["days"])
            if token.raw[:1].isupper() and "".join(letters) == match["days"]:
                for letter in letters:
                    node = Condition(
                        table=self.table, column=self.column.name, values=(_LETTERS[letter],), words=token.raw
                    )
                    board.add(Mention(*match.span(), "node", f"{self.table}.{self.column.name}", node, label="value"))
        for match in board.find(compiled(r"(?:only |just )?(?:on )?week ?days?(?: only)?")):
            board.claim(*match.span())
        for match in board.find(compiled(r"(?:on |at |over )?(?:the |a |any )?week ?ends?")):
            self.add(board, match.span(), ("Sat", "Sun"))
        super().__call__(board)


class CodeFinder:
    """Codes such as "CS 229" for a column of codes; after a word for prerequisites, for the column of those."""

    _CODE = compiled(r"(?P<dept>[a-z]{2,5})[ -]?(?P<number>\d{1,3}[a-z]{0,2})")
    _BEFORE = re.compile(
        r"\b(prerequisites?|requires?|required|need|needs|needing|only need|after|"
        r"taken|finished|completed|passed|(?:have|has|had) (?:only |just |already )?(?:done|had|taken)|already took|"
        r"(?:not|never) (?:yet |ever )?(?:had|did|done|taken|took)|"
        r"with (?:only|just|nothing but)|knows? only|depends? on|builds? on|"
        r"follow ups? (?:\S+ )?(?:to|for|of)|next step from|done with|"
        r"(?:after|once) (?:i |we |you |one )?(?:finish|take|complete|pass|do|finishing|taking|completing|passing)|"
        r"take it without|without(?: having| first)?(?: taken| taking| doing| done)?)"
        r"( (is|are|of|as|only|just|a|the|taking|having|with|for|include|includes|including|lists?))* $"
    )
    _AFTER = re.compile(
        r"(?:(?: ,)? (?:or|and|,) [a-z]{2,5} ?\d{1,3}[a-z]{0,2})*"
        r"(?P<said> (?:(?:is|was|are|being) )?(?:(?:listed|given|named|counted|set|needed|required) )?as "
        r"(?:its |the |an? |one )?(?:of (?:the|its) )?(?:only )?(?:prerequisites?|requirements?)(?=\s|$)|"
        r" (?:is|are) (?:an? |the |one of the )?(?:prerequisites?|requirements?|required)(?= [.,;?!]|$))"
    )
    _NAMED_BEFORE = re.compile(
        r"(?P<said>(?:^| )(?P<verb>builds? on|building on|continues?|extends?|"
        r"requires?|requiring|needs?|follows?|comes? after|after|depends? on|"
        r"lists?|has|have|with) (?:it|that|this|that one|that course|that class)"
        r"(?:(?P<as> as (?:an? |the |its )?(?:prerequisites?|requirements?))(?=\s|$)|(?= (?:[.,;?!]|and|or|but)|$)))"
    )
    _FIRST = re.compile(
        r" (?:(?:first|done|completed|out of the way) )?before (?:i |we |you |one )?(?:take |taking |starting |start )?"
        r"(?!\d)\w"
    )

    def __init__(self, table: str, column: str, needs: str, departments: frozenset[str]) -> None:
        self.table, self.column, self.needs, self.departments = table, column, needs, departments

    def __call__(self, board: Board) -> None:
        for match in board.find(self._CODE):
            known = match["dept"].upper() in self.departments
            if match["dept"] in english.filler() and not _upper(board, match):
                continue  # "show me 4 classes"
            if not known and (match["dept"] in english_rank() and not _upper(board, match)):
                continue
            code = f"{match['dept'].upper()} {match['number'].upper()}"
            before = board.before(match.start(), 6)
            asks = re.search(r"\b(prerequisites?|requirements?) (for|of) $", before)
            after = self._AFTER.match(board.norm, match.end()) or self._referred(board, match)
            if after is not None:
                board.claim(*after.span("said"))
            first = after or self._BEFORE.search(before) or self._FIRST.match(board.norm, match.end())
            needed = first is not None or self._goes_on(board, match.start())
            column = self.needs if self.needs and needed and not asks else self.column
            if column == self.needs:
                self._lead(board, match.start())
            node = Condition(table=self.table, column=column, values=(code,), words=board.words(*match.span()))
            label = "name" if column == self.column else "value"
            board.add(Mention(*match.span(), "node", f"{self.table}.{column}", node, label=label))

    def _referred(self, board: Board, code: re.Match[str]) -> re.Match[str] | None:
        """What says of a course named before that it comes first: "I liked CS 1, which courses build on it?"."""
        said = self._NAMED_BEFORE.search(board.norm, code.end())
        if said is None or (said["verb"] in ("list", "lists", "has", "have", "with") and not said["as"]):
            return None
        start = max(board.norm.rfind(f" {mark} ", 0, code.start()) + 3 for mark in ".!?;,")
        start = 0 if start < 3 else start
        told = re.compile(r"[^.,;!?]*(?:,(?= ))?").match(board.norm, code.end())
        if english.personal().match(board.norm[start:]) and told is not None and told.end() <= said.start():
            board.claim(start, code.start())
            board.claim(code.end(), told.end())
        return said

    def _goes_on(self, board: Board, start: int) -> bool:
        """Whether a code goes on with a list of prerequisites: "after CS 1 and CS 2"."""
        last = board.mentions[-1] if board.mentions else None
        joined = last is not None and re.fullmatch(r" (?:, )?(?:and |or |, )", board.norm[last.stop : start])
        return bool(last is not None and joined and last.slot == f"{self.table}.{self.needs}")

    def _lead(self, board: Board, start: int) -> None:
        """What leads to a course that comes first ("a good follow-up to") says nothing more."""
        lead = re.search(
            r"(?:(?:a|an|the|good|best|nice|natural) )*(?:follow ups?(?: \S+)? |next step )\S+ $|"
            r"(?:(?:just|already|only) )*(?:finished|completed|passed|taken|done) (?:with )?$",
            board.norm[:start],
        )
        if lead is not None:
            board.claim(lead.start(), start)


class FlagFinder:
    """A BOOLEAN column, by its synonyms."""

    def __init__(self, table: Table, column: Column) -> None:
        self.table, self.column = table.name, column
        names = {fold(word) for word in (column.name, *column.synonyms)}
        names = {name for name in names if " " in name or english_rank().get(name, 10**6) > 3_000}
        words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        self._pattern = compiled(
            r"(?:(?:that|which|must|should|count(?:s|ed)?|as|for|fulfils?|fulfills?|"
            r"satisf(?:y|ies)|meets?|towards?|the|with|a|is|are|has|have|of) )*"
            rf"(?:{words})(?: (?:requirements?|ones?|courses?|class(?:es)?|credit))*"
        )

    def words(self) -> list[str]:
        return [self.column.name.replace("_", " "), *self.column.synonyms]

    def __call__(self, board: Board) -> None:
        for match in board.find(self._pattern):
            node = Condition(
                table=self.table, column=self.column.name, values=(True,), words=board.words(*match.span())
            )
            board.add(Mention(*match.span(), "node", f"{self.table}.{self.column.name}", node, label="flag"))


def enum_finder(table: Table, column: Column, values: tuple[str, ...], *, guarded: bool) -> EnumFinder:
    """The finder for an ENUM column: days of the week have letters of their own."""
    kind = DaysFinder if column.kind is Kind.ENUM and {"Mon", "Tue"} <= set(column.values) else EnumFinder
    return kind(table, column, values, guarded=guarded)


def _forms(name: str) -> tuple[str, str]:
    """A word for a column as it is and in the singular."""
    return fold(name), fold(name).removesuffix("s")


def _spaced(words: str) -> str:
    return " ".join(
        re.sub(
            r"([.,;:!?()&+/])",
            lambda m: {"&": " and ", "+": " and ", "/": " or "}.get(m.group(), f" {m.group()} "),
            fold(words),
        ).split()
    )


def _upper(board: Board, match: re.Match[str]) -> bool:
    return board.text.tokens[board.text.token_at(match.start())].raw.isupper()
