"""Questions about things that people look for by their properties: restaurants, and tables of the same kind."""

from __future__ import annotations

import re
from typing import Literal

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue, Column, Table
from agent.catalogue.values import ValueMemory
from agent.networks.tagger import Tagger
from agent.parsing.frame import Asked, Condition, Frame, Node, Projection, columns, leaves
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.asking import OPINION
from agent.parsing.semantics.aspects import AspectFinder
from agent.parsing.semantics.assembly import assemble
from agent.parsing.semantics.attributes import AttributeFinder, sum_of_part
from agent.parsing.semantics.branches import one_place, one_step
from agent.parsing.semantics.diets import Diets, meals_as_times
from agent.parsing.semantics.grouping import aggregate_of, each_of, share_of
from agent.parsing.semantics.guests import GuestFinder
from agent.parsing.semantics.hours import HoursFinder
from agent.parsing.semantics.indifference import drop_tolerated, ignore_stated, leave_out_retold
from agent.parsing.semantics.intents import IntentFinder
from agent.parsing.semantics.lexing import read
from agent.parsing.semantics.name_patterns import SpelledFinder
from agent.parsing.semantics.names import NameFinder
from agent.parsing.semantics.numbers import NumberFinder, measures, rows_of, wanted
from agent.parsing.semantics.places import PlaceFinder
from agent.parsing.semantics.praise import (
    asks_if_liked,
    asks_in_particular,
    asks_what_like,
    overview,
    praise_dishes,
    praise_places,
)
from agent.parsing.semantics.profile import profile
from agent.parsing.semantics.relative_to import Kindred, looks_for_others
from agent.parsing.semantics.second_question import beside_columns, comparison, question_with, set_beside, unread
from agent.parsing.semantics.spelling import Speller
from agent.parsing.semantics.tagger_marks import asked
from agent.parsing.semantics.unmarked import LIKELY, NAMED, leave_out_told, wished
from agent.parsing.semantics.vocabulary import FoodFinder, ScaleFinder
from agent.parsing.semantics.wishes import Wishes
from agent.parsing.semantics.wording import own_words
from agent.parsing.semantics.workspace import Board
from agent.text.letters import fold

_SAID = (  # words of the columns, for the speller
    *("restaurant", "restaurants", "reviews", "rating", "rated"),
    *("moderate", "expensive", "cheap", "inexpensive", "affordable"),
)
_SAID_OFTEN = frozenset({"best", "top", "open", "popular", "place", "food", "page", "near", "located"})
_OF_PART = re.compile(  # "is the service any good"
    r"(?:(?:so|and|hi|hello|hey|ok|,) )*(?:is|are|was|were) (?:the|their|its) "
    r"(?!places?\b|restaurants?\b|reviews?\b)[a-z]+ "
)
# "How is the coffee at X?", "tell me about the service there": a question that no yes or no answers.
_OPEN = re.compile(
    r"what (?:is|are) (?:\S+ ){1,6}?like for\b|"
    r"(?:(?:so|and|hi|hello|hey|ok|,) )*(?:how (?:is|are|was|were)|what (?:is|are|was|were)(?= .*\blike\b)|"
    r"how about|what about|(?:tell me|know|what do you know) (?:more )?about) (?:the|their|its|your) "
    r"(?!(?:reviews?|opinions?|consensus|verdict|restaurant|place|word|deal)\b)[a-z]+"
)
_SUM = re.compile(  # what a yes or no does not tell: "what is the corkage fee", "what the corkage is"
    r"\b(?:what (?:is|are|does) (?:the |their |its |a |an )?(?:\w+ )?"
    r"(?:fees?|charges?|surcharge|minimum|deposit|discount|fine|gratuity)|"
    r"what (?:the |their |its )?(?:\w+ )?(?:fees?|charges?|surcharge|minimum|deposit|discount|fine|gratuity)"
    r"(?: \w+)? (?:is|are)|how much (?:is|are|do|does|for) (?:\w+ ){0,3}\w+)\b"
)
_HOW_BAD = re.compile(r"\bhow (?:bad|terrible|awful|crazy|insane) (?:is|are|does|do)\b")  # asks whether it is at all
_ABOUT_TIME = re.compile(
    r"\b(?:open|opens|close|closes|closed|serv\w+|hours|when|time|have|has|offer|offers|do(?:es)? \S+(?: \S+)? do)\b"
)


class Things:
    """The grammar for a table with a location, prices, ratings and opinions, as far as it has them."""

    def __init__(
        self, main: str, catalogue: Catalogue, memory: ValueMemory, gazetteer: Gazetteer, tagger: Tagger
    ) -> None:
        table = catalogue.table(main)
        if table is None:
            raise KeyError(main)
        self.table, self._tagger = table, tagger
        self.profile = found = profile(table)
        noun = found.noun
        dishes = tuple(part[1] for part in (found.dishes, found.opinions) if part)
        self.food = FoodFinder(*found.kinds, memory.of(*found.kinds), dishes, noun) if found.kinds else None
        self.scale = ScaleFinder(*found.scale, _vocabulary(table, found.scale[1])) if found.scale else None
        self.hours = HoursFinder(*found.hours) if found.hours else None
        areas = [v for area in (table.geo.areas if table.geo else ()) for v in memory.of(main, area)]
        self.places = PlaceFinder(*found.location, gazetteer, areas, self._foods()) if found.location else None
        self.numbers = [NumberFinder(measure) for measure in measures(found.rating, found.popularity)]
        self.aspects = AspectFinder(*found.opinions, table.name, noun, self._foods()) if found.opinions else None
        self.guests = GuestFinder(*found.opinions) if found.opinions and found.kinds else None
        self.diets = Diets(found.kinds, found.opinions, noun) if found.kinds and found.opinions else None
        self.kindred = Kindred(found)
        self.spelled = SpelledFinder(table)
        self.wishes = Wishes(*found.opinions, noun) if found.opinions else None
        self.intents = IntentFinder(found, _column_words(table))
        self.attributes = AttributeFinder(found)
        place_words = {w for p in gazetteer.places() for name in (p.name, *p.aliases) for w in fold(name).split()}
        food_words = {w for phrase in (self.food.words() if self.food else ()) for w in phrase.split()}
        names = memory.of(main, table.title)
        self.names = NameFinder(main, table.title, names, frozenset(place_words | food_words | {noun, *table.noun}))
        self.speller = Speller(
            [*names, *areas, *place_words, *self._vocabulary_words(), *(p.name for p in gazetteer.places())]
        )

    def _foods(self) -> frozenset[str]:
        return frozenset(word for phrase in (self.food.words() if self.food else ()) for word in phrase.split())

    def _vocabulary_words(self) -> list[str]:
        words = [*_SAID, *load("words")["known"].split(), *english.superlatives()]
        words += self.food.words() if self.food else []
        words += self.hours.words() if self.hours else []
        words += self.aspects.words() if self.aspects else []
        return words

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, question: str, among: tuple[str, ...] = ()) -> Frame:
        """The frame of a question. Entities in `among` are asked about rather than searched for."""
        question = self.speller.spelt(question)
        board = Board(read(question, self.speller))
        marks = self._tagger.marks(question)
        ignore_stated(board)
        self.spelled(board)
        self.names(board, wished(marks, LIKELY))
        if marks.marks:
            leave_out_told(board, marks, NAMED)
        if self.places:
            self.places(board, wished(marks, LIKELY))
            self.places.nearest(board)
        self.names.unknown(board, wished(marks))
        if self.guests:
            self.guests(board)
        named = bool(among) or any(m.label == "name" for m in board.mentions)
        asking = named and _asks(board)
        if asking:
            part = sum_of_part(board)
            self.attributes(board)
            self.intents.opening(board)
            self.intents.dishes(board)
            self.intents.asked(board, named=True)
            if part is not None:
                board.drop("scale", *part)
        self.intents(board, groups=not asking)
        if self.scale:
            self.scale(board)
        for finder in self.numbers:
            finder(board)
        if not asking:
            told = asked(board, marks)
            self.attributes.told(board, told)
            self.intents.asked(board, named=False, told=told)
        if self.food:
            self.food.compounds(board)
        for step in (self.aspects, self.hours, self.food):
            if step is not None:
                step(board)
        kindred = () if asking or not named else self.kindred(board)
        leave_out_retold(board)
        if self.profile.opinions:
            praise_dishes(board, self.profile.opinions, self.profile.noun)
        if self.profile.rating and not named:
            praise_places(board, self.profile.rating)
        if self.profile.hours:
            meals_as_times(board, self.profile.hours)
        drop_tolerated(board)
        leftover: list[str] = []
        if self.wishes and not asking:
            leave_out_told(board, marks)
            leftover = self.wishes(board, marks)
        drop_tolerated(board)
        nodes = (*assemble(board, self.aspects.opposite if self.aspects else lambda _: ""), *kindred)
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
        projections = [m.projection for m in board.mentions if m.projection is not None]
        presentation: Literal["list", "detail", "aggregate", "comparison"] = "list"
        nearest = asking and _which_is_nearest(board, nodes, self.table.title)
        if nearest:
            nodes = tuple(node for node in nodes if not self._says_where(node))
        elif asking:
            nodes, more = self._about(board, nodes, question, known=bool(among))
            projections += [item for item in more if item not in projections]
            names = sum(len(n.values) for n in nodes if isinstance(n, Condition) and n.column == self.table.title)
            presentation = "comparison" if names > 1 or len(among) > 1 else "detail"
        elif any(m.label == "name" for m in board.mentions):
            nodes = self._others(nodes)
        if self.places and self.profile.location:
            nodes = one_place(nodes, self.profile.location[1], self.places.city)
        nodes = one_step(nodes, self.profile.scale[1]) if self.profile.scale else nodes
        nodes = self.diets(nodes) if self.diets else nodes
        aggregate, nodes = share_of(board, aggregate_of(board, self.table.name), nodes)
        each = each_of(board)
        order = tuple(dict.fromkeys(m.order for m in board.mentions if m.order is not None))
        limit, said, offset = wanted(board, ordered=bool(order))
        if nearest:
            limit = 1
        elif asking:
            limit = limit if said and (order or not projections) else None
        elif projections and order and rows_of(limit, aggregate, said=said) == 1:
            presentation = "detail"  # "the address of the best rated one" is told, like that of a named one
        return Frame(
            tables=(self.table.name,),
            where=nodes,
            among=among,
            order=order,
            limit=None if each else rows_of(limit, aggregate, said=said or bool(aggregate and aggregate.best_first)),
            each=each,
            limit_said=said,
            offset=offset,
            aggregate=aggregate,
            projections=tuple(projections) if aggregate is None else (),
            presentation="aggregate" if aggregate else presentation,
            words=question,
            leftover=leftover,
            uses=board.uses(),
        )

    def _about(
        self, board: Board, nodes: tuple[Node, ...], question: str, *, known: bool
    ) -> tuple[tuple[Node, ...], list[Projection]]:
        """What is asked about named things: conditions other than the name and the place become projections.

        A place tells things of one name apart; of a thing that is `known`, where it is is what is asked.
        """
        settled = {f"{self.table.name}.{self.table.title}"}
        if self.profile.location and not known:
            settled.add(".".join(self.profile.location))
        compared = set_beside(board, nodes, self.profile, settled)
        if compared is None and self.profile.opinions and (contrast := comparison(board, self.profile.noun)):
            compared = [
                Projection(table=self.profile.opinions[0], column=self.profile.opinions[1], question=contrast.question)
            ]
        if compared is not None:
            return tuple(node for node in nodes if columns(node) & settled), compared
        question = beside_columns(board, question)
        kept: list[Node] = []
        asked: list[Projection] = []
        more = self._says_more(board, nodes)
        for node in nodes:
            if columns(node) & settled:
                kept.append(node)
                continue
            if self._only_a_meal(board, node):  # "how much would dinner be?" does not ask when
                if self.profile.opinions and len(nodes) == 1 and not any(m.projection for m in board.mentions):
                    asked.append(self._in_own_words(board, question))
                continue
            for leaf in leaves(node):
                said = more or self._opinion(board, leaf)
                if self.profile.opinions and (said or self._in_doubt(board, leaf)):
                    asked.append(self._in_own_words(board, question_with(board, leaf) or question))
                elif isinstance(leaf, Asked):
                    column = leaf.columns[-1]
                    asked.append(Projection(table=leaf.table, column=column, question=leaf.question))
                else:
                    asked.append(Projection(table=leaf.table, column=leaf.column))
        if not asked and not any(m.projection for m in board.mentions) and self.profile.opinions:
            asked += self._whole(board, question)
        elif self.profile.opinions and self._in_own_words(board, question).question not in (
            one.question for one in asked
        ):
            asked += [self._in_own_words(board, words) for words in unread(board)]
        return tuple(kept), list(dict.fromkeys(asked))

    def _in_own_words(self, board: Board, words: str) -> Projection:
        """What people say, asked as the message asks it."""
        table, column = self.profile.opinions or ("", "")
        return Projection(table=table, column=column, question=own_words(board, self.profile.noun, words))

    def _says_where(self, node: Node) -> bool:
        return self.profile.location is not None and columns(node) == {".".join(self.profile.location)}

    def _only_a_meal(self, board: Board, node: Node) -> bool:
        """Whether a time is only the meal that something else is asked of."""
        if self.profile.hours is None or not isinstance(node, Condition) or node.column != self.profile.hours[1]:
            return False
        meal = re.fullmatch(r"open for \w+", str(node.values[0])) is not None
        return meal and _ABOUT_TIME.search(board.norm) is None

    @staticmethod
    def _says_more(board: Board, nodes: tuple[Node, ...]) -> bool:
        """Whether one thing is asked of which more is said than was understood: "is the <parking> bad at X"."""
        if _HOW_BAD.search(board.norm):
            return False
        asked = [leaf for node in nodes for leaf in leaves(node) if isinstance(leaf, Asked)]
        free = [m for m in re.finditer(r"[a-z']+|,", board.norm) if not board.taken(m.start())]
        joined = any(word.group() in ("and", "or", "but", ",") for word in free)
        return len(asked) == 1 and not joined and bool(english.content([word.group() for word in free]))

    def _opinion(self, board: Board, leaf: Condition | Asked) -> bool:
        """Whether it is asked what people say of something, how it is, or how much: no yes or no answers that."""
        openly = _OPEN.match(board.norm) is not None
        if isinstance(leaf, Asked):
            return openly or OPINION.search(board.norm) is not None or self._is_sum(board, leaf)
        timed = self.profile.hours is not None and leaf.column == self.profile.hours[1]
        if timed and OPINION.search(board.norm):  # "what do people say about it at night"
            return True
        openly = openly or _OF_PART.match(board.norm) is not None  # "is the ramen good"
        return openly and self.profile.kinds is not None and leaf.column == self.profile.kinds[1]

    @staticmethod
    def _is_sum(board: Board, leaf: Asked) -> bool:
        said = [m.start for m in board.mentions if m.node is not None and leaf in leaves(m.node)]
        return any(asked.start() <= start < asked.end() for asked in _SUM.finditer(board.norm) for start in said)

    def _in_doubt(self, board: Board, leaf: Condition | Asked) -> bool:
        """ "Do they have vegetarian dim sum?": a kind of food asked of a thing is a dish rather than what it is."""
        kinds = self.profile.kinds
        serving = re.search(
            r"\b(have|has|serve|serves|offer|offers|do|sell|sells|make|makes|get|any(?! good))\b", board.norm
        )
        if isinstance(leaf, Asked):  # "is the bread fresh" asks more than whether there is any
            return len(leaf.columns) > 1 and serving is None
        return kinds is not None and leaf.column == kinds[1] and serving is not None

    def _others(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """ "Somewhere like X" asks for other places than X."""
        return tuple(
            node.model_copy(update={"negated": True})
            if isinstance(node, Condition) and node.column == self.table.title
            else node
            for node in nodes
        )

    def _whole(self, board: Board, question: str) -> list[Projection]:
        """The user's own question with the name replaced by "this restaurant"; or all there is to tell."""
        openly = _OPEN.match(board.norm) or _OF_PART.match(board.norm) or asks_in_particular(board)
        asks = openly and not asks_what_like(board)
        return [self._in_own_words(board, question)] if asks else overview(board, self.profile)


_FOR_OTHERS = re.compile(
    r"\b(like|similar to|near|close to|next to|than|besides|other than|instead of|not|except)( the)? $"
)


def _asks(board: Board) -> bool:
    """Whether a message with a name asks about the thing, rather than for others like it."""
    if looks_for_others(board):
        return False
    if asks_if_liked(board):
        return True
    names = [m.start for m in board.mentions if m.label == "name"]
    return not (names and _FOR_OTHERS.search(board.before(min(names), 4)))


def _which_is_nearest(board: Board, nodes: tuple[Node, ...], title: str) -> bool:
    """Whether it is asked which of several named things is nearest to a place."""
    named = sum(len(n.values) for n in nodes if isinstance(n, Condition) and n.column == title and not n.negated)
    return named > 1 and any(m.order is not None and m.order.at is not None for m in board.mentions)


def _vocabulary(table: Table, column: str) -> tuple[str, ...]:
    found = table.column(column)
    return found.values if found else ()


def _column_words(table: Table) -> dict[str, tuple[str, Column]]:
    """Words for the columns people ask for."""
    words: dict[str, tuple[str, Column]] = {}
    for column in table.columns:
        if column.hidden:
            continue
        name = column.name.replace("_", " ")
        for said in (name, name.removesuffix("s"), *column.synonyms):
            if len(said) > 3 and said not in _SAID_OFTEN:
                words.setdefault(fold(said), (table.name, column))
    return words
