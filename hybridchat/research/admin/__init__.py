"""The admin of the research app, one module per subject."""

from hybridchat.research.admin import feedback

__all__ = ["feedback"]
