"""What one person may spend on language models in a day: calls, tokens, US dollars and seconds, of all their turns.

An address may spend as much as `ADDRESS_SHARE` people together, the whole site as much as `SITE_SHARE`.

Every call of every turn is in the log of calls, whatever it was made for, so the log is what is added up: that of the
last 24 hours. Who has spent a limit is refused before anything more is asked; a query of somebody who is near one may
spend what is left, and then shows what it has found. The builtin language costs nothing and knows no limit.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.db.models import Count, F, Q, Sum
from django.utils import timezone

from agent.suql import Budget
from corpora.models import ModelCall
from hybridchat.chat.errors import TooMuch
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner

DAY = timedelta(hours=24)
FREE = "builtin"
UNITS = {
    "calls": "{:,.0f} calls",
    "tokens": "{:,.0f} tokens",
    "cost": "{:,.2f} US dollars",
    "seconds": "{:,.0f} seconds",
}


def spent(owner: Owner) -> dict[str, float]:
    """Return what an owner's turns have cost in the last 24 hours, by unit. Stored answers cost nothing."""
    return _cost_of(Q(turn__in=Turn.objects.filter(conversation__in=owner.conversations()).values("pk")))


def _cost_of(which: Q) -> dict[str, float]:
    calls = ModelCall.objects.filter(which, created__gt=timezone.now() - DAY, cached=False)
    found = calls.aggregate(
        calls=Count("pk"),
        tokens=Sum(F("prompt_tokens") + F("completion_tokens")),
        cost=Sum("cost"),
        seconds=Sum(F("milliseconds") / 1000),
    )
    return {unit: found[unit] or 0 for unit in UNITS}


def check(owner: Owner, language: str, address: str = "") -> None:
    """Raise `TooMuch` where the owner, their address or the site has spent one of the day's limits and the language
    would cost more."""
    limits = _limits(language)
    if not limits:
        return
    _check_share("You have used your daily share of the language model", spent(owner), limits, 1)
    if address:
        there = Turn.objects.filter(address_key=address, created__gt=timezone.now() - DAY).values("pk")
        words = "Your network has used its daily share of the language model"
        _check_share(words, _cost_of(Q(turn__in=there)), limits, settings.ADDRESS_SHARE)
    words = "The site has used its daily share of the language model"
    _check_share(words, _cost_of(Q(turn__isnull=False)), limits, settings.SITE_SHARE)


def _check_share(words: str, used: dict[str, float], limits: dict[str, float], people: int) -> None:
    for unit, limit in limits.items():
        if used[unit] >= limit * people:
            told = UNITS[unit].format(limit * people)
            raise TooMuch(f"{words}: {told}. It becomes available again within 24 hours; please try again then.")


def left(owner: Owner, language: str, budget: Budget) -> Budget:
    """Return the budget of a query, within what is left of the owner's daily limits."""
    limits = _limits(language)
    if not limits:
        return budget
    used = spent(owner)

    def least(unit: str, own: float | None) -> float | None:
        remaining = max(limits[unit] - used[unit], 0) if unit in limits else None
        return min((one for one in (own, remaining) if one is not None), default=None)

    calls, tokens = least("calls", budget.calls), least("tokens", budget.tokens)
    return replace(
        budget,
        calls=None if calls is None else int(calls),
        tokens=None if tokens is None else int(tokens),
        cost=least("cost", budget.cost),
        seconds=least("seconds", budget.seconds),
    )


def _limits(language: str) -> dict[str, float]:
    """The day's limits by unit, as far as there are any (`DAY_CALLS` and the others in the settings)."""
    if language == FREE:
        return {}
    named = {unit: getattr(settings, f"DAY_{unit.upper()}") for unit in UNITS}
    return {unit: limit for unit, limit in named.items() if limit}
