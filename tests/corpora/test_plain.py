"""Texts are stored as people read them."""

from __future__ import annotations

import json

import pytest

from corpora.loading.corpora import SAMPLE
from corpora.plain import plain


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p>The <b>green curry</b> was hot &amp; lovely.<br>The room was hushed.</p>",
         "The green curry was hot & lovely.\nThe room was hushed."),
        ("<p>One.</p><p>Two.</p>", "One.\n\nTwo."),
        ("Before<ul><li>first</li><li>second</li></ul>after", "Before\n- first\n- second\n\nafter"),
        ("<table><tr><td>Mon</td><td>9-5</td></tr><tr><td>Tue</td><td>shut</td></tr></table>", "Mon 9-5\nTue shut"),
        ("Fine.<script>alert('x')</script><style>b{}</style>", "Fine."),
        ("Fine.<!-- hidden --> Really.", "Fine. Really."),
        ("Fish &amp; chips, caf&eacute;, it&#39;s good", "Fish & chips, café, it's good"),
        ("<p>Due <strong>Sept. 4</strong>.</p>\n\n### Exceptions\n{: .x }\n\n* <u>If you drop</u> before it, ask.",
         "Due Sept. 4.\n\nExceptions\n\n* If you drop before it, ask."),
        ('<a href="javascript:x">the menu</a>', "the menu"),
        ("5 < 6 and 7 > 3, <3 it, a<b, AT&T, R&D; #1 of all", "5 < 6 and 7 > 3, <3 it, a<b, AT&T, R&D; #1 of all"),
        ("  two  spaces\tstay ", "  two  spaces\tstay "),
        ("<unclosed <b>bold", "<unclosed bold"),
        ("a<b and c>d, <unknown>, <i class=x>it</i>", "a<b and c>d, <unknown>, it"),
        ("<p>", ""),
    ],
)  # fmt: skip
def test_a_text_is_read_without_its_marks(written: str, read: str) -> None:
    assert plain(written) == read


@pytest.mark.parametrize("written", ["<p>a<br>b</p>", "### A\n\nb", "x &amp; y", "{: .a }\nb"])
def test_cleaning_twice_is_cleaning_once(written: str) -> None:
    assert plain(plain(written)) == plain(written)


def test_the_samples_are_plain_already() -> None:
    for file in SAMPLE.rglob("*.jsonl"):
        for line in file.read_text().splitlines():
            for text in strings(json.loads(line)):
                assert plain(text) == text


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in strings(one)]
