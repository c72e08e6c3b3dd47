"""The registry of imported corpora, and the schema that holds their rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0015_assistant_fields"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # Tables of imported corpora, which nobody but the site reads: queries see views of them in `kb`.
        migrations.RunSQL("CREATE SCHEMA imported", "DROP SCHEMA imported CASCADE"),
        migrations.CreateModel(
            name="CorpusVersion",
            fields=[
                ("id", models.AutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("corpus", models.CharField(max_length=50)),
                ("number", models.IntegerField()),
                ("specification", models.JSONField()),
                ("stored", models.JSONField(default=dict)),
                ("changes", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("active", models.BooleanField(default=False)),
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
                "ordering": ("corpus", "-number"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("corpus", ""), _negated=True),
                        name="corpus_version_corpus_filled",
                        violation_error_message="corpus is empty.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)),
                        name="corpus_version_number_from_1",
                        violation_error_message="number is below 1.",
                    ),
                    models.UniqueConstraint(fields=("corpus", "number"), name="corpus_version_number_unique"),
                    models.UniqueConstraint(
                        condition=models.Q(("active", True)), fields=("corpus",), name="corpus_version_one_active"
                    ),
                ],
            },
        ),
    ]
