"""Values of plain text that are put right: "change the problem to: …", "it should be Ann Lee", "Park, not Parks"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from agent.parsing.tasks.correcting import named
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.earlier_problem import is_text
from agent.parsing.tasks.message import TOLD, Form, Message
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers, choices, words
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.similarity import telling
from agent.parsing.tasks.workspace import SETTLES, Place, Sheet, Workspace

_LABEL = r"[a-z'-]+(?: [a-z'-]+){0,3}?"
_OPENS = r"(?:(?:{filler}|{no}|{yes})[\s,.!;:-]+)*"
_IS = r"(?:is|was|are|should be|should have been|should (?:say|read)|needs to be|must be|ought to be|has to be)"
_MARKS = r"(?:actually |really |supposed to be |meant to be |spelled |spelt |written |now |just |that (?!is\b|was\b))*"
_CHANGED = compiled(  # "change the name to …"
    rf"\b(?:{{changing}}|correct)(?: (?:it|that))? ?(?:the|my|our|his|her|its)? ?(?P<label>{_LABEL})"
    rf"(?:\s*[,:;–—-]\s*(?:(?:it|that) {_IS}|it's|to)|\s*:| (?:to(?: (?:be|say|read))?|is|as|into|with|for|{_IS}))"
    rf"[\s:,]+{_MARKS}(?=\S)"
)
_DETERMINED = compiled(  # "my name is …"
    rf"\b(?:the|my|our|his|her|its) (?P<label>{_LABEL})"
    r"(?: (?:isn't|is not|wasn't|was not) [^,;.]+[,;] (?:but |rather )?(?:it's|it is|it was)\b|"
    rf"\s*:| {_IS}(?: that (?!is\b|was\b))?[\s:,])\s*{_MARKS}(?=\S)"
)
_BARE = compiled(rf"^\W*{_OPENS}(?P<label>{_LABEL})(?:\s*[:=]| {_IS}[\s:,])\s*{_MARKS}(?=\S)")  # "name: …"
_INVERSE = compiled(
    rf"^\W*{_OPENS}(?!(?:it|that|this|which|what|who|where|there)\b)(?P<value>\S+(?: \S+){{0,4}}?) {_IS} "
    rf"(?:the|my|our) (?:real |right |correct |actual |proper )?(?P<label>{_LABEL})\W*$"
)
_AS = compiled(  # "put Ann Lee as the name"
    rf"\b(?:put|use|write|enter|set|take)(?: down)? (?P<value>\S+(?: \S+){{0,4}}?) (?:as|for|under|in) (?:the|my|our) "
    rf"(?P<label>{_LABEL})\W*$"
)
_ADDS = compiled(
    rf"^\W*{_OPENS}(?:(?:{{request}}|also|please|you)[\s,]+)*(?:add|mention|note|include|say|tell them|let them know)"
    r"(?: (?:also|a (?:note|comment)|there|to it))*(?: that\b|\s*:)[\s:,]*(?=\S)"
)
_SAYS = compiled(
    rf"^\W*{_OPENS}(?:(?:(?:it|that|this) {_IS}|(?:it|that)'s|i (?:said|meant?|typed|wrote)|"
    r"(?:(?:can|could|would) you (?:please )?|please )?(?:(?:make|change|correct|set) (?:it|that)(?: to)?|"
    r"(?:re)?name me(?: to| as)?|call me)|"
    r"you (?:misspelled|misspelt|mistyped|misheard|got) (?:it|that|me|my name)(?: wrong)?|"
    r"put(?: down)?|write(?: down)?|use|spelled|spelt|written)[\s:,]+)?"
    r"(?:(?:actually|really|spelled|spelt|written|just|now|as|supposed to be) )*"
)
_AFTER = compiled(
    r"^[\s,;:-]*(?:and |but )?(?:to|with|by|into|(?:it|that) (?:is|should be)|it's|use|put|write|rather)?[\s,:]+"
)
_BEFORE = compiled(rf"^.*\b(?:{_IS}|said|meant?|spelled|spelt|'s|use|write|put|to)[\s:,]+")
_ENDS = compiled(
    r"[\s,;.]*(?:,|;|\.|\b(?:and|but|then|also)\b)(?: ?(?:and|but|then|also|please))* "
    r"(?=(?:{removing}|{changing}) (?:the|my|our|any)\b)"
)
_COURTESY = compiled(r"[\s,.!]+(?:please|pls|thanks?(?: you)?|thx|instead)\W*$")
_PART = re.compile(r"\b(?:sur|fore)name\b")
_LETTERS = re.compile(r"\w(?:[-. ]\w)+$")
_SURNAME, _FORENAME = "(?:last|family|sur|second) ?name", "(?:first|given|fore|christian) ?name"
_UNTIL = compiled(r"(?<!\s)\s*+(?:(?:[,;]|\b(?:and|but)\b)\s*+)?\b(?:not|instead of|rather than)\b.*$")
_OWN = compiled(rf"(?:the|my|our) (?P<label>{_LABEL}) (?:is|was)\s")
_WRONG = compiled(r"^\W*(?:{wrong}|missing|empty|gone)\W*$")
_TEXTS = (Shape.PERSON, Shape.WORDS, Shape.CODE, Shape.IDENTIFIER)
_SPELT_ALIKE = 0.6  # of two words of which one is the other put right


class Restating:
    """Reads the new values that one message has for what one task holds already."""

    def __init__(self, draft: Draft, message: Message, root: Sheet) -> None:
        self.draft, self.message = draft, message
        self.workspace: Workspace = draft.workspace
        self.root, self.places = root, self.workspace.places(root)

    def read(self) -> bool:
        """Values of names and texts, however they are told; whether the message says nothing else."""
        told = [self.denied(), self.labelled((Shape.PERSON, Shape.WORDS))]
        pending = self.workspace.state.pending
        if not any(told) and pending is not None and pending.kind in SETTLES:
            told.append(self.added() or self.alone())
        rest = self.message.rest(0, len(self.message.text)).lower()
        return any(told) and (not re.search(r"\w", rest) or answers.whole(rest) is not None)

    # -- by the name of the field --------------------------------------------------------------------------------------

    def labelled(self, shapes: tuple[Shape, ...] = _TEXTS) -> bool:
        """ "Change my name to Ann Lee", "problem: it hangs", "Ann Lee is my name"."""
        known = [one for one in self.places if one.shape in shapes and (one.known or self._may_follow(one))]
        found = list(self._openings(known))
        told = False
        place: Place | None
        for index, (place, start, first) in enumerate(found):
            stop = found[index + 1][1] if index + 1 < len(found) else self._end(first)
            told = self._tell(place, start, first, stop) or told
        match = None if found else _INVERSE.match(self.message.low) or _AS.search(self.message.low)
        if match is not None:
            place = named([one for one in known if one.shape is Shape.PERSON], match["label"])
            start, stop = match.span("value")
            told = place is not None and self._tell(place, start, start, stop)
            if told:
                self.message.claim(*match.span())
        return told

    def _may_follow(self, place: Place) -> bool:
        """What was left out can be told by its name once all is shown."""
        pending = self.workspace.state.pending
        return place.opened and not place.field.required and pending is not None and pending.kind in SETTLES

    def _openings(self, known: list[Place]) -> Iterator[tuple[Place, int, int]]:
        """The fields that are named before a value, with where their words and the value begin."""
        low = self.message.masked(*TOLD)
        found: list[tuple[Place, int, int]] = []
        for pattern in (_CHANGED, _DETERMINED, _BARE):
            at = 0
            while (match := pattern.search(low, at)) is not None:
                at = match.end("label")
                place = named(known, _PART.sub("name", match["label"]))
                if place is not None and pattern is _BARE and not _is_called(place, match["label"]):
                    continue
                inside = any(start < match.end() and match.start() < first for _, start, first in found)
                denied = low[match.end() :].startswith("not ")  # "the day is not the 3rd, the day is …"
                if place is None or inside or denied or self.draft.assigned(place):
                    continue
                if not any(one.sheet is place.sheet and one.field is place.field for one, _, _ in found):
                    found.append((place, match.start(), match.end()))
        last = -1
        for place, start, first in sorted(found, key=lambda item: item[1]):
            joined = last < 0 or re.search(r"(?:[,;.!?]|\band|\balso|\bthen|\bbut)\s*$", low[last:start]) is not None
            if joined:
                yield place, start, first
                last = first

    def _end(self, first: int) -> int:
        """Where a value ends that begins at `first`: before a question, or before something else that is to be done."""
        stop = min((one.start for one in self.message.of(Form.QUESTION) if one.start > first), default=None)
        stop = len(self.message.low) if stop is None else stop
        other = _ENDS.search(self.message.low, first, stop)
        return other.start() if other is not None else stop

    def _tell(self, place: Place, start: int, first: int, stop: int) -> bool:
        raw = self.message.text[first:stop]
        raw = re.sub(r"[\s,;]+(?:and|but|also|then)?\s*$", "", raw)
        value = self._value(place, raw, self.message.low[start:first])
        if value is None:
            return False
        self.draft.assign(place, value, raw.strip())
        self.message.claim(start, stop)
        return True

    def _value(self, place: Place, raw: str, label: str) -> str | None:
        """What a field of text is told to be, after the words that name it; None where the words are no value of it."""
        if not re.search(r"\w", raw) or _WRONG.match(raw.lower()):
            return None
        if place.shape is Shape.PERSON:
            return self._person(place, _UNTIL.sub("", raw).rstrip(" ?!"), label)
        if place.shape is not Shape.WORDS:
            return words.free(raw)
        plain = _COURTESY.sub("", raw.strip()).strip().strip('"“”')
        if (said := _OWN.match(label)) is not None and not _is_called(place, said["label"]):
            plain = f"{said.group().strip()} {raw.strip()}"  # "the error is 504", of a problem
        return plain if plain.count(".") > 1 else plain.rstrip(".")

    @staticmethod
    def _person(place: Place, raw: str, label: str) -> str | None:
        """A name; of one word, what it is of the name that is known: the last by "surname", else the one it is like."""
        spelled = _LETTERS.match(raw.strip(" ."))
        name = words.name(raw) if spelled is None else re.sub(r"\W", "", raw).capitalize()
        value = place.sheet.value(place.field.name)
        if name is None or " " in name or not isinstance(value, str) or " " not in value:
            return name
        last, first = (re.search(rf"\b(?:{names})\b", label) is not None for names in (_SURNAME, _FORENAME))
        parts = value.split()
        old = parts[-1] if last else parts[0] if first else _closest(value, name)
        return name if old is None else _mended(value, old, name)

    # -- by the value it had -------------------------------------------------------------------------------------------

    def denied(self) -> bool:
        """ "Lee Parks, not Park", "not Ann but Anna": what is denied tells the field, and which of its words."""
        for place in self.places:
            value = place.sheet.value(place.field.name)
            if place.shape is not Shape.PERSON or not isinstance(value, str) or self.draft.assigned(place):
                continue
            for old in dict.fromkeys((value, *value.split())):
                word = re.escape(old.lower())
                pattern = rf"\b(?:(?:not|instead of|rather than) {word}(?![\w'-])|"
                pattern += rf"(?:replace|change|from) {word}(?= (?:to|with|by|into)\b))"
                match = re.search(pattern, self.message.low)
                new = self._instead(*match.span()) if match is not None else None
                if new is not None:
                    self.draft.assign(place, _mended(value, old, new), self.message.text.strip())
                    return True
        return False

    def _instead(self, start: int, stop: int) -> str | None:
        """The name that stands before what is denied, or after it."""
        text = self.message.text
        before = re.split(r"[.;!?]\s", text[:start])[-1]
        first = start - len(before)
        lead = _BEFORE.match(before.lower())
        before = before[lead.end() :] if lead is not None else before
        after = re.split(r"[.;,!?](?:\s|$)", text[stop:].lstrip(" ,"))[0]
        last = stop + len(text[stop:]) - len(text[stop:].lstrip(" ,")) + len(after)
        follows = _AFTER.match(f" {after.lower()}")
        after = after[follows.end() - 1 :] if follows is not None else after
        for said, span in ((before, (first, stop)), (after, (start, last))):
            told = words.free(re.sub(r"[\s,]+(?:and|but)?\s*$", "", said))
            name = words.name(told) if told[:1].isupper() or text.islower() else None
            if name is not None and answers.whole(told.lower()) is None:
                self.message.claim(*span)
                return name
        return None

    # -- beside what it holds ------------------------------------------------------------------------------------------

    def added(self) -> bool:
        """ "Please mention that …": more of the text that the task as a whole takes, once all is shown."""
        match = _ADDS.match(self.message.low)
        texts = [one for one in self.places if is_text(one) and not one.field.required and one.sheet is self.root]
        if match is None or not texts or self.message.of(Form.QUESTION):
            return False
        place, raw = texts[-1], self.message.text[match.end() :]
        known, value = place.sheet.value(place.field.name), self._value(place, raw, "")
        if value is None:
            return False
        self.draft.assign(place, f"{str(known).rstrip('. ')}. {value}" if known else value, raw.strip())
        self.message.claim(0, len(self.message.text))
        return True

    # -- by what it looks like -----------------------------------------------------------------------------------------

    def alone(self) -> bool:
        """ "It should be Ann Lee", where one name is shown: a name in full, or a word that puts one of its words
        right."""
        known = [one for one in self.places if one.shape is Shape.PERSON and one.known]
        lead = _SAYS.match(self.message.low)
        told = self.message.of(Form.STATEMENT, Form.SUGGESTION, Form.REQUEST)
        if len(known) != 1 or lead is None or len(told) < len(self.message.sentences):
            return False
        raw = self.message.text[lead.end() :].strip(" .!,")
        if not raw or (lead.end() == 0 and " " not in raw):
            return False
        place, value = known[0], str(known[0].sheet.value(known[0].field.name))
        name = words.name(raw)
        if name is None or any(not word[:1].isupper() for word in raw.split()) or self._is_something_else(raw):
            return False
        old = _closest(value, name) if " " not in name else value
        if old is None:
            return False
        self.draft.assign(place, _mended(value, old, name), raw)
        self.message.claim(0, len(self.message.text))
        return True

    def _is_something_else(self, raw: str) -> bool:
        """Whether words are one of the choices of a field, or what a field is called."""
        fields = [one.field for one in self.places]
        written = any(choices.written(raw.lower(), field.enum_values) for field in fields if field.enum_values)
        return written or max(telling(raw, [called(field) for field in fields]), default=0.0) > 0


def _is_called(place: Place, label: str) -> bool:
    """Whether a field is called by a label in full: without "the", anything else may begin so."""
    return set(label.split()) <= set(re.findall(r"[a-z'-]+", called(place.field)))


def _mended(value: str, old: str, new: str) -> str:
    """A name with one of its words put right; the new one, where that is a name in full."""
    if " " in new or old == value:
        return new
    return " ".join(new if word == old else word for word in value.split())


def _closest(value: str, new: str) -> str | None:
    """The word of a name that another one puts right."""
    scores = {word: SequenceMatcher(None, word.lower(), new.lower()).ratio() for word in value.split()}
    best = max(scores, key=lambda word: scores[word])
    return best if scores[best] >= _SPELT_ALIKE else None
