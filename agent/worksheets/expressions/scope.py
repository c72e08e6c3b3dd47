"""What an expression is evaluated against, and the steps its actions amount to."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Nested:
    """A worksheet instance as the value of an attribute. It is true when it is `complete`, and never None."""

    instance: str
    complete: bool = False


class Scope(Protocol):
    """The values an expression can see.

    `value` is the value about to be assigned (in a validation). `attribute` is given "self", the variable of a
    worksheet (`user_info`: its instance in question) or the name of an instance, and the name of one of its fields;
    it returns a machine value, an `Entity`, a `Nested`, a tuple of these, or None if nothing is known. `whole` is
    given the same and returns the instance or row itself, None if there is none.
    """

    @property
    def value(self) -> Any: ...

    @property
    def today(self) -> datetime.date: ...

    @property
    def now(self) -> datetime.datetime: ...

    def attribute(self, owner: str, field: str) -> Any: ...

    def whole(self, owner: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the user `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Propose:
    """Offer the task `worksheet` with some values filled in."""

    worksheet: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExitWorksheet:
    """Give the instance up."""


@dataclass(frozen=True, slots=True)
class AskConfirmation:
    """Ask for a yes to the value of a field of the instance."""

    field: str


@dataclass(frozen=True, slots=True)
class CallAction:
    """Call the registered action `name`. Values that are not known are None; worksheets are `Nested`."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SetField:
    """Set a field of "self" or of the worksheet with the variable `owner`."""

    owner: str
    field: str
    value: Any


Step = Say | Propose | ExitWorksheet | AskConfirmation | CallAction | SetField
