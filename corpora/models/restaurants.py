"""Restaurants and their reviews."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Func

from corpora.models.columns import (
    OpenMinutesField,
    ProseField,
    at_least,
    between,
    filled,
    next_position,
    one_of,
    web_link,
    words,
)
from corpora.models.hours import validate_opening_hours


class Price(models.TextChoices):
    """How dear a restaurant is, from least to most."""

    CHEAP = "cheap"
    MODERATE = "moderate"
    EXPENSIVE = "expensive"
    LUXURY = "luxury"


class Restaurant(models.Model):
    """A place to eat. `rating` and `num_reviews` are as published and cover more than the reviews kept here.

    `opening_hours` maps mon … sun to stretches of ["HH:MM", "HH:MM"]; a missing or empty day is closed, "24:00" is
    midnight, and a stretch that ends before it starts runs into the next day. NULL: not known.
    """

    slug = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=200)
    cuisines = words()
    price = models.CharField(max_length=20, choices=Price, blank=True, null=True)
    rating = models.FloatField("rating (stars)", null=True, blank=True)
    num_reviews = models.IntegerField("number of reviews", default=0)
    address = models.CharField(max_length=300, blank=True)
    city = models.CharField(max_length=100)
    neighbourhood = models.CharField(max_length=100, blank=True)
    latitude = models.FloatField()
    longitude = models.FloatField()
    phone_number = models.CharField(max_length=40, blank=True)
    opening_hours = models.JSONField(null=True, blank=True)
    open_minutes = models.GeneratedField(
        expression=Func(F("opening_hours"), function="corpora_open_minutes"),
        output_field=OpenMinutesField(),
        db_persist=True,
    )
    popular_dishes = words()
    about = ProseField(blank=True)
    picture = models.CharField(max_length=300, blank=True, help_text="A path or address. Leave empty for a drawing.")
    link = models.URLField(max_length=300, blank=True, help_text="The restaurant's own site.")

    class Meta:
        ordering = ("name",)
        constraints = (
            filled("slug", name="restaurant_slug_filled"),
            filled("name", name="restaurant_name_filled"),
            filled("city", name="restaurant_city_filled"),
            one_of("price", Price, name="restaurant_price_known"),
            between("rating", 0, 5, name="restaurant_rating_0_to_5"),
            at_least("num_reviews", 0, name="restaurant_num_reviews_not_negative"),
            between("latitude", -90, 90, name="restaurant_latitude_on_earth"),
            between("longitude", -180, 180, name="restaurant_longitude_on_earth"),
            web_link("link", name="restaurant_link_is_of_the_web"),
            web_link("picture", name="restaurant_picture_is_of_the_web", pages=True),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self.picture:
            self.picture = f"/pictures/{self.slug}.svg"
        super().save(*args, **kwargs)

    def clean(self) -> None:
        if self.opening_hours is not None:  # not a validator of the field: those are not asked about an empty list
            try:
                validate_opening_hours(self.opening_hours)
            except ValidationError as error:
                raise ValidationError({"opening_hours": error}) from error


class Review(models.Model):
    """What one guest wrote. `position` orders the reviews of a restaurant, as in `kb.restaurants.reviews`."""

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="reviews")
    position = models.IntegerField(editable=False)
    author = models.CharField(max_length=100, blank=True)
    date = models.DateField(null=True, blank=True)
    stars = models.IntegerField(null=True, blank=True)
    text = ProseField()

    class Meta:
        ordering = ("restaurant", "position")
        constraints = (
            models.UniqueConstraint(
                fields=("restaurant", "position"), name="review_position_unique", deferrable=models.Deferrable.DEFERRED
            ),
            at_least("position", 0, name="review_position_not_negative"),
            between("stars", 1, 5, name="review_stars_1_to_5"),
            filled("text", name="review_text_filled"),
        )

    def __str__(self) -> str:
        return f"{self.author or 'Anonymous'} on {self.restaurant}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.position is None:
            self.position = next_position(type(self).objects.filter(restaurant_id=self.restaurant_id))
        super().save(*args, **kwargs)
