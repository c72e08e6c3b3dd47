"""A link leads to the web (or, where the column says so, to a page of this site), and to nothing a browser would run.

A link that does not is emptied: nothing is lost that a page could have shown.
"""

from django.db import migrations, models

WEB = r"^https?://[^\s/?#]\S*$"
PAGE = r"^(?:https?://[^\s/?#]|/(?!/))\S*$"


def empty_what_is_no_link(apps, schema_editor):
    for model, column, pattern in (
        ("Restaurant", "link", WEB),
        ("Restaurant", "picture", PAGE),
        ("Program", "sheet_url", PAGE),
    ):
        rows = apps.get_model("corpora", model).objects.exclude(**{column: ""})
        for row in rows.exclude(**{f"{column}__iregex": pattern}):
            print(f"\n  {model} {row.pk}: {column} was no link and is empty now: {getattr(row, column)!r}", end="")
            rows.filter(pk=row.pk).update(**{column: ""})


class Migration(migrations.Migration):
    dependencies = [("corpora", "0013_hand_edits")]

    operations = [
        migrations.RunPython(empty_what_is_no_link, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="program",
            constraint=models.CheckConstraint(
                condition=models.Q(("sheet_url", ""), ("sheet_url__iregex", PAGE), _connector="OR"),
                name="program_sheet_is_of_the_web",
                violation_error_message="sheet_url does not start with http://, https:// or /, or has a space in it.",
            ),
        ),
        migrations.AddConstraint(
            model_name="restaurant",
            constraint=models.CheckConstraint(
                condition=models.Q(("link", ""), ("link__iregex", WEB), _connector="OR"),
                name="restaurant_link_is_of_the_web",
                violation_error_message="link does not start with http:// or https://, or has a space in it.",
            ),
        ),
        migrations.AddConstraint(
            model_name="restaurant",
            constraint=models.CheckConstraint(
                condition=models.Q(("picture", ""), ("picture__iregex", PAGE), _connector="OR"),
                name="restaurant_picture_is_of_the_web",
                violation_error_message="picture does not start with http://, https:// or /, or has a space in it.",
            ),
        ),
    ]
