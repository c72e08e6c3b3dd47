"""Names of things: those the value memory knows, also in part or misspelt, and unknown ones written as names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from agent.parsing.frame import Condition
from agent.parsing.semantics import english
from agent.parsing.semantics.lexing import Text, Token
from agent.parsing.semantics.workspace import Board, Mention
from agent.text.english import NUMBERS
from agent.text.frequencies import english_rank
from agent.text.letters import fold

_ALIKE = 85  # of 100: how alike a name and what is said have to be
_SMALL = frozenset(
    ("the", "a", "an", "of", "and", "&", "at", "on", "in", "de", "la", "le", "el", "los", "las", "du", "des", "y", "no")
)
_PART = 3  # words of a name, at most, that stand for it
_LONG = 5  # letters of a word that a headline capitalises whatever it is
_RARE = 7_000  # a word less frequent than this may stand for a name by itself
# Words that come right before a name, in any case.
_CALLED = re.compile(
    r"\b((?<!\bit )(?<!\bthat )(?<!\bthey )(?<!\bget )(?<!\bgets )(?<!\bgot )(?<!\bbeing )(?:called|named)|"
    r"(?<!my )(?<!your )name is)(?: the)? "
    r"((?!(?:and|or|but) )(?:[^\s.,;!?]+ ?){1,4})"
)  # but "what is it called, and ..." asks
_OF = re.compile(
    r"\b(?:address|phone|telephone|number|phone number|hours|opening hours|website|"
    r"menu|link|directions) (?:of|for|to|at) (?:the )?"
    r"(?P<name>(?!(?:a|an|any|different|distinct|unique|some|the|good|best|cheap|top|it|its|them|that|this|those|"
    r"these|their|your|me|us|one|all|each|every|my|\d+) )"
    r"(?:[^\s.,;!?]+)(?: (?!(?:in|near|on|at|please|and|or|is|that|with)(?: |$))[^\s.,;!?]+){0,4})"
)
_BESIDE_NAME = frozenset(
    {"in", "near", "at", "on", "by", "and", "or", "is", "are", "have", "has", "open", "close", "take"}
)
_INTRODUCED = re.compile(  # the speaker, or somebody of theirs: "my aunt is Jain"
    r"\b(?:this is|i am|(?:he|she) is|(?:my|our|his|her|their) (?:[\w'-]+ ){1,2}(?:is|are)|"
    r"(?:in[ -]law|mother|father|mom|dad|wife|husband|partner|friends?|sister|brother|son|daughter|boss|guests?) "
    r"(?:is|are)) $"
)
_NAMING = re.compile(r"\b(called|named)( the)? $")
_CUE = re.compile(
    r"\b(at|of|about|does|do|is|for|called|named|to|and|or|compare|from|with|like|"
    r"between|has|did|was|than|if|tell me about|call|vs|try|tried|liked|loved|book|"
    r"visit|when|can)( the)? $"
)
_TIME = re.compile(
    r"(?:\S+ )?(?:before|after|until|till|by|at|past|around|for) (?:noon|midnight|midday|dark|dawn|dusk)"
)


@dataclass(frozen=True, slots=True)
class _Name:
    value: str
    words: tuple[str, ...]


class NameFinder:
    """Finds names for the title column of one table."""

    def __init__(
        self, table: str, column: str, names: tuple[str, ...], common: frozenset[str], *, single: bool = True
    ) -> None:
        self.table, self.column, self.single = table, column, single
        self.common = common  # words that mean something else in this domain: kinds of food, places
        self._names = [_Name(name, tuple(_words(name))) for name in names]
        self._starts: dict[str, list[_Name]] = {}
        self._parts: dict[tuple[str, ...], list[_Name]] = {}  # names by up to three words in a row of them
        for name in self._names:
            if name.words:
                self._starts.setdefault(name.words[0], []).append(name)
            for part in _parts([word.removesuffix("'s") for word in name.words]):
                self._parts.setdefault(part, []).append(name)

    def __call__(self, board: Board, wished: Sequence[tuple[int, int]] = ()) -> None:
        """The names that the value memory knows; a part of one counts only where nothing is `wished`: "hot from the
        tandoor" is no Tandoor House."""
        words = [
            (index, token.norm)
            for index, token in enumerate(board.text.tokens)
            if not token.mark and token.norm != "and"
        ]
        at = 0
        while at < len(words):
            used = self._whole(board, words, at)
            if not used and not board.within(*board.text.span(words[at][0], words[at][0] + 1), wished):
                used = self._nearly(board, words, at) or self._part(board, words, at)
            at += used or 1

    def unknown(self, board: Board, wished: Sequence[tuple[int, int]] = ()) -> None:
        """Names the memory does not have: capitalised words after "at", "of", "called", or whatever is "called" so.

        What is `wished`, as characters of the message, names nothing: "lots of TVs".
        """
        for first, last in _runs(board.text):
            if self._is_name(board, first, last) and not board.within(*board.text.span(first, last), wished):
                self._add(board, first, last, _plain(board.text, first, last))
        for match in _OF.finditer(board.norm):
            start, stop = match.span("name")
            words = match["name"].split()
            if any(word in english.superlatives() or word in ("most", "least") for word in words):
                continue  # "the address of the cheapest vegetarian place" names none
            telling = [w for w in words if w not in self.common | english.generic() | english.filler()]
            free = board.free(start, stop) and not board.within(start, stop, wished)
            if free and any(english_rank().get(w.removesuffix("s"), 10**6) > 1_500 for w in telling):
                self._add(
                    board, board.text.token_at(start), board.text.token_at(stop - 1) + 1, board.words(start, stop)
                )
        for match in _CALLED.finditer(board.norm):
            start, stop = match.span(2)
            first, last = board.text.token_at(start), board.text.token_at(stop - 1) + 1
            if board.free(start, stop) and match[2].strip() and not board.within(*board.text.span(first, last), wished):
                self._add(board, first, last, board.words(start, stop - 1))

    # -- known names -------------------------------------------------------------------------------------------------

    def _whole(self, board: Board, words: list[tuple[int, str]], at: int) -> int:
        """A name in full; the longest that fits."""
        best: _Name | None = None
        for name in self._starts.get(words[at][1].removesuffix("'s"), ()):
            said = tuple(word for _, word in words[at : at + len(name.words)])
            if (
                _same(said, name.words)
                and self._distinct(board, words, at, name)
                and len(name.words) > len(best.words if best else ())
            ):
                best = name
        if best is None:
            return 0
        self._add(board, words[at][0], words[at + len(best.words) - 1][0] + 1, best.value)
        return len(best.words)

    def _distinct(self, board: Board, words: list[tuple[int, str]], at: int, name: _Name) -> bool:
        """A name that is also plain words must be written or introduced as a name: "cheap spicy noodles" is food."""
        if len(name.words) > 1:
            span = board.text.span(words[at][0], words[at + len(name.words) - 1][0] + 1)
            plain = all(word in self.common or english.describes(word) for word in name.words)
            named = span == (0, len(board.norm)) or _CUE.search(board.before(span[0])) is not None
            return not plain or named or board.words(*span) != board.words(*span).lower()
        word = name.words[0]
        token = board.text.tokens[words[at][0]]
        rare = english_rank().get(word, 10**6) > _RARE and word not in self.common
        return (
            rare
            or (token.raw[:1].isupper() and words[at][0] > 0)
            or bool(_CUE.search(board.before(board.text.span(words[at][0], words[at][0] + 1)[0])))
        )

    def _nearly(self, board: Board, words: list[tuple[int, str]], at: int) -> int:
        """A name with a few letters wrong: at least one of its words must be no common one."""
        for size in (5, 4, 3, 2):
            window = words[at : at + size]
            if len(window) < size:
                continue
            said = " ".join(word for _, word in window)
            if (
                len(said) < 9
                or not any(self._odd(word) for _, word in window)
                or window[0][1] in (_SMALL | english.filler()) - {"the", "la", "el", "le"}
            ):
                continue
            scored = [
                (fuzz.ratio(said, " ".join(name.words), score_cutoff=_ALIKE), name)
                for name in self._names
                if abs(len(name.words) - size) <= 1
            ]
            score, best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
            if best is not None and score >= _ALIKE and not self._inside_longer(board, window[0][0], window[-1][0] + 1):
                self._add(board, window[0][0], window[-1][0] + 1, best.value)
                return size
        return 0

    def _part(self, board: Board, words: list[tuple[int, str]], at: int) -> int:
        """Part of a name that belongs to no other: two of its words in order, or one rare word."""
        for size in range(_PART, 0, -1):
            window = [word.removesuffix("'s") for _, word in words[at : at + size]]
            if len(window) < size or window[0] in _SMALL or window[-1] in _SMALL:
                continue
            if _TIME.match(" ".join(word for _, word in words[max(at - 1, 0) : at + size])):
                continue  # "open before noon" is no Heron Before Noon
            holders = self._parts.get(tuple(window), ())
            if len(holders) != 1 or not self._telling(board, words[at : at + size]):
                continue
            if self._inside_longer(board, words[at][0], words[at + size - 1][0] + 1):
                continue
            self._add(board, words[at][0], words[at + size - 1][0] + 1, holders[0].value)
            return size
        return 0

    def _inside_longer(self, board: Board, first: int, last: int) -> bool:
        """Whether capitalised words right beside these make them part of another name."""
        tokens = board.text.tokens
        if board.text.message.isupper() or not tokens[first].raw[:1].isupper():
            return False
        after = tokens[last] if last < len(tokens) else None
        before = tokens[first - 1] if first > 1 else None

        def belongs(token: Token | None) -> bool:
            if token is None or token.mark or not _capital(token.raw):
                return False
            return token.norm not in self.common and token.norm not in english.never_names()

        return belongs(after) or belongs(before)

    def _telling(self, board: Board, window: list[tuple[int, str]]) -> bool:
        tokens = [board.text.tokens[index] for index, _ in window]
        capitals = all(token.raw[:1].isupper() for token in tokens) and not board.text.message.isupper()
        if len(window) > 1:
            rare = any(self._odd(word) for _, word in window)
            return rare or (capitals and not all(word in self.common for _, word in window) and window[0][0] > 0)
        word = window[0][1].removesuffix("'s")
        if word in self.common or len(word) < 4 or word in english.never_names():
            return False
        rank = english_rank().get(word, 10**6)
        before = board.before(board.text.span(window[0][0], window[0][0] + 1)[0])
        if re.search(r"\b(a|an|any|some|with|have|has|good|great|no|serve|serves) $", before) and not capitals:
            return False
        if rank > 10**5:  # no English word
            return True
        # An English word stands for a name only where it is written or introduced as one.
        written = capitals and not _begins_sentence(board.text, window[0][0])
        named = bool(_NAMING.search(before)) or _quoted(board.text, window[0][0])
        return named or (written and (rank > _RARE or (rank > 1_500 and bool(_CUE.search(before)))))

    def _odd(self, word: str) -> bool:
        word = word.removesuffix("'s")
        return len(word) > 2 and english_rank().get(word, 10**6) > _RARE and word not in self.common and word.isalpha()

    # -- unknown names -----------------------------------------------------------------------------------------------

    def _is_name(self, board: Board, first: int, last: int) -> bool:
        start, stop = board.text.span(first, last)
        tokens = board.text.tokens[first:last]
        content = [t for t in tokens if t.norm not in _SMALL and not t.mark]
        if not content or all(t.norm in english.never_names() or t.norm.isdigit() for t in content):
            return False
        if not board.free(start, stop):
            return False
        plain = [t for t in content if t.norm in self.common or t.norm in english.never_names()]
        if len(plain) == len(content):
            return False
        before, initials = board.before(start), content[0].raw.isupper() or _hyphened(board.text, last)
        if _INTRODUCED.search(before) or (len(content) == 1 and initials):
            return False  # "MSG-free"
        cue = bool(_CUE.search(before))
        rare = any(
            t.norm[:1].isalpha() and english_rank().get(t.norm.removesuffix("'s"), 10**6) > _RARE for t in content
        )
        if len(content) == 1:
            return cue and rare and first > 0 and not re.search(r"\b(from|to|like|in)( the)? $", board.before(start))
        return cue or (rare and first > 0) or (len(content) >= 2 and first > 0 and len(plain) == 0)

    def _add(self, board: Board, first: int, last: int, value: str) -> None:
        start, stop = board.text.span(first, last)
        if not board.free(start, stop):
            return
        node = Condition(table=self.table, column=self.column, values=(value,), words=board.words(start, stop))
        slot = f"{self.table}.{self.column}"
        board.add(Mention(start, stop, "node", slot, node, label="name", single=self.single))


def _words(name: str) -> list[str]:
    """The words of a name as a message that is read has them: numbers in digits."""
    said = [word for word in re.findall(r"[\w']+", fold(name)) if word != "and"]
    return [word if word == "one" else str(NUMBERS.get(word, word)) for word in said]


def _same(said: tuple[str, ...], name: tuple[str, ...]) -> bool:
    return len(said) == len(name) and all(
        a == b or a == b + "'s" or a + "'s" == b or a.replace("'", "") == b.replace("'", "")
        for a, b in zip(said, name, strict=True)
    )


def _parts(words: list[str]) -> set[tuple[str, ...]]:
    """One to three words in a row of a name."""
    sizes = range(1, _PART + 1)
    return {tuple(words[i : i + size]) for size in sizes for i in range(len(words) - size + 1)}


def _runs(text: Text) -> list[tuple[int, int]]:
    """Runs of capitalised words, with small words inside them. None in messages that capitalise nearly everything."""
    words = [token for token in text.tokens[1:] if token.raw[:1].isalpha() and token.norm not in english.never_names()]
    capitals = sum(token.raw[:1].isupper() for token in words)
    plain = any(len(token.raw) >= _LONG and token.raw.islower() for token in words)
    if text.message.isupper() or (len(words) > 5 and capitals > 0.55 * len(words) and not plain):
        return []
    runs: list[tuple[int, int]] = []
    index, tokens = 0, text.tokens
    while index < len(tokens):
        if not _capital(tokens[index].raw) or (_begins_sentence(text, index) and _says_nothing(tokens[index].norm)):
            index += 1
            continue
        last = index + 1
        while last < len(tokens):
            if _capital(tokens[last].raw) or (tokens[last].raw.isdigit() and not tokens[last].mark):
                last += 1
            elif (
                tokens[last].raw in ("&", "of", "de", "la", "the", "'s")
                and last + 1 < len(tokens)
                and _capital(tokens[last + 1].raw)
            ):
                last += 2
            else:
                break
        runs.append((index, last))
        index = last
    return runs


def _begins_sentence(text: Text, index: int) -> bool:
    """Whether a word is capitalised for standing at the beginning of a sentence."""
    return index == 0 or text.tokens[index - 1].raw in (".", "!", "?", ":", ";")


def _hyphened(text: Text, index: int) -> bool:
    """Whether the word before a token is the first part of a compound: "<Michelin>-starred"."""
    end = text.tokens[index - 1].stop
    return text.message[end : end + 1] == "-" and text.message[end + 1 : end + 2].islower()


def _says_nothing(word: str) -> bool:
    return word in english.never_names() or word in english.filler()


def _quoted(text: Text, index: int) -> bool:
    """Whether a word stands in quotation marks."""
    token = text.tokens[index]
    return text.message[max(0, token.start - 1) : token.start] in ('"', "“", "'", "‘") and token.start > 0


def _capital(raw: str) -> bool:
    return raw[:1].isupper() and raw not in ("I",) and not raw.startswith("I'")


def _plain(text: Text, first: int, last: int) -> str:
    name = text.message[text.tokens[first].start : text.tokens[last - 1].stop]
    following = text.tokens[last] if last < len(text.tokens) else None
    owns = following is not None and not following.mark and following.norm not in _BESIDE_NAME
    return name.removesuffix("'s") if owns and name.count(" ") == 0 else name  # "Heron's hours", but "Heron's in town"
