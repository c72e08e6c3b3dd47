"""Parts of speech of the words of a phrase, as tags of the Penn Treebank: NN a noun, VBZ "serves", JJ an adjective.

TextBlob's tagger knows what a word mostly is and what its neighbours make of it. It was made for whole sentences; in a
phrase of three words "share a pot" has no verb for it. What lemminflect knows of the forms of a word puts that right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from lemminflect import getAllLemmas, getInflection

BE = frozenset({"is", "are", "was", "were", "am", "be"})
MODAL = frozenset({"can", "could", "will", "would", "should", "must", "may", "might", "shall"})
AUXILIARY = BE | MODAL | {"has", "have", "had", "do", "does", "did"}
RELATIVE = frozenset(  # what begins a clause within another
    {"who", "whose", "which", "that", "where", "when", "while", "until", "till", "before", "after", "because", "if"}
    | {"as", "so", "than", "what", "how", "why", "whether", "unless", "since", "though"}
)
_OBJECTS = frozenset(  # what may only stand after a verb or a preposition
    {"a", "an", "the", "each", "every", "your", "my", "our", "their", "his", "her", "its", "you", "me", "us", "them"}
    | {"him", "it", "everyone", "everything", "everybody", "someone", "any", "no"}
)
_POSSESSIVE = frozenset({"my", "our", "your", "their", "his", "her"})
_LEADS_VERB = frozenset({"NN", "NNS", "NNP", "PRP", "RB", "MD", "TO", "WDT", "WP", "WRB"})
_PEOPLE = frozenset(
    {"chefs", "cooks", "waiters", "servers", "owners", "staff", "bartenders", "professors", "instructors"}
)
_ADVERBS = frozenset(
    {"always", "also", "still", "actually", "really", "never", "often", "just", "even", "only", "ever"}
)


@cache
def _parser() -> Any:
    """TextBlob's parser. It takes seconds to load, which a process that only serves pages is spared."""
    from textblob.en import parser

    return parser


def is_verb(word: str) -> bool:
    """Return whether a word may be a form of a verb."""
    return "VERB" in getAllLemmas(word)


def is_only_verb(word: str) -> bool:
    """Whether a word is a form of a verb and nothing else: "lets", "queueing"."""
    mostly = _parser().lexicon.get(word, "VB")
    return set(getAllLemmas(word)) == {"VERB"} and mostly.startswith("VB")


def is_only_noun(word: str) -> bool:
    """Return whether a word is a form of a noun and nothing else: "patty"."""
    return set(getAllLemmas(word)) == {"NOUN"}


def is_adjective(word: str) -> bool:
    """Return whether a word may be an adjective, whatever else it is: "quiet"."""
    return "ADJ" in getAllLemmas(word)


def is_superlative(word: str) -> bool:
    """Return whether a word is the superlative of an adjective: "warmest"."""
    return word.endswith("est") and any(lemma != word for lemma in getAllLemmas(word, upos="ADJ").get("ADJ", ()))


def adjective(word: str) -> str:
    """Return the plain form of an adjective: "cheap" of "cheapest"; empty where a word is none."""
    return next(iter(getAllLemmas(word, upos="ADJ").get("ADJ", ())), "")


def is_word(word: str) -> bool:
    """Return whether a word is in a dictionary of English, in any of its forms."""
    return bool(getAllLemmas(word))


def base(word: str) -> str:
    """Return the base form of a verb: "queueing" is of "queue"."""
    return next(iter(getAllLemmas(word, upos="VERB").get("VERB", ())), word)


def third_person(verb: str) -> str:
    """Return the form of a verb for one who does it: "pass" is "passes"."""
    return {"have": "has", "be": "is"}.get(verb) or next(iter(getInflection(verb, tag="VBZ")), verb)


@lru_cache(maxsize=4096)
def tags(words: tuple[str, ...]) -> tuple[str, ...]:
    """The tag of each word of a phrase, in lower case and without punctuation."""
    found = [tag for _, tag in _parser().find_tags(list(words))]
    for at, word in enumerate(words):
        before = found[at - 1] if at else ""
        found[at] = _tag(word, found[at], before, words[at + 1 : at + 4], at)
        if before == "RB" and at > 1 and found[at] == "NNS" and is_noun(found[at - 2]) and is_verb(word):
            found[at] = "VBZ"  # "brunch never ends"
        elif at and words[at - 1] in _PEOPLE and found[at] == "NN" and before == "NNS" and is_verb(word):
            found[at] = "VB"  # "the chefs chat with you"
    return tuple(found)


def _tag(word: str, tag: str, before: str, after: Sequence[str], at: int) -> str:
    """The tag of a word, given that of the word before it, and the word after it."""
    if word in MODAL:
        return "MD"
    if word.isdigit():
        return "CD"
    if word in AUXILIARY:
        return "VBZ" if word in ("is", "has", "does") else "VBP"
    if word in _ADVERBS:
        return "RB"
    if tag == "JJ" and is_only_noun(word):
        return "NN"  # "a juicy patty"
    if before in ("DT", "PRP$") and tag in ("VB", "VBP", "VBZ"):
        return "NNS" if tag == "VBZ" else "NN"  # "the wait"
    plain = not word.endswith(("s", "ing")) or word.endswith("ss")
    if before in ("MD", "TO") and plain and is_verb(word):
        return "VB"
    if is_only_verb(word) and not tag.startswith("VB"):
        return _form(word)
    if not at and tag in ("VB", "VBP") and not is_only_verb(word) and after and after[0] not in _OBJECTS:
        return "JJ" if "ADJ" in getAllLemmas(word) else tag  # "live zydeco"
    if before == "PRP" and tag == "NNS" and at == 1 and is_verb(word):
        return "VBZ"  # "it honors bookings"
    if before == "PRP" and tag in ("NN", "JJ") and at == 1 and is_verb(word) and base(word) == word:
        return "VB"  # "they bake fresh bagels"
    clause = 1 if after[:1] == ("you",) else 2 if after[:1] and after[0] in _POSSESSIVE else 0
    speaking = clause and after[clause : clause + 1] and after[clause] in AUXILIARY  # "a tank <my kids can> stare at"
    object_follows = bool(after) and after[0] in _OBJECTS and not speaking
    if object_follows and tag[:2] in ("NN", "JJ") and is_verb(word) and (not at or before in _LEADS_VERB):
        return _form(word)
    return tag


def _form(word: str) -> str:
    """The tag of a verb by its ending."""
    if base(word) == word:
        return "VB"
    if word.endswith("ing"):
        return "VBG"
    if word.endswith(("ed", "en")):
        return "VBN"
    return "VBZ" if word.endswith("s") and not word.endswith("ss") else "VB"


def is_noun(tag: str) -> bool:
    """Return whether a tag is one of a noun."""
    return tag.startswith("NN")


def is_finite(tag: str) -> bool:
    """Return whether a tag is one of a verb that says what its subject does."""
    return tag in ("VBZ", "VBP", "VB", "MD")


def verb_after_subject(words: Sequence[str]) -> int:
    """Where the verb stands in "the owner sing" and "guests bring wine", as after "does" or "can"; 0 for none."""
    found = tags(tuple(words))
    for at in range(1, len(words)):
        follows = is_noun(found[at - 1]) or found[at - 1] in ("PRP", "RB")
        plain = found[at] not in ("VBG", "VBN", "VBD") and words[at] not in BE
        if follows and plain and (found[at] in ("VB", "VBP") or words[at] in ("have", "do")):
            return at
        if follows and plain and found[at] == "NN" and is_verb(words[at]) and found[at + 1 : at + 2] != ("NN",):
            return at
        if found[at] in ("IN", "TO", "WDT", "WP") and words[at] != "of":
            return 0
    return 0


def end_of_subject(words: Sequence[str]) -> int:
    """Return where the subject ends in "the raw fish super fresh", as after "is": behind its first noun; 0 for none."""
    found = tags(tuple(words))
    for at, tag in enumerate(found):
        if (is_noun(tag) or tag == "PRP") and not is_noun((*found, "")[at + 1]):
            return at + 1 if at + 1 < len(words) else 0
    return 0
