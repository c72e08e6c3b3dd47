"""Another of a kind in the place of one that was chosen: "swap CS 152 for CS 238", "not the second one, make that …".

What is to give way is told by its code, its title, its place, or by pointing to it. Where it can be any of several, it
is asked which.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.language import Conversation
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers.choices import ORDINALS
from agent.parsing.tasks.readers.contact import bare_code
from agent.parsing.tasks.selection import Limiting
from agent.parsing.tasks.values import Names
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.reading import Reading
from agent.worksheets.state import Choice
from agent.worksheets.statements import Unclear

_SEVERAL = 2
_TELLING = 4  # letters of a word that tells a title
_VERB = r"(?:swap|switch|chang|replac|exchang|trad|substitut)(?:e|es|ed|ing|ping|ped)?"
_DENIES = r"(?:instead of|rather than|in (?:the )?place of|in lieu of|not|no longer|forget(?: about)?|scrap)"
_TO = r"(?:to|for|with|by|into|and (?:take|make it|put|use|add)|->|→|=>)"
_ARTICLE = r"(?:(?:the|my|that|this|a|an|course|class|taking|doing|out)\s+)*"
_IS_CHANGED = re.compile(rf"\b{_VERB} {_ARTICLE}$")
_GIVES_WAY = re.compile(rf"\b{_DENIES} {_ARTICLE}$")
_BECOMES = re.compile(
    rf"^(?: (?:one|course|class))?(?:,? (?:out|around|over))?\W*(?:{_TO}|(?:should|must|ought to|has to|needs to) "
    rf"(?:be|have been|become|say|read)|is (?:really|actually|supposed to be))\W+{_ARTICLE}$"
)
_BUT = re.compile(r"^(?: (?:one|course|class))?[,;.!–—-]*\s*(?:\b[\w']+\b\W*){0,6}$")
_IN_PLACE_OF = re.compile(rf"^\W*(?:instead of|rather than|in (?:the )?place of|in lieu of|not|replac\w+) {_ARTICLE}$")
_NOT_THAT = re.compile(r"^\W*(?:instead|rather)\b")
_ADDS = re.compile(r"\b(?:also|too|as well|add|adding|plus|additionally)\b")
_NTH = re.compile(
    rf"\b(?:the )?(?P<nth>{'|'.join(ORDINALS)})(?: (?:one|course|class))?\b(?! (?:year|time|week|quarter|day)\b)"
)
_POINTER = re.compile(
    r"\b(?:one of (?:them|these|those|the (?:two|three|four|courses|classes)|my (?:courses|classes))|(?:it|that|this)"
    r"(?: (?:one|course|class))?|one|one (?:course|class))\b"
)
_ANY_OF = re.compile(r"^one\b")
_CORRECTS = compiled(r"^\W*(?:(?:{filler})\W+)*(?:no|nope|nah|wait|sorry|oops|actually)\b")
_ADDED = re.compile(r"\b(?:and|plus|more) (?:the )?$")
_CLAUSE = re.compile(r"[.;!?,]\s|\b(?:and|then|also|but)\s")
_MADE = re.compile(r"\bmake $")
_INSTEAD = compiled(r"(?<![\w'])(?:instead|rather|i meant?|i mean)(?![\w'])")


@dataclass(frozen=True, slots=True)
class Mention:
    """Where one of them is spoken of; no sheet where the words point to none in particular."""

    start: int
    stop: int
    sheet: Sheet | None


class Replacing:
    """Reads what one message puts in the place of another thing of a kind. `codes` are those it says."""

    def __init__(
        self, draft: Draft, message: Message, root: Sheet, codes: list[Reading], names: Names, held: Conversation
    ) -> None:
        self.draft, self.message, self.codes, self.names, self._conversation = draft, message, codes, names, held
        self._low = message.masked(*TOLD)
        group = Limiting.group_of(root)
        places = [(one, place) for one in group if (place := Limiting.named_by(draft, one)) is not None]
        self.filled: list[tuple[Sheet, Place]] = [(one, place) for one, place in places if place.known and one.name]

    def read(self) -> Message | None:
        """What is left of the message once another thing has its new place; None where it says nothing of the kind."""
        if len(self.filled) < _SEVERAL:
            return None
        mentions = self._mentions()
        new = [one for one in self.codes if not any(_overlap(one, mention) for mention in mentions if mention.sheet)]
        if len({str(one.value) for one in new}) != 1:
            return None
        told = new[-1]
        for mention in mentions:
            if not _overlap(told, mention) and self._takes_its_place(mention, told):
                return self._replace(mention, told)
        says_so = _INSTEAD.search(self._low) is not None or self._corrects(told)
        if not says_so or self._adds() or any(mention.sheet for mention in mentions):
            return None
        return self._replace(Mention(told.start, told.start, None), told)

    # -- what is spoken of ---------------------------------------------------------------------------------------------

    def _mentions(self) -> list[Mention]:
        """By their codes and titles, by their places, and what only points."""
        found = [
            Mention(one.start, one.stop, sheet)
            for one in self.codes
            for sheet, _ in self.filled
            if self._is(sheet, one)
        ]
        for sheet, _ in self.filled:
            found += [Mention(start, stop, sheet) for start, stop in self._titled(sheet)]
        for match in _NTH.finditer(self._low):
            index = ORDINALS[match["nth"]]
            if index < len(self.filled):
                found.append(Mention(*match.span(), self.filled[index][0]))
        apart = [one for one in found if not any(other is not one and _within(one, other) for other in found)]
        pointers = [Mention(*match.span(), None) for match in _POINTER.finditer(self._low)]
        return apart + [one for one in pointers if not any(_overlap(one, other) for other in apart)]

    def _is(self, sheet: Sheet, reading: Reading) -> bool:
        return bare_code(str(reading.value)) in [bare_code(name) for name in self._called(sheet)]

    def _called(self, sheet: Sheet) -> list[str]:
        """What one of them is called: as it is held, as it was said, and the title that was shown beside its code."""
        place = next(place for one, place in self.filled if one is sheet)
        value = str(sheet.value(place.field.name))
        shown = " ".join(turn.agent for turn in self._conversation.past).lower()
        known = [
            title
            for turn in self._conversation.past
            for query in turn.queries
            for key, title in zip(query.keys, query.titles, strict=False)
            if bare_code(key) == bare_code(value)
        ]
        titles = [one for one in self.names.titles if f"{value} {one}".lower() in shown]
        return [name for name in (value, sheet.slot(place.field.name).words, *known, *titles) if name]

    def _titled(self, sheet: Sheet) -> list[tuple[int, int]]:
        """Where the title of one is said, or a word of it that none of the others has."""
        own = {word for name in self._called(sheet) for word in _words(name)}
        others = {
            word for one, _ in self.filled if one is not sheet for name in self._called(one) for word in _words(name)
        }
        told = own - others
        spans = [match.span() for match in re.finditer(r"[^\W\d_]+", self._low) if match.group() in told]
        joined: list[tuple[int, int]] = []
        for start, stop in spans:
            if (
                joined
                and not re.search(r"[,.;!?]", self._low[joined[-1][1] : start])
                and start - joined[-1][1] <= _TELLING
            ):
                joined[-1] = (joined[-1][0], stop)
            else:
                joined.append((start, stop))
        return joined

    # -- what takes its place ------------------------------------------------------------------------------------------

    def _takes_its_place(self, mention: Mention, new: Reading) -> bool:
        """Whether words say that what is new comes in the place of what is mentioned."""
        low = self._low
        if mention.stop <= new.start:
            before, between = low[: mention.start], low[mention.stop : new.start]
            after = low[new.stop :]
            if mention.sheet is None and _MADE.search(before):
                return not re.search(r"\w", between) and not self._adds()
            changed = _IS_CHANGED.search(before) is not None and _BECOMES.match(between) is not None
            denied = mention.sheet is not None and _GIVES_WAY.search(before) is not None and _BUT.match(between)
            becomes = mention.sheet is not None and _BECOMES.match(between) is not None and "should" in between
            instead = mention.sheet is not None and _NOT_THAT.match(after) is not None and self._is_given_up(before)
            return bool(changed or denied or becomes or instead)
        before, between = low[: new.start], low[new.stop : mention.start]
        if mention.sheet is None and not _ANY_OF.match(low[mention.start : mention.stop]):
            return False
        swapped = _IS_CHANGED.search(before) is not None and re.match(rf"^\W*(?:for|with|and) {_ARTICLE}$", between)
        return bool(swapped) or _IN_PLACE_OF.match(between) is not None

    def _corrects(self, new: Reading) -> bool:
        """ "No, CS 239", where all is shown."""
        pending = self.draft.workspace.state.pending
        shown = pending is not None and pending.kind in ("confirm", "clarify")
        return shown and _CORRECTS.match(self._low) is not None and not _ADDED.search(self._low[: new.start])

    @staticmethod
    def _is_given_up(before: str) -> bool:
        """ "Drop CS 152, CS 239 instead"."""
        return re.search(rf"\b(?:drop|remove|delete|leave|cancel|{_DENIES})\b[^.!?]*$", before) is not None

    def _adds(self) -> bool:
        return _ADDS.search(self._low) is not None

    # -- which of them -------------------------------------------------------------------------------------------------

    def _replace(self, mention: Mention, new: Reading) -> Message:
        """Puts what is new in its place, or asks which place that is."""
        sheet = mention.sheet or self._spoken_of(self._low[mention.start : mention.stop])
        words = self.message.words(new.start, new.stop)
        if sheet is None:
            choices = tuple(
                Choice.model_validate({"field": place.field.name, "value": new.value, "instance": one.name})
                for one, place in self.filled
            )
            self.draft.add(Unclear(instance=self.filled[0][0].name, choices=choices, words=self.message.text.strip()))
            return Message(" " * len(self.message.text))
        place = next(place for one, place in self.filled if one is sheet)
        self.draft.assign(place, new.value, words)
        return self._rest(mention, new)

    def _spoken_of(self, pointer: str) -> Sheet | None:
        """The one that "it" is: what is being asked about, else the one that was named last."""
        if _ANY_OF.match(pointer):
            return None
        asked = self.draft.workspace.asked
        filled = [one for one, _ in self.filled]
        if asked is not None and asked.sheet in filled:
            return asked.sheet
        before = self._conversation.past[-1].user.lower() if self._conversation.past else ""
        named = [one for one in filled if any(bare_code(name) in bare_code(before) for name in self._called(one))]
        return named[0] if len(named) == 1 else None

    def _rest(self, mention: Mention, new: Reading) -> Message:
        """The message without what gives way, and what says so: the new one stays, so that what follows is of it."""
        first, last = min(mention.start, new.start), max(mention.stop, new.stop)
        start = max((match.end() for match in _CLAUSE.finditer(self._low[:first])), default=0)
        letters = list(self.message.text)
        for at in (*range(start, new.start), *range(new.stop, last)):
            letters[at] = " "
        return Message("".join(letters), claimed=list(self.message.claimed))


def _overlap(one: Reading | Mention, other: Mention) -> bool:
    return one.start < other.stop and other.start < one.stop


def _within(one: Mention, other: Mention) -> bool:
    return other.start <= one.start and one.stop <= other.stop and (other.stop - other.start) > (one.stop - one.start)


def _words(name: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", name.lower()) if len(word) >= _TELLING]
