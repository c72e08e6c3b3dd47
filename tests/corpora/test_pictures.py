"""The drawn pictures: every restaurant has one, small, its own, and safe to serve under the site's policy."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import pytest

from corpora.pictures import ASSISTANTS, FAMILIES, assistant_picture, restaurant_picture
from corpora.pictures.palettes import PALETTES

SVG = "{http://www.w3.org/2000/svg}"
SOME_CUISINES = [family[0].split("|")[0] for family in FAMILIES]


@pytest.mark.parametrize("cuisine", SOME_CUISINES)
def test_a_picture_is_well_formed_and_small(cuisine: str) -> None:
    for slug in ("a", "b-street", "the-third-place"):
        picture = restaurant_picture(slug, "Somewhere", [cuisine])
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
        assert len(picture.encode()) < 6 * 1024


def test_a_picture_is_the_same_each_time_and_differs_between_slugs() -> None:
    first = restaurant_picture("sf-one", "One", ["ramen"])
    assert first == restaurant_picture("sf-one", "One", ["ramen"])
    others = {restaurant_picture(f"sf-{number}", "One", ["ramen"]) for number in range(40)}
    assert len(others) > 20


def test_the_dish_follows_the_cuisine_that_comes_first() -> None:
    pizza, also_pizza = (restaurant_picture("x", "X", cuisines) for cuisines in (["pizza", "ramen"], ["pizza"]))
    assert pizza == also_pizza
    assert pizza != restaurant_picture("x", "X", ["ramen", "pizza"])


def test_a_cuisine_nobody_drew_still_gets_a_picture() -> None:
    assert "<svg" in restaurant_picture("x", "X", ["lunar"])
    assert "<svg" in restaurant_picture("x", "X", [])


def test_a_name_cannot_break_out_of_the_title() -> None:
    picture = restaurant_picture("x", '</title><script>alert("1")</script>', ["thai"])
    tags = {element.tag for element in ElementTree.fromstring(picture).iter()}
    assert f"{SVG}script" not in tags


def test_pictures_hold_nothing_that_the_content_security_policy_blocks() -> None:
    for cuisine, slug in itertools.product(SOME_CUISINES, ("a", "b", "c")):
        picture = restaurant_picture(slug, "X", [cuisine])
        assert "style=" not in picture
        assert "<style" not in picture
        assert "href" not in picture


def test_every_family_names_palettes_that_exist() -> None:
    for words, _, palettes in FAMILIES:
        assert words
        assert set(palettes.split()) <= set(PALETTES)


@pytest.mark.parametrize("slug", [*ASSISTANTS, "gardens", "<b>"])
def test_every_assistant_has_a_picture_of_its_own(slug: str) -> None:
    picture = assistant_picture(slug, f"{slug} & more")
    assert ElementTree.fromstring(picture).find(f"{SVG}title").text == f"{slug} & more"
    assert "style=" not in picture
    assert picture != assistant_picture(f"other-{slug}", f"{slug} & more")


def test_a_letter_is_not_mirrored() -> None:
    assert not [name for name in "abcdefghijklmnopqrstuvwxyz" if "scale(-1" in assistant_picture(name, name)]
