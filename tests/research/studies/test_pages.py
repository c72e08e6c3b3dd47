"""The pages of a study, from the invitation to the completion code, as a browser sees them."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from hybridchat.chat import services as chat
from hybridchat.chat.errors import Closed
from hybridchat.chat.models import Conversation
from hybridchat.research.models import Participation, Study, StudyEvent
from hybridchat.research.studies.selectors import code_of
from tests.research.studies.people import Visitor, joined

INVITED = {"PROLIFIC_PID": "5f1a", "STUDY_ID": "s1", "SESSION_ID": "x1"}
ANSWERS = {"liked": "Quick.", "disliked": "Nothing.", "problems": "No."}


@pytest.fixture
def visitor(study: Study) -> Visitor:
    return Visitor(study)


def talk(messages: int) -> None:
    conversation = Conversation.objects.get()
    for number in range(messages):
        turn, _ = chat.receive(conversation, uuid4(), f"message {number}")
        chat.request_stop(turn)


def test_an_invitation_leads_to_the_completion_code(study: Study, visitor: Visitor) -> None:
    page = visitor.opens(**INVITED)
    assert page.redirect_chain == [(reverse("study:here", args=[study.slug]), 302)]
    assert "We keep what you write." in page.content.decode()
    assert "Somewhere quiet in town?" in visitor.presses("agree").content.decode()
    chat_page = visitor.presses("begin").content.decode()
    assert 'ws-connect="/ws/chat/' in chat_page
    assert "<b>0</b> of 2 " in chat_page
    talk(2)
    assert "<b>2</b> of 2 " in visitor.looks("bar").content.decode()
    assert "What did you like" in visitor.presses("finish").content.decode()
    end = visitor.presses("answers", **ANSWERS).content.decode()
    own = Participation.objects.get()
    assert "C0DE1234" in end
    assert str(own.conversation_id) in end
    assert "https://recruiting.example/back?cc=C0DE1234" in end
    assert (own.external_id, own.external_study, own.external_session) == ("5f1a", "s1", "x1")
    assert "C0DE1234" in visitor.opens(**INVITED).content.decode()
    assert Participation.objects.count() == 1


def test_parameters_have_the_names_the_study_gives_them(study: Study, visitor: Visitor) -> None:
    study.person_parameter = "workerId"
    study.save()
    visitor.opens(workerId="W9", PROLIFIC_PID="not this")
    assert Participation.objects.get().external_id == "W9"


def test_a_plain_link_works_and_a_page_opened_again_is_where_it_was(visitor: Visitor) -> None:
    visitor.opens()
    visitor.presses("agree")
    assert "What to do" in visitor.opens().content.decode()
    visitor.presses("begin")
    assert "study-bar" in visitor.opens().content.decode()
    assert Participation.objects.count() == 1


def test_the_arms_look_alike(study: Study) -> None:
    pages = []
    for _ in range(2):
        visitor = Visitor(study)
        visitor.opens()
        visitor.presses("agree")
        visitor.presses("begin")
        page = visitor.looks().content.decode()
        own = Participation.objects.latest("arrived")
        pages.append(re.sub(r'value="\w{64}"', "", page.replace(str(own.conversation_id), "")))
    assert Participation.objects.values("arm").distinct().count() == 2
    assert pages[0] == pages[1]


def test_the_bar_leaves_when_the_word_has_ended_the_talk(study: Study, visitor: Visitor) -> None:
    visitor.opens()
    visitor.presses("agree")
    visitor.presses("begin")
    talk(2)
    with pytest.raises(Closed):
        chat.receive(Conversation.objects.get(), uuid4(), "FINISHED")
    address = reverse("study:bar", args=[study.slug])
    moved = visitor.client.get(address, headers={"HX-Request": "true"})
    assert moved.headers["HX-Redirect"] == reverse("study:here", args=[study.slug])
    assert "What did you like" in visitor.looks().content.decode()


def test_finishing_too_early_says_how_many_messages_are_missing(visitor: Visitor) -> None:
    visitor.opens()
    visitor.presses("agree")
    visitor.presses("begin")
    page = visitor.presses("finish")
    assert page.status_code == 400
    assert "at least 2 more messages" in page.content.decode()


def test_missing_answers_are_asked_for_again_with_what_was_written(visitor: Visitor) -> None:
    visitor.opens()
    visitor.presses("agree")
    visitor.presses("begin")
    talk(2)
    visitor.presses("finish")
    page = visitor.presses("answers", liked="It was <b>quick</b>")
    assert page.status_code == 400
    assert "It was &lt;b&gt;quick&lt;/b&gt;" in page.content.decode()
    assert page.content.decode().count("Please answer this one.") == 2


def test_every_kind_of_item_is_asked_and_attention_is_checked(study: Study, visitor: Visitor) -> None:
    study.questionnaire = [
        {"name": "ease", "kind": "likert", "text": "Easy?", "points": 7, "low": "no", "high": "yes"},
        {"name": "colour", "kind": "choice", "text": "Choose red.", "options": ["blue", "red"], "expected": "red"},
        {"name": "age", "kind": "number", "text": "Age", "minimum": 18, "required": False},
    ]
    study.save()
    visitor.opens()
    visitor.presses("agree")
    visitor.presses("begin")
    talk(2)
    visitor.presses("finish")
    refused = visitor.presses("answers", ease="8", colour="red", age="12").content.decode()
    assert "Please choose a point of the scale." in refused
    assert "The least is 18." in refused
    end = visitor.presses("answers", ease="6", colour="blue", age="").content.decode()
    assert "https://recruiting.example/back?cc=C0DE1234" in end
    Study.objects.update(attention_code="FA1L", completion_url="https://recruiting.example/C0DE1234")
    assert "https://recruiting.example/FA1L" in visitor.looks().content.decode()
    assert code_of(Participation.objects.get()) == "FA1L"
    answers = {answer.item: answer for answer in Participation.objects.get().answers.all()}
    assert {name: answer.value for name, answer in answers.items()} == {"ease": 6, "colour": "blue", "age": None}
    assert answers["colour"].attentive is False


def test_questions_are_written_on_one_page_that_names_no_field(study: Study, visitor: Visitor) -> None:
    study.kind, study.questions_each, study.questionnaire = Study.Kind.QUESTIONS, 2, []
    study.save()
    visitor.opens()
    visitor.presses("agree")
    page = visitor.presses("begin").content.decode()
    assert page.count("<textarea") == 2
    assert "cuisine" not in page
    again = visitor.presses("questions", question=["Where is it quiet?", ""])
    assert again.status_code == 400
    assert "Where is it quiet?" in again.content.decode()
    assert "C0DE1234" in visitor.presses("questions", question=["Where is it quiet?", "Parking?"]).content.decode()


def test_full_closed_duplicate_and_unknown_have_pages_that_say_so(study: Study, visitor: Visitor) -> None:
    for _ in range(4):
        joined(study)
    full = visitor.opens()
    assert full.status_code == 403
    assert "This study is full" in full.content.decode()
    assert "lab@example.org" in full.content.decode()
    assert "completion-code" not in full.content.decode()
    Study.objects.update(screened_code="0UT")
    assert "https://recruiting.example/back?cc=0UT" in visitor.opens().content.decode()
    study.quota = 9
    study.save()
    visitor.opens(PROLIFIC_PID="A")
    assert "You have taken part already" in visitor.opens(PROLIFIC_PID="B").content.decode()
    Study.objects.update(state=Study.State.CLOSED)
    assert "This study is closed" in Visitor(study).opens().content.decode()
    stranger = Visitor(study).looks()
    assert stranger.status_code == 404
    assert "You are not in this study" in stranger.content.decode()
    assert visitor.client.get("/study/none/").status_code == 404


def test_a_draft_opens_for_staff_only(study: Study, visitor: Visitor) -> None:
    Study.objects.update(state=Study.State.DRAFT)
    assert visitor.opens().status_code == 403
    visitor.client.force_login(User.objects.create_superuser("staff"))
    assert "We keep what you write." in visitor.opens().content.decode()


def test_withdrawal_is_asked_about_and_leaves_nothing(visitor: Visitor) -> None:
    visitor.opens(**INVITED)
    visitor.presses("agree")
    visitor.presses("begin")
    talk(1)
    assert "Withdraw from this study?" in visitor.looks("withdraw").content.decode()
    assert Participation.objects.exists()
    assert "You have withdrawn" in visitor.presses("withdraw").content.decode()
    assert not Participation.objects.exists()
    assert not Conversation.objects.exists()
    assert StudyEvent.objects.get().kind == "withdrawn"
    assert visitor.looks().status_code == 404


def test_who_does_not_agree_leaves_no_number_behind(visitor: Visitor) -> None:
    Study.objects.update(screened_code="0UT")
    assert "I do not agree" in visitor.opens(**INVITED).content.decode()
    told = visitor.presses("withdraw").content.decode()
    assert "You do not take part" in told
    assert "https://recruiting.example/back?cc=0UT" in told
    assert not Participation.objects.exists()


def test_a_conversation_of_a_study_is_not_among_the_persons_others(visitor: Visitor) -> None:
    visitor.opens()
    visitor.presses("agree")
    visitor.presses("begin")
    talk(1)
    assert "message 0" not in visitor.client.get(reverse("chat:start")).content.decode()


def test_steps_are_taken_in_order(visitor: Visitor) -> None:
    visitor.opens()
    visitor.presses("begin")
    visitor.presses("answers", **ANSWERS)
    own = Participation.objects.get()
    assert own.step == "consent"
    assert own.seen <= timezone.now() + timedelta(seconds=1)
