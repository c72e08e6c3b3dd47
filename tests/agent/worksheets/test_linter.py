"""What the linter finds before anybody talks to a worksheet, and what it leaves in peace."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from agent.worksheets.actions import Call, Registry, Result
from agent.worksheets.applications import ASSISTANTS, STAR, load
from agent.worksheets.formats import Format, read, write
from agent.worksheets.linter import Finding, Level, lint
from agent.worksheets.specification import Specification
from tests.agent.worksheets.specifications import specifications

HEADINGS = "WS Name,Kind,Type,Name,Enum Values,Required,Predicate,Validation,WS Predicate,WS Actions,WS Table\n"


def _specification(rows: str) -> Specification:
    imported = read((HEADINGS + rows).encode(), Format.CSV, "garage")
    assert imported.specification is not None, [str(finding) for finding in imported.findings]
    return imported.specification


def _lint(rows: str, registry: Registry | None = None) -> list[Finding]:
    """What is found, besides that these small forms lead to nothing."""
    findings = lint(_specification(rows), registry, {"parts"})
    return [finding for finding in findings if not finding.message.startswith("Nothing happens")]


def _only(rows: str, registry: Registry | None = None) -> Finding:
    findings = _lint(rows, registry)
    assert len(findings) == 1, [str(finding) for finding in findings]
    return findings[0]


@pytest.fixture
def registry() -> Registry:
    made = Registry()

    @made.action("repair")
    async def repair(call: Call, *, what: str, when: str | None = None) -> Result:
        return Result("Done.")

    return made


@pytest.mark.parametrize("name", ASSISTANTS)
def test_the_assistants_worksheets_are_clean(name: str) -> None:
    assert lint(load(name)) == []


@pytest.mark.parametrize("name", STAR)
def test_the_worksheets_of_star_have_no_errors_and_run_without_confirmation_by_intent(name: str) -> None:
    findings = lint(load(name))
    assert [finding for finding in findings if finding.level is Level.ERROR] == []
    assert all("runs without a confirmation" in finding.message for finding in findings)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("Repair,Task\n,,string2,what\n", "row 3, column Type (Repair.what): There is no type or worksheet 'string2'"),
        (
            "Repair,Task\n,,Repairs,what\n",
            "row 3, column Type (Repair.what): There is no type or worksheet 'Repairs'; did you mean 'Repair'?",
        ),
        ("Repair,Task\n,,Enum,what\n", "row 3, column Enum Values (Repair.what): An Enum needs values"),
        (
            "Repair,Task\n,,Enum,what,a\n,,,,a\n",
            "row 3, column Enum Values (Repair.what): The value 'a' appears twice.",
        ),
        ("Repair,Task\n,,int,what,a\n", "row 3, column Type (Repair.what): Only an Enum has values to choose from"),
        (
            "Repair,Task\n,,str,what\n,,int,what\n",
            "row 4, column Name (Repair.what): Repair has two fields called what.",
        ),
        (
            "Repair,Task\n,,str,what\nRepair,Task\n,,str,what\n",
            "row 4, column WS Name (Repair): There are two worksheets",
        ),
        (
            "RePair,Task\n,,str,what\nRe_Pair,Task\n,,str,what\n",
            "row 4, column WS Name (Re_Pair): RePair and Re_Pair are both called 're_pair'",
        ),
        ("Repair,Task\n,output,str,what,,TRUE\n", "row 3, column Required (Repair.what): A field that is output"),
        (
            "Repair,KB,,,,,,,,,part\n",
            "row 2, column WS Table (Repair): There is no table 'part'; did you mean 'parts'?",
        ),
        ("Repair,Task\n", "row 2, column WS Name (Repair): This task has no fields"),
        ("today,Task\n,,str,what\n", "row 2, column WS Name (today): 'today' already has another meaning"),
        (
            "Repair,Task\n,,confirm,one\n,,confirm,two\n",
            "row 4, column Type (Repair.two): Repair is confirmed with one",
        ),
    ],
)
def test_declarations_that_cannot_work_are_found(rows: str, said: str) -> None:
    assert str(_only(rows)).startswith(said)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            "Repair,Task\n,,str,what,,,self.wat == 'x'\n",
            "row 3, column Predicate (Repair.what), line 1, character 1: "
            "Repair has no field 'wat'; did you mean 'what'?",
        ),
        (
            "Repair,Task\n,,str,what,,,visitor.x == 1\n",
            "row 3, column Predicate (Repair.what), line 1, character 1: There is no 'visitor' here.",
        ),
        ("Repair,Task\n,,str,what,,,say('x')\n", "row 3, column Predicate (Repair.what): This must be a condition"),
        ("Repair,Task\n,,str,what,,,value > 3\n", "'value' is only known in a validation"),
        ("Repair,Task\n,,str,what,,,,self.what > 'a'\n", "This does not use 'value'"),
        ("Repair,Task,,,,,,,,self.what\n,,str,what\n", "row 2, column WS Actions (Repair): This has no effect"),
        ("Repair,Task,,,,,,,,propose(Repear)\n,,str,what\n", "There is no task worksheet 'Repear'"),
        ("Repair,Task\n,,int,what,,,,value < 'a'\n", "A number and a text cannot be compared."),
        ("Repair,Task\n,,int,what,,,,2 < value < 1\n", "No value of what can pass this."),
        ("Repair,Task\n,,Enum,what,a,,,value == 'b'\n", "'b' is not a value of what"),
    ],
)
def test_rules_that_cannot_work_are_found_with_line_and_character(rows: str, said: str) -> None:
    assert any(said in str(finding) for finding in _lint(rows))


def test_an_enum_compared_with_what_is_none_of_its_values_is_found() -> None:
    findings = _lint("Repair,Task\n,,Enum,what,Bike\n,,,,Car\n,,str,plate,,,self.what == 'Cars'\n")
    assert [finding.message for finding in findings] == [
        "'Cars' is not a value of what; did you mean 'Car'?",
        "This can never hold, whatever people say.",
    ]


@pytest.mark.parametrize(
    "predicate",
    [
        "self.what == 'Bike' and self.what == 'Car'",
        "self.urgent == True and not self.urgent",
        "self.urgent is None and self.urgent == False",
        "self.copies > 3 and self.copies < 3",
        "False",
        "self.inside is None and self.inside",
    ],
)
def test_a_predicate_that_can_never_hold_is_found(predicate: str) -> None:
    rows = (
        "Repair,Task\n,,Enum,what,Bike\n,,,,Car\n,,bool,urgent\n,,int,copies\n,,Inside,inside\n"
        f",,str,plate,,,{predicate}\nInside,Task\n,,str,note\n"
    )
    finding = _only(rows)
    assert (finding.row, finding.column, finding.field) == (8, "Predicate", "plate")
    assert finding.message == "This can never hold, whatever people say."


@pytest.mark.parametrize(
    "predicate",
    [
        "self.what == 'Bike' or self.what == 'Car' and self.urgent",
        "self.copies > 3 and self.copies < 5",
        "len(self.note) == 17",
        "'@' in self.note",
        "self.copies * 7 == 21",
        "self.inside",
        "not self.urgent == False",
        "self.day > today",
    ],
)
def test_a_predicate_that_may_hold_is_left_in_peace(predicate: str) -> None:
    rows = (
        "Repair,Task\n,,Enum,what,Bike\n,,,,Car\n,,bool,urgent\n,,int,copies\n,,Inside,inside\n,,str,note\n,,date,day\n"
        f',,str,plate,,,"{predicate}"\nInside,Task\n,,str,note\n'
    )
    assert _lint(rows) == []


def test_fields_that_wait_for_each_other_are_found() -> None:
    findings = _lint("Repair,Task\n,,str,one,,,self.two == 'x'\n,,str,two,,,self.one == 'x'\n")
    assert [(finding.field, finding.message) for finding in findings] == [
        ("one", "one is never asked: it waits for Repair.two, and that is never asked before it."),
        ("two", "two is never asked: it waits for Repair.one, and that is never asked before it."),
    ]


def test_fields_that_only_mention_each_other_are_left_in_peace() -> None:
    assert _lint("Repair,Task\n,,str,one,,,self.two is None\n,,str,two,,,self.one is None or self.two\n") == []


def test_what_hangs_on_a_field_that_is_never_asked_is_out_of_reach() -> None:
    findings = _lint(
        "Repair,Task\n,,bool,urgent\n,,Inside,inside,,,self.urgent is None and self.urgent\nInside,Task\n,,str,note\n"
    )
    assert [(finding.worksheet, finding.field) for finding in findings] == [("Repair", "inside"), ("Inside", "")]
    assert findings[1].message == "Inside is never opened: no field that contains it is ever asked."


def test_conditions_that_exclude_each_other_along_the_way_are_found() -> None:
    rows = (
        "Repair,Task\n,,Enum,what,Bike\n,,,,Car\n,,Inside,inside,,,self.what == 'Bike'\n"
        "Inside,Task\n,,str,plate,,,repair.what == 'Car'\n"
    )
    finding = _only(rows)
    assert (finding.field, finding.message) == (
        "plate",
        "plate is never asked: its condition and those of the worksheets around it exclude each other.",
    )


def test_two_tasks_whose_predicates_wait_for_each_other_are_found() -> None:
    rows = "One,Task,,,,,,,two.b == 'x'\n,,str,a\nTwo,Task,,,,,,,one.a == 'x'\n,,str,b\n"
    assert [(finding.worksheet, finding.field) for finding in _lint(rows)] == [("One", "a"), ("Two", "b")]


def test_a_worksheet_inside_itself_is_an_error_only_where_it_never_ends() -> None:
    shop = "Shop,Task\n,,Repair,first\n"
    endless = _only(f"{shop}Repair,Task\n,,Repair,next,,TRUE\n")
    assert endless.level is Level.ERROR
    assert endless.message == "This worksheet is inside itself (Repair → Repair), without end."
    assert _only(f"{shop}Repair,Task\n,,Repair,next\n").level is Level.WARNING
    assert _only(f"{shop}Repair,Task\n,,List[Repair],next,,TRUE\n").level is Level.WARNING
    two = _lint("Shop,Task\n,,A,a\nA,Task\n,,B,b,,TRUE\nB,Task\n,,A,a,,TRUE\n")
    assert [(finding.level, finding.field) for finding in two] == [(Level.ERROR, "b"), (Level.ERROR, "a")]


def test_a_task_that_is_only_inside_itself_is_out_of_reach() -> None:
    messages = [finding.message for finding in _lint("Repair,Task\n,,Repair,next\n,,str,what\n")]
    assert "Repair is never opened: no field that contains it is ever asked." in messages


def test_actions_are_checked_against_what_is_registered(registry: Registry) -> None:
    def said(actions: str) -> list[str]:
        rows = f'Repair,Task,,,,,,,,"{actions}"\n,,str,what\n,,confirm,confirm\n'
        return [str(finding) for finding in _lint(rows, registry)]

    place = "row 2, column WS Actions (Repair), line 1, character 2"
    assert said("@repair(what=self.what)") == []
    assert said("@repare(what=self.what)") == [f"{place}: There is no action 'repare'; did you mean 'repair'?"]
    assert said("@repair(what=self.what, wen=3)") == [
        f"{place}: The action repair takes no 'wen'; did you mean 'when'?"
    ]
    assert said("@repair(when=self.what)") == [f"{place}: The action repair needs 'what'."]


def test_a_task_that_leads_to_nothing_is_found() -> None:
    (finding,) = lint(_specification("Repair,Task\n,,str,what\n"))
    assert str(finding) == (
        "row 2, column WS Actions (Repair): Nothing happens when Repair is complete: it has no actions."
    )
    assert lint(_specification("Repair,Task,,,,,,,,say('Good.')\n,,str,what\n")) == []


def test_a_worksheet_that_only_chooses_a_task_needs_no_action() -> None:
    rows = (
        "Visitor,Task\n,,Enum,purpose\n,,,,Repair\n"
        "Repair,Task,,,,,,,visitor.purpose == 'Repair',say('Good.')\n,,str,what\n"
    )
    assert lint(_specification(rows)) == []


def test_an_action_without_a_confirmation_is_found(registry: Registry) -> None:
    rows = "Repair,Task,,,,,,,,@repair(what=self.what)\n,,str,what\n"
    finding = _only(rows, registry)
    assert (finding.level, finding.row, finding.column) == (Level.WARNING, 2, "WS Actions")
    assert "repair runs without a confirmation" in finding.message
    assert _lint(f"{rows},,confirm,confirm\n", registry) == []


@settings(max_examples=60, deadline=None)
@given(specifications())
def test_any_specification_can_be_linted(specification: Specification) -> None:
    assert all(finding.message and finding.where for finding in lint(specification))


@pytest.mark.parametrize("form", [Format.CSV, Format.XLSX])
def test_findings_name_the_row_of_the_file_that_was_read(form: Format) -> None:
    services = load("services")
    main = services.by_name["Main"]
    broken = main.fields[1].model_copy(update={"predicate": "self.student_task == 'Trouble'"})
    worksheets = (main.model_copy(update={"fields": (main.fields[0], broken)}), *services.worksheets[1:])
    data = write(services.model_copy(update={"worksheets": worksheets}), form)
    imported = read(data, form, "services")
    assert imported.specification is not None
    assert "row 7, column Predicate (Main.trouble_shoot), line 1, character 22: 'Trouble' is not a value" in str(
        lint(imported.specification)[0]
    )
