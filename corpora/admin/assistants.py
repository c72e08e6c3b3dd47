"""Assistants: made in a minute, live on save."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString

from agent.protocols.errors import SpecificationError
from corpora import rights
from corpora.admin.editing import OneALine
from corpora.admin.limits import LimitedAdmin, limits_of
from corpora.admin.shown import brief
from corpora.catalogue.imported import whole_catalogue
from corpora.kept_pictures import keep
from corpora.loading.worksheets import add_edition
from corpora.models import Assistant, WorksheetEdition
from corpora.pictures.files import NotAPicture, type_of
from corpora.questions import questions_of
from corpora.rights import assistants_within
from corpora.selectors import specification

LANGUAGES = "hybridchat.chat.languages.languages_to_choose"  # by name: this package imports nothing of the site


class AssistantForm(forms.ModelForm):
    """Everything about an assistant; what is left empty is drafted from its corpora."""

    tables = forms.MultipleChoiceField(
        label="What it knows",
        widget=forms.CheckboxSelectMultiple,
        help_text="What stood here first is asked first; what is added comes last.",
    )
    upload = forms.FileField(
        label="Picture", required=False, help_text="PNG, JPEG, GIF or WebP, 4:3, up to 2 MB. Without one, one is drawn."
    )
    drawn = forms.BooleanField(label="Remove the picture; draw one", required=False)
    language = forms.ChoiceField(label="Language model", required=False)
    worksheets = forms.ModelChoiceField(
        WorksheetEdition.objects.none(),
        label="Copy the worksheets of",
        required=False,
        help_text="What people can get done with it. They become its own, and can be changed on their own page.",
    )

    class Meta:
        model = Assistant
        fields = (
            "title", "slug", "description", "welcome", "example_questions", "tables", "audience", "group", "language",
            "active", "position",
        )  # fmt: skip
        widgets = {"description": forms.Textarea(attrs={"rows": 2}), "welcome": forms.Textarea(attrs={"rows": 4})}

    limited: frozenset[str] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "tables" in self.fields:
            self.fields["tables"].choices = self._tables()
        if "group" in self.fields:
            for may in ("add", "change", "delete", "view"):  # groups are made elsewhere
                setattr(self.fields["group"].widget, f"can_{may}_related", False)
        if "language" in self.fields:
            choices = dict(import_string(LANGUAGES)())
            choices.setdefault(self.instance.language, self.instance.language)
            self.fields["language"].choices = list(choices.items())
        if "worksheets" in self.fields:
            others = WorksheetEdition.objects.filter(active=True).exclude(assistant=self.instance.pk)
            if self.limited is not None:
                others = others.filter(assistant__in=[one.pk for one in assistants_within(self.limited)])
            self.fields["worksheets"].queryset = others.select_related("assistant")

    def _tables(self) -> list[tuple[str, list[tuple[str, str]]]]:
        known = whole_catalogue()
        return [
            (name.replace("_", " ").capitalize(), [(one, _named(one)) for one in tables if one in known])
            for name, tables in rights.corpora().items()
            if self.limited is None or name in self.limited
        ]

    def clean_tables(self) -> list[str]:
        """The tables that stay in their order, then those that were added."""
        chosen = self.cleaned_data["tables"]
        kept = [name for name in self.instance.tables if name in chosen]
        return [*kept, *(name for name in chosen if name not in kept)]

    def clean_upload(self) -> Any:
        upload = self.cleaned_data["upload"]
        if not upload:
            return None
        body = upload.read()
        try:
            return body, type_of(body)
        except NotAPicture as error:
            raise forms.ValidationError(str(error)) from error

    def clean_worksheets(self) -> Any:
        """The specification to copy, and the edition it is of."""
        edition = self.cleaned_data["worksheets"]
        if edition is None:
            return None
        try:
            return specification(edition.assistant.slug, edition.version), edition
        except SpecificationError as error:
            raise forms.ValidationError(error.detail) from error

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("audience") == Assistant.Audience.GROUP and not cleaned.get("group"):
            self.add_error("group", "Name the group whose members may use it.")
        return cleaned


def _named(table: str) -> str:
    found = whole_catalogue().table(table)
    return f"{table.replace('_', ' ')}{f': {found.description}' if found and found.description else ''}"


@admin.register(Assistant)
class AssistantAdmin(OneALine, LimitedAdmin):
    form = AssistantForm
    list_display = ("face", "title", "table_names", "audience", "active", "position", "open_link")
    list_display_links = ("title",)
    list_editable = ("active", "position")
    list_filter = ("active", "audience")
    search_fields = ("title", "slug", "description", "example_questions")
    prepopulated_fields = {"slug": ("title",)}
    readonly_fields = ("face_now", "open_link", "worksheet_pages")
    table_names = brief("tables", "knows")
    formfield_overrides = {models.TextField: {"widget": forms.Textarea(attrs={"rows": 4, "cols": 70})}}

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        seen = ("title", "slug", "description", "tables")
        return (
            (None, {"fields": ("open_link", *seen) if obj else seen}),
            (
                "What people see first",
                {
                    "fields": ("welcome", "example_questions", *(("face_now",) if obj else ()), "upload")
                    + (("drawn",) if obj and obj.picture_id else ()),
                    "description": "Without a welcome of its own it says that of its corpus. Questions left empty are "
                    "drafted from the data.",
                },
            ),
            ("Who may use it", {"fields": ("audience", "group", "active", "position")}),
            ("What answers", {"fields": ("language", *(("worksheet_pages",) if obj else ()), "worksheets")}),
        )

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type(form.__name__, (form,), {"limited": limits_of(request)})

    def corpora_of(self, obj: Assistant) -> set[str]:
        return rights.corpora_of(obj.tables)

    def within(self, rows: models.QuerySet[Any], limited: frozenset[str]) -> models.QuerySet[Any]:
        return rows.filter(pk__in=[one.pk for one in assistants_within(limited)])

    def save_model(self, request: HttpRequest, obj: Assistant, form: Any, change: bool) -> None:
        cleaned = form.cleaned_data
        if picture := cleaned.get("upload"):
            obj.picture = keep(*picture)
        elif cleaned.get("drawn"):
            obj.picture = None
        if "tables" in cleaned and not obj.example_questions:
            obj.example_questions = list(questions_of(obj.tables))
            if obj.example_questions:
                messages.info(request, "Its questions are drafted from the data. Look them through.")
        super().save_model(request, obj, form, change)
        if copied := cleaned.get("worksheets"):
            found, edition = copied
            add_edition(obj, found, f"Copied from {edition}", active=True)

    @admin.display(description="")
    def face(self, one: Assistant) -> SafeString:
        address = reverse("chat:assistant_picture", args=[one.slug])
        return format_html(
            '<img class="face" src="{}?{}" alt="" width="80" height="60">', address, one.picture_id or ""
        )

    @admin.display(description="now")
    def face_now(self, one: Assistant) -> SafeString:
        return self.face(one)

    @admin.display(description="its address")
    def open_link(self, one: Assistant) -> SafeString:
        address = reverse("chat:assistant", args=[one.slug])
        return format_html('<a href="{}">{}</a>', address, address)

    @admin.display(description="its worksheets")
    def worksheet_pages(self, one: Assistant) -> SafeString | str:
        edition = one.editions.filter(active=True).first()
        if edition is None:
            return "none"
        return format_html(
            '<a href="{}">edition {}</a>',
            reverse("admin:corpora_worksheetedition_change", args=[edition.pk]),
            edition.version,
        )
