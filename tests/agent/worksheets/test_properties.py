"""What holds of every conversation, whatever the worksheets and whatever the user says.

Thousands of turns of random users with random worksheets. A failure names its seed.
"""

from __future__ import annotations

import random

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus
from agent.worksheets.statements import Abandon, Assign, Confirm, Start, Statement
from agent.worksheets.values import is_placeholder
from tests.agent.worksheets.wild import FOUND, WildBench, asked_for, random_specification, some_reports, texts, unasked

CONVERSATIONS = range(60)
TURNS = 40


@pytest.mark.parametrize("seed", CONVERSATIONS)
async def test_a_wild_user_never_gets_around_the_policy(seed: int) -> None:
    dice = random.Random(seed)
    bench = WildBench(random_specification(dice))
    bench.refusing = random.Random(seed) if seed % 2 else None
    shown = None
    asked: dict[tuple[str, str], list[str]] = {}
    keys: set[str] = set()
    for turn in range(TURNS):
        said = bench.anything(dice)
        decision = await bench.say(*said, found=FOUND, reports=some_reports(dice))
        where = f"seed {seed}, turn {turn}, {said}"
        for effect in decision.effects:
            assert any(_says_yes(item) for item in said), where
            assert shown is not None, where
            assert (shown.act, shown.instance, shown.values) == (ActKind.CONFIRM, effect.instance, effect.values), where
            assert effect.key not in keys, where
            keys.add(effect.key)
        for act in decision.acts:
            assert not any(is_placeholder(value) for value in texts(act.values)), where
            assert act.text or act.act is ActKind.REPORT, where
            assert not any(odd in act.text for odd in ("None", "{", "}", "Entity(", "  ")) or "\n" in act.text, where
        shown = asked_for(decision.acts)
        if shown is not None and shown.field:
            before = asked.setdefault((shown.instance, shown.field), [])
            assert shown.text not in before[-2:], where
            before.append(shown.text)


def _says_yes(item: Statement) -> bool:
    confirms = isinstance(item, Confirm) and item.yes
    return confirms or (isinstance(item, Assign) and item.field == "ok" and item.value is True)


@pytest.mark.parametrize("seed", CONVERSATIONS)
async def test_every_conversation_can_be_left(seed: int) -> None:
    dice = random.Random(seed)
    bench = WildBench(random_specification(dice))
    for _ in range(15):
        await bench.say(*bench.anything(dice), found=FOUND)
    await bench.say(*(Abandon(instance=item.name) for item in bench.state.instances if not item.parent))
    assert not bench.state.open_instances()
    assert bench.state.pending is None
    assert asked_for(bench.acts) is None


@pytest.mark.parametrize("seed", range(150))
async def test_a_willing_user_is_asked_everything_and_gets_it_done(seed: int) -> None:
    dice = random.Random(seed)
    bench = WildBench(random_specification(dice))
    await bench.say(Start(worksheet="Task0", instance="task0_1"))
    for _ in range(150):
        if bench.state.pending is None:
            break
        await bench.say(*bench.answer(dice))
    assert bench.instance("task0_1").status is InstanceStatus.DONE, [act.text for act in bench.acts]
    assert len(bench.ran) == 1
    assert not unasked(bench)
