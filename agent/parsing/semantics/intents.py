"""What is wanted of the rows: the best, so many, a count, an average, the different values, one of their columns."""

from __future__ import annotations

import re

from agent.parsing.frame import Aggregate, Order, Projection
from agent.parsing.semantics.board import Board, Mention, compiled
from agent.parsing.semantics.profile import Profile
from agent.suql.catalogue import Column, Kind

_ROWS = (
    r"(?:(?:good|great|nice|decent|cool|different|cheap|other|more|really|solid|such|local|new|popular|random|"
    r"possible|suggested|top|best|[a-z]+)? ?(?:options?|choices?|suggestions?|"
    r"recommendations?|results?|places?|ones|spots?|of them|names?|ideas?|picks?|"
    r"answers?|joints?|eateries))"
)
_MANY = compiled(
    rf"(?:(?:show|give|find|tell|list|recommend|suggest|get|name)(?: me| us)? |just |"
    rf"only |the |my |any |maybe |need |want |for |looking for |,? ?)*"
    rf"(?P<n>\d{{1,2}}) (?:or (?:so|\d+) )?(?:{_ROWS})"
)
_GIVE = compiled(
    r"(?:show|give|find|list|recommend|suggest|get|name|tell)(?: me| us)?(?: the| just|"
    r" only| about| like)? (?P<n>\d{1,2})"
)
_TOP = compiled(
    r"(?:the |your |my )?(?:top|best|first) (?P<n>\d{1,2})(?: (?:best|most))?|(?:the "
    r")?(?P<m>\d{1,2}) (?:best|top|highest|most|cheapest|closest|finest|worst|easiest|"
    r"hardest|lightest|lowest|nearest)"
)
_JUST_ONE = compiled(
    r"(?:just|only)(?: give me| show me| tell me| need| want)? (?:one|1|a single)(?: "
    r"(?:answer|option|place|result|suggestion|name|recommendation|spot))?|(?:just "
    r")?(?:one|a single) (?:answer|option|suggestion|recommendation|result|place|pick)|"
    r"give me one|which one"
)
_SECOND = compiled(r"(?:the )?(?P<nth>2nd|second|3rd|third|4th|fourth)(?= (?:best|highest|most|cheapest|top))")
_ALL = compiled(
    r"(?:show|list|give|find|tell|see)(?: me| us)? (?:all|every)(?: of)?(?: the)?|"
    r"(?:all|every)(?: of)? the|list (?:all|every)"
)

_BEST_RATED = compiled(
    r"(?:(?:the|a|your|overall|very|absolute|one of|all|sort(?:ed)? (?:them )?by|"
    r"rank(?:ed)? (?:them )?by|order(?:ed)? by|by|in order of|with|has|have|which has|"
    r"that has|is|are) )*"
    r"(?:(?:highest|best|top|better|most highly|well|highly)(?:[ -](?:rated|reviewed|"
    r"ranked|scoring|scored|reviews|score|ratings?|rating score|stars))+|highest(?: "
    r"average)? (?:stars?|rating|score)|"
    r"(?:average )?(?:rating|score|stars) (?:wise|first|desc(?:ending)?|from (?:best|"
    r"high|highest|top)(?: to \S+)?|high to low)|best first|(?:by|on) (?:average "
    r")?(?:rating|score)|most stars|rate the highest|rated (?:the )?(?:highest|best))"
)
_WELL_RATED = re.compile(r"\b(well|highly|better)[ -](rated|reviewed)\b")
_BEST = compiled(
    r"(?:(?:the|your|very|absolute|one of|some of|overall|my|is|are|what|which) "
    r")*(?:best|top|finest|greatest|number one|no 1|#1)(?! (?:for|known|suited|way|"
    r"friend|served|if|enjoyed))(?: of the best)?"
)
_MOST_REVIEWED = compiled(
    r"(?:(?:the|by|with|has|have|that has|which has|sort(?:ed)? by|sorted|order(?:ed)? "
    r"by|ranked by|in order of) )*(?:most|highest number of|largest number of|biggest "
    r"number of|number of|amount of|greatest number of)(?:[ -](?:reviewed|reviews?|"
    r"number of reviews|ratings|rated by number of reviews|review count|popular|"
    r"visited|talked about|commented))+"
)
_WORST = compiled(
    r"(?:(?:the|is|with|has|have|which) )*(?:(?:worst|lowest|poorest)(?:[ -](?:rated|"
    r"ratings?|reviewed|score|reviews|stars))*|"
    r"least (?:rated|liked|loved))|rated (?:the )?(?:worst|lowest)"
)
_EASIEST = compiled(
    r"(?:(?:the|is|with|has|have|which) )*(?:easiest|lightest|least (?:work|hours|time "
    r"consuming|demanding)|fewest hours|"
    r"(?:lowest|lightest|smallest) workload)"
)
_HARDEST = compiled(
    r"(?:(?:the|is|with|has|have|which) )*(?:hardest|heaviest|toughest|most (?:work|"
    r"hours|time consuming|demanding|difficult))"
    r"(?: workload)?"
)
_CHEAPEST = compiled(
    r"(?:(?:the|is|which|by) )*(?:cheapest|least expensive|lowest (?:price|prices|"
    r"priced|cost)|most (?:affordable|inexpensive)|most budget friendly|cheaper ones "
    r"first|cheap to expensive|price low to high)(?: first)?"
)
_DEAREST = compiled(
    r"(?:(?:the|is|which) )*(?:most expensive|priciest|fanciest|most luxurious|highest (?:price|prices|priced))"
)

_HOW_MANY = compiled(
    r"how many|(?:what is |tell me )?(?:the )?(?:total )?number of(?= (?!(?:a|an|the|"
    r"one|that|some|this|my)\b|reviews|ratings|units|people|stars))|count(?: of| the| "
    r"up)?(?= )|total count of"
)
_AVERAGE = (
    r"(?:what is |tell me |give me |on )?(?:the )?(?P<fn>average|avg|mean|median|highest|"
    r"lowest|maximum|minimum|max|total)(?: of)?(?: the)? (?P<col>{columns})(?: (?:of|for|"
    r"among|across|in|at))?"
)


_DISHES = r"(?:signature|popular|best|famous|must try|recommended|special|house) (?:dish(?:es)?|items?|foods?|meals?)"
_TO_ORDER = compiled(
    r"(?:and )?(?:what|which|anything)(?: (?:is|are|dish(?:es)?|food|thing|do|does|"
    r"should|can|would|must|i|we|you|one|they|it|the))*"
    r"(?: (?:to|not))*(?: (?:order|try|get|eat|have|recommend|miss|do best|good))+(?: there| here| at)?|"
    rf"(?:(?:what|is|are|its|their|the|any|a|and) )*(?:{_DISHES}|special(?:i?ty|i?ties)|"
    rf"best ?sellers?|(?:known|famous) for)"
)

_PHONE = compiled(
    r"(?:(?:what is|give me|the|send me|tell me|get me|i need|a|and|their|its) "
    r")*(?:phone |telephone |contact )?numbers?(?: (?:of|for|to)(?= (?:a|an|the|one|"
    r"that|some|this)\b))"
)

# Words that ask for a column of rows that are not named: "and their phone numbers".
_WANTED = re.compile(
    r"\b(their|its|compare|include|including|plus|along with)\b|\band (?:the )?$|"
    r"\b(?:give|tell|show|send) (?:me|us) (?:the )?$"
)


class IntentFinder:
    """Finds order, limit, aggregates and asked-for columns for one main table."""

    def __init__(self, profile: Profile, columns: dict[str, tuple[str, Column]]) -> None:
        self.profile = profile
        self.columns = columns  # words for a column -> (table, column)
        names = "|".join(re.escape(words) for words in sorted(columns, key=len, reverse=True))
        numbers = [w for w, (_, c) in columns.items() if c.kind is Kind.NUMBER]
        numeric = "|".join(re.escape(words) for words in sorted(numbers, key=len, reverse=True))
        self._average = compiled(_AVERAGE.replace("{columns}", numeric)) if numeric else None
        countable = [w for w, (_, c) in columns.items() if c.kind in (Kind.ENUM, Kind.TEXT)]
        labels = "|".join(re.escape(words) for words in sorted(countable, key=len, reverse=True))
        self._distinct = compiled(
            rf"how many (?:different|distinct|unique|kinds of|types of) (?P<count>{labels})|"
            rf"(?:what|which|list|show|name|tell me)(?: all| me| us| are| the| "
            rf"different| distinct| of| kinds| kind| types| type| sorts| sort| various| "
            rf"other)* (?P<list>{labels})"
            rf"(?= (?:are|do|does|can|have|has|you|u|there|is|exist|available|in|on|"
            rf"offered|options))(?: (?:are there|are available|do you have|you have|"
            rf"there are|available|exist|do u have|do you know|can i find|can i get|do "
            rf"they have|are offered|options))*"
        )
        self._most = compiled(
            rf"(?:which|what)(?: of)?(?: the| these)?(?: \d+)? (?P<group>{labels}) "
            rf"(?:has|have|got|with|offers?) (?:the )?(?:most|more|highest number of|"
            rf"greatest number of|largest number of)"
        )
        self._per = compiled(
            rf"(?:per|by|for each|in each|each|for every|in every|broken down by|"
            rf"grouped by) (?P<group>{labels})(?! (?:rating|number))"
        )
        self._asked = compiled(
            r"(?:(?:what|whats|which|when|where|who|how|tell|give|show|get|need|want|"
            r"list|know|find|is|are|was|the|me|us|a|its|it's|their|his|her|your|your|"
            r"of|with|and|also|plus|for|can i have|please|include|just|exact|full|"
            r"including|along|do|does|compare) )*"
            rf"(?P<col>{names})"
        )

    def __call__(self, board: Board) -> None:
        self._limits(board)
        self._aggregates(board)
        self._orders(board)

    # -- how many rows -----------------------------------------------------------------------------------------------

    def _limits(self, board: Board) -> None:
        for match in board.find(_SECOND):
            offset = {"2": 1, "s": 1, "3": 2, "t": 2, "4": 3, "f": 3}[match["nth"][0]]
            board.add(Mention(*match.span(), "limit", number=1, label=f"offset {offset}"))
        for match in board.find(_TOP):
            # "best" itself stays for the order
            number = int(match["n"] or match["m"])
            span = match.span("n" if match["n"] else "m")
            board.add(Mention(*span, "limit", number=number))
        for pattern in (_MANY, _GIVE):
            for match in board.find(pattern):
                if not re.match(
                    r" (?:stars?|reviews?|people|persons?|units?|kids|hours?|dollars?|\+|minutes?|of us|year)",
                    board.norm[match.end("n") :],
                ):
                    board.add(Mention(*match.span("n"), "limit", number=int(match["n"])))
        for match in board.find(_JUST_ONE):
            board.add(Mention(*match.span(), "limit", number=1))
        for match in board.find(_ALL):
            board.add(Mention(*match.span(), "limit", number=0))

    # -- one number instead of rows ----------------------------------------------------------------------------------

    def _aggregates(self, board: Board) -> None:
        for match in board.find(self._most):
            table, column = self.columns[match["group"]]
            aggregate = Aggregate(function="count", group=((table, column.name),), best_first=True)
            board.add(Mention(*match.span(), "aggregate", aggregate=aggregate))
        for match in board.find(self._distinct):
            table, column = self.columns[match["count"] or match["list"]]
            label = "count distinct" if match["count"] else ""
            aggregate = Aggregate(function="distinct", table=table, column=column.name)
            board.add(Mention(*match.span(), "aggregate", aggregate=aggregate, label=label))
        for match in board.find(_HOW_MANY):
            after = board.norm[match.end() :]
            number = re.match(
                r" (?:of the |total )?(reviews|ratings|units|credits|hours|stars|students|people|seats|guests)\b", after
            )
            if not number:
                board.add(Mention(*match.span(), "aggregate", aggregate=Aggregate(function="count")))
        if self._average is not None:
            for match in board.find(self._average):
                table, column = self.columns[match["col"]]
                name = {"average": "avg", "avg": "avg", "mean": "avg", "median": "avg", "total": "sum"}.get(
                    match["fn"], ""
                )
                if name:
                    aggregate = Aggregate(function="avg" if name == "avg" else "sum", table=table, column=column.name)
                    board.add(Mention(*match.span(), "aggregate", aggregate=aggregate))
        for match in board.find(self._per):
            table, column = self.columns[match["group"]]
            if any(mention.kind == "aggregate" for mention in board.mentions):
                board.add(
                    Mention(*match.span(), "aggregate", aggregate=Aggregate(group=((table, column.name),)), label="per")
                )

    # -- the order ---------------------------------------------------------------------------------------------------

    def _orders(self, board: Board) -> None:
        profile = self.profile
        for pattern, part, descending in (
            (_MOST_REVIEWED, profile.popularity, True),
            (_CHEAPEST, profile.scale, False),
            (_DEAREST, profile.scale, True),
            (_BEST_RATED, profile.rating, True),
            (_EASIEST, profile.effort, False),
            (_HARDEST, profile.effort, True),
            (_WORST, profile.rating, False),
            (_BEST, profile.rating, True),
        ):
            if part is None:
                continue
            for match in board.find(pattern):
                order = Order(table=part[0], column=part[1], descending=descending)
                board.add(Mention(*match.span(), "order", order=order, label="best" if pattern is _BEST else ""))

    # -- asked-for columns -------------------------------------------------------------------------------------------

    def dishes(self, board: Board) -> None:
        """What to order at a named place: its popular dishes."""
        if self.profile.dishes is None:
            return
        for match in board.find(_TO_ORDER):
            table, column = self.profile.dishes
            board.add(Mention(*match.span(), "projection", projection=Projection(table=table, column=column)))

    def asked(self, board: Board, *, named: bool) -> None:
        """Columns asked about; where no thing is `named`, only those asked for outright ("and their phones")."""
        phone = next((entry for entry in self.columns.values() if "telephone" in entry[1].synonyms), None)
        for match in board.find(_PHONE):
            if phone is not None:
                projection = Projection(table=phone[0], column=phone[1].name)
                board.add(Mention(*match.span(), "projection", projection=projection))
        for match in board.find(self._asked):
            table, column = self.columns[match["col"]]
            before = match.group()[: match.start("col") - match.start()]
            if named or _WANTED.search(before):
                if column.kind is Kind.FREE_TEXT or column.hidden:
                    continue
                board.add(Mention(*match.span(), "projection", projection=Projection(table=table, column=column.name)))
