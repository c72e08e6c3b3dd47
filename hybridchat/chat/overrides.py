"""What is different in one conversation from the site's own choice: the arm of a study, say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import field_validator

from hybridchat.variants import Variant

if TYPE_CHECKING:
    from hybridchat.chat.models import Conversation

SYSTEMS = ("suql", "linearization-1", "linearization-3", "function-calling", "end-to-end", "fallback")
"""The systems by name; `hybridchat.systems.arranged` makes them."""


class Overrides(Variant):
    """What answers: a variant of a language, by one of `SYSTEMS`. What is left out is as the site has it."""

    system: str = "suql"

    def spoken(self, language: str) -> str:
        """The name of the variant of a language that is spoken here."""
        own = self.model_dump(include={"prompts", "few_shot", "memory", "understanding"})
        return Variant(language=language, **own).name

    @field_validator("system")
    @classmethod
    def _known_system(cls, name: str) -> str:
        if name not in SYSTEMS:
            raise ValueError(f"There is no system {name!r}. There are: {', '.join(SYSTEMS)}.")
        return name

    @field_validator("language")
    @classmethod
    def _known_language(cls, name: str) -> str:
        model, _, base_url = name.partition(" at ")
        if name in ("", "builtin", "openai") or (model and base_url):
            return name
        raise ValueError(f'{name!r} is no language: write "builtin", "openai" or "MODEL at BASE_URL".')


def overrides_of(conversation: Conversation) -> Overrides:
    """What is different in a conversation."""
    return Overrides.model_validate(conversation.overrides)
