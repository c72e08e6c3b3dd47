"""Whether a message asks of the rows shown last without pointing to them: "phone number?", "how's the food?"."""

from __future__ import annotations

import re

from agent.parsing.dialogue import cues
from agent.parsing.dialogue.condition_kinds import Meaning, orders_part
from agent.parsing.dialogue.history import Past
from agent.parsing.frame import Asked, Condition, Frame, leaves
from agent.parsing.semantics import english
from agent.parsing.semantics.asking import OPINION

_MAY_I = re.compile(
    r"\W*(?:(?:and|so|but|ok) )*(?:can|could|may|should|would) (?:i|we) (?!\w+ (?:an?|any|some)\b)", re.IGNORECASE
)
_NUMBER = re.compile(  # "how many seats are left", but not "how many seats does <another> have"
    r"\W*(?:(?:and|so|but|ok) )*how (?:many|much|long)\b(?!.*\b(?:does|do|is|are|has) "
    r"(?!(?:it|they|there|that|this|left|free|open|available|taken|i|we|you|one|people|students)\b))"
    r"(?!.*\b(?:left|free|open|available|taken|there) in "
    r"(?!(?:it|that|there|this|(?:the )?(?:spring|summer|autumn|fall|winter))\b))",
    re.IGNORECASE,
)


class Implied:
    """A message, and what is said in it, after rows were shown. `new` is what it says by itself, `known` what it says
    of those rows."""

    def __init__(self, message: str, said: str, new: Frame, known: Frame, past: Past, meaning: Meaning) -> None:
        self.message, self.said, self.new, self.known, self.past, self.meaning = (
            message,
            said,
            new,
            known,
            past,
            meaning,
        )
        self._one = past.shown is not None and len(set(past.shown.keys)) == 1
        self._asked = [leaf for node in new.where for leaf in leaves(node)]
        self._yes_no = cues.asks_yes_no(message) and not message.lower().startswith("any ")

    def holds(self) -> bool:
        """Whether the message asks of them."""
        reasons = (
            self._asks_columns,
            self._asks_number,
            self._asks_opinion,
            self._of_part,
            self._asks_more,
            self._may_do,
            self._asks_how,
        )
        return any(reason() for reason in reasons) or self._reads_them()

    def _asks_columns(self) -> bool:
        return bool(self.new.projections) and not self.new.where and not self.new.aggregate

    def _asks_number(self) -> bool:
        """ "How many seats are left in winter": of the only row, on terms that are not its own."""
        own = [leaf for leaf in self._asked if not isinstance(leaf, Condition) or leaf.table == self.new.table]
        told = self.known.projections
        numbers = bool(told) and not any(item.question for item in told)
        return self._one and numbers and not own and _NUMBER.match(self.message) is not None

    def _asks_opinion(self) -> bool:
        return not self.new.where and OPINION.search(self.message.lower()) is not None

    def _of_part(self) -> bool:
        """ "Are the burgers any good", "the cheapest dish"."""
        part = self._one and cues.asks_of_part(self.message) and not self.new.order
        return part or orders_part(self.new, self.known)

    def _asks_more(self) -> bool:
        """ "Would I need a jacket?", "how many hours to set aside?": a question in which nothing was understood by
        itself, but something of the rows."""
        told = self.known.projections if self._says_nothing() else ()
        openly = cues.asks_how(self.message) or (self._one and cues.asks_openly(self.message))
        asks = self._yes_no or openly or not all(item.question for item in told)
        return bool(told) and asks and not cues.connects(self.message)

    def _may_do(self) -> bool:
        """ "Can I take it in winter": whether a condition is true of the one that was shown."""
        conditions = any(isinstance(leaf, Condition) for leaf in self._asked)
        return self._one and conditions and _MAY_I.match(self.message) is not None

    def _asks_how(self) -> bool:
        """ "How's the ramen?"."""
        return cues.asks_how(self.message) and bool(self.known.projections) and not self.new.order

    def _reads_them(self) -> bool:
        """Whether a wish to texts is a question to those of the rows."""
        reads = bool(self._asked) and all(isinstance(leaf, Asked) for leaf in self._asked)
        return reads and (self._yes_no or self._goes_on() or self._of_the_only_one())

    def _says_nothing(self) -> bool:
        """Whether nothing was understood in a message that has words to ask by."""
        new = self.new
        understood = new.where or new.order or new.projections or new.aggregate or new.limit_said
        says = english.content(re.findall(r"[a-z]+", self.said.lower())) or cues.asks_openly(self.message)
        return not understood and bool(says)

    def _of_the_only_one(self) -> bool:
        """ "What about parking", where one row is all that was found: narrowing it down would find nothing more."""
        last = self.past.found if self.past.emptied else self.past.last
        only = last is not None and last.presentation == "list" and len(last.keys) == 1
        says_what = any(self.meaning.says_what(node) for node in self.new.where)
        return only and cues.asks_about(self.message) and not says_what

    def _goes_on(self) -> bool:
        """A question right after an answer about rows: "and gluten-free crust?", "what did students complain about"."""
        last = self.past.last
        if last is None or last.presentation not in ("detail", "comparison"):
            return False
        return self.message.rstrip().endswith("?") or cues.asks(self.message)
