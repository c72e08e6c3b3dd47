"""What a card shows of an entity besides the values a query selected, read fresh from the corpora.

Each entry is a dict of display fields; `columns` names the columns of the schema `kb` that the card thereby shows.
`restaurants`: picture, rating, num_reviews, price, cuisines, city, neighbourhood, address, open_now (True, False or
None if not known), hours ("Open until 10:00 pm"), opening_hours (by day), phone, phone_link, map_link, link.
`courses` (also for rows of offerings and ratings): code, title, units, offerings ("Autumn, Mon Wed, 10:30–11:20"),
rating, num_ratings, hours_a_week. `programs`: level, specialization, link. `articles`: category, audience, updated,
opening (how the text begins), contact. Any other table: picture, badges, lines, links, as its curators say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.formats import date_format

from agent.suql.phrases import capitalised
from agent.worksheets.wording import time_words
from corpora.models import Article, Course, Offering, Program, Rating, Restaurant
from corpora.models.columns import is_page_link, is_web_link
from hybridchat.chat.described_cards import BLANK, described_cards
from hybridchat.chat.hours import hours_today

Displays = Mapping[tuple[str, str], Mapping[str, Any]]
OPENING_LENGTH = 220


def displays(wanted: Iterable[tuple[str, str]]) -> Displays:
    """Return the display fields of entities by (table, key), without unknown tables and keys."""
    keys: dict[str, set[str]] = {}
    for table, key in wanted:
        keys.setdefault(table, set()).add(key)
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for table, some in keys.items():
        rows = READERS[table](some) if table in READERS else described_cards(table, some)
        found |= {(table, key): fields for key, fields in rows.items()}
    return found


def blank(table: str) -> Mapping[str, Any]:
    """Return empty display fields for something that is no longer in the corpora."""
    if table not in READERS:
        return BLANK
    return {"columns": (), **dict.fromkeys(FIELDS.get(table, "").split(), "")}


def _restaurants(slugs: set[str]) -> dict[str, dict[str, Any]]:
    return {one.slug: _restaurant(one) for one in Restaurant.objects.filter(slug__in=slugs)}


def _restaurant(place: Restaurant) -> dict[str, Any]:
    today = hours_today(place.opening_hours, timezone.localtime())
    where = f"{place.latitude:.5f}", f"{place.longitude:.5f}"
    return {
        "columns": RESTAURANT_COLUMNS,
        "picture": place.picture if is_page_link(place.picture) else "",
        "rating": place.rating,
        "num_reviews": place.num_reviews,
        "price": place.price or "",
        "cuisines": [capitalised(cuisine) for cuisine in place.cuisines],
        "city": place.city,
        "neighbourhood": place.neighbourhood,
        "address": place.address,
        "open_now": today.open_now,
        "hours": today.words,
        "opening_hours": place.opening_hours,
        "phone": place.phone_number,
        "phone_link": "tel:" + "".join(sign for sign in place.phone_number if sign.isdigit() or sign == "+"),
        "map_link": "https://www.openstreetmap.org/?" + urlencode({"mlat": where[0], "mlon": where[1], "zoom": 17}),
        "link": place.link if is_web_link(place.link) else "",
    }


def _courses(codes: set[str]) -> dict[str, dict[str, Any]]:
    found = Course.objects.filter(code__in=codes).prefetch_related(
        Prefetch("offerings", Offering.objects.order_by("position")), Prefetch("ratings", Rating.objects.all())
    )
    return {one.code: _course(one) for one in found}


def _course(course: Course) -> dict[str, Any]:
    rated = [one for one in course.ratings.all() if one.average_rating is not None and one.num_ratings]
    count = sum(one.num_ratings for one in rated)
    average = sum(one.average_rating * one.num_ratings for one in rated) / count if count else None
    fixed = course.min_units == course.max_units
    return {
        "columns": COURSE_COLUMNS,
        "code": course.code,
        "title": course.title,
        "units": f"{course.min_units}" if fixed else f"{course.min_units}–{course.max_units}",
        "offerings": [_offering(one) for one in course.offerings.all()],
        "rating": average,
        "num_ratings": count,
        "hours_a_week": course.average_hours_spent,
    }


def _offering(offering: Offering) -> str:
    parts = [offering.get_season_display(), " ".join(offering.days)]
    if offering.start_time and offering.end_time:
        parts.append(f"{time_words(offering.start_time)} to {time_words(offering.end_time)}")
    return ", ".join(part for part in parts if part)


def _programs(ids: set[str]) -> dict[str, dict[str, Any]]:
    return {
        str(one.program_id): {
            "columns": ("program_id", "level", "specialization", "sheet_url"),
            "level": one.level,
            "specialization": one.specialization,
            "link": one.sheet_url if is_page_link(one.sheet_url) else "",
        }
        for one in Program.objects.filter(program_id__in=ids)
    }


def _articles(slugs: set[str]) -> dict[str, dict[str, Any]]:
    return {
        one.slug: {
            "columns": ("id", "slug", "title", "category", "audience", "updated", "body", "contact"),
            "category": one.category,
            "audience": one.audience,
            "updated": date_format(one.updated, "F Y") if one.updated else "",
            "opening": one.body.split("\n\n")[0][:OPENING_LENGTH],
            "contact": one.contact,
        }
        for one in Article.objects.filter(slug__in=slugs)
    }


RESTAURANT_COLUMNS = (
    "id",
    "slug",
    "name",
    "cuisines",
    "price",
    "rating",
    "num_reviews",
    "address",
    "city",
    "neighbourhood",
    "location",
    "latitude",
    "longitude",
    "phone_number",
    "opening_hours",
    "picture",
    "link",
    "about",
    "reviews",
    "popular_dishes",
)
COURSE_COLUMNS = (
    "course_id",
    "code",
    "title",
    "course_codes",
    "min_units",
    "max_units",
    "description",
    "average_hours_spent",
    "offering_id",
    "season",
    "days",
    "start_time",
    "end_time",
    "rating_id",
    "average_rating",
    "num_ratings",
    "term_id",
    "reviews",
)
FIELDS = {
    "restaurants": (
        "picture rating num_reviews price cuisines city neighbourhood address open_now hours opening_hours phone"
        " phone_link map_link link"
    ),
    "courses": "code title units offerings rating num_ratings hours_a_week",
    "programs": "level specialization link",
    "articles": "category audience updated opening contact",
}
FIELDS["offerings"] = FIELDS["ratings"] = FIELDS["courses"]
READERS = {
    "restaurants": _restaurants,
    "courses": _courses,
    "offerings": _courses,
    "ratings": _courses,
    "programs": _programs,
    "articles": _articles,
}
