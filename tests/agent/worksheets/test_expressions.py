"""The language of predicates and actions: what it lets through, what it means, and where it says an error is."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.worksheets.expressions import (
    AskConfirmation,
    CallAction,
    ExitWorksheet,
    ExpressionError,
    Nested,
    Propose,
    Say,
    SetField,
    Step,
    evaluate,
    holds,
    parse,
    run,
)
from agent.worksheets.specification import Field, FieldType, Specification, Worksheet, WorksheetKind
from agent.worksheets.state import Entity


def _field(name: str, type_: str = "str", many: bool = False) -> Field:
    return Field(name=name, type=FieldType(name=type_, many=many))


SPECIFICATION = Specification(
    name="library",
    worksheets=(
        Worksheet(name="Visitor", fields=(_field("purpose"),)),
        Worksheet(
            name="BorrowBook",
            fields=(
                _field("book", "Book"),
                _field("copies", "int"),
                _field("fee", "float"),
                _field("day", "date"),
                _field("hour", "time"),
                _field("gift", "bool"),
                _field("note"),
                _field("tags", "str", many=True),
                _field("address", "Address"),
                _field("confirm", "confirm"),
            ),
        ),
        Worksheet(name="Address", fields=(_field("street"), _field("town"))),
        Worksheet(name="Book", kind=WorksheetKind.TYPE, fields=(_field("id"), _field("rating", "float"))),
    ),
)
MIDDLEMARCH = Entity(table="books", key="middlemarch", title="Middlemarch")


@dataclass
class Shelf:
    """A scope with the values of one instance of BorrowBook, and of others by variable or instance name."""

    known: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    itself: Any = field(default_factory=lambda: Nested("borrow_book_1"))
    value: Any = None
    today: datetime.date = datetime.date(2026, 11, 20)
    now: datetime.datetime = datetime.datetime(2026, 11, 20, 14, 30)

    def attribute(self, owner: str, field: str) -> Any:
        return (self.known if owner == "self" else self.others.get(owner, {})).get(field)

    def whole(self, owner: str) -> Any:
        return self.itself if owner == "self" else None


def _holds(text: str, **known: Any) -> bool:
    return holds(parse(text, SPECIFICATION, "BorrowBook"), Shelf(known))


def _value(text: str, **known: Any) -> Any:
    return evaluate(parse(text, SPECIFICATION, "BorrowBook"), Shelf(known))


def _steps(text: str, **known: Any) -> list[Step]:
    return run(parse(text, SPECIFICATION, "BorrowBook"), Shelf(known))


def _error(text: str) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        parse(text, SPECIFICATION, "BorrowBook")
    return caught.value


# -- predicates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "self.note == 'x'",
        "self.note != 'x'",
        "self.copies > 3",
        "self.copies <= 3",
        "self.note in ['x', 'y']",
        "self.note not in ['x', 'y']",
        "self.gift == False",
        "self.gift == True",
        "self.note == self.note",
    ],
)
def test_a_comparison_with_an_unset_value_does_not_hold(text: str) -> None:
    assert not _holds(text)


@pytest.mark.parametrize("text", ["self.note == None", "self.note is None", "not self.note", "not self.gift == False"])
def test_that_a_value_is_unset_can_be_asked(text: str) -> None:
    assert _holds(text)


def test_unset_false_and_zero_are_three_things() -> None:
    assert _holds("self.copies is not None and self.copies == 0 and not self.copies == False", copies=0)
    assert _holds("self.gift is not None and self.gift == False and not self.gift == 0", gift=False)
    assert _value("self.copies + 1") is None


def test_an_empty_predicate_holds() -> None:
    assert _holds("") is True
    assert _holds("  \n") is True


def test_a_predicate_may_read_another_worksheet() -> None:
    program = parse("visitor.purpose == 'Borrow'", SPECIFICATION, "BorrowBook")
    assert holds(program, Shelf(others={"visitor": {"purpose": "Borrow"}}))
    assert not holds(program, Shelf())
    assert program.reads == (("Visitor", "purpose"),)


def test_a_nested_worksheet_is_true_once_it_is_complete() -> None:
    assert not _holds("self.address")
    assert not _holds("self.address", address=Nested("address_1"))
    assert _holds("self.address is not None", address=Nested("address_1"))
    assert _holds("self.address", address=Nested("address_1", complete=True))


def test_self_also_means_the_worksheet_around_for_fields_that_only_that_one_has() -> None:
    program = parse("self.gift == True and self.town == 'Ulm'", SPECIFICATION, "Address")
    scope = Shelf({"town": "Ulm"}, {"borrow_book": {"gift": True}})
    assert holds(program, scope)
    assert program.reads == (("BorrowBook", "gift"), ("Address", "town"))


def test_saying_an_action_is_calling_it() -> None:
    assert _steps(">say(@borrow(self.copies))", copies=2) == [CallAction("borrow", {"copies": 2})]
    assert _steps("say(borrow(copies=1))") == [CallAction("borrow", {"copies": 1})]
    assert _steps("say(str(self.copies))", copies=2) == [Say("2")]
    assert _error("say(say('x'))").reason == "say() is an action, not a value"


def test_attributes_reach_into_nested_worksheets() -> None:
    program = parse("self.address.town == 'Ulm'", SPECIFICATION, "BorrowBook")
    address = {"address": Nested("address_3")}
    assert holds(program, Shelf(address, {"address_3": {"town": "Ulm"}}))
    assert not holds(program, Shelf(address)), "the town is not known"
    assert not holds(program, Shelf()), "there is no address yet"
    assert program.reads == (("BorrowBook", "address"), ("Address", "town"))


def test_a_row_equals_its_key_and_its_title() -> None:
    assert _holds("self.book == 'middlemarch' and self.book.title == 'Middlemarch'", book=MIDDLEMARCH)
    assert not _holds("self.book == 'Emma'", book=MIDDLEMARCH)


def test_dates_compare_and_shift_as_dates() -> None:
    assert _holds("self.day >= today", day="2026-11-20")
    assert not _holds("self.day >= today", day="2026-11-19")
    assert _holds("self.day <= today + 30", day="2026-12-20")
    assert not _holds("self.day <= today + 30", day="2026-12-21")
    assert _value("self.day - today", day="2026-11-27") == 7
    assert _value("weekday(self.day)", day="2026-11-27") == "Friday"


def test_now_is_the_time_of_day() -> None:
    assert _holds("self.hour > now", hour="14:31")
    assert not _holds("self.hour > now", hour="09:00")


def test_a_validation_sees_the_value_that_would_be_assigned() -> None:
    program = parse("1 <= value <= 20", SPECIFICATION, "BorrowBook")
    assert program.uses_value
    assert [holds(program, Shelf(value=value)) for value in (0, 1, 20, 21, None)] == [False, True, True, False, False]


def test_an_expression_may_run_over_lines() -> None:
    assert _holds("self.copies == 1\n  and self.note == 'x'", copies=1, note="x")


def test_an_error_while_evaluating_is_raised_with_its_place() -> None:
    with pytest.raises(ExpressionError, match=r"line 1, column 1: a text and a number cannot be compared"):
        _holds("self.note > 3", note="many")
    with pytest.raises(ExpressionError, match="divides by zero"):
        _value("1 / self.copies", copies=0)
    with pytest.raises(ExpressionError, match="'soon' is not a date"):
        _holds("self.day >= today", day="soon")


def test_an_action_is_no_predicate() -> None:
    with pytest.raises(ExpressionError, match="must be an expression"):
        _holds('say("yes")')


# -- actions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        'if self.confirm == False:\n    >say("Why not?")\n    >exitws()',
        'if self.confirm == False:\n    say("Why not?")\n    exitws()',
        'if self.confirm == False:\n    > say("Why not?")\n    exitws()',
        'if self.confirm == False: >say("Why not?") >exitws()',
        "if self.confirm == False: >say(“Why not?”); >exitws()",
        '\n    if self.confirm == False:\n        >say("Why not?")\n        >exitws()\n    ',
        'if self.confirm == False:\r\n\t>say("Why not?")\r\n\t>exitws()',
    ],
)
def test_published_spellings_run_unchanged(text: str) -> None:
    assert _steps(text, confirm=False) == [Say("Why not?"), ExitWorksheet()]
    assert _steps(text, confirm=True) == []
    assert _steps(text) == []


def test_a_registered_action_is_called_by_name_with_named_arguments() -> None:
    steps = _steps("@borrow(book=self.book, copies=self.copies, note=self.note)", book=MIDDLEMARCH, copies=2)
    assert steps == [CallAction("borrow", {"book": MIDDLEMARCH, "copies": 2, "note": None})]
    assert _steps("borrow(book=self.book)", book=MIDDLEMARCH) == [CallAction("borrow", {"book": MIDDLEMARCH})]


def test_a_field_given_without_a_name_goes_by_its_own() -> None:
    assert _steps("@borrow(self.copies, where=self.address)", copies=2, address=Nested("address_1", True)) == [
        CallAction("borrow", {"copies": 2, "where": Nested("address_1", True)})
    ]


def test_the_instance_itself_can_be_an_argument() -> None:
    assert _steps("@borrow(request=self)") == [CallAction("borrow", {"request": Nested("borrow_book_1")})]


@pytest.mark.parametrize(
    "text",
    [
        "propose(BorrowBook, {book: self, copies: 1})",
        ">propose(BorrowBook, {'book': self, 'copies': 1})",
        "propose(BorrowBook, [[book, self], [copies, 1]])",
        "propose(BorrowBook, book=self, copies=1)",
    ],
)
def test_a_found_row_can_propose_a_task(text: str) -> None:
    program = parse(text, SPECIFICATION, "Book")
    assert run(program, Shelf(itself=MIDDLEMARCH)) == [Propose("BorrowBook", {"book": MIDDLEMARCH, "copies": 1})]
    assert program.proposes == ("BorrowBook",)


def test_sentences_are_put_together_from_known_values() -> None:
    assert _steps('say("For " + self.copies + " on " + self.day)', copies=2, day="2026-11-27") == [
        Say("For 2 on 2026-11-27")
    ]
    assert _steps('say("{} of {b}".format(self.copies, b=self.book))', copies=2, book=MIDDLEMARCH) == [
        Say("2 of Middlemarch")
    ]
    with pytest.raises(ExpressionError, match="it contains an unknown value"):
        _steps('say("For " + self.copies)')


def test_fields_are_set_and_confirmed() -> None:
    assert _steps("self.copies = self.copies + 1\nconfirm(self.copies)", copies=1) == [
        SetField("self", "copies", 2),
        AskConfirmation("copies"),
    ]
    assert _steps("visitor.purpose = 'Borrow'") == [SetField("visitor", "purpose", "Borrow")]


def test_nothing_runs_after_leaving_the_worksheet() -> None:
    assert _steps('if self.gift:\n  exitws()\n  say("a")\nsay("b")', gift=True) == [ExitWorksheet()]


def test_a_greater_than_inside_a_string_or_a_comparison_is_left_alone() -> None:
    assert _steps('say("a >say(b) @c(d)")') == [Say("a >say(b) @c(d)")]
    assert _holds("len(self.note) >len('say')", note="four")


# -- what is not let through -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('x')",
        "self.__class__",
        "().__class__.__bases__",
        "open('x')",
        "eval('1')",
        "[x for x in self.tags]",
        "lambda: 1",
        "self.tags[0]",
        "'{0.__class__}'.format(self.note).mro()",
        "2 ** 99",
        "1 if (x := 2) else 3",
        "while True: pass",
        "for i in self.tags: say(i)",
        "import os",
        "def f(): pass",
        "f'{self.note}'",
        "say(*self.tags)",
        "borrow(**self.tags)",
        "self.copies += 1",
        "a = b = self.copies",
        "'x'.join(self.tags)",
        "getattr(self, 'note')",
        "(yield 1)",
        "await x()",
        "1e400",
        "10 ** 10",
        "9999999999999999",
        "b'bytes'",
        "{1: 2}",
    ],
)
def test_nothing_else_is_part_of_the_language(text: str) -> None:
    assert _error(text).reason


def test_formatting_reaches_no_attribute() -> None:
    for text in ("'{0.title}'.format(self.book)", "'{0[0]}'.format(self.note)", "'{0!r}'.format(self.note)"):
        with pytest.raises(ExpressionError, match="may be filled in"):
            _value(text, book=MIDDLEMARCH, note="x")


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("self.notes == 'x'", 1, 1, "BorrowBook has no field 'notes'; did you mean 'note'?"),
        ("self.copies == 1 and visitr.purpose == 'x'", 1, 22, "there is no 'visitr' here; did you mean 'visitor'?"),
        ("self.address.city == 'Ulm'", 1, 1, "Address has no field 'city'"),
        ("self.note.town == 'x'", 1, 1, "'note' is not a worksheet, so it has no 'town'"),
        ("propose(BorowBook)", 1, 1, "there is no task worksheet 'BorowBook'; did you mean 'BorrowBook'?"),
        ("propose(BorrowBook, {pages: 3})", 1, 29, "BorrowBook has no field 'pages'"),
        ('if self.gift:\n    >say("a")\n    >say(self.nope)', 3, 10, "BorrowBook has no field 'nope'"),
        ('if self.gift:\n    >say("é" + self.nope)', 2, 16, "BorrowBook has no field 'nope'"),
        ("say(f'{self.note}')", 1, 5, "f-strings are not part of the language"),
        ("say()", 1, 1, 'write say("…") with one text'),
        ("borrow(3)", 1, 8, "an argument needs a name"),
        ("self.copies ==", 1, 15, "invalid syntax"),
        ("len(self.note, 2)", 1, 1, "len() takes one value"),
        ("fetch(self.note) == 1", 1, 1, "fetch() is not a function here"),
        ("self.note == say('x')", 1, 14, "say() is an action, not a value"),
    ],
)
def test_errors_say_where_and_why(text: str, line: int, column: int, reason: str) -> None:
    error = _error(text)
    assert (error.line, error.column) == (line, column)
    assert error.reason.startswith(reason)


def test_long_and_deep_texts_are_refused_not_run() -> None:
    assert "longer than" in _error("1 + " * 5000 + "1").reason
    assert "nested deeper" in _error("not " * 300 + "True").reason
    assert "nested deeper" in _error("1+" * 400 + "1").reason
    assert _error("1+" * 4000 + "1").reason
    assert _error("(" * 4000 + "1" + ")" * 4000).reason


@given(st.text(alphabet="self.notecopies ()[]{}'\"=<>!+-*/@,:\n\t0123456789andorif>say“”", max_size=60))
def test_any_text_is_a_program_or_an_error_of_the_language(text: str) -> None:
    with contextlib.suppress(ExpressionError):  # and nothing else
        run(parse(text, SPECIFICATION, "BorrowBook"), Shelf({"note": "x", "copies": 3}))
