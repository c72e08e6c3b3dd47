"""Messages made to be slow to read: over 200 families, each of any length.

A family is a unit that is said over and over, with what stands before and after it. They were chosen for what makes
readers of text slow: one thing that may be read as several, a long way to go before it is known that nothing follows,
and much to look at twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import NamedTuple


class Family(NamedTuple):
    """`lead`, then `unit` over and over (its `{n}` is a number that goes up), then `tail`."""

    unit: str
    lead: str = ""
    tail: str = ""

    @property
    def name(self) -> str:
        return f"{self.lead}[{self.unit}]{self.tail}".encode("ascii", "backslashreplace").decode()

    def message(self, size: int) -> str:
        """A message of `size` characters."""
        room, said = size - len(self.lead) - len(self.tail), 0
        units: list[str] = []
        for number in count(1):
            unit = self.unit.replace("{n}", str(number))
            if said >= room:
                break
            units.append(unit)
            said += len(unit)
        return f"{self.lead}{''.join(units)[: max(room, 0)]}{self.tail}"


_CHARACTERS = (  # no words at all, or one that never ends
    "a", "x", "I", "Z", "aB", "no", "ha", "lol", "tha", "é", "ß", "-", "_", ".", ",", ";", ":", "!", "?", "'", "’", '"',
    "“", "(", ")", "()", "[", "{", "<", "/", "\\", "|", "*", "#", "@", "&", "+", "=", "~", "^", "$", "%", " ", "\n",
    "\t", "\u00a0", "\u200b", "0", "1", "9", "07", "0x", "deadbeef", "a1", "1a", "a-", "a_", "a.", "a,", "a'",
    "-a", ".a",
    "e\u0301", "a\u0300\u0301\u0302", "😀", "👩‍👩‍👧‍👦 ", "🇩🇪", "寿司", "寿司。", "ラーメン", "김치 ", "суши ", "مطعم ",
    "ไทย", "ﬁ", "\u0131", "\ufeff", "\u2028",
)  # fmt: skip
_NUMBERS = (  # numbers, dates and times, and what looks like them
    "7 ", "7, ", "1.", "1,000 ", "1,000,", "1:00 ", "7pm ", "7 p.m. ", "7:30-", "5-6 ", "11/26/2026 ", "2026-11-26 ",
    "26.11.2026, ", "Nov 26, ", "November ", "monday ", "mon-fri ", "tomorrow at 7 or ", "next next ", "half past ",
    "between 5 and 6 and ", "from 5 to 6 to ", "4.5 stars ", "$15 ", "15 dollars ", "5 km ", "2 miles from ",
    "one hundred ", "twenty ", "a dozen and a half ", "first ", "1st ", "+1 650 555 0100 ", "650-555-0100 ", "CS 101 ",
    "CS101, ", "CS-101-", "cs ", "{n} ", "{n}, ", "3 units or {n} ",
)  # fmt: skip
_PHRASES = (  # the grammar's own words, so that much may begin anywhere
    "and ", "and and ", "or ", "not ", "not not ", "no ", "no, ", "yes ", "yes, ", "but ", "with ", "with a ",
    "or with a ", "with a or ", "the ", "a ", "of ", "of the ", "of those ", "what ", "which ", "who ", "is ", "is it ",
    "is there ", "are they ", "do they ", "do you know ", "can you ", "can i ", "could you please ", "please ",
    "tell me ", "tell me if ", "whether ", "if ", "that ", "that that ", "it's ", "its ", "i ", "i want ", "i'm ",
    "i am looking for ", "we need ", "how many ", "how about ", "what about ", "instead of ", "rather than ", "than ",
    "more than ", "better than ", "like ", "as ", "as good as ", "so ", "very ", "really ", "too ", "in ", "in the ",
    "near ", "near the ", "except ", "without ", "other than ", "either ", "neither ", "thanks ", "hello ", "ok ",
    "actually ", "wait ", "never mind ", "cancel ", "cancel it and ", "book ", "book it ", "for two ", "my name is ",
    "some say ", "is it true that ", "do people say ", "which is better, ", "vs ", "between a and b or ",
    "looking at ", "my mom is ", "my friend says ", "where ", "where they ", "that is ", "which are ",
    "; and ", ", and ", ", or ", " - ", ": ", "... ", "?? ", "! no ",
)  # fmt: skip
_WORDS = (  # words of the corpora, of English, and near them
    "thai ", "thai, ", "thai or ", "thai and ", "thai-", "thia ", "itallian ", "restaurant ", "restaurants ",
    "resturant ", "italian thai ", "palo alto ", "sunnyvale, ", "quiet ", "not quiet ", "quiet, ", "romantic but ",
    "cheap or moderate ", "best rated ", "wifi ", "Fig & Foghorn ", "Quorum, ", "Osric ", "machine learning ",
    "course ", "professor ", "dog friendly ", "outdoor seating and ", "good for kids, ", "gluten-free ", "birthday ",
    "word{n} ", "w{n}x", "somethingelse ", "xqzvbn ", "Xqzvbn ", "Xq Zv ", "qwertz, ", "un", "pre-", "ing ", "s ",
    "restaurantwith", "quietromantic", "donau", "noodle-", "café ", "don't ", "dont ", "o'clock ", "'s ", "s' ",
)  # fmt: skip
_ADDRESSES = (  # what is long by nature
    "a@b.co ", "first.last+", "part.", "www.example.com/", "https://example.com/a?b=c&d=%20",
    "e3b0c44298fc1c149afbf4c8",
    "lorem ipsum dolor sit amet ", "<b>x</b>", "{{x}}", "SELECT * FROM ", "' OR 1=1 --", "**bold** ", "[x](y) ",
)  # fmt: skip
_SENTENCES = (  # much said, in whole sentences
    "I want thai food. ", "Is it quiet? ", "Do they take cards and is it loud? ", "Book a table for two at 7pm. ",
    "The food was great, but the service was slow, and they have no parking. ", "Enroll me in CS {n}. ",
    "Find a quiet cafe with wifi in Palo Alto that is open late and good for kids, or a bar. ", "No, not that one. ",
    "Which of these is the cheapest one with outdoor seating? ", "My card is broken, I lost my key {n} times. ",
    "I was told that they are closed, so I went home; my friend, who is vegan, stayed. ", "What is the deadline? ",
)  # fmt: skip
_FRAMED = (  # a long way between two things that belong together
    Family("a ", "is it true that "), Family("a, ", "which is better, "), Family("x ", "tell me whether ", "?"),
    Family("a b ", "torn between ", ": which is cheaper"), Family("a-", "thai", " or sushi: which is better"),
    Family("word ", "how many ", " in total"), Family("x ", "do they have ", " on the menu"), Family(" ", "thai", "x"),
    Family("x ", "can i turn up at ", " without a reservation"), Family("and ", "between ", "?"), Family("a", "", "!"),
    Family("very ", "not ", "quiet"), Family("x", "my e-mail is ", "@example.com"), Family("x.", "me@", "com"),
    Family("thai ", "no ", "please"), Family("(", "thai ", ")"), Family("a ", '"', '"'), Family("a ", '"', ""),
    Family("\n", "thai", "sushi"), Family("\t ", "a", "b"), Family("-", "thai ", " sushi"),
    Family(".", "thai", "sushi"),
    Family("a b, ", "my order is ", " and that's it"), Family("o", "n", " i wanted thai"), Family("!?", "really"),
)  # fmt: skip


def families() -> tuple[Family, ...]:
    """All families, each one once."""
    groups: Iterable[Iterable[str]] = (_CHARACTERS, _NUMBERS, _PHRASES, _WORDS, _ADDRESSES, _SENTENCES)
    return (*(Family(unit) for group in groups for unit in group), *_FRAMED)
