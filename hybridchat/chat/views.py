"""The chat's pages. Each view finds whose request it is, calls one service or selector, and renders."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from asgiref.sync import async_to_sync
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST, require_safe

from corpora.models import Assistant, FetchedPicture, Picture
from corpora.pictures import assistant_picture
from corpora.pictures.rows import picture_of_row
from hybridchat.addresses import address_key, client_address
from hybridchat.chat import allowance, languages, limits, selectors, services
from hybridchat.chat.assistants import NONE_SUCH, assistant_view, assistant_views
from hybridchat.chat.errors import Malformed, NotFound, Refused
from hybridchat.chat.fragments import Cursor
from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import Owner, become_owner, owner_of
from hybridchat.chat.presenting import turn_views
from hybridchat.chat.sheets import sheets_of

if TYPE_CHECKING:
    from agent.backends.discovery import Offer

View = Callable[..., HttpResponse]
LIMITS = {"characters": limits.MESSAGE_CHARACTERS, "comment": limits.COMMENT_CHARACTERS}


def answering_errors(view: View) -> View:
    """Answer what the chat refuses: nothing there is 404, anything else has its own status and its sentence."""

    @functools.wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404(error.sentence) from error
        except Refused as error:
            return _refused(request, "chat/refused.html", error.sentence, error.status)

    return answered


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token is out of date: with what was written, to be sent again under a fresh token."""
    sentence = "You signed in or out since this page was opened, or cookies are switched off."
    response = _refused(request, "chat/expired.html", sentence, 403)
    response.headers["X-CSRF-Failure"] = "1"
    return response


def _refused(request: HttpRequest, template: str, sentence: str, status: int) -> HttpResponse:
    """The sentence alone for the page's own requests, which shows it in place; else a page with what was written."""
    if request.headers.get("HX-Request"):
        return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    written = {name: request.POST.get(name, "") for name in ("assistant", "message")}
    context = {"problem": sentence, "written": written, "fresh_uuid": uuid4(), "limits": LIMITS}
    return render(request, template, context, status=status)


@require_safe
@never_cache
@ensure_csrf_cookie
@answering_errors
def start(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Return the first screen: what this is, the assistants, questions to begin with. At its address, one alone."""
    owner = owner_of(request.session, request.user)
    chosen = slug or request.GET.get("assistant", "")
    assistants = sorted(assistant_views(request.user, chosen), key=lambda one: one.slug != chosen)
    if slug:
        assistants = [one for one in assistants if one.slug == slug]
        if not assistants:
            raise NotFound(NONE_SUCH)
    context = {
        "assistants": assistants,
        "alone": bool(slug),
        "history": selectors.history(owner),
        "notice": languages.notice(languages.current_language()),
        "may_connect": languages.may_connect(request),
        "limits": LIMITS,
        "fresh_uuid": uuid4(),
    }
    return render(request, "chat/start.html", context)


@require_safe
@never_cache
@ensure_csrf_cookie
@answering_errors
def conversation(request: HttpRequest, conversation: UUID) -> HttpResponse:
    """Return a conversation with all its turns, as the database has them; one that is being answered goes on live."""
    owner = owner_of(request.session, request.user)
    found = selectors.conversation_of(owner, conversation)
    context = {
        **page_context(found, owner),
        "may_connect": languages.may_connect(request),
    }
    return render(request, "chat/page.html", context)


def page_context(found: Conversation, owner: Owner) -> dict[str, Any]:
    """What the page of a conversation shows, whoever frames it."""
    turns = turn_views(selectors.turns_of(found))
    return {
        "conversation": found,
        "assistant": assistant_view(found.assistant),
        "turns": turns,
        "running": next((turn for turn in turns if turn.running), None),
        "sheets": sheets_of(found),
        "cursor": str(Cursor(turns[-1].position, turns[-1].last_event) if turns else Cursor(0, 0)),
        "history": selectors.history(owner),
        "notice": languages.notice(languages.language_of(found)),
        "limits": LIMITS,
    }


@require_POST
@answering_errors
def new(request: HttpRequest) -> HttpResponse:
    """Begin a conversation, with its first message if there is one, and go there."""
    assistant = assistant_view(request.POST.get("assistant", ""))
    owner, address = become_owner(request.session, request.user), address_key(client_address(request))
    message = limits.check_message(request.POST.get("message", ""))
    uuid = _uuid(request.POST.get("uuid") or str(uuid4()))
    sent = selectors.conversation_with(owner, uuid) if message else None
    if sent:  # the answer to the first try did not arrive
        return _go(request, sent)
    if message:  # a refusal leaves no empty conversation behind
        limits.check_pace(owner, address)
        allowance.check(owner, languages.language_of_assistant(assistant.slug), address)
    begun = services.new_conversation(owner, assistant.slug, address)
    if message:
        services.receive(begun, uuid, message, address)
    return _go(request, begun)


@require_POST
@answering_errors
def rename(request: HttpRequest, conversation: UUID) -> HttpResponse:
    """Give a conversation another title."""
    owner = owner_of(request.session, request.user)
    services.rename(selectors.conversation_of(owner, conversation), request.POST.get("title", ""))
    return _history(request)


@require_POST
@answering_errors
def delete(request: HttpRequest, conversation: UUID) -> HttpResponse:
    """Delete a conversation; whoever was looking at it is sent to the first screen."""
    owner = owner_of(request.session, request.user)
    services.delete(selectors.conversation_of(owner, conversation))
    if not request.headers.get("HX-Request"):
        return redirect("chat:start")
    if str(conversation) in request.headers.get("HX-Current-URL", ""):
        return HttpResponse(headers={"HX-Redirect": "/"})
    return _history(request)


@require_POST
@answering_errors
def feedback(request: HttpRequest, conversation: UUID) -> HttpResponse:
    """Return a thumb or a comment on a turn; the turn's foot is the answer."""
    found = selectors.conversation_of(owner_of(request.session, request.user), conversation)
    turn = selectors.turn_of(found, _uuid(request.POST.get("turn", "")))
    rating = request.POST.get("rating", "0")
    if rating not in ("1", "-1", "0"):
        raise Malformed("A rating is thumbs up or thumbs down.")
    reasons = [one for one in request.POST.getlist("reasons") if one] if "reasons" in request.POST else None
    services.give_feedback(turn, int(rating) or None, request.POST.get("comment"), reasons)
    view = turn_views(selectors.turns_of(found).filter(pk=turn.pk))[0]
    return render(request, "chat/_turn_foot.html", {"turn": view, "oob": False})


@require_GET
@never_cache
def history(request: HttpRequest) -> HttpResponse:
    """Return the conversations in which all the words of `q` were said."""
    return _history(request)


@never_cache
@ensure_csrf_cookie
@answering_errors
def connect(request: HttpRequest) -> HttpResponse:
    """Model servers found on this machine, to choose from; choosing one is for staff and whoever sits there."""
    if not languages.may_connect(request):
        raise PermissionDenied("Only staff, or somebody working on this machine, can connect a model.")
    from agent.backends import discovery  # its client takes a second to import, and a restarted site is waited for

    offers = async_to_sync(discovery.look)()
    problem = ""
    if request.method == "POST":
        try:
            _choose(request, offers)
            return redirect("chat:start")
        except Refused as error:
            problem = error.sentence
    context = {"offers": offers, "chosen": languages.current_language(), "problem": problem}
    return render(request, "chat/connect.html", context, status=400 if problem else 200)


@require_safe
@cache_control(public=True, max_age=86_400)
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the drawing of a row that has no photograph."""
    drawing = picture_of_row(slug)
    if drawing is None:
        raise Http404
    return HttpResponse(drawing, content_type="image/svg+xml")


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def kept_picture(request: HttpRequest, digest: str) -> HttpResponse:
    """A picture that was fetched from elsewhere; its address is the hash of its content."""
    found = get_object_or_404(Picture, pk=digest, pk__in=FetchedPicture.objects.values("picture"))
    return HttpResponse(bytes(found.body), content_type=found.content_type)


@require_safe
@cache_control(private=True, max_age=86_400)
@answering_errors
def picture_of_assistant(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of an assistant: the one that was uploaded, or a drawing."""
    found = Assistant.objects.filter(slug=slug).select_related("picture").first()
    if found is None or not found.may_be_used_by(request.user):
        raise NotFound(NONE_SUCH)
    if found.picture:
        return HttpResponse(bytes(found.picture.body), content_type=found.picture.content_type)
    return HttpResponse(assistant_picture(found.slug, found.title), content_type="image/svg+xml")


def _choose(request: HttpRequest, offers: list[Offer]) -> None:
    base_url, model = request.POST.get("base_url", ""), request.POST.get("model", "")
    if base_url or model:
        languages.choose(offers, base_url, model, request.user)
    else:
        languages.choose_builtin(request.user)


def _go(request: HttpRequest, conversation: Conversation) -> HttpResponse:
    """Send the browser to a conversation; htmx follows a header, since it would swap in what a redirect leads to."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": reverse("chat:conversation", args=[conversation.pk])})
    return redirect("chat:conversation", conversation=conversation.pk)


def _history(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("q", "")[:200]
    owner = owner_of(request.session, request.user)
    context = {"history": selectors.history(owner, words), "conversation": None, "query": words, "oob": False}
    return render(request, "chat/_history.html", context)


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise Malformed("This page sent something the site cannot read. Please reload the page.") from error
