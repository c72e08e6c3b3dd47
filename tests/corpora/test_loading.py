"""Loading files: every bad line is named, a file is loaded whole or not at all, again changes nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper

from agent.protocols.errors import ModelUnavailable
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.progress import Progress
from corpora.models import (
    Article,
    ArticleQuestion,
    Assistant,
    Course,
    Offering,
    Passage,
    Place,
    Program,
    Rating,
    Restaurant,
    Review,
)
from tests.corpora.conftest import SAMPLE, CountingEmbedder, course, restaurant

Write = Callable[..., Path]


def load(**files: Any) -> str:
    out = io.StringIO()
    call_command("load_corpora", stdout=out, **files)
    return out.getvalue()


def problems(**files: Any) -> list[str]:
    with pytest.raises(CommandError) as caught:
        load(**files)
    return [line.strip().split("/")[-1] for line in str(caught.value).splitlines()[1:]]


@pytest.mark.django_db
def test_the_sample_loads_whole_and_again_touches_nothing(embedder: CountingEmbedder) -> None:
    load()
    counts = [model.objects.count() for model in (Restaurant, Review, Course, Offering, Rating, Program, Article)]
    assert counts == [126, 1049, 84, 132, 145, 10, 36]
    assert Place.objects.filter(kind="city").count() >= 4
    assert list(Assistant.objects.values_list("slug", flat=True)) == ["restaurants", "courses", "services"]
    assert_texts_are_kept_to_the_letter()
    passages = set(Passage.objects.values_list("pk", flat=True))
    rows = {model: set(model.objects.values_list("pk", flat=True)) for model in (Restaurant, Review, Offering)}
    embedder.embedded.clear()
    assert "--samples loads them" in load()
    assert load(samples=True) == ""
    assert embedder.embedded == []
    assert set(Passage.objects.values_list("pk", flat=True)) == passages
    assert all(set(model.objects.values_list("pk", flat=True)) == keys for model, keys in rows.items())


def assert_texts_are_kept_to_the_letter() -> None:
    for path in (SAMPLE / "restaurants").glob("*.jsonl"):
        for line in map(json.loads, path.read_text().splitlines()):
            place = Restaurant.objects.get(slug=line["slug"])
            assert [review.text for review in place.reviews.all()] == [review["text"] for review in line["reviews"]]
            assert (place.about, place.popular_dishes) == (line["about"], line["popular_dishes"])
    for line in map(json.loads, (SAMPLE / "articles.jsonl").read_text().splitlines()):
        assert Article.objects.get(slug=line["slug"]).body == line["body"]


@pytest.mark.django_db
def test_other_files_of_the_same_form_are_added(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", restaurant())])
    load(restaurants=[write("b.jsonl", restaurant(slug="red-door"))], courses=[write("c.jsonl", course())])
    assert set(Restaurant.objects.values_list("slug", flat=True)) == {"blue-door", "red-door"}
    assert Course.objects.get().code == "CS 143"
    assert not Article.objects.exists()


@pytest.mark.django_db
def test_what_a_line_may_leave_out_is_unknown(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", {"slug": "a", "name": "A", "city": "B", "lat": 1.5, "lon": 2.5})])
    place = Restaurant.objects.get()
    assert (place.price, place.rating, place.opening_hours, place.open_minutes) == (None, None, None, None)
    assert place.picture == "/pictures/a.svg"


@pytest.mark.django_db
def test_a_changed_line_changes_its_row_and_keeps_its_id(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", restaurant())])
    before = Restaurant.objects.get()
    embedder.embedded.clear()
    reviews = restaurant()["reviews"][:1]
    out = load(restaurants=[write("a.jsonl", restaurant(rating=4.9, about="Bigger now.", reviews=reviews))])
    after = Restaurant.objects.get()
    assert (after.pk, after.rating, after.reviews.count()) == (before.pk, 4.9, 1)
    assert embedder.embedded == ["The Blue Door. Bigger now."]
    assert "restaurants: 0 rows added, 1 updated, 1 removed, 1 unchanged" in out


@pytest.mark.django_db
def test_clear_removes_what_the_files_do_not_have(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", restaurant(), restaurant(slug="red-door"))], courses=[write("c", course())])
    load(restaurants=[write("b.jsonl", restaurant(slug="red-door"))], clear=True)
    assert Restaurant.objects.get().slug == "red-door"
    assert Passage.objects.filter(owner_table="restaurants").count() == 4
    assert Course.objects.exists(), "a corpus that no file was named for is left alone"


BAD = {
    "not JSON": ("{", "not a JSON object (expecting property name enclosed in double quotes, at column 2)"),
    "a list": ("[]", "should be an object, got []"),
    "field missing": ({key: value for key, value in restaurant().items() if key != "city"}, "city: is missing"),
    "field unknown": (restaurant(stars=5), "stars: is not a field of this kind of file"),
    "field empty": (restaurant(name=" "), "name: "),
    "price unknown": (restaurant(price="dear"), "'cheap', 'moderate', 'expensive' or 'luxury', got 'dear'"),
    "rating too high": (restaurant(rating=6), "rating: should be less than or equal to 5, got 6"),
    "number in quotes": (restaurant(lat="37.4"), "lat: should be a valid number, got '37.4'"),
    "stars of a review": (restaurant(reviews=[{"text": "A"}, {"text": "B", "stars": 9}]), "reviews[1].stars: "),
    "date of a review": (restaurant(reviews=[{"text": "A", "date": "May 1"}]), "reviews[0].date: "),
    "an hour there is not": (restaurant(opening_hours={"mon": [["11:00", "26:00"]]}), "opening_hours.mon[0]: "),
    "a day there is not": (restaurant(opening_hours={"Monday": []}), "opening_hours.Monday"),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("line", "said"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_with_its_field_and_nothing_of_its_file_is_loaded(
    embedder: CountingEmbedder, write: Write, line: Any, said: str
) -> None:
    found = problems(restaurants=[write("bad.jsonl", restaurant(slug="good"), line)])
    assert len(found) == 1
    assert found[0].startswith("bad.jsonl, line 2")
    assert said in found[0]
    assert not Restaurant.objects.exists()


@pytest.mark.django_db
def test_all_bad_lines_are_named_and_good_files_are_loaded(embedder: CountingEmbedder, write: Write) -> None:
    bad = write("bad.jsonl", course(title=""), "", course(course_id=8, max_units=1), course())
    found = problems(courses=[bad], restaurants=[write("good.jsonl", restaurant())])
    assert [problem.split(":")[0] for problem in found] == ["bad.jsonl, line 1, title", "bad.jsonl, line 3"]
    assert "max_units is below min_units" in found[1]
    assert Restaurant.objects.exists()
    assert not Course.objects.exists()


@pytest.mark.django_db
def test_the_same_row_twice_in_a_file_is_an_error(embedder: CountingEmbedder, write: Write) -> None:
    found = problems(restaurants=[write("twice.jsonl", restaurant(), restaurant(name="Again"))])
    assert found == ["twice.jsonl, line 2: 'blue-door' is already on line 1"]


@pytest.mark.django_db
def test_what_the_database_refuses_is_said_and_undone(embedder: CountingEmbedder, write: Write) -> None:
    same_code = course(course_id=8, ratings=[], offerings=[])
    (found, *_) = problems(courses=[write("clash.jsonl", course(), same_code)])
    assert "clash.jsonl, line 2: the database refuses it" in found
    assert not Course.objects.exists()


@pytest.mark.django_db
def test_a_missing_file_is_said(embedder: CountingEmbedder, tmp_path: Path) -> None:
    (found,) = problems(articles=[tmp_path / "none.jsonl"])
    assert "cannot be read" in found


@pytest.mark.django_db
def test_with_clear_a_bad_file_keeps_everything_as_it_was(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", restaurant())])
    problems(restaurants=[write("b.jsonl", restaurant(slug="red")), write("bad.jsonl", "{")], clear=True)
    assert Restaurant.objects.get().slug == "blue-door"


@pytest.mark.django_db
def test_curators_changes_to_assistants_are_kept() -> None:
    assert add_missing_assistants() == 3
    Assistant.objects.filter(slug="courses").update(title="Classes")
    Assistant.objects.filter(slug="services").delete()
    assert add_missing_assistants() == 1
    assert Assistant.objects.get(slug="courses").title == "Classes"


@pytest.mark.django_db
def test_an_embedder_that_fails_keeps_the_rows_and_says_how_to_go_on(
    embedder: CountingEmbedder, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def embed(texts: list[str]) -> None:
        raise ModelUnavailable("The embeddings endpoint does not answer.")

    monkeypatch.setattr(embedder, "embed", embed)
    with pytest.raises(CommandError, match=r"does not answer\. Run the command again"):
        load(restaurants=[write("a.jsonl", restaurant())])
    assert Restaurant.objects.exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_progress_bar_says_how_much_time_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 30.0, 30.0, 120.0, 120.0])
    monkeypatch.setattr("corpora.loading.progress.time.monotonic", lambda: next(clock))
    out = Terminal()
    progress = Progress(OutputWrapper(out), "Embedding")
    progress(25, 100)
    assert out.getvalue().endswith("25/100, 1:30 left\x1b[K"), "the next bar is drawn over this one"
    progress(100, 100)
    assert out.getvalue().endswith("100/100, done in 120 s\x1b[K\n")


QUESTIONS = {"article": "seats", "quote": "A seat is yours at noon.", "questions": ["when do i get my seat"]}


@pytest.mark.django_db
def test_what_people_ask_of_an_article_follows_its_file(embedder: CountingEmbedder, write: Write) -> None:
    article = {"slug": "seats", "title": "Seats", "body": "A seat is yours at noon. Bring a chair."}
    load(articles=[write("articles.jsonl", article)])
    load(questions=[write("questions.jsonl", QUESTIONS)])
    assert list(ArticleQuestion.objects.values_list("text", flat=True)) == ["when do i get my seat"]
    indexed = Passage.objects.filter(column_name="questions").values_list("body", flat=True)
    assert list(indexed) == QUESTIONS["questions"]
    more = {"article": "seats", "quote": "Bring a chair.", "questions": ["do i need a chair"]}
    load(questions=[write("more.jsonl", more)])
    assert list(ArticleQuestion.objects.values_list("text", flat=True)) == ["do i need a chair"]
    embedder.embedded.clear()
    assert load(questions=[write("more.jsonl", more)]) == ""
    assert embedder.embedded == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({**QUESTIONS, "article": "gone"}, "there is no article 'gone'"),
        ({**QUESTIONS, "quote": "At one."}, "the article 'seats' does not say 'At one.'"),
        ({**QUESTIONS, "questions": ["x", "x"]}, "the article 'seats' is asked 'x' twice"),
        ({**QUESTIONS, "questions": []}, "questions"),
    ],
)
def test_questions_that_do_not_fit_an_article_are_refused(
    embedder: CountingEmbedder, write: Write, line: dict[str, Any], problem: str
) -> None:
    article = {"slug": "seats", "title": "Seats", "body": "A seat is yours at noon. Bring a chair."}
    load(articles=[write("articles.jsonl", article)])
    assert problem in " ".join(problems(questions=[write("questions.jsonl", line)]))
    assert not ArticleQuestion.objects.exists()


@pytest.mark.django_db
def test_html_in_a_review_is_stored_as_text_and_a_link_that_runs_is_refused(
    write: Write, embedder: CountingEmbedder
) -> None:
    load(restaurants=[write("r.jsonl", restaurant(reviews=[{"text": "<p>Hot &amp; <b>lovely</b>.</p>"}]))])
    assert Review.objects.get().text == "Hot & lovely."
    bad = restaurant(link="javascript:alert(1)", picture="data:x", reviews=[{"text": "<p></p>"}])
    with pytest.raises(CommandError) as caught:
        load(restaurants=[write("bad.jsonl", bad)])
    told = str(caught.value)
    assert "a link starts with http:// or https://" in told
    assert "a link starts with http://, https:// or /" in told
    assert "should not be empty" in told
