"""Data sets in the forms they are published in: tables whose cells lead to passages, and Yelp's files."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from corpora.importing.drafting import draft
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec, TableSpec
from corpora.loading.sources import Unreadable
from tests.corpora.conftest import CountingEmbedder
from tests.corpora.importing.conftest import drop_imported
from tests.corpora.importing.test_importing import rows

LIGHTS = {
    "title": "Lighthouses of Ensay", "section_title": "Lit today",
    "header": [["Light", []], ["Keeper", []], ["Built", []], ["", []]],
    "data": [
        [["Skerry", ["/wiki/Skerry"]], ["Ada Holm and Bo Lind", ["/wiki/Ada", "/wiki/Bo"]], ["1841", []], ["x", []]],
        [["Ness", ["/wiki/Nowhere"]], ["", []], ["1902", []], ["", []]],
    ],
}  # fmt: skip
TOLD = {
    "/wiki/Skerry": "Skerry stands on a rock that is under water at high tide.",
    "/wiki/Ada": "Ada Holm kept the light for forty years and painted it twice.",
    "/wiki/Bo": "Bo Lind wrote songs in the tower.",
}


def write(folder: Path, **files: Any) -> list[Path]:
    """Files of JSON, or of lines where they are lists: `a__b="…"` is a/b.json."""
    paths = []
    for name, said in files.items():
        path = folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        lines = said if isinstance(said, list) else [said]
        path.write_text("\n".join(json.dumps(line) for line in lines))
        paths.append(path)
    return paths


def table(spec: CorpusSpec, name: str) -> TableSpec:
    found = spec.table(name)
    assert found is not None, [one.name for one in spec.tables]
    return found


def kinds(one: TableSpec) -> dict[str, str]:
    return {column.name: column.kind.value for column in one.columns}


def test_what_a_cell_links_to_is_read_beside_it(tmp_path: Path) -> None:
    (source,) = open_sources(write(tmp_path, lights=LIGHTS, passages=TOLD), tmp_path)
    assert source.columns == ("Light", "Keeper", "Built", "column 4", "Light info", "Keeper info")
    first, second = (cells for _, cells in source.rows())
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert first["Keeper"] == "Ada Holm and Bo Lind"
    assert first["Keeper info"] == [TOLD["/wiki/Ada"], TOLD["/wiki/Bo"]]
    assert second["Light info"] is None, "an address that no passage has leads nowhere"
    spec, _ = draft("lights", [source])
    lights = table(spec, "lights")
    assert lights.description == "Lighthouses of Ensay – Lit today"
    assert kinds(lights)["keeper_info"] == "FREE_TEXT[]"
    assert kinds(lights)["built"] == "NUMBER"


def test_tables_and_passages_of_one_name_in_two_folders_belong_together(tmp_path: Path) -> None:
    other = {"header": ["Boat", "Owner"], "data": [["Gull", ["Bo", ["/wiki/Bo"]]]]}
    write(tmp_path, tables__lights=LIGHTS, texts__lights=TOLD, tables__boats=other, texts__boats={"/wiki/Bo": "Other."})
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in tmp_path.rglob("*.json"):
            archive.write(path, path.relative_to(tmp_path))
    found = {one.file: one for one in open_sources([tmp_path / "all.zip"], tmp_path)}
    assert set(found) == {"lights.json", "boats.json"}
    (_, boat), *_ = found["boats.json"].rows()
    assert isinstance(boat, dict)
    assert boat["Owner info"] == ["Other."]


def test_a_row_with_too_few_cells_is_refused_and_an_object_of_texts_alone_is_a_row(tmp_path: Path) -> None:
    short = {"header": ["a", "b"], "data": [["1"], ["1", "2"]]}
    (source,) = open_sources(write(tmp_path, short=short), tmp_path)
    assert [isinstance(cells, dict) for _, cells in source.rows()] == [False, True]
    (source,) = open_sources(write(tmp_path, one={"name": "Ada", "town": "Ness"}), tmp_path)
    assert source.columns == ("name", "town")


def test_an_object_that_is_broken_is_still_refused_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"header": ["a"], "data": [')
    with pytest.raises(Unreadable, match=r"broken\.json"):
        open_sources([tmp_path / "broken.json"], tmp_path)


def test_linked_passages_are_found_as_the_rows_own(
    transactional_db: None, tmp_path: Path, embedded: CountingEmbedder, capsys: Any
) -> None:
    files = [str(path) for path in write(tmp_path, lights=LIGHTS, passages=TOLD)]
    call_command("import_corpus", "lights", *files, draft=True)
    (tmp_path / "spec.json").write_text(capsys.readouterr().out)
    call_command("import_corpus", "lights", *files, spec=tmp_path / "spec.json", yes=True)
    assert rows("SELECT light, cardinality(keeper_info) FROM kb.lights ORDER BY light") == [
        ("Ness", None), ("Skerry", 2),
    ]  # fmt: skip
    assert sorted(embedded.embedded) == sorted(TOLD.values())
    drop_imported()


# -- Yelp -------------------------------------------------------------------------------------------------------------

BUSINESS = [
    {
        "business_id": "b1bakeryxxxxxxxxxxxxxx", "name": "Crumb", "address": "1 Quay", "city": "Ness", "state": "EN",
        "postal_code": "01234", "latitude": 57.1, "longitude": -7.1, "stars": 4.5, "review_count": 2, "is_open": 1,
        "attributes": {"RestaurantsTakeOut": True, "BusinessParking": {"garage": False, "street": True}},
        "categories": ["Bakeries", "Cafes"], "hours": {"Monday": "07:00-15:30", "Friday": "17:00-02:00"},
    },
    {
        "business_id": "b2barxxxxxxxxxxxxxxxxx", "name": "Tar", "address": "", "city": "Ness", "state": "EN",
        "postal_code": "01235", "latitude": 57.2, "longitude": -7.2, "stars": 3, "review_count": 1, "is_open": 0,
        "attributes": {"RestaurantsTakeOut": "False", "WiFi": "u'free'", "BusinessParking": "{'garage': True}"},
        "categories": "Bars, Nightlife", "hours": {"Monday": "0:0-0:0", "Saturday": "11:0-2:30"},
    },
    {
        "business_id": "b3xxxxxxxxxxxxxxxxxxxx", "name": "Shut", "address": "", "city": "Ness", "state": "EN",
        "postal_code": "", "latitude": 57.3, "longitude": -7.3, "stars": 2, "review_count": 0, "is_open": 0,
        "attributes": None, "categories": None, "hours": None,
    },
]  # fmt: skip
REVIEW = [
    {"review_id": f"r{n}xxxxxxxxxxxxxxxxxxxx", "user_id": "u1xxxxxxxxxxxxxxxxxxxx", "stars": 4, "useful": 0, "funny": 0,
     "business_id": BUSINESS[n % 2]["business_id"], "cool": 0, "date": "2018-07-07 22:09:11", "text": text}
    for n, text in enumerate(("Good rye.", "Loud.", "The rolls are gone by nine."))
]  # fmt: skip
TIP = [
    {"user_id": "u1xxxxxxxxxxxxxxxxxxxx", "business_id": BUSINESS[0]["business_id"], "text": text,
     "date": "2013-09-20", "compliment_count": 0}
    for text in ("Come early.", "Ask for rye.")
]  # fmt: skip
USER = [
    {"user_id": "u1xxxxxxxxxxxxxxxxxxxx", "name": "Ada", "review_count": 3, "yelping_since": "2012-01-01",
     "friends": "u2xxxxxxxxxxxxxxxxxxxx, u3xxxxxxxxxxxxxxxxxxxx", "elite": [2015, 2016]}
]  # fmt: skip
CHECKIN = [{"business_id": BUSINESS[0]["business_id"], "date": "2016-04-26 19:49:16, 2016-08-30 18:36:57"}]
YELP = {"business": BUSINESS, "checkin": CHECKIN, "review": REVIEW, "tip": TIP, "user": USER}


def yelp_files(folder: Path) -> list[Path]:
    return write(folder, **{f"yelp_academic_dataset_{name}": lines for name, lines in YELP.items()})


def test_yelps_files_are_known_by_their_columns_and_linked(tmp_path: Path) -> None:
    spec, _ = draft("yelp", open_sources(yelp_files(tmp_path), tmp_path))
    assert [one.name for one in spec.tables] == ["businesses", "checkins", "reviews", "tips", "users"]
    links = {(one.name, link.column, link.table) for one in spec.tables for link in one.links}
    assert links == {
        ("checkins", "business_id", "businesses"), ("reviews", "business_id", "businesses"),
        ("tips", "business_id", "businesses"), ("reviews", "user_id", "users"), ("tips", "user_id", "users"),
    }  # fmt: skip
    businesses = table(spec, "businesses")
    assert (businesses.key, businesses.title, businesses.noun) == ("business_id", "name", ["business", "businesses"])
    found = kinds(businesses)
    assert {name: found[name] for name in ("postal_code", "is_open", "categories", "hours", "location")} == {
        "postal_code": "TEXT", "is_open": "BOOLEAN", "categories": "ENUM[]", "hours": "OPENING_HOURS",
        "location": "LOCATION",
    }  # fmt: skip
    assert found["restaurants_take_out"] == found["business_parking_garage"] == "BOOLEAN"
    assert kinds(table(spec, "tips"))["text"] == kinds(table(spec, "reviews"))["text"] == "FREE_TEXT"
    assert kinds(table(spec, "users"))["friends"] == "ENUM[]"


def test_yelps_businesses_have_their_hours_attributes_and_reviews(
    transactional_db: None, tmp_path: Path, embedded: CountingEmbedder, capsys: Any
) -> None:
    files = [str(path) for path in yelp_files(tmp_path)]
    call_command("import_corpus", "yelp", *files, draft=True)
    (tmp_path / "spec.json").write_text(capsys.readouterr().out)
    call_command("import_corpus", "yelp", *files, spec=tmp_path / "spec.json", yes=True)
    told = capsys.readouterr().out
    assert "is expected, got" not in told
    query = (
        "SELECT name, hours, is_open, restaurants_take_out, wi_fi, business_parking_garage, categories, reviews, tips "
        "FROM kb.businesses ORDER BY business_id"
    )
    crumb, tar, shut = rows(query)
    assert crumb == (
        "Crumb", '{"fri": [["17:00", "02:00"]], "mon": [["07:00", "15:30"]]}', True, True, None, False,
        ["Bakeries", "Cafes"], ["Good rye.", "The rolls are gone by nine."], ["Come early.", "Ask for rye."],
    )  # fmt: skip
    assert tar[1] == '{"mon": [["00:00", "24:00"]], "sat": [["11:00", "02:30"]]}'
    assert tar[2:8] == (False, False, "free", True, ["Bars", "Nightlife"], ["Loud."])
    assert shut[1:7] == (None, False, None, None, None, None)
    assert rows("SELECT cardinality(date) FROM kb.checkins") == [(2,)]
    drop_imported()


def test_a_link_is_seen_though_the_keys_stand_far_down(tmp_path: Path) -> None:
    from corpora.importing.drafting import LOOKED_AT

    inns = "".join(f"i{n},Inn {n}\n" for n in range(LOOKED_AT + 10))
    (tmp_path / "inns.csv").write_text(f"inn_id,name\n{inns}")
    (tmp_path / "stays.csv").write_text(f"inn_id,nights\ni{LOOKED_AT + 5},2\ni{LOOKED_AT + 5},3\n")
    (tmp_path / "others.csv").write_text("inn_id,nights\nnowhere,2\nnowhere,3\n")
    files = [tmp_path / f"{name}.csv" for name in ("inns", "stays", "others")]
    spec, _ = draft("inns", open_sources(files, tmp_path))
    assert [one.name for one in spec.tables if one.links] == ["stays"]
