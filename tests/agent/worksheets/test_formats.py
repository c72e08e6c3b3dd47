"""Files of specifications: both vocabularies, any order of columns, nothing lost, nothing ignored in silence."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.worksheets.applications import ASSISTANTS, STAR, load
from agent.worksheets.formats import Format, Imported, Level, Vocabulary, format_of, read, write
from agent.worksheets.specification import FieldKind, Specification, WorksheetKind
from tests.agent.worksheets.specifications import specifications, without_rows

PAPER = """\
WS Predicate,WS Name,Predicate,Kind,Type,Name,Enum Values,Description,Don't Ask,Required,Confirmation,Actions,WS Actions
,Repair,,Task,Enum,what,Bike,What is broken,,TRUE,,,@repair(what=self.what)
,,,,,,Car,Four wheels,,,,,
,,self.what == 'Car',input,str,plate,,The plate,,TRUE,TRUE,,
,,,input,str,colour,,,TRUE,FALSE,,,
,,,input,confirm,confirm,,,,TRUE,,"if self.confirm == False:
  >say(""Well, then."")
  >exitws()",
visitor.here == True,Pickup,,Task,,,,Fetching it,,,,,
,,,input,List[date],days,,,,,,,
,manuals,,KB,,,,,,,,,
"""
PUBLISHED = """\
Form Actions;Form Name;Name;Type;Kind;Enum Values;Required;Confirm;Dont Ask;Actions;Predicate;Description;Form Predicate
;Repair;repair(what=self.what);worksheet;;;;;;;;;
;;what;Enum;input;;TRUE;;;;;What is broken;
;;;;;Bike;;;;;;;
;;;;;Car;;;;;;Four wheels;
;;id;str;internal; primary;FALSE;;;;;;
"""


def _csv(text: str) -> Imported:
    return read(text.encode(), Format.CSV, "garage")


def _specification(text: str) -> Specification:
    imported = _csv(text)
    assert imported.specification is not None, [str(finding) for finding in imported.findings]
    return imported.specification


def _said(imported: Imported) -> list[str]:
    return [str(finding) for finding in imported.findings]


# -- the two vocabularies --------------------------------------------------------------------------------------------


def test_the_papers_table_is_read() -> None:
    specification = _specification(PAPER)
    repair, pickup, manuals = specification.worksheets
    assert [worksheet.kind for worksheet in (repair, pickup, manuals)] == [
        WorksheetKind.TASK,
        WorksheetKind.TASK,
        WorksheetKind.KNOWLEDGE,
    ]
    assert repair.actions == "@repair(what=self.what)"
    assert (pickup.predicate, pickup.description) == ("visitor.here == True", "Fetching it")
    what, plate, colour, confirm = repair.fields
    assert [(item.value, item.description) for item in what.enum_values] == [("Bike", ""), ("Car", "Four wheels")]
    assert (what.required, what.description, what.row) == (True, "What is broken", 2)
    assert (plate.predicate, plate.confirm, plate.row) == ("self.what == 'Car'", True, 4)
    assert (colour.ask, colour.required) == (False, False)
    assert confirm.actions == 'if self.confirm == False:\n  >say("Well, then.")\n  >exitws()'
    assert (str(pickup.fields[0].type), pickup.fields[0].type.many) == ("List[date]", True)


def test_the_published_table_is_read_in_any_order_of_columns() -> None:
    text = PUBLISHED.replace("internal; primary", '"internal; primary"')
    (repair,) = _specification(text).worksheets
    assert (repair.kind, repair.backend, repair.actions) == (WorksheetKind.TASK, "repair(what=self.what)", "")
    what, key = repair.fields
    assert what.options == ("Bike", "Car")
    assert what.enum_values[1].description == "Four wheels"
    assert (key.kind, key.primary) == (FieldKind.INTERNAL, True)


def test_a_worksheets_name_may_be_filled_down_along_its_fields() -> None:
    text = "WS Name,Kind,Type,Name\nRepair,Task,,\nRepair,input,str,plate\nRepair,input,str,colour\n"
    (repair,) = _specification(text).worksheets
    assert [field.name for field in repair.fields] == ["plate", "colour"]


def test_a_title_may_stand_above_the_headings() -> None:
    specification = _specification(f"The garage,,\n{PAPER}")
    assert specification.worksheets[0].fields[1].row == 5


@pytest.mark.parametrize("mark", [";", "\t"])
def test_cells_may_be_parted_by_semicolons_or_tabs(mark: str) -> None:
    text = "The garage, and more\nWS Name|Type|Name|Description\nRepair\n|str|plate|a, b, c\n"
    (repair,) = _specification(text.replace("|", mark)).worksheets
    assert repair.fields[0].description == "a, b, c"


def test_several_values_may_stand_in_one_cell() -> None:
    (repair,) = _specification('WS Name,Type,Name,Enum Values\nRepair,,,\n,Enum,what,"Bike\nCar"\n').worksheets
    assert repair.fields[0].options == ("Bike", "Car")


@pytest.mark.parametrize("word", ["Boolean", "bool", "BOOL"])
def test_types_are_read_whatever_their_case(word: str) -> None:
    (repair,) = _specification(f"WS Name,Type,Name\nRepair,,\n,{word},urgent\n").worksheets
    assert repair.fields[0].type.name == "bool"


def test_json_is_read_as_a_list_or_as_an_object_with_a_title() -> None:
    worksheet = {
        "ws_name": "Repair",
        "ws_type": "worksheet",
        "ws_backend_api": "repair(what=self.what)",
        "fields": [
            {
                "field_name": "what",
                "field_type": "Enum",
                "field_kind": "input",
                "field_required": True,
                "field_dont_ask": False,
                "enum_values": [{"value": "Bike", "description": "Two wheels"}, "Car"],
                "field_actions": ["if self.what == 'Car':", '    >say("Oh.")'],
            }
        ],
    }
    bare = read(json.dumps([worksheet]).encode(), Format.JSON, "garage")
    titled = read(json.dumps({"title": "Garage", "worksheets": [worksheet]}).encode(), Format.JSON, "garage")
    assert bare.specification is not None
    assert titled.specification is not None
    assert titled.specification.title == "Garage"
    assert titled.specification.worksheets == bare.specification.worksheets
    (repair,) = bare.specification.worksheets
    assert repair.backend == "repair(what=self.what)"
    assert repair.fields[0].options == ("Bike", "Car")
    assert repair.fields[0].actions == "if self.what == 'Car':\n    >say(\"Oh.\")"


def test_cells_of_a_spreadsheet_are_read_as_they_would_be_typed() -> None:
    book = openpyxl.Workbook()
    notes, sheet = book.active, book.create_sheet("Worksheets")
    notes.append(["Nothing here"])
    for row in (
        ["WS Name", "Type", "Name", "Enum Values", "Required"],
        ["Repair", None, None, None, None],
        [None, "Enum", "year", None, True],
        [None, None, None, 2026, None],
        [None, None, None, 2027.0, None],
    ):
        sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    imported = read(data.getvalue(), Format.XLSX, "garage")
    assert imported.specification is not None, _said(imported)
    (year,) = imported.specification.worksheets[0].fields
    assert (year.options, year.required) == (("2026", "2027"), True)


# -- round trips -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", Format)
@settings(max_examples=40, deadline=None)
@given(specification=specifications(), vocabulary=st.sampled_from(Vocabulary))
def test_what_is_written_reads_back_the_same(
    form: Format, specification: Specification, vocabulary: Vocabulary
) -> None:
    imported = read(write(specification, form, vocabulary), form, specification.name, specification.title)
    assert imported.specification is not None, _said(imported)
    assert without_rows(imported.specification) == specification
    assert not imported.findings


@settings(max_examples=40, deadline=None)
@given(specification=specifications(), seed=st.integers(0, 1000))
def test_the_order_of_columns_does_not_matter(specification: Specification, seed: int) -> None:
    rows = list(csv.reader(io.StringIO(write(specification, Format.CSV).decode(), newline="")))
    order = random.Random(seed).sample(range(len(rows[0])), len(rows[0]))
    shuffled = io.StringIO(newline="")
    csv.writer(shuffled).writerows([[row[index] for index in order] for row in rows])
    imported = read(shuffled.getvalue().encode(), Format.CSV, specification.name, specification.title)
    assert imported.specification is not None, _said(imported)
    assert without_rows(imported.specification) == specification


@pytest.mark.parametrize("name", [*ASSISTANTS, *STAR])
@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("vocabulary", Vocabulary)
def test_the_applications_survive_every_format(name: str, form: Format, vocabulary: Vocabulary) -> None:
    specification = load(name)
    imported = read(write(specification, form, vocabulary), form, name, specification.title)
    assert imported.specification is not None, _said(imported)
    assert without_rows(imported.specification) == specification


def test_a_text_like_a_formula_stays_a_text_in_a_spreadsheet() -> None:
    specification = _specification('WS Name,Type,Name,Description\nRepair,,,\n,str,plate,"=HYPERLINK(""x"")"\n')
    with zipfile.ZipFile(io.BytesIO(write(specification, Format.XLSX))) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    imported = read(write(specification, Format.XLSX), Format.XLSX, "garage")
    assert imported.specification is not None
    assert imported.specification.worksheets[0].fields[0].description == '=HYPERLINK("x")'


# -- what is wrong, and where ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (",str,2nd plate", "row 3, column Name: '2nd plate' is not the name of a field"),
        (",,plate", "row 3, column Type: The field has no type"),
        (",List[],plate", "row 3, column Type: 'List[]' is not a type"),
        (",str,", "row 3, column Name: A field without a name"),
        ("My form,,", "row 3, column WS Name: 'My form' is not the name of a worksheet"),
        (",str,plate,MAYBE", "row 3, column Required: 'MAYBE' is neither TRUE nor FALSE."),
        (",str,plate,,,output; first", "row 3, column Kind: 'output; first' is not a kind of field"),
        ("Other,,,,,Chore", "row 3, column Kind: 'Chore' is not a kind of worksheet"),
        ("Other,,,TRUE", "row 3, column Required: 'TRUE' does not belong to a worksheet"),
        (",,,TRUE,,,Bike", "row 3, column Required: 'TRUE' does not belong to a worksheet, field or enum value."),
        (",,,,,,Bike", "row 3, column Enum Values: This value comes before any field."),
        (",,,,,input,", "row 3, column Kind: 'input' does not belong to a worksheet, field or enum value."),
        (",str,plate,,,,,stray", "row 3, column number 8: 'stray' has no heading above it."),
    ],
)
def test_errors_say_row_and_column(text: str, said: str) -> None:
    imported = _csv(f"WS Name,Type,Name,Required,Don't Ask,Kind,Enum Values\nRepair,,\n{text}\n")
    assert imported.specification is None
    assert _said(imported)[0].startswith(said)


def test_errors_name_the_column_as_it_was_written() -> None:
    imported = _csv("FORM NAME,Type,Name,Dont ask\nMy form,,,\n,str,plate,perhaps\n")
    assert [finding.column for finding in imported.findings] == ["FORM NAME", "Dont ask"]


def test_all_errors_of_a_file_are_said_at_once() -> None:
    imported = _csv("WS Name,Type,Name,Required\n,str,early,\nRepair,,,\n,,plate,\n,str,colour,perhaps\n")
    assert [(finding.row, finding.column) for finding in imported.findings] == [
        (2, "Name"),
        (4, "Type"),
        (5, "Required"),
    ]


def test_an_unknown_column_is_reported_and_the_rest_is_read() -> None:
    imported = _csv("WS Name,Type,Name,Requird,Owner\nRepair,,,,\n,str,plate,TRUE,me\n")
    assert imported.specification is not None
    assert [finding.level for finding in imported.findings] == [Level.WARNING, Level.WARNING]
    assert _said(imported)[0] == (
        "row 1, column Requird: A specification has no column 'Requird'; its values were not read. "
        "Did you mean 'Required'?"
    )


def test_what_is_never_asked_for_is_optional_and_that_is_said() -> None:
    imported = _csv("WS Name,Type,Name,Required,Don't Ask\nRepair,,\n,str,plate,TRUE,TRUE\n")
    assert imported.specification is not None
    (plate,) = imported.specification.worksheets[0].fields
    assert (plate.ask, plate.required) == (False, False)
    assert _said(imported) == [
        "row 3, column Required: A field that is never asked for is optional; it is read as such."
    ]


def test_a_column_that_is_there_twice_is_an_error() -> None:
    imported = _csv("WS Name,Type,Name,name\nRepair,,,\n,str,plate,colour\n")
    assert imported.specification is None
    assert "appears twice" in _said(imported)[0]


@pytest.mark.parametrize(
    ("data", "form", "said"),
    [
        (b"", Format.CSV, "There is no row of headings"),
        (b"a,b\n1,2\n", Format.CSV, "There is no row of headings; at least WS Name, Type, Name are needed."),
        (b"\xff\xfe", Format.CSV, "This file is not UTF-8 text"),
        (b'WS Name,Type,Name\n"Repair', Format.CSV, "This is not a CSV file"),
        (b'WS Name,Type,Name\n"Repair" shop,,', Format.CSV, "This is not a CSV file: ',' expected after"),
        (b"WS Name,Type,Name\n", Format.CSV, "It contains no worksheet."),
        (b"nothing", Format.XLSX, "This is not an XLSX spreadsheet."),
        (b"{", Format.JSON, "document, line 1, character 2: This is not JSON"),
        (b"3", Format.JSON, "worksheets: A list of worksheets is expected here."),
        (b"[3]", Format.JSON, "worksheets[0]: An object is expected here."),
        (b'[{"fields": []}]', Format.JSON, "worksheets[0].ws_name: A worksheet without a name"),
        (
            b'[{"ws_name": "A", "fields": [{"field_name": "b", "field_type": "str", "field_required": "?"}]}]',
            Format.JSON,
            "worksheets[0].fields[0].field_required: '?' is neither TRUE nor FALSE.",
        ),
        (b"[" * 100_000, Format.JSON, "This is nested too deeply"),
        (b"x" * 6_000_000, Format.CSV, "This file is too large"),
    ],
)
def test_what_is_no_specification_is_said_in_words(data: bytes, form: Format, said: str) -> None:
    imported = read(data, form, "garage")
    assert imported.specification is None
    assert said in _said(imported)[0]


def test_an_unknown_key_is_reported() -> None:
    data = b'[{"ws_name": "A", "ws_nmae": "B", "fields": []}]'
    imported = read(data, Format.JSON, "garage")
    assert imported.specification is not None
    assert _said(imported) == ["worksheets[0].ws_nmae: A specification has no such key; its value was not read."]


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(Format))
def test_any_bytes_give_a_specification_or_findings(data: bytes, form: Format) -> None:
    imported = read(data, form, "garage")
    assert imported.specification is not None or imported.findings


def test_the_format_is_told_by_the_files_ending() -> None:
    assert [format_of(name) for name in ("a.CSV", "b.xlsx", "c.json", "d.txt", "e")] == [
        Format.CSV,
        Format.XLSX,
        Format.JSON,
        None,
        None,
    ]
