"""Signing in to the admin: whoever guesses a password is locked out for a while (django-axes, in the database)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def locked_out(request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any]) -> HttpResponse:
    """Say how long to wait, in the same words for an account that exists and one that does not."""
    wait = settings.AXES_COOLOFF_TIME
    answer = render(request, "429.html", {"minutes": round(wait.total_seconds() / 60)}, status=429)
    answer.headers["Retry-After"] = str(round(wait.total_seconds()))
    return answer
