"""The task `respond`: the words of a turn, from what the turn found and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.errors import BadReply, ModelRefused
from agent.language.prompted import context, json_text, prompts
from agent.language.prompted.asking import Asker, Wire
from agent.language.prompted.completion import OnText
from agent.language.prompted.grounding import unsupported, without_unsupported
from agent.language.prompted.plain import plain_reply
from agent.language.tasks import Found, Reply, RespondRequest

ROWS = 10
"""Rows a reply is told of; the rest are on the cards under it."""

WORDS = 400
"""Characters of a value a reply is told of: enough for an answer, too few for a body of text."""

SUGGESTIONS = 4


class Words(Wire):
    """The reply to the prompt `respond`."""

    text: str
    suggestions: list[str]


async def respond(asker: Asker, request: RespondRequest, on_text: OnText | None = None) -> Reply:
    """The words of a turn. `on_text` is shown them as they are written.

    A model that cannot write them, twice, or will not, does not take away what was found: that is then said plainly.
    """
    facts = [_facts(found) for found in request.found]
    messages = prompts.render(
        "respond",
        assistant=request.conversation.assistant,
        now=context.clock(request.conversation),
        past=context.past(request.conversation)[-2:],
        message=request.message,
        chat=request.chat.value if request.chat else "",
        chat_reply=request.chat_reply,
        ask=request.ask,
        facts=facts,
    )
    known = "\n".join(message.content for message in messages if message.role == "user")
    watching = None if on_text is None else _watch(on_text)
    try:
        return await asker.ask("respond", messages, Words, _Check(known if facts else None), on_text=watching)
    except (BadReply, ModelRefused):
        if not request.found:
            raise
        return plain_reply(request)


def _watch(on_text: OnText) -> OnText:
    """Passes on the `text` of a reply of which only the beginning is there."""
    shown = [""]

    def watch(beginning: str) -> None:
        text = json_text.extract_partial(beginning).get("text")
        if isinstance(text, str) and text != shown[0]:
            shown[0] = text
            on_text(text)

    return watch


class _Check:
    """Takes a reply that says only what is `known` (None: nothing was looked for, and nothing is checked).

    The first reply that says more goes back to the model; of the second, what is not known is left out.
    """

    def __init__(self, known: str | None) -> None:
        self._known = known
        self._sent_back = False

    def __call__(self, words: Words) -> Reply:
        text = words.text.strip()
        if self._known is not None and (invented := unsupported(text, self._known)):
            if not self._sent_back:
                self._sent_back = True
                raise ValueError(
                    f"these are not in the facts: {', '.join(invented)}. Leave out what the facts do not say"
                )
            text = without_unsupported(text, self._known)
        if not text:
            raise ValueError("text has to say something, and only what the facts say")
        suggestions = tuple(dict.fromkeys(s.strip() for s in words.suggestions if s.strip()))
        return Reply(text=text, suggestions=suggestions[:SUGGESTIONS])


def _facts(found: Found) -> dict[str, Any]:
    """What one query found, cut to what a few sentences can use."""
    shown: dict[str, Any] = {
        "question": found.question,
        "searched_for": found.description,
        "presentation": found.presentation,
        "rows_found": len(found.rows) if found.total is None else found.total,
        "noun": found.noun[0],
        "rows": [_row(row) for row in found.rows[:ROWS]],
    }
    if found.titles:
        shown["names"] = list(found.titles[:ROWS])
    if any(found.quotes):
        shown["deciding_sentences"] = list(found.quotes[:ROWS])
    if found.relaxed:
        shown["relaxed"] = list(found.relaxed)
    if not found.complete:
        shown["incomplete"] = list(found.notes) or ["not everything was looked at"]
    if found.error:
        shown["error"] = found.error
    return shown


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what no sentence needs: empty values, and texts of which only a part would fit."""
    return {name: value for name, value in row.items() if value not in (None, "", [], {}) and _short(value)}


def _short(value: Any) -> bool:
    return len(value if isinstance(value, str) else str(value)) <= WORDS
