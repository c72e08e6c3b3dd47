"""A message as normalised words that remember where they came from.

Normalising means: lower case, no accents, contractions and chat spellings written out, number words as digits,
hyphens as spaces, punctuation as tokens of its own, and misspelt words put right where one known word is clearly
meant. Recognisers match regular expressions against `Text.norm`, in which tokens are separated by single spaces.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from agent.english import NUMBERS, TENS
from agent.letters import LETTER, unaccented
from agent.parsing.lexicon import english_rank, load
from agent.parsing.semantics.clocks import clocks

_TOKEN = re.compile(
    rf"""(?P<time>\d{{1,2}}(?::\d{{2}})?\s?[ap]\.?\s?m\b\.?|\d{{1,2}}:\d{{2}})
      | (?P<initials>(?:(?<![A-Za-z])[A-Za-z]\.){{2,}})
      | (?P<code>[A-Za-z]{{2,5}}-\d[\w-]*)
      | (?P<ordinal>\d+(?:st|nd|rd|th)\b)
      | (?P<numbered>\d{{1,4}}(?!(?:am|pm|st|nd|rd|th|k|h|hr|hrs|min|mins|yo|ppl|x)\b)[A-Za-z]{{1,3}}\b)
      | (?P<number>\d+(?:,\d{{3}})+|\d+(?:\.\d+)?)
      | (?P<money>\$+)
      | (?P<word>{LETTER}+(?:['’]{LETTER}+)*\+*)
      | (?P<mark>[.,;:!?()&+/"“”—–*<>=@-])""",
    re.VERBOSE,
)

# A smiley ends what was said before it; it is replaced by as many characters.
_SMILEY = re.compile(
    r"\s(?:[:;=8]['-]?[)(DPpOo|/\\*]+|<3+|\^[_.]?\^|xD+|[\U0001F600-\U0001F64F\U0001F917-\U0001F92F]+)(?=\s|$)"
)

_SUFFIXES = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}

_ROUND = frozenset(NUMBERS[word] for word in TENS)
_SCALES = {"hundred": 100, "thousand": 1000, "k": 1000, "grand": 1000}


_GRADED = frozenset({"not", "is", "are", "was", "were", "be", "way", "far", "never"})  # before "too"
_SLASHED = {
    ("with", "o"): "without",
    ("with", "out"): "without",
    ("with", "in"): "within",
    ("b", "c"): "because",
}

_LONG = 9  # letters from which two of them may be wrong


@dataclass(frozen=True, slots=True)
class Token:
    """One normalised word; `start:stop` are the characters of the message it was written with."""

    norm: str
    start: int
    stop: int
    raw: str
    mark: bool = False


class Speller:
    """Puts misspelt words right. `targets` are words of the corpora (values, places, names) and of the lexicons."""

    def __init__(self, targets: Iterable[str]) -> None:
        words = {word for target in targets for word in re.findall(r"[a-z]+", fold(target))}
        self._targets = {word for word in words if len(word) >= 4}
        self._joined = {
            joined: target
            for target in (fold(target) for target in targets)
            if " " in target and re.fullmatch(r"[a-z]+ [a-z]+", target) and len(joined := target.replace(" ", "")) >= 8
        }
        self._by_length: dict[int, list[str]] = {}
        for word in sorted(self._targets):
            self._by_length.setdefault(len(word), []).append(word)
        self._function: dict[int, list[str]] = {}
        for word in sorted(_function()):
            if len(word) >= 5:
                self._function.setdefault(len(word), []).append(word)
        self._english: dict[int, list[str]] = {}
        for word, rank in english_rank().items():
            if len(word) >= 5 and rank < 6000:
                self._english.setdefault(len(word), []).append(word)
        self._memo: dict[str, str] = {}

    def known(self, word: str) -> bool:
        """Whether a word is English, or of the corpora."""
        return word in self._targets or word in english_rank() or len(word) < 4 or self._inflected(word)

    def right(self, word: str) -> str:
        """The word, or the one it was clearly meant to be."""
        if word not in self._memo:
            if len(self._memo) > 20_000:
                self._memo.clear()
            self._memo[word] = self._correct(word)
        return self._memo[word]

    def _correct(self, word: str) -> str:
        if word in self._joined:
            return self._joined[word]
        if not word.isalpha() or word in self._targets or word in english_rank() or self._inflected(word):
            return word
        if transposed := _transposed(word):
            return transposed
        if len(word) < 4:
            return word
        if squeezed := self._squeezed(word):
            return squeezed
        return (
            self._nearest(word, self._by_length, 1 if len(word) < _LONG else 2)
            or self._nearest(word, self._function, 1)
            or self._nearest(word, self._english, 1)
            or word
        )

    def _squeezed(self, word: str) -> str:
        """ "sooo" is "so": letters said more than twice in a row are written fewer times."""
        shorter = {re.sub(r"(.)\1{2,}", r"\1" * times, word) for times in (2, 1)} - {word}
        rank = english_rank()
        known = [candidate for candidate in shorter if candidate in rank or candidate in self._targets]
        return min(known, key=lambda candidate: rank.get(candidate, 0), default="")

    def _inflected(self, word: str) -> bool:
        """Whether the word is a regular form of a known one."""
        rank = english_rank()
        stems = [
            word.removesuffix(end)
            for end in ("s", "es", "ed", "d", "ing", "ly", "er", "est", "y", "ness", "ish")
            if word.endswith(end)
        ]
        stems += [stem + "e" for stem in stems if word.endswith(("ing", "er", "est"))]
        stems += [stem[:-1] for stem in stems if len(stem) > 4 and stem[-1:] == stem[-2:-1]]
        stems += [word[:-3] + "y"] if word.endswith("ies") else []
        if any(len(stem) >= 3 and (stem in rank or stem in self._targets) for stem in stems):
            return True
        if word.endswith("s") and not word.endswith("ss") and len(word) > 4 and self._inflected(word[:-1]):
            return True  # "bakes", where only "baking" is known
        prefix = re.match(r"(over|under|un|re|non|pre|out|mis)(?=[a-z]{4})", word)
        if prefix is not None and word[prefix.end() :] in rank:
            return True
        # The other way round: "bake" is known by "baked" and "baking".
        base = word.endswith("e") or word + "e" not in rank  # "plac" is none of "placed"
        return any(word.removesuffix("e") + end in rank for end in ("ed", "ing")) and len(word) > 3 and base

    @staticmethod
    def _nearest(word: str, vocabulary: Mapping[int, list[str]], allowed: int) -> str:
        near = [w for size in range(len(word) - allowed, len(word) + allowed + 1) for w in vocabulary.get(size, ())]
        found = process.extract(word, near, scorer=DamerauLevenshtein.distance, score_cutoff=allowed, limit=4)
        # People rarely get the first letter wrong: "mocktails" are no "cocktails".
        ranked = sorted((distance, candidate) for candidate, distance, _ in found if candidate[0] == word[0])
        return ranked[0][1] if ranked and ranked[0][0] <= allowed else ""


class Text:
    """A message, its tokens, and `norm`: the tokens joined by single spaces."""

    def __init__(self, message: str, tokens: list[Token]) -> None:
        self.message = message
        self.tokens = tokens
        self._starts: list[int] = []
        position = 0
        for token in tokens:
            self._starts.append(position)
            position += len(token.norm) + 1
        self.norm = " ".join(token.norm for token in tokens)

    def token_at(self, position: int) -> int:
        """The index of the token at a character of `norm`."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where tokens `first:last` stand in `norm`."""
        return self._starts[first], self._starts[last - 1] + len(self.tokens[last - 1].norm)

    def source(self, start: int, stop: int) -> str:
        """The user's own words for `norm[start:stop]`."""
        if start >= stop or not self.tokens:
            return ""
        first, last = self.token_at(start), self.token_at(stop - 1)
        return self.message[self.tokens[first].start : self.tokens[last].stop]


def fold(words: str) -> str:
    """Lower case without accents, curly quotes or hyphens: how words are compared."""
    plain = unaccented(words.replace("’", "'").replace("‘", "'")).lower()
    return " ".join(re.sub(r"[-‐‑_]", " ", plain).split())


def _transposed(word: str) -> str:
    """The word of a closed class that a word is with two neighbouring letters the wrong way round: "wiht"."""
    swapped = (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))
    return next((candidate for candidate in swapped if candidate in _function()), "")


@cache
def _function() -> frozenset[str]:
    """Words of the closed classes: determiners, pronouns, prepositions, conjunctions, auxiliaries."""
    return frozenset(load("words")["function"].split())


def read(message: str, speller: Speller) -> Text:
    """The message as normalised tokens."""
    tokens: list[Token] = []
    plain = _SMILEY.sub(lambda smiley: f" .{' ' * (len(smiley[0]) - 2)}", message.replace("’", "'").replace("‘", "'"))
    for match in _TOKEN.finditer(plain):
        tokens.extend(_tokens(match, message, speller))
    return Text(message, _clocks(_numbers(_marks(_confused(tokens), message))))


def _confused(tokens: list[Token]) -> list[Token]:
    """Words of one sound put right by their neighbours: "that's been" is "has been", "not to loud" is "too loud"."""
    words = ["", *(token.norm for token in tokens), ""]
    kept: list[Token] = []
    for token, before, after in zip(tokens, words, words[2:], strict=False):
        if token.norm == "is" and (after == "been" or (after == "got" and "'" in token.raw)):
            kept.append(replace(token, norm="has"))
        elif token.norm == "to" and before in _GRADED and after in _adjectives():
            kept.append(replace(token, norm="too"))
        else:
            kept.append(token)
    return kept


@cache
def _adjectives() -> frozenset[str]:
    return frozenset(load("words")["adjectives"].split())


def _tokens(match: re.Match[str], message: str, speller: Speller) -> list[Token]:
    raw, start, stop = match.group(), match.start(), match.end()
    if match["mark"]:
        return [Token(raw, start, stop, raw, mark=True)]
    if match["time"]:
        return [Token(_clock(raw), start, stop, raw)]
    if match["number"]:
        return [Token(raw.replace(",", ""), start, stop, raw)]
    if match["code"] or match["numbered"] or match["ordinal"]:
        return [Token(raw.lower(), start, stop, raw)]
    if match["initials"]:
        return [Token(_word(raw.replace(".", ""), message[:start], speller), start, stop, raw)]
    if match["money"]:
        return [Token(raw, start, stop, raw)]
    return [Token(norm, start, stop, raw) for norm in _word(raw, message[:start], speller).split()]


def _word(raw: str, before: str, speller: Speller) -> str:
    word = fold(raw)
    if len(word) == 1 and raw.isupper():
        return word  # "R", "C": more likely a name than a chat spelling
    written_out: dict[str, str] = load("spellings")["written_out"]
    if word in written_out:
        return written_out[word]
    for suffix, full in _SUFFIXES.items():
        if word.endswith(suffix) and len(word) > len(suffix):
            return f"{word.removesuffix(suffix)} {full}"
    if word.endswith("'s") and word[:-2] in (
        "it",
        "he",
        "she",
        "what",
        "where",
        "who",
        "how",
        "there",
        "here",
        "when",
        "that",
    ):
        return f"{word[:-2]} is"
    if "'" in word:
        return word
    proper = raw[:1].isupper() and not raw.isupper() and not re.search(r"(^|[.!?]\s*)$", before)
    if proper and not speller.known(word):
        return speller.right(word) if speller.right(word) in speller._targets else word
    return speller.right(word)


def _clock(raw: str) -> str:
    """ "7 p.m." as 19:00, in the 24-hour clock; a bare "6:30" stays as it is."""
    digits = re.match(r"(\d{1,2})(?::(\d{2}))?", raw)
    assert digits is not None  # the token pattern begins with digits
    hour, minute = int(digits[1]), digits[2] or "00"
    half = raw[digits.end() :].strip().lower()[:1]
    if half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    elif not half:
        return f"{hour}:{minute}"
    return f"{hour:02d}:{minute}"


def _marks(tokens: list[Token], message: str) -> list[Token]:
    """Marks that matter: "w/" is "with", "&" and "+" between words "and", a hyphen between words nothing."""
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if not token.mark:
            kept.append(token)
        elif token.norm == "/" and kept and following and (slashed := _SLASHED.get((kept[-1].norm, following.norm))):
            kept[-1] = Token(slashed, kept[-1].start, following.stop, message[kept[-1].start : following.stop])
            tokens[index + 1] = Token("", following.start, following.stop, following.raw, mark=True)
        elif not token.norm or (token.norm == "/" and kept and kept[-1].norm == "with"):
            continue
        elif token.norm == "/" and following:
            kept.append(Token("or", token.start, token.stop, token.raw))
        elif token.norm in "&+" and token.norm == "+" and kept and kept[-1].norm[-1:].isdigit():
            kept.append(Token("+", token.start, token.stop, token.raw))
        elif token.norm in "&+":
            kept.append(Token("and", token.start, token.stop, token.raw))
        elif token.norm == "-" and kept and following and message[kept[-1].stop : following.start] == "-":
            if kept[-1].norm[-1:].isdigit() and following.norm[:1].isdigit():
                kept.append(Token("to", token.start, token.stop, token.raw))
        elif token.norm in "-–—":
            kept.append(Token(",", token.start, token.stop, token.raw, mark=True))
        elif token.norm in '"“”*':
            continue
        else:
            kept.append(token)
    return kept


def _numbers(tokens: list[Token]) -> list[Token]:
    """Number words as digits: "a thousand", "two hundred", "four and a half"."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        value, used = _number(tokens, index)
        if used:
            last = tokens[index + used - 1]
            raw = " ".join(token.raw for token in tokens[index : index + used])
            kept.append(Token(f"{value:g}", tokens[index].start, last.stop, raw))
            index += used
        else:
            kept.append(tokens[index])
            index += 1
    return kept


def _clocks(tokens: list[Token]) -> list[Token]:
    """Times of day said in several words as one: "half past one", "a quarter to midnight"."""
    kept: list[Token] = []
    index = 0
    for first, last, time in clocks([token.norm for token in tokens]):
        raw = " ".join(token.raw for token in tokens[first:last])
        kept += [*tokens[index:first], Token(time, tokens[first].start, tokens[last - 1].stop, raw)]
        index = last
    return kept + tokens[index:]


def _number(tokens: list[Token], index: int) -> tuple[float, int]:
    """The number that starts at a token, and how many tokens it takes (0 where there is none)."""
    words = [token.norm for token in tokens[index : index + 5]]
    head, rest = words[0], words[1:]
    if head == "a" and rest[:1] and rest[0] in ("hundred", "thousand"):
        return float(_SCALES[rest[0]]), 2
    if head == "half" and rest[:2] == ["a", "dozen"]:
        return 6.0, 3
    if head == "dozen":
        return 12.0, 1
    if head in ("couple", "few", "several") and rest[:1] == ["hundred"]:
        return 200.0 if head == "couple" else 300.0, 2
    value: float
    if head in NUMBERS:
        value = float(NUMBERS[head])
    elif re.fullmatch(r"\d+(\.\d+)?", head):
        value = float(head)
    else:
        return 0.0, 0
    used = 1
    if value in _ROUND and head in NUMBERS and rest[:1] and 0 < NUMBERS.get(rest[0], 0) < 10:
        value, used = value + NUMBERS[rest[0]], 2
    if rest[used - 1 : used] and rest[used - 1] in _SCALES:
        value, used = value * _SCALES[rest[used - 1]], used + 1
    elif rest[used - 1 : used + 2] == ["and", "a", "half"]:
        value, used = value + 0.5, used + 3
    elif rest[used - 1 : used + 1] and rest[used - 1] == "point" and rest[used : used + 1] and rest[used] in NUMBERS:
        value, used = value + NUMBERS[rest[used]] / 10, used + 2
    if head[0].isdigit() and used == 1:
        return value, 0  # a numeral stays as it was written
    if head == "one" and used == 1 and rest[:1] not in (["unit"], ["credit"]):
        return value, 0  # "one" is more often a pronoun than a number
    return value, used
