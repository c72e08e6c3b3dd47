"""Small corpora, and an embedder that needs no model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpora.models.passages import DIMENSIONS

SAMPLE = Path(__file__).resolve().parents[2] / "corpora" / "sample"


class CountingEmbedder:
    """Unit vectors made from a hash of the text; `embedded` lists what was asked for."""

    name = "counting"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.embedded += texts
        rows = [np.random.default_rng(int(hashlib.md5(text.encode()).hexdigest()[:8], 16)) for text in texts]
        vectors = np.stack([row.standard_normal(DIMENSIONS) for row in rows]).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    """Stands in for the encoder wherever the corpora embed."""
    counting = CountingEmbedder()
    monkeypatch.setattr("corpora.management.commands.load_corpora.embedder", lambda: counting)
    monkeypatch.setattr("corpora.services.embedder", lambda: counting)
    return counting


def restaurant(**changes: Any) -> dict[str, Any]:
    """A line of a restaurants file."""
    return {
        "slug": "blue-door",
        "name": "The Blue Door",
        "city": "Palo Alto",
        "neighbourhood": "Midtown",
        "address": "1 Example Street",
        "lat": 37.43,
        "lon": -122.12,
        "phone": "(650) 555-0100",
        "cuisines": ["greek", "wine bars"],
        "price": "moderate",
        "rating": 4.2,
        "num_reviews": 12,
        "opening_hours": {"mon": [["11:00", "14:30"]], "tue": []},
        "popular_dishes": ["lamb with lemon, slowly"],
        "about": "A small Greek dining room.",
        "reviews": [
            {"author": "Ada L.", "date": "2026-01-02", "stars": 5, "text": "Calm and candlelit. We talked for hours."},
            {"author": "Ben O.", "date": "2025-03-04", "stars": 2, "text": "The lamb was dry."},
        ],
    } | changes


def course(**changes: Any) -> dict[str, Any]:
    """A line of a courses file."""
    return {
        "course_id": 7,
        "title": "Compilers",
        "course_codes": ["CS 143", "EE 143"],
        "description": "Lexing, parsing, code generation.",
        "min_units": 3,
        "max_units": 4,
        "grading": "Letter",
        "average_hours_spent": 12.5,
        "general_requirements": ["WAY-FR"],
        "foundations_requirement": None,
        "significant_implementation_requirement": True,
        "breadth_requirement": "systems",
        "prerequisite_course_codes": ["CS 103"],
        "offerings": [
            {"season": "spring", "days": ["Tue", "Thu"], "start_time": "10:30", "end_time": "11:50",
             "instructor_names": ["Ada Byron"], "capacity": 60, "enrolled": 12, "location": "Hall 1"},
        ],
        "ratings": [
            {"rating_id": 70, "instructor_names": ["Ada Byron"], "average_rating": 4.5, "num_ratings": 20,
             "season": "autumn", "start_year": 2024, "end_year": 2025, "reviews": ["Hard, but worth it."]},
        ],
    } | changes  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes lines (objects, or raw text) to a file of that name."""

    def to_file(name: str, *lines: dict[str, Any] | str) -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
        return path

    return to_file
