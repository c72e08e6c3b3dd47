"""What is wanted of the rows: the best, so many, a count, an average, the different values, one of their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.catalogue.tables import Kind
from agent.parsing.frame import Order, Projection
from agent.parsing.semantics import english
from agent.parsing.semantics.grouping import Columns, GroupFinder
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention, alternatives, compiled

_ROWS = (
    r"(?:(?:good|great|nice|decent|cool|different|cheap|other|more|really|solid|such|local|new|popular|random|"
    r"possible|suggested|top|best|[a-z]+)? ?(?:options?|choices?|suggestions?|"
    r"recommendations?|results?|places?|ones|spots?|of them|names?|ideas?|picks?|"
    r"answers?|joints?|eateries|courses|classes|seminars|programs))"
)
_MANY = compiled(
    rf"(?:(?:show|give|find|tell|list|recommend|suggest|get|name)(?: me| us)? |just |"
    rf"only |the |my |any |maybe |need |want |for |looking for |, ?+| )*"
    rf"(?P<n>\d{{1,2}}) (?:or (?:so|\d+) )?(?:[a-z]+ )?(?:{_ROWS})"
)
_OF_PEOPLE = re.compile(r" of (?:them|us|whom) (?!(?:in|near|that|which|with|please)\b)\w")  # "two of them toddlers"
_GIVE = compiled(
    r"(?:show|give|find|list|recommend|suggest|get|name|tell|pick|choose|send)(?: me| us)?(?: the| just|"
    r" only| about| like)? (?P<n>\d{1,2})"
)
_BOTTOM = re.compile(r"\b(?:bottom|worst|lowest|least|poorest)\b")
_TOP = compiled(
    r"(?:the |your |my )?(?:top|best|first|bottom|worst) (?P<n>\d{1,2})(?: (?:best|most))?|(?:the "
    r")?(?P<m>\d{1,2}) (?:best|top|highest|most|cheapest|closest|finest|worst|easiest|"
    r"hardest|lightest|lowest|nearest)"
)
_JUST_ONE = compiled(
    r"(?:just|only)(?: give me| show me| tell me| need| want)? (?:one|1|a single)(?: "
    r"(?:answer|option|place|result|suggestion|name|recommendation|spot))?|(?:just "
    r")?(?:one|a single) (?:answer|option|suggestion|recommendation|result|place|pick)|"
    r"give me one|which one|(?:pick|choose|name)(?: me| us)? (?:one|1|a single)"
)
_SECOND = compiled(
    r"(?:the )?(?P<nth>2nd|second|3rd|third|4th|fourth)"
    rf"(?= (?:best|worst|most|least|highest|lowest|top|{alternatives(sorted(english.superlatives()))})(?:\s|$))"
)
_LAST = re.compile(r" (?:ones? |places? )?(?:at the )?(?:last|end|bottom)(?! (?:week|night|year|month|time))(?=\s|$)")
_PLENTY = r"(?:places|restaurants|spots|joints|cafes|bars|bakeries|shops|courses|classes|seminars|programs)"
_ALL = compiled(  # but "of all the ramen bars" one is wanted
    r"(?:show|list|give|find|tell|see)(?: me| us)? (?:all|every)(?: of)?(?: the)?|"
    r"(?<!of )(?<!among )(?<!amongst )(?<!from )(?<!across )(?<!over )(?:all|every)(?: of)? the|list (?:all|every)|"
    rf"^all(?= (?:[a-z-]+ ){{1,3}}?{_PLENTY}\b)"
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
    r")?(?:rating|score)|most stars|rate the highest|rated (?:the )?(?:highest|best))|"
    r"(?:(?:did|do|does) )?(?:people|students|guests|reviewers|everyone) "
    r"(?:like|liked|love|loved|enjoy|enjoyed|prefer|preferred) (?:the )?(?:most|best)"
)
_BEST = compiled(
    r"(?:(?:the|your|very|absolute|one of|some of|overall|my|is|are|what|which) "
    r")*(?:best|top|finest|greatest|number one|no 1|#1)(?! (?:value|deal|for|known|suited|way|"
    r"professors?|instructors?|teachers?|lecturers?|profs?|"
    r"friend|served|if|enjoyed))(?: of the best)?"
)
_MOST_REVIEWED = compiled(
    r"(?:(?:the|by|with|has|have|that has|which has|sort(?:ed)? by|sorted|order(?:ed)? "
    r"by|ranked by|in order of) )*(?:most|(?:highest|largest|biggest|greatest) (?:number|amount) of|"
    r"(?<=by )(?:the )?(?:number|amount) of)(?:[ -](?:reviewed|reviews?|"
    r"number of reviews|ratings|rated by number of reviews|review count|popular|"
    r"visited|talked about|commented))+"
)
_WORST = compiled(
    r"(?:(?:the|is|with|has|have|which) )*(?:(?:worst|lowest|poorest)(?:[ -](?:rated|"
    r"ratings?|reviewed|score|reviews|stars))+|(?:worst|poorest)|lowest(?= (?:of|in|first|[.?!])|$)|"
    r"least (?:rated|liked|loved))(?! (?:service|food|parking|waits?|staff|atmosphere|value|lectures?|exams?))|"
    r"rated (?:the )?(?:worst|lowest)|(?:the )?bottom(?= \d)"
)
_LEAST_REVIEWED = compiled(
    r"(?:(?:the|is|with|has|have|which) )*(?:(?:fewest|least|lowest number of|smallest number of) (?:reviews|ratings)|"
    r"least (?:reviewed|popular))"
)
_CHEAPEST = compiled(
    r"(?:(?:the|is|which|by) )*(?:cheapest|least expensive|lowest (?:price|prices|"
    r"priced|cost)|most (?:affordable|inexpensive)|most budget friendly|cheaper ones "
    r"first|cheap to expensive|price low to high)(?: first)?"
)
_DEAREST = compiled(
    r"(?:(?:the|is|which) )*(?:most expensive|priciest|fanciest|most luxurious|highest (?:price|prices|priced))"
)


_OF_MENU = re.compile(  # the cheapest of these is no place
    r" (?:things?|dish(?:es)?|items?|plates?|mains?|entrees?|starters?|appetizers?|bottles?|glass(?:es)?)\b"
)
_DISHES = r"(?:signature|popular|best|famous|must try|recommended|special|house) (?:dish(?:es)?|items?|foods?|meals?)"
_TO_ORDER = compiled(
    r"(?:and )?(?:what|which|anything)(?: (?:is|are|best|dish(?:es)?|food|thing|do|does|"
    r"should|can|would|must|i|we|you|one|they|it|the))*"
    r"(?: (?:people|guests|regulars|locals|everyone|everybody|usually|typically|normally|mostly|often|tend|to|not))*"
    r"(?: (?:orders?|try|get|eat|have|recommend|miss|do best|good|go for))+(?: there| here| at)?|"
    rf"(?:(?:what|is|are|its|their|the|any|a|and) )*(?:{_DISHES}|special(?:i?ty|i?ties)|"
    rf"best ?sellers?|(?:known|famous) for)"
)

_PHONE = compiled(
    r"(?:(?:what is|give me|the|send me|tell me|get me|i need|a|and|their|its) "
    r")*(?:phone |telephone |contact )?numbers?(?: (?:of|for|to)(?= (?:a|an|the|one|"
    r"that|some|this)\b))"
)

# Words that ask for a column of rows that are not named: "and their phone numbers".
_TAKING_CALLS = re.compile(r"\b(?:tak(?:e|es|ing)|mak(?:e|es|ing)|on) (?:\w+ )?calls?\b")
_START_WITH = re.compile(r"starts?(?:ing)? (?:out )?with\b")
_DOING = re.compile(r"opens?|closes?|starts?|begins?|ends?|finishes|serves?|serving")
_ASKS_WHERE = re.compile(r" (?:is|are|does|do|will|can|exactly)\b| [.?!]|$")
_WANTED = re.compile(
    r"\b(their|its|compare|include|including|plus|along with)\b|\band (?:the )?$|"
    r"\b(?:give|tell|show|send) (?:me|us) (?:the )?$"
)
_BEGUN, _ALSO = (
    re.compile(r"(?:^|[.?!] )(?:the |and |its |their )*$"),
    re.compile(r"(?: too| also| as well| please| pls)+(?=$| [.?!])"),
)
_LISTED = re.compile(r"\b(?:list|names|results|options|ones|them) with (?:the )?$")
_OF_WHAT = re.compile(
    r"(?: and (?:the |its |their )?[a-z]+(?: [a-z]+)?)? "
    r"(?:of|for|at) (?:the|an?|all|any|every|each|some|[a-z]+ (?:restaurants|places|courses|classes)) "
)
_REQUESTED = re.compile(r"\b(?:what is|what are|whats|list|need|want|get|give|tell|show|find)\b.*\bthe $")
_WHEN_OPEN = compiled(
    r"(?P<when>what time|what hours|(?:until |till )?when|how (?:late|early|long))(?: is| are| do| does| will) "
    r"(?:[^.,;?!]+ )??(?P<open>(?:still )?(?:open|close|shut|stay open)s?(?: up)?"
    r"(?: (?:on )?(?:[a-z]+days?|weekends?|weekdays?|today|tonight|tomorrow))?)(?= (?:[.,;?!]|and |or )|$)"
)

_OPEN_LONGEST = compiled(  # no order: the hours tell it
    r"(?:(?:is|are|stays?|staying|be) )*(?:open(?:s|ing)?|clos(?:es|ing|e)|shuts?) "
    r"(?:the )?(?:latest|earliest|longest)|"
    r"(?:the )?(?:latest|earliest|longest) (?:open(?:ing)?|clos(?:es|ing|e)|hours)(?: (?:hours|times?))?"
)


class IntentFinder:
    """Finds order, limit, aggregates and asked-for columns for one main table."""

    def __init__(self, profile: Profile, columns: Columns) -> None:
        self.profile = profile
        self.columns = columns
        self.groups = GroupFinder(profile, columns)
        self._extremes = _extremes(columns)
        self._more_is_better = {part[1] for part in (profile.rating, profile.popularity) if part}
        names = "|".join(re.escape(words) for words in sorted(columns, key=len, reverse=True))
        self._asked = compiled(
            r"(?:(?:what|whats|which|when|where|who|how|tell|give|show|get|need|want|"
            r"list|know|find|is|are|was|the|me|us|a|its|it's|their|his|her|your|your|"
            r"of|with|and|also|plus|for|can i have|please|include|just|exact|full|"
            r"including|along|do|does|compare) )*"
            rf"(?P<col>{names})(?:e?s)?(?: numbers?)?"
        )
        self._how_many = compiled(
            rf"how (?:many|much) (?P<col>{names}) (?:do|does|did|has)"
            r"(?= .*\b(?:have|has|get|take|need)\b)"
        )

    def __call__(self, board: Board, *, groups: bool = True) -> None:
        """Adds what is wanted; `groups` where the message may ask for one number or one row each."""
        if groups:
            self._facts(board)
            self.groups(board)
        self._limits(board)
        self._orders(board, of_menu=not groups)

    def _facts(self, board: Board) -> None:
        """What is asked of rows that are described: "how many reviews does the cheapest have", "when does it open"."""
        for match in board.find(self._how_many):
            table, column = self.columns[match["col"]]
            counted = self.profile.popularity if column.kind is Kind.FREE_TEXT else None  # "how many reviews"
            if counted or column.kind is Kind.NUMBER:
                told = Projection(table=table, column=column.name) if counted is None else _of(counted)
                board.add(Mention(*match.span(), "projection", projection=told))
        self.opening(board)

    def opening(self, board: Board) -> None:
        """When something opens or closes: "how late is the cheapest one open"."""
        for match in _WHEN_OPEN.finditer(board.norm):
            if self.profile.hours and board.free(*match.span("when")) and board.free(*match.span("open")):
                board.add(Mention(*match.span("when"), "projection", projection=_of(self.profile.hours)))
                board.claim(*match.span("open"))
        for match in board.find(_OPEN_LONGEST):
            if self.profile.hours:
                board.add(Mention(*match.span(), "projection", projection=_of(self.profile.hours)))

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
            for match in pattern.finditer(board.norm):
                if not board.free(*match.span("n")):
                    continue
                if _OF_PEOPLE.match(board.norm, match.end("n")):
                    continue
                if not re.match(
                    r" (?:stars?|reviews?|people|persons?|units?|credits?|quarters?|levels?|days?|weeks?|seats?|"
                    r"students?|kids|hours?|dollars?|\+|minutes?|of us|year)",
                    board.norm[match.end("n") :],
                ):
                    board.add(Mention(*match.span("n"), "limit", number=int(match["n"])))
        for match in board.find(_JUST_ONE):
            board.add(Mention(*match.span(), "limit", number=1))
        for match in board.find(_ALL):
            board.add(Mention(*match.span(), "limit", number=0))

    # -- the order ---------------------------------------------------------------------------------------------------

    def _orders(self, board: Board, *, of_menu: bool) -> None:
        """`of_menu`: the dearest dish is one of a place that is known, rather than what places are ordered by."""
        profile = self.profile
        self._extreme(board)
        for pattern, part, descending in (
            (_MOST_REVIEWED, profile.popularity, True),
            (_LEAST_REVIEWED, profile.popularity, False),
            (_CHEAPEST, profile.scale, False),
            (_DEAREST, profile.scale, True),
            (_BEST_RATED, profile.rating, True),
            (_WORST, profile.rating, False),
            (_BEST, profile.rating, True),
        ):
            if part is None:
                continue
            for match in board.find(pattern):
                if of_menu and part is profile.scale and _OF_MENU.match(board.norm, match.end()):
                    continue
                last = _LAST.match(board.norm, match.end())  # "best rated last"
                order = Order(table=part[0], column=part[1], descending=descending != bool(last))
                stop = last.end() if last else match.end()
                label = "best" if pattern is _BEST else ""
                board.add(Mention(match.start(), stop, "order", order=order, label=label))

    def _extreme(self, board: Board) -> None:
        """ "The most units", "the largest class": most or least of a number that the catalogue has a word for."""
        for pattern, descending in self._extremes:
            for match in board.find(pattern):
                best = self.columns[match["col"]][1].name in self._more_is_better
                worst = _BOTTOM.search(board.norm[: match.start()]) is not None  # "the bottom 3 by rating"
                down = best != worst if descending is None else descending
                table, name = self._end_of(match["col"], descending=down)
                order = Order(table=table, column=name, descending=down)
                board.add(Mention(*match.span(), "order", order=order))

    def _end_of(self, words: str, *, descending: bool) -> tuple[str, str]:
        """The column of a word; of a range, its upper end for the most and its lower end for the least."""
        table, column = self.columns[words]
        end = re.sub(r"^(?:min|max)_", "max_" if descending else "min_", column.name)
        other = next((c for t, c in self.columns.values() if t == table and c.name == end), column)
        return table, other.name

    # -- asked-for columns -------------------------------------------------------------------------------------------

    def dishes(self, board: Board) -> None:
        """What to order at a named place: its popular dishes."""
        if self.profile.dishes is None:
            return
        for match in board.find(_TO_ORDER):
            table, column = self.profile.dishes
            board.add(Mention(*match.span(), "projection", projection=Projection(table=table, column=column)))

    def asked(self, board: Board, *, named: bool, told: Sequence[tuple[int, int]] = ()) -> None:
        """Columns asked about; where no thing is `named`, only those asked for outright ("and their phones"), or in a
        stretch of the text that asks to be `told` something and names nothing else."""
        phone = next((entry for entry in self.columns.values() if "telephone" in entry[1].synonyms), None)
        for match in board.find(_PHONE):
            if phone is not None:
                projection = Projection(table=phone[0], column=phone[1].name)
                board.add(Mention(*match.span(), "projection", projection=projection))
        for match in board.find(self._asked):
            table, column = self.columns[match["col"]]
            before = match.group()[: match.start("col") - match.start()]
            if not named and _DOING.fullmatch(match["col"]):
                continue  # "and opens before 7" says when, and asks nothing
            if _TAKING_CALLS.search(board.norm, max(0, match.start("col") - 12), match.end() + 6):
                continue  # "can I take calls there"
            if _START_WITH.match(board.norm, match.start("col")):
                continue  # "what should I start with"
            if not named and match["col"] == "where" and not _ASKS_WHERE.match(board.norm, match.end()):
                continue  # "and where people say ..." leads to a wish
            said = board.norm[: match.start("col")]
            requested = (_REQUESTED.search(before) or said in ("", "the ", "please ")) and _OF_WHAT.match(
                board.norm, match.end()
            )
            listed = column.kind is Kind.TEXT and _LISTED.search(said)
            alone = column.kind is Kind.TEXT and _ALSO.match(board.norm, match.end()) and _BEGUN.search(said)
            asks = named or requested or listed or alone or board.says_only(*match.span(), told)
            if asks or _WANTED.search(before):
                dishes = (table, column.name) == self.profile.dishes
                if (column.kind is Kind.FREE_TEXT and not dishes) or column.hidden:
                    continue
                projection = Projection(table=table, column=column.name)
                label = "scale" if (table, column.name) == self.profile.scale else ""
                board.add(Mention(*match.span(), "projection", projection=projection, label=label))


def _of(column: tuple[str, str]) -> Projection:
    return Projection(table=column[0], column=column[1])


def _extremes(columns: Columns) -> list[tuple[re.Pattern[str], bool | None]]:
    """Patterns for the most and the least of each number, and whether they order it descending (None: nobody says)."""
    numbers = [words for words, (_, column) in columns.items() if column.kind is Kind.NUMBER]
    names = "|".join(re.escape(words) for words in sorted(numbers, key=len, reverse=True)) or "(?!)"
    lead = r"(?:(?:the|with|has|have|having|is|by|that has|which has) )*"
    most = r"(?:most|highest|largest|biggest|greatest|maximum|max|longest|heaviest|hardest)"
    least = r"(?:fewest|least|lowest|smallest|minimum|shortest|lightest|easiest)"
    thing = r"(?: (?:one|ones|class|classes|course|courses|place|places))?"
    there = r"(?: (?:(?:that |which )?(?:you|they|we) (?:have|offer|teach)|(?:that )?there is|here))?"
    first = r" ?,? (?:the )?{how}(?: (?:one|ones))? (?:first|on top|at the top)"
    plain = compiled(
        rf"(?:(?:sorted|ranked|ordered|sort|rank|order)(?: (?:them|these|it|results))? )?(?:by|in order of) "
        rf"(?:the |their |average )?(?P<col>{names})(?=$| [.,;!?])"
    )
    return [
        (compiled(pattern), descending)
        for how, descending in ((most, True), (least, False))
        for pattern in (
            rf"{lead}{how} (?:number of |amount of |average )?(?P<col>{names})",
            rf"{lead}{how}{thing}{there} (?:, )?(?:in terms of|by|in) (?:the )?"
            rf"(?:number of |average )?(?P<col>{names})",
            rf"(?:(?:sorted|ranked|ordered|sort|rank|order)(?: them)? )?(?:by|in order of) (?P<col>{names})"
            + first.replace("{how}", how),
        )
    ] + [(plain, None)]
