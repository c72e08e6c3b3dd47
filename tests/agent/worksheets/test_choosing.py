"""Values that a message leaves open: the checks narrow them, and the user chooses among the rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from agent.worksheets.actions import Refusal
from agent.worksheets.acts import ActKind
from agent.worksheets.spelling import read_statements, write_statements
from agent.worksheets.state import Choice, InstanceStatus
from agent.worksheets.statements import Abandon, Assign, Fill, Start, Unclear
from agent.worksheets.update import Found
from tests.agent.worksheets.bench import BOOK, BOOKING, ENROLLMENT, NOPA, Bench, assign, yes

B = "book_restaurant_1"


def _open_until_noon(bench: Bench) -> None:
    async def time(value: Any, known: Mapping[str, Any], now: datetime) -> Any:
        if str(value) >= "12:00":
            raise Refusal("It is only open in the morning.", "time")
        return value

    bench.registry.check("BookRestaurant", "time")(time)


async def test_the_other_half_of_the_day_is_taken_where_the_first_will_not_do() -> None:
    bench = Bench(BOOKING)
    _open_until_noon(bench)
    await bench.say(BOOK, Assign(instance=B, field="time", value="22:00", others=("10:00",)))
    assert bench.state.instance(B).slot("time").value == "10:00"


async def test_where_nothing_will_do_the_first_is_what_is_refused() -> None:
    bench = Bench(BOOKING)
    _open_until_noon(bench)
    await bench.say(BOOK, Assign(instance=B, field="time", value="22:00", others=("13:00",)))
    assert bench.state.instance(B).slot("time").value is None
    assert any(act.act is ActKind.CLARIFY and "morning" in act.text for act in bench.acts)


async def test_of_choices_only_those_that_will_do_are_put_up() -> None:
    bench = Bench(BOOKING)
    _open_until_noon(bench)
    times = tuple(Choice(field="time", value=value) for value in ("09:00", "11:00", "13:00"))
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"), Unclear(instance=B, choices=times))
    assert bench.state.instance(B).slot("time").options == ("09:00", "11:00")


async def test_a_single_choice_that_will_do_is_the_value() -> None:
    bench = Bench(BOOKING)
    choices = (Choice(field="number_of_people", value=40), Choice(field="number_of_people", value=4))
    await bench.say(BOOK, Unclear(instance=B, choices=choices))
    assert bench.state.instance(B).slot("number_of_people").value == 4


async def test_a_choice_between_fields_waits_and_a_yes_chooses_none() -> None:
    bench = Bench(BOOKING)
    choices = (Choice(field="time", value="19:00"), Choice(field="number_of_people", value=7))
    await bench.say(BOOK, Unclear(instance=B, choices=choices))
    assert bench.state.pending.kind == "which"
    assert (bench.last.act, len(bench.last.options)) == (ActKind.ASK, 2)
    await bench.say(yes(B))
    assert bench.state.pending.kind != "which"
    assert bench.state.instance(B).slot("time").value is None


async def test_a_task_set_aside_is_not_offered_again_at_once() -> None:
    bench = Bench(BOOKING)
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"))
    await bench.say(Abandon(instance=B, aside=True))
    assert bench.state.instance(B).status is InstanceStatus.SUSPENDED
    assert bench.state.pending is None
    assert bench.state.instance(B).slot("date").value == "2026-11-27"


async def test_a_task_that_words_suggest_waits_for_a_yes() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1", offered=True))
    assert bench.state.instance("main_1").status is InstanceStatus.PROPOSED
    assert bench.last.act is ActKind.PROPOSE
    await bench.say(yes("main_1"))
    assert bench.state.instance("main_1").status is InstanceStatus.ACTIVE


async def test_one_row_fills_a_plain_field_by_its_key_and_is_confirmed_unless_it_was_the_best() -> None:
    for best in (True, False):
        bench = Bench(BOOKING)
        found = {0: Found((NOPA,), best=best)}
        await bench.say(BOOK, Fill(instance=B, field="special_request_info", question=0, words="x"), found=found)
        slot = bench.state.instance(B).slot("special_request_info")
        assert (slot.value, slot.doubted) == ("nopa", not best)


def test_choices_offers_and_leaving_for_now_are_spelled_and_read_back() -> None:
    bench = Bench(BOOKING)
    statements = (
        Start(worksheet="BookRestaurant", instance=B, offered=True),
        Unclear(instance=B, choices=(Choice(field="time", value="19:00"), Choice(field="number_of_people", value=7))),
        Abandon(instance=B, aside=True),
    )
    lines = write_statements(statements, (), bench.state, BOOKING)
    assert read_statements(lines, bench.state, BOOKING)[0] == statements
