"""The few shapes that every drawing is made of, as SVG elements with presentation attributes only.

No `style` attributes: the pictures are served under the site's Content-Security-Policy, which allows none.
"""

from __future__ import annotations


def ellipse(cx: float, cy: float, rx: float, ry: float, fill: str, opacity: float = 1) -> str:
    """Return a filled ellipse."""
    return f'<ellipse cx="{cx:g}" cy="{cy:g}" rx="{rx:g}" ry="{ry:g}" fill="{fill}"{_opacity(opacity)}/>'


def circle(cx: float, cy: float, r: float, fill: str, opacity: float = 1) -> str:
    """Return a filled circle."""
    return f'<circle cx="{cx:g}" cy="{cy:g}" r="{r:g}" fill="{fill}"{_opacity(opacity)}/>'


def shape(d: str, fill: str, opacity: float = 1) -> str:
    """Return a filled path."""
    return f'<path d="{d}" fill="{fill}"{_opacity(opacity)}/>'


def line(d: str, stroke: str, width: float, opacity: float = 1) -> str:
    """Return a stroked path with round ends."""
    return (
        f'<path d="{d}" fill="none" stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round" '
        f'stroke-linejoin="round"{_opacity(opacity)}/>'
    )


def box(x: float, y: float, width: float, height: float, radius: float, fill: str, opacity: float = 1) -> str:
    """Return a filled rectangle with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
        f'fill="{fill}"{_opacity(opacity)}/>'
    )


def dots(places: str, r: float, fill: str) -> str:
    """Small circles of one size; `places` reads "x,y x,y ..."."""
    return "".join(circle(*(float(n) for n in place.split(",")), r, fill) for place in places.split())


def group(body: str, transform: str) -> str:
    """Shapes moved together."""
    return f'<g transform="{transform}">{body}</g>'


def steam(xs: tuple[float, ...], y: float) -> str:
    """Wisps of steam that rise from the height `y`."""
    return "".join(line(f"M{x:g} {y:g}c-8-9 8-14 0-24s4-12 1-16", "#fff", 4, 0.5) for x in xs)


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{opacity:g}"'
