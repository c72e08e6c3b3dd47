"""Numbers instead of rows, and rows by group: counts, averages, different values, "per city", "one in each"."""

from __future__ import annotations

import re
from typing import Literal

from agent.catalogue.tables import Column, Kind
from agent.parsing.frame import Aggregate, Node
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention, compiled

Columns = dict[str, tuple[str, Column]]  # words for a column -> (table, column)

_HOW_MANY = compiled(
    r"how many|(?<!by )(?:what is |tell me )?(?:the )?(?:total )?(?<!by )number of(?= (?!(?:a|an|the|"
    r"one|that|some|this|my)\b|reviews|ratings|units|people|stars))|"
    r"count(?: of| the| up)(?= )|total count of|(?<![a-z] )count(?! (?:for|as|toward|towards))(?= )"
)
_COUNTED = re.compile(r" (?:of the |total )?(reviews|ratings|units|credits|hours|stars|students|people|seats|guests)\b")
_AVERAGE = (
    r"(?:what is |tell me |give me |on )?(?:the )?"
    r"(?<!most )(?<!least )(?<!best )(?<!worst )(?<!highest )(?<!lowest )(?<!fewest )(?<!largest )(?<!smallest )"
    r"(?P<fn>average|avg|mean|median|typical|total)(?: of)?(?: the)? "
    r"(?P<col>{columns})(?: (?:of|for|among|across|in|at)(?! (?:each|every)))?"
)
_TYPICAL = (
    r"(?:(?:what is|tell me|show me|give me) (?:the )?"
    r"(?:average|typical|usual|mean|normal) (?:{scale})(?: range| level)?"
    r"(?= (?:of|for|per|in|at|among|across|by|around|near) |$)|"
    r"(?:the )?(?:average|typical|usual|mean) (?:{scale})(?: range| level)?(?= (?:of|for|per|among|across|by) )|"
    r"how (?:much|expensive) (?:does|do|is|are) (?:it|a meal|dinner|lunch|eating out|food|meals|restaurants|places)"
    r"(?: (?:usually|typically|generally|normally|on average))?(?: (?:cost|run))?(?: to (?:eat|dine)(?: out)?)?)"
)
_FOREMOST = (  # "best instructor for ...": the group that comes first by its ratings
    r"(?:(?:the|who is|which is|what is|your) )*(?P<how>(?:best|highest|top|worst|lowest)(?: rated)?) "
    r"(?P<group>{labels})(?= (?:for|in|at|of|to|on|teaching|who) |(?: [.?!])*$)"
)
_DIFFERENT = (
    r"(?:how many|(?:the )?number of)(?: (?:different|distinct|unique|kinds of|types of))? (?P<count>{labels})"
    r"(?= (?:are|is|do|does|did|can|have|has|there|exist|teach|in|on|at|for|offered|available)\b| [.?!]| ?$)|"
    r"(?:what|which|list|show|name|tell me)(?: all| me| us| are| the| every| different| distinct| of| kinds| kind| "
    r"types| type| sorts| sort| various| other)* (?P<list>{labels})"
    r"(?= (?:are|do|does|can|have|has|you|u|there|is|exist|available|in|on|offered|options)\b|$)"
    r"(?: (?:are there|are available|do you have|you have|there are|available|exist|do u have|do you know|can i find|"
    r"can i get|do they have|are offered|options))*"
)
_PER = (
    r"(?:(?:one |a |\d )?(?:per|by|from each|of each|for each|in each|at each|on each|each|for every|in every|of every|"
    r"from every|every|broken down by|grouped by|split by))"
    r"(?: (?:single|different|of the(?: \w+)?))* (?P<group>{labels})(?! (?:rating|number))"
)
_GROUP = (
    r"(?:which|what)(?: of)?(?: the| these)?(?: \d+)? (?P<group>{labels})(?= )|"
    r"(?:the )?(?P<group2>{labels})"
    r"(?= (?:with|that have|having) (?:the )?(?:highest|best|most|lowest|worst|fewest|top)\b)"
)
_MOST = re.compile(
    r"(?:^|\s)(?:has|have|got|with|offers?|gets?|teach(?:es)?)(?: the| you)? (?P<how>most|more|highest number of|"
    r"greatest number of|largest number of|fewest|least|smallest number of|lowest number of)(?= )|"
    r"(?:^|\s)(?:is|are)(?: the)? (?P<which>most|least) (?:common|frequent|widespread|numerous)(?=\s|$)"
)
_RATED = re.compile(
    r"(?:^|\s)(?:is |are |has |have |got |with |gets? |the |on )*(?P<how>best|highest|top|worst|lowest|better|higher)"
    r"(?:[ -](?:average|overall|student|reviewed))*"
    r"[ -](?:rated|ratings?|scores?|scoring|reviews|stars?|restaurants|food)(?: on average)?(?=\s|$)|"
    r"(?:^|\s)(?:has |have |with )*(?:the )?(?P<which>best|worst)"
    r"(?= [a-z]+ (?:restaurants|food|places|joints|spots)(?:\s|$))"
)
_BOUNDED = re.compile(
    r" (?:(?:is|of|that is|that is) )?(?:at least|at most|above|over|under|below|between|better than|higher than|\d)"
)
_HAVING = re.compile(r"\b(?:has|have|having|with|by) $")
_EACH_OF = compiled(r"(?:in|for|from|of) each of|(?:one|\d) (?:in|for|from) each|each of")
_BESIDE = re.compile(r"\b(?:what|which|where|how|courses?|class(?:es)?|places?|restaurants?)\b.* (?:and|also|plus) $")
_SHARE = compiled(
    r"(?:(?:what is|tell me|give me) )?(?:the |what )?(?:percentage|percent|proportion|share|fraction) of(?: all| the)*"
)
_PREDICATE = re.compile(  # what is said of the rows of which a share is asked
    r" (?=(?:that|which|who|are|is|has|have|with|serves?|offers?|takes?|costs?|allows?|gets?|needs?|requires?)\b)"
)
_FUNCTIONS: dict[str, Literal["sum", "median"]] = {"total": "sum", "median": "median"}
_LOW = ("fewest", "least", "worst", "lowest", "smallest number of", "lowest number of")


class GroupFinder:
    """Finds aggregates and groups for one main table."""

    def __init__(self, profile: Profile, columns: Columns) -> None:
        self.profile = profile
        numbers = [words for words, (_, column) in columns.items() if column.kind is Kind.NUMBER]
        spoken = {words: found for words, found in columns.items() if found[1].kind in (Kind.ENUM, Kind.TEXT)}
        self.columns = {_plural(words): found for words, found in spoken.items()} | columns
        labels = [*spoken, *map(_plural, spoken)]
        self._average = _filled(_AVERAGE, numbers, "columns")
        scale = [words for words, found in columns.items() if profile.scale == (found[0], found[1].name)]
        self._typical = _filled(_TYPICAL, scale, "scale")
        geo = profile.table.geo
        areas = [label for label in labels if geo is not None and self.columns[label][1].name in geo.areas]
        self._foremost = _filled(_FOREMOST, areas, "labels")
        self._different = _filled(_DIFFERENT, labels, "labels")
        self._per = _filled(_PER, labels, "labels")
        self._group = _filled(_GROUP, labels, "labels")

    def __call__(self, board: Board) -> None:
        self._superlative(board)
        self.foremost(board)
        for match in board.find(self._typical) if self.profile.scale else ():
            # Steps of a scale have no average; how many rows are on each of them says what is usual.
            board.add(Mention(*match.span(), "aggregate", aggregate=Aggregate(group=(self.profile.scale,))))
        for match in board.find(self._different):
            self._values(board, match)
        for match in board.find(_HOW_MANY):
            if not _COUNTED.match(board.norm[match.end() :]):
                board.add(Mention(*match.span(), "aggregate", aggregate=Aggregate(function="count")))
        for match in board.find(_SHARE):
            if _PREDICATE.search(board.norm, match.end()):
                board.add(Mention(*match.span(), "aggregate", aggregate=Aggregate(function="share")))
        for match in self._average.finditer(board.norm):
            stop = match.end() if board.free(*match.span()) else match.end("col")  # "in" may lead to a place
            if not board.free(match.start(), stop):
                continue
            if _BOUNDED.match(board.norm, match.end("col")):
                continue  # "with an average rating of at least 4"
            table, column = self.columns[match["col"]]
            total = Aggregate(function=_FUNCTIONS.get(match["fn"], "avg"), table=table, column=column.name)
            board.add(Mention(match.start(), stop, "aggregate", aggregate=total))
        for match in board.find(self._per):
            table, column = self.columns[match["group"]]
            group = Aggregate(group=((table, column.name),))
            board.add(Mention(*match.span(), "aggregate", aggregate=group, label="per"))
        self._each_place(board)

    def _superlative(self, board: Board) -> None:
        """ "Which city has the most ...", "which instructor has the best ratings": the group that comes first."""
        for match in board.find(self._group):
            table, column = self.columns[match["group"] or match["group2"]]
            group = ((table, column.name),)
            for pattern in (_MOST, _RATED):
                said = pattern.search(board.norm, match.end())
                if (
                    said is None
                    or not board.free(*said.span())
                    or re.search(r" [.;!?,] ", board.norm[match.end() : said.start()])
                ):
                    continue
                rating = self.profile.rating
                if pattern is _RATED and rating is None:
                    continue
                low = (said["how"] or said.groupdict().get("which")) in _LOW
                aggregate = Aggregate(function="count", group=group, best_first=True, worst_first=low)
                if pattern is _RATED and rating is not None:
                    aggregate = aggregate.model_copy(
                        update={"function": "avg", "table": rating[0], "column": rating[1]}
                    )
                board.claim(*said.span())
                board.add(Mention(*match.span(), "aggregate", aggregate=aggregate))
                break

    def foremost(self, board: Board) -> None:
        """ "Best instructor for ...": the group with the best ratings on average."""
        rating = self.profile.rating
        for match in board.find(self._foremost) if rating else ():
            if _HAVING.search(board.before(match.start())):
                continue  # "the class with the best professor" asks for a class
            table, column = self.columns[match["group"]]
            assert rating is not None  # there is nothing to find without one
            rated = Aggregate(
                function="avg",
                table=rating[0],
                column=rating[1],
                group=((table, column.name),),
                best_first=True,
                worst_first=match["how"].split()[0] in _LOW,
            )
            board.add(Mention(*match.span(), "aggregate", aggregate=rated))

    def _values(self, board: Board, match: re.Match[str]) -> None:
        """The different values of a column, or how many there are."""
        count = match.groupdict().get("count")
        if not count and _BESIDE.search(board.norm[: match.start()]):
            return  # "what should I take, and which teacher do students like?" asks of what is found
        table, column = self.columns[count or match["list"]]
        function = Aggregate(function="count" if count else "distinct", table=table, column=column.name)
        board.add(Mention(*match.span(), "aggregate", aggregate=function))

    def _each_place(self, board: Board) -> None:
        """ "In each of Sunnyvale and Cupertino": one of each of the places named."""
        geo = self.profile.table.geo
        if geo is None or not geo.areas:
            return
        for match in board.find(_EACH_OF):
            following = next(
                (m for m in board.mentions if 0 <= m.start - match.end() <= 5 and m.label == "place"), None
            )
            if following is not None:
                group = Aggregate(group=((self.profile.table.name, geo.areas[0]),))
                board.add(Mention(*match.span(), "aggregate", aggregate=group, label="per"))


def aggregate_of(board: Board, main: str) -> Aggregate | None:
    """The one aggregate of a message, with the groups it names; a column it leaves open is of the main table."""
    found = [mention for mention in board.mentions if mention.aggregate is not None]
    first = next((mention.aggregate for mention in found if mention.label != "per"), None)
    if first is None:
        return None
    groups = tuple(dict.fromkeys((*first.group, *_groups(board))))
    return first.model_copy(update={"group": groups, "table": first.table or main})


def share_of(
    board: Board, aggregate: Aggregate | None, nodes: tuple[Node, ...]
) -> tuple[Aggregate | None, tuple[Node, ...]]:
    """Where a share is asked for, what the share is of, and what is said of those: the rest of the conditions."""
    mention = next((m for m in board.mentions if m.aggregate is not None and m.aggregate.function == "share"), None)
    if aggregate is None or aggregate.function != "share" or mention is None:
        return aggregate, nodes
    predicate = _PREDICATE.search(board.norm, mention.stop)
    assert predicate is not None  # it was found with one
    start = board.text.tokens[board.text.token_at(predicate.end())].start
    of = tuple(node for node in nodes if board.text.message.find(node.words) >= start)
    if not of:
        return None, nodes
    return aggregate.model_copy(update={"of": of}), tuple(node for node in nodes if node not in of)


def each_of(board: Board) -> tuple[tuple[str, str], ...]:
    """The columns of whose values one row each is wanted: "the best in every city"."""
    return _groups(board) if all(m.aggregate is None or m.label == "per" for m in board.mentions) else ()


def _groups(board: Board) -> tuple[tuple[str, str], ...]:
    per = [mention.aggregate for mention in board.mentions if mention.aggregate is not None and mention.label == "per"]
    return tuple(dict.fromkeys(group for aggregate in per for group in aggregate.group))


def _filled(pattern: str, words: list[str], name: str) -> re.Pattern[str]:
    """The pattern with an alternation of words in its place; one that never matches where there are none."""
    alternatives = "|".join(re.escape(one) for one in sorted(words, key=len, reverse=True)) or "(?!)"
    return compiled(pattern.replace(f"{{{name}}}", alternatives))


def _plural(words: str) -> str:
    """ "City" as "cities", "instructor" as "instructors"."""
    if words.endswith("s"):
        return words
    return f"{words[:-1]}ies" if re.search(r"[^aeiou]y$", words) else f"{words}s"
