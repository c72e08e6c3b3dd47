"""The participation in a study that a conversation belongs to: its study, consent, arm, steps and answers.

What names the person to a recruiting site, how the study pays, and whom to write to are left out. Who wrote questions
in a study without a chat has no conversation: such a participation is a record of its own, with its questions. Who only
arrived, or has withdrawn, is in no export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, Model, OuterRef, QuerySet

from hybridchat.chat.models import Conversation
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.studies.models import Arm, ConsentText, Study
from hybridchat.research.studies.participations import CollectedQuestion, Participation, QuestionnaireAnswer, StudyEvent

SLICE = 100

UNTOLD: dict[type[Model], frozenset[str]] = {
    Study: frozenset(
        {"id", "state", "contact", "imported"}
        | {"completion_code", "attention_code", "screened_code", "completion_url"}
    ),
    ConsentText: frozenset({"id", "study"}),
    Arm: frozenset({"id", "study"}),
    Participation: frozenset(
        {"study", "owner_key", "external_id", "external_study", "external_session", "consent", "arm", "conversation"}
    ),
    QuestionnaireAnswer: frozenset({"id", "participation"}),
    StudyEvent: frozenset({"id", "study", "participation"}),
    CollectedQuestion: frozenset({"id", "participation"}),
}


def participations_of(conversations: Iterable[UUID], facts: Any) -> dict[UUID, dict[str, Any]]:
    """The participations, by conversation; `facts` tells a row's fields as JSON values."""
    rows = Participation.objects.filter(conversation__in=list(conversations)).select_related("study", "consent", "arm")
    found = rows.prefetch_related("answers", "events")
    return {own.conversation_id: _told(own, facts) for own in found if own.conversation_id}


def wrote_questions(filters: Filters) -> QuerySet[Participation]:
    """The participations without a conversation that have written questions and that the filters choose, in order."""
    if filters.rating or filters.label or filters.conversations:
        return Participation.objects.none()  # they ask for conversations of some kind
    written = CollectedQuestion.objects.filter(participation=OuterRef("pk"))
    if filters.since:
        written = written.filter(created__gte=datetime.fromisoformat(filters.since))
    if filters.until:
        written = written.filter(created__lt=datetime.fromisoformat(filters.until))
    found = Participation.objects.filter(Exists(written), conversation=None).order_by("arrived", "pk")
    if filters.study:
        found = found.filter(study__slug=filters.study)
    if filters.assistant:
        found = found.filter(study__assistant=filters.assistant)
    return found


def collected(chosen: QuerySet[Participation], facts: Any) -> Iterator[tuple[Participation, dict[str, Any]]]:
    """Each participation with its record, its questions in it."""
    rows = chosen.select_related("study", "consent", "arm").prefetch_related("answers", "events", "questions")
    for own in rows.iterator(chunk_size=SLICE):
        yield own, {**_told(own, facts), "questions": [facts(one) for one in own.questions.all()]}


def _told(own: Participation, facts: Any) -> dict[str, Any]:
    return {
        **facts(own),
        "study": facts(own.study),
        "consent": facts(own.consent) if own.consent else None,
        "arm": facts(own.arm) if own.arm else None,
        "answers": [facts(one) for one in own.answers.all()],
        "events": [facts(one) for one in own.events.all()],
    }


def restore(conversation: Conversation | None, owner_key: str, told: dict[str, Any], row: Any) -> None:
    """Store an imported participation, that of a conversation or one that wrote questions; `row` makes a row of what
    was told of one."""
    study = _study(told["study"], row)
    consent, arm = (
        _part(model, study, told[name], row) if told[name] else None
        for model, name in ((ConsentText, "consent"), (Arm, "arm"))
    )
    parts = {"study": study, "consent": consent, "arm": arm, "conversation": conversation}
    own = row(Participation, told, owner_key=owner_key, **parts)
    own.save(force_insert=True)
    parts_of = ((QuestionnaireAnswer, "answers"), (StudyEvent, "events"), (CollectedQuestion, "questions"))
    for model, name in parts_of:
        more = {"study": study} if model is StudyEvent else {}
        for one in told.get(name, ()):
            row(model, one, participation=own, **more).save(force_insert=True)


def _study(told: dict[str, Any], row: Any) -> Study:
    """The study as it was imported before, else a new one that nobody can take part in. A study of this site is never
    added to, whatever its name: its places and arms are its own."""
    slug = told["slug"]
    if Study.objects.filter(slug=slug, imported=False).exists():
        slug = f"{slug[:51]}-imported"
    found = Study.objects.filter(slug=slug, imported=True).first()
    if found is None:
        found = row(Study, {**told, "slug": slug}, state=Study.State.CLOSED, imported=True)
        found.save(force_insert=True)
    return found


def _part(model: Any, study: Study, told: dict[str, Any], row: Any) -> Any:
    """The study's consent text or arm that is as was told, stored where it is new."""
    made = row(model, told, study=study)
    key = "version" if model is ConsentText else "name"
    found = model.objects.filter(study=study, **{key: told[key]}).first()
    if found is None:
        made.save(force_insert=True)
    return found or made
