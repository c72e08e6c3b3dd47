"""Exports tell which study and arm a conversation belongs to, and what its participant answered; others read them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import datasets
import pandas
import pyarrow.parquet
import pytest
from django.core.management import call_command
from django.utils import timezone

from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.research.exports import services as exports
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.exports.formats import FORMATS
from hybridchat.research.models import Arm, ConsentText, Participation, Study
from hybridchat.research.studies import services
from tests.research.exports.test_exports import records, without_names

Run = Callable[..., Path]
SAID = "Fast. Write to grace@example.org if you like."


@pytest.fixture
def own(talk: Turn) -> Participation:
    """The participation that the conversation of three turns belongs to."""
    study = Study.objects.create(
        slug="dinner", title="Dinner", assistant="restaurants", instructions="Go.", quota=2, completion_code="C0DE1"
    )
    consent = ConsentText.objects.create(study=study, version=2, text="We keep what you write.")
    arm = Arm.objects.create(study=study, name="nearest", overrides={"system": "linearization-3"})
    now = timezone.now()
    made = Participation.objects.create(
        study=study,
        owner_key=talk.conversation.owner_key,
        external_id="5f0c-recruited",
        consent=consent,
        arm=arm,
        place=1,
        scenarios=["Find a table."],
        conversation=talk.conversation,
        **dict.fromkeys(("arrived", "agreed", "began", "ended", "finished"), now),
    )
    made.answers.create(item="ease", position=0, value=6)
    made.answers.create(item="liked", position=1, value=SAID)
    made.answers.create(item="check", position=2, value="often", attentive=True)
    study.events.create(participation=made, kind="assigned", detail={"arm": "nearest", "before": {"nearest": 0}})
    return made


def test_participation_is_imported_losslessly_into_an_empty_site(own: Participation, export: Run) -> None:
    first = export(with_personal_data=True)
    Conversation.objects.all().delete()
    Study.objects.all().delete()
    call_command("import_conversations", first)
    again = export(with_personal_data=True)
    assert without_names((first / "conversations.jsonl").read_text()) == without_names(
        (again / "conversations.jsonl").read_text()
    )
    study = Study.objects.get()
    assert (study.slug, study.state, study.imported) == ("dinner", "closed", True)
    restored = Participation.objects.get()
    assert (restored.arm.name, restored.arm.overrides) == ("nearest", {"system": "linearization-3"})
    assert [one.value for one in restored.answers.all()] == [6, SAID, "often"]


def test_imported_participations_are_not_added_to_a_study_of_this_site(own: Participation, export: Run) -> None:
    call_command("import_conversations", export())
    assert own.study.participations.count() == 1
    assert Study.objects.get(imported=True).slug == "dinner-imported"


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_leads_back_to_the_recruiting_site(own: Participation, export: Run, form: str) -> None:
    folder = export(format=form, with_personal_data=True)
    told = "".join(path.read_bytes().decode("latin-1") for path in folder.iterdir())
    assert "5f0c-recruited" not in told
    assert "C0DE1" not in told


def test_personal_data_is_taken_out_of_answers_too(own: Participation, export: Run) -> None:
    answers = records(export())[0]["participation"]["answers"]
    assert answers[1]["value"] == "Fast. Write to [e-mail 2] if you like."


def test_tables_are_read_by_pandas_and_pyarrow(own: Participation, export: Run) -> None:
    parquet, spread = export(format="parquet"), export(format="csv")
    people = pandas.read_parquet(parquet / "participations.parquet")
    assert people[["study", "arm", "consent", "place"]].values.tolist() == [["dinner", "nearest", 2, 1]]
    answers = pyarrow.parquet.read_table(parquet / "answers.parquet").to_pylist()
    assert (answers[0]["item"], json.loads(answers[0]["value"])) == ("ease", 6)
    joined = pandas.read_csv(spread / "answers.csv").merge(pandas.read_csv(spread / "turns.csv"), on="conversation")
    assert len(joined) == 9  # three answers by three turns
    assert set(pandas.read_csv(spread / "conversations.csv")["arm"]) == {"nearest"}


def test_messages_and_tables_are_read_by_datasets(own: Participation, export: Run, tmp_path: Path) -> None:
    def loaded(kind: str, path: Path) -> Any:
        return datasets.load_dataset(kind, data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))

    talk = loaded("json", export(format="messages") / "messages.jsonl")[0]
    assert (talk["study"], talk["arm"], talk["answers"]["ease"]) == ("dinner", "nearest", 6)
    assert [one["role"] for one in talk["messages"]] == ["user", "assistant"] * 3
    assert loaded("parquet", export(format="parquet") / "turns.parquet").num_rows == 3


def test_corpus_of_convokit_tells_arm_and_answers_of_a_conversation(own: Participation, export: Run) -> None:
    folder = export(format="convokit")
    (conversation,) = json.loads((folder / "conversations.json").read_text()).values()
    assert (conversation["meta"]["arm"], conversation["meta"]["answers"]["ease"]) == ("nearest", 6)
    assert {"study", "arm", "answers"} <= set(json.loads((folder / "index.json").read_text())["conversations-index"])


@pytest.fixture
def convokit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """ConvoKit's own corpus, without its analyses: `import convokit` would want PyTorch and more."""
    package = ModuleType("convokit")
    found = find_spec("convokit")
    assert found is not None
    package.__path__ = list(found.submodule_search_locations or ())
    monkeypatch.setitem(sys.modules, "convokit", package)
    monkeypatch.setenv("HOME", str(tmp_path))  # it writes its settings there
    return import_module("convokit.model").Corpus


def test_convokit_opens_its_corpus(own: Participation, export: Run, convokit: Any) -> None:
    corpus = convokit(filename=str(export(format="convokit")))
    (talk,) = corpus.iter_conversations()
    assert (talk.meta["study"], talk.meta["arm"], talk.meta["answers"]["ease"]) == ("dinner", "nearest", 6)
    assert talk.check_integrity(verbose=False)  # each reply is to an utterance that is there
    said = list(talk.iter_utterances())
    assert [one.speaker.meta["role"] for one in said] == ["person", "agent"] * 3
    assert [len(one.meta["suql"]) for one in said if one.speaker.id == "agent"] == [1, 1, 1]


# -- studies in which people write questions ---------------------------------------------------------------------------

WRITTEN = ["Where is it quiet?", "Would linus@example.org like it?"]


@pytest.fixture
def collected() -> Participation:
    """Somebody who wrote two questions and answered the questionnaire, without a conversation."""
    study = Study.objects.create(
        slug="ask", title="Ask", kind=Study.Kind.QUESTIONS, assistant="restaurants", instructions="Ask.", quota=2,
        questions_each=2, state=Study.State.OPEN, questionnaire=[{"name": "liked", "text": "What did you like?"}],
    )  # fmt: skip
    own = services.begin(services.agree(services.arrive(study, Owner(key_of("a session")), "5f0c-recruited")))
    assert services.collect(own, WRITTEN) == {}
    own.refresh_from_db()
    assert services.answer(own, {"liked": "Brief."}) == {}
    return own


def test_collected_questions_are_imported_losslessly_into_an_empty_site(collected: Participation, export: Run) -> None:
    first = export(study="ask", with_personal_data=True)
    Study.objects.all().delete()
    call_command("import_conversations", first)
    call_command("import_conversations", first)
    again = export(study="ask", with_personal_data=True)
    assert without_names((first / "collected.jsonl").read_text()) == without_names(
        (again / "collected.jsonl").read_text()
    )
    restored = Participation.objects.get()
    assert [one.text for one in restored.questions.all()] == WRITTEN
    assert (restored.study.kind, restored.study.imported, restored.answers.get().value) == ("questions", True, "Brief.")


def test_collected_questions_are_a_table_without_what_is_personal(collected: Participation, export: Run) -> None:
    folder = export(format="parquet")
    read = pandas.read_parquet(folder / "questions.parquet")
    assert read["text"].tolist() == [WRITTEN[0], "Would [e-mail 1] like it?"]
    (person,) = pandas.read_parquet(folder / "participations.parquet").to_dict("records")
    assert person["participation"] == read["participation"][0] != str(collected.pk)
    assert json.loads((folder / "manifest.json").read_text())["collected"] == 1


def test_filters_choose_who_wrote_questions(collected: Participation, export: Run) -> None:
    for nobody in ({"study": "another"}, {"rating": "up"}, {"until": "2020-01-01"}):
        assert not (export(**nobody) / "collected.jsonl").exists(), nobody
    assert (export(since="2020-01-01", assistant="") / "collected.jsonl").exists()


def test_withdrawing_with_questions_removes_the_exports_they_are_in(collected: Participation) -> None:
    made = exports.request("me", "jsonl", Filters())
    exports.work(made.pk, seconds=60)
    assert exports.archive_of(made).exists()
    services.withdraw(collected)
    assert not exports.archive_of(made).exists()
