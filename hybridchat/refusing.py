"""Requests that no page of ours sends, and that the database would refuse."""

from __future__ import annotations

from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.views.defaults import bad_request


class RefuseNul:
    """Answers a request whose NUL characters reach the database as the sender's fault (400), not as the site's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a view that raised; None leaves other errors to Django."""
        # Forms refuse NUL by themselves; this is for what views look up: names in addresses and in hidden fields.
        if isinstance(exception, DataError) and "NUL (0x00)" in str(exception):
            return bad_request(request, exception)
        return None
