"""The research app: evaluation runs and benchmarks, later studies and annotation."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "hybridchat.research"
    label = "research"
    verbose_name = "Research"
