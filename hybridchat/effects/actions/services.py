"""The student services' action: submit a ticket."""

from __future__ import annotations

from typing import Any

from agent.worksheets.actions import Call, Registry, Result
from hybridchat.chat.threads import in_thread
from hybridchat.effects import tickets
from hybridchat.effects.belonging import belonging
from hybridchat.effects.models import Receipt
from hybridchat.effects.once import once

registry = Registry()


@registry.action("submit_ticket")
async def submit_ticket(call: Call, *, ticket: Any) -> Result:
    """Put a ticket into the staff's queue; `ticket` is the worksheet with everything nested in it."""

    def act(receipt: Receipt) -> Result:
        return tickets.submit(receipt, belonging(call.conversation), ticket)

    return await in_thread(once, call, "submit_ticket", act)
