"""Remembered answers and calls to language models, to look at."""

from __future__ import annotations

from django.contrib import admin

from corpora.admin.editing import ReadOnlyAdmin
from corpora.models import AnswerMemo, ModelCall, TextVector


@admin.register(AnswerMemo)
class AnswerMemoAdmin(ReadOnlyAdmin):
    list_display = ("key", "value", "created")
    list_filter = ("created",)
    search_fields = ("key",)


@admin.register(TextVector)
class TextVectorAdmin(ReadOnlyAdmin):
    list_display = ("key",)
    search_fields = ("key",)


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    list_display = (
        "created",
        "task",
        "model",
        "items",
        "prompt_tokens",
        "completion_tokens",
        "cost",
        "milliseconds",
        "cached",
        "error",
    )
    list_filter = ("task", "model", "cached", ("error", admin.EmptyFieldListFilter), "created")
    search_fields = ("model", "prompt_hash", "error", "=turn")
    date_hierarchy = "created"
