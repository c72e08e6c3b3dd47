"""The admin of runs: replays with their differences, and evaluations and benchmarks over time."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from corpora.admin.limits import AcrossCorpora
from hybridchat.agents import LANGUAGES
from hybridchat.chat.overrides import SYSTEMS
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.replay import services, sources
from hybridchat.research.replay.differences import FIGURES, differences, times
from hybridchat.research.replay.kept import paired, plots_of
from hybridchat.research.replay.models import Run
from hybridchat.research.replay.tasks import hold_run

CHOSEN = "research_replay_conversations"  # the session's name for conversations that were chosen in their list
SHOWN = 50  # conversations a page


class ReplayForm(forms.Form):
    """What is to be held again, and by what."""

    language = forms.ChoiceField(choices=[(name, name) for name in LANGUAGES])
    system = forms.ChoiceField(required=False, choices=[(name, name) for name in SYSTEMS])
    assistant = forms.CharField(required=False, help_text="Only conversations with this assistant (its slug).")
    rating = forms.ChoiceField(
        required=False, choices=[("", "any"), ("up", "with a thumb up"), ("down", "with a thumb down")]
    )
    study = forms.CharField(required=False, help_text="Only conversations of this study (its slug).")


@admin.register(Run)
class RunAdmin(AcrossCorpora):
    """What was run when, on what."""

    list_display = ("created", "kind", "what", "language", "status", "done", "by", "page_link")
    list_display_links = None
    list_filter = ("kind", "status", "language", "what", "created")
    search_fields = ("what", "by")
    date_hierarchy = "created"

    @admin.display(description="")
    def page_link(self, run: Run) -> SafeString:
        return format_html('<a href="{}">Open</a>', reverse("admin:research_run_page", args=[run.pk]))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("over-time/", view(self.over_time), name="research_run_over_time"),
            path("compared/", view(self.compared), name="research_run_compared"),
            path("<uuid:pk>/", view(self.page), name="research_run_page"),
            path("<uuid:pk>/progress/", view(self.progress), name="research_run_progress"),
            path("<uuid:pk>/cancel/", view(require_POST(self.cancel)), name="research_run_cancel"),
            path("<uuid:pk>/resume/", view(require_POST(self.resume)), name="research_run_resume"),
        ]
        return [*own, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Ask for a replay of the conversations chosen in their list, else of those the form chooses."""
        if not (self.has_add_permission(request) and request.user.has_perm("chat.view_conversation")):
            raise PermissionDenied("Replays show what people wrote.")
        conversations = tuple(request.session.get(CHOSEN, ()))
        form = ReplayForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            given = form.cleaned_data
            filters = Filters(
                assistant=given["assistant"],
                rating=given["rating"],
                study=given["study"],
                conversations=conversations,
            )
            try:
                run = services.prepare(
                    _called(filters),
                    request.user.get_username(),
                    given["language"],
                    sources.stored(filters),
                    request.user,
                    given["system"] or "suql",
                )
            except ValueError as error:
                form.add_error(None, str(error))
            else:
                request.session.pop(CHOSEN, None)
                hold_run.delay(str(run.pk))
                return redirect("admin:research_run_page", run.pk)
        context = {"form": form, "chosen": len(conversations)}
        return self._answer(request, "admin/research/run/form.html", "Hold conversations again", context)

    def page(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """A run: how far it is, its figures, and what differs turn by turn."""
        run = self._found(request, pk)
        held = run.replayed.exclude(finished_at=None)
        compared = times([one for replayed in held for one in differences(replayed.turns)])
        found = [(one, differences(one.turns)) for one in held[:SHOWN]]
        shown = [(one, turns, sum(bool(turn.changed) for turn in turns)) for one, turns in found]
        told = sorted(run.figures.items(), key=lambda figure: FIGURES.index(figure[0]) if figure[0] in FIGURES else 0)
        context = {"run": run, "held": shown, "figures": told, "times": compared, "shown": SHOWN}
        return self._answer(request, "admin/research/run/page.html", str(run), context)

    def progress(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """The part of the page that changes while conversations are held."""
        response = TemplateResponse(request, "admin/research/run/_progress.html", {"run": self._found(request, pk)})
        if not response.context_data["run"].under_way:  # type: ignore[index]
            response["HX-Refresh"] = "true"
        return response

    def cancel(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """End a replay; what was held already stays."""
        run = self._found(request, pk)
        self._may_run(request)
        services.cancel(run)
        return redirect("admin:research_run_page", run.pk)

    def resume(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """Let a replay go on that failed or was cancelled."""
        run = self._found(request, pk)
        self._may_run(request)
        services.resume(run)
        hold_run.delay(str(run.pk))
        messages.info(request, "The replay goes on.")
        return redirect("admin:research_run_page", run.pk)

    def over_time(self, request: HttpRequest) -> HttpResponse:
        """Evaluations and benchmarks over time, a plot for each figure."""
        if not self.has_view_permission(request):
            raise PermissionDenied("This needs the permission to view runs.")
        runs = Run.objects.filter(status=Run.Status.DONE, kind__in=(Run.Kind.EVALUATE, Run.Kind.BENCH))
        sets = sorted(set(runs.values_list("kind", "what")))
        chosen = request.GET.get("set", "")
        wanted = next((one for one in sets if " ".join(one) == chosen), sets[0] if sets else None)
        ordered = runs.select_related("configuration").order_by("created")
        found = list(ordered.filter(kind=wanted[0], what=wanted[1])) if wanted else []
        context = {"sets": [" ".join(one) for one in sets], "chosen": " ".join(wanted or ()), "plots": plots_of(found)}
        return self._answer(request, "admin/research/run/over_time.html", "Over time", {**context, "runs": found[::-1]})

    def compared(self, request: HttpRequest) -> HttpResponse:
        """Two kept evaluations or benchmarks, item by item."""
        if not self.has_view_permission(request):
            raise PermissionDenied("This needs the permission to view runs.")
        first, second = (self._kept(request, request.GET.get(name, "")) for name in ("first", "second"))
        context = {"first": first, "second": second, "figures": paired(first, second)}
        return self._answer(request, "admin/research/run/compared.html", "Two runs compared", context)

    def _kept(self, request: HttpRequest, name: str) -> Run:
        try:
            run = self._found(request, UUID(name))
        except ValueError as error:
            raise Http404("There is no such run.") from error
        if run.kind == Run.Kind.REPLAY:
            raise Http404("A replay is compared on its own page.")
        return run

    def _found(self, request: HttpRequest, pk: Any) -> Run:
        run = Run.objects.filter(pk=pk).first()
        if run is None or not self.has_view_permission(request, run):
            raise Http404("There is no such run.")
        if run.kind == Run.Kind.REPLAY and not request.user.has_perm("chat.view_conversation"):
            raise Http404("There is no such run.")
        return run

    def _may_run(self, request: HttpRequest) -> None:
        if not self.has_add_permission(request):
            raise PermissionDenied("This needs the permission to add runs.")

    def _answer(self, request: HttpRequest, template: str, title: str, context: dict[str, Any]) -> HttpResponse:
        common = {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
        return TemplateResponse(request, template, {**common, **context})


def _called(filters: Filters) -> str:
    """A name for what is held again."""
    if filters.conversations:
        return f"{len(filters.conversations)} chosen conversations"
    return f"conversations with {filters.assistant or 'any assistant'}" + (
        f", thumbs {filters.rating}" if filters.rating else ""
    )
