"""The pages of a study. One address shows whatever comes next; each form leads to the next step and back there."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from hybridchat.addresses import address_key, client_address
from hybridchat.chat.errors import NotFound, Refused
from hybridchat.chat.owners import become_owner, owner_of
from hybridchat.chat.views import page_context
from hybridchat.research.studies import selectors, services
from hybridchat.research.studies.errors import TurnedAway
from hybridchat.research.studies.models import Study
from hybridchat.research.studies.participations import Participation

Step = Callable[[HttpRequest, Participation], HttpResponse]
EXPIRED = "This study does not know your browser: it was opened elsewhere, or you have withdrawn from it."


def taking_part(view: Step) -> Callable[[HttpRequest, str], HttpResponse]:
    """A view for who takes part in the study; it answers what is refused with a page that says why."""

    @functools.wraps(view)
    def answered(request: HttpRequest, slug: str) -> HttpResponse:
        study = get_object_or_404(Study, slug=slug)
        own = selectors.participation_of(study, owner_of(request.session, request.user))
        if own is None:
            return (
                _leave(request, reverse("study:join", args=[slug])) if _is_htmx(request) else _unknown(request, study)
            )
        try:
            return view(request, services.caught_up(own))
        except TurnedAway as error:
            return _turned_away(request, study, error)
        except (Refused, NotFound) as error:
            return _told(request, study, "That was not possible", error.sentence, error.status, back=True)
        except Participation.DoesNotExist:  # withdrawn in another tab at this moment
            return _unknown(request, study)

    return answered


@require_safe
@never_cache
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Where an invitation leads: lets the person in, under an address without their identifiers."""
    study = get_object_or_404(Study, slug=slug)
    named = [study.person_parameter, study.study_parameter, study.session_parameter]
    owner = become_owner(request.session, request.user)
    try:
        services.arrive(study, owner, *(request.GET.get(name, "") for name in named), staff=_may_try(request))
    except TurnedAway as error:
        return _turned_away(request, study, error)
    return redirect("study:here", slug=slug)


@require_safe
@never_cache
@ensure_csrf_cookie
@taking_part
def here(request: HttpRequest, own: Participation) -> HttpResponse:
    """Whatever comes next: the consent, the instructions, the chat or the questions, the questionnaire, the end."""
    return _page(request, own)


@require_POST
@taking_part
def agree(request: HttpRequest, own: Participation) -> HttpResponse:
    """Agree to take part."""
    services.agree(own)
    return _next(own)


@require_POST
@taking_part
def begin(request: HttpRequest, own: Participation) -> HttpResponse:
    """Go from the instructions to the task."""
    services.begin(own, address_key(client_address(request)))
    return _next(own)


@require_GET
@never_cache
@taking_part
def bar(request: HttpRequest, own: Participation) -> HttpResponse:
    """The bar above the chat as it stands; once the conversation is over, on to what comes next."""
    if own.step != "task":
        return _leave(request, reverse("study:here", args=[own.study.slug]))
    return render(request, "research/study/_bar_now.html", _bar(own))


@require_POST
@taking_part
def finish(request: HttpRequest, own: Participation) -> HttpResponse:
    """End the conversation."""
    services.end(own)
    return _next(own)


@require_POST
@taking_part
def questions(request: HttpRequest, own: Participation) -> HttpResponse:
    """Hand in the questions of a study that collects some."""
    written = request.POST.getlist("question")
    wrong = services.collect(own, written)
    return _page(request, own, status=400, written=written, wrong=wrong) if wrong else _next(own)


@require_POST
@taking_part
def answers(request: HttpRequest, own: Participation) -> HttpResponse:
    """Hand in the questionnaire."""
    given = {name: str(value) for name, value in request.POST.items()}
    wrong = services.answer(own, given)
    return _page(request, own, status=400, given=given, wrong=wrong) if wrong else _next(own)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@taking_part
def withdraw(request: HttpRequest, own: Participation) -> HttpResponse:
    """Ask whether everything is to be deleted; with POST, delete it."""
    if request.method != "POST":
        return render(request, "research/study/withdraw.html", {"study": own.study, "own": own})
    declined = own.step == "consent"
    services.withdraw(own)
    context = {"study": own.study, "declined": declined, **(_screened(own.study) if declined else {})}
    return render(request, "research/study/withdrawn.html", context)


def _page(request: HttpRequest, own: Participation, status: int = 200, **more: Any) -> HttpResponse:
    """The page of the step they are at."""
    step = own.step
    context: dict[str, Any] = {"study": own.study, "own": own, **more}
    if step == "consent":
        context["consent"] = selectors.newest_consent(own.study)
    elif step == "task" and own.conversation:
        context |= page_context(own.conversation, owner_of(request.session, request.user)) | _bar(own)
        return render(request, "research/study/chat.html", context)
    elif step == "task":
        context["fields"] = _question_fields(own.study, more.get("written", ()), more.get("wrong", {}))
    elif step == "questionnaire":
        context["fields"] = _item_fields(own, more.get("given", {}), more.get("wrong", {}))
    elif step == "end":
        context |= _codes(own.study, selectors.code_of(own))
    name = "questions" if step == "task" else step
    return render(request, f"research/study/{name}.html", context, status=status)


def _bar(own: Participation) -> dict[str, Any]:
    said, wanted = selectors.turns_said(own), own.study.minimum_turns
    return {"study": own.study, "own": own, "said": said, "wanted": wanted, "missing": max(0, wanted - said)}


def _question_fields(study: Study, written: Any, wrong: Mapping[int, str]) -> list[dict[str, Any]]:
    texts = [*written, *[""] * study.questions_each][: study.questions_each]
    return [
        {"number": number, "text": text, "wrong": wrong.get(number, "")} for number, text in enumerate(texts, start=1)
    ]


def _item_fields(own: Participation, given: Mapping[str, str], wrong: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"item": item, "given": given.get(item.name, ""), "wrong": wrong.get(item.name, "")}
        for item in selectors.items_of(own)
    ]


def _codes(study: Study, code: str) -> dict[str, str]:
    """The code somebody gets, and where the recruiting site wants them back with it: in place of the completion code
    where the address has that."""
    address, usual = study.completion_url, study.completion_code
    if usual and usual in address:
        address = address.replace(usual, code)
    elif address and code and code not in address:
        address += f"{'&' if '?' in address else '?'}{urlencode({'cc': code})}"
    return {"code": code, "onward": address}


def _screened(study: Study) -> dict[str, str]:
    """The same for somebody who does not take part."""
    return _codes(study, study.screened_code) if study.screened_code else {}


def _next(own: Participation) -> HttpResponse:
    return redirect("study:here", slug=own.study.slug)


def _leave(request: HttpRequest, address: str) -> HttpResponse:
    """Send the browser elsewhere; htmx follows a header."""
    return HttpResponse(headers={"HX-Redirect": address}) if _is_htmx(request) else redirect(address)


def _is_htmx(request: HttpRequest) -> bool:
    return bool(request.headers.get("HX-Request"))


def _may_try(request: HttpRequest) -> bool:
    """Whether somebody may take part in a draft."""
    return request.user.has_perm("research.view_study")


def _unknown(request: HttpRequest, study: Study) -> HttpResponse:
    return _told(request, study, "You are not in this study", EXPIRED, 404, rejoin=True)


def _turned_away(request: HttpRequest, study: Study, error: TurnedAway) -> HttpResponse:
    codes = _screened(study) if error.screened else {}
    return _told(request, study, error.title, error.sentence, error.status, **codes)


def _told(request: HttpRequest, study: Study, title: str, sentence: str, status: int, **more: Any) -> HttpResponse:
    context = {"study": study, "title": title, "sentence": sentence, **more}
    return render(request, "research/study/told.html", context, status=status)
