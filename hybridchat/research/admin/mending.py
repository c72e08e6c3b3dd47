"""Links from what went wrong in a turn to the forms that mend it, filled in from the turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Model
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from corpora.models import Assistant
from corpora.selectors import assistant_tables
from hybridchat.chat.models import Turn
from hybridchat.research import drafts
from hybridchat.research.models import PlaygroundRun

FROM_RUN = "from_run"
FROM_TURN = "from_turn"  # the parameter of a form's address; the words themselves stay out of addresses and logs


@dataclass(frozen=True, slots=True)
class Way:
    """One way to mend: the model whose form opens, and what the link says. `table` is one the corpus has to have."""

    model: str
    words: str
    table: str = ""


WAYS = (
    Way("research.regressioncase", "Regression case"),
    Way("corpora.fewshotpair", "Few-shot pair"),
    Way("corpora.articlequestion", "Question people ask", "articles"),
    Way("corpora.article", "New article", "articles"),
)

DRAFTS: dict[str, Callable[[Turn], dict[str, Any]]] = {
    "research.regressioncase": drafts.case_from,
    "corpora.fewshotpair": drafts.pair_from,
    "corpora.articlequestion": drafts.question_from,
    "corpora.article": drafts.article_from,
}

RUN_DRAFTS: dict[str, Callable[[PlaygroundRun], dict[str, Any]]] = {
    "research.regressioncase": drafts.case_from_run,
    "corpora.fewshotpair": drafts.pair_from_run,
}


def ways_for(user: Any, turn: UUID, corpus: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the forms that the user may fill in, with what each is called."""
    tables = _tables(corpus)
    if user.has_perm("research.add_playgroundrun"):
        yield f"{reverse('admin:research_playgroundrun_changelist')}?{FROM_TURN}={turn}", "Playground"
    for way in WAYS:
        app, model = way.model.split(".")
        if (way.table and way.table not in tables) or not user.has_perm(f"{app}.add_{model}"):
            continue
        try:
            address = reverse(f"admin:{app}_{model}_add")
        except NoReverseMatch:
            continue
        yield f"{address}?{FROM_TURN}={turn}", way.words


def way_links(user: Any, turn: UUID, corpus: str) -> SafeString:
    """Return the links in a row; a dash where the user may follow none."""
    ways = list(ways_for(user, turn, corpus))
    links = format_html_join(" ", '<a class="way" href="{}">{}</a>', ways)
    return format_html('<span class="ways">{}</span>', links) if ways else SafeString("—")


def values_from_turn(request: HttpRequest, model: type[Model]) -> dict[str, Any]:
    """Return the first values of a form that was opened from a turn, for those who may read conversations."""
    turn = drafts.turn_named(request.GET.get(FROM_TURN, ""))
    give = DRAFTS.get(model._meta.label_lower)
    if turn is None or give is None or not request.user.has_perm("chat.view_turn"):
        return {}
    return give(turn)


def values_from_run(request: HttpRequest, model: type[Model]) -> dict[str, Any]:
    """Return the first values of a form that was opened from a trial of the playground."""
    run = drafts.run_named(request.GET.get(FROM_RUN, ""))
    give = RUN_DRAFTS.get(model._meta.label_lower)
    if run is None or give is None or not request.user.has_perm("research.view_playgroundrun"):
        return {}
    return give(run)


def _tables(corpus: str) -> tuple[str, ...]:
    try:
        return assistant_tables(corpus)
    except Assistant.DoesNotExist:  # of a conversation that outlives its assistant
        return ()
