"""Tags and filters of the chat's pages: icons, messages for the websocket, and how cards read.

Nothing here decides what is shown; it only shapes what `hybridchat.chat.rendering` hands over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from hybridchat.chat.markup import prose_html
from hybridchat.chat.rendering import CardView, EvidenceView, FactView

register = template.Library()

LONG, ESSAY = 110, 320  # characters from which a question is set smaller


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return a drawn icon from the sprite, hidden from assistive technology: the words beside it say what it means."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', static("img/icons.svg"), name)


@register.simple_tag
def message(kind: str, **values: object) -> str:
    """The JSON of `hx-vals`: what a button sends over the websocket. Escaped by the template like any other value."""
    return json.dumps({"type": kind, **{name: str(value) for name, value in values.items()}})


@register.filter
def question_class(text: str) -> str:
    """The longer the question, the smaller it is set."""
    if len(text) > ESSAY:
        return "question question--essay"
    return "question question--long" if len(text) > LONG else "question"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a row matched, for one question: the quote that shows it, others that agree, others that do not."""

    question: str
    lead: EvidenceView
    more: tuple[EvidenceView, ...]
    against: tuple[EvidenceView, ...]

    @property
    def value(self) -> str:
        """What was concluded; "" if the marked words say it themselves."""
        marked = " ".join(segment.text for segment in self.lead.excerpt if segment.marked)
        return "" if self.lead.value in marked else self.lead.value

    @property
    def summary(self) -> str:
        """What opening the rest will show: "2 more that say so, 1 disagrees"."""
        agree = f"{len(self.more)} more that {_verb(self.more, 'says', 'say')} so" if self.more else ""
        disagree = f"{len(self.against)} {_verb(self.against, 'disagrees', 'disagree')}" if self.against else ""
        return ", ".join(part for part in (agree, disagree) if part) or "The whole text"

    @property
    def opens(self) -> bool:
        """Whether there is more to show than the lead's excerpt."""
        return bool(self.more or self.against or self.lead.shortened)


def _verb(quotes: tuple[EvidenceView, ...], one: str, several: str) -> str:
    return one if len(quotes) == 1 else several


@register.filter
def reasons(card: CardView) -> list[Reason]:
    """Return the card's evidence by question, in the order the questions were asked."""
    by_question: dict[str, list[EvidenceView]] = {}
    for evidence in card.evidence:
        by_question.setdefault(evidence.question, []).append(evidence)
    return [_reason(question, quotes) for question, quotes in by_question.items()]


def _reason(question: str, quotes: list[EvidenceView]) -> Reason:
    lead = next((quote for quote in quotes if quote.supports), quotes[0])
    rest = [quote for quote in quotes if quote is not lead]
    agree = tuple(quote for quote in rest if quote.supports)
    disagree = tuple(quote for quote in rest if not quote.supports)
    return Reason(question, lead, agree, disagree)


@register.filter
def merged(cards: Iterable[CardView]) -> list[CardView]:
    """One card for each thing, in order: a join has several rows of it, each with facts and evidence of its own."""
    by_key: dict[tuple[str, str], CardView] = {}
    for card in cards:
        known = by_key.get((card.table, card.key))
        by_key[card.table, card.key] = known.and_also(card) if known else card
    return list(by_key.values())


@register.filter
def why_title(card: CardView, presentation: str = "list") -> str:
    """A condition that holds is why a row of a search matched; an answer, a yes or a no too where it was asked for, is
    where the row says so; where nothing answers, it is what comes nearest."""
    if not any(evidence.value for evidence in card.evidence):
        return "What comes nearest"
    decided = all(evidence.value in ("Yes", "No", "") for evidence in card.evidence)
    return "Why this matched" if decided and presentation == "list" else "Where it says so"


@register.filter
def untold_facts(card: CardView) -> list[FactView]:
    """Return the facts that the evidence below them does not already give as its answer."""
    told = {evidence.value for evidence in card.evidence}
    return [fact for fact in card.facts if fact.value not in told]


@register.filter
def prose(text: str) -> SafeString:
    """Render what the staff wrote as sanitised HTML."""
    return SafeString(prose_html(text))


@register.filter
def joined(values: Iterable[object]) -> str:
    """Values as a list in a sentence, without "and"."""
    return ", ".join(str(value) for value in values)
