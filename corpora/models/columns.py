"""Column types and checks that several models share."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class OpenMinutesField(models.Field):
    """An int4multirange: the minutes of the week (Monday 00:00 is 0) at which something is open. Only generated."""

    description = "Open minutes of the week"

    def db_type(self, connection: Any) -> str:
        return "int4multirange"


def words(verbose_name: str = "", **options: Any) -> ArrayField:
    """An array of texts, empty by default."""
    field = ArrayField(models.TextField(), default=list, blank=True, **options)
    if verbose_name:
        field.verbose_name = verbose_name
    return field


def next_position(siblings: models.QuerySet[Any]) -> int:
    """The position after the last of the siblings; 0 where there are none."""
    last = siblings.aggregate(last=models.Max("position"))["last"]
    return 0 if last is None else last + 1


def at_least(column: str, least: float, *, name: str) -> models.CheckConstraint:
    """`column` is `least` or more."""
    return models.CheckConstraint(
        condition=Q(**{f"{column}__gte": least}), name=name, violation_error_message=f"{column} is below {least}."
    )


def between(column: str, least: float, most: float, *, name: str) -> models.CheckConstraint:
    """`column` lies in `least` to `most`, both included."""
    return models.CheckConstraint(
        condition=Q(**{f"{column}__gte": least, f"{column}__lte": most}),
        name=name,
        violation_error_message=f"{column} is not between {least} and {most}.",
    )


def filled(column: str, *, name: str) -> models.CheckConstraint:
    """`column` is not the empty string."""
    return models.CheckConstraint(
        condition=~Q(**{column: ""}), name=name, violation_error_message=f"{column} is empty."
    )


def one_of(column: str, choices: type[models.TextChoices], *, name: str) -> models.CheckConstraint:
    """`column` holds one of the choices (Django itself checks choices in forms only)."""
    return models.CheckConstraint(
        condition=Q(**{f"{column}__in": choices.values}),
        name=name,
        violation_error_message=f"{column} is none of {', '.join(choices.values)}.",
    )
