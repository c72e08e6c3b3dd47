"""What the staff made of conversations goes with them, as far as it still has the person's words.

Regression cases, few-shot pairs, questions people ask and trials are linked to the turn they were made of. When its
conversation is deleted, those that still say what the person said are deleted as well. What a curator has put in other
words, or what somebody else said too, stays and leads nowhere. The admin's log forgets the words of all of them.
"""

from __future__ import annotations

import re
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from corpora.models import ArticleQuestion, FewShotPair
from corpora.services import index_rows_on_commit
from hybridchat.chat.models import Conversation, Feedback, Turn
from hybridchat.research.models import Copy, PlaygroundRun, RegressionCase

KINDS: dict[type[Model], str] = {
    RegressionCase: "case",
    FewShotPair: "pair",
    ArticleQuestion: "question",
    PlaygroundRun: "trial",
}
FORGOTTEN = "(deleted)"
SHORTEST = 40  # characters from which on the beginning of a message counts as the message: fields cut what is long
LOGGED = LogEntry._meta.get_field("object_repr").max_length


def note_copy(turn: Turn, made: Model) -> None:
    """Note that something was made of a turn; nothing is noted of what leads nowhere in particular."""
    if kind := KINDS.get(type(made)):
        Copy.objects.get_or_create(turn=turn, **{kind: made})


def note_copy_of_trial(trial: PlaygroundRun, made: Model) -> None:
    """Note that something was made of a trial, and so of the turn that the trial was made of, if any."""
    for copy in Copy.objects.filter(trial=trial).select_related("turn"):
        note_copy(copy.turn, made)


def is_copy(made: Model) -> bool:
    """Whether something is known to hold somebody's words."""
    return Copy.objects.filter(**{KINDS[type(made)]: made}).exists()


@receiver(pre_delete, sender=Conversation)
def forget_copies(instance: Conversation, **_: Any) -> None:
    """Delete what was made of a conversation in its person's words, and take them out of the admin's log."""
    turns = Turn.objects.filter(conversation=instance)
    said = list(turns.values_list("message", flat=True))
    words = {_plain(text) for text in said}
    for copy in Copy.objects.filter(turn__in=turns).select_related(*Copy.KINDS):
        made, kind = copy.made, KINDS[type(copy.made)]
        if Copy.objects.filter(**{kind: made}).exclude(turn__in=turns).exists():
            continue  # somebody else said it, too
        if any(_says(text, words) for text in _texts(made)):
            _forget_log(type(made), [made.pk])
            _delete(made)
    feedback = Feedback.objects.filter(turn__in=turns)
    _forget_log(Conversation, [instance.pk])
    _forget_log(Turn, turns.values_list("pk", flat=True))
    _forget_log(Feedback, feedback.values_list("pk", flat=True))
    _forget_log_of_words([instance.title, *said])


def _texts(made: Any) -> list[str]:
    """The texts in which something may say what a person said."""
    match made:
        case RegressionCase():
            return list(made.messages)
        case FewShotPair():
            return [made.message]
        case ArticleQuestion():
            return [made.text]
    return [made.question]


def _says(text: str, words: set[str]) -> bool:
    plain = _plain(text)
    return plain in words or (len(text) >= SHORTEST and any(one.startswith(plain) for one in words))


def _plain(text: str) -> str:
    """The words of a text, whatever stands between them."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _delete(made: Model) -> None:
    made.delete()
    if isinstance(made, ArticleQuestion):
        index_rows_on_commit("articles", [str(made.article_id)])


def _forget_log(model: type[Model], keys: Any) -> None:
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(model), object_id__in=[str(key) for key in keys]
    )
    entries.update(object_repr=FORGOTTEN, change_message="")


def _forget_log_of_words(said: list[str]) -> None:
    """What was made of a conversation may be gone already; how the log calls it is what the person said."""
    kinds = [ContentType.objects.get_for_model(model) for model in KINDS]
    named = Q(object_repr__in={" ".join(text.split())[:LOGGED] for text in said} - {""})
    LogEntry.objects.filter(named, content_type__in=kinds).update(object_repr=FORGOTTEN, change_message="")
