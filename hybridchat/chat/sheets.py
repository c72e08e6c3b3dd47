"""The worksheets of a conversation as its page shows them: the panel beside the talk, and the card to be confirmed."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from agent.record import TurnState
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.state import DialogueState
from agent.worksheets.view import view
from hybridchat.chat import selectors
from hybridchat.chat.models import Conversation

Sheet = dict[str, Any]
"""One task as `agent.worksheets.view.view` gives it."""


def sheets_of(conversation: Conversation) -> list[Sheet]:
    """Return the tasks that are under way, the one in focus first, and those that were finished, newest first."""
    state = selectors.dialogue_of(conversation)
    if state is None:
        return []
    shown = _view(state, done=True)
    done = [sheet for sheet in shown if sheet["status"] == "done"]
    return [sheet for sheet in shown if sheet["status"] != "done"] + done[::-1]


def card_of(state: TurnState) -> Sheet | None:
    """Return the task whose values the turn asked to be confirmed, as they stood then."""
    if state.dialogue is None or not any(act.act is ActKind.CONFIRM for act in state.acts):
        return None
    return next((sheet for sheet in _view(state.dialogue) if sheet["confirmation"]), None)


def waiting_act(state: TurnState) -> Act | None:
    """Return what the turn asked for, if it asked for anything: always its last act."""
    last = state.acts[-1] if state.acts else None
    return last if last is not None and last.act in (ActKind.ASK, ActKind.PROPOSE, ActKind.CONFIRM) else None


def _view(state: DialogueState, *, done: bool = False) -> list[Sheet]:
    from hybridchat.agents import edition  # it loads the agent's parts, so the first turn imports it

    return view(state, edition(state.application, state.version), timezone.localtime(), done)
