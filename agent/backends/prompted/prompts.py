"""The prompts: one Jinja2 file a task, with a block `system` and a block `user`.

Words that come from people and corpora enter a prompt through the filters `as_json` and `as_text`, which put them
between two marks that nothing inside can forge, because the mark is drawn from a hash of what stands inside. (A random
mark would do as well, but would give the same request another prompt each time: nothing could be recorded.)
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from agent.backends.prompted.completion import Message
from agent.backends.prompted.settings import TaskName


def fence(body: str, label: str) -> str:
    """`body` between two lines that carry a mark which does not occur in it."""
    mark = hashlib.sha256(body.encode()).hexdigest()[:12]
    while mark in body:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return f"<<<{label} {mark}\n{body}\n{label} {mark}>>>"


def as_json(value: Any, label: str) -> str:
    """Return a value as fenced JSON, one line for each element of a list."""
    if isinstance(value, list) and value:
        body = "[\n" + ",\n".join(_dumps(element) for element in value) + "\n]"
    else:
        body = _dumps(value)
    return fence(body, label)


def as_text(value: str, label: str) -> str:
    """Return a text as it is, fenced."""
    return fence(value, label)


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of one version: those in a folder, and for what it has no file, the ones that come with the agent."""

    folder: Path | None = None

    def render(self, task: TaskName, **context: Any) -> tuple[Message, ...]:
        """Return the messages of a task's prompt."""
        template = _environment(self.folder).get_template(f"{task}.jinja")
        return tuple(
            Message(role, "".join(template.blocks[role](template.new_context(context))).strip())
            for role in ("system", "user")
        )

    def source(self, task: TaskName) -> str:
        """The text of a task's prompt file and of the part all prompts share: what a prompt's version is a hash of."""
        files, environment = _files(self.folder), _environment(self.folder)
        return "".join(files.get_source(environment, name)[0] for name in (f"{task}.jinja", "_data.jinja"))


OWN_PROMPTS = Prompts()
"""The prompts that come with the agent."""


def _files(folder: Path | None) -> jinja2.BaseLoader:
    ours = jinja2.PackageLoader("agent.backends", "prompts")
    return jinja2.ChoiceLoader([jinja2.FileSystemLoader(folder), ours]) if folder else ours


@cache
def _environment(folder: Path | None) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=_files(folder),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - prompts are not HTML; untrusted text enters through the two filters
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # a prompt and the version of its answers change together, when the process starts
    )
    environment.filters["as_json"] = as_json
    environment.filters["as_text"] = as_text
    return environment


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
