"""What curators set up: the assistants people choose between, and the places people name."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from corpora.models.columns import between, filled, words


class Assistant(models.Model):
    """A face of the product: some corpora, and examples of what to ask."""

    slug = models.SlugField(max_length=50, unique=True)
    title = models.CharField(max_length=100)
    description = models.CharField(max_length=300, blank=True, help_text="One line, shown where people choose.")
    example_questions = words()
    tables = words(help_text="The tables of the knowledge schema it may query, most relevant first.")
    position = models.IntegerField(default=0, help_text="Order on the first screen.")
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ("position", "title")
        constraints = (
            filled("slug", name="assistant_slug_filled"),
            filled("title", name="assistant_title_filled"),
            models.CheckConstraint(
                condition=Q(tables__len__gte=1),
                name="assistant_has_a_table",
                violation_error_message="An assistant needs at least one table.",
            ),
        )

    def __str__(self) -> str:
        return self.title


class Place(models.Model):
    """A city, district or landmark with its other names."""

    name = models.CharField(max_length=200)
    city = models.CharField(max_length=100, blank=True)
    kind = models.CharField(max_length=50, help_text="city, district, park, station, …")
    latitude = models.FloatField()
    longitude = models.FloatField()
    aliases = words()
    radius = models.FloatField(
        "radius (km)", null=True, blank=True, help_text="How near counts as there; by its kind where empty."
    )

    class Meta:
        ordering = ("city", "name")
        constraints = (
            models.UniqueConstraint(fields=("name", "city"), name="place_name_unique_in_city"),
            filled("name", name="place_name_filled"),
            filled("kind", name="place_kind_filled"),
            between("latitude", -90, 90, name="place_latitude_on_earth"),
            between("longitude", -180, 180, name="place_longitude_on_earth"),
            models.CheckConstraint(
                condition=Q(radius__gt=0),
                name="place_radius_positive",
                violation_error_message="radius is not above 0.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.city}" if self.city and self.city != self.name else self.name
