"""Numerals in the conventions of many countries: "1,200.50", "1.200,50", "1 200,50", "1’200.50", "12,50".

Where both marks stand in a numeral, the last one is the decimal mark; one that is repeated parts thousands. A single
comma before three digits parts thousands ("1,200"), and so does a single point before three digits of a sum of money
("1.200 €"); any other single mark is a decimal mark.
"""

from __future__ import annotations

from decimal import Decimal

SIGNS = "$€£¥₹₽₩₺₴₫₱₪₦฿₡₲₵₸"  # of money
SCALES = {
    "hundred": 100, "thousand": 1_000, "tsd": 1_000, "k": 1_000, "lakh": 10**5, "million": 10**6, "mio": 10**6,
    "mn": 10**6, "crore": 10**7, "billion": 10**9, "bn": 10**9, "mrd": 10**9, "trillion": 10**12, "dozen": 12,
}  # fmt: skip
_GROUPS = r"[’'\u00a0\u202f ]"
NUMERAL = (  # within a larger pattern; not cut out of a longer run of digits and marks
    rf"\d{{1,3}}(?:{_GROUPS}\d{{3}})+(?:[.,]\d+)?(?!\d)"
    r"|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?!\d)"  # 1,200.50 and 12,34,567
    r"|\d{1,3}(?:\.\d{3})+(?:,\d+)?(?!\d)"
    r"|\d+,\d{1,2}(?![\d,]|\.\d)"
    r"|\d+(?:\.\d+)?"
)


def read_numeral(written: str, *, money: bool = False) -> Decimal:
    """Return the value of what `NUMERAL` matches."""
    plain = "".join(character for character in written if character.isdigit() or character in ".,")
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return Decimal(plain)
    mark, after = plain[last], len(plain) - last - 1
    repeated = plain.count(mark) > 1
    both = "." in plain and "," in plain
    parts = (mark == "," or money) and after == 3 and not plain.startswith("0")
    if repeated or (parts and not both):
        return Decimal(plain.replace(".", "").replace(",", ""))
    return Decimal(plain[:last].replace(".", "").replace(",", "") + "." + plain[last + 1 :])
