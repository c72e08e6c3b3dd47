"""The admin of the corpora: one module per subject, as the models."""

from corpora.admin import courses, examples, memory, passages, registry, restaurants, services, worksheets

__all__ = ["courses", "examples", "memory", "passages", "registry", "restaurants", "services", "worksheets"]
