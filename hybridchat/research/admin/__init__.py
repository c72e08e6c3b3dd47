"""The admin of the research app, one module per subject."""

from hybridchat.research.admin import annotation, exports, feedback, health, playground, regression, runs, studies

__all__ = ["annotation", "exports", "feedback", "health", "playground", "regression", "runs", "studies"]
