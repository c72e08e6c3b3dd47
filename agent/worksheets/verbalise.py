"""Acts in words: what each act says, by template. A reply may put it differently, but may not say anything else.

Asking again never repeats either of the two wordings before: the question, then shorter, then with what helps (why it
is needed, choices, how to pass over it or leave), and from there in turn.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

from agent.text.english import listed
from agent.worksheets.helping import MOST_CHOICES, helps_of, ways_out
from agent.worksheets.instances import children, worksheet_of
from agent.worksheets.specification import Basic, Field, FieldKind, Specification, Worksheet
from agent.worksheets.state import DialogueState, Entity, Instance, Slot, SlotStatus
from agent.worksheets.wording import in_words, is_noun, phrase, sentence, small, title_of
from agent.worksheets.wording import inside as within


def question(field: Field) -> str:
    """Return how to ask for a field the first time."""
    if field.question:
        return field.question
    counted = field.label.removeprefix("number of ")
    if counted != field.label:
        return f"How many {counted}?"
    match field.type.basic:
        case Basic.DATE if field.label == "date":
            return "What day would you like?"
        case Basic.TIME if field.label == "time":
            return "What time would you like?"
        case Basic.BOOLEAN:
            return f"{sentence(field.label)}: yes or no?"
        case Basic.ENUM:
            return f"Which {within(field.label)} is it: {listed(field.options, 'or')}?"
    return (
        f"Which {within(field.label)} would you like?"
        if field.type.basic is None
        else f"What is the {within(field.label)}?"
    )


def ask(field: Field, worksheet: Worksheet, asked: int, options: Sequence[str] = ()) -> str:
    """Ask for a field that was asked `asked` times before; with `options` where only some values would do."""
    wordings = _wordings(field, worksheet, options)
    return _nth(wordings, asked)


def _nth(wordings: Sequence[str], asked: int) -> str:
    """The wording after `asked` others: each once, then all but the first in turn."""
    return wordings[asked] if asked < len(wordings) else wordings[1 + (asked - 1) % (len(wordings) - 1)]


def _wordings(field: Field, worksheet: Worksheet, options: Sequence[str]) -> tuple[str, ...]:
    helps = " ".join(filter(None, [helps_of(field, options), ways_out(field, worksheet)]))
    reason = field.reason.strip().rstrip(".")
    needed = f"{sentence(reason)}." if reason else f"The {title_of(worksheet)} needs it." if field.required else ""
    first, label, named = question(field), within(field.label), f": {listed(list(options), 'or')}" if options else ""
    alternatives = field.question.partition(": ")[2].strip(" ?.") if " or " in field.question and not options else ""
    if alternatives:  # "Where can we reach you: by e-mail, or by phone?" takes either
        again = f"{sentence(alternatives)}, please."
        return (first, again, " ".join(f"{again} {needed} {ways_out(field, worksheet)}".split()), f"{first} {helps}")
    if not is_noun(field):
        which = f" It can be {listed(list(options), 'or')}." if options else ""
        repeats = (f"So: {small(first)}{which}", f"{first} {needed} {helps}", f"Once more: {small(first)} {helps}")
        return tuple(" ".join(text.split()) for text in (first + which, *repeats))
    return (
        f"Which {label} would do{named}?" if options else first,
        f"The {label}, please{named}.",
        " ".join(f"I still have no {label}. {needed} {helps}".split()),
        " ".join(f"Could you tell me the {label}? {needed} {helps}".split()),
    )


def back_to(worksheet: Worksheet, text: str) -> str:
    """Pick a task up again after a question was answered."""
    return f"Back to the {title_of(worksheet)}: {small(text)}"


def noted(groups: Sequence[tuple[str, Sequence[tuple[Field, Any]]]], today: datetime.date) -> str:
    """Return how values just given were understood, before the next question; a group under what it belongs to."""
    told = "; ".join(_group(label, known, today) for label, known in groups)
    return f"All right, {told.rstrip(' .')}{'' if told.endswith(('!', '?')) else '.'}"


def _group(label: str, known: Sequence[tuple[Field, Any]], today: datetime.date) -> str:
    if not label:
        return phrase(known, today)
    named = [in_words(value, field, today) for field, value in known if label.endswith(within(field.label))]
    others = phrase([(field, value) for field, value in known if not label.endswith(within(field.label))], today)
    return f"{within(label)}: {'; '.join(filter(None, [*named, others]))}"


def inside(label: str, text: str) -> str:
    """Return a question about one of several worksheets of a kind."""
    return f"For the {within(label)}: {small(text)}"


def pick(field: Field, slot: Slot, asked: int) -> str:
    """Ask to choose among candidates."""
    titles = [entity.title or entity.key for entity in slot.candidates]
    shown = listed(titles[:MOST_CHOICES], "or")
    more = "" if len(titles) <= MOST_CHOICES else f" ({len(titles) - MOST_CHOICES} more fit)"
    wordings = (
        f"Which {within(field.label)} would you like: {shown}{more}?",
        f"Which {within(field.label)} is it: {shown}{more}?",
        f"Please choose the {within(field.label)}: {shown}{more}.",
        f"There are several: {shown}{more}. Which {within(field.label)} do you mean?",
    )
    return _nth(wordings, asked)


def confirm_value(field: Field, value: Any, asked: int, today: datetime.date) -> str:
    """Ask whether one value is the right one."""
    told = in_words(value, field, today)
    known = f"I found {told}" if isinstance(value, Entity) else f"I have {told} as the {within(field.label)}"
    wordings = (
        f"{known}. Is that the one?",
        f"Shall I take {told}?",
        f"Is {told} right as the {within(field.label)}?",
        f"The {within(field.label)} would be {told}. Yes or no?",
    )
    return _nth(wordings, asked)


def confirm_all(
    state: DialogueState, instance: Instance, specification: Specification, today: datetime.date, asked: int
) -> str:
    """Ask for a yes to everything a worksheet holds, nested worksheets too."""
    worksheet = worksheet_of(specification, instance)
    known = values_shown(state, instance, specification)
    verb = worksheet.verb or "go ahead"
    if any(True for _ in children(state, instance, specification)):
        lines = "\n".join(value_lines(state, instance, specification, today))
        lead = ("Please check", "This is what I have", "So far I have")[asked % 3]
        confirmation = worksheet.confirmation
        question = confirmation.question if confirmation and confirmation.question else f"Shall I {verb}?"
        return f"{lead}:\n{lines}\n\n{question}"
    told = phrase(known, today)
    if not told:
        return _confirm_nothing(title_of(worksheet), asked)
    if not worksheet.verb:
        lead = ("I have", "So it is", "To check")[asked % 3]
        return f"{lead}: {told}. Shall I go ahead?"
    title = title_of(worksheet)
    wordings = (
        f"Shall I {verb} {told}?",
        f"That is {told}. Shall I {verb} it?",
        f"To be sure: {told}. Shall I {verb} it?",
    )
    if not isinstance(known[0][1] if known else None, Entity) or any(field.predicate for field, _ in known):
        wordings = (
            f"This is the {title}: {told}. Shall I {verb} it?",
            f"The {title} is: {told}. Shall I {verb} it?",
            f"To be sure, the {title}: {told}. Shall I {verb} it?",
        )
    return wordings[asked % len(wordings)]


def _confirm_nothing(title: str, asked: int) -> str:
    """Asks for a yes to a worksheet in which nothing had to be filled in."""
    wordings = (
        f"Shall I go ahead with the {title}?",
        f"There is nothing more to fill in. Shall I go ahead with the {title}?",
        f"Do you want me to go ahead with the {title}?",
    )
    return wordings[asked % len(wordings)]


def confirm_again(worksheet: Worksheet, asked: int) -> str:
    """Ask once more for a yes to what was shown a turn before and is still the same."""
    title = title_of(worksheet)
    field = worksheet.confirmation
    first = field.question if field is not None and field.question else f"Shall I go ahead with the {title}?"
    wordings = (
        first,
        f"Shall I go ahead with the {title}, as shown above?",
        f"Is the {title} right as it is? Yes or no.",
    )
    return wordings[asked % len(wordings)]


def values_shown(state: DialogueState, instance: Instance, specification: Specification) -> list[tuple[Field, Any]]:
    """Return the plain values of an instance, in the order of its fields."""
    return [
        (field, slot.value)
        for field in worksheet_of(specification, instance).fields
        if (slot := instance.slot(field.name)).status is SlotStatus.SET
        and field.type.basic is not Basic.CONFIRM
        and field.kind is FieldKind.INPUT
        and specification.nested(field) is None
    ]


def value_lines(
    state: DialogueState, instance: Instance, specification: Specification, today: datetime.date, depth: int = 0
) -> Iterable[str]:
    """Yield a list with a line for every value, what is nested indented under its field."""
    indent = "  " * depth
    nested = list(children(state, instance, specification))
    shown = {field.name: value for field, value in values_shown(state, instance, specification)}
    for field in worksheet_of(specification, instance).fields:
        if field.name in shown:
            yield f"{indent}- {sentence(field.label)}: {in_words(shown[field.name], field, today)}"
        for at, child in nested:
            if at is field:
                yield f"{indent}- {sentence(field.label)}:"
                yield from value_lines(state, child, specification, today, depth + 1)


def propose(worksheet: Worksheet, known: Sequence[tuple[Field, Any]], today: datetime.date) -> str:
    """Offer a task: with the row that it is for, by what it does, else by what it is called."""
    told, title = phrase(known, today), title_of(worksheet)
    if worksheet.verb and isinstance(known[0][1] if known else None, Entity):
        return f"Would you like me to {worksheet.verb} {told}?"
    about = f" ({told})" if told else ""
    if worksheet.verb:
        return f"Would you like to start {'an' if title[:1].lower() in 'aeiou' else 'a'} {title}{about}?"
    return f"Would you like to continue with the {title}{about}?"


def offer_question(field: Field, asked: int) -> str:
    """Return a yes or no that an offer amounts to ("Shall I go on with the next step?")."""
    first = question(field)
    return (first, f"Again: {small(first)}", f"{first} Yes or no.")[asked % 3]


def propose_again(worksheet: Worksheet, known: Sequence[tuple[Field, Any]], today: datetime.date) -> str:
    """Offer to take a suspended task up again."""
    about = f" ({phrase(known, today)})" if known else ""
    return f"Shall we continue with the {title_of(worksheet)}{about}?"


def one_more(field: Field, nested: Worksheet, held: int, asked: int) -> str:
    """Ask whether a list goes on."""
    wordings = (
        f"That makes {held} for the {within(field.label)}. Is there another {title_of(nested)} to add?",
        f"Another {title_of(nested)}, or is that all? I have {held}.",
        f"I have {held} for the {within(field.label)}. Say yes to add another {title_of(nested)}, or no to go on.",
    )
    return wordings[asked % len(wordings)]


def there_already(field: Field, value: Any, today: datetime.date) -> str:
    """The same thing was said to be wanted twice."""
    return f"{in_words(value, field, today)} is already on the list and counts once."


def change_what(worksheet: Worksheet, asked: int) -> str:
    """After a no to a confirmation."""
    title = title_of(worksheet)
    wordings = (
        f"Nothing has been done. What should I change in the {title}?",
        f"What should be different about the {title}? I have not done anything.",
        f"Tell me what to change in the {title}, or say “forget it” to leave it. So far nothing has been done.",
    )
    return wordings[asked % len(wordings)]


def choice(field: Field, value: Any, today: datetime.date) -> str:
    """One of the things that a message may have meant: "for 7 people", "at 7:00 pm"."""
    return phrase([(field, value)], today)


def in_place_of(field: Field, new: Any, old: Any, today: datetime.date) -> str:
    """One thing in the place of another: "CS 239 instead of CS 152"."""
    return f"{in_words(new, field, today)} instead of {in_words(old, field, today)}"


def which(options: Sequence[str], asked: int) -> str:
    """Ask which of several things was meant."""
    named = listed(list(options), "or")
    return (f"Do you mean {named}?", f"Is that {named}?", f"I could read that in more than one way: {named}?")[
        asked % 3
    ]


def leave(worksheet: Worksheet, field: Field | None, asked: int) -> str:
    """Offer to give a task up."""
    title = title_of(worksheet)
    named = field is not None and is_noun(field)
    without = f"Without the {within(field.label)} I can't finish the {title}. " if field and named else ""
    wordings = (f"Shall I drop the {title}?", f"Should I leave the {title} be?", f"Do you want to give up the {title}?")
    return without + wordings[asked % len(wordings)]


def kept(field: Field, slot: Slot, today: datetime.date) -> str:
    """Return what stays when a new value will not do."""
    return f"I have kept {in_words(slot.value, field, today)}." if slot.status is SlotStatus.SET else ""


def found(entity: Entity) -> str:
    """Return the row that was found for a field."""
    return f"I found {entity.title} ({entity.key})."


def choices(values: Iterable[Any], field: Field, today: datetime.date) -> tuple[str, ...]:
    """Values to choose from, in words."""
    return tuple(in_words(value, field, today) for value in values)


def unclear(field: Field | None, why: str = "") -> str:
    if why:
        return why
    return f"I did not get the {within(field.label)} from that." if field else "I did not get that."


def not_understood() -> str:
    return "I could not make that out, so I have changed nothing. Could you say it in other words?"


def not_an_answer(field: Field) -> str:
    return f"A yes or no does not tell me the {within(field.label)}."


def does_not_apply(field: Field) -> str:
    return f"The {within(field.label)} does not apply here, so I left it out."


def cannot_start(worksheet: Worksheet) -> str:
    return f"The {title_of(worksheet)} does not fit what you have told me so far, so I have not started it."


def abandoned(worksheet: Worksheet) -> str:
    return f"All right, I have dropped the {title_of(worksheet)}."


def offer_declined(worksheet: Worksheet) -> str:
    return f"All right, no {title_of(worksheet)} then."


def left_aside(worksheet: Worksheet) -> str:
    return f"All right. The {title_of(worksheet)} stays as it is; just say when you want to continue."


def done_already(instance: Instance, worksheet: Worksheet) -> str:
    sentence = str((instance.result or {}).get("sentence", ""))
    return f"That {title_of(worksheet)} is already done. {sentence}".strip()


def outdated(worksheet: Worksheet) -> str:
    return f"The {title_of(worksheet)} has changed since that was shown, so nothing was done."


def going_round() -> str:
    return "The rules of this form trigger each other endlessly, so I stopped."


def missing_parameter(field: Field | None, name: str, asked: int) -> str:
    """Ask for what a query to a corpus lacks."""
    label = field.label if field else name.replace("_", " ")
    first = field.question if field is not None and field.question else f"Which {label} should I look in?"
    wordings = (first, f"The {label}, please.", f"To search, I need the {label}. Or say *anywhere*.")
    return wordings[asked % len(wordings)]
