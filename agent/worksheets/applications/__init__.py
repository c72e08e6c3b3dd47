"""The applications that come with the project, as JSON documents (formats.document) beside this module.

restaurants, courses and services are the assistants of the chat; bank_fraud_report, trip_directions and trivia are
the three domains of STAR that the policy is evaluated on.
"""

from __future__ import annotations

from pathlib import Path

from agent.protocols.errors import SpecificationError
from agent.worksheets.formats import document
from agent.worksheets.specification import Specification

ASSISTANTS = ("restaurants", "courses", "services")
STAR = ("bank_fraud_report", "trip_directions", "trivia")

_FOLDER = Path(__file__).resolve().parent


def text(name: str) -> str:
    """Return the document of an application. Raises SpecificationError if there is none."""
    if name not in (*ASSISTANTS, *STAR):
        known = ", ".join((*ASSISTANTS, *STAR))
        raise SpecificationError("This cannot be done here.", f"there is no application {name!r}, only {known}")
    return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")


def load(name: str) -> Specification:
    """Return an application's specification. Raises SpecificationError."""
    imported = document.read(text(name), name)
    if imported.specification is None:
        problems = "; ".join(str(finding) for finding in imported.findings)
        raise SpecificationError("This cannot be done here.", f"{name}.json: {problems}")
    return imported.specification
