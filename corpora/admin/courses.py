"""Courses with their offerings and ratings, and degree programs."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin

from corpora.admin.editing import IndexedAdmin, OneALine, RecordedAdmin
from corpora.admin.shown import brief
from corpora.models import Course, Offering, Program, Rating


class OfferingInline(OneALine, admin.StackedInline):
    model = Offering
    extra = 0
    fields = ("season", "days", ("start_time", "end_time"), "instructor_names", ("capacity", "enrolled", "room"))


class RatingInline(OneALine, admin.StackedInline):
    model = Rating
    extra = 0
    fields = (
        ("rating_id", "season", "start_year", "end_year"),
        ("average_rating", "num_ratings"),
        "instructor_names",
        "reviews",
    )


@admin.register(Course)
class CourseAdmin(IndexedAdmin):
    corpus = "courses"
    list_display = ("code", "title", "min_units", "max_units", "average_hours_spent", "breadth_requirement")
    list_filter = (
        "grading",
        "breadth_requirement",
        "foundations_requirement",
        "significant_implementation_requirement",
    )
    search_fields = ("title", "course_codes", "description", "ratings__reviews")
    inlines = (OfferingInline, RatingInline)

    def texts_of(self, obj: Course) -> Iterable[tuple[str, str]]:
        keys = obj.ratings.values_list("pk", flat=True)
        return [("courses", str(obj.pk)), *(("ratings", str(key)) for key in keys)]


@admin.register(Offering)
class OfferingAdmin(RecordedAdmin):
    corpus = "courses"
    list_display = ("course", "season", "weekdays", "start_time", "end_time", "instructors", "capacity", "enrolled")
    weekdays = brief("days")
    instructors = brief("instructor_names", "instructors")
    list_filter = ("season",)
    list_select_related = ("course",)
    search_fields = ("course__title", "course__course_codes", "instructor_names", "room")
    autocomplete_fields = ("course",)


@admin.register(Rating)
class RatingAdmin(IndexedAdmin):
    corpus = "courses"
    list_display = ("course", "season", "start_year", "average_rating", "num_ratings", "instructors")
    instructors = brief("instructor_names", "instructors")
    list_filter = ("season", "start_year")
    list_select_related = ("course",)
    search_fields = ("course__title", "course__course_codes", "instructor_names", "reviews")
    autocomplete_fields = ("course",)

    def texts_of(self, obj: Rating) -> Iterable[tuple[str, str]]:
        return [("ratings", str(obj.pk))]


@admin.register(Program)
class ProgramAdmin(IndexedAdmin):
    corpus = "courses"
    list_display = ("program_id", "level", "specialization")
    list_filter = ("level",)
    search_fields = ("program_id", "specialization", "sheet_requirements")

    def texts_of(self, obj: Program) -> Iterable[tuple[str, str]]:
        return [("programs", str(obj.pk))]
