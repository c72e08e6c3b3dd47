"""A clause about a thing as a question that a text can answer: "that doesn't mind dogs" → "does this horse mind dogs?".

Only what is generally true of English is used: auxiliaries, the forms of verbs, parts of speech.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.parsing.semantics import english
from agent.text import grammar
from agent.text.grammar import AUXILIARY, BE, MODAL
from agent.text.wordlists import words as listed
from agent.understanding.clauses import Clause

_NEGATIONS = frozenset({"not", "never", "no longer", "hardly"})
_ADVERBS = frozenset(listed("actually really always still also even just only often usually generally currently"))
_TYPED_SHORT = {"u": "you", "ur": "your", "em": "them"}
_ONESELF = {"themselves": "itself", "themself": "itself", "himself": "itself", "herself": "itself"}
_INSTEAD = _ONESELF | _TYPED_SHORT
_HAVING = frozenset({"with", "having"})
_NOW = frozenset({"right now", "these days", "at present"})
_NOBODY = {"nobody": "anybody", "none": "any", "nothing": "anything"}
_RELATIVE = frozenset({"that", "which", "who", "what"})
_PRONOUNS = frozenset(listed("i you we they he she it people somebody someone anybody anyone everybody everyone"))
_ACTING = frozenset({"i", "we"})  # before what whoever asks wants to do there: "can I <bring my dog>"
_NO_ACTS = frozenset(listed("want need like prefer have get"))
_THEIRS = {"i": "you", "we": "you", "me": "you", "us": "you", "my": "your", "our": "your"}
_SAYING = frozenset(listed("say says said report reported mention mentioned tell claim"))
_REPORTED = frozenset(listed("said reported known reputed supposed believed thought rumoured rumored"))
_FINDING = frozenset(
    listed("find finds found call calls called consider considers describe described think rate rated")
)
_DETERMINERS = frozenset(listed("the a an my our your their its his her some any every each this these"))
_PARTS = {  # how two words are written as one, or without their sign
    **{f"{one}s": (one, "is") for one in ("that", "there", "who", "what", "it", "he", "she")},
    **{f"{one}'s": (one, "is") for one in ("that", "there", "who", "it", "he", "she", "what", "where")},
}
for _verb in ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "would", "should", "could"):
    _PARTS |= {f"{_verb}n't": (_verb, "not"), f"{_verb}nt": (_verb, "not")}
_PARTS |= dict.fromkeys(("can't", "cant", "cannot"), ("can", "not"))
_PARTS |= dict.fromkeys(("won't", "wont"), ("will", "not"))
for _who in ("i", "you", "we", "they", "he", "she", "it"):
    _PARTS |= {f"{_who}'ll": (_who, "will"), f"{_who}'d": (_who, "would")}
_PARTS |= {"i'm": ("i", "am"), **{f"{_who}'ve": (_who, "have") for _who in ("i", "you", "we", "they")}}
_PARTS |= {"youll": ("you", "will"), "theyll": ("they", "will"), "ive": ("i", "have"), "im": ("i", "am")}
del _PARTS["its"]


def asked(clause: Clause, noun: str) -> tuple[str, bool]:
    """Return the question of a clause about a `noun`, and whether the clause denies it; empty where it says nothing."""
    words, lead, denied = _plain(clause)
    if not words:
        return "", denied
    tags = [*(grammar.tags(("it", *words))[1:] if lead in _RELATIVE else grammar.tags(tuple(words)))]
    text = _question(words, tags, lead, noun)
    return (f"{text}?" if text else ""), denied


def _plain(clause: Clause) -> tuple[list[str], str, bool]:
    """The words without contractions, adverbs and what denies them, the word that leads to them, whether it denies."""
    spelled = _with_ill(clause.words)
    words = [part for word in spelled for part in _PARTS.get(word, (_INSTEAD.get(word, word),))]
    lead = _PARTS.get(clause.lead, (clause.lead,))
    words, first, denied = [*lead[1:], *words], lead[0], lead[0] == "without"
    if len(words) > 2 and words[0] in _ACTING and words[1] in ("can", "could") and words[2] != "not":
        first, words = words[0], words[2:]  # "I can carry out"
    if words[0] in _RELATIVE | {"where", "there"} and len(words) > 1 and words[1] in BE:
        first, words = (words[0], words[1:]) if words[0] != "there" else ("with", words[2:])
    if " ".join(words[-2:]) in _NOW and len(words) > 2:
        words = words[:-2]
    if not words:
        return [], first, denied
    if len(words) > 2 and words[0] == "any" and words[1] in _RELATIVE | {"where"}:
        first, words = words[1], words[2:]  # "any that rattle"
    if words[0] in _NOBODY:
        words, denied = [_NOBODY[words[0]], *words[1:]], True
    while len(words) > 1 and words[0].endswith("ly") and grammar.is_verb(words[1]):
        words = words[1:]
    words, first = _without_speakers(words, first)
    words = _without_report(words)
    if "enough" in words[1:] and words[words.index("enough") + 1 : words.index("enough") + 2] == ["to"]:
        words = words[: words.index("enough")]  # "quiet enough to talk"
    kept = []
    for at, word in enumerate(words):
        if word in _NEGATIONS and not denied:
            denied = True
        elif not (word in _ADVERBS and at < 3):
            kept.append(word)
    if kept[:1] == ["no"] and len(kept) > 1:
        kept, denied, first = kept[1:], True, "with"
    if len(kept) > 2 and kept[0] in ("has", "have", "had") and kept[1] == "no":
        kept, denied = [kept[0], *kept[2:]], not denied
    return kept, "with" if first == "without" else first, denied


def _without_report(words: list[str]) -> list[str]:
    """Words without that somebody says so: "(are) said to be cold", "as parents tell"."""
    if words[:1] == ["as"] and len(words) > 1 and words[-1] in _SAYING:
        return []
    for at in range(len(words) - 2):
        if words[at] in _REPORTED and words[at + 1] == "to" and words[at + 2] in ("be", "have"):
            return [*words[:at], *words[at + (3 if at and words[at - 1] in BE and words[at + 2] == "be" else 2) :]]
    return words


def _without_speakers(words: list[str], lead: str) -> tuple[list[str], str]:
    """A clause without who says it: "do their owners find comfortable" is of what is comfortable."""
    at = 1 if words[0] in ("do", "does", "did") else 0
    at += words[at : at + 1] != [] and words[at] in _DETERMINERS | {"most", "many", "other", "all"}
    who, verb, rest = words[at : at + 1], words[at + 1 : at + 2], words[at + 2 :]
    if not rest or not verb or verb[0] not in _SAYING | _FINDING:
        return words, lead
    if who[0] not in _PRONOUNS and grammar.tags(tuple(who))[0] != "NNS":
        return words, lead
    if rest[0] in ("that", "it", "them", "as") and len(rest) > 1:
        rest = rest[1:]
    if verb[0] in _FINDING:
        return rest[2:] if rest[:2] == ["to", "be"] and len(rest) > 2 else rest, ""
    return rest, "where" if rest[0] in _DETERMINERS | _PRONOUNS else "that"


def _with_ill(words: Sequence[str]) -> list[str]:
    """Words with "ill" before a verb as "i'll": "ill get a ride"."""
    after = [*words[1:], ""]
    return [
        "i'll" if word == "ill" and grammar.is_verb(verb) else word for word, verb in zip(words, after, strict=True)
    ]


def _question(words: list[str], tags: Sequence[str], lead: str, noun: str) -> str:
    told = " ".join(words)
    acts = lead in _ACTING and grammar.is_verb(words[0]) and grammar.base(words[0]) == words[0]
    if acts and words[0] not in AUXILIARY | _NO_ACTS and (len(words) == 1 or not grammar.is_noun(tags[0])):
        end = next((at for at, word in enumerate(words) if at and word in ("while", "when", "before", "after")), None)
        return f"can you {' '.join(_THEIRS.get(word, word) for word in words[:end])}"
    if lead in _HAVING:
        return f"does this {noun} have {english.with_article(told) if tags[0] != 'VBG' else told}"
    head, rest = words[0], " ".join(words[1:])
    if head in AUXILIARY and rest:
        own = words[1] in _PRONOUNS | _DETERMINERS or (lead in ("where", "when") and grammar.is_noun(tags[1]))
        if own and not (head in BE | {"has", "have"} and words[1] in _DETERMINERS and lead != "where"):
            return told  # "did people have things stolen"
        return _of_thing(words, tags, noun)
    objects = {"DT", "PRP$", "TO", "PRP"} | ({"RB", "IN", "JJ"} if tags[0] == "VBZ" else set())  # "goes down the road"
    linked = words[1:2] != [] and words[1] in BE | MODAL  # "that <silences are awkward>"
    does = not linked and grammar.is_verb(head) and (lead in _RELATIVE | {"to"} or bool(objects & {*tags[1:2]}))
    at = 0 if does else _finite(words, tags, lead)
    if at and words[0] in ("my", "our") and words[at] not in BE | MODAL and words[at + 1 :]:
        return f"is this {noun} good for {' '.join(words[at + 1 :])}"  # "my aunt uses a walker"
    if at:
        return _of_other(words, tags, at)
    if at == 0:
        return _of_thing(words, tags, noun)
    if words[0] in ("my", "our") and len(words) > 1 and all(tag != "IN" for tag in tags):
        return f"is this {noun} good for {' '.join(words[1:])}"  # "our anniversary"
    if lead == "for":
        return f"is this {noun} good for {told}"
    while len(words) > 1 and words[0] in ("a", "an", "the") and not any(map(grammar.is_noun, tags)):
        words, tags, told = words[1:], tags[1:], " ".join(words[1:])  # "a quiet"
    if tags[0] in ("VBN", "VBD", "JJ", "JJR", "VBG", "RB") and not _names(words, tags):
        return f"is this {noun} {told}"
    if tags[0] in ("IN", "TO"):
        return f"is this {noun} {told}"
    if _describes(words, tags):
        return f"is this {noun} {told}"
    one = grammar.is_noun(tags[-1]) and grammar.is_word(words[-1])  # what things of other languages are, nobody counts
    return f"does this {noun} have {english.with_article(told) if one else told}"


def _describes(words: list[str], tags: Sequence[str]) -> bool:
    """Whether a phrase says how something is: "calm", "dog friendly"."""
    if len(words) == 1:
        return grammar.is_adjective(words[0])
    return len(words) == 2 and tags[-1] == "JJ" and words[0] not in _DETERMINERS


def _of_thing(words: list[str], tags: Sequence[str], noun: str) -> str:
    """What is said of the thing searched for: "refuse to jump", "is happy", "have bucked people off"."""
    head, rest = words[0], " ".join(words[1:])
    if head in BE and words[1:2] in (["my"], ["our"]):
        return f"is this {noun} good for {rest}"  # "it's our anniversary"
    if head in BE:
        return f"{'was' if head in ('was', 'were') else 'is'} this {noun} {rest}"
    if head in MODAL:
        return f"{head} this {noun} {rest}"
    if head in ("do", "does", "did"):
        thing = tags[1:2] in (["NNS"], ["JJ"], ["DT"], ["PRP"]) and "VB" not in tags[2:]
        done = "do " if thing else ""  # "do trips away"
        return f"{'did' if head == 'did' else 'does'} this {noun} {done}{rest}"
    if head in ("has", "have", "had") and tags[1:2] and tags[1] in ("VBN", "VBD"):
        return f"has this {noun} {rest}"
    if head == "used" and words[1:2] == ["to"]:
        return f"did this {noun} use {rest}"
    past = tags[0] in ("VBD", "VBN")
    return f"{'did' if past else 'does'} this {noun} {grammar.base(head)} {rest}".rstrip()


def _of_other(words: list[str], tags: Sequence[str], at: int) -> str:
    """What is said of something else there: "the showers are still cold", "somebody slipped"."""
    about = words[: at - 1] if at > 1 and words[at - 1] in _RELATIVE else words[:at]  # "a guide who shouts"
    subject, verb, rest = " ".join(about), words[at], " ".join(words[at + 1 :])
    done = verb in ("has", "have", "had") and tags[at + 1 : at + 2] in (["VBN"], ["VBD"])
    if done or verb in BE | MODAL | {"do", "does", "did"}:
        return f"{verb} {subject} {rest}"
    past = tags[at] in ("VBD", "VBN") and grammar.base(verb) != verb
    several = tags[at - 1] == "NNS" or words[at - 1] in ("people", "they", "you", "we", "i") or tags[at] == "VBP"
    does = "did" if past else "do" if several and tags[at] != "VBZ" else "does"
    return f"{does} {subject} {grammar.base(verb)} {rest}".rstrip()


def _finite(words: list[str], tags: Sequence[str], lead: str) -> int | None:
    """Where the verb of a clause stands: 0 where its subject is what is searched for, None where there is none."""
    if lead in ("where", "when") and tags[-2:] in (["NNS", "NN"], ["NN", "NNS"]) and grammar.is_verb(words[-1]):
        return len(words) - 1  # a clause: "where <the gates creak>"
    linked = words[1:2] != [] and words[1] in BE
    for at, (word, tag) in enumerate(zip(words, tags, strict=True)):
        before = tags[at - 1] if at else ""
        if at and tag in ("IN", "TO") and word != "of" and not any(one in AUXILIARY for one in words[at:]):
            return None
        if word in AUXILIARY:
            return at
        verb = grammar.is_finite(tag) or (tag == "VBD" and at > 0)
        begins = not at and verb and not linked and word not in _DETERMINERS | _PRONOUNS and grammar.is_verb(word)
        if begins and (grammar.is_only_verb(word) or (len(words) > 1 and not _names(words, tags))):
            return 0
        subject = grammar.is_noun(before) or before == "PRP" or (at and words[at - 1] in _PRONOUNS)
        subject = subject or (at > 1 and tag == "VBZ" and words[at - 2] in _DETERMINERS)  # "a regular gets a seat"
        if at and lead == "where" and (before, tag) == ("NN", "NNS") and grammar.is_verb(word):
            return at  # "where <the line moves fast>"
        if at and subject and (verb or (words[at - 1] in _PRONOUNS and grammar.is_verb(word))):
            return at
    return None


def _names(words: list[str], tags: Sequence[str]) -> bool:
    """Whether a phrase that begins with a word that describes names a thing: "rude staff", "horribly bumpy trot"."""
    end = next((at for at, tag in enumerate(tags) if at and tag in ("IN", "TO", "VBN", "VBD", "WDT")), len(tags))
    return end > 1 and grammar.is_noun(tags[end - 1]) and tags[0] != "VBN"
