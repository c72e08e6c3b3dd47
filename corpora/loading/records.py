"""The form of each line of each kind of file. What a line leaves out, where it may, is not known."""

from __future__ import annotations

import datetime as dt
import json
import unicodedata
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from corpora.models.columns import is_page_link, is_web_link
from corpora.models.courses import Day, Level, Season
from corpora.models.hours import is_stretch
from corpora.models.restaurants import Price
from corpora.plain import plain

LARGEST = 2_147_483_647  # of PostgreSQL's integer


def _text(value: str) -> str:
    """Composed characters (NFC), so that texts that look the same are the same."""
    if "\0" in value:
        raise ValueError("holds a NUL character, which a database cannot keep")
    return unicodedata.normalize("NFC", value)


def _words(value: str) -> str:
    """One line, with single spaces: a stray one would make another city of "Palo Alto "."""
    return " ".join(_text(value).split())


def _filled(value: str) -> str:
    if not value.strip():
        raise ValueError("should not be empty")
    return value


def _link(text: str) -> str:
    if text and not is_web_link(text):
        raise ValueError("a link starts with http:// or https://")
    return text


def _page(text: str) -> str:
    if text and not is_page_link(text):
        raise ValueError("a link starts with http://, https:// or /")
    return text


def _different(values: list[str]) -> list[str]:
    """Without those that differ from an earlier one by their capitals only."""
    return list({value.casefold(): value for value in reversed(values)}.values())[::-1]


Text = Annotated[str, AfterValidator(_text), AfterValidator(plain)]  # prose: without marks, else kept to the letter
Words = Annotated[str, AfterValidator(_words)]
Prose = Annotated[Text, AfterValidator(_filled)]
Said = Annotated[Words, AfterValidator(_filled)]
Several = Annotated[list[Said], AfterValidator(_different)]
Link = Annotated[Words, AfterValidator(_link)]
Page = Annotated[Words, AfterValidator(_page)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]
Year = Annotated[int, Field(ge=0, le=9999)]
Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Identity = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Rating5 = Annotated[float, Field(ge=0, le=5)]


class Line(BaseModel):
    """Base: unknown fields are errors, a number in quotes is not a number, and null is not known, as if left out."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @classmethod
    def read(cls, data: Any) -> Self:
        """Return what was read from JSON, as a line. Raises ValidationError."""
        names = {name for form in Line.__subclasses__() for name in form.model_fields}
        # As JSON again: in pydantic's other mode a strict date is no text.
        return cls.model_validate_json(json.dumps(_known(data, names)))


def _known(data: Any, names: set[str]) -> Any:
    """Without fields that are null, at any depth; {"mon": null} is none."""
    if isinstance(data, list):
        return [_known(item, names) for item in data]
    if isinstance(data, dict):
        return {name: _known(value, names) for name, value in data.items() if value is not None or name not in names}
    return data


def _stretch(value: list[str]) -> list[str]:
    if not is_stretch(value):
        raise ValueError('a stretch of opening hours is ["HH:MM", "HH:MM"], "24:00" at most')
    return value


Stretch = Annotated[list[str], AfterValidator(_stretch)]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class ReviewLine(Line):
    """One review, inside a restaurant's line."""

    author: Words = ""
    date: dt.date | None = None
    stars: Annotated[int, Field(ge=1, le=5)] | None = None
    text: Prose


class RestaurantLine(Line):
    """One restaurant with its reviews."""

    slug: Slug
    name: Said
    city: Said
    neighbourhood: Words = ""
    address: Words = ""
    lat: Latitude
    lon: Longitude
    phone: Words = ""
    cuisines: Several = []
    price: Annotated[Price, Field(strict=False)] | None = None
    rating: Rating5 | None = None
    num_reviews: Count = 0
    opening_hours: dict[Weekday, list[Stretch]] | None = None
    popular_dishes: list[Prose] = []
    about: Text = ""
    picture: Page = ""
    link: Link = ""
    reviews: list[ReviewLine] = []


class OfferingLine(Line):
    """One offering, inside a course's line."""

    season: Annotated[Season, Field(strict=False)]
    days: list[Annotated[Day, Field(strict=False)]] = []
    start_time: dt.time | None = None
    end_time: dt.time | None = None
    instructor_names: list[Said] = []
    capacity: Count | None = None
    enrolled: Count | None = None
    location: Words = ""

    @model_validator(mode="after")
    def _in_order(self) -> OfferingLine:
        if self.start_time and self.end_time and self.end_time <= self.start_time:
            raise ValueError("end_time is not after start_time")
        return self


class RatingLine(Line):
    """One quarter's rating with comments, inside a course's line."""

    rating_id: Identity
    instructor_names: list[Said] = []
    average_rating: Rating5 | None = None
    num_ratings: Count = 0
    season: Annotated[Season, Field(strict=False)]
    start_year: Year
    end_year: Year
    reviews: list[Prose] = []

    @model_validator(mode="after")
    def _one_year(self) -> RatingLine:
        if self.end_year != self.start_year + 1:
            raise ValueError("end_year is not the year after start_year")
        return self


class CourseLine(Line):
    """One course with its offerings and ratings."""

    course_id: Identity
    title: Said
    course_codes: Annotated[list[Said], Field(min_length=1)]
    description: Text = ""
    min_units: Count
    max_units: Count
    grading: Words = ""
    average_hours_spent: Annotated[float, Field(ge=0, le=168)] | None = None
    general_requirements: list[Said] = []
    foundations_requirement: Said | None = None
    significant_implementation_requirement: bool = False
    breadth_requirement: Said | None = None
    prerequisite_course_codes: list[Said] = []
    offerings: list[OfferingLine] = []
    ratings: list[RatingLine] = []

    @model_validator(mode="after")
    def _in_order(self) -> CourseLine:
        if self.max_units < self.min_units:
            raise ValueError("max_units is below min_units")
        return self


class ProgramLine(Line):
    """One degree program."""

    program_id: Slug
    level: Annotated[Level, Field(strict=False)]
    specialization: Said
    sheet_requirements: Text = ""
    sheet_url: Page = ""


class ArticleLine(Line):
    """One help article."""

    slug: Slug
    title: Said
    category: Words = ""
    audience: Words = ""
    updated: dt.date | None = None
    body: Prose
    contact: Words = ""


class QuestionLine(Line):
    """Questions that one stretch of a help article answers."""

    article: Slug
    quote: Prose
    questions: Annotated[list[Annotated[Said, Field(max_length=300)]], Field(min_length=1)]


class LandmarkLine(Line):
    """One place with its other names."""

    name: Said
    city: Words = ""
    kind: Said
    lat: Latitude
    lon: Longitude
    aliases: Several = []
    radius: Annotated[float, Field(gt=0)] | None = None
