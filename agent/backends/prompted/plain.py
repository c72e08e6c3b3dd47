"""A reply without a model: for the turn whose rows are found and whose words the model could not write."""

from __future__ import annotations

from agent.backends.prompted.sayings import told
from agent.language import Found, Reply, RespondRequest

ASKING = {"location": "Which city or place should it be?", "what": "What would you like to know?"}


def plain_reply(request: RespondRequest) -> Reply:
    """What was found, named and counted, in sentences that hold for any corpus; and the acts in their own words."""
    found = [_found(one) for one in request.found]
    acts = [act.text for act in told(request.acts)]
    parts = [request.chat_reply.strip(), *found, *acts, ASKING.get(request.ask, "")]
    return Reply(text="\n\n".join(part for part in parts if part) or "I have nothing to say to that.")


def _found(found: Found) -> str:
    if found.error:
        return found.error
    if not found.rows:
        return f"I found nothing for {found.description or found.question}."
    lines = [_values(row) if not title else f"**{title}**" for row, title in _titled(found)]
    given_up = f"Nothing fits everything; I left out: {', '.join(found.relaxed)}.\n\n" if found.relaxed else ""
    return f"{given_up}{found.description or found.question}:\n\n" + "\n".join(f"- {line}" for line in lines)


def _titled(found: Found) -> list[tuple[dict[str, object], str]]:
    titles = found.titles or ("",) * len(found.rows)
    return list(zip(found.rows, titles, strict=False))


def _values(row: dict[str, object]) -> str:
    """A row that is no thing with a name: a count, an average."""
    return ", ".join(f"{name}: {value}" for name, value in row.items() if value is not None)
