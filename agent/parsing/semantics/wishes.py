"""What a message wishes for that no recogniser understood whole becomes a question to the free text.

Which words are wishes, and which only tell the story around them, the tagger says (`agent.networks.tagger`): it marks
each wish from its first word to its last. Here a mark becomes one well-formed question, unless what was recognised
inside it carries all that it says; a kind of food, a dish or an aspect that is only a part of it is no wish of its own.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from agent.networks.tagger import Marks
from agent.parsing.frame import Asked, Projection
from agent.parsing.semantics import english
from agent.parsing.semantics.assembly import DENIED, negated
from agent.parsing.semantics.soundness import sound
from agent.parsing.semantics.tagger_marks import FOOD, Span, spans
from agent.parsing.semantics.unmarked import SURE, needed
from agent.parsing.semantics.wording import CLAUSE, HAVING, Question, Wording
from agent.parsing.semantics.workspace import Board, Mention
from agent.text import grammar

_MUCH = 2  # words beside what was recognised that say more of it, whatever they are
_TORN = frozenset({"kind", "dish", "aspect", "good"})  # mentions that may be part of something longer
_DENIER = re.compile(r"(?<!\S)(?:no|not|without|never|zero)(?: (?:a|an|any|the|too|so|very))? $")
_NEGATION = re.compile(r"(?<!\S)(?:not|never|nobody|no|none)(?!\S)")
_NOT = re.compile(
    r"(?:(?:they|you|we|i|one|people|students|nobody|do|does|did|not|never|hardly|barely|rarely|ever|have|has|having|"
    r"need|needs|to|any|much|requires?|requiring|involves?|expects?|insists?|on|me|us|the|a) )+"
)
_PERSON = re.compile(  # one of those who come along
    r"(?:(?:i|we)(?! (?:can|could|will|would|get) (?!not))|she|he|(?:my|our|her|his) (?:\S+ ){0,3}?\S+|"
    r"(?:half|some|one|two|most|all|none) (?:of )?(?:the \S+|us|them)) (?:(?:also|really|both|all) )*"
    r"(?=(?:am|are|is|have|has|do|does|can|will|would|need|needs|use|uses|get|gets|\S+s) )"
)
_ANY_GOOD = re.compile(r"(?: there)? any good\b", re.IGNORECASE)  # "is the steak there any good"
_ASKED = re.compile(r"(?<!\S)(?:(?:what|how|which|whether|when|why|who|is|are|do|does|much|many|long|it) )+$")
_QUESTION = re.compile(
    r"(?:what|how|which|whether|when|why|who|where|if|is|are|was|were|do|does|did|can|could|will|would|has|have|should)\b"
)
_SEARCHES = re.compile(
    r"(?:what|which|are there|is there) (?:other |any )*(?:\S+ )?(?:courses?|class(?:es)?|places?|restaurants?)\b"
)
_ATTACHED = re.compile(r" (?:on|in|at|by|for|of|from|over|with|to)(?: (?:the|a|an|its|their|my|our))? ")
_LIGHT = frozenset(  # verbs that add nothing to what they go with
    {"be", "have", "serve", "do", "make", "cook", "offer", "sell", "get", "play", "keep", "take", "provide", "feature"}
    | {"had", "served", "offered", "specialise", "specialize", "focus", "concentrate"}
)
_SAYS_NOTHING = frozenset(
    {"a", "an", "the", "they", "it", "you", "some", "any", "really", "very", "also", "not", "their", "in", "on", "of"}
    | {"and", "or", "but", "both", "it", "is", "are"}
)
_HOUSES = frozenset({"bar", "pub", "cafe", "diner", "bistro", "bakery", "brewery"})  # "a piano bar"
_HOUSE = re.compile(
    r"(?:bar|pub|cafe|diner|bistro|house|hall|garden|room|shop|truck|stand|lounge|club|place|ery|eria|deli|market|buffet)s?$|ies$"
)
_SERVED_FROM = re.compile(
    r" (?:bar|station|carts?|menu|tower|fountain|counter|selection|trolleys?|tanks?|markets?)(?=\s|$)"
)
_WANTED_ANYWHERE = frozenset({"table", "tables", "seat", "seats", "reservation", "meal"})  # alone they ask nothing
_MEASURES = re.compile(r"(?<!\S)(?:bowl|plate|cup|slice|glass|pint|piece|portion|helping)s?(?= of )")
_MEAL = re.compile(r"breakfast|brunch|lunch|dinner|supper|meal")
_REFERS = re.compile(
    r"(?<!\S)(?:(?:that|this|it|those|these|them)(?: \S+ly)?|safe(?:ly)?|"
    r"for (?:her|him|them|both(?: of us)?|all of us)(?: too| as well| also)?|both of us(?: happy)?)$"
)
_NEXT = re.compile(r" (?:(?:the|their|its) )?")
_ABOUT = frozenset({"about", "for", "over", "of", "on", "with"})
_THAT_IS = re.compile(r"(?<!\S)(?:that|which) (?:is|are|was|were)(?: (?:still|always|actually|really|\S+ly))* $")
_TOO = re.compile(r"(?<!\S)too \S+ $")
_COMPLAINTS = re.compile(r"(?:(?:have|get|many|any) )*(?:complaints?|complaining|gripes) (?:about|of|over) (?:the )?")
_WHO = re.compile(r"(?<!\S)(?:who|that|which|where|whose)(?!\S)")
_SAID = re.compile(r" (?:is|are|was|were|has|have|tastes?|comes?|should)\b")
_TOLERATED = frozenset({"ok", "okay", "fine", "alright"})


class Wishes:
    """Puts wishes as questions to a table's column of opinions."""

    def __init__(self, table: str, column: str, noun: str) -> None:
        self.table, self.column = table, column
        self.wording = Wording(noun)

    def __call__(self, board: Board, marks: Marks) -> list[str]:
        """Adds the questions to the board; returns the content words of wishes that make none."""
        dropped: list[str] = []
        for span in list(spans(board, marks)):
            if span.kind == "question":
                self._show(board, span)
            else:
                dropped.extend(self._ask(board, span))
        return dropped

    def _show(self, board: Board, span: Span) -> None:
        """Has what is asked of the results told with each of them, unless a column tells it."""
        lead = _ASKED.search(board.norm[: span.start])
        start = lead.start() if lead else span.start
        inside = _inside(board, span)
        if any(m.label not in _TORN or m.kind != "node" for m in inside):
            return  # a column tells it
        if not _QUESTION.match(board.norm, start) or _SEARCHES.match(board.norm, start):
            return
        if not any(m.node for m in board.mentions if m not in inside):
            return  # of what?
        asked = board.norm[start : span.stop]
        said = set(english.content(asked.split())) - english.verbs() or " about " in asked
        if not said or not sound(f"{asked}?"):
            return
        words = _ANY_GOOD.sub(" good", board.words(start, span.stop))
        board.mentions[:] = [m for m in board.mentions if m not in inside]
        told = Projection(table=self.table, column=self.column, question=f"{words[:1].lower()}{words[1:]}?")
        board.add(Mention(span.start, span.stop, "projection", projection=told, label="asked"))

    def _ask(self, board: Board, span: Span) -> list[str]:
        """Adds the question of a wish; returns its content words where it makes none."""
        if complained := _COMPLAINTS.match(board.norm, span.start, span.stop):
            span = replace(span, start=complained.end(), kind="unwanted", marker="", lead="")
        for aim in [m for m in _inside(board, span) if _TOO.search(board.norm[: m.start]) and m.label == "aspect"]:
            board.mentions.remove(aim)  # "too loud <to talk>" is too loud
        others = [m for m in _inside(board, span) if m.label not in _TORN or m.kind not in ("node", "order")]
        meals = [m for m in others if m.stop == span.stop and _MEAL.fullmatch(board.norm, m.start, m.stop)]
        others = [m for m in others if m not in meals]  # "a long <lunch>" is both
        others = [m for m in others if m.label != "scale" or not _ATTACHED.match(board.norm, m.stop, span.stop)]
        if others:
            span = _beside(span, others)
            if board.norm.startswith("of ", span.start):
                return []  # "more than ten hours <of my week>"
        span = _with_dish(board, span)
        inside = _inside(board, span)
        if _REFERS.search(board.norm, span.start, span.stop) and any(needed(m) for m in board.mentions):
            return []  # "<i have a peanut allergy>, who takes that seriously": what is needed was understood
        words = [*span.lead.split(), *board.norm[span.start : span.stop].split()]
        dish = _spoken_of(board, span) if words[:1] == ["it"] else _done_to(board, span, words)
        said = english.content(words) if dish else self._said(board, span, inside)
        if not said:
            for mention in inside:
                within = mention.start >= span.start and not mention.fixed
                mention.unwanted = mention.unwanted or (span.kind == "unwanted" and within and mention not in meals)
            return []
        words = [*dish, *words[words[:1] == ["it"] :]] if dish else words
        question = self._question(replace(span, marker="where") if dish else span, words)
        text = self._served(board, span, question.text, inside).replace(" ,", ",")
        if not text or not (span.probability > SURE or sound(text)):
            return said
        leading = [m for m in inside if m.label == "kind" and not span.marker and m.start <= span.start + 2]
        kept = meals + [m for m in leading if not _SAID.match(board.norm, m.stop)]  # "<the coffee> is strong"
        if span.kind != "unwanted":  # "not a <chain-y diner>" is no diner either
            houses = [m for m in inside if board.norm[m.start : m.stop] in _HOUSES and m.stop == span.stop]
            kept += [m for m in houses if m not in kept]
        board.mentions[:] = [m for m in board.mentions if m not in inside or m in kept]
        denied = span.kind == "unwanted" or (
            span.kind == "wish" and _DENIER.search(board.norm[: span.start]) is not None
        )
        if _NEGATION.search(span.lead) or " for someone who " in text:
            denied = False  # the question says so itself
        node = Asked(
            table=self.table,
            columns=(self.column,),
            question=text,
            expected="No" if question.negated != denied else "Yes",
            unsure=span.probability < SURE,
            soft=span.kind == "preferred",
            words=board.words(span.start, span.stop),
        )
        slot = f"{self.table}.{self.column}?"
        start = min(max([span.start, *(m.stop + 1 for m in kept if m not in meals)]), span.stop - 1)
        board.add(Mention(start, span.stop, "node", slot, node, fixed=True, label="wish"))
        return []

    @staticmethod
    def _said(board: Board, span: Span, inside: list[Mention]) -> list[str]:
        """The words of a span that say something which nothing recognised in it carries."""
        if any(_covers(m, span) or DENIED.fullmatch(board.norm, m.stop, span.stop) for m in inside):
            return []
        if any(m.label == "aspect" and m.stop >= span.stop and _denies(board, span.start, m.start) for m in inside):
            return []  # "they <never check attendance>"
        if praised := _praised(board, span, inside):
            return praised
        free = _free(board, span, inside)
        if any(_is_food(board, m) for m in inside):
            measures = _MEASURES.findall(board.norm, span.start, span.stop + len(" of "))
            free = [word for word in free if word not in measures]  # "a good bowl of <pho>" is good pho
        of_staff = set(free[:2]) & english.doers()  # "<the owner> comes over <to chat>"
        if any(m.label == "aspect" and m.fixed for m in inside) and not of_staff:
            return []  # what a guest needs was understood
        for one, other in pairwise(inside):
            between = board.norm[one.stop : other.start]
            if one.label == "aspect" and _is_food(board, other) and between in (" ", " the ", " their "):
                return [board.norm[one.start : one.stop]]  # "<authentic> <poke>", "people <rave about> the <gnocchi>"
            if _is_food(board, one) and other.label == "aspect" and between in (" ", " that ", " which "):
                return [board.norm[other.start : other.stop]]  # "<desserts> <people rave about>"
            if _SAID.match(board.norm, one.stop) and span.start + len("the ") >= one.start and other.label == "aspect":
                return [board.norm[other.start : other.stop]]  # "<the curry> is <spicy>", "<the menu> is <worth it>"
            aim = board.norm[other.start : other.stop]
            if aim.startswith("for ") or _ATTACHED.fullmatch(board.norm[one.stop : other.start]):
                return free or [aim]  # "<heaters> on the <patio>", "<high chairs> <for toddlers>" are of a kind
        felt = set(free[-1:] if span.marker in HAVING else (*free[:1], *free[-1:])) & english.feelings()
        if felt or (free[-1:] and free[-1] in _TOLERATED):
            return []
        if "own" in free:
            return free  # "make their own <pasta>"
        if span.marker in CLAUSE and inside:
            light = _SAYS_NOTHING | FOOD | set(english.PRAISE)
            return [word for word in free if english.base(word) not in _LIGHT and word not in light]
        empty = english.heads() | set(english.PRAISE) | _WANTED_ANYWHERE | {"reviews", "ratings"}
        said = [word for word in english.content(free) if word not in empty]
        if inside:
            said = [
                word
                for word in said
                if english.base(word) not in _LIGHT and word not in FOOD and not word.endswith("ly")
            ]
            more = set(free) - set(english.PRAISE) - {"reviews", "ratings", "for", "about", "the"}  # "good reviews for"
            if not said and len(free) > _MUCH and more and span.probability > SURE:
                said = free  # "<tables looking out> on the water"
        elif not said and len(free) > 1 and span.probability > SURE:
            said = [word for word in free if word not in english.filler() and word not in english.PRAISE]
        elif all(board.taken(at) for at in range(span.start, span.stop)):
            return []  # accounted for: what does not matter, what only lends force
        return said

    def _question(self, span: Span, words: list[str]) -> Question:
        person = _PERSON.match(" ".join(words)) if span.marker not in CLAUSE else None
        if person is not None and _is_person(person.group().split()):
            told = " ".join(_third(words[len(person.group().split()) :]))
            return Question(f"is this {self.wording.noun} good for someone who {told}?")
        return self.wording.question(span.marker, words, unwanted=span.kind == "unwanted")

    def _served(self, board: Board, span: Span, question: str, inside: list[Mention]) -> str:
        """The question with the verb for food, and a house called what it is: "a piano bar"."""
        noun, food = self.wording.noun, [m for m in inside if m.label in ("dish", "kind")]
        clause = _WHO.search(board.norm, span.start, span.stop)
        food = [m for m in food if clause is None or m.start < clause.start()]  # "servers who know their <wine>"
        have = f"does this {noun} have "
        if food and question.startswith(f"does this {noun} do "):
            return question.replace(" do ", " serve ", 1)
        if not food or not question.startswith(have):
            return question
        last = board.norm[: span.stop].split()[-1]
        if question.startswith(f"{have}its own "):
            return question
        if last in _HOUSES and food[-1].stop == span.stop:
            return f"is this {noun} {english.with_article(question.removeprefix(have).rstrip('?'))}?"
        if any(_SERVED_FROM.match(board.norm, m.stop) for m in food):
            return question
        served = question.removeprefix(have)
        if not re.match(r"(?:an?|the) ", f"{span.lead} {board.norm[span.start : span.stop]}".strip()):
            served = re.sub(r"^an? ", "", served)  # "smoky brisket" is no single one
        return f"does this {noun} serve {served}"


def _is_person(words: list[str]) -> bool:
    """Whether a subject is somebody, rather than something of theirs: "my clothes"."""
    return words[0] not in ("my", "our", "her", "his") or bool(set(words) & english.relatives())


def _third(words: list[str]) -> list[str]:
    """A predicate of "I" or "we" as one says it of somebody."""
    if not words:
        return []
    verb = {"am": "is", "are": "is", "do": "does", "have": "has"}.get(words[0], words[0])
    if verb not in grammar.AUXILIARY and verb == english.base(verb) and grammar.is_verb(verb):
        verb = grammar.third_person(verb)
    return [verb, *english.of_others(words[1:])]


def _praised(board: Board, span: Span, inside: list[Mention]) -> list[str]:
    """The words of a wish that praise food, where that is a kind of place and another kind is looked for: "breakfast,
    and <good coffee>"."""
    kinds = [m for m in inside if m.label == "kind" and m.stop == span.stop and _is_food(board, m)]
    another = any(m.label == "kind" and m not in inside for m in board.mentions)
    said = board.norm[span.start : kinds[0].start].split() if kinds and another and span.kind == "wish" else []
    return said if set(said) <= set(english.PRAISE) else []


def _denies(board: Board, start: int, stop: int) -> bool:
    """Whether all that a wish says before what was recognised in it is that it must not be so."""
    return _NOT.fullmatch(board.norm, start, stop) is not None and negated(board, stop)


def _is_food(board: Board, mention: Mention) -> bool:
    """Whether a mention is a dish, or a kind of place that is called what is eaten there: "coffee", not "Thai"."""
    words = board.norm[mention.start : mention.stop].split()
    named = (
        grammar.is_noun(grammar.tags(tuple(words))[-1]) and grammar.is_word(words[-1]) and not _HOUSE.search(words[-1])
    )
    return mention.label == "dish" or (mention.label == "kind" and named)


def _spoken_of(board: Board, span: Span) -> list[str]:
    """The dish that "it" stands for in a wish about food: "falafel, but only if <it is crunchy outside>"."""
    before = [m for m in board.mentions if m.label == "dish" and m.stop <= span.start]
    return ["the", *board.norm[before[-1].start : before[-1].stop].split()] if before else []


def _done_to(board: Board, span: Span, words: list[str]) -> list[str]:
    """The food that a relative clause tells what is done to: "dim sum in the city that <is pushed around on carts>"."""
    relative = _THAT_IS.search(board.norm[: span.start])
    if relative is None:
        return []
    rest = [word for word in words if word not in grammar.BE]
    done = next((tag for tag in grammar.tags(tuple(rest)) if tag != "RB"), "")
    if done not in ("VBN", "VBD"):
        return []
    for food in board.mentions:
        places = (
            m for m in board.mentions if m.label == "place" and food.stop <= m.start and m.stop <= relative.start()
        )
        left = relative.start() - food.stop - sum(m.stop - m.start + 1 for m in places)
        said = board.norm[food.start : food.stop].split()
        if left in (0, 1) and _is_food(board, food):
            be = [] if words[0] in grammar.BE else ["are" if said[-1].endswith("s") else "is"]
            return ["the", *said, *be]
    return []


def _inside(board: Board, span: Span) -> list[Mention]:
    """The mentions that a span overlaps, from left to right."""
    return sorted((m for m in board.mentions if m.start < span.stop and m.stop > span.start), key=lambda m: m.start)


def _with_dish(board: Board, span: Span) -> Span:
    """The span with the dish that it describes, or the food it is a kind of: "<smoky> brisket", "<drag> brunch"."""
    words = board.norm[span.start : span.stop].split()
    after = _NEXT.match(board.norm, span.stop) if words and words[-1] in _ABOUT else None
    start = after.end() if after is not None else span.stop + 1
    food = next((m for m in board.mentions if m.label in ("dish", "kind") and m.start == start), None)
    if food is None or not words or _inside(board, span):
        return span
    if words[-1] in _ABOUT:
        return replace(span, stop=food.stop)  # "<people rave about> the gnocchi"
    if english.describes(words[-1]):
        return replace(span, stop=food.stop) if food.label == "dish" else span
    tags = grammar.tags((*words, board.norm[food.start : food.stop]))
    return replace(span, stop=food.stop) if grammar.is_noun(tags[len(words) - 1]) else span


def _covers(mention: Mention, span: Span) -> bool:
    """Whether a mention carries all of a span."""
    return mention.start <= span.start and mention.stop >= span.stop


def _beside(span: Span, others: list[Mention]) -> Span:
    """The longer part of a span before or after what was understood otherwise: a place, a time, a price."""
    first, last = min(m.start for m in others), max(m.stop for m in others)
    if first - span.start >= span.stop - last:
        return replace(span, stop=max(first - 1, span.start))
    return replace(span, start=min(last + 1, span.stop), lead="")


def _free(board: Board, span: Span, inside: list[Mention]) -> list[str]:
    """The words of a span that are in no mention; beside one, those that were accounted for otherwise do not count."""
    words = [
        (span.start + word.start(), word.group()) for word in re.finditer(r"\S+", board.norm[span.start : span.stop])
    ]
    if inside:
        return [word for at, word in words if not board.taken(at)]
    return [word for _, word in words]
