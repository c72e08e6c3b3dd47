"""Four files go from upload to answers in the browser, with no code and no terminal, by the steps of the guide."""

# ruff: noqa: E501  the rows of the files are set for reading

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import openpyxl
import psycopg
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Page, expect

from hybridchat import services
from tests.browser.guide import steps
from tests.browser.test_conversation import ask

pytestmark = pytest.mark.timeout(600)  # seconds; each import embeds, and each first answer loads the agent anew

LONG = 120_000  # milliseconds
PASSWORD = "only for this test"


def books(folder: Path) -> list[Path]:
    """Two tables in CSV, linked by a number."""
    authors = [
        ("id", "name", "country"),
        (1, "Ida Holm", "Norway"),
        (2, "Ben Okri", "Nigeria"),
        (3, "Ana Ruiz", "Spain"),
    ]
    titles = [("isbn", "title", "author_id", "pages", "published", "about")]
    titles += [
        ("B1", "The Reef", 1, 320, "2014-05-03", "Two keepers on a reef do not speak for a whole winter. It is a slow and quiet book."),
        ("B2", "Tides", 2, 96, "2019-11-20", "Poems about mud and herring gulls that were written on a ferry, short and often funny."),
        ("B3", "Salt", 3, 210, "2008-02-01", "How salt was cut and carried over the hills by people with no shoes on their feet."),
        ("B4", "Low Water", 1, 410, "2021-09-09", "A harbour town waits for a ship that everybody knows will never come back to it."),
    ]  # fmt: skip
    for name, rows in (("authors.csv", authors), ("books.csv", titles)):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    return [folder / "authors.csv", folder / "books.csv"]


def hotels(folder: Path) -> list[Path]:
    """A sheet with numbers as they are written in German."""
    book = openpyxl.Workbook()
    for row in (
        ("Nr", "Name", "Ort", "Preis", "Zimmer", "Eindruck"),
        ("H1", "Haus am See", "Lindau", "€ 120,50", "1.200", "Das Zimmer ging auf den See hinaus. Very quiet at night, and the breakfast was large."),
        ("H2", "Zum Anker", "Lindau", "€ 85,00", "24", "Right above the bar, so it was loud until two. The staff were friendly all the same."),
        ("H3", "Bergblick", "Füssen", "€ 1.210,00", "60", "We saw the mountains from the bath. A calm place with a very good kitchen and a pool."),
    ):  # fmt: skip
        book.active.append(row)
    book.active.title = "Hotels"
    book.save(folder / "hotels.xlsx")
    return [folder / "hotels.xlsx"]


def gardens(folder: Path) -> list[Path]:
    """Objects with lists of objects in them."""
    made = [
        {"code": "G1", "name": "Moss Court", "area": 2.5, "at": {"lat": 47.5, "lon": 9.7},
         "plants": [{"plant": "Fern", "height": 60}, {"plant": "Moss", "height": 3}]},
        {"code": "G2", "name": "Rose Hill", "area": 14, "at": {"lat": 47.6, "lon": 9.8},
         "plants": [{"plant": "Rose", "height": 150}, {"plant": "Box", "height": 90}, {"plant": "Fern", "height": 70}]},
        {"code": "G3", "name": "Dry Garden", "area": 0.4, "at": {"lat": 47.7, "lon": 9.9}, "plants": []},
    ]  # fmt: skip
    (folder / "gardens.jsonl").write_text("".join(json.dumps(one) + "\n" for one in made))
    return [folder / "gardens.jsonl"]


def shop(folder: Path) -> list[Path]:
    """A database of five linked tables."""
    with sqlite3.connect(folder / "shop.sqlite") as database:
        database.executescript(
            """
            CREATE TABLE customers (customer_id TEXT PRIMARY KEY, company TEXT, country TEXT);
            CREATE TABLE categories (category_id INTEGER PRIMARY KEY, category TEXT, about TEXT);
            CREATE TABLE products (product_id INTEGER PRIMARY KEY, product TEXT, unit_price REAL,
                category_id INTEGER REFERENCES categories);
            CREATE TABLE orders (order_id INTEGER PRIMARY KEY, ordered_on TEXT, freight REAL,
                customer_id TEXT REFERENCES customers);
            CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, quantity INTEGER,
                order_id INTEGER REFERENCES orders, product_id INTEGER REFERENCES products);
            INSERT INTO customers VALUES ('ALFKI', 'Alfreds', 'Germany'), ('BERGS', 'Berglunds', 'Sweden');
            INSERT INTO categories VALUES (1, 'Beverages', 'Soft drinks, coffees, teas, beers and ales, cold or hot.'),
                (2, 'Condiments', 'Sweet and savoury sauces, relishes, spreads and seasonings of all kinds.');
            INSERT INTO products VALUES (1, 'Chai', 18.0, 1), (2, 'Chang', 19.5, 1), (3, 'Aniseed Syrup', 10.0, 2);
            INSERT INTO orders VALUES (10, '2024-05-03 00:00:00', 32.38, 'ALFKI'), (11, '2024-06-01 00:00:00', 11.61, 'BERGS');
            INSERT INTO order_lines VALUES (1, 12, 10, 1), (2, 10, 10, 3), (3, 5, 11, 2);
            """
        )
    return [folder / "shop.sqlite"]


@pytest.fixture
def curator(real_page: Page) -> Page:
    """A window of a curator who has signed in to the site with the real agent."""
    with psycopg.connect(real_database(), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO auth_user (username, password, is_superuser, is_staff, is_active, first_name, last_name,"
            " email, date_joined) VALUES ('curator', %s, true, true, true, '', '', '', now()) ON CONFLICT DO NOTHING",
            [PBKDF2PasswordHasher().encode(PASSWORD, "salt")],
        )
    real_page.goto("/admin/")
    real_page.get_by_label("Username").fill("curator")
    real_page.get_by_label("Password").fill(PASSWORD)
    real_page.get_by_role("button", name="Log in").click()
    return real_page


def real_database() -> str:
    """The address of the database of the site with the real agent."""
    return services.postgres().server.database_url(f"test_real_{os.getpid()}")


FILES: dict[str, tuple[Callable[[Path], list[Path]], str, str, tuple[str, ...]]] = {
    "library": (books, "Which books have more than 300 pages?", r"(The Reef|Low Water)", ("Tides", "Salt")),
    "lodgings": (hotels, "Which hotels cost more than 1000?", "Bergblick", ("Haus am See", "Zum Anker")),
    "gardening": (gardens, "Which garden has the largest area?", "Rose Hill", ("Moss Court", "Dry Garden")),
    "shop": (shop, "How many products are there?", r"(There are|I found) (3|three) products", ()),
}  # a question, what has to be in its answer, and what not


@pytest.mark.parametrize("name", FILES)
def test_a_file_goes_from_upload_to_an_answer(curator: Page, tmp_path: Path, name: str) -> None:
    made, question, right, wrong = FILES[name]
    imports, add, corpus, files, upload, dry_run, bring, question_link = steps("Bring data")
    page = curator
    page.get_by_role("link", name=imports, exact=True).first.click()
    page.get_by_role("link", name=add, exact=True).click()
    page.get_by_label(corpus).fill(name)
    page.get_by_label(files).set_input_files(made(tmp_path))
    page.get_by_role("button", name=upload, exact=True).click()
    page.get_by_role("button", name=dry_run, exact=True).click(timeout=LONG)
    expect(page.get_by_role("heading", name="What would change")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("No cell is refused.")).to_be_visible()
    page.get_by_role("button", name=bring, exact=True).click()
    page.get_by_role("link", name=re.compile(f"^{question_link}")).click(timeout=LONG)
    page.wait_for_load_state()  # before its scripts are there, the Enter key only begins a new line
    expect(page.get_by_role("radio").first).to_have_value(name)
    ask(page, question)
    expect(page.get_by_role("button", name="Good answer")).to_have_count(1, timeout=LONG)
    answer = page.locator(".turn").inner_text()
    assert re.search(right, answer), answer
    assert [one for one in wrong if one in answer] == [], answer


def test_a_value_that_is_corrected_in_the_browser_is_in_the_next_answer(curator: Page, tmp_path: Path) -> None:
    page = curator
    page.goto("/admin/corpora/rowchange/of/lodgings/hotels/")
    page.get_by_role("link", name="Zum Anker").click()
    page.get_by_label("Ort").fill("Bregenz")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. It counts from now on.")).to_be_visible()
    page.goto("/?assistant=lodgings")
    ask(page, "Which hotels are in Bregenz?")
    expect(page.get_by_role("button", name="Good answer")).to_have_count(1, timeout=LONG)
    expect(page.locator(".turn")).to_contain_text("Zum Anker")
