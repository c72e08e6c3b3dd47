"""The words by which a question hangs on another of the same message: "is it", "near there", "which of them"."""

from __future__ import annotations

import re

from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.semantics import english

_MORE = "|".join(f"{word.removesuffix('est')}er" for word in english.superlatives() if word.endswith("est"))
THE_MORE = re.compile(  # a row by how it compares: "the easier one"
    rf"\bthe (?:{_MORE}|better|worse|(?:more|less) [a-z]+) (?:one|course|class|place)\b(?! (?:that|with|in|which)\b)",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:it|its|they|them|theirs?|those|these|there)\b", re.IGNORECASE)
_ONE = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:they|them|theirs?|those|these)\b", re.IGNORECASE)
_HANGS = re.compile(rf"{_POINTS.pattern}|\b(?:this|that|one)\b", re.IGNORECASE)
_CHOSEN = re.compile(
    rf"{_POINTS.pattern}|\b(?:he|she|him|her|his|the (?:winner|former|latter)|(?:that|this|which)(?: one)?)\b",
    re.IGNORECASE,
)
_OF_ITS_PART = re.compile(
    r"(?:(?:is|are|was|were|how(?:'s| is| are)) the \w+|(?:is|are|was|were) (?:he|she|it|they) (?:any|really) good|"
    r"what(?:'s| is| are) the (?:\w+ ){1,3}like)\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\b(?:of (?:them|these|those)|which(?: one)?|the one with)\b", re.IGNORECASE)
_AMONG = re.compile(r"\b(?:of|among(?:st)?) (?:them|these|those)\b", re.IGNORECASE)
_ONES = re.compile(r"which(?: (?:ones?|courses|classes|places))?\W*", re.IGNORECASE)
_WHICH_ONE = re.compile(r"which (?:one|of (?:them|those|these))\b", re.IGNORECASE)
_WHICH_ARE = re.compile(r"which (?:ones |places |courses )?(?:are|is|have|has|serve|do|offer)\b", re.IGNORECASE)
_WHICH_KIND = re.compile(r"\W*(?:and )?(?:which|what) (?:course|class|seminar|place|restaurant)\b", re.IGNORECASE)
_SOME_ONE = re.compile(r"\bones?\b", re.IGNORECASE)
_WHICH_ONES = re.compile(r"\W*(?:and )?(?:(?:at|in|from|for) )?which ones\b", re.IGNORECASE)
_OF_IT = compiled(
    r"(?!(?:is|are) there\b)"
    r"(?:is|are|does|do|has|have|can|will|would) (?:i |we |you )?(?:\w+ )?(?:of )?(?:it|they|there|them|these|those)\b|"
    r"(?:(?:is|are) there )?(?:any|anything|some|something|one|all|none|both|either|neither) (?:of|among(?:st)?) "
    r"(?:them|these|those)\b"
)
_OF_SHOWN = re.compile(
    r"\W*(?:(?:do|does|is|are|has|have|can|will|did) )?"
    r"(?:(?:which|any|either)\b|there (?:one|any)\b|(?:one|some|all) of\b)",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\bwhat(?:'s| is| are) (?:it|that|this|they) (?:\w+ )?about\b", re.IGNORECASE)
_THERE = re.compile(
    r"\b(?:near|around|close to|next to|by) (?:there|it|them|that)\b|\bthere\W*$|"
    r"\b(?:nearby|close by|around the corner)\b|"
    r"\b(?:that |which )?(?:is |are )?(?:(?:i|we) can )?(?:within )?walk(?:ing distance|able)?(?: (?:to|from|over to))?"
    r"(?: (?:there|it|that))?(?: (?:after(?:wards?)?|later))?(?=\W*$)",
    re.IGNORECASE,
)
_ANYWHERE = re.compile(
    r"\b(?:is|are) there (?:(?:any|some)(?:where|place|thing)|any (?:place|course|class)s?|"
    r"an? (?:\w+ ){0,2}(?:place|course|class))\b(?! (?:there|of (?:them|those|these))\b)|"
    r"\bdoes any(?:one|body|where|place) in\b",
    re.IGNORECASE,
)
_LOOKS = re.compile(
    r"\b(?:is|are) there (?:some|any)thing (?:else )?(?:on|about|where|in which)\b|"
    r"\b(?:which|what) (?:course|class|seminar|place|restaurant)s? (?:is|was|are|were) (?:the|that) ones? "
    r"(?:with|where|that|about|on|in which)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"\b(?:which|what(?:'?s| is)?) (?:the )?(?:\w+ ){0,3}?(?:course|class|seminar|place|restaurant|article|page)\b.*"
    r"\b(?:of (?:them )?all|overall|(?:that )?(?:you|they) (?:have|offer))\b",
    re.IGNORECASE,
)
_ONE_MORE = re.compile(r"\balso (?:an?|any|some) (?:\w+ ){1,2}ones?\b", re.IGNORECASE)


def points(words: str) -> bool:
    """ "Where are they": to something that was spoken of; "is there a patio" does not."""
    return _POINTS.search(words) is not None


def anywhere(words: str) -> bool:
    """ "Is there anywhere with ...", "does anybody in town make ...": looks for what nothing before it named."""
    return _ANYWHERE.search(words) is not None


def looks(words: str) -> bool:
    """ "Is there something on quantum where ...": looks for things, whatever was named before it."""
    return _LOOKS.search(words) is not None


def of_all(words: str) -> bool:
    """ "Which course is the hardest of all": to everything there is."""
    return _OF_ALL.search(words) is not None


def of_one(words: str) -> bool:
    """ "Is it open": to one thing."""
    return _ONE.search(words) is not None


def several(words: str) -> bool:
    """ "Are they open": to several things."""
    return _SEVERAL.search(words) is not None


def points_out(words: str) -> bool:
    """As `points`, but for "is there ...", which says only that something exists."""
    return points(said("existential").sub(" ", words))


def hangs(words: str) -> bool:
    """ "How long does that take": cannot be understood without what came before it."""
    return _HANGS.search(words) is not None


def of_chosen(words: str) -> bool:
    """What only the answer before it tells: "how late is the winner open", "is it busy"."""
    return _CHOSEN.search(words) is not None


def of_its_part(words: str) -> bool:
    """How part of one thing is: "is the food any good", "what is the wait like"."""
    return _OF_ITS_PART.match(words) is not None


def of_it(words: str) -> bool:
    """A yes/no question about what was named or found: "does it have parking", "are any of them open"."""
    return _OF_IT.match(words) is not None


def of_them(words: str) -> bool:
    return _OF_THEM.search(words) is not None


def among_them(words: str) -> bool:
    return _AMONG.search(words) is not None


def of_shown(words: str) -> bool:
    """Of several rows that were shown, which ones: "do any of these have a final"."""
    return _OF_SHOWN.match(words) is not None


def ones(words: str) -> bool:
    """Nothing but "which ones?"."""
    return _ONES.fullmatch(words) is not None


def which_one(words: str) -> bool:
    return _WHICH_ONE.match(words) is not None


def which_are(words: str) -> bool:
    """ "Which are vegetarian", "which places have a patio"."""
    return _WHICH_ARE.match(words) is not None


def which_kind(words: str) -> bool:
    """ "Which class has the most seats": of all there are, where it points to nothing."""
    return _WHICH_KIND.match(words) is not None and not points(words)


def of_ones(words: str) -> bool:
    """ "A quiet one in Sunnyvale": of what was spoken of."""
    return _SOME_ONE.search(words) is not None


def which_ones(words: str) -> bool:
    """ "Which ones can I get a dosa at": of what was spoken of."""
    return _WHICH_ONES.match(words) is not None


def what_about(words: str) -> bool:
    """ "What is it about"."""
    return _ABOUT.search(words) is not None


def there(words: str) -> bool:
    """ "Somewhere for ice cream near it", "a bar within walking distance"."""
    return _THERE.search(words) is not None


def without_there(words: str) -> str:
    return _THERE.sub(" ", words)


def one_more(words: str) -> bool:
    """ "Also a cheap one"."""
    return _ONE_MORE.search(words) is not None
