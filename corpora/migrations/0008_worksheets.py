"""The assistants' worksheets, in editions whose documents cannot be changed."""

import django.db.models.deletion
from django.db import migrations, models

UNCHANGING = r"""
CREATE FUNCTION corpora_edition_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'edition % of an assistant''s worksheets cannot be changed; add another one', OLD.version
        USING ERRCODE = 'check_violation', CONSTRAINT = 'worksheet_edition_unchanging';
END
$$;
CREATE TRIGGER corpora_edition_stays BEFORE UPDATE ON corpora_worksheetedition FOR EACH ROW
    WHEN ((OLD.assistant_id, OLD.version, OLD.document) IS DISTINCT FROM (NEW.assistant_id, NEW.version, NEW.document))
    EXECUTE FUNCTION corpora_edition_stays();
"""
CHANGING = """
DROP TRIGGER corpora_edition_stays ON corpora_worksheetedition;
DROP FUNCTION corpora_edition_stays();
"""


class Migration(migrations.Migration):
    dependencies = [("corpora", "0007_passage_heading")]
    operations = [
        migrations.CreateModel(
            name="WorksheetEdition",
            fields=[
                ("id", models.AutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("document", models.JSONField()),
                (
                    "note",
                    models.CharField(blank=True, help_text="What is new in it, for other curators.", max_length=300),
                ),
                ("shipped", models.BooleanField(default=False, editable=False)),
                ("active", models.BooleanField(default=False, help_text="New conversations begin with it.")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "assistant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="editions", to="corpora.assistant"
                    ),
                ),
            ],
            options={
                "ordering": ("assistant", "-version"),
                "constraints": [
                    models.UniqueConstraint(fields=("assistant", "version"), name="worksheet_edition_version_unique"),
                    models.UniqueConstraint(
                        condition=models.Q(("active", True)), fields=("assistant",), name="worksheet_edition_one_active"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)),
                        name="worksheet_edition_version_from_1",
                        violation_error_message="version is below 1.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("document__has_key", "worksheets")),
                        name="worksheet_edition_has_worksheets",
                        violation_error_message="The document has no worksheets.",
                    ),
                ],
            },
        ),
        migrations.RunSQL(UNCHANGING, CHANGING),
    ]
