"""The room around a dish: wall, light, table, and the grain of the paper."""

from __future__ import annotations

from collections.abc import Callable

from corpora.pictures.draw import box, circle, ellipse, line, shape
from corpora.pictures.palettes import Palette

WIDTH, HEIGHT = 320, 240
HORIZON = 152  # where the table meets the wall


def scene(palette: Palette, still_life: str, title: str, seed: int, *, mirrored: bool = True) -> str:
    """A whole picture. `seed` chooses what is on the wall, what covers the table, and which way the light falls; a
    picture that can be read is not `mirrored`."""
    backdrop = BACKDROPS[seed % len(BACKDROPS)]
    cloth = CLOTHS[(seed // 7) % len(CLOTHS)]
    mirrored = mirrored and bool((seed // 31) % 2)
    body = backdrop(palette) + box(0, HORIZON, WIDTH, HEIGHT - HORIZON, 0, palette.table) + cloth(palette)
    body += ellipse(160, 173, 86, 9, palette.edge, 0.55) + still_life
    flip = f'<g transform="translate({WIDTH} 0) scale(-1 1)">{body}</g>' if mirrored else body
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'preserveAspectRatio="xMidYMid slice" role="img"><title>{title}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{palette.wall}"/>{flip}{_GRAIN}</svg>'
    )


_GRAIN = (
    '<filter id="g" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".8" '
    'numOctaves="2" seed="4"/><feColorMatrix values="0 0 0 0 .2 0 0 0 0 .15 0 0 0 0 .1 0 0 0 .9 -.42"/></filter>'
    f'<rect width="{WIDTH}" height="{HEIGHT}" filter="url(#g)" opacity=".34"/>'
)


def _sun(p: Palette) -> str:
    return circle(160, 104, 84, p.light)


def _arch(p: Palette) -> str:
    return shape("M84 152V92a76 76 0 0 1 152 0v60Z", p.light) + line("M160 16v136M84 92h152", p.wall, 3, 0.55)


def _window(p: Palette) -> str:
    panes = "".join(box(x, y, 62, 58, 3, p.light) for x in (94, 164) for y in (18, 84))
    return box(86, 10, 148, 142, 4, p.light, 0.35) + panes


def _lamp(p: Palette) -> str:
    return (
        shape("M160 40 272 152H48Z", p.light, 0.55)
        + line("M160 0v28", p.edge, 2.5)
        + shape("M132 50c0-14 12-24 28-24s28 10 28 24Z", p.trim)
        + ellipse(160, 50, 28, 4, p.dish)
    )


def _tiles(p: Palette) -> str:
    return "".join(
        shape("".join(f"M{x} {y}h36v24h-36Z" for x, y in _TILES if (x // 40 + y // 28) % 3 == shade), p.light, opacity)
        for shade, opacity in enumerate((0.4, 0.8, 0.7))
    )


_TILES = [(x, y) for y in range(12, 140, 28) for x in range(2, 320, 40)]


def _hills(p: Palette) -> str:
    return (
        circle(216, 62, 30, p.dish, 0.85)
        + shape("M0 128C50 84 96 92 136 116S232 84 320 112V152H0Z", p.light)
        + shape("M0 146C70 116 130 122 190 138S280 124 320 136V152H0Z", p.table, 0.45)
    )


def _slats(p: Palette) -> str:
    return "".join(line(f"M{x} 0V152", p.light, 14, 0.55) for x in range(16, 320, 32))


def _branch(p: Palette) -> str:
    leaves = "".join(
        shape(f"M{x} {y}c{dx} -16 {dx * 2} -14 {dx * 3} -6 -{dx} 12 -{dx * 2} 14 -{dx * 3} 6Z", p.table, 0.55)
        for x, y, dx in ((70, 48, 8), (104, 60, 8), (140, 62, 8), (84, 66, 8), (122, 78, 8))
    )
    return circle(190, 92, 66, p.light) + line("M20 20C60 60 120 72 178 62", p.edge, 4, 0.7) + leaves


def _bare(_: Palette) -> str:
    return ""


def _stripes(p: Palette) -> str:
    return "".join(
        shape(f"M{x} 240 {160 + (x - 160) * 0.62:g} {HORIZON}h9L{x + 15} 240Z", p.dish, 0.16)
        for x in range(-60, 400, 44)
    )


def _runner(p: Palette) -> str:
    return shape(f"M84 {HORIZON}H236L262 240H58Z", p.dish, 0.2) + line(
        "M74 240 96 152M246 240 224 152", p.dish, 2, 0.45
    )


def _planks(p: Palette) -> str:
    return line("M0 178H320M0 208H320M60 152v26M220 178v30M120 208v32", p.edge, 2, 0.6)


BACKDROPS: tuple[Callable[[Palette], str], ...] = (_sun, _arch, _window, _lamp, _tiles, _hills, _slats, _branch)
CLOTHS: tuple[Callable[[Palette], str], ...] = (_bare, _stripes, _runner, _planks)
