"""SUQL: PostgreSQL's SELECT with `answer()` and `summary()` over free text (see docs/suql.md)."""

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Geo, Kind, Table
from agent.suql.check import check
from agent.suql.constraints import Constraint, without
from agent.suql.describe import Description, describe
from agent.suql.engine import Engine
from agent.suql.memo import Memo, MemoryMemo
from agent.suql.result import Budget, Evidence, Finished, Planned, Progress, Result, Row, RowFound, Step, Usage
from agent.suql.thresholds import Cascade

__all__ = [
    "Budget",
    "Cascade",
    "Catalogue",
    "Column",
    "Constraint",
    "Description",
    "Engine",
    "Evidence",
    "Finished",
    "ForeignKey",
    "Geo",
    "Kind",
    "Memo",
    "MemoryMemo",
    "Planned",
    "Progress",
    "Result",
    "Row",
    "RowFound",
    "Step",
    "Table",
    "Usage",
    "check",
    "describe",
    "without",
]
