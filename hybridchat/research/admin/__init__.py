"""The admin of the research app, one module per subject."""

from hybridchat.research.admin import feedback, health, playground, regression, studies

__all__ = ["feedback", "health", "playground", "regression", "studies"]
