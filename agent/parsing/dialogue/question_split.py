"""Whether a message that is cut before a question asks twice, and how the second question hangs on the first."""

from __future__ import annotations

import re
from enum import Enum, auto

from agent.parsing.dialogue import cues, pointing
from agent.parsing.dialogue.comparing import opposite
from agent.parsing.dialogue.condition_kinds import Meaning
from agent.parsing.dialogue.follow import Read
from agent.parsing.dialogue.joint_searches import says_what
from agent.parsing.dialogue.phrases import compiled
from agent.parsing.frame import Condition, Frame, leaves
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics import english

_BARE = compiled(
    r"(?!{other_question})(?:is|are|do|does|can|will|would|could|should|did|has|have)\b"
    r"(?! (?:the|there|it|he|she|they|these|those|i|we|you|my|our|people|ppl|folks|students|guests|reviewers|"
    r"customers)\b)"
)  # asks with no subject of its own: "how many are open and <are cheap>"
_OPEN = re.compile(r"(?:what|how|why|who|when|where|which)\b", re.IGNORECASE)
_SAYS = compiled(
    r"do (?:people|ppl|folks|students|reviewers|guests|customers|they) "
    r"(?:\w+ )?(?:say|think|find|feel|mention|complain)\b"
)
_MORE = re.compile(r"[.?!]\s+\w")  # another sentence
KEYS = ("",)  # something that is known, whatever it is


class Hold(Enum):
    """How the second of two questions hangs on the first."""

    OF_SHOWN = auto()  # it does not: both are asked of the rows that were shown before
    AWAITS = auto()  # it can only be read when the first is answered
    GOES_ON = auto()  # it is asked of the same rows, under the same conditions
    OWN = auto()  # it says what it is about


class Cut:
    """A message cut in two before a question. `ended`: the sentence before it is over; `shown`: rows were shown before
    the message, of which it may ask; `aside`: the second comes to mind apart from the first ("oh and ...")."""

    def __init__(
        self, left: str, right: str, read: Read, meaning: Meaning, *, ended: bool, shown: bool, aside: bool = False
    ) -> None:
        self.left, self.right, self.read, self.meaning = left, right, read, meaning
        self.ended, self.shown, self.aside = ended, shown, aside
        self.first, self.second = read(left), read(right)
        if shown and not says(self.first):
            self.first = read(left, KEYS)
        if self.second.order and pointing.of_its_part(right):
            self.second = read(right, KEYS)  # "are the dosas any good" orders no places
        if self.first.order and not self.first.limit_said and pointing.of_one(right):
            self.first = self.first.model_copy(update={"limit": 1})  # "cheapest thai? and is it any good"
        self.of_named = meaning.names(self.first) and not (compares(self.first, meaning) or meaning.names(self.second))

    def hold(self) -> Hold | None:
        """How the second question hangs on the first; None where the two are one."""
        if self._has_no_subject():
            return None
        lists = cues.lists(self.right) and not (cues.asks(self.right) or cues.chooses(self.right))
        lists = lists and self.first.aggregate is None
        further = self._asks_further(lists=lists)
        if lists and not further:
            return None  # "do any take dogs? Show me the address."
        if self.second.order and pointing.of_all(self.right):
            return Hold.OWN
        if pointing.anywhere(self.right) and any(self.meaning.is_place(node) for node in self.second.where):
            return Hold.OWN
        if self.of_named and self.second.order and pointing.which_kind(self.right):
            return Hold.OWN
        if pointing.looks(self.right) and self.second.where and self.second.presentation == "list":
            return Hold.OWN
        if self.aside and self._says_where():
            return Hold.OWN  # "oh and what's the top rated place on Castro Street"
        self._read_of_known()
        if self._of_shown_apart():
            return Hold.OF_SHOWN
        if not (further or self._two_facts()) and self._facts_at_once():
            return None  # "the cheapest of those, and what's its number?"
        after = (self._both_of_shown, self._two_facts, self._asks_of_found, self._asks_of_picked, self._awaits)
        if further or any(reason() for reason in after):
            return Hold.AWAITS
        if self._asks_apart():
            fresh = not (pointing.there(self.right) or pointing.one_more(self.right))
            return Hold.OWN if fresh and own(self.second, self.right, self.meaning) else Hold.GOES_ON
        return Hold.AWAITS if self._asks_more() else None

    def _says_where(self) -> bool:
        """Whether the second says itself where it looks, and what for: not "and a cheap one in Cupertino"."""
        placed = any(self.meaning.is_place(node) for node in self.second.where)
        looks = placed and (bool(self.second.order) or len(self.second.where) > 1)
        return looks and not (pointing.points(self.right) or pointing.of_ones(self.right))

    def _has_no_subject(self) -> bool:
        """ "How many are open and <are cheap>"."""
        return _BARE.match(self.right) is not None and not (self.ended or self.meaning.names(self.second))

    def _asks_further(self, *, lists: bool) -> bool:
        """Whether columns are asked of the one thing that the first names or chooses, which its own search does not
        tell."""
        single = self.first.limit == 1 and self.first.aggregate is None
        hangs = lists or pointing.of_chosen(self.right) or pointing.of_its_part(self.right)
        return (
            ((single and hangs) or self.of_named)
            and asks_columns(self.right, self.second, self.read)
            and not self._told_at_once()
        )

    def _read_of_known(self) -> None:
        """Reads the second of what the first is about, where it says nothing by itself: "how many are there, and where
        are they?", "is X loud, and how pricey is it?"."""
        aggregate, points = self.second.aggregate, pointing.points(self.right)
        listed = aggregate is not None and aggregate.function == "distinct" and points
        of_it = aggregate is not None and self.meaning.names(self.first) and points
        bare = not says(self.second)
        if listed or of_it or bare:
            self.second = self.read(self.right, KEYS)

    # -- both by themselves ------------------------------------------------------------------------------------------

    def _of_shown_apart(self) -> bool:
        """Whether each asks by itself which of the rows shown something is true of."""
        if not self.shown:
            return False
        both = pointing.of_shown(self.left) and pointing.of_shown(self.right)
        asks = self.second.where or self.second.order or cues.comparative(self.right) is not None
        if both and says(self.first) and asks:
            return True
        # "does Fig take dogs, and which of these is the cheapest"
        return bool(self.of_named and asks and pointing.of_shown(self.right))

    # -- the second awaits the first ---------------------------------------------------------------------------------

    def _both_of_shown(self) -> bool:
        """Whether both sides ask something of the rows that were shown."""
        left, right = self.left, self.right
        if not self.shown:
            return False
        columns = asks_columns(left, self.first, self.read)
        if columns and asks_columns(right, self.second, self.read):
            return True
        if cues.ask_of_it(left, right) and self.first.where and self.second.where:
            return True
        asked = self.read(right, KEYS)
        if own(self.second, right, self.meaning) or asked.order or not told(asked):
            return False
        over = self.ended or (cues.asks_yes_no(left) and pointing.points(left))  # "do they ..., and what is the ...?"
        asks = cues.asks_yes_no(right) or (over and cues.asks_openly(right))
        return asks and (columns or (over and cues.asks(left) and not own(self.first, left, self.meaning)))

    def _two_facts(self) -> bool:
        """Whether columns alone answer either, so that each is a yes or a no of its own."""
        sides = (self.left, self.right)
        return self.of_named and all(cues.asks_yes_no(side) and is_fact(self.read(side, KEYS)) for side in sides)

    def _asks_of_picked(self) -> bool:
        """ "Which is more popular, and does it ...?"."""
        picks = cues.chooses(self.left) and cues.comparative(self.left) is not None
        return picks and pointing.of_chosen(self.right)

    def _asks_of_found(self) -> bool:
        """Whether a sentence of its own asks more of what the one before it names or finds: "... in Chinatown? Is it
        the kind of place with a long wait?"."""
        first, second, right = self.first, self.second, self.right
        chosen = chooses(first)
        if not (self.ended or pointing.among_them(right) or _SAYS.match(right) or first.limit == 1):
            return False
        if second.table != first.table or self.meaning.names(second):
            return False
        if first.aggregate is not None or second.aggregate is not None or second.order:
            return False
        asks = bool(second.where) or asks_columns(right, second, self.read)
        if self.meaning.names(first) and not compares(first, self.meaning):
            return asks and (not cues.searches(right) or pointing.of_its_part(right))
        if cues.asks_openly(right):  # "... in Chinatown? And what should we order there?"
            points = pointing.of_chosen(right) or pointing.of_its_part(right)
            return bool(first.where) and asks and points and not self._told_at_once()
        if _SAYS.match(right):
            return bool(first.where) and asks and first.presentation == "list"
        over = chosen or self.left.endswith("?") or right.endswith("?") or pointing.among_them(right)
        return (asks if chosen else bool(second.where)) and over and pointing.of_it(right)

    def _awaits(self) -> bool:
        """Whether what comes second is asked of the row or the group that the first chooses or names, and is more than
        columns of it."""
        first, second, words = self.first, self.second, self.right
        if self.meaning.names(second):  # "the best thai place, and how does it compare to Kaveri?"
            return first.limit == 1 and cues.sets_beside(words) and pointing.of_chosen(words)
        if first.aggregate is not None:
            one_group = bool(first.aggregate.group) and first.limit == 1
            grouped = second.aggregate is not None and bool(second.aggregate.group)
            return one_group and not grouped and pointing.of_chosen(words)
        if not (second.where or second.projections):
            return False
        if compares(first, self.meaning):
            return second.table == first.table and not self._chooses_twice()
        if self.meaning.names(first):  # a query can tell more than one of a thing, not under conditions of their own
            if any(_OPEN.match(item.question) for item in first.projections if item.question != SUMMARY):
                return True  # "what do people build there, and do students say ...": each is put as it is
            return second.table == first.table and not cues.searches(words) and on_terms(second, self.meaning)
        if not chooses(first) or pointing.there(words):
            return False
        terms = any(isinstance(leaf, Condition) for node in second.where for leaf in leaves(node))
        return terms and not second.order and pointing.of_chosen(words)

    def _chooses_twice(self) -> bool:
        """ "Which is nearer, X or Y, and which is better for families?"."""
        return compares(self.first, self.meaning) and self.first.limit == 1 and cues.chooses(self.right)

    def _told_at_once(self) -> bool:
        """Whether one search tells what is asked of the things that it finds."""
        both = self.read(self._whole())
        asked = self.read(self.right).projections or self.read(self.right, KEYS).projections
        return bool(asked) and set(asked) <= set(both.projections) and both.where == self.first.where

    def _asks_more(self) -> bool:
        """Whether a question of its own asks more of what a search finds, or of what is named, than that tells."""
        if not self.ended or not cues.asks(self.right) or not self.first.where:
            return False
        return self.second.table == self.first.table and not self._told_at_once()

    def _facts_at_once(self) -> bool:
        """Whether the second asks for columns of what the first chooses or names, and one search tells both."""
        known = self.read(self.right, KEYS)
        if not is_fact(known) or cues.asks_yes_no(self.right) or self.second.order or _MORE.search(self.right):
            return False
        if self.of_named:
            return self._told_at_once() and is_fact(self.read(self.left))
        if not self.first.order:
            return False
        of_rows = KEYS if self.shown and not self.first.where else ()
        return set(known.projections) <= set(self.read(self._whole(), of_rows).projections)

    def _whole(self) -> str:
        return f"{self.left.rstrip(' ?.')}, and {self.right}"

    # -- two searches ------------------------------------------------------------------------------------------------

    def _asks_apart(self) -> bool:
        """Whether what comes second is a question that no answer to the first can hold."""
        first, second, words, meaning = self.first, self.second, self.right, self.meaning
        if first.aggregate is not None and pointing.ones(words):
            return True  # "how many are there, and which ones?"
        bare_name = meaning.names(second) and len(second.where) == 1 and not told(second)
        if not (says(first) and says(second)) or bare_name:
            return False  # "does this one take walk-ins? Does that one?"
        if self._chooses_twice() or (cues.asks_of_any(words) and first.where and second.where):
            return True
        kinds = says_what(first, meaning) and says_what(second, meaning)
        if elsewhere(first, second, meaning) or (kinds and pointing.which_are(words)):
            return True
        if first.aggregate is not None and first.aggregate.group and second.aggregate is None:
            return own(second, words, meaning)
        if first.aggregate is not None or second.aggregate is not None:
            return True
        if kinds and pointing.there(words):
            return True
        if own(second, words, meaning):
            # "Does it take dogs? And which ramen place is the best rated?"
            of_shown = self.shown and pointing.of_it(self.left)
            return of_shown or says_what(first, meaning) or meaning.names(first) or bool(first.projections)
        if self.ended and second.order and not first.order and first.where and cues.asks_openly(words):
            return True
        if second.order and not first.order and first.where and pointing.of_them(words):
            return True  # "show me the sushi places, and which of them is the cheapest?"
        return opposite(first, second)


def says(frame: Frame) -> bool:
    """Whether anything was understood."""
    return bool(frame.where or frame.order or frame.aggregate or frame.projections)


def told(frame: Frame) -> bool:
    """Whether more is asked than what a bare name asks for, which is all there is to tell."""
    in_short = any(item.question == SUMMARY for item in frame.projections)
    return bool(frame.projections and not in_short) or frame.aggregate is not None


def content(words: str) -> list[str]:
    """The words that say something."""
    return english.content(re.findall(r"[a-z]+", words.lower()))


def chooses(frame: Frame) -> bool:
    """Whether one row is looked for, the first of an order."""
    return frame.limit == 1 and bool(frame.order) and frame.aggregate is None


def own(frame: Frame, words: str, meaning: Meaning) -> bool:
    """Whether a question says what it is about, rather than to go on from another."""
    if pointing.points_out(words):
        return False
    if pointing.which_are(words) or pointing.which_ones(words):
        return False
    if pointing.anywhere(words) and frame.where:
        return True
    return (says_what(frame, meaning) and not pointing.of_its_part(words)) or meaning.names(frame)


def asks_columns(words: str, frame: Frame, read: Read) -> bool:
    """Whether a question that says nothing by itself asks something of what is known."""
    asked = frame if says(frame) else read(words, KEYS)
    whole = pointing.what_about(words) or (cues.asks_yes_no(words) and bool(asked.projections))
    return whole or told(asked)


def is_fact(frame: Frame) -> bool:
    """Whether columns alone answer a question."""
    asks = bool(frame.projections) and not any(item.question for item in frame.projections)
    return asks and all(isinstance(leaf, Condition) for node in frame.where for leaf in leaves(node))


def on_terms(frame: Frame, meaning: Meaning) -> bool:
    """Whether a question about a thing is about part of it ("in winter"), or would be a search by itself."""
    said_of = [leaf for node in frame.where for leaf in leaves(node)]
    parts = any(isinstance(leaf, Condition) and leaf.table != frame.table for leaf in said_of)
    return parts or says_what(frame, meaning)


def compares(frame: Frame, meaning: Meaning) -> bool:
    """Whether several things are named, of which an answer chooses one."""
    named = [node for node in frame.where if meaning.names(frame.model_copy(update={"where": (node,)}))]
    return sum(len(leaf.values) for node in named for leaf in leaves(node) if isinstance(leaf, Condition)) > 1


def elsewhere(first: Frame, second: Frame, meaning: Meaning) -> bool:
    """Whether the same is wanted at another place as well: "..., and what if we end up in Cupertino?"."""
    places = [node for node in first.where if meaning.is_place(node)]
    only = bool(second.where) and all(meaning.is_place(node) and node not in places for node in second.where)
    return only and bool(places) and says_what(first, meaning) and not (second.projections or second.order)
