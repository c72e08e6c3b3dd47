"""What the templates are given: one `TurnView` a turn, and the HTML fragments that a browser swaps in by id.

Everything a person reads goes through Django's autoescaping, except `reply_html` and `suql_html`, which
`hybridchat.chat.markup` has sanitised. A view is built from the stored turn and its events alone, so a page load, a
reconnect and a second tab show the same thing.

Pages (`hybridchat.chat.views`)::

    chat/start.html    {assistants, history, notice, may_connect, limits, fresh_uuid}
    chat/page.html     {conversation, assistant, assistants, turns, running, cursor, history, notice, may_connect,
                        limits}
    chat/connect.html  {offers, chosen, problem}
    chat/refused.html  {problem}

Fragments and the ids they own (where `oob` is true, their root carries `hx-swap-oob="true"`)::

    chat/turn.html            {turn, oob}            #turn-<uuid>      the whole turn; includes the _turn_* partials
    chat/_turn_status.html    {turn, progress, oob}  #status-<uuid>    progress in words, polite live region
    chat/_turn_searched.html  {turn, oob}            #searched-<uuid>  "I searched for ...", chips
    chat/_turn_rows.html      {turn, oob}            #rows-<uuid>      cards
    chat/_turn_text.html      {turn, oob}            #text-<uuid>      the reply
    chat/_turn_card.html      {turn, oob}            #card-<uuid>      what is to be confirmed, quick replies
    chat/_sheets.html         {sheets, oob}          #sheets           the tasks under way, in a panel
    chat/_turn_foot.html      {turn, oob}            #foot-<uuid>      how I searched, feedback, copy, suggestions
    chat/_composer.html       {running, oob}         #composer-actions Send, or Stop while `running` (a TurnView)
    chat/_history.html        {history, conversation, query, oob}  #history
    chat/_refusal.html        {problem, answers, oob}  #refusal        too fast, too long; `answers` is the frame's uuid
    chat/_line.html           {place, words, oob}    #line            the place of a message that is being stored
    chat/_announcement.html   {turn, oob}            #announcement     a finished reply, to be read out once

A turn that the page does not have yet arrives as `<div hx-swap-oob="beforeend:#turns">` around `chat/turn.html`.
Every frame ends with `<div id="cursor" data-after="POSITION.SEQ" hidden hx-swap-oob="true">`: the last event seen,
which the browser gives back as `?after=` when it reconnects (`htmx.createWebSocket` can be overridden to add it).

What the browser sends over `ws/chat/<conversation uuid>/`, as htmx's ws extension sends forms (HEADERS is ignored)::

    {type: "send", uuid: <new uuid4>, message}      {type: "stop", turn}
    {type: "retry", uuid, turn}                     {type: "without", uuid, turn, query, constraint}
    {type: "feedback", turn, rating: 1|-1|0, comment, reasons}
    {type: "meant", uuid, turn, message}
    {type: "form", uuid, act: assign|pick|decline|confirm|abandon|resume, instance, field, value, key, yes, digest}

Every frame may carry a `uuid`; once it is done, or refused, `{"heard": uuid}` comes back, and until then the browser
sends it again after a reconnect. The frame `ping` is answered by `pong`.

Routes (namespace `chat`): start `/`, conversation `/c/<uuid>/`, new POST `/new/` {assistant, message, uuid},
rename POST `/c/<uuid>/rename/` {title}, delete POST `/c/<uuid>/delete/`, feedback POST `/c/<uuid>/feedback/`
{turn, rating, comment, reasons}, history `/history/?q=` (renders `chat/_history.html`), connect `/connect/`,
picture `/pictures/<slug>.svg`.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class PartView:
    """A piece of the description; `emphasised` ones are what the user asked for."""

    text: str
    emphasised: bool


@dataclass(frozen=True, slots=True)
class ConstraintView:
    """A chip. Sending `{"type": "without", "turn": <uuid>, "query": query, "constraint": id}` searches without it."""

    id: str
    label: str
    query: int


@dataclass(frozen=True, slots=True)
class SegmentView:
    """A stretch of a quoted text; `marked` where it decided."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One text (a review) that decided an answer. `excerpt` is the part around the deciding words, `whole` all."""

    question: str
    value: str
    excerpt: tuple[SegmentView, ...]
    whole: tuple[SegmentView, ...]
    supports: bool
    label: str = ""  # who wrote it
    dated: str = ""  # "October 2026"
    column: str = ""

    @property
    def shortened(self) -> bool:
        """Whether `whole` says more than `excerpt`."""
        return self.excerpt != self.whole


@dataclass(frozen=True, slots=True)
class FactView:
    """A selected value that the card itself does not show: an answer, a summary, a computed column."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class LinkView:
    """A piece of a card's last line. `address` is "" for what is only told; `more` is told where the mouse rests, and
    read out; `tone` is "open" or "shut" for opening hours."""

    text: str
    address: str = ""
    icon: str = ""
    more: str = ""
    tone: str = ""

    @property
    def leaves(self) -> bool:
        """Whether it leads to another site."""
        return self.address.startswith(("http:", "https:"))


@dataclass(frozen=True, slots=True)
class RatingView:
    """A rating and, where it is known, how many gave it: 4.25 from 40 reviews."""

    value: float
    count: int | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class StampView:
    """A short code beside a card, its first word above the rest: "CS" over "229". `colour` is always the same one."""

    over: str
    main: str
    colour: int

    @classmethod
    def of(cls, code: str, colours: int) -> StampView:
        over, _, main = code.rpartition(" ")
        return cls(over, main, zlib.crc32(code.encode()) % colours)


@dataclass(frozen=True, slots=True)
class CardView:
    """A result row. `display` holds what the corpus shows of the entity today (`hybridchat.chat.display`), by name.

    `lead` is the first piece of evidence; `more` the other supporting ones, `against` those that disagree.
    `asked_hours` are the opening hours on the days that were asked about: "closed on Sunday".
    """

    title: str
    table: str
    key: str
    values: dict[str, Any]
    display: dict[str, Any]
    facts: tuple[FactView, ...] = ()
    evidence: tuple[EvidenceView, ...] = ()
    asked_hours: str = ""

    def and_also(self, other: CardView) -> CardView:
        """Return the card with the facts and the evidence of another row of the same thing."""
        facts = tuple(dict.fromkeys((*self.facts, *other.facts)))
        evidence = tuple(dict.fromkeys((*self.evidence, *other.evidence)))
        asked_hours = self.asked_hours or other.asked_hours
        return replace(self, facts=facts, evidence=evidence, asked_hours=asked_hours)

    @property
    def lead(self) -> EvidenceView | None:
        return next((one for one in self.evidence if one.supports), self.evidence[0] if self.evidence else None)

    @property
    def more(self) -> tuple[EvidenceView, ...]:
        return tuple(one for one in self.evidence if one.supports and one is not self.lead)

    @property
    def against(self) -> tuple[EvidenceView, ...]:
        return tuple(one for one in self.evidence if not one.supports and one is not self.lead)


@dataclass(frozen=True, slots=True)
class TableView:
    """Rows that are no entities (counts, averages, comparisons), as a plain table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the plan in words; `depth` indents it."""

    title: str
    detail: str
    depth: int
    numbers: tuple[FactView, ...] = ()


@dataclass(frozen=True, slots=True)
class UsageView:
    """What was spent: model calls, answers from the memo, tokens, US dollars, seconds."""

    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class QueryView:
    """One question: what was searched for and what was found. `done` is false while it is still running.

    `shared` are cards that hold what a later question found of the same things, too.
    """

    index: int
    question: str
    description: str
    parts: tuple[PartView, ...]
    constraints: tuple[ConstraintView, ...]
    suql: str
    suql_html: str
    table: str
    presentation: str
    cards: tuple[CardView, ...] = ()
    total: int = 0  # rows found, of which `cards` or `grid` show the first
    above: int = 0  # of these, those whose cards stand above, under an earlier question
    shared: bool = False
    grid: TableView | None = None
    relaxed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[StepView, ...] = ()
    usage: UsageView = field(default_factory=UsageView)
    complete: bool = True
    done: bool = False
    error: str = ""

    @property
    def empty(self) -> bool:
        """Searched to the end and found nothing."""
        return self.done and not self.error and not self.total and not self.cards and self.grid is None

    @property
    def shows(self) -> bool:
        """Whether there is anything to see of it beside the words of the answer."""
        return bool(self.cards or self.grid or self.error or not self.complete)


@dataclass(frozen=True, slots=True)
class ProgressView:
    """What is being done, in words; `total` is 0 if it cannot be counted."""

    sentence: str
    done: int = 0
    total: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.done / self.total) if self.total else 0


@dataclass(frozen=True, slots=True)
class FeedbackView:
    """The owner's verdict: rating is 1, -1 or None; `reasons` are all there are, as (value, words, chosen).

    `meant` is what the owner had meant, in other words.
    """

    rating: int | None = None
    comment: str = ""
    reasons: tuple[tuple[str, str, bool], ...] = ()
    meant: str = ""

    @property
    def commented(self) -> bool:
        """Whether there is more than a thumb to be thanked for."""
        return bool(self.comment) or any(chosen for _, _, chosen in self.reasons)


@dataclass(frozen=True, slots=True)
class TurnView:
    """One user turn as it stands: the message, what was searched for, what was found, what was said.

    One that is `told` was not asked for: its message is a heading, and there is nothing to try again. One that is
    `pressed` was asked by a button or a form: its message says what that did.
    """

    uuid: UUID
    conversation: UUID
    position: int
    message: str
    status: str  # received, parsing, parsed, executing, done, failed, stopped
    created: datetime
    last_event: int
    progress: ProgressView
    queries: tuple[QueryView, ...] = ()
    reply_html: str = ""
    reply_text: str = ""
    suggestions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()  # what was said and not used
    card: dict[str, Any] | None = None  # a task to be confirmed (`agent.worksheets.view.view`)
    replies: tuple[str, ...] = ()  # answers to offer to what was asked
    error: str = ""
    seconds: float = 0.0
    usage: UsageView = field(default_factory=UsageView)
    feedback: FeedbackView = field(default_factory=FeedbackView)
    told: bool = False
    pressed: bool = False

    @property
    def running(self) -> bool:
        return self.status in ("received", "parsing", "parsed", "executing")

    @property
    def stopped(self) -> bool:
        return self.status == "stopped"

    @property
    def failed(self) -> bool:
        return self.status == "failed"

    @property
    def cursor(self) -> str:
        """The place in the conversation up to which this view has seen: "POSITION.SEQ"."""
        return f"{self.position}.{self.last_event}"


@dataclass(frozen=True, slots=True)
class AssistantView:
    """An assistant to choose, with questions a person could start with."""

    slug: str
    name: str
    description: str
    examples: tuple[str, ...] = ()
    placeholder: str = ""
    picture: str = ""
    welcome_html: str = ""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A conversation in the sidebar."""

    uuid: UUID
    title: str
    assistant: str
    updated: datetime


@dataclass(frozen=True, slots=True)
class HistoryDay:
    """Conversations grouped under a heading: "Today", "Yesterday", "Earlier this week", a month."""

    label: str
    conversations: tuple[HistoryEntry, ...]
