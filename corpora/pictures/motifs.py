"""What stands on the table: a small still life for each family of cuisines, in the colours of a palette.

Each motif is drawn around (0, 0), stands on y = 46 and keeps within 80 units of the centre, so that it survives being
cropped to a tall strip or a wide band.
"""

from __future__ import annotations

from corpora.pictures.draw import box, circle, dots, ellipse, group, line, shape, steam
from corpora.pictures.palettes import Palette

WOOD, WOOD_2 = "#c4935a", "#9d6f3e"
LEAF, LEAF_2 = "#6f9a4e", "#4c7a3c"
RED, EGG, YOLK, CRUST, INK = "#cf4b35", "#fff8ea", "#f2a83b", "#d99b52", "#2b2a2e"


def sushi(p: Palette) -> str:
    nigiri = (
        ellipse(0, 12, 25, 12, EGG)
        + shape("M-27 8C-22-9 16-12 28 3C31 9 20 13 0 13S-29 14-27 8Z", "#ee8460")
        + line("M-14 9C-11 1-7-2-2-4M0 10C2 1 7-3 12-4", "#fbd3bd", 3)
    )
    maki = box(-14, -6, 28, 26, 6, "#26342f") + ellipse(0, -5, 14, 8, EGG) + ellipse(0, -5, 6, 3.6, "#e5673f")
    return (
        box(-76, 34, 152, 12, 4, WOOD)
        + box(-60, 44, 14, 8, 2, WOOD_2)
        + box(46, 44, 14, 8, 2, WOOD_2)
        + group(nigiri, "translate(-40 12)")
        + group(nigiri, "translate(18 12) scale(.98)")
        + group(maki, "translate(60 14)")
        + group(maki, "translate(-12 -16) scale(.9)")
        + group(maki, "translate(18 -16) scale(.9)")
        + line("M-72 2 4-46M-62 8 18-44", p.trim, 4)
    )


def pizza(p: Palette) -> str:
    slices = line("M-62 16 62 16M0-22V52M-44-12 44 42M44-12-44 42", "#e0a23f", 1.8, 0.8)
    return group(
        ellipse(0, 22, 78, 46, p.dish)
        + ellipse(0, 18, 76, 43, p.shade)
        + ellipse(0, 16, 67, 38, "#d08b46")
        + ellipse(0, 14, 66, 36, CRUST)
        + ellipse(0, 14, 57, 30, "#d6512f")
        + ellipse(1, 13, 54, 28, "#f4c761")
        + slices
        + "".join(
            ellipse(x, y, 9, 5.4, "#b8372b") + ellipse(x - 1, y - 1, 6, 3.2, RED)
            for x, y in ((-30, 6), (4, -4), (34, 8), (-8, 20), (22, 30), (-26, 32))
        )
        + "".join(
            shape(f"M{x} {y}c5-7 12-7 15-3-3 5-10 7-15 3Z", LEAF) for x, y in ((-14, 6), (14, 16), (-44, 20), (2, 34))
        ),
        "translate(0 -4)",
    )


def pasta(p: Palette) -> str:
    return (
        ellipse(0, 30, 78, 20, p.shade)
        + ellipse(0, 27, 78, 19, p.dish)
        + ellipse(0, 26, 56, 12, p.shade)
        + shape("M-44 26C-46-8-20-26 2-26S46-6 44 26C24 36-24 36-44 26Z", "#efc46a")
        + line(
            "M-38 20C-20 6 14 6 36 18M-40 8C-22-6 20-6 38 8M-30-6C-14-18 16-18 30-6M-42 28C-20 16 22 16 42 26"
            "M-16-16C-6-8 0 6-8 20M10-18C2-6 14 8 26 12",
            "#c98f35",
            2.6,
        )
        + shape("M-22-20c6-12 36-14 46 0-4 10-12 4-18 8s-20 4-28-8Z", "#cc4f33")
        + shape("M-4-30c2-10 12-14 20-12 0 8-8 16-20 12Z", LEAF)
        + shape("M-6-30c-6-8-16-8-20-4 2 8 12 10 20 4Z", LEAF_2)
        + line("M56-58V10", "#d9d4c8", 4)
        + line("M49-58v16q0 6 7 6t7-6v-16", "#d9d4c8", 3.4)
    )


def tacos(p: Palette) -> str:
    taco = (
        shape("M-34 28C-38-12 34-16 38 26 20 16-14 18-34 28Z", "#d99a3d")
        + dots("-24,2 -10,-8 8,-10 22,-2 -30,14 32,10", 7.5, LEAF)
        + dots("-16,-4 0,-10 16,-8 28,5", 5, RED)
        + dots("-6,-9 10,-9 -24,8", 3.4, EGG)
        + shape("M-38 32C-40-8 30-8 36 32 20 36-22 36-38 32Z", "#f0bd5b")
        + dots("-14,16 4,10 16,20 -4,24 26,26 -26,25", 1.7, "#c98a34")
    )
    return (
        ellipse(0, 42, 80, 12, p.shade)
        + ellipse(0, 39, 80, 11, p.dish)
        + group(taco, "translate(-30 4) rotate(-8) scale(.92)")
        + group(taco, "translate(30 6) rotate(6) scale(.98)")
        + shape("M56 34a15 15 0 0 1 22-18Z", "#8db54f")
        + shape("M60 31a10 10 0 0 1 14-12Z", "#d8e6a0")
    )


def fish(p: Palette) -> str:
    return (
        ellipse(0, 30, 80, 17, p.shade)
        + ellipse(0, 26, 80, 17, p.dish)
        + shape("M-62 6C-44-26 8-34 40-4L66-22C64-4 64 12 68 28L40 12C8 40-44 34-62 6Z", "#6f98a8")
        + shape("M-62 6C-44 34 8 40 40 12L68 28C60 18 44 8 30 8-2 12-40 12-62 6Z", "#d5e2e2")
        + line("M-34-10C-28 0-28 12-34 20", "#4f7685", 3)
        + circle(-46, 1, 4, INK)
        + line(
            "M-12-10c6 3 6 8 0 11M4-12c6 3 6 8 0 11M20-8c6 3 6 7 0 9M-4 4c6 2 6 6 0 8M12 4c6 2 6 6 0 8",
            "#d5e2e2",
            2.4,
            0.8,
        )
        + shape("M36 38a16 16 0 0 1 32-6Z", "#f3c545")
        + shape("M41 36a11 11 0 0 1 22-4Z", "#fbe9a8")
        + line("M-60 32c12-8 20 4 32-4M-52 38c8-6 14 2 22-3", LEAF, 4)
    )


def bread(p: Palette) -> str:
    return (
        box(-80, 36, 160, 10, 4, WOOD_2)
        + shape("M-74 34C-84 4-56-22-20-20S34 0 26 34C0 40-50 40-74 34Z", "#c5833f")
        + shape("M-70 28C-76 4-54-16-20-15S26 2 22 26C0 14-50 14-70 28Z", "#dda45f")
        + line("M-50-8c10 4 14 12 12 20M-26-14c10 5 14 14 12 22M0-10c8 5 11 12 9 20", "#f7dfb2", 5)
        + shape("M18 36c-8-24 8-50 34-44 20 4 30 24 24 44-10 6-18-2-18-10-4-12-16-10-18 0 0 10-12 16-22 10Z", "#d5924a")
        + line("M28 12c6 2 10 6 11 13M40 0c6 4 8 12 8 18M56-1c0 8-2 14-4 19M68 10c-5 3-9 8-11 14", "#a9672c", 3)
        + line("M-58 24c24-8 48-8 68-2", "#c5833f", 2.4, 0.6)
    )


def ice_cream(p: Palette) -> str:
    return (
        box(-7, 26, 14, 18, 2, p.shade)
        + ellipse(0, 45, 32, 6, p.dish)
        + circle(-20, -16, 25, "#f0b9ae")
        + circle(20, -16, 25, "#efdcb4")
        + circle(0, -38, 25, "#8a5a44")
        + circle(-8, -46, 7, "#fff", 0.25)
        + circle(-30, -24, 6, "#fff", 0.35)
        + circle(0, -66, 8, "#b4293a")
        + line("M0-72c4-8 10-10 16-8", LEAF_2, 3)
        + shape("M-50-10H50C48 16 28 28 0 28S-48 16-50-10Z", p.dish)
        + shape("M50-10C48 16 28 28 0 28 22 20 30 6 30-10Z", p.shade)
        + line("M-40 4c8 9 18 12 28 13", p.trim, 4, 0.9)
        + shape("M30-30 58-70l10 7L42-20Z", "#d9a35a")
        + line("M38-34l10 7M46-46l10 7M54-58l9 6", "#b57a35", 2)
    )


def cake(p: Palette) -> str:
    return (
        box(-8, 30, 16, 14, 2, p.shade)
        + ellipse(0, 46, 36, 6, p.shade)
        + ellipse(0, 30, 74, 11, p.shade)
        + ellipse(0, 27, 74, 11, p.dish)
        + shape("M-46 24V-10L44-18V22C20 30-20 30-46 24Z", "#e9c38b")
        + shape("M-46-10 30-42q14 6 14 24L-46-10Z", "#f6ded4")
        + shape("M-46 2 44-6V4L-46 11Z", "#c4545c")
        + shape("M-46-10 44-18v7c-8 8-12-1-20 3s-12 6-20 1-14 7-22 3-14 6-28-2Z", "#f6ded4")
        + circle(14, -42, 10, RED)
        + shape("M8-50c4-6 12-6 15 0-4 4-10 4-15 0Z", LEAF)
        + dots("-30,17 -12,19 8,18 28,14", 2, "#cf9f60")
    )


def steak(p: Palette) -> str:
    return (
        box(-80, 32, 160, 14, 7, WOOD)
        + circle(68, 39, 3.6, WOOD_2)
        + shape("M-62 22C-72-4-44-30-8-24 20-40 62-26 60 2 60 22 36 30 8 28-14 34-54 40-62 22Z", "#f0d9c0")
        + shape("M-56 18C-62-4-40-22-8-17 20-32 54-20 52 2 50 16 30 22 8 20-16 26-50 32-56 18Z", "#9c3f35")
        + shape("M-46 14C-50 0-34-12-8-9 14-20 42-12 42 0 40 10 24 14 6 13-14 18-40 24-46 14Z", "#c0594a")
        + line("M-34-14 8 24M-10-18 28 20M18-26 48 8", "#6b2723", 4.5, 0.75)
        + ellipse(22, -6, 9, 6, "#f6ded4")
        + line("M-70-34C-50-30-40-40-22-36M-58-33l-4-9M-48-34l2-9M-40-36l-2-9M-32-36l6-8", LEAF_2, 3.6)
    )


def barbecue(p: Palette) -> str:
    return (
        shape("M-24 0C-44-22-18-34-22-58-2-48 0-34 6-26c4-8 2-16-2-24C30-36 40-12 22 2Z", "#e8743b")
        + shape("M-14 0c-8-14 6-22 6-34C4-24 8-16 8-10c6-4 7-8 6-14C26-12 22 0 12 4Z", "#f8c251")
        + shape("M-70-2H70C66 22 44 34 0 34S-66 22-70-2Z", "#3a3b42")
        + shape("M70-2C66 22 44 34 0 34 30 28 46 14 48-2Z", "#28292e")
        + line("M-76-3H76", "#55565e", 6)
        + line("M-36 30-46 46M36 30 46 46", "#28292e", 6)
        + line("M-64-14 40-10M-44-28 66-22", WOOD, 3.4)
        + "".join(
            box(x, y, 17, 14, 5, c)
            for x, y, c in ((-50, -21, "#a8472f"), (-30, -20, "#e3b341"), (-10, -19, "#a8472f"), (10, -19, "#7aa04f"))
        )
        + "".join(
            box(x, y, 17, 14, 5, c)
            for x, y, c in ((-24, -34, "#b9533a"), (-4, -33, "#7aa04f"), (16, -32, "#b9533a"), (36, -31, "#e3b341"))
        )
    )


def dumplings(p: Palette) -> str:
    dumpling = (
        shape("M-24 12C-26-8-10-18 0-18S26-8 24 12C12 18-12 18-24 12Z", EGG)
        + shape("M24 12C12 18-4 18-12 15 8 12 14 0 10-14 20-10 25 0 24 12Z", "#ead9bd")
        + line("M0-18C-4-12-8-8-14-6M0-18C0-11-1-6-3-2M0-18C4-12 8-8 14-6", "#cdb48c", 2.4)
    )
    return (
        steam((-26, 2, 30), -34)
        + group(dumpling, "translate(-32 -6)")
        + group(dumpling, "translate(32 -6)")
        + group(dumpling, "translate(0 -12) scale(1.1)")
        + box(-72, 2, 144, 44, 8, WOOD)
        + box(-72, 2, 144, 12, 6, "#d8ac73")
        + box(-72, 32, 144, 14, 6, WOOD_2)
        + line("M-44 14v18M-16 14v18M14 14v18M42 14v18", WOOD_2, 3, 0.6)
        + line("M-70 8H70", "#f0d3a2", 2.4, 0.8)
    )


def burger(p: Palette) -> str:
    return (
        ellipse(0, 44, 74, 8, p.shade)
        + ellipse(0, 42, 74, 8, p.dish)
        + shape("M-52 24H52v6q0 12-14 12H-38q-14 0-14-12Z", "#d08a45")
        + box(-58, 10, 116, 17, 8, "#6d3a2a")
        + shape("M-58 8H58L40 14 26 24 12 12-14 13Z", "#f4bd45")
        + line("M-56 4c10-8 14 6 24 0s14 6 24 0 14 6 24 0 14 6 24 0 8 2 14 0", LEAF, 8)
        + line("M-50-4H50", RED, 7)
        + shape("M-56-8C-56-40-30-54 0-54S56-40 56-8Z", "#dd9c55")
        + shape("M56-8C56-40 30-54 0-54 24-46 34-28 34-8Z", "#c8853f")
        + "".join(
            group(ellipse(0, 0, 3.6, 2, EGG), f"translate({x} {y}) rotate({a})")
            for x, y, a in (
                (-28, -34, -30),
                (-8, -44, 0),
                (10, -34, 20),
                (-16, -24, 10),
                (-38, -20, -20),
                (26, -24, 30),
            )
        )
    )


def mezze(p: Palette) -> str:
    falafel = "".join(
        circle(x, y, 11, "#8a5a2e") + circle(x - 3, y - 3, 5, "#a8733f") for x, y in ((40, 22), (60, 26), (50, 8))
    )
    return (
        ellipse(0, 36, 80, 12, p.shade)
        + ellipse(0, 33, 80, 12, p.dish)
        + ellipse(8, -4, 38, 40, "#c9985a")
        + ellipse(5, -6, 37, 39, "#e4bd81")
        + dots("-4,-32 14,-24 -2,-16 24,-14 12,-36 16,-4 28,-26", 3, "#c1904c")
        + shape("M-70 4H-4C-4 26-18 36-37 36S-70 26-70 4Z", p.trim)
        + ellipse(-37, 4, 33, 9, "#f1dfb4")
        + line("M-56 4c8-5 14 4 22 0s10-3 14 0", "#cda55f", 3)
        + ellipse(-36, 3, 6, 2.6, "#9aa83f")
        + falafel
        + line("M14 34c8-8 14 0 22-4M6 38c6-5 10 0 16-2", LEAF, 4)
    )


def breakfast(p: Palette) -> str:
    return (
        line("M58 20 96 8", "#34353b", 9)
        + ellipse(0, 30, 70, 19, "#26272c")
        + ellipse(0, 24, 70, 19, "#3a3b42")
        + ellipse(0, 23, 60, 14, "#4b4c55")
        + shape("M-48 20C-48 6-24 4-10 10 6-2 44 4 46 18 48 32 22 34 6 30-12 38-48 36-48 20Z", EGG)
        + ellipse(-18, 19, 14, 8, YOLK)
        + ellipse(20, 16, 14, 8, YOLK)
        + ellipse(-22, 16, 5, 2.6, "#fbd78e")
        + ellipse(16, 13, 5, 2.6, "#fbd78e")
        + dots("-4,24 4,12 34,22 -34,24 0,18", 1.5, INK)
        + line("M-34 30c10-6 16 3 26-1s14 2 20-1", "#b4493c", 6)
        + line("M-33 29c10-5 16 3 25-1s13 2 19-1", "#f3cdbb", 1.8)
        + steam((-20, 6, 30), -6)
    )


def sandwich(p: Palette) -> str:
    return (
        ellipse(0, 42, 78, 10, p.shade)
        + ellipse(0, 39, 78, 10, p.dish)
        + shape("M-62 30 8-42q6-4 12 2L66 30Z", "#e3b878")
        + shape("M-52 28 8-34q6-4 10 0L56 28Z", "#f6e2bd")
        + shape("M-62 30H66V20L58 18H-52Z", "#c98d49")
        + line("M-54 20c9-7 14 6 24 0s14 6 24 0 14 6 24 0 14 6 24 0 6 2 10 0", LEAF, 7)
        + line("M-50 29H56", "#d9705c", 8)
        + shape("M-62 34H66q0 9-8 9H-54q-8 0-8-9Z", "#d8a563")
        + line("M6-70V-34", WOOD_2, 3)
        + circle(6, -62, 8, "#6f8f3f")
        + circle(8, -60, 2.6, RED)
    )


def chicken(p: Palette) -> str:
    drumstick = (
        line("M0-18V-46", "#f3e6cd", 9)
        + circle(-5, -49, 6.5, "#f3e6cd")
        + circle(5, -49, 6.5, "#f3e6cd")
        + shape("M-8-26C-30-10-30 30 0 32 30 30 30-10 8-26Z", "#b9692c")
        + shape("M-4-18C-22-6-24 18-8 24-10 8-6-6-4-18Z", "#d38b45")
        + dots("4,-4 12,8 2,14 10,20 -2,24", 2.2, "#8a4718")
    )
    return (
        ellipse(0, 40, 80, 12, p.shade)
        + ellipse(0, 37, 80, 12, p.dish)
        + group(drumstick, "translate(-34 4) rotate(-24)")
        + group(drumstick, "translate(34 4) rotate(24)")
        + group(drumstick, "translate(0 8)")
        + line("M-60 36c8-7 14 2 24-3M40 37c8-6 14 2 22-3", LEAF, 4)
    )


def plate(p: Palette) -> str:
    return (
        ellipse(0, 16, 66, 36, p.shade)
        + ellipse(0, 12, 66, 36, p.dish)
        + ellipse(0, 12, 45, 24, p.shade)
        + ellipse(0, 13, 44, 23, p.dish)
        + shape("M-26 14C-24-4 4-10 14 2 24 14 0 26-14 22Z", "#cf8a4c")
        + shape("M8 20c0-12 14-18 24-10 0 10-14 16-24 10Z", LEAF)
        + dots("-12,26 0,28 12,26", 3.4, RED)
        + line("M-84-14V44M-92-14v14q0 8 8 8t8-8v-14", "#efe9dc", 4)
        + line("M84 44V-14c-10 4-10 26 0 30", "#efe9dc", 4.5)
    )
