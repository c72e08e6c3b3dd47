"""Tables: how many people a restaurant takes, when it is closed, and who has booked."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from corpora.models import Restaurant
from hybridchat.effects.models.owned import Owned, has_an_owner
from hybridchat.effects.models.receipts import Receipt

MOST_PEOPLE = 20  # one booking
STAY = 90  # minutes for which a party has its table


class Seating(models.Model):
    """How many people a restaurant takes in any half hour, and for how long a party keeps its table.

    Made with a restaurant's first booking from what is known of it (`hybridchat.effects.seats`), and the curator's to
    change. A change counts for bookings made after it; those already made stand.
    """

    restaurant = models.OneToOneField(Restaurant, on_delete=models.CASCADE, related_name="seating", primary_key=True)
    seats = models.PositiveIntegerField(
        "people in any half hour",
        validators=[MaxValueValidator(2000)],
        help_text="People who can have a table booked here at the same time.",
    )
    stay = models.PositiveIntegerField(
        "minutes a party stays",
        default=STAY,
        validators=[MinValueValidator(30), MaxValueValidator(480)],
        help_text="How long a party keeps its table. Every half hour it overlaps counts.",
    )

    class Meta:
        ordering = ["restaurant__name"]
        constraints = [
            models.CheckConstraint(condition=Q(seats__lte=2000), name="effects_seating_seats_plausible"),
            models.CheckConstraint(condition=Q(stay__gte=30, stay__lte=480), name="effects_seating_stay_plausible"),
        ]

    def __str__(self) -> str:
        return f"{self.restaurant}: {self.seats} people"


class Closure(models.Model):
    """Days on which a restaurant is closed whatever its opening hours say: a holiday, a private party."""

    restaurant = models.ForeignKey(
        Restaurant,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="closures",
        help_text="Leave empty for every restaurant.",
    )
    first_day = models.DateField()
    last_day = models.DateField()
    reason = models.CharField(max_length=200, blank=True, help_text='Completes "It is closed for …": "Thanksgiving".')

    class Meta:
        ordering = ["first_day"]
        constraints = [
            models.CheckConstraint(condition=Q(last_day__gte=F("first_day")), name="effects_closure_days_in_order")
        ]

    def __str__(self) -> str:
        return f"{self.restaurant or 'Every restaurant'}, {self.first_day} to {self.last_day}"


class Reservation(Owned):
    """A table booked. `date` and `time` are those of the restaurant's clock; `place` is its name when it was booked."""

    class Status(models.TextChoices):
        BOOKED = "booked"
        CANCELLED = "cancelled"

    receipt = models.OneToOneField(Receipt, on_delete=models.PROTECT, related_name="reservation", editable=False)
    restaurant = models.ForeignKey(Restaurant, null=True, on_delete=models.SET_NULL, related_name="reservations")
    place = models.CharField(max_length=200, editable=False)
    date = models.DateField()
    time = models.TimeField()
    stay = models.PositiveIntegerField("minutes", default=STAY)
    party = models.PositiveIntegerField("people", validators=[MinValueValidator(1), MaxValueValidator(MOST_PEOPLE)])
    special_request = models.TextField(blank=True)
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.BOOKED)
    cancelled_at = models.DateTimeField(null=True, blank=True, editable=False)
    sequence = models.PositiveIntegerField(
        default=0, editable=False, help_text="The number of changes so far, for calendars."
    )

    class Meta:
        ordering = ["date", "time"]
        constraints = [
            has_an_owner("effects_reservation_has_an_owner"),
            models.CheckConstraint(condition=Q(party__gte=1, party__lte=MOST_PEOPLE), name="effects_party_1_to_20"),
            models.CheckConstraint(condition=Q(stay__gte=30, stay__lte=480), name="effects_reservation_stay_plausible"),
            models.CheckConstraint(condition=~Q(place=""), name="effects_reservation_has_a_place"),
            models.CheckConstraint(condition=Q(status__in=["booked", "cancelled"]), name="effects_reservation_status"),
            models.CheckConstraint(
                condition=Q(status="cancelled", cancelled_at__isnull=False)
                | (~Q(status="cancelled") & Q(cancelled_at__isnull=True)),
                name="effects_reservation_cancelled_has_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["restaurant", "date"], condition=Q(status="booked"), name="effects_reservation_booked")
        ]

    def __str__(self) -> str:
        return f"{self.reference}: {self.place}, {self.date} {self.time:%H:%M}, {self.party}"

    @property
    def starts(self) -> datetime:
        """When the party comes, by the restaurant's clock."""
        return datetime.combine(self.date, self.time)

    @property
    def ends(self) -> datetime:
        """Until when it has its table."""
        return self.starts + timedelta(minutes=self.stay)

    @property
    def booked(self) -> bool:
        return self.status == self.Status.BOOKED
