"""Questions about how a task is done ("how do I cancel?"): answered from the specification, and the task is offered."""

from __future__ import annotations

from agent.parsing.tasks.closeness import Closeness, meanings, spoken
from agent.parsing.tasks.knowledge import texts, told
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.spotting import startable
from agent.worksheets.specification import Specification, Worksheet
from agent.worksheets.wording import title_of

_HOW = compiled(r"^\W*(?:{filler}\W+)*(?:{how}|{asking})\b")
_SPEAKS_OF = 0.5  # cosine of a question and what the task is for
_FEW = 2  # content words that a question about a task has beside those of the task


def asked_about(text: str, specification: Specification, closeness: Closeness) -> Worksheet | None:
    """The task whose doing a question asks about: it says its verb, and little else. None where there is none, and
    where the specification has no words of its own, since its articles then tell how things are done."""
    low = text.lower()
    if _HOW.match(low) is None or not texts(specification):
        return None
    best = None
    for task in startable(specification):
        named = meanings(task.verb) + meanings(task.title)
        words = spoken(_HOW.sub("", low))
        does = any(item.names & one for item in words for one in meanings(task.verb))
        others = [item for item in words if not any(item.names & one for one in named)]
        if not does or len(others) > _FEW:
            continue
        near = closeness.between(text, [_described(task)])[0]
        if near >= _SPEAKS_OF and (best is None or near > best[0]):
            best = (near, task)
    return best[1] if best else None


def explained(text: str, task: Worksheet, specification: Specification, closeness: Closeness) -> str:
    """What is told of how a task is done."""
    return told(text, specification, closeness) or f"That is done here. {task.description}"


def _described(task: Worksheet) -> str:
    return f"{task.verb} a {title_of(task)}: {task.description}"
