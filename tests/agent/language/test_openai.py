"""The openai backend against a real HTTP server: what it sends, what it accepts, and how it fails."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise

import pytest

from agent.backends.openai import OpenAILanguage
from agent.language import Conversation, Found, Language, RespondRequest, StreamingLanguage
from agent.protocols.errors import BadReply, ModelRefused, ModelUnavailable, RateLimited
from agent.protocols.reading import AnswerReply, AnswerRequest, MatchRequest, Passage, SummaryRequest
from agent.text.values import AnswerType
from tests.agent.language.model_server import Body, Fail, Garble, Say

MATCH = MatchRequest(wanted="coffee", values=("cafe", "thai", "coffee & tea"), column="cuisines")
MATCHED = Say(json.dumps({"values": ["cafe", "coffee & tea"]}))
NOW = datetime(2026, 11, 20, 10, 0)
TALK = Conversation(assistant="restaurants", tables=("restaurants",), now=NOW)


def quiet(text: str, question: str = "is it quiet?") -> AnswerRequest:
    return AnswerRequest(question=question, passages=(Passage(text=text),), type=AnswerType.BOOLEAN)


def items_of(body: Body) -> list[Body]:
    """The items in an answer prompt."""
    user = body["messages"][1]["content"]
    questions = json.loads(user[user.index("\n") + 1 : user.rindex("\nQUESTIONS")])
    return [item for question in questions for item in question["items"]]


def answering(value: str = "Yes") -> Say:
    """Answers every item, and quotes the whole of its first text."""

    def reply(body: Body) -> str:
        return json.dumps({"items": [answered(item, value) for item in items_of(body)], "silent": []})

    return Say(reply)


def answered(item: Body, value: str | None) -> Body:
    quote = {"quote": item["texts"][0], "says": value or ""}
    return {"id": item["id"], "findings": [quote], "value": value}


# -- what is sent ----------------------------------------------------------------------------------------------------


def test_it_is_a_language_that_can_stream(speak):
    language = speak()
    assert isinstance(language, Language)
    assert isinstance(language, StreamingLanguage)


async def test_a_strict_json_schema_is_asked_for(server, speak):
    server.will(MATCHED)
    await speak().match_values([MATCH])
    asked = server.requests[0]["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["strict"] is True
    assert asked["json_schema"]["schema"]["required"] == ["values"]


async def test_each_task_is_sent_to_its_own_model(server, speak):
    server.will(MATCHED)
    await speak(models={"match_values": "other-model"}).match_values([MATCH])
    assert server.requests[0]["model"] == "other-model"


async def test_words_that_are_not_in_the_vocabulary_are_not_matches(server, speak):
    server.will(Say(json.dumps({"values": ["Coffee & Tea", "espresso bar", "cafe"]})))
    [reply] = await speak().match_values([MATCH])
    assert reply.values == ("cafe", "coffee & tea")


async def test_nothing_to_read_costs_no_call(server, speak):
    language = speak()
    assert (
        await language.answer([AnswerRequest(question="?", passages=()), quiet("  ")]) == [AnswerReply(value=None)] * 2
    )
    assert await language.summarise([SummaryRequest(passages=())]) == [AnswerReply(value=None)]
    assert (await language.match_values([MatchRequest(wanted="x", values=())]))[0].values == ()
    assert server.requests == []


# -- replies that do not fit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "shown"),
    [
        ("{values: cafe}", "not a JSON object"),
        ('{"values": "cafe"}', "values: Input should be a valid list"),
        ('{"values": [], "because": "x"}', "because: Extra inputs are not permitted"),
        ('["cafe"]', "a list where an object was expected"),
    ],
)
async def test_a_reply_that_does_not_fit_is_shown_to_the_model_with_the_error(server, speak, bad, shown):
    server.will(Say(bad), MATCHED)
    [reply] = await speak().match_values([MATCH])
    assert reply.values == ("cafe", "coffee & tea")
    role, error = server.requests[1]["messages"][-2:]
    assert role == {"role": "assistant", "content": bad}
    assert shown in error["content"]


async def test_a_second_bad_reply_is_an_error_and_not_an_empty_answer(server, speak, calls):
    server.will(Say("no idea"))
    with pytest.raises(BadReply, match="twice in a row"):
        await speak().match_values([MATCH])
    assert len(server.requests) == len(calls) == 2


@pytest.mark.parametrize(
    "text",
    [
        'Certainly! Here it is:\n```json\n{"values": ["cafe"]}\n```\nAnything else?',
        '<think>maybe {"values": []}</think>{"values": ["cafe"]}',
        'I considered {"values": ["thai"]} but settled on {"values": ["cafe"]}.',
    ],
)
async def test_json_among_other_words_is_found(server, speak, text):
    server.will(Say(text))
    [reply] = await speak().match_values([MATCH])
    assert reply.values == ("cafe",)


async def test_a_refusal_is_not_a_bad_reply(server, speak):
    server.will(Say(refusal="I can't help with that."))
    with pytest.raises(ModelRefused, match="I can't help with that"):
        await speak().match_values([MATCH])
    assert len(server.requests) == 1


async def test_a_reply_cut_at_the_limit_of_tokens_is_never_read(server, speak):
    server.will(Say('{"values": ["cafe"]}', finish="length"))
    with pytest.raises(BadReply, match="too long"):
        await speak().match_values([MATCH])


# -- servers that accept less ----------------------------------------------------------------------------------------


async def test_a_server_without_json_schema_gets_the_schema_in_words_and_is_remembered(server, speak):
    refused = Fail(400, "'response_format.type' of 'json_schema' is not available")
    server.will(refused, MATCHED, MATCHED)
    language = speak()
    await language.match_values([MATCH])
    await language.match_values([MATCH])
    formats = [body["response_format"]["type"] for body in server.requests]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert '"additionalProperties": false' in server.requests[1]["messages"][0]["content"]


async def test_a_server_without_any_structured_output_is_asked_in_plain_words(server, speak):
    server.will(Fail(400, "json_schema is not supported"), Fail(400, "response_format must be 'text'"), MATCHED)
    [reply] = await speak().match_values([MATCH])
    assert reply.values
    assert "response_format" not in server.requests[2]


async def test_requests_refused_together_step_down_once(server, speak):
    def no_schema(body):
        schema = body["response_format"]["type"] == "json_schema"
        return Fail(400, "json_schema is not supported") if schema else MATCHED

    server.will(no_schema)
    await speak(concurrency=3).match_values([MATCH] * 3)
    formats = [body["response_format"]["type"] for body in server.requests]
    assert formats.count("json_object") == 3
    assert set(formats) == {"json_schema", "json_object"}


async def test_an_unwelcome_temperature_is_left_out(server, speak):
    server.will(Fail(400, "Unsupported value: 'temperature' does not support 0.0 with this model."), MATCHED)
    await speak().match_values([MATCH])
    assert "temperature" in server.requests[0]
    assert "temperature" not in server.requests[1]


async def test_a_request_that_is_simply_wrong_is_not_tried_again(server, speak):
    server.will(Fail(400, "messages: must not be empty"))
    with pytest.raises(ModelUnavailable, match="did not accept the request"):
        await speak().match_values([MATCH])
    assert len(server.requests) == 1


# -- servers in trouble ----------------------------------------------------------------------------------------------


async def test_a_busy_server_is_asked_again_after_the_time_it_names(server, speak):
    server.will(Fail(429, "slow down", headers={"retry_after": "0.3"}), MATCHED)
    started = time.monotonic()
    await speak().match_values([MATCH])
    assert time.monotonic() - started >= 0.3
    assert len(server.requests) == 2


async def test_a_server_that_stays_busy_says_how_long_to_wait(server, speak, calls):
    server.will(Fail(429, "slow down", headers={"retry_after": "0.05"}))
    with pytest.raises(RateLimited) as caught:
        await speak(retries=1).match_values([MATCH])
    assert caught.value.retry_after == 0.05
    assert calls[-1].error == "RateLimited"


async def test_an_account_without_credit_is_told_apart_from_a_busy_server(server, speak):
    server.will(Fail(429, "You exceeded your current quota", code="insufficient_quota"))
    with pytest.raises(RateLimited, match="no credit"):
        await speak(retries=0).match_values([MATCH])


async def test_a_server_error_is_tried_again(server, speak):
    server.will(Fail(503, "loading the model"), MATCHED)
    [reply] = await speak().match_values([MATCH])
    assert reply.values


async def test_a_server_that_does_not_answer_in_time_is_unavailable(server, speak):
    server.will(Say(after=3.0))
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"within 0\.2 seconds"):
        await speak(timeout=0.2, retries=1).match_values([MATCH])
    assert time.monotonic() - started < 2.0
    assert len(server.requests) == 2


async def test_no_server_is_told_with_its_address(server, speak):
    language = speak(base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9"):
        await language.match_values([MATCH])


@pytest.mark.parametrize(
    ("status", "words"), [(401, "did not accept the API key"), (403, "API key"), (404, "does not know this model")]
)
async def test_a_wrong_key_or_model_is_named_as_such(server, speak, status, words):
    server.will(Fail(status))
    with pytest.raises(ModelUnavailable, match=words):
        await speak().match_values([MATCH])


@pytest.mark.parametrize(
    "garble", [Garble(), Garble(b'{"id": "x"', "application/json"), Garble(b"{}", "application/json")]
)
async def test_a_page_that_is_no_reply_is_an_error(server, speak, garble):
    server.will(garble)
    with pytest.raises(ModelUnavailable, match="invalid reply"):
        await speak(retries=0).match_values([MATCH])


# -- reading in batches ----------------------------------------------------------------------------------------------


async def test_many_texts_share_a_prompt_and_come_back_in_order(server, speak, calls):
    def by_words(body: Body) -> str:
        answers = [answered(i, "No" if "loud" in i["texts"][0] else "Yes") for i in items_of(body)]
        return json.dumps({"items": list(reversed(answers)), "silent": []})

    server.will(Say(by_words))
    requests = [quiet(f"It is {'loud' if n % 3 == 0 else 'calm'} at number {n}.") for n in range(10)]
    replies = await speak(batch_items=4).answer(requests)
    assert [reply.value for reply in replies] == ["No" if n % 3 == 0 else "Yes" for n in range(10)]
    assert sorted(call.items for call in calls) == [2, 4, 4]


async def test_long_texts_get_prompts_of_their_own(server, speak, calls):
    server.will(answering())
    await speak(batch_items=8, batch_characters=1000).answer([quiet("Calm here. " * 60)] * 3)
    assert [call.items for call in calls] == [1, 1, 1]


async def test_an_item_left_out_is_asked_again_alone(server, speak):
    def forgetful(body: Body) -> str:
        items = items_of(body)
        return json.dumps({"items": [answered(item, "Yes") for item in items[:-1] or items], "silent": []})

    server.will(Say(forgetful))
    replies = await speak().answer([quiet(f"Calm at number {n}.") for n in range(4)])
    assert [reply.value for reply in replies] == ["Yes"] * 4
    assert [len(items_of(body)) for body in server.requests] == [4, 1]


async def test_a_question_stands_once_over_all_its_items(server, speak):
    server.will(answering())
    await speak().answer([quiet("Calm here."), quiet("Calm there."), quiet("Calm.", "is it calm?"), quiet("Calm too.")])
    user = server.requests[0]["messages"][1]["content"]
    assert user.count("is it quiet?") == user.count("is it calm?") == 1


async def test_silence_is_what_is_named_silent_and_what_is_named_twice_is_asked_again(server, speak):
    def contradicting(body: Body) -> str:
        items = items_of(body)
        decided = [answered(item, "Yes") for item in items[:2] or items]
        return json.dumps({"items": decided, "silent": [item["id"] for item in items[1:]]})

    server.will(Say(contradicting))
    replies = await speak().answer([quiet(f"Calm at number {n}.") for n in range(4)])
    assert [reply.value for reply in replies] == ["Yes", "Yes", None, None]
    assert not any(reply.problem for reply in replies)
    assert [len(items_of(body)) for body in server.requests] == [4, 1]


async def test_passages_of_one_text_are_shown_in_its_order_with_what_is_left_out_marked(server, speak):
    text = "Dogs are welcome. Cats are not. They stay in the barn. Ask at the desk."

    def passage(words: str, document: int = 0) -> Passage:
        return Passage(text=words, document=document, start=text.index(words), whole=len(text))

    def quoting(body: Body) -> str:
        finding = {"quote": "They stay in the barn", "says": "Yes"}
        return json.dumps({"items": [{"id": "1", "findings": [finding], "value": "Yes"}], "silent": []})

    server.will(Say(quoting))
    best_first = (passage("They stay in the barn."), passage("Cats are not."), passage("Dogs are", 1))
    request = AnswerRequest(question="do cats stay in the barn?", passages=best_first, type=AnswerType.BOOLEAN)
    [reply] = await speak().answer([request])
    shown = items_of(server.requests[0])[0]["texts"]
    assert shown == ["[…] Cats are not. They stay in the barn. […]", "Dogs are […]"]
    assert [span.passage for span in reply.spans] == [0]


async def test_a_text_comes_with_its_date_and_a_quote_may_run_over_two_of_its_passages(server, speak):
    def quoting(body: Body) -> str:
        finding = {"quote": "Cats are not welcome. They stay in the barn.", "says": "Yes"}
        return json.dumps({"items": [{"id": "1", "findings": [finding], "value": "Yes"}], "silent": []})

    server.will(Say(quoting))
    pieces = (("Cats are not welcome.", 0), ("They stay in the barn.", 22))
    passages = tuple(Passage(text=text, start=start, dated="2026-03-11") for text, start in pieces)
    request = AnswerRequest(question="do cats stay in the barn?", passages=passages, type=AnswerType.BOOLEAN)
    [reply] = await speak().answer([request])
    [shown] = items_of(server.requests[0])
    assert shown == {"id": "1", "texts": [["2026-03-11", "Cats are not welcome. They stay in the barn."]]}
    assert [span.passage for span in reply.spans] == [1]


async def test_a_batch_that_fails_is_halved_until_the_bad_text_is_alone(server, speak):
    def choking(body: Body) -> str:
        items = items_of(body)
        if any("poison" in item["texts"][0] for item in items):
            return "I am stuck"
        return json.dumps({"items": [answered(item, "Yes") for item in items], "silent": []})

    server.will(Say(choking))
    texts = ["calm one", "calm two", "poison pen", "calm four"]
    replies = await speak().answer([quiet(text) for text in texts])
    assert [reply.value for reply in replies] == ["Yes", "Yes", None, "Yes"]
    assert [bool(reply.problem) for reply in replies] == [False, False, True, False]


async def test_a_text_the_model_refuses_does_not_spoil_the_others(server, speak):
    server.will(Say(refusal="no"), answering(), Say(refusal="no"))
    replies = await speak().answer([quiet("calm one"), quiet("something dreadful")])
    assert sorted(bool(reply.problem) for reply in replies) == [False, True]


async def test_a_model_that_can_read_nothing_is_an_error(server, speak):
    server.will(Say("I am stuck"))
    with pytest.raises(BadReply, match="could not read"):
        await speak().answer([quiet("calm one"), quiet("calm two")])


async def test_a_prompt_too_long_for_the_model_is_halved(server, speak):
    server.will(Fail(400, "maximum context length is 512 tokens", code="context_length_exceeded"), answering())
    replies = await speak().answer([quiet("calm one"), quiet("calm two")])
    assert [reply.value for reply in replies] == ["Yes", "Yes"]


async def test_a_server_that_is_gone_fails_the_batch_at_once(server, speak):
    server.will(Fail(503, "down"))
    with pytest.raises(ModelUnavailable):
        await speak(retries=0).answer([quiet("calm one"), quiet("calm two")])
    assert len(server.requests) == 1


async def test_no_more_requests_are_in_flight_than_the_settings_allow(server, speak):
    server.will(Say(json.dumps({"values": []}), after=0.1))
    await speak(concurrency=2).match_values([MATCH] * 6)
    assert server.busiest == 2


# -- streaming -------------------------------------------------------------------------------------------------------

HELLO = RespondRequest(message="hi", conversation=TALK)
WORDS = json.dumps({"text": 'Good evening. Try the "tasting menu".', "suggestions": ["what is open now?"]})


async def test_a_reply_is_shown_as_it_is_written(server, speak, calls):
    server.will(Say(WORDS))
    shown: list[str] = []
    reply = await speak().respond_streaming(HELLO, shown.append)
    assert reply.text == 'Good evening. Try the "tasting menu".'
    assert reply.suggestions == ("what is open now?",)
    assert len(shown) > 3
    assert all(later.startswith(earlier) for earlier, later in pairwise(shown))
    assert shown[-1] == reply.text
    assert calls[0].prompt_tokens == 1000


async def test_a_stream_that_breaks_off_is_asked_for_again(server, speak):
    server.will(Say(WORDS, cut_after=3), Say(WORDS))
    shown: list[str] = []
    reply = await speak().respond_streaming(HELLO, shown.append)
    assert shown[-1] == reply.text
    assert len(server.requests) == 2


async def test_a_stream_that_breaks_off_twice_is_no_reply(server, speak, calls):
    server.will(Say(WORDS, cut_after=3))
    with pytest.raises(ModelUnavailable, match="broke off"):
        await speak().respond_streaming(HELLO, lambda text: None)
    assert calls[0].error == "ModelUnavailable"


async def test_a_server_that_reports_no_usage_of_streams_is_estimated(server, speak, calls):
    server.will(Fail(400, "stream_options: unknown field"), Say(WORDS))
    await speak().respond_streaming(HELLO, lambda text: None)
    assert calls[0].completion_tokens == -(-len(WORDS) // 4)


# -- replying without the model's words ------------------------------------------------------------------------------

FOUND = Found(
    question="q",
    description="restaurants in Palo Alto with a patio",
    titles=("Otto's", "Lark"),
    rows=({"name": "Otto's"}, {"name": "Lark"}),
    relaxed=("open now",),
)


@pytest.mark.parametrize(
    "behaviour", [Say("no idea"), Say(refusal="no"), Say('{"text": "**Chez Nobody**", "suggestions": []}')]
)
async def test_rows_that_were_found_are_said_plainly_where_the_model_cannot(server, speak, behaviour, calls):
    server.will(behaviour)
    request = RespondRequest(message="m", conversation=TALK, found=(FOUND,), ask="location")
    reply = await speak().respond(request)
    assert "restaurants in Palo Alto with a patio:\n\n- **Otto's**\n- **Lark**" in reply.text
    assert "open now" in reply.text
    assert reply.text.endswith("Which city or place should it be?")


async def test_nothing_found_and_no_words_is_still_said_plainly(server, speak):
    server.will(Say("no idea"))
    nothing = Found(question="q", description="sushi in Cupertino")
    count = Found(question="q", description="the number of cafes", rows=({"count": 7},))
    reply = await speak().respond(RespondRequest(message="m", conversation=TALK, found=(nothing, count)))
    assert reply.text == "I found nothing for sushi in Cupertino.\n\nthe number of cafes:\n\n- count: 7"


async def test_words_alone_that_the_model_cannot_write_are_an_error(server, speak):
    server.will(Say("no idea"))
    with pytest.raises(BadReply):
        await speak().respond(HELLO)


# -- accounting ------------------------------------------------------------------------------------------------------


async def test_every_call_is_logged_with_what_it_took(server, speak, calls):
    details = {"prompt_tokens_details": {"cached_tokens": 400}}
    server.will(Say(MATCHED.text, usage={"prompt_tokens": 1000, "completion_tokens": 100, **details}))
    await speak().match_values([MATCH])
    [call] = calls
    assert (call.task, call.model, call.items, call.error, call.cached) == ("match_values", "small-model", 1, "", False)
    assert (call.prompt_tokens, call.completion_tokens) == (1000, 100)
    assert call.cost == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 8) / 1e6)
    assert call.milliseconds > 0


async def test_the_same_prompt_has_the_same_hash_and_another_has_another(server, speak, calls):
    server.will(MATCHED)
    language = speak()
    await language.match_values([MATCH])
    await language.match_values([MATCH])
    await language.match_values([MATCH.model_copy(update={"wanted": "tea"})])
    hashes = [call.prompt_hash for call in calls]
    assert hashes[0] == hashes[1] != hashes[2]


async def test_waiting_for_a_place_is_not_counted_as_the_models_time(server, speak, calls):
    server.will(Say(json.dumps({"values": []}), after=0.15))
    await speak(concurrency=1).match_values([MATCH] * 4)
    assert max(call.milliseconds for call in calls) < 400


def test_answers_of_another_model_are_other_answers(speak):
    assert speak().name != speak(models={"answer": "large-model"}).name
    assert speak().version == speak().version


# -- stopping --------------------------------------------------------------------------------------------------------


async def until(holds: Callable[[], bool]) -> None:
    """Waits for the server's threads to have noticed; fails after two seconds."""
    for _ in range(100):
        if holds():
            return
        await asyncio.sleep(0.02)
    pytest.fail("the server never noticed")


async def test_cancelling_closes_the_requests_in_flight(server, speak, calls):
    server.will(Say(after=5.0))
    work = asyncio.ensure_future(speak().match_values([MATCH] * 3))
    await until(lambda: len(server.requests) == 3)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    await until(lambda: server.dropped == 3)
    assert [call.error for call in calls] == ["Cancelled"] * 3


async def test_one_failure_stops_the_other_requests_of_the_call(server, speak):
    server.will(Fail(401), Say(after=5.0))
    with pytest.raises(ModelUnavailable):
        await speak().match_values([MATCH] * 3)
    await until(lambda: server.dropped == 2)


def test_a_language_outlives_the_event_loop_it_began_in(server, speak):
    server.will(MATCHED)
    language: OpenAILanguage = speak(concurrency=1)
    for _ in range(2):
        [reply] = asyncio.run(language.match_values([MATCH]))
        assert reply.values
