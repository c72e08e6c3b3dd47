"""Says messages to the built-in understanding, against a state or in a conversation that the real policy holds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from agent.language import Conversation, PastQuery, PastTurn, Understanding, UnderstandRequest
from agent.networks.encoder import Encoder
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.parser import BuiltinParser
from agent.parsing.tasks.understanding import TaskInterpreter
from agent.understanding.parser import CatalogueParser
from agent.worksheets import applications
from agent.worksheets.actions import Call, Registry, Result
from agent.worksheets.policy import Context, Decision, Report
from agent.worksheets.specification import Specification
from agent.worksheets.stages import take_turn
from agent.worksheets.state import DialogueState, Entity
from agent.worksheets.update import Found
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY
from tests.agent.tasks.cases import conversation, shortened
from tests.agent.tasks.clinic import CLINIC

NOW = datetime(2026, 11, 20, 10)  # a Friday
TABLES = {
    "restaurants": ("restaurants",),
    "courses": ("courses", "offerings", "ratings", "programs"),
    "services": ("articles",),
}
ACTIONS = ("book", "modify_booking", "cancel_booking", "enroll", "drop", "submit_ticket", "schedule", "refill")


def cases(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def specification(name: str) -> Specification:
    return CLINIC if name == CLINIC.name else applications.load(name)


def tables(name: str) -> tuple[str, ...]:
    return TABLES.get(name, ("articles",))


class Understander:
    """One interpreter for all tests."""

    def __init__(self) -> None:
        tables_known, encoder = catalogue(), Encoder.load()
        selector = CorpusSelector(tables_known, MEMORY, encoder.encode)
        parser = BuiltinParser(tables_known, MEMORY, GAZETTEER, others=CatalogueParser(tables_known, MEMORY, GAZETTEER))
        self._interpreter = TaskInterpreter(Interpreter(parser, tables_known, selector), encoder)
        self._specifications: dict[str, Specification] = {}

    def specification(self, name: str) -> Specification:
        return self._specifications.setdefault(name, specification(name))

    def understand(self, message: str, held: Conversation) -> Understanding:
        request = UnderstandRequest(
            message=message, conversation=held, specification=self.specification(held.assistant)
        )
        return self._interpreter.understand(request)

    def short(self, case: Mapping[str, Any]) -> list[str]:
        """What is understood of a case of the development set, in short."""
        declared = self.specification(case["app"])
        held = conversation(case, declared, tables(case["app"]), NOW)
        return shortened(self.understand(case["user"], held), declared)


class Talk:
    """A conversation: the understanding, the update and the policy are real; rows and actions are not."""

    def __init__(self, understander: Understander, app: str) -> None:
        self.understander = understander
        self.app = app
        self.state = DialogueState(application=app)
        self.done: list[tuple[str, dict[str, Any]]] = []
        self.reply = ""  # what was said to the last message beside the acts
        self.unused: tuple[str, ...] = ()  # what was not used of it
        self.asked = ""  # what the corpora were asked by it
        self._past: tuple[PastTurn, ...] = ()
        self._registry = _registry()

    def say(self, *messages: str) -> Decision:
        """The decision on the last message."""
        for message in messages:
            decision = asyncio.run(self._turn(message))
        return decision

    async def _turn(self, message: str) -> Decision:
        declared = self.understander.specification(self.app)
        held = Conversation(assistant=self.app, tables=tables(self.app), past=self._past, now=NOW, state=self.state)
        understood = self.understander.understand(message, held)
        found = dict(enumerate(_rows(question.words) for question in understood.questions))
        filled = {item.question for item in understood.statements if item.kind == "fill"}
        reports = [Report(index, "restaurants", entities=rows.entities) for index, rows in found.items()]
        unfilled = [report for report in reports if report.query not in filled]
        context = Context("talk", NOW, self.app, answered=bool(understood.reply))
        said = understood.statements
        decision = await take_turn(self.state, said, found, unfilled, declared, self._registry, context)
        self.reply, self.unused = understood.reply, understood.unused
        self.asked = "; ".join(question.words for question in understood.questions)
        self.state = decision.state
        self.done += [(effect.action, effect.values) for effect in decision.effects]
        self._past = (*self._past, PastTurn(user=message, agent="", queries=tuple(_past(understood, found))))
        return decision


def _rows(words: str) -> Found:
    """The restaurant that is named; the first one for "the best", else three."""
    names = MEMORY.of("restaurants", "name")
    named = [name for name in names if name.lower() in words.lower()]
    best = any(word in words.lower() for word in ("most", "best", "cheapest"))
    chosen = named or (names[:1] if best else names[:3])
    entities = tuple(Entity(table="restaurants", key=name.lower(), title=name) for name in chosen)
    return Found(entities, best=best, named=bool(named))


def _past(understood: Understanding, found: Mapping[int, Found]) -> Iterable[PastQuery]:
    for index, question in enumerate(understood.questions):
        yield PastQuery(
            question=question.words,
            suql="SELECT name FROM restaurants",
            table="restaurants",
            keys=tuple(entity.key for entity in found[index].entities),
            titles=tuple(entity.title for entity in found[index].entities),
        )


def _registry() -> Registry:
    registry = Registry()

    async def act(call: Call, **values: Any) -> Result:
        return Result("It is done.", {"booking_id": "BK1"})

    async def made(value: Any, known: Mapping[str, Any], now: datetime) -> Entity:
        return Entity(table="bookings", key="BK1", title="BK1")

    for worksheet, field in (
        ("ModifyBooking", "booking"),
        ("CancelBooking", "booking"),
        ("DropCourse", "enrollment"),
    ):
        registry.check(worksheet, field)(made)
    for name in ACTIONS:
        registry.action(name)(act)
    return registry
