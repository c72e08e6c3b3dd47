"""Questions about the articles themselves: how many there are, which are the newest, which belong to a category.

A question to the articles ("how do I drop a class?") is none of these: only words for an article beside words of
counting, of age or of listing make one.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from agent.catalogue.tables import Kind, Table
from agent.catalogue.values import ValueMemory
from agent.parsing.frame import Aggregate, Asked, Condition, Frame, Node, Order, Projection
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.text.letters import fold
from agent.text.values import read_date

_ANY_DAY = date(2000, 1, 1)  # to see whether words are a date
CUT = 6  # letters of a longer word, at least, that stand for it
SEVERAL = 5  # articles shown where several are asked for and nobody says how many

_END = r"(?:$|(?= [.,;!?]))"
_NEWEST = re.compile(
    r"\b(?:newest|latest|freshest|(?:the )?most recent(?:ly)?(?: (?:updated|changed|revised|added))?|"
    r"(?:was |were )?last (?:updated|changed|revised)|(?:updated|changed|revised) (?:last|most recently)|"
    r"recently (?:updated|changed|revised|added))\b"
)
_OLDEST = re.compile(r"\b(?:oldest|least recently (?:updated|changed|revised)|most outdated)\b")
_SINCE = re.compile(
    r"\b(?:updated|changed|revised|added|written|published|new) (?P<how>since|after|before|in|this|last)"
    rf" (?P<when>[a-z0-9 ]{{3,24}}?(?: , \d{{4}})?){_END}"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"(?P<month>(?:{'|'.join(_MONTHS)})[a-z]*) (?P<year>\d{{4}})")
_LISTED = re.compile(
    r"\b(?:which|what|any|list|show|give|all|every|everything|see|find|are there|is there|do you have|have you)\b"
)
_FILED = r"(?:categor(?:y|ies)|sections?|topics?|areas?)"
_ABOUT = (
    r"(?:(?:(?:that|which|who) )?(?:(?:is|are|do|does|only|just|meant|intended|especially) )*"
    r"(?:there |you have |you got )?(?:filed |listed )?"
    r"(?:about|on|regarding|concerning|related to|for|in|under|from|to do with|covers?|covering|mentions?|mentioning|"
    r"deals? with|dealing with|explains?|talks? about|discuss(?:es)?|called))"
)
_ALSO = re.compile(r" (?:about|on|for|regarding|concerning|and also) (?:the )?")
_AFTER = (
    r"(?:(?: (?:do you have|have you got|are there|is there|exist|please|you have|there are|at all|in total|offered))*)"
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What articles are to be about; `filed` where the words speak of a category."""

    words: str
    filed: bool


class ArticleLists:
    """Reads questions about the rows of a table of articles."""

    def __init__(self, table: Table, memory: ValueMemory, text: str) -> None:
        self.table, self.text = table, text
        self._date = next((column.name for column in table.columns if column.kind is Kind.DATE), "")
        self._kinds = {
            column.name: tuple(dict.fromkeys((*column.values, *memory.of(table.name, column.name))))
            for column in table.columns
            if column.kind is Kind.ENUM
        }
        nouns = "|".join(load("words")["documents"])
        thing = rf"(?:(?:help|support|faq) )?(?:{nouns})"
        self._thing = re.compile(rf"(?<!\bto )\b{thing}\b|\beverything (?:in|under|about|on)\b")
        self._count = re.compile(
            rf"\b(?:how many|number of|count(?: up)?)(?: (?:of|the|all|your|different|help))* (?:\S+ ){{0,3}}?{thing}\b"
        )
        self._number = re.compile(
            rf"\b(?P<n>\d{{1,2}}) (?:\S+ ){{0,3}}?{thing}\b|"
            r"\b(?:newest|latest|last|first|top|recent) (?P<m>\d{1,2})\b"
        )
        self._one = re.compile(r"\b(?:article|page|guide|document)\b")
        self._about = re.compile(
            rf"\b{thing} {_ABOUT} (?P<the>the )?(?P<topic>\S.*?)(?P<filed> {_FILED})?{_AFTER}{_END}"
        )
        self._before = re.compile(
            r"(?:^|\b(?:the|all|any|your|newest|latest|recent|oldest|many|list|show|every|\d+) )"
            rf"(?P<topic>(?!(?:all|the|any|your|of|me)\b)[a-z]+(?: [a-z]+)?) {thing}\b"
        )
        self._filed = re.compile(rf"\b(?:in|under|from) (?:the )?(?P<topic>\S+(?: \S+){{0,3}}?) {_FILED}\b")

    def read(self, question: str, norm: str) -> Frame | None:
        """The frame of a question about the articles themselves, with its normalised words; None for any other."""
        if not self._thing.search(norm):
            return None
        order, count = self._order(norm), self._count.search(norm) is not None
        topics = self._about_what(self.topic(norm))
        dated = self._dated(norm)
        filed = any(isinstance(node, Condition) for node in topics)
        bare = not english.content(re.findall(r"[a-z]+", self._thing.sub(" ", norm)))  # "all articles"
        if not (count or order or dated or ((filed or bare) and _LISTED.search(norm))):
            return None
        where = (*topics, *([dated] if dated is not None else []))
        return self._frame(question, norm, where, order=order, count=count)

    def _frame(self, question: str, norm: str, where: tuple[Node, ...], *, order: Order | None, count: bool) -> Frame:
        said = self._number.search(norm)
        every = re.search(r"\b(?:all|every|everything)\b", norm) or any(isinstance(node, Condition) for node in where)
        several = None if every and order is None else SEVERAL
        one = order is not None and self._one.search(norm) is not None
        shown = (self.table.entity, self._date if order is not None else "")
        names = tuple(name for name in shown if name)
        return Frame(
            tables=(self.table.name,),
            where=where,
            order=(order,) if order is not None and not count else (),
            limit=None if count else int(said["n"] or said["m"]) if said else 1 if one else several,
            limit_said=said is not None,
            aggregate=Aggregate(table=self.table.name) if count else None,
            projections=() if count else tuple(Projection(table=self.table.name, column=name) for name in names),
            presentation="aggregate" if count else "list",
            words=question,
        )

    # -- the parts ---------------------------------------------------------------------------------------------------

    def _order(self, norm: str) -> Order | None:
        newest = _NEWEST.search(norm)
        if not self._date or not (newest or _OLDEST.search(norm)):
            return None
        return Order(table=self.table.name, column=self._date, descending=newest is not None)

    def _dated(self, norm: str) -> Condition | None:
        """ "Updated since June", "changed this year": a bound on the date."""
        said = _SINCE.search(norm) if self._date else None
        if said is None:
            return None
        when = f"{said['how']} {said['when']}" if said["how"] in ("this", "last") else said["when"].replace(" ,", "")
        if read_date(when, _ANY_DAY) is None:
            return None  # "changed in the office"
        month = _MONTH.fullmatch(when) if said["how"] == "after" else None
        if month is not None:  # "after August 2025" is after its last day
            number, year = _MONTHS.index(month["month"][:3]) + 1, int(month["year"])
            when = date(year, number, monthrange(year, number)[1]).isoformat()
        op: str = {"before": "<", "after": ">"}.get(said["how"], ">=")
        return Condition.model_validate(
            {"table": self.table.name, "column": self._date, "op": op, "values": (when,), "words": said.group()}
        )

    def topic(self, norm: str) -> Topic | None:
        """What the articles are to be about, in the words of the question."""
        for pattern in (self._about, self._filed, self._before):
            for match in pattern.finditer(norm):
                words = _NEWEST.sub("", _SINCE.sub("", match["topic"])).strip()
                if english.content(words.split()) and not self._thing.fullmatch(words):
                    filed = bool(match.groupdict().get("filed")) or pattern is self._filed
                    return Topic(" ".join(words.split()), filed)
        return None

    def _about_what(self, topic: Topic | None) -> tuple[Node, ...]:
        """A condition for each part of a topic: "undergraduates about records" are an audience and a category."""
        found: list[Node] = []
        for words in _ALSO.split(topic.words) if topic is not None else ():
            part = Topic(words, topic is not None and topic.filed)
            kind = self._kind(part) if english.content(words.split()) else None
            if kind is not None and not any(isinstance(one, Condition) and one.column == kind.column for one in found):
                found.append(kind)
            elif english.content(words.split()):
                found.append(self._asked(part))
        return tuple(found)

    def _kind(self, topic: Topic) -> Condition | None:
        """The category (or another vocabulary) that holds the words of a topic; shares one of them if it is `filed`."""
        said = _stems(topic.words)
        for column, values in self._kinds.items():
            held = [value for value in values if said and _held(said, _stems(value))]
            shared = [value for value in values if said & _stems(value)] if topic.filed else []
            for value in (*held, *shared):
                return Condition(table=self.table.name, column=column, values=(value,), words=topic.words)
        return None

    def _asked(self, topic: Topic) -> Asked:
        question = f"is this {self.table.noun[0]} about {topic.words}?"
        return Asked(table=self.table.name, columns=(self.text,), question=question, words=topic.words)


def _held(said: set[str], stems: set[str]) -> bool:
    """Whether all words that are said are among others, in full or cut short: "undergrad"."""
    return all(any(one == stem or (len(one) >= CUT and stem.startswith(one)) for stem in stems) for one in said)


def _stems(words: str) -> set[str]:
    """The words that say something, without the ending of a plural."""
    return {word.removesuffix("s") for word in english.content(re.findall(r"[a-z0-9]+", fold(words)))}
