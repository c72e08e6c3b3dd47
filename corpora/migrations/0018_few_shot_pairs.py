import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0017_temporary_files"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="FewShotPair",
            fields=[
                ("id", models.AutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("corpus", models.SlugField()),
                ("message", models.CharField(help_text="As people say it, complete in itself.", max_length=500)),
                (
                    "suql",
                    models.TextField(help_text="SUQL, as it is checked before it is saved.", verbose_name="query"),
                ),
                (
                    "presentation",
                    models.CharField(
                        choices=[
                            ("list", "a list of things"),
                            ("detail", "details of known things"),
                            ("aggregate", "a count or figure"),
                            ("comparison", "a comparison of known things"),
                            ("article", "an answer from an article"),
                        ],
                        default="list",
                        max_length=12,
                        verbose_name="it asks for",
                    ),
                ),
                ("active", models.BooleanField(default=True)),
                ("note", models.CharField(blank=True, max_length=300)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("changed", models.DateTimeField(auto_now=True)),
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
                "verbose_name": "few-shot pair",
                "ordering": ("corpus", "message"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("corpus", ""), _negated=True),
                        name="few_shot_corpus_filled",
                        violation_error_message="corpus is empty.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("message", ""), _negated=True),
                        name="few_shot_message_filled",
                        violation_error_message="message is empty.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("suql", ""), _negated=True),
                        name="few_shot_query_filled",
                        violation_error_message="suql is empty.",
                    ),
                    models.UniqueConstraint(
                        fields=("corpus", "message"),
                        name="few_shot_message_once",
                        violation_error_message="There is a pair for this message already.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("presentation__in", ["list", "detail", "aggregate", "comparison", "article"])
                        ),
                        name="few_shot_presentation_valid",
                    ),
                ],
            },
        ),
    ]
