"""Messages that nobody planned for: what people wrote, mutated, and families made to be hard to read."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from tests.agent.adversarial import families

WRITTEN = Path(__file__).resolve().parents[2] / "hybridchat" / "research" / "development"
SETS = ("restaurants", "courses", "articles", "understanding", "strangers", "varied", "questions", "turns")
LONGEST = 300  # characters of a message of a family
SIGNS = ".,;:!?'\"()[]{}<>/\\|-–_=+*&^%$#@~`\n\t\u00a0\u200b\u0301😀寿ß"
SAID = (  # what is said to a task that is under way, or of what was shown
    *("yes", "no", "ok", "y", "cancel", "never mind", "the second one", "both", "none of them", "why?", "start over"),
    *("book a table for two at 7pm tomorrow", "enroll me in CS 101", "open a ticket", "change it to 8", "any of them"),
    *("my name is Ann Lee", "ann@x.org", "650 555 0100", "December 3", "half past seven", "12/31/2026", "4", "what?"),
    *("which of those is the cheapest", "how many are there", "average rating by price", "compare the first two"),
    *("list the times of each course by quarter", "and when does it start", "what do people say", "is it any good"),
)


def messages(seed: int) -> Iterator[str]:
    """Endless messages, the same ones for the same seed."""
    chance, written, hard = random.Random(seed), _written(), families()
    while True:
        said = chance.choice(written if chance.random() < 0.6 else SAID)
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            said = _mutated(said, chance, written)
        if chance.random() < 0.15:
            said = chance.choice(hard).message(chance.randrange(10, LONGEST))
        if said.strip():
            yield said


def _written() -> list[str]:
    found: dict[str, None] = {}
    for name in SETS:
        for line in (WRITTEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            said = [item.get(key) for key in ("utterance", "question", "user")]
            found.update(dict.fromkeys(one for one in (*said, *item.get("messages", ())) if isinstance(one, str)))
            found.update((turn["user"], None) for turn in item.get("turns", ()))
    return list(found)


def _mutated(said: str, chance: random.Random, written: list[str]) -> str:
    words = said.split() or [said]
    at, other = chance.randrange(len(words)), chance.randrange(len(words))
    match chance.randrange(10):
        case 0:
            del words[at]
        case 1:
            words[at], words[other] = words[other], words[at]
        case 2:
            words[at:at] = words[at : at + 3] * chance.randrange(1, 4)
        case 3:
            return f"{said}{chance.choice((' ', ', ', ' and ', '. ', ' or ', ' but not '))}{chance.choice(written)}"
        case 4:
            words[at] = chance.choice(SAID)
        case 5:
            place = chance.randrange(len(said) + 1)
            return said[:place] + chance.choice(SIGNS) * chance.choice((1, 1, 2, 30)) + said[place:]
        case 6:
            return said[: chance.randrange(len(said) + 1)]
        case 7:
            return chance.choice((said.upper(), said.title(), said.swapcase(), said[::-1], said.replace(" ", "")))
        case 8:
            words[at] = str(chance.choice((0, -1, 7.5, 10**6, 10**30, "3/4", "1,000", "25:61", "31.02.2026", "½")))
        case _:
            words[at:at] = chance.choice(
                ("not", "no", "and", "or", "the", "than", "which", "of", "who", "how many")
            ).split()
    return " ".join(words)
