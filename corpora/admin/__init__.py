"""The admin of the corpora: one module per subject, as the models."""

from corpora.admin import courses, memory, passages, registry, restaurants, services

__all__ = ["courses", "memory", "passages", "registry", "restaurants", "services"]
