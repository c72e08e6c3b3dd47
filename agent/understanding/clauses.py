"""The clause that a wish on prose is part of: marks are often cut short, and a question needs the whole of it.

From a mark, a clause reaches to the right until something else is said, and to the left as far as its verb and subject:
to the thing searched for, a value that is looked up, or the word that leads to it ("that", "where", "with").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.text import grammar
from agent.text.wordlists import words as listed

Span = tuple[int, int]
REACH = 25  # words on either side of a mark that may belong to its clause

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_STOPS = re.compile(r"[,;:.!?()]")
_JOINS = frozenset({"and", "or", "but", "plus", "also", "then"})
_LEADS = frozenset({"that", "thats", "that's", "which", "who", "whos", "who's", "where", "whose", "what", "when"})
_HAVING = frozenset({"with", "without", "having"})
#: Those who ask, what they do with what they ask for, and what stands for the thing searched for.
_ASKING = frozenset(
    listed(
        """
        i i'm im i'd id i've ive we we're we'd me us my our need needs want wants looking look show find list give tell
        search please pls ok okay somewhere something anything someone ones one those these them they've places place
        yes well so just only
        """
    )
)
_ANYTHING = frozenset(listed("something somewhere anything anywhere"))
_ARTICLES = frozenset({"the", "a", "an"})
_INTENDING = frozenset(listed("going like love hope hoping able able plan planning trying wanna where can could"))
SPEAKERS = frozenset(listed("i i'm im i'd i've ive i'll we we're we'd we've we'll my our"))
_LOOSE = frozenset(  # what may not end a clause
    listed(
        """
        in at for of to with the a an and or but which that where who on by from say is are please pls i mentioned
        reported apparently under over above below than least most
        """
    )
)


@dataclass(frozen=True, slots=True)
class Clause:
    """What is said of what is searched for: characters `start:stop`, its words, the word that leads to it."""

    start: int
    stop: int
    words: tuple[str, ...]
    lead: str

    @property
    def of_speaker(self) -> bool:
        """Whether it tells of whoever asks."""
        got = self.words[0] == "got" and not self.lead  # "got no car"
        return got or self.lead in SPEAKERS or self.words[0] in SPEAKERS or "i" in self.words[:3]


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    start: int
    stop: int
    claimed: bool  # it stands in a value
    named: bool  # it names what is searched for, or a column that is used
    after: bool  # a sign before it ends what is said


def clause(
    message: str, within: Span, claimed: Sequence[Span], named: Sequence[Span], wishes: Sequence[int] = ()
) -> Clause | None:
    """Return the clause that some words of a message are part of; `claimed` are values that are looked up, `named` what
    the query says otherwise, `wishes` where wishes begin. None where nothing is left of it."""
    said = _said(message, claimed, named)
    inside = [at for at, word in enumerate(said) if word.start < within[1] and word.stop > within[0]]
    inside = [at for at in inside if not said[at].claimed]
    if not inside:
        return None
    first, last = inside[0], inside[-1]
    longest = min(len(said), last + 1 + REACH)
    while last + 1 < longest and not _ends(said, last + 1) and not _is_thing(said, first, last + 1):
        if said[last + 1].text in _JOINS and said[last + 2].start in wishes and not _has_verb(said[first : last + 1]):
            break  # "good coffee" and "clean toilets"
        last += 1
    earliest = max(0, first - REACH)
    while first > earliest and not said[first].after and not _begins(said, first - 1):
        joined = said[first - 1].text in _JOINS and not _has_verb(said[first : last + 1])
        if joined and any(start <= said[first - 2].start for start in wishes):
            break
        first -= 1
    lead = said[first - 1].text if first and not said[first].after else ""
    while first < last and said[first].text in _JOINS | _ASKING | {"of"}:
        first += 1
    if said[first].text in _LEADS | _HAVING and first < last:
        lead, first = said[first].text, first + 1
    while first < last and said[first].text in {"ones", "one", "of", "them", "those", "these"}:
        first += 1
    if (
        last - first > 1
        and said[first + 1].text in _LEADS
        and first
        and (said[first - 1].claimed or said[first - 1].named)
    ):
        lead, first = said[first + 1].text, first + 2  # "experienced <riders> that never fell"
    lead = "that" if lead in {"ones", "one", "of", "them", "those", "these"} or _does(said, first, last) else lead
    while last > first and (said[last].text in _LOOSE or (said[last].named and said[last - 1].text in _LOOSE)):
        last -= 1
    words = tuple(word.text for word in said[first : last + 1])
    if words[0] in _LOOSE and len(words) == 1:
        return None
    return Clause(said[first].start, said[last].stop, words, lead)


def marked_clause(message: str, within: Span, claimed: Sequence[Span]) -> Clause | None:
    """Return the clause of a mark that holds all of it: its words, but for values that are looked up at its ends, and
    the word that leads to it."""
    said = _said(message, claimed, ())
    inside = [at for at, word in enumerate(said) if word.start < within[1] and word.stop > within[0]]
    ended = False
    while inside and (_is_loose(said[inside[-1]]) or (ended and _helps(said[inside[-1]]))):
        ended |= said[inside.pop()].claimed
    while inside and (said[inside[0]].claimed or said[inside[0]].text in _JOINS):
        inside.pop(0)
    if not inside:
        return None
    while len(inside) > 1 and said[inside[0]].text in _ANYTHING:
        inside.pop(0)
    first, last = inside[0], inside[-1]
    before = said[first - 2 : first] if first > 1 and not said[first].after else []
    if len(before) == 2 and before[1].text in _ARTICLES and before[0].text in _LEADS | _HAVING and not before[1].after:
        first -= 1  # "where the <line moves fast>"
    elif len(before) == 2 and before[0].text in _LEADS and grammar.tags((before[0].text, before[1].text))[1] == "VBZ":
        first -= before[1].text not in grammar.AUXILIARY  # "that serves <oat milk>"
    lead = _lead(said, first)
    if said[first].text in _LEADS | _HAVING and first < last:
        lead, first = said[first].text, first + 1
    return Clause(said[first].start, said[last].stop, tuple(one.text for one in said[first : last + 1]), lead)


def _is_loose(word: _Said) -> bool:
    return word.claimed or word.text in _LOOSE


def _helps(word: _Said) -> bool:
    """Whether a word only helps a verb that is a value: "decor that <won't> break the bank"."""
    return word.text in grammar.AUXILIARY or word.text.endswith(("n't", "nt"))


def resolved(told: Clause, message: str, claimed: Sequence[Span], named: Sequence[Span]) -> Clause:
    """Return a clause with what its pronoun stands for, where something else than what is searched for was told before:
    "I have a peanut allergy. Who takes <it> seriously?"."""
    ends = [match.start() for match in _STOPS.finditer(message, 0, told.start)]
    at = next((place for place, word in enumerate(told.words) if _stands_for(told.words, place, word)), None)
    if at is None or not ends:
        return told
    before = [word for word in _said(message, claimed, named) if word.stop <= ends[-1]]
    if any(word.named or word.text in _ASKING - SPEAKERS - {"me", "us", "need", "needs"} for word in before):
        return told
    tags = grammar.tags(tuple(word.text for word in before))
    nouns = [tag[:2] == "NN" and not word.claimed for word, tag in zip(before, tags, strict=True)]
    last = max((place for place, noun in enumerate(nouns) if noun), default=None)
    if last is None:
        return told
    first = last
    while first and nouns[first - 1] and not before[first].after:
        first -= 1
    thing = tuple(word.text for word in before[first : last + 1])
    rest = ("is",) if told.words[at].endswith("'s") else ()
    return replace(told, words=(*told.words[:at], *thing, *rest, *told.words[at + 1 :]))


def _stands_for(words: Sequence[str], at: int, word: str) -> bool:
    """Whether a word stands for a thing: "it", and "that" where it begins nothing."""
    if word == "that":
        return at > 0 and (at + 1 == len(words) or words[at + 1].endswith("ly"))
    return word in ("it", "it's", "them")


def _lead(said: Sequence[_Said], first: int) -> str:
    """The word that leads to a clause, over what two wishes have in common: "<that> isn't loud and <has parking>"."""
    for at in range(first - 1, max(-1, first - 1 - REACH), -1):
        asks = said[at].text in ("i", "we") and at and said[at - 1].text in ("can", "could")
        if asks and said[first - 1].text == "and":
            return "i"  # "can I eat there and <bring my dog>"
        if said[at + 1].after and said[at].text not in _JOINS and at < first - 1:
            break
        if said[at].text in _LEADS | _HAVING | {"for"}:
            return said[at].text
        if at == first - 1 and said[at].text == "to" and at and said[at - 1].text in _ASKING | _INTENDING:
            return "i"  # "I want <to>", "somewhere <to>"
        if at == first - 1 and said[at].text not in _JOINS | {"not", "isn't", "doesn't", "aren't", "don't"}:
            return said[at].text
    return ""


def _said(message: str, claimed: Sequence[Span], named: Sequence[Span]) -> list[_Said]:
    words: list[_Said] = []
    for match in _WORD.finditer(message):
        before = message[words[-1].stop if words else 0 : match.start()]
        text = match[0].lower().replace("’", "'")
        start, stop = match.span()
        held, called = (any(begin < stop and end > start for begin, end in spans) for spans in (claimed, named))
        words.append(_Said(text, start, stop, held, called, bool(_STOPS.search(before))))
    return words


def _ends(said: Sequence[_Said], at: int) -> bool:
    """Whether a clause does not reach to a word on its right."""
    word = said[at]
    if word.after and word.text == "or":  # "by itself, or out of the field"
        rest = said[at + 1 :]
        until = next((place for place, one in enumerate(rest) if one.after), len(rest))
        return not rest or any(one.claimed for one in rest[:until])
    if word.after or word.claimed or word.text in _LEADS - {"that", "what", "when"}:
        return True
    if word.text in _JOINS | _HAVING:
        rest = said[at + 1 :]
        until = next((place for place, one in enumerate(rest) if one.after or one.text in _JOINS), len(rest))
        return any(one.claimed or one.text in SPEAKERS for one in rest[:until]) or not rest
    return word.text.isdigit()


def _has_verb(said: Sequence[_Said]) -> bool:
    return any(tag.startswith("VB") for tag in grammar.tags(tuple(word.text for word in said)))


def _does(said: Sequence[_Said], first: int, last: int) -> bool:
    """Whether a clause begins with the verb of the things named before it: "bikes <struggle on hills>"."""
    things = said[first - 1] if first and not said[first].after else None
    if things is None or not (things.named and things.text.endswith("s")) or first == last:
        return False
    verb, after = said[first].text, grammar.tags((said[first].text, said[first + 1].text))[1]
    return after == "IN" and grammar.is_verb(verb) and grammar.base(verb) == verb and not grammar.is_adjective(verb)


def _is_thing(said: Sequence[_Said], first: int, at: int) -> bool:
    """Whether a word on the right is the thing searched for, and what is said so far only describes it: "a quiet"."""
    if not said[at].named:
        return False
    tags = grammar.tags(tuple(word.text for word in said[first:at]))
    return all(tag[:2] in ("JJ", "RB", "DT", "VB", "CC") for tag in tags)


def _begins(said: Sequence[_Said], at: int) -> bool:
    """Whether a clause does not reach to a word on its left."""
    word, before = said[at], said[at - 1] if at else None
    if word.claimed or word.named or word.text in _ASKING or word.text[0].isdigit():
        return True
    leads = before is None or word.after or before.claimed or before.named or before.text in _ASKING | _JOINS
    if word.text in _LEADS:
        return leads or not grammar.is_noun(grammar.tags((before.text,))[0] if before else "")
    if word.text in _JOINS:
        counted = at > 1 and (said[at - 2].claimed or said[at - 2].text[0].isdigit())  # "4 <euros> and"
        return before is None or word.after or before.claimed or before.named or counted
    return leads and word.text in _HAVING
