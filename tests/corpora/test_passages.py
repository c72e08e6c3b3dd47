"""Texts are cut into passages that lose nothing, and the passages follow the texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from agent.networks.encoder import Encoder
from agent.protocols.errors import ModelUnavailable
from corpora.catalogue import catalogue
from corpora.loading.records import CourseLine, RestaurantLine
from corpora.loading.rows import store_courses, store_restaurants
from corpora.models import Article, Course, Passage, Restaurant, Review
from corpora.passages.cutting import LONG, WHOLE, cut
from corpora.passages.indexing import index, unfinished
from corpora.passages.texts import parts, texts_of_part
from tests.corpora.conftest import SAMPLE, CountingEmbedder, course, restaurant

ALL = catalogue()


def sentences_of(count: int, words: int) -> str:
    return " ".join(f"Sentence {number} {'word ' * (words - 3)}end." for number in range(count))


@given(st.text(alphabet="ab .!?\n'é😀", max_size=300))
def test_cutting_loses_nothing_that_is_not_blank(text: str) -> None:
    passages = cut(text)
    kept = "".join(text[start:stop] for start, stop in passages)
    assert [sign for sign in kept if sign.isalnum()] == [sign for sign in text if sign.isalnum()]
    assert all(start < stop and text[start:stop].strip() == text[start:stop] for start, stop in passages)
    assert all(before[1] <= after[0] for before, after in pairwise(passages))


def test_a_short_review_is_one_passage() -> None:
    text = sentences_of(4, WHOLE // 4)
    assert cut(text) == [(0, len(text))]


def test_a_long_paragraph_is_cut_between_sentences_into_like_lengths() -> None:
    text = sentences_of(12, 10)
    passages = [text[start:stop] for start, stop in cut(text)]
    assert all(passage.startswith("Sentence") and passage.endswith("end.") for passage in passages)
    lengths = [len(passage.split()) for passage in passages]
    assert max(lengths) <= LONG + 10
    assert min(lengths) >= LONG / 2


def test_no_passage_reaches_over_a_paragraph() -> None:
    text = "One.\n\nTwo. Three.\n \nFour."
    assert [text[start:stop] for start, stop in cut(text)] == ["One.", "Two. Three.", "Four."]


def test_the_reviews_of_the_sample_are_cut_without_loss() -> None:
    lines = [line for path in (SAMPLE / "restaurants").glob("*.jsonl") for line in path.read_text().splitlines()]
    for text in (review["text"] for line in lines for review in json.loads(line)["reviews"]):
        assert "".join("".join(text[a:b] for a, b in cut(text)).split()) == "".join(text.split())


# -- indexing --------------------------------------------------------------------------------------------------------


def store(**changes: object) -> Restaurant:
    store_restaurants([RestaurantLine.model_validate_json(json.dumps(restaurant(**changes)))])
    return Restaurant.objects.get()


@pytest.mark.django_db
def test_every_text_of_a_row_has_its_passages(embedder: CountingEmbedder) -> None:
    place = store()
    done = index(ALL, embedder)
    assert (done.written, done.removed, done.kept) == (4, 0, 0)
    found = {(p.column_name, p.text_index, p.body) for p in Passage.objects.filter(owner_key=str(place.pk))}
    assert found == {
        ("popular_dishes", 0, "lamb with lemon, slowly"),
        ("about", 0, "A small Greek dining room."),
        ("reviews", 0, "Calm and candlelit. We talked for hours."),
        ("reviews", 1, "The lamb was dry."),
    }


@pytest.mark.django_db
def test_a_passage_knows_who_wrote_it_and_when(embedder: CountingEmbedder) -> None:
    store()
    store_courses([CourseLine.model_validate_json(json.dumps(course()))])
    index(ALL, embedder)
    review = Passage.objects.get(column_name="reviews", owner_table="restaurants", text_index=1)
    assert (review.label, review.dated) == ("Ben O.", date(2025, 3, 4))
    comment = Passage.objects.get(column_name="reviews", owner_table="ratings")
    assert (comment.label, comment.dated) == ("Student, autumn 2024", date(2024, 12, 12))
    assert Passage.objects.get(column_name="about").dated is None


@pytest.mark.django_db
def test_texts_are_found_again_by_their_md5_in_the_views(embedder: CountingEmbedder) -> None:
    store(about=sentences_of(20, 12))
    index(ALL, embedder)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), sum((substr(r.about, p.start + 1, p.stop - p.start) = p.body)::int) FROM kb.restaurants r"
            " JOIN kb.passages p ON p.owner_table = 'restaurants' AND p.owner_key = r.id::text"
            " AND p.column_name = 'about' AND p.text_md5 = md5(r.about)"
        )
        count, equal = cursor.fetchone()
    assert count > 3
    assert count == equal


@pytest.mark.django_db
def test_indexing_again_embeds_nothing(embedder: CountingEmbedder) -> None:
    store()
    index(ALL, embedder)
    embedder.embedded.clear()
    assert index(ALL, embedder).written == 0
    assert embedder.embedded == []


@pytest.mark.django_db
def test_only_what_changed_is_embedded_again(embedder: CountingEmbedder) -> None:
    place = store()
    index(ALL, embedder)
    embedder.embedded.clear()
    Review.objects.filter(restaurant=place, position=1).update(text="The lamb was tender.")
    done = index(ALL, embedder)
    assert (done.written, done.removed) == (1, 1)
    assert embedder.embedded == ["The lamb was tender."]


@pytest.mark.django_db
def test_a_new_review_does_not_disturb_the_passages_of_the_others(embedder: CountingEmbedder) -> None:
    place = store()
    index(ALL, embedder)
    embedder.embedded.clear()
    Review.objects.create(restaurant=place, text="Loud.")
    assert index(ALL, embedder, keys={"restaurants": [str(place.pk)]}).written == 1
    assert Passage.objects.get(body="Loud.").text_index == 2


@pytest.mark.django_db
def test_passages_of_removed_rows_go(embedder: CountingEmbedder) -> None:
    place = store()
    index(ALL, embedder)
    key = str(place.pk)
    place.delete()
    assert index(ALL, embedder, keys={"restaurants": [key]}).removed == 4
    assert not Passage.objects.exists()


@pytest.mark.django_db
def test_another_embedder_embeds_everything_anew(embedder: CountingEmbedder) -> None:
    store()
    index(ALL, embedder)
    other = CountingEmbedder()
    other.name = "other"
    done = index(ALL, other)
    assert (done.written, done.removed, done.kept) == (4, 4, 0)


@pytest.mark.django_db
def test_an_interrupted_run_is_taken_up_where_it_stopped(
    embedder: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpora.passages.indexing.BATCH", 2)
    store()

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index(ALL, embedder, report=stop)
    assert Passage.objects.count() == 2
    assert index(ALL, embedder).written == 2


@pytest.mark.django_db
def test_the_nearest_passage_by_the_real_encoder_is_the_one_that_says_it() -> None:
    Article.objects.create(
        slug="pets", title="Pets", body="Cats and dogs may live in family housing.\n\nRent is due on the first."
    )
    encoder = Encoder.load()
    index(ALL, encoder)
    (question,) = encoder.encode(["Can I keep a kitten in my flat?"])
    with connection.cursor() as cursor:
        # An exact scan: the rows that other tests rolled back still fill the index's graph.
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute(
            "SELECT body FROM kb.passages ORDER BY embedding <=> %s::halfvec LIMIT 1", [str(question.tolist())]
        )
        assert cursor.fetchone() == ("Cats and dogs may live in family housing.",)


@pytest.mark.django_db
def test_rows_are_read_a_few_at_a_time_and_none_is_missed(
    embedder: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpora.passages.texts.ROWS", 2)
    bodies = [f"Rule {number}." for number in range(7)]
    for number, body in enumerate(bodies):
        Article.objects.create(slug=f"rule-{number}", title="Rules", body=body)
    articles = ALL.table("articles")
    assert articles is not None
    read = [len(texts_of_part(part, ALL.schema)[0]) for part in parts(articles, ALL.schema)]
    assert read == [2, 2, 2, 1]
    monkeypatch.setattr("corpora.passages.texts.TEXTS", 1)
    assert [part.texts for part in parts(articles, ALL.schema)] == [1] * 7, "fewer rows where they have many texts"
    index(ALL, embedder)
    assert sorted(Passage.objects.values_list("body", flat=True)) == bodies


@pytest.mark.django_db
def test_a_row_of_many_texts_is_read_a_few_at_a_time(
    embedder: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpora.passages.texts.TEXTS", 2)
    texts = [f"Visit {number}." for number in range(5)]
    reviews = [
        {"author": f"Author {n}", "date": "2026-01-02", "stars": 5, "text": text} for n, text in enumerate(texts)
    ]
    place = store(reviews=reviews)
    table = ALL.table("restaurants")
    assert table is not None
    read = [part for part in parts(table, ALL.schema) if part.column == "reviews"]
    assert [[text.text for text in texts_of_part(part, ALL.schema)[1]] for part in read] == [
        texts[:2], texts[2:4], texts[4:],
    ]  # fmt: skip
    assert [part.texts for part in read] == [2, 2, 1]
    assert len({str(part) for part in read}) == 3, "each can be taken by another worker"
    assert index(ALL, embedder, keys={"restaurants": [str(place.pk), "0"]}).written == 7
    assert index(ALL, embedder).kept == 7
    written = Passage.objects.filter(column_name="reviews").order_by("text_index")
    assert list(written.values_list("body", "label")) == [(text, f"Author {n}") for n, text in enumerate(texts)]
    place.reviews.filter(position__gte=1).delete()
    assert index(ALL, embedder).removed == 4
    assert index(ALL, embedder).kept == 3


@pytest.mark.django_db
def test_a_text_that_stands_elsewhere_already_is_not_embedded_again(
    embedder: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpora.passages.texts.ROWS", 1)
    for number in range(3):
        Article.objects.create(slug=f"rule-{number}", title="Rules", body="The same rule.")
    index(ALL, embedder)
    assert embedder.embedded == ["Rules. The same rule."]
    assert [str(one.embedding) for one in Passage.objects.all()] == [str(Passage.objects.first().embedding)] * 3


@pytest.mark.django_db
def test_a_row_that_has_lost_its_only_text_has_no_passages(embedder: CountingEmbedder) -> None:
    place = store(about="", reviews=[])
    index(ALL, embedder)
    Restaurant.objects.filter(pk=place.pk).update(popular_dishes=[])
    assert index(ALL, embedder).removed == 1
    assert not Passage.objects.exists()


class FailingEmbedder(CountingEmbedder):
    """Gives out after so many calls, as a process that is killed or an endpoint that is mistyped."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.left = calls

    async def embed(self, texts: Sequence[str]) -> Any:
        if not self.left:
            raise ModelUnavailable("The embeddings endpoint does not answer.")
        self.left -= 1
        return await super().embed(texts)


def long_course(number: int, sentences: int = 400) -> CourseLine:
    """A course whose description has many passages."""
    text = f"This is course {number}. {sentences_of(sentences, 12)}"
    return CourseLine.model_validate_json(
        json.dumps(course(course_id=number, course_codes=[f"CS {number}"], description=text, offerings=[], ratings=[]))
    )


@pytest.mark.django_db
def test_an_index_that_is_cut_off_has_whole_texts_and_is_finished_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpora.passages.indexing.BATCH", 128)
    store_courses([long_course(1), long_course(2), long_course(3)])
    with pytest.raises(ModelUnavailable):
        index(ALL, FailingEmbedder(2))
    bodies = dict(Course.objects.values_list("pk", "description"))
    stored = {
        owner: sum(Passage.objects.filter(owner_key=owner, column_name="description").values_list("stop", flat=True))
        for owner in Passage.objects.filter(column_name="description").values_list("owner_key", flat=True).distinct()
    }
    assert stored
    assert len(stored) < len(bodies)
    for owner, reached in stored.items():
        assert reached == sum(stop for _, stop in cut(bodies[int(owner)]))
    assert unfinished(ALL)
    index(ALL, CountingEmbedder())
    assert not unfinished(ALL)


@pytest.mark.django_db
def test_nothing_is_removed_before_its_successor_is_stored() -> None:
    store_courses([CourseLine.model_validate_json(json.dumps(course(description="It is about boats.")))])
    index(ALL, CountingEmbedder())
    before = set(Passage.objects.values_list("pk", flat=True))
    store_courses([CourseLine.model_validate_json(json.dumps(course(description="It is about ships.")))])
    with pytest.raises(ModelUnavailable):
        index(ALL, FailingEmbedder(0))
    assert set(Passage.objects.values_list("pk", flat=True)) == before


@pytest.mark.django_db
def test_another_embedder_that_fails_leaves_the_index_as_it_is() -> None:
    store_courses([long_course(1, 30)])
    index(ALL, CountingEmbedder())
    before = set(Passage.objects.values_list("pk", flat=True))
    mistyped = FailingEmbedder(0)
    mistyped.name = "another"
    with pytest.raises(ModelUnavailable):
        index(ALL, mistyped)
    assert set(Passage.objects.values_list("pk", flat=True)) == before
