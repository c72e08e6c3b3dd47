"""Aspects: what people say about a thing in many ways, put as the one question that asks for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.frame import Asked
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention, compiled


@dataclass(frozen=True, slots=True)
class Aspect:
    """One question with the ways of asking for it; `unless` asks for its opposite.

    `form` keeps the user's own words in the question: "have" (does it have <words>?), "is" (is it <words>?), "for" (is
    it good for <words>?), "auto" (is it or has it, by the last word), "of" (is the <whom> <how>?). One that `yields`
    gives way to an aspect with an opposite inside it: a complaint about slow service says that service is slow.
    """

    pattern: re.Pattern[str]
    ask: str
    unless: str = ""
    form: str = ""
    yields: bool = False


_LINKING = frozenset({"for", "to", "of", "with", "in", "on", "at", "and", "or", "from"})
_PRAISED = re.compile(rf"(?:^|(?<=\s))({'|'.join(english.PRAISE)}) $")
_OCCASIONS = frozenset({"dinner", "lunch", "brunch", "meal", "evening", "night", "date", "getaway"})


class AspectFinder:
    """Finds the aspects that the lexicon knows for one table, to be read in its column of opinions."""

    def __init__(self, table: str, column: str, lexicon: str, noun: str, others: frozenset[str] = frozenset()) -> None:
        self.table, self.column, self.noun = table, column, noun
        self.others = others  # words that mean something of their own here: kinds of food
        self._unless: dict[str, str] = {}
        self._aspects = [
            Aspect(
                compiled("|".join(f"(?:{phrase})" for phrase in _distinct(entry["match"]))),
                entry["ask"],
                entry.get("unless", ""),
                entry.get("form", ""),
                entry.get("yields", False),
            )
            for entry in load(lexicon)["aspect"]
        ]

    def words(self) -> list[str]:
        """Words of the patterns, for the speller."""
        return [
            word
            for aspect in self._aspects
            for word in re.findall(r"(?<![\\\w])[a-z]{5,}(?![?*\w])", aspect.pattern.pattern)
        ]

    def __call__(self, board: Board) -> None:
        found = [(match, aspect) for aspect in self._aspects for match in board.find(aspect.pattern)]
        found.sort(key=lambda pair: (pair[0].start() - pair[0].end(), pair[0].start()))  # the longest first
        for match, aspect in found:
            inside = (m for m, other in found if other.unless and match.start() < m.start() and m.end() <= match.end())
            if board.free(*match.span()) and not (aspect.yields and any(inside)):
                self._add(board, match, aspect)

    def _add(self, board: Board, match: re.Match[str], aspect: Aspect) -> None:
        start = self._begin(board, match.start()) if aspect.form in ("have", "auto") else match.start()
        if (
            aspect.form == "have"
            and (praise := _PRAISED.search(board.norm[:start]))
            and board.free(praise.start(1), start)
        ):
            start = praise.start(1)
        stop = self._end(board, match) if aspect.form == "auto" else match.end()
        said = board.norm[start:stop]
        question = self._question(said, match, aspect)
        fixed = not aspect.form and "{1}" not in aspect.ask
        described = self._described(board, match) if fixed else start
        thing = self._thing(board, match) if fixed and described == start else stop
        if thing > stop:  # "with <hands-on> labs" has labs of that kind, whatever else it is
            stop = thing
            question = f"does this {self.noun} have {english.with_article(board.norm[start:stop])}?"
        elif described < start:  # "a big <final project>": more is said of it than that there is one
            start = described
            question = f"does this {self.noun} have {english.with_article(board.norm[start:stop])}?"
        elif fixed and (praised := self._praised(board, match, question)) is not None:
            start, question = praised
        elif aspect.unless:
            self._unless[question] = aspect.unless
        node = Asked(table=self.table, columns=(self.column,), question=question, words=board.words(start, stop))
        board.add(Mention(start, stop, "node", f"{self.table}.{self.column}?", node, label="aspect"))

    def _thing(self, board: Board, match: re.Match[str]) -> int:
        """Where a thing ends that an adjective describes: "with <hands-on> labs"; the match's end if none does."""
        if not re.search(r"(?:^|\s)(?:with|has|have|having|offers?) (?:an? |some )?$", board.norm[: match.start()]):
            return match.end()
        after = re.match(r" ([a-z]{4,})(?=\s|$)", board.norm[match.end() :])
        if after is None or not board.free(match.end(), match.end() + after.end()) or after[1] in self.others:
            return match.end()
        head = match.group().split()[-1]
        describing = head in english.verbs() or english.describes(head) or match.group().endswith(" on")
        plain = english.content([after[1]]) and not english.describes(after[1]) and after[1] not in english.adverbs()
        return match.end() + after.end() if describing and plain else match.end()

    def _described(self, board: Board, match: re.Match[str]) -> int:
        """Where the adjectives begin that stand before a thing: "big <final project>"."""
        start, words = match.start(), match.group().split()
        if any(word in english.verbs() | english.filler() or english.only_describes(word) for word in words):
            return start
        if english.describes(words[-1]) or words[-1].endswith("ing"):
            return start
        before = re.search(r"(?:^|(?<=\s))([a-z]{3,}) $", board.norm[:start])
        if before is None or board.taken(before.start(1)) or not english.content([before[1]]):
            return start
        return before.start(1) if english.only_describes(before[1]) else start

    def _praised(self, board: Board, match: re.Match[str], question: str) -> tuple[int, str] | None:
        """How good a thing should be, where its question only asks whether it is there: "strong wifi".

        Where the words begin, and the question with them.
        """
        asked = re.fullmatch(rf"does this {self.noun} have (?:an? )?(?P<thing>.+)\?", question)
        if asked is None:
            return None
        start, said = match.start(), match.group()
        before = re.search(r"(?:^|(?<=\s))([a-z]{3,}) $", board.norm[:start])
        if before is not None and board.free(before.start(1), start) and _tells(before[1]):
            start, said = before.start(1), board.norm[before.start(1) : match.end()]
        how, _, rest = said.partition(" ")
        thing = asked["thing"]
        if not _tells(how) or not rest or rest.split()[0] in _LINKING or how in re.findall(r"[a-z]+", thing):
            return None
        return start, f"does this {self.noun} have {english.with_article(f'{how} {thing}')}?"

    def _begin(self, board: Board, start: int) -> int:
        """Where the noun phrase begins that an aspect ends: "children's <play area>", "shady <patio>"."""
        for _ in range(2):
            before = re.search(r"(?:^|(?<=\s))([a-z']{3,}) $", board.norm[:start])
            if before is None or board.taken(before.start(1)) or not english.content([before[1]]):
                break
            if english.base(before[1]) in english.verbs() | {"play", "host", "feel", "look", "seem"}:
                break
            if before[1] in self.others or before[1].endswith("ing") or before[1] in english.subjects():
                break
            start = before.start(1)
        return start

    def _end(self, board: Board, match: re.Match[str]) -> int:
        """Where the things end that an adjective describes: "comfy chairs"."""
        after = re.match(r" ([a-z]{4,}[a-rt-z]s)(?=\s|$)", board.norm[match.end() :])
        free = after is not None and board.free(match.end(), match.end() + after.end())
        if after is None or not free or after[1] in self.others or not english.content([after[1]]):
            return match.end()
        return match.end() + after.end() if english.describes(match.group().split()[-1]) else match.end()

    def _question(self, said: str, match: re.Match[str], aspect: Aspect) -> str:
        """The aspect's question, in the words that were `said` where its form says so."""
        words = re.sub(
            r"^(?:(?:a|an|the|my|our|with|for|really|very|super|too|so|that|some|quite|pretty|fairly) )+",
            "",
            said,
        )
        if "{1}" in aspect.ask:
            return aspect.ask.replace("{1}", next((group for group in match.groups() if group), ""))
        named = {name[:3]: value for name, value in match.groupdict().items() if value}
        if aspect.form == "of" and named:
            verb = "are" if re.search(r"[^s]s$", named["who"]) else "is"
            return f"{verb} the {named['who']} at this {self.noun} {named['how']}?"
        form = "" if re.search(r"\b(?:is|are)\b", words) else aspect.form  # "portions are huge" is a sentence already
        if form == "auto":
            plain = words.split()
            while len(plain) > 1 and plain[-1] in english.generic():
                plain.pop()
            words = " ".join(plain)
            form = "is" if english.describes(plain[-1]) else "for" if plain[-1] in _OCCASIONS else "have"
        if form == "have":
            return f"does this {self.noun} have {english.with_article(words)}?"
        if form == "is":
            return f"is this {self.noun} {words}?"
        if form == "for":
            words = re.sub(r"^\S+'s (?!day|eve)", "", words)  # whose birthday it is
            return f"is this {self.noun} good for {english.with_article(words)}?"
        return aspect.ask

    def opposite(self, question: str) -> str:
        """The question for the opposite of an aspect, where there is a better one than its negation."""
        return self._unless.get(question, "")


def _tells(word: str) -> bool:
    """Whether a word says how something is."""
    return word in english.PRAISE or english.only_describes(word)


def _distinct(phrases: list[str]) -> list[str]:
    """The phrases with their named groups numbered, since a pattern may name a group only once."""
    return [
        phrase.replace("(?P<how>", f"(?P<how{i}>").replace("(?P<whom>", f"(?P<whom{i}>")
        for i, phrase in enumerate(phrases)
    ]
