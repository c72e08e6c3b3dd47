"""The few-shot bank: pairs of a message and its query, checked as they are saved."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from agent.protocols.errors import QueryError
from corpora.admin.editing import Prefilled
from corpora.admin.limits import LimitedByAssistant
from corpora.examples import check_query
from corpora.models import Assistant, FewShotPair

EXPLAINED = (
    "A question people ask, with the query that answers it. From the moment you save it, it is understood so, and "
    "messages that say the same in nearly the same words are too."
)


class PairForm(forms.ModelForm):
    """A pair whose query the engine accepts."""

    corpus = forms.ChoiceField()
    message = forms.CharField(max_length=500, widget=forms.TextInput(attrs={"size": 80}))

    class Meta:
        model = FewShotPair
        fields = ("corpus", "message", "suql", "presentation", "active", "sets", "note")
        widgets = {"suql": forms.Textarea(attrs={"rows": 6, "cols": 80, "spellcheck": "false"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["corpus"].choices = corpus_choices(self.instance.corpus)  # type: ignore[attr-defined]

    def clean_message(self) -> str:
        return " ".join(self.cleaned_data["message"].split())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("corpus") and cleaned.get("suql"):
            try:
                check_query(cleaned["corpus"], cleaned["suql"])
            except QueryError as error:
                self.add_error("suql", error.sentence)
            except Assistant.DoesNotExist:
                self.add_error("corpus", "This corpus is gone.")
        return cleaned


def corpus_choices(present: str = "") -> list[tuple[str, str]]:
    """Return the corpora to choose from, and the one that is chosen though it may be gone."""
    known = list(Assistant.objects.order_by("position", "title").values_list("slug", "title"))
    return known if not present or present in dict(known) else [*known, (present, f"{present} (gone)")]


@admin.register(FewShotPair)
class FewShotPairAdmin(Prefilled, LimitedByAssistant):
    """What the parser learns from at once, in every process."""

    assistant_path = "corpus"
    form = PairForm
    list_display = ("message", "corpus", "presentation", "active", "by", "changed")
    list_editable = ("active",)
    list_filter = ("corpus", "active", "presentation", "changed")
    search_fields = ("message", "suql", "note")
    fieldsets = ((None, {"fields": PairForm.Meta.fields, "description": EXPLAINED}),)
    list_select_related = ("by",)

    def save_model(self, request: HttpRequest, obj: FewShotPair, form: Any, change: bool) -> None:
        obj.by = obj.by or request.user  # type: ignore[assignment]
        super().save_model(request, obj, form, change)
