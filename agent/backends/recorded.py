"""The recorded backend: completions from files, for tests.

A recording is one JSON file named by the hash of its prompt, with the completion and, for people, the prompt itself.
A prompt that changes has another hash, so a recording can never answer a question it was not asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.backends.prompted import Ask, Completer, Completion, ModelSettings, OnText
from agent.backends.prompted.language import PromptedLanguage
from agent.catalogue.tables import Catalogue
from agent.protocols.errors import MissingRecording
from agent.protocols.reading import CallLog


class RecordedLanguage(PromptedLanguage):
    """A `Language` that replays the recordings in a folder."""

    notice = "Replies are replayed from recordings; nothing new can be asked."

    def __init__(
        self,
        folder: Path,
        catalogue: Catalogue | None = None,
        *,
        settings: ModelSettings | None = None,
        samples: Mapping[tuple[str, str], Sequence[str]] | None = None,
        log: CallLog | None = None,
    ) -> None:
        spoken = settings or ModelSettings(model="recorded")
        super().__init__(RecordedCompleter(folder), spoken, catalogue, samples=samples, log=log)


class RecordedCompleter:
    """Completes prompts from the recordings in a folder (and the folders in it)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths = {path.stem: path for path in sorted(folder.rglob("*.json"))}

    async def complete(self, ask: Ask, on_text: OnText | None = None) -> Completion:
        """Return the recorded completion. Raises `MissingRecording` if there is none for exactly this prompt."""
        path = self._paths.get(ask.hash)
        if path is None:
            raise MissingRecording(
                f"There is no recording for this {ask.task} prompt.",
                f"prompt {ask.hash} is not in {self._folder}; run the same request through "
                "Recorder(OpenAICompleter(settings), folder) to record it",
            )
        text = json.loads(path.read_text())["completion"]
        if on_text is not None:
            on_text(text)
        return Completion(text=text, model=ask.model, cached=True)

    async def aclose(self) -> None:
        """There is nothing to close."""


class Recorder:
    """Completes prompts with another completer and keeps every completion in a folder.

    `about` goes into each file: who or what completed the prompt, and when.
    """

    def __init__(self, completer: Completer, folder: Path, about: str) -> None:
        self._completer = completer
        self._folder = folder
        self._about = about

    async def complete(self, ask: Ask, on_text: OnText | None = None) -> Completion:
        completion = await self._completer.complete(ask, on_text)
        write(self._folder, ask, completion.text, self._about)
        return completion

    async def aclose(self) -> None:
        await self._completer.aclose()


def write(folder: Path, ask: Ask, text: str, about: str) -> Path:
    """Keep a completion, under the folder of its task; gives the file's path."""
    content: dict[str, Any] = {
        "task": ask.task,
        "about": about,
        "messages": [{"role": message.role, "content": message.content} for message in ask.messages],
        "schema_name": ask.schema_name,
        "completion": text,
    }
    path = folder / ask.task / f"{ask.hash}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return path
