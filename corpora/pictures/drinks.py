"""Motifs for places one goes to for a drink: coffee, tea, wine, cocktails, beer."""

from __future__ import annotations

from corpora.pictures.draw import box, circle, dots, ellipse, group, line, shape, steam
from corpora.pictures.motifs import EGG, LEAF, LEAF_2, WOOD
from corpora.pictures.palettes import Palette


def coffee(p: Palette) -> str:
    return (
        steam((-16, 4, 22), -32)
        + ellipse(0, 40, 72, 11, p.shade)
        + ellipse(0, 37, 72, 10, p.dish)
        + line("M44-8c30-6 30 30-4 28", p.shade, 8)
        + shape("M-48-18H48C48 16 34 34 20 36H-20C-34 34-48 16-48-18Z", p.dish)
        + shape("M48-18C48 16 34 34 20 36H2C24 28 30 8 30-18Z", p.shade)
        + ellipse(0, -18, 48, 11, p.shade)
        + ellipse(0, -17, 42, 8.5, "#6b4026")
        + shape("M0-12C-18-14-18-24-7-24-2-24 0-21 0-20 0-21 2-24 7-24 18-24 18-14 0-12Z", "#e6c79c")
        + line("M-34 2h26", p.trim, 4, 0.8)
        + group(box(-10, -6, 20, 12, 4, "#b87a42"), "translate(56 32) rotate(-14)")
    )


def tea(p: Palette) -> str:
    return (
        steam((52, 62), -2)
        + line("M-44-6c-30-4-34 34 2 34", p.trim, 7)
        + shape("M34-4c16 4 14-18 30-20l4 8c-12 2-8 28-30 30Z", p.shade)
        + shape("M-48 4C-48-40 40-40 40 4 40 30 26 44 12 46H-20C-34 44-48 30-48 4Z", p.dish)
        + shape("M40 4c0 26-14 40-28 42H-6C22 38 26 8 14-24 32-20 40-10 40 4Z", p.shade)
        + shape("M-26-27C-22-36 14-36 18-27 6-23-14-23-26-27Z", p.trim)
        + circle(-4, -38, 5, p.trim)
        + shape("M44 22h34c0 14-6 22-10 24H54c-6-2-10-10-10-24Z", p.dish)
        + ellipse(61, 22, 17, 5, p.shade)
        + ellipse(61, 22.5, 14, 3.5, "#b9752f")
        + line("M-30 8c8 8 18 8 26 2", p.trim, 3.4, 0.7)
    )


def bubble_tea(p: Palette) -> str:
    return (
        line("M10-44 22-70", p.trim, 8)
        + shape("M-36-38H36L26 42q-1 4-5 4H-21q-4 0-5-4Z", "#fff", 0.35)
        + shape("M-33-16H33L25 41q-1 3-4 3H-21q-3 0-4-3Z", "#d9ab7a")
        + shape("M-33-16C-20-6-6-24 8-16S26-14 33-16L31-2C14 6-16-8-31 0Z", "#f1dcc0")
        + dots("-16,36 -4,38 8,36 18,38 -12,26 2,28 14,27 -20,25 -6,17 10,18", 5.2, "#3b2a26")
        + line("M12-40 2 24", p.trim, 7, 0.85)
        + box(-42, -44, 84, 9, 4, p.dish)
        + line("M-26-10-21 30", "#fff", 4, 0.4)
    )


def wine(p: Palette) -> str:
    return (
        shape("M-46-62h16v22c0 8 14 14 14 28v54q0 6-6 6h-32q-6 0-6-6v-54c0-14 14-20 14-28Z", "#2f4a3a")
        + box(-58, 0, 40, 28, 2, "#f3e6c8")
        + line("M-50 9h24M-50 17h16", p.table, 3)
        + box(-47, -66, 18, 12, 3, "#8f2f3c")
        + line("M-54-4v42", "#fff", 3, 0.25)
        + line("M32 8v34M14 45h36", "#fff", 4.5, 0.85)
        + shape("M8-46H56C60-8 50 10 32 10S4-8 8-46Z", "#fff", 0.35)
        + shape("M6-24H58C57-2 48 8 32 8S7-2 6-24Z", "#9b2f45")
        + ellipse(32, -24, 26, 5, "#b8475a")
        + line("M14-38c-2 12-1 22 2 30", "#fff", 3, 0.55)
    )


def cocktail(p: Palette) -> str:
    return (
        line("M-22 6v36M-42 45h40", "#fff", 4.5, 0.9)
        + shape("M-60-32H16C16-8-2 8-22 8S-60-8-60-32Z", "#fff", 0.35)
        + shape("M-57-24H13C10-4-4 5-22 5S-54-4-57-24Z", "#ef8c4f")
        + ellipse(-22, -24, 35, 5, "#f8b77c")
        + circle(16, -36, 15, "#f2b544")
        + circle(16, -36, 11.5, "#fbe0a0")
        + line("M16-47v22M5-36h22M8-44l16 16M24-44 8-28", "#f2b544", 1.8)
        + shape("M34-8h32l-3 50q0 4-4 4H41q-4 0-4-4Z", "#fff", 0.4)
        + shape("M36 8h28l-2 34q0 2-3 2H41q-3 0-3-2Z", "#c9d8a2")
        + box(42, 12, 12, 11, 2, "#fff", 0.6)
        + box(48, 25, 11, 10, 2, "#fff", 0.5)
        + shape("M46-6c-6-10-2-20 6-24 5 8 4 18-6 24Z", LEAF)
        + shape("M52-6c2-10 10-14 18-12-1 9-9 14-18 12Z", LEAF_2)
    )


def beer(p: Palette) -> str:
    return (
        line("M30-12h18q10 0 10 10v16q0 10-10 10H30", "#fff", 8, 0.75)
        + box(-38, -32, 70, 78, 8, "#e6a234")
        + box(14, -32, 18, 78, 8, "#cc8523")
        + line("M-22-8v40M-6-8v40M10-8v40", "#f6c766", 6, 0.8)
        + shape(
            "M-44-26c-4-16 12-24 20-16 4-14 26-14 30-2 10-8 28 0 24 16-2 10-14 10-18 4-2 12-14 12-18 2-6 8-16 6"
            "-18-2-6 6-18 6-20-2Z",
            EGG,
        )
        + dots("-26,10 -10,24 6,2 -16,32", 2, "#fff3cf")
        + shape("M48 46c-8-10 2-22 12-18 10-8 22 4 16 14-2 4-20 6-28 4Z", WOOD)
        + line("M52 42c6-8 12 2 20-8", "#fff1d5", 2.4)
    )
