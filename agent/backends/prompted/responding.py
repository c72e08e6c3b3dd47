"""The task `respond`: the words of a turn, from what the turn found and from nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agent.backends.builtin.wording import DAYS, hours
from agent.backends.prompted import context, json_text
from agent.backends.prompted.asking import Asker, Wire
from agent.backends.prompted.completion import Message, OnText
from agent.backends.prompted.grounding import unsupported, without_unsupported
from agent.backends.prompted.plain import plain_reply
from agent.backends.prompted.promises import promised
from agent.backends.prompted.sayings import faults, told
from agent.language import Found, Reply, RespondRequest, Voice
from agent.networks.foreign import recognised
from agent.protocols.errors import BadReply, ModelRefused
from agent.worksheets.acts import Act, ActKind

ROWS = 10
"""Rows a reply is told of; the rest are on the cards under it."""

WORDS, WORDS_ALONE, WORDS_LISTED = 400, 1_500, 120
"""Characters of a value a reply is told of, one row of several and one alone: enough for an answer, too few for a body
of text. Of a list of whole rows only what is short, and what was asked: the cards under the reply show the rest."""

BESIDES = 2
"""Earlier turns a reply is told of, in their words alone."""

SUGGESTIONS = 4
SPOKEN = 4
"""Earlier messages that tell which language somebody speaks."""

COPIED = (ActKind.ASK, ActKind.CONFIRM, ActKind.SAY, ActKind.CLARIFY, ActKind.REPORT)
"""Acts that are said in their own words where nothing was looked up."""

WAITING = (ActKind.ASK, ActKind.CONFIRM, ActKind.PROPOSE, ActKind.CLARIFY)
"""Acts after which it is the person's turn to answer: nothing else is suggested then."""


class Words(Wire):
    """The reply to the prompt `respond`."""

    text: str
    suggestions: list[str]


class Saying(Wire):
    """One act in words."""

    act: int
    text: str


class WordsAndSayings(Wire):
    """The reply to the prompt `respond` where the policy decided on acts: every one of them is said by itself."""

    text: str
    sayings: list[Saying]
    suggestions: list[str]


async def respond(asker: Asker, request: RespondRequest, on_text: OnText | None = None) -> Reply:
    """Return the words of a turn. `on_text` is shown them as they are written.

    A model that cannot write them, twice, or will not, does not take away what was found and decided: that is then
    said plainly.
    """
    acts = told(request.acts)
    if (copied := _copied(request, acts)) is not None:
        if on_text is not None:
            on_text(copied.text)
        return copied
    facts = [_facts(found) for found in request.found]
    messages = _messages(asker, request, facts, acts)
    known = "\n".join(message.content for message in messages if message.role == "user")
    check = _Check(known if facts else None)
    try:
        if not acts:
            return await asker.ask("respond", messages, Words, check, on_text=_watch(on_text, _text))
        both = _CheckWithActs(acts, request, known)
        return await asker.ask("respond", messages, WordsAndSayings, both, on_text=_watch(on_text, _text_and_sayings))
    except (BadReply, ModelRefused):
        if not request.found and not acts:
            raise
        return plain_reply(request)


def _copied(request: RespondRequest, acts: tuple[Act, ...]) -> Reply | None:
    """The reply to a turn in which nothing was looked up: what was written while understanding it, and such acts in
    their own words. A model would copy them. None if there is more to say, or if there are acts, which are written in
    English, and somebody may be speaking another language."""
    written = request.chat_reply.strip()
    if request.found or request.ask or (request.chat is not None and not written) or not (acts or written):
        return None
    if any(act.act not in COPIED for act in acts):
        return None
    said = [*(turn.user for turn in request.conversation.past[-SPOKEN:]), request.message] if acts else []
    return None if any(map(recognised, said)) else Reply(text=_joined([written, *(act.text for act in acts)]))


def _messages(
    asker: Asker, request: RespondRequest, facts: list[dict[str, Any]], acts: tuple[Act, ...]
) -> tuple[Message, ...]:
    return asker.prompts.render(
        "respond",
        assistant=request.conversation.assistant,
        now=context.clock(request.conversation),
        past=context.said(request.conversation, BESIDES),
        message=request.message,
        chat=request.chat.value if request.chat else "",
        chat_reply=request.chat_reply,
        ask=request.ask,
        facts=facts,
        acts=[_act(number, act) for number, act in enumerate(acts)],
    )


def _act(number: int, act: Act) -> dict[str, Any]:
    return {"act": number, "kind": act.act.value, "says": act.text, "choices": list(act.options)}


# -- showing it while it is written -----------------------------------------------------------------------------------


def _watch(on_text: OnText | None, words: Callable[[dict[str, Any]], str]) -> OnText | None:
    """Passes on the words of a reply of which only the beginning is there."""
    if on_text is None:
        return None
    shown = ""

    def watch(beginning: str) -> None:
        nonlocal shown
        text = words(json_text.extract_partial(beginning))
        if text and text != shown:
            shown = text
            on_text(text)

    return watch


def _text(beginning: dict[str, Any]) -> str:
    text = beginning.get("text")
    return text if isinstance(text, str) else ""


def _text_and_sayings(beginning: dict[str, Any]) -> str:
    sayings = beginning.get("sayings")
    items = [item.get("text") for item in sayings if isinstance(item, dict)] if isinstance(sayings, list) else []
    return _joined([_text(beginning), *(item for item in items if isinstance(item, str))])


# -- holding it to the facts and the acts -----------------------------------------------------------------------------


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
        return Reply(text=text, suggestions=_suggestions(words.suggestions))


class _CheckWithActs:
    """Takes a reply that says every act, each as it is, and of what was found only what was found.

    The first reply that does not goes back to the model; of the second, an act that is said wrongly is said in its own
    words, and an answer that says more than was found is said plainly.
    """

    def __init__(self, acts: tuple[Act, ...], request: RespondRequest, prompt: str) -> None:
        self._acts, self._request, self._prompt = acts, request, prompt
        facts = [str(_facts(found)) for found in request.found]
        choices = [option for act in acts for option in act.options]
        self._known = "\n".join([*(act.text for act in acts), *choices, *facts, request.chat_reply])
        self._must_answer = bool(request.found or request.chat_reply or request.ask)
        self._may_answer = self._must_answer or request.chat is not None
        self._sent_back = False

    def __call__(self, words: WordsAndSayings) -> Reply:
        said = {one.act: one.text.strip() for one in words.sayings}
        wrong = {
            number: found
            for number, act in enumerate(self._acts)
            if (found := faults(act, said.get(number, ""), self._known, self._prompt))
        }
        text = words.text.strip() if self._may_answer else ""
        amiss = self._amiss(text)
        if (wrong or amiss) and not self._sent_back:
            self._sent_back = True
            raise ValueError(self._complaint(wrong, amiss))
        if amiss:
            text = plain_reply(self._request.model_copy(update={"acts": ()})).text if self._must_answer else ""
        sayings = [act.text if number in wrong else said[number] for number, act in enumerate(self._acts)]
        asks = any(act.act in WAITING for act in self._acts)
        return Reply(text=_joined([text, *sayings]), suggestions=() if asks else _suggestions(words.suggestions))

    def _amiss(self, text: str) -> list[str]:
        """What is wrong with the answers."""
        if not text:
            return ["it says nothing, and there is something to answer"] if self._must_answer else []
        return [*unsupported(text, self._prompt), *promised(text, self._prompt)]

    def _complaint(self, wrong: Mapping[int, Sequence[str]], amiss: Sequence[str]) -> str:
        parts = [f"the saying of act {number}: {'; '.join(found)}" for number, found in wrong.items()]
        if amiss:
            parts.append(f"the text: {'; '.join(amiss)}")
        return ". ".join(parts) + ". Say each act whole, and nothing that is not given"


def _joined(parts: Sequence[str]) -> str:
    """Short pieces as one paragraph, what has lines of its own apart."""
    text = ""
    for part in filter(None, parts):
        apart = "\n" in part or "\n" in text.rpartition("\n\n")[2]
        text = f"{text}{chr(10) * 2 if apart else ' '}{part}" if text else part
    return text


def _suggestions(written: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.strip() for one in written if one.strip()))[:SUGGESTIONS]


# -- what it is told --------------------------------------------------------------------------------------------------


def _facts(found: Found) -> dict[str, Any]:
    """What one query found, cut to what a few sentences can use."""
    shown: dict[str, Any] = {
        "question": found.question,
        "searched_for": found.description,
        "presentation": found.presentation,
        "rows_found": len(found.rows) if found.total is None else found.total,
        "noun": found.noun[0],
        "rows": [_row(row, _longest(found), found) for row in found.rows[:ROWS]],
    }
    if found.more and found.presentation == "list":
        shown["limit"] = "no more than these were asked for; there may be others"
    if names := _names(found):
        shown["names"] = names
    if any(found.voices) or any(found.quotes):
        shown["deciding_sentences"] = _quoted(found)
    if found.relaxed:
        shown["relaxed"] = list(found.relaxed)
    if not found.complete:
        shown["incomplete"] = list(found.notes) or ["not everything was looked at"]
    elif found.notes:
        shown["notes"] = list(found.notes)
    if found.error:
        shown["error"] = found.error
    return shown


def _names(found: Found) -> list[str]:
    """What rows are called, by row. A group that happens to hold one row is not called by that one's name."""
    rows = zip(found.titles, found.rows, strict=False)
    shown = [name if found.presentation != "aggregate" or name in row.values() else "" for name, row in rows]
    return shown[:ROWS]


def _quoted(found: Found) -> list[dict[str, Any]]:
    """The deciding sentences for and against, each with the row that it is about, where rows have names."""
    voices = found.voices or tuple((Voice(text=quote),) if quote else () for quote in found.quotes)
    names = found.titles or ("",) * len(voices)
    return [
        ({"row": name} if name else {})
        | {side: said for side, holds in (("for", True), ("against", False)) if (said := _side(row, holds))}
        for name, row in list(zip(names, voices, strict=False))[:ROWS]
        if row
    ]


def _side(voices: Sequence[Voice], supports: bool) -> list[str]:
    return [voice.text for voice in voices if voice.supports == supports]


def _longest(found: Found) -> int:
    """The characters of a value that a row is told with."""
    if len(found.rows) <= 1:
        return WORDS_ALONE
    return WORDS_LISTED if found.presentation == "list" else WORDS


def _row(row: Mapping[str, Any], most: int, found: Found) -> dict[str, Any]:
    """A row without what no sentence needs: empty values, and texts of over `most` characters that answer nothing."""
    words = {name: _worded(value) for name, value in row.items() if value not in (None, "", [], {})}
    return {
        name: value
        for name, value in words.items()
        if len(str(value)) <= (WORDS_ALONE if name in found.asked or value is not row[name] else most)
        and not (found.presentation == "list" and context.linked(value))
    }


def _worded(value: Any) -> Any:
    """Opening hours in words, a night in one piece; any other value as it is."""
    return hours(value) if isinstance(value, dict) and set(value) <= set(DAYS) else value
