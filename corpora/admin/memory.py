"""Calls to language models, to look at. What they answered is remembered under hashes, which say nothing to anybody."""

from __future__ import annotations

from django.contrib import admin

from corpora.admin.editing import ReadOnlyAdmin
from corpora.admin.shown import brief
from corpora.models import ModelCall


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
        "short_error",
    )
    short_error = brief("error")
    exclude = ("turn", "prompt_hash")
    list_filter = ("task", "model", "cached", ("error", admin.EmptyFieldListFilter), "created")
    search_fields = ("model", "prompt_hash", "error", "=turn")
    date_hierarchy = "created"
