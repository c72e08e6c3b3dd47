"""A query of the reader may fill no more than 1 GB of the server's disk with temporary files.

What does not fit into `work_mem` is written there, without a limit unless one is set. Only a superuser can set it; for
anybody else this has no effect, as in 0004.
"""

from django.db import migrations

READER = "hybridchat_reader"
LIMIT = "1GB"


def limit(apps, schema_editor):
    """Set the limit for the reader in this database."""
    _change(schema_editor.connection, f"SET temp_file_limit = '{LIMIT}'")


def lift(apps, schema_editor):
    """Take the limit back."""
    _change(schema_editor.connection, "RESET temp_file_limit")


def _change(connection, change):
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            database = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"ALTER ROLE {READER} IN DATABASE {database} {change}")


class Migration(migrations.Migration):
    dependencies = [("corpora", "0016_imported_corpora")]
    operations = [migrations.RunPython(limit, lift)]
