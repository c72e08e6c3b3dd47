"""A run names its configuration, as a turn does, instead of holding its own."""

import hashlib
import json

import django.db.models.deletion
from django.db import migrations, models


def name_configurations(apps, schema_editor):
    Run, Configuration = (apps.get_model(*name) for name in (("research", "Run"), ("chat", "Configuration")))
    for run in Run.objects.exclude(told={}).iterator():
        told = json.dumps(run.told, sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(told.encode()).hexdigest()
        run.configuration, _ = Configuration.objects.get_or_create(hash=digest, defaults={"document": run.told})
        run.save(update_fields=["configuration"])


def tell_configurations(apps, schema_editor):
    for run in apps.get_model("research", "Run").objects.exclude(configuration=None).select_related("configuration"):
        run.told = run.configuration.document
        run.save(update_fields=["told"])


class Migration(migrations.Migration):
    dependencies = [("chat", "0007_configurations"), ("research", "0007_runs")]

    operations = [
        migrations.RenameField("run", "configuration", "told"),
        migrations.AddField(
            "run",
            "configuration",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="chat.configuration",
            ),
        ),
        migrations.RunPython(name_configurations, tell_configurations),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RemoveField("run", "told"),
    ]
