"""Whatever was brought about belongs to somebody, and a course is held in a season that there is.

Rows that break this cannot be mended by a rule; they are named, and the migration stops before it changes anything.
"""

from django.db import migrations, models

NOBODY = models.Q(owner_key="", user__isnull=True, conversation__isnull=True)
OWNED = ("reservation", "enrollment", "ticket")
SEASONS = ["autumn", "winter", "spring", "summer"]


def name_what_has_to_be_mended(apps, schema_editor):
    found = []
    for name in OWNED:
        rows = apps.get_model("effects", name).objects
        found += [f"{name} {reference} belongs to nobody" for reference in references(rows.filter(NOBODY))]
    enrollments = apps.get_model("effects", "enrollment").objects.exclude(season__in=SEASONS)
    found += [f"enrollment {reference} is in no season" for reference in references(enrollments)]
    if found:
        raise ValueError(f"Mend or delete these rows, then migrate again: {'; '.join(found)}.")


def references(rows):
    return rows.order_by("pk").values_list("reference", flat=True)


class Migration(migrations.Migration):
    dependencies = [("effects", "0004_letter_receipt")]

    operations = [
        migrations.RunPython(name_what_has_to_be_mended, migrations.RunPython.noop, elidable=True),
        *(
            migrations.AddConstraint(
                model_name=name,
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("owner_key", ""), _negated=True),
                        ("user__isnull", False),
                        ("conversation__isnull", False),
                        _connector="OR",
                    ),
                    name=f"effects_{name}_has_an_owner",
                ),
            )
            for name in OWNED
        ),
        migrations.AddConstraint(
            model_name="enrollment",
            constraint=models.CheckConstraint(
                condition=models.Q(("season__in", SEASONS)),
                name="effects_enrollment_season",
                violation_error_message="season is none of autumn, winter, spring, summer.",
            ),
        ),
    ]
