"""Restaurants, with their reviews."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin
from django.db import models

from corpora.admin.editing import IndexedAdmin
from corpora.admin.shown import brief
from corpora.models import Restaurant, Review


class ReviewInline(admin.StackedInline):
    model = Review
    extra = 0
    fields = (("author", "date", "stars"), "text")


@admin.register(Restaurant)
class RestaurantAdmin(IndexedAdmin):
    corpus = "restaurants"
    list_display = ("name", "city", "neighbourhood", "price", "rating", "num_reviews")
    list_filter = ("city", "price", "neighbourhood")
    search_fields = ("name", "slug", "cuisines", "address", "about", "reviews__text")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (ReviewInline,)
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    fieldsets = (
        (None, {"fields": ("name", "slug", "cuisines", "price", ("rating", "num_reviews"))}),
        (
            "Where and when",
            {"fields": ("address", ("neighbourhood", "city"), ("latitude", "longitude"), "opening_hours")},
        ),
        ("For cards", {"fields": ("phone_number", "link", "picture", "about", "popular_dishes")}),
    )

    def texts_of(self, obj: Restaurant) -> Iterable[tuple[str, str]]:
        return [("restaurants", str(obj.pk))]


@admin.register(Review)
class ReviewAdmin(IndexedAdmin):
    corpus = "restaurants"
    list_display = ("restaurant", "author", "date", "stars", "short_text")
    short_text = brief("text")
    list_filter = ("stars", "restaurant__city")
    list_select_related = ("restaurant",)
    search_fields = ("text", "author", "restaurant__name")
    date_hierarchy = "date"
    autocomplete_fields = ("restaurant",)

    def texts_of(self, obj: Review) -> Iterable[tuple[str, str]]:
        return [("restaurants", str(obj.restaurant_id))]
