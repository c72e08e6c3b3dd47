import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0001_feedback_answers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RegressionCase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("corpus", models.SlugField()),
                (
                    "messages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(),
                        help_text="One a line; the last one is the question, those before lead up to it.",
                        size=None,
                    ),
                ),
                (
                    "expected_keys",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(),
                        blank=True,
                        default=list,
                        help_text="The keys of the rows that the last message has to find, one a line.",
                        size=None,
                        verbose_name="expected rows",
                    ),
                ),
                ("in_order", models.BooleanField(default=False, help_text="The rows have to come in this order.")),
                (
                    "expected_answer",
                    models.TextField(
                        blank=True, help_text="What the reply has to say, one phrase a line; case does not matter."
                    ),
                ),
                (
                    "finds_nothing",
                    models.BooleanField(default=False, help_text="Nothing may be found, and the reply has to say so."),
                ),
                ("now", models.DateTimeField(blank=True, null=True, verbose_name="clock")),
                ("active", models.BooleanField(default=True)),
                ("note", models.CharField(blank=True, max_length=300)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("corpus", "pk"),
            },
        ),
        migrations.CreateModel(
            name="RegressionRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("corpus", models.SlugField()),
                ("language", models.CharField(max_length=100)),
                ("release", models.CharField(max_length=40)),
                ("few_shot", models.BooleanField(default=True, verbose_name="few-shot pairs")),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done"), ("stopped", "Stopped")],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("cases", models.PositiveIntegerField(default=0)),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                (
                    "touched",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, help_text="When a worker last did something."
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-created", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="RegressionResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("passed", models.BooleanField()),
                ("reason", models.CharField(blank=True, help_text="What was not as expected.", max_length=300)),
                (
                    "keys",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                ("answer", models.TextField(blank=True)),
                ("suql", models.TextField(blank=True)),
                ("in_bank", models.BooleanField(default=False)),
                ("seconds", models.FloatField(default=0)),
                ("calls", models.IntegerField(default=0)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="results",
                        to="research.regressioncase",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="results", to="research.regressionrun"
                    ),
                ),
            ],
            options={
                "ordering": ("run", "case"),
            },
        ),
        migrations.AddConstraint(
            model_name="regressioncase",
            constraint=models.CheckConstraint(
                condition=models.Q(("corpus", ""), _negated=True),
                name="research_case_corpus_filled",
                violation_error_message="corpus is empty.",
            ),
        ),
        migrations.AddConstraint(
            model_name="regressioncase",
            constraint=models.CheckConstraint(
                condition=models.Q(("messages__len__gte", 1)),
                name="research_case_asks",
                violation_error_message="A case needs a message.",
            ),
        ),
        migrations.AddConstraint(
            model_name="regressioncase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("expected_answer", ""), ("expected_keys", []), ("finds_nothing", True)),
                    models.Q(
                        ("finds_nothing", False),
                        models.Q(
                            ("expected_keys__len__gte", 1),
                            models.Q(("expected_answer", ""), _negated=True),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="research_case_expects",
                violation_error_message="Say what is expected: rows, an answer, or that nothing is found.",
            ),
        ),
        migrations.AddIndex(
            model_name="regressionrun",
            index=models.Index(
                condition=models.Q(("status", "running")), fields=["touched"], name="research_run_running"
            ),
        ),
        migrations.AddConstraint(
            model_name="regressionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("corpus", ""), _negated=True),
                name="research_run_corpus_filled",
                violation_error_message="corpus is empty.",
            ),
        ),
        migrations.AddConstraint(
            model_name="regressionrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished__isnull", True), ("status", "running")),
                    models.Q(("finished__isnull", False), ("status__in", ["done", "stopped"])),
                    _connector="OR",
                ),
                name="research_run_over_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="regressionresult",
            constraint=models.UniqueConstraint(fields=("run", "case"), name="research_result_once"),
        ),
        migrations.AddConstraint(
            model_name="regressionresult",
            constraint=models.CheckConstraint(
                condition=models.Q(("passed", True), models.Q(("reason", ""), _negated=True), _connector="XOR"),
                name="research_result_says_why",
            ),
        ),
    ]
