"""Giving a task up, and taking one up again."""

from __future__ import annotations

import re

from agent.language import ChatKind, Understanding
from agent.parsing.dialogue import cues
from agent.parsing.tasks.answering import EXPLAINED
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Form, Message, form
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.answers import Answer
from agent.parsing.tasks.readers.contact import codes
from agent.parsing.tasks.shapes import Shape, about
from agent.parsing.tasks.side_questions import NOTHING_ELSE
from agent.parsing.tasks.similarity import meanings, shared
from agent.parsing.tasks.spotting import Spotter, startable
from agent.parsing.tasks.workspace import SETTLES, Sheet, Workspace
from agent.worksheets.specification import Worksheet
from agent.worksheets.state import Entity, InstanceStatus
from agent.worksheets.statements import Abandon, Resume
from agent.worksheets.wording import title_of

_END = (
    r"(?=\W*$|\s*[,.;!?]|\s+(?:and|but|please|then|instead|thanks|thank|for now|what|how|can|could|i|let|because|it)\b)"
)
_OPENS = (
    r"^\W*(?:(?:{filler}|{no}|really|nothing(?: to change| at all)?|everything|all of (?:it|this|that))[\s,.!;:-]+)*"
)
_QUIT = compiled(rf"{_OPENS}(?:{{quit}}){_END}")
_NO_SUCH = compiled(
    rf"{_OPENS}no (?:more )?(?P<what>[a-z]+(?: [a-z]+)?)\W*"
    r"(?:(?:{filler}|{bye}|for (?:me|us|now)|after all|any ?more|then|today|tonight)\W*)*$"
)
_ASIDE = compiled(rf"^\W*(?:(?:{{filler}})[\s,.!]+)*(?:{{aside}}){_END}")
_FOR_NOW = compiled(r"^\W*(?:(?:{filler})[\s,.!]+)*(?:{later})\W*(?:(?:{filler})\W*)*$")
_RESUME = compiled(rf"^\W*(?:(?:{{filler}})[\s,.!]+)*(?:{{resume}}){_END}")
_ADVERBS = re.compile(
    r"(?:\s*\b(?:any ?more|any longer|after all|at all|(?:right |for )?now|then|today|tonight|instead))+$"
)
_NOTHING = compiled(r"^\W*(?:(?:{filler})\W*)*$")
_OBJECT = re.compile(r"\b(?:the|this|that|my|an?|any|our|about|with)\s+(?P<what>[a-z][a-z ]*)$")
_ANYTHING = re.compile(
    r"^(?:it|that|this|all|everything|whole thing|thing|request|process|task|form|whole .*|all of .*|one|idea)$"
)
_BYE = compiled(r"\b(?:{bye})\W*$")
_BRIEF = 3  # words: "whatever, bye"
_CANCELS = re.compile(r"\bcancel")
_UNDOES = re.compile(r"\b(?:cancel|drop)")  # what was done, too
_STAYS = re.compile(
    r"\b(?:don'?t|do not|never) "
    r"(?:cancel|forget|stop|abandon|drop|scrap|ditch|scratch|kill|quit|abort|discard|delete|end)\b|"
    r"\bkeep (?:it|that|the|my|going|this)\b|"
    r"\bas it is\b|\bgo on\b"
)
_AGAIN = compiled(
    r"^\W*(?:(?:{filler}|and|just|then|rather)\W+)*"
    r"(?:(?P<made>make) it\b|(?P<verb>[a-z]+) (?:it|that|this)\b[^.?!]*\binstead\b)"
)
_GIVES_UP = compiled(r"(?<![\w'])(?:{quit})(?![\w'])")
_SAYS_NOTHING = compiled(r"(?<![\w'])(?:{filler}|{no}|it|that|this|please|going|as it is|for now)(?![\w'])")


def stays(workspace: Workspace, low: str) -> bool:
    """ "Cancel? No, keep it": a message speaks of giving up what is worked on, and says that it goes on."""
    if workspace.focus is None or _STAYS.search(low) is None or _GIVES_UP.search(low) is None:
        return False
    rest = _SAYS_NOTHING.sub(" ", _GIVES_UP.sub(" ", _STAYS.sub(" ", low)))
    return re.search(r"\w", rest) is None


def as_correction(workspace: Workspace, text: str) -> str:
    """Return a message that gives up a value of the task and not the task, as a no to it, in the same length: "cancel
    that, book it for Saturday instead"."""
    quits = _QUIT.match(text.lower())
    again = _AGAIN.match(text.lower()[quits.end() :]) if quits else None
    if quits is None or again is None or workspace.focus is None:
        return text
    verbs = meanings(f"{workspace.focus.worksheet.verb} make change")
    if not any(one & two for one in verbs for two in meanings(again["made"] or again["verb"])):
        return text
    return "no,".ljust(quits.end()) + text[quits.end() :]


def for_now(workspace: Workspace, low: str) -> re.Match[str] | None:
    """How a message leaves a task for now ("let me come back to this later"); None where it does not.

    "Not now" leaves it where a value is needed or a yes; where one could do without, it is the answer to that.
    """
    if match := _ASIDE.match(low):
        return match
    match = _FOR_NOW.match(low)
    pending, asked = workspace.state.pending, workspace.asked
    if match is None or pending is None:
        return None
    optional = asked is not None and (not asked.field.required or asked.sheet.optional)
    needed = pending.kind == "ask" and asked is not None and not optional and asked.shape is not Shape.YES_NO
    return match if needed or pending.kind in SETTLES else None


def last_words(draft: Draft, message: Message) -> Understanding | None:
    """What a message comes to that takes leave, or wants nothing done; what is worked on is left with it."""
    workspace = draft.workspace
    if takes_leave(workspace, message.low):
        if workspace.focus is not None:
            aside = not gives_up(workspace, message.low)
            draft.add(Abandon(instance=workspace.focus.name, aside=aside, words=message.text.strip()))
        return Understanding(chat=ChatKind.FAREWELL, statements=tuple(draft.statements))
    if declines_all(workspace, message.low):
        return Understanding(chat=ChatKind.THANKS, reply=NOTHING_ELSE)
    return None


def takes_leave(workspace: Workspace, low: str) -> bool:
    """ "No, bye": says goodbye, and no to nothing; so does "that's all", where a no has something explained."""
    if _BYE.search(low) and (len(low.split()) <= _BRIEF or gives_up(workspace, low)):
        return True
    if workspace.state.pending is None:
        return False
    led = answers.lead(low)
    if led is not None and len(low[led.stop :].split()) <= _BRIEF and _BYE.search(low):
        return True
    asked = workspace.asked
    explained = asked is not None and asked.shape is Shape.YES_NO and EXPLAINED.search(about(asked.field)) is not None
    return explained and not low.rstrip().endswith("?") and answers.whole(low, Answer.ENOUGH) is not None


def gives_up(workspace: Workspace, low: str) -> bool:
    """Whether a message gives up what is being done, rather than leaving it for now."""
    tasks = [workspace.focus.worksheet] if workspace.focus is not None else startable(workspace.specification)
    return _QUIT.match(low) is not None or any(wants_none(task, low) for task in tasks)


def declines_all(workspace: Workspace, low: str) -> bool:
    """ "I don't want a ticket", where none is worked on."""
    if workspace.focus is not None or workspace.state.pending is not None:
        return False
    quits = _QUIT.match(low)
    if quits is not None and _gives_up_nothing_named(workspace, low, quits):
        return True
    titles = [title_of(task).lower() for task in startable(workspace.specification)]
    denies = re.search(r"\b(?:don'?t|do not|not)\b", low) is not None  # "cancel my booking" wants something done
    named = denies and quits is not None and not re.search(r"\w", low[quits.end() :])
    named = named and any(re.search(rf"\b{re.escape(title)}\b", low) for title in titles)
    return named or any(wants_none(task, low) for task in startable(workspace.specification))


def _gives_up_nothing_named(workspace: Workspace, low: str, quits: re.Match[str]) -> bool:
    """ "Never mind", "forget it", where no task is left open that it could mean, and nothing else is said."""
    means = _UNDOES.search(low) or cues.starts_over(low) or _named(quits[0].rstrip(" .!?"))
    if means or any(_is_aside(one) for one in workspace.roots):
        return False
    rest = low[quits.end() :]
    return _NOTHING.match(rest) is not None or _QUIT.match(rest.lstrip(" ,.;!")) is not None


def wants_none(task: Worksheet, low: str) -> bool:
    """ "No ticket, thanks": a message wants no such thing as a task does."""
    match = _NO_SUCH.match(low)
    return match is not None and shared(f"{title_of(task)} {task.verb}", match["what"]) == 1.0


def leave(draft: Draft, message: Message, spotter: Spotter) -> bool:
    """Abandons what the message gives up, or sets it aside. False where it does neither, or goes on to say something
    else."""
    aside = for_now(draft.workspace, message.low)
    focus = draft.workspace.focus
    none = _NO_SUCH.match(message.low) if focus is not None and wants_none(focus.worksheet, message.low) else None
    match = aside or none or _QUIT.match(message.low)
    if match is None or _STAYS.search(message.low) or (aside is None and _passes(draft.workspace, message.low)):
        return False
    if aside is None and none is None and _names_asked(draft.workspace, message.low[match.end() :]):
        return False
    sheet = _set_aside(draft, match.group(), spotter) if aside else _meant(draft, match.group(), spotter)
    sheet = focus if none is not None else sheet
    if sheet is None:
        return False
    draft.add(Abandon(instance=sheet.name, words=message.words(*match.span()), aside=aside is not None))
    message.claim(*match.span())
    if draft.workspace.focus is sheet:
        draft.workspace.focus = None
        draft.workspace.asked = None
    draft.workspace.roots.remove(sheet)
    rest = message.low[match.end() :]
    if aside is not None and form(rest) is Form.QUESTION:
        return True
    return _QUIT.match(rest) is not None or _NOTHING.match(rest) is not None


def _names_asked(workspace: Workspace, rest: str) -> bool:
    """ "Drop it please, CS 140", where it was asked which course: it is the course that is to be dropped."""
    asked = workspace.asked
    return asked is not None and asked.shape is Shape.CODE and bool(codes(rest))


def _set_aside(draft: Draft, words: str, spotter: Spotter) -> Sheet | None:
    """The open task that the words leave for now: the one they name, else the one that is worked on."""
    tasks = [task.name for task in spotter.named(draft.workspace, words)]
    active = [
        one
        for one in reversed(draft.workspace.roots)
        if one.instance is not None and one.instance.status is InstanceStatus.ACTIVE
    ]
    return next((one for one in active if one.worksheet.name in tasks), draft.workspace.focus)


def _is_aside(sheet: Sheet) -> bool:
    return sheet.instance is not None and sheet.instance.status is InstanceStatus.SUSPENDED


def _passes(workspace: Workspace, low: str) -> bool:
    """ "Maybe later", where something was asked that need not be said."""
    pending, asked = workspace.state.pending, workspace.asked
    optional = pending is not None and pending.kind == "ask" and asked is not None and not asked.field.required
    return optional and _FOR_NOW.match(low) is not None


def resume(draft: Draft, message: Message, spotter: Spotter) -> bool:
    """Takes up again what the message goes back to."""
    match = _RESUME.match(message.low)
    if match is None:
        return False
    what = match.groupdict().get("what") or match.groupdict().get("what2") or ""
    sheet = _left(draft, what, spotter)
    if sheet is None:
        return False
    draft.add(Resume(instance=sheet.name, words=message.words(*match.span())))
    message.claim(*match.span())
    draft.workspace.focus = sheet
    return _NOTHING.match(message.low[match.end() :]) is not None


def _meant(draft: Draft, words: str, spotter: Spotter) -> Sheet | None:
    """The open task that the words give up; None where they mean something else ("drop the course")."""
    workspace = draft.workspace
    focus = workspace.focus
    if focus is not None and _is_cancelling(focus, words):
        return None
    if what := _named(words):
        tasks = [task.name for task in spotter.named(workspace, what)]
        done = {sheet.worksheet.name for sheet in workspace.finished()}
        openly = [sheet for sheet in reversed(workspace.roots) if sheet.worksheet.name in tasks]
        if focus is not None and focus in openly:
            return focus
        return next((sheet for sheet in openly if sheet.worksheet.name not in done), None)
    return focus or next((sheet for sheet in reversed(workspace.roots) if _is_aside(sheet)), None)


def _named(words: str) -> str:
    """What the words say is given up; empty where it is anything: "forget the whole thing"."""
    found = _OBJECT.search(_ADVERBS.sub("", words.strip()))
    what = found["what"].strip() if found else ""
    return "" if _ANYTHING.match(what) else what


def _is_cancelling(sheet: Sheet, words: str) -> bool:
    """ "cancel my booking", said while cancelling one, does not give the cancelling up."""
    verb = meanings(sheet.worksheet.verb)
    return bool(_CANCELS.search(words)) and any(one & two for one in verb for two in meanings("cancel"))


def _about(workspace: Workspace, sheets: list[Sheet], words: str) -> Sheet | None:
    """The one of several tasks whose row the words name ("the Quorum reservation")."""
    for sheet in sheets:
        rows = [sheet.value(place.field.name) for place in workspace.places(sheet) if place.shape is Shape.ROW]
        if any(isinstance(row, Entity) and row.title and row.title.lower() in words for row in rows):
            return sheet
    return None


def _left(draft: Draft, what: str, spotter: Spotter) -> Sheet | None:
    """The task to go back to: the one that is named, else the one set aside last."""
    workspace = draft.workspace
    aside = [
        sheet
        for sheet in reversed(workspace.roots)
        if sheet.instance and sheet.instance.status is not InstanceStatus.ACTIVE
    ]
    aside.sort(key=lambda sheet: sheet.instance is not None and sheet.instance.status is InstanceStatus.PROPOSED)
    given_up = [
        Sheet(workspace.specification.by_name[item.worksheet], item, name=item.name)
        for item in reversed(workspace.state.instances)
        if item.status is InstanceStatus.ABANDONED and not item.parent
    ]
    if (named := _about(workspace, [*filter(None, [workspace.focus]), *aside, *given_up], what)) is not None:
        return named
    if re.search(r"\bother\b", what):
        return next(iter(aside), None)
    if what and not _ANYTHING.match(what):
        tasks = [task.name for task in spotter.named(workspace, what)]
        if workspace.focus is not None and workspace.focus.worksheet.name in tasks and not aside:
            return workspace.focus
        return next((sheet for sheet in (*aside, *given_up) if sheet.worksheet.name in tasks), None)
    return workspace.focus or next(iter(aside), None) or next(iter(given_up), None)
