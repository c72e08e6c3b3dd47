"""Which language model drafts what curators may say of a corpus."""

from __future__ import annotations

from agent.backends.prompted.language import PromptedLanguage
from hybridchat.agents import language_for
from hybridchat.chat.languages import current_language, language_of_assistant
from hybridchat.variants import Variant


def drafting_model(corpus: str) -> str:
    """Return what to call the model that drafts for a corpus: its assistant's, or the site's; "" where none is
    connected."""
    for language in (language_of_assistant(corpus), current_language()):
        if Variant.of(language).language != "builtin":
            return language
    return ""


def drafting_language(model: str) -> PromptedLanguage:
    """Return the language of a model that is connected. Raises TypeError for what is none."""
    language = language_for(model)
    if not isinstance(language, PromptedLanguage):
        raise TypeError(f"{model} is no language model.")
    return language
