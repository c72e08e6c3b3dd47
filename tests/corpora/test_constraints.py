"""Every invariant is a constraint of the database, and each is violated here once."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, models, transaction

from corpora.models import (
    AnswerMemo,
    Article,
    ArticleQuestion,
    Assistant,
    CorpusDescription,
    CorpusDraft,
    CorpusLimit,
    CorpusVersion,
    Course,
    FetchedPicture,
    FewShotPair,
    HandEdit,
    Import,
    ImportFile,
    ModelCall,
    Offering,
    Passage,
    Picture,
    Place,
    Program,
    Rating,
    Restaurant,
    Review,
    RowChange,
    TextVector,
    WorksheetEdition,
)

pytestmark = pytest.mark.django_db

VECTOR = [1.0] + [0.0] * 383

VALID: dict[type[models.Model], dict[str, Any]] = {
    Restaurant: {"slug": "a", "name": "A", "city": "B", "latitude": 1.0, "longitude": 2.0},
    Review: {"restaurant_id": 1, "position": 0, "text": "Fine."},
    Course: {"course_id": 1, "title": "A", "course_codes": ["A 1"], "min_units": 1, "max_units": 2},
    Offering: {"course_id": 1, "position": 0, "season": "autumn"},
    Rating: {"rating_id": 1, "course_id": 1, "season": "autumn", "start_year": 2024, "end_year": 2025},
    Program: {"program_id": "a", "level": "BS", "specialization": "A"},
    Article: {"slug": "a", "title": "A", "body": "B"},
    ArticleQuestion: {"text": "Is it B?", "quote": "B"},
    CorpusDescription: {"corpus": "a", "number": 1, "active": True},
    CorpusDraft: {"corpus": "a", "at": datetime(2026, 1, 1, tzinfo=UTC)},
    CorpusLimit: {"corpus": "restaurants"},
    CorpusVersion: {"corpus": "a", "number": 1, "specification": {}, "active": True},
    FewShotPair: {"corpus": "a", "message": "All of them?", "suql": "SELECT 1"},
    HandEdit: {"corpus": "restaurants", "key": "a"},
    Import: {"corpus": "a"},
    ImportFile: {"of_id": 1, "name": "a.csv"},
    RowChange: {"version_id": 1, "table": "a", "origin": "b"},
    Assistant: {"slug": "a", "title": "A", "tables": ["courses"]},
    Place: {"name": "A", "city": "B", "kind": "park", "latitude": 1.0, "longitude": 2.0},
    Passage: {
        "owner_table": "restaurants", "owner_key": "1", "column_name": "reviews", "text_md5": "0" * 32,
        "start": 0, "stop": 4, "body": "Fine", "embedder": "e", "embedding": VECTOR,
    },
    FetchedPicture: {"url": "https://a.example/1.png"},
    Picture: {"digest": "0" * 64, "content_type": "image/png", "body": b"\x89PNG"},
    AnswerMemo: {"key": "0" * 64, "value": {}},
    ModelCall: {"task": "answer", "model": "m"},
    TextVector: {"key": "0" * 64, "rows": b"00"},
    WorksheetEdition: {"version": 1, "document": {"worksheets": []}, "active": True},
}  # fmt: skip

VIOLATIONS: list[tuple[type[models.Model], dict[str, Any], str]] = [
    (Restaurant, {"slug": ""}, "restaurant_slug_filled"),
    (Restaurant, {"name": ""}, "restaurant_name_filled"),
    (Restaurant, {"city": ""}, "restaurant_city_filled"),
    (Restaurant, {"link": "javascript:alert(1)"}, "restaurant_link_is_of_the_web"),
    (Restaurant, {"link": "//elsewhere.example"}, "restaurant_link_is_of_the_web"),
    (Restaurant, {"link": "ftp://a.example"}, "restaurant_link_is_of_the_web"),
    (Restaurant, {"link": "https://a.example b"}, "restaurant_link_is_of_the_web"),
    (Restaurant, {"picture": "data:image/svg+xml,x"}, "restaurant_picture_is_of_the_web"),
    (Program, {"sheet_url": " javascript:alert(1)"}, "program_sheet_is_of_the_web"),
    (Restaurant, {"price": "dear"}, "restaurant_price_known"),
    (Restaurant, {"rating": 5.1}, "restaurant_rating_0_to_5"),
    (Restaurant, {"num_reviews": -1}, "restaurant_num_reviews_not_negative"),
    (Restaurant, {"latitude": 91.0}, "restaurant_latitude_on_earth"),
    (Restaurant, {"longitude": -181.0}, "restaurant_longitude_on_earth"),
    (Assistant, {"audience": "friends"}, "assistant_audience_known"),
    (Assistant, {"audience": "group"}, "assistant_group_named"),
    (FewShotPair, {"corpus": ""}, "few_shot_corpus_filled"),
    (FewShotPair, {"message": ""}, "few_shot_message_filled"),
    (FewShotPair, {"suql": ""}, "few_shot_query_filled"),
    (FewShotPair, {"presentation": "poem"}, "few_shot_presentation_valid"),
    (FetchedPicture, {"url": "file:///etc/passwd"}, "fetched_picture_is_of_the_web"),
    (Picture, {"digest": "x"}, "picture_digest_is_a_hash"),
    (Picture, {"content_type": "image/svg+xml"}, "picture_type_known"),
    (CorpusDraft, {"corpus": ""}, "corpus_draft_corpus_filled"),
    (CorpusDraft, {"state": "torn up"}, "corpus_draft_state_known"),
    (CorpusDraft, {"state": "failed"}, "corpus_draft_failure_says_why"),
    (CorpusDescription, {"corpus": ""}, "corpus_description_corpus_filled"),
    (CorpusDescription, {"number": 0}, "corpus_description_number_from_1"),
    (CorpusLimit, {"corpus": ""}, "corpus_limit_corpus_filled"),
    (CorpusVersion, {"corpus": ""}, "corpus_version_corpus_filled"),
    (CorpusVersion, {"number": 0}, "corpus_version_number_from_1"),
    (CorpusVersion, {"rows_of": 0}, "corpus_version_rows_from_1"),
    (CorpusVersion, {"kind": "whim"}, "corpus_version_kind_known"),
    (RowChange, {"table": ""}, "row_change_table_filled"),
    (RowChange, {"origin": ""}, "row_change_origin_filled"),
    (HandEdit, {"corpus": ""}, "hand_edit_corpus_filled"),
    (Import, {"corpus": ""}, "import_corpus_filled"),
    (Import, {"state": "dreaming"}, "import_state_known"),
    (Import, {"state": "failed"}, "import_failure_says_why"),
    (Import, {"state": "done"}, "import_described_once_recognised"),
    (Import, {"sealed": "x"}, "import_password_gone_once_copied"),
    (Import, {"state": "copying"}, "import_copies_an_address"),
    (Import, {"times_refused": -1}, "import_refused_not_negative"),
    (Import, {"done": -1}, "import_done_not_negative"),
    (Import, {"done": 2, "total": 1}, "import_done_within_total"),
    (ImportFile, {"name": ""}, "import_file_name_filled"),
    (FewShotPair, {"corpus": ""}, "few_shot_corpus_filled"),
    (FewShotPair, {"message": ""}, "few_shot_message_filled"),
    (FewShotPair, {"suql": ""}, "few_shot_query_filled"),
    (FewShotPair, {"presentation": "song"}, "few_shot_presentation_valid"),
    (HandEdit, {"key": ""}, "hand_edit_key_filled"),
    (Review, {"position": -1}, "review_position_not_negative"),
    (Review, {"stars": 6}, "review_stars_1_to_5"),
    (Review, {"text": ""}, "review_text_filled"),
    (Course, {"title": ""}, "course_title_filled"),
    (Course, {"course_codes": []}, "course_has_a_code"),
    (Course, {"min_units": -1}, "course_units_not_negative"),
    (Course, {"max_units": 0}, "course_units_in_order"),
    (Course, {"average_hours_spent": 169}, "course_hours_fit_a_week"),
    (Offering, {"position": -1}, "offering_position_not_negative"),
    (Offering, {"season": "fall"}, "offering_season_known"),
    (Offering, {"days": ["Mo"]}, "offering_days_known"),
    (Offering, {"start_time": time(10), "end_time": time(10)}, "offering_ends_after_start"),
    (Offering, {"capacity": -1}, "offering_capacity_not_negative"),
    (Offering, {"enrolled": -1}, "offering_enrolled_not_negative"),
    (Rating, {"average_rating": -0.1}, "rating_average_0_to_5"),
    (Rating, {"num_ratings": -1}, "rating_num_not_negative"),
    (Rating, {"season": "fall"}, "rating_season_known"),
    (Rating, {"end_year": 2026}, "rating_spans_one_year"),
    (Program, {"program_id": ""}, "program_id_filled"),
    (Program, {"level": "BA"}, "program_level_known"),
    (Program, {"specialization": ""}, "program_specialization_filled"),
    (Article, {"slug": ""}, "article_slug_filled"),
    (Article, {"title": ""}, "article_title_filled"),
    (Article, {"body": ""}, "article_body_filled"),
    (ArticleQuestion, {"text": ""}, "article_question_text_filled"),
    (ArticleQuestion, {"quote": ""}, "article_question_quote_filled"),
    (Assistant, {"slug": ""}, "assistant_slug_filled"),
    (Assistant, {"title": ""}, "assistant_title_filled"),
    (Assistant, {"tables": []}, "assistant_has_a_table"),
    (Place, {"name": ""}, "place_name_filled"),
    (Place, {"kind": ""}, "place_kind_filled"),
    (Place, {"latitude": -91.0}, "place_latitude_on_earth"),
    (Place, {"longitude": 181.0}, "place_longitude_on_earth"),
    (Place, {"radius": 0}, "place_radius_positive"),
    (Passage, {"text_md5": "x"}, "passage_md5_is_one"),
    (Passage, {"text_index": -1}, "passage_index_not_negative"),
    (Passage, {"start": -1, "stop": 3}, "passage_start_not_negative"),
    (Passage, {"stop": 5}, "passage_offsets_fit_body"),
    (Passage, {"body": "", "stop": 0}, "passage_body_filled"),
    (AnswerMemo, {"key": "not a hash, surely"}, "memo_key_is_a_hash"),
    (TextVector, {"key": "not a hash, surely"}, "text_vector_key_is_a_hash"),
    (ModelCall, {"prompt_tokens": -1}, "call_prompt_tokens_not_negative"),
    (ModelCall, {"completion_tokens": -1}, "call_completion_tokens_not_negative"),
    (ModelCall, {"cost": -0.01}, "call_cost_not_negative"),
    (ModelCall, {"milliseconds": -1}, "call_time_not_negative"),
    (WorksheetEdition, {"version": 0}, "worksheet_edition_version_from_1"),
    (WorksheetEdition, {"document": {}}, "worksheet_edition_has_worksheets"),
]

TWICE: list[tuple[type[models.Model], dict[str, Any], str]] = [
    (CorpusDescription, {"active": False}, "corpus_description_number_unique"),
    (CorpusDescription, {"number": 2}, "corpus_description_one_active"),
    (FewShotPair, {}, "few_shot_message_once"),
    (CorpusLimit, {}, "corpus_limit_once"),
    (CorpusVersion, {"active": False}, "corpus_version_number_unique"),
    (CorpusVersion, {"number": 2}, "corpus_version_one_active"),
    (FewShotPair, {}, "few_shot_message_once"),
    (HandEdit, {}, "hand_edit_once"),
    (Restaurant, {"name": "Another"}, "corpora_restaurant_slug_key"),
    (ImportFile, {}, "import_file_name_unique"),
    (RowChange, {}, "row_change_once_a_version"),
    (Review, {"text": "Another"}, "review_position_unique"),
    (Course, {"course_id": 2}, "corpora_course_code_key"),
    (Offering, {"season": "winter"}, "offering_position_unique"),
    (Article, {"title": "Another"}, "corpora_article_slug_key"),
    (ArticleQuestion, {"quote": "C"}, "article_question_once"),
    (Assistant, {"title": "Another"}, "corpora_assistant_slug_key"),
    (Place, {"kind": "school"}, "place_name_unique_in_city"),
    (Passage, {"stop": 6, "body": "Finest"}, "passage_place_unique"),
    (WorksheetEdition, {"active": False}, "worksheet_edition_version_unique"),
    (WorksheetEdition, {"version": 2}, "worksheet_edition_one_active"),
]


def create(model: type[models.Model], **changes: Any) -> models.Model:
    """A row, and the row it belongs to."""
    values = VALID[model] | changes
    if model is CorpusLimit:
        values["user"] = get_user_model().objects.get_or_create(username="a")[0]
    if model is Review:
        values["restaurant_id"] = Restaurant.objects.get_or_create(slug="a", defaults=VALID[Restaurant])[0].pk
    if model is WorksheetEdition:
        values["assistant"] = Assistant.objects.get_or_create(slug="a", defaults=VALID[Assistant])[0]
    if model is ArticleQuestion:
        values["article"] = Article.objects.get_or_create(slug="a", defaults=VALID[Article])[0]
    if model is RowChange:
        values["version_id"] = CorpusVersion.objects.get_or_create(corpus="a", number=1, defaults=VALID[CorpusVersion])[
            0
        ].pk
    if model is ImportFile:
        values["of_id"] = Import.objects.get_or_create(corpus="a")[0].pk
    if model in (Offering, Rating):
        Course.objects.get_or_create(course_id=1, defaults=VALID[Course])
    return model._default_manager.create(**values)


@pytest.mark.parametrize("model", VALID, ids=lambda model: model.__name__)
def test_the_row_the_violations_start_from_is_valid(model: type[models.Model]) -> None:
    assert create(model).pk is not None


@pytest.mark.parametrize(("model", "changes", "constraint"), VIOLATIONS, ids=[name for *_, name in VIOLATIONS])
def test_the_database_refuses(model: type[models.Model], changes: dict[str, Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        create(model, **changes)


@pytest.mark.parametrize(("model", "changes", "constraint"), TWICE, ids=[name for *_, name in TWICE])
def test_the_database_refuses_a_second(model: type[models.Model], changes: dict[str, Any], constraint: str) -> None:
    create(model)
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        create(model, **changes)
        connection.check_constraints()


def test_every_constraint_is_violated_in_this_file() -> None:
    declared = {c.name for model in apps.get_app_config("corpora").get_models() for c in model._meta.constraints}
    assert declared == declared & {name for *_, name in [*VIOLATIONS, *TWICE]}


@pytest.mark.parametrize(
    "hours",
    [
        [],
        {"monday": []},
        {"mon": "11:00"},
        {"mon": [["11:00"]]},
        {"mon": [["11:00", "25:00"]]},
        {"mon": [["24:00", "25:00"]]},
        {"mon": [[11, 12]]},
        {"mon": [["11:00", "12:00", "13:00"]]},
    ],
)
def test_malformed_opening_hours_are_refused(hours: Any) -> None:
    with pytest.raises(IntegrityError, match="opening hours"), transaction.atomic():
        create(Restaurant, opening_hours=hours)
