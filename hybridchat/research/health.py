"""How a corpus is doing: its rows and texts, what its columns lack, and how the questions put to it went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db import OperationalError, connection, models, transaction
from django.db.models import F, Func, Value
from django.utils import timezone

from agent.catalogue.tables import Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.text.letters import fold
from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder
from corpora.models import Passage
from corpora.selectors import assistant_tables, value_memory
from hybridchat.chat.models import Turn

WEEKS = 12
MOST_TURNS = 3_000  # of the last weeks that are looked at
LISTED = 25  # questions, and values of a column
SECONDS = 8  # that looking at one table may take
SHORTEST_WORD = 3  # letters of a word that people would say
QUICK = 0.05  # seconds of a search that nobody calls slow
BINS = (0.5, 1, 2, 5, 10)  # seconds
ANSWERED, NOTHING, RELAXED, FAILED = WAYS = ("answered", "nothing found", "relaxed", "failed")


@dataclass(frozen=True, slots=True)
class ColumnHealth:
    """One column: how many rows leave it empty, texts without passages, values that nobody's words would reach."""

    name: str
    kind: str
    empty: int
    unread: int = 0
    unreached: tuple[str, ...] = ()
    more: int = 0  # values beyond those listed


@dataclass(frozen=True, slots=True)
class TableHealth:
    """One table; `problem` says why it could not be looked at."""

    name: str
    rows: int = 0
    passages: int = 0
    foreign: int = 0  # passages whose vectors another embedder made: they are not compared
    columns: tuple[ColumnHealth, ...] = ()
    problem: str = ""

    @property
    def ailing(self) -> list[ColumnHealth]:
        """The columns that something is wrong with."""
        return [one for one in self.columns if one.empty == self.rows or one.unread or one.unreached]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was put to a corpus, and how it went: one of `WAYS`, or "" where nothing was searched."""

    turn: UUID
    message: str
    week: date
    way: str
    disliked: bool
    given_up: tuple[str, ...]
    seconds: float
    calls: int
    cost: float
    suql: str

    @property
    def unanswered(self) -> bool:
        """Whether it did not find what was asked for, or somebody said so."""
        return self.disliked or self.way in (NOTHING, RELAXED, FAILED)


def tables(corpus: str) -> list[TableHealth]:
    """Return the health of a corpus's tables."""
    known, memory = whole_catalogue(), value_memory()
    return [_table(table, memory) for table in known.only(*assistant_tables(corpus))]


def asked(corpus: str, weeks: int = WEEKS) -> list[Asked]:
    """Return what people asked of a corpus in the last weeks, newest first."""
    found = Turn.objects.filter(
        conversation__assistant=corpus,
        created__gte=timezone.now() - timedelta(weeks=weeks),
        status__in=(Turn.Status.DONE, Turn.Status.FAILED),
        kind__in=(Turn.Kind.MESSAGE, Turn.Kind.RETRY),
    ).order_by("-created")
    told = found.annotate(
        rows=_count("$.outcomes[*].rows[*].values"),
        errors=_array("$.outcomes[*].error"),
        given_up=_array("$.outcomes[*].relaxed[*]"),
        seconds=_array("$.outcomes[*].usage.seconds"),
        calls=_array("$.outcomes[*].usage.calls"),
        cost=_array("$.outcomes[*].usage.cost"),
        suql=_array("$.outcomes[*].query.suql"),
    ).values(
        *("pk", "message", "created", "status", "feedback__rating"),
        *("rows", "errors", "given_up", "seconds", "calls", "cost", "suql"),
    )
    return [_asked(one) for one in told[:MOST_TURNS]]


def weekly(questions: Sequence[Asked], weeks: int = WEEKS) -> tuple[list[str], dict[str, list[int]]]:
    """Return the weeks' names and, for each of `WAYS`, how many questions went so in each."""
    this = _monday(timezone.localdate())
    mondays = [this - timedelta(weeks=back) for back in reversed(range(weeks))]
    counted = Counter((one.way, one.week) for one in questions)
    return [f"{day:%b} {day.day}" for day in mondays], {way: [counted[way, day] for day in mondays] for way in WAYS}


def speeds(questions: Iterable[Asked]) -> tuple[list[str], list[int]]:
    """Return spans of seconds and how many searches took so long."""
    counts = [0] * (len(BINS) + 1)
    for one in questions:
        if one.suql:
            counts[sum(one.seconds >= bound for bound in BINS)] += 1
    return [*(f"< {bound:g} s" for bound in BINS), f"{BINS[-1]:g} s +"], counts


def unanswered(questions: Iterable[Asked], most: int = LISTED) -> list[tuple[Asked, int]]:
    """Return the questions that were not answered well, each once, with how often that was; the newest first."""
    found: dict[str, list[Asked]] = {}
    for one in questions:
        if one.unanswered:
            found.setdefault(" ".join(one.message.casefold().split()), []).append(one)
    return [(asked[0], len(asked)) for asked in list(found.values())[:most]]


def slowest(questions: Iterable[Asked], most: int = 8) -> list[Asked]:
    """Return the questions that took longest to search for."""
    return [one for one in sorted(questions, key=lambda one: -one.seconds)[:most] if one.seconds >= QUICK]


def dearest(questions: Iterable[Asked], most: int = 8) -> list[Asked]:
    """Return the questions for which texts had to be read most often, and that cost most."""
    return [one for one in sorted(questions, key=lambda one: (-one.cost, -one.calls))[:most] if one.calls]


def unreached(column: Column, values: Iterable[str]) -> list[str]:
    """Return the values that have no word that a person would say, and no other word is noted for."""
    named = {fold(value) for value, others in column.value_words if others}
    return [value for value in values if fold(value) not in named and not _is_sayable(value)]


def _is_sayable(value: str) -> bool:
    return any(sum(letter.isalpha() for letter in word) >= SHORTEST_WORD for word in value.split())


def _asked(turn: dict[str, Any]) -> Asked:
    failed = turn["status"] == Turn.Status.FAILED or any(turn["errors"])
    searched = any(turn["suql"]) or failed
    way = FAILED if failed else RELAXED if turn["given_up"] else ANSWERED if turn["rows"] else NOTHING
    return Asked(
        turn=turn["pk"],
        message=turn["message"],
        week=_monday(timezone.localtime(turn["created"]).date()),
        way=way if searched else "",
        disliked=turn["feedback__rating"] == -1,
        given_up=tuple(turn["given_up"]),
        seconds=sum(turn["seconds"]),
        calls=int(sum(turn["calls"])),
        cost=sum(turn["cost"]),
        suql=";\n".join(filter(None, turn["suql"])),
    )


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _array(path: str) -> Func:
    """What a path of a turn's state leads to, as a list: the states themselves are large."""
    return Func(
        F("state"),
        Value(path),
        function="jsonb_path_query_array",
        template="%(function)s(%(expressions)s::jsonpath)",
        output_field=models.JSONField(),
    )


def _count(path: str) -> Func:
    return Func(_array(path), function="jsonb_array_length", output_field=models.IntegerField())


def _table(table: Table, memory: ValueMemory) -> TableHealth:
    columns = [one for one in table.columns if not one.hidden]
    of_table = Passage.objects.filter(owner_table=table.name)
    try:
        with _in_time():
            rows, empty = _emptiness(table, columns)
            passages = of_table.count()
            foreign = of_table.exclude(embedder=embedder().name).count()
            keys = models.Count("owner_key", distinct=True)
            read_of = dict(of_table.values_list("column_name").annotate(keys=keys))
    except OperationalError as error:
        return TableHealth(table.name, problem=f"It could not be looked at within {SECONDS} seconds ({error}).")
    found = []
    for column, blank in zip(columns, empty, strict=True):
        strange = unreached(column, memory.of(table.name, column.name)) if column.kind is Kind.ENUM else []
        read = column.kind is Kind.FREE_TEXT
        found.append(
            ColumnHealth(
                column.name,
                f"{column.kind.value}{'[]' if column.many else ''}",
                blank,
                unread=max(rows - blank - read_of.get(column.name, 0), 0) if read else 0,
                unreached=tuple(strange[:LISTED]),
                more=max(len(strange) - LISTED, 0),
            )
        )
    return TableHealth(table.name, rows, passages, foreign, tuple(found))


@contextmanager
def _in_time() -> Iterator[None]:
    """Let each statement take a few seconds; a longer one ends with OperationalError."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{SECONDS}s'")
        yield


def _emptiness(table: Table, columns: Sequence[Column]) -> tuple[int, list[int]]:
    """How many rows a table has, and how many leave each column empty."""
    quote = connection.ops.quote_name
    blank = [
        f"count(*) FILTER (WHERE {quote(one.name)} IS NULL OR {quote(one.name)}::text IN ('', '{{}}', '[]'))"
        for one in columns
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(['count(*)', *blank])} FROM kb.{quote(table.name)}")
        rows, *empty = cursor.fetchone()
    return rows, empty
