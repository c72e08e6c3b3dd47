"""The language tasks done by prompting: the same prompts and checks over any `Completer`."""

from agent.language.prompted.completion import Ask, Completer, Completion, Message, OnText
from agent.language.prompted.language import PromptedLanguage
from agent.language.prompted.settings import ModelSettings, Price, TaskName

__all__ = [
    "Ask",
    "Completer",
    "Completion",
    "Message",
    "ModelSettings",
    "OnText",
    "Price",
    "PromptedLanguage",
    "TaskName",
]
