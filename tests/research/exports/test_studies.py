"""Exports tell which study and arm a conversation belongs to, and what its participant answered; others read them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas
import pyarrow.parquet
import pytest
from django.core.management import call_command
from django.utils import timezone

from hybridchat.chat.models import Conversation, Turn
from hybridchat.research.exports.formats import FORMATS
from hybridchat.research.models import Arm, ConsentText, Participation, Study
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
