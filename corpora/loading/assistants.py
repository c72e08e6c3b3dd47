"""The assistants a new installation starts with. Curators change them afterwards, so they are only ever added."""

from __future__ import annotations

import json

from corpora.loading.corpora import SAMPLE
from corpora.models import Assistant


def add_missing_assistants() -> int:
    """Add those whose slug is not there; how many that were."""
    present = set(Assistant.objects.values_list("slug", flat=True))
    lines = (SAMPLE / "assistants.jsonl").read_text(encoding="utf-8").splitlines()
    missing = [Assistant(**values) for values in map(json.loads, lines) if values["slug"] not in present]
    Assistant.objects.bulk_create(missing)
    return len(missing)
