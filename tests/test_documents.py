"""The documents at the top of the repository and under docs/ point at things that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from hybridchat.version import __version__

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_one(document: Path) -> None:
    targets = [target for target in LINK.findall(document.read_text()) if "://" not in target]
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing


def test_paths_that_the_standing_documents_name_exist() -> None:
    named = re.compile(r"`((?:agent|corpora|docs|hybridchat|static|tests)/[\w./-]*\w)`")
    for name in ("CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md"):
        missing = [path for path in named.findall((ROOT / name).read_text()) if not (ROOT / path).exists()]
        assert not missing, name


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" not in project["project"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "hybridchat.version.__version__"}


def test_the_changelog_has_the_version_or_what_leads_to_it() -> None:
    sections = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == "Unreleased" if "dev" in __version__ else sections[:2] == ["Unreleased", __version__]


def test_the_notice_names_every_file_that_came_from_elsewhere_or_holds_weights() -> None:
    notice = (ROOT / "NOTICE").read_text()
    files = [*ROOT.glob("static/vendor/*.js"), *(ROOT / "agent").rglob("*.npz")]
    missing = [name for file in files if (name := file.relative_to(ROOT).as_posix()) not in notice]
    assert not missing
