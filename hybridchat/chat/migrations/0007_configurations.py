"""Configurations become rows of their own, by hash: what turns said of them moves there, and back."""

import hashlib
import json

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

AT_ONCE = "SET CONSTRAINTS ALL IMMEDIATE"  # otherwise checks that are still to come forbid the next change of the table


def to_rows(apps, schema_editor):
    schema_editor.execute(AT_ONCE)
    turns, rows = apps.get_model("chat", "Turn").objects, apps.get_model("chat", "Configuration").objects
    for document in turns.exclude(told={}).order_by().values_list("told", flat=True).distinct():
        text = json.dumps(document, sort_keys=True, ensure_ascii=False)
        row, _ = rows.get_or_create(hash=hashlib.sha256(text.encode()).hexdigest(), defaults={"document": document})
        turns.filter(told=document).update(configuration=row)


def to_turns(apps, schema_editor):
    schema_editor.execute(AT_ONCE)
    turns = apps.get_model("chat", "Turn").objects
    for row in apps.get_model("chat", "Configuration").objects.all():
        turns.filter(configuration=row).update(told=row.document)


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0006_feedback_queue"),
    ]

    operations = [
        migrations.CreateModel(
            name="Configuration",
            fields=[
                ("hash", models.CharField(editable=False, max_length=64, primary_key=True, serialize=False)),
                ("document", models.JSONField(editable=False)),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={"ordering": ["-created"]},
        ),
        migrations.AddConstraint(
            model_name="configuration",
            constraint=models.CheckConstraint(
                condition=models.Q(("hash__regex", "^[0-9a-f]{64}$")), name="chat_configuration_hash_valid"
            ),
        ),
        migrations.RenameField(model_name="turn", old_name="configuration", new_name="told"),
        migrations.AddField(
            model_name="turn",
            name="configuration",
            field=models.ForeignKey(
                blank=True,
                help_text="What it was answered with.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="turns",
                to="chat.configuration",
            ),
        ),
        migrations.RunPython(to_rows, to_turns),
        migrations.RemoveField(model_name="turn", name="told"),
        migrations.AddField(
            model_name="conversation",
            name="configuration",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="What it began with.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="conversations",
                to="chat.configuration",
            ),
        ),
        migrations.AddField(
            model_name="conversation",
            name="overrides",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.AddField(
            model_name="conversation",
            name="closing_word",
            field=models.CharField(blank=True, editable=False, max_length=40),
        ),
        migrations.AddField(
            model_name="conversation",
            name="closes_after",
            field=models.PositiveSmallIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="conversation",
            name="closed",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="conversation",
            constraint=models.CheckConstraint(
                condition=models.Q(("closed__isnull", True), ("closed__gte", models.F("created")), _connector="OR"),
                name="chat_conversation_closed_later",
            ),
        ),
    ]
