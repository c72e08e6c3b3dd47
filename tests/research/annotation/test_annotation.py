"""Items go round without double work; answers are checked, can be taken back, and come to figures."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agent.record import TurnState
from hybridchat.chat.models import Conversation, Turn
from hybridchat.research.annotation import checker, figures, services
from hybridchat.research.annotation.models import Annotation, Project, Scheme
from hybridchat.research.annotation.parts import parts
from hybridchat.research.annotation.questions import questions_of
from hybridchat.research.annotation.schemes import SHIPPED, add_missing_schemes
from hybridchat.research.exports.choosing import Filters

Begin = Callable[..., Project]


@pytest.fixture
def begin(talk: Turn) -> Begin:
    """Begins a project on a scheme that is shipped."""
    add_missing_schemes()

    def project(slug: str = "free", overlap: int = 1) -> Project:
        return services.begin("Pilot", Scheme.objects.get(slug=slug), Filters(), overlap)

    return project


def person(name: str, *permissions: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


def label(project: Project, annotator: User, *answers: dict[str, Any]) -> None:
    for given in answers:
        held = services.hand_out(project, annotator)
        assert held is not None
        services.answer(held, given)


def test_the_shipped_schemes_are_whole_and_stored_once() -> None:
    assert all(questions_of(scheme["questions"]) for scheme in SHIPPED)
    assert add_missing_schemes() == len(SHIPPED)
    assert add_missing_schemes() == 0


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"options": []}, "two options"),
        ({"source": "acts"}, "kind judge"),
        ({"name": "Not a name"}, "name"),
        ({"options": [{"value": "a", "label": "a", "key": "s"}, {"value": "b", "label": "b"}]}, "page's own"),
    ],
)
def test_a_scheme_that_cannot_be_asked_is_refused(change: dict[str, Any], complaint: str) -> None:
    options = [{"value": "a", "label": "a"}, {"value": "b", "label": "b"}]
    question = {"name": "q", "text": "?", "kind": "choice", "options": options, **change}
    with pytest.raises(ValueError, match=complaint):
        services.new_version("mine", "Mine", "", [question])


def test_a_scheme_has_versions() -> None:
    question = {"name": "q", "text": "?", "kind": "text"}
    assert [services.new_version("mine", "Mine", "", [question]).version for _ in range(2)] == [1, 2]


def test_a_project_has_an_item_for_each_turn_in_order(begin: Begin, talk: Turn) -> None:
    project = begin()
    assert list(project.items.values_list("turn__position", flat=True)) == [1, 2, 3]
    assert services.add_items(project) == 0


def test_an_annotator_keeps_the_open_item_until_it_is_answered(begin: Begin) -> None:
    project, ada = begin(), person("ada")
    first = services.hand_out(project, ada)
    assert services.hand_out(project, ada) == first
    label(project, ada, {"labels": "one"}, {"labels": "two"}, {"labels": "three"})
    assert services.hand_out(project, ada) is None


def test_annotators_at_the_same_moment_never_do_more_than_the_overlap(begin: Begin, answer: Any) -> None:
    for number in range(9):
        answer(f"ramen {number}")
    project = begin(overlap=2)
    people = [person(f"annotator {number}") for number in range(6)]

    def work(annotator: User) -> int:
        try:
            count = 0
            while (held := services.hand_out(project, annotator)) is not None:
                services.answer(held, {"labels": "x"})
                count += 1
            return count
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as threads:
        counts = list(threads.map(work, people))
    had = Counter(Annotation.objects.values_list("item", flat=True))
    assert sum(counts) == 24
    assert set(had.values()) == {2}


def test_a_skipped_item_goes_to_another_and_not_back(begin: Begin) -> None:
    project, ada, bob = begin(), person("ada"), person("bob")
    skipped = services.hand_out(project, ada)
    assert skipped is not None
    services.skip(skipped, "not my field")
    following = services.hand_out(project, ada)
    assert following is not None
    assert following.item != skipped.item
    other = services.hand_out(project, bob)
    assert other is not None
    assert other.item == skipped.item


def test_an_item_left_lying_goes_to_another(begin: Begin) -> None:
    project, ada, bob = begin(), person("ada"), person("bob")
    held = services.hand_out(project, ada)
    assert held is not None
    Annotation.objects.update(opened=timezone.now() - services.HELD)
    other = services.hand_out(project, bob)
    assert other is not None
    assert other.item == held.item


def test_undo_opens_the_last_item_with_its_answers(begin: Begin) -> None:
    project, ada = begin(), person("ada")
    label(project, ada, {"labels": "one"})
    services.hand_out(project, ada)
    undone = services.undo(project, ada)
    assert undone is not None
    assert undone.answers == {"labels": "one"}
    assert services.hand_out(project, ada) == undone
    assert Annotation.objects.count() == 1
    services.answer(undone, {"labels": "other"})
    assert Annotation.objects.get().answers == {"labels": "other"}


def test_a_form_that_is_sent_twice_counts_once(begin: Begin) -> None:
    project, ada = begin(), person("ada")
    held = services.hand_out(project, ada)
    assert held is not None
    services.answer(held, {"labels": "one"})
    services.answer(held, {"labels": "two"})
    assert Annotation.objects.get().answers == {"labels": "one"}


def test_an_entity_is_judged_once_in_a_conversation(talk: Turn) -> None:
    first, second, _ = talk.conversation.turns.order_by("position")
    assert [part.id for part in parts(first, "entities")] == ["restaurants:place-1", "restaurants:place-2"]
    assert parts(second, "entities") == []
    assert len(parts(second, "entities", repeated=True)) == 2


def test_everything_a_turn_did_can_be_judged(talk: Turn) -> None:
    assert [part.label[:6] for part in parts(talk, "executions")] == ["SELECT"]
    assert [part.id for part in parts(talk, "statements")] == ["query 0"]
    assert parts(talk, "acts") == []


def test_checker_suggests_what_the_facts_tell_and_counts_nowhere(begin: Begin, talk: Turn) -> None:
    turns = talk.conversation.turns.order_by("position")
    relaxed = turns[0]
    relaxed.state["outcomes"][0]["relaxed"] = ["romantic"]
    relaxed.save()
    project = begin("suql")
    assert checker.suggest(project) == 3
    assert checker.suggest(project) == 0
    told = project.items.get(turn=relaxed).suggestion
    assert set(told["entities"]["parts"].values()) == {"false_positive"}
    assert told["search"] in ("structured", "combination")
    nearest = {**relaxed.state, "queries": [{**relaxed.state["queries"][0], "suql": ""}]}
    assert "search" not in checker.suggested(Turn(state=nearest), questions_of(project.scheme.questions[:1]))
    report = figures.report(project)
    assert (report.finished, report.settled, report.work) == (0, 0, [])
    ada = Client()
    ada.force_login(person("ada", "add_annotation"))
    page = ada.get(reverse("admin:research_project_annotate", args=[project.pk])).content.decode()
    assert page.count("suggested by a program") == 3  # two rows, and what the message needs
    assert re.search(r'name="entities\.[^>]*checked', page) is None


def test_acts_are_told_by_the_part_of_the_conversation(begin: Begin, talk: Turn, capsys: Any) -> None:
    project, ada = begin("genie"), person("ada")
    for verdict in ("right", "right", "wrong"):
        label(project, ada, {"acts": {"parts": {"act 0": verdict}, "missing": 0}})
    through = {one.name: one.estimate.value for one in figures.report(project).through}
    assert through == {
        "first fifth": 1.0,
        "second fifth": 1.0,
        "third fifth": None,
        "fourth fifth": 0.0,
        "last fifth": None,
    }
    call_command("annotations", "Pilot")
    told = capsys.readouterr().out
    assert "Genie 0.892" in told
    assert "fourth fifth" in told
    call_command("annotations", "Pilot", json=True)
    assert json.loads(capsys.readouterr().out)["settled"] == 3
    with pytest.raises(CommandError, match="There are: Pilot"):
        call_command("annotations", "Other")


def judged(*verdicts: str, missing: int | None = None) -> dict[str, Any]:
    parts = {f"p{number}": verdict for number, verdict in enumerate(verdicts)}
    return {"parts": parts} if missing is None else {"parts": parts, "missing": missing}


def figure(project: Project, name: str) -> float | None:
    (found,) = [one for one in figures.report(project).figures if one.name == name]
    return found.estimate.value


def test_suqls_figures(begin: Begin) -> None:
    project, ada = begin("suql"), person("ada")
    right, wrong = "true_positive", "false_positive"
    label(
        project,
        ada,
        {"search": "combination", "entities": judged(right, right, wrong)},
        {"search": "structured", "entities": judged(), "empty": "false_negative"},
        {"search": "none", "entities": judged()},
    )
    assert figure(project, "entities") == pytest.approx(2 / 3)  # TP / (TP + FP)
    assert figure(project, "empty: false negative") == pytest.approx(1 / 2)  # of the turns that search
    assert figure(project, "search: combination") == pytest.approx(1 / 3)


def test_genies_figures(begin: Begin) -> None:
    project, ada = begin("genie"), person("ada")
    done = {"parsing": judged("right", "wrong", missing=2), "execution": judged("true_positive", "false_positive")}
    label(
        project,
        ada,
        {**done, "acts": judged("right", missing=0)},
        {"parsing": judged("right", missing=0), "execution": judged(), "acts": judged("right", missing=1)},
        {"parsing": judged(missing=0), "execution": judged(), "acts": judged(missing=0), "goal": "reached"},
    )
    assert figure(project, "parsing") == pytest.approx(2 / 5)  # right / union
    assert figure(project, "execution") == pytest.approx(1 / 2)
    assert figure(project, "acts") == pytest.approx(2 / 3)
    assert figure(project, "goal: reached") == pytest.approx(1)


def test_what_annotators_dispute_waits_for_one_label(begin: Begin) -> None:
    project, ada, bob, eve = begin("free", overlap=2), person("ada"), person("bob"), person("eve")
    label(project, ada, {"labels": "a"}, {"labels": "b"})
    label(project, bob, {"labels": "a"}, {"labels": "c"})
    (item,) = figures.disputed(project)
    assert item.position == 2
    services.adjudicate(item, {"labels": "b"}, eve)
    assert figures.disputed(project) == []
    report = figures.report(project)
    assert (report.items, report.finished, report.settled) == (3, 2, 2)


def test_agreement_of_a_project(begin: Begin) -> None:
    project, ada, bob = begin("genie", overlap=2), person("ada"), person("bob")
    right, mixed = judged("right", "wrong", "right", missing=0), judged("right", "right", "right", missing=0)
    for annotator, said in ((ada, right), (bob, mixed)):
        label(project, annotator, {"parsing": said, "execution": judged(), "acts": judged(missing=0)})
    (parsing, *_) = figures.report(project).agreement
    assert parsing.alpha.n == 3
    assert parsing.kappa == pytest.approx(0)


def test_gold_items_measure_annotators_and_times_are_kept(begin: Begin) -> None:
    project, ada = begin(), person("ada")
    project.items.update(gold={"labels": "a"})
    label(project, ada, {"labels": "a"}, {"labels": "b"})
    Annotation.objects.update(seconds=12)
    (work,) = figures.report(project).work
    assert (work.done, work.gold, work.seconds) == (2, 0.5, 12)


def test_deleting_a_conversation_deletes_what_was_said_of_it(begin: Begin, talk: Turn) -> None:
    project, ada = begin(), person("ada")
    label(project, ada, {"labels": "a"})
    talk.conversation.delete()
    assert not Annotation.objects.exists()


def test_annotations_are_exported_under_pseudonyms_and_imported(begin: Begin, talk: Turn, tmp_path: Path) -> None:
    project, ada, bob, eve = begin("free", overlap=2), person("ada"), person("bob"), person("eve")
    label(project, ada, {"labels": "a"}, {"labels": "b"})
    label(project, bob, {"labels": "c"}, {"labels": "b"})
    services.adjudicate(project.items.get(position=1), {"labels": "a"}, eve)
    before = figures.report(project)
    call_command("export", out=tmp_path / "whole.zip")
    call_command("export", out=tmp_path / "tables", format="csv")
    with (tmp_path / "tables" / "annotations.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert sorted(json.loads(row["answers"])["labels"] for row in rows) == ["a", "a", "b", "b", "c"]
    assert {row["scheme"] for row in rows} == {"free 1"}
    assert not {"ada", "bob", str(ada.pk), str(bob.pk)} & {row["annotator"] for row in rows}
    Conversation.objects.all().delete()
    Project.objects.all().delete()
    call_command("import_conversations", tmp_path / "whole.zip")
    restored = Project.objects.get()
    after = figures.report(restored)
    assert (after.items, after.settled) == (before.items, before.settled)
    assert after.agreement == before.agreement
    assert restored.scheme == project.scheme
    assert not User.objects.filter(username__startswith="imported", is_active=True).exists()


# --- the pages --------------------------------------------------------------------------------------------------------


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_item_is_shown_with_its_conversation_and_answered(begin: Begin) -> None:
    project, ada = begin("suql"), person("ada", "add_annotation")
    client, url = signed_in(ada), reverse("admin:research_project_annotate", args=[project.pk])
    page = client.get(url).content.decode()
    assert "somewhere romantic" in page
    assert "SELECT" in page
    assert "We had a table by the window" in page
    assert "true positive" in page
    assert "Guidelines, version 1" in page
    held = Annotation.objects.get()
    form = {"annotation": held.pk, "search": "combination", "save": "1"}
    refused = client.post(url, form).content.decode()
    assert "Please judge every one" in refused
    form |= {f"entities.restaurants:place-{number}": "true_positive" for number in (1, 2)}
    assert client.post(url, {**form, "flag": "on", "note": "sure"}).status_code == 302
    held.refresh_from_db()
    assert held.answers["entities"]["parts"] == {
        "restaurants:place-1": "true_positive",
        "restaurants:place-2": "true_positive",
    }
    assert (held.status, held.flagged, held.note) == ("done", True, "sure")


def test_a_turn_that_found_nothing_asks_whether_that_is_right(begin: Begin, talk: Turn) -> None:
    first = talk.conversation.turns.get(position=1)
    state = TurnState.model_validate(first.state)
    outcome = state.outcomes[0].model_copy(update={"rows": ()})
    first.state = state.model_copy(update={"outcomes": (outcome,)}).model_dump(mode="json")
    first.save(update_fields=["state"])
    project, ada = begin("suql"), person("ada", "add_annotation")
    page = signed_in(ada).get(reverse("admin:research_project_annotate", args=[project.pk])).content.decode()
    assert "false negative" in page.split('id="answers"')[1].split("Guidelines")[0]


def test_skip_undo_and_the_end_have_their_buttons(begin: Begin) -> None:
    project, ada = begin(), person("ada", "add_annotation")
    client, url = signed_in(ada), reverse("admin:research_project_annotate", args=[project.pk])
    for _ in range(3):
        client.get(url)
        client.post(url, {"annotation": Annotation.objects.get(status="open").pk, "skip": "1"})
    assert "nothing left for you" in client.get(url).content.decode()
    client.post(url, {"undo": "1"})
    assert Annotation.objects.filter(status="open").count() == 1


def test_an_adjudicator_sees_what_was_said_and_decides(begin: Begin) -> None:
    project, ada, bob = begin(overlap=2), person("ada"), person("bob")
    label(project, ada, {"labels": "romantic"})
    label(project, bob, {"labels": "quiet"})
    client = signed_in(person("eve", "add_adjudication"))
    url = reverse("admin:research_project_adjudicate", args=[project.pk])
    page = client.get(url).content.decode()
    assert "romantic" in page
    assert "quiet" in page
    (item,) = figures.disputed(project)
    client.post(url, {"item": item.pk, "labels": "quiet", "save": "1"})
    assert figures.final(project.items.select_related("adjudication").get(pk=item.pk)) == {"labels": "quiet"}
    assert "Nothing is disputed" in client.get(url).content.decode()


def test_an_adjudicator_sees_beside_each_answer_who_gave_it(begin: Begin) -> None:
    project, ada, bob = begin("suql", overlap=2), person("ada"), person("bob")
    first, second = (part.id for part in parts(project.items.earliest("position").turn, "entities"))
    for somebody, verdict in ((ada, "true_positive"), (bob, "false_positive")):
        told = {"parts": {first: "true_positive", second: verdict}}
        label(project, somebody, {"search": "combination", "entities": told})
    page = signed_in(person("eve", "add_adjudication")).get(
        reverse("admin:research_project_adjudicate", args=[project.pk])
    )
    shown = re.findall(r'class="said-by">([^<]*)<', page.content.decode())
    assert shown == ["ada, bob", "ada, bob", "ada", "bob"]


def test_known_answers_are_kept_on_their_page_and_measure_annotators(begin: Begin) -> None:
    project, ada = begin(), person("ada")
    client = signed_in(person("eve", "add_adjudication"))
    url = reverse("admin:research_project_gold", args=[project.pk])
    first, second, _ = project.items.order_by("position")
    assert "Keep as known" in client.get(url).content.decode()
    onward = client.post(url, {"item": first.pk, "labels": "quiet", "save": "1"})
    assert onward["Location"] == f"{url}?after=1"
    client.post(onward["Location"], {"item": second.pk, "next": "1"})
    assert list(project.items.order_by("position").values_list("gold", flat=True)) == [{"labels": "quiet"}, None, None]
    assert "1 item with known" in client.get(f"{url}?after=2").content.decode()
    assert "That was the last item" in client.get(f"{url}?after=3").content.decode()
    label(project, ada, {"labels": "loud"})
    assert figures.report(project).work[0].gold == 0.0


def test_the_report_shows_figures_and_agreement(begin: Begin) -> None:
    project, ada = begin("suql"), person("ada")
    label(project, ada, {"search": "combination", "entities": judged("true_positive", "false_positive")})
    page = signed_in(person("eve", "view_project")).get(reverse("admin:research_project_report", args=[project.pk]))
    assert "0.500" in page.content.decode()


@pytest.mark.parametrize("page", ["annotate", "gold", "adjudicate", "report"])
def test_each_page_needs_its_permission(begin: Begin, page: str) -> None:
    project = begin()
    url = reverse(f"admin:research_project_{page}", args=[project.pk])
    assert signed_in(person("nobody")).get(url).status_code == 403
    assert Client().get(url).status_code == 302


def test_a_project_is_begun_and_listed_in_the_admin(begin: Begin) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    form = {"title": "Second", "scheme": Scheme.objects.get(slug="genie").pk, "overlap": 3, "active": "on"}
    assert client.post(reverse("admin:research_project_add"), {**form, "assistant": "restaurants"}).status_code == 302
    project = Project.objects.get(title="Second")
    assert (project.items.count(), project.filters) == (3, {"assistant": "restaurants"})
    assert "Adjudicate" in client.get(reverse("admin:research_project_changelist")).content.decode()


def test_a_scheme_in_use_is_not_changed_but_saved_as_its_next_version(begin: Begin) -> None:
    project = begin()
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    url = reverse("admin:research_scheme_change", args=[project.scheme.pk])
    form = {
        "slug": "free",
        "title": "Mine",
        "guidelines": "x",
        "questions": '[{"name": "q", "text": "?", "kind": "text"}]',
    }
    assert client.post(url, form).status_code == 403
    assert client.post(url, {**form, "_saveasnew": "1"}).status_code == 302
    assert Scheme.objects.get(slug="free", version=2).title == "Mine"
    assert Scheme.objects.get(slug="free", version=1).title == "Free labels"
