"""What a study is: whom it asks for what, with which systems, and what it asks them afterwards."""

from __future__ import annotations

import secrets

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator, URLValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from corpora.models import Assistant, FewShotPair
from hybridchat.chat.overrides import Overrides
from hybridchat.research.studies.questionnaire import default_questionnaire, flaw_of
from hybridchat.research.studies.validation import flaws_of
from hybridchat.variants import NONE

parameter_name = RegexValidator(
    r"^[A-Za-z][A-Za-z0-9_-]*$", "The name of a parameter of a link: letters, digits, _, -."
)


def new_seed() -> int:
    """A number that the draws of a study begin with."""
    return secrets.randbelow(2**31)


def new_code() -> str:
    """A completion code as Prolific makes them: "C1A2B3C4"."""
    return f"C{secrets.token_hex(4).upper()[:7]}"


class Study(models.Model):
    """One study. Of kind "chat", people talk to an assistant; of kind "questions", they write what they would ask.

    Every participant belongs to one arm (of a study that has any), drawn with `seed` so that the arms stay balanced.
    Who has agreed and then left is waited for `hold_minutes`; after that their place is given away.
    """

    class Kind(models.TextChoices):
        CHAT = "chat", "talk to an assistant"
        QUESTIONS = "questions", "write questions, without an assistant"

    class State(models.TextChoices):
        DRAFT = "draft", "draft: only staff can take part"
        OPEN = "open"
        CLOSED = "closed", "closed to newcomers"

    slug = models.SlugField(max_length=60, unique=True, help_text="Its address: /study/SLUG/.")
    title = models.CharField(max_length=120, help_text="Shown to participants.")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.CHAT)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    assistant = models.SlugField(
        max_length=60, help_text="The assistant that participants talk to, or write questions for."
    )
    instructions = models.TextField(help_text="What participants are asked to do. A blank line starts a new paragraph.")
    openings = ArrayField(
        models.CharField(max_length=300),
        default=list,
        blank=True,
        help_text="Examples of opening messages.",
    )
    minimum_turns = models.PositiveSmallIntegerField(
        default=5, help_text="How many messages a participant must send before finishing."
    )
    questions_each = models.PositiveSmallIntegerField(
        default=5,
        validators=[MinValueValidator(1)],
        help_text="How many questions each participant writes, in a study of that kind.",
    )
    scenarios_each = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many scenarios each participant gets, in turn. Leave empty for all."
    )
    quota = models.PositiveIntegerField(
        validators=[MinValueValidator(1)], help_text="The maximum number of participants."
    )
    hold_minutes = models.PositiveIntegerField(
        default=120,
        validators=[MinValueValidator(1)],
        help_text="How long a place is held for an inactive participant.",
    )
    questionnaire = models.JSONField(default=default_questionnaire, blank=True)
    closing_word = models.CharField(
        max_length=40, default="FINISHED", help_text="Typing this in the chat ends the conversation."
    )
    completion_code = models.CharField(
        max_length=60, default=new_code, blank=True, help_text="For those who finish. Leave empty for no code."
    )
    attention_code = models.CharField(
        "code for failed attention checks",
        max_length=60,
        blank=True,
        help_text="For those who finish, but failed an attention check. Leave empty to give them the same code.",
    )
    screened_code = models.CharField(
        "code for screened out",
        max_length=60,
        blank=True,
        help_text="For those who do not agree, or find the study full. Leave empty for no code.",
    )
    completion_url = models.CharField(
        max_length=500,
        blank=True,
        validators=[URLValidator(["http", "https"])],
        help_text="The link on the last page, as given by your recruiting site.",
    )
    person_parameter = models.CharField(max_length=40, default="PROLIFIC_PID", validators=[parameter_name])
    study_parameter = models.CharField(max_length=40, default="STUDY_ID", validators=[parameter_name])
    session_parameter = models.CharField(max_length=40, default="SESSION_ID", validators=[parameter_name])
    identified_only = models.BooleanField(
        default=False, help_text="Admit only links that carry a participant identifier."
    )
    contact = models.CharField(max_length=200, blank=True, help_text="Who participants can write to.")
    seed = models.PositiveIntegerField(default=new_seed, help_text="Seeds the random draws of arms and orders.")
    imported = models.BooleanField(
        default=False, editable=False, help_text="Whether it came with an export: nobody takes part in it here."
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "studies"
        constraints = [
            models.CheckConstraint(condition=~Q(slug="") & ~Q(title=""), name="research_study_has_a_name"),
            models.CheckConstraint(condition=Q(kind__in=["chat", "questions"]), name="research_study_kind_valid"),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open", "closed"]), name="research_study_state_valid"
            ),
            models.CheckConstraint(
                condition=Q(imported=False) | Q(state="closed"),
                name="research_imported_study_is_closed",
                violation_error_message="This study came with an export: nobody can take part in it here.",
            ),
            models.CheckConstraint(condition=Q(quota__gte=1), name="research_study_quota_positive"),
            models.CheckConstraint(condition=Q(questions_each__gte=1), name="research_study_questions_positive"),
            models.CheckConstraint(condition=Q(hold_minutes__gte=1), name="research_study_hold_positive"),
            models.CheckConstraint(
                condition=Q(scenarios_each__isnull=True) | Q(scenarios_each__gte=1),
                name="research_study_scenarios_positive",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        if problem := flaw_of(self.questionnaire):
            raise ValidationError({"questionnaire": problem})
        if not Assistant.objects.filter(slug=self.assistant).exists():
            raise ValidationError({"assistant": "There is no assistant of this name."})


class ConsentText(models.Model):
    """What participants agree to. A text never changes: a change is another version, and the newest one is shown."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="consents")
    version = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    text = models.TextField(help_text="A blank line starts a new paragraph.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["study", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "version"], name="research_consent_version_unique"),
            models.CheckConstraint(condition=Q(version__gte=1), name="research_consent_version_positive"),
            models.CheckConstraint(condition=~Q(text=""), name="research_consent_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.study}, version {self.version}"


class Arm(models.Model):
    """One of the systems compared: what is different in its conversations (`hybridchat.chat.overrides`).

    Participants never see its name. An arm with weight 2 gets twice as many as one with weight 1.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="arms")
    name = models.SlugField(max_length=60)
    overrides = models.JSONField(
        default=dict,
        blank=True,
        help_text="What is different in it: system, language, prompts, few_shot, memory.",
    )
    weight = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])

    class Meta:
        ordering = ["study", "name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="research_arm_name_unique"),
            models.CheckConstraint(condition=Q(weight__gte=1), name="research_arm_weight_positive"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if problem := flaws_of(Overrides, self.overrides):
            raise ValidationError({"overrides": problem})
        named = Overrides.model_validate(self.overrides).few_shot
        if named not in ("", NONE) and not FewShotPair.objects.in_use(named).exists():
            raise ValidationError({"overrides": f"No active few-shot pair is in a set called {named!r}."})


class Scenario(models.Model):
    """Something a participant is asked to get done: "You cannot find your transfer credits"."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="scenarios")
    position = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="research_scenario_position_unique"),
            models.CheckConstraint(condition=~Q(text=""), name="research_scenario_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.text[:60]}"
