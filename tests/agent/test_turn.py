"""One turn: a question that awaits what the one before it finds is read when that is known, and not before."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

import pytest

from agent.backends.builtin.replies import respond
from agent.language import (
    Conversation,
    Parsed,
    ParseRequest,
    Question,
    Reply,
    RespondRequest,
    Understanding,
    UnderstandRequest,
    Voice,
)
from agent.record import TurnState, past_turn
from agent.suql.correction import Corrector
from agent.suql.result import Event, Evidence, Finished, Result, Row, Step, Usage
from agent.turn import Agent, _card, _quote, _worth_a_look
from corpora.catalogue import catalogue
from tests.agent.parsing.world import MEMORY

BEST = "SELECT * FROM restaurants WHERE location = 'Cupertino' ORDER BY rating DESC LIMIT 1"
FIRST = Question(words="what's the best place in Cupertino")
SECOND = Question(words="is it open on Sunday?", following=FIRST.words, awaits=True)


class Scripted:
    """A language that asks what it is given, and remembers what it was shown when it wrote each query."""

    name, version, notice = "scripted", "1", ""

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = tuple(questions)
        self.requests: list[ParseRequest] = []

    async def understand(self, request: UnderstandRequest) -> Understanding:
        return Understanding(questions=self.questions)

    async def parse(self, request: ParseRequest) -> Parsed:
        self.requests.append(request)
        shown = [key for turn in request.conversation.past for query in turn.queries for key in query.keys]
        suql = f"SELECT name, opening_hours FROM restaurants WHERE slug IN ('{shown[0]}')" if shown else BEST
        return Parsed(suql=suql, tables=("restaurants",), presentation="detail" if shown else "list")

    async def respond(self, request: RespondRequest) -> Reply:
        return respond(request)


class Finding:
    """An engine that finds the same rows whatever it is asked for."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows, self.ran = rows, list[str]()

    async def stream(self, suql: str, **_: Any) -> AsyncIterator[Event]:
        self.ran.append(suql)
        yield Finished(Result(("name",), self.rows, Usage(), Step("scan")))

    async def run(self, suql: str, **_: Any) -> Result:
        return Result(("name",), self.rows, Usage(), Step("scan"))


KAVERI = Row({"name": "Kaveri", "slug": "kaveri"}, key="kaveri", table="restaurants", title="Kaveri")


async def turn(
    questions: Sequence[Question],
    rows: tuple[Row, ...],
    language: Scripted | None = None,
    engine: Finding | None = None,
) -> tuple[TurnState, Scripted, Finding, list[tuple[str, Any]]]:
    language, engine, told = language or Scripted(questions), engine or Finding(rows), list[tuple[str, Any]]()

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        told.append((kind, payload))

    agent = Agent(language, engine, catalogue(), Corrector(catalogue(), MEMORY))
    talk = Conversation(assistant="restaurants", tables=("restaurants",), now=datetime(2026, 11, 20, 10))
    parsed = await agent.parse_turn(TurnState(message="two questions", conversation=talk), emit)
    return await agent.execute_turn(parsed, emit), language, engine, told


async def test_a_question_that_awaits_another_is_read_again_once_that_is_answered() -> None:
    done, language, engine, told = await turn((FIRST, SECOND), (KAVERI,))
    assert [len(request.conversation.past) for request in language.requests] == [0, 0, 1]
    assert language.requests[-1].question.following == ""
    assert engine.ran == [BEST, "SELECT name, opening_hours FROM restaurants WHERE slug IN ('kaveri')"]
    assert [kind for kind, _ in told].count("parsed") == 2
    assert done.queries is not None
    assert done.queries[1].suql == engine.ran[1]


async def test_it_stands_as_it_was_read_where_nothing_was_found() -> None:
    _, language, engine, told = await turn((FIRST, SECOND), ())
    assert len(language.requests) == 2
    assert [kind for kind, _ in told].count("parsed") == 1
    assert set(engine.ran) >= {BEST}


async def test_other_questions_are_read_at_once() -> None:
    _, language, _, told = await turn((FIRST, FIRST), (KAVERI,))
    assert len(language.requests) == 2
    assert [kind for kind, _ in told].count("parsed") == 1


async def test_what_was_found_a_moment_ago_is_called_by_its_name() -> None:
    done, *_ = await turn((FIRST, SECOND), (KAVERI,))
    assert done.queries is not None
    assert done.queries[1].description == "the opening hours of Kaveri"


class Doubting(Scripted):
    """Asks whether a place is vegan by its kinds and, where those say nothing, by its reviews."""

    async def parse(self, request: ParseRequest) -> Parsed:
        told = "SELECT name FROM restaurants WHERE slug IN ('kaveri')"
        return Parsed(
            suql=told,
            tables=("restaurants",),
            presentation="detail",
            test=f"{told} AND 'vegan' = ANY(cuisines)",
            instead="SELECT answer(reviews, 'anything vegan?') AS answer FROM restaurants WHERE slug IN ('kaveri')",
        )


class Tried(Finding):
    """Finds the rows of a test only where it is told to."""

    holds = False

    async def run(self, suql: str, **_: Any) -> Result:
        return Result(("name",), self.rows if self.holds else (), Usage(), Step("scan"))


@pytest.mark.parametrize(("holds", "asked"), [(True, 1), (False, 2)])
async def test_the_texts_are_asked_where_a_test_fails_and_there_is_more_to_ask(holds: bool, asked: int) -> None:
    engine = Tried((KAVERI,))
    engine.holds = holds
    done, *_ = await turn((FIRST,), (KAVERI,), language=Doubting((FIRST,)), engine=engine)
    assert len(engine.ran) == asked
    assert done.outcomes[0].holds is (True if holds else None)


def rated(name: str, rating: float) -> Row:
    return Row({"name": name, "rating": rating}, key=name.lower(), table="restaurants", title=name)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ((), ""),
        ((rated("Ulla", 4.4),), ""),
        ((rated("Ulla", 4.5), rated("Ebb", 4.4)), "Ulla has the same rating."),
        (tuple(rated(name, 4.5) for name in ("Ulla", "Ebb", "Oda", "Ida")), "Ulla, Ebb, Oda and others have the same"),
    ],
)
async def test_who_shares_the_first_place_is_told_with_the_one_in_it(after: tuple[Row, ...], told: str) -> None:
    class Tied(Finding):
        async def run(self, suql: str, **_: Any) -> Result:
            assert suql.endswith("LIMIT 5")
            return Result(("name", "rating"), (*self.rows, *after), Usage(), Step("scan"))

    done, *_ = await turn((FIRST,), (), engine=Tied((rated("Kaveri", 4.5),)))
    assert done.reply is not None
    assert told in done.reply.text
    assert ("the same" in done.reply.text) == bool(told)


async def test_an_article_that_did_not_answer_is_what_the_talk_is_about() -> None:
    class Articles(Scripted):
        async def parse(self, request: ParseRequest) -> Parsed:
            suql = (
                "SELECT title, answer(body, 'where is it mended?') FROM articles ORDER BY similar(body, 'it') LIMIT 1"
            )
            return Parsed(suql=suql, tables=("articles",), presentation="article")

    class Silent(Finding):
        async def stream(self, suql: str, **_: Any) -> AsyncIterator[Event]:
            yield Finished(Result(("title", "answer"), self.rows, Usage(), Step("scan")))

    async def emit(kind: str, payload: dict[str, Any]) -> None:
        pass

    row = Row({"title": "Bikes", "answer": None}, key="bikes", table="articles", title="Bikes")
    agent = Agent(Articles((FIRST,)), Silent((row,)), catalogue(), Corrector(catalogue(), MEMORY))
    talk = Conversation(assistant="services", tables=("articles",), now=datetime(2026, 11, 20, 10))
    parsed = await agent.parse_turn(TurnState(message="where is it mended?", conversation=talk), emit)
    (query,) = past_turn(await agent.execute_turn(parsed, emit)).queries
    assert (query.keys, query.titles, query.nearest) == ((), (), "Bikes")


def test_only_what_was_asked_of_a_thing_is_shown_with_what_comes_near() -> None:
    near = Evidence("is it loud?", None, "We heard the sea.", 0, 17)
    sure = Evidence("is it cheap?", "Yes", "Six dollars.", 0, 12)
    row = Row(values={"name": "Alder"}, key="alder", table="places", title="Alder", evidence=(near, sure))
    assert [one["value"] for one in _card(row, silent=False).evidence] == ["Yes"]
    asked = _card(row, silent=True)
    assert [one["value"] for one in asked.evidence] == [None, "Yes"]
    assert (_quote(asked), _worth_a_look(asked)) == ("Six dollars.", "We heard the sea.")


def voiced(question: str, text: str, stance: str = "for", value: str | None = "Yes") -> Evidence:
    return Evidence(question, value, text, 0, len(text), stance)


async def test_a_row_is_told_with_voices_for_and_against() -> None:
    heard = Row(
        {"name": "Kaveri"},
        key="kaveri",
        table="restaurants",
        title="Kaveri",
        evidence=(
            voiced("quiet?", "so calm"),
            voiced("quiet?", "a hush"),
            voiced("quiet?", "calm again"),
            voiced("quiet?", "what a din", "against"),
            voiced("cheap?", "says nothing", value=None),
        ),
    )

    class Heard(Scripted):
        async def respond(self, request: RespondRequest) -> Reply:
            self.found = request.found
            return Reply(text="Kaveri.")

    language = Heard((FIRST,))
    await turn((FIRST,), (heard,), language)
    assert language.found[0].voices == (
        (Voice(text="so calm"), Voice(text="what a din", supports=False), Voice(text="a hush")),
    )
