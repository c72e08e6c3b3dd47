"""What was before in each row that a version changed, and rows that remember what was done to them by hand."""

import django.db.models.deletion
from django.db import migrations, models


def mark_rows(apps, schema_editor):
    """Give the rows of corpora that were imported before the columns that tell them apart, and hide deleted ones."""
    versions = apps.get_model("corpora", "CorpusVersion")
    versions.objects.update(rows_of=models.F("number"))
    with schema_editor.connection.cursor() as cursor:
        for version in versions.objects.all():
            for table, stored in version.stored.items():
                name = f'imported."{version.corpus[:15]}_{version.number}_{table}"'
                if not version.active:
                    cursor.execute(f"DROP TABLE IF EXISTS {name}")
                    continue
                keys = _keys(version.specification, table)
                origin = f'"{keys[0]}"::text' if len(keys) == 1 else "'row-' || row_number"
                cursor.execute(f"ALTER TABLE {name} ADD row_edit text, ADD row_origin text")
                cursor.execute(f"UPDATE {name} SET row_origin = {origin}")
                cursor.execute(f"ALTER TABLE {name} ALTER row_origin SET NOT NULL, ADD UNIQUE (row_origin)")
                cursor.execute("SELECT pg_get_viewdef(%s::regclass)", [f'kb."{stored["view"]}"'])
                query = cursor.fetchone()[0].rstrip().rstrip(";")
                seen = f"{query} WHERE here.row_edit IS DISTINCT FROM 'deleted'"
                cursor.execute(f'CREATE OR REPLACE VIEW kb."{stored["view"]}" AS {seen}')
    versions.objects.filter(active=False).update(stored={})


def _keys(specification, table):
    """The key of a table, as its specification has it."""
    (found,) = [one for one in specification["tables"] if one["name"] == table]
    key = found.get("key")
    return [key] if isinstance(key, str) else key or []


class Migration(migrations.Migration):
    dependencies = [("corpora", "0019_imports")]

    operations = [
        migrations.AddField(
            model_name="corpusversion",
            name="kind",
            field=models.CharField(
                choices=[("import", "import"), ("edit", "edited by hand"), ("revert", "gone back")],
                default="import",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="corpusversion", name="note", field=models.CharField(blank=True, max_length=200)
        ),
        migrations.AddField(model_name="corpusversion", name="rows_of", field=models.IntegerField(default=1)),
        migrations.AddConstraint(
            model_name="corpusversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("rows_of__gte", 1)),
                name="corpus_version_rows_from_1",
                violation_error_message="rows_of is below 1.",
            ),
        ),
        migrations.AddConstraint(
            model_name="corpusversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["import", "edit", "revert"])),
                name="corpus_version_kind_known",
                violation_error_message="kind is none of those there are.",
            ),
        ),
        migrations.CreateModel(
            name="RowChange",
            fields=[
                ("id", models.AutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.CharField(max_length=50)),
                ("origin", models.CharField(max_length=250)),
                ("before", models.JSONField(null=True)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rows", to="corpora.corpusversion"
                    ),
                ),
            ],
            options={
                "ordering": ("-version__number", "table", "origin"),
                "indexes": [models.Index(fields=["table", "origin"], name="row_change_row")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("table", ""), _negated=True),
                        name="row_change_table_filled",
                        violation_error_message="table is empty.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("origin", ""), _negated=True),
                        name="row_change_origin_filled",
                        violation_error_message="origin is empty.",
                    ),
                    models.UniqueConstraint(fields=("version", "table", "origin"), name="row_change_once_a_version"),
                ],
            },
        ),
        migrations.RunPython(mark_rows, migrations.RunPython.noop),
    ]
