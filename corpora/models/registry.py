"""What curators set up: the assistants people choose between, and the places people name."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q

from corpora.models.columns import between, filled, words
from corpora.models.pictures import Picture


class Assistant(models.Model):
    """A face of the product: some corpora, examples of what to ask, and who may use it.

    `language` names the language backend its turns are answered with, as `hybridchat.chat.languages` does; with none,
    the site's.
    """

    class Audience(models.TextChoices):
        PUBLIC = "public", "everybody"
        UNLISTED = "unlisted", "whoever has its address"
        GROUP = "group", "a group"

    slug = models.SlugField(max_length=50, unique=True)
    title = models.CharField(max_length=100)
    description = models.CharField(max_length=300, blank=True, help_text="One line, shown on the start page.")
    welcome = models.TextField(max_length=1000, blank=True, help_text="Shown before the first question. Markdown.")
    example_questions = words()
    tables = words(help_text="The tables of the knowledge schema it may query, most relevant first.")
    position = models.IntegerField(default=0, help_text="Order on the start page.")
    active = models.BooleanField(default=True)
    picture = models.ForeignKey(Picture, models.PROTECT, null=True, blank=True, related_name="+")
    audience = models.CharField("who may use it", max_length=10, choices=Audience.choices, default=Audience.PUBLIC)
    group = models.ForeignKey(
        "auth.Group",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The group whose members may use it.",
    )
    language = models.CharField(
        "language model",
        max_length=500,
        blank=True,
        help_text="The model that answers. Leave empty for the site's default.",
    )

    class Meta:
        ordering = ("position", "title")
        constraints = (
            models.CheckConstraint(
                condition=Q(audience__in=["public", "unlisted", "group"]),
                name="assistant_audience_known",
                violation_error_message="Choose everybody, whoever has the address, or a group.",
            ),
            models.CheckConstraint(
                condition=~Q(audience="group") | Q(group__isnull=False),
                name="assistant_group_named",
                violation_error_message="Name the group whose members may use it.",
            ),
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

    def may_be_used_by(self, user: Any) -> bool:
        """Whether somebody may ask it: anybody, unless it is for a group; curators may try what they make."""
        if self.audience != self.Audience.GROUP:
            return True
        if user is None or not user.is_active:
            return False
        return user.has_perm("corpora.change_assistant") or user.groups.filter(pk=self.group_id).exists()


class Place(models.Model):
    """A city, district or landmark with its other names."""

    name = models.CharField(max_length=200)
    city = models.CharField(max_length=100, blank=True)
    kind = models.CharField(max_length=50, help_text="city, district, park, station, …")
    latitude = models.FloatField()
    longitude = models.FloatField()
    aliases = words()
    radius = models.FloatField(
        "radius (km)",
        null=True,
        blank=True,
        help_text="How close counts as being there. Leave empty to use the default for its kind.",
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
                violation_error_message="The radius has to be above 0.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.city}" if self.city and self.city != self.name else self.name
