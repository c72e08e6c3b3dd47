import uuid

import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0018_few_shot_pairs"),
        ("research", "0002_regression_cases"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CorpusHealth",
            fields=[],
            options={
                "verbose_name": "health of a corpus",
                "verbose_name_plural": "health of the corpora",
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("corpora.assistant",),
        ),
        migrations.CreateModel(
            name="PlaygroundRun",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("corpus", models.SlugField()),
                ("question", models.TextField(blank=True)),
                ("suql", models.TextField(blank=True)),
                ("language", models.CharField(max_length=200)),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                        default="running",
                        max_length=10,
                    ),
                ),
                (
                    "result",
                    models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                ("error", models.TextField(blank=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "trial",
                "verbose_name_plural": "playground",
                "ordering": ("-created",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("question", ""), _negated=True),
                            models.Q(("suql", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="research_trial_asks",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "failed"), _negated=True),
                            models.Q(("error", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="research_trial_failed_says_why",
                    ),
                ],
            },
        ),
    ]
