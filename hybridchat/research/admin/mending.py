"""Links from what went wrong in a turn to the forms that mend it, filled in from the turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from corpora.selectors import assistant_tables

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


def ways_for(user: Any, turn: UUID, corpus: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the forms that the user may fill in, with what each is called."""
    tables = _tables(corpus)
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


def _tables(corpus: str) -> tuple[str, ...]:
    from corpora.models import Assistant

    try:
        return assistant_tables(corpus)
    except Assistant.DoesNotExist:  # of a conversation that outlives its assistant
        return ()
