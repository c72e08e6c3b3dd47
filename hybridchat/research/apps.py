"""The research app: feedback, regression cases, the playground, annotation, exports, replays, evaluation."""

from django.apps import AppConfig


class ResearchConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "hybridchat.research"
    label = "research"
    verbose_name = "Research"

    def ready(self) -> None:
        from corpora.admin.editing import asked_for, first_values, saved
        from hybridchat.research import copies  # noqa: F401 - connects its receiver
        from hybridchat.research.admin.mending import (
            asked_in_turn,
            note_what_was_made,
            values_from_run,
            values_from_turn,
        )
        from hybridchat.research.exports import signals  # noqa: F401 - connects its receivers

        first_values.extend((values_from_turn, values_from_run))
        saved.append(note_what_was_made)
        asked_for.append(asked_in_turn)
