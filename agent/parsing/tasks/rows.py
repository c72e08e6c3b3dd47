"""Rows of a corpus as values: one of those shown or offered, one by its name, or the one that a search will find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.catalogue.tables import Kind
from agent.language import Conversation, PastQuery, Question
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.chitchat import without_courtesies
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.dialogue.references import Reference, referred
from agent.parsing.frame import Condition, Frame, leaves
from agent.parsing.parser import BuiltinParser
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Form, Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers.choices import placed
from agent.parsing.tasks.workspace import Place
from agent.text.readers.reading import Reading
from agent.text.words import word_set
from agent.worksheets.state import Entity
from agent.worksheets.statements import Assign, Fill, Pick

_POINTS = re.compile(
    r"\b(?:that|this|the same) (?:one|place|restaurant|spot|course|class|option|row)\b|"
    r"\bthere\b(?! (?:is|are|will|was|were|'s|be))|\bthat\b(?=\W*(?:$|please|for|on|at|tomorrow|"
    r"tonight))|"
    r"\b(?:book|reserve|take|choose|pick|get|do|want|try|like) (?:it|that|this)\b(?! (?:to|clear|"
    r"possible))|\bit\b(?= (?:for|on|at|tomorrow|tonight|please|then|is)\b)|\bit'?s (?:fine|good|"
    r"great|perfect)\b"
)
_SUPERLATIVES = (
    (re.compile(r"\b(?:cheapest|least expensive|most affordable|lowest priced?)\b"), "cheaper"),
    (re.compile(r"\b(?:most expensive|fanciest|priciest|poshest)\b"), "more expensive"),
    (
        re.compile(
            r"\b(?:best|highest|top|better|higher)[- ](?:rated|rating|reviewed)\b|\bmost stars\b|"
            r"\b(?:the )?best (?:one|of)\b|\bthe best\b"
        ),
        "better rated",
    ),
    (re.compile(r"\b(?:most (?:reviews|reviewed|popular|ratings))\b"), "more reviews"),
)
_DESCRIBED = re.compile(
    r"\bthe (?P<what>(?!(?:other|same|first|second|third|last|next)\b)(?:[\w'’-]+ ){1,3}?)"
    r"(?:one|place|spot|restaurant|course|class)\b"
)
_DANGLING = re.compile(
    r"\b(?:for|on|at|by|of|in|with|and|around|about|from|to|the|a|an|or|but|my|our|is|be|this|that|like|just|coming|next|also|me|us|it|i|we)\b(?=\s{2,}|\s*$|\s*[,.;:!?])",
    re.IGNORECASE,
)
_LEAD = compiled(
    r"^\W*(?:(?:{filler}|{request}|{lead}|find|give|show|get|book|reserve|have|eat|dine|go|me|us|we|"
    r"is|it|a|table|something like|do you have|are there|is there|"
    r"any chance of)(?=[\s,.!?;:])[\s,.!?;:]*)+"
)
_AT = re.compile(
    r"^(?:at|to|for|with|from|the (?:restaurant|place|one) (?:called|named)|(?:a |the )?(?:restaurant|"
    r"place) (?:called|named)|called|named)\s+",
    re.IGNORECASE,
)
_TAIL = compiled(
    r"[\s,.!;:?-]+(?:(?:{filler}|for|on|at|and|me|us|would be (?:great|nice|good|fine|lovely|perfect)|"
    r"instead|sounds? (?:good|great|nice)|looks? (?:good|great|nice)|is fine|works)[\s,.!;:?-]*)+$"
)
_INDEFINITE = re.compile(r"\b(?:something|anything|somewhere|anywhere|any|some|else|others?|is there|are there)\b")
INTRODUCES = re.compile(r"\b(?:[Mm]y name(?:'s| is)|[Tt]his is|I am|I'm) [A-Z][\w'-]+(?: [A-Z][\w'-]+)?(?: (?=and\b))?")
_POINTS_BACK = re.compile(r"^(?:it|that|this|the|that one|my|(?:my|the|that|this) (?:\w+ ?){1,2})$")
_NOT_IT = r"\b(?:not|instead of|rather than|no longer|forget|skip)(?: (?:at|in|for|to|the))* "
_LACKS_NOUN = re.compile(
    r"(?:in|near|around|with|that|which|by|close|under|open)\b(?!.*\b(?:places?|spots?|somewhere|something|one)\b)"
)
_APART = re.compile(r"[,;]\s|\s{3,}(?=and\b)")
_RECENT = 2  # turns: what was shown before them is no longer what is spoken of
_WANTED = 0.6  # share of capitalised words that makes an unknown phrase a name
_EMPTY = re.compile(
    r"^(?:it|that|this|one|them|there|something|somewhere|anything|anywhere|a place|place|restaurant|"
    r"a restaurant|table|ok|yes|no|here|thing|things|stuff)?$"
)


@dataclass(frozen=True)
class Rows:
    """Finds the rows that a message means as the value of a field."""

    draft: Draft
    message: Message
    conversation: Conversation
    interpreter: Interpreter

    @property
    def parser(self) -> BuiltinParser:
        return self.interpreter.parser

    def pick(self, place: Place, *, asked: bool) -> bool:
        """One of the field's candidates, or of the rows shown, if the message picks one."""
        slot = place.sheet.slot(place.field.name)
        candidates = slot.candidates or tuple(item for item in slot.options if isinstance(item, Entity))
        entity = self._among(candidates, asked=True) if candidates else None
        if entity is None:
            entity = self._shown(place, asked=asked)
        if entity is None or self._denies(entity):
            return False
        self._put(place, entity)
        return True

    def pick_only(self, place: Place) -> None:
        """The one row that was shown last, for a task that is begun without a word about which."""
        shown = [query for turn in self.conversation.past[-_RECENT:] for query in turn.queries if query.keys]
        if not shown or shown[-1].table != self._table(place) or len(set(shown[-1].keys)) != 1:
            return
        entity, low = _entity(tuple(shown), shown[-1].keys[0]), self.message.low
        another = _INDEFINITE.search(low) or cues.names_kind(low) or self.draft.workspace.finished()
        if entity is not None and not another:
            self._put(place, entity)

    def _put(self, place: Place, entity: Entity) -> None:
        name = self.draft.open(place.sheet)
        place.sheet.values[place.field.name] = entity
        self.draft.add(
            Pick(
                instance=name,
                field=place.field.name,
                table=entity.table,
                key=entity.key,
                title=entity.title,
                words=self.message.text.strip(),
            )
        )

    def _denies(self, entity: Entity) -> bool:
        """ "Not at Quorum", "instead of the Quorum": names a row as what it should not be."""
        title = re.escape(entity.title.lower())
        match = re.search(rf"{_NOT_IT}{title}(?!\w)", self.message.low)
        if match is not None:
            self.message.claim(*match.span())
        return match is not None

    def _among(self, candidates: tuple[Entity, ...], *, asked: bool) -> Entity | None:
        low = self.message.masked(*TOLD)
        key = placed(low, tuple(item.key for item in candidates), asked=asked)
        query = _as_query(candidates)
        if key is None and (reference := referred(self.message.text, None, (query,))) is not None:
            key = reference.keys[0] if len(reference.keys) == 1 else None
        if key is None:
            key = self._compared(low, tuple(item.key for item in candidates))
        if key is None:
            key = _by_words(low, candidates)
        if key is None and len(candidates) == 1 and _POINTS.search(low):
            key = candidates[0].key
        return next((item for item in candidates if item.key == key), None)

    def _shown(self, place: Place, *, asked: bool) -> Entity | None:
        """A row of what was shown before that the message points to, by place, by name or as "that one"."""
        queries = [query for turn in self.conversation.past for query in turn.queries if query.keys]
        table = self._table(place)
        mine = tuple(query for query in queries if query.table == table)
        if not table or not mine:
            return None
        low, last = self.message.masked(*TOLD), mine[-1]
        reference: Reference | None = referred(low, None, mine)
        if reference is not None and len(reference.keys) == 1:
            return _entity(mine, reference.keys[0])
        key = placed(low, last.keys, asked=asked) or self._compared(low, last.keys) or self._described(low, last)
        if key is None and _POINTS.search(low) and len(last.keys) == 1:  # of several, "that" is none in particular
            key = last.keys[0]
        return _entity(mine, key) if key else None

    def _compared(self, low: str, keys: tuple[str, ...]) -> str | None:
        """ "the cheaper one", "the best rated one": by the values the rows were shown with."""
        words = next((word for pattern, word in _SUPERLATIVES if pattern.search(low)), low)
        comparative = cues.comparative(words)
        if comparative is None or len(keys) < 2 or _INDEFINITE.search(low):
            return None
        values = {key: row.get(comparative.column) for key, row in self._values().items() if key in keys}
        known = {key: self._rank(comparative.column, value) for key, value in values.items() if value is not None}
        if not known:
            return None
        return (min if comparative.less else max)(known, key=lambda key: known[key])

    def _described(self, low: str, shown: PastQuery) -> str | None:
        """ "The spanish one": the only row shown that has what the words say it has."""
        said = _DESCRIBED.search(low)
        if said is None:
            return None
        frame = self.parser.frame(f"{said['what']} {self._noun(shown.table)}", (shown.table,))
        wanted = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
        if not wanted or len(wanted) != sum(1 for node in frame.where for _ in leaves(node)):
            return None
        values = self._values()
        having = [key for key in dict.fromkeys(shown.keys) if all(_has(values.get(key, {}), leaf) for leaf in wanted)]
        return having[0] if len(having) == 1 else None

    def _values(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for turn in self.conversation.past:
            for query in turn.queries:
                for key, row in zip(query.keys, query.rows, strict=False):
                    found[key] = {**found.get(key, {}), **row}
        return found

    def _rank(self, column: str, value: Any) -> float:
        """A value as a number; one of an ordered vocabulary by its place in it."""
        for name in self.conversation.tables:
            table = self.parser.catalogue.table(name)
            declared = table.column(column) if table else None
            if declared is not None and value in declared.values:
                return float(declared.values.index(value))
        return float(value) if isinstance(value, int | float) else 0.0

    # -- by a question -------------------------------------------------------------------------------------------------

    def wanted(self) -> str:
        """What the message says besides what was understood of it: in the user's words, ready to be searched for."""
        return ", ".join(left for _, _, left in self._parts() if left)

    def told(self, pieces: list[str], values: list[Reading], apart: list[Reading]) -> str:
        """The parts of the message that some pieces of what is wanted are left over from, or that tell one of some
        values: in full, less what is to be kept `apart`."""
        own = Message(self.message.text, claimed=[(one.start, one.stop) for one in apart])
        text = ""
        for start, stop, left in self._parts():
            told = any(start <= one.start < stop for one in values)
            if left in pieces or (told and not left):
                part = " ".join(_unled(INTRODUCES.sub(" ", own.rest(start, stop))).split())
                text += (" " if text.endswith((".", "!", "?")) else ", ") + part if text and part else part
        return without_courtesies(text)

    def _parts(self) -> Iterator[tuple[int, int, str]]:
        """The parts of the sentences that tell or want something: each with what is left over of it, made ready."""
        for sentence in self.message.of(*TOLD):
            rest = self.message.rest(sentence.start, sentence.stop)
            rest = INTRODUCES.sub(lambda match: " " * len(match.group()), rest)
            start = 0
            for stop, following in [*(match.span() for match in _APART.finditer(rest)), (len(rest), len(rest))]:
                yield sentence.start + start, sentence.start + stop, clean(rest[start:stop])
                start = following

    def means_row(self, place: Place, words: str) -> bool:
        """Whether words name or describe a row by more than a wish: a name, or a value of a column."""
        frame = self.parser.frame(words, (self._table(place),))
        found = [leaf for node in frame.where for leaf in leaves(node)]
        return any(isinstance(leaf, Condition) for leaf in found) or bool(frame.order)

    def question(self, place: Place, words: str, told: str = "") -> Question | None:
        """The question whose rows are the value; None where the words ask for nothing. What describes a row and names
        none is asked for as it was `told`, with the values that a task takes as well."""
        table = self._table(place)
        words = _AT.sub("", words).strip()
        if not table or _EMPTY.match(words.lower()):
            return None
        noun = self._noun(table)
        found = [leaf for node in self._frame(place, words).where for leaf in leaves(node)]
        conditions = [leaf for leaf in found if isinstance(leaf, Condition)]
        if named := [leaf for leaf in conditions if leaf.column == self._title(table) and not leaf.negated]:
            where = " ".join(f"in {leaf.values[0]}" for leaf in conditions if self._is_location(leaf))
            return Question(words=f"{noun} called {named[0].values[0]} {where}".strip(), tables=(table,))
        if not conditions and _looks_like_name(words):
            return Question(words=f"{noun} called {words}", tables=(table,))
        if not found and not self._frame(place, words).order:
            return None
        words = told or words
        lead = f"{noun} " if _LACKS_NOUN.match(words.lower()) else ""
        return Question(words=f"{lead}{words}", tables=(table,))

    def fill(self, place: Place, question: int, words: str) -> None:
        name = self.draft.open(place.sheet)
        place.sheet.values[place.field.name] = Entity(table=self._table(place), key="")
        self.draft.add(Fill(instance=name, field=place.field.name, question=question, words=words))

    def tell(self, place: Place, words: str) -> None:
        """A row without a table is told in the user's words; the check on assignment finds it."""
        name = self.draft.open(place.sheet)
        place.sheet.values[place.field.name] = words
        self.draft.add(Assign(instance=name, field=place.field.name, value=words, words=words))

    def made(self, words: str) -> str:
        """The number of what was done last, where the words only point to it ("that booking", or nothing at all)."""
        if words and not _POINTS_BACK.match(words.lower()):
            return ""
        done = next(iter(self.draft.workspace.finished()), None)
        result = done.instance.result if done and done.instance else None
        return next((str(value) for name, value in (result or {}).items() if name.endswith("id") and value), "")

    def searchable(self, place: Place) -> bool:
        return bool(self._table(place))

    def _table(self, place: Place) -> str:
        worksheet = self.draft.workspace.specification.knowledge(place.field)
        return worksheet.table if worksheet else ""

    def _frame(self, place: Place, words: str) -> Frame:
        """What words ask for by themselves; "something cheaper" asks it of what was shown before."""
        frame = self.parser.frame(words, (self._table(place),))
        if frame.where or frame.order:
            return frame
        return self.interpreter.frame(words, self.conversation, (self._table(place),))

    def _noun(self, name: str) -> str:
        table = self.parser.catalogue.table(name)
        return table.noun[0] if table else name

    def _title(self, name: str) -> str:
        table = self.parser.catalogue.table(name)
        return table.title or "" if table else ""

    def _is_location(self, leaf: Condition) -> bool:
        table = self.parser.catalogue.table(leaf.table)
        column = table.column(leaf.column) if table else None
        return column is not None and column.kind is Kind.LOCATION


def _has(row: Mapping[str, Any], wanted: Condition) -> bool:
    """Whether a row shown has a value that is wanted; a place may stand in any of its columns."""
    value = row.get(wanted.column)
    own = value if isinstance(value, list | tuple) else [value]
    known = {str(one).lower() for one in (*own, *row.values()) if isinstance(one, str)}
    return not wanted.negated and wanted.op == "=" and any(str(one).lower() in known for one in wanted.values)


_SEEKS = compiled(r"^\W*(?:(?:{filler})[\s,.!;:-]+)*(?:any|anything|anywhere|some|somewhere|something)\b")


def seeking(message: Message) -> None:
    """ "Any good bakeries?" is a question where the row that is worked on is settled, and puts no other forward."""
    message.sentences = [
        replace(one, form=Form.QUESTION)
        if one.form is Form.SUGGESTION and _SEEKS.match(message.low[one.start : one.stop])
        else one
        for one in message.sentences
    ]


_GENERIC = word_set(
    """dinner lunch brunch breakfast supper meal evening night date time table people party spot guests reservation
    booking day around about something somewhere place restaurant set up arrange organise organize make new quick for
    at on in to of by with and or the an my our is are be
    number name email phone it as i we me us"""
)


def clean(piece: str) -> str:
    """Words without those that led to a value taken out of them, leads and courtesies."""
    while (shorter := _DANGLING.sub(" ", piece)) != piece:
        piece = shorter
    piece = " ".join(piece.split())
    low = piece.lower().replace("’", "'")
    if match := _LEAD.match(low + " "):
        piece = piece[min(match.end(), len(piece)) :]
    if match := _TAIL.search(piece.lower()):
        piece = piece[: match.start()]
    piece = piece.strip(" \t,;:.!?-")
    telling = [word for word in re.findall(r"[^\W\d_]{2,}", piece.lower()) if word not in _GENERIC]
    return piece if telling else ""


def _unled(part: str) -> str:
    """A part without the words that lead to what was blanked out of it ("I need a … for four")."""
    match = _LEAD.match(part.lower() + " ")
    return part[match.end() :] if match and part[: match.end()].endswith("  ") else part


def _looks_like_name(words: str) -> bool:
    parts = [word for word in re.findall(r"[^\W\d_][\w'’-]*", words) if len(word) > 2]
    capitals = [word for word in parts if word[:1].isupper()]
    return bool(parts) and len(parts) <= 6 and len(capitals) / len(parts) >= _WANTED


def _as_query(candidates: tuple[Entity, ...]) -> PastQuery:
    return PastQuery(
        question="", suql="", table=candidates[0].table,
        keys=tuple(item.key for item in candidates), titles=tuple(item.title for item in candidates),
    )  # fmt: skip


def _entity(queries: tuple[PastQuery, ...], key: str) -> Entity | None:
    for query in reversed(queries):
        for one, title in zip(query.keys, query.titles, strict=False):
            if one == key:
                return Entity(table=query.table, key=key, title=title)
    return None


def _by_words(low: str, candidates: tuple[Entity, ...]) -> str | None:
    """The one candidate whose title has a word of the message that the others have not."""
    said = set(re.findall(r"[^\W_]{3,}", low)) - {"the", "and", "one", "for"}
    hits = {item.key: said & set(re.findall(r"[^\W_]{3,}", item.title.lower())) for item in candidates}
    telling = {
        key: words - set().union(*(other for k, other in hits.items() if k != key)) for key, words in hits.items()
    }
    found = [key for key, words in telling.items() if words]
    return found[0] if len(found) == 1 else None
