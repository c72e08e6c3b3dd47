"""Wishes that follow from another one: who hates queueing and wants a short wait wants one thing, said twice.

Of two questions to the same texts, one is left out if what the other wants, put as a sentence, answers it. The
cross-encoder that reads reviews judges that as it judges any sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.networks.layers import Array
from agent.parsing.frame import Asked, Node
from agent.suql.phrases import claim

# Reads each sentence beside its question: probabilities of yes, no and neither, shape (pairs, 3).
Judge = Callable[[tuple[tuple[str, str], ...]], Array]
FOLLOWS = 0.4  # probability from which a sentence answers a question
_JOINED = re.compile(r"\s*(?:,|,? (?:and|but|yet|plus)|&) (?:an? )?", re.IGNORECASE)
_ANSWERS = {"Yes": 0, "No": 1}


def without_implied(nodes: tuple[Node, ...], judge: Judge, noun: str, message: str) -> tuple[Node, ...]:
    """The conditions of a message without those that another one implies; of two that imply each other the later one
    stays. What is only preferred implies nothing that is insisted on, what is enumerated is all wanted, and that a
    dish is served (asked of the menu, too) says nothing of how it is.
    """
    said = [(node, _sentence(node, noun)) for node in nodes if isinstance(node, Asked) and not node.negated]
    asked = [(node, sentence) for node, sentence in said if sentence and node.expected in _ANSWERS]
    pairs = [
        (one, other)
        for one in range(len(asked))
        for other in range(len(asked))
        if one != other
        and len(asked[one][0].columns) == 1
        and not _enumerated(message, asked[one][0].words, asked[other][0].words)
    ]
    if not pairs:
        return nodes
    found = judge(tuple((asked[other][0].question, asked[one][1]) for one, other in pairs))
    left_out: set[int] = set()
    for (one, other), row in sorted(zip(pairs, found, strict=True), key=lambda pair: pair[0][1]):
        premise, node = asked[one][0], asked[other][0]
        follows = row[_ANSWERS[node.expected]] >= FOLLOWS and (node.soft or not premise.soft)
        if follows and one not in left_out:
            left_out.add(other)
    dropped = [asked[index][0] for index in left_out]
    return tuple(node for node in nodes if not any(node is one for one in dropped))


def _enumerated(message: str, one: str, other: str) -> bool:
    """Whether two stretches of a message are joined like equals: "<crunchy outside> and <moist inside>"."""
    (start, first), (then, _) = sorted([(message.find(one), one), (message.find(other), other)])
    return start >= 0 and _JOINED.fullmatch(message[start + len(first) : then]) is not None


def _sentence(node: Asked, noun: str) -> str:
    """What a condition wants as a sentence: "The servers are not pushy."; empty where its grammar is beyond us."""
    found = claim(node.question, (noun,))
    if found is None:
        return ""
    text = found.said(node.expected == "Yes")
    text = {"adjective": f"it is {text}", "verb": f"it {text}"}.get(found.form, text)
    return f"{text[:1].upper()}{text[1:]}."
