"""What happens in a study. Each function is one transaction, under the lock of the study where places are given out.

Locks are taken in one order (study, participation, conversation), and leave alone those that only refer to the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from corpora.models import ModelCall
from hybridchat.chat import services as chat
from hybridchat.chat.limits import clean
from hybridchat.chat.models import Turn
from hybridchat.chat.overrides import Overrides
from hybridchat.chat.owners import Owner
from hybridchat.effects.services import forget_effects
from hybridchat.research.studies.assignment import drawn_arm, drawn_scenarios
from hybridchat.research.studies.errors import Duplicate, Full, NotOpen, TurnedAway, Unidentified
from hybridchat.research.studies.models import Study
from hybridchat.research.studies.participations import CollectedQuestion, Participation, QuestionnaireAnswer, StudyEvent
from hybridchat.research.studies.questionnaire import read_answers
from hybridchat.research.studies.selectors import items_of, newest_consent

LONGEST_QUESTION = 500
LONGEST_IDENTIFIER = 100
Kind = StudyEvent.Kind


def arrive(
    study: Study, owner: Owner, person: str = "", external_study: str = "", session: str = "", *, staff: bool = False
) -> Participation:
    """Let somebody in, or back in; `person` is what the recruiting site calls them. Raises `TurnedAway`."""
    try:
        with transaction.atomic():
            return _arrived(_locked(study), owner, clean(person), clean(external_study), clean(session), staff=staff)
    except TurnedAway as error:
        StudyEvent.objects.create(study=study, kind=Kind.TURNED_AWAY, detail={"why": type(error).__name__})
        raise


def agree(participation: Participation) -> Participation:
    """Agree to the newest text: this gives a place and an arm, both for good. Raises `Full`."""
    with transaction.atomic():
        study, own = _locked(participation.study), _reread(participation)
        if own.agreed is None:
            own.consent = newest_consent(study)
            own.place = _free_place(study)
            own.agreed = own.seen = timezone.now()
            own.arm, why = drawn_arm(study, own.place)
            own.scenarios = drawn_scenarios(study, own)
            own.save()
            _log(own, Kind.AGREED, version=own.consent.version)
            if own.arm:
                _log(own, Kind.ASSIGNED, **why)
        return own


def begin(participation: Participation, address: str = "") -> Participation:
    """Begin the task: in a study with a chat, a conversation as its arm has them."""
    with transaction.atomic():
        own = _reread(participation)
        if own.agreed and own.began is None:
            if own.study.kind == Study.Kind.CHAT:
                own.conversation = chat.new_conversation(
                    Owner(own.owner_key),
                    own.study.assistant,
                    address,
                    Overrides.model_validate(own.arm.overrides if own.arm else {}),
                    own.study.closing_word,
                    own.study.minimum_turns,
                )
            own.began = own.seen = timezone.now()
            own.save()
            _log(own, Kind.BEGAN)
        return own


def end(participation: Participation) -> Participation:
    """End the conversation. Raises `Refused` where it has too few turns; nothing where there is none to end."""
    with transaction.atomic():
        own = _reread(participation)
        if own.conversation:
            chat.close(own.conversation)
        return _ended(own) if own.conversation else own


def caught_up(participation: Participation) -> Participation:
    """The participation as it stands: over where its conversation was ended by the closing word."""
    closed = participation.conversation is not None and participation.conversation.closed is not None
    if not closed or participation.ended:
        return participation
    with transaction.atomic():
        return _ended(_reread(participation))


def collect(participation: Participation, texts: Sequence[str]) -> dict[int, str]:
    """Take the questions that somebody wrote; what is wrong with each, by its place, where they cannot be taken."""
    cleaned = [clean(text) for text in texts]
    wrong = _wrong_questions(cleaned, participation.study.questions_each)
    if wrong:
        return wrong
    with transaction.atomic():
        own = _reread(participation)
        if own.began and own.ended is None:
            CollectedQuestion.objects.bulk_create(
                CollectedQuestion(participation=own, position=position, text=text)
                for position, text in enumerate(cleaned, start=1)
            )
            _ended(own)
    return {}


def answer(participation: Participation, given: Mapping[str, str]) -> dict[str, str]:
    """Take the answers to the questionnaire; what is wrong with each, by item, where they cannot be taken.

    Raises `Full` for somebody whose place was given away meanwhile.
    """
    items = items_of(participation)
    values, wrong = read_answers(items, {name: clean(text) for name, text in given.items()})
    if wrong:
        return wrong
    with transaction.atomic():
        study, own = _locked(participation.study), _reread(participation)
        if own.ended and own.finished is None:
            own.place = own.place or _free_place(study)
            QuestionnaireAnswer.objects.bulk_create(
                QuestionnaireAnswer(
                    participation=own,
                    item=item.name,
                    position=position,
                    value=values[item.name],
                    attentive=item.attentive(values[item.name]),
                )
                for position, item in enumerate(items, start=1)
            )
            _finished(own)
    return {}


def withdraw(participation: Participation) -> None:
    """Delete everything of a participation: the conversation with all it brought about, answers, identifiers."""
    with transaction.atomic():
        study = _locked(participation.study)
        own = Participation.objects.select_for_update().filter(pk=participation.pk).first()
        if own is None:
            return
        step, conversation = own.step, own.conversation
        if conversation:
            ModelCall.objects.filter(turn__in=Turn.objects.filter(conversation=conversation).values("pk")).delete()
            forget_effects(conversation.pk)
            chat.delete(conversation)
        Participation.objects.filter(pk=own.pk).delete()
        StudyEvent.objects.create(study=study, kind=Kind.WITHDRAWN, detail={"step": step})


def _arrived(
    study: Study, owner: Owner, person: str, external_study: str, session: str, *, staff: bool
) -> Participation:
    if study.identified_only and not person:
        raise Unidentified
    known = _known(study, owner, person)
    if known is not None:
        return _back(known, owner, person)
    if study.state == Study.State.CLOSED or (study.state == Study.State.DRAFT and not staff):
        raise NotOpen
    _free_place(study)
    own = Participation.objects.create(
        study=study,
        owner_key=owner.key,
        external_id=person[:LONGEST_IDENTIFIER],
        external_study=external_study[:LONGEST_IDENTIFIER],
        external_session=session[:LONGEST_IDENTIFIER],
    )
    _log(own, Kind.ARRIVED)
    return own


def _known(study: Study, owner: Owner, person: str) -> Participation | None:
    """Who has come before: by what the recruiting site calls them, or else by their browser. Raises `Duplicate` where
    these are two."""
    everybody = Participation.objects.select_for_update(no_key=True).filter(study=study)
    here = everybody.filter(owner_key=owner.key).first()
    named = everybody.filter(external_id=person[:LONGEST_IDENTIFIER]).first() if person else None
    if here and person and here.external_id not in ("", person[:LONGEST_IDENTIFIER]):
        raise Duplicate
    if here and named and here != named:
        raise Duplicate
    return named or here


def _back(own: Participation, owner: Owner, person: str) -> Participation:
    """Somebody came back, in another browser perhaps: what is theirs moves there."""
    if own.owner_key != owner.key:
        own.owner_key = owner.key
        if own.conversation:
            own.conversation.owner_key = owner.key
            own.conversation.save(update_fields=["owner_key"])
        _log(own, Kind.RESUMED)
    own.external_id = own.external_id or person[:LONGEST_IDENTIFIER]
    if own.agreed and own.place is None:
        own.place = _free_place(own.study)
    own.seen = timezone.now()
    own.save()
    return own


def _free_place(study: Study) -> int:
    """The least place that nobody has, of a locked study. Raises `Full`."""
    places = Participation.objects.filter(study=study, place__isnull=False)
    if places.count() >= study.quota:
        _release(study)
    taken = set(places.values_list("place", flat=True))
    if len(taken) >= study.quota:
        raise Full
    return next(place for place in range(1, study.quota + 1) if place not in taken)


def _release(study: Study) -> None:
    """Give away the places of those who have done nothing for long."""
    since = timezone.now() - timedelta(minutes=study.hold_minutes)
    idle = Participation.objects.filter(study=study, place__isnull=False, finished__isnull=True, seen__lt=since)
    for own in idle.exclude(conversation__updated__gte=since):
        own.place = None
        own.save(update_fields=["place"])
        _log(own, Kind.RELEASED)


def _ended(own: Participation) -> Participation:
    if own.ended is None:
        own.ended = own.seen = timezone.now()
        own.save()
        _log(own, Kind.ENDED)
        if not own.study.questionnaire and own.place:
            _finished(own)
    return own


def _finished(own: Participation) -> None:
    own.finished = own.seen = timezone.now()
    own.save()
    _log(own, Kind.FINISHED)


def _wrong_questions(texts: Sequence[str], wanted: int) -> dict[int, str]:
    wrong: dict[int, str] = {}
    for place in range(1, wanted + 1):
        text = texts[place - 1] if place <= len(texts) else ""
        if not text:
            wrong[place] = "Please write a question here."
        elif len(text) > LONGEST_QUESTION:
            wrong[place] = f"Please keep this below {LONGEST_QUESTION} characters."
        elif text.casefold() in (other.casefold() for other in texts[: place - 1]):
            wrong[place] = "You have written this one above."
    if len(texts) > wanted:
        wrong[wanted] = f"Please write {wanted} questions."
    return wrong


def _locked(study: Study) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _reread(participation: Participation) -> Participation:
    """The participation, locked. Raises Participation.DoesNotExist where it was withdrawn meanwhile."""
    locked = Participation.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("study", "arm", "conversation").get(pk=participation.pk)


def _log(own: Participation, kind: StudyEvent.Kind, **detail: Any) -> None:
    StudyEvent.objects.create(study=own.study, participation=own, kind=kind, detail=detail)
