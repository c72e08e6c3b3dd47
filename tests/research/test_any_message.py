"""Whole turns of each assistant with messages that nobody planned for.

FULL_SWEEP=1 tries 5,000 with each assistant, which takes hours; MESSAGES says how many, SEED chooses others.
"""

from __future__ import annotations

import asyncio
import os
import re
from itertools import islice

import pytest
from django.utils import timezone

from agent.turn import Agent
from hybridchat.agents import agent_for
from hybridchat.talk import Talk
from tests.drawn import FULL, SEED
from tests.research.any_message import messages

MESSAGES = int(os.environ.get("MESSAGES", "5000" if FULL else "10"))  # with each assistant

TURNS = 5  # of a conversation
_OF_THE_PROGRAM = re.compile(r"Traceback|\w+Error\b|Exception|\bNone\b|object at 0x|<[a-z]+ '")


@pytest.mark.timeout(max(600, 10 * MESSAGES))
@pytest.mark.parametrize("assistant", ["restaurants", "courses", "services"])
def test_every_message_is_answered_in_words(two_restaurants: None, assistant: str) -> None:
    said = list(islice(messages(SEED), MESSAGES))
    failed = asyncio.run(_failures(agent_for("builtin"), assistant, said))
    assert not failed, "\n".join(failed)


async def _failures(agent: Agent, assistant: str, said: list[str]) -> list[str]:
    failed = []
    for start in range(0, len(said), TURNS):
        talk = Talk(agent, assistant, timezone.localtime)
        for number, message in enumerate(said[start : start + TURNS], start=1):
            try:
                report = await talk.say(message)
            except Exception as error:  # each is named, with what led to it
                failed.append(f"{said[start : start + number]!r}: {error!r}")
                break
            words = " ".join((report["agent"], *(query["error"] or "" for query in report["queries"])))
            told = {found[0].lower() for found in _OF_THE_PROGRAM.finditer(words)}
            if not report["agent"].strip() or any(one not in " ".join(said).lower() for one in told):
                failed.append(f"{said[start : start + number]!r}: {words!r}")
    return failed
