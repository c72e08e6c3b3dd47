"""Column types and checks that several models share."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from corpora.plain import plain

WEB_LINK = r"^https?://[^\s/?#]\S*$"
PAGE_LINK = r"^(?:https?://[^\s/?#]|/(?!/))\S*$"  # or a path on this site


def is_web_link(text: str) -> bool:
    """Return whether the text is an address of the web: http or https, and nothing that a browser would run."""
    return re.match(WEB_LINK, text, re.IGNORECASE) is not None


def is_page_link(text: str) -> bool:
    """Return whether the text is an address of the web, or a path on this site."""
    return re.match(PAGE_LINK, text, re.IGNORECASE) is not None


class OpenMinutesField(models.Field):
    """An int4multirange: the minutes of the week (Monday 00:00 is 0) at which something is open. Only generated."""

    description = "Open minutes of the week"

    def db_type(self, connection: Any) -> str:
        return "int4multirange"


class _PlainText(forms.CharField):
    """Prose as a curator typed or pasted it, without the marks of HTML."""

    def clean(self, value: Any) -> str:
        return plain(super().clean(value))


class ProseField(models.TextField):
    """A text that people read. What is typed into a form of it is stored as plain text; loading does the same."""

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": _PlainText, **kwargs})

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs  # nothing else to the database


def words(verbose_name: str = "", *, prose: bool = False, **options: Any) -> ArrayField:
    """Return an array of texts, empty by default."""
    field = ArrayField(ProseField() if prose else models.TextField(), default=list, blank=True, **options)
    if verbose_name:
        field.verbose_name = verbose_name
    return field


def next_position(siblings: models.QuerySet[Any]) -> int:
    """Return the position after the last of the siblings; 0 if there are none."""
    last = siblings.aggregate(last=models.Max("position"))["last"]
    return 0 if last is None else last + 1


def _label(column: str) -> str:
    """A column's name as a sentence begins with it."""
    return column.replace("_", " ").capitalize()


def at_least(column: str, least: float, *, name: str) -> models.CheckConstraint:
    """`column` is `least` or more."""
    return models.CheckConstraint(
        condition=Q(**{f"{column}__gte": least}),
        name=name,
        violation_error_message=f"{_label(column)} has to be {least} or more.",
    )


def between(column: str, least: float, most: float, *, name: str) -> models.CheckConstraint:
    """`column` lies in `least` to `most`, both included."""
    return models.CheckConstraint(
        condition=Q(**{f"{column}__gte": least, f"{column}__lte": most}),
        name=name,
        violation_error_message=f"{_label(column)} has to lie between {least} and {most}.",
    )


def filled(column: str, *, name: str) -> models.CheckConstraint:
    """`column` is not the empty string."""
    return models.CheckConstraint(
        condition=~Q(**{column: ""}), name=name, violation_error_message=f"{_label(column)} must not be empty."
    )


def one_of(column: str, choices: type[models.TextChoices], *, name: str) -> models.CheckConstraint:
    """`column` holds one of the choices (Django itself checks choices in forms only)."""
    return models.CheckConstraint(
        condition=Q(**{f"{column}__in": choices.values}),
        name=name,
        violation_error_message=f"{_label(column)} has to be one of: {', '.join(choices.values)}.",
    )


def web_link(column: str, *, name: str, pages: bool = False) -> models.CheckConstraint:
    """`column` is empty or an address of the web; with `pages`, it may be a path on this site."""
    whence = "http://, https:// or /" if pages else "http:// or https://"
    return models.CheckConstraint(
        condition=Q(**{column: ""}) | Q(**{f"{column}__iregex": PAGE_LINK if pages else WEB_LINK}),
        name=name,
        violation_error_message=f"{_label(column)} has to start with {whence} and hold no space.",
    )
