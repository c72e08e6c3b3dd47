"""The recorded backend: what was recorded is replayed, what was not is an error."""

from __future__ import annotations

import json

import pytest

from agent.backends.openai import OpenAICompleter
from agent.backends.prompted.language import PromptedLanguage
from agent.backends.recorded import RecordedLanguage, Recorder
from agent.language import Language
from agent.protocols.errors import MissingRecording
from agent.protocols.reading import MatchRequest
from tests.agent.language.model_server import Say

MATCH = MatchRequest(wanted="coffee", values=("cafe", "thai"))


@pytest.fixture
async def folder(server, speak, tmp_path):
    """A folder in which the matching above is recorded."""
    settings = speak().settings
    server.will(Say(json.dumps({"values": ["cafe"]})))
    recorder = Recorder(OpenAICompleter(settings), tmp_path, about="a test server")
    assert (await PromptedLanguage(recorder, settings).match_values([MATCH]))[0].values == ("cafe",)
    return tmp_path


async def test_a_recording_is_replayed_without_a_server_and_costs_nothing(folder, server, calls):
    server.close()
    language = RecordedLanguage(folder, log=calls.append)
    assert isinstance(language, Language)
    [reply] = await language.match_values([MATCH])
    assert reply.values == ("cafe",)
    assert calls[0].cached is True
    assert calls[0].cost == 0.0


async def test_a_missing_recording_names_the_prompt_and_how_to_record_it(folder, calls):
    language = RecordedLanguage(folder, log=calls.append)
    with pytest.raises(MissingRecording) as caught:
        await language.match_values([MATCH.model_copy(update={"wanted": "tea"})])
    assert calls[0].prompt_hash in caught.value.detail
    assert "Recorder" in caught.value.detail


async def test_a_recording_tells_people_what_was_asked_and_who_answered(folder):
    [path] = folder.rglob("*.json")
    kept = json.loads(path.read_text())
    assert path.parent.name == kept["task"] == "match_values"
    assert kept["about"] == "a test server"
    assert "coffee" in kept["messages"][1]["content"]
