"""How the reader's vector searches end: with enough rows, not after a fixed number of index entries.

An HNSW scan looks at 40 entries and then filters; where most of those are filtered out, or are dead versions of changed
rows, too few remain, or none. With an iterative scan pgvector goes on until the query has what it asked for.
"""

from django.db import migrations

READER = "hybridchat_reader"


def set_iterative(apps, schema_editor):
    """For the reader in this database; whoever may not change its settings leaves it to an administrator."""
    _alter(schema_editor, "SET hnsw.iterative_scan = 'strict_order'")


def reset_iterative(apps, schema_editor):
    """As it was."""
    _alter(schema_editor, "RESET hnsw.iterative_scan")


def _alter(schema_editor, change):
    connection = schema_editor.connection
    database = connection.ops.quote_name(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT '[1]'::vector")  # loads pgvector, which declares the setting
        cursor.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            cursor.execute(f"ALTER ROLE {READER} IN DATABASE {database} {change}")


class Migration(migrations.Migration):
    dependencies = [("corpora", "0004_reader")]
    operations = [migrations.RunPython(set_iterative, reset_iterative)]
