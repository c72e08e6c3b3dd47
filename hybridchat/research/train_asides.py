"""Learn which messages search nothing: `python -m hybridchat.research.train_asides INTENTS OUT`.

INTENTS are short requests of many kinds, gzipped lines {"text", "intent"} (CLINC150, Larson et al. 2019, CC BY 3.0);
against them stand the messages of the development sets, which all ask the corpora or one of the tasks for something. A
logistic regression over the sentence encoder's vectors is written to OUT.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.networks.encoder import Encoder
from hybridchat.research.lines import read_lines

OURS = frozenset(
    {"restaurant_reviews", "restaurant_suggestion", "restaurant_reservation", "accept_reservations", "how_busy"}
    | {"confirm_reservation", "cancel_reservation", "meal_suggestion", "cancel", "yes", "no", "maybe", "repeat"}
    | {"greeting", "goodbye", "thank_you", "what_can_i_ask_you", "directions", "distance", "calendar", "reminder"}
    | {"schedule_meeting", "ingredients_list", "travel_suggestion", "order", "order_status", "application_status"}
    | {"current_location", "share_location", "insurance", "pay_bill", "bill_due", "balance", "bill_balance", "taxes"}
    | {"meeting_schedule", "next_holiday", "report_lost_card", "new_card", "replacement_card_duration", "pin_change"}
)
"""Kinds of requests that the corpora, the articles or the tasks may have to do with."""
GENERAL = (  # what is asked about a thing, and not where it is to be had
    "is {one} healthy",
    "is {one} good for you",
    "{one} vs {other}",
    "{one} or {other}, which has more calories",
    "what is the difference between {one} and {other}",
    "how do you make {one}",
    "how many calories are in {one}",
    "where does {one} come from originally",
    "who invented {one}",
    "tell me a joke about {one}",
    "why is {one} so popular",
    "is {one} bad for dogs",
)
THINGS = (
    *("kimchi", "laksa", "borscht", "couscous", "hummus", "paella"),
    *("goulash", "tempeh", "poutine", "haggis", "algebra"),
)
EACH = 20
"""Requests learned from of each kind; ten times as many of those that are of none."""
FOLDS, STEPS, RATE, DECAY = 5, 3_000, 2.0, 1e-4
Vectors = NDArray[np.float32]


def asides(path: str) -> list[str]:
    """Some requests of each kind that is not ours."""
    found: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            most = EACH * (10 if item["intent"] == "oos" else 1)
            if item["intent"] not in OURS and len(found[item["intent"]]) < most:
                found[item["intent"]].append(item["text"])
    general = [form.format(one=one, other=other) for form in GENERAL for one, other in pairwise(THINGS)]
    return [*(text for texts in found.values() for text in texts), *general]


def searches(folder: str = "hybridchat/research/development") -> list[str]:
    """The messages of the development sets."""
    return list(dict.fromkeys(text for path in sorted(Path(folder).glob("*.jsonl")) for text in _said(str(path))))


def _said(path: str) -> Iterator[str]:
    for item in read_lines(path):
        messages = [*item.get("messages", ()), item.get("utterance", ""), item.get("user", "")]
        yield from (text for text in messages if isinstance(text, str) and text)


def learned(vectors: Vectors, labels: Vectors) -> tuple[Vectors, float]:
    """Weights and bias of a logistic regression, the two classes weighing the same."""
    weights, bias = np.zeros(vectors.shape[1], np.float32), 0.0
    share = np.where(labels > 0, 0.5 / labels.sum(), 0.5 / (1 - labels).sum()).astype(np.float32)
    for _ in range(STEPS):
        wrong = share * (1 / (1 + np.exp(-(vectors @ weights + bias))) - labels)
        weights -= RATE * 10 * (vectors.T @ wrong + DECAY * weights)
        bias -= RATE * 10 * float(wrong.sum())
    return weights, bias


def main(intents: str, out: str) -> None:
    """Report the likelihoods of messages held out in turn, then learn from all and write the weights."""
    texts = [*asides(intents), *searches()]
    labels = np.array([1.0] * len(asides(intents)) + [0.0] * (len(texts) - len(asides(intents))), np.float32)
    vectors = np.asarray(Encoder.load().encode(texts), np.float32)
    fold = np.arange(len(texts)) % FOLDS
    scores = np.zeros(len(texts))
    for held in range(FOLDS):
        weights, bias = learned(vectors[fold != held], labels[fold != held])
        scores[fold == held] = vectors[fold == held] @ weights + bias
    for threshold in (0.0, 1.0, 2.0, 3.0, 4.0):
        refused, told = (scores[labels == 0] > threshold).mean(), (scores[labels == 1] > threshold).mean()
        sys.stdout.write(f"over {threshold}: {told:.3f} of {int(labels.sum())} asides, {refused:.4f} of searches\n")
    for at in np.argsort(-np.where(labels == 0, scores, -99))[:25]:
        sys.stdout.write(f"{scores[at]:.2f} {texts[at]}\n")
    weights, bias = learned(vectors, labels)
    np.savez(out, weights=weights, bias=np.float32(bias))


if __name__ == "__main__":
    main(*sys.argv[1:])
