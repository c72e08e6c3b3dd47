"""Values of ENUM columns: kinds of food, requirements, gradings, by their names and by other words for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.frame import Asked, Condition
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text.letters import fold

PLACES_TO_EAT = (
    r"(?:restaurants?|places?|spots?|joints?|shops?|houses?|bars?|stands?|parlou?rs?|eater(?:y|ies)|cafes?|trucks?|"
    r"food|cuisines?|fare|stuff|stalls?|hangouts?|dives?|options?|establishments?|kitchens?|grills?)"
)


_PLACE = rf"(?P<place>(?: style| type| only)*(?: {PLACES_TO_EAT})+)?"
_MEATS = frozenset({"chicken", "beef", "pork", "fish", "duck", "lamb", "shrimp", "crab", "turkey", "tofu"})
_PRAISE = (
    r"(really|very|some|any|a|an|the|good|great|best|amazing|excellent|delicious|tasty|"
    r"decent|killer|nice|fresh|authentic|homemade|real|"
    r"proper|solid|awesome|their|of|fantastic|famous|legit|yummy|perfect|incredible|hot|cold|spicy|crispy)"
)
# What stands before a menu item: "with good X", "known for X", "with a patio and great X".
_SERVED = re.compile(
    r"\b(with|w|has|have|having|offers?|offering|sells?|makes?|does|do|known for|"
    r"famous for|their|whose|try|order|eat|got|"
    rf"craving|crave|plate of|bowl of|like|includes?|called)( [^.,;!?]+ and)?( {_PRAISE})* $"
)
_NO_FOOD = frozenset({"and", "but", "tank", "tanks", "market", "counter", "station", "bar", "case"})  # "fish tank"
_HOUSES = frozenset({"bistro", "diner", "bar", "pub", "cafe"})  # words for a place that are also kinds of food


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
        self._either = compiled(rf"(?P<words>(?:{_any({*self._kinds, *self._dishes})})s?){_PLACE}")
        self._compound = compiled(rf"(?P<words>(?:{_any({name for name in self._kinds if ' ' in name})})s?){_PLACE}")

    def words(self) -> list[str]:
        """Every word this finder knows, for the speller."""
        return [*self._kinds, *self._dishes]

    def compounds(self, board: Board) -> None:
        """Kinds of several words ("beer garden"), before parts of them are taken for something else."""
        for match in board.find(self._compound):
            kind = self._kind(match["words"])
            if kind is not None and not kind.menu and kind.canonical not in self._diets:
                self._decide(board, match, match.span(), kind)

    def __call__(self, board: Board) -> None:
        for match in self._either.finditer(board.norm):
            start, stop = match.span("words")
            if not board.free(start, stop):
                continue
            if match["place"] and board.free(stop, match.end()):
                stop = match.end()
            self._decide(board, match, (start, stop), self._kind(match["words"]))

    @staticmethod
    def _described(board: Board, start: int) -> bool:
        """Whether an adjective describes what is served at a place already named: "a cafe with strong <coffee>"."""
        before = re.search(r"([a-z]+) $", board.norm[:start])
        described = before is not None and not board.taken(before.start(1)) and english.only_describes(before[1])
        return described and any(mention.label == "kind" for mention in board.mentions)

    def _kind(self, words: str) -> Word | None:
        return self._kinds.get(words) or self._kinds.get(words.removesuffix("s"))

    def _decide(self, board: Board, match: re.Match[str], span: tuple[int, int], kind: Word | None) -> None:
        """Adds what the words mean here: a kind of restaurant, a dish, a mere word for a place, or a diet (nothing)."""
        start, stop = match.span("words")
        placed = bool(match["place"]) or re.search(r"(erie|eria|house|shop|bar|place)s?$", match["words"]) is not None
        if kind is None or not (placed or self._is_kind(board, start, kind)):
            whole = self._whole(board, stop)
            house = kind if kind is not None and whole == stop and not kind.usually else None
            self._add_dish(board, start, whole, board.norm[start:whole], house)
        elif (
            kind.canonical in self._diets and not placed and (self._diet(board, stop) or self._before_dish(board, stop))
        ):
            return
        elif self._only_a_house(board, start, kind):
            board.claim(*span)
        else:
            words = board.words(start, stop)
            node = Condition(table=self.table, column=self.column, values=(kind.canonical,), words=words)
            board.add(Mention(*span, "node", f"{self.table}.{self.column}", node, label="kind"))

    def _before_dish(self, board: Board, stop: int) -> bool:
        """Whether a dish follows, or its name does: "gluten free pasta", "vegan sushi rolls"."""
        after = re.match(r" (\S+(?: \S+)?)", board.norm[stop:])
        if after is None:
            return False
        names = (after[1], after[1].split()[0])
        return any(name in self._dishes and (name not in self._kinds) for name in names)

    def _is_kind(self, board: Board, start: int, kind: Word) -> bool:
        """Whether a kind that is a menu item as well is meant as a kind: "sushi in SF", but not "with good sushi"."""
        served = _SERVED.search(board.before(start, 8)) or self._described(board, start)
        return not kind.usually and not (kind.menu and served)

    def _only_a_house(self, board: Board, start: int, kind: Word) -> bool:
        """ "bistro" in "French bistro" is only a word for the place, unless the data knows it as a kind."""
        if kind.canonical not in _HOUSES or kind.canonical in self._vocabulary:
            return False
        return any(m.label == "kind" and 0 <= start - m.stop <= 1 for m in board.mentions)

    def _whole(self, board: Board, stop: int) -> int:
        """Where a dish ends: "chicken broth" is no chicken."""
        after = re.match(r" ([a-z]{3,})", board.norm[stop:])
        meat = board.norm[:stop].split()[-1] in _MEATS
        if not meat or after is None or not board.free(stop, stop + after.end()):
            return stop
        word = after[1]
        plain = word in english.filler() | english.generic() or english.describes(word) or word in _NO_FOOD
        return stop if plain or word.endswith("ing") else stop + after.end()

    @staticmethod
    def _diet(board: Board, stop: int) -> bool:
        """Whether a diet is a need ("vegan options", "for vegans") rather than a kind of restaurant."""
        return bool(
            re.match(
                r" (options?|choices?|friendly|dishes|dish|menu|items?|alternatives?|"
                r"version|flavou?rs?|meat|desserts?|platters?|plates?|entrees?|mains?|meals?|treats|pastries|snacks)\b",
                board.norm[stop:],
            )
        )

    def _add_dish(self, board: Board, start: int, stop: int, dish: str, kind: Word | None) -> None:
        """Adds a dish; a place of its `kind` has it, too: a ramen bar serves ramen, whether or not anybody says so."""
        question, words = f"does this {self.noun} serve {dish}?", board.words(start, stop)
        also = (Condition(table=self.table, column=self.column, values=(kind.canonical,), words=words),) if kind else ()
        node = Asked(table=self.table, columns=self.dish_columns, question=question, words=words, also=also)
        board.add(Mention(start, stop, "node", f"{self.table}.dish", node, label="dish"))


def _any(names: set[str]) -> str:
    """A pattern for any of the names, the longest first."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


def _spaced(name: str) -> str:
    """A name as `lexing` writes it."""
    text = re.sub(r"([.,;:!?()&+/])", r" \1 ", fold(name.strip()))
    return " ".join("and" if word in "&+" else "or" if word == "/" else word for word in text.split())


_AMOUNT = compiled(
    r"(?:for |spend |spending |costs? |costing |budget (?:is|of) |pay |paying |that is |is )*"
    r"(?:(?:under|below|less than|"
    r"up to|at most|no more than|not more than|max(?:imum)?(?: of)?|around|about|within|cheaper than) )+"
    r"(?:\$ (?P<amount>\d+)|(?P<said>\d+) (?:dollars?(?! signs?)|bucks|usd|euros?|\$))"
    r"(?: (?:per|a|each|for each)(?: (?:person|head|plate|meal|dish))?| pp| each| max)*|"
    r"(?:(?:(?:our|my|the) )?budget (?:is |of )?)?(?:(?:around|about|roughly|approximately|like) )?"
    r"(?:\$ )?(?P<each>\d+)(?: dollars?| bucks)? (?:per|a|each) (?:person|head|plate|pop)|"
    r"(?:for|(?:(?:my|our|a|the) )?budget(?: of| is|:)?) "
    r"(?:\$ (?P<whole>\d+)|(?P<summed>\d+) (?:dollars?|bucks|usd|euros?|\$))|"
    r"(?:\$ (?P<top>\d+)|(?P<topped>\d+) (?:dollars?(?! signs?)|bucks|usd|euros?|\$))"
    r"(?: (?:per|a|each|for each)(?: (?:person|head|plate|meal|dish))?| pp| each)*"
    r" (?:tops|max|maximum|at (?:the )?most|or (?:less|under|below|cheaper)|is my (?:limit|max|budget))"
)
_SIGNS = compiled(r"(?P<signs>\$+)(?! \d)")
_PUT_UP_WITH = re.compile(r" (?:is|are|would be) (?:fine|ok|okay)$| (?:ok|okay|fine)$")
_SOMEWHAT = re.compile(r"\b(?:a bit|a little|slightly|somewhat|even|kind of|sort of)(?: more| on the)? $")
_THING = re.compile(
    r" (?:beers?|drinks?|cocktails?|wines?|margaritas|coffee|pints|sake|oysters|wings|appetizers|specials)\b"
)


class ScaleFinder:
    """Values of an ENUM column whose vocabulary is ordered, from its lowest value to its highest ("price")."""

    def __init__(self, table: str, column: str, vocabulary: tuple[str, ...]) -> None:
        self.table, self.column, self.vocabulary = table, column, vocabulary
        scale = load("scales")[column]
        self._any = compiled("|".join(scale["any"]))
        self._typical = tuple(scale["typical"])
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
            rf"(?:{scale['upto']}) {level}{tail}|{level.replace('level', 'level2')} "
            rf"(?:or|and) (?:{scale['lower']}){tail}"
        )
        self._from = compiled(
            rf"(?:{scale['from']}) {level}{tail}|{level.replace('level', 'level2')} "
            rf"(?:or|and) (?:{scale['higher']}){tail}"
        )
        self._above = compiled(rf"(?:{scale['above']}) {level}{tail}")
        self._between = compiled(rf"(?:between )?{level} (?:to|and) {level.replace('level', 'level2')}{tail}")

    def __call__(self, board: Board) -> None:
        for match in board.find(self._any):
            board.claim(*match.span())
        for match in board.find(_AMOUNT):
            most = float(next(filter(None, match.groups())))
            steps = sum(typical <= most for typical in self._typical) or 1
            self._add(board, match, self.vocabulary[:steps], fixed=True)
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
                if "average" in match.group() and board.norm.startswith((" of ", " for "), match.end()):
                    continue  # "the average price of ..." asks for a number
                if re.search(
                    r"\b(with|have|has|serves?|and) (some )?$", board.before(match.start(), 3)
                ) and _THING.match(board.norm[match.end() :]):
                    continue  # "with cheap beer" is about the beer
                if _PUT_UP_WITH.search(match.group()) and _SOMEWHAT.search(board.before(match.start(), 4)):
                    board.claim(*match.span())  # "a bit pricey is fine" does not ask for pricey
                    continue
                self._add(board, match, values)
        for match in board.find(_SIGNS):
            self._add(board, match, self.vocabulary[len(match["signs"]) - 1 : len(match["signs"])])

    def _add(self, board: Board, match: re.Match[str], values: tuple[str, ...], *, fixed: bool = False) -> None:
        if not values:
            return
        node = Condition(table=self.table, column=self.column, values=values, words=board.words(*match.span()))
        board.add(Mention(*match.span(), "node", f"{self.table}.{self.column}", node, fixed=fixed, label="scale"))
