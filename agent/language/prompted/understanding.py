"""The task `understand` (stage 1): what does this turn want?"""

from __future__ import annotations

from typing import Literal

from agent.language.prompted import context, prompts
from agent.language.prompted.asking import Asker, Wire
from agent.language.tasks import ChatKind, Question, Understanding, UnderstandRequest


class AskedQuestion(Wire):
    """One question to the corpora, as the model writes it."""

    words: str
    tables: list[str]


class Wants(Wire):
    """The reply to the prompt `understand`."""

    thought: str
    chat: ChatKind | None
    questions: list[AskedQuestion]
    reply: str
    ask: Literal["", "location", "what"]


async def understand(asker: Asker, request: UnderstandRequest, schema_text: str) -> Understanding:
    """What a message wants, against the conversation so far."""
    conversation = request.conversation
    messages = prompts.render(
        "understand",
        assistant=conversation.assistant,
        tables=list(conversation.tables),
        schema_text=schema_text,
        now=context.clock(conversation),
        past=context.past(conversation),
        message=request.message,
    )
    return await asker.ask("understand", messages, Wants, lambda wants: _understanding(wants, request))


def _understanding(wants: Wants, request: UnderstandRequest) -> Understanding:
    """The reply, held to the rules: a turn wants something, known tables only, nothing asked for twice."""
    conversation = request.conversation
    questions = tuple(
        Question(words=question.words.strip(), tables=tuple(t for t in conversation.tables if t in question.tables))
        for question in wants.questions
        if question.words.strip()
    )
    again = wants.ask != "" and context.already_asked(conversation, wants.ask)
    if wants.chat is None and not questions and (again or not wants.ask):
        raise ValueError("give a chat kind or at least one question: a message always wants something")
    if again:
        return Understanding(chat=wants.chat, questions=questions)
    return Understanding(chat=wants.chat, questions=questions, reply=wants.reply.strip(), ask=wants.ask)
