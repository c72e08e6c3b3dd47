"""What is wrong with data that a person wrote by hand, in words."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError


def flaws_of(model: type[BaseModel], data: Any) -> str:
    """What keeps the data from being a `model`; "" where nothing does."""
    try:
        model.model_validate(data)
    except ValidationError as error:
        return "; ".join(_told(flaw["loc"], flaw["msg"]) for flaw in error.errors())
    return ""


def _told(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join(str(part) for part in place)
    said = message.removeprefix("Value error, ")
    return f"{where}: {said}" if where else said
