"""Whatever is sent, it is understood in a bounded time, and the time does not grow faster than the message.

Seconds are those of this process, so that a busy machine fails nothing. The two networks read a text in parts of
their own length, each in the same time: by default they are left out, so that patterns and plain code are measured.
FULL_SWEEP=1 tries every family at every size with every entry point and the networks, which takes an hour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle

import numpy as np
import pytest

from agent.backends.builtin.language import BuiltinLanguage
from agent.language import Conversation, Question, UnderstandRequest
from agent.networks.cross_encoder import CrossEncoder
from agent.networks.encoder import Encoder
from agent.networks.tagger import Tagger
from agent.protocols.reading import AnswerRequest, Passage
from agent.text.values import AnswerType
from agent.worksheets.state import DialogueState
from corpora.catalogue import catalogue
from tests.agent.adversarial import Family, families
from tests.agent.parsing.world import GAZETTEER, MEMORY
from tests.agent.tasks.speaking import NOW, specification, tables
from tests.drawn import FULL

SMALL, MEDIUM, LARGE = 100, 1_000, 10_000
WORST = 4.0  # seconds, for a message of any length
TIMES, FLOOR = 12.0, 0.8  # a message ten times as long may take so many times as long, and so many seconds more
ASSISTANTS = ("restaurants", "courses", "services")

Enter = Callable[[str, str], None]


@pytest.fixture(scope="module")
def language() -> Iterator[BuiltinLanguage]:
    with pytest.MonkeyPatch.context() as patch:
        if not FULL:
            patch.setattr(Tagger, "_part", lambda *_: iter(()))
            patch.setattr(CrossEncoder, "verdicts", lambda _, pairs: np.full((len(pairs), 3), 1 / 3, np.float32))
        yield BuiltinLanguage(catalogue(), MEMORY, GAZETTEER, Encoder.load())


@pytest.fixture(scope="module")
def entries(language: BuiltinLanguage) -> dict[str, Enter]:
    """What takes a text of anybody: each takes an assistant and the text. What is loaded on first use is loaded."""
    known = {name: specification(name) for name in ASSISTANTS}

    def chat(assistant: str, text: str) -> None:
        held = Conversation(
            assistant=assistant, tables=tables(assistant), now=NOW, state=DialogueState(application=assistant)
        )
        language._understand(UnderstandRequest(message=text, conversation=held, specification=known[assistant]))

    def parse(assistant: str, text: str) -> None:
        held = Conversation(assistant=assistant, tables=tables(assistant), now=NOW)
        understood = language._understand(UnderstandRequest(message=text, conversation=held))
        for question in understood.questions:
            language._interpreter.parse(question, held)

    def ask(assistant: str, text: str) -> None:
        held = Conversation(assistant=assistant, tables=tables(assistant), now=NOW)
        language._interpreter.parse(Question(words=text[:SMALL]), held)
        read("The room is quiet. They serve soup.", text)

    def read(text: str, question: str = "is it quiet?") -> None:
        request = AnswerRequest(question=question, passages=(Passage(text=text),), type=AnswerType.TEXT)
        language._reader.answer_now([request])

    found: dict[str, Enter] = {"chat": chat, "parse": parse, "read": lambda _, text: read(text), "ask": ask}
    for assistant in ASSISTANTS:
        for enter in found.values():
            enter(assistant, "Is there a quiet xqzvbn restuarant or class with $15 soup at 7pm, run by Ann Lee?")
    return found


@pytest.mark.timeout(7_200 if FULL else 900)
def test_time_does_not_grow_faster_than_the_message(entries: dict[str, Enter]) -> None:
    slow: list[str] = []
    for name, assistant, family, sizes in tried(entries):
        before = None
        for size in sizes:
            took = seconds(partial(entries[name], assistant), family.message(size))
            grew = before is not None and took > TIMES * before + FLOOR
            if took > WORST or grew:
                slow.append(f"{name} {assistant} {family.name} at {size}: {took:.2f} s after {before} s")
                break
            before = took
    assert not slow, "\n".join(slow)


def tried(entries: dict[str, Enter]) -> Iterator[tuple[str, str, Family, tuple[int, ...]]]:
    """Entry points and families, with the sizes they are tried at: every family is tried at the smallest."""
    if FULL:
        for name in entries:
            for assistant in ASSISTANTS if name == "chat" else ASSISTANTS[:1]:
                yield from ((name, assistant, family, (SMALL, MEDIUM, LARGE)) for family in families())
        return
    turns = cycle(("chat", "read", "parse", "chat", "ask"))
    for at, (name, family) in enumerate(zip(turns, families(), strict=False)):
        sizes = (SMALL, MEDIUM, LARGE) if at % 46 == 0 else (SMALL, MEDIUM) if at % 18 == 0 else (SMALL,)
        yield name, ASSISTANTS[at % 3], family, sizes


def test_first_words_that_took_minutes_take_no_time() -> None:
    """Words of one piece that may be parted anywhere, before two things that are compared."""
    from agent.parsing.dialogue.chitchat import plain

    for said in ("x" * 50, "-" * 60, "thai" + "." * 50, "no" + "o" * 40 + " I wanted thai", "ab-" * 20 + "2 hours"):
        assert seconds(plain, said) < 0.1


def test_there_are_enough_families_and_each_has_every_length() -> None:
    assert len(families()) == len(set(families())) >= 200
    assert all(len(family.message(size)) == size for family in families() for size in (SMALL, MEDIUM))


def seconds(work: Callable[[str], object], said: str) -> float:
    began = time.process_time()
    work(said)
    return time.process_time() - began
