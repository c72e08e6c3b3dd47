"""The colours of a scene: a wall, a light shape on it, a table, and crockery that stands out against them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours as hex. `dish` and `shade` are the lit and the shaded side of the crockery."""

    wall: str
    light: str
    table: str
    edge: str
    dish: str
    shade: str
    trim: str


_CREAM = ("#fbf3e3", "#e3d3b6")

PALETTES = {
    "apricot": Palette("#e6b183", "#f3d5ac", "#a2493a", "#87382d", *_CREAM, "#c9673f"),
    "sage": Palette("#a5bb9d", "#cfdcc0", "#4f6f57", "#3f5b47", *_CREAM, "#c97b4a"),
    "harbour": Palette("#35546a", "#4c7389", "#22394a", "#1a2d3b", *_CREAM, "#d9793f"),
    "plum": Palette("#714456", "#94616f", "#4a283b", "#3a1e2e", *_CREAM, "#e0a458"),
    "saffron": Palette("#e8b557", "#f5d68c", "#b0642a", "#925020", "#2f5d62", "#234a4e", "#f3e3c0"),
    "rose": Palette("#e4ac9d", "#f2cfc2", "#a04f58", "#853d47", *_CREAM, "#b4534f"),
    "lagoon": Palette("#86b3b2", "#bcd9d2", "#39707a", "#2c5b64", *_CREAM, "#e08a5b"),
    "oat": Palette("#d8c4a4", "#ebdcc1", "#8a6648", "#715238", "#3d5a6c", "#2f4757", "#ead9b8"),
    "forest": Palette("#3b5c50", "#557a6b", "#233f37", "#1a312b", *_CREAM, "#d98e4a"),
    "brick": Palette("#b9614a", "#d2866a", "#7b322c", "#642622", *_CREAM, "#e7b65c"),
    "sky": Palette("#a9c3d3", "#d3e2e8", "#5a7d95", "#49697f", *_CREAM, "#cf6f4e"),
    "olive": Palette("#b3ac70", "#d5d09d", "#68672f", "#545324", *_CREAM, "#b85b3a"),
    "dusk": Palette("#5b5f86", "#8183a3", "#3b3d5f", "#2e304d", *_CREAM, "#e8a66b"),
}
