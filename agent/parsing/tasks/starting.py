"""Beginning tasks: a new one, a second one of a kind, one set aside before, or an offer taken up by naming it."""

from __future__ import annotations

import re

from agent.parsing.tasks import named_rows, values
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.shapes import Shape, shape
from agent.parsing.tasks.similarity import meanings, spoken
from agent.parsing.tasks.spotting import Branch, Spotted, Spotter, ordered, startable
from agent.parsing.tasks.values import NO_NAMES, Names
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.text.readers import numbers
from agent.worksheets.specification import Worksheet
from agent.worksheets.state import Entity, InstanceStatus
from agent.worksheets.statements import Confirm, Resume

_STRONG = 2.0  # how strongly another task has to be named to set aside the one that waits for an answer
_FEW = 1  # content words that a mere request has beside those that name the task
_WORDED = 1.0  # what a task comes to that is named in words, and not only told by its values
_OPENS = compiled(
    r"^\W*(?:(?:{filler}|{request}|you|go ahead and)\W+)*(?:open|start|begin|create|make|file|submit|send|raise)\b"
)
_SAME_MATTER = re.compile(r"\W*(?:(?:and|but|so)\W+)*(?:the|it|they|that|this|he|she|there)\b")
_CLEARLY = 0.75  # how strongly a choice has to be made to take the place of another
_TROUBLE = re.compile(
    r"n't\b|n’t\b|\b(?:not|cannot|never|no|dont|cant|isnt|arent|doesnt|wrong|missing|stuck|lost|stolen)\b"
)
_FORMER = re.compile(r"\b(?:existing|old|earlier|previous|other|upcoming|made (?:before|earlier|yesterday))\b")
_APART = re.compile(r"\b(?:new|separate|different)\b")
_ONE_MORE = compiled(
    r"^\W*(?:(?:{filler}|{request}|and|also|then|plus)\W+)*(?:(?:a|one) (?:second|third|further|more)|another|one more|"
    r"an additional|(?<=and )(?:for (?:\w+ ){1,3})?the same(?: again)?)(?: one)?"
    r"(?= (?:for|on|at|this|next|tomorrow|tonight|[a-z]+day)\b)"
)
_TELLING = (Shape.DATE, Shape.TIME, Shape.PEOPLE, Shape.CODE, Shape.EMAIL)


class Starting:
    """Starts the tasks that a message begins."""

    def __init__(
        self,
        draft: Draft,
        message: Message,
        spotter: Spotter,
        names: Names = NO_NAMES,
        pointed: str | None = None,
        *,
        answered: bool = False,
    ) -> None:
        self.draft, self.message, self.spotter, self.names = draft, message, spotter, names
        self.workspace = draft.workspace
        self._pointed = pointed  # what was said last, where the message points to a row that was shown
        self._answered = answered  # whether the talk is on a text that answered, of which more may be told
        self.repeated = False  # what is being done is asked for once more, and nothing else is said
        self.suggested = False  # a task is only offered; what the message tells is looked into as well

    def begin(self) -> list[tuple[Sheet, Sentence]]:
        """The sheets of the tasks that were started or taken up, in order, each with the sentence that did."""
        begun: list[tuple[Sheet, Sentence]] = []
        given = self._evidence()
        spotted = self._spotted(given)
        if self._answered and self.workspace.asked is None and not _named_outright(spotted) and self._only_tells():
            return []  # "I had 9 points", after what an article says of points
        if all(one.strength < _WORDED for one in spotted):
            spotted = self._named(given) or spotted
        for one in self._each(spotted or self._once_more(given) or self._afterwards(given)):
            sheet = None if self._is_begun(one, begun) else self._begin(one, given)
            if sheet is not None:
                begun.append((sheet, one.sentence))
        return begun

    def _only_tells(self) -> bool:
        """Whether the message is nothing but statements, no yes to what is offered, and no trouble that is told."""
        led = answers.lead(self.message.low)
        told = all(sentence.form is Form.STATEMENT for sentence in self.message.sentences)
        return told and led is None and not (said("request", self.message.low) or _TROUBLE.search(self.message.low))

    def _named(self, given: dict[str, set[Shape]]) -> list[Spotted]:
        named = named_rows.named(self.workspace, self.message, given, self.names.titles)
        return named or named_rows.coded(self.workspace, self.message, given, self.names.titles, self._pointed)

    def _each(self, spotted: list[Spotted]) -> list[Spotted]:
        found = values.read(self.message, self.workspace.now, "", self.names)
        return named_rows.apiece(spotted, self.message, self.workspace.specification, found, self.names.titles)

    def _is_begun(self, spotted: Spotted, begun: list[tuple[Sheet, Sentence]]) -> bool:
        """Whether this message began the task already: not where it says another thing of its own about it."""
        same = [sheet for sheet, _ in begun if sheet.worksheet.name == spotted.worksheet.name]
        if not same or spotted.another:
            return False
        if _SAME_MATTER.match(self.message.low[spotted.sentence.start :]):
            return True
        places = [(self._same(same[-1], branch.place), branch.value) for branch in spotted.branches]
        said = [(one.sheet.value(one.field.name), value) for one, value in places if one is not None and _opens(one)]
        closed = any(place is not None and self._is_closed(place) for place, _ in places)
        return not closed and not any(known is not None and known != value for known, value in said)

    def _is_closed(self, place: Place) -> bool:
        return all(one.sheet is not place.sheet for one in self.workspace.places(place.sheet.root))

    def _spotted(self, given: dict[str, set[Shape]]) -> list[Spotted]:
        """The tasks spotted in what is no value: the letters of a code name no subject."""
        claimed = list(self.message.claimed)
        found = values.read(self.message, self.workspace.now, "", self.names, questions=True)
        for kind in (Shape.CODE, Shape.EMAIL):
            for reading in found.sure(kind):
                self.message.claim(reading.start, reading.stop)
        spotted = self.spotter.spot(self.workspace, self.message, given)
        self.message.claimed = claimed
        return spotted

    def _begin(self, spotted: Spotted, given: dict[str, set[Shape]]) -> Sheet | None:
        """The sheet to work on; None where the message goes on with the task that is open."""
        focus = None if self._declines_task() else self.workspace.focus
        offered = self._offered(spotted.worksheet)
        if offered is not None:
            self.draft.add(Confirm(instance=offered.name, yes=True, words=self._words(spotted)))
            self._claim(spotted)
            return offered
        same = focus is not None and focus.worksheet.name == spotted.worksheet.name
        if focus is not None and same and self._is_next(focus, spotted):
            spotted.another = True
        if focus is not None and same and (not spotted.another or self._adds(focus, spotted)):
            return self._goes_on(focus, spotted)
        if focus is not None and (
            self._answers(spotted) or self._changes_focus(focus, spotted, given.get(spotted.worksheet.name, set()))
        ):
            return None
        aside = self._aside(spotted.worksheet)
        if aside is not None and not spotted.another:
            self.draft.add(Resume(instance=aside.name, words=self._words(spotted)))
            self.workspace.focus = aside
            self._claim(spotted)
            return aside
        sheet = self.workspace.new_root(spotted.worksheet)
        if spotted.suggested and focus is None:
            self.draft.offer(sheet, self._words(spotted))
            self._branch(sheet, spotted.branches, self._words(spotted))
            self.suggested = True
            return sheet
        self.draft.open(sheet, self._words(spotted))
        self._claim(spotted)
        self._branch(sheet, spotted.branches, self._words(spotted))
        return sheet

    def _is_next(self, focus: Sheet, spotted: Spotted) -> bool:
        """ "Yes, and book Quorum for Saturday": agrees to one, and orders the same for another row."""
        pending, led = self.workspace.state.pending, answers.lead(self.message.low)
        waits = pending is not None and pending.kind == "confirm" and led is not None and led.answer is Answer.YES
        row = self.workspace.row(focus)
        held = row.sheet.value(row.field.name) if row is not None else None
        if led is None or not waits or not isinstance(held, Entity) or not ordered(self.message, spotted.worksheet):
            return False
        rest = self.message.low[led.stop :]
        others = [one for one in named_rows.mentions(rest, self.names.titles) if one.value != held.title]
        return bool(others) and re.search(r"\b(?:but|instead|rather|not)\b", rest) is None

    def _adds(self, focus: Sheet, spotted: Spotted) -> bool:
        """ "Enroll me in CS 102, too": one more of what the open task takes several of, not another task."""
        if _APART.search(self.message.low[spotted.sentence.start : spotted.sentence.stop]):
            return False
        kinds = [place.sheet.worksheet.name for place in self.workspace.places(focus) if place.shape is Shape.CODE]
        found = values.read(self.message, self.workspace.now, "", self.names)
        return len(kinds) > len(set(kinds)) and bool(found.of(Shape.CODE))

    def _goes_on(self, focus: Sheet, spotted: Spotted) -> Sheet | None:
        """The task is open already: what the message chooses inside it is taken up where nothing was chosen yet."""
        asked = self.workspace.asked
        if self._asks_for_nothing_else(spotted):
            self.message.claim(0, len(self.message.text))
            self.draft.add(Resume(instance=focus.name, words=self._words(spotted)))
            self.repeated = True
            return None
        if asked is not None and asked.shape is Shape.WORDS:
            return None
        open_ = [branch for branch in spotted.branches if self._undecided(focus, branch)]
        self._branch(focus, open_, self._words(spotted))
        if spotted.strength >= _STRONG:
            self._claim(spotted)
        return None

    def _asks_for_nothing_else(self, spotted: Spotted) -> bool:
        """ "Can you open a ticket for that?", while it is being filled in."""
        named = [names for text in (spotted.worksheet.title, spotted.worksheet.verb) for names in meanings(text)]
        words = spoken(self.message.low)
        others = [item for item in words if not any(item.names & one for one in named)]
        return (
            spotted.strength >= _WORDED
            and not spotted.branches
            and _OPENS.match(self.message.low) is not None
            and (len(others) <= _FEW)
        )

    def _undecided(self, root: Sheet, branch: Branch) -> bool:
        place = self._same(root, branch.place)
        if place is None:
            return False
        corrects = said("correction", self.message.low) is not None
        if not corrects and all(one != place for one in self.workspace.places(root)):
            return False  # what was chosen closes it
        on_the_way = all(one.name or corrects or self._may_open(one) for one in place.sheet.path)
        return on_the_way and (not place.known or (corrects and branch.strength >= _CLEARLY))

    def _may_open(self, sheet: Sheet) -> bool:
        return any(place.sheet is sheet for place in self.workspace.places(sheet.root))

    def _answers(self, spotted: Spotted) -> bool:
        """Whether the words are rather the answer that is waited for than the beginning of something else."""
        pending = self.workspace.state.pending
        if pending is None or pending.kind not in ("ask", "clarify", "pick"):
            return False
        asked = self.workspace.asked
        if asked is not None and asked.shape is Shape.WORDS and not said("request", self.message.low):
            return True
        return spotted.strength < _STRONG

    def _changes_focus(self, focus: Sheet, spotted: Spotted, given: set[Shape]) -> bool:
        """ "change it to 4" is about the task that is open, not about the one that changes what was done."""
        changes = any(one & two for one in meanings(spotted.worksheet.verb) for two in meanings("change"))
        takes = {place.shape for place in self.workspace.places(focus)}
        return changes and given <= takes and not spotted.another and not _FORMER.search(self.message.low)

    def _branch(self, root: Sheet, branches: list[Branch], words: str) -> None:
        for branch in sorted(branches, key=lambda item: len(item.place.sheet.path)):
            place = self._same(root, branch.place)
            if place is not None:
                self.draft.assign(place, branch.value, words)

    def choose(self, root: Sheet, branches: list[Branch], words: str) -> None:
        """Makes choices in a task that are not made yet."""
        self._branch(root, [one for one in branches if self._undecided(root, one)], words)

    def _same(self, root: Sheet, place: Place) -> Place | None:
        """The place of another tree in this one."""
        path = [(one.worksheet.name, one.held_by.name if one.held_by else "") for one in place.sheet.path]
        for sheet in root.tree():
            if [(one.worksheet.name, one.held_by.name if one.held_by else "") for one in sheet.path] == path:
                return self.workspace.place(sheet, place.field.name)
        return None

    def _declines_task(self) -> bool:
        """Whether it is the task in focus that is only offered, and declined."""
        focus = self.workspace.focus
        proposed = focus is not None and focus.instance and focus.instance.status is InstanceStatus.PROPOSED
        return bool(proposed) and self._declines()

    def _declines(self) -> bool:
        """ "No, I want to …" begins another task than the one that is offered."""
        pending, led = self.workspace.state.pending, answers.lead(self.message.low)
        return pending is not None and pending.kind == "propose" and led is not None and led.answer is Answer.NO

    def _offered(self, worksheet: Worksheet) -> Sheet | None:
        pending = self.workspace.state.pending
        if pending is None or pending.kind != "propose" or self._declines():
            return None
        sheet = self.workspace.sheet(pending.instance)
        return sheet if sheet is not None and sheet.worksheet.name == worksheet.name else None

    def _aside(self, worksheet: Worksheet) -> Sheet | None:
        """The task of the kind that was set aside last."""
        for sheet in reversed(self.workspace.roots):
            status = sheet.instance.status if sheet.instance else None
            if sheet.worksheet.name == worksheet.name and status is InstanceStatus.SUSPENDED:
                return sheet
        return None

    def _afterwards(self, given: dict[str, set[Shape]]) -> list[Spotted]:
        """ "actually, make it 7" when the task is done: the task that changes what was done, where there is one."""
        if (
            self.workspace.focus is not None
            or not self.workspace.finished()
            or not said("correction", self.message.low)
        ):
            return []
        for task in startable(self.workspace.specification):
            changes = any(one & two for one in meanings(task.verb) for two in meanings("change"))
            told = self.message.of(*TOLD)
            low = self.message.masked(*TOLD)
            if changes and told and (given.get(task.name) or numbers.read(low)):
                return [Spotted(task, _STRONG, told[0])]
        return []

    def _once_more(self, given: dict[str, set[Shape]]) -> list[Spotted]:
        """ "And a second one on Saturday": one more of what is worked on, for a day that is told with it."""
        focus = self.workspace.focus
        if focus is None or Shape.DATE not in given.get(focus.worksheet.name, ()):
            return []
        told = [one for one in self.message.of(*TOLD) if _ONE_MORE.search(self.message.low[one.start : one.stop])]
        return [Spotted(focus.worksheet, _STRONG, told[0], another=True)] if told else []

    def _evidence(self) -> dict[str, set[Shape]]:
        """For each task, the shapes of its fields that the message surely has values for."""
        specification = self.workspace.specification
        found = values.read(self.message, self.workspace.now, "", self.names, questions=True)
        sure = {kind for kind in _TELLING if found.sure(kind) or (kind is Shape.PEOPLE and found.of(kind))}
        evidence = {}
        for task in startable(specification):
            sheets = Workspace(specification, self.workspace.state, self.workspace.now).new_root(task)
            shapes = {shape(one, specification) for sheet in sheets.tree() for one in sheet.worksheet.fields}
            evidence[task.name] = shapes & sure
        return evidence

    def _claim(self, spotted: Spotted) -> None:
        for start, stop in spotted.claims:
            self.message.claim(start, stop)

    def _words(self, spotted: Spotted) -> str:
        return self.message.words(spotted.sentence.start, spotted.sentence.stop)


def _named_outright(spotted: list[Spotted]) -> bool:
    """Whether some task is named so strongly that no more has to be said for it."""
    return any(one.strength >= _STRONG for one in spotted)


def _opens(place: Place) -> bool:
    """Whether the field decides which nested worksheets there are."""
    gates = [child.held_by.predicate for child in place.sheet.children if child.held_by is not None]
    return any(place.field.name in gate for gate in gates)
