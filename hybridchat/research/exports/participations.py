"""The participation in a study that a conversation belongs to: its study, consent, arm, steps and answers.

What names the person to a recruiting site, how the study pays, and whom to write to are left out. Who only arrived, or
has withdrawn, has no conversation, and so is in no export.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Model

from hybridchat.chat.models import Conversation
from hybridchat.research.studies.models import Arm, ConsentText, Study
from hybridchat.research.studies.participations import Participation, QuestionnaireAnswer, StudyEvent

UNTOLD: dict[type[Model], frozenset[str]] = {
    Study: frozenset({"id", "state", "completion_code", "completion_url", "contact", "imported"}),
    ConsentText: frozenset({"id", "study"}),
    Arm: frozenset({"id", "study"}),
    Participation: frozenset(
        {"study", "owner_key", "external_id", "external_study", "external_session", "consent", "arm", "conversation"}
    ),
    QuestionnaireAnswer: frozenset({"id", "participation"}),
    StudyEvent: frozenset({"id", "study", "participation"}),
}


def participations_of(conversations: Iterable[UUID], facts: Any) -> dict[UUID, dict[str, Any]]:
    """The participations, by conversation; `facts` tells a row's fields as JSON values."""
    rows = Participation.objects.filter(conversation__in=list(conversations)).select_related("study", "consent", "arm")
    return {
        own.conversation_id: {
            **facts(own),
            "study": facts(own.study),
            "consent": facts(own.consent) if own.consent else None,
            "arm": facts(own.arm) if own.arm else None,
            "answers": [facts(one) for one in own.answers.all()],
            "events": [facts(one) for one in own.events.all()],
        }
        for own in rows.prefetch_related("answers", "events")
        if own.conversation_id
    }


def restore(conversation: Conversation, told: dict[str, Any], row: Any) -> None:
    """Store the participation of an imported conversation; `row` makes a row of what was told of one."""
    study = _study(told["study"], row)
    consent, arm = (
        _part(model, study, told[name], row) if told[name] else None
        for model, name in ((ConsentText, "consent"), (Arm, "arm"))
    )
    parts = {"study": study, "consent": consent, "arm": arm, "conversation": conversation}
    own = row(Participation, told, owner_key=conversation.owner_key, **parts)
    own.save(force_insert=True)
    for model, name in ((QuestionnaireAnswer, "answers"), (StudyEvent, "events")):
        more = {"study": study} if model is StudyEvent else {}
        for one in told[name]:
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
