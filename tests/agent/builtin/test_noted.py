"""Questions that were noted beside a long text tell which of its sentences answers; the reply is for this time only."""

from __future__ import annotations

from agent.backends.builtin.language import BuiltinLanguage
from agent.backends.builtin.noted import Noted
from agent.backends.builtin.quoting import quote
from agent.protocols.reading import AnswerRequest
from corpora.catalogue import catalogue
from tests.agent.builtin.test_quoting import article, readings, vectors
from tests.agent.parsing.world import GAZETTEER, MEMORY

LENT = "the front desk of your house can let you in and lend you a door card for up to 48 hours"
NOTES = (Noted("I am locked out of my room at night", LENT),)
ASKED = "I'm locked out of my room tonight"


def test_a_question_that_was_noted_leads_to_its_sentence() -> None:
    request = AnswerRequest(question=ASKED, passages=article("lost-student-id"))
    told = quote(request, vectors(), readings(), NOTES)
    assert told.value is not None
    assert told.value.startswith(f"While you wait, {LENT}")
    beside = quote(request, vectors(), readings(), (Noted("how do I feed a horse", LENT),))
    assert beside == quote(request, vectors(), readings())  # one that is not asked changes nothing


async def test_a_reply_that_may_rest_on_notes_is_not_lasting() -> None:
    request = AnswerRequest(question=ASKED, passages=article("lost-student-id"))
    asked: list[str] = []

    def notes(passage: str) -> tuple[Noted, ...]:
        asked.append(passage)
        return NOTES

    language = BuiltinLanguage(catalogue(), MEMORY, GAZETTEER, notes=notes)
    (reply,) = await language.answer([request])
    assert reply.value is not None
    assert LENT in reply.value
    assert not reply.lasting
    assert asked == [request.passages[0].text]
    (plain,) = await BuiltinLanguage(catalogue(), MEMORY, GAZETTEER).answer([request])
    assert plain.lasting
