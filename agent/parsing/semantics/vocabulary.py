"""Values of ENUM columns: kinds of food, requirements, gradings, by their names and by other words for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.frame import Asked, Condition
from agent.parsing.lexicon import load
from agent.parsing.semantics.board import Board, Mention, compiled
from agent.parsing.semantics.lexing import fold

PLACES_TO_EAT = (
    r"(?:restaurants?|places?|spots?|joints?|shops?|houses?|bars?|stands?|parlou?rs?|eater(?:y|ies)|cafes?|trucks?|"
    r"food|cuisines?|fare|stuff|stalls?|hangouts?|dives?|options?|establishments?|restaraunts?|buffets?|kitchens?|grills?)"
)


_HOUSES = frozenset({"bistro", "diner", "bar", "pub", "cafe", "buffet"})  # words for a place that are also kinds of food


@dataclass(frozen=True, slots=True)
class Word:
    """One way to say a value; `menu` where it is a plain menu item as well, `usually` where it mostly is one."""

    canonical: str
    menu: bool = False
    usually: bool = False


class FoodFinder:
    """Kinds of restaurant, dishes and diets, told apart by the words around them.

    A kind of restaurant becomes a condition on the ENUM column, a dish a question to the menu and the reviews.
    """

    def __init__(
        self, table: str, column: str, vocabulary: tuple[str, ...], dish_columns: tuple[str, ...], noun: str
    ) -> None:
        self.table, self.column = table, column
        self._vocabulary = frozenset(vocabulary)
        self.dish_columns = dish_columns
        self.noun = noun
        food = load("food")
        menu, usually = set(food["menu"]["words"]), set(food["menu"]["usually"])
        self._kinds: dict[str, Word] = {}
        for canonical, others in food["cuisines"].items():
            word = Word(canonical, canonical in menu, canonical in usually)
            for name in (canonical, *others):
                self._kinds.setdefault(_spaced(name), word)
        for value in vocabulary:
            self._kinds.setdefault(_spaced(value), Word(value))
        dishes = {_spaced(dish) for dish in food["dishes"]["words"].replace("\n", " ").split(",")}
        self._dishes = {dish for dish in dishes if dish}
        self._diets = set(food["diets"]["words"])
        kinds = "|".join(map(re.escape, sorted(self._kinds, key=len, reverse=True)))
        names = "|".join(map(re.escape, sorted(self._dishes, key=len, reverse=True)))
        self._either = compiled(
            rf"(?P<both>(?:{'|'.join(map(re.escape, sorted({*self._kinds, *self._dishes}, key=len, reverse=True)))})s?)"
            rf"(?P<place>(?: style| type| only)*(?: {PLACES_TO_EAT})+)?"
        )
        self._kind = compiled(rf"(?:{kinds})s?")
        self._dish = compiled(rf"(?:{names})s?")

    def words(self) -> list[str]:
        """Every word this finder knows, for the speller."""
        return [*self._kinds, *self._dishes]

    def __call__(self, board: Board) -> None:
        for match in self._either.finditer(board.norm):
            start, stop = match.span("both")
            if not board.free(start, stop):
                continue
            if match["place"] and board.free(stop, match.end()):
                stop = match.end()
            words = match["both"]
            kind = self._kinds.get(words) or self._kinds.get(words.removesuffix("s"))
            dish = (
                words
                if words in self._dishes
                else words.removesuffix("s")
                if words.removesuffix("s") in self._dishes
                else ""
            )
            self._decide(board, match, (start, stop), kind, dish)

    def _decide(self, board: Board, match: re.Match[str], span: tuple[int, int], kind: Word | None, dish: str) -> None:
        start = span[0]
        served = self._served(board, start, match.end("both"))
        if (
            kind is not None
            and kind.canonical in self._diets
            and not match["place"]
            and self._diet(board, match.end("both"))
        ):
            return
        as_kind = (
            kind is not None
            and (match["place"] or not (served and kind.menu))
            and not (kind.usually and not match["place"])
        )
        if as_kind and kind is not None and kind.canonical in _HOUSES and kind.canonical not in self._vocabulary and self._after_kind(board, start):
            board.claim(*span)  # "French bistro": only a word for the place
        elif as_kind and kind is not None:
            node = Condition(
                table=self.table,
                column=self.column,
                values=(kind.canonical,),
                words=board.words(start, match.end("both")),
            )
            board.add(Mention(*span, "node", f"{self.table}.{self.column}", node, label="kind"))
        else:
            self._add_dish(board, start, match.end("both"), match["both"])

    def _after_kind(self, board: Board, start: int) -> bool:
        return any(m.label == "kind" and m.slot.endswith(self.column) and 0 <= start - m.stop <= 1 for m in board.mentions)

    def _served(self, board: Board, start: int, stop: int) -> bool:
        """Whether the words stand where a menu item does: "with X", "serves X", "their X is"."""
        before = board.before(start, 6)
        return bool(
            re.search(
                r"\b(with|w|has|have|having|offers?|offering|sells?|makes?|does|do|known for|famous for|"
                r"their|whose|the|try|order|eat|has got|got|that do|craving|crave|a plate of|a bowl of|like|includes?|called)"
                r"( (really|very|some|any|a|an|the|good|great|best|amazing|excellent|delicious|tasty|decent|killer|nice|fresh|authentic|"
                r"homemade|real|proper|solid|awesome|their|both|of|fantastic|famous|legit|yummy|perfect|incredible|hot|cold|spicy|crispy))* $",
                before,
            )
        )

    @staticmethod
    def _diet(board: Board, stop: int) -> bool:
        """Whether a diet is a need ("vegan options", "for vegans") rather than a kind of restaurant."""
        return bool(
            re.match(
                r" (options?|choices?|friendly|dishes|dish|menu|items?|alternatives?|version|flavou?rs?|meat|desserts?)\b",
                board.norm[stop:],
            )
        )

    def _add_dish(self, board: Board, start: int, stop: int, dish: str) -> None:
        question = f"does this {self.noun} serve {dish}?"
        node = Asked(table=self.table, columns=self.dish_columns, question=question, words=board.words(start, stop))
        board.add(Mention(start, stop, "node", f"{self.table}.dish", node, label="dish"))


def _spaced(name: str) -> str:
    """A name as `lexing` writes it."""
    text = re.sub(r"([.,;:!?()&+/])", r" \1 ", fold(name.strip()))
    return " ".join("and" if word in "&+" else "or" if word == "/" else word for word in text.split())


class ScaleFinder:
    """Values of an ENUM column whose vocabulary is ordered, from its lowest value to its highest ("price")."""

    def __init__(self, table: str, column: str, vocabulary: tuple[str, ...]) -> None:
        self.table, self.column, self.vocabulary = table, column, vocabulary
        scale = load("scales")[column]
        self._any = compiled("|".join(scale["any"]))
        self._words: list[tuple[re.Pattern[str], tuple[str, ...]]] = [
            (compiled(pattern), tuple(value for value in entry["values"] if value in vocabulary))
            for entry in scale["entry"]
            for pattern in [rf"(?:{'|'.join(entry['match'])})(?:{scale['tail']})?"]
        ]
        self._names = {name: rank for rank, names in enumerate(scale["names"]) for name in names}
        names = "|".join(map(re.escape, sorted(self._names, key=len, reverse=True)))
        level = rf"(?P<level>{names})"
        tail = rf"(?:{scale['tail']})?"
        self._below = compiled(rf"(?:{scale['below']}) {level}{tail}")
        self._upto = compiled(
            rf"(?:{scale['upto']}) {level}{tail}|{level.replace('level', 'level2')} (?:or|and) (?:{scale['lower']}){tail}"
        )
        self._from = compiled(
            rf"(?:{scale['from']}) {level}{tail}|{level.replace('level', 'level2')} (?:or|and) (?:{scale['higher']}){tail}"
        )
        self._above = compiled(rf"(?:{scale['above']}) {level}{tail}")
        self._between = compiled(rf"(?:between )?{level} (?:to|and) {level.replace('level', 'level2')}{tail}")

    def __call__(self, board: Board) -> None:
        for match in board.find(self._any):
            board.claim(*match.span())
        for pattern, slice_of in (
            (self._upto, lambda rank: slice(0, rank + 1)),
            (self._below, lambda rank: slice(0, rank)),
            (self._above, lambda rank: slice(rank + 1, None)),
            (self._from, lambda rank: slice(rank, None)),
        ):
            for match in board.find(pattern):
                groups = match.groupdict()
                rank = self._names[groups.get("level") or groups["level2"]]
                self._add(board, match, self.vocabulary[slice_of(rank)], fixed=True)
        for pattern, values in self._words:
            for match in board.find(pattern):
                self._add(board, match, values)

    def _add(self, board: Board, match: re.Match[str], values: tuple[str, ...], *, fixed: bool = False) -> None:
        if not values:
            return
        node = Condition(table=self.table, column=self.column, values=values, words=board.words(*match.span()))
        board.add(Mention(*match.span(), "node", f"{self.table}.{self.column}", node, fixed=fixed, label="scale"))
