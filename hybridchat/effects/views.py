"""My bookings, courses and tickets. Each view finds whose request it is, calls a service or selector, and renders."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from agent.worksheets.actions import Refusal
from hybridchat.chat.owners import owner_of
from hybridchat.chat.views import answering_errors
from hybridchat.effects import enrollments, reservations, selectors
from hybridchat.effects.calendars import calendar_file
from hybridchat.effects.values import local


@require_safe
@never_cache
@ensure_csrf_cookie
def mine(request: HttpRequest) -> HttpResponse:
    """Show everything the person has; the replies shown count as read."""
    owner = owner_of(request.session, request.user)
    page = render(request, "effects/mine.html", {"mine": selectors.mine(owner, local(timezone.now()))})
    if request.method == "GET":
        selectors.unread(owner).update(read_at=timezone.now())
    return page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@answering_errors
def cancel(request: HttpRequest, reference: str) -> HttpResponse:
    """Ask whether to cancel the table and say what that costs; on a yes, cancel it."""
    booking = selectors.own_booking(owner_of(request.session, request.user), reference)
    now = local(timezone.now())
    if request.method == "POST":
        return _done(request, lambda: reservations.cancel(booking, now).sentence)
    return render(request, "effects/cancel.html", {"one": selectors.booking_view(booking, now)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@answering_errors
def drop(request: HttpRequest, reference: str) -> HttpResponse:
    """Ask whether to drop the course; on a yes, drop it."""
    enrollment = selectors.own_enrollment(owner_of(request.session, request.user), reference)
    if request.method == "POST":
        return _done(request, lambda: enrollments.drop(enrollment).sentence)
    return render(request, "effects/drop.html", {"enrollment": enrollment})


@require_safe
@never_cache
@answering_errors
def calendar(request: HttpRequest, reference: str) -> HttpResponse:
    """Return the reservation as a calendar file."""
    booking = selectors.own_booking(owner_of(request.session, request.user), reference)
    name = f'attachment; filename="table-{booking.reference}.ics"'
    return HttpResponse(
        calendar_file(booking), content_type="text/calendar; charset=utf-8", headers={"Content-Disposition": name}
    )


def _done(request: HttpRequest, act: Callable[[], str]) -> HttpResponse:
    """Do it, and go back to the page, which says what came of it."""
    try:
        with transaction.atomic():
            messages.success(request, act())
    except Refusal as refusal:
        messages.warning(request, refusal.sentence)
    return redirect("effects:mine")
