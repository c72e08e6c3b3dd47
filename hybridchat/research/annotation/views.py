"""The pages of annotation: an item at a time, adjudication, and the report. They are served inside the admin."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from corpora.rights import limits
from hybridchat.chat import selectors
from hybridchat.chat.inspecting import inspections
from hybridchat.chat.markup import reply_html
from hybridchat.chat.presenting import turn_views
from hybridchat.research.annotation import figures, services
from hybridchat.research.annotation.answers import Unanswered, asked_of, read, said_of
from hybridchat.research.annotation.models import Annotation, Item, Project

LONGEST_NOTE = 2_000
_WRAPPED = re.compile(r"(?<=\S)\n(?=\S)")  # lines of one paragraph


def annotate(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the annotator's item, and take the answers."""
    _need(request, "research.add_annotation")
    project = get_object_or_404(Project.objects.select_related("scheme"), pk=pk)
    if request.method == "POST" and "undo" in request.POST:
        if services.undo(project, request.user) is None:
            messages.info(request, "There is nothing to undo.")
        return redirect("admin:research_project_annotate", project.pk)
    held = services.hand_out(project, request.user)
    if held is None:
        return _page(request, project, "research/nothing.html", mine=_mine(project, request.user))
    asked = asked_of(held.item.turn, project.scheme.questions, held.answers, held.item.suggestion or {})
    if request.method == "POST" and str(held.pk) == request.POST.get("annotation"):
        try:
            _store(held, asked, request)
        except Unanswered as error:
            messages.error(request, str(error))
            return _item(request, project, held.item, asked, held)
        return redirect("admin:research_project_annotate", project.pk)
    return _item(request, project, held.item, asked, held)


def _store(held: Annotation, asked: Any, request: HttpRequest) -> None:
    note = request.POST.get("note", "").strip()[:LONGEST_NOTE]
    if "skip" in request.POST:
        services.skip(held, note)
    else:
        services.answer(held, read(asked, request.POST), flagged="flag" in request.POST, note=note)


def adjudicate(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the next item on which annotators differ, with what each said, and take the one label."""
    _need(request, "research.add_adjudication")
    project = get_object_or_404(Project.objects.select_related("scheme"), pk=pk)
    left = figures.disputed(project)
    if not left:
        return _page(request, project, "research/nothing.html", settled=True)
    item = left[0]
    given = figures.done(item)
    asked = asked_of(item.turn, project.scheme.questions, given[0].answers, item.suggestion or {})
    if request.method == "POST" and str(item.pk) == request.POST.get("item"):
        try:
            services.adjudicate(item, read(asked, request.POST), request.user)
        except Unanswered as error:
            messages.error(request, str(error))
        else:
            return redirect("admin:research_project_adjudicate", project.pk)
    return _item(request, project, item, asked, None, given=given, said=said_of(given), left=len(left))


def gold(request: HttpRequest, pk: int) -> HttpResponse:
    """Show items one after the other (`?after=` a position), to say of some what is right: annotators are measured by
    it."""
    _need(request, "research.add_adjudication")
    project = get_object_or_404(Project.objects.select_related("scheme"), pk=pk)
    after = request.GET.get("after", "")
    left = project.items.filter(position__gt=int(after) if after.isdecimal() else 0).order_by("position")
    item = left.select_related("turn__conversation").first()
    if item is None:
        return _page(request, project, "research/nothing.html", all_seen=True)
    asked = asked_of(item.turn, project.scheme.questions, item.gold or {}, item.suggestion or {})
    if request.method == "POST" and str(item.pk) == request.POST.get("item"):
        try:
            if "next" not in request.POST:
                services.know(item, read(asked, request.POST))
        except Unanswered as error:
            messages.error(request, str(error))
        else:
            return redirect(f"{reverse('admin:research_project_gold', args=[pk])}?after={item.position}")
    return _item(request, project, item, asked, None, known=project.items.exclude(gold=None).count())


def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Progress, time, agreement, and the figures of the scheme with their intervals."""
    _need(request, "research.view_project")
    project = get_object_or_404(Project.objects.select_related("scheme"), pk=pk)
    return _page(request, project, "research/report.html", report=figures.report(project))


def _item(
    request: HttpRequest, project: Project, item: Item, asked: Any, held: Annotation | None, **more: Any
) -> HttpResponse:
    turns = list(selectors.turns_of(item.turn.conversation).filter(position__lte=item.turn.position))
    shown = zip(turn_views(turns), inspections(turns), strict=True)
    return _page(
        request,
        project,
        "research/item.html",
        item=item,
        held=held,
        asked=asked,
        turns=list(shown),
        mine=_mine(project, request.user),
        guidelines=reply_html(_WRAPPED.sub(" ", project.scheme.guidelines)),
        **more,
    )


def _mine(project: Project, annotator: Any) -> int:
    return Annotation.objects.filter(item__project=project, annotator=annotator, status=Annotation.Status.DONE).count()


def _page(request: HttpRequest, project: Project, template: str, **context: Any) -> HttpResponse:
    total = project.items.count()
    return TemplateResponse(request, template, {"project": project, "total": total, **context})


def _need(request: HttpRequest, permission: str) -> None:
    user: Any = request.user
    if not user.has_perm(permission) or limits(user) is not None:  # projects hold turns about any corpus
        raise PermissionDenied(f"This needs the permission {permission}.")
