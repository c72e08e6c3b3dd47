"""A second reading of every yes and no: a model is not believed where the message plainly says the contrary.

A yes may cause something that costs somebody money. So the rules that read answers without a model have a veto, though
no say: what they cannot read is left to the model.
"""

from __future__ import annotations

from agent.backends.prompted.provenance import said
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.answers import Answer


def objection(yes: bool, words: str, message: str) -> str:
    """Why a message is not the yes (or no) it is taken for, in words for who took it so; empty where it may be."""
    if not said(words, message):
        return f"the words {words!r} are not in the message"
    plain = answers.whole(message.strip().lower(), Answer.NO, Answer.REFUSED, Answer.YES)
    if yes and plain in (Answer.NO, Answer.REFUSED):
        return "the message says no"
    if not yes and plain is Answer.YES:
        return "the message says yes"
    if yes and plain is not Answer.YES and _only_asks(message):
        return "the message only asks something"
    return ""


def _only_asks(message: str) -> bool:
    forms = {sentence.form for sentence in Message(message).sentences}
    return forms == {Form.QUESTION}
