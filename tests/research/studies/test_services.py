"""Who may take part, which arm they get, and what is left of them when they withdraw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from corpora.models import ModelCall
from hybridchat.chat import services as chat
from hybridchat.chat.errors import Closed, Refused
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner
from hybridchat.effects.models import Letter, Receipt, Ticket
from hybridchat.research.models import (
    Arm,
    CollectedQuestion,
    Participation,
    QuestionnaireAnswer,
    Scenario,
    Study,
    StudyEvent,
)
from hybridchat.research.studies import services
from hybridchat.research.studies.errors import Duplicate, Full, NotOpen, Unidentified
from tests.research.studies.people import joined, somebody, talked

ANSWERS = {"liked": "It was quick.", "disliked": "Nothing.", "problems": "No."}


def finished(study: Study) -> Participation:
    own = talked(joined(study), study.minimum_turns)
    services.end(own)
    assert services.answer(own, ANSWERS) == {}
    own.refresh_from_db()
    return own


def test_arms_are_never_more_than_one_participant_apart(study: Study) -> None:
    study.quota = 9
    study.save()
    for _ in range(9):
        joined(study)
        counts = Counter(Participation.objects.values_list("arm__name", flat=True))
        assert abs(counts["ours"] - counts["theirs"]) <= 1


def test_an_arm_of_twice_the_weight_gets_twice_as_many(study: Study) -> None:
    Arm.objects.filter(name="ours").update(weight=2)
    study.quota = 9
    study.save()
    for _ in range(9):
        joined(study)
    assert Counter(Participation.objects.values_list("arm__name", flat=True)) == {"ours": 6, "theirs": 3}


def test_the_same_seed_draws_the_same_arms_and_each_draw_is_logged(study: Study) -> None:
    first = [joined(study).arm.name for _ in range(4)]  # type: ignore[union-attr]
    logged = StudyEvent.objects.filter(kind="assigned").order_by("pk")
    assert [event.detail["arm"] for event in logged] == first
    assert logged[0].detail["before"] == {"ours": 0, "theirs": 0}
    Participation.objects.all().delete()
    assert [joined(study).arm.name for _ in range(4)] == first  # type: ignore[union-attr]


def test_an_arm_stays_and_its_conversation_is_made_as_the_arm_says(study: Study) -> None:
    owner = somebody()
    own = services.begin(joined(study, owner=owner))
    assert services.arrive(study, owner).arm == own.arm
    assert services.agree(own).arm == own.arm
    assert own.conversation is not None
    assert own.arm is not None
    assert own.conversation.overrides == {k: v for k, v in own.arm.overrides.items() if v != "suql"}
    assert own.conversation.language == own.arm.overrides["language"]


def test_a_full_study_turns_people_away_before_they_agree_and_when_they_do(study: Study) -> None:
    waiting = services.arrive(study, somebody())
    for _ in range(4):
        joined(study)
    with pytest.raises(Full):
        services.arrive(study, somebody())
    with pytest.raises(Full):
        services.agree(waiting)
    assert StudyEvent.objects.filter(kind="turned away").count() == 1


def test_the_place_of_somebody_who_left_is_given_away_but_not_that_of_who_is_finished(study: Study) -> None:
    stayed, left = finished(study), joined(study)
    joined(study), joined(study)
    long_ago = timezone.now() - timedelta(minutes=study.hold_minutes + 1)
    Conversation.objects.update(created=long_ago, updated=long_ago, closed=None)
    Participation.objects.filter(pk__in=[stayed.pk, left.pk]).update(seen=long_ago)
    newcomer = joined(study)
    left.refresh_from_db()
    stayed.refresh_from_db()
    assert (left.place, newcomer.place) == (None, 2)
    assert stayed.place == 1
    with pytest.raises(Full):
        services.arrive(study, Owner(left.owner_key))


def test_a_person_takes_part_once_and_goes_on_in_another_browser(study: Study) -> None:
    own = talked(joined(study, "P1"), 1)
    elsewhere = somebody()
    back = services.arrive(study, elsewhere, "P1")
    assert back.pk == own.pk
    assert back.arm == own.arm
    assert elsewhere.conversations().get() == own.conversation
    assert Participation.objects.count() == 1


def test_a_browser_that_took_part_as_somebody_else_is_a_duplicate(study: Study) -> None:
    owner = somebody()
    joined(study, "P1", owner)
    with pytest.raises(Duplicate):
        services.arrive(study, owner, "P2")
    joined(study, "P3")
    with pytest.raises(Duplicate):
        services.arrive(study, owner, "P3")


def test_a_link_without_an_identifier_is_refused_where_one_is_needed(study: Study) -> None:
    study.identified_only = True
    study.save()
    with pytest.raises(Unidentified):
        services.arrive(study, somebody())


def test_a_closed_study_lets_nobody_new_in_but_those_who_began(study: Study) -> None:
    owner = somebody()
    joined(study, owner=owner)
    study.state = Study.State.CLOSED
    study.save()
    with pytest.raises(NotOpen):
        services.arrive(study, somebody())
    assert services.arrive(study, owner).agreed


def test_a_draft_is_for_staff(study: Study) -> None:
    study.state = Study.State.DRAFT
    study.save()
    with pytest.raises(NotOpen):
        services.arrive(study, somebody())
    assert services.arrive(study, somebody(), staff=True)


def test_a_talk_ends_with_its_turns_by_the_button_or_by_the_word(study: Study) -> None:
    early = talked(joined(study), 1)
    with pytest.raises(Refused, match="at least 1 more message"):
        services.end(early)
    by_button = services.end(talked(joined(study), 2))
    assert by_button.step == "questionnaire"
    by_word = talked(joined(study), 2)
    assert by_word.conversation is not None
    with pytest.raises(Closed):
        chat.receive(by_word.conversation, uuid4(), "FINISHED")
    by_word.conversation.refresh_from_db()
    assert services.caught_up(by_word).step == "questionnaire"


def test_answers_are_kept_with_the_order_they_were_asked_in_and_missing_ones_named(study: Study) -> None:
    own = services.end(talked(joined(study), 2))
    assert services.answer(own, {"liked": "Much"}) == {
        "disliked": "Please answer this one.",
        "problems": "Please answer this one.",
    }
    assert not QuestionnaireAnswer.objects.exists()
    assert services.answer(own, ANSWERS) == {}
    assert services.answer(own, ANSWERS) == {}
    kept = QuestionnaireAnswer.objects.order_by("position").values_list("position", "item", "value")
    assert list(kept) == [(1, "liked", "It was quick."), (2, "disliked", "Nothing."), (3, "problems", "No.")]
    own.refresh_from_db()
    assert own.step == "end"


def test_withdrawal_deletes_everything_and_frees_the_place(study: Study) -> None:
    own = finished(study)
    conversation = own.conversation
    assert conversation is not None
    turn = conversation.turns.first()
    ModelCall.objects.create(turn=turn.pk, task="answer", model="small")  # type: ignore[union-attr]
    receipt = Receipt.objects.create(key=f"{conversation.pk}:1", action="submit_ticket")
    Letter.objects.create(receipt=receipt, to="x@example.org", subject="Your ticket", body="It is here.")
    Ticket.objects.create(
        conversation=conversation.pk, owner_key=own.owner_key, receipt=receipt, category="Help", subject="Help"
    )
    services.withdraw(own)
    services.withdraw(own)
    for model in (Participation, Conversation, Turn, QuestionnaireAnswer, ModelCall, Ticket, Receipt, Letter):
        assert not model.objects.exists(), model
    assert list(StudyEvent.objects.values_list("kind", "participation")) == [("withdrawn", None)]
    assert joined(study).place == 1


def test_deleting_a_conversation_deletes_its_participation(study: Study) -> None:
    own = talked(joined(study), 1)
    assert own.conversation is not None
    chat.delete(own.conversation)
    assert not Participation.objects.exists()


def test_scenarios_come_up_equally_often_in_each_arm(study: Study) -> None:
    study.quota, study.scenarios_each = 12, 1
    study.save()
    for position, text in enumerate(["a", "b", "c"], start=1):
        Scenario.objects.create(study=study, position=position, text=text)
    for _ in range(12):
        joined(study)
    seen = Counter((arm, *given) for arm, given in Participation.objects.values_list("arm__name", "scenarios"))
    assert set(seen.values()) == {2}
    assert len(seen) == 6


def test_questions_are_collected_without_a_bot(study: Study) -> None:
    study.kind, study.questions_each = Study.Kind.QUESTIONS, 2
    study.save()
    own = services.begin(joined(study))
    assert own.conversation is None
    wrong = services.collect(own, ["Where is it quiet?", "where is it quiet?"])
    assert wrong == {2: "You have written this one above."}
    assert services.collect(own, ["Where is it quiet?", "Is there parking?"]) == {}
    assert list(CollectedQuestion.objects.values_list("position", "text")) == [
        (1, "Where is it quiet?"),
        (2, "Is there parking?"),
    ]
    own.refresh_from_db()
    assert own.step == "questionnaire"


def test_the_database_itself_refuses_what_must_not_be(study: Study) -> None:
    own = joined(study, "P1")
    twice: list[Callable[[], object]] = [
        lambda: Participation.objects.create(study=study, owner_key=own.owner_key),
        lambda: Participation.objects.create(study=study, owner_key="other", external_id="P1"),
        lambda: Participation.objects.create(study=study, owner_key="other", arm=own.arm),
        lambda: Participation.objects.filter(pk=own.pk).update(finished=timezone.now()),
        lambda: Participation.objects.filter(pk=own.pk).update(place=0),
    ]
    for attempt in twice:
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt()


def test_twenty_people_at_once_fill_the_quota_exactly_and_evenly(study: Study) -> None:
    study.quota = 12
    study.save()

    def come(number: int) -> str:
        try:
            return joined(study, f"P{number}").arm.name  # type: ignore[union-attr]
        except Full:
            return "full"
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as people:
        came = Counter(people.map(come, range(20)))
    assert came == {"ours": 6, "theirs": 6, "full": 8}


def test_one_person_in_two_tabs_at_once_is_one_participation(study: Study) -> None:
    owner = somebody()

    def come(_: int) -> object:
        try:
            return services.begin(joined(study, "P1", owner)).conversation_id
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as tabs:
        assert len(set(tabs.map(come, range(6)))) == 1
    assert Participation.objects.count() == Conversation.objects.count() == 1
