"""What is personal is found by its shape, or by the form that asked for it; prices, dates and places are not."""

from __future__ import annotations

import pytest

from hybridchat.research.exports.personal import Finding, Scrubber, in_text, kind_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("write to jo.doe+food@mail.example.org.", ["jo.doe+food@mail.example.org"]),
        ("call (650) 555-0100 or +44 20 7946 0958", ["(650) 555-0100", "+44 20 7946 0958"]),
        ("650.555.0100 ext 12", ["650.555.0100 ext 12"]),
        ("my number is 6505550100", ["6505550100"]),
    ],
)
def test_addresses_and_telephones_are_found(text: str, words: list[str]) -> None:
    assert [one.words for one in in_text(text)] == words


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow at 19:30 for 12",
        "2026-11-27 to 2026-12-03",
        "between 20 and 35 dollars",
        "CS 161, 94301",
        "$1,250,000",
    ],
)
def test_numbers_that_are_no_telephone_are_left(text: str) -> None:
    assert list(in_text(text)) == []


@pytest.mark.parametrize(
    ("field", "kind"),
    [("full_name", "name"), ("student_email_address", "e-mail"), ("student_id", "number"), ("course_name", "")],
)
def test_a_field_is_personal_by_its_name(field: str, kind: str) -> None:
    assert kind_of(field) == kind


def test_one_person_has_one_placeholder_in_any_case() -> None:
    scrubber = Scrubber([Finding("name", "Ada Byron", "form"), Finding("name", "Ada", "form")])
    assert scrubber("ADA BYRON, or Ada; adapt") == "[name 1], or [name 2]; adapt"
