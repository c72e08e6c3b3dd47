"""The staff's answers to tickets, and how they reach the person: on their page, and in the conversation.

A conversation that is in the middle of a turn is told afterwards, so that what comes after it stands below it.
"""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from hybridchat.celery import app
from hybridchat.chat import services
from hybridchat.chat.errors import NotFound
from hybridchat.chat.models import Conversation
from hybridchat.effects import letters
from hybridchat.effects.models import Ticket, TicketReply

CARRY_REPLY = "hybridchat.effects.tasks.carry_reply"


def answer(ticket: Ticket, author: AbstractBaseUser | None, text: str) -> TicketReply:
    """Store a reply and, after commit, add it to the conversation. Signed-in people also get it by e-mail."""
    with transaction.atomic():
        reply = TicketReply.objects.create(ticket=ticket, author=author, text=text)
        address = getattr(ticket.user, "email", "")
        letters.write(address, ticket, f"Your ticket {ticket.reference}: {ticket.subject}", f"{text}\n")
        carry_soon(reply)
    return reply


def carry_soon(reply: TicketReply) -> None:
    """Ask a worker, after commit, to deliver the reply; the sweeper does so if the broker is down."""
    transaction.on_commit(lambda: app.send_task(CARRY_REPLY, [reply.pk]), robust=True)


def carry(pk: int) -> bool:
    """Add the reply to the ticket's conversation, once; return whether this call did it.

    One whose conversation is gone counts as told: it stays on the person's page. Raises `Busy` while a turn runs.
    """
    with transaction.atomic():
        untold = TicketReply.objects.select_for_update(of=("self",), skip_locked=True).filter(told_at__isnull=True)
        reply = untold.select_related("ticket").filter(pk=pk).first()
        if reply is None:
            return False
        told = _tell(reply)
        reply.told_at = timezone.now()
        reply.save(update_fields=["told_at"])
    return told


def _tell(reply: TicketReply) -> bool:
    conversation = Conversation.objects.filter(pk=reply.ticket.conversation).first()
    if conversation is None:
        return False
    heading = f"Student services on your ticket {reply.ticket.reference}"
    try:
        services.tell(conversation, uuid5(NAMESPACE_URL, f"ticket-reply-{reply.pk}"), heading, reply.text)
    except NotFound:  # deleted at this very moment
        return False
    return True
