"""A language with what is different in how it is spoken: other prompts, other few-shot pairs, no memory of values.

As a name it goes wherever a language's name goes: "builtin", "openai with {"memory": false}".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, Self

from django.conf import settings
from pydantic import BaseModel, ConfigDict, field_validator

NONE = "none"
_WITH = " with {"


class Variant(BaseModel):
    """`language` is a backend's name, "" for the settings' choice; `prompts` a folder of `settings.PROMPTS`.

    `few_shot` is "" for all active pairs, "none", or the name of a set of them. Without `memory`, the values of the
    corpora are not known beforehand: neither names nor values in a message are corrected by them, and no prompt shows
    any. `understanding` is the builtin language's: by rules where there are any, or by the catalogue alone; "" is as
    `settings.CATALOGUE_ASSISTANTS` says for each assistant.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str = ""
    prompts: str = ""
    few_shot: str = ""
    memory: bool = True
    understanding: Literal["", "rules", "catalogue"] = ""

    @classmethod
    def of(cls, name: str) -> Self:
        """The variant of that name. Raises ValueError for a name that is none."""
        language, told, rest = name.partition(_WITH)
        return cls(language=language, **(json.loads("{" + rest) if told else {}))

    @property
    def name(self) -> str:
        """The name: that of the language where nothing is different."""
        different = self.model_dump(exclude={"language"}, exclude_defaults=True)
        return f"{self.language} with {json.dumps(different)}" if different else self.language

    @property
    def folder(self) -> Path | None:
        """Where its own prompts are."""
        return settings.PROMPTS / self.prompts if self.prompts else None

    @field_validator("prompts")
    @classmethod
    def _known_prompts(cls, name: str) -> str:
        if not name:
            return name  # as for nearly every turn
        known = sorted(path.name for path in settings.PROMPTS.glob("*") if path.is_dir())
        if name not in known:
            raise ValueError(f"There is no version {name!r} of the prompts. There are: {', '.join(known) or 'none'}.")
        return name
