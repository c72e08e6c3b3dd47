"""What a question about a catalogue names: the people in it, and things by their titles, whole or in part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile

from rapidfuzz import fuzz

from agent.parsing.frame import Condition
from agent.parsing.semantics import english
from agent.parsing.semantics.names import NameFinder
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text import grammar
from agent.text.frequencies import english_rank
from agent.text.letters import fold

_TITLED = compiled(
    r"(?:(?:professor|prof|dr|instructor|teacher|taught by|with|by)(?: \.)? )*(?:professor|prof|dr|instructor|teacher|"
    r"taught by)(?: \.)? "
    r"(?P<name>[a-z][a-z'-]{2,}(?: [a-z][a-z'-]{2,})?)"
)
_LED = re.compile(r"(?:professor|dr|instructor|taught by|by|with) (?:\. )?$")
_TEACHES = re.compile(r" (?:(?:is|are|will|be|was) )*(?:teaching|teach|teaches|taught)(?=\s|$)")
_CALLED = compiled(r"(?:course|class|one) (?:called|named|titled) (?P<title>[^.,;:!?]+?)(?= [.,;:!?]|$)")
_ASKED = re.compile(
    r"(?:^|[.?!;] )(?:and |so |hi |hello |hey |, )*"
    r"(?:who|what|when|where|why|does|do|did|is|are|was|how|tell|has|can|could|may|will|would|should|whats|compare|"
    r"comparison|difference|any (?:room|space|seats|spots|places) (?:left |open |free )?in|"
    r"which (?:one )?(?:is|are|has|takes|needs|requires|gets)\b(?=.* (?:or|vs|versus) )|"
    r"which (?:quarters?|terms?|seasons?|days?|times?|rooms?|buildings?|professors?|instructors?|profs?)|"
    r"(?:the )?(?:units|credits|workload|hours|rating|schedule|timetable|prerequisites?|instructors?|professors?|room)"
    r"(?: and [a-z]+)? (?:for|of|in))\b"
)
_SEARCHED = re.compile(r"\b(courses|classes|any|class|course)\b(?! called)")
_OF_IT = re.compile(
    r"\b(?:is|does|are|about|of|in|into|for|before|after|teach|teaches|taught|teaching|did|was|take|taking|on|compare|and|or|vs|versus|"
    r"with|between) $"
)
_THE_CLASS = compiled(
    r"(?:the|that) (?P<said>[a-z][a-z+-]+(?: (?:and |of |in )?(?!the )[a-z][a-z+-]+){0,3}?) "
    r"(?:course|class|seminar|workshop|lecture|module|one)"
)
_ASKED_OF = re.compile(r"\b(?:is|are|was|does|do|did|think of|thought of|say about) $")
_SEATS_IN = compiled(  # "how many spots are left in <game theory>"
    r"(?:room|space|seats?|spots?|places?)(?: (?:left|open|free|available|are|is|there|still))* in (?:the )?"
    r"(?P<said>[a-z-]+(?: [a-z-]+){1,3})(?= [?.!]|$)"
)
_WHICH = re.compile(r"^(?:and |so |, )*(?:which|whats? more)\b")
_OTHER_AFTER = re.compile(
    r" (?:, )?(?:(?:(?:much|any|a bit|really) )*(?:[a-z]+er|worse|(?:more|less|better|worse) [a-z]+) (?=than ))?"
    r"(?:or|and|vs|versus|than|with|to) (?:the )?(?P<said>[a-z].*)"
)
_OTHER_BEFORE = re.compile(r"(?P<said>(?:[a-z-]+ ){0,4}?[a-z-]+) (?:, )?(?:or|and|vs|versus|than|with|to) (?:the )?$")
_ALIKE = 80  # of 100, between a surname and one a few letters off
_MOST = 4  # words of a part of a title
_STEM = 5  # letters by which a short form is known: "crypto" of Cryptography
_PLAIN = 4_000  # a title that is one word more frequent than this is a subject before it is a name


class People:
    """Finds names in a column of people, also those the value memory does not have, when a title introduces them."""

    def __init__(self, table: str, column: str, names: tuple[str, ...]) -> None:
        self.table, self.column = table, column
        self._names = names
        self._known = NameFinder(table, column, names, frozenset(), single=False)

    def __call__(self, board: Board) -> None:
        self._known(board)
        for match in board.find(_TITLED):
            first = board.text.token_at(match.start("name"))
            tokens = board.text.tokens[first : first + len(match["name"].split())]
            proper = list(takewhile(lambda t: t.raw[:1].isupper(), tokens))
            proper = proper or list(takewhile(lambda t: self._surname(t.norm), tokens))
            if proper:
                _, stop = board.text.span(first, first + len(proper))
                start = match.start("name")
                self._add(board, (match.start(), stop), self._whole(board.words(start, stop)))
        for mention in board.mentions:
            before = _LED.search(board.norm[: mention.start])
            if mention.slot.endswith(self.column) and before:
                board.claim(before.start(), mention.start)
            does = _TEACHES.match(board.norm, mention.stop)
            if mention.slot.endswith(self.column) and does and board.free(*does.span()):
                board.claim(*does.span())  # "how many courses is X <teaching>"

    def _whole(self, said: str) -> tuple[str, ...]:
        """The names that end in what is said, all of those that sound alike; what is said where there is none."""
        name = fold(said).removesuffix("'s")
        ending = tuple(one for one in self._names if fold(one).endswith(f" {name}"))
        near = [(fuzz.ratio(name, fold(one).rpartition(" ")[2]), one) for one in self._names if " " not in name]
        best = max((score for score, _ in near), default=0.0)
        return ending or tuple(one for score, one in near if score == best >= _ALIKE) or (said,)

    def _add(self, board: Board, span: tuple[int, int], names: tuple[str, ...]) -> None:
        node = Condition(table=self.table, column=self.column, values=names, words=board.words(*span))
        board.add(Mention(*span, "node", f"{self.table}.{self.column}", node, label="name"))

    @staticmethod
    def _surname(word: str) -> bool:
        does = word.endswith("s") and grammar.is_verb(word)  # "the professor <posts> slides"
        return english_rank().get(word, 10**6) > _PLAIN and not (does or english.describes(word))


class Titles:
    """Finds titles only where they are written or introduced as such; their words are subjects otherwise."""

    def __init__(self, table: str, column: str, titles: tuple[str, ...], short: Mapping[str, str]) -> None:
        """`short` are other words for subjects: "hci" for human-computer interaction."""
        self.table, self.column, self.titles = table, column, titles
        whole = {fold(title): title for title in titles}
        self._spelt_out = {other: fold(name) for other, name in short.items()}
        self._short = {other: whole[fold(name)] for other, name in short.items() if fold(name) in whole}
        self._said = compiled("|".join(map(re.escape, sorted(self._short, key=len, reverse=True))) or "(?!)")
        common = frozenset(word for title in titles if " " in title for word in fold(title).split())
        self._known = NameFinder(table, column, titles, common)

    def __call__(self, board: Board) -> None:
        trial = Board(board.text)
        self._known(trial)
        asked = bool(_ASKED.search(board.norm))
        question = asked and not _SEARCHED.search(board.norm)
        for mention in trial.mentions:
            if mention.start == 0 or not board.free(mention.start, mention.stop) or not _whole(board, mention):
                continue
            if self._meant(board, mention, question=question, asked=asked):
                mention.label = "title"
                board.add(mention)
        for match in board.find(_CALLED):
            self._add(board, match.span(), board.words(*match.span("title")))
        if question:
            for match in board.find(self._said):
                if _OF_IT.search(board.before(match.start())):
                    self._add(board, match.span(), self._short[match.group()])
        self._parts(board, asked=asked)
        if asked or _WHICH.match(board.norm):
            self._compared(board)
        for match in board.find(_SEATS_IN):
            holding = [title for title in self.titles if _holds(title, match["said"].split())]
            if len(holding) == 1:
                self._add(board, match.span("said"), holding[0])

    @staticmethod
    def _meant(board: Board, mention: Mention, *, question: bool, asked: bool) -> bool:
        """Whether a title that stands in a message names the thing, rather than its subject."""
        words = board.norm[mention.start : mention.stop].split()
        before = board.before(mention.start)
        if re.search(r"\b(called|named|titled|course|class|like|(?:similar|related|comparable) to) $", before):
            return True
        first, last = board.text.token_at(mention.start), board.text.token_at(mention.stop - 1) + 1
        written = all(t.raw[:1].isupper() for t in board.text.tokens[first:last] if len(t.norm) > 3)
        # "who teaches the machine learning class": one class, and it has a name
        definite = re.search(r"\bthe $", board.norm[: mention.start])
        if asked and definite and re.match(r" (?:course|class)\b", board.norm[mention.stop :]):
            return True
        if len(words) > 1:
            return written or question
        alone = english_rank().get(words[0], 10**6) > _PLAIN and _OF_IT.search(before) is not None
        return question and (written or alone)

    def _parts(self, board: Board, *, asked: bool) -> None:
        """ "The probability class": the one title that has these words in it, or nearly all of them."""
        for match in board.find(_THE_CLASS):
            if not asked and not _ASKED_OF.search(board.before(match.start())):
                continue
            spelt = " ".join(self._spelt_out.get(word, word) for word in match["said"].split())
            said = [word for word in spelt.split() if word not in ("and", "of", "in")]
            shared = {title: sum(_among(word, title) for word in said) for title in self.titles}
            most = max(shared.values(), default=0)
            holding = [title for title, number in shared.items() if number == most]
            if len(holding) == 1 and (most == len(said) or (most > 1 and most == len(said) - 1)):
                self._add(board, match.span(), holding[0])

    def _compared(self, board: Board) -> None:
        """ "Is quantum computing or <game theory> better rated": part of a title beside another that is named."""
        for mention in [m for m in board.mentions if m.label in ("title", "name")]:
            after = _OTHER_AFTER.match(board.norm, mention.stop)
            if after is not None:
                self._longest(board, [(after.start("said"), stop) for stop in _ends(board, after.start("said"))][::-1])
            before = _OTHER_BEFORE.search(board.norm[: mention.start])
            if before is not None:
                stop = before.end("said")
                self._longest(board, [(start, stop) for start in _starts(board, before.start("said"), stop)])

    def _longest(self, board: Board, stretches: list[tuple[int, int]]) -> None:
        """Adds the first stretch that is two words or more of one title, or all of it."""
        for start, stop in stretches:
            words = board.norm[start:stop].split()
            if not board.free(start, stop) or set(words) & english.filler():
                continue
            holding = [title for title in self.titles if _holds(title, words) or _begins(title, words)]
            if len(holding) == 1 and (len(words) > 1 or _begins(holding[0], words)):
                self._add(board, (start, stop), holding[0])
                return

    def _add(self, board: Board, span: tuple[int, int], title: str) -> None:
        node = Condition(table=self.table, column=self.column, values=(title,), words=board.words(*span))
        board.add(Mention(*span, "node", f"{self.table}.{self.column}", node, label="title"))


def _whole(board: Board, mention: Mention) -> bool:
    """Whether a mention is all of the title it stands for."""
    if not isinstance(mention.node, Condition):
        return False
    title = fold(str(mention.node.values[0])).replace(",", " ,").replace(":", " :")
    return title == board.norm[mention.start : mention.stop]


def _ends(board: Board, start: int) -> list[int]:
    words = re.compile(r"[a-z-]+(?: |$)")
    found: list[int] = []
    at = start
    while len(found) < _MOST and (match := words.match(board.norm, at)) is not None:
        found.append(match.start() + len(match.group().rstrip()))
        at = match.end()
    return found


def _starts(board: Board, start: int, stop: int) -> list[int]:
    return [start + match.start() for match in re.finditer(r"(?:^|(?<= ))[a-z-]", board.norm[start:stop])][-_MOST:]


def _holds(title: str, words: list[str]) -> bool:
    """Whether words stand side by side in a title."""
    return re.search(rf"\b{re.escape(' '.join(words))}\b", fold(title)) is not None


def _begins(title: str, words: list[str]) -> bool:
    """Whether one word is a title of one word, or short for it."""
    whole, said = fold(title), words[0]
    short = len(said) >= _STEM and " " not in whole and whole.startswith(said)
    return len(words) == 1 and (whole == said or short)


def _among(word: str, title: str) -> bool:
    """Whether a word, or the one it is short for, is in a title."""
    words = [part for one in re.findall(r"[a-z+-]+", fold(title)) for part in (one, *one.split("-"))]
    stem = word.removesuffix("s")
    return any(stem == one.removesuffix("s") or (len(word) >= _STEM and one.startswith(word)) for one in words)
