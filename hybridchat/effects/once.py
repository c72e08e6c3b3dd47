"""Doing a thing once: the effect and the receipt for it are one transaction."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from agent.worksheets.actions import Call, Result
from hybridchat.effects.models import Receipt


def once(call: Call, action: str, act: Callable[[Receipt], Result]) -> Result:
    """Run `act` unless it has run under this key; return the result of the first run.

    A second call that comes while the first is at it waits for its transaction. If that commits, the second returns
    the first's result; if it is refused or its process dies, nothing has happened, and the second call does it.
    """
    with transaction.atomic():
        receipt, fresh = Receipt.objects.get_or_create(key=call.key, defaults={"action": action})
        if not fresh:
            return Result(receipt.sentence, receipt.values)
        result = act(receipt)
        receipt.sentence, receipt.values = result.sentence, dict(result.values)
        receipt.save(update_fields=["sentence", "values"])
    return result
