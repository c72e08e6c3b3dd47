"""What files are saved as: read right, or refused in one sentence that names the line and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora.loading.corpora import CORPORA
from corpora.loading.corpora import load as load_corpus
from corpora.loading.reading import Contents, read, summed_up
from corpora.loading.records import RestaurantLine
from corpora.models import Course, Restaurant
from tests.corpora.conftest import course, restaurant

LINE = {"slug": "cafe", "name": "Café", "city": "Lyon", "lat": 45.7, "lon": 4.8}
(RESTAURANTS,) = (corpus for corpus in CORPORA if corpus.name == "restaurants")
(COURSES,) = (corpus for corpus in CORPORA if corpus.name == "courses")


def contents(tmp_path: Path, data: bytes | str) -> Contents[RestaurantLine]:
    path = tmp_path / "file.jsonl"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read(path, RestaurantLine, lambda line: line.slug)


def problem(tmp_path: Path, data: bytes | str) -> str:
    (found,) = contents(tmp_path, data).problems
    return str(found).removeprefix(str(tmp_path) + "/")


TEXT = json.dumps(LINE, ensure_ascii=False)
TWO = [LINE, LINE | {"slug": "bar"}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_the_encoding(tmp_path: Path, encoding: str) -> None:
    (record,) = contents(tmp_path, TEXT.encode(encoding)).records
    assert record.name == "Café"


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(map(json.dumps, TWO)),
        "\r\n\r\n".join(map(json.dumps, TWO)),
        json.dumps(TWO),
        json.dumps(TWO, indent=1),
        "\n".join(json.dumps(one, indent=2) for one in TWO),
    ],
    ids=["lines", "lines of Windows", "array on a line", "pretty-printed array", "pretty-printed objects"],
)
def test_json_is_read_however_it_is_laid_out(tmp_path: Path, text: str) -> None:
    found = contents(tmp_path, text)
    assert ([record.slug for record in found.records], found.problems) == (["cafe", "bar"], [])


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_a_file_without_rows_is_no_success(tmp_path: Path, text: str) -> None:
    assert problem(tmp_path, text) == "file.jsonl: holds no rows"


@pytest.mark.django_db
def test_a_file_without_rows_clears_nothing(tmp_path: Path) -> None:
    (full := tmp_path / "full.jsonl").write_text(TEXT)
    (empty := tmp_path / "empty.jsonl").write_text("")
    load_corpus(RESTAURANTS, [full])
    assert load_corpus(RESTAURANTS, [empty], clear=True).problems
    assert Restaurant.objects.filter(slug="cafe").exists()


def test_a_bad_object_of_a_pretty_printed_array_is_named_by_the_line_it_begins_on(tmp_path: Path) -> None:
    said = problem(tmp_path, json.dumps([LINE, LINE | {"slug": "bar", "rating": 9}], indent=1))
    assert said == "file.jsonl, line 9, rating: should be less than or equal to 5, got 9"


WHOLE = {
    "Latin-1": (TEXT.encode("latin-1"), "line 1: is not UTF-8 (byte 0xe9 at column 30)"),
    "UTF-16 without a mark": (TEXT.encode("utf-16-le"), "UTF-16 without a byte-order mark"),
    "CSV": ("slug,name\n" + "a,b\n" * 9000, "line 1: is not JSON: it looks like CSV, with the header 'slug,name'"),
    "TSV": ("slug\tname\na\tb\n" * 9, "looks like TSV"),
    "spreadsheet": (b"PK\x03\x04" + bytes(90), "is a zip archive or a spreadsheet"),
    "prose": ("Dear all,\nplease find\n", "is not JSON: it "),
    "array cut off": (json.dumps(TWO)[:-1], "breaks off"),
    "array cut in the middle": (json.dumps(TWO, indent=1)[:-30], "is not JSON: "),
}


@pytest.mark.parametrize(("data", "said"), WHOLE.values(), ids=WHOLE)
def test_a_file_of_another_kind_is_told_in_one_sentence(tmp_path: Path, data: bytes | str, said: str) -> None:
    assert said in problem(tmp_path, data)


LINES = {
    "key twice": ('{"slug": "a", "slug": "b"}', "'slug' is given twice"),
    "NaN": (TEXT.replace("45.7", "NaN"), "NaN is not a number"),
    "infinite": (TEXT.replace("45.7", "-Infinity"), "-Infinity is not a number"),
    "infinite by its size": (TEXT.replace("45.7", "1e999"), "1e999 is too large a number"),
    "4,400 digits": (TEXT.replace("45.7", "4" * 4400), "a number has too many digits"),
    "half a pair": (TEXT.replace("Caf", r"\ud83c"), r"half a character (\ud83c)"),
    "nested deeply": ("[" * 50_000 + "]" * 50_000, "nested too deeply"),
    "NUL": (TEXT.replace("Caf", r"a\u0000"), "name: holds a NUL character"),
    "NUL in a review": (json.dumps(LINE | {"reviews": [{"text": "a\0"}]}), "reviews[0].text: holds a NUL character"),
    "beyond an integer": (json.dumps(LINE | {"num_reviews": 3_000_000_000}), "num_reviews: should be less than"),
    "number in quotes": (json.dumps(LINE | {"rating": "4.5"}), "rating: should be a valid number, got '4.5'"),
    "nothing but blanks": (json.dumps(LINE | {"name": "\u2003\t"}), "name: should not be empty"),
}


@pytest.mark.parametrize(("line", "said"), LINES.values(), ids=LINES)
def test_a_value_no_database_keeps_is_refused_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    found = contents(tmp_path, f"{json.dumps(LINE | {'slug': 'first'})}\n{line}\n").problems
    assert "file.jsonl, line 2" in str(found[0])
    assert said in str(found[0])


def test_null_is_not_known_as_if_it_were_left_out(tmp_path: Path) -> None:
    names = ("phone", "about", "neighbourhood", "cuisines", "reviews", "rating", "opening_hours", "num_reviews")
    (record,) = contents(tmp_path, json.dumps(LINE | dict.fromkeys(names))).records
    assert record == RestaurantLine.read(LINE)
    assert "city: is missing" in problem(tmp_path, json.dumps(LINE | {"city": None}))
    assert "opening_hours.mon" in problem(tmp_path, json.dumps(LINE | {"opening_hours": {"mon": None}}))


def test_what_looks_the_same_is_the_same(tmp_path: Path) -> None:
    changes = {"name": " Cafe\u0301\u00a0 Lumie\u0300re ", "city": "Lyon ", "cuisines": ["thai", "Thai", " tea  rooms"]}
    (record,) = contents(tmp_path, json.dumps(LINE | changes)).records
    assert (record.name, record.city, record.cuisines) == ("Café Lumière", "Lyon", ["thai", "tea rooms"])


def test_the_same_problem_on_many_lines_is_summed_up(tmp_path: Path) -> None:
    lines = [json.dumps(LINE | {"slug": f"s{i}", "rating": 6 + i}) for i in range(815)] + ["{"]
    said = list(summed_up(contents(tmp_path, "\n".join([TEXT, *lines])).problems))
    assert len(said) == 5
    assert said[3] == "…and 812 more lines with the same problem"
    assert "line 817" in said[4]


def places(*spots: tuple[float, float]) -> list[dict[str, Any]]:
    return [LINE | {"slug": f"s{i}", "lat": lat, "lon": lon} for i, (lat, lon) in enumerate(spots)]


def loaded_problems(tmp_path: Path, lines: list[dict[str, Any]], corpus: Any = RESTAURANTS) -> list[str]:
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return [str(one).removeprefix(f"{tmp_path}/") for one in load_corpus(corpus, [path]).problems]


@pytest.mark.django_db
@pytest.mark.parametrize("spot", [(0, 0), (-73.9, 40.7), (4.81, 45.71)], ids=["nowhere", "Antarctica", "swapped"])
def test_coordinates_that_cannot_be_meant_are_refused(tmp_path: Path, spot: tuple[float, float]) -> None:
    (said,) = loaded_problems(tmp_path, places((45.7, 4.8), (45.72, 4.82), spot))
    assert said.startswith("file.jsonl, line 3, lat, lon: ")
    assert not Restaurant.objects.exists()


@pytest.mark.django_db
def test_coordinates_are_compared_with_the_rows_there_are(tmp_path: Path) -> None:
    assert loaded_problems(tmp_path, places((45.7, 4.8), (45.72, 4.82))) == []
    (said,) = loaded_problems(tmp_path, [LINE | {"slug": "new", "lat": 4.8, "lon": 45.7}])
    assert "look swapped, got 4.8, 45.7" in said


@pytest.mark.django_db
def test_two_cities_of_one_name_are_no_mistake(tmp_path: Path) -> None:
    assert loaded_problems(tmp_path, places((39.8, -89.65), (37.21, -93.27), (44.05, -123.02))) == []


@pytest.mark.django_db
def test_what_the_database_refuses_is_named_by_its_line(tmp_path: Path) -> None:
    lines = [course(), course(course_id=8, course_codes=["A 1"], ratings=[]), course(course_id=9, ratings=[])]
    (said,) = loaded_problems(tmp_path, lines, COURSES)
    assert said.startswith("file.jsonl, line 3: the database refuses it: ")
    assert "(CS 143) already exists" in said
    assert "\n" not in said
    (said,) = loaded_problems(tmp_path, [restaurant(), restaurant(slug="b", name="n" * 201)])
    assert said.startswith("file.jsonl, line 2: the database refuses it: value too long")
    assert not Course.objects.exists()
    assert not Restaurant.objects.exists()
