"""From a stored turn to its `TurnView`: the only way anything about a turn reaches a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone

from agent.backends.builtin.wording import days_named, on_days
from agent.language import CLOSENESS
from agent.record import Card, Outcome, Query, TurnState
from agent.worksheets.acts import ActKind
from hybridchat.chat.display import Displays, displays
from hybridchat.chat.evidence import evidence_views
from hybridchat.chat.faces import BLANK
from hybridchat.chat.markup import prose_html, reply_html, suql_html
from hybridchat.chat.models import Feedback, Turn, TurnEvent
from hybridchat.chat.progress import progress_of
from hybridchat.chat.rendering import (
    CardView,
    ConstraintView,
    FactView,
    FeedbackView,
    PartView,
    QueryView,
    StepView,
    TableView,
    TurnView,
    UsageView,
)
from hybridchat.chat.sheets import card_of, waiting_act
from hybridchat.chat.values import written

Kind = TurnEvent.Kind
MOST_SHOWN = 60  # rows of a query on a page
_SPENT = {"planning": "seconds of planning"}
_NOW = re.compile(r"\b(?:open|right) now\b", re.IGNORECASE)
_QUOTED = re.compile(r"""('(?:[^']|'')*')|"([a-z_][a-z0-9_]*)\"""")  # a text, or a name that is read without quotes


def turn_views(turns: Iterable[Turn]) -> list[TurnView]:
    """Return the views of turns that come with their feedback (`selectors.turns_of`), in the same order."""
    turns = list(turns)
    recorded = [_Recorded(turn, _events(turn)) for turn in turns]
    wanted = {(card.table, card.key) for one in recorded for card in one.cards() if card.key and card.table}
    shown = displays(wanted)
    return [_turn_view(one, shown) for one in recorded]


class _Recorded:
    """What is known of a turn: its stored state, completed by the events of the step that is under way."""

    def __init__(self, turn: Turn, events: Sequence[TurnEvent]) -> None:
        self.turn = turn
        self.events = events
        self.state = TurnState.model_validate(turn.state) if turn.state else None
        self.queries = self._queries()
        self.outcomes = self._outcomes()
        self.rows = self._rows()

    def _queries(self) -> tuple[Query, ...]:
        if self.state and self.state.queries is not None:
            return self.state.queries
        parsed = self._last(Kind.PARSED)
        return tuple(Query.model_validate(query) for query in parsed.get("queries", ()))

    def _outcomes(self) -> dict[int, Outcome]:
        found = dict(enumerate(self.state.outcomes if self.state else ()))
        for event in self.events:
            if event.kind == Kind.OUTCOME:
                found.setdefault(event.payload["query"], Outcome.model_validate(event.payload["outcome"]))
        return found

    def _rows(self) -> dict[int, list[Card]]:
        """The rows of each query, in order: of its outcome, or found so far. A fresh attempt begins with none."""
        places: dict[int, dict[int, Card]] = {}
        for event in self.events:
            if event.kind == Kind.RESUMED:
                places.clear()
            elif event.kind == Kind.RELAXED:
                places.pop(event.payload.get("query", 0), None)
            elif event.kind == Kind.ROW:
                found = places.setdefault(event.payload["query"], {})
                found[event.payload["position"]] = Card.model_validate(event.payload["card"])
        rows = {index: [found[place] for place in sorted(found)] for index, found in places.items()}
        return rows | {index: list(outcome.rows) for index, outcome in self.outcomes.items()}

    def cards(self) -> Iterable[Card]:
        for rows in self.rows.values():
            yield from rows[:MOST_SHOWN]

    def reply(self) -> tuple[str, tuple[str, ...]]:
        """Return the reply as far as it is written, and the suggestions that go with it."""
        if self.state and self.state.reply:
            return self.state.reply.text, self.state.reply.suggestions
        replied = self._last(Kind.REPLIED)
        if replied:
            return replied["text"], tuple(replied.get("suggestions", ()))
        return self._last(Kind.TEXT).get("text", ""), ()

    def unused(self) -> tuple[str, ...]:
        """Return what of the message no query uses."""
        understanding = self.state.understanding if self.state else None
        return understanding.unused if understanding else tuple(self._last(Kind.UNDERSTOOD).get("unused", ()))

    def _last(self, kind: str) -> dict[str, Any]:
        return next((event.payload for event in reversed(self.events) if event.kind == kind), {})


def _events(turn: Turn) -> list[TurnEvent]:
    """A finished turn's state says it all; of a running one, or one that broke off, the events are needed."""
    return [] if turn.status == Turn.Status.DONE else list(turn.events.order_by("seq"))


def _turn_view(recorded: _Recorded, shown: Displays) -> TurnView:
    turn = recorded.turn
    text, suggestions = recorded.reply()
    feedback = getattr(turn, "feedback", None)
    told = turn.kind == Turn.Kind.NOTE
    return TurnView(
        uuid=turn.pk,
        conversation=turn.conversation_id,
        position=turn.position,
        message=turn.message,
        status=turn.status,
        created=turn.created,
        last_event=turn.last_event,
        progress=progress_of(turn.status, recorded.events, recorded.queries),
        queries=_one_card_each(
            _query_view(index, query, recorded, shown) for index, query in enumerate(recorded.queries)
        ),
        reply_html=prose_html(text) if told else reply_html(_beside_card(text, recorded.state), _literals(recorded)),
        reply_text=text,
        suggestions=suggestions,
        card=card_of(recorded.state) if recorded.state else None,
        replies=_replies(recorded.state),
        notes=tuple(dict.fromkeys(note for one in recorded.outcomes.values() for note in one.notes)),
        unused=recorded.unused(),
        error=turn.error,
        seconds=(turn.finished_at - turn.created).total_seconds() if turn.finished_at else 0.0,
        usage=_usage_view(turn.usage),
        feedback=_feedback_view(feedback),
        told=told,
        pressed=_is_pressed(turn),
    )


def _feedback_view(feedback: Feedback | None) -> FeedbackView:
    if feedback is None:
        return FeedbackView()
    reasons = tuple((value, words, value in feedback.reasons) for value, words in Feedback.Reason.choices)
    said = "" if feedback.meant and feedback.of_chip else feedback.meant
    return FeedbackView(feedback.rating, feedback.comment, reasons, said)


def _literals(recorded: _Recorded) -> Iterable[str]:
    """The data that a reply may name: what was typed, the rows, and what was filled in."""
    yield recorded.turn.message
    for card in recorded.cards():
        yield card.title
        yield from _strings(card.values)
    if recorded.state:
        for act in recorded.state.acts:
            yield from _strings([act.values, act.options])
        if recorded.state.dialogue:
            yield from _strings(recorded.state.dialogue.model_dump(mode="json"))


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.values() for text in _strings(one))
    elif isinstance(value, list | tuple):
        yield from (text for one in value for text in _strings(one))


def _is_pressed(turn: Turn) -> bool:
    first = turn.origin if turn.kind == Turn.Kind.RETRY else turn
    return first is not None and first.kind in (Turn.Kind.WITHOUT, Turn.Kind.FORM)


def _beside_card(text: str, state: TurnState | None) -> str:
    """The reply without the list of values that the card below it shows."""
    act = waiting_act(state) if state else None
    if act is None or act.act is not ActKind.CONFIRM:
        return text
    *_, question = act.text.split("\n\n")
    return text.replace(act.text, question)


def _replies(state: TurnState | None) -> tuple[str, ...]:
    """Answers to offer to what was asked; a confirmation has buttons of its own."""
    act = waiting_act(state) if state else None
    return act.options if act and act.act is not ActKind.CONFIRM else ()


def _query_view(index: int, query: Query, recorded: _Recorded, shown: Displays) -> QueryView:
    outcome = recorded.outcomes.get(index)
    query = outcome.query if outcome else query
    rows = recorded.rows.get(index, [])
    shown_rows = rows[:MOST_SHOWN]
    before = _shown_before(index, query, recorded)
    keyed = [row for row in shown_rows if row.key]
    entities = [row for row in keyed if row.evidence or (row.table, row.key) not in before]
    return QueryView(
        index=index,
        question=query.question.words,
        description=query.description,
        parts=tuple(PartView(text, emphasised) for text, emphasised in query.parts),
        constraints=tuple(ConstraintView(one.id, one.label, index) for one in query.constraints),
        suql=query.suql,
        suql_html=suql_html(query.suql) if query.suql else "",
        table=entities[0].table if entities else "",
        presentation=query.parsed.presentation,
        cards=tuple(_card_view(row, shown, _asked_days(query, recorded.turn)) for row in entities),
        grid=_grid(outcome.columns if outcome else (), [row for row in shown_rows if not row.key]),
        total=len(rows),
        above=len(keyed) - len(entities),
        relaxed=outcome.relaxed if outcome else (),
        notes=outcome.notes if outcome else (),
        steps=tuple(_step_views(outcome.plan)) if outcome and outcome.plan else (),
        usage=_usage_view(outcome.usage if outcome else {}),
        complete=outcome.complete if outcome else True,
        done=outcome is not None,
        error=(outcome.error if outcome else "") or query.parsed.problem,
    )


def _shown_before(index: int, query: Query, recorded: _Recorded) -> set[tuple[str, str | None]]:
    """The entities whose cards stand above those of a question that goes on from them: one card of each will do."""
    if not query.question.awaits:
        return set()
    return {(row.table, row.key) for earlier in range(index) for row in recorded.rows.get(earlier, [])[:MOST_SHOWN]}


def _one_card_each(queries: Iterable[QueryView]) -> tuple[QueryView, ...]:
    """The questions with one card for each thing: what a later one found of just what an earlier one shows stands on
    the cards there. Which of them a search found is told by its own list."""
    views: list[QueryView] = []
    for query in queries:
        place = next((place for place, one in enumerate(views) if _is_of_the_same(query, one)), None)
        if place is not None:
            found = len(query.cards)
            one = views[place]
            views[place] = replace(one, cards=(*one.cards, *query.cards), total=one.total + found, shared=True)
            query = replace(query, cards=(), above=query.above + found)
        views.append(query)
    return tuple(views)


def _is_of_the_same(query: QueryView, earlier: QueryView) -> bool:
    found, before = ({(card.table, card.key) for card in one.cards} for one in (query, earlier))
    return bool(found) and (found == before or (found < before and query.presentation != "list"))


def _asked_days(query: Query, turn: Turn) -> tuple[str, ...]:
    """The days of the week that a question, or what it was searched with, names."""
    labels = (one.label for one in query.constraints)
    said = _NOW.sub(" ", " ".join((query.question.words, *labels)))  # of which the card speaks anyway
    return days_named(said, timezone.localtime(turn.created))


def _card_view(card: Card, shown: Displays, days: Sequence[str] = ()) -> CardView:
    display = shown.get((card.table, card.key or "")) or BLANK
    week = display["week"]
    return CardView(
        title=card.title or display["title"] or str(card.key),
        table=card.table,
        key=str(card.key),
        values=card.values,
        display=display,
        facts=tuple(
            FactView(_label(name), written(value))
            for name, value in card.values.items()
            if name not in (*display["columns"], *_unasked(card, display))
            and value not in (None, "", [])
            and not name.startswith(CLOSENESS)
        ),
        evidence=evidence_views(card.evidence),
        asked_hours=on_days(week, days) if days and week else "",
    )


def _unasked(card: Card, display: Mapping[str, Any]) -> frozenset[str]:
    """The columns of a row that was selected whole (`*`): nobody asked for each of them."""
    every = display["every"]
    return every if every <= card.values.keys() else frozenset()


def _grid(columns: Sequence[str], rows: Sequence[Card]) -> TableView | None:
    """Rows that are no entities, as a table; None if there are none."""
    if not rows:
        return None
    names = tuple(columns) or tuple(rows[0].values)
    cells = tuple(tuple(written(row.values.get(name)) for name in names) for row in rows)
    return TableView(tuple(_label(name) for name in names), cells)


def _step_views(plan: Mapping[str, Any], depth: int = 0) -> Iterable[StepView]:
    """A plan (`agent.suql.Step` as a dict) as a flat list, children after their parent, without zeros."""
    spent = {name: value for name, value in plan.get("actual", {}).items() if value}
    named = {name: _SPENT.get(name, _label(name)) for name in spent}
    numbers = tuple(FactView(_counted(named[name], value), written(value)) for name, value in spent.items())
    yield StepView(plan.get("title", ""), _QUOTED.sub(r"\1\2", plan.get("detail", "")), depth, numbers)
    for child in plan.get("children", ()):
        yield from _step_views(child, depth + 1)


def _counted(label: str, value: float) -> str:
    return label.removesuffix("s") if value == 1 else label


def _usage_view(usage: Mapping[str, float]) -> UsageView:
    whole = {name: int(usage.get(name, 0)) for name in ("calls", "cached", "tokens")}
    return UsageView(**whole, cost=usage.get("cost", 0.0), seconds=usage.get("seconds", 0.0))


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()
