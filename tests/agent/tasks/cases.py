"""Measures the understanding of tasks on a development set: one message against one state, and what it should do.

A case is a line of JSON: `app`, `user`, `expect`, and the state it is said in: `open` (instances with their values),
`pending` ("ask book_restaurant_1.date"), `candidates` and `shown` (titles of rows), and names of instances that are
`proposed`, `done` or `abandoned`. `expect` lists statements in short ("book_restaurant_1.date = 2026-11-27",
"fill book_restaurant_1.restaurant ~ Quorum", "yes book_restaurant_1", "question"); "*" stands for any value, "|" for
one or the other. Openings of routers and of nested worksheets follow from the rest and are not listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from agent.language import Conversation, PastQuery, PastTurn, Understanding
from agent.worksheets.entailment import is_router
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState, Entity, Instance, InstanceStatus, Pending, Slot, SlotStatus
from agent.worksheets.statements import Assign, Start, Statement

_STATUS = {
    "proposed": InstanceStatus.PROPOSED,
    "done": InstanceStatus.DONE,
    "abandoned": InstanceStatus.ABANDONED,
    "suspended": InstanceStatus.SUSPENDED,
}
_PRICES = ("expensive", "moderate", "cheap")


def conversation(
    case: Mapping[str, Any], specification: Specification, tables: tuple[str, ...], now: datetime
) -> Conversation:
    """What a case's message is understood against."""
    return Conversation(
        assistant=case["app"], tables=tables, past=_past(case), now=now, state=_state(case, specification)
    )


def matches(case: Mapping[str, Any], found: list[str]) -> bool:
    """Whether exactly what was expected was found, in any order. What a case allows `also` may be there or not."""
    left = list(found)
    for wanted in case["expect"]:
        hit = next((item for item in left if any(_same(one, item) for one in wanted.split("|"))), None)
        if hit is None:
            return False
        left.remove(hit)
    return all(any(_same(one, item) for one in case.get("also", ())) for item in left)


def shortened(understood: Understanding, specification: Specification) -> list[str]:
    """What was understood, in short."""
    found = [text for item in understood.statements if (text := _short(item, understood, specification))]
    filled = {item.question for item in understood.statements if item.kind == "fill"}
    if len(understood.questions) > len(filled) or understood.reply:
        found.append("question")
    if understood.chat is not None and not found:
        found.append("chat")
    return found


def _short(item: Statement, understood: Understanding, specification: Specification) -> str:
    match item:
        case Start(worksheet=name, offered=True) if name in specification.by_name and name not in specification.parents:
            return f"offer {name}"
        case Start(worksheet=name):
            worksheet = specification.by_name[name]
            return "" if name in specification.parents or is_router(specification, worksheet) else f"start {name}"
        case Assign(instance=instance, field=field, value=value):
            routers = {one.variable for one in specification.roots if is_router(specification, one)}
            return "" if instance.rsplit("_", 1)[0] in routers else f"{instance}.{field} = {value}"
    return _other(item, understood)


def _other(item: Statement, understood: Understanding) -> str:
    match item.kind:
        case "fill":
            return f"fill {item.instance}.{item.field} ~ {understood.questions[item.question].words}"
        case "pick":
            return f"pick {item.instance}.{item.field} {item.key}"
        case "decline":
            return f"{'unknown' if item.unknown else 'decline'} {item.instance}.{item.field}"
        case "clear":
            return f"clear {item.instance}.{item.field}"
        case "confirm":
            return f"{'yes' if item.yes else 'no'} {item.instance}"
        case "unclear":
            fields = dict.fromkeys(choice.field for choice in item.choices)
            return f"which {item.instance}.{'/'.join(fields)}" if fields else "unclear"
        case "abandon" | "resume":
            return f"{item.kind} {item.instance}"
    return ""


def _same(wanted: str, found: str) -> bool:
    wanted, found = wanted.casefold(), found.casefold()
    if wanted.endswith("= *"):
        return found.startswith(wanted[:-1])
    if " ~ " in wanted and " ~ " in found:
        head, words = wanted.split(" ~ ", 1)
        return found.startswith(head) and words in found
    return wanted == found


def _state(case: Mapping[str, Any], specification: Specification) -> DialogueState:
    open_: dict[str, dict[str, Any]] = case.get("open", {})
    parents = {
        value: f"{name}.{field}" for name, values in open_.items() for field, value in values.items() if value in open_
    }
    instances = [_instance(name, values, parents.get(name, ""), case, specification) for name, values in open_.items()]
    live = [one for one in instances if not one.parent and one.status is InstanceStatus.ACTIVE]
    counters: dict[str, int] = {}
    for name in open_:
        variable, number = name.rsplit("_", 1)
        counters[variable] = max(counters.get(variable, 0), int(number))
    return DialogueState(
        application=case["app"],
        instances=tuple(instances),
        counters=counters,
        focus=live[-1].name if live else "",
        pending=_pending(case.get("pending", "")),
    )


def _instance(
    name: str, values: Mapping[str, Any], parent: str, case: Mapping[str, Any], specification: Specification
) -> Instance:
    worksheet = specification.by_variable[name.rsplit("_", 1)[0]]
    slots = {}
    for field, value in values.items():
        row = specification.knowledge(worksheet.by_name[field])
        value = Entity(table=row.table, key=_key(value), title=value) if row else value
        slots[field] = Slot(status=SlotStatus.SET, value=value)
    for place, titles in case.get("candidates", {}).items():
        owner, field = place.split(".")
        row = specification.knowledge(worksheet.by_name[field]) if owner == name else None
        if owner == name:
            found = tuple(Entity(table=row.table if row else "", key=_key(title), title=title) for title in titles)
            slots[field] = Slot(status=SlotStatus.OPEN, candidates=found)
    status = next((_STATUS[kind] for kind in _STATUS if name in case.get(kind, ())), InstanceStatus.ACTIVE)
    result = {"booking_id": "BK1"} if status is InstanceStatus.DONE else None
    return Instance(name=name, worksheet=worksheet.name, slots=slots, parent=parent, status=status, result=result)


def _pending(text: str) -> Pending | None:
    if not text:
        return None
    kind, place = text.split(" ")
    instance, _, field = place.partition(".")
    return Pending.model_validate({"kind": kind, "instance": instance, "field": field, "digest": "d"})


def _past(case: Mapping[str, Any]) -> tuple[PastTurn, ...]:
    """The turn that showed rows, if the case has any. The first is the dearest, the last the cheapest."""
    titles = case.get("shown") or next(iter(case.get("candidates", {}).values()), ())
    if not titles:
        return ()
    query = PastQuery(
        question="good restaurants",
        suql="SELECT * FROM restaurants",
        table="restaurants",
        keys=tuple(_key(title) for title in titles),
        titles=tuple(titles),
        rows=tuple({"price": price} for _, price in zip(titles, _PRICES, strict=False)),
    )
    return (PastTurn(user="good restaurants", agent="", queries=(query,)),)


def _key(title: str) -> str:
    return title.lower().replace("&", "and").replace(" ", "-")
