"""Motifs for what is not eaten: a pile of course books under a lamp, the post on a service desk, a carved letter."""

from __future__ import annotations

from html import escape

from corpora.pictures.draw import box, circle, ellipse, group, line, shape
from corpora.pictures.palettes import Palette


def books(p: Palette) -> str:
    standing = "".join(
        box(x, 46 - height, width, height, 2, colour)
        + line(f"M{x + 4} {46 - height + 12}h{width - 8}", p.dish, 2.4, 0.8)
        for x, width, height, colour in ((-70, 20, 82, "#2f6256"), (-48, 16, 72, p.trim), (-30, 22, 90, "#33476b"))
    )
    lying = (
        box(6, 30, 72, 16, 3, "#a4493a")
        + box(6, 34, 66, 8, 0, p.dish)
        + box(0, 12, 66, 18, 3, "#e0a458")
        + box(0, 17, 60, 8, 0, p.dish)
    )
    mug = (
        line("M52-10c14-2 14 16 0 16", p.shade, 5)
        + shape("M20-18H54V4q0 8-8 8H28q-8 0-8-8Z", p.dish)
        + line("M28-18 22-54M38-18 40-60M46-18 56-50", "#c4935a", 4)
        + shape("M22-54l-3-8 7 1ZM40-60l0-9 5 8Z", p.table)
        + ellipse(37, -18, 17, 4, p.shade)
    )
    return standing + lying + mug


def post(p: Palette) -> str:
    letter = (
        box(-36, -22, 72, 48, 4, p.dish)
        + shape("M-36-20 0 8 36-20q0-2-4-2H-32q-4 0-4 2Z", p.shade)
        + circle(0, 8, 7, "#b4493c")
    )
    bell = (
        ellipse(0, 22, 32, 6, "#3a3b42")
        + shape("M-26 18C-26-14 26-14 26 18Z", "#e0a93e")
        + shape("M26 18C26-6 12-8 4-6 14 0 16 10 16 18Z", "#c58a2b")
        + circle(0, -10, 5, "#3a3b42")
        + line("M-14 6c2-6 6-9 11-10", "#fff3cf", 3, 0.8)
    )
    return (
        group(letter, "translate(-26 -14) rotate(-12)")
        + group(letter, "translate(-20 12) rotate(5)")
        + group(bell, "translate(44 22)")
        + line("M-60-40c-4-10 4-20 12-26M-52-44c4-8 14-10 22-12", p.light, 3, 0.6)
    )


def letter(sign: str, p: Palette) -> str:
    """A letter as it stands on a table, with its shaded side."""
    family = "Georgia, 'Liberation Serif', 'Times New Roman', serif"
    return "".join(
        f'<text x="{x}" y="{y}" font-family="{family}" font-size="136" font-weight="700" text-anchor="middle" '
        f'fill="{colour}">{escape(sign)}</text>'
        for x, y, colour in ((5, 48, p.edge), (3, 47, p.shade), (0, 46, p.dish))
    )
