"""The task `understand` (stage 1): what does this turn want?"""

from __future__ import annotations

from typing import Any, Literal

from agent.backends.prompted import context
from agent.backends.prompted.asking import Asker, Wire
from agent.backends.prompted.bare import bare_answer
from agent.backends.prompted.changes import Change, Reading, without_idle_answers
from agent.backends.prompted.completion import Message
from agent.backends.prompted.signatures import facts, offered, signatures
from agent.backends.prompted.situation import acts_text, state_text, waiting
from agent.language import ChatKind, Question, Understanding, UnderstandRequest
from agent.parsing.tasks import consent
from agent.protocols.errors import BadReply
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState, InstanceStatus
from agent.worksheets.statements import Fill, Unclear

_OVER = (InstanceStatus.DONE, InstanceStatus.ABANDONED)


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


class WantsFirst(Wire):
    """The reply to the prompt `understand` where there are worksheets and none is open."""

    thought: str
    begins: list[str]
    chat: ChatKind | None
    questions: list[AskedQuestion]
    reply: str
    ask: Literal["", "location", "what"]


class FillingQuestion(AskedQuestion):
    """A question whose answer may be the value of a field: `fills` is the field's place, or empty."""

    fills: str


class WantsDone(Wire):
    """The reply to the prompt `understand` where there are worksheets."""

    thought: str
    changes: list[Change]
    questions: list[FillingQuestion]
    chat: ChatKind | None
    reply: str
    ask: Literal["", "location", "what"]


async def understand(asker: Asker, request: UnderstandRequest, schema_text: str) -> Understanding:
    """Return what a message wants, against the conversation so far.

    While no task is open, the model is only told which there are; how their fields are filled, which is as long as all
    the rest, it is told once a message begins one. With worksheets, a model that twice writes what does not fit them
    has understood nothing: the person is asked to put it in other words. Without them a `BadReply` is raised.
    """
    specification = request.specification
    if specification is None:
        messages = _messages(asker, request, schema_text)
        return await asker.ask("understand", messages, Wants, lambda wants: _understanding(wants, request))
    state = request.conversation.state or DialogueState(application=specification.name, version=specification.version)
    if (told := bare_answer(request, state, specification)) is not None:
        return told
    try:
        if state.pending is None and all(one.status in _OVER for one in state.instances):
            offers = {
                "tasks": offered(specification),
                "facts": facts(specification),
                "past": state_text(state, specification) if state.instances else "",
            }
            messages = _messages(asker, request, schema_text, offers=offers)
            first = await asker.ask("understand", messages, WantsFirst, lambda wants: _first(wants, request))
            if first is not None:
                return first
        return await _with_worksheets(asker, request, schema_text, state, specification)
    except BadReply:
        return Understanding(statements=(_not_understood(request.message, state),))


async def _with_worksheets(
    asker: Asker, request: UnderstandRequest, schema_text: str, state: DialogueState, specification: Specification
) -> Understanding:
    """What a message does to the worksheets, and what else it wants."""
    tasks = {
        "signatures": signatures(specification, request.conversation.tables, conditions=bool(state.instances)),
        "facts": facts(specification),
        "state": state_text(state, specification),
        "acts": acts_text(request.conversation.acts, state),
        "waiting": waiting(state, specification),
        "open": bool(state.instances),
    }
    messages = _messages(asker, request, schema_text, tasks=tasks)
    return await asker.ask(
        "understand", messages, WantsDone, lambda wants: _with_tasks(wants, request, state, specification)
    )


def _messages(
    asker: Asker,
    request: UnderstandRequest,
    schema_text: str,
    *,
    offers: dict[str, str] | None = None,
    tasks: dict[str, Any] | None = None,
) -> tuple[Message, ...]:
    conversation = request.conversation
    return asker.prompts.render(
        "understand",
        assistant=conversation.assistant,
        tables=list(conversation.tables),
        schema_text=schema_text,
        places="LOCATION" in schema_text,
        now=context.clock(conversation),
        past=context.past(conversation),
        message=request.message,
        offers=offers,
        tasks=tasks,
    )


def _first(wants: WantsFirst, request: UnderstandRequest) -> Understanding | None:
    """What a message wants that begins no task; None if it begins one."""
    return None if any(name.strip() for name in wants.begins) else _understanding(wants, request)


def _understanding(wants: Wants | WantsFirst, request: UnderstandRequest) -> Understanding:
    """The reply, held to the rules: a turn wants something, known tables only, nothing asked for twice."""
    questions = tuple(_question(one, request) for one in wants.questions if one.words.strip())
    again = wants.ask != "" and context.already_asked(request.conversation, wants.ask)
    if wants.chat is None and not questions and (again or not wants.ask):
        raise ValueError("give a chat kind or at least one question: a message always wants something")
    if again:
        return Understanding(chat=wants.chat, questions=questions)
    return Understanding(chat=wants.chat, questions=questions, reply=wants.reply.strip(), ask=wants.ask)


def _question(asked: AskedQuestion, request: UnderstandRequest) -> Question:
    known = request.conversation.tables
    return Question(words=asked.words.strip(), tables=tuple(table for table in known if table in asked.tables))


def _with_tasks(
    wants: WantsDone, request: UnderstandRequest, state: DialogueState, specification: Specification
) -> Understanding:
    """The reply, held to the worksheets as well. Raises ValueError, in words for the model."""
    reading = Reading(request.message, request.conversation, state, specification)
    statements = reading.statements(wants.changes)
    asked = [one for one in wants.questions if one.words.strip()]
    questions = [_question(one, request) for one in asked]
    fills = [reading.fill(one.fills, at, one.words) for at, one in enumerate(asked) if one.fills]
    for row in reading.wanted:  # named as a value: then it is looked up by its name
        if not any((one.instance, one.field) == (row.instance, row.field) for one in fills):
            fills.append(Fill(instance=row.instance, field=row.field, question=len(questions), words=row.words))
            questions.append(Question(words=row.words))
    said = without_idle_answers([*statements, *fills], state, specification)
    said = consent.held(
        said,
        request.message,
        state,
        specification,
        request.conversation.now.date(),
        asks=bool(questions),
        abroad=True,
    )
    if not said and not questions and wants.chat is None and not wants.ask:
        raise ValueError("give a change, a question or a chat kind: a message always wants something")
    again = wants.ask != "" and context.already_asked(request.conversation, wants.ask)
    return Understanding(
        chat=wants.chat,
        questions=tuple(questions),
        reply=wants.reply.strip() if wants.chat is not None else "",
        ask="" if said or again else wants.ask,
        statements=said,
    )


def _not_understood(message: str, state: DialogueState) -> Unclear:
    """That the message could not be read, as an answer to what was asked where something was."""
    pending = state.pending
    if pending is None or state.instance(pending.instance) is None:
        return Unclear(words=message)
    field = pending.field if pending.kind in ("ask", "pick") else ""
    return Unclear(instance=pending.instance, field=field, words=message)
