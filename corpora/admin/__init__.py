"""The admin of the corpora: one module per subject, as the models."""

from corpora.admin import (
    assistants,
    courses,
    descriptions,
    examples,
    importing,
    memory,
    passages,
    registry,
    restaurants,
    rows,
    services,
    worksheets,
)

__all__ = [
    "assistants",
    "courses",
    "descriptions",
    "examples",
    "importing",
    "memory",
    "passages",
    "registry",
    "restaurants",
    "rows",
    "services",
    "worksheets",
]
