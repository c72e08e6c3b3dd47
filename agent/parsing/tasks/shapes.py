"""What kind of words a field is filled with: its type, and for a plain text what its name and description say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from agent.worksheets.specification import Basic, Field, FieldKind, Specification


class Shape(StrEnum):
    DATE = "date"
    TIME = "time"
    NUMBER = "number"
    PEOPLE = "people"
    YES_NO = "yes or no"
    CHOICE = "choice"
    EMAIL = "e-mail"
    PHONE = "phone"
    PERSON = "person"  # a name
    IDENTIFIER = "identifier"
    CODE = "code"  # "CS 161", or a title
    WORDS = "words"  # whatever is said
    ROW = "row"  # a row of a corpus
    SHEET = "sheet"  # another worksheet
    CONFIRM = "confirm"


_TEXTS = (
    (Shape.EMAIL, re.compile(r"\be-?mail")),
    (Shape.PHONE, re.compile(r"\b(?:tele)?phone\b|\bmobile\b|\bcell\b")),
    (
        Shape.IDENTIFIER,
        re.compile(
            r"\b(?:ids?|pin|number|account|passcode|identifier|serial|card no|zip|postcode|"
            r"postal code|booking|confirmation code|reference)\b"
        ),
    ),
    (
        Shape.PERSON,
        re.compile(
            r"\b(?:full|first|last|your|student|own|patient|member|guest|customer|legal|contact|"
            r"person|whose|owner|holder)(?:'s)? names?\b|^names?$|\bname of the (?:person|student|"
            r"guest|owner|patient)"
        ),
    ),
    (Shape.CODE, re.compile(r"\bcourses?\b|\bclass(?:es)?\b|\bcode\b")),
)
_LONG = re.compile(
    r"\b(?:descri\w+|details?|issues?|problem|reasons?|comments?|notes?|requests?|explain\w*|report|message|answers?|anything|information|happened|symptoms?|feedback)\b"
)
_COUNTS_PEOPLE = re.compile(
    r"\b(?:people|party|guests?|persons?|attendees|diners|seats|passengers|travell?ers|adults|"
    r"participants|head ?count)\b"
)
_PAST = re.compile(
    r"\b(?:submitted|submission|birth|born|happened|occurred|took|taken|was|were|did|sent|last|issued|purchased|bought|stolen|lost|already|incident)\b"
)


def shape(field: Field, specification: Specification) -> Shape:
    """What a field is filled with."""
    match field.type.basic:
        case Basic.DATE:
            return Shape.DATE
        case Basic.TIME:
            return Shape.TIME
        case Basic.INTEGER | Basic.NUMBER:
            return Shape.PEOPLE if _COUNTS_PEOPLE.search(about(field)) else Shape.NUMBER
        case Basic.BOOLEAN:
            return Shape.YES_NO
        case Basic.CONFIRM:
            return Shape.CONFIRM
        case Basic.ENUM:
            return Shape.CHOICE
        case Basic.TEXT:
            return _text(field)
    return Shape.ROW if specification.knowledge(field) is not None else Shape.SHEET


def told_by_code(field: Field, tables: Iterable[str]) -> bool:
    """Whether it is a text that stands for a row of one of the tables by its code ("CS 161"): it is called after it."""
    named = any(table.removesuffix("s") in called(field) for table in tables)
    return named and field.type.basic is Basic.TEXT and _text(field) is Shape.CODE


def called(field: Field) -> str:
    """What a field is called: its title and its name, in lower case."""
    return f"{field.title} {field.name.replace('_', ' ')}".strip().lower()


def about(field: Field) -> str:
    """Everything the specification says of a field, in lower case."""
    return f"{called(field)} {field.description} {field.question}".lower()


def is_long(field: Field) -> bool:
    """Whether a field is called what a text in somebody's own words is called."""
    return bool(_LONG.search(field.name.replace("_", " ").lower()))


def past(field: Field) -> bool:
    """Whether the days of a field lie before today."""
    return bool(_PAST.search(f"{called(field)} {field.description}".lower()))


def fillable(field: Field) -> bool:
    """Whether words can fill it: it comes from the user, and is no confirmation."""
    return field.kind is FieldKind.INPUT and field.type.basic is not Basic.CONFIRM


def _text(field: Field) -> Shape:
    if field.enum_values:
        return Shape.CHOICE
    label = field.name.replace("_", " ").lower()
    if _LONG.search(label):
        return Shape.WORDS
    for text in (label, field.description.lower()):
        found = next((kind for kind, pattern in _TEXTS if pattern.search(text)), None)
        if found is not None:
            return found
    return Shape.WORDS
