"""The research app: feedback, regression cases and the playground, evaluation and benchmarks."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "hybridchat.research"
    label = "research"
    verbose_name = "Research"

    def ready(self) -> None:
        from corpora.admin.editing import first_values
        from hybridchat.research.admin.mending import values_from_run, values_from_turn

        first_values.extend((values_from_turn, values_from_run))
