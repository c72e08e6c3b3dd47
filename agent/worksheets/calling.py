"""Calling what an application registered: machine values become what the function's signature asks for."""

from __future__ import annotations

import datetime
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any

from agent.protocols.errors import SpecificationError
from agent.worksheets.actions import Action


@functools.lru_cache(maxsize=256)
def _hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    return typing.get_type_hints(inspect.unwrap(function))


def typed(function: Callable[..., Any], parameter: str, value: Any) -> Any:
    """Return a machine value as the type that a parameter is annotated with: "2026-11-27" for a `date` is that date."""
    if not isinstance(value, str):
        return value
    wanted = _hints(function).get(parameter)
    kinds = (wanted, *typing.get_args(wanted))
    if datetime.date in kinds:
        return datetime.date.fromisoformat(f"{value}-01" if len(value) == len("2026-11") else value)
    if datetime.time in kinds:
        return datetime.time.fromisoformat(value)
    return value


def bound(name: str, action: Action, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments for a registered action. Raises SpecificationError if it does not take them."""
    given = {key: typed(action, key, value) for key, value in arguments.items()}
    try:
        inspect.signature(action).bind(None, **given)
    except TypeError as error:
        raise SpecificationError(
            "I can't do that, because this form is not set up correctly.", f"action {name}: {error}"
        ) from None
    return given
