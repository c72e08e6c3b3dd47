"""The catalogue as a prompt shows it."""

from __future__ import annotations

from agent.catalogue.schema_text import describe_catalogue, outline_catalogue
from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table

BOATS = Table(
    name="boats",
    noun=("boat", "boats"),
    key=("boat_id",),
    entity="slug",
    title="name",
    description="Boats for hire.",
    order="price ASC",
    columns=(
        Column("boat_id", Kind.NUMBER, hidden=True),
        Column("slug", Kind.TEXT, hidden=True),
        Column("name", Kind.TEXT),
        Column("rig", Kind.ENUM, many=True, value_words=(("R-1", ("gaff rig",)), ("R-2", ("sloop",)))),
        Column("size", Kind.ENUM, values=("small", "large"), description="How big it is.", synonyms=("length",)),
        Column("price", Kind.NUMBER, unit="$", description="For a day"),
        Column("log", Kind.FREE_TEXT, many=True),
        Column("tides", Kind.TEXT, hidden=True),
    ),
)
EXPECTED = """\
TABLE boats: Boats for hire.
  known to people by name; identified by slug
  default order, which is also what "best" means: price ASC
  boat_id NUMBER
  slug TEXT
  name TEXT: values such as Ann, Bea
  rig ENUM[]: values such as R-1 (gaff rig), R-2 (sloop)
  size ENUM: How big it is; values small, large
  price NUMBER: For a day; in $
  log FREE_TEXT[]: read through answer() or summary()

JOINS
  boats.boat_id = boats.boat_id"""


def test_a_table_is_told_with_what_its_columns_mean_and_hold():
    catalogue = Catalogue((BOATS,), (ForeignKey("boats", "boat_id", "boats", "boat_id"),))
    samples = {("boats", "name"): ["Ann " * 20, "Ann", "Bea", "Cleo", "Dora"], ("boats", "log"): ["windy"]}
    assert describe_catalogue(catalogue, samples) == EXPECTED


def test_a_key_of_several_columns_is_told_whole():
    calls = Table("calls", (Column("boat", Kind.NUMBER), Column("port", Kind.NUMBER)), ("boat", "port"), entity="boat")
    assert "identified by boat and port" in describe_catalogue(Catalogue((calls,)))


def test_a_long_vocabulary_is_only_sampled():
    many = Column("rig", Kind.ENUM, values=tuple(f"rig {n}" for n in range(500)))
    text = describe_catalogue(Catalogue((Table("boats", (many,)),)))
    assert "values such as rig 0" in text
    assert "rig 499" not in text


def test_an_outline_has_no_keys_no_names_and_a_dozen_values():
    many = Column("harbour", Kind.ENUM, values=tuple(f"harbour {n}" for n in range(40)))
    boats = Table("boats", (*BOATS.columns, Column("look", Kind.IMAGE), many), ("boat_id",), title="name")
    text = outline_catalogue(Catalogue((boats,)), {("boats", "name"): ["Ann"]})
    assert "  name TEXT\n" in text
    assert "size ENUM: How big it is; values small, large" in text
    assert text.endswith("harbour 11, and 28 more")
    for left_out in ("boat_id", "slug", "tides", "look", "Ann", "answer("):
        assert left_out not in text


def test_an_outline_leaves_out_what_only_joins_tables():
    trips = Table("trips", (Column("boat", Kind.NUMBER), Column("day", Kind.DATE)), ())
    text = outline_catalogue(Catalogue((BOATS, trips), (ForeignKey("trips", "boat", "boats", "boat_id"),)))
    assert text.endswith("TABLE trips: One row is one row.\n  day DATE")
