"""The admin of the corpora: one module per subject, as the models."""

from corpora.admin import (
    courses,
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
    "courses",
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
