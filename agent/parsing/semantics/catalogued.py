"""Questions about things described by a catalogue and its related tables: courses, their offerings and ratings."""

from __future__ import annotations

import re
from typing import Literal

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.networks.tagger import Tagger
from agent.parsing.frame import Condition, Frame, Node, leaves
from agent.parsing.semantics.any_value import AnyValueFinder
from agent.parsing.semantics.aspects import AspectFinder
from agent.parsing.semantics.assembly import assemble
from agent.parsing.semantics.aversions import find_feelings, mark_feelings
from agent.parsing.semantics.completed_courses import only_taken
from agent.parsing.semantics.days import only_days
from agent.parsing.semantics.details import OPINION, Details, of_whom
from agent.parsing.semantics.enums import CodeFinder, FlagFinder, enum_finder
from agent.parsing.semantics.grouping import aggregate_of, each_of, share_of
from agent.parsing.semantics.indifference import drop_tolerated, ignore_stated
from agent.parsing.semantics.intents import IntentFinder
from agent.parsing.semantics.levels import LevelFinder
from agent.parsing.semantics.lexing import read
from agent.parsing.semantics.name_patterns import SpelledFinder
from agent.parsing.semantics.naming import People, Titles
from agent.parsing.semantics.numbers import Measure, NumberFinder, skipped
from agent.parsing.semantics.praise import in_reviews
from agent.parsing.semantics.prerequisites import PriorCourses
from agent.parsing.semantics.profile import profile
from agent.parsing.semantics.rooms import RoomFinder
from agent.parsing.semantics.seats import SeatsFinder
from agent.parsing.semantics.second_question import side_by_side
from agent.parsing.semantics.similar_to import others_than
from agent.parsing.semantics.spelling import Speller
from agent.parsing.semantics.stated_facts import in_either
from agent.parsing.semantics.tagger_marks import asked
from agent.parsing.semantics.times import TimesFinder
from agent.parsing.semantics.topics import TopicFinder, areas_of, subjects
from agent.parsing.semantics.unavailability import unavailable
from agent.parsing.semantics.unmarked import NAMED, leave_out_told
from agent.parsing.semantics.wishes import Wishes
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.parsing.semantics.years import YearFinder
from agent.text.letters import fold

LIMIT = 3
_NONE_NEEDED = compiled(
    r"(?:that |which |with |has |have |having |requires? |need(?:s|ing)? |there |are |do |does "
    r")*(?:no|without(?: any)?|zero|not (?:(?:have|require|need|come with|ask for) )?(?:any|a)?|none) "
    r"(?:formal |official |real )?(?:prerequisites?|requirements? before)(?: (?:needed|"
    r"required|at all|courses?))*|"
    r"(?:that |which )?(?:do |does )?not (?:require|need|expect|ask for|presuppose) "
    r"(?:me to (?:take|have taken) )?(?:any )?(?:other|prior|previous|earlier) "
    r"(?:courses?|class(?:es)?)(?: (?:first|before|beforehand))?|"
    r"(?:i|we) have (?:not )?(?:ever )?(?:taken|done|finished|completed|passed) (?:no|zero|any|nothing|anything)"
    r"(?: (?:courses?|class(?:es)?))?(?: (?:at all|yet|so far|here|before))*"
)
_ASKS = re.compile(
    r"^(?:so |and |hi |hello |hey |please |ok |, )*(?:who|what|when|where|why|how|does|do|is|are|"
    r"has|did|can|could|may|will|would|should|which (?:quarter|term|season|day|time|room|building)s?|tell me|whats|"
    r"difference|compare)\b|"
    r"\b(?:i|we) (?:(?:would|really|just|am|are) )*(?:want|need|like|wish|trying) to (?:know|find out|learn|understand|"
    r"check|figure out) (?:how|what|who|when|where|whether|if)\b|"
    r"\?$|[,.;] (?:and |so |but )?(?:who|what|when|where|how|does|do|is|are|has|did|can|will|would|should) |"
    r"\bwhich (?:one |of them |of the two )?(?:is|has|does|had|would|takes?|needs?|requires?|demands?)\b|"
    r"\b(schedule|prerequisites?|instructor|units|grading|workload|hours|rating|description)\b"
)
_DOES_TEACH = re.compile(  # looks for what somebody teaches: "does X teach anything about robots"
    r"(?:(?:so|and|hi|hello|hey|ok|,) )*(?:does|do|is|are|did|will) (?:professor |prof |dr )?(?:[a-z'-]+ ){1,4}?"
    r"(?:also )?(?:teach|teaching|offer|offering|give|giving|run|running) "
)
_FIRST_OF = re.compile(  # looks for the first of what somebody teaches: "the best rated class X teaches"
    r"\b(?:best|worst|most|least|[a-z]{3,}est)(?:[ -][a-z]+){0,2} (?:course|class|seminar)\b"
)
_WHICH_HAS = re.compile(r"(?:(?:and|so|but|ok|,) )*which (?:has|gets|takes|needs) ")
_WHICH_OF = re.compile(  # "of the courses in spring, which has the ..."
    r" , (?:and )?(?:which|what)(?: one)? (?:is|has|was|gets|takes|needs|meets|asks|demands|requires|gives) "
)
_WHO = re.compile(r"^(?:and |so |hi |hello |hey |, )*who(?: is| will| has| else)? (?:teach|teaches|teaching|taught)\b")


class Catalogued:
    """The grammar for a table of things with a description and related tables joined by foreign keys."""

    def __init__(self, main: Table, catalogue: Catalogue, memory: ValueMemory, tagger: Tagger) -> None:
        self.table, self._tagger = main, tagger
        self.profile = found = profile(catalogue, main)
        self.tables = [
            main,
            *(t for t in catalogue if any(k.table == t.name and k.target == main.name for k in catalogue.foreign_keys)),
        ]
        self.enums = [
            enum_finder(table, column, memory.of(table.name, column.name), guarded="requirement" in column.name)
            for table, column in self._columns(Kind.ENUM)
        ]
        self.any_values = [
            AnyValueFinder(table, column) for table, column in self._columns(Kind.ENUM) if "requirement" in column.name
        ]
        self.spelled = SpelledFinder(main)
        self.flags = [FlagFinder(table, column) for table, column in self._columns(Kind.BOOLEAN)]
        codes = next((c.name for c in main.columns if c.many and c.kind is Kind.TEXT and "code" in c.synonyms), "")
        needs = next((c.name for c in main.columns if "prerequisites" in c.synonyms), "")
        departments = frozenset(code.split()[0] for code in memory.of(main.name, codes))
        self.codes = CodeFinder(main.name, codes, needs, departments) if codes else None
        self.needs = needs
        short = subjects(main)
        self.prior = PriorCourses(main.name, needs, memory.entities(main.name), short) if needs else None
        times = [(t, c.name) for t, c in self._columns(Kind.TIME)]
        self.times = TimesFinder(times[0][0].name, times[0][1], times[1][1]) if len(times) > 1 else None
        self.years = next((YearFinder(table) for table in self.tables if YearFinder.fits(table)), None)
        self.seats = next((SeatsFinder(table) for table in self.tables if SeatsFinder.fits(table)), None)
        self.rooms = next(
            (
                RoomFinder(table.name, column.name, values)
                for table, column in self._columns(Kind.TEXT)
                if RoomFinder.fits(values := memory.of(table.name, column.name))
            ),
            None,
        )
        self.numbers = [NumberFinder(measure) for measure in self._measures()]
        self.people = self._people(memory)
        common = frozenset(w for title in memory.of(main.name, main.title) for w in fold(title).split())
        self.titles = Titles(main.name, main.title, memory.of(main.name, main.title), short)
        self.aspects = AspectFinder(*found.opinions, main.name, found.noun) if found.opinions else None
        columns = self._column_words()
        self.intents = IntentFinder(found, columns)
        self.levels = LevelFinder(found, codes, memory.of(main.name, codes), needs) if codes else None
        titles = memory.of(main.name, main.title)
        attributes = frozenset(columns) | {word for table in self.tables[1:] for word in table.synonyms}
        areas = areas_of(self._columns(Kind.ENUM), memory, main.name)
        self.topics = TopicFinder(found, codes, memory.of(main.name, codes), titles, attributes, areas)
        self.wishes = Wishes(*found.opinions, found.noun, self.topics) if found.opinions else None
        self.details = Details(found, self.tables, needs, self.intents, self.aspects)
        self.speller = Speller([*common, *self.topics.words(), *self._words(memory)])

    # -- building ----------------------------------------------------------------------------------------------------

    def _columns(self, kind: Kind) -> list[tuple[Table, Column]]:
        """The columns of a kind; one that a second table repeats (the quarter that was rated) counts once."""
        seen: set[str] = set()
        found: list[tuple[Table, Column]] = []
        for table in self.tables:
            for column in table.columns:
                if column.kind is kind and not column.hidden and column.name not in seen:
                    seen.add(column.name)
                    found.append((table, column))
        return found

    def _measures(self) -> list[Measure]:
        measures: list[Measure] = []
        if self.profile.popularity:
            units = r"(?:student )?(?:ratings|reviews|evaluations|responses|raters)"
            measures.append(Measure(*self.profile.popularity, units=units, heads=r"number of (?:ratings|reviews)"))
        names = {column.name for column in self.table.columns}
        if {"min_units", "max_units"} <= names:
            unit = r"(?:-? ?units?|-? ?credits?|credit hours?)(?: (?:course|class|ones))?"
            measures.append(
                Measure(
                    self.table.name,
                    "max_units",
                    unit,
                    r"units?|credits?",
                    "=",
                    pair=("min_units", "max_units"),
                    ceiling=20,
                )
            )
        for table, column in self._columns(Kind.NUMBER):
            if column.unit.startswith("hours"):
                unit = r"(?:hours?|hrs?|h)(?: (?:a|per|each|every|or) week| weekly| of work| of homework| per week)*"
                measures.append(Measure(table.name, column.name, unit, r"workload|hours(?: a week)?", "<="))
            elif column.unit == "students":
                measures.append(
                    Measure(
                        table.name,
                        column.name,
                        r"(?:students|people|participants)(?: (?:are )?(?:enrolled|signed up|registered|in it))*",
                        r"enrol+ment|enrolled",
                        "<=",
                    )
                )
            elif column.unit == "seats":
                measures.append(
                    Measure(table.name, column.name, r"(?:seats|spots|places)", r"capacity|class size", ">=")
                )
        if self.profile.rating:
            measures.append(
                Measure(
                    *self.profile.rating,
                    units=r"(?:-? ?stars?|out of 5|rating|rated|average rating|points?)(?: rating)?",
                    heads=r"(?:(?:average|overall|student) )?(?:ratings?|rated|stars?|score[ds]?)|an average",
                    scale=5,
                    ceiling=5,
                )
            )
        return measures

    def _people(self, memory: ValueMemory) -> People | None:
        for table, column in self._columns(Kind.TEXT):
            if column.many and "professor" in column.synonyms:
                return People(table.name, column.name, memory.of(table.name, column.name))
        return None

    def _column_words(self) -> dict[str, tuple[str, Column]]:
        words: dict[str, tuple[str, Column]] = {}
        for table in self.tables:
            for column in table.columns:
                if column.hidden or column.kind is Kind.FREE_TEXT or column.name.endswith("_id"):
                    continue
                for said in (column.name.replace("_", " "), *column.synonyms):
                    if len(said) > 3 and said not in (
                        "best",
                        "top",
                        "code",
                        "number",
                        "called",
                        "named",
                        "name",
                        "available",
                        "offered",
                        "year",
                        "since",
                        "students",
                        "full",
                        "places",
                        "limit",
                    ):
                        words.setdefault(fold(said), (table.name, column))
        return words

    def _words(self, memory: ValueMemory) -> list[str]:
        words = [
            "professor",
            "prerequisites",
            "quarter",
            "requirement",
            "implementation",
            "significant",
            "lectures",
            "homework",
            "graded",
        ]
        words += [w for enum in self.enums for w in enum.words()] + [w for flag in self.flags for w in flag.words()]
        words += self.aspects.words() if self.aspects else []
        words += [w for t, c in self._columns(Kind.TEXT) if c.many for w in memory.of(t.name, c.name)]
        return words

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame:
        """The frame of a question. Entities in `among` are asked about rather than searched for."""
        question = self.speller.spelt(question)
        board = Board(read(question, self.speller))
        marks = self._tagger.marks(question)
        ignore_stated(board)
        self.spelled(board)
        if self.levels:
            self.levels(board)
        if self.codes:
            self.codes(board)
            if self.prior:
                self.prior(board)
            only_taken(board, self.table.name, self.needs, self.codes.column)
        self.intents.groups.foremost(board)
        if self.people:
            self.people(board)
        self.titles(board)
        if marks.marks:
            leave_out_told(board, marks, NAMED)
        others_than(board, self._code_slot(), f"{self.table.name}.{self.table.title}", self.profile.subject)
        feelings = find_feelings(board)
        for match in board.find(_NONE_NEEDED):
            node = Condition(table=self.table.name, column=self.needs, op="empty", words=board.words(*match.span()))
            board.add(
                Mention(*match.span(), "node", f"{self.table.name}.{self.needs}", node, fixed=True, label="empty")
            )
        named = bool(among) or any(m.label in ("name", "title") for m in board.mentions)
        one = bool(among) or any(m.label == "title" or m.slot == self._code_slot() for m in board.mentions)
        if not one:
            self.intents.groups(board)
        counted = aggregate_of(board, self.table.name) is not None
        plural = re.search(r"\b(?:courses|classes)\b", board.norm) is not None
        of_several = plural or _DOES_TEACH.match(board.norm) is not None or _FIRST_OF.search(board.norm) is not None
        searching = not one and of_several and not OPINION.search(board.norm)
        asking = named and not counted and not searching and bool(_ASKS.search(board.norm))
        if asking:
            for mention in board.mentions:  # "why do people hate CS 1" asks about it
                mention.fixed = mention.fixed or mention.label in ("name", "title")
            self.details.columns(board)
        elif _WHO.match(board.norm):
            self.details.teachers(board)
        if self.years:
            self.years(board)
        if self.seats and not asking:
            self.seats(board)
        for number in self.numbers:
            number(board)
        if self.rooms and not asking:
            self.rooms(board)
        if self.times:
            self.times(board)
        for flag in self.flags:
            flag(board)
        for enum in self.enums:
            enum(board)
        unavailable(board)
        for any_value in self.any_values:
            any_value(board)
        self.intents(board, groups=not asking)
        if not asking:
            told = asked(board, marks)
            self.details.columns(board, told)
            self.intents.asked(board, named=False, told=told)
        if self.aspects:
            self.aspects(board)
        if not asking:
            self.topics(board)
            if self.levels:
                self.levels.introductions(board)
            if self.profile.rating:
                in_reviews(board, self.profile.rating)
        if self.profile.opinions and not asking:
            mark_feelings(board, feelings, *self.profile.opinions, self.profile.noun)
        drop_tolerated(board)
        leftover: list[str] = []
        if self.wishes and not asking:
            leave_out_told(board, marks)
            leftover = self.wishes(board, marks)
        drop_tolerated(board)
        if not asking:
            self.topics.retarget(board)
        nodes = only_days(board, assemble(board, self.aspects.opposite if self.aspects else lambda _: ""))
        nodes = self._any_code(self.years.settle(nodes) if self.years else nodes)
        if self.aspects and self.profile.opinions and self.profile.subject and not asking:
            nodes = tuple(in_either(n, self.profile.opinions, self.profile.subject, self.aspects.stated) for n in nodes)
        if not (nodes or among or asking):
            nodes = self.topics.own(board)
        return self._frame(question, board, nodes, among, asking=asking, leftover=tuple(leftover))

    def _frame(
        self,
        question: str,
        board: Board,
        nodes: tuple[Node, ...],
        among: tuple[str, ...],
        *,
        asking: bool,
        leftover: tuple[str, ...],
    ) -> Frame:
        projections = list(dict.fromkeys(m.projection for m in board.mentions if m.projection is not None))
        presentation: Literal["list", "detail", "aggregate", "comparison"] = "list"
        if asking:
            nodes, more = self.details.about(board, nodes, question, settled=bool(projections), known=bool(among))
            projections += [item for item in more if item not in projections]
            nodes, projections = side_by_side(board, nodes, projections, self.tables)
            names = sum(
                len(n.values)
                for n in nodes
                if isinstance(n, Condition) and n.column in (self.table.title, self._code_column())
            )
            presentation = "comparison" if names > 1 or len(among) > 1 else "detail" if projections else "list"
        aggregate, nodes = share_of(board, aggregate_of(board, self.table.name), nodes)
        each = each_of(board)
        order = tuple(dict.fromkeys(m.order for m in board.mentions if m.order is not None))
        order = order if aggregate is None else ()
        offset = skipped(board) if order else 0
        numbers = [m.number for m in board.mentions if m.kind == "limit" and (offset or not m.label)]
        limit: int | None = LIMIT
        if numbers:
            limit = None if 0 in numbers else min(numbers)
        elif (
            order
            and re.search(r"\b(course|class|one)\b", board.norm)
            and not re.search(r"\b(courses|classes|ones)\b", board.norm)
        ) or (order and (_WHICH_OF.search(board.norm) or _WHICH_HAS.match(board.norm))):
            limit = 1
            presentation = "detail" if projections else presentation
        if aggregate is not None and aggregate.best_first:
            limit = limit if numbers else 1
        elif asking or each or aggregate is not None:
            limit = None
        beside = [*(name for p in projections for name in p.tables), *(o.table for o in order)]
        if self.people:
            read = [*(leaf.table for node in nodes for leaf in leaves(node)), *beside]
            nodes = of_whom(read, nodes, (self.people.table, self.people.column), self.tables)
        tables = [self.table.name, *(leaf.table for node in nodes for leaf in leaves(node)), *beside]
        return Frame(
            tables=tuple(dict.fromkeys(tables)),
            where=nodes,
            among=among,
            order=order,
            limit=limit,
            limit_said=bool(numbers),
            offset=offset,
            each=each,
            aggregate=aggregate,
            projections=tuple(projections) if aggregate is None else (),
            presentation="aggregate" if aggregate else presentation,
            words=question,
            leftover=leftover,
            uses=board.uses(),
        )

    def _any_code(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """Nobody looks for a course that goes by two codes: those named apart from each other are alternatives."""
        named = [n for n in nodes if isinstance(n, Condition) and n.column == self._code_column() and not n.negated]
        if len(named) < 2:
            return nodes
        values = tuple(dict.fromkeys(value for node in named for value in node.values))
        merged = named[0].model_copy(update={"values": values})
        return tuple(merged if node is named[0] else node for node in nodes if node is named[0] or node not in named)

    def _code_slot(self) -> str:
        return f"{self.table.name}.{self._code_column()}"

    def _code_column(self) -> str:
        return self.codes.column if self.codes else ""
