"""How to reach an office: "phone number of the Card Office", "where is the housing office?".

The offices are those that the articles say to ask, and are known by the name with which each of these lines begins.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from agent.catalogue.tables import Table
from agent.catalogue.values import ValueMemory
from agent.parsing.frame import Aggregate, Condition, Frame
from agent.parsing.semantics import english
from agent.text.letters import fold

CONTACT = "contact"
_NAMED = 88  # least similarity, of 100, of a stretch of the message to a name
_SHORTEST = 8  # letters of a name that is looked for
_REACHED = re.compile(
    r"\b(?:phones?|telephone|numbers?|e-?mail|mail|address(?:es)?|contacts?|contact (?:details|info(?:rmation)?)|"
    r"located|location|room|reach|call|ring|where|find|write|visit|details)\b"
)


class Offices:
    """Reads questions about how an office is reached, and nothing else of it."""

    def __init__(self, table: Table, memory: ValueMemory) -> None:
        self.table = table.name
        lines = memory.of(table.name, CONTACT) if table.column(CONTACT) is not None else ()
        self._names = tuple(dict.fromkeys(line.partition(",")[0] for line in lines))

    def read(self, question: str, norm: str) -> Frame | None:
        """The frame of such a question, with its normalised words; None for any other."""
        if not _REACHED.search(norm):
            return None
        for name in self._names:
            said = fold(name)
            found = fuzz.partial_ratio_alignment(said, norm) if len(said) >= _SHORTEST else None
            if found is None or found.score < _NAMED:
                continue
            rest = f"{norm[: found.dest_start]} {norm[found.dest_end :]}"
            if english.content(re.findall(r"[a-z]{2,}", _REACHED.sub(" ", rest))):
                continue  # "when do I have to call the housing office about ..." asks for more
            where = Condition(table=self.table, column=CONTACT, op="like", values=(f"{name}%",), words=name)
            contact = Aggregate(function="distinct", table=self.table, column=CONTACT)
            return Frame(
                tables=(self.table,), where=(where,), aggregate=contact, presentation="aggregate", words=question
            )
        return None
