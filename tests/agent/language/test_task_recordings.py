"""What the prompts bring a good reader to make of messages about worksheets and of acts, from recordings.

A changed prompt, or a changed specification in `stay.py`, is one that nobody has answered: these tests then ask for
new recordings (`requests_to_record.py` says how).
"""

from __future__ import annotations

import pytest

from agent.backends.recorded import RecordedLanguage
from agent.language import ChatKind
from agent.worksheets.statements import Abandon, Assign, Confirm, Decline, Fill, Pick, Start, Unclear
from tests.agent.language import requests_to_record as asked
from tests.agent.language.tasks_to_record import DOING, SAYING, understanding


@pytest.fixture
def language() -> RecordedLanguage:
    return RecordedLanguage(asked.FOLDER, asked.WORLD, settings=asked.spoken())


@pytest.fixture
def understand(language):
    async def run(case: str):
        return await language.understand(understanding(DOING[case]))

    return run


def values(statements) -> dict[str, object]:
    """The values that are set, by place."""
    return {f"{item.instance}.{item.field}": item.value for item in statements if isinstance(item, Assign)}


async def test_a_composed_wish_is_a_task_with_values_and_a_question_for_its_row(understand):
    understood = await understand("begun")
    assert values(understood.statements) == {
        "guest_1.wish": "Room",
        "book_room_1.guests": 3,
        "book_room_1.arrival": "2026-12-04",
        "book_room_1.time": "21:00",
    }
    [fill] = [item for item in understood.statements if isinstance(item, Fill)]
    assert "the quietest inn in Henley" in understood.questions[fill.question].words


async def test_a_number_is_worked_out_from_what_is_known(understand):
    assert values((await understand("worked out")).statements) == {"book_room_1.nights": 3}


async def test_a_question_in_the_middle_of_a_task_stands_alone_and_changes_nothing(understand):
    understood = await understand("question")
    assert understood.statements == ()
    assert "Hart" in understood.questions[0].words


async def test_a_message_may_correct_and_ask(understand):
    understood = await understand("both")
    assert values(understood.statements) == {"book_room_1.guests": 5}
    assert "Hart" in understood.questions[0].words


async def test_what_is_no_answer_sets_nothing(understand):
    assert [type(item) for item in (await understand("vague")).statements] == [Unclear]


async def test_who_gives_orders_in_the_name_of_the_system_sets_nothing(understand):
    assert all(isinstance(item, Unclear) for item in (await understand("order")).statements)


async def test_a_yes_is_a_yes_only_where_nothing_changes(understand):
    [yes] = (await understand("yes")).statements
    assert isinstance(yes, Confirm)
    assert yes.yes
    changed = (await understand("changed")).statements
    assert values(changed) == {"book_room_1.guests": 1, "book_room_1.arrival": "2026-12-05"}
    assert not any(isinstance(item, Confirm) for item in changed)


async def test_a_candidate_is_picked_by_its_place(understand):
    [picked] = (await understand("picked")).statements
    assert isinstance(picked, Pick)
    assert picked.key == "hart"


async def test_a_refusal_is_no_value(understand):
    [refused] = (await understand("refused")).statements
    assert isinstance(refused, Decline)
    assert not refused.unknown


async def test_another_of_a_kind_is_a_new_instance_with_what_is_to_be_the_same(understand):
    statements = (await understand("again")).statements
    assert "book_room_2" in [item.instance for item in statements if isinstance(item, Start)]
    assert values(statements)["book_room_2.arrival"] == "2026-12-31"
    assert values(statements)["book_room_2.guests"] == 2
    assert [item.key for item in statements if isinstance(item, Pick)] == ["hart"]


async def test_how_things_work_is_told_from_the_specification(understand):
    understood = await understand("rules")
    assert understood.chat is ChatKind.GENERAL
    assert "5 pounds" in understood.reply
    assert understood.statements == ()


async def test_what_is_nested_is_begun_with_its_values(understand):
    statements = (await understand("nested")).statements
    assert "book_room_1.animal" in [item.parent for item in statements if isinstance(item, Start)]
    assert values(statements)["animal_1.name"] == "Moss"


async def test_a_task_is_given_up(understand):
    assert [type(item) for item in (await understand("dropped")).statements] == [Abandon]


async def test_a_row_that_is_turned_down_is_looked_for_anew(understand):
    understood = await understand("instead")
    assert [type(item) for item in understood.statements] == [Fill]
    assert "smaller" in understood.questions[0].words


async def test_an_answer_leads_back_to_what_was_asked(language):
    reply = await language.respond(SAYING["answer and ask"])
    answer, question = reply.text.split(". ", 1)
    assert "two minutes on foot" in answer
    assert "how many nights" in question


@pytest.mark.parametrize("case", ["full"])
async def test_acts_are_said_in_other_words_that_hold(language, case):
    reply = await language.respond(SAYING[case])
    assert reply.text != " ".join(act.text for act in SAYING[case].acts)
    assert "December 4" in reply.text
    assert reply.text.endswith("?")
    assert reply.suggestions == ()
