"""Help articles."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.contrib import admin
from django.db import models

from corpora.admin.editing import IndexedAdmin
from corpora.admin.shown import brief
from corpora.models import Article, ArticleQuestion


class QuestionForm(forms.ModelForm):
    """A quote has to be in the body as it is being saved."""

    def clean_quote(self) -> str:
        quote: str = self.cleaned_data["quote"].replace("\r\n", "\n").strip()
        article = self.cleaned_data.get("article") or self.instance.article
        if quote not in article.body.replace("\r\n", "\n"):
            raise forms.ValidationError("The body does not say this. Copy the sentence from it as it stands.")
        return quote


class QuestionInline(admin.TabularInline):
    model = ArticleQuestion
    form = QuestionForm
    extra = 1
    formfield_overrides = {
        models.TextField: {"widget": forms.Textarea(attrs={"rows": 2, "cols": 70})},
        models.CharField: {"widget": forms.TextInput(attrs={"size": 50})},
    }


@admin.register(Article)
class ArticleAdmin(IndexedAdmin):
    corpus = "services"
    list_display = ("title", "category", "audience", "updated")
    list_filter = ("category", "audience", "updated")
    search_fields = ("title", "slug", "body", "contact")
    prepopulated_fields = {"slug": ("title",)}
    inlines = (QuestionInline,)

    def texts_of(self, obj: Article) -> Iterable[tuple[str, str]]:
        return [("articles", str(obj.pk))]


@admin.register(ArticleQuestion)
class ArticleQuestionAdmin(IndexedAdmin):
    corpus = "services"
    form = QuestionForm
    list_display = ("text", "article", "short_quote")
    short_quote = brief("quote")
    list_filter = ("article__category",)
    list_select_related = ("article",)
    search_fields = ("text", "quote", "article__title")
    autocomplete_fields = ("article",)

    def texts_of(self, obj: ArticleQuestion) -> Iterable[tuple[str, str]]:
        return [("articles", str(obj.article_id))]
