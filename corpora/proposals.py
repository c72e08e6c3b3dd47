"""What a language model proposes to say of a corpus: asked for by a curator, written by a worker, applied by nobody.

A proposal holds what the data themselves suggest, with the model's words in the place of those, and nothing where
something is said already. It stands on the corpus's page until the curator saves that page or discards it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync
from celery import current_app
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from agent.backends.prompted.drafting import ColumnDraft, Seen, TableDraft
from agent.catalogue.tables import Table
from agent.protocols.errors import LanguageError
from corpora.catalogue.drafted import EXAMPLES, draft, samples, vocabulary
from corpora.catalogue.imported import said_of, whole_catalogue
from corpora.catalogue.said import ColumnSaid, CorpusSaid, TableSaid
from corpora.models import CorpusDraft
from corpora.rights import corpora

if TYPE_CHECKING:
    from agent.backends.prompted.language import PromptedLanguage

WRITE_DRAFT = "corpora.tasks.write_draft"
MODEL, LANGUAGE = "hybridchat.drafting.drafting_model", "hybridchat.drafting.drafting_language"  # by name: of the site
LONGEST = 540.0  # seconds that a model may take for a corpus: less than after which its task is given to another worker

State = CorpusDraft.State


def model_for(corpus: str) -> str:
    """Return the language model that would draft for a corpus, "" where none is connected."""
    found: str = import_string(MODEL)(corpus)
    return found


def of(corpus: str) -> CorpusDraft | None:
    """Return what was proposed of a corpus, or is being written, or why there is nothing."""
    return CorpusDraft.objects.filter(corpus=corpus).first()


def ask(corpus: str, by: Any = None) -> CorpusDraft:
    """Have a worker draft for a corpus, once this transaction is committed. Raises ValueError without a model."""
    model = model_for(corpus)
    if not model:
        raise ValueError("No language model is connected.")
    fresh = {"state": State.WAITING, "model": model, "document": {}, "problem": "", "by": by, "at": timezone.now()}
    with transaction.atomic():
        asked, _ = CorpusDraft.objects.update_or_create(corpus=corpus, defaults=fresh)
        transaction.on_commit(lambda: current_app.send_task(WRITE_DRAFT, [asked.pk]), robust=True)
    return asked


def discard(corpus: str) -> None:
    """Forget what was proposed."""
    CorpusDraft.objects.filter(corpus=corpus).delete()


def write(pk: int) -> None:
    """Let the model write a draft that waits for it, and keep it, or why there is none."""
    asked = CorpusDraft.objects.filter(pk=pk, state=State.WAITING).first()
    if asked is None:
        return
    try:
        said = _drafted(asked)
    except (LanguageError, ValueError) as error:
        outcome: dict[str, Any] = {"state": State.FAILED, "problem": str(error) or type(error).__name__}
    except TimeoutError:
        minutes = f"{LONGEST / 60:.0f}"
        outcome = {"state": State.FAILED, "problem": f"The language model had written nothing after {minutes} minutes."}
    else:
        outcome = {"state": State.DONE, "document": said.model_dump(mode="json", exclude_defaults=True)}
    # One that was asked for again meanwhile, or discarded, is not this one.
    CorpusDraft.objects.filter(pk=pk, state=State.WAITING, at=asked.at).update(**outcome)


def _drafted(asked: CorpusDraft) -> CorpusSaid:
    catalogue = whole_catalogue()
    tables = [table for table in catalogue if table.name in corpora().get(asked.corpus, ())]
    if not tables:
        raise ValueError("The corpus is gone.")
    seen = [_seen(table) for table in tables]
    language: PromptedLanguage = import_string(LANGUAGE)(asked.model)
    drafts, welcome = async_to_sync(_written)(language, seen)
    said = draft(tables, catalogue)
    for table, drafted in zip(tables, drafts, strict=True):
        _over(said.tables[table.name], table, drafted)
    questions = [question for one in _in_turn([one.questions for one in drafts]) for question in one]
    said.examples = questions[:EXAMPLES] or said.examples
    said.welcome = None if said_of(asked.corpus).welcome else welcome
    return said


async def _written(language: PromptedLanguage, seen: Sequence[Seen]) -> tuple[list[TableDraft], str]:
    """What the model writes of each table, and to begin with. Raises LanguageError, TimeoutError."""
    async with asyncio.timeout(LONGEST), language:
        return [await language.describe(one) for one in seen], await language.welcome(seen)


def _seen(table: Table) -> Seen:
    shown = [column for column in table.columns if not column.hidden]
    return Seen(
        table,
        {column.name: samples(table, column) for column in shown},
        {column.name: vocabulary(table, column) for column in shown},
    )


def _over(said: TableSaid, table: Table, drafted: TableDraft) -> None:
    """Put the model's words of a table over those that the data suggest, where nobody has said anything yet."""
    if not table.description and drafted.description:
        said.description = drafted.description
    if not table.synonyms and drafted.synonyms:
        said.synonyms = list(drafted.synonyms)
    for column in table.columns:
        if told := drafted.columns.get(column.name):
            _over_column(said.columns[column.name], told, taken={
                "description": column.description not in ("", column.name), "synonyms": bool(column.synonyms),
                "ends": bool(column.low_words or column.high_words), "values": bool(column.value_words),
            })  # fmt: skip


def _over_column(said: ColumnSaid, told: ColumnDraft, taken: dict[str, bool]) -> None:
    if told.description and not taken["description"]:
        said.description = told.description
    if told.synonyms and not taken["synonyms"]:
        said.synonyms = list(told.synonyms)
    if (told.low or told.high) and not taken["ends"]:
        said.low, said.high = list(told.low), list(told.high)
    if told.values and not taken["values"]:
        said.values = {value: list(words) for value, words in told.values.items()}


def _in_turn(questions: Sequence[Sequence[str]]) -> list[list[str]]:
    """The first questions of all tables, then the second ones, and so on."""
    most = max(map(len, questions), default=0)
    return [[own[place] for own in questions if place < len(own)] for place in range(most)]
