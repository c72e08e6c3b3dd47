"""A small application: rooms at inns, with a router, a nested worksheet and a row of a corpus as a value."""

from __future__ import annotations

from agent.worksheets.formats import document
from agent.worksheets.state import DialogueState, Entity, Instance, Pending, Slot, SlotStatus

DOCUMENT = """{"title": "Stay", "worksheets": [
{"ws_name": "Guest", "ws_type": "worksheet", "fields": [
  {"field_name": "wish", "field_type": "Enum", "enum_values": ["Room", "Nothing"], "field_required": true}]},
{"ws_name": "BookRoom", "ws_type": "worksheet", "ws_predicate": "guest.wish == 'Room'", "ws_title": "room",
 "ws_verb": "book", "ws_description": "A room at an inn.", "ws_actions": "@book_room(inn=self.inn)", "fields": [
  {"field_name": "inn", "field_type": "Inn", "field_required": true, "field_confirm": true},
  {"field_name": "arrival", "field_type": "date", "field_required": true, "field_description": "The first day."},
  {"field_name": "nights", "field_type": "int", "field_required": true, "field_question": "How many nights?",
   "field_reason": "Rooms are kept for whole nights."},
  {"field_name": "guests", "field_type": "int", "field_required": true, "field_question": "For how many guests?"},
  {"field_name": "time", "field_type": "time", "field_dont_ask": true, "field_title": "time of arrival"},
  {"field_name": "board", "field_type": "Enum", "field_required": true, "enum_values": [
    {"value": "Half board", "description": "Breakfast and dinner."},
    {"value": "Breakfast only", "description": "No dinner."}]},
  {"field_name": "parking", "field_type": "bool", "field_title": "parking place"},
  {"field_name": "name", "field_type": "str", "field_required": true, "field_title": "name of the guest"},
  {"field_name": "animal", "field_type": "Animal", "field_description": "An animal that comes along."},
  {"field_name": "wishes", "field_type": "str", "field_dont_ask": true, "field_description": "Anything else."},
  {"field_name": "confirm", "field_type": "confirm", "field_required": true},
  {"field_name": "number", "field_type": "str", "field_kind": "output"}]},
{"ws_name": "Animal", "ws_type": "worksheet", "ws_description": "An animal.", "fields": [
  {"field_name": "name", "field_type": "str", "field_required": true},
  {"field_name": "kind", "field_type": "str", "field_required": true}]},
{"ws_name": "Inn", "ws_type": "type", "ws_table": "inns", "fields": [
  {"field_name": "id", "field_kind": "internal; primary", "field_type": "str"}]},
{"ws_name": "house_rules", "ws_type": "db", "ws_description": "Rooms are free from 3 pm. Dogs pay 5 pounds a night."}
]}"""

_read = document.read(DOCUMENT, "stay")
if _read.specification is None:
    raise AssertionError("; ".join(map(str, _read.findings)))
STAY = _read.specification

ROOM = Instance(
    name="book_room_1",
    worksheet="BookRoom",
    slots={
        "inn": Slot(status=SlotStatus.SET, value=Entity(table="inns", key="hart", title="Hart"), confirmed=True),
        "arrival": Slot(status=SlotStatus.SET, value="2026-12-04"),
        "guests": Slot(status=SlotStatus.SET, value=2),
    },
)


def state(pending: str = "", *instances: Instance, focus: str = "book_room_1") -> DialogueState:
    """A state with the given instances, waiting for "kind instance.field"."""
    kind, _, place = pending.partition(" ")
    name, _, field = place.partition(".")
    waits = Pending.model_validate({"kind": kind, "instance": name, "field": field, "digest": "d"}) if kind else None
    counters: dict[str, int] = {}
    for one in instances:
        variable, number = one.name.rsplit("_", 1)
        counters[variable] = max(int(number), counters.get(variable, 0))
    return DialogueState(
        application="stay", instances=instances, counters=counters, focus=focus if instances else "", pending=waits
    )
