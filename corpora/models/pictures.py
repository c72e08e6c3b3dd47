"""Pictures that were uploaded or fetched: kept in the database, so that every process serves them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from corpora.models.columns import web_link
from corpora.pictures.files import TYPES


class Picture(models.Model):
    """A checked picture, named by the hash of its content: one that was stored never changes."""

    digest = models.CharField(max_length=64, primary_key=True)
    content_type = models.CharField(max_length=20)
    body = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(digest__regex=r"^[0-9a-f]{64}$"),
                name="picture_digest_is_a_hash",
                violation_error_message="The digest is no hash in hexadecimal.",
            ),
            models.CheckConstraint(
                condition=Q(content_type__in=sorted(TYPES)),
                name="picture_type_known",
                violation_error_message="Pictures of this type are not served.",
            ),
        )

    def __str__(self) -> str:
        return f"a picture of {len(self.body) // 1024} kB"


class FetchedPicture(models.Model):
    """A picture that a corpus names by its address: fetched once, or why not."""

    url = models.CharField(max_length=2000, unique=True)
    picture = models.ForeignKey(Picture, models.PROTECT, null=True, blank=True, related_name="+")
    problem = models.CharField(max_length=300, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    asked = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-asked",)
        verbose_name = "picture from elsewhere"
        verbose_name_plural = "pictures from elsewhere"
        constraints = (web_link("url", name="fetched_picture_is_of_the_web"),)

    def __str__(self) -> str:
        return self.url
