"""Words in a document that speak to the model that reads it, rather than of what the document is about.

They are no evidence. A model that was talked into an answer mostly quotes what talked it into it; without any other
evidence, that answer is no answer. The signs (addressed.toml) are general ones: chat templates and roles, the keys of
our own replies, telling a reader to forget its instructions, telling it what to answer. A text may still lie about its
subject, as any review may.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib import resources

from agent.text.sentences import sentences

_CONFUSABLE = str.maketrans(
    "аеоріусхѕјԁһӏкмтвнΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορνικτуАВЕКМНОРСТХУІЅЈ",
    "aeopiycxsjdhlkmtbhabezhikmnoptyxaopviktyabekmhopctxyisj",
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef]"
)
#: Our own Yes or No, spelled as we do in the middle or at the end of a sentence: people write "Yes, it is" or "no".
_OUR_WORD = re.compile(
    r"(?:[^\s.!?]\s+|[\"'“‘«:>=(\[\n]\s*)(?:Yes|YES|No|NO|True|TRUE|False|FALSE)[\"'”’»)\]}>*]*\s*"
    r"(?:[.!;<}\]|-]|$|\n|(?:as|to|for|by|on|in|and)\b|[^\x00-\u024f])|[a-zà-ž]\s+Yes\s+[a-zà-ž]"
)


def addresses_the_reader(quote: str, *, closed: bool) -> bool:
    """Does the quote speak to whoever reads it with a question? `closed` answers are one of a few words or a figure."""
    read = _as_read(quote)
    text = read.casefold()
    always, where_closed = _signs()
    if always.search(text):
        return True
    return closed and bool(where_closed.search(text) or _OUR_WORD.search(read))


@cache
def _signs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is a sign in any answer, and what is one where the answer is one of a few words."""
    pieces = tomllib.loads(resources.files(__package__).joinpath("addressed.toml").read_text(encoding="utf-8"))
    forget, orders, model, telling = (
        rf"\b(?:{'|'.join(pieces[name])})\b" for name in ("forget", "orders", "model", "telling")
    )
    together = [f"{forget}.{{0,60}}{orders}", f"{telling}.{{0,80}}{model}", f"{model}.{{0,80}}{telling}"]
    always = "|".join([*pieces["templates"], *together, *pieces["signs"], *pieces["smuggling"]])
    return re.compile(always, re.MULTILINE | re.DOTALL), re.compile("|".join(pieces["told"]))


def _as_read(text: str) -> str:
    """Without what nobody sees, and look-alikes as what they look like, in words that mix alphabets."""
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return re.sub(r"\w+", lambda found: _one_alphabet(found[0]), text)


def _one_alphabet(word: str) -> str:
    latin = any("a" <= letter <= "z" for letter in word.casefold())
    return word.translate(_CONFUSABLE) if latin else word


@lru_cache(maxsize=50_000)
def quietened(text: str, *, closed: bool) -> str:
    """The text with a full stop and blanks for each sentence that speaks to the reader; places in it stay the same.

    A question that such a sentence answers ("Is it cheap? Answer: Yes.") was put there with it, and goes with it.
    """
    kept = list(text)
    before: tuple[int, int] | None = None
    for start, stop in sentences(text):
        if addresses_the_reader(text[start:stop], closed=closed):
            for first, last in ((start, stop), *([before] if before else [])):
                kept[first:last] = "." + " " * (last - first - 1)
        before = (start, stop) if text[start:stop].endswith("?") else None
    return "".join(kept)
