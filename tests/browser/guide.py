"""The numbered steps of docs/curators.md, so that a test takes them as a reader would."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs" / "curators.md"


def steps(title: str) -> list[str]:
    """Return what the numbered steps of a section set in italics, in order: the controls that a reader looks for."""
    section = GUIDE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    numbered = re.findall(r"^\d+\. .+$", section, re.MULTILINE)
    return [control for step in numbered for control in re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", step)]
