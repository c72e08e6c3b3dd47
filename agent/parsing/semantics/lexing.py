"""A message as normalised words that remember where they came from.

Normalising means: lower case, no accents, contractions and chat spellings written out, number words as digits,
hyphens as spaces, punctuation as tokens of its own, and misspelt words put right where one known word is clearly
meant. Recognisers match regular expressions against `Text.norm`, in which tokens are separated by single spaces.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cache

from agent.parsing.lexicon import load
from agent.parsing.semantics.clocks import clocks
from agent.parsing.semantics.english import positives
from agent.parsing.semantics.spelling import Speller
from agent.text.bounds import DIGITS
from agent.text.english import NUMBERS, TENS
from agent.text.letters import LETTER, fold

_TOKEN = re.compile(
    rf"""(?P<time>\d{{1,2}}(?::\d{{2}})?\s?[ap]\.?\s?m\b\.?|\d{{1,2}}:\d{{2}})
      | (?P<initials>(?:(?<![A-Za-z])[A-Za-z]\.){{2,}})
      | (?P<code>[A-Za-z]{{2,5}}-\d[\w-]*)
      | (?P<ordinal>\d+(?:st|nd|rd|th)\b)
      | (?P<numbered>\d{{1,4}}(?!(?:am|pm|st|nd|rd|th|k|h|hr|hrs|min|mins|yo|ppl|x)\b)[A-Za-z]{{1,3}}\b)
      | (?P<number>\d+(?:,\d{{3}})+|\d+(?:\.\d+)?)
      | (?P<money>[$€£¥₹]+)
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


@dataclass(frozen=True, slots=True)
class Token:
    """One normalised word; `start:stop` are the characters of the message it was written with."""

    norm: str
    start: int
    stop: int
    raw: str
    mark: bool = False


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
    for index, (token, before, after) in enumerate(zip(tokens, words, words[2:], strict=False)):
        if token.norm == "is" and (after == "been" or (after == "got" and "'" in token.raw)):
            kept.append(replace(token, norm="has"))
        elif token.norm == "to" and before in _GRADED and after in _adjectives():
            kept.append(replace(token, norm="too"))
        elif token.norm == "quite" and after in load("words")["generic"]:
            kept.append(replace(token, norm="quiet"))
        elif token.norm == "closet" and before == "the" and "to" in words[index + 2 :]:
            kept.append(replace(token, norm="closest"))
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
        if len(raw) > DIGITS:
            return []
        return [Token(raw.replace(",", ""), start, stop, raw)]
    if match["code"] or match["numbered"] or match["ordinal"]:
        return [Token(raw.lower(), start, stop, raw)]
    if match["initials"]:
        return [Token(_word(raw.replace(".", ""), message[:start], speller), start, stop, raw)]
    if match["money"]:
        return [Token("$" * len(raw), start, stop, raw)]  # a sum is one of the corpus's money
    words = _word(raw, message[:start], speller).split()
    return [Token(positives().get(norm, norm), start, stop, raw) for norm in words]


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
        return speller.right(word) if speller.right(word) in speller.targets else word
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
        elif token.norm == "/" and kept and following and len(kept[-1].norm) == len(following.norm) == 1:
            whole = message[kept[-1].start : following.stop]  # "A/B tests"
            kept[-1] = Token(whole.lower(), kept[-1].start, following.stop, whole)
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
    if head == "zero":
        return value, 0  # says that there is none, or stands in a name
    return value, used
