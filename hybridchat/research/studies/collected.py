"""The questions that people wrote in a study, as a file for `manage.py evaluate`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hybridchat.research.studies.models import Study
from hybridchat.research.studies.participations import CollectedQuestion


def question_lines(study: Study) -> Iterator[str]:
    """One line a question, in the form that `evaluate turns --in` and `chat --in` read. Its `truth` is null, which is
    not scored, until somebody writes down the entities that satisfy it. Nothing leads back to a participant.
    """
    written = CollectedQuestion.objects.filter(participation__study=study, participation__finished__isnull=False)
    for number, question in enumerate(written.order_by("participation__finished", "position"), start=1):
        name = f"{study.slug}-{number}"
        record = {"id": name, "assistant": study.assistant, "messages": [question.text], "truth": [None]}
        yield json.dumps(record, ensure_ascii=False) + "\n"
