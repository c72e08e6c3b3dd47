"""Twenty people at once, each through all the pages: balance, stickiness, resumption, withdrawal, drop-out."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from hybridchat.chat import services as chat
from hybridchat.chat.models import Conversation, Turn
from hybridchat.research.models import Participation, Study, StudyEvent
from tests.research.studies.people import Visitor

ANSWERS = {"liked": "Quick.", "disliked": "Nothing.", "problems": "No."}
PEOPLE = 20
LEFT, CHANGED_BROWSER, WITHDREW = {3, 11}, {4, 12}, {5, 13, 17}


def goes_through(study: Study, number: int) -> tuple[int, str]:
    """What one person does; returns the arm they had at first, and at the end."""
    try:
        visitor, person = Visitor(study), f"P{number}"
        visitor.opens(PROLIFIC_PID=person)
        visitor.presses("agree")
        visitor.presses("begin")
        own = Participation.objects.select_related("arm", "conversation").get(external_id=person)
        assert own.arm is not None
        assert own.conversation is not None
        first = own.arm.pk
        says(own.conversation, 1)
        if number in LEFT:
            return first, "left"
        if number in WITHDREW:
            assert visitor.presses("withdraw").status_code == 200
            return first, "withdrew"
        if number in CHANGED_BROWSER:
            visitor = Visitor(study)
            page = visitor.opens(PROLIFIC_PID=person).content.decode()
            assert "<b>1</b> of 2 " in page
        says(own.conversation, 1)
        visitor.presses("finish")
        assert "C0DE1234" in visitor.presses("answers", **ANSWERS).content.decode()
        return first, "finished"
    finally:
        connection.close()


def says(conversation: Conversation, messages: int) -> None:
    for _ in range(messages):
        turn, _ = chat.receive(conversation, uuid4(), "somewhere romantic")
        chat.request_stop(turn)


def test_twenty_people_at_once(study: Study) -> None:
    study.quota = PEOPLE
    study.save()
    with ThreadPoolExecutor(PEOPLE) as crowd:
        came = list(crowd.map(lambda number: goes_through(study, number), range(PEOPLE)))

    went = Counter(how for _, how in came)
    assert went == {"finished": 15, "left": 2, "withdrew": 3}
    begun = Counter(arm for arm, _ in came)
    assert max(begun.values()) - min(begun.values()) <= 1 + len(WITHDREW)
    for number, (arm, how) in enumerate(came):
        own = Participation.objects.filter(external_id=f"P{number}").first()
        if how == "withdrew":
            assert own is None
        else:
            assert own is not None
            assert own.arm_id == arm
            assert bool(own.finished) == (how == "finished")
            turns = Turn.objects.filter(conversation=own.conversation_id).select_related("conversation")
            assert {turn.conversation.overrides["language"] for turn in turns} == {own.arm.overrides["language"]}  # type: ignore[union-attr]
    places = list(Participation.objects.values_list("place", flat=True))
    assert len(set(places)) == len(places) == PEOPLE - len(WITHDREW)
    assert StudyEvent.objects.filter(kind="resumed").count() == len(CHANGED_BROWSER)
    assert StudyEvent.objects.filter(kind="withdrawn").count() == len(WITHDREW)

    staff = Client()
    staff.force_login(User.objects.create_superuser("staff"))
    page = staff.get(reverse("admin:research_study_dashboard", args=[study.pk])).content.decode()
    assert "arrived: 17 (100%)" in page
    assert "finished: 15 (88%)" in page
    assert "3 withdrew." in page
