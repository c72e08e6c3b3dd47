"""Changes that name no new value, or another field's: "swap them", "same as the first", "change the date"."""

from __future__ import annotations

import re

from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers import choices
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.similarity import meanings, shared, telling
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.workspace import SETTLES, Place, Sheet, Workspace
from agent.worksheets.statements import Clear, Decline

REMOVES = (
    r"(?:skip|leave out|drop|scrap|ditch|scratch|omit|cut|strike|remove|delete|erase|take (?:out|off|away)|get rid of)"
)
"""How a message begins that takes out what was put down."""
_NAMED = compiled(
    r"\b(?:change|switch|update|modify|edit|fix|correct|adjust|alter|different|redo) (?:just |"
    r"only )?(?:the|my|our|its)? ?"
    r"(?P<label>[a-z'-]+(?: (?!(?:to|into|from|with|for|by|is|was|as)\b)[a-z'-]+){0,3})|\b(?:the|my|"
    r"our) (?P<label2>[a-z'-]+(?: [a-z'-]+){0,3}?)(?: is| was|'s) (?:{wrong})"
)
_REMOVED = re.compile(
    r"\b(?:remove|delete|erase|clear|take (?:off|out|away)|get rid of|leave out)\s+(?:the|my|our|that|any)?\s*"
    r"(?P<label>[a-z'-]+(?: [a-z'-]+){0,3})"
)
_WITHOUT = compiled(
    r"^\W*(?:(?:{filler}|yes|yeah|no,|but)\W+)*(?:no|without|skip|leave out|drop|"
    r"(?:please )?(?:don'?t|do not) (?:use|add|include|need|want|give(?: them| out)?)|i (?:have no|don'?t have)|"
    r"there(?:'s| is) no) (?:the|my|an?|any)? ?(?P<label>[a-z][a-z'-]*(?: [a-z'-]+){0,2}?)"
    r"\W*(?:(?:{filler}|needed|necessary|for (?:me|now|this|us))\W*)*$"
)
UNNAMED = compiled(r"^\W*(?:(?:{filler}|yes|no|but)\W+)*(?:{anonymous})\W*(?:{filler}\W*)*$")
_LABEL = r"[a-z'-]+(?: [a-z'-]+){0,2}"
_EMPTY = compiled(
    rf"\b(?:the |my |our )?(?P<label>{_LABEL}?) (?:should|can|must|may|(?:has|have|needs?|is|are) to)(?: just| all)? "
    r"(?:be|stay|remain|be left|be kept) (?:empty|blank|out)\b|"
    rf"\b(?:leave|keep)(?: please)? (?:the |my |our )?(?P<label2>{_LABEL}?) (?:empty|blank|out)\b|"
    r"\b(?:put|write|add|enter) (?:nothing|none)(?: at all)? (?:in|into|for|under|as|to) (?:the |my |our )?"
    rf"(?P<label3>{_LABEL})|"
    rf"\b(?:take|remove|delete|get|strip|leave) (?:out )?(?:my|the|that|this|it|his|her)(?: [a-z'-]+){{0,3}}? "
    rf"(?:out of|from|off) (?:the |my |our )?(?P<label4>{_LABEL})\W*$"
)
_TAKEN_OUT = compiled(  # "take that out": of what was put down in somebody's own words
    r"^\W*(?:(?:{filler}|yes|yeah|no|but|can you|could you)\W+){0,4}"
    r"(?:(?:take|leave|cut|strike|cross|get) (?:that|it|this)"
    r"(?: (?:part|bit|note|one))? (?:out|off|away)|(?:take (?:out|off|away)|remove|delete|erase|leave out|cut|strike) "
    r"(?:that|it|this)(?: (?:part|bit|note|one))?|without (?:that|it|this)|"
    r"(?:that|it|this) (?:should|can|must) (?:go|be removed)|"
    r"i (?:don'?t|no longer) (?:need|want) (?:that|it|this)(?: (?:any ?more|in there|after all))?)"
    r"\W*(?:(?:{filler}|again|after all)\W*)*$"
)
_NOT_WANTED = compiled(
    r"(?:^|[,;.]|\b(?:and|but)\b)\W{0,4}(?:(?:{filler}|yes|but|can you|could you)\W{1,4}){0,3}"
    rf"(?:no(?: more)?|without|{REMOVES}|cancel|forget|"
    r"(?:we |i )?(?:don'?t|do not|no longer) (?:need|want|add|include|have)) "
    r"(?P<what>(?:the |my |our |any |an? |that )?[a-z][a-z' -]{0,40}?)"
    r"(?: (?:any ?more|after all|please|needed|either))*"
    r"(?=\W*(?:$|[,;.!]|\b(?:and|but)\b))|\btake (?P<what2>(?:the|my|our|that) [a-z][a-z' -]{0,40}?) (?:out|off|away)\b"
)
_GOES_ON = re.compile(r"^\s*(?:to|into|with|for|from|as|by|so)\b[\s:,]*\S|^\s*[,;.:]\s*(?:it|should|make|i)\b")
_NUMBERS = (Shape.NUMBER, Shape.PEOPLE, Shape.TIME)
_LIST = compiled(r"^\W*(?:(?:just|only|it'?s|no|the|my)\W+)*(?P<label>[a-z'-]+(?: [a-z'-]+){0,2})\W*$")
_ORDINAL = re.compile(rf"\b(?P<nth>{'|'.join(choices.ORDINALS)}|other|previous)\b")
_ALIKE = 0.34  # share of a field's own words that names it


class Correcting:
    """Reads the changes of one message to one task."""

    def __init__(self, draft: Draft, message: Message, root: Sheet) -> None:
        self.draft, self.message, self.root = draft, message, root
        self.workspace: Workspace = draft.workspace
        self.places = self.workspace.places(root)

    def swap(self) -> bool:
        """The values of two fields, or of one field in two sheets, change places."""
        if not said("swap", self.message.low):
            return False
        pair = self._pair()
        if pair is None:
            return False
        first, second = (place.sheet.value(place.field.name) for place in pair)
        if first == second:
            return False
        self.draft.assign(pair[0], second, self.message.text.strip())
        self.draft.assign(pair[1], first, self.message.text.strip())
        return True

    def _pair(self) -> tuple[Place, Place] | None:
        known = [place for place in self.places if place.known and place.shape is not Shape.ROW]
        pairs = [(one, two) for index, one in enumerate(known) for two in known[index + 1 :] if _twins(one, two)]
        if not pairs:
            return None
        scores = telling(self.message.low, [f"{called(one.field)} {called(two.field)}" for one, two in pairs])
        best = max(range(len(pairs)), key=lambda index: (scores[index], _differ(pairs[index]), index))
        return pairs[best]

    def same(self) -> bool:
        """ "same as the first": the asked field, or the named ones, get the value they have in a sheet of the kind."""
        if not said("alike", self.message.low):
            return False
        asked = self.workspace.asked
        sheet = asked.sheet if asked else None
        if sheet is None:
            return False
        others = [
            one
            for one in self.root.tree()
            if one.worksheet.name == sheet.worksheet.name and one is not sheet and one.name
        ]
        nth = _ORDINAL.search(self.message.low)
        index = choices.ORDINALS.get(nth["nth"], -1) if nth else -1
        filled = [one for one in others if one.instance is not None and one.instance.slots] or self._before(sheet)
        if not filled or not -len(filled) <= index < len(filled):
            return False
        source = filled[index]
        fields = [field for field in sheet.worksheet.fields if source.value(field.name) is not None]
        named_place = named(self.workspace.own(sheet), self.message.low)
        chosen = (
            [named_place]
            if named_place
            else [place for place in self.workspace.own(sheet) if place.field in fields and not place.known]
        )
        if (
            asked is not None
            and not named_place
            and not re.search(r"\b(?:everything|all|for everything|both)\b", self.message.low)
        ):
            chosen = [asked]
        for place in chosen:
            if (value := source.value(place.field.name)) is not None:
                self.draft.assign(place, value, self.message.text.strip())
        return bool(chosen)

    def _before(self, sheet: Sheet) -> list[Sheet]:
        """The sheets of the kind in tasks that were done."""
        done = [item for item in self.workspace.state.instances if item.worksheet == sheet.worksheet.name]
        return [Sheet(sheet.worksheet, item, name=item.name) for item in done if item.name != sheet.name]

    def without(self) -> bool:
        """ "No e-mail", said of a field that was not asked for now: it is left out where it need not be there."""
        self._without_in_passing()
        if self._taken_out():
            return not re.search(r"\w{2}", self.message.rest(0, len(self.message.text)))
        match = _WITHOUT.match(self.message.low)
        pending = self.workspace.state.pending
        if (empty := _EMPTY.search(self.message.low)) is not None:
            return self._emptied(empty)
        if pending is not None and pending.kind not in SETTLES:
            return False
        places = [one for one in self.places if one.opened and not one.field.required]
        if UNNAMED.match(self.message.low):
            place = next((one for one in places if one.shape is Shape.PERSON), None)
        else:
            place = named(places, match["label"]) if match is not None else None
        if place is None:
            return False
        words = self.message.text.strip()
        self.draft.add(Decline(instance=place.sheet.name, field=place.field.name, words=words))
        self.message.claim(0, len(self.message.text))
        return True

    def _without_in_passing(self) -> None:
        """ "…, and no further details", where there are some: they go, whatever else the message says."""
        known = [one for one in self.places if one.opened and one.known and not one.field.required]
        for piece in re.finditer(r"[^,;.!?]+", self.message.low):
            match = _WITHOUT.match(piece.group())
            place = named(known, match["label"]) if match is not None and known else None
            if place is not None and piece.group() != self.message.low:
                self.draft.add(Decline(instance=place.sheet.name, field=place.field.name, words=piece.group().strip()))
                self.message.claim(*piece.span())

    def _taken_out(self) -> bool:
        """ "Take that out", "without the high chair": what was put down in somebody's own words goes, or that part."""
        put_down = [
            one
            for one in self.places
            if one.opened and one.shape is Shape.WORDS and not one.field.required
            and isinstance(one.sheet.value(one.field.name), str)
        ]  # fmt: skip
        if put_down and _TAKEN_OUT.match(self.message.low):
            self._take_out(put_down[-1], "", (0, len(self.message.text)))
            return True
        for match in _NOT_WANTED.finditer(self.message.low):
            what = match["what"] or match["what2"]
            for place in put_down:
                if meanings(what) and shared(str(place.sheet.value(place.field.name)).lower(), what) == 1.0:
                    self._take_out(place, what, match.span())
                    return True
        return False

    def _take_out(self, place: Place, what: str, span: tuple[int, int]) -> None:
        words = self.message.words(*span)
        parts = re.split(r"\s*[;,]\s*|\s+and\s+", str(place.sheet.value(place.field.name)))
        kept = [part for part in parts if what and shared(part.lower(), what) == 0.0]
        if kept:
            self.draft.assign(place, "; ".join(kept), words)
        else:
            self.draft.add(Decline(instance=place.sheet.name, field=place.field.name, words=words))
        self.message.claim(*span)

    def _emptied(self, match: re.Match[str]) -> bool:
        """ "The further details should be empty": so is what was put there."""
        label = next(filter(None, match.groups()), "")
        place = named([one for one in self.places if one.opened and not one.field.required], label)
        if place is None:
            return False
        self.draft.add(Decline(instance=place.sheet.name, field=place.field.name, words=match.group()))
        self.message.claim(*match.span())
        return True

    def taken_back(self, found: Values) -> bool:
        """ "the time is wrong", "change the date": the value goes, and is asked for again. With a new value, that is
        the change."""
        low = self.message.masked(*TOLD)
        removed = _REMOVED.search(low)
        match = removed or _NAMED.search(low)
        pending = self.workspace.state.pending
        if match is None and pending is not None and pending.kind == "clarify":
            match = _LIST.match(low)
        if match is None or _GOES_ON.match(low[match.end() :]):
            return False
        groups = match.groupdict()
        label = groups.get("label") or groups.get("label2") or ""
        place = named([one for one in self.places if one.known], label)
        if place is None or found.sure(place.shape) or (place.shape in _NUMBERS and found.of(Shape.NUMBER)):
            return False
        if place.shape is Shape.CHOICE and choices.differs(
            low, place.field.enum_values, place.sheet.value(place.field.name)
        ):
            return False
        goes = Decline if removed is not None and not place.field.required else Clear
        self.draft.add(goes(instance=place.sheet.name, field=place.field.name, words=match.group().strip()))
        self.message.claim(*match.span())
        return True


KINDS: dict[Shape, str] = {
    Shape.DATE: "date day",
    Shape.TIME: "time hour",
    Shape.PEOPLE: "people party guests size number persons",
    Shape.EMAIL: "email address contact",
    Shape.PHONE: "phone number contact",
    Shape.PERSON: "name",
    Shape.IDENTIFIER: "number id",
    Shape.CODE: "course class",
}


def named(places: list[Place], label: str) -> Place | None:
    """The field that is called by its label, or near enough."""
    if not places or not meanings(label):
        return None
    scores = telling(label, [called(place.field) for place in places])
    more = telling(label, [f"{place.field.description} {KINDS.get(place.shape, '')}" for place in places])
    scores = [max(one, 0.8 * other) for one, other in zip(scores, more, strict=True)]
    best = max(range(len(places)), key=lambda index: (scores[index], index))
    if scores[best] >= _ALIKE:
        return places[best]
    kinds = [place for place in places if shared(KINDS.get(place.shape, ""), label) > 0]
    return kinds[0] if len(kinds) == 1 and len(label.split()) == 1 else None


def _twins(one: Place, two: Place) -> bool:
    """The same field of two sheets of a kind, or two fields of a sheet with a word of their names in common."""
    if one.shape is not two.shape:
        return False
    if one.sheet is two.sheet:
        return bool(set(one.field.name.split("_")) & set(two.field.name.split("_")))
    return one.field.name == two.field.name and one.sheet.worksheet.name == two.sheet.worksheet.name


def _differ(pair: tuple[Place, Place]) -> bool:
    one, two = pair
    return bool(one.sheet.value(one.field.name) != two.sheet.value(two.field.name))
