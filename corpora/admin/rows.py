"""The rows of imported corpora: seen, searched, edited, added, deleted; and every version, to go back to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.http import urlencode

from corpora.admin.editing import ReadOnlyAdmin
from corpora.admin.limits import LimitedByCorpus, check_corpus
from corpora.admin.row_forms import RowForm, shown
from corpora.importing import editing
from corpora.importing.erasing import erase, going
from corpora.importing.finding import StoredTable, hanging, search
from corpora.importing.removing import NotThere, hanging_on, set_aside
from corpora.importing.reverting import version_at
from corpora.importing.specification import ColumnKind, ColumnSpec
from corpora.importing.storing import NameTaken
from corpora.importing.tables import ROW_EDIT, ROW_ORIGIN
from corpora.models import CorpusVersion, RowChange
from corpora.services import bring_back_and_index, go_back_and_index

TEMPLATES = "admin/corpora/rows"
PAGE = 50  # rows
MOST_COLUMNS = 7  # of the list
LONGEST_CELL = 80  # characters of the list
MOST_CHANGES = 30
PROSE = (ColumnKind.FREE_TEXT, ColumnKind.FREE_TEXTS)


@admin.register(RowChange)
class RowChangeAdmin(LimitedByCorpus, ReadOnlyAdmin):
    """What was before in rows that were changed; beside it, the pages of the rows themselves."""

    corpus_path = "version__corpus"
    list_display = ("version", "table", "origin")
    list_filter = ("table",)
    list_select_related = ("version",)
    search_fields = ("table", "origin", "version__corpus")

    class Media:
        css = {"all": ("corpora/importing.css",)}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("of/<slug:corpus>/", view(self.versions_view), name="corpora_versions"),
            path("of/<slug:corpus>/remove/", view(self.remove_view), name="corpora_remove"),
            path("of/<slug:corpus>/erase/", view(self.erase_view), name="corpora_erase"),
            path("of/<slug:corpus>/bring-back/", view(self.bring_back_view), name="corpora_bring_back"),
            path("of/<slug:corpus>/<slug:table>/", view(self.rows_view), name="corpora_rows"),
            path("of/<slug:corpus>/<slug:table>/row/", view(self.row_view), name="corpora_row"),
            path("of/<slug:corpus>/<slug:table>/delete/", view(self.delete_row_view), name="corpora_row_delete"),
            path("undo/<int:pk>/", view(self.undo_view), name="corpora_row_undo"),
        ]
        return own + super().get_urls()

    def _may(self, request: HttpRequest, corpus: str, change: bool) -> None:
        check_corpus(request, corpus)
        allowed = request.user.has_perm(f"corpora.{'change' if change else 'view'}_corpusversion")
        if not allowed and not (not change and request.user.has_perm("corpora.change_corpusversion")):
            raise PermissionDenied

    def rows_view(self, request: HttpRequest, corpus: str, table: str) -> HttpResponse:
        """List the rows of a table."""
        self._may(request, corpus, change=False)
        one = _table(corpus, table)
        words, edited = request.GET.get("q", ""), bool(request.GET.get("edited"))
        page = max(int(request.GET.get("p") or 1), 1) if (request.GET.get("p") or "1").isdecimal() else 1
        rows, number = search(one, words, edited, (page - 1) * PAGE, PAGE)
        columns = _of_the_list(one)
        listed = [
            (row[ROW_ORIGIN], row[ROW_EDIT], [(column, _short(shown(column, row[column.name]))) for column in columns])
            for row in rows
        ]
        return self._page(
            request, "list.html", one, rows=listed, columns=columns, number=number, words=words, edited=edited,
            page=page, title=_name_of_list(one.table.noun[1], corpus), more=number > page * PAGE,
        )  # fmt: skip

    def row_view(self, request: HttpRequest, corpus: str, table: str) -> HttpResponse:
        """Show a row, `?of=` what tells it apart, and take what is changed of it; without, a new one."""
        self._may(request, corpus, change=request.method == "POST")
        one, origin = _table(corpus, table), request.GET.get("of", "")
        row = one.row(origin) if origin else None
        if origin and row is None:
            raise Http404("This row is gone.")
        form = RowForm(one, row, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            try:
                if row is None:
                    origin = editing.add(corpus, table, form.cleaned_data, request.user)
                elif form.changed_data:
                    editing.edit(corpus, table, origin, form.values(), request.user)
            except (editing.KeyTaken, editing.Busy, NotThere) as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, "Saved. It counts from now on.")
                return HttpResponseRedirect(_address("corpora_row", one, origin))
        return self._page(
            request, "row.html", one, form=form, row=row, origin=origin, changes=_changes(one, origin, row),
            title=(row and _title(one, row)) or f"Add a {one.table.noun[0]}",
        )  # fmt: skip

    def delete_row_view(self, request: HttpRequest, corpus: str, table: str) -> HttpResponse:
        """Ask, saying what hangs on a row; then delete it."""
        self._may(request, corpus, change=True)
        one, origin = _table(corpus, table), request.GET.get("of", "")
        row = one.row(origin)
        if row is None or row[ROW_EDIT] == "deleted":
            raise Http404("This row is gone.")
        if request.method == "POST":
            try:
                editing.delete(corpus, table, origin, request.user)
            except editing.Busy as error:
                messages.error(request, str(error))
            else:
                messages.success(request, "Deleted. Its page still leads back to it.")
            return HttpResponseRedirect(_address("corpora_row", one, origin))
        hangs = hanging(one, row)
        return self._page(request, "delete.html", one, row=row, origin=origin, hangs=hangs, title=_title(one, row))

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Let a row be what it was before a change."""
        change = get_object_or_404(RowChange.objects.select_related("version"), pk=pk)
        self._may(request, change.version.corpus, change=True)
        if request.method != "POST":
            raise PermissionDenied
        one = _table(change.version.corpus, change.table)
        try:
            editing.undo(change, request.user)
        except (editing.Busy, NotThere) as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"The row is as it was before version {change.version.number}.")
        if one.row(change.origin) is None:
            return HttpResponseRedirect(reverse("admin:corpora_rows", args=[change.version.corpus, change.table]))
        return HttpResponseRedirect(_address("corpora_row", one, change.origin))

    def versions_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """List the versions of a corpus, and go back to one, or to what was at a moment."""
        self._may(request, corpus, change=request.method == "POST")
        versions = CorpusVersion.objects.filter(corpus=corpus).select_related("by").order_by("-number")
        if not versions:
            raise Http404("There is no such corpus.")
        if request.method == "POST":
            try:
                to = _chosen(corpus, request)
                version = go_back_and_index(to, request.user)
            except NotThere as error:
                messages.error(request, str(error))
            else:
                messages.success(request, f"The corpus is what it was at version {to.number} (now {version.number}).")
            return HttpResponseRedirect(reverse("admin:corpora_versions", args=[corpus]))
        active = next((one for one in versions if one.active), None)
        context = {
            **self.admin_site.each_context(request), "opts": self.model._meta, "media": self.media, "corpus": corpus,
            "versions": versions[:200], "tables": _tables(active) if active else [],
            "title": f"Versions of {corpus}", "may_change": request.user.has_perm("corpora.change_corpusversion"),
        }  # fmt: skip
        return TemplateResponse(request, f"{TEMPLATES}/versions.html", context)

    def remove_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """Ask, saying what hangs on a corpus; then set it aside."""
        self._may_remove(request, corpus)
        try:
            hangs = hanging_on(corpus)
            if request.method == "POST":
                set_aside(corpus, request.user)
                messages.success(request, f"{corpus} is removed. It can be brought back below.")
                return HttpResponseRedirect(reverse("admin:corpora_corpora"))
        except NotThere as error:
            raise Http404(str(error)) from error
        context = {
            **self.admin_site.each_context(request), "opts": self.model._meta, "media": self.media, "corpus": corpus,
            "hangs": hangs, "title": f"Remove {corpus}",
        }  # fmt: skip
        return TemplateResponse(request, f"{TEMPLATES}/remove.html", context)

    def erase_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """Ask for the name of a corpus that was removed, saying what goes; then delete it for good."""
        self._may_remove(request, corpus)
        try:
            goes = going(corpus)
            if request.method == "POST" and request.POST.get("name", "").strip() == corpus:
                erase(corpus)
                messages.success(request, f"{corpus} is deleted for good.")
                return HttpResponseRedirect(reverse("admin:corpora_corpora"))
        except NotThere as error:
            raise Http404(str(error)) from error
        context = {
            **self.admin_site.each_context(request), "opts": self.model._meta, "media": self.media, "corpus": corpus,
            "goes": goes, "title": f"Delete {corpus} for good", "wrong": request.method == "POST",
        }  # fmt: skip
        return TemplateResponse(request, f"{TEMPLATES}/erase.html", context)

    def bring_back_view(self, request: HttpRequest, corpus: str) -> HttpResponse:
        """Let a corpus that was removed be there again."""
        self._may_remove(request, corpus)
        if request.method != "POST":
            raise PermissionDenied
        try:
            bring_back_and_index(corpus, request.user)
        except NotThere as error:
            raise Http404(str(error)) from error
        except NameTaken as error:
            messages.error(request, f"It cannot be brought back: {error}.")
            return HttpResponseRedirect(reverse("admin:corpora_corpora"))
        messages.success(request, f"{corpus} is there again, as it was.")
        return HttpResponseRedirect(reverse("admin:corpora_corpus", args=[corpus]))

    def _may_remove(self, request: HttpRequest, corpus: str) -> None:
        check_corpus(request, corpus)
        if not request.user.has_perm("corpora.delete_corpusversion"):
            raise PermissionDenied

    def _page(self, request: HttpRequest, template: str, one: StoredTable, **context: Any) -> TemplateResponse:
        context |= {
            **self.admin_site.each_context(request), "opts": self.model._meta, "media": self.media,
            "corpus": one.version.corpus, "table": one.table, "tables": _tables(one.version),
            "may_change": request.user.has_perm("corpora.change_corpusversion"),
        }  # fmt: skip
        return TemplateResponse(request, f"{TEMPLATES}/{template}", context)


def _table(corpus: str, table: str) -> StoredTable:
    try:
        return StoredTable(corpus, table)
    except NotThere as error:
        raise Http404(str(error)) from error


def _tables(version: CorpusVersion) -> list[str]:
    """The tables of a version, in the order of its specification."""
    return [table["name"] for table in version.specification["tables"]]


def _address(name: str, one: StoredTable, origin: str) -> str:
    where = reverse(f"admin:{name}", args=[one.version.corpus, one.table.name])
    return f"{where}?{urlencode({'of': origin})}"


def _of_the_list(one: StoredTable) -> list[ColumnSpec]:
    """The columns that a list shows: the title first, then the others but prose."""
    short = [column for column in one.columns if column.kind not in PROSE] or one.columns
    short.sort(key=lambda column: column.name != one.table.title)
    return short[:MOST_COLUMNS]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_CELL else f"{line[:LONGEST_CELL]}…"


def _title(one: StoredTable, row: dict[str, Any]) -> str:
    column = next((column for column in one.columns if column.name == one.table.title), one.columns[0])
    return _short(shown(column, row[column.name])) or row[ROW_ORIGIN]


def _changes(one: StoredTable, origin: str, now: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What changed in a row, the last first: by whom, when, and each value before and after."""
    found = RowChange.objects.filter(version__corpus=one.version.corpus, table=one.table.name, origin=origin)
    changes, after = [], now
    for change in found.select_related("version__by").order_by("-version__number")[:MOST_CHANGES]:
        changes.append(
            {"change": change, "differs": _differs(one, change.before, after), "what": _what(change.before, after)}
        )
        after = change.before
    return changes


def _there(row: dict[str, Any] | None) -> bool:
    return row is not None and row.get(ROW_EDIT) != "deleted"


def _what(before: dict[str, Any] | None, after: dict[str, Any] | None) -> str:
    if not _there(before):
        return "added" if _there(after) else "left out"
    return "changed" if _there(after) else "deleted"


def _differs(
    one: StoredTable, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> list[tuple[str, str, str]]:
    if not (_there(before) and _there(after)) or before is None or after is None:
        return []
    pairs = [(column, before.get(column.name), after.get(column.name)) for column in one.columns]
    return [
        (column.name, _short(shown(column, was)), _short(shown(column, now)))
        for column, was, now in pairs
        if was != now
    ]


def _chosen(corpus: str, request: HttpRequest) -> CorpusVersion:
    """The version that a form names, or the one that counted at a moment. Raises NotThere."""
    if said := request.POST.get("moment", ""):
        try:
            moment = timezone.make_aware(datetime.fromisoformat(said))
        except ValueError as error:
            raise NotThere("That is no date with a time.") from error
        return version_at(corpus, moment)
    return get_object_or_404(CorpusVersion, corpus=corpus, number=request.POST.get("number") or 0)


def _name_of_list(nouns: str, corpus: str) -> str:
    """What a list of rows is called; "Choirs" where they are those of the corpus of that name."""
    return nouns.capitalize() + ("" if nouns == corpus.replace("_", " ") else f" of {corpus}")
