import uuid

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import hybridchat.research.studies.models
import hybridchat.research.studies.questionnaire


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0007_configurations"),
        ("research", "0003_playground"),
    ]

    operations = [
        migrations.CreateModel(
            name="Arm",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.SlugField(max_length=60)),
                (
                    "overrides",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='What is different in it: {"system": "suql", "language": "builtin"}.',
                    ),
                ),
                (
                    "weight",
                    models.PositiveSmallIntegerField(
                        default=1, validators=[django.core.validators.MinValueValidator(1)]
                    ),
                ),
            ],
            options={
                "ordering": ["study", "name"],
            },
        ),
        migrations.CreateModel(
            name="ConsentText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1)])),
                ("text", models.TextField(help_text="An empty line begins a paragraph.")),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "ordering": ["study", "-version"],
            },
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(help_text="Its address: /study/SLUG/.", max_length=60, unique=True)),
                ("title", models.CharField(help_text="Participants see it.", max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("chat", "talk to an assistant"),
                            ("questions", "write questions, without an assistant"),
                        ],
                        default="chat",
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft: only staff can take part"),
                            ("open", "Open"),
                            ("closed", "closed to newcomers"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "assistant",
                    models.SlugField(help_text="The assistant that people talk to, or would.", max_length=60),
                ),
                (
                    "instructions",
                    models.TextField(help_text="What participants are asked to do; an empty line begins a paragraph."),
                ),
                (
                    "openings",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=300),
                        blank=True,
                        default=list,
                        help_text="Examples of how a conversation could begin.",
                        size=None,
                    ),
                ),
                (
                    "minimum_turns",
                    models.PositiveSmallIntegerField(default=5, help_text="Messages before somebody may finish."),
                ),
                (
                    "questions_each",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="How many questions each writes, where they write some.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "scenarios_each",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="How many of the scenarios each participant gets, in turn; all where empty.",
                        null=True,
                    ),
                ),
                (
                    "quota",
                    models.PositiveIntegerField(
                        help_text="How many can take part.", validators=[django.core.validators.MinValueValidator(1)]
                    ),
                ),
                (
                    "hold_minutes",
                    models.PositiveIntegerField(
                        default=120,
                        help_text="How long a place is kept for who does nothing.",
                        validators=[django.core.validators.MinValueValidator(1)],
                    ),
                ),
                (
                    "questionnaire",
                    models.JSONField(
                        blank=True, default=hybridchat.research.studies.questionnaire.default_questionnaire
                    ),
                ),
                (
                    "closing_word",
                    models.CharField(default="FINISHED", help_text="Typed in the chat, it ends it.", max_length=40),
                ),
                (
                    "completion_code",
                    models.CharField(blank=True, default=hybridchat.research.studies.models.new_code, max_length=60),
                ),
                (
                    "completion_url",
                    models.CharField(
                        blank=True,
                        help_text="Where the last page leads, as your recruiting site says.",
                        max_length=500,
                        validators=[django.core.validators.URLValidator(["http", "https"])],
                    ),
                ),
                (
                    "person_parameter",
                    models.CharField(
                        default="PROLIFIC_PID",
                        max_length=40,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Za-z][A-Za-z0-9_-]*$", "The name of a parameter of a link: letters, digits, _, -."
                            )
                        ],
                    ),
                ),
                (
                    "study_parameter",
                    models.CharField(
                        default="STUDY_ID",
                        max_length=40,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Za-z][A-Za-z0-9_-]*$", "The name of a parameter of a link: letters, digits, _, -."
                            )
                        ],
                    ),
                ),
                (
                    "session_parameter",
                    models.CharField(
                        default="SESSION_ID",
                        max_length=40,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Za-z][A-Za-z0-9_-]*$", "The name of a parameter of a link: letters, digits, _, -."
                            )
                        ],
                    ),
                ),
                (
                    "identified_only",
                    models.BooleanField(
                        default=False, help_text="Only links with an identifier of the participant are let in."
                    ),
                ),
                ("contact", models.CharField(blank=True, help_text="Whom participants can write to.", max_length=200)),
                (
                    "seed",
                    models.PositiveIntegerField(
                        default=hybridchat.research.studies.models.new_seed,
                        help_text="The draws of arms and orders begin with it.",
                    ),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "verbose_name_plural": "studies",
                "ordering": ["-created"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("slug", ""), _negated=True), models.Q(("title", ""), _negated=True)
                        ),
                        name="research_study_has_a_name",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["chat", "questions"])), name="research_study_kind_valid"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["draft", "open", "closed"])),
                        name="research_study_state_valid",
                    ),
                    models.CheckConstraint(condition=models.Q(("quota__gte", 1)), name="research_study_quota_positive"),
                    models.CheckConstraint(
                        condition=models.Q(("questions_each__gte", 1)), name="research_study_questions_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("hold_minutes__gte", 1)), name="research_study_hold_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("scenarios_each__isnull", True), ("scenarios_each__gte", 1), _connector="OR"
                        ),
                        name="research_study_scenarios_positive",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Participation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("owner_key", models.CharField(editable=False, max_length=64)),
                ("external_id", models.CharField(blank=True, max_length=100)),
                ("external_study", models.CharField(blank=True, max_length=100)),
                ("external_session", models.CharField(blank=True, max_length=100)),
                ("place", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "scenarios",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("arrived", models.DateTimeField(default=django.utils.timezone.now)),
                ("agreed", models.DateTimeField(blank=True, null=True)),
                ("began", models.DateTimeField(blank=True, null=True)),
                ("ended", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                (
                    "seen",
                    models.DateTimeField(default=django.utils.timezone.now, help_text="When they did something last."),
                ),
                (
                    "arm",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="participations",
                        to="research.arm",
                    ),
                ),
                (
                    "consent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="research.consenttext",
                    ),
                ),
                (
                    "conversation",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participation",
                        to="chat.conversation",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="participations", to="research.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "arrived"],
            },
        ),
        migrations.AddField(
            model_name="consenttext",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="consents", to="research.study"
            ),
        ),
        migrations.AddField(
            model_name="arm",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="arms", to="research.study"
            ),
        ),
        migrations.CreateModel(
            name="StudyEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("arrived", "Arrived"),
                            ("turned away", "Turned Away"),
                            ("agreed", "Agreed"),
                            ("assigned", "Assigned"),
                            ("began", "Began"),
                            ("ended", "Ended"),
                            ("finished", "Finished"),
                            ("resumed", "came back in another browser"),
                            ("released", "lost their place"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        max_length=12,
                    ),
                ),
                ("detail", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "participation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="research.participation",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="research.study"
                    ),
                ),
            ],
            options={
                "ordering": ["at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="CollectedQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                ("text", models.TextField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="research.participation",
                    ),
                ),
            ],
            options={
                "ordering": ["participation", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("participation", "position"), name="research_question_position_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="research_question_says_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)), name="research_question_position_positive"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QuestionnaireAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("item", models.CharField(max_length=60)),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "value",
                    models.JSONField(help_text="A text or a number; null where nothing was answered.", null=True),
                ),
                (
                    "attentive",
                    models.BooleanField(help_text="Of an attention check: whether it was passed.", null=True),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="research.participation"
                    ),
                ),
            ],
            options={
                "ordering": ["participation", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("participation", "item"), name="research_one_answer_an_item")
                ],
            },
        ),
        migrations.CreateModel(
            name="Scenario",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField(default=1)),
                ("text", models.TextField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="scenarios", to="research.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("study", "position"), name="research_scenario_position_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="research_scenario_says_something"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(
                fields=("study", "owner_key"), name="research_one_participation_a_session"
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("external_id", ""), _negated=True),
                fields=("study", "external_id"),
                name="research_one_participation_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(fields=("study", "place"), name="research_one_participation_a_place"),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(("owner_key", ""), _negated=True), name="research_participation_has_an_owner"
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(("place__isnull", True), ("place__gte", 1), _connector="OR"),
                name="research_participation_place_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("agreed__isnull", True),
                        ("arm__isnull", True),
                        ("consent__isnull", True),
                        ("place__isnull", True),
                    ),
                    models.Q(("agreed__isnull", False), ("consent__isnull", False)),
                    _connector="OR",
                ),
                name="research_participation_agreed_to_a_text",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("began__isnull", True), ("agreed__isnull", False), _connector="OR"),
                    models.Q(("ended__isnull", True), ("began__isnull", False), _connector="OR"),
                    models.Q(("finished__isnull", True), ("ended__isnull", False), _connector="OR"),
                ),
                name="research_participation_steps_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(("finished__isnull", True), ("place__isnull", False), _connector="OR"),
                name="research_participation_finished_has_a_place",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(("agreed__isnull", True), ("agreed__gte", models.F("arrived")), _connector="OR"),
                name="research_participation_agreed_after_arriving",
            ),
        ),
        migrations.AddConstraint(
            model_name="consenttext",
            constraint=models.UniqueConstraint(fields=("study", "version"), name="research_consent_version_unique"),
        ),
        migrations.AddConstraint(
            model_name="consenttext",
            constraint=models.CheckConstraint(
                condition=models.Q(("version__gte", 1)), name="research_consent_version_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="consenttext",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="research_consent_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="arm",
            constraint=models.UniqueConstraint(fields=("study", "name"), name="research_arm_name_unique"),
        ),
        migrations.AddConstraint(
            model_name="arm",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight__gte", 1)), name="research_arm_weight_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="studyevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
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
                        ],
                    )
                ),
                name="research_study_event_kind_valid",
            ),
        ),
        migrations.AddConstraint(
            model_name="studyevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["withdrawn", "turned away"]), ("participation__isnull", True)),
                    models.Q(
                        models.Q(("kind__in", ["withdrawn", "turned away"]), _negated=True),
                        ("participation__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="research_study_event_of_somebody",
            ),
        ),
    ]
