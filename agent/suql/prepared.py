"""What is known of a query when it is ready to run."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.suql.asking import Asking
from agent.suql.cascade import Cascading
from agent.suql.execute import Executor
from agent.suql.final import Shape
from agent.suql.names import Names
from agent.suql.scopes import Block


@dataclass(slots=True)
class Prepared:
    """A query ready to run on its connection."""

    names: Names
    blocks: dict[int, Block]
    main: Block | None
    shape: Shape
    asking: Asking
    executor: Executor
    cascading: Cascading | None = None
    notes: list[str] = field(default_factory=list)
    candidates: int | None = None
    pruned: bool = False  # are there pairs that no budget reaches?
