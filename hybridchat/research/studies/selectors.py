"""What is read about studies and who takes part in them."""

from __future__ import annotations

from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner
from hybridchat.research.studies.models import ConsentText, Study
from hybridchat.research.studies.participations import Participation
from hybridchat.research.studies.questionnaire import Item, Questionnaire

NO_TEXT = "You take part of your own free will and can stop at any time. What you write is kept for research."


def newest_consent(study: Study) -> ConsentText:
    """The text that participants are asked to agree to; a plain one is written down where there is none."""
    found = study.consents.order_by("-version").first()
    return found or ConsentText.objects.get_or_create(study=study, version=1, defaults={"text": NO_TEXT})[0]


def participation_of(study: Study, owner: Owner) -> Participation | None:
    """The participation of a browser, where it has one."""
    if not owner.key:
        return None
    found = Participation.objects.filter(study=study, owner_key=owner.key)
    return found.select_related("study", "arm", "conversation").first()


def code_of(participation: Participation) -> str:
    """The code that somebody who has finished takes back to the recruiting site; "" for none."""
    study = participation.study
    if participation.finished is None:
        return ""
    if study.attention_code and participation.answers.filter(attentive=False).exists():
        return study.attention_code
    return study.completion_code


def turns_said(participation: Participation) -> int:
    """How many messages they have sent."""
    if participation.conversation is None:
        return 0
    return participation.conversation.turns.exclude(kind=Turn.Kind.NOTE).count()


def items_of(participation: Participation) -> tuple[Item, ...]:
    """The questionnaire in the order this person gets it in."""
    questionnaire = Questionnaire.model_validate(participation.study.questionnaire)
    return questionnaire.for_person(f"{participation.study.seed} {participation.pk}")
