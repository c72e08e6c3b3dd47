"""The answer to what was asked: its value as the field's type reads it, or that there is none to be had."""

from __future__ import annotations

import re

from agent.parsing.tasks.correcting import KINDS
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.freetext import ONE_CAN, is_matter, takes_questions
from agent.parsing.tasks.gates import verdict
from agent.parsing.tasks.knowledge import fits, leads_on
from agent.parsing.tasks.message import TOLD, Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers, choices, words
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.rows import clean
from agent.parsing.tasks.shapes import Shape, about, called
from agent.parsing.tasks.similarity import Closeness, meanings, shared
from agent.parsing.tasks.workspace import Place
from agent.text.readers.numbers import word
from agent.worksheets.state import Entity, SlotStatus
from agent.worksheets.statements import Assign, Decline

WHY = {
    Shape.DATE: "I could not find a day in that.",
    Shape.TIME: "I could not find a time in that.",
    Shape.NUMBER: "I could not find a number in that.",
    Shape.PEOPLE: "I could not find a number of people in that.",
    Shape.YES_NO: "I could not tell whether that is a yes or a no.",
    Shape.CHOICE: "I could not tell which of the choices that is.",
    Shape.EMAIL: "I could not find an e-mail address in that.",
    Shape.PHONE: "I could not find a phone number in that.",
    Shape.PERSON: "I could not find a name in that.",
    Shape.IDENTIFIER: "I could not find a number in that.",
    Shape.CODE: "I could not tell what that names.",
    Shape.ROW: "I could not tell which one you mean.",
    Shape.WORDS: "I could not tell what to put down.",
    Shape.SHEET: "I could not find any of its details in that.",
    Shape.CONFIRM: "I could not tell whether that is a yes or a no.",
}
_MORE = compiled(r"\b(?:more|another|else|additional|third|fourth|further|continue|next|other)\b")
_NONE_OF_THEM = re.compile(r"\b(?:none|neither) of (?:these|those|them|the)\b|^\W*(?:none|neither)\b")
_NOTHING_TOLD = (Answer.NONE, Answer.NO, Answer.ENOUGH, Answer.REFUSED, Answer.UNKNOWN)
_OPEN_ENDED = re.compile(r"\b(?:anything|any|extra|additional|special|other|else|comments?|notes?|further)\b")
_LONG = re.compile(r"\b(?:descri\w+|words|what happened|suspicious|problem|issue|details?|question)\b")
_LOST = re.compile(
    r"\b(?:lost|forgot(?:ten)?|can(?:'?t|not) find|(?:don'?t|do not) have) (?:my|the|an?) (?P<what>\w.*)"
)
_NO_SUCH = compiled(
    r"^\W*(?:(?:{filler})\W+)*(?:no|without|skip|leave out)(?: (?:an?|the|my|any))? "
    r"(?P<what>[a-z-]+(?: [a-z-]+){0,2}?)\W*(?:(?:{filler})\W*)*$"
)
_CLAUSE = re.compile(  # what no title says: "about adding it again"
    r"\b(?:i|i'm|me|my|you|we|it|it's|this|that|is|was|am|are|were|about|again|not)\b"
)
_NEGATES = re.compile(r"\b(?:no|not|never|without|needn'?t|rather not)\b|n't\b|\bdont\b")
_NAMES = 0.5  # share of what a field is called that names it
_WISHES = frozenset(name for names in meanings("wish necessary required needed thanks") for name in names)
_MAY_I = compiled(r"^\W*(?:(?:{filler})\W+)*(?:can|could|may|might|will|would|shall) (?:i|we)\b.*\?")
_CONTINUES = compiled(
    r"^\W*(?:(?:{filler}|{yes}|and|then)[\s,.!;:-]+)*(?:{yes}|{onward})(?:[\s,.!;:-]+(?:{filler}|{yes}|{onward})){0,8}\W*$"
)
EXPLAINED = re.compile(r"\b(?:explain|detail|repeat)")  # "… if not, the present one is explained"
_GUESSED = re.compile(r"\bguess|\byour answer\b|\bperson answers\b")  # a field that any answer will do for
_IS_IT = compiled(
    r"^\W*(?:{filler}\W+)*(?:is|was|would|could|might|isn't|wasn't) (?:it|that|this) (?:be )?(?P<guess>.+?)\W*$"
)
_COURTESY = compiled(r"^\W*(?:(?:{filler})\W*)+$")  # "pls" tells nothing
_BACK = compiled(r"^\W*(?:(?:{filler})[\s,.!]+)*(?:{resume})\W*$")
_NOW = compiled(
    r"^\W*(?:(?:{filler}|{lead})\W+)*(?:(?:right |as of )?now|immediately|right away|straight away|asap|"
    r"as soon as (?:possible|i can|we can))\W*(?:{filler}\W*)*$"
)


class Answering:
    """Reads a message as the answer to one field."""

    def __init__(self, draft: Draft, message: Message, closeness: Closeness, place: Place) -> None:
        self.draft, self.message, self.place = draft, message, place
        self._closeness = closeness

    def refused(self) -> bool:
        """ "Why do you need that?", which is a question by its form; "you need not reach me"."""
        if self._is_unwanted():
            self.message.claim(0, len(self.message.text))
            self.decline()
            return True
        asks = all(sentence.form is Form.QUESTION for sentence in self.message.sentences)
        return asks and answers.whole(self.message.low, Answer.REFUSED) is not None and self._declined()

    def _is_unwanted(self) -> bool:
        """Whether the message wants none of what a field that need not be filled asks for, and says nothing else."""
        field, shape = self.place.field, self.place.shape
        if field.required or shape not in KINDS or self.message.of(Form.QUESTION):
            return False
        wanted = frozenset().union(*meanings(f"{about(field)} {KINDS[shape]}"))
        said = [item for item in meanings(self.message.low) if not item <= _WISHES]
        denies = _NEGATES.search(self.message.low) is not None
        return denies and bool(said) and all(item & wanted for item in said)

    def no_more(self) -> bool:
        """ "No more courses", where a detail of one was asked for: what could follow it is left out. Whether that is
        all the message says."""
        if self.place.shape in (Shape.YES_NO, Shape.WORDS):
            return False
        for piece in re.finditer(r"[^,;.!?]+", self.message.low):
            if answers.whole(piece.group(), Answer.ENOUGH) is not None and self._ends_list():
                self.message.claim(*piece.span())
                is_all = not re.search(r"\w", self.message.rest(0, len(self.message.low)))
                if is_all and self.place.field.required:
                    self.decline()  # what was asked is needed all the same, and it is said why
                return is_all
        return False

    def _ends_list(self) -> bool:
        """Says that nothing is to follow in the list that the asked field's sheet is in."""
        sheet, parent, words = self.place.sheet, self.place.sheet.parent, self.message.text.strip()
        for field in parent.worksheet.fields if parent is not None else ():
            place = self.draft.workspace.place(parent, field.name) if parent is not None else None
            if parent is None or place is None or parent.slot(field.name).status is not SlotStatus.UNSET:
                continue
            if verdict(self.draft.workspace, parent, field.predicate) is not True:
                continue
            if place.shape is Shape.YES_NO and _MORE.search(about(field)):
                self.draft.assign(place, False, words)
                return True
            if field.type.name == sheet.worksheet.name and not field.required:
                self.draft.add(Decline(instance=parent.name, field=field.name, words=words))
                return True
        return False

    def read(self) -> bool:
        """Takes the answer up; False where the message holds none."""
        if self.draft.assigned(self.place):
            return True
        if self._agrees():
            return True
        if self.place.shape is Shape.YES_NO and self._yes_no():
            return True
        if self.place.shape is Shape.WORDS and self._guesses():
            return True
        return self._declined() or self._value()

    def _agrees(self) -> bool:
        """ "Ok then", where another value would not do and one alone would."""
        options = self.place.sheet.slot(self.place.field.name).options
        if len(options) != 1 or isinstance(options[0], Entity) or self.place.shape is Shape.YES_NO:
            return False
        return answers.whole(self.message.low, Answer.YES) is not None and self._assign(options[0])

    # -- yes, no, and no answer --------------------------------------------------------------------------------------

    def _yes_no(self) -> bool:
        low = self.message.low
        said = answers.whole(low, Answer.ENOUGH, Answer.UNKNOWN, Answer.REFUSED, Answer.NO, Answer.YES)
        wants_more = bool(_MORE.search(about(self.place.field)))
        ends = said is Answer.NO or (said is Answer.ENOUGH and not low.rstrip().endswith("?"))
        if wants_more and not ends and _CONTINUES.match(low):
            return self._assign(True)
        if said is Answer.ENOUGH or (said is None and wants_more and _stops(low)):
            return self._assign(not wants_more)
        if said in (Answer.YES, Answer.NO):
            return self._assign(said is Answer.YES)
        if said is not None:
            return False
        led = answers.lead(low)
        if led is not None:
            self.message.claim(0, led.stop)
            return self._assign(led.answer is Answer.YES)
        for sentence in self.message.of(Form.STATEMENT):
            piece = low[sentence.start : sentence.stop]
            for text in (self.place.field.label, self.place.field.description, self.place.field.question):
                if (reading := answers.read(piece, text.lower())) is not None:
                    return self._assign(reading.value)
        if self._said_of_another():
            return False
        if re.search(r"\b(?:i (?:do|am|did|have|was)|it does|they do|yes)\b(?! not|n't| no)", low):
            return self._assign(True)
        if re.search(r"\b(?:not|no|never|none|n't)\b|n't\b", low) and self.message.of(Form.STATEMENT):
            return self._assign(False)
        return False

    def _said_of_another(self) -> bool:
        """ "No conflict", which is a no to another question than the one that was asked."""
        places = self.draft.workspace.places(self.place.sheet.root)
        return any(one.shape is Shape.YES_NO and one != self.place and self.draft.assigned(one) for one in places)

    def asked_on(self) -> bool:
        """ "What's next?", "where is that?": a question that is a yes to going on, or a no where that has the present
        thing explained."""
        field = about(self.place.field)
        if self.place.shape is not Shape.YES_NO or not self.message.of(Form.QUESTION):
            return False
        onward = _MORE.search(field) is not None and _CONTINUES.match(self.message.low) is not None
        if not onward and EXPLAINED.search(field) is None:
            return False
        self.message.claim(0, len(self.message.text))
        return self._assign(onward)

    def _guesses(self) -> bool:
        """ "Is it Rome?", "no idea": the answer to a question of a game, which may be none."""
        if not _GUESSED.search(about(self.place.field)):
            return False
        guess = _IS_IT.match(self.message.low)
        if guess is not None:
            self.message.claim(0, len(self.message.text))
            return self._assign(self.message.words(*guess.span("guess")))
        none = answers.whole(self.message.low, Answer.UNKNOWN, Answer.REFUSED) is not None
        return none and self._assign(self.message.text.strip())

    def _declined(self) -> bool:
        """ "I don't know", "skip": nothing is put down. "None" is an answer where anything else was asked for."""
        low = self.message.low
        said = answers.whole(low, Answer.REFUSED, Answer.UNKNOWN, Answer.ENOUGH, Answer.NONE, Answer.NO)
        if said is None and (named := _NO_SUCH.match(low)) and self._is_what(named["what"]):
            said = Answer.NONE  # "no e-mail"
        if said is None or (self.place.shape is Shape.CHOICE and said in (Answer.NONE, Answer.NO)):
            return False
        if said is Answer.UNKNOWN and self._tells_loss(low):
            return False
        if said is Answer.NO and self.place.shape in (Shape.ROW,):
            return False
        self.decline(self._refused_by_name() if said is Answer.REFUSED else self.place, unknown=said is Answer.UNKNOWN)
        self.message.claim(0, len(low))
        return True

    def _is_what(self, words: str) -> bool:
        """Whether some words call the field, or what it holds."""
        return shared(f"{called(self.place.field)} {KINDS.get(self.place.shape, '')}", words) > 0

    def decline(self, place: Place | None = None, *, unknown: bool = False) -> None:
        """Says that the field, or another one, gets no value."""
        place = place or self.place
        name, words = self.draft.open(place.sheet), self.message.text.strip()
        self.draft.add(Decline(instance=name, field=place.field.name, unknown=unknown, words=words))

    def put_down(self, stretches: list[tuple[int, int]]) -> bool:
        """Some stretches of the message as the text of the field, and nothing else of it. False where they are none."""
        parts = [self.message.words(start, stop) for start, stop in stretches]
        value = " ".join(part for part in parts if re.search(r"\w", part)).strip(" ,;")
        if not value or _COURTESY.match(value.lower()):
            return False
        for start, stop in stretches:
            self.message.claim(start, stop)
        if answers.whole(value.lower()) in _NOTHING_TOLD and not self._tells_loss(value.lower()):
            self.decline(unknown=answers.whole(value.lower()) is Answer.UNKNOWN)
            return True
        return self._assign(value, value)

    def _tells_loss(self, low: str) -> bool:
        """ "I lost my campus card", where it was asked what happened: no answer that there is none."""
        lost = _LOST.search(low) if self.place.shape is Shape.WORDS else None
        return lost is not None and shared(called(self.place.field), lost["what"]) == 0

    def _refused_by_name(self) -> Place:
        """The field that a refusal names ("I'd rather not give my e-mail"), else the one that was asked."""
        places = [one for one in self.draft.workspace.places(self.place.sheet.root) if one.opened and not one.known]
        named = [one for one in places if shared(self.message.low, called(one.field)) >= _NAMES]
        return self.place if self.place in named or not named else named[0]

    # -- values ------------------------------------------------------------------------------------------------------

    def _value(self) -> bool:
        match self.place.shape:
            case Shape.CHOICE:
                return self._choice()
            case Shape.TIME:
                now = self.draft.workspace.now
                return _NOW.match(self.message.low) is not None and self._assign(f"{now:%H:%M}")
            case Shape.PERSON:
                return self._person()
            case Shape.IDENTIFIER | Shape.CODE:
                return self._name_or_number()
            case Shape.WORDS:
                return self._words()
        return False

    def _choice(self) -> bool:
        told = self.message.masked(*TOLD)
        unread = "".join(a if b != " " else " " for a, b in zip(told, self.message.rest(0, len(told)), strict=True))
        if not re.search(r"\w", unread):
            return False
        options = self.place.field.enum_values
        if _NONE_OF_THEM.search(unread) and not choices.written(unread, options) and not choices.other(options):
            return False
        said = unread.strip(" .!?,")
        choice = choices.choose(said, options, self._closeness, asked=True)
        if choice is None:
            return False
        value = choice.value
        if (
            choice.strength < choices.EXACT
            and not choices.written(said, options)
            and not self._fits(said.lower(), value)
        ):
            rest = choices.other(options)
            if rest is None:
                return False
            value = rest
        return self._assign(value)

    def _fits(self, said: str, value: str) -> bool:
        """Whether what was told can be about a choice that leads on to others; of a plain list it is one."""
        specification = self.draft.workspace.specification
        return not leads_on(self.place) or fits(said, self.place, value, specification, self._closeness)

    def _person(self) -> bool:
        if words.is_dated(self.message.low):
            return False
        for start, stop in self._pieces():
            if answers.whole(self.message.low[start:stop]) is not None:
                continue  # "nope" is nobody
            parts = re.split(r"\s{3,}", self.message.rest(start, stop).strip())  # between values that were taken out
            if (name := next(filter(None, map(words.name, parts)), None)) is not None:
                self.message.claim(start, stop)
                return self._assign(name, self.message.words(start, stop))
        return False

    def _name_or_number(self) -> bool:
        """A short answer as it is: a title, a code, a word."""
        told = [s for s in self.message.sentences if s.form in (Form.STATEMENT, Form.SUGGESTION)]
        if not told:
            return False
        value = clean(words.free(self.message.rest(told[0].start, told[0].stop).strip()))
        value = re.sub(r"^(?:the )?(?:course|class|one) (?:is |called |named )?", "", value, flags=re.IGNORECASE)
        if not re.search(r"\w", value) or len(value.split()) > 9 or answers.whole(value.lower()) is not None:
            return False
        if self.place.shape is Shape.CODE and _CLAUSE.search(value.lower()):
            return False
        if self.place.shape is Shape.CODE and (not meanings(value) or word(value) is not None or self._beside(value)):
            return False
        if self.place.shape is Shape.IDENTIFIER and not (any(c.isdigit() for c in value) or len(value.split()) <= 2):
            return False
        self.message.claim(told[0].start, told[0].stop)
        return self._assign(value, self.message.words(told[0].start, told[0].stop))

    def _beside(self, value: str) -> bool:
        """What is left of a message that gave other values is a title only where it is written as one."""
        said = any(isinstance(item, Assign) for item in self.draft.statements)
        return said and not any(part[:1].isupper() for part in value.split())

    def _words(self) -> bool:
        """Free text: the message is the value, unless it asks something."""
        if all(self._asks(sentence) for sentence in self.message.sentences) or self._agrees_to_nothing():
            return False
        is_long = bool(_LONG.search(about(self.place.field))) or bool(_OPEN_ENDED.search(about(self.place.field)))
        told = [one for one in self.message.sentences if not self._leads_back(one)]
        text = " ".join(self.message.text[one.start : one.stop].strip() for one in told)
        if not is_long:
            told = [s for s in self.message.sentences if s.form is not Form.QUESTION]
            text = " ".join(self.message.text[s.start : s.stop].strip() for s in told)
            text = re.sub(r"^(?:from|to|at|in|for)\s+(?=\S)", "", words.free(text), flags=re.IGNORECASE)
        value = text if is_long else words.free(text)
        if not re.search(r"\w", value) or _COURTESY.match(value.lower()):
            return False
        self.message.claim(0, len(self.message.text))
        return self._assign(value, self.message.text.strip())

    def _agrees_to_nothing(self) -> bool:
        """ "Yes", where it was asked what happened: there is nothing to be put down in that."""
        open_ = ONE_CAN.match(self.place.field.question.lower()) is None
        return open_ and answers.whole(self.message.low, Answer.YES) is not None

    def _leads_back(self, sentence: Sentence) -> bool:
        """ "Ok, back to my ticket.", before what is to be put down."""
        alone = len(self.message.sentences) == 1
        return not alone and _BACK.match(self.message.low[sentence.start : sentence.stop]) is not None

    def _asks(self, sentence: Sentence) -> bool:
        """A question; "can I …?" is one too, unless it is a question that was asked for."""
        low = self.message.low[sentence.start : sentence.stop]
        if sentence.form is Form.QUESTION:
            return not is_matter(self.place, low)
        may = sentence.form is Form.REQUEST and _MAY_I.match(low)
        return bool(may and not takes_questions(self.place))

    def _pieces(self) -> list[tuple[int, int]]:
        """The stretches between commas of what is no question."""
        found = []
        for sentence in self.message.of(Form.STATEMENT, Form.SUGGESTION):
            start = sentence.start
            for part in re.split(r"(?<=[,;])", self.message.text[sentence.start : sentence.stop]):
                found.append((start, start + len(part)))
                start += len(part)
        return found

    def _assign(self, value: object, said: str = "") -> bool:
        self.draft.assign(self.place, value, said or self.message.text.strip())
        return True


def _stops(low: str) -> bool:
    return bool(
        re.search(
            r"\b(?:enough|that'?s (?:it|all)|no more|only (?:two|three|those|these)|just (?:the|two|"
            r"three|those|these)|done|stop)\b",
            low,
        )
    )
