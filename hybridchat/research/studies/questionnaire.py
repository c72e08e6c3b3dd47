"""Questionnaires as data: a list of items, each asked as a text, on a scale, as a choice or as a number.

    [{"name": "liked", "kind": "text", "text": "What did you like?"},
     {"name": "ease", "kind": "likert", "text": "It was easy to use.", "points": 7,
      "low": "not at all", "high": "very much", "shuffle": true},
     {"name": "check", "kind": "choice", "text": "Please choose the third one.", "options": ["1", "2", "3"],
      "expected": "3"},
     {"name": "age", "kind": "number", "text": "Your age", "minimum": 18, "maximum": 120, "required": false}]

Items with `shuffle` change places among themselves, options with `shuffle_options`, in an order of each person's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel, model_validator

from hybridchat.research.studies.validation import flaws_of

LONGEST = 5_000  # characters of an answer
Value = str | int | float | None


class Item(BaseModel):
    """One thing that is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)
    text: str = Field(min_length=1)
    kind: Literal["text", "likert", "choice", "number"] = "text"
    required: bool = True
    points: int = Field(default=5, ge=2, le=11)
    low: str = ""
    high: str = ""
    options: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    shuffle: bool = False
    shuffle_options: bool = False
    expected: str | int | float | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Item:
        if self.kind == "choice" and len(set(self.options)) < 2:
            raise ValueError("A choice needs at least two different options.")
        if self.kind != "choice" and self.options:
            raise ValueError("Only a choice has options.")
        if self.expected is not None and self.kind == "choice" and self.expected not in self.options:
            raise ValueError("The expected answer is none of the options.")
        return self

    @property
    def scale(self) -> range:
        """The points of a scale."""
        return range(1, self.points + 1)

    def value(self, given: str) -> Value:
        """What an answer says, None where it says nothing. Raises ValueError with a sentence for the person."""
        given = given.strip()
        if not given:
            if self.required:
                raise ValueError("Please answer this one.")
            return None
        if self.kind == "likert":
            return _of_scale(given, self.scale)
        if self.kind == "number":
            return _number(given, self.minimum, self.maximum)
        if self.kind == "choice" and given not in self.options:
            raise ValueError("Please choose one of these.")
        if len(given) > LONGEST:
            raise ValueError(f"Please keep this below {LONGEST:,} characters.")
        return given

    def attentive(self, value: Value) -> bool | None:
        """Whether an attention check was passed; None for an item that is none."""
        if self.expected is None:
            return None
        return str(value).strip().casefold() == str(self.expected).strip().casefold()


class Questionnaire(RootModel[tuple[Item, ...]]):
    """Items whose names differ."""

    @model_validator(mode="after")
    def _names_differ(self) -> Questionnaire:
        names = [item.name for item in self.root]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"Two items are called {twice!r}.")
        return self

    def for_person(self, seed: str) -> tuple[Item, ...]:
        """The items as one person gets them: always the same for one seed."""
        draw = Random(seed)  # noqa: S311 - an order, not a secret
        moving = [item for item in self.root if item.shuffle]
        draw.shuffle(moving)
        places = iter(moving)
        items = [next(places) if item.shuffle else item for item in self.root]
        return tuple(_shuffled(item, draw) if item.shuffle_options else item for item in items)


def flaw_of(data: Any) -> str:
    """What is wrong with a questionnaire, in words; "" where nothing is."""
    return flaws_of(Questionnaire, data)


def default_questionnaire() -> list[dict[str, Any]]:
    """What people are asked where nothing else is said."""
    return [
        {"name": "liked", "text": "What did you like about this assistant? A few sentences are enough."},
        {"name": "disliked", "text": "What did you dislike about it?"},
        {"name": "problems", "text": "Did you meet any problems? If so, please describe them."},
    ]


def read_answers(items: Sequence[Item], given: Mapping[str, str]) -> tuple[dict[str, Value], dict[str, str]]:
    """The values by item, and what is wrong by item."""
    values: dict[str, Value] = {}
    wrong: dict[str, str] = {}
    for item in items:
        try:
            values[item.name] = item.value(given.get(item.name, ""))
        except ValueError as error:
            wrong[item.name] = str(error)
    return values, wrong


def _shuffled(item: Item, draw: Random) -> Item:
    return item.model_copy(update={"options": tuple(draw.sample(item.options, len(item.options)))})


def _of_scale(given: str, scale: range) -> int:
    if not (given.isascii() and given.isdecimal()) or int(given) not in scale:
        raise ValueError("Please choose a point of the scale.")
    return int(given)


def _number(given: str, minimum: float | None, maximum: float | None) -> float | int:
    try:
        number = float(given)
    except ValueError as error:
        raise ValueError("Please write a number.") from error
    if number != number or abs(number) == float("inf"):
        raise ValueError("Please write a number.")
    if minimum is not None and number < minimum:
        raise ValueError(f"The least is {minimum:g}.")
    if maximum is not None and number > maximum:
        raise ValueError(f"The most is {maximum:g}.")
    return int(number) if number.is_integer() else number
