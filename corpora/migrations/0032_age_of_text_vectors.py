"""When a vector was made, so that those that nobody uses any more can be deleted; of what is there, from now on."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpora", "0031_plain_constraint_messages")]

    operations = [
        migrations.AddField(
            "textvector",
            "created",
            models.DateTimeField(auto_now_add=True, default=django.utils.timezone.now),
            preserve_default=False,
        ),
    ]
