"""A picture for every restaurant: a small drawn still life, original, and the same each time it is asked for.

The dish comes from the cuisines; the light, the palette and what is behind the table come from the slug, so that two
noodle shops look related and still differ. A picture is 320 by 240 and keeps its subject in the middle, so that a card
may crop it to a tall strip or a wide band.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from corpora.pictures import bowls, campus, drinks, motifs
from corpora.pictures.draw import group
from corpora.pictures.palettes import PALETTES, Palette
from corpora.pictures.scene import scene

__all__ = ["assistant_picture", "restaurant_picture"]

Motif = Callable[[Palette], str]

# A family: the words a cuisine's name may hold, what is drawn for it, and the palettes that suit it. The order matters:
# the first family that knows a word of a cuisine draws it, so the more particular ones come first.
FAMILIES: tuple[tuple[str, Motif, str], ...] = (
    ("hot pot|shabu|korean", bowls.hot_pot, "oat brick dusk harbour"),
    ("dim sum|dumpling|cantonese|taiwanese|nepal|himalayan|tibet", motifs.dumplings, "sage harbour rose forest"),
    ("ramen|noodle|vietnam|thai|udon|pho", bowls.noodles, "harbour oat brick lagoon"),
    ("sushi|japanese|izakaya", motifs.sushi, "lagoon harbour rose dusk"),
    ("poke|hawaii", bowls.poke, "lagoon sky apricot"),
    ("pizza", motifs.pizza, "sage brick sky olive"),
    ("italian|pasta", motifs.pasta, "sage plum apricot olive"),
    ("taco|mexic|latin|tex-mex", motifs.tacos, "lagoon saffron plum forest"),
    ("burger", motifs.burger, "sky saffron forest brick"),
    ("wing|chicken|southern|soul|cajun|creole|filipin", motifs.chicken, "olive plum sky brick"),
    ("steak|argentin|german", motifs.steak, "forest dusk oat plum"),
    (
        "barbe|bbq|brazil|grill|smokehouse|kebab|turkish|afghan|persian|iranian",
        motifs.barbecue,
        "dusk oat apricot harbour",
    ),
    ("moroc|ethiop|tagine|african|caribbean", bowls.tagine, "harbour sage lagoon"),
    ("falafel|mediterr|middle eastern|greek|halal|kosher|leban|israel", motifs.mezze, "lagoon sky apricot olive"),
    ("indian|pakist|curry|burm|malay|sri lanka", bowls.curry, "plum forest harbour rose"),
    ("spanish|tapas|peru|paella|portug", bowls.rice_pan, "plum lagoon apricot rose"),
    ("seafood|fish|oyster", motifs.fish, "rose harbour apricot oat"),
    ("szechuan|sichuan|chinese|hunan|mongol", bowls.noodles, "brick forest oat rose"),
    ("soup|russia|ukrain|poland|polish", bowls.soup, "sky forest oat dusk"),
    ("french|stew|brasserie|bistro|irish|british", bowls.stew, "sage dusk rose apricot"),
    ("ice cream|frozen|gelato", motifs.ice_cream, "sky rose lagoon apricot"),
    ("bakery|bakeries|bread|patisser", motifs.bread, "sky rose sage dusk"),
    ("bubble", drinks.bubble_tea, "plum rose lagoon sky"),
    ("tea room|tea house", drinks.tea, "sage rose dusk"),
    ("dessert|cake|chocolate", motifs.cake, "dusk sage lagoon"),
    ("sandwich|deli|bagel", motifs.sandwich, "sky olive brick lagoon"),
    ("breakfast|brunch|diner|pancake", motifs.breakfast, "apricot sky sage lagoon"),
    ("salad|vegan|vegetarian|gluten", bowls.salad, "apricot oat rose plum"),
    ("beer|pub|brew", drinks.beer, "forest sky harbour olive"),
    ("coffee|cafe|tea", drinks.coffee, "apricot sage sky rose"),
    ("wine", drinks.wine, "apricot rose oat sage"),
    ("cocktail|bar", drinks.cocktail, "harbour plum dusk forest"),
    ("truck|fast food|street", motifs.tacos, "saffron lagoon"),
    ("american", motifs.plate, "forest brick lagoon plum"),
)


# What stands for an assistant on the first screen: a motif, a palette, and the seed of its scene. Any other is drawn as
# the letter it begins with.
ASSISTANTS: dict[str, tuple[Motif, str, int]] = {
    "restaurants": (bowls.noodles, "apricot", 0),
    "courses": (campus.books, "lagoon", 1),
    "services": (campus.post, "dusk", 3),
}


def assistant_picture(slug: str, title: str) -> str:
    """Return the SVG of one assistant. `title` becomes the title that assistive technology reads."""
    if slug in ASSISTANTS:
        motif, palette, seed = ASSISTANTS[slug]
    else:
        seed = _seed(slug)
        palette = sorted(PALETTES)[seed % len(PALETTES)]
        motif, seed = partial(campus.letter, (title.strip() or "?")[0].upper()), seed // 97
    still_life = group(motif(PALETTES[palette]), "translate(160 126)")
    return scene(PALETTES[palette], still_life, escape(title), seed, mirrored=False)


def restaurant_picture(slug: str, name: str, cuisines: Sequence[str]) -> str:
    """Return the SVG of one restaurant, under 6 KB. `name` becomes the title that assistive technology reads."""
    motif, palettes = _family(cuisines)
    seed = _seed(slug)
    names = palettes.split()
    palette = PALETTES[names[seed % len(names)]]
    return scene(palette, group(motif(palette), "translate(160 126)"), escape(name), seed // 97)


def _seed(slug: str) -> int:
    return int.from_bytes(hashlib.sha256(slug.encode()).digest()[:8], "big")


def _family(cuisines: Sequence[str]) -> tuple[Motif, str]:
    """What the first cuisine that any family knows is drawn as."""
    for cuisine in cuisines:
        for words, motif, palettes in FAMILIES:
            if any(word in cuisine.lower() for word in words.split("|")):
                return motif, palettes
    return motifs.plate, "forest brick lagoon plum"
