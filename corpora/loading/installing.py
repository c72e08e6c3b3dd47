"""What a command needs to be there, where it is the first to be run in an installation.

Only the embedded database is touched unasked; any other is for its operator to migrate and fill.
"""

from __future__ import annotations

import sys

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from corpora.loading.worksheets import add_shipped_editions
from corpora.models import Article, Assistant, Course, Place, Program, Restaurant


def make_missing_tables() -> None:
    """Migrates where that is due, and says so on standard error. Raises CommandError where it may not."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if not settings.EMBEDDED_DATABASE:
        raise CommandError("The database lacks tables of this version. Run `manage.py migrate` first.")
    sys.stderr.write("Making the tables.\n")
    call_command("migrate", interactive=False, verbosity=0)


def is_empty() -> bool:
    """Whether the database holds no corpora yet: then the samples may be loaded unasked."""
    return not any(model.objects.exists() for model in (Assistant, Restaurant, Course, Program, Article, Place))


def prepare() -> None:
    """The tables and the sample corpora, and says so on standard error. Raises CommandError where it may not."""
    make_missing_tables()
    if Assistant.objects.exists():
        add_shipped_editions()
        return
    if not settings.EMBEDDED_DATABASE:
        raise CommandError("The database holds no corpora. Run `manage.py load_corpora` first.")
    sys.stderr.write("Loading the sample corpora.\n")
    call_command("load_corpora", stdout=sys.stderr)
