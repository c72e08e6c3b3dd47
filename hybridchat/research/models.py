"""What staff make of conversations: answers to feedback, cases that must keep working with their runs, trials."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone

from corpora.models import ArticleQuestion, Assistant, FewShotPair
from corpora.models.columns import filled
from hybridchat.chat.models import Feedback, Turn
from hybridchat.research.annotation.models import Adjudication, Annotation, Item, Project, Scheme
from hybridchat.research.exports.models import Export
from hybridchat.research.replay.models import Replayed, Run
from hybridchat.research.studies.models import Arm, ConsentText, Scenario, Study
from hybridchat.research.studies.participations import CollectedQuestion, Participation, QuestionnaireAnswer, StudyEvent

__all__ = [
    "Adjudication",
    "Annotation",
    "Arm",
    "CollectedQuestion",
    "ConsentText",
    "Copy",
    "CorpusHealth",
    "Export",
    "FeedbackAnswer",
    "Item",
    "Participation",
    "PlaygroundRun",
    "Project",
    "QuestionnaireAnswer",
    "RegressionCase",
    "RegressionResult",
    "RegressionRun",
    "Replayed",
    "Run",
    "Scenario",
    "Scheme",
    "Study",
    "StudyEvent",
]


class FeedbackAnswer(models.Model):
    """What the staff answer to feedback; `told_at` is when it was carried into the person's conversation."""

    feedback = models.ForeignKey(Feedback, on_delete=models.CASCADE, related_name="answers")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    text = models.TextField()
    created = models.DateTimeField(default=timezone.now, editable=False)
    told_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("created",)
        constraints = (filled("text", name="research_answer_text_filled"),)

    def __str__(self) -> str:
        return self.text[:60]


class RegressionCase(models.Model):
    """A question over a corpus, or the messages of a conversation, whose last one must go on being answered like this.

    Its rows are expected by key, or the words that its answer has to say. `corpus` is the slug of its assistant. `now`
    is the clock of the conversation, empty for the hour at which it is run.
    """

    corpus = models.SlugField(max_length=50)
    messages = ArrayField(
        models.TextField(), help_text="One per line. The last one is the question; the others lead up to it."
    )
    expected_keys = ArrayField(
        models.TextField(),
        default=list,
        blank=True,
        verbose_name="expected rows",
        help_text="The keys of the rows the last message must find, one per line.",
    )
    in_order = models.BooleanField(default=False, help_text="The rows must come in this order.")
    expected_answer = models.TextField(
        blank=True, help_text="What the reply must say, one phrase per line. Case is ignored."
    )
    finds_nothing = models.BooleanField(default=False, help_text="Nothing should be found, and the reply must say so.")
    now = models.DateTimeField("clock", null=True, blank=True)
    active = models.BooleanField(default=True)
    note = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("corpus", "pk")
        constraints = (
            filled("corpus", name="research_case_corpus_filled"),
            models.CheckConstraint(
                condition=Q(messages__len__gte=1),
                name="research_case_asks",
                violation_error_message="A case needs a message.",
            ),
            models.CheckConstraint(
                condition=Q(finds_nothing=True, expected_keys=[], expected_answer="")
                | Q(finds_nothing=False) & (Q(expected_keys__len__gte=1) | ~Q(expected_answer="")),
                name="research_case_expects",
                violation_error_message="Say what is expected: rows, an answer, or that nothing is found.",
            ),
        )

    def __str__(self) -> str:
        return " // ".join(self.messages)


class RegressionRun(models.Model):
    """All active cases of a corpus, asked of one language at one time."""

    class Status(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"

    corpus = models.SlugField(max_length=50)
    language = models.CharField(max_length=100)
    release = models.CharField(max_length=40)
    few_shot = models.BooleanField("few-shot pairs", default=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    cases = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished = models.DateTimeField(null=True, blank=True)
    touched = models.DateTimeField(default=timezone.now, editable=False, help_text="When a worker was last active.")

    class Meta:
        ordering = ("-created", "-pk")
        constraints = (
            filled("corpus", name="research_run_corpus_filled"),
            models.CheckConstraint(
                condition=Q(status="running", finished__isnull=True)
                | Q(status__in=["done", "stopped"], finished__isnull=False),
                name="research_run_over_has_a_time",
            ),
        )
        indexes = (models.Index(fields=["touched"], condition=Q(status="running"), name="research_run_running"),)

    def __str__(self) -> str:
        return f"{self.corpus}, {timezone.localtime(self.created):%Y-%m-%d %H:%M}"


class RegressionResult(models.Model):
    """What came of one case in one run. `in_bank` says that a few-shot pair is for the very message."""

    run = models.ForeignKey(RegressionRun, models.CASCADE, related_name="results")
    case = models.ForeignKey(RegressionCase, models.CASCADE, related_name="results")
    passed = models.BooleanField()
    reason = models.CharField(max_length=300, blank=True, help_text="What differed from what was expected.")
    keys = ArrayField(models.TextField(), default=list, blank=True)
    answer = models.TextField(blank=True)
    suql = models.TextField(blank=True)
    in_bank = models.BooleanField(default=False)
    seconds = models.FloatField(default=0)
    calls = models.IntegerField(default=0)

    class Meta:
        ordering = ("run", "case")
        constraints = (
            models.UniqueConstraint(fields=("run", "case"), name="research_result_once"),
            models.CheckConstraint(condition=Q(passed=True) ^ ~Q(reason=""), name="research_result_says_why"),
        )

    def __str__(self) -> str:
        return f"{self.case}: {'passed' if self.passed else self.reason}"


class PlaygroundRun(models.Model):
    """A question, or a query, that somebody of the staff tried over a corpus, with everything that came of it.

    `suql` is a query that is run as it stands; where it is empty, the question is understood and parsed.
    """

    class Status(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    corpus = models.SlugField(max_length=50)
    question = models.TextField(blank=True)
    suql = models.TextField(blank=True)
    language = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    result = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    error = models.TextField(blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-created",)
        verbose_name = "trial"
        verbose_name_plural = "playground"
        constraints = (
            models.CheckConstraint(condition=~Q(question="") | ~Q(suql=""), name="research_trial_asks"),
            models.CheckConstraint(condition=~Q(status="failed") | ~Q(error=""), name="research_trial_failed_says_why"),
        )

    def __str__(self) -> str:
        return (self.question or self.suql)[:80]


class Copy(models.Model):
    """What the staff made of a turn that may hold the person's words: a case, a pair, a question, or a trial.

    The link is there so that these words go with the conversation (`hybridchat.research.copies`), and goes with it.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="copies")
    case = models.ForeignKey(RegressionCase, models.CASCADE, null=True, blank=True, related_name="+")
    pair = models.ForeignKey(FewShotPair, models.CASCADE, null=True, blank=True, related_name="+")
    question = models.ForeignKey(ArticleQuestion, models.CASCADE, null=True, blank=True, related_name="+")
    trial = models.ForeignKey(PlaygroundRun, models.CASCADE, null=True, blank=True, related_name="+")

    KINDS = ("case", "pair", "question", "trial")

    class Meta:
        verbose_name_plural = "copies"
        constraints = (
            models.CheckConstraint(
                condition=models.lookups.Exact(
                    models.Func(
                        *("case", "pair", "question", "trial"),
                        function="num_nonnulls",
                        output_field=models.IntegerField(),
                    ),
                    1,
                ),
                name="research_copy_is_one_thing",
            ),
            *(
                models.UniqueConstraint(fields=("turn", kind), name=f"research_copy_{kind}_once")
                for kind in ("case", "pair", "question", "trial")
            ),
        )

    def __str__(self) -> str:
        return f"{self.made} of {self.turn_id}"

    @property
    def made(self) -> models.Model:
        """The thing that was made."""
        return next(one for kind in self.KINDS if (one := getattr(self, kind)))


class CorpusHealth(Assistant):
    """A corpus, seen for what is wrong with it."""

    class Meta:
        proxy = True
        verbose_name = "health of a corpus"
        verbose_name_plural = "health of the corpora"
