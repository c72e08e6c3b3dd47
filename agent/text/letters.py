"""Letters without their accents: how words are compared, on whatever keyboard either was typed."""

from __future__ import annotations

import re
import unicodedata

#: A letter of any script with the marks that a decomposed text writes after it, as a part of a regular expression.
LETTER = r"(?:[^\W\d_][\u0300-\u036f]*)"

# Letters that Unicode does not take apart into another and a mark.
_WHOLE = str.maketrans({
    "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ı": "i", "ß": "ss",
    "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
})  # fmt: skip


def unaccented(text: str) -> str:
    """Return the text with each letter as its plain one: "Phở đặc biệt" is "Pho dac biet". Case stays."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).translate(_WHOLE)


def fold(words: str) -> str:
    """Lower case without accents, curly quotes or hyphens: how words are compared."""
    plain = unaccented(words.replace("’", "'").replace("‘", "'")).lower()
    return " ".join(re.sub(r"[-‐‑_]", " ", plain).split())
