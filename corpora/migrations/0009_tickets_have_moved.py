"""Tickets are kept by hybridchat.effects, where they are submitted."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0008_worksheets"),
    ]

    operations = [
        migrations.DeleteModel(
            name="Ticket",
        ),
    ]
