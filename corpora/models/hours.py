"""Opening hours as JSON: {"mon": [["11:00", "14:30"]], …}. The database checks them too; this says it in words."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d|24:00")


def is_stretch(value: Any) -> bool:
    """Return whether this is ["HH:MM", "HH:MM"]; the end may be "24:00", or earlier than the start: on the next day."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(end, str) for end in value):
        return False
    return all(_TIME.fullmatch(end) for end in value) and value[0] != "24:00"


def validate_opening_hours(value: Any) -> None:
    """Raise ValidationError, which names the day and the stretch that are wrong."""
    if not isinstance(value, dict):
        raise ValidationError('Opening hours are an object of days: {"mon": [["11:00", "14:30"]], …}.')
    for day, stretches in value.items():
        if day not in WEEKDAYS:
            raise ValidationError(f"{day!r} is not a day; the days are {', '.join(WEEKDAYS)}.")
        if not isinstance(stretches, list):
            raise ValidationError(f'{day}: a list of stretches is expected, such as [["11:00", "14:30"]].')
        for stretch in stretches:
            if not is_stretch(stretch):
                raise ValidationError(f'{day}: {stretch!r} is not a stretch such as ["11:00", "14:30"].')
