"""What people had meant, and their reasons; the staff's status, assignee and labels of feedback."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def settle(apps, schema_editor):
    """What needs no look is not open: thumbs up without a word."""
    feedback = apps.get_model("chat", "Feedback")
    feedback.objects.filter(rating=1, comment="").update(status="noted")


def keep_words(apps, schema_editor):
    """Before there were words that were meant, feedback without a thumb had a comment."""
    feedback = apps.get_model("chat", "Feedback")
    feedback.objects.filter(rating=None, comment="").update(comment=models.F("meant"))


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0005_line_and_address"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="feedback",
            name="chat_feedback_says_something",
        ),
        migrations.AddField(
            model_name="feedback",
            name="assignee",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="assigned_feedback",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="feedback",
            name="correction",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="corrects",
                to="chat.turn",
            ),
        ),
        migrations.AddField(
            model_name="feedback",
            name="labels",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40), blank=True, default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="feedback",
            name="meant",
            field=models.TextField(blank=True, verbose_name="I meant"),
        ),
        migrations.AddField(
            model_name="feedback",
            name="reasons",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("misread", "It misunderstood me"),
                        ("wrong", "Wrong results"),
                        ("missing", "Something is missing"),
                        ("untrue", "It is not true"),
                        ("slow", "Too slow"),
                    ],
                    max_length=10,
                ),
                blank=True,
                default=list,
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="feedback",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("working", "being worked on"),
                    ("done", "Done"),
                    ("declined", "will not change"),
                    ("noted", "nothing to do"),
                ],
                default="open",
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            model_name="feedback",
            index=models.Index(condition=models.Q(("status", "open")), fields=["updated"], name="chat_feedback_open"),
        ),
        migrations.AddConstraint(
            model_name="feedback",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("rating__isnull", False),
                    models.Q(("comment", ""), _negated=True),
                    models.Q(("meant", ""), _negated=True),
                    _connector="OR",
                ),
                name="chat_feedback_says_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="feedback",
            constraint=models.CheckConstraint(
                condition=models.Q(("reasons__contained_by", ["misread", "wrong", "missing", "untrue", "slow"])),
                name="chat_feedback_reasons_valid",
            ),
        ),
        migrations.AddConstraint(
            model_name="feedback",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["open", "working", "done", "declined", "noted"])),
                name="chat_feedback_status_valid",
            ),
        ),
        migrations.AddConstraint(
            model_name="feedback",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("correction__isnull", True), models.Q(("meant", ""), _negated=True), _connector="OR"
                ),
                name="chat_feedback_correction_has_words",
            ),
        ),
        migrations.RunPython(settle, keep_words),
    ]
