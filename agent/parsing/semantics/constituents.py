"""One clause is one wish: a value or an aspect that is only part of what a constituent says is no wish of its own.

"Bakes its pizza in a wood-fired oven" asks for the oven and "a play corner for kids" for the corner: whoever reads a
kind of food, a dish or an aspect out of them has torn something out of a longer thought. A constituent is a relative
clause ("that ...", "where ...") or a noun phrase with what is attached to it ("with ..."). Where it has content that
what was recognised in it does not carry, it becomes one question that says it whole; where it has none, light verbs and
heads ("that <cooks> Italian", "Italian <cooking>") are accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from agent.parsing.frame import Asked, Condition
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.assembly import negated
from agent.parsing.semantics.board import Board, Mention
from agent.parsing.semantics.soundness import sound
from agent.parsing.semantics.wording import Question, Wording

_MARKER = re.compile(
    r"(?<![^\s])(?P<marker>that|which|where|with|having|serving|offering|it|they|has|have)"
    r"(?: (?:also|really|actually))* (?=[a-z0-9])"
)
_RELATIVE = frozenset({"that", "which", "it", "they"})
_HAVING = frozenset({"with", "having", "serving", "offering", "has", "have"})
_HAS = re.compile(r"(?:has|have) ")
_END = frozenset(
    {"and", "or", "but", "plus", "so", "because", "since", "while", "that", "which", "who", "where", "whose"}
    | {"with", "without", "near", "not", "no", "never", "nor", "than", "as", "like"}
)
_FINITE = frozenset({"is", "are", "was", "were", "do", "does", "has", "have", "can", "will", "exist", "exists"})
_PARTICLES = frozenset({"after", "to", "for", "of", "about", "out", "its", "their"})
_AUXILIARY = frozenset({"be", "have", "do", "can", "will", "would", "could", "should", "must", "may", "might", "am"})
_DOING = re.compile(r"(?:^|\s)to (?!go |the |a )[a-z]+(?: [a-z]+)? $")  # "to linger <with> a book"
_AND = re.compile(r" (?:,|and|, and|plus) (?!(?:with|has|have|that|which|where|is|are|it|they|i|we)\b)")
_ATTACHING = re.compile(r" (?:on|in|at|by|for|of|from|over)(?: (?:the|a|an|its|their))? ")
_STRANDED = re.compile(r" (?:for|of|to|from|in|at|on)\?$")  # "worth saving room <for>"
_STEM = 4  # letters that the forms of a word have in common: "take", "taken"
_DENYING = frozenset({"not", "no", "never"})  # these end a noun phrase and stay inside a clause
_THEIRS = frozenset({"my", "our", "us", "me", "i", "we"})
_OCCASIONS = frozenset(
    {"date", "dates", "birthday", "birthdays", "anniversary", "celebration", "celebrations", "occasion", "occasions"}
    | {"party", "meeting", "meetings", "dinner", "lunch", "brunch", "breakfast", "meal", "night", "evening", "proposal"}
)
_TORN = frozenset({"kind", "dish", "aspect"})  # mentions that may be part of something longer
# Verbs that only say that a kind of food is to be had.
_LIGHT_VERB = re.compile(
    r"(?<![^\s])(?:cook|serve|make|do|sell|offer|dish|plate|serv|speciali[sz]e|focus|concentrate|feature|prepare|fix)"
    r"(?:e?s|ing)?(?: (?:up|out|in|on))?(?: (?:some|the|good|great|really|proper))* $"
)
_LIGHT_HEAD = re.compile(
    r" (?:cooking|cookery|food|cuisine|kitchen|fare|dishes|specialit(?:y|ies)|specialt(?:y|ies))(?=\s|$)"
)
_COMPOUND = re.compile(r" (?:nights?|evenings?|events?|sessions?|levels?|factor|equipped)(?=\s|$)")
_LANGUAGE = re.compile(r"(?<![^\s])(?:in|speaks?|speaking|spoken) $")
_PLACED = re.compile(
    r"(?:restaurant|place|spot|joint|shop|house|bar|stand|parlou?r|eatery|cafe|truck|food|cuisine|kitchen)s?$"
)
_AFTER_NOUN = re.compile(
    r"(?!need|seed|feed|speed|weed|bed|red|breed|shred)[a-z]{2,}ed|worth|kept|made|done|cut|grown|caught|brought|sent|set|shut|hidden|written|given"
)


@dataclass(slots=True)
class _Constituent:
    """The words after a marker, up to where something else begins. `start` is where the marker stands."""

    marker: str
    start: int
    first: int
    stop: int


class Constituents:
    """Puts constituents that say more than was recognised in them as one question each."""

    def __init__(self, table: str, column: str, noun: str) -> None:
        self.table, self.column, self.noun = table, column, noun
        food = load("food")
        self.menu = frozenset(
            (*food["menu"]["words"], *food["diets"]["words"])
        )  # kinds of food that are dishes as well
        self.wording = Wording(noun)

    def __call__(self, board: Board) -> None:
        self._light(board)
        for one in _constituents(board):
            self._whole(board, one)

    def otherwise(self, board: Board) -> None:
        """Asks what constituents say of a message in which nothing else was understood."""
        if any(m.node is not None or m.order is not None or m.aggregate is not None for m in board.mentions):
            return
        for one in _constituents(board):
            words = _said(board, one)
            if set(words) & _THEIRS or len(english.content(words)) < 1 or one.marker in ("it", "they"):
                continue
            question = self._question(board, one, [])
            if question is not None and question.text:
                self._ask(board, one, question)

    def _light(self, board: Board) -> None:
        """Accounts for verbs and heads that add nothing to what they go with."""
        for mention in board.mentions:
            if mention.label == "kind" and not self._language(board, mention):
                after = _LIGHT_HEAD.match(board.norm, mention.stop)
                if after is not None and board.free(*after.span()):
                    board.claim(*after.span())
            elif mention.label == "aspect":
                after = _COMPOUND.match(board.norm, mention.stop)
                if after is not None and board.free(*after.span()):
                    board.claim(*after.span())

    def _compounded(self, board: Board, dish: Mention, kind: Mention) -> None:
        """Makes one dish of a dish and the kind of food that it describes: "birria tacos"."""
        beside = dish.label == "dish" and kind.label == "kind" and kind.start == dish.stop + 1
        if not beside or not self._on_menu(kind) or not isinstance(dish.node, Asked):
            return
        said, words = board.norm[dish.start : kind.stop], board.words(dish.start, kind.stop)
        question = f"does this {self.noun} serve {said}?"
        dish.node = dish.node.model_copy(update={"question": question, "words": words})
        dish.stop, kind.node, kind.label = kind.stop, None, ""

    def _whole(self, board: Board, one: _Constituent) -> None:
        inside = [m for m in board.mentions if one.first <= m.start and m.stop <= one.stop and m.node is not None]
        inside.sort(key=lambda mention: mention.start)
        if not inside or any(m.label not in _TORN for m in inside):
            return
        kinds = [m for m in inside if m.label == "kind"]
        for dish, kind in pairwise(inside):
            self._compounded(board, dish, kind)
        if self._plain(board, one, inside):
            return
        pairs = list(pairwise(inside))
        describing = any(self._describing(*pair) or _attached(board, *pair) for pair in pairs)
        describing = describing or (inside[0].label == "kind" and self._adjective(one, inside))
        if not (
            describing
            or self._more(board, one)
            or any(self._language(board, m) or self._people(board, m) for m in kinds)
        ):
            return
        if self._modifying(board, one, inside):
            return
        if not describing and all(m.label == "aspect" for m in inside) and self._carried(board, one, inside):
            return
        question = self._question(board, one, inside)
        if question is None or not question.text or not sound(_STRANDED.sub("?", question.text)):
            return
        praise = [m for m in board.mentions if m.label == "good" and one.first <= m.start < one.stop]
        board.mentions[:] = [m for m in board.mentions if m not in inside and m not in praise]
        self._ask(board, one, question)

    def _ask(self, board: Board, one: _Constituent, question: Question) -> None:
        node = Asked(
            table=self.table,
            columns=(self.column,),
            question=question.text,
            expected="No" if question.negated else "Yes",
            words=board.words(one.first, one.stop),
        )
        slot = f"{self.table}.{self.column}?"
        board.add(Mention(one.first, one.stop, "node", slot, node, fixed=True, label="residue"))

    def _plain(self, board: Board, one: _Constituent, inside: list[Mention]) -> bool:
        """Whether the constituent only says what kind of food there is; its verb is accounted for then."""
        kind = inside[0]
        before = board.norm[one.first : kind.start]
        lead = _LIGHT_VERB.match(before)
        if kind.label != "kind" or self._people(board, kind) or (lead is None and self._language(board, kind)):
            return False
        plain = not english.content(before.split())
        if not plain and not (lead and one.marker in _RELATIVE | {"where"}):
            return False
        if self._modified(board, kind, one) or self._adjective(one, inside):
            return False
        if lead is not None:
            board.claim(one.first, kind.start)
        return not self._on_menu(kind) or (plain and not self._more(board, one))

    def _describing(self, aspect: Mention, kind: Mention) -> bool:
        """Whether an aspect is only said of the food that follows: "dairy-free desserts"."""
        beside = aspect.label == "aspect" and kind.label == "kind" and kind.start == aspect.stop + 1
        return beside and self._on_menu(kind)

    @staticmethod
    def _modifying(board: Board, one: _Constituent, inside: list[Mention]) -> bool:
        """Whether a dish only describes the noun after it: "a salsa bar", "cheese plates"."""
        said = [(at, word) for at, word in _free(board, one) if english.content([word])]
        alone = len(inside) == len(said) == 1 and inside[0].label == "dish" and said[0][0] == inside[0].stop + 1
        return alone and not _AFTER_NOUN.fullmatch(said[0][1])

    def _modified(self, board: Board, kind: Mention, one: _Constituent) -> bool:
        """Whether a noun follows that the kind only describes: "Italian charm"."""
        after = re.match(r" ([a-z]{3,})(?=\s|$)", board.norm[kind.stop : one.stop])
        if after is None or not board.free(kind.stop, kind.stop + after.end()):
            return False
        return bool(english.content([after[1]])) and after[1] not in english.adverbs()

    @staticmethod
    def _adjective(one: _Constituent, inside: list[Mention]) -> bool:
        """Whether a kind only describes the thing after it: "a Japanese <garden>"."""
        following = inside[1] if len(inside) > 1 else None
        beside = following is not None and following.label == "aspect" and following.start == inside[0].stop + 1
        return beside and one.marker in _HAVING

    def _more(self, board: Board, one: _Constituent) -> bool:
        """Whether there is content that no mention carries."""
        free = [word for _, word in _free(board, one)]
        if "own" in free:
            return True
        if one.marker in _RELATIVE and len(free) > 1 and free[1] in _PARTICLES:
            return (
                not _LIGHT_VERB.match(f"{free[0]} ") and english.base(free[0]) not in _AUXILIARY
            )  # "look after vegans"
        return bool([word for word in english.content(free) if word not in english.heads()])

    def _carried(self, board: Board, one: _Constituent, inside: list[Mention]) -> bool:
        """Whether aspects carry all that is said: what else there is are verbs that lead to them, or adverbs."""
        if negated(board, inside[0].start):
            return True  # its opposite is asked for
        free = _free(board, one)
        if _DENYING & {word for _, word in free}:
            return False
        asked = " ".join(m.node.question for m in inside if isinstance(m.node, Asked))
        known = {word[:_STEM] for word in re.findall(r"[a-z']+", asked)}
        leading = [(at, word) for at, word in free if at < inside[0].start]
        more = [(at, word) for at, word in free if word[:_STEM] not in known and not word.endswith("ly")]
        if not english.content([word for _, word in more]):
            return True
        head = english.base(leading[0][1]) if leading else ""
        verbal = one.marker not in _HAVING and (head in english.verbs() | english.filler() or one.marker != "where")
        return verbal and all(pair in leading for pair in more) and len(english.content([w for _, w in more])) <= 1

    def _on_menu(self, mention: Mention) -> bool:
        return isinstance(mention.node, Condition) and bool(self.menu & {str(v) for v in mention.node.values})

    def _language(self, board: Board, mention: Mention) -> bool:
        """Whether a kind of food is the language that something is said in."""
        return not self._on_menu(mention) and _LANGUAGE.search(board.norm[: mention.start]) is not None

    @staticmethod
    def _people(board: Board, mention: Mention) -> bool:
        """Whether a diet is said of people: "plenty for vegetarians"."""
        return board.norm[mention.start : mention.stop] in ("vegans", "vegetarians")

    # -- wording -----------------------------------------------------------------------------------------------------

    def _question(self, board: Board, one: _Constituent, inside: list[Mention]) -> Question | None:
        words = _said(board, one)
        if one.marker in _HAVING:
            return self._of_phrase(words, [m for m in inside if not self._people(board, m)])
        return self.wording.clause("that" if one.marker in _RELATIVE else one.marker, words)

    def _of_phrase(self, words: list[str], inside: list[Mention]) -> Question | None:
        while words and words[0] in ("really", "very", "some", "any"):
            words = words[1:]
        if not words or words[0] in _DENYING:
            return None
        at = next((i for i, word in enumerate(words) if i and _AFTER_NOUN.fullmatch(word) and _noun(words[i - 1])), 0)
        if at and len(words) > at + 1 and _modifies(words[at + 1]):
            thing = words[1:at] if words[0] in ("a", "an", "the") else words[:at]
            verb = "are" if thing[-1].endswith("s") and not thing[-1].endswith("ss") else "is"
            return Question(f"{verb} the {' '.join(thing)} at this {self.noun} {' '.join(words[at:])}?")
        phrase = " ".join(words)
        food = any(m.label == "dish" or (m.label == "kind" and self._on_menu(m)) for m in inside)
        return Question(f"does this {self.noun} {'serve' if food else 'have'} {phrase}?")


def _constituents(board: Board) -> Iterator[_Constituent]:
    position = 0
    while (match := _MARKER.search(board.norm, position)) is not None:
        position = match.end()
        if not board.free(*match.span("marker")) or _DOING.search(board.norm[: match.start()]):
            continue
        marker = match["marker"]
        first = match.end()
        if marker in _RELATIVE and (has := _HAS.match(board.norm, first)):
            marker, first = "with", has.end()
        stop = _stop(board, marker, first)
        if stop > first:
            yield _Constituent(marker, match.start(), first, stop)
            position = stop
        while marker in _HAVING and stop > first and (more := _AND.match(board.norm, stop)) is not None:
            first, stop = more.end(), _stop(board, marker, more.end())
            if stop > first:  # "with a terrace and <fresh pasta>"
                yield _Constituent(marker, more.start(), first, stop)
                position = stop


def _stop(board: Board, marker: str, first: int) -> int:
    """Where a constituent ends that begins at `first`."""
    stop, more = first, False  # more: something is said that no mention carries
    for match in re.finditer(r"\S+", board.norm[first:]):
        start, end, word = first + match.start(), first + match.end(), match.group()
        mention = next((m for m in board.mentions if m.start <= start < m.stop), None)
        if mention is not None:
            if mention.label not in _TORN | {"good"}:
                return stop
            stop = end
            continue
        if word in ".,;:!?()" or (board.taken(start) and start > first):
            return stop
        if word in _FINITE and marker in _HAVING:
            return stop
        if word in _END and not (word in _DENYING and marker not in _HAVING) and start > first:
            return stop
        if word == "for" and _apart(board, end):
            return stop
        if word == "to" and marker in _HAVING and start > first and board.taken(start - 2) and not more:
            return stop  # what something is for: "with a <fireplace> to warm up"
        more = more or bool(english.content([word]))
        stop = end
    return stop


def _attached(board: Board, thing: Mention, other: Mention) -> bool:
    """Whether one thing is said of where or for whom another is: "heaters on the patio", "high chairs for toddlers"."""
    between = board.norm[thing.stop : other.start]
    said = board.norm[other.start : other.stop]
    if said.startswith("for ") and between == " ":
        return not set(said.split()) & (_THEIRS | _OCCASIONS)  # "high chairs <for toddlers>"
    if said in english.adverbs():
        return not english.content(between.split())  # "parking right outside"
    return _ATTACHING.fullmatch(between) is not None


def _apart(board: Board, position: int) -> bool:
    """Whether "for" begins what the user is up to, rather than whom a thing is for."""
    after = re.split(r" (?:[.,;:!?()]|and|or|but|with|in|near|that)(?= |$)", board.norm[position:])[0].split()
    return bool(set(after) & (_THEIRS | _OCCASIONS))


def _said(board: Board, one: _Constituent) -> list[str]:
    """The words of a constituent; numbers as they were written."""
    tokens = board.text.tokens[board.text.token_at(one.first) : board.text.token_at(one.stop - 1) + 1]
    words = [token.raw.lower() if re.fullmatch(r"\d+", token.norm) else token.norm for token in tokens]
    return " ".join(words).split()


def _free(board: Board, one: _Constituent) -> list[tuple[int, str]]:
    """The words of a constituent that no mention has claimed, each with where it stands."""
    words = re.finditer(r"\S+", board.norm[one.first : one.stop])
    found = [(one.first + word.start(), word.group()) for word in words]
    return [(start, word) for start, word in found if board.free(start, start + len(word))]


def _modifies(word: str) -> bool:
    """Whether a word goes on with what a participle says of a noun, and is no noun itself: "<in> house", "<clean>"."""
    return word in english.filler() | english.adverbs() or english.only_describes(word) or word.endswith("ing")


def _noun(word: str) -> bool:
    return (
        bool(re.fullmatch(r"[a-z'-]{3,}", word)) and word not in english.filler() and not english.only_describes(word)
    )
