"""The task `search`: a query for a search by similarity, taken from the talk."""

from __future__ import annotations

from agent.backends.prompted import context
from agent.backends.prompted.asking import Asker, Wire
from agent.language import ChatKind, SearchWish, UnderstandRequest


class Wish(Wire):
    """The reply to the prompt `search`."""

    query: str
    chat: ChatKind | None
    reply: str


async def search_wish(asker: Asker, request: UnderstandRequest) -> SearchWish:
    """What to search for, against the conversation so far."""
    messages = asker.prompts.render(
        "search",
        tables=request.conversation.tables,
        past=context.said(request.conversation, context.TURNS),
        message=request.message,
    )
    return await asker.ask("search", messages, Wish, _wish)


def _wish(wish: Wish) -> SearchWish:
    query = " ".join(wish.query.split())
    if not query and not (wish.chat and wish.reply.strip()):
        raise ValueError("Give a query, or a kind of chat with a reply.")
    return SearchWish(query=query) if query else SearchWish(chat=wish.chat, reply=wish.reply.strip())
