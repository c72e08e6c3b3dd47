"""A curator writes a form in the admin, and sees what it would ask while it is being written."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

FORM = """WS Name,Kind,Type,Name,Enum Values,Required,Predicate,Question
Feedback,Task,,,,,,
,,Enum,about,,TRUE,,What is it about?
,,,,Food,,,
,,,,Service,,,
,,str,dish,,TRUE,self.about == 'Food',Which dish?
,,str,words,,TRUE,,What would you like to say?
"""


def test_a_form_is_tried_out_while_it_is_written_and_kept_as_an_edition(admin: Page, tmp_path: Path) -> None:
    admin.goto("/admin/corpora/worksheetedition/add/")
    admin.get_by_label("Assistant").select_option(label="Student services")
    draft = admin.locator("#draft")

    admin.get_by_label("Text").fill(FORM.replace("'Food',Which", "'Fodo',Which"))
    expect(draft).to_contain_text("'Fodo' is not a value of about; did you mean 'Food'?")
    expect(draft.locator("tbody tr").first).to_contain_text("6")
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(admin.locator(".errornote")).to_be_visible()

    admin.get_by_label("Text").fill(FORM)
    expect(draft).to_contain_text("0 errors, 1 warning")
    expect(draft).to_contain_text("Nothing happens when Feedback is complete")
    expect(draft.locator("summary").filter(has_text="Feedback")).to_be_visible()
    expect(draft.locator(".branch")).to_have_count(2)
    expect(draft.locator(".branch").first).to_contain_text("Which dish?")
    expect(draft.locator(".branch").last).not_to_contain_text("Which dish?")

    admin.get_by_label("New conversations begin with it").uncheck()  # other tests talk to this assistant
    admin.get_by_role("button", name="Save and continue editing").click()
    expect(admin.locator("#content h1")).to_contain_text("Student services, edition")
    with admin.expect_download() as download:
        admin.get_by_role("link", name="CSV", exact=True).click()
    download.value.save_as(tmp_path / "mine.csv")
    assert "Which dish?" in (tmp_path / "mine.csv").read_text()


def test_a_file_is_read_before_it_is_saved(admin: Page, tmp_path: Path) -> None:
    file = tmp_path / "feedback.csv"
    file.write_text(FORM)
    admin.goto("/admin/corpora/worksheetedition/add/")
    admin.get_by_label("File").set_input_files(file)
    expect(admin.locator("#draft")).to_contain_text("What would you like to say?")
