"""The admin of annotation: schemes and their versions, projects, and the way to the pages where the work is done."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpora.admin.limits import AcrossCorpora
from hybridchat.research.annotation import checker, services, views
from hybridchat.research.annotation.models import Annotation, Project, Scheme
from hybridchat.research.annotation.questions import questions_of
from hybridchat.research.annotation.schemes import add_missing_schemes
from hybridchat.research.exports.choosing import Filters


@admin.register(Scheme)
class SchemeAdmin(AcrossCorpora):
    """Schemes. One that a project uses is not changed: "Save as new" makes the next version of it."""

    list_display = ("title", "slug", "version", "created")
    list_filter = ("slug",)
    search_fields = ("title", "slug")
    save_as = True
    fields = ("slug", "title", "guidelines", "questions")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scheme]:
        add_missing_schemes()
        return super().get_queryset(request)

    def has_change_permission(self, request: HttpRequest, obj: Scheme | None = None) -> bool:
        saved_as_new = request.method == "POST" and "_saveasnew" in request.POST
        used = obj is not None and obj.projects.exists() and not saved_as_new
        return not used and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Scheme, form: Any, change: bool) -> None:
        if not change:
            newest = Scheme.objects.filter(slug=obj.slug).order_by("-version").first()
            obj.version = newest.version + 1 if newest else 1
        super().save_model(request, obj, form, change)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, form=SchemeForm, **kwargs)


class SchemeForm(forms.ModelForm):
    class Meta:
        model = Scheme
        fields = ("slug", "title", "guidelines", "questions")

    def clean_questions(self) -> Any:
        stored = self.cleaned_data["questions"]
        try:
            questions_of(stored)
        except (TypeError, ValueError) as error:
            raise ValidationError(str(error)) from error
        return stored


class ProjectForm(forms.ModelForm):
    """A project, with the conversations its items are of."""

    assistant = forms.CharField(required=False, help_text="Only conversations with this assistant (its slug).")
    since = forms.DateTimeField(required=False, help_text="Only conversations with a turn on or after this date.")
    until = forms.DateTimeField(required=False, help_text="Only conversations with a turn before this date.")
    rating = forms.ChoiceField(required=False, choices=[("", "any"), ("up", "thumb up"), ("down", "thumb down")])
    study = forms.CharField(required=False, help_text="Only conversations of this study (its slug).")
    label = forms.CharField(required=False, help_text="Only conversations with feedback that has this label.")

    class Meta:
        model = Project
        fields = ("title", "scheme", "overlap", "active")

    def filters(self) -> Filters:
        """What was filled in, as filters."""
        given = self.cleaned_data
        since, until = (given[name].isoformat() if given.get(name) else "" for name in ("since", "until"))
        return Filters(since, until, *(given.get(name, "") for name in ("assistant", "rating", "label", "study")))


@admin.register(Project)
class ProjectAdmin(AcrossCorpora):
    """Annotation projects. The items are chosen once; "Add what has come since" adds later turns."""

    form = ProjectForm
    list_display = ("title", "scheme", "overlap", "item_count", "active", "links")
    list_filter = ("scheme__slug", "active")
    search_fields = ("title",)
    list_select_related = ("scheme",)
    actions = ("add_later", "suggest")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Project]:
        return super().get_queryset(request).annotate(item_count=Count("items"))

    def get_fields(self, request: HttpRequest, obj: Project | None = None) -> Any:
        return ("title", "scheme", "overlap", "active", "assistant", "study", "since", "until", "rating", "label")

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "scheme":
            add_missing_schemes()
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Project | None = None) -> Any:
        return ("scheme",) if obj else ()

    def save_model(self, request: HttpRequest, obj: Project, form: Any, change: bool) -> None:
        if not change:
            obj.filters = form.filters().stored()
        super().save_model(request, obj, form, change)
        services.add_items(obj)

    @admin.action(description="Add what has come since", permissions=["change"])
    def add_later(self, request: HttpRequest, chosen: QuerySet[Project]) -> None:
        added = sum(services.add_items(project) for project in chosen)
        self.message_user(request, f"{added} items were added.")

    @admin.action(description="Let the built-in checker suggest answers", permissions=["change"])
    def suggest(self, request: HttpRequest, chosen: QuerySet[Project]) -> None:
        told = sum(checker.suggest(project) for project in chosen)
        self.message_user(request, f"{told} items have a suggestion now. It is shown as such, and counts nowhere.")

    @admin.display(description="items", ordering="item_count")
    def item_count(self, project: Any) -> int:
        return project.item_count

    @admin.display(description="work")
    def links(self, project: Project) -> SafeString:
        return format_html(
            '<a href="{}">Annotate</a> · <a href="{}">Known answers</a> · <a href="{}">Adjudicate</a>'
            ' · <a href="{}">Report</a>',
            *(reverse(f"admin:research_project_{page}", args=[project.pk]) for page in PAGES),
        )

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"research_project_{name}")
            for name, view in PAGES.items()
        ]
        return [*own, *super().get_urls()]


PAGES = {
    "annotate": views.annotate,
    "gold": views.gold,
    "adjudicate": views.adjudicate,
    "report": views.report,
}


@admin.register(Annotation)
class AnnotationAdmin(AcrossCorpora):
    """What annotators said, to look into; they write it on the pages of their project."""

    list_display = ("item", "annotator", "status", "flagged", "note", "seconds", "finished_at")
    list_filter = ("status", "flagged", "annotator", "item__project")
    search_fields = ("note", "item__turn__message")
    list_select_related = ("item__project", "annotator")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
