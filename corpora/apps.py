"""The Django app of the corpora."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CorporaConfig(AppConfig):
    name = "corpora"
    verbose_name = "Corpora"
    default_auto_field = "django.db.models.AutoField"

    def ready(self) -> None:
        from corpora import checks  # noqa: F401  registers them
        from corpora.connection import prepare_reader_after_migrate

        post_migrate.connect(prepare_reader_after_migrate, sender=self)
