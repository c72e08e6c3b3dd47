"""What is said beside everything that was asked, for a field that takes any words: a wish, an allergy, an occasion."""

from __future__ import annotations

import re

from agent.parsing.tasks.correcting import REMOVES
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Form, Message
from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.readers import answers, people
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.rows import INTRODUCES, clean
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.similarity import Closeness, meanings
from agent.parsing.tasks.workspace import Place, Sheet

_NOTHING = (Answer.NONE, Answer.NO, Answer.ENOUGH)  # "no special requests" is none
_LIKE = 0.38  # cosine to one of the things that a field's description names
_PERSONAL_LIKE = 0.1  # the same, for what people say of themselves and their company
_PERSONAL = re.compile(
    rf"^\W*(?:and |but |also |oh |btw |by the way,? )*(?:(?:one|two|some|most|a few|several) of (?:us|"
    rf"them|my|our)|another|the (?:others?|rest)|some(?:one|body)|"
    rf"(?:my|our) (?:\w+ )?(?:{people.KIN}|parents|family|group|party|guests?|kids|friends)s?|"
    r"he|she|they|we) (?:\w+ )?(?:is|are|has|have|had|can't|cannot|can not|needs?|uses?|don't|doesn't|"
    r"does not|will|would|'s|'re)\b"
)
_PARTS = re.compile(r"[:,;.]|\bor\b|\band\b")
_LEAD = re.compile(
    r"^(?:(?:(?:add|note|mention|tell them|let them know)(?: that)?|can you|could you|and|but|also|oh|"
    r"ok|okay|so|please|with|plus|actually|btw|by the way)\b[\s,]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:[\s,]+(?:please|thanks|thank you|and|for|on|at|if possible))+$", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:make|change|set|put) (?:it|that)(?: to)?$")  # what it is made was read already
_REMOVES = re.compile(rf"{REMOVES}\b")
_ARTICLE = re.compile(r"^(?:an?|the|any|some|such as|for example|e\.g\.)\s+")


class Wishes:
    """Finds words for a field that is never asked for, in what the other readers left over."""

    def __init__(self, draft: Draft, message: Message, closeness: Closeness, root: Sheet) -> None:
        self.draft, self.message = draft, message
        self._closeness = closeness
        self.place = next((one for one in draft.workspace.places(root) if _takes_any(one)), None)

    def is_one(self, words: str) -> bool:
        """Whether some words are the kind of thing that the field is for."""
        if self.place is None or not meanings(words):
            return False
        least = _PERSONAL_LIKE if _PERSONAL.match(words.lower()) else _LIKE
        return max(self._closeness.between(words, _kinds(self.place)), default=0.0) >= least

    def take_up(self, *, started: bool) -> None:
        """Puts down what fits; a second wish is added to the first."""
        if self.place is None or self.draft.assigned(self.place):
            return
        pieces = []
        for sentence in self.message.of(*TOLD):
            if sentence.form is Form.SUGGESTION and " " not in self.message.words(sentence.start, sentence.stop):
                continue  # "address?" wants to know it
            rest = INTRODUCES.sub(" ", self.message.rest(sentence.start, sentence.stop))
            for part in re.split(r"[,;]\s|\s{4,}", rest):
                wish = _whole(part)
                if (
                    _CHANGES.search(wish.lower())
                    or _REMOVES.match(wish.lower())
                    or answers.whole(wish.lower(), *_NOTHING) is not None
                ):
                    continue
                if (piece := clean(part)) and self.is_one(wish if _PERSONAL.match(wish.lower()) else piece):
                    pieces.append(wish)
        if not pieces:
            return
        label = re.escape(self.place.field.label)
        wish = re.sub(rf"^(?:the |my |a )?{label}s?\s*(?:[:=–-]|is\b)\s*", "", ", ".join(pieces), flags=re.IGNORECASE)
        before = self.place.sheet.value(self.place.field.name)
        if isinstance(before, str) and before and not said("correction", self.message.low):
            wish = before if wish.lower() in before.lower() else f"{before}; {wish}"
        words = ", ".join(pieces)
        self.draft.assign(self.place, wish, words if words in self.message.text else self.message.text.strip())


def _whole(part: str) -> str:
    """A wish as it was put, without the courtesies around it."""
    said = " ".join(part.split()).strip(" ,;:.!")
    said = _LEAD.sub("", said)
    return _TAIL.sub("", said)


def _takes_any(place: Place) -> bool:
    """A text that is recorded when it is volunteered."""
    return place.shape is Shape.WORDS and not place.field.ask and place.opened


def _kinds(place: Place) -> list[str]:
    """The things that a field's description names, and the field itself."""
    parts = [_ARTICLE.sub("", part.strip().lower()) for part in _PARTS.split(place.field.description)]
    return [place.field.label, *(part for part in parts if meanings(part) and len(part.split()) <= 4)]
