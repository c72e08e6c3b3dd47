"""Exports go through conversations in the order in which they were begun."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("chat", "0008_plain_help_texts")]

    operations = [
        migrations.AddIndex("conversation", models.Index(fields=["created", "id"], name="chat_conversation_in_order")),
    ]
