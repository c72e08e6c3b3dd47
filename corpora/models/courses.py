"""A university's courses: when they are offered, what students say of them, and the programs they count towards."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from corpora.models.columns import ProseField, at_least, between, filled, next_position, one_of, web_link, words


class Season(models.TextChoices):
    """The quarters of an academic year, in its order."""

    AUTUMN = "autumn"
    WINTER = "winter"
    SPRING = "spring"
    SUMMER = "summer"


class Day(models.TextChoices):
    """Days of the week, as offerings name them."""

    MON = "Mon"
    TUE = "Tue"
    WED = "Wed"
    THU = "Thu"
    FRI = "Fri"
    SAT = "Sat"
    SUN = "Sun"


class Course(models.Model):
    """A course. Cross-listed ones have several codes; the first is the main one, by which it is known."""

    course_id = models.IntegerField(primary_key=True)
    title = models.CharField(max_length=300)
    course_codes = words()
    code = models.GeneratedField(
        expression=F("course_codes__0"), output_field=models.TextField(), db_persist=True, unique=True
    )
    description = ProseField(blank=True)
    min_units = models.IntegerField()
    max_units = models.IntegerField()
    grading = models.CharField(max_length=100, blank=True)
    average_hours_spent = models.FloatField("average hours spent (a week)", null=True, blank=True)
    general_requirements = words()
    foundations_requirement = models.CharField(max_length=100, null=True, blank=True)
    significant_implementation_requirement = models.BooleanField(default=False)
    breadth_requirement = models.CharField(max_length=100, null=True, blank=True)
    prerequisite_course_codes = words()

    class Meta:
        ordering = ("code",)
        constraints = (
            filled("title", name="course_title_filled"),
            models.CheckConstraint(
                condition=Q(course_codes__len__gte=1),
                name="course_has_a_code",
                violation_error_message="A course needs at least one code.",
            ),
            at_least("min_units", 0, name="course_units_not_negative"),
            models.CheckConstraint(
                condition=Q(max_units__gte=F("min_units")),
                name="course_units_in_order",
                violation_error_message="The most units cannot be fewer than the least.",
            ),
            between("average_hours_spent", 0, 168, name="course_hours_fit_a_week"),
        )

    def __str__(self) -> str:
        return f"{self.code} {self.title}"


class Offering(models.Model):
    """A course held in one quarter, on some days of the week. `position` orders the offerings of a course."""

    offering_id = models.AutoField(primary_key=True)
    course = models.ForeignKey(Course, models.CASCADE, related_name="offerings")
    position = models.IntegerField(editable=False)
    season = models.CharField(max_length=10, choices=Season)
    days = ArrayField(models.CharField(max_length=3, choices=Day), default=list, blank=True)
    start_time = models.TimeField(null=True, blank=True)
    end_time = models.TimeField(null=True, blank=True)
    instructor_names = words()
    capacity = models.IntegerField(null=True, blank=True)
    enrolled = models.IntegerField(null=True, blank=True)
    room = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("course", "position")
        constraints = (
            models.UniqueConstraint(
                fields=("course", "position"), name="offering_position_unique", deferrable=models.Deferrable.DEFERRED
            ),
            at_least("position", 0, name="offering_position_not_negative"),
            one_of("season", Season, name="offering_season_known"),
            models.CheckConstraint(
                condition=Q(days__contained_by=Day.values),
                name="offering_days_known",
                violation_error_message=f"days are not all of {', '.join(Day.values)}.",
            ),
            models.CheckConstraint(
                condition=Q(end_time__gt=F("start_time")),
                name="offering_ends_after_start",
                violation_error_message="The end has to come after the start.",
            ),
            at_least("capacity", 0, name="offering_capacity_not_negative"),
            at_least("enrolled", 0, name="offering_enrolled_not_negative"),
        )

    def __str__(self) -> str:
        return f"{self.course.code}, {self.season}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.position is None:
            self.position = next_position(type(self).objects.filter(course_id=self.course_id))
        super().save(*args, **kwargs)


class Rating(models.Model):
    """What the students of a course said of it after one quarter. `reviews` are their comments, one a text."""

    rating_id = models.IntegerField(primary_key=True)
    course = models.ForeignKey(Course, models.CASCADE, related_name="ratings")
    instructor_names = words()
    average_rating = models.FloatField(null=True, blank=True)
    num_ratings = models.IntegerField(default=0)
    season = models.CharField(max_length=10, choices=Season)
    start_year = models.IntegerField(help_text="The year the academic year began.")
    end_year = models.IntegerField()
    reviews = words(prose=True)

    class Meta:
        ordering = ("course", "-start_year")
        constraints = (
            between("average_rating", 0, 5, name="rating_average_0_to_5"),
            at_least("num_ratings", 0, name="rating_num_not_negative"),
            one_of("season", Season, name="rating_season_known"),
            models.CheckConstraint(
                condition=Q(end_year=F("start_year") + 1),
                name="rating_spans_one_year",
                violation_error_message="The end year has to follow the start year.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.course.code}, {self.season} {self.year}"

    @property
    def year(self) -> int:
        """The calendar year of the quarter: autumn lies in the first of an academic year, the rest in the second."""
        return self.start_year if self.season == Season.AUTUMN else self.end_year


class Level(models.TextChoices):
    """The degree a program leads to."""

    BS = "BS"
    MS = "MS"
    PHD = "PhD"


class Program(models.Model):
    """A degree program with its requirements, as the program sheet states them."""

    program_id = models.SlugField(max_length=100, primary_key=True)
    level = models.CharField(max_length=10, choices=Level)
    specialization = models.CharField(max_length=200)
    sheet_requirements = ProseField(blank=True)
    sheet_url = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("program_id",)
        constraints = (
            filled("program_id", name="program_id_filled"),
            filled("specialization", name="program_specialization_filled"),
            one_of("level", Level, name="program_level_known"),
            web_link("sheet_url", name="program_sheet_is_of_the_web", pages=True),
        )

    def __str__(self) -> str:
        return f"{self.level} {self.specialization}"
