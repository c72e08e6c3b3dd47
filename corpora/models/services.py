"""Student services: help articles."""

from __future__ import annotations

from django.db import models

from corpora.models.columns import filled


class Article(models.Model):
    """A help article. Paragraphs of `body` are parted by empty lines."""

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=300)
    category = models.CharField(max_length=100, blank=True)
    audience = models.CharField(max_length=100, blank=True)
    updated = models.DateField(null=True, blank=True)
    body = models.TextField()
    contact = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("title",)
        constraints = (
            filled("slug", name="article_slug_filled"),
            filled("title", name="article_title_filled"),
            filled("body", name="article_body_filled"),
        )

    def __str__(self) -> str:
        return self.title
