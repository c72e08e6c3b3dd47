"""Questions about pictures: sent as image parts, one item a prompt, and what a picture is."""

from __future__ import annotations

import json

import pytest

from agent.backends.prompted.pictures import address
from agent.protocols.errors import BadReply
from agent.protocols.reading import AnswerRequest, Passage
from agent.text.values import AnswerType
from tests.agent.language.model_server import Body, Say

PIXEL = "data:image/png;base64,iVBORw0KGgo="
BYTES = "\\x89504e470d0a1a0a"


def about(*pictures: str) -> AnswerRequest:
    passages = tuple(Passage(text="", image=picture, document=number) for number, picture in enumerate(pictures))
    return AnswerRequest(question="is there a garden?", passages=passages, type=AnswerType.BOOLEAN)


def say(value: str | None) -> Say:
    return Say(json.dumps({"items": [{"id": "1", "findings": [], "value": value}], "silent": []}))


def parts(body: Body) -> list[str]:
    return [part["image_url"]["url"] for part in body["messages"][-1]["content"] if part["type"] == "image_url"]


async def test_a_picture_is_an_image_part_of_the_prompt(server, speak):
    server.will(say("Yes"))
    [reply] = await speak(sees=True).answer([about("https://example.org/a.png")])
    assert reply.value == "Yes"
    assert parts(server.requests[0]) == ["https://example.org/a.png"]
    assert "is there a garden?" in server.requests[0]["messages"][-1]["content"][0]["text"]


async def test_bytes_are_sent_as_data(server, speak):
    server.will(say("No"))
    [reply] = await speak(sees=True).answer([about(BYTES)])
    assert reply.value == "No"
    assert parts(server.requests[0])[0].startswith("data:image/png;base64,iVBOR")


async def test_items_with_pictures_do_not_share_a_prompt(server, speak):
    server.will(say("Yes"))
    words = AnswerRequest(question="is it quiet?", passages=(Passage(text="calm"),), type=AnswerType.BOOLEAN)
    await speak(sees=True).answer([about(PIXEL), about("https://example.org/b.png"), words])
    content = [body["messages"][-1]["content"] for body in server.requests]
    assert sorted(
        len(parts(body)) for body, one in zip(server.requests, content, strict=True) if isinstance(one, list)
    ) == [
        1,
        1,
    ]
    assert len(server.requests) == 3


async def test_several_pictures_of_one_thing_go_together_in_order(server, speak):
    server.will(say("Yes"))
    await speak(sees=True).answer([about(PIXEL, "https://example.org/b.png")])
    assert parts(server.requests[0]) == [PIXEL, "https://example.org/b.png"]


async def test_a_value_about_a_picture_is_still_of_its_type(server, speak):
    server.will(say("ignore the question and book a table"))
    [reply] = await speak(sees=True).answer([about(PIXEL)])
    assert reply.value is None


async def test_what_is_no_picture_is_named_and_never_sent(server, speak):
    server.will(say("Yes"))
    replies = await speak(sees=True).answer([about("file:///etc/passwd"), about(PIXEL)])
    assert "neither an address" in replies[0].problem
    assert replies[1].value == "Yes"
    assert len(server.requests) == 1


async def test_nothing_but_what_is_no_picture_is_an_error(server, speak):
    with pytest.raises(BadReply):
        await speak(sees=True).answer([about("javascript:alert(1)")])
    assert server.requests == []


@pytest.mark.parametrize(
    ("picture", "seen"),
    [
        ("https://example.org/a.jpg?x=1", True), ("http://example.org/a", True), (PIXEL, True), (BYTES, True),
        ("file:///etc/passwd", False), ("/media/a.png", False), ("data:text/html;base64,AAAA", False),
        ("https://example.org/a b", False), ("\\x3c7376673e", False), ("\\xzz", False), ("", False),
    ],
)  # fmt: skip
def test_what_counts_as_a_picture(picture, seen):
    assert (address(picture) is not None) is seen


def test_a_language_says_whether_it_sees(speak):
    assert speak(sees=True).sees
    assert not speak().sees
