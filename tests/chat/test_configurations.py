"""What a turn is answered with is written down: once for each difference that could change an answer."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from corpora import versions
from corpora.models import Article, Assistant, FewShotPair, WorksheetEdition
from hybridchat.chat import leases, services
from hybridchat.chat.configurations import differing, document_of, hash_of
from hybridchat.chat.errors import Closed, Refused
from hybridchat.chat.models import Configuration, Conversation, Turn
from hybridchat.chat.overrides import Overrides
from hybridchat.chat.owners import Owner
from hybridchat.version import __version__


def article(slug: str, body: str) -> Article:
    return Article.objects.create(slug=slug, title=slug, body=body, category="help")


def test_a_configuration_names_release_commit_models_prompts_weights_corpora_worksheets_and_settings(
    db: None, settings: Any
) -> None:
    settings.RELEASE_COMMIT = "0123456789ab"
    settings.LANGUAGE_MODEL = {**settings.LANGUAGE_MODEL, "model": "big", "models": {"answer": "small"}}
    document = document_of("suql", "openai")
    assert document["release"] == __version__
    assert document["models"]["answer"] == "small"
    assert document["models"]["parse"] == "big"
    assert len(document["prompts"]) == len(document["weights"]) == 16
    assert "restaurants" in document["corpora"]
    assert document["settings"]["QUERY_CALLS"] == settings.QUERY_CALLS
    assert "api_key" not in str(document)


def test_two_conversations_of_one_configuration_share_its_row(owner: Owner, transactional_db: None) -> None:
    first, second = (services.new_conversation(owner, "restaurants") for _ in range(2))
    assert first.configuration == second.configuration
    assert Configuration.objects.count() == 1


def test_a_turn_is_stamped_with_what_its_conversation_overrides(owner: Owner, transactional_db: None) -> None:
    pinned = Overrides(language="small at http://127.0.0.1:1/v1")
    conversation = services.new_conversation(owner, "restaurants", overrides=pinned)
    turn, _ = services.receive(conversation, uuid4(), "somewhere romantic")
    taken = leases.take(turn.pk, "me")
    assert taken is not None
    assert taken.conversation.language == "small at http://127.0.0.1:1/v1"
    assert taken.configuration is not None
    assert taken.configuration.document["models"]["answer"] == "small"


def test_a_changed_row_of_a_corpus_is_another_configuration_and_changed_back_the_first_again(
    transactional_db: None,
) -> None:
    one = article("late", "Pay late fees here.")
    before = hash_of(document_of("suql", "builtin"))
    Article.objects.filter(pk=one.pk).update(body="Late fees are gone.")
    assert hash_of(document_of("suql", "builtin")) != before
    Article.objects.filter(pk=one.pk).update(body="Pay late fees here.")
    assert hash_of(document_of("suql", "builtin")) == before


def test_corpora_are_read_again_only_after_a_change(transactional_db: None, django_assert_num_queries: Any) -> None:
    article("late", "Pay late fees here.")
    versions.corpus_versions()
    with django_assert_num_queries(2):
        versions.corpus_versions()


def test_another_edition_of_worksheets_is_another_configuration(db: None) -> None:
    before = hash_of(document_of("suql", "builtin"))
    tasks = Assistant.objects.create(slug="tasks", title="Tasks", tables=["articles"])
    WorksheetEdition.objects.create(assistant=tasks, version=3, document={"worksheets": []}, active=True)
    document = document_of("suql", "builtin")
    assert document["worksheets"] == {"tasks": 3}
    assert hash_of(document) != before


def test_a_few_shot_pair_more_is_another_configuration(db: None) -> None:
    before = document_of("suql", "builtin")
    FewShotPair.objects.create(corpus="restaurants", message="cheap", suql="SELECT 1")
    after = document_of("suql", "builtin")
    assert before["few_shot"] == ""
    assert hash_of(after) != hash_of(before)


def test_an_override_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no system 'magic'"):
        Overrides(system="magic")
    with pytest.raises(ValueError, match="is no language"):
        Overrides(language="clever")


def test_the_closing_word_ends_a_conversation_once_it_has_its_turns(owner: Owner, transactional_db: None) -> None:
    conversation = services.new_conversation(owner, "restaurants", closing_word="FINISHED", closes_after=1)
    with pytest.raises(Refused, match="at least 1 more message before"):
        services.receive(conversation, uuid4(), "FINISHED")
    turn, _ = services.receive(conversation, uuid4(), "somewhere romantic")
    with pytest.raises(Closed):
        services.receive(conversation, uuid4(), "FINISHED")
    turn.refresh_from_db()
    assert turn.status == Turn.Status.STOPPED
    with pytest.raises(Closed):
        services.receive(conversation, uuid4(), "and cheaper?")
    assert conversation.turns.count() == 1


def test_the_word_is_a_message_like_another_where_it_closes_nothing(conversation: Conversation) -> None:
    turn, created = services.receive(conversation, uuid4(), "FINISHED")
    assert created
    assert turn.message == "FINISHED"


def test_two_configurations_are_compared_in_what_differs(admin_client: Client) -> None:
    kept = {"release": "1.0", "system": "suql", "corpora": {"courses": 1, "inns": 4}}
    other = {**kept, "release": "2.0", "corpora": {"courses": 1}}
    assert differing(kept, other) == [("corpora inns", 4, None), ("release", "1.0", "2.0")]
    rows = [Configuration.objects.create(hash=f"{at:064x}", document=one) for at, one in enumerate((kept, other))]
    address = reverse("admin:chat_configuration_changelist")
    chosen = {"action": "compare", "_selected_action": [one.pk for one in rows]}
    page = admin_client.post(address, chosen).content.decode()
    assert "<td>1.0</td><td>2.0</td>" in page
    assert "suql" not in page.split("<main", 1)[1]
    told = admin_client.post(address, {**chosen, "_selected_action": [rows[0].pk]}, follow=True)
    assert "Choose two configurations" in told.content.decode()
