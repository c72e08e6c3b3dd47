"""The language tasks done by prompting: the same prompts and checks over any `Completer`."""

from agent.backends.prompted.completion import Ask, Completer, Completion, Message, OnText
from agent.backends.prompted.settings import ModelSettings, Price, TaskName

__all__ = [
    "Ask",
    "Completer",
    "Completion",
    "Message",
    "ModelSettings",
    "OnText",
    "Price",
    "TaskName",
]
