"""A bench for the policy: small specifications, a registry that notes what ran, and a conversation to talk to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from agent.worksheets.actions import Call, Refusal, Registry, Result
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.policy import Context, Decision, Report
from agent.worksheets.specification import (
    EnumValue,
    Field,
    FieldKind,
    FieldType,
    Specification,
    Worksheet,
    WorksheetKind,
)
from agent.worksheets.stages import take_turn
from agent.worksheets.state import DialogueState, Entity, Instance, Slot
from agent.worksheets.statements import Assign, Confirm, Start, Statement
from agent.worksheets.update import Found

NOW = datetime(2026, 11, 20, 14, 0)
NOPA = Entity(table="restaurants", key="nopa", title="Nopa")
ZUNI = Entity(table="restaurants", key="zuni", title="Zuni Café")
ASKING = (ActKind.ASK, ActKind.CONFIRM, ActKind.PROPOSE)


def field(name: str, type_: str = "str", **more: Any) -> Field:
    """A required field, unless told otherwise; `List[X]` and enums ("a|b") by their spelling."""
    options: tuple[str, ...] = ()
    if "|" in type_:
        options, type_ = tuple(type_.split("|")), "Enum"
    many = type_.startswith("List[")
    kind = FieldType(name=type_[5:-1] if many else type_, many=many)
    more = {"required": True} | more
    return Field(name=name, type=kind, enum_values=tuple(EnumValue(value=option) for option in options), **more)


def worksheet(name: str, *fields: Field, **more: Any) -> Worksheet:
    return Worksheet(name=name, fields=fields, **more)


def specification(*worksheets: Worksheet) -> Specification:
    return Specification(name="test", worksheets=worksheets)


BOOKING = specification(
    worksheet("UserInfo", field("user_task", "Book Restaurant|Cancel Booking")),
    worksheet(
        "BookRestaurant",
        field("restaurant", "Restaurant", confirm=True),
        field("date", "date", reason="tables are held for one evening"),
        field("time", "time"),
        field("number_of_people", "int", validation="1 <= value <= 20"),
        field("special_request_info", required=False, ask=False),
        field("confirm", "confirm"),
        field("booking_id", kind=FieldKind.OUTPUT, required=False),
        title="reservation",
        verb="book",
        predicate="user_info.user_task == 'Book Restaurant'",
        actions="@book(restaurant=self.restaurant, date=self.date, time=self.time, "
        "number_of_people=self.number_of_people)",
    ),
    worksheet(
        "CancelBooking",
        field("booking"),
        field("sure", "confirm"),
        title="cancellation",
        verb="cancel",
        predicate="user_info.user_task == 'Cancel Booking'",
        actions="@cancel_booking(booking=self.booking)",
    ),
    worksheet(
        "Restaurant",
        kind=WorksheetKind.TYPE,
        table="restaurants",
        actions="propose(BookRestaurant, {restaurant: self})",
    ),
)

ENROLLMENT = specification(
    worksheet(
        "Main",
        field("courses_to_take", "CoursesToTake"),
        field("student_name"),
        field("confirm_submission", "confirm"),
        title="enrollment",
        verb="enroll you",
        actions="@enroll(courses=self.courses_to_take, student=self.student_name)",
    ),
    worksheet(
        "CoursesToTake",
        field("course_0_details", "Course"),
        field("more_courses_1", "bool", question="Would you like another course?"),
        field("course_1_details", "Course", predicate="not self.more_courses_1 == False"),
        field("confirm", "confirm"),
        title="list of courses",
    ),
    worksheet("Course", field("course_name"), field("grade_type", "Letter|Credit/No Credit"), title="course"),
)


class Bench:
    """A conversation with one specification. `ran` lists what actions were called with; `full` hours are refused."""

    def __init__(self, declared: Specification = BOOKING) -> None:
        self.specification = declared
        self.state = DialogueState(application=declared.name)
        self.registry = Registry()
        self.ran: list[tuple[str, str, dict[str, Any]]] = []
        self.full: set[time] = set()
        self.closed = False
        self.acts: tuple[Act, ...] = ()
        self.asked: list[str] = []
        self.now = NOW
        self._register()

    def _register(self) -> None:
        @self.registry.action("book")
        async def book(call: Call, *, restaurant: Entity, date: date, time: time, number_of_people: int) -> Result:
            if self.closed:
                raise Refusal("The book of reservations is closed.")
            if time in self.full:
                raise Refusal(
                    f"{restaurant.title} is full then.", "time", (time.replace(hour=18), time.replace(hour=20))
                )
            return self.did(
                "book", call, restaurant=restaurant, date=date, time=time, number_of_people=number_of_people
            )

        @self.registry.action("cancel_booking")
        async def cancel_booking(call: Call, *, booking: str) -> Result:
            return self.did("cancel_booking", call, booking=booking)

        @self.registry.action("enroll")
        async def enroll(call: Call, *, courses: dict[str, Any], student: str) -> Result:
            return self.did("enroll", call, courses=courses, student=student)

        @self.registry.check("BookRestaurant", "date")
        async def check(value: date, known: Mapping[str, Any], now: datetime) -> date:
            if value < now.date():
                raise Refusal("That day is past.", "date", (now.date(),))
            return value

    def did(self, action: str, call: Call, **arguments: Any) -> Result:
        if all(key != call.key for _, key, _ in self.ran):
            self.ran.append((action, call.key, arguments))
        return Result("It is done.", {"booking_id": "B1"})

    async def say(
        self,
        *statements: Statement,
        found: Mapping[int, Found] | None = None,
        reports: Sequence[Report] = (),
    ) -> Decision:
        """One turn."""
        context = Context("c1", self.now)
        decision = await take_turn(
            self.state, statements, found or {}, reports, self.specification, self.registry, context
        )
        self.state, self.acts = DialogueState.model_validate_json(decision.state.model_dump_json()), decision.acts
        assert self.state == decision.state
        assert [act.act in ASKING for act in decision.acts].count(True) <= 1
        assert not any(act.act in ASKING for act in decision.acts[:-1])
        self.asked.append(decision.acts[-1].text if decision.acts and decision.acts[-1].act in ASKING else "")
        return decision

    @property
    def last(self) -> Act:
        return self.acts[-1]

    def kinds(self) -> list[str]:
        return [act.act.value for act in self.acts]

    def instance(self, name: str) -> Instance:
        found = self.state.instance(name)
        assert found is not None
        return found

    def slot(self, name: str) -> Slot:
        owner, at = name.split(".")
        return self.instance(owner).slot(at)


def assign(path: str, value: Any) -> Assign:
    """`assign("book_restaurant_1.date", …)`."""
    instance, name = path.split(".")
    return Assign(instance=instance, field=name, value=value)


def yes(instance: str, **more: Any) -> Confirm:
    return Confirm(instance=instance, yes=True, **more)


def no(instance: str, **more: Any) -> Confirm:
    return Confirm(instance=instance, yes=False, **more)


BOOK = Start(worksheet="BookRestaurant", instance="book_restaurant_1")
