"""The task `converse`: a reply by the model alone, with nothing looked up."""

from __future__ import annotations

from agent.backends.prompted import context
from agent.backends.prompted.asking import Asker, Wire
from agent.language import Reply, UnderstandRequest


class Said(Wire):
    """The reply to the prompt `converse`."""

    text: str


async def converse(asker: Asker, request: UnderstandRequest) -> Reply:
    """What the model says, against the conversation so far."""
    talk = request.conversation
    messages = asker.prompts.render(
        "converse",
        assistant=talk.assistant,
        now=context.clock(talk),
        past=context.said(talk, context.TURNS),
        message=request.message,
    )
    return await asker.ask("converse", messages, Said, _reply)


def _reply(said: Said) -> Reply:
    if not said.text.strip():
        raise ValueError("The text is empty.")
    return Reply(text=said.text.strip())
