"""Books a table in a process of its own: `run_booking.py KEY CONVERSATION [before-commit|after-commit]`.

With the third argument the process kills itself at that point, before anybody learns what came of it.
"""

import asyncio
import os
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "hybridchat.settings"

import django


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(key: str, conversation: str, moment: str = "") -> None:
    from agent.worksheets.actions import Call
    from agent.worksheets.state import Entity
    from hybridchat.effects.actions.restaurants import book
    from hybridchat.effects.models import Receipt

    if moment == "before-commit":
        Receipt.save = die  # the table is taken, what came of it is about to be written
    table = Entity(table="restaurants", key="blue-door")
    call = Call(key, conversation, datetime(2026, 11, 20, 10))
    result = asyncio.run(book(call, restaurant=table, date="2026-11-27", time="19:00", number_of_people=4))
    if moment == "after-commit":
        die()
    sys.stdout.write(result.sentence)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
