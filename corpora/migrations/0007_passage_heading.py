"""A passage knows the title of the row it comes from; it is embedded with it (the next `load_corpora` does so)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpora", "0006_text_vectors")]
    operations = [
        migrations.AddField(
            "passage", "heading", models.CharField(blank=True, default="", max_length=300), preserve_default=False
        )
    ]
