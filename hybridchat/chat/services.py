"""What a person can do with conversations and turns. Each function is one transaction; hints follow its commit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from textwrap import shorten
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from agent.language import Conversation as Context
from agent.language import Reply, Understanding
from agent.record import Query, TurnState
from agent.worksheets.statements import Statement
from hybridchat.chat import allowance, hints, leases, limits
from hybridchat.chat.assistants import check_assistant
from hybridchat.chat.configurations import configuration_of
from hybridchat.chat.constraints import relieved
from hybridchat.chat.errors import Busy, Closed, Malformed, NotFound, Refused, TooLong
from hybridchat.chat.languages import language_of
from hybridchat.chat.models import Conversation, Feedback, Turn
from hybridchat.chat.overrides import Overrides
from hybridchat.chat.owners import Owner

TITLE_WIDTH = 60
DELETED_AT_ONCE = 200  # conversations


def new_conversation(
    owner: Owner,
    assistant: str,
    address: str = "",
    overrides: Overrides = Overrides(),  # noqa: B008 - it is immutable
    closing_word: str = "",
    closes_after: int = 0,
) -> Conversation:
    """Begin a conversation, with what is different in it from the site's own choice. Raises
    `TooFast`, and `NotFound` for an assistant that is not for this person."""
    limits.check_new_conversations(owner, address)
    conversation = Conversation(
        owner_key=owner.key,
        user_id=owner.user_id,
        assistant=assistant,
        overrides=overrides.model_dump(mode="json", exclude_defaults=True),
        closing_word=closing_word,
        closes_after=closes_after,
    )
    check_assistant(conversation)
    conversation.language = language_of(conversation)
    conversation.configuration = configuration_of(conversation, conversation.language)
    conversation.save()
    return conversation


def close(conversation: Conversation) -> None:
    """End a conversation, once it has the turns it needs; nothing is said in it any more. Raises `Refused`."""
    with transaction.atomic():
        locked = Conversation.objects.select_for_update().get(pk=conversation.pk)
        said = locked.turns.exclude(kind=Turn.Kind.NOTE).count()
        if said < locked.closes_after:
            missing = locked.closes_after - said
            raise Refused(f"Please send at least {missing} more message{'s' if missing > 1 else ''} before you finish.")
        if locked.closed is None:
            locked.closed = timezone.now()
            locked.save(update_fields=["closed"])
            for turn in locked.turns.running():
                request_stop(turn)
        conversation.closed = locked.closed


def rename(conversation: Conversation, title: str) -> None:
    """Give the conversation a title of the owner's choice."""
    title = " ".join(limits.clean(title).split())
    if not title:
        raise Refused("A name needs at least one character.")
    if len(title) > limits.TITLE_CHARACTERS:
        raise TooLong(f"This name has {len(title):,} characters; the limit is {limits.TITLE_CHARACTERS}.")
    Conversation.objects.filter(pk=conversation.pk).update(title=title)
    conversation.title = title


def delete(conversation: Conversation) -> None:
    """Delete the conversation and everything about it. Work that is under way loses its lease and ends."""
    for turn in conversation.turns.running():
        hints.stop_requested(turn.pk)
    conversation.delete()


def receive(conversation: Conversation, uuid: UUID, text: str, address: str = "") -> tuple[Turn, bool]:
    """Store a message as the conversation's next turn; the second time it comes, it is already there.

    `address` is the key of where it came from. Raises `Busy` while another turn runs, `TooLong`, `Malformed` for an
    empty message, `Closed` where the conversation is over (its closing word ends it), `NotFound` where it was deleted
    or the identifier belongs to another one.
    """
    text = limits.check_message(text)
    if not text:
        raise Malformed("The message is empty.")
    if text == conversation.closing_word:
        close(conversation)
        raise Closed("This conversation has ended.")
    return _new_turn(conversation, Turn(id=uuid, message=text, address_key=address))


def retry(turn: Turn, uuid: UUID, address: str = "") -> tuple[Turn, bool]:
    """Try again: a new turn with the same message, understood against what came before the first try."""
    if turn.kind == Turn.Kind.NOTE:
        raise Malformed("This was not an answer to a question, so there is nothing to try again.")
    origin = turn.origin if turn.kind == Turn.Kind.RETRY else turn
    if origin.kind == Turn.Kind.WITHOUT:
        again = Turn(id=uuid, message=origin.message, state=_cleared(origin), status=Turn.Status.PARSED)
    else:
        again = Turn(id=uuid, message=origin.message, given=origin.given)
    again.kind, again.origin, again.address_key = Turn.Kind.RETRY, origin, address
    return _new_turn(turn.conversation, again)


def search_without(
    turn: Turn, uuid: UUID, query_index: int, constraint_id: str, address: str = ""
) -> tuple[Turn, bool]:
    """Search again without one constraint: a new turn, already parsed. `NotFound` where there is no such chip."""
    if not turn.state:
        raise NotFound("Nothing was searched for there.")
    state = TurnState.model_validate(turn.state)
    query, label = _chip(state, query_index, constraint_id)
    message = f"Search again without “{label}”"
    fresh = TurnState(
        message=message,
        conversation=state.conversation.model_copy(update={"state": None, "acts": ()}),
        understanding=Understanding(questions=(query.question,)),
        queries=(relieved(query, constraint_id),),
    )
    again = Turn(
        id=uuid,
        message=message,
        kind=Turn.Kind.WITHOUT,
        origin=turn,
        state=fresh.model_dump(mode="json"),
        status=Turn.Status.PARSED,
        address_key=address,
    )
    with transaction.atomic():
        again, new = _new_turn(turn.conversation, again)
        if new and again.position == turn.position + 1:
            _keep_pair(turn, again)
    return again, new


def _keep_pair(turn: Turn, again: Turn) -> None:
    """Keep what an answer was changed to right away as its correction, unless the person has put one in words."""
    given = _locked_feedback(turn)
    if not given.meant:
        given.meant, given.correction = again.message, again
        _saved_feedback(given)


def submit(
    conversation: Conversation, uuid: UUID, statements: Sequence[Statement], text: str, address: str = ""
) -> tuple[Turn, bool]:
    """Store what a form of a worksheet said as the conversation's next turn; `text` is how the conversation shows it.

    Raises `Busy`, `NotFound` as `receive` does, and `Malformed` where nothing was said.
    """
    if not statements:
        raise Malformed("That form was empty. Please reload the page.")
    given = [statement.model_dump(mode="json") for statement in statements]
    message = limits.check_message(text)
    return _new_turn(
        conversation, Turn(id=uuid, message=message, kind=Turn.Kind.FORM, given=given, address_key=address)
    )


def tell(conversation: Conversation, uuid: UUID, heading: str, text: str) -> Turn:
    """Add something that nobody asked for (an answer of the staff), once a `uuid`; open pages show it at once.

    Raises `Busy` while a turn runs, since what comes after it has to stand below it, and `NotFound` as `receive` does.
    """
    reply = Reply(text=text)
    context = Context(assistant=conversation.assistant, tables=(), now=timezone.localtime())
    state = TurnState(message=heading, conversation=context, reply=reply).model_dump(mode="json")
    with transaction.atomic():
        turn, created = _new_turn(conversation, Turn(id=uuid, message=heading, kind=Turn.Kind.NOTE, state=state))
        if created:
            leases.add_event(turn, "replied", reply.model_dump(mode="json"))
            leases.end(turn, Turn.Status.DONE)
        return turn


def request_stop(turn: Turn) -> bool:
    """Ask for the turn to stop; at once where nobody works on it yet. False if it is finished already."""
    with transaction.atomic():
        turn = Turn.objects.select_for_update().running().filter(pk=turn.pk).first()
        if turn is None:
            return False
        turn.stop_requested = True
        if turn.lease_holder and turn.lease_until > timezone.now():
            turn.save(update_fields=["stop_requested"])
            hints.stop_requested(turn.pk)
        else:
            leases.end(turn, Turn.Status.STOPPED)
        return True


def forget_addresses() -> int:
    """Forget where turns that are older than a day came from; returns of how many."""
    old = Turn.objects.finished().exclude(address_key="").filter(created__lt=timezone.now() - allowance.DAY)
    return old.update(address_key="")


def delete_old(days: int) -> int:
    """Delete some of the conversations without a message for so many days (for 0, none); returns how many."""
    if not days:
        return 0
    old = Conversation.objects.filter(updated__lt=timezone.now() - timedelta(days=days)).order_by("updated")
    deleted = list(old[:DELETED_AT_ONCE])
    for conversation in deleted:
        delete(conversation)
    return len(deleted)


def give_feedback(
    turn: Turn, rating: int | None, comment: str | None = None, reasons: Sequence[str] | None = None
) -> Feedback | None:
    """Record what the owner thought. A `comment` or `reasons` of None keep what there is; of nothing, nothing is kept.

    Reasons go with thumbs down alone.
    """
    if rating not in (None, 1, -1):
        raise Malformed("A rating is thumbs up or thumbs down.")
    if comment is not None and len(comment) > limits.COMMENT_CHARACTERS:
        raise Malformed(f"A comment can have {limits.COMMENT_CHARACTERS:,} characters. Please shorten it.")
    if not set(reasons or ()) <= set(Feedback.Reason.values):
        raise Malformed("That is not one of the reasons to choose from. Please reload the page.")
    with transaction.atomic():
        given = _locked_feedback(turn)
        given.rating = rating
        if comment is not None:
            given.comment = limits.clean(comment)
        if reasons is not None:
            given.reasons = [one for one in Feedback.Reason.values if one in reasons]
        if rating != Feedback.Rating.DOWN:
            given.reasons = []
        hints.changed(turn.conversation_id, turn.pk)
        if given.rating is None and not given.comment and not given.meant:
            Feedback.objects.filter(turn=turn).delete()
            return None
        return _saved_feedback(given)


def correct(turn: Turn, uuid: UUID, text: str, address: str = "") -> tuple[Turn, bool]:
    """Ask in other words what a turn was meant to ask: the words stay linked to it. Raises what `receive` does."""
    if turn.kind == Turn.Kind.NOTE:
        raise Malformed("This was not an answer to a question, so there is nothing to ask in other words.")
    with transaction.atomic():
        asked, new = receive(turn.conversation, uuid, text, address)
        if new:
            given = _locked_feedback(turn)
            given.meant, given.correction = asked.message, asked
            _saved_feedback(given)
            hints.changed(turn.conversation_id, turn.pk)
    return asked, new


def _locked_feedback(turn: Turn) -> Feedback:
    """The turn's feedback, or a new one, for this transaction alone."""
    Turn.objects.select_for_update().get(pk=turn.pk)
    return Feedback.objects.filter(turn=turn).first() or Feedback(turn=turn)


def _saved_feedback(given: Feedback) -> Feedback:
    """Save what the owner said; what says something new needs a look, whoever looked at what was said before."""
    if given.status != Feedback.Status.WORKING:
        given.status = Feedback.Status.OPEN if given.needs_a_look else Feedback.Status.NOTED
    given.save()
    return given


def _new_turn(conversation: Conversation, turn: Turn) -> tuple[Turn, bool]:
    """Store a turn as the conversation's next, unless it is there. Returns it, and whether it is new."""
    with transaction.atomic():
        locked = Conversation.objects.select_for_update().filter(pk=conversation.pk).first()
        if locked is None:
            raise NotFound("This conversation was deleted.")
        known = Turn.objects.filter(pk=turn.pk).first()
        if known is not None:
            if known.conversation_id != locked.pk:
                raise NotFound("That message belongs to another conversation.")
            return known, False
        if locked.closed and turn.kind != Turn.Kind.NOTE:
            raise Closed("This conversation has ended.")
        if turn.kind != Turn.Kind.NOTE:
            check_assistant(locked)
        if locked.turns.running().exists():
            raise Busy("I am still working on your last message. Wait for the answer, or press Stop first.")
        turn.conversation = locked
        turn.position = (locked.turns.aggregate(last=Max("position"))["last"] or 0) + 1
        turn.lease_until = timezone.now()
        _insert(turn)
        leases.add_event(turn, "received", {"message": turn.message})
        turn.save(update_fields=["last_event"])
        if turn.kind != Turn.Kind.NOTE:
            hints.work_is_due(turn.pk)
        locked.title = locked.title or shorten(turn.message, TITLE_WIDTH, placeholder="…")
        locked.updated = timezone.now()
        locked.language = language_of(locked)
        locked.save()
    conversation.title, conversation.updated = locked.title, locked.updated
    return turn, True


def _insert(turn: Turn) -> None:
    """Insert; two conversations that use one identifier at the same moment meet here."""
    try:
        with transaction.atomic():
            turn.save(force_insert=True)
    except IntegrityError as error:
        raise NotFound("That message belongs to another conversation.") from error


def _chip(state: TurnState, query_index: int, constraint_id: str) -> tuple[Query, str]:
    """The query that was finally run and the label of its constraint."""
    queries = [outcome.query for outcome in state.outcomes] or list(state.queries or ())
    if 0 <= query_index < len(queries):
        for constraint in queries[query_index].constraints:
            if constraint.id == constraint_id:
                return queries[query_index], constraint.label
    raise NotFound("That part of the search is no longer there.")


def _cleared(turn: Turn) -> dict[str, object]:
    """The state of a finished turn as it stood when its parsing was done."""
    state = TurnState.model_validate(turn.state)
    fresh = {"outcomes": (), "dialogue": None, "acts": (), "effects": (), "reply": None}
    return state.model_copy(update=fresh).model_dump(mode="json")
