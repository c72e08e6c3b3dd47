"""Courses that people enrolled in."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from corpora.models import Offering, Season
from corpora.models.columns import one_of
from hybridchat.effects.models.owned import Owned, has_an_owner
from hybridchat.effects.models.receipts import Receipt


class Enrollment(Owned):
    """A student in one offering of a course, in one year: enrolled, or waiting for a place.

    `code`, `title`, `season` and `year` are as they were then; `year` is the calendar year of the quarter. `person`
    says whose claim it is. Who a student is is not verified here, so nobody's claim may block or reveal another's:
    one person holds one place for one student ID in an offering.
    """

    class Status(models.TextChoices):
        ENROLLED = "enrolled"
        WAITLISTED = "waitlisted"
        DROPPED = "dropped"

    HELD = (Status.ENROLLED, Status.WAITLISTED)

    receipt = models.ForeignKey(Receipt, on_delete=models.PROTECT, related_name="enrollments", editable=False)
    person = models.CharField(max_length=100, editable=False)
    offering = models.ForeignKey(Offering, null=True, on_delete=models.SET_NULL, related_name="enrollments")
    code = models.CharField(max_length=40)
    title = models.CharField(max_length=300)
    season = models.CharField(max_length=10, choices=Season)
    year = models.PositiveIntegerField()
    units = models.PositiveIntegerField()
    grade_type = models.CharField(max_length=40)
    student_id = models.CharField(max_length=40)
    student_name = models.CharField(max_length=200)
    email = models.EmailField(blank=True)
    international = models.BooleanField("international student", null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices)
    dropped_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["year", "season", "code"]
        constraints = [
            has_an_owner("effects_enrollment_has_an_owner"),
            one_of("season", Season, name="effects_enrollment_season"),
            models.UniqueConstraint(fields=["receipt", "code"], name="effects_one_enrollment_per_receipt_and_course"),
            models.UniqueConstraint(
                fields=["person", "student_id", "code", "year", "season"],
                condition=Q(status__in=["enrolled", "waitlisted"]),
                name="effects_enrolled_once",
            ),
            models.CheckConstraint(condition=Q(units__gte=0, units__lte=60), name="effects_enrollment_units_plausible"),
            models.CheckConstraint(
                condition=Q(status__in=["enrolled", "waitlisted", "dropped"]), name="effects_enrollment_status"
            ),
            models.CheckConstraint(
                condition=~Q(code="") & ~Q(student_id="") & ~Q(student_name="") & ~Q(person=""),
                name="effects_enrollment_says_who_and_what",
            ),
            models.CheckConstraint(
                condition=Q(status="dropped", dropped_at__isnull=False)
                | (~Q(status="dropped") & Q(dropped_at__isnull=True)),
                name="effects_enrollment_dropped_has_a_time",
            ),
        ]
        indexes = [models.Index(fields=["offering", "year", "status"], name="effects_enrollment_places")]

    def __str__(self) -> str:
        return f"{self.student_name}: {self.code}, {self.term} ({self.status})"

    @property
    def term(self) -> str:
        """The quarter in words: "winter 2027"."""
        return f"{self.season} {self.year}"

    @property
    def held(self) -> bool:
        return self.status in self.HELD
