"""An assistant's greeting was shown nowhere, and whether to ask for a city follows from the columns of its tables."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("corpora", "0014_links")]

    operations = [
        migrations.RemoveField("assistant", "greeting"),
        migrations.RemoveField("assistant", "city_required"),
    ]
