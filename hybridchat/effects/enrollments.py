"""Enrolling in courses and dropping them. Each function is called in a transaction and raises `Refusal`.

Who enrolls chooses courses, not quarters: a course is taken in the next quarter that it is held in, in an offering
that does not overlap with the others, with a free place if there is one. All of a confirmation's courses are enrolled
in one transaction, and each has its own outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rapidfuzz import fuzz

from agent.text.english import listed
from agent.worksheets.actions import Refusal, Result
from agent.worksheets.state import Entity
from corpora.models import Course, Offering
from hybridchat.effects import letters
from hybridchat.effects.belonging import Belonging
from hybridchat.effects.catalogue import coded
from hybridchat.effects.models import Enrollment, Receipt
from hybridchat.effects.models.owned import is_reference
from hybridchat.effects.speech import clock
from hybridchat.effects.terms import Term, next_term

Status = Enrollment.Status
GRADINGS = ("Credit/No Credit", "Letter")
ALIKE = 85  # of 100: how much of a course's title has to be said


@dataclass(frozen=True, slots=True)
class Choice:
    """One course as it was confirmed. `at` is the field of the worksheet that holds it, for refusals."""

    course: Course
    grade_type: str
    units: int
    at: str = ""

    def field(self, name: str = "course_name") -> str:
        """Return a field of this course, as a refusal names it."""
        return f"{self.at}.{name}" if self.at else name


@dataclass(frozen=True, slots=True)
class Student:
    """Who enrolls, as they said."""

    name: str
    student_id: str
    email: str
    international: bool | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """An offering in one quarter."""

    offering: Offering
    term: Term

    @property
    def hours(self) -> str:
        """ "Mon and Wed, 11:30 am to 12:20 pm"."""
        if not self.offering.days or self.offering.start_time is None or self.offering.end_time is None:
            return ""
        return f"{listed(self.offering.days)}, {clock(self.offering.start_time)} to {clock(self.offering.end_time)}"

    @property
    def when(self) -> str:
        """ "winter 2027, Mon and Wed, 11:30 am to 12:20 pm"."""
        return f"{self.term}, {self.hours}" if self.hours else str(self.term)

    def overlaps(self, other: Meeting) -> bool:
        """Return whether both meet at the same time in the same quarter."""
        one, two = self.offering, other.offering
        if self.term != other.term or None in (one.start_time, one.end_time, two.start_time, two.end_time):
            return False
        return bool(set(one.days) & set(two.days)) and one.start_time < two.end_time and two.start_time < one.end_time


def enroll(receipt: Receipt, whose: Belonging, student: Student, choices: Sequence[Choice], now: datetime) -> Result:
    """Enroll in all courses; if one is full, the student joins its waitlist.

    Raises `Refusal` for a course that is chosen twice, held already, not offered, outside its units, or that cannot
    be fitted beside the others; then nothing is done for any of them.
    """
    if not choices:
        raise Refusal("There is no course to enroll in yet.", "courses_to_take")
    held = _held(whose, student)
    _check_choices(choices, held)
    taken = [Meeting(one.offering, Term(one.season, one.year)) for one in held if one.offering]
    made = []
    for choice, options in _hardest_first(choices, _locked_offerings(choices), now):
        meeting = _placed(choice, options, taken)
        taken.append(meeting)
        made.append((choice, _held_place(receipt, whose, student, choice, meeting), meeting))
    made.sort(key=lambda one: [choice.course.pk for choice in choices].index(one[0].course.pk))
    transaction_id = made[0][1].reference
    sentence = " ".join(_outcome(*one) for one in made) + f" The transaction is {transaction_id}."
    sentence += "".join(f" {warning}" for warning in _warnings(choices, held))
    letters.write(student.email, made[0][1], "Your enrollment", f"{sentence}\n")
    return Result(
        sentence,
        {"success": True, "transaction_id": transaction_id, "outcomes": [values_of(one) for _, one, _ in made]},
    )


def foreseen(choices: Sequence[Choice], now: datetime) -> str:
    """Return what enrolling would lead to now: quarter, times, waitlist, prerequisites.

    Nothing is held by asking. Raises `Refusal` if they cannot all be taken.
    """
    placed: dict[int, Meeting] = {}
    for choice, options in _hardest_first(choices, list(_offerings(choices)), now):
        placed[choice.course.pk] = _placed(choice, options, list(placed.values()))
    told = [_prospect(choice, placed[choice.course.pk]) for choice in choices]
    told += _warnings(choices, ())
    return told[0] if len(told) == 1 else "\n".join(["As things stand:", *(f"- {one}" for one in told)])


def held_next(course: Course, now: datetime, wished: str) -> str:
    """Say when a course is next held, to a student who wished for another quarter or time."""
    coming = _coming(course, Offering.objects.filter(course=course).order_by("pk"), now.date())
    if not coming:
        return f"{course.code} {course.title} is not currently offered."
    hours = listed([one.hours for one in coming if one.term == coming[0].term and one.hours], "or")
    when = f"{coming[0].term}, {hours}" if hours else str(coming[0].term)
    if coming[0].term.season.value in wished.lower():
        return f"{course.code} is next held in {when}."
    return f"You can't choose the quarter: you enroll in {course.code} for the next time it is held, {when}."


def drop(made: Enrollment) -> Result:
    """Drop a course or leave its waitlist. A freed place goes to the student who has waited longest."""
    made = _locked(made)
    if not made.held:
        raise Refusal(f"{made.code} has already been dropped.", "enrollment")
    was = made.status
    made.status, made.dropped_at = Status.DROPPED, timezone.now()
    made.save(update_fields=["status", "dropped_at"])
    if was == Status.ENROLLED:
        _move_up(made)
    left = "You have left the waitlist of" if was == Status.WAITLISTED else "You have dropped"
    sentence = f"{left} {made.code} {made.title} ({made.term})."
    letters.write(made.email, made, f"{made.code} is dropped", f"{sentence}\n")
    return Result(sentence, values_of(made))


def find(whose: Belonging, named: str) -> Enrollment:
    """Find the enrollment a student means: by code, title or reference, or their only one.

    Raises `Refusal` naming the courses there are. Somebody else's looks like none.
    """
    mine = list(Enrollment.objects.filter(whose.holds(), status__in=Enrollment.HELD))
    if not mine:
        raise Refusal("You are not enrolled in any course here, so there is none to drop.", "enrollment", final=True)
    found = _meant(mine, named)
    if len(found) == 1:
        return found[0]
    offered = tuple(map(as_entity, found or mine))
    named = listed(coded(named), "or") or f"“{named}”"
    problem = "Which course do you mean?" if found else f"You are not enrolled in {named}."
    raise Refusal(f"{problem} You hold {listed([one.title for one in offered])}.", "enrollment", offered)


def as_entity(made: Enrollment) -> Entity:
    """Return the enrollment as the value of a worksheet's field."""
    waits = ", on its waitlist" if made.status == Status.WAITLISTED else ""
    return Entity(table="enrollments", key=made.reference, title=f"{made.code} {made.title} ({made.term}{waits})")


def free_places(offering: Offering, term: Term) -> int | None:
    """Return the number of free places, None if unlimited. Lock the offering before relying on it."""
    if offering.capacity is None:
        return None
    here = Enrollment.objects.filter(offering=offering, year=term.year, status=Status.ENROLLED).count()
    return max(0, offering.capacity - (offering.enrolled or 0) - here)


def gradings_of(course: Course) -> tuple[str, ...]:
    """Return the gradings to choose from: a course without letter grades is passed or not."""
    if not course.grading:
        return GRADINGS
    passed = "No Credit" in course.grading
    letter = "Letter" in course.grading
    return tuple(one for one, given in zip(GRADINGS, (passed, letter), strict=True) if given)


def check_grading(course: Course, grading: str, field: str = "grade_type") -> None:
    """Raise `Refusal` for a grading that the course does not offer."""
    gradings = gradings_of(course)
    if gradings and grading not in gradings:
        raise Refusal(f"{course.code} is graded {course.grading}, so {grading} is not possible.", field, gradings)


def place_in_line(made: Enrollment) -> int:
    """Return the place on the waitlist; 1 has waited longest."""
    waiting = Enrollment.objects.filter(offering=made.offering, year=made.year, status=Status.WAITLISTED)
    return waiting.filter(pk__lte=made.pk).count()


def check_units(course: Course, units: int, field: str = "course_num_units") -> int:
    """Return units that the course allows, or raise `Refusal`."""
    if course.min_units <= units <= course.max_units:
        return units
    allowed = tuple(range(course.min_units, course.max_units + 1))
    span = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
    noun = "unit" if allowed == (1,) else "units"
    raise Refusal(f"{course.code} can be taken for {span} {noun}, not for {units}.", field, allowed)


def values_of(made: Enrollment) -> dict[str, Any]:
    """Return the enrollment as machine values."""
    return {
        "course_name": made.code,
        "status": made.status,
        "term": made.term,
        "course_num_units": made.units,
        "grade_type": made.grade_type,
        "reference": made.reference,
    }


def _meant(mine: list[Enrollment], named: str) -> list[Enrollment]:
    """Those of a reference that is theirs, which stands for all that were enrolled in with it; else those whose code is
    said; else those whose title is said; else all, unless a reference is said that is none of theirs."""
    references = {word.upper() for word in re.findall(r"\w+", named) if is_reference(word)}
    receipts = set(Enrollment.objects.filter(reference__in=references).values_list("receipt", flat=True))
    if referred := [one for one in mine if one.receipt_id in receipts]:
        return referred
    if codes := coded(named):  # "PHYS62" could be either
        return [one for one in mine if one.code.upper() in codes]
    if references:
        return []
    return [one for one in mine if named and fuzz.partial_ratio(one.title.lower(), named.lower()) >= ALIKE] or mine


def _held(whose: Belonging, student: Student) -> list[Enrollment]:
    mine = Enrollment.objects.filter(whose.holds(), student_id=student.student_id, status__in=Enrollment.HELD)
    return list(mine.select_related("offering"))


def _check_choices(choices: Sequence[Choice], held: Sequence[Enrollment]) -> None:
    seen: set[int] = set()
    holding = {one.code: one for one in held}
    for choice in choices:
        if choice.course.pk in seen:
            raise Refusal(f"{choice.course.code} was chosen twice.", choice.field())
        seen.add(choice.course.pk)
        if one := holding.get(choice.course.code):
            state = "on the waitlist of" if one.status == Status.WAITLISTED else "enrolled in"
            raise Refusal(f"You are already {state} {one.code} for {one.term}.", choice.field())
        check_units(choice.course, choice.units, choice.field("course_num_units"))


def _offerings(choices: Sequence[Choice]) -> QuerySet[Offering]:
    return Offering.objects.filter(course_id__in=[choice.course.pk for choice in choices]).order_by("pk")


def _locked_offerings(choices: Sequence[Choice]) -> list[Offering]:
    """The offerings, locked in one order for everybody until the end of the transaction."""
    return list(_offerings(choices).select_for_update())


def _hardest_first(
    choices: Sequence[Choice], offerings: Sequence[Offering], now: datetime
) -> Iterable[tuple[Choice, list[Meeting]]]:
    """The courses with their coming meetings, those with the fewest first: they have the least room to give way."""
    options = [(choice, _coming(choice.course, offerings, now.date())) for choice in choices]
    return sorted(options, key=lambda pair: len(pair[1]))


def _coming(course: Course, offerings: Iterable[Offering], today: date) -> list[Meeting]:
    """The course's meetings, soonest first."""
    own = [Meeting(one, next_term(one.season, today)) for one in offerings if one.course_id == course.pk]
    return sorted(own, key=lambda meeting: (meeting.term.begins, meeting.offering.position))


def _placed(choice: Choice, options: Sequence[Meeting], taken: Sequence[Meeting]) -> Meeting:
    """The soonest meeting beside which nothing else is held; in its quarter, one with a free place goes first."""
    if not options:
        raise Refusal(f"{choice.course.code} {choice.course.title} is not currently offered.", choice.field())
    fitting = [one for one in options if not any(one.overlaps(other) for other in taken)]
    if not fitting:
        clash = next(other for other in taken if options[0].overlaps(other))
        raise Refusal(
            f"{choice.course.code} ({options[0].hours}, {options[0].term}) is held at the same time as "
            f"{clash.offering.course.code} ({clash.hours}). Please choose another course for one of them.",
            choice.field(),
        )
    soonest = [one for one in fitting if one.term == fitting[0].term]
    return next((one for one in soonest if free_places(one.offering, one.term) != 0), soonest[0])


def _held_place(receipt: Receipt, whose: Belonging, student: Student, choice: Choice, meeting: Meeting) -> Enrollment:
    full = free_places(meeting.offering, meeting.term) == 0
    return Enrollment.objects.create(
        receipt=receipt,
        person=whose.person,
        offering=meeting.offering,
        code=choice.course.code,
        title=choice.course.title,
        season=meeting.term.season,
        year=meeting.term.year,
        units=choice.units,
        grade_type=choice.grade_type,
        student_id=student.student_id,
        student_name=student.name,
        email=student.email,
        international=student.international,
        status=Status.WAITLISTED if full else Status.ENROLLED,
        **whose.fields(),
    )


def _outcome(choice: Choice, made: Enrollment, meeting: Meeting) -> str:
    """What came of one course, as a sentence."""
    when = meeting.when
    if made.status == Status.WAITLISTED:
        return f"{made.code} {made.title} ({when}) is full: you are number {place_in_line(made)} on its waitlist."
    units = f"{made.units} unit{'' if made.units == 1 else 's'}"
    return f"You are enrolled in {made.code} {made.title} for {units}, {made.grade_type} ({when})."


def _prospect(choice: Choice, meeting: Meeting) -> str:
    """What would come of one course."""
    named = f"{choice.course.code} {choice.course.title}"
    if free_places(meeting.offering, meeting.term) != 0:
        return f"{named} would be in {meeting.when}."
    return f"{named} is full in {meeting.when}: you would be put on its waitlist."


def _warnings(choices: Sequence[Choice], held: Sequence[Enrollment]) -> Iterable[str]:
    """What the student should know, and may decide alone."""
    known = {one.code for one in held} | {choice.course.code for choice in choices}
    for choice in choices:
        course = choice.course
        missing = [code for code in course.prerequisite_course_codes if code not in known]
        if missing:
            them = "it" if len(missing) == 1 else "them"
            yield f"{course.code} requires {listed(missing)} first; please make sure that you have taken {them}."
        if choice.grade_type == "Letter" and course.grading and "Letter" not in course.grading:
            yield f"{course.code} is graded {course.grading}, so it will not give a letter."


def _locked(made: Enrollment) -> Enrollment:
    """The enrollment as it is, locked with its offering, in the order in which everybody locks them."""
    offering = Offering.objects.select_for_update().filter(pk=made.offering_id).first()
    made = Enrollment.objects.select_for_update().get(pk=made.pk)
    made.offering = offering
    return made


def _move_up(left: Enrollment) -> None:
    """Give the place that was left to the first on the waitlist."""
    offering = left.offering
    if offering is None:
        return
    waiting = Enrollment.objects.filter(offering=offering, year=left.year, status=Status.WAITLISTED).order_by("pk")
    first = waiting.select_for_update().first()
    if first is None or free_places(offering, Term(left.season, left.year)) == 0:
        return
    first.status = Status.ENROLLED
    first.save(update_fields=["status"])
    sentence = f"A place opened up: you are now enrolled in {first.code} {first.title} ({first.term})."
    letters.write(first.email, first, f"You have a place in {first.code}", f"{sentence}\n")
