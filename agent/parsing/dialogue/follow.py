"""A message against the talk so far: a new question, a refinement, or something about the rows that were shown.

Works on frames: `frame` is what the message says by itself (`agent.parsing`), the past is what was asked and shown.
The outcome is again a frame, so that every turn's query is written in one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.catalogue.tables import Catalogue
from agent.parsing.dialogue import cues, pointing
from agent.parsing.dialogue.comparing import beside_named, more_than_named
from agent.parsing.dialogue.condition_kinds import Meaning, column_called, column_told, put
from agent.parsing.dialogue.excluding import adding, taken_away
from agent.parsing.dialogue.history import Past, before_nothing, frame_of
from agent.parsing.dialogue.implied_reference import Implied
from agent.parsing.dialogue.listed_rows import at_place, of_counted
from agent.parsing.dialogue.references import Reference, referred, without_references
from agent.parsing.frame import (
    Asked,
    Condition,
    Frame,
    Order,
    Projection,
    columns,
    drop,
    leaves,
    merge,
    without,
)
from agent.parsing.semantics import english

NAME_ONLY = 4  # words: a message that is not much more than a name
LISTED = 3  # rows of a list where nobody says how many

Read = Callable[..., Frame]


class Follower:
    """One message after others. `read(words, known)` says what words mean by themselves, or of known entities."""

    def __init__(self, message: str, read: Read, past: Past, catalogue: Catalogue) -> None:
        self.message = message
        self.read = read
        self.said = cues.without_talk(without_references(message, past.shown, past.queries)).lstrip(" ,:;-")
        self.new = read(self.said)
        self.past = past
        self.catalogue = catalogue
        self.meaning = Meaning(catalogue)
        placed = any(self.meaning.is_place(node) for node in self.new.where)
        searched = (past.searched_freely if placed else None) or past.searched  # a place leaves the rows chosen before
        self.base = frame_of(searched, catalogue) if searched else self.new
        if not cues.dropped(message):
            self.base = before_nothing(self.base, self.new, past, catalogue)
        self.reference = referred(message, past.shown, past.queries)
        if self.reference is not None and self.reference.chooses:
            self.new = read(cues.as_search(self.said, self._noun()))

    def _noun(self) -> str:
        table = self.catalogue.table(self.base.table)
        return table.noun[1] if table else ""

    def frame(self) -> Frame:
        """The first reading that fits, from the most to the least telling cue."""
        readings: tuple[Callable[[], Frame | None], ...] = (
            self._why,
            self._at_place,
            self._columns,
            self._of_counted,
            self._beside_another_name,
            self._about_another_name,
            self._other_end,
            self._more_than_named,
            self._another,
            self._drop,
            self._comparative,
            self._looks_anew,
            self._about_rows,
            self._implied_rows,
            self._new,
        )
        found = next((frame for reading in readings if (frame := reading()) is not None), None) or self._refine()
        return found.model_copy(update={"uses": tuple(dict.fromkeys((*found.uses, *self.new.uses)))})

    # -- readings ----------------------------------------------------------------------------------------------------

    def _why(self) -> Frame | None:
        """ "Why that one?": what the search asked, of the row chosen, with the sentences that decided."""
        shown = self.past.shown
        if shown is None or not cues.asks_why(self.message):
            return None
        keys = self.reference.keys if self.reference else shown.keys[:1]
        reasons = [leaf for node in self.base.where for leaf in leaves(node)]
        asked = [
            Projection(table=leaf.table, column=leaf.columns[-1], question=leaf.question)
            if isinstance(leaf, Asked)
            else Projection(table=leaf.table, column=leaf.column)
            for leaf in reasons
            if isinstance(leaf, Asked) or not self.meaning.names(Frame(tables=self.base.tables, where=(leaf,)))
        ]
        asked += [Projection(table=term.table, column=term.column) for term in self.base.order]
        if not any(item.question for item in asked):
            asked += self.meaning.opinion(shown.table)
        tables = tuple(dict.fromkeys((shown.table, *(item.table for item in asked))))
        return Frame(
            tables=tables,
            among=keys,
            projections=tuple(dict.fromkeys(asked)),
            presentation="detail",
            words=self.message,
        )

    def _at_place(self) -> Frame | None:
        return at_place(self.message, self.new, self.read, self.past, self.meaning)

    @staticmethod
    def _conditions(frame: Frame) -> list[Condition]:
        return [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]

    def _columns(self) -> Frame | None:
        """ "address + phone?": nothing but names of columns, asked of the rows shown last."""
        shown = self.past.shown
        table = self.catalogue.table(shown.table) if shown else None
        pieces = [piece.strip() for piece in re.split(r"[,;+&/?!.]|\band\b", self.said.lower()) if piece.strip()]
        if shown is None or table is None or not pieces or any(self.meaning.is_place(node) for node in self.new.where):
            return None
        named = [column_called(piece, table) for piece in pieces]
        if cues.asks_openly(self.message) and not (self.new.where or self.new.projections or self.new.order):
            named = [column_told(self.message, table)]
        if any(column is None for column in named):
            return None
        keys = self.reference.keys if self.reference else shown.keys
        projections = tuple(Projection(table=table.name, column=column.name) for column in named if column)
        title = (Projection(table=table.name, column=table.title),)
        return Frame(
            tables=(table.name,), among=keys, projections=title + projections, presentation="detail", words=self.message
        )

    def _of_counted(self) -> Frame | None:
        return of_counted(self.message, self.said, self.read, self.new, self.base, self.past, self.meaning)

    def _beside_another_name(self) -> Frame | None:
        """Rows that were shown, and one that the message names."""
        return beside_named(self.message, self.read, self.new, self.base, self.reference, self.meaning, self._detail)

    def _about_another_name(self) -> Frame | None:
        """ "And CS 166?" after a question about CS 161: the same question of another entity."""
        said, *further = re.split(r"(?<=\?)\s+", self.said)  # "and Copper Crane? His friends like it"
        goes_on = cues.connects(self.message) or said.endswith("?")
        short = goes_on and len(said.split()) <= NAME_ONLY and not cues.asks(said.rstrip("? "))
        new = self.read(said) if short and further and "?" not in further[-1] else self.new
        last = frame_of(self.past.queries[-1], self.catalogue)
        told = last.projections or (self._wished(last) if goes_on else ())
        if last.projections and (named := self._called()) is not None:
            return named.model_copy(update={"projections": told, "presentation": "detail"})
        if not self.meaning.names(new):
            return None
        if new.projections and not short:
            return new if self._names_another() else None
        if short and told:
            return new.model_copy(update={"projections": told, "presentation": "detail"})
        return new

    def _wished(self, last: Frame) -> tuple[Projection, ...]:
        """What a search asked of the texts of its rows, as it is asked of one that is named after it."""
        asked = [leaf for node in last.where for leaf in leaves(node) if isinstance(leaf, Asked)]
        if last.table != self.new.table:
            return ()
        return tuple(map(put, asked))

    def _called(self) -> Frame | None:
        """ "What about haskell then?": the one row whose name has these words, where they say nothing else."""
        table = self.catalogue.table(self.base.table)
        about = cues.only_about(self.message)
        if table is None or not about or not all(map(self.meaning.says_what, self.new.where)):
            return None
        named = self.read(f"is the {about} {table.noun[0]}")
        return named if self.meaning.names(named) and len(named.where) == 1 else None

    def _names_another(self) -> bool:
        """Whether what a message names was not shown: nothing points, or only back to the name: "does the law one have
        <its> lectures recorded"."""
        if self.reference is None:
            return True
        if cues.compares(self.message):
            return False
        said = [node.words for node in self.new.where if isinstance(node, Condition) and node.words]
        named = [at for words in said if (at := self.message.lower().find(words.lower())) >= 0]
        return bool(named) and cues.points_back(self.message, min(named))

    def _more_than_named(self) -> Frame | None:
        return more_than_named(self.message, self.read, self.base, self.past, self.meaning)

    def _other_end(self) -> Frame | None:
        """ "And the smallest?" after the largest: the same search in another order."""
        table = self.catalogue.table(self.base.table)
        most = cues.only_most(self.message)
        if table is None or not most or not self.base.order or self.base.aggregate is not None:
            return None
        order = self._turned(most) or self.read(f"the {most} {table.noun[0]}").order
        return self.base.model_copy(update={"order": order, "limit": 1}) if order else None

    def _turned(self, most: str) -> tuple[Order, ...]:
        """The order of the search so far, from its other end where "the fewest" or "the most" is of that."""
        if len(self.base.order) != 1 or most not in (*cues.LOW, *cues.HIGH):
            return ()
        if self.base.order[0].column.startswith(("min_", "max_")):  # the ends of a range are columns of their own
            return ()
        return (self.base.order[0].model_copy(update={"descending": most in cues.HIGH}),)

    def _another(self) -> Frame | None:
        placed = any(self.meaning.is_place(node) for node in self.new.where)
        moved = cues.elsewhere(self.message, after_nothing=self.past.emptied is not None) and not placed
        aside = cues.sets_aside(self.message)
        if not (cues.wants_another(self.message) or moved or aside):
            return None
        if aside:
            self.new = self.base
        self.reference = None  # "none of these" points to what is not wanted
        if self.base.among and (free := self.past.searched_freely) is not None:
            self.base = frame_of(free, self.catalogue)
        if moved:
            self.base = without(self.base, self.meaning.is_place)
        frame = self._comparative() or merge(self.base, adding(self.message, self.new, self.base, self.meaning))
        shown = tuple(key for query in self.past.queries if query.table == frame.table for key in query.keys)
        count = cues.how_many_more(self.message)
        limit = {"limit": count, "limit_said": True} if count else {"limit": self.base.limit or LISTED}
        exclude = tuple(dict.fromkeys((*self.base.exclude, *shown)))
        among = () if set(self.base.among) <= set(exclude) else self.base.among
        return frame.model_copy(update={"exclude": exclude, "among": among, "presentation": "list", **limit})

    def _drop(self) -> Frame | None:
        return taken_away(self.message, self.read, self.base, self.past, self.meaning)

    def _comparative(self) -> Frame | None:
        """ "cheaper": less than what was shown."""
        wish = cues.comparative(self.message)
        shown = self.past.shown
        table = self.catalogue.table(self.base.table)
        if wish is None or shown is None or table is None:
            return None
        found = self.meaning.home(wish.column, self.base.tables)
        if found is None:
            return None
        home, column = found
        choices = self.reference.keys if self.reference else shown.keys
        among = choices if len(choices) > 1 else shown.keys
        tables = tuple(dict.fromkeys((shown.table, home)))
        picks = cues.picks(self.message) or (cues.chooses(self.message) and len(among) > 1 and not self.new.where)
        if self.reference is not None and self.reference.chooses and not picks:
            return None
        if picks:  # "the one with fewer hours", "which has more reviews?"
            order = Order(table=home, column=column, descending=not wish.less)
            return Frame(tables=tables, among=among, order=(order,), limit=1, words=self.message)
        if self.reference is not None and len(choices) > 1 and cues.asks(self.message):
            told = (Projection(table=home, column=column),)  # "is the first cheaper than the second?"
            return Frame(tables=tables, among=choices, projections=told, presentation="comparison")
        named = self.reference.keys if self.reference else ()
        values = self.past.values(column, named or shown.keys)
        rest = without(self.new, lambda node: any(name.endswith(f".{column}") for name in columns(node)))
        frame = merge(drop(self.base, column), rest.model_copy(update={"order": (), "limit_said": False}))
        if not values:
            order = Order(table=home, column=column, descending=not wish.less)
            return frame.model_copy(update={"order": (order,)})
        bound = self.meaning.bound(values, home, column, wish.less, self.message)
        return frame.model_copy(update={"where": (*frame.where, bound)})

    def _about_rows(self) -> Frame | None:
        """Something about rows that the message points to."""
        reference = self.reference
        if reference is None or self._is_own_search():
            return None
        if (figure := self.new.aggregate) is not None and figure.column and len(reference.keys) > 1:
            return self.new.model_copy(update={"tables": self._tables(reference), "among": reference.keys})
        first = self.new.order and len(reference.keys) > 1  # "which is the cheapest, and what's its number?"
        tells = not first and (self.new.projections or not (self.new.where or self.new.order))
        if tells or not re.search(r"\w{2,}", self.said) or cues.compares(self.message):
            return self._detail(reference)
        if (chosen := self._chosen(reference)) is not None:
            return chosen
        if self.new.order and not reference.chooses and len(reference.keys) < 2:
            return None
        asked = [leaf for node in self.new.where for leaf in leaves(node)]
        single = len(reference.keys) == 1 or cues.asks(self.message)
        if not reference.chooses and single and asked and not self.new.order:
            return self._detail(reference)
        frame = self.new.model_copy(update={"tables": self._tables(reference), "among": reference.keys})
        if any(term.at is not None for term in frame.order):  # "which is closest to the park": of all of them
            frame = without(frame, self.meaning.is_place)
        if self.new.order and not self.new.limit_said:
            frame = frame.model_copy(update={"limit": 1})
        return frame

    def _chosen(self, reference: Reference) -> Frame | None:
        """ "The 4 unit one, what days is it": the rows shown for which a condition holds, and what is asked of them."""
        shown = self.past.shown
        if shown is None or not cues.picks(self.message) or not self._conditions(self.new) or reference.chooses:
            return None
        where = tuple(node for node in self.new.where if any(isinstance(leaf, Condition) for leaf in leaves(node)))
        asked = self.read(self.said, shown.keys).projections
        return self.new.model_copy(
            update={
                "tables": self._tables(reference),
                "where": where,
                "among": shown.keys,
                "projections": asked,
                "aggregate": None if asked else self.new.aggregate,
                "presentation": "detail" if asked else "list",
            }
        )

    def _implied_rows(self) -> Frame | None:
        """ "phone number?", "is there parking?": about what was just shown, without saying so."""
        shown = self.past.shown
        if shown is None or self._is_own_search():
            return None
        if self._of_compared():
            return self.new.model_copy(update={"among": self.past.queries[-1].keys, "limit": 1})
        known = self.read(self.said, shown.keys)
        if Implied(self.message, self.said, self.new, known, self.past, self.meaning).holds():
            return self._detail(Reference(shown.keys, shown.table))
        return None

    def _of_compared(self) -> bool:
        """ "Which is the least work", right after a comparison."""
        last = self.past.last
        compared = last is not None and last.presentation == "comparison" and bool(last.keys)
        return compared and bool(self.new.order) and not self.new.where and not self.new.limit_said

    def _looks_anew(self) -> Frame | None:
        """ "Is there something where you build websites?", after one was shown or told of."""
        fresh = pointing.looks(self.message) and not pointing.points_out(self.message)
        return self.new if fresh and self.new.where and self.new.presentation == "list" else None

    def _new(self) -> Frame | None:
        """A search of its own; only the place is carried over, where it names none."""
        if not (self._is_own_search() or self._starts_after_nothing()):
            return None
        if self.new.table != self.base.table or self.new.among or self.meaning.names(self.new):
            return self.new
        places = [node for node in self.base.where if self.meaning.is_place(node)]
        if any(self.meaning.is_place(node) for node in self.new.where) or not places:
            return self.new
        return self.new.model_copy(update={"where": (*self.new.where, *places)})

    def _starts_after_nothing(self) -> bool:
        """What kind of thing is wanted, said after a search that found none, begins another."""
        says_what = any(self.meaning.says_what(node) for node in self.new.where)
        return self.past.emptied is not None and says_what and not cues.connects(self.message)

    def _refine(self) -> Frame:
        """The search so far with what the message adds or changes."""
        base = self._replaced(self.base)
        listed = cues.lists(self.message) or cues.wants(self.message) or self.new.order
        if base.aggregate and not self.new.aggregate and not listed:
            return merge(base, self.new).model_copy(
                update={"aggregate": base.aggregate, "presentation": base.presentation}
            )
        frame = merge(base, adding(self.message, self.new, base, self.meaning))
        presentation = (
            "list" if frame.presentation in ("detail", "comparison") and not frame.projections else frame.presentation
        )
        first = {"limit": self.new.limit or 1} if base.aggregate and frame.order else {}  # "the longest of those"
        return frame.model_copy(update={"presentation": presentation, **first})

    def _replaced(self, base: Frame) -> Frame:
        """The search without its kind of thing, where the message names another in its place."""
        named = [node for node in self.new.where if self.meaning.says_what(node)]
        instead = (
            cues.replaces(self.message)
            or cues.only_about(self.message)
            or (self.past.emptied and not cues.widens(self.message))
        )
        if not named or not instead:
            return base
        return without(base, self.meaning.says_what)

    # -- pieces ------------------------------------------------------------------------------------------------------

    def _detail(self, reference: Reference) -> Frame:
        """What the message asks, of the rows it points to."""
        says = re.search(r"\w{2,}", self.said) is not None
        projections = list(self.read(self.said, reference.keys).projections) if says else []
        comparing = cues.compares(self.message)
        if comparing and not english.content(re.findall(r"[a-z]+", self.said.lower())):
            projections = []  # "how do they compare": in everything there is to tell
        if not (projections or comparing) and self.past.last and self.past.last.presentation == "detail":
            projections = list(frame_of(self.past.last, self.catalogue).projections)
        if comparing and not projections:
            projections = self.meaning.telling(reference.table)
        beside = {item.table for item in projections} - {reference.table}  # "who teaches it <in winter>"
        return Frame(
            tables=self._tables(reference),
            where=tuple(node for node in self.new.where if isinstance(node, Condition) and node.table in beside),
            among=tuple(dict.fromkeys(reference.keys)),
            projections=tuple(dict.fromkeys(projections)),
            presentation="comparison" if comparing else "detail",
            words=self.message,
        )

    def _tables(self, reference: Reference) -> tuple[str, ...]:
        others = [leaf.table for node in self.new.where for leaf in leaves(node)]
        others += [item.table for item in self.new.projections] + [term.table for term in self.new.order]
        return tuple(dict.fromkeys((reference.table, *others)))

    def _is_own_search(self) -> bool:
        """Says what kind of thing is wanted, in the words of a search or with a place, hanging on nothing before it."""
        kinds = [node for node in self.new.where if self.meaning.says_what(node)]
        placed = any(self.meaning.is_place(node) for node in self.new.where)
        if self.reference is not None and not self.meaning.names(self.new):
            return False
        if pointing.which_ones(self.message):
            return False
        last = self.past.last
        told = last is not None and last.presentation == "detail" and bool(kinds) and placed
        if (cues.connects(self.message) and not told) or cues.repeats(self.message):
            return False  # "how about dessert places in Palo Alto", after what was told of one place, is a search
        if cues.of_all_there_is(self.message) or pointing.of_all(self.message):
            return bool(self.new.where or self.new.order or self.new.aggregate)
        if cues.names_kind(self.message) and len(self.new.where) > 1:
            return True
        if placed and self.meaning.says_noun(self.message, self.base.table):
            return True  # "restaurants in San Francisco with a view", after ramen in Palo Alto
        return bool(kinds) and (cues.searches(self.message) or placed or len(self.new.where) > 2)
