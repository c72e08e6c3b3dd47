"""Marks of the tagger on the normalised text: where each wish stands, and the words that lead to it.

The tagger leaves out what only joins a wish to its sentence. "Where nobody <makes you hurry>" is said by the whole
clause, though, "with a <garden>" by its preposition, and "flaky, not <greasy>" are two wishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.networks.tagger import Mark, Marks
from agent.parsing.semantics import english
from agent.parsing.semantics.asking import OPINION
from agent.parsing.semantics.wording import CLAUSE, HAVING
from agent.parsing.semantics.workspace import Board
from agent.text import grammar

LEAST = 0.25  # likelihood below which a mark is none
FAINT = 0.1  # the same in a message of which nothing else was understood
FOOD = frozenset({"cooking", "cookery", "food", "cuisine", "kitchen", "fare", "dishes", "specialties", "specialities"})
MARKERS = HAVING | CLAUSE | {"for", "to"}
_KINDS = ("wish", "unwanted", "preferred", "question")
_LEADING = MARKERS | {"and", "or", "but", "somewhere", "anywhere", "place"}
_REACH = 5  # words between a marker and the wish it leads to
_PERSONS = "|".join(sorted(english.ANYBODY | english.REVIEWERS | {"they", "it", "nobody", "no"}))
_PASSED = re.compile(  # what may stand between them
    r"a|an|the|some|any|really|always|also|actually|ideally|preferably|maybe|hopefully|no|not|never|too|very|at|least|"
    r"do|does|did|is|are|was|were|be|am|can|could|will|would|should|must|get|gets|"
    rf"{_PERSONS}"
)
_CLAUSAL = re.compile(
    r"is|are|was|were|do|does|did|can|could|will|would|should|must|get|gets|not|never|"
    rf"{_PERSONS}"
)
_SUBJECT = re.compile(
    r"(?:^| )(?P<lead>(?:nobody|no one)(?: (?:has|will|can))?|none of them|"
    r"(?:they|you)(?: (?:can|do|are|will))?(?: not)?) $"
)
_ARTICLE = re.compile(r"(?<!\S)an? $")
_WANTED = re.compile(r"\b(?:want|wants|like|love|able|hoping|hope|wanna|prefer|need|needs|get|us) to $")
_WHETHER = re.compile(
    r"(?:^|[.,;!?] |\b(?:and|but|so|know|if|whether) )"
    r"(?:(?:do|does|did|can|could|will|would) (?:any|some|the|all|most|those|these|one|you know)|which|what|any)\b"
    r"[^.,;!?]*(?<! a)(?<! an)(?<! the)(?<! with)(?<! have)(?<! serve)(?<! for) $"
)
_WHO_DOES = re.compile(r"(?P<who>[a-z]+) (?:that|who) (?P<does>(?:(?:do|does|is|are|will|would|can) )?(?:not )?)$")
_SAID_OF = re.compile(
    r"(?<!\S)(?P<lead>(?:the|their|its) [a-z]+(?: [a-z]+)? (?:is|are|was|were))(?P<denied> not| never)? $"
)
_AND_I = re.compile(
    r"(?<!\S)(?:(?:can|could|might) (?:i|we|you|one)|(?:i|we|you|one|people) (?:can|could)) (?:[^\s.;!?]+ )+"
    r"and (?:still |also |actually |not )*$"
)
_SOUGHT = re.compile(
    r"(?<!\S)(?:look|looking|search|searching|hunting|hunt|asking|ask|hoping|wishing|craving|mood|dying) for [^.]*$"
)
_WITH_A = re.compile(r" with (?:an?|live|lots of|plenty of) (?=\S)")
_FOR_OCCASION = re.compile(
    r"(?<=\S) for (?:(?:my|our|his|her|their) (?:\S+ ){0,3}?|an? (?:\S+ )??)"
    r"(?:birthday|anniversary|wedding|graduation|engagement|retirement|proposal|bachelorette|baby shower)(?: party)?$"
)
_TO_SOME = frozenset(
    {"good", "great", "patient", "generous", "easy", "friendly", "helpful", "gentle", "careful", "okay"}
)
_OPEN = re.compile(r"(?:how|what|when|why|where)\b")  # begins a question that no yes answers
_MAY_I = re.compile(r"(?<!\S)(?:can|could|may|would) (?:i|we|you|one|people|guests)(?: please| also)? $")
_TRUSTED = re.compile(
    r"(?<!\S)(?:trust|trusted|expect|count on|rely on|known|sure)(?: (?:it|them))? (?:not |never )?to $"
)
_SELECTS = re.compile(  # "which do people think are <worth it>", "which ones <have parking>"
    r"(?<!\S)which(?: ones?| of (?:them|these|those))? (?:(?:do|does|did) .*)?$"
)
_DO_NOT = re.compile(r"(?<!\S)(?:should|must|will|would|can|could|does|do|did) not $")
_DOES_NOT = re.compile(r"(?<!\S)(?:should|must|will|would|can|could|does|do|did) [^.;!?]*(?<!\S)not $")
_JOINING = re.compile(r"(?:,|and|or|but|plus|and also|, and|, or|as well as|&)?")
_MADE = re.compile(r"(?:right |straight |fresh )?(?:out of|from|off) ")
_RELATIVE = re.compile(r"(?:that|which)(?: (?:do|does|is|are|has|have|can|will))?(?: not| never)?")
_SERVED_IN = re.compile(r"(?:in|on|over|with|from)(?: an?| the)?")
_WITH_PART = re.compile(r"with(?: (?:an?|the|its|really|very|truly|super|some))*")
_PARTS = frozenset(  # of a dish
    {"batter", "bone", "bones", "broth", "bun", "buns", "butter", "cheese", "chili", "crumb", "crust", "dough", "edges"}
    | {
        "dressing",
        "egg",
        "eggs",
        "filling",
        "fillings",
        "foam",
        "garlic",
        "glaze",
        "gravy",
        "greens",
        "herbs",
        "layers",
    }
    | {"marrow", "meat", "noodles", "rice", "salsa", "sauce", "sauces", "seasoning", "skin", "spice", "spices", "syrup"}
    | {"toppings", "tortilla", "tortillas", "wrapper", "wrappers", "yolk", "yolks", "heat", "kick"}
)
_LINKED = re.compile(r" (?:is|are|was|were|be|being)(?: not| never)?$")
_EXAMPLE = re.compile(
    r"(?: \S+ it)?(?: ,)? (?:like|such as|for example|eg|for instance|say)(?: ,)?(?: an?| the| some)? "
)
_OTHER = re.compile(r" or(?: an?| the| some)? ")
_LINKING = re.compile(r"(?:is|are|was|were|be|being)(?: not| never)?|(?:do|does|will|would|did) not(?: ever)?|never")
_NOT = re.compile(
    r"(?<! is)(?<! are)(?<! do)(?<! does)(?<! can)(?<! will)(?<! would)(?<! did)(?<! if)(?<! must)(?<! should)"
    r"(?: ,| but| and)? not (?!only |just |too |much )"
)
_OR = re.compile(r"(?: ,)? or (?:maybe |perhaps |else )?")
_APART = re.compile(r"[.,;:!?]|(?<!\S)(?:and|but|also|plus)(?!\S)")
_WHERE_OR_WHEN = re.compile(
    r"(?<!\S)(?:near|in|around|at|by|from|to|on|under|over|after|before|until|of|within|called|below|above|next|"
    r"than|between)(?: the| my| our)? $"
)
_KNOWN_FOR = re.compile(r"(?<!\S)(?:known|famous|renowned|noted|loved|popular|praised) for(?: an?| the| its| their)? $")
_TABLE = re.compile(r"(?:table|seat|meal|dinner|lunch|bite)s? (?:at|in) (?:an? |some )?")
_HAVE_TO = re.compile(r"ha(?:ve|s) to ")
_FAR = frozenset(
    {
        "cities",
        "city",
        "town",
        "area",
        "distance",
        "walk",
        "walking",
        "drive",
        "minutes",
        "blocks",
        "nearby",
        "close",
        "local",
    }
)
_UNMARKED = 0.3  # likelihood from which a column's value that no column has is a wish


@dataclass(frozen=True, slots=True)
class Span:
    """A mark as characters `start:stop` of the normalised text, `marker` the word that leads to it ("with", "where"),
    and `lead` the words before it that it needs to be a clause or a noun phrase ("nobody", "a")."""

    start: int
    stop: int
    kind: str
    probability: float
    marker: str = ""
    lead: str = ""


def spans(board: Board, marks: Marks) -> Iterator[Span]:
    """What the marks of a message ask of its texts. What is marked as a column's value that none has is one as well."""
    found = [span for mark in marks.marks if (span := placed(board, mark)) is not None]
    columns = [span for span in found if span.kind == "column"]
    alone = not any(m.kind != "noise" for m in board.mentions)  # nothing else was understood: what is likeliest counts
    before: Span | None = None
    for span in _exemplified(board, _joined(board, found)):
        if span.probability < (FAINT if alone else LEAST):
            continue
        if span.kind == "column" and _unknown(board, span, FAINT if alone else _UNMARKED):
            span = replace(span, kind="wish")
        elif (
            span.kind == "question"
            and not _OPEN.match(board.norm, span.start)
            and not _column_asked(board, span)
            and _searches(board, span, columns)
        ):
            span = replace(span, kind="wish")  # "do any <thai> places still <push carts around>"
        if span.kind not in _KINDS:
            continue
        for one in _split(board, span):
            before = _led(board, one, before)
            yield before


def placed(board: Board, mark: Mark) -> Span | None:
    """Where a mark stands in the normalised text."""
    tokens = board.text.tokens
    inside = [index for index, token in enumerate(tokens) if token.start < mark.stop and token.stop > mark.start]
    while inside and tokens[inside[0]].mark:
        inside.pop(0)
    while inside and tokens[inside[-1]].mark:
        inside.pop()
    if not inside:
        return None
    return Span(*board.text.span(inside[0], inside[-1] + 1), mark.kind, mark.probability)


def asked(board: Board, marks: Marks) -> list[tuple[int, int]]:
    """The stretches of the text that ask something about what is looked for, and not what people think of it."""
    found = [span for mark in marks.marks if mark.kind == "question" and (span := placed(board, mark))]
    return [(span.start, span.stop) for span in found if not OPINION.search(board.norm, span.start, span.stop)]


def _joined(board: Board, found: list[Span]) -> list[Span]:
    """The spans, those of one kind that nothing stands between as one, and "<the tables> are not <cramped>"."""
    joined: list[Span] = []
    for span in found:
        before = joined[-1] if joined else None
        between = board.norm[before.stop : span.start].strip() if before else "."
        linked = before is not None and not between and _LINKED.search(board.norm[before.start : before.stop])
        if (before and (before.kind == span.kind or linked) and not between) or (
            before and before.kind == "wish" and span.kind in ("wish", "unwanted") and _LINKING.fullmatch(between)
        ):
            joined[-1] = replace(before, stop=span.stop)
        elif before and span.kind in ("wish", "unwanted", "column") and _of_dish(board, before, span):
            joined[-1] = replace(before, stop=span.stop, kind="wish", probability=span.probability)
        else:
            joined.append(span)
    return joined


def _of_dish(board: Board, before: Span, span: Span) -> bool:
    """Whether a span says more of the dish that the one before it ends in: "<dumplings> that do not <fall apart>"."""
    known = any(m.start < span.stop and m.stop > span.start for m in board.mentions)
    leads = _SERVED_IN if span.kind == "column" else _RELATIVE  # "<bibimbap> in <stone bowls>", which no column has
    if span.kind == "wish" and board.norm[: span.stop].split()[-1] in _PARTS:
        leads = _WITH_PART  # "<duck> with <crispy skin>"
    foods = ("dish", "kind") if _MADE.match(board.norm, span.start) else ("dish",)  # "<pizza> <out of a wood oven>"
    dishes = (m for m in board.mentions if m.label in foods and before.start <= m.start and m.stop <= before.stop)
    between = [board.norm[dish.stop : span.start].strip() for dish in dishes]
    made = foods[-1] == "kind" and "" in between
    return not (known and span.kind == "column") and (made or any(leads.fullmatch(words) for words in between))


def _exemplified(board: Board, found: list[Span]) -> list[Span]:
    """The spans, a wish and the examples given of it as one: "<a little fuss>, like <a card> or <a free dessert>"."""
    kept: list[Span] = []
    goes_on = False
    for span in found:
        before = kept[-1] if kept else None
        between = board.norm[before.stop : span.start] if before else ""
        joins = _EXAMPLE.fullmatch(between) is not None or (goes_on and _OTHER.fullmatch(between) is not None)
        goes_on = before is not None and before.kind == span.kind == "wish" and joins
        if before is not None and goes_on:
            kept[-1] = replace(before, stop=span.stop, probability=max(before.probability, span.probability))
        else:
            kept.append(span)
    return kept


def _split(board: Board, span: Span) -> Iterator[Span]:
    """The wishes in one span: of "flaky, not greasy" two, and of two subjects joined by "or"."""
    apart = (_OR if span.kind == "topic" else _NOT).search(board.norm[span.start : span.stop])
    if further := _further(board, span):
        yield replace(span, stop=further)
        yield replace(span, start=further + 1)
        return
    if apart is None or span.kind in ("unwanted", "question"):
        yield span
        return
    yield replace(span, stop=span.start + apart.start())
    yield replace(span, start=span.start + apart.end(), kind=span.kind if span.kind == "topic" else "unwanted")


def _further(board: Board, span: Span) -> int:
    """Where a quality that is understood ends, if a thing is wished for beside it: "<cozy> <with a fireplace>", or a
    thing, if the occasion follows: "<a harp> <for my birthday>"."""
    for mention in board.mentions:
        word = board.norm[span.start : mention.stop]
        quality = mention.label == "aspect" and mention.start <= span.start < mention.stop < span.stop
        if quality and english.describes(word) and word not in _TO_SOME and _WITH_A.match(board.norm, mention.stop):
            return mention.stop
    occasion = _FOR_OCCASION.search(board.norm, span.start, span.stop)
    return occasion.start() if occasion is not None and span.kind == "wish" else 0


def _unknown(board: Board, span: Span, least: float) -> bool:
    """Whether no column has what is marked as a column's value, and no name, place, time or number is meant; or whether
    more is said of food than what it is: "smoky brisket"."""
    inside = [m for m in board.mentions if m.start < span.stop and m.stop > span.start]
    first, last = board.text.token_at(span.start), board.text.token_at(span.stop - 1)
    starts = {index: board.text.span(index, index + 1)[0] for index in range(first, last + 1)}
    free = [
        board.text.tokens[index]
        for index, start in starts.items()
        if not any(m.start <= start < m.stop for m in inside)
    ]
    said = set(english.content([token.norm for token in free])) - set(english.PRAISE) - english.heads() - FOOD
    return bool(said) and not (
        span.probability < least
        or any(m.label not in ("dish", "kind") for m in inside)
        or any(re.search(r"\d|\$", token.norm) for token in free)
        or (any(token.raw[:1].isupper() for token in free) and not board.text.message.isupper())
        or (not inside and (_somewhere(board, span.start) or said & _FAR))
    )


def _somewhere(board: Board, start: int) -> bool:
    """Whether words before a position say that a place, a time or a measure follows."""
    before = board.norm[:start]
    return _WHERE_OR_WHEN.search(before) is not None and _WANTED.search(before) is None


def _searches(board: Board, span: Span, columns: list[Span]) -> bool:
    """Whether what is marked as a question is a condition: it stands in the clause that searches, or is wanted."""
    said = set(english.content(board.norm[span.start : span.stop].split())) - english.verbs()
    wanted = any(pattern.search(board.norm[: span.start]) for pattern in (_WANTED, _SELECTS))
    return bool(said) and (wanted or any(_together(board, one, span) for one in columns))


def _column_asked(board: Board, span: Span) -> bool:
    """Whether what is marked as a question was understood as a column: "the <average hours students spend>"."""
    inside = (m for m in board.mentions if m.start < span.stop and m.stop > span.start)
    return any(m.aggregate or m.projection for m in inside)


def _together(board: Board, one: Span, other: Span) -> bool:
    """Whether two spans stand in one clause."""
    return _APART.search(board.norm, min(one.stop, other.stop), max(one.start, other.start)) is None


def _led(board: Board, span: Span, before: Span | None) -> Span:
    """The span with what leads to it, which may stand inside it or before it, or have led to the span before."""
    start, marker, goes_on = span.start, "", ""
    if before is not None and _JOINING.fullmatch(board.norm[before.stop : span.start].strip()):
        marker = before.marker
        goes_on = before.lead if before.lead in ("it is", "they are") else ""
    for word in board.norm[span.start : span.stop].split():
        if word not in _LEADING or _HAVE_TO.match(board.norm, start):
            break
        marker = word if word in MARKERS else marker
        start += len(word) + 1
    if table := _TABLE.match(board.norm, start, span.stop):
        start = table.end()
    if start >= span.stop:
        return span
    lead = ""
    if start == span.start:
        found, passed = _before(board, start)
        if found:
            marker = "with" if found == "for" and _KNOWN_FOR.search(board.norm[:start]) else found
        if marker in CLAUSE:
            lead = " ".join(word for word in passed if _CLAUSAL.fullmatch(word)) if found else ""
        elif subject := _SUBJECT.search(board.norm[:start]):
            lead, marker = subject["lead"], "where"
        elif article := _ARTICLE.search(board.norm[:start]):
            lead = article.group().strip()
    if (of := _WHO_DOES.search(board.norm[:start])) is not None and of["who"] in english.doers():
        lead, marker = f"the {of['who']} {of['does']}".strip(), "where"  # "staff that does not <sneer>"
    if not lead and (said := _SAID_OF.search(board.norm[:start])) is not None:
        start, marker = said.start("lead"), "where"  # "the menu is not <only in English>"
        span = replace(span, kind="wish") if said["denied"] else span
    if not marker and _WHETHER.search(board.norm[:start]) and _does(board, start):
        marker = "that"  # "does any cafe <bake its own bread>", "which places <stay open>"
    if not marker and (_MAY_I.search(board.norm[:start]) or _AND_I.search(board.norm[:start])):
        marker = "acting"  # "could I <bring my own bottle>", "where can I eat and <hear my friends>"
    denied = _DO_NOT.search(board.norm[:start]) is not None and grammar.is_verb(board.norm[start:].split()[0])
    if not marker and (denied or (_DOES_NOT.search(board.norm[:start]) and _does(board, start))):
        marker = "that"  # "lecturers should speak slowly and not <race through the slides>"
    if marker == "to" and _WANTED.search(board.norm[:start]):
        marker = "acting"
    elif marker == "to" and _TRUSTED.search(board.norm[:start]):
        marker = "that"  # "reviewers trust not to <cross contaminate>"
    return replace(span, start=start, marker=marker, lead=lead or goes_on)


def _does(board: Board, start: int) -> bool:
    """Whether what begins there says what is done: "use fresh fish", and not "eye doctor"."""
    words = tuple(board.norm[start:].split()[:3])
    clear = words[0] in english.verbs() or grammar.is_only_verb(words[0])
    return clear or (grammar.is_verb(words[0]) and len(words) > 1 and not grammar.is_noun(grammar.tags(words)[1]))


def _before(board: Board, start: int) -> tuple[str, list[str]]:
    """The marker before a position, and the words between; empty where there is none."""
    passed: list[str] = []
    for word in reversed(board.norm[:start].split()[-_REACH:]):
        if word in MARKERS:
            sought = word == "for" and _SOUGHT.search(board.norm[:start])
            return ("", []) if sought else (word, passed)
        if not _PASSED.fullmatch(word):
            break
        passed.insert(0, word)
    return "", []
