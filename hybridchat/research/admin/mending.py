"""Links from what went wrong in a turn to the forms that mend it, filled in from the turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from corpora.admin.limits import assistant_slugs
from corpora.examples import tables_of
from corpora.models import Article, Assistant, CorpusVersion
from corpora.rights import corpora, limits
from corpora.selectors import assistant_tables
from hybridchat.chat.models import Turn
from hybridchat.research import drafts
from hybridchat.research.copies import note_copy, note_copy_of_trial
from hybridchat.research.models import PlaygroundRun

FROM_RUN = "from_run"
FROM_TURN = "from_turn"  # the parameter of a form's address; the words themselves stay out of addresses and logs


ARTICLES = "articles"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to mend: the model whose form opens, and what the link says.

    `table` is one the corpus has to have, and `elsewhere` what the link says for a corpus without articles: there, what
    people ask is kept with the query that answers it, not with a page.
    """

    model: str
    words: str
    table: str = ""
    elsewhere: str = ""


WAYS = (
    Way("research.regressioncase", "Regression case"),
    Way("corpora.fewshotpair", "Few-shot pair", elsewhere="Question people ask (few-shot pair)"),
    Way("corpora.articlequestion", "Question people ask", ARTICLES),
    Way("corpora.article", "New article", ARTICLES),
)

DRAFTS: dict[str, Callable[[Turn], dict[str, Any]]] = {
    "research.regressioncase": drafts.case_from,
    "corpora.fewshotpair": drafts.pair_from,
    "corpora.articlequestion": drafts.question_from,
}

RUN_DRAFTS: dict[str, Callable[[PlaygroundRun], dict[str, Any]]] = {
    "research.regressioncase": drafts.case_from_run,
    "corpora.fewshotpair": drafts.pair_from_run,
}


class Ways:
    """The addresses on which a user may mend what went wrong, each with what it is called."""

    def __init__(self, user: Any) -> None:
        self.user = user
        self._tables: dict[str, tuple[str, ...]] = {}

    def of(self, turn: UUID, corpus: str, suql: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
        """Yield the ways to mend a turn of an assistant, which searched with these queries."""
        tables = self._tables_of(corpus)
        if self.user.has_perm("research.add_playgroundrun"):
            yield f"{reverse('admin:research_playgroundrun_changelist')}?{FROM_TURN}={turn}", "Playground"
        for way in WAYS:
            app, model = way.model.split(".")
            if (way.table and way.table not in tables) or not self.user.has_perm(f"{app}.add_{model}"):
                continue
            words = way.words if ARTICLES in tables else way.elsewhere or way.words
            yield f"{reverse(f'admin:{app}_{model}_add')}?{FROM_TURN}={turn}", words
        read = [table for query in suql for table in tables_of(query) if table in tables]
        for table in dict.fromkeys(read or tables):
            if address := self.words_for(table, turn=turn):
                yield address, f"Words for {table.replace('_', ' ')}"
            if address := self.rows_of(table):
                yield address, f"Rows of {table.replace('_', ' ')}"

    def links(self, turn: UUID, corpus: str, suql: Iterable[str] = ()) -> SafeString:
        """Return the links in a row; a dash where the user may follow none."""
        ways = list(self.of(turn, corpus, suql))
        links = format_html_join(" ", '<a class="way" href="{}">{}</a>', ways)
        return format_html('<span class="ways">{}</span>', links) if ways else SafeString("—")

    def words_for(self, table: str, column: str = "", turn: UUID | None = None) -> str:
        """Return the address at which a table or a column, and its values, get other words; "" where it is not theirs.

        It is the corpus's page, open at the place; it shows what was asked in a turn.
        """
        corpus = self._corpus_of.get(table, "")
        if not corpus or not self._may_describe(corpus):
            return ""
        address = reverse("admin:corpora_corpus", args=[corpus])
        if column:
            return f"{address}?at={table}.{column}#at-{table}.{column}"
        return f"{address}{f'?{FROM_TURN}={turn}' if turn else ''}#table-{table}"

    def rows_of(self, table: str) -> str:
        """Return the address of the rows of an imported table, where what they say is mended; "" where it is not
        theirs."""
        corpus, name = self._stored.get(table, ("", ""))
        if not corpus or not self.user.has_perm("corpora.change_corpusversion"):
            return ""
        if self._limited is not None and corpus not in self._limited:
            return ""
        return reverse("admin:corpora_rows", args=[corpus, name])

    @cached_property
    def _stored(self) -> dict[str, tuple[str, str]]:
        """The imported tables that can be asked: the corpus of each, and what it is called there."""
        versions = CorpusVersion.objects.filter(active=True).values_list("corpus", "stored")
        return {one["view"]: (corpus, name) for corpus, stored in versions for name, one in stored.items()}

    @cached_property
    def _corpus_of(self) -> dict[str, str]:
        return {table: name for name, tables in corpora().items() for table in tables}

    @cached_property
    def _limited(self) -> frozenset[str] | None:
        return limits(self.user)

    def _may_describe(self, corpus: str) -> bool:
        may = self.user.has_perm("corpora.change_corpusdescription")
        return may and (self._limited is None or corpus in self._limited)

    def _tables_of(self, corpus: str) -> tuple[str, ...]:
        if corpus not in self._tables:
            try:
                self._tables[corpus] = assistant_tables(corpus)
            except Assistant.DoesNotExist:  # of a conversation that outlives its assistant
                self._tables[corpus] = ()
        return self._tables[corpus]


def turn_opened_from(request: HttpRequest) -> Turn | None:
    """Return the turn that a form was opened from; None for whoever may not read its conversation."""
    turn = drafts.turn_named(request.GET.get(FROM_TURN, ""))
    if turn is None or not request.user.has_perm("chat.view_turn"):
        return None
    allowed = assistant_slugs(request)
    return turn if allowed is None or turn.conversation.assistant in allowed else None


def asked_in_turn(request: HttpRequest) -> str:
    """Return the message of the turn that a page was opened from, for those who may read conversations."""
    turn = turn_opened_from(request)
    return turn.message if turn else ""


def values_from_turn(request: HttpRequest, model: type[Model]) -> dict[str, Any]:
    """Return the first values of a form that was opened from a turn, for those who may read conversations.

    An article is for everybody to read, and has none: the page says what was asked.
    """
    turn, give = turn_opened_from(request), DRAFTS.get(model._meta.label_lower)
    if turn and model is Article:
        messages.info(request, f"Somebody asked: “{turn.message}”")
    return give(turn) if turn and give else {}


def note_what_was_made(request: HttpRequest, made: Model) -> None:
    """Note of a new row of which turn it was made, or of which trial."""
    if turn := turn_opened_from(request):
        note_copy(turn, made)
    if run := run_opened_from(request):
        note_copy_of_trial(run, made)


def run_opened_from(request: HttpRequest) -> PlaygroundRun | None:
    """Return the trial of one's own that a form was opened from."""
    run = drafts.run_named(request.GET.get(FROM_RUN, ""))
    may = run is not None and run.by_id == request.user.pk and request.user.has_perm("research.view_playgroundrun")
    return run if may else None


def values_from_run(request: HttpRequest, model: type[Model]) -> dict[str, Any]:
    """Return the first values of a form that was opened from a trial of one's own in the playground."""
    run, give = run_opened_from(request), RUN_DRAFTS.get(model._meta.label_lower)
    return give(run) if run and give else {}
