"""The form of each line of each kind of file. What a line leaves out, where it may, is not known."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.types import StringConstraints

from corpora.models.courses import Day, Level, Season
from corpora.models.hours import is_stretch
from corpora.models.restaurants import Price

Said = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
Slug = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]
Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
Count = Annotated[int, Field(ge=0)]
Rating5 = Annotated[float, Field(ge=0, le=5)]


class Line(BaseModel):
    """Base: unknown fields are errors, and a number in quotes is not a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _stretch(value: list[str]) -> list[str]:
    if not is_stretch(value):
        raise ValueError('a stretch of opening hours is ["HH:MM", "HH:MM"], "24:00" at most')
    return value


Stretch = Annotated[list[str], AfterValidator(_stretch)]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class ReviewLine(Line):
    """One review, inside a restaurant's line."""

    author: str = ""
    date: dt.date | None = None
    stars: Annotated[int, Field(ge=1, le=5)] | None = None
    text: Said


class RestaurantLine(Line):
    """One restaurant with its reviews."""

    slug: Slug
    name: Said
    city: Said
    neighbourhood: str = ""
    address: str = ""
    lat: Latitude
    lon: Longitude
    phone: str = ""
    cuisines: list[Said] = []
    price: Annotated[Price, Field(strict=False)] | None = None
    rating: Rating5 | None = None
    num_reviews: Count = 0
    opening_hours: dict[Weekday, list[Stretch]] | None = None
    popular_dishes: list[Said] = []
    about: str = ""
    picture: str = ""
    link: str = ""
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
    location: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> OfferingLine:
        if self.start_time and self.end_time and self.end_time <= self.start_time:
            raise ValueError("end_time is not after start_time")
        return self


class RatingLine(Line):
    """One quarter's rating with comments, inside a course's line."""

    rating_id: int
    instructor_names: list[Said] = []
    average_rating: Rating5 | None = None
    num_ratings: Count = 0
    season: Annotated[Season, Field(strict=False)]
    start_year: int
    end_year: int
    reviews: list[Said] = []

    @model_validator(mode="after")
    def _one_year(self) -> RatingLine:
        if self.end_year != self.start_year + 1:
            raise ValueError("end_year is not the year after start_year")
        return self


class CourseLine(Line):
    """One course with its offerings and ratings."""

    course_id: int
    title: Said
    course_codes: Annotated[list[Said], Field(min_length=1)]
    description: str = ""
    min_units: Count
    max_units: Count
    grading: str = ""
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
    sheet_requirements: str = ""
    sheet_url: str = ""


class ArticleLine(Line):
    """One help article."""

    slug: Slug
    title: Said
    category: str = ""
    audience: str = ""
    updated: dt.date | None = None
    body: Said
    contact: str = ""


class QuestionLine(Line):
    """Questions that one stretch of a help article answers."""

    article: Slug
    quote: Said
    questions: Annotated[list[Annotated[Said, Field(max_length=300)]], Field(min_length=1)]


class LandmarkLine(Line):
    """One place with its other names."""

    name: Said
    city: str = ""
    kind: Said
    lat: Latitude
    lon: Longitude
    aliases: list[Said] = []
    radius: Annotated[float, Field(gt=0)] | None = None
