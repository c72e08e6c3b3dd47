"""One user turn, start to end: understand, parse, execute, decide, respond.

Each step takes the state the step before it left and returns the next, so that a turn can be stored after every step
and taken up by another process from the last stored one. The site stores and shows; this module only thinks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.deciding import Applications, decided
from agent.describing import asked_of_texts, described, limit_of, takes_the_first, ties, with_ties
from agent.language import (
    Found,
    Language,
    Parsed,
    ParseRequest,
    Question,
    Reply,
    RespondRequest,
    Understanding,
    UnderstandRequest,
    Voice,
)
from agent.parsing.relax import least_relaxed
from agent.parsing.unanswered import in_full, is_beside_the_point, is_unanswered, nearest
from agent.protocols.errors import AgentError, DatabaseAway, QueryError
from agent.record import Card, Constraint, Outcome, Query, TurnState, past_turn
from agent.suql import (
    Budget,
    Catalogue,
    Engine,
    Finished,
    Planned,
    Progress,
    Result,
    Row,
    RowFound,
    check,
)
from agent.suql.correction import Corrector
from agent.worksheets.acts import ActKind
from agent.worksheets.statements import Fill
from agent.writing import with_unused, write

Emit = Callable[[str, dict[str, Any]], Awaitable[None]]

REPAIRS = 2
VOICES = 3  # stretches of texts that a row is told with, for and against
WAITING = (ActKind.ASK, ActKind.CONFIRM, ActKind.PROPOSE, ActKind.CLARIFY)  # the policy asks something itself

__all__ = ["Agent", "Card", "Constraint", "Emit", "Outcome", "Query", "TurnState", "past_turn"]


@dataclass(frozen=True)
class Agent:
    """The parts a turn needs. `corrector` mends values and names in a query before it is checked; `applications` are
    the worksheets of the assistants that get things done, None if nothing but questions are answered."""

    language: Language
    engine: Engine
    catalogue: Catalogue
    corrector: Corrector
    budget: Budget = dataclasses.field(default_factory=Budget)
    applications: Applications | None = None

    def within(self, budget: Budget) -> Agent:
        """Return the same agent, whose queries may spend that much."""
        return dataclasses.replace(self, budget=budget)

    async def parse_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Stages 1 and 2: what the turn wants, and SUQL for each question in it."""
        understanding = await self._understand(state)
        state = state.model_copy(update={"understanding": understanding})
        await emit("understood", understanding.model_dump(mode="json"))
        queries = tuple([await self._parse(question, state) for question in understanding.questions])
        await emit("parsed", {"queries": [query.model_dump(mode="json") for query in queries]})
        return state.model_copy(update={"queries": queries})

    async def execute_turn(self, state: TurnState, emit: Emit) -> TurnState:
        """Run the queries not yet run, lets the policy decide, then puts it all into words."""
        for index in range(len(state.outcomes), len(state.queries or ())):
            state = await self._read_on(index, state, emit)
            outcome = await self._execute(index, _nth(state, index), state, emit)
            state = state.model_copy(update={"outcomes": (*state.outcomes, outcome)})
            await emit("outcome", {"query": index, "outcome": outcome.model_dump(mode="json")})
        if self.applications is not None and state.conversation.state is not None and state.dialogue is None:
            state = await decided(state, self.applications, self.catalogue)
            await emit("decided", state.model_dump(mode="json", include={"dialogue", "acts", "effects"}))
        reply = await self._reply(state, emit)
        await emit("replied", reply.model_dump(mode="json"))
        return state.model_copy(update={"reply": reply})

    async def _reply(self, state: TurnState, emit: Emit) -> Reply:
        """What came of the turn, in words."""
        request = self._respond_request(state)
        return with_unused(await write(self.language, request, emit), request.unused)

    def query(self, question: Question, parsed: Parsed, titles: Mapping[str, str] | None = None) -> Query:
        """Return a checked query with its description, which names the entities in `titles`. Raises QueryError."""
        suql = self.corrector.correct(parsed.suql)
        check(suql, self.catalogue)
        return described(question, parsed, suql, self.catalogue, titles)

    async def _understand(self, state: TurnState) -> Understanding:
        """What the turn wants. What a form said needs no understanding."""
        if state.given:
            return Understanding(statements=state.given)
        specification = None
        if self.applications is not None and state.conversation.state is not None:
            specification = await self.applications.specification(state.conversation.state)
        request = UnderstandRequest(message=state.message, conversation=state.conversation, specification=specification)
        return await self.language.understand(request)

    async def _parse(self, question: Question, state: TurnState) -> Query:
        request = ParseRequest(question=question, conversation=state.conversation, message=state.message)
        parsed = await self.language.parse(request)
        for attempt in range(REPAIRS + 1):
            if not parsed.suql:
                break
            try:
                return self.query(question, parsed, _titles(state))
            except QueryError as error:
                if attempt == REPAIRS:
                    problem = f"I could not turn this into a search. {error.sentence}"
                    return Query(question=question, parsed=parsed.model_copy(update={"problem": problem}))
                request = request.model_copy(update={"previous": parsed.suql, "problem": str(error)})
                parsed = await self.language.parse(request)
        return Query(question=question, parsed=parsed)

    async def _read_on(self, index: int, state: TurnState, emit: Emit) -> TurnState:
        """The turn with a question that awaits what the one before it finds read again, now that it is known."""
        question = _nth(state, index).question
        if not question.awaits or not state.outcomes[index - 1].rows:
            return state
        past = (*state.conversation.past, past_turn(state))
        known = state.model_copy(update={"conversation": state.conversation.model_copy(update={"past": past})})
        query = await self._parse(question.model_copy(update={"following": ""}), known)
        queries = tuple(query if place == index else other for place, other in enumerate(state.queries or ()))
        await emit("parsed", {"queries": [one.model_dump(mode="json") for one in queries]})
        return state.model_copy(update={"queries": queries})

    async def _execute(self, index: int, query: Query, state: TurnState, emit: Emit) -> Outcome:
        if not query.suql:
            return Outcome(query=query, error=query.parsed.problem or "I could not turn this into a search.")
        try:
            result = await self._run(index, query, state, emit)
            if query.parsed.presentation == "article":
                if is_unanswered(result):
                    return await self._unanswered(index, query, result, state, emit)
                if is_beside_the_point(result, state.message):
                    return _outcome(query, result).model_copy(
                        update={"rows": (), "notes": nearest(result, beside=True)}
                    )
            if query.parsed.test and result.rows:
                holds = await self._holds(query, state)
                if holds or not query.parsed.instead:
                    return _outcome(query, result).model_copy(update={"holds": holds})
                return await self._instead(index, query, state, emit)
            if query.parsed.instead and not result.rows and result.complete:
                return await self._instead(index, query, state, emit)
            if result.rows or not result.complete or query.parsed.presentation != "list":
                return _outcome(query, await self._with_ties(query, result, state))
            return await self._relax(index, query, result, state, emit)
        except DatabaseAway:
            raise  # not how the turn ends: whoever runs it tries again
        except AgentError as error:
            return Outcome(query=query, error=error.sentence)

    async def _unanswered(self, index: int, query: Query, result: Result, state: TurnState, emit: Emit) -> Outcome:
        """No text answers: the one that is meant, in full, else where to look."""
        if whole := in_full(query.suql):
            parsed = query.parsed.model_copy(update={"suql": whole})
            told = self.query(query.question, parsed, _titles(state))
            return _outcome(told, await self._run(index, told, state, emit))
        title = next((row.title for row in result.rows), "")
        return _outcome(query, result).model_copy(update={"rows": (), "notes": nearest(result), "nearest": title})

    async def _holds(self, query: Query, state: TurnState) -> bool:
        """Whether what a yes/no question asks of an entity is so."""
        parsed = query.parsed.model_copy(update={"suql": query.parsed.test})
        test = self.query(query.question, parsed, _titles(state))
        result = await self.engine.run(test.suql, budget=self.budget, now=state.conversation.now)
        return bool(result.rows) != query.parsed.denied

    async def _instead(self, index: int, query: Query, state: TurnState, emit: Emit) -> Outcome:
        """An entity, or each of those asked about, is not as the question takes it to be: what is so of it."""
        parsed = query.parsed.model_copy(update={"suql": query.parsed.instead, "presentation": "detail"})
        told = self.query(query.question, parsed, _titles(state))
        result = await self._run(index, told, state, emit)
        none = {"holds": False} if query.parsed.presentation == "list" else {}
        return _outcome(told, result).model_copy(update={"relaxed": parsed.beside if result.rows else (), **none})

    async def _with_ties(self, query: Query, result: Result, state: TurnState) -> Result:
        """Say of the one row that comes first who shares its place."""
        wider = with_ties(query.suql) if len(result.rows) == 1 else ""
        if not wider:
            return result
        found = await self.engine.run(wider, budget=self.budget, now=state.conversation.now)
        columns, titles = [row.values for row in found.rows], [row.title for row in found.rows]
        note = ties(wider, columns, titles)
        return dataclasses.replace(result, notes=(*result.notes, note)) if note else result

    async def _relax(self, index: int, query: Query, empty: Result, state: TurnState, emit: Emit) -> Outcome:
        """Nothing was found: tries again with less asked for, and says what was dropped."""
        wish = query.parsed
        for relaxation in least_relaxed(
            query.suql, self.catalogue, wish.soft, wish.firm, wish.unsure, cities=wish.cities
        ):
            await emit("relaxed", {"query": index, "label": relaxation.label})
            parsed = query.parsed.model_copy(update={"suql": relaxation.suql})
            relaxed = self.query(query.question, parsed, _titles(state))
            result = await self._run(index, relaxed, state, emit)
            if result.rows:
                return _outcome(relaxed, result).model_copy(update={"relaxed": relaxation.dropped})
        return _outcome(query, empty)

    async def _run(self, index: int, query: Query, state: TurnState, emit: Emit) -> Result:
        result = None
        async for event in self.engine.stream(query.suql, budget=self.budget, now=state.conversation.now):
            match event:
                case Progress(done, total, noun):
                    await emit("searching", {"query": index, "done": done, "total": total, "noun": noun})
                case RowFound(row, position):
                    card = _card(row, silent=query.parsed.presentation != "list")
                    await emit("row", {"query": index, "position": position, "card": card.model_dump(mode="json")})
                case Planned():
                    pass
                case Finished(finished):
                    result = finished
        if result is None:
            raise AgentError("The search ended without a result.", query.suql)
        return result

    def _respond_request(self, state: TurnState) -> RespondRequest:
        understanding = state.understanding
        return RespondRequest(
            message=state.message,
            conversation=state.conversation,
            chat=understanding.chat if understanding else None,
            chat_reply=understanding.reply if understanding else "",
            ask=understanding.ask if understanding and not any(act.act in WAITING for act in state.acts) else "",
            unused=_unused(state),
            found=tuple(self._found(outcome) for outcome in _to_report(state)),
            acts=state.acts,
            unread=understanding.unread if understanding else "",
        )

    def _found(self, outcome: Outcome) -> Found:
        frame = outcome.query.parsed.frame or {}
        keys = [row.key for row in outcome.rows if row.key is not None]
        shown = outcome.rows[0].table if outcome.rows else ""
        table = self.catalogue.table(shown or next(iter(outcome.query.parsed.tables), ""))
        return Found(
            question=outcome.query.question.words,
            description=outcome.query.description,
            presentation=outcome.query.parsed.presentation,
            columns=outcome.columns,
            rows=tuple(row.values for row in outcome.rows),
            titles=tuple(row.title for row in outcome.rows),
            keys=tuple(keys) if len(keys) == len(outcome.rows) else (),
            quotes=tuple(_quote(row) for row in outcome.rows),
            voices=tuple(_voices(row) for row in outcome.rows),
            nearest=tuple(_worth_a_look(row) for row in outcome.rows),
            relaxed=outcome.relaxed,
            complete=outcome.complete,
            notes=outcome.notes,
            noun=table.noun if table else ("row", "rows"),
            error=outcome.error,
            asked=asked_of_texts(outcome.query.suql, outcome.columns),
            among=len(frame.get("among") or ()),
            besides=len(frame.get("exclude") or ()),
            holds=outcome.holds,
            unknown=outcome.query.parsed.unknown,
            first=takes_the_first(outcome.query.suql),
            more=len(outcome.rows) == limit_of(outcome.query.suql),
        )


def _unused(state: TurnState) -> tuple[str, ...]:
    """What was said and neither stage used. A question that found no query says so itself."""
    told = state.understanding.unused if state.understanding else ()
    return tuple(dict.fromkeys([*told, *(words for query in state.queries or () for words in query.parsed.unused)]))


def _nth(state: TurnState, index: int) -> Query:
    assert state.queries is not None, "a turn that is executed was parsed"
    return state.queries[index]


def _to_report(state: TurnState) -> list[Outcome]:
    """The outcomes to put into words: not the one row that a field took, since the policy says which it was."""
    statements = state.understanding.statements if state.understanding else ()
    filled = {item.question for item in statements if isinstance(item, Fill)} if state.dialogue else set()
    return [
        outcome
        for index, outcome in enumerate(state.outcomes)
        if index not in filled or outcome.error or len(outcome.rows) != 1
    ]


def _titles(state: TurnState) -> dict[str, str]:
    """The names of everything that was shown, before and in this turn, by entity."""
    shown = [query for turn in state.conversation.past for query in turn.queries]
    named = {key: title for query in shown for key, title in zip(query.keys, query.titles, strict=True) if title}
    rows = [row for outcome in state.outcomes for row in outcome.rows]
    return named | {row.key: row.title for row in rows if row.key is not None and row.title}


def _outcome(query: Query, result: Result) -> Outcome:
    return Outcome(
        query=query,
        columns=result.columns,
        rows=tuple(_card(row, silent=query.parsed.presentation != "list") for row in result.rows),
        complete=result.complete,
        notes=result.notes,
        usage=dataclasses.asdict(result.usage),
        plan=dataclasses.asdict(result.plan),
    )


def _card(row: Row, *, silent: bool) -> Card:
    """A row as it is shown; `silent`: with what comes near to a question that nothing answered, of which a row that was
    searched for says nothing."""
    evidence = tuple(dataclasses.asdict(item) for item in row.evidence if silent or item.value is not None)
    return Card(values=dict(row.values), key=row.key, table=row.table, title=row.title, evidence=evidence)


def _quote(row: Card) -> str:
    """The sentence that decided the row, if one did."""
    return _stretch(row, lambda item: item["stance"] == "for" and item["value"] is not None)


def _voices(row: Card) -> tuple[Voice, ...]:
    """What decided the row: of each question a voice for the value and one against it, then further ones for it."""
    decided = [item for item in row.evidence if item["value"] is not None]
    ranked: dict[tuple[str, str], int] = {}
    places = []
    for item in decided:
        side = (item["question"], item["stance"])
        ranked[side] = ranked.get(side, -1) + 1
        places.append((ranked[side], item["stance"] != "for"))
    order = sorted(range(len(decided)), key=places.__getitem__)
    voices = [
        Voice(text=item["text"][item["start"] : item["stop"]], supports=item["stance"] == "for")
        for item in (decided[number] for number in order)
    ]
    return tuple(dict.fromkeys(voices))[:VOICES]


def _worth_a_look(row: Card) -> str:
    """The sentence nearest to a question that nothing answered, if one comes near."""
    return _stretch(row, lambda item: item["value"] is None)


def _stretch(row: Card, fits: Callable[[dict[str, Any]], bool]) -> str:
    found = (str(item["text"][item["start"] : item["stop"]]) for item in row.evidence if fits(item))
    return next(found, "")
