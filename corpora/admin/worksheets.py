"""Editions of worksheets: looked at, tried out, exported, and changed by adding another."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from agent.protocols.errors import SpecificationError
from agent.worksheets.findings import Finding
from agent.worksheets.formats import Format, Vocabulary, format_of, write
from agent.worksheets.specification import Specification
from corpora.admin.limits import LimitedByAssistant, limits_of
from corpora.admin.worksheet_forms import WorksheetForms, as_sent
from corpora.drafts import Draft, checked, drafted, form_of_text
from corpora.loading.worksheets import activate, add_edition
from corpora.models import WorksheetEdition
from corpora.rights import assistants_within
from corpora.selectors import specification

TEMPLATES = "admin/corpora/worksheetedition"
EXPORTS = (
    (Format.XLSX, Vocabulary.PAPER, "XLSX"),
    (Format.XLSX, Vocabulary.PUBLISHED, "XLSX with “Form” headings"),
    (Format.CSV, Vocabulary.PAPER, "CSV"),
    (Format.CSV, Vocabulary.PUBLISHED, "CSV with “Form” headings"),
    (Format.JSON, Vocabulary.PUBLISHED, "JSON"),
)


class NewEditionForm(forms.ModelForm):
    """Another edition, from a file or a text. `draft` is what was read of it."""

    upload = forms.FileField(
        required=False, label="File", help_text="A CSV, XLSX or JSON file. It counts before the text."
    )
    text = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 30, "cols": 120, "spellcheck": "false", "class": "edition-text"}),
        help_text="The worksheets as JSON, or as CSV with a row of headings.",
    )
    begin = forms.BooleanField(required=False, initial=True, label="New conversations begin with it")

    class Meta:
        model = WorksheetEdition
        fields = ("assistant", "note")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        assistant = cleaned.get("assistant")
        self.draft = self._drafted(assistant.slug if assistant else "", assistant.title if assistant else "")
        for finding in self.draft.errors:
            self.add_error("upload" if cleaned.get("upload") else "text", str(finding))
        return cleaned

    def _drafted(self, slug: str, title: str) -> Draft:
        upload, text = self.cleaned_data.get("upload"), self.cleaned_data.get("text", "")
        if upload:
            form = format_of(upload.name)
            if form is None:
                return Draft(None, (Finding("The file must end in .csv, .xlsx or .json."),))
            upload.seek(0)
            return drafted(upload.read(), form, slug, title)
        if not text.strip():
            return Draft(None, (Finding("Choose a file, or write the worksheets into the text."),))
        return drafted(text.encode(), form_of_text(text), slug, title)


class EditionForm(forms.ModelForm):
    """What can be changed of an edition: its note, and whether conversations begin with it."""

    begin = forms.BooleanField(required=False, label="New conversations begin with it")

    class Meta:
        model = WorksheetEdition
        fields = ("note",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["begin"].initial = self.instance.active


@admin.register(WorksheetEdition)
class WorksheetEditionAdmin(LimitedByAssistant):
    assistant_path = "assistant__slug"
    list_display = ("assistant", "version", "active", "note", "shipped", "created")
    list_display_links = ("assistant", "version")
    list_filter = ("assistant", "active", "shipped")
    search_fields = ("assistant__title", "assistant__slug", "note")
    list_select_related = ("assistant",)
    add_form_template = f"{TEMPLATES}/add.html"
    change_form_template = f"{TEMPLATES}/change.html"

    class Media:
        css = {"all": ("corpora/worksheets.css",)}

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        return super().get_form(request, obj, change, form=EditionForm if obj else NewEditionForm, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (
            ("assistant", "version", "note", "begin", "created")
            if obj
            else ("assistant", "upload", "text", "note", "begin")
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("assistant", "version", "created") if obj else ()

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        limited = limits_of(request)
        if db_field.name == "assistant" and limited is not None:
            mine = [one.pk for one in assistants_within(limited)]
            kwargs["queryset"] = db_field.remote_field.model.objects.filter(pk__in=mine)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # a conversation may have begun with it

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return a new edition begins as a copy of the one in `?edition=`, as the JSON or CSV that `?form=` names."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        source = self.get_queryset(request).filter(pk=_number(request.GET.get("edition"))).first()
        if source is not None:
            form = Format.CSV if request.GET.get("form") == "csv" else Format.JSON
            initial |= {"assistant": source.assistant_id, "text": _text_of(source, form)}
        return initial

    def save_model(self, request: HttpRequest, obj: WorksheetEdition, form: Any, change: bool) -> None:
        begin = form.cleaned_data["begin"]
        if not change:
            added = add_edition(obj.assistant, form.draft.specification, obj.note, active=begin)
            obj.pk, obj.version = added.pk, added.version  # what the admin goes on with
            for finding in form.draft.warnings:
                messages.warning(request, str(finding))
            return
        WorksheetEdition.objects.filter(pk=obj.pk).update(note=obj.note, active=obj.active and begin)
        if begin and not obj.active:
            activate(obj)

    def get_urls(self) -> list[URLPattern]:
        site = self.admin_site
        own = [
            path("<int:pk>/edit/", site.admin_view(self.edit_view), name="corpora_worksheetedition_edit"),
            path("preview/", site.admin_view(self.preview_view), name="corpora_worksheetedition_preview"),
            path(
                "<int:pk>/export/<str:form>/<str:vocabulary>/",
                site.admin_view(self.export_view),
                name="corpora_worksheetedition_export",
            ),
        ]
        return own + super().get_urls()

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        obj = kwargs.get("obj")
        if obj is not None:
            context |= {"draft": _draft_of(obj), "exports": EXPORTS}
        else:
            form = context["adminform"].form
            text = form.initial.get("text", "")
            draft = getattr(form, "draft", None) or (
                drafted(text.encode(), form_of_text(text), "", "") if text else None
            )
            context["draft"] = draft
        return super().render_change_form(request, context, *args, **kwargs)

    def edit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """An edition field by field; saving adds another edition."""
        edition = get_object_or_404(WorksheetEdition, pk=pk)
        if not (self.has_view_permission(request, edition) and self.has_add_permission(request)):
            raise PermissionDenied
        forms_of = WorksheetForms(request.POST if request.method == "POST" else as_sent(_of(edition)))
        draft = forms_of.draft(edition.assistant.slug, edition.assistant.title)
        if request.POST.get("action") == "save" and draft.specification is not None and not draft.errors:
            note, begin = request.POST.get("note", "")[:300], bool(request.POST.get("begin"))
            added = add_edition(edition.assistant, draft.specification, note, active=begin)
            messages.success(request, f"Saved as {added}." + (" New conversations begin with it." if begin else ""))
            return redirect("admin:corpora_worksheetedition_change", added.pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{edition}, field by field",
            "edition": edition,
            "forms": forms_of,
            "draft": draft,
            "note": request.POST.get("note", ""),
            "begin": request.method != "POST" or "begin" in request.POST,
        }
        return TemplateResponse(request, f"{TEMPLATES}/edit.html", context)

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """What is wrong with the form's text or file, and what it would ask: a fragment, as it is being written."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = NewEditionForm(request.POST, request.FILES)
        form.is_valid()
        return TemplateResponse(request, f"{TEMPLATES}/_draft.html", {"draft": form.draft})

    def export_view(self, request: HttpRequest, pk: int, form: str, vocabulary: str) -> HttpResponse:
        """Return an edition as a file."""
        edition = get_object_or_404(WorksheetEdition, pk=pk)
        if not self.has_view_permission(request, edition):
            raise PermissionDenied
        if form not in Format._value2member_map_ or vocabulary not in Vocabulary._value2member_map_:
            raise Http404(f"There is no format {form}, or no vocabulary {vocabulary}.")
        try:
            data = write(_of(edition), Format(form), Vocabulary(vocabulary))
        except SpecificationError as error:
            raise Http404(error.detail) from error
        name = f"{edition.assistant.slug}-{edition.version}.{form}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(data, content_type=Format(form).content_type, headers=headers)


def _of(edition: WorksheetEdition) -> Specification:
    """The specification of an edition. Raises SpecificationError if it cannot be read."""
    found = specification(edition.assistant.slug, edition.version)
    if found is None:
        raise SpecificationError("This edition is gone.", str(edition))
    return found


def _text_of(edition: WorksheetEdition, form: Format) -> str:
    """An edition as text; its bare document where it cannot be read, so that it can be mended."""
    try:
        return write(_of(edition), form).decode()
    except SpecificationError:
        return json.dumps(edition.document, ensure_ascii=False, indent=2)


def _draft_of(edition: WorksheetEdition) -> Draft:
    try:
        return checked(_of(edition))
    except SpecificationError as error:
        return Draft(None, (Finding(error.detail),))


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None
