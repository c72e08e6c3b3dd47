"""Places: cities, districts, landmarks and streets, told apart from ordinary words by what stands before them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.catalogue.places import Gazetteer, Place
from agent.parsing.frame import Condition, Order
from agent.parsing.lexicon import load
from agent.parsing.semantics import english, excluded_places
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text.frequencies import english_rank
from agent.text.letters import fold

# How far away something may be: "within ten minutes' walk of", "under a mile from", "walking distance to".
_FAR = (
    r"(?:miles?|mi|blocks?|minutes?|mins?|km|kilomet(?:er|re)s?|walking|driving|walk|stroll|drive|distance|steps|ride)"
)
_DISTANCE = (
    r"(?:(?:(?:with)?in|less than|under|no more than|not more than|at most|up to|about|around|just|only) )*"
    r"(?:(?:a|an|the|\d+(?:\.\d+)?|half|quarter|short|easy|quick|couple|few|of|or|to|5|10|reasonable|comfortable) )*"
    rf"{_FAR}(?: (?:{_FAR}|on foot|by (?:car|foot|bike|bus)|or (?:so|less)|away|tops|max))* (?:of|from|to)"
)
_BOUND = re.compile(r"(?P<number>\d+(?:\.\d+)?|half an?|an?) (?P<unit>miles?|mi|km|kilomet(?:er|re)s?) ")
# Words that may stand between a preposition and a place.
_THE_CITY = re.compile(
    r"(?:(?:ok|okay|and|so|then|hm+|well|,|what about|how about) )*the city(?: then| instead)?(?: [.?!])*"
)
_CUE = re.compile(
    r"\b(in|near|nearby|around|by|at|on|to|from|of|off|outside|inside|within|close|"
    r"next|beside|toward|towards|between|downtown|"
    r"central|anywhere|somewhere|north|south|east|west|visiting|live|distance|walk|minutes|blocks|or|and|not|is)"
    r"( the| of| to| from| in| downtown| old| area)* $"
)
_NEAR = (
    r"(?:(?:somewhere |anywhere |right |just |very |located |situated |based )*"
    rf"(?:{_DISTANCE}|(?:with)?in (?:a |an |the )?(?:easy |short |quick )?(?:\S+ )?(?:walking|driving|walk|drive)"
    r"(?: distance)?|not (?:too |very )?far (?:away )?from|"
    r"close (?:to|by)|next (?:door )?to|walkable (?:from|to)|nearby|near(?:est)?(?: "
    r"to)?|around|by|at|on|in|off|outside|inside|towards?|beside|across from|along|"
    r"over in|down in|up in|from)"
    r" (?:the )?)?"
)
_NEAREST = re.compile(
    r"\b(?:the )?(?:closest|nearest|closer(?= to)|shortest (?:walk|drive|distance))\b|"
    r"\b(?:(?:sorted|ranked|ordered) )?(?:by|in order of) (?:the )?distance\b(?: (?:from|to)\b)?"
)
_AFTER = (
    r"(?: (?:area|side|campus|station|stop|region|neighbou?rhood|district|downtown|stadium|arena|ballpark|church|"
    r"museum|cinema|theat(?:re|er)|tower|mall|park|library|hospital|airport|terminal|or so|or thereabouts|or "
    r"nearby|or close by|or near there|please|thanks))*"
)
_STREET = (
    r"(?:avenue|street|road|boulevard|way|drive|lane|plaza|square|park|mall|station|hotel|"
    r"museum|airport|beach|hill|heights|valley|bridge|pier|center|centre|campus|university|"
    r"college|library|theater|theatre|stadium)"
)
_OFTEN = 5_000  # a word among the so many most frequent needs a preposition to be a place


def _with_commas(name: str) -> str:
    """A pattern for a name whose words may be parted by commas too: "Springfield, Illinois"."""
    return re.escape(name).replace(r"\ ", "(?: ,)? ")


class PlaceFinder:
    """Finds places for one LOCATION column."""

    def __init__(
        self, table: str, column: str, gazetteer: Gazetteer, areas: list[str], foods: frozenset[str] = frozenset()
    ) -> None:
        self._foods = foods
        self.table, self.column = table, column
        self.gazetteer = gazetteer
        self._names: dict[str, tuple[str, Place | None]] = {}
        places = list(gazetteer.places())
        # What is learned later wins: a place's own name over another's alias, the data's districts over both.
        for city in load("words")["cities"]:
            self._learn(city, city, Place(city, "far city", 0.0, 0.0, 0.0, city))
        for place in places:
            for name in place.aliases:
                own = _spelt_out(name) and place.kind != "city" and not _shortens(name, place.name)
                self._learn(name, name if own else place.name, place)
        for place in places:
            if place.name.endswith(" Station"):  # "the Palo Alto Caltrain"
                self._learn(place.name.removesuffix(" Station"), place.name, place)
            self._learn(place.name, place.name, place)
        known = {fold(place.name): place for place in places}
        for area in areas:
            self._learn(area, area, known.get(fold(area)))
            begun = " ".join(area.split()[:2])
            if (
                len(area.split()) > 2
                and begun[-1:].isalnum()  # "Town &" is no name
                and fold(begun) not in self._names
                and sum(other.startswith(begun) for other in areas) == 1
            ):
                self._learn(begun, area, known.get(fold(area)))  # "El Camino"
        self._areas = areas
        phrases = sorted(self._names, key=len, reverse=True)
        self._pattern = (
            compiled(rf"(?P<near>{_NEAR})(?P<place>{'|'.join(_with_commas(name) for name in phrases)})(?:'s)?{_AFTER}")
            if phrases
            else None
        )
        self._street = compiled(
            rf"(?:near(?:est)?(?: to)?|close to|around|by|on|at|off|next to|{_DISTANCE}) (?:the )?"
            rf"(?P<place>(?:[^\s.,;!?]+ ){{1,3}}?{_STREET})\b{_AFTER}"
        )

        self._unheard = compiled(
            rf"(?:near(?:est)?(?: to)?|close to|nearby|next to|around|by|{_DISTANCE}|"
            r"in|at|(?P<the>the)) (?:the )?(?P<place>[^\s.,;!?]+(?: [^\s.,;!?]+)?)"
        )

    def _learn(self, name: str, canonical: str, place: Place | None) -> None:
        folded = " ".join(re.sub(r"[.,()&]", lambda m: " and " if m.group() == "&" else " ", fold(name)).split())
        bare = folded.removeprefix("the ")
        common = english_rank().get(bare, 10**6) < 2_000
        city = place is not None and place.kind in ("city", "far city")
        # Else "the Castro" is found in "the Castro Theatre".
        whole = folded if city or " " not in bare else f"the {bare}"
        spelt = {spelling for one in (folded, folded if common else bare, whole) for spelling in _spellings(one)}
        for variant in spelt:
            if len(variant) > 1:
                self._names[variant] = (canonical, place)

    def nearest(self, board: Board) -> None:
        """ "The pizza place nearest to X", "closest to X": nearest first, where the gazetteer knows the place."""
        for match in _NEAREST.finditer(board.norm):
            following = [m for m in board.mentions if m.label == "place" and m.start >= match.start() - 1]
            places = [place for mention in following if (place := self._place(mention)) is not None]
            place = next((place for place in places if place.kind not in ("city", "far city")), None)
            if place is None:
                continue
            order = Order(table=self.table, column=self.column, descending=False, at=(place.latitude, place.longitude))
            if board.free(*match.span()):
                board.add(Mention(*match.span(), "order", order=order))
            else:
                board.claim(*match.span())
                board.mentions.append(Mention(*match.span(), "order", order=order))

    def _place(self, mention: Mention) -> Place | None:
        """What the gazetteer knows of a place that is mentioned."""
        if not isinstance(mention.node, Condition):
            return None
        value = str(mention.node.values[0])
        known = self._names.get(" ".join(re.sub(r"[.,()&]", " ", fold(value)).split()))
        return known[1] if known else next(iter(self.gazetteer.resolve(value)), None)

    def __call__(self, board: Board, wished: Sequence[tuple[int, int]] = ()) -> None:
        """Adds the places. What is not known and stands in what is `wished` is none: "order <in Mandarin>"."""
        if self._pattern is not None:
            for match in self._pattern.finditer(board.norm):
                if board.free(*match.span("place")) and self._meant(board, match):
                    self._add(board, match, self._names[match["place"].replace(" ,", "")])
        for match in self._unheard.finditer(board.norm):
            first = match.start("place") + len(match["place"].split()[0])
            if board.free(match.start(), first) and not board.within(match.start("place"), first, wished):
                self._resolve(board, match)
        for match in board.find(self._street):
            found = self.gazetteer.resolve(match["place"])
            name = found[0].name if found else board.words(*match.span("place"))
            self._add(board, match, (name, found[0] if found else None))
        excluded_places.drop_homes(board)

    def _resolve(self, board: Board, match: re.Match[str]) -> None:
        """A place that is not known by this name: one whose name holds the word, or the words as they stand."""
        words = match["place"].split()
        if words[0].isdigit():
            return  # "in the 4 cities"
        cue = match.group().split()[0]
        area = [name for name in self._areas if words[0] in fold(name).split()]
        if re.search(r"\bin the $", board.before(match.start("place"))) and len(area) == 1 and len(words[0]) > 4:
            stop = match.start("place") + len(words[0])
            self._add_span(board, (match.start(), stop), (match.start("place"), stop), area[0], "district")
            return
        rare = [word for word in words if english_rank().get(word, 10**6) > 9_000 and word not in english.filler()]
        if not rare or rare[0] != words[0]:
            return
        start = match.start("place")
        stop = start + len(words[0])
        city = self._city_said(board)
        holding = [p for p in self.gazetteer.places() if words[0] in fold(p.name).split()]
        holding = [p for p in holding if city in ("", p.city)] or holding
        if holding and (len(holding) == 1 or city):
            kind = re.match(rf" {_STREET}(?=\s|$)", board.norm[stop:])  # "the caltrain station"
            stop += kind.end() if kind is not None and board.free(stop, stop + kind.end()) else 0
            self._add_span(board, (match.start(), stop), (start, stop), holding[0].name, holding[0].kind)
            return
        token = board.text.tokens[board.text.token_at(start)]
        second = board.text.tokens[board.text.token_at(stop + 1)] if len(words) > 1 else None
        capital = token.raw[:1].isupper() and not board.text.message.isupper()
        district = cue in ("in", "near") and "the" in match.group().split() and rare[0] not in self._foods
        if (not capital and not district) or cue == "at":
            return
        if second is not None and second.raw[:1].isupper() and board.free(*match.span("place")):
            stop = match.end("place")
        self._add_span(board, (match.start(), stop), (start, stop), board.words(start, stop), "")

    def _city_said(self, board: Board) -> str:
        values = [m.node.values[0] for m in board.mentions if m.label == "place" and isinstance(m.node, Condition)]
        return next((city for value in values if (city := self.city(str(value)))), "")

    def _add_span(self, board: Board, span: tuple[int, int], inner: tuple[int, int], name: str, kind: str) -> None:
        if far := _BOUND.search(board.norm[span[0] : inner[0]]):
            number = {"a": "1", "an": "1", "half a": "0.5", "half an": "0.5"}.get(far["number"], far["number"])
            name = f"within {number} {far['unit']} of {name}"
        node = Condition(table=self.table, column=self.column, values=(name,), words=board.words(*inner))
        mention = Mention(*span, "node", f"{self.table}.{self.column}", node, label="place")
        if (begun := excluded_places.told(board, inner[0])) >= 0:
            mention.node = None
            mention.start = begun if board.free(begun, mention.start) else mention.start
        else:
            excluded_places.mark(board, mention, *inner, kind)
        board.add(mention)

    def _meant(self, board: Board, match: re.Match[str]) -> bool:
        """Whether the words are a place here: "the ring" and "city hall" are also plain English."""
        words = match["place"].split()
        _, place = self._names[match["place"].replace(" ,", "")]
        before = board.before(match.start("place"))
        if _at_dusk(match["place"], before, board.norm[match.end("place") :]):
            return False
        if re.search(r"\b(views?|overlook\w*|sight|pictures?) (of |over |on |onto )?(the )?$", before):
            return False
        if place is not None and place.kind == "far city":
            if board.norm[match.end("place") :].startswith(" style"):
                return False
            article = re.search(r"\b(a|an|the|with|of|nice|great|good|have|has) $", before)
            return not article and (len(words) > 1 or bool(match["near"]))
        if place is not None and place.kind == "city" and len(match["place"]) > 3:
            said = bool(_CUE.search(board.before(match.start("place")))) or _THE_CITY.fullmatch(board.norm) is not None
            return match["place"] != "the city" or said
        if match["near"]:
            return not _idiom(board.norm[match.start("place") :])
        plain = all(english_rank().get(word, 10**6) < _OFTEN for word in words) or len(match["place"]) <= 3
        start = board.text.token_at(match.start("place"))
        raw = board.text.tokens[start : start + len(words)]
        written = all(token.raw[:1].isupper() for token in raw) and not board.text.message.isupper()
        alone = board.norm[: match.start("place")].rstrip()[-1:] in ("", ",", ".", ";", "!", "?")
        if not plain or (written and (start > 0 or len(words) > 1)):
            return True
        if len(words) > 1:
            return len(match["place"]) > 8
        whole = alone and re.match(r" [,.;!?]|$", board.norm[match.end("place") :]) is not None  # "tapas, mission"
        return match["place"] == "sf" or (whole and start > 0) or (alone and match["place"] == "pa")

    def _add(self, board: Board, match: re.Match[str], found: tuple[str, Place | None]) -> None:
        name, place = found
        inner = match.span("place")
        span = match.span() if board.free(*match.span()) else inner
        self._add_span(board, span, inner, name, place.kind if place is not None else "")

    def city(self, name: str) -> str:
        """The city a place of that name is in, its own name for a city; empty where it is not known."""
        found = self._names.get(fold(name).replace("&", "and"))
        if found is None or found[1] is None:
            return ""
        return found[1].name if found[1].kind == "city" else found[1].city


def _at_dusk(place: str, before: str, after: str) -> bool:
    """Whether "sunset" is a time of day: "sunset drinks", "at sunset"."""
    timed = re.match(r" (?:drinks?|cocktails?|views?|dinners?|hour|time|watching)\b", after)
    said = re.search(r"\b(?:for|at|during|before|after|watch|watching|see|catch|day|every|a) (?:the )?$", before)
    return place.removeprefix("the ") == "sunset" and (timed is not None or said is not None)


def _spelt_out(alias: str) -> bool:
    """Whether an alias is fit to be shown: "Dolores Park" is, "Cal Ave" is an abbreviation."""
    return all(
        len(word) > 3 or word.lower() in ("the", "of", "de", "del", "la", "san")
        for word in re.findall(r"[\w']+", alias)
    )


def _shortens(alias: str, name: str) -> bool:
    """Whether an alias is too little of the name to be shown alone: "the Mission" of "Mission District"."""
    said = fold(alias).split()
    return said[0] == "the" and set(said[1:]) < set(fold(name).split())


_STREET_WORDS = (("ave", "avenue"), ("st", "street"), ("blvd", "boulevard"))
_TWO_WAYS = (("theatre", "theater"), ("centre", "center"))


def _spellings(name: str) -> set[str]:
    """A name, with its street word spelt out as the reader of messages spells it, and in American and British."""
    found = {name}
    for short, long in (*_STREET_WORDS, *_TWO_WAYS):
        found |= {re.sub(rf"\b{short}\b", long, one) for one in found}
    for british, american in _TWO_WAYS:
        found |= {re.sub(rf"\b{american}\b", british, one) for one in found}
    return found


def _idiom(words: str) -> bool:
    """Whether a place's name is used as a plain noun: "the mission statement", "the farm to table"."""
    return re.match(r"(farm to|the farm to|main street style)", words) is not None
