"""Numbers as people write them: "$20 million", "about 1.5k", "twenty-five", "two and a half", "1 200", "a dozen"."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

from agent.text.english import NUMBERS
from agent.text.numerals import read_numeral
from agent.text.wordlists import words

MOST_DIGITS = 40
_SCALES = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
    "mn": 10**6, "bn": 10**9, "k": 1_000, "m": 10**6, "b": 10**9, "tsd": 1_000, "lakh": 10**5, "mio": 10**6,
    "crore": 10**7, "mrd": 10**9,
}  # fmt: skip
_SPOKEN_SCALES = {word for word in _SCALES if len(word) > 3}
_ORDINALS = words("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "third": Decimal(1) / 3}
_FEW = {"once": 1, "twice": 2, "thrice": 3, "none": 0, "nil": 0}
_UNITS = "second|minute|hour|day|night|week|month|year|mile|block|mouthful|pair|person|dollar|percent"
_NUMERAL = re.compile(
    r"""(?<![\d:])(?P<sign>(?<![\w.])[-−]\s?)?
    (?P<digits>
        \d{1,3}(?:[,’'\u00a0\u202f\ ]\d{3})+(?!\d)(?:\.\d+)?     # 1,200  1 200  1’200.50
      | \d{1,2}(?:,\d{2})+,\d{3}(?!\d)(?:\.\d+)?                    # 12,34,567
      | \d{1,3}(?:[\u00a0\u202f\ ]\d{3})+,\d{1,2}(?![\d,])      # 1 200,50
      | \d{1,3}(?:\.\d{3})+,\d+ | \d{1,3}(?:\.\d{3}){2,}(?!\d)    # 1.200,50  1.200.000
      | (?<!,)\d+,\d{1,2}(?![\d,]|\.\d)                             # 12,50
      | \d+(?:\.\d+)?(?:e[+-]?\d{1,2}(?![\w.]))? | \.\d+
    )
    (?P<part>\s+\d/\d(?!\d))?                                    # 1 1/2
    (?:\s?(?P<word>hundred|thousand|million|billion|trillion|dozen|lakh|crore|tsd|mio|mrd|bn|mn)(?![a-z])
      | (?P<letter>[kmb])(?![a-z0-9]))?
    (?!\d|:\d\d|[.,]\d)""",
    re.IGNORECASE | re.VERBOSE,
)
_DECIMAL_COMMA = re.compile(r"(\D*\d+),(\d{1,2})(?!\d)(\D*)")


def read_number(value: str) -> Decimal | None:
    """Return the first number in the words, in digits or spelled out; None if there is none.

    A rating "4/5" is 4, a range "3 to 5" is 3, a clock's time is no number.
    """
    text = _plain(value)
    numeral, spoken = _NUMERAL.search(text), _spoken(text)
    if numeral is None or (spoken is not None and spoken[1] < numeral.start()):
        if spoken is None:
            return None
        return -spoken[0] if _negated(text[: spoken[1]]) else spoken[0]
    number = _digits(numeral["digits"])
    if number is None:
        return None
    if numeral["part"]:
        above, below = numeral["part"].strip().split("/")
        number += Decimal(above) / Decimal(below) if below != "0" else 0
    number *= _SCALES.get((numeral["word"] or numeral["letter"] or "").lower(), 1)
    return -number if numeral["sign"] or _negated(text[: numeral.start()]) else number


def _plain(value: str) -> str:
    """One way of writing: `1½` as `1 1/2`, wide digits as narrow ones, `12,5` alone as `12.5`."""
    text = re.sub(r"([¼-¾⅐-⅞])", r" \1", value.lower())
    text = unicodedata.normalize("NFKC", text).replace("\u2044", "/")
    text = re.sub(r"(?<![\d/])([13])/([248])(?![\d/])", _fraction_alone if "/" not in value else r"\1/\2", text)
    comma = _DECIMAL_COMMA.fullmatch(text)
    return f"{comma[1]}.{comma[2]}{comma[3]}" if comma else text


def _fraction_alone(found: re.Match[str]) -> str:
    """½ by itself is 0.5; after a whole number it stays `1/2`, to be added."""
    before = found.string[: found.start()].rstrip()
    return found[0] if before[-1:].isdigit() else str(Decimal(found[1]) / Decimal(found[2]))


def _digits(written: str) -> Decimal | None:
    if sum(map(str.isdigit, written)) > MOST_DIGITS:
        return None
    return Decimal(written) if "e" in written.lower() or written.startswith(".") else read_numeral(written)


def _negated(before: str) -> bool:
    return bool(re.search(r"\b(?:minus|negative)\s+$", before))


# -- in words --------------------------------------------------------------------------------------------------------


def _spoken(text: str) -> tuple[Decimal, int] | None:
    """A number in words, and where it begins."""
    tokens = [(match.group(), match.start()) for match in re.finditer(r"[a-z]+", text)]
    for place, (word, start) in enumerate(tokens):
        following = [token for token, _ in tokens[place + 1 :]]
        if word in NUMBERS and not (word == "one" and place and tokens[place - 1][0] == "no"):
            return _run([word, *following]), start
        if word in _FEW:
            return Decimal(_FEW[word]), start
        if word in ("a", "an", "half", "quarter"):
            number = _beginning(word, following)
            if number is not None:
                return number, start
        if word in _ORDINALS and len(tokens) <= 3 and word != "second":
            return Decimal(_ORDINALS.index(word) + 1), start
    return None


def _beginning(word: str, following: list[str]) -> Decimal | None:
    """ "a dozen", "an hour", "a couple", "half a dozen", "half an hour", "a hundred and twenty"."""
    after = following[0] if following else ""
    if word in _PARTS:
        scale = following[1] if after in ("a", "an") and len(following) > 1 else after
        return _PARTS[word] * _SCALES.get(scale if scale in _SPOKEN_SCALES else "", 1)
    if after in _SPOKEN_SCALES:
        return _run(["one", *following])
    if after in ("couple", "pair"):
        return Decimal(2)
    if after in _PARTS:
        return _PARTS[after]
    return Decimal(1) if re.fullmatch(_UNITS, after) else None


def _run(tokens: list[str]) -> Decimal:
    """A run of number words: "two hundred and five", "nineteen ninety", "one and a half million", "two thirds"."""
    total, current = Decimal(0), Decimal(0)
    for place, word in enumerate(tokens):
        rest = tokens[place + 1 :]
        if word in NUMBERS:
            value = NUMBERS[word]
            if value and 0 < current < 20 and place and tokens[place - 1] not in NUMBERS:
                current += value
            elif current >= 10 and current < 100 and value >= 10:
                current = current * 100 + value  # nineteen ninety
            elif current and current % 10 and current < 100:
                break  # two three
            else:
                current += value
        elif word in _SPOKEN_SCALES:
            current = (current or Decimal(1)) * _SCALES[word]
            if _SCALES[word] >= 1_000:
                total, current = total + current, Decimal(0)
        elif word == "and" and len(rest) > 1 and rest[0] == "a" and rest[1] in _PARTS:
            part, scale = _PARTS[rest[1]], rest[2] if len(rest) > 2 else ""
            return total + (current + part) * _SCALES.get(scale if scale in _SPOKEN_SCALES else "", 1)
        elif word == "and" and rest and rest[0] in NUMBERS and (total or current >= 100):
            continue
        elif place and word.rstrip("s") in _PARTS and total == 0:
            return current * _PARTS[word.rstrip("s")]
        else:
            break
    return total + current
