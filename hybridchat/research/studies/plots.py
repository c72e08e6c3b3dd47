"""Small plots as SVG, drawn by the server: bars, and a line that steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

ROW, LABEL, BAR, VALUE = 28, 190, 380, 150  # pixels: the height of a bar, and the widths beside one another
WIDTH, HEIGHT, MARGIN = 680, 160, 28


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; `note` stands behind it."""

    label: str
    value: float
    note: str


def bars(title: str, rows: Sequence[Bar]) -> SafeString:
    """Horizontal bars from one zero, each with its label and its value in words."""
    most = max((row.value for row in rows), default=0) or 1
    drawn = format_html_join(
        "",
        '<text class="plot__label" x="{}" y="{}">{}</text><rect class="plot__bar" x="{}" y="{}" width="{}" height="18" '
        'rx="3"/><text class="plot__value" x="{}" y="{}">{}</text>',
        (
            (
                LABEL - 10,
                place * ROW + 18,
                row.label,
                LABEL,
                place * ROW + 5,
                round(max(BAR * row.value / most, 1), 1),
                round(LABEL + BAR * row.value / most + 8, 1),
                place * ROW + 18,
                row.note,
            )
            for place, row in enumerate(rows)
        ),
    )
    told = "; ".join(f"{row.label}: {row.note}" for row in rows)
    return _drawn(title, told, LABEL + BAR + VALUE, len(rows) * ROW + 4, drawn)


def steps(title: str, counts: Sequence[tuple[str, int]]) -> SafeString:
    """How a count grew: one step for each (moment, count), the first and the last moment written below."""
    if not counts:
        return SafeString("")
    most, last = max(count for _, count in counts) or 1, max(len(counts) - 1, 1)
    wide, high = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    points = [
        (MARGIN + wide * place / last, HEIGHT - MARGIN - high * count / most) for place, (_, count) in enumerate(counts)
    ]
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in points[1:])
    drawn = format_html(
        '<path class="plot__axis" d="M{m} {base}H{right}"/><path class="plot__line" d="{path}"/>'
        '<text class="plot__label plot__label--begins" x="{m}" y="{below}">{first}</text>'
        '<text class="plot__label" x="{right}" y="{below}">{end}</text>'
        '<text class="plot__value" x="{m}" y="16">{most}</text>',
        m=MARGIN,
        base=HEIGHT - MARGIN,
        right=WIDTH - MARGIN,
        path=path,
        below=HEIGHT - 8,
        first=counts[0][0],
        end=counts[-1][0],
        most=most,
    )
    return _drawn(title, f"from {counts[0][0]} to {counts[-1][0]}, in all {counts[-1][1]}", WIDTH, HEIGHT, drawn)


def _drawn(title: str, told: str, width: float, height: float, inside: SafeString) -> SafeString:
    return format_html(
        '<svg class="plot" role="img" viewBox="0 0 {} {}" aria-label="{}: {}">{}</svg>',
        width,
        height,
        title,
        told,
        inside,
    )
