"""What the prompts bring a good reader to write, from recordings, and what our code makes of it.

A changed prompt is a prompt nobody has answered: these tests then ask for new recordings
(`tests/agent/language/requests_to_record.py` says how).
"""

from __future__ import annotations

import re

import pytest
import sqlglot

from agent.backends.recorded import RecordedLanguage
from agent.language import ChatKind
from tests.agent.language import requests_to_record as asked


@pytest.fixture
def language() -> RecordedLanguage:
    return RecordedLanguage(asked.FOLDER, asked.WORLD, settings=asked.spoken())


# -- reading ---------------------------------------------------------------------------------------------------------


@pytest.fixture
async def answers(language):
    replies = await language.answer(list(asked.READING.values()))
    return dict(zip(asked.READING, replies, strict=True))


@pytest.mark.parametrize(
    ("case", "value"),
    [
        ("majority", "Yes"),
        ("changed", "No"),
        ("even", None),
        ("silence", None),
        ("elsewhere", None),
        ("irony", "No"),
        ("wish", "No"),
        ("list", "Yes"),
        ("list silent", None),
        ("number", "12"),
        ("option", "lively"),
        ("orders", None),
    ],
)
def test_reading(answers, case, value):
    assert answers[case].value == value


def test_a_fact_is_told_in_the_words_of_the_passages(answers):
    assert "damson jam" in answers["words"].value


def test_the_outvoted_passage_speaks_against_the_value(answers):
    stances = {span.passage: span.supports for span in answers["majority"].spans}
    assert stances == {0: True, 1: False, 2: True}


def test_evidence_is_cut_from_the_passage_itself(answers):
    [span] = [span for span in answers["changed"].spans if span.supports]
    text = asked.READING["changed"].passages[span.passage].text
    assert text[span.start : span.stop].rstrip(".") == "Since they built the bypass last year the lorries never stop"


async def test_values_match_by_meaning_or_not_at_all(language):
    cases = ("kind of", "none")
    kind_of, none = await language.match_values([asked.MATCHING[case] for case in cases])
    assert kind_of.values == ("tea & cakes",)
    assert none.values == ()


async def test_a_value_that_is_the_very_word_is_joined_by_none_with_a_name_of_its_own(language):
    [own_name, more_words] = await language.match_values([asked.MATCHING["own name"], asked.MATCHING["more words"]])
    assert own_name.values == ()
    assert more_words.values == ("indoor pool",)


async def test_a_summary_tells_what_changed(language):
    [reply] = await language.summarise([asked.GIST])
    assert "bypass" in reply.value


# -- understanding ---------------------------------------------------------------------------------------------------


async def understood(language, case):
    return await language.understand(asked.understanding(asked.MESSAGES[case]))


async def test_a_greeting_is_answered_and_asks_nothing_of_the_corpora(language):
    wants = await understood(language, "greeting")
    assert wants.chat is ChatKind.GREETING
    assert wants.questions == ()
    assert wants.reply


async def test_a_missing_place_is_asked_for_and_the_question_waits(language):
    wants = await understood(language, "no place")
    assert wants.ask == "location"
    assert "dogs" in wants.questions[0].words


async def test_no_place_is_asked_for_where_all_lie_in_one_town(language):
    wants = await understood(language, "one town")
    assert wants.ask == ""
    assert "£5" in wants.questions[0].words


@pytest.mark.parametrize(
    ("case", "has", "lacks"), [("no preference", "venison", "Henley"), ("the place", "Henley", "?? ")]
)
async def test_the_answer_to_what_was_asked_completes_the_waiting_question(language, case, has, lacks):
    wants = await understood(language, case)
    assert wants.ask == ""
    assert has in wants.questions[0].words
    assert "venison" in wants.questions[0].words
    assert lacks not in wants.questions[0].words


async def test_a_refinement_keeps_what_still_holds(language):
    [question] = (await understood(language, "refined")).questions
    assert all(word in question.words for word in ("Marlow", "vegetarian", "garden", "cheaper"))


async def test_the_second_one_is_named(language):
    [question] = (await understood(language, "the second")).questions
    assert "Old Ferry" in question.words
    assert question.tables == ("inns",)


async def test_others_exclude_what_was_shown(language):
    [question] = (await understood(language, "others")).questions
    assert all(name in question.words for name in ("Green Man", "Old Ferry", "Plough"))


async def test_thanks_and_two_questions_are_told_apart(language):
    wants = await understood(language, "two")
    assert wants.chat is ChatKind.THANKS
    assert [question.tables for question in wants.questions] == [("pages",), ("walks",)]


async def test_what_cannot_be_done_is_said(language):
    wants = await understood(language, "action")
    assert wants.chat is ChatKind.OUT_OF_SCOPE
    assert wants.questions == ()


async def test_a_plan_is_a_question_for_what_helps(language):
    [question] = (await understood(language, "plan")).questions
    assert question.tables == ("pages",)


# -- parsing ---------------------------------------------------------------------------------------------------------


async def parsed(language, case):
    return await language.parse(asked.parsing(asked.QUESTIONS[case]))


@pytest.mark.parametrize("case", [case for case in asked.QUESTIONS if case != "beyond"])
async def test_every_query_is_one_select_on_known_tables(language, case):
    query = await parsed(language, case)
    tree = sqlglot.parse_one(query.suql, read="postgres")
    assert isinstance(tree, sqlglot.exp.Select)
    assert {table.name for table in tree.find_all(sqlglot.exp.Table)} == set(query.tables)


async def test_columns_where_columns_say_and_texts_where_only_texts_do(language):
    query = await parsed(language, "qualities")
    assert "price = 'cheap'" in query.suql
    assert "place = 'Henley'" in query.suql
    assert re.search(r"stuffy\?'\) = 'No'", query.suql)
    asked = {ask.split("'")[0] for ask in query.suql.split(", '")[1:]}
    assert len(asked) == 3, "that there is venison, that it is good, and that it is not stuffy"
    assert sum("venison" in question for question in asked) == 2
    assert "is the venison good?" in asked


async def test_a_dish_is_looked_for_in_the_list_and_in_what_people_wrote(language):
    query = await parsed(language, "dish")
    assert re.search(
        r"answer\(specialities, '.*quince tart\?'\) = 'Yes' OR answer\(reviews, '.*quince tart", query.suql
    )


async def test_known_rows_are_named_by_key_without_the_constraints_that_found_them(language):
    query = await parsed(language, "the second")
    assert re.search(r"slug (?:= |IN \()'old-ferry'", query.suql)
    assert "Marlow" not in query.suql
    assert query.presentation == "detail"


async def test_what_was_shown_is_excluded_by_key(language):
    assert "slug NOT IN ('green-man', 'old-ferry', 'plough')" in (await parsed(language, "others")).suql


async def test_what_must_not_be_there_is_asked_for_and_denied(language):
    assert "answer(reviews, 'is there a dress code?') = 'No'" in (await parsed(language, "no list")).suql


async def test_what_is_asked_for_is_selected_in_its_order_and_nothing_else(language):
    tree = sqlglot.parse_one((await parsed(language, "each")).suql, read="postgres")
    assert [type(one.unalias()) for one in tree.expressions] == [sqlglot.exp.Count, sqlglot.exp.Column]
    assert [one.sql() for one in sqlglot.parse_one((await parsed(language, "most")).suql).expressions] == ["season"]


async def test_a_text_that_is_itself_asked_for_is_selected_as_it_stands(language):
    query = await parsed(language, "text")
    assert "body" in query.suql
    assert "answer(" not in query.suql
    assert "summary(" not in query.suql


async def test_a_thing_that_several_rows_are_about_counts_once(language):
    assert "COUNT(DISTINCT boats.code)" in (await parsed(language, "pair")).suql


async def test_what_no_table_tells_is_said_and_not_queried(language):
    query = await parsed(language, "beyond")
    assert query.suql == ""
    assert query.problem


async def test_a_repair_answers_the_question_in_full(language):
    query = await language.parse(asked.REPAIR)
    assert "place = 'Henley'" in query.suql
    assert "dog" in query.suql
    assert "town" not in query.suql


# -- replying --------------------------------------------------------------------------------------------------------


async def test_a_list_is_a_list_with_every_name(language):
    reply = await language.respond(asked.REPLIES["list"])
    assert all(f"- **{name}**" in reply.text for name in asked.LISTED.titles)


async def test_nothing_found_is_said_plainly(language):
    reply = await language.respond(asked.REPLIES["nothing"])
    assert "no inn in marlow" in reply.text.lower()
    assert "- **" not in reply.text


async def test_who_shares_the_first_place_is_told_with_the_one_in_it(language):
    text = (await language.respond(asked.REPLIES["tied"])).text.lower()
    assert "autumn" in text
    assert "spring" in text


async def test_what_was_given_up_is_said_first(language):
    reply = await language.respond(asked.REPLIES["relaxed"])
    assert "Monday" in reply.text.split("\n")[0]


async def test_a_recorded_reply_can_be_shown_as_if_it_were_written(language):
    shown: list[str] = []
    reply = await language.respond_streaming(asked.REPLIES["chat"], shown.append)
    assert shown == [reply.text]


async def test_what_is_to_be_asked_is_asked_once_after_what_was_found(language):
    reply = await language.respond(asked.REPLIES["asks"])
    assert "- **Hart**" in reply.text
    assert reply.text.endswith("?")
    assert reply.text.count("?") == 1
