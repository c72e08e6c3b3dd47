"""Who takes part in a study, how far they have come, and what they said apart from the conversation."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from hybridchat.chat.models import Conversation
from hybridchat.research.studies.models import Arm, ConsentText, Study


class Participation(models.Model):
    """One person in one study: a browser session (`owner_key`), or whoever a recruiting site calls `external_id`.

    Each step is a time: agreed, began (read the instructions), ended (the conversation or the questions), finished.
    Who has agreed has an arm, for good, and a `place` among the study's quota; the place is given away where they do
    nothing for long. Deleting the conversation deletes the participation: withdrawal leaves nothing.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="participations")
    owner_key = models.CharField(max_length=64, editable=False)
    external_id = models.CharField(max_length=100, blank=True)
    external_study = models.CharField(max_length=100, blank=True)
    external_session = models.CharField(max_length=100, blank=True)
    consent = models.ForeignKey(ConsentText, null=True, blank=True, on_delete=models.RESTRICT, related_name="+")
    arm = models.ForeignKey(Arm, null=True, blank=True, on_delete=models.RESTRICT, related_name="participations")
    place = models.PositiveIntegerField(null=True, blank=True)
    scenarios = ArrayField(models.TextField(), default=list, blank=True)
    conversation = models.OneToOneField(
        Conversation, null=True, blank=True, on_delete=models.CASCADE, related_name="participation"
    )
    arrived = models.DateTimeField(default=timezone.now)
    agreed = models.DateTimeField(null=True, blank=True)
    began = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    seen = models.DateTimeField(default=timezone.now, help_text="When they were last active.")

    class Meta:
        ordering = ["study", "arrived"]
        constraints = [
            models.UniqueConstraint(fields=["study", "owner_key"], name="research_one_participation_a_session"),
            models.UniqueConstraint(
                fields=["study", "external_id"],
                condition=~Q(external_id=""),
                name="research_one_participation_a_person",
            ),
            models.UniqueConstraint(fields=["study", "place"], name="research_one_participation_a_place"),
            models.CheckConstraint(condition=~Q(owner_key=""), name="research_participation_has_an_owner"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__gte=1), name="research_participation_place_positive"
            ),
            models.CheckConstraint(
                condition=Q(agreed__isnull=True, consent__isnull=True, arm__isnull=True, place__isnull=True)
                | Q(agreed__isnull=False, consent__isnull=False),
                name="research_participation_agreed_to_a_text",
            ),
            models.CheckConstraint(
                condition=(Q(began__isnull=True) | Q(agreed__isnull=False))
                & (Q(ended__isnull=True) | Q(began__isnull=False))
                & (Q(finished__isnull=True) | Q(ended__isnull=False)),
                name="research_participation_steps_in_order",
            ),
            models.CheckConstraint(
                condition=Q(finished__isnull=True) | Q(place__isnull=False),
                name="research_participation_finished_has_a_place",
            ),
            models.CheckConstraint(
                condition=Q(agreed__isnull=True) | Q(agreed__gte=F("arrived")),
                name="research_participation_agreed_after_arriving",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study}, {self.pk}"

    @property
    def step(self) -> str:
        """Where they are: consent, instructions, task (the chat, or the questions), questionnaire or end."""
        if self.agreed is None:
            return "consent"
        if self.began is None:
            return "instructions"
        if self.ended is None:
            return "task"
        return "questionnaire" if self.finished is None else "end"


class QuestionnaireAnswer(models.Model):
    """An answer to one item of the questionnaire; `position` is where it stood for this person."""

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="answers")
    item = models.CharField(max_length=60)
    position = models.PositiveSmallIntegerField()
    value = models.JSONField(null=True, help_text="A text or a number; null if there was no answer.")
    attentive = models.BooleanField(null=True, help_text="For an attention check: whether it was passed.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["participation", "position"]
        constraints = [
            models.UniqueConstraint(fields=["participation", "item"], name="research_one_answer_an_item"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.value}"


class CollectedQuestion(models.Model):
    """A question that a participant would ask, written without a system to answer it."""

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["participation", "position"]
        constraints = [
            models.UniqueConstraint(fields=["participation", "position"], name="research_question_position_unique"),
            models.CheckConstraint(condition=~Q(text=""), name="research_question_says_something"),
            models.CheckConstraint(condition=Q(position__gte=1), name="research_question_position_positive"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class StudyEvent(models.Model):
    """The log of a study: who came to which step when, and how arms were drawn.

    What a participation did goes with it; what is left of one that withdrew is that somebody did, at which step.
    """

    class Kind(models.TextChoices):
        ARRIVED = "arrived"
        TURNED_AWAY = "turned away"
        AGREED = "agreed"
        ASSIGNED = "assigned"
        BEGAN = "began"
        ENDED = "ended"
        FINISHED = "finished"
        RESUMED = "resumed", "came back in another browser"
        RELEASED = "released", "lost their place"
        WITHDRAWN = "withdrawn"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    participation = models.ForeignKey(
        Participation, null=True, blank=True, on_delete=models.CASCADE, related_name="events"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        "arrived",
                        "turned away",
                        "agreed",
                        "assigned",
                        "began",
                        "ended",
                        "finished",
                        "resumed",
                        "released",
                        "withdrawn",
                    ]
                ),
                name="research_study_event_kind_valid",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["withdrawn", "turned away"], participation__isnull=True)
                | (~Q(kind__in=["withdrawn", "turned away"]) & Q(participation__isnull=False)),
                name="research_study_event_of_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.kind}"
