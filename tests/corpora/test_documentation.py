"""docs/curators.md names everything a curator can write into a file or say to the command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpora.gazetteer.building import KIND_RADIUS, KNOWN_DISTRICT_RADIUS, LANDMARK_RADIUS
from corpora.loading.corpora import CORPORA
from corpora.loading.records import Line, OfferingLine, RatingLine, ReviewLine

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "curators.md").read_text()


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.name)
def test_every_kind_of_file_has_its_option_and_its_fields(corpus: object) -> None:
    assert f"`--{corpus.name}`" in TEXT
    section = TEXT.split(f"**{corpus.name.capitalize()}**")[1].split("\n**")[0]
    for name, field in corpus.form.model_fields.items():
        assert (f"**`{name}`**" in section) == field.is_required(), name
        assert f"`{name}`" in section, name


@pytest.mark.parametrize("form", [ReviewLine, OfferingLine, RatingLine], ids=lambda form: form.__name__)
def test_the_fields_inside_a_line_are_named(form: type[Line]) -> None:
    listed = "{" + ", ".join(f'"{name}"' for name in form.model_fields) + "}"
    assert listed in TEXT


def test_the_radii_are_those_that_are_used() -> None:
    said = {float(number) for number in re.findall(r"(\d+(?:\.\d+)?) km", TEXT)}
    assert {KIND_RADIUS["district"], KIND_RADIUS["park"], KIND_RADIUS["campus"]} <= said
    assert {LANDMARK_RADIUS, KNOWN_DISTRICT_RADIUS} <= said
