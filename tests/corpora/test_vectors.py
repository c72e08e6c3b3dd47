"""Sentences are encoded once: what an encoder computed is kept in the database."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from agent.networks.encoder import Encoder
from corpora import vectors
from corpora.models import Passage, TextVector
from corpora.tasks import forget_vectors
from corpora.vectors import KEPT_FOR, StoredEncoder, forget_unused, remember_passages

pytestmark = pytest.mark.django_db

TEXTS = ["The soup was cold.", "We could hear each other all evening.", "The soup was cold."]


def test_vectors_are_those_of_the_encoder_to_half_precision() -> None:
    assert np.allclose(StoredEncoder().encode(TEXTS), Encoder.load().encode(TEXTS), atol=1e-3)


def test_a_text_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = StoredEncoder().encode(TEXTS)
    monkeypatch.setattr(Encoder, "encode", lambda *_: pytest.fail("encoded again"))
    assert np.allclose(StoredEncoder().encode(TEXTS), first, atol=1e-3)
    assert TextVector.objects.count() == 2


def test_what_is_cut_off_goes_on_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    encode, done = Encoder.encode, []

    def until_it_ends(encoder: Encoder, texts: list[str]) -> Any:
        if done:
            raise TimeoutError
        done.extend(texts)
        return encode(encoder, texts)

    monkeypatch.setattr(Encoder, "encode", until_it_ends)
    monkeypatch.setattr(vectors, "BATCH", 2)
    with pytest.raises(TimeoutError):
        StoredEncoder().encode(["one", "two", "three"])
    assert TextVector.objects.count() == 2


def test_no_texts_are_no_vectors() -> None:
    assert StoredEncoder().encode([]).shape == (0, 384)


def store(*bodies: str) -> None:
    for number, body in enumerate(bodies):
        Passage.objects.create(
            owner_table="restaurants",
            owner_key="1",
            column_name="reviews",
            text_index=number,
            text_md5=f"{number:032x}",
            start=0,
            stop=len(body),
            body=body,
            embedder="e",
            embedding=[1.0] + [0.0] * 383,
        )


def test_vectors_that_no_passage_uses_are_forgotten_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "PART", 2)
    store("Quiet. Cheap.", "Far.", "Loud.")
    list(remember_passages())
    StoredEncoder().encode(["A question.", "Another one.", "A third.", "A fourth."])
    used = TextVector.objects.count() - 4
    assert used == 5, "two sentences and both, and one of each other passage"
    assert forget_unused() == 0, "they may be of use soon"
    TextVector.objects.update(created=timezone.now() - 2 * KEPT_FOR)
    assert forget_unused() == 4
    assert forget_unused() == 0
    Passage.objects.filter(body="Loud.").delete()
    monkeypatch.setattr("corpora.tasks.politely", lambda work: work())  # in this test's transaction
    forget_vectors()
    assert TextVector.objects.count() == used - 1
    monkeypatch.setattr(Encoder, "encode", lambda *_: pytest.fail("one that is used was forgotten"))
    list(remember_passages())


def test_passages_are_prepared_batch_by_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    store(*(f"Sentence number {number}." for number in range(70)))
    last = Passage.objects.latest("pk").pk
    steps = remember_passages()
    assert next(steps) == (0, 64), "another batch of the same passages is left"
    assert TextVector.objects.count() == 64
    assert list(steps) == [(last, 6)]
    assert TextVector.objects.count() == 70
    monkeypatch.setattr(Encoder, "encode", lambda *_: pytest.fail("encoded again"))
    monkeypatch.setattr(vectors, "PART", 30)
    assert [step.passages for step in remember_passages()] == [30, 30, 10], "a few at a time are looked at"
    assert list(remember_passages(last)) == []
