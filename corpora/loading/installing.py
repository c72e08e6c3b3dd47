"""What a command needs to be there, where it is the first to be run in an installation.

Only the embedded database is touched unasked; any other is for its operator to migrate and fill.
"""

from __future__ import annotations

import sys

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, OutputWrapper
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from agent.protocols.errors import LanguageError
from corpora.catalogue import catalogue
from corpora.embedding import embedder, require_embedder
from corpora.loading.progress import Progress
from corpora.loading.worksheets import add_shipped_editions
from corpora.models import Article, Assistant, Course, Place, Program, Restaurant
from corpora.passages.indexing import index, unfinished


def make_missing_tables() -> None:
    """Migrates where that is due, and says so on standard error. Raises CommandError if it may not."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if not settings.EMBEDDED_DATABASE:
        raise CommandError("The database lacks tables of this version. Run `manage.py migrate` first.")
    sys.stderr.write("Making the tables.\n")
    call_command("migrate", interactive=False, verbosity=0)


def is_empty() -> bool:
    """Return whether the database holds no corpora yet: then the samples may be loaded unasked."""
    return not any(model.objects.exists() for model in (Assistant, Restaurant, Course, Program, Article, Place))


def prepare() -> None:
    """Make the tables, load the sample corpora and finish their index, as far as that is missing; say so on standard
    error. Raises CommandError if it may not."""
    make_missing_tables()
    if Assistant.objects.exists():
        add_shipped_editions()
        try:
            require_embedder()
        except LanguageError as error:
            sys.stderr.write(f"{error}\nUntil then, what needs an embedding fails; the passages stay as they are.\n")
            return
        _finish_index()
        return
    if not settings.EMBEDDED_DATABASE:
        raise CommandError("The database has no corpora. Run `manage.py load_corpora` first.")
    sys.stderr.write("Loading the sample corpora.\n")
    call_command("load_corpora", stdout=sys.stderr)


def _finish_index() -> None:
    """Embeds what a start that was cut off has left; in a database that is somebody's to fill, says that it is due."""
    if not unfinished(catalogue()):
        return
    if not settings.EMBEDDED_DATABASE:
        sys.stderr.write("Some texts are not indexed yet. Run `manage.py load_corpora` to finish the index.\n")
        return
    sys.stderr.write("Finishing the index of the texts.\n")
    try:
        index(catalogue(), embedder(), report=Progress(OutputWrapper(sys.stderr), "Embedding"))
    except LanguageError as error:
        sys.stderr.write(f"Some texts are not indexed: {error} They are read without an index meanwhile.\n")
