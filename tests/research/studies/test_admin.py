"""Setting up a study in the admin, and following it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from hybridchat.research.models import Arm, Export, Participation, Study
from hybridchat.research.plots import Row, bars, intervals, over_time
from hybridchat.research.studies import services
from tests.research.studies.people import joined, talked


@pytest.fixture
def staff(study: Study) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("staff"))
    return client


def fields_of(page: Any) -> dict[str, Any]:
    """What the form of an admin page would send."""
    forms = [page.context["adminform"].form]
    for inline in page.context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    sent = {}
    for form in forms:
        for bound in form:
            value = bound.value()
            sent[bound.html_name] = value if isinstance(value, str) else "" if value is None else value
            if isinstance(value, list):
                sent[bound.html_name] = "\n".join(value)
    return sent


def test_a_study_is_opened_changed_and_what_is_wrong_with_it_is_said(staff: Client, study: Study) -> None:
    address = reverse("admin:research_study_change", args=[study.pk])
    page = staff.get(address)
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in page.content.decode()
    sent = fields_of(page)
    refused = staff.post(address, {**sent, "questionnaire": json.dumps([{"name": "a"}])})
    assert "0.text: Field required" in refused.content.decode()
    refused = staff.post(address, {**sent, "arms-0-overrides": '{"system": "magic"}'})
    assert "There is no system &#x27;magic&#x27;" in refused.content.decode()
    refused = staff.post(address, {**sent, "assistant": "nobody"})
    assert "There is no assistant of this name." in refused.content.decode()
    openings = "Somewhere quiet, and cheap?\nRamen"
    assert staff.post(address, {**sent, "title": "Another title", "openings": openings}).status_code == 302
    study.refresh_from_db()
    assert (study.title, study.openings) == ("Another title", openings.splitlines())


def test_arms_are_fixed_once_somebody_has_agreed(staff: Client, study: Study) -> None:
    joined(study)
    address = reverse("admin:research_study_change", args=[study.pk])
    sent = fields_of(staff.get(address))
    staff.post(address, {**sent, "arms-0-overrides": "{}", "arms-0-name": "changed"})
    assert set(Arm.objects.values_list("name", flat=True)) == {"ours", "theirs"}


def test_the_dashboard_shows_arms_drop_out_and_what_was_said(staff: Client, study: Study) -> None:
    study.questionnaire = [
        {"name": "ease", "kind": "likert", "text": "It was easy."},
        {"name": "liked", "text": "What did you like?"},
    ]
    study.save()
    own = services.end(talked(joined(study), 2))
    services.answer(own, {"ease": "4", "liked": "The <b>speed</b>"})
    joined(study)
    page = staff.get(reverse("admin:research_study_dashboard", args=[study.pk])).content.decode()
    assert "finished: 1 (50%)" in page
    assert "4.00 (n = 1)" in page
    assert re.search(r"Messages, median: (?:ours|theirs): 2\.0", page)
    assert re.search(r"Finished, of those who agreed: ours: \d+%; theirs: \d+%", page)
    assert 'hx-trigger="every 15s"' in page
    assert "The &lt;b&gt;speed&lt;/b&gt;" in page
    assert "<b>2</b> of 4 places taken." in page


def test_the_dashboard_of_a_study_that_nobody_joined_is_whole(staff: Client, study: Study) -> None:
    page = staff.get(reverse("admin:research_study_dashboard", args=[study.pk]))
    assert page.status_code == 200
    assert "Nobody has come yet." in page.content.decode()


def test_what_was_collected_is_a_file_that_can_be_evaluated(staff: Client, study: Study) -> None:
    study.kind, study.questions_each, study.questionnaire = Study.Kind.QUESTIONS, 2, []
    study.save()
    services.collect(services.begin(joined(study, "P1")), ["Where is it quiet?", "Is there parking?"])
    services.begin(joined(study))
    page = staff.get(reverse("admin:research_study_questions", args=[study.pk]))
    first, second = (json.loads(line) for line in page.content.decode().splitlines())
    assert first == {
        "id": "dinner-1",
        "assistant": "restaurants",
        "messages": ["Where is it quiet?"],
        "truth": [None],
    }
    assert second["id"] == "dinner-2"
    assert "P1" not in page.content.decode()
    assert Export.objects.get().by == "staff"


def test_participations_are_listed_and_opened(staff: Client, study: Study) -> None:
    talked(joined(study, "P1"), 1)
    own = Participation.objects.get()
    for arm, rows in ((own.arm, 1), (study.arms.exclude(pk=own.arm_id).get(), 0)):
        listed = staff.get(reverse("admin:research_participation_changelist"), {"q": "P1", "arm": arm.name})
        assert listed.content.decode().count(">P1</a>") == rows
    assert staff.get(reverse("admin:research_participation_change", args=[own.pk])).status_code == 200


def test_a_study_is_deleted_with_its_participations(staff: Client, study: Study) -> None:
    joined(study)
    study.delete()
    assert not Participation.objects.exists()


def test_only_who_may_see_studies_sees_how_they_go(study: Study) -> None:
    client = Client()
    client.force_login(User.objects.create_user("helper", is_staff=True))
    assert client.get(reverse("admin:research_study_dashboard", args=[study.pk])).status_code == 404


def test_a_plot_says_in_words_what_it_shows() -> None:
    plot = bars("Steps", [Row("arrived", 4, "4"), Row("<agreed>", 2, "2 (50%)")])
    drawn = render_to_string("admin/research/_plot.html", {"plot": plot})
    assert 'aria-label="Steps: arrived: 4; &lt;agreed&gt;: 2 (50%)"' in drawn
    first, second = (bar.width for bar in plot.bars)
    assert second == first / 2


def test_a_dot_stands_on_its_interval_and_all_on_one_scale() -> None:
    plot = intervals("Rating", [Row("ours", 5, "5", 4, 6), Row("theirs", 3, "3", 2, 4), Row("new", 2.5, "2.5")])
    xs = [dot.x for dot in plot.bars]
    assert xs[2] < xs[1] < xs[0]
    assert plot.path.count("M") == 2
    assert plot.description == "Rating: ours: 5; theirs: 3; new: 2.5"


def test_a_line_over_time_leaves_out_what_a_run_does_not_tell() -> None:
    plot = over_time("accuracy", [("mon", 0.5), ("tue", None), ("wed", 0.75)])
    monday, wednesday = plot.bars
    assert monday.y > wednesday.y
    assert monday.title == "mon: 0.5"
    assert over_time("flat", [("mon", 1.0)]).bars[0].y > 0
