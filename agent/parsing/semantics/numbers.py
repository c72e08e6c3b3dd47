"""Numbers: bounds on NUMBER columns ("at least 4 stars", "between 3 and 4.5", "4.4+"), and how many rows are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from agent.parsing.frame import Aggregate, Comparison, Condition, Either, Node
from agent.parsing.semantics.workspace import Board, Mention, compiled

_NUM = r"(?P<number>\d+(?:\.\d+)?)"
_TAKE = (  # "not eat up more than ten hours"
    r"(?:(?:eat|take|cost|need|require|be|have|go|run|demand|eating|taking|costing|needing|requiring|having|going|"
    r"demanding|up) ){0,2}"
)
_BEFORE: dict[Comparison, str] = {
    ">=": (
        rf"at least|no less than|no fewer than|not {_TAKE}(?:below|under|lower than|"
        r"less than|fewer than)|nothing (?:below|under|less than|lower than)|none (?:below|under)|no "
        r"lower than|minimum(?: of)?|min|a minimum of|from|starting (?:at|from)|upwards of|"
        r"at or above|≥|> ="
    ),
    "<=": (
        rf"at most|no more than|not {_TAKE}(?:more than|above|over)|(?:not exceed|without exceeding)|up to|max|"
        r"maximum(?: of)?|a maximum of|nothing (?:above|over|more than)|no (?:higher|longer|greater) than|"
        r"< ="
    ),
    ">": r"over|above|more than|greater than|higher than|better than|exceeding|north of|beyond|bigger than|past|>",
    "<": r"under|below|less than|fewer than|lower than|worse than|south of|shorter than|<",
}
_AFTER: dict[Comparison, str] = {
    ">=": (
        r"\+|plus|(?:or|and) (?:more|better|higher|up|above|over|greater|upwards?)(?! "
        r"than| \d)|and up(?:wards)?|minimum|min|"
        r"at least|at minimum"
    ),
    "<=": r"(?:or|and) (?:less|below|under|fewer|lower|worse)(?! than| \d)|max|maximum|tops|at most|at maximum",
}
_PRE = "|".join(f"(?P<p{index}>{words})" for index, words in enumerate(_BEFORE.values()))
_SUF = "|".join(f"(?P<s{index}>{words})" for index, words in enumerate(_AFTER.values()))
_LINK = (
    r"(?:is|are|of|at|has|have|with|to be|must be|should be|a|the|score|scores|scored|"
    r"rating|it|,|:|as|being|an|average|overall|around|about|them|level|say|only|number|"
    r"count) "
)
LIMIT = 3  # rows shown when the user does not say how many
_SINGULAR = re.compile(
    r"(?:^|\s)(restaurant|place|spot|joint|one|answer|cafe|bar|eatery|shop|option|somewhere|course|class)(?=\s|$)"
)
_PLURAL = re.compile(
    r"(?:^|\s)(restaurants|places|spots|joints|ones|cafes|bars|eateries|shops|options|"
    r"courses|classes|[a-z]{3,}s)(?=\s|$)"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """How people speak of a number: `units` come after it ("4 stars"), `heads` before it ("rated 4").

    `default` is the comparison meant when none is said. `scale` tells that bare numbers with "+" can only be this.
    """

    table: str
    column: str
    units: str
    heads: str
    default: Comparison = ">="
    scale: float = 0.0
    ceiling: float = 0.0  # numbers above it are something else


class NumberFinder:
    """Finds bounds on one NUMBER column."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        unit, head = measure.units, measure.heads
        tail = rf"(?: (?:{unit}))"
        # A number may be followed by its comparison before or after the unit: "4 plus stars", "4 stars or better".
        number = rf"(?:(?:{_PRE}|(?P<exact>exactly|precisely)) (?:a |an |about )?)?{_NUM}(?: (?:{_SUF}))?"
        self._ranges = [
            compiled(rf"(?:between |from )?(?P<low>\d+(?:\.\d+)?) (?:and|to|or) (?P<high>\d+(?:\.\d+)?){tail}"),
            compiled(
                rf"(?:{head}) (?:{_LINK})*(?:between |from )(?P<low>\d+(?:\.\d+)?) (?:and|to) (?P<high>\d+(?:\.\d+)?)"
            ),
        ]
        again = _SUF.replace("(?P<s", "(?P<t")
        self._single = [
            compiled(
                rf"(?:with |has |have |having |worth |that (?:is|are|has|have) |rated |"
                rf"ratings? (?:of )?|, |(?:(?:a|an|the|average|mean|typical|with|has|have) )*(?:{head}) (?:{_LINK})*)?"
                rf"{number}{tail}(?: (?:rating|rated|score|"
                rf"average|reviews?|each))*(?: (?:{again}))?"
            ),
            compiled(
                rf"(?:with |has |have |having |a |an |the |average |mean |that (?:is|are) )*(?:{head}) "
                rf"(?:{_LINK})*{number}(?! (?:courses|classes|places|restaurants|spots|ones|options)(?: |$))"
                rf"(?: out of 5| or 5| times)?"
            ),
        ]
        self._bare = compiled(rf"(?:(?:{_PRE}) )?(?P<number>\d\.\d|[1-5])(?: (?:{_SUF}))?") if measure.scale else None

    def __call__(self, board: Board) -> None:
        for pattern in self._ranges:
            for match in board.find(pattern):
                low, high = sorted((float(match["low"]), float(match["high"])))
                if self._fits(high):
                    self._add(board, match, self._between(low, high, board.words(*match.span())))
        for pattern in self._single:
            for match in board.find(pattern):
                self._bound(board, match)
        if self._bare is not None:
            for match in board.find(self._bare):
                self._scaled(board, match)

    def _fits(self, number: float) -> bool:
        return not self.measure.ceiling or number <= self.measure.ceiling

    def _bound(self, board: Board, match: re.Match[str]) -> None:
        number = float(match["number"])
        if self._fits(number):
            exact: Comparison | None = "=" if match.groupdict().get("exact") else None
            op = exact or _operator(match) or self.measure.default
            self._add(board, match, self._node(op, number, board.words(*match.span())))

    def _scaled(self, board: Board, match: re.Match[str]) -> None:
        """A bare number that can only be on this scale: "4.4+", "above 4.5", "4 or higher"."""
        number = float(match["number"])
        decimal = "." in match["number"]
        op = _operator(match)
        suffix = any(value for name, value in match.groupdict().items() if name.startswith("s"))
        after = board.norm[match.end() :]
        if number > self.measure.scale or (
            re.match(r" (?!(?:rating|or|and|in|for|,|\.|at|near|please|reviews)\b)[a-z$]+", after)
            and not (suffix or decimal)
        ):
            return
        alone = bool(re.match(r"( [,.;!?]|$)", after)) or suffix
        if decimal or (op is not None and alone and number >= 2):
            self._add(board, match, self._node(op or self.measure.default, number, board.words(*match.span())))

    def _between(self, low: float, high: float, words: str) -> Node:
        parts: tuple[Node, ...] = (self._node(">=", low, words), self._node("<=", high, words))
        return Either(mode="all", parts=parts, words=words)

    def _node(self, op: Comparison, number: float, words: str) -> Node:
        measure = self.measure
        value = int(number) if number == int(number) else number

        return Condition(table=measure.table, column=measure.column, op=op, values=(value,), words=words)

    def _add(self, board: Board, match: re.Match[str], node: Node) -> None:
        slot = f"{self.measure.table}.{self.measure.column}"
        board.add(Mention(*match.span(), "node", slot, node, fixed=True, label="number"))


def _operator(match: re.Match[str]) -> Comparison | None:
    """The comparison that the words before or after the number say."""
    for name, value in match.groupdict().items():
        if value and name[0] in "pst" and name[1:].isdigit():
            table = _BEFORE if name[0] == "p" else _AFTER
            return cast(Literal[">=", "<=", ">", "<"], list(table)[int(name[1:])])
    return None


def measures(rating: tuple[str, str] | None, popularity: tuple[str, str] | None) -> list[Measure]:
    """How people speak of ratings and of their number. The number of reviews comes first: "4 reviews" is no rating."""
    found: list[Measure] = []
    if popularity:
        found.append(
            Measure(
                *popularity,
                units=(
                    r"(?:user |customer |good |positive |total |online |yelp |google "
                    r")?(?:reviews?|reviewers?|ratings|opinions?|people (?:have "
                    r")?(?:reviewed|rated)|customers have reviewed)"
                ),
                heads=r"(?:number of |amount of )?reviews?(?: count| number)?|review count|reviewed(?: by)?",
            )
        )
    if rating:
        found.append(
            Measure(
                *rating,
                units=(
                    r"(?:-? ?star(?:s|red)?(?: rating| ratings| reviews?| rated| average)?|"
                    r"out of 5(?: stars)?|or 5|rating|rated|points?)"
                ),
                heads=(
                    r"(?:(?:star|average|overall|user|customer) )?(?:ratings?|rated|rating "
                    r"wise|stars?|score[ds]?|rates?)"
                ),
                scale=5,
                ceiling=5,
            )
        )
    return found


def skipped(board: Board) -> int:
    """How many rows the order leaves out before the first that is wanted: one of "the second best"."""
    said = (m.label.split() for m in board.mentions if m.kind == "limit" and m.label.startswith("offset"))
    return next((int(number) for _, number in said), 0)


def wanted(board: Board, *, ordered: bool) -> tuple[int | None, bool, int]:
    """How many rows, whether the user said so, and how many to skip."""
    offset, numbers = skipped(board), []
    if any(m.aggregate is not None and m.aggregate.best_first for m in board.mentions):
        numbers.append(1)
    for mention in board.mentions:
        if mention.kind == "limit":
            numbers.append(mention.number)
    if numbers:
        return (None, True, offset) if 0 in numbers else (min(numbers), True, offset)
    ordered_by = (m for m in board.mentions if m.order is not None and m.label != "good")
    first = min(ordered_by, key=lambda m: m.start, default=None)
    if first is not None:
        after = re.split(r" (?:[.,;!?]|and )", board.norm[first.stop :])[0]
        after = " ".join(after.split()[:5])
        one, many = _SINGULAR.search(after), _PLURAL.search(after)
        if re.search(r"\b(?:highly|well|better)\b", board.norm[first.start : first.stop]):
            return LIMIT, False, 0
        several = re.match(r"(?:what|which) (?:of the |are the )?(?:[a-z]+ ){0,2}?([a-z]{3,}[^s]s)\b", board.norm)
        definite = re.search(r"\bthe\b", board.norm[first.start : first.stop]) or (
            re.match(r"(?:what|which|who|where) ", board.norm) and not several
        )
        definite = definite or re.search(r"\bwhich(?: one)?(?: (?:is|has))? $", board.norm[: first.start])
        if (one or definite) and not (many and (not one or many.start() < one.start())):
            return 1, False, 0
    return LIMIT, False, 0


def rows_of(limit: int | None, aggregate: Aggregate | None, *, said: bool) -> int | None:
    """The limit that an aggregate leaves: none on one number, and on groups only the one the user set."""
    if aggregate is None:
        return limit
    return limit if aggregate.group and said else None
