"""A value keeps its evidence, and how sure the reader was, between queries."""

from agent.protocols.reading import AnswerReply, Span
from agent.suql.calls import Ask
from agent.suql.found import Found, evidence, from_memo, to_memo
from agent.suql.passages import Cut
from agent.text.values import AnswerType

ASK = Ask("how much?", AnswerType.TEXT)
CUT = Cut("It costs $5.", "Parking. It costs $5.", 9, 0)


def test_what_was_read_is_remembered_with_its_confidence() -> None:
    reply = AnswerReply(value="$5", spans=(Span(passage=0, start=9, stop=11),), confidence=0.7)
    found = Found("$5", evidence("how much?", "$5", reply, [CUT]))
    assert found.evidence[0].confidence == 0.7
    assert from_memo(ASK, to_memo(found)) == found


def test_what_was_remembered_without_a_confidence_is_sure() -> None:
    stored = {"value": "$5", "question": "how much?", "evidence": [["It costs $5.", 9, 11, "for", "", ""]]}
    assert from_memo(ASK, stored).evidence[0].confidence == 1.0
