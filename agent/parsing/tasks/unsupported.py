"""What is asked for beside a yes and no task does: "yes, and book a taxi". The yes counts, and it is said that the rest
is not done."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.language import ChatKind
from agent.parsing.dialogue.chitchat import chat_kind
from agent.parsing.semantics import english
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.similarity import meanings, spoken
from agent.parsing.tasks.values import about
from agent.parsing.tasks.workspace import Sheet
from agent.worksheets.state import Entity
from agent.worksheets.statements import Assign

_LEAD = compiled(r"^\W*(?:(?:{filler}|yes|yeah|yep|sure|but|plus|additionally|one more thing)(?![\w'])\W*)+")
_APART = re.compile(r"[;:]\s|\s[–—-]+\s")
_SAYS_NOTHING = (None, ChatKind.CAPABILITIES, ChatKind.UNCLEAR)
_BY_REQUEST = compiled(
    r"^(?:please |also )*(?:(?:can|could|would|will|may|might) (?:you|u|i|we|they|someone|somebody)\b|"
    r"(?:i|we)(?:'d| would| will|'ll)? (?:also )?(?:like|want|need|expect|ask) (?:you|them|somebody|someone) to\b|"
    r"(?:i|we)(?:'d| would)? (?:also (?:like|want|need)|(?:like|want|need)\b.*\b(?:too|as well)$))"
)
_IMPERATIVE = re.compile(
    r"^(?P<verb>[a-z]+) (?:(?:it|that|this|these|those|them|me|us|him|her|my|our|his|their|the|an?|some|any|one|two|"
    r"another|more|everyone|everybody|people|up|down|out|over|for|to|as)\b|[a-z-]+$|[a-z-]+ (?:for|to|at|from|with|in|"
    r"on|too|as well)\b)"
)
_NO_VERB = re.compile(  # what stands first in a clause and orders nothing
    r"(?:i|i'?m|we|he|she|it|its|they|you|there|here|this|that|these|those|the|an?|my|our|your|his|her|their|some|any|"
    r"all|both|each|every|one|two|with|without|for|at|on|in|to|from|by|of|as|about|after|before|because|since|if|when|"
    r"while|until|so|very|really|too|not|no|only|just|looking|see|enjoy|have|had|be|am|is|are|was|were|who|what|"
    r"which|how|why|where|then|than|like|same|let'?s)"
)


class Unsupported:
    """Reads what one message asks for beside its answer to a confirmation."""

    def __init__(self, draft: Draft, message: Message, root: Sheet) -> None:
        self.draft, self.message, self.root = draft, message, root

    def reply(self) -> str:
        """That what is asked for cannot be done; empty where nothing is."""
        found = [piece for piece in self._pieces() if self._is_order(piece)]
        return f"One thing I can't do here: “{'; '.join(found)}”." if found else ""

    def _pieces(self) -> list[str]:
        """The clauses of which something was not understood, without what leads to them."""
        found = []
        led = answers.lead(self.message.low)
        for sentence in self.message.of(*TOLD):
            first = max(sentence.start, led.stop if led is not None else 0)
            bounds = [first, *(match.end() for match in _APART.finditer(self.message.low, first, sentence.stop))]
            for start, stop in pairwise([*bounds, sentence.stop]):
                part = self.message.text[start:stop]
                lead = _LEAD.match(part.lower())
                unread = self.message.rest(start, stop).lower()
                if others(self.root, unread) and not self._took(part):
                    found.append(part[lead.end() if lead is not None else 0 :].strip(" ,.;!?"))
        return [piece for piece in found if re.search(r"\w", piece)]

    def _took(self, part: str) -> bool:
        """Whether a field took something of a part, or was changed by it."""
        told = [item for item in self.draft.statements if isinstance(item, Assign)]
        words = [item.words for item in told if item.words != self.message.text.strip()]
        words += [item.value for item in told if isinstance(item.value, str)]
        changes = bool(told) and said("changing", part.lower()) is not None
        return changes or any(one.lower() in part.lower() for one in words if one)

    def _is_order(self, piece: str) -> bool:
        low = piece.lower().replace("’", "'")
        if answers.whole(low) is not None or chat_kind(low) not in _SAYS_NOTHING:
            return False
        if _BY_REQUEST.match(low):
            return True
        order = _IMPERATIVE.match(low)
        if order is None or _NO_VERB.fullmatch(order["verb"]):
            return False
        return not english.describes(order["verb"]) and order["verb"] not in english.adverbs()


def others(root: Sheet, low: str) -> bool:
    """Whether words are about anything but a task and what it holds."""
    texts = [about(root.worksheet)]
    for sheet in root.tree():
        for field in sheet.worksheet.fields:
            value = sheet.value(field.name)
            told = value.title if isinstance(value, Entity) else str(value) if value is not None else ""
            texts += [field.label, told]
    known = frozenset(name for text in texts for names in meanings(text) for name in names)
    return any(not item.names & known for item in spoken(low))
