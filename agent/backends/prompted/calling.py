"""The task `call`: a turn that the model handles itself, by calling functions."""

from __future__ import annotations

from collections.abc import Iterator

from agent.backends.prompted import context
from agent.backends.prompted.asking import Asker
from agent.backends.prompted.completion import Message
from agent.language import ToolRequest
from agent.protocols.errors import BadReply
from agent.protocols.tools import ToolRound, ToolStep


async def call(asker: Asker, request: ToolRequest) -> ToolStep:
    """What the model does next. Raises BadReply where it neither calls anything nor says anything."""
    talk = request.conversation
    beginning = asker.prompts.render(
        "call",
        assistant=talk.assistant,
        policy=request.policy,
        now=context.clock(talk),
        past=context.past(talk),
        message=request.message,
    )
    messages = (*beginning, *(message for one in request.rounds for message in _messages(one)))
    completion = await asker.call("call", messages, request.tools)
    if not completion.calls and not completion.text.strip():
        raise BadReply("The language model gave no reply. Please try again.", f"call by {completion.model}")
    return ToolStep(completion.calls, completion.text.strip())


def _messages(one: ToolRound) -> Iterator[Message]:
    yield Message("assistant", "", calls=one.calls)
    for call, answer in zip(one.calls, one.answers, strict=True):
        yield Message("tool", answer, answers=call.id)
