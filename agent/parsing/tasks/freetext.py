"""An answer in the user's own words, told from what else a message may say: a correction, a question, "no, that's all".

A field of free text takes anything, so whatever is not kept from it ends up in it.
"""

from __future__ import annotations

import re

from agent.parsing.tasks.message import Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers, choices
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.shapes import Shape, about, called, is_long
from agent.parsing.tasks.similarity import meanings, shared
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.workspace import Place
from agent.text.readers.reading import Reading

_CORRECTS = compiled(
    r"^\W*(?:(?:{filler}|{no})[\s,.!;:-]+)*(?:"
    r"(?:sorry|wait|hang on|hold on|oops|actually|correction|scratch that|my (?:bad|mistake)|on second thoughts?|"
    r"no|nope|nah)\b|"
    r"i (?:actually )?(?:meant?|(?:do|did)(?:n'?t| not) (?:mean|want))\b|not (?!sure\b|certain\b|working\b|that\b)|"
    r"(?:can|could|would) you (?:please )?(?:change|make|switch|correct|set)\b|(?:change|make|switch|correct|set)\b|"
    r"(?:it|that|this|the [a-z]+(?: [a-z]+)?) (?:should(?:n'?t| not)?|needs? to|must) (?:be|have been)\b|"
    r"it(?:'s| is)(?:n'?t| not) )|"
    r"[\s,](?:actually|rather|instead|sorry|correction|after all|i (?:meant?|should have said))\W*$"
)
"""A message that begins or ends like this may take something back rather than tell something."""
_REPORTED = re.compile(
    r"\b(?:says?|said|saying|tells?|told|shows?|reads?|error|message|requires?|needs?|because|conflicts?|overlaps?|"
    r"clash(?:es)?|prerequisites?|prereqs?|instead of getting|already|with|after|before|than)\b[^.!?;]*$"
)
ONE_CAN = re.compile(r"^\W*(?:is|are|do|does|did|have|has|was|were|will|would|can)\b")
_STILL_TELLS = compiled(
    r"^\W*(?:(?:{filler})[\s,]+)*(?:but|just|only|except|apart from|besides|please|tell|let|mention)\b"
)
_COURTEOUS = compiled(r"^\W*(?:(?:{filler})\W*)*$")
_POINTS = re.compile(r"\b(?:it|its|this|that|these|those|they|them|he|she)\b")
_TAKES_QUESTIONS = re.compile(r"\bquestions?\b|\blike to (?:know|ask)\b")
_WONDERS = compiled(  # "I want to know if …", "my question is whether …"
    r"^\W*(?:(?:{filler})\W+)*(?:(?:i|we)\b(?! (?:don'?t|do not)\b)|(?:my|our) (?:\w+ )?question\b)[^,;]*?"
    r"(?<![\w'])(?:if|whether|{wh})(?![\w'])"
)
_TO_THE_AGENT = re.compile(r"\byour?\b|\byou're\b|\bu\b")
_ONESELF = re.compile(r"\b(?:i|i'm|i'd|i've|i'll|me|my|mine|we|we're|us|our)\b")
_MOOD = re.compile(r"\b(?:what|how) (?:now|come|else|(?:can|should|could|do) (?:i|we) do)\b")
_DEFINES = compiled(r"^\W*(?:(?:{filler})[\s,]+)*what(?:'s| is| are)? (?:an?|the|does|do) .*")  # "what is a hold?"
ASKS_HELP = compiled(
    r"^\W*(?:(?:{filler}|and|so)\W+)*(?:what (?:now|next|(?:can|should|could|do|must|shall|would) (?:i|we|you|one)"
    r"(?: have to| need to)? (?:do|try|suggest|recommend|advise))|how (?:can|do|should|could) (?:i|we) (?:fix|solve|"
    r"sort|resolve) (?:it|this|that))(?: (?:now|then|next|about (?:it|this|that)|here|out))*\W*$"
)
_FEWEST = 2  # content words that a question of its own has at least
_NAMED = (Shape.IDENTIFIER, Shape.EMAIL, Shape.PHONE, Shape.PERSON)
_TOLD_ALONE = (Shape.DATE, Shape.TIME, Shape.PEOPLE)
_LABEL, _SAME = 24, 0.5  # characters before a value that may name its field, and the share of the name that does
_LED_UP = 8  # words that lead up to each value
_BRIEF = 5  # words of a message that says little more than a choice in short ("I mean AP")
_LONG = 3  # words of a sentence that is worth being put down beside a correction


LAST_WORDS = (Answer.NO, Answer.NONE, Answer.ENOUGH, Answer.YES)
_SAYS_NAME = compiled(
    r"^\W*(?:(?:{filler}|my (?:full )?name(?: is|'s)?|is my (?:full )?name|i'm|i am|this is|it's|it is|"
    r"(?:just |you can )?{doing}(?: (?:it|that|this|the [a-z]+))?|not? (?:have )?more(?: [a-z]+)?)\W*)*$"
)


class FreeText:
    """One message as the answer to a field of free text."""

    def __init__(self, message: Message, place: Place, others: list[Place], found: Values) -> None:
        self.message, self.place, self.found = message, place, found
        self.known = [one for one in others if one.known]
        self.lacking = [one for one in others if not one.known]
        self._aside = [one for one in message.sentences if self._is_aside(one)]

    def corrects(self) -> bool:
        """Whether the message says, of something that is known already, that it should be another value."""
        pieces = [self.message.low[one.start : one.stop] for one in self.message.sentences]
        return any(_CORRECTS.search(piece) for piece in pieces) and any(self._differs(place) for place in self.known)

    def gives(self) -> bool:
        """Whether the message gives other fields their values by name ("the account number is 4711"), and no more than
        leads up to it."""
        named = [one for kind in _NAMED for one in self.found.of(kind) if self._is_named(kind, one)]
        told = sum(len(self.message.words(one.start, one.stop).split()) for one in self.message.sentences)
        return (bool(named) and told <= _LED_UP * (len(named) + 1)) or self.names() or self.tells_values()

    def tells_values(self) -> bool:
        """Whether the message says what other fields hold, or could ("for Friday then"), and nothing beside it."""
        kinds = {one.shape for one in (*self.known, *self.lacking) if one.opened and one.shape in _TOLD_ALONE}
        letters, found = list(self.message.low), [one for kind in kinds for one in self.found.sure(kind)]
        for one in found:
            letters[one.start : one.stop] = " " * (one.stop - one.start)
        return bool(found) and not meanings("".join(letters))

    def names(self) -> bool:
        """Whether the message says who somebody is, and nothing else but last words."""
        if not any(one.shape is Shape.PERSON for one in self.lacking) or not self.found.of(Shape.PERSON):
            return False
        letters = list(self.message.low)
        for one in self.found.of(Shape.PERSON):
            letters[one.start : one.stop] = "." * (one.stop - one.start)
        pieces = re.split(r"[,;.!?]+|\band\b", "".join(letters))
        return all(_SAYS_NAME.match(piece) or answers.whole(piece) in LAST_WORDS for piece in pieces)

    def _is_named(self, kind: Shape, reading: Reading) -> bool:
        before = self.message.low[max(0, reading.start - _LABEL) : reading.start]
        places = [one for one in self.lacking if one.shape is kind]
        return any(shared(before, called(one.field)) >= _SAME for one in places)

    def declines(self) -> bool:
        """ "No", where it was asked whether there is anything, before a question, a correction, or a last word."""
        if self.place.field.required or not ONE_CAN.match(self.place.field.question.lower()):
            return False
        led = answers.lead(self.message.low)
        if led is None or led.answer is not Answer.NO:
            return False
        rest = self.message.low[led.stop :]
        if _STILL_TELLS.match(rest):
            return self.corrects()
        told = [one for one in self.message.sentences if one not in self._aside and one.stop > led.stop]
        remains = " ".join(self.message.low[max(one.start, led.stop) : one.stop] for one in told).strip()
        done = (
            not re.search(r"\w", remains) or answers.whole(remains, Answer.ENOUGH, Answer.NONE, Answer.NO) is not None
        )
        return done or self.corrects()

    def leaves(self) -> bool:
        """Whether some of the message, but not all of it, is about something else."""
        return bool(self._aside) and len(self._aside) < len(self.message.sentences)

    def text(self) -> list[tuple[int, int]]:
        """The stretches that are the answer: all but the questions that are about something else."""
        told = [one for one in self.message.sentences if one not in self._aside]
        return [(one.start, one.stop) for one in told]

    def beside(self) -> list[tuple[int, int]]:
        """The sentences that tell something of their own beside the one that corrects."""
        return [
            (one.start, one.stop)
            for one in self.message.of(Form.STATEMENT)
            if not self.names()
            and self.message.free(one.start, one.stop)
            and len(self.message.words(one.start, one.stop).split()) >= _LONG
            and not _CORRECTS.search(self.message.low[one.start : one.stop])
        ]

    def _differs(self, place: Place) -> bool:
        value = place.sheet.value(place.field.name)
        if place.shape is Shape.CHOICE:
            return self._chooses_other(place, value)
        readings: list[Reading] = self.found.sure(place.shape)
        return any(
            not _alike(one.value, value) and not _REPORTED.search(self.message.low[: one.start]) for one in readings
        )

    def _chooses_other(self, place: Place, value: object) -> bool:
        """Whether a choice is denied, or another one is written."""
        low, options = self.message.low, place.field.enum_values
        surely = choices.EXACT if len(low.split()) > _BRIEF else choices.IN_SHORT
        if choices.denies(low, str(value)):
            return True
        return any(
            one.value != value and one.strength >= surely and not _REPORTED.search(low[: one.start])
            for one in choices.written(low, options)
        )

    def _tells(self, sentence: Sentence) -> bool:
        low = self.message.low[sentence.start : sentence.stop]
        return len(meanings(low)) >= _FEWEST and _COURTEOUS.match(low) is None

    def _is_aside(self, sentence: Sentence) -> bool:
        """A question that has nothing to do with what is told: it points to nothing of it, nor names it. One that only
        asks what to do about it is for the articles, and tells the staff nothing."""
        if sentence.form is not Form.QUESTION or takes_questions(self.place):
            return False
        if ASKS_HELP.match(self.message.low[sentence.start : sentence.stop]):
            return any(self._tells(one) for one in self.message.of(Form.STATEMENT))
        low = self.message.low[sentence.start : sentence.stop]
        asked = meanings(low)
        if _DEFINES.match(low) is not None and not _POINTS.search(low):
            return True
        if len(asked) < _FEWEST or _MOOD.search(low):
            return False
        others = [one for one in self.message.sentences if one is not sentence]
        told = meanings(" ".join(self.message.low[one.start : one.stop] for one in others))
        said = frozenset(name for item in told for name in item)
        return not any(item & said for item in asked) and not _POINTS.search(low)


def takes_questions(place: Place) -> bool:
    """Whether a field asks what somebody would like to know."""
    return _TAKES_QUESTIONS.search(about(place.field)) is not None


def is_matter(place: Place, low: str) -> bool:
    """Whether a question is what somebody comes with, where it was asked what that is: told as one's own ("I want to
    know if I keep my room"), or asked about oneself where a question was asked for."""
    if ONE_CAN.match(place.field.question.lower()) or not is_long(place.field):
        return False
    if ASKS_HELP.match(low) or _TO_THE_AGENT.search(low):
        return False
    return _WONDERS.match(low) is not None or (takes_questions(place) and _ONESELF.search(low) is not None)


def _alike(one: object, two: object) -> bool:
    """The same value, but for capitals and spaces ("cs152" is "CS 152")."""
    return re.sub(r"\W", "", str(one)).lower() == re.sub(r"\W", "", str(two)).lower()
