"""Student services: help articles."""

from __future__ import annotations

from django.db import models

from corpora.models.columns import ProseField, filled


class Article(models.Model):
    """A help article. Paragraphs of `body` are parted by empty lines."""

    slug = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=300)
    category = models.CharField(max_length=100, blank=True)
    audience = models.CharField(max_length=100, blank=True)
    updated = models.DateField(null=True, blank=True)
    body = ProseField()
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


class ArticleQuestion(models.Model):
    """A question in people's own words, noted by a curator, and the stretch of the article's body that answers it.

    The search finds the article by its questions too (document expansion by queries, Nogueira et al. 2019), and the
    builtin reader the stretch. Nothing of it is ever shown: what is quoted is the article.
    """

    article = models.ForeignKey(Article, models.CASCADE, related_name="questions")
    text = models.CharField(
        "question", max_length=300, help_text="As someone would ask who does not know the article's words."
    )
    quote = models.TextField("answered by", help_text="Copied from the body: one sentence, or a few consecutive ones.")

    class Meta:
        ordering = ("article", "id")
        verbose_name = "question people ask"
        verbose_name_plural = "questions people ask"
        constraints = (
            filled("text", name="article_question_text_filled"),
            filled("quote", name="article_question_quote_filled"),
            models.UniqueConstraint(fields=("article", "text"), name="article_question_once"),
        )

    def __str__(self) -> str:
        return self.text
