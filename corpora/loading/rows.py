"""From the records of a file to rows: one function per kind of file."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from corpora.loading.records import ArticleLine, CourseLine, LandmarkLine, ProgramLine, QuestionLine, RestaurantLine
from corpora.loading.storing import Changes, Unfitting, bring_in_step
from corpora.models import Article, ArticleQuestion, Course, Offering, Place, Program, Rating, Restaurant, Review

Keys = Collection[str]  # of lines whose rows were edited by hand: `only` does not remove them


def store_restaurants(records: Sequence[RestaurantLine], *, only: bool = False, keep: Keys = ()) -> Changes:
    """Restaurants with their reviews. With `only`, restaurants that are not among the records are removed."""
    changes = bring_in_step(
        Restaurant.objects.all(),
        ["slug"],
        [
            {
                "slug": record.slug,
                "name": record.name,
                "cuisines": record.cuisines,
                "price": record.price,
                "rating": record.rating,
                "num_reviews": record.num_reviews,
                "address": record.address,
                "city": record.city,
                "neighbourhood": record.neighbourhood,
                "latitude": record.lat,
                "longitude": record.lon,
                "phone_number": record.phone,
                "opening_hours": record.opening_hours,
                "popular_dishes": record.popular_dishes,
                "about": record.about,
                "picture": record.picture or f"/pictures/{record.slug}.svg",
                "link": record.link,
            }
            for record in records
        ],
        remove=only,
        keep=keep,
    )
    slugs = [record.slug for record in records]
    ids = dict(Restaurant.objects.filter(slug__in=slugs).values_list("slug", "pk"))
    return changes + bring_in_step(
        Review.objects.filter(restaurant_id__in=ids.values()),
        ["restaurant_id", "position"],
        [
            {"restaurant_id": ids[record.slug], "position": position, **review.model_dump()}
            for record in records
            for position, review in enumerate(record.reviews)
        ],
        remove=True,
    )


def store_courses(records: Sequence[CourseLine], *, only: bool = False, keep: Keys = ()) -> Changes:
    """Courses with their offerings and ratings."""
    changes = bring_in_step(
        Course.objects.all(),
        ["course_id"],
        [record.model_dump(exclude={"offerings", "ratings"}) for record in records],
        remove=only,
        keep=keep,
    )
    ids = [record.course_id for record in records]
    changes += bring_in_step(
        Offering.objects.filter(course_id__in=ids),
        ["course_id", "position"],
        [
            {
                "course_id": record.course_id,
                "position": position,
                "room": offering.location,
                **offering.model_dump(exclude={"location"}),
            }
            for record in records
            for position, offering in enumerate(record.offerings)
        ],
        remove=True,
    )
    return changes + bring_in_step(
        Rating.objects.filter(course_id__in=ids),
        ["rating_id"],
        [{"course_id": record.course_id, **rating.model_dump()} for record in records for rating in record.ratings],
        remove=True,
    )


def store_programs(records: Sequence[ProgramLine], *, only: bool = False, keep: Keys = ()) -> Changes:
    """Degree programs."""
    values = [record.model_dump() for record in records]
    return bring_in_step(Program.objects.all(), ["program_id"], values, remove=only, keep=keep)


def store_articles(records: Sequence[ArticleLine], *, only: bool = False, keep: Keys = ()) -> Changes:
    """Help articles."""
    values = [record.model_dump() for record in records]
    return bring_in_step(Article.objects.all(), ["slug"], values, remove=only, keep=keep)


def store_questions(records: Sequence[QuestionLine], *, only: bool = False, keep: Keys = ()) -> Changes:
    """Return what people ask of help articles; of an article that is named, what is not among the records is removed.

    Raises Unfitting for an article there is none of, a quote that its body does not have, or a question said twice.
    """
    articles = {article.slug: article for article in Article.objects.filter(slug__in={one.article for one in records})}
    wanted: dict[tuple[int, str], dict[str, object]] = {}
    for record in records:
        article = articles.get(record.article)
        if article is None:
            raise Unfitting(f"there is no article {record.article!r}")
        if record.quote not in article.body:
            raise Unfitting(f"the article {record.article!r} does not say {record.quote[:60]!r}")
        for question in record.questions:
            if (article.pk, question) in wanted:
                raise Unfitting(f"the article {record.article!r} is asked {question[:60]!r} twice")
            values = {"article_id": article.pk, "text": question, "quote": record.quote}
            wanted[article.pk, question] = values
    rows = ArticleQuestion.objects.all()
    if not only:
        rows = rows.filter(article__in=articles.values())
    rows = rows.exclude(article__slug__in=keep)
    return bring_in_step(rows, ["article_id", "text"], list(wanted.values()), remove=True)


def store_landmarks(records: Sequence[LandmarkLine], *, only: bool = False, keep: Keys = ()) -> Changes:
    """Places with their other names."""
    values = [
        {"latitude": record.lat, "longitude": record.lon, **record.model_dump(exclude={"lat", "lon"})}
        for record in records
    ]
    return bring_in_step(Place.objects.all(), ["name", "city"], values, remove=only, keep=keep)
