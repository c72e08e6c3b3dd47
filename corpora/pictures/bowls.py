"""Dishes that are served in a bowl, a pot or a pan: see `motifs` for how each is placed."""

from __future__ import annotations

from corpora.pictures.draw import box, circle, dots, ellipse, group, line, shape, steam
from corpora.pictures.motifs import EGG, LEAF, LEAF_2, RED, WOOD, WOOD_2, YOLK
from corpora.pictures.palettes import Palette


def _bowl(p: Palette) -> str:
    """A bowl from the side, up to its rim; what is in it is drawn on top."""
    return (
        box(-24, 40, 48, 8, 3, p.shade)
        + shape("M-66-8H66C64 26 42 43 22 45H-22C-42 43-64 26-66-8Z", p.dish)
        + shape("M66-8C64 26 42 43 22 45H2C30 38 42 18 44-8Z", p.shade)
        + line("M-60 10C-55 24-45 33-36 37", p.trim, 4, 0.9)
        + ellipse(0, -8, 66, 15, p.shade)
    )


def noodles(p: Palette) -> str:
    return (
        steam((-30, -6, 18), -32)
        + line("M2-10 62-64M14-9 72-58", WOOD, 5)
        + _bowl(p)
        + ellipse(0, -8, 58, 11.5, "#c9803b")
        + line("M-44-9c9-7 16 5 26-1s16 5 25 0M-36-3c10-5 16 4 26 0s16 3 24-1M-30-14c9-3 14 2 22-1", "#f6dfa4", 3.6)
        + ellipse(28, -11, 15, 7.5, EGG)
        + ellipse(28, -11, 7.5, 4, YOLK)
        + shape("M-50-12l-4-24 17-4 5 25Z", "#2f4a3a")
        + dots("2,-14 8,-11 -4,-10 12,-16 46,-6", 2.4, LEAF)
    )


def soup(p: Palette) -> str:
    return (
        steam((-20, 4, 28), -30)
        + _bowl(p)
        + ellipse(0, -8, 58, 11.5, "#d8683a")
        + line("M-26-9c10-7 26-7 34-1s18 3 20-2", "#fff3dd", 4, 0.9)
        + dots("-34,-7 -8,-4 20,-5 38,-10", 2.4, LEAF_2)
        + line("M36-10 70-58", WOOD_2, 6)
        + ellipse(34, -9, 9, 4.5, WOOD)
    )


def poke(p: Palette) -> str:
    return (
        _bowl(p)
        + ellipse(0, -9, 58, 12, EGG)
        + "".join(
            box(x, y, 14, 11, 3, c) for x, y, c in ((-44, -17, "#e4604a"), (-30, -22, "#ee8460"), (-28, -11, RED))
        )
        + shape("M-6-10c4-16 26-18 32-6-6 8-24 12-32 6Z", "#a9c46c")
        + shape("M0-10c5-9 18-11 22-5-5 4-16 8-22 5Z", "#dbe6a2")
        + dots("34,-10 40,-13 43,-7 48,-11 37,-5", 3.4, "#f1a04b")
        + line("M-12-3c8-4 16 2 24-1", LEAF_2, 3.4)
        + dots("-38,-14 -24,-18 -22,-7", 1.3, EGG)
    )


def salad(p: Palette) -> str:
    return (
        shape("M-56-8c-16-20-2-40 16-36 2-18 30-24 40-8 14-12 36-4 34 12 20 0 26 20 16 34Z", LEAF)
        + shape("M-40-6c-8-16 4-28 16-24 6-12 24-10 28 0 14-6 26 6 22 20Z", "#93b865")
        + line("M-30-8c-2-10 0-16 6-24M6-8c0-12 2-20 8-28M36-8c2-8 4-14 2-22", LEAF_2, 3)
        + circle(-34, -22, 10, RED)
        + circle(-37, -25, 3, "#f09a83")
        + circle(34, -20, 9, RED)
        + ellipse(4, -18, 13, 9, "#f2e3c2")
        + ellipse(4, -18, 7, 5, YOLK)
        + _bowl(p).replace(ellipse(0, -8, 66, 15, p.shade), "")
        + line("M-64-8H64", p.shade, 5)
    )


def curry(p: Palette) -> str:
    return (
        steam((-26, 0, 26), -32)
        + group(
            ellipse(0, 0, 30, 15, "#e2b36c") + dots("-10,-4 6,-6 14,3 -6,5 2,0", 3.2, "#b9803c"),
            "translate(48 32) rotate(-10)",
        )
        + line("M-60-6c-14-2-18 12-6 18M40-6c14-2 18 12 6 18", "#c98d3c", 5)
        + shape("M-62-10H42C44 22 26 44-10 44S-64 22-62-10Z", "#d79a43")
        + shape("M42-10C44 22 26 44-10 44 16 34 24 12 22-10Z", "#b87c2e")
        + ellipse(-10, -10, 52, 13, "#b87c2e")
        + ellipse(-10, -10, 46, 10, "#d65f2c")
        + line("M-34-10c10-8 24-8 34-2s12 2 16-1", "#fbe6c6", 3.6)
        + shape("M-20-12c-2-8 4-13 11-13 1 7-4 13-11 13Z", LEAF)
        + shape("M-8-12c0-7 6-11 12-10-1 6-6 10-12 10Z", LEAF_2)
        + line("M-54 10c4 10 10 16 18 20", "#f3cd83", 4, 0.8)
    )


def hot_pot(p: Palette) -> str:
    return (
        steam((-34, 0, 34), -30)
        + shape("M-74-12H74C74 22 50 40 0 40S-74 22-74-12Z", "#34353b")
        + shape("M74-12C74 22 50 40 0 40 34 34 50 14 52-12Z", "#26272c")
        + ellipse(0, -12, 74, 17, "#4b4c55")
        + ellipse(0, -12, 66, 13.5, "#c8402f")
        + shape("M-66-12a66 13.5 0 0 1 66-13.5c-18 8 18 18 0 27A66 13.5 0 0 1-66-12Z", "#f0dcb6")
        + line("M0-25.500c-18 8 18 18 0 27", "#4b4c55", 4)
        + dots("18,-18 34,-12 22,-6 48,-14 40,-8", 3.4, "#f2b24a")
        + dots("-46,-12 -30,-17 -22,-9", 3, LEAF)
        + ellipse(-34, -9, 8, 3.4, "#c99560")
        + line("M-88-8c-6 2-6 10 6 12M88-8c6 2 6 10-6 12", "#34353b", 6)
        + box(-30, 38, 60, 8, 3, "#26272c")
        + line("M10-20 66-62M22-16 76-54", WOOD, 4.5)
    )


def tagine(p: Palette) -> str:
    return (
        shape("M-58 12C-40 8-18-18-8-52H8C18-18 40 8 58 12Z", p.trim)
        + shape("M58 12C40 8 18-18 8-52H0C4-18 16 8 22 12Z", p.edge, 0.35)
        + circle(0, -56, 10, p.trim)
        + line("M-40 2C-14 8 14 8 40 2M-24-16C-8-11 8-11 24-16", p.dish, 3.4)
        + dots("-20,-4 0,-2 20,-4 -8,-24 8,-24", 2.6, p.dish)
        + shape("M-72 14H72C70 34 48 46 0 46S-70 34-72 14Z", p.dish)
        + shape("M72 14C70 34 48 46 0 46 34 42 50 28 50 14Z", p.shade)
        + line("M-58 24c12 10 30 14 52 15", p.trim, 4, 0.8)
        + ellipse(0, 14, 72, 5, p.shade)
    )


def rice_pan(p: Palette) -> str:
    return (
        line("M-88 14c-8 0-8 14 4 14M88 14c8 0 8 14-4 14", "#3a3b42", 7)
        + ellipse(0, 28, 80, 22, "#26272c")
        + ellipse(0, 20, 80, 23, "#3a3b42")
        + ellipse(0, 19, 70, 18, "#eab54b")
        + dots("-50,16 -36,28 -16,10 4,30 26,12 44,24 56,16 -24,22 14,18 36,30 -6,20", 2.2, "#f9dc8f")
        + dots("-44,22 -8,30 30,22 50,20 0,8", 3.4, LEAF)
        + "".join(
            line(f"M{x} {y}c-4-14 18-20 22-6 2 8-6 12-11 8", "#ea7d58", 7) for x, y in ((-40, 18), (0, 22), (32, 16))
        )
        + shape("M-64 4a16 16 0 0 1 24-14Z", "#f3c545")
        + shape("M46-8a16 16 0 0 1 24 14Z", "#f3c545")
        + "".join(shape(f"M{x} 12c2-12 16-16 20-4-4 8-12 10-20 4Z", "#39424e") for x in (-16, 14))
    )


def stew(p: Palette) -> str:
    return (
        steam((-22, 2, 26), -34)
        + line("M-76 4h14M62 4h14", p.trim, 9)
        + shape("M-64-10H64V26q0 20-20 20H-44q-20 0-20-20Z", p.trim)
        + shape("M64-10V26q0 20-20 20H14q22-4 22-24V-10Z", p.edge, 0.3)
        + ellipse(0, -10, 64, 14, p.shade)
        + ellipse(0, -10, 57, 11, "#8e3b2a")
        + "".join(
            box(x, y, 15, 9, 4, c)
            for x, y, c in ((-38, -16, "#e38a3c"), (-14, -12, "#c9653f"), (8, -18, "#e38a3c"), (24, -11, "#d9b06a"))
        )
        + shape("M-6-14c0-10 8-14 16-12 0 8-8 14-16 12Z", LEAF)
        + line("M-52 8v16", "#fff", 4, 0.3)
    )
