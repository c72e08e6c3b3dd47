"""Which of a list of values is meant: as it is written, in part, by its abbreviation, by its place, or by meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.similarity import Closeness, meanings, telling
from agent.worksheets.specification import EnumValue

ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "sixth": 5, "6th": 5, "seventh": 6, "eighth": 7, "ninth": 8, "last": -1, "latter": -1, "former": 0, "top": 0,
}  # fmt: skip
_CARDINALS = {
    "one": 0,
    "two": 1,
    "three": 2,
    "four": 3,
    "five": 4,
    "six": 5,
    "seven": 6,
    "eight": 7,
    "nine": 8,
    "ten": 9,
}
_PLACED = re.compile(
    rf"(?:\b(?:the|option|number|choice|"
    rf"no\.?)? ?(?P<nth>{'|'.join(sorted(ORDINALS, key=len, reverse=True))})(?: (?:one|option|"
    rf"choice))?\b(?! (?:of|\w+day|time|name|class|course))|"
    rf"(?:\b(?:option|number|choice|no\.?|item|#) ?|#)(?P<number>\d{{1,2}}|{'|'.join(_CARDINALS)}|[a-h])\b)"
)
_LONE = re.compile(
    rf"^\W*(?:{{courtesy}} )?(?P<number>\d{{1,2}}|{'|'.join(_CARDINALS)}|[a-h])\W*$".replace("{courtesy} ", "")
)
_NEGATED = re.compile(
    r"\b(?:not|isn't|no longer|rather than|instead of|neither|except|but not|don't want)(?: (?:a|an|"
    r"the|for|by|my|want|really))* ?$"
)
_DENIED = re.compile(
    r"(?:(?:^|[,;.]|\b(?:but|actually|sorry|wait|no|oops)\b)\s*(?:and |but )?not (?:the |to |a |for )?|"
    r"\b(?:instead of|rather than|nothing to do with) |"
    r"\b(?:it|this|that|(?:my|the) (?:[a-z]+ )?(?:problem|question|issue|ticket|request|topic|matter|trouble))"
    r"(?: is|'s)?(?: not|n't)(?: really| actually)? (?:about|for|on|an?|the|any|my) |"
    r"\bi (?:do|did)(?:n'?t| not) (?:mean|want)(?: to)? )[^,.;]*"
)
EXACT, IN_SHORT, LIKELY, POSSIBLE = (
    1.0,
    0.9,
    0.6,
    0.34,
)  # how much of a value has to be said: alone, unasked, when asked
_MARGIN, _NEAR, _ASKED_NEAR = 0.08, 0.6, 0.3  # of cosine similarities
_BY_NEARNESS = 0.55  # the least of them where no word is shared: "biology" comes near "Chemistry", and is another thing


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of the list, how strongly it is meant (0 to 1) and, where it is known, the stretch that says it."""

    value: str
    strength: float
    start: int = 0
    stop: int = 0


def written(low: str, options: tuple[EnumValue, ...]) -> list[Choice]:
    """The values that stand in the text as they are written, or by their abbreviation; not those it denies."""
    found: list[Choice] = []
    for option in options:
        for form, whole in _forms(option.value):
            pattern = re.escape(form.removesuffix("s")).replace(r"\ ", "[ -]")
            for match in re.finditer(rf"(?<![\w/]){pattern}(?:s|es)?(?![\w/])", low):
                if not _NEGATED.search(low[: match.start()]):
                    found.append(Choice(option.value, EXACT if whole else IN_SHORT, *match.span()))
    kept: list[Choice] = []
    for choice in sorted(found, key=lambda item: (item.start - item.stop, item.start)):
        if not any(choice.start < other.stop and other.start < choice.stop for other in kept):
            kept.append(choice)
    return sorted(kept, key=lambda item: item.start)


def placed(low: str, options: tuple[str, ...], *, asked: bool) -> str | None:
    """ "the second one", "option 2", and where one was asked for just "2"."""
    match = _PLACED.search(low) or (_LONE.match(low) if asked else None)
    if match is None:
        return None
    groups = match.groupdict()
    if groups.get("nth"):
        place = ORDINALS[groups["nth"]]
    else:
        number = groups["number"]
        place = int(number) - 1 if number.isdigit() else _CARDINALS.get(number, ord(number[0]) - ord("a"))
    return options[place] if -len(options) <= place < len(options) else None


def choose(
    low: str, options: tuple[EnumValue, ...], closeness: Closeness, *, asked: bool, context: str = ""
) -> Choice | None:
    """The one value that is meant, or None. What was `asked` needs less to be understood; words of the `context` tell
    nothing."""
    exact = written(low, options)
    if exact:
        best = max(exact, key=lambda item: (item.strength, item.stop - item.start))
        return (
            best
            if len({item.value for item in exact if item.strength == best.strength}) == 1 or not asked
            else exact[-1]
        )
    values = tuple(item.value for item in options)
    denied = _denied(low, options)
    if denied and len(values) == 2:
        return Choice(next(value for value in values if value != denied), EXACT, 0, len(low))
    nth = placed(low, values, asked=asked) if asked else None
    if nth is not None:
        return Choice(nth, EXACT, 0, len(low))
    return _meant(low, options, closeness, asked=asked, context=context)


def _meant(
    low: str, options: tuple[EnumValue, ...], closeness: Closeness, *, asked: bool, context: str
) -> Choice | None:
    if not re.search(r"[a-z]{2}", low):
        return None
    low = _DENIED.sub(" ", low)
    shares = [
        max(by_value, 0.85 * by_description)
        for by_value, by_description in zip(
            telling(low, [_plain(item.value) for item in options], context),
            telling(low, [item.description or _plain(item.value) for item in options], context),
            strict=True,
        )
    ]
    order = sorted(range(len(options)), key=lambda index: -shares[index])
    best = order[0]
    second = shares[order[1]] if len(order) > 1 else 0.0
    if shares[best] >= (POSSIBLE if asked else LIKELY) and shares[best] - second >= 0.2:
        return Choice(options[best].value, min(shares[best], 0.95), 0, len(low))
    if not asked and shares[best] == 0:
        return None
    if meanings(low) and (nearest := _nearest(low, options, closeness, shares, asked=asked)):
        return nearest
    rest = other(options)
    if asked and rest and (said("no", low) or re.search(r"\b(?:other|else|neither|none)\b", low)):
        return Choice(rest, LIKELY, 0, len(low))
    return None


def _nearest(
    low: str, options: tuple[EnumValue, ...], closeness: Closeness, shares: list[float], *, asked: bool
) -> Choice | None:
    """The value that comes nearest in meaning, by itself or its description, if it is clearly nearer than the next.
    `shares` are the shares of each value's words that the text has."""
    near = closeness.between(low, [_plain(item.value) for item in options])
    described = closeness.between(low, [item.description or _plain(item.value) for item in options])
    together = [
        max(value, 0.95 * text) + 0.3 * share for value, text, share in zip(near, described, shares, strict=True)
    ]
    order = sorted(range(len(options)), key=lambda index: -together[index])
    best = order[0]
    second = together[order[1]] if len(order) > 1 else 0.0
    lowest = _ASKED_NEAR if max(shares) > 0 else _BY_NEARNESS
    least = together[best] >= lowest if asked else max(near[best], described[best]) >= _NEAR and shares[best] > 0
    if least and together[best] - second >= _MARGIN:
        return Choice(options[best].value, min(together[best], 0.9), 0, len(low))
    return None


def other(options: tuple[EnumValue, ...]) -> str | None:
    """The value for what is none of the others, if there is one ("Others", "Other Enrollment Issues")."""
    return next(
        (item.value for item in options if re.match(r"(?:something )?others?\b|none\b", item.value.lower())), None
    )


def denials(low: str) -> Iterator[re.Match[str]]:
    """The stretches of a text that deny something."""
    return _DENIED.finditer(low)


def affirmed(low: str) -> str:
    """The text with what it denies blanked: the same length."""
    return _DENIED.sub(lambda match: " " * len(match.group()), low)


def denied(low: str, options: tuple[EnumValue, ...]) -> list[str]:
    """The values that the text says are not meant, by words that tell them apart ("not about dropping")."""
    values = [_plain(item.value) for item in options]
    found: list[str] = []
    for match in _DENIED.finditer(low):
        for part in re.split(r",|\b(?:or|nor|and)\b", match.group()):
            scores = telling(part, values)
            best = max(scores)
            if best >= POSSIBLE and scores.count(best) == 1:
                found.append(options[scores.index(best)].value)
    return found


def denies(low: str, value: str) -> bool:
    """Whether the text says that a value is not meant, by any of the words that tell it ("not dropping")."""
    said = " ".join(match.group() for match in _DENIED.finditer(low))
    return bool(said) and telling(said, [_plain(value)])[0] >= POSSIBLE


def differs(low: str, options: tuple[EnumValue, ...], value: object) -> bool:
    """Whether the text has another of the values as it is written."""
    return any(one.value != value for one in written(low, options))


def _denied(low: str, options: tuple[EnumValue, ...]) -> str | None:
    """The one value that the text says is not meant."""
    found = {
        option.value
        for option in options
        for form, _ in _forms(option.value)
        for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", low)
        if _NEGATED.search(low[: match.start()])
    }
    return found.pop() if len(found) == 1 else None


def _plain(value: str) -> str:
    """A value as it would be said: "Credit/No Credit" is "Credit No Credit"."""
    return re.sub(r"[/_]", " ", value)


def _forms(value: str) -> list[tuple[str, bool]]:
    """How a value is written, and whether the form is the whole of it: its parts by "(…)", its initials."""
    low = value.lower()
    forms = [(low, True), (_plain(low), True)]
    if bracket := re.search(r"\(([^)]+)\)", value):
        outside = re.sub(r"\s*\([^)]*\)\s*", " ", value).strip()
        forms += [(outside.lower(), True), (bracket[1].lower(), len(bracket[1]) > 4)]
    words = re.findall(r"[A-Za-z]+", re.sub(r"\([^)]*\)", "", value))
    if len(words) >= 3:
        forms.append(("".join(word[0] for word in words if word[0].isupper() or len(words) < 4).lower(), False))
    if quoted := re.search(r'"([^"]+)"(.*)', value):  # what is quoted is a name: "A" levels
        forms.append((f"{quoted[1]}{quoted[2]}".strip().lower(), True))
    if "/" in value:
        sides = [side.split() for side in value.split("/")]
        short = ["".join(word[0] for word in side).lower() for side in sides]
        forms += [("/".join(short), True), ("/".join([sides[0][0][:2].lower(), *short[1:]]), True)]
        forms += [(" ".join(side).lower(), False) for side in sides]
    return [(form, whole) for form, whole in dict.fromkeys(forms) if len(form) >= 2]
