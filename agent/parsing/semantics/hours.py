"""When a place should be open: days, clock times, meals and parts of the day, as words for an OPENING_HOURS column.

The words are put in one form, "open Friday at 21:00", "open Sunday morning", "open now", that the engine's reader of
times (`agent.suql.kinds`) and people both understand.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise

from agent.parsing.frame import Condition
from agent.parsing.semantics.workspace import Board, Mention, compiled

_TOGETHER = 12  # times of a message that may belong together
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS = {
    **{name: day for day in _WEEK for name in (day.lower(), day.lower()[:3])},
    "tues": "Tuesday",
    "weds": "Wednesday",
    "thur": "Thursday",
    "thurs": "Thursday",
    **{word: word for word in ("today", "tonight", "tomorrow")},
    "weekends": "on weekends",
    "weekend": "on the weekend",
    "weekdays": "on weekdays",
    "weekday": "on weekdays",
}
_PART = (
    r"(?P<part>early morning|late morning|mornings?|afternoons?|late afternoon|early "
    r"evening|evenings?|nights?|late(?: at)? night|noon|midday|"
    r"(?:early |late )?(?:breakfast|brunch|lunch|dinner|supper)(?: ?time)?)"
)
_DAY = rf"(?P<day>(?:{'|'.join(sorted((d for d in _DAYS), key=len, reverse=True))})s?(?<!the sun))"
_CLOCK = (
    r"(?P<clock>\d{1,2}(?::\d{2})?(?: ?o'?clock)?(?: (?:in the )?(?:morning|afternoon|"
    r"evening|at night))?|noon|midnight|midday)"
)
_OPEN = (
    r"(?:(?:that |which |who |and |it |they |must |should |has to |have to |needs? to |"
    r"to |will |stays? |be |is |are |is still |are still |still |actually |also |"
    r"currently |obviously |really |definitely |not "
    r")*(?:open|opens|opened|opening|serving|serves?|available|going|eat|eating|go|"
    r"dine|dining|closed|shut)(?: up)? )"
)
_RELATION = (
    r"(?:(?P<relation>at|like|by|around|about|until|till|til|past|after|before|from|as early as|"
    r"as late as|later than|to|say|it is(?: already| almost| now)?) (?:about |around |at |past |least )?)"
)

_RELATIONS = {
    **dict.fromkeys(("till", "til", "as late as", "to"), "until"),
    **dict.fromkeys(("past", "later than"), "after"),
    **dict.fromkeys(("by", "like", "around", "about", "as early as", "from", "it is", "say"), "at"),
}

_NOW = compiled(
    rf"{_OPEN}?(?:right now|at this (?:hour|time|moment)|at the moment|at present|now|as we speak|"
    r"(?:right |at )?this (?:very )?(?:minute|second|instant|moment))|currently "
    rf"open|open (?:right )?now|{_OPEN}(?:currently|still)"
)
_LONGER = compiled(
    rf"{_OPEN}?for (?:at least )?(?:(?:another|the next|a|an|half|\d+|more) )*(?<!for )(?<!for at least )"
    r"(?:hours?|hrs?|minutes?|mins?)(?: more| longer)?"
)
_IS_NOW = re.compile(r"open|\bat this\b|\bthis very\b|\b(?:right )?now$|^right this\b")
_WHATEVER = compiled(r"(?:whatever|anything|who|what|everything) (?:is )?(?:still |already )?open(?= [.,;!?]|$)")
_ALWAYS = compiled(
    r"(?:that |which )?(?:never|do not|does not) (?:ever )?(?:close|closes|shut|shuts)(?: at all| down)?(?= [.,;?!]|$)|"
    rf"{_OPEN}?(?:24 hours?(?: a day)?|24 or 7|24 hr|around the clock|all (?:night(?: "
    rf"long)?|day and night|24 hours)|24 7)"
)
_EARLY = compiled(rf"{_OPEN}(?:very |really |pretty )?early(?: in the morning)?|early opening")
_LATE = compiled(
    rf"{_OPEN}?(?:until |till |til )?(?:very |really |pretty )?(?:late(?: at)? nights?|"
    rf"late hours|late)(?: hours| eats?| food| snacks?| bites?| dining| night| places?| "
    rf"spots?| opening| in the night)*"
)
_DAYPART = compiled(
    rf"{_OPEN}?(?:(?:both days of|at|for|in|on|during|this|every|to have|to get|to eat|have|having|"
    rf"from|by|my|our|the|a|an|quick|nice|early|late|each|all) )*"
    rf"(?:{_DAY}(?: (?:in the |at |for |during the |this )?{_PART})?(?: "
    rf"{_RELATION}?(?:the )?{_CLOCK})?)(?: (?:please|thanks|only))?"
)
_TIMED = compiled(
    rf"{_OPEN}?{_RELATION}(?:the )?{_CLOCK}(?: (?:on |this |every |a |any )*(?:{_DAY})(?: (?:in the )?{_PART})?)?"
)
_MEAL = compiled(
    rf"{_OPEN}?(?:(?:for|during|at|in|to have|to get|to grab|to eat|have|grab|get|"
    rf"having|need|want|wants|this|that|same|some|after|the|a|an|early|late|"
    rf"nice|good|our|my|lovely|weekend|fun|lazy|simple|proper|casual|of) )*{_PART}(?: "
    rf"(?:today|time|hours?))?(?: (?:on |this |next )*{_DAY})?"
)


_BARE_MEAL = compiled(
    rf"(?:(?:for|at|over|a|an|early|late) )*(?P<part>(?:early |late )?(?:lunch|dinner|"
    rf"supper)(?: ?time)?)(?: (?:on |this |next )*{_DAY})?"
)


# "We have to be done by two": whoever leaves at a time eats before it.
_LEAVING = compiled(
    r"(?:(?:that|i|we|it|and|to|have|has|must|should|need|needs|got|be|get|am|are|is|will|would|can|could|like|want) )*"
    r"(?:done|finished|finish|out|gone|through|leave|leaving|back|heading out|head out|wrapped up)"
    r"(?: (?:of there|there|eating|dinner|lunch|brunch|breakfast|with dinner|with lunch|at work|at the office|"
    r"at my desk|to work|to the office|again))*"
    r" (?P<relation>by|before|at|no later than|at the latest by|around|about) (?:about |around |at )?"
    rf"{_CLOCK}(?: (?:at the latest|(?:on |this |every )*{_DAY}))*"
)
_NOT_CLOSING = compiled(
    r"(?:(?:that|which|it|they|does|do|will|is) )*not (?:close|shut|closing|closed)(?: (?:down|up))? "
    rf"(?P<relation>before|until|till|by|at) {_CLOCK}(?: (?:on |this |every )*{_DAY})?"
)
_BARE_CLOCK = compiled(
    rf"{_OPEN}?(?:(?:a|an|the) )*(?<!for )(?<!of )(?P<clock>\d{{1,2}}:\d{{2}}|"
    r"\d{1,2} (?:in the (?:morning|evening)|at night))"
    rf"(?: (?:on |this |every |a )*{_DAY}(?: {_PART})?)?"
)
_BETWEEN = compiled(
    rf"{_OPEN}?(?:between|from) {_CLOCK.replace('clock', 'first')} (?:and|to|until|till) {_CLOCK}"
    rf"(?: (?:on |this |every )*{_DAY})?"
)
_MEANT = {_LEAVING: "before", _NOT_CLOSING: "until"}
_OPENS = re.compile(r"\b(?:opens|opening) (?:up )?at (?:about |around )?(?:[6-9]|1[01])\b")
_LATECOMER = re.compile(
    r"\b(?:(?:you|i|we|guests|people|somebody|someone) (?:\w+ )?|(?:run|runs|running|show up|turn up|arriv\w+) )$"
)
_LATE_OR_EARLY = {"late": "late at night", "early": "early"}  # "late on Friday"
# A clock time as the user wrote it that says which half of the day is meant.
_EXACT = re.compile(r"(?<![a-z])[ap]\.?\s?m\b|noon|midday|midnight", re.IGNORECASE)
_COUNTS = re.compile(  # what makes the number before it no time of day
    r" (?:stars?|reviews?|people|of us|dollars?|ppl|persons?|\+|or more|or better|or higher|minutes?|miles?|blocks?|"
    r"hours?|kids|units?|ratings?|weeks?|guests|friends|adults|rated|\.|%|th|rd|nd|st|in \d)"
)
_LATE_ON = re.compile(r"\b(?:open|opens|serving|going|eats?) (?:until |till )?late\b")
_EARLY_ON = re.compile(r"\b(?:open|opens|opening) (?:very |really |pretty )?early\b")
_SPOKEN = frozenset({*_WEEK, "today", "tomorrow", "tonight", "on weekends", "on weekdays", "on the weekend"})
_HAS_DAY = re.compile(rf"\b(?:{'|'.join(_WEEK)}|today|tonight|tomorrow|week(?:end|day)s?|now)\b")
_OPENING_DAY = re.compile(rf"(?:{'|'.join(sorted(_SPOKEN, key=len, reverse=True))}) ")
_ONE_DAY = re.compile(rf"open (?:{'|'.join(_WEEK)})")
_SMALL_HOURS = re.compile(r"0[0-4]:")  # of a night they are the next day's
_NEXT = {day: _WEEK[(at + 1) % 7] for at, day in enumerate(_WEEK)}
_AT_CLOCK = re.compile(r"(?:(?P<relation>at|after|until|before) )(?P<clock>\d\d:\d\d)")
_HAS_CLOCK = re.compile(r"\d")


class HoursFinder:
    """Finds times for one OPENING_HOURS column."""

    def __init__(self, table: str, column: str) -> None:
        self.table, self.column = table, column

    def words(self) -> list[str]:
        """Words of time, for the speller."""
        return [*_DAYS, "morning", "afternoon", "evening", "midnight", "breakfast", "brunch", "lunch", "dinner"]

    def __call__(self, board: Board) -> None:
        for match in board.find(_NOW):
            if _IS_NOW.search(match.group()):
                self._add(board, match, "open now")
        for match in board.find(_LONGER):
            if re.search(r"\b(?:another|next|more|longer|still)\b", match.group()):
                self._add(board, match, f"open now {match.group()[match.group().index('for ') :]}", shut=False)
        for match in board.find(_ALWAYS):
            self._add(board, match, "open 24 hours")
        for pattern in (_LEAVING, _NOT_CLOSING):
            for match in board.find(pattern):
                if not _COUNTS.match(board.norm, match.end()):
                    self._add(board, match, self._said(board, match), shut=False)
        for match in board.find(_BETWEEN):
            if _bounds(board, match):
                self._add(board, match, self._said(board, match))
        for match in self._dated(board):
            if board.free(*match.span()):
                self._add(board, match, self._said(board, match))
        for match in board.find(_EARLY):
            self._add(board, match, "open early")
        for match in board.find(_LATE):
            if not (re.match(r" (?:fee|to|for)\b", board.norm[match.end() :]) or _somebody_late(board, match)):
                self._add(board, match, "open late at night")
        for match in board.find(_WHATEVER):
            if not any(mention.label == "hours" for mention in board.mentions):
                self._add(board, match, "open now")
        for pattern in (_MEAL, _BARE_MEAL):
            for match in board.find(pattern):
                if self._wanted(board, match):
                    self._add(board, match, self._said(board, match))
        self._together(board)
        self._shared(board)

    @staticmethod
    def _shared(board: Board) -> None:
        """A day before another has the time that is said of both: "Tuesday or Wednesday night"."""
        said = sorted((m for m in board.mentions if m.label == "hours" and m.node), key=lambda m: m.start)
        for mention, other in pairwise(said):
            first, second = mention.node, other.node
            if board.norm[mention.stop : other.start].strip() not in ("or", "and"):
                continue
            if not isinstance(first, Condition) or not isinstance(second, Condition):
                continue
            day, last = _ONE_DAY.fullmatch(str(first.values[0])), _ONE_DAY.match(str(second.values[0]))
            time = str(second.values[0])[last.end() :] if last is not None else ""
            begins = second.words.lower().split()[0] in _DAYS
            if day is not None and time and begins:
                mention.node = first.model_copy(update={"values": (f"{day.group()}{time}",)})

    def _together(self, board: Board) -> None:
        """A day and a time of day that are said apart are one time: "lunch near X tomorrow"."""
        said = [m for m in board.mentions if m.label == "hours"]
        for kept, other in combinations(said[:_TOGETHER], 2):
            first, second = kept.node, other.node
            if not isinstance(first, Condition) or not isinstance(second, Condition):
                continue
            if not first.negated and not second.negated and (time := _one_time(first, second)):
                kept.node = first.model_copy(update={"values": (time,)})
                other.node = None

    def _dated(self, board: Board) -> list[re.Match[str]]:
        """Days and clock times, the longest first: "Friday after 10 pm", "at 9 on Sunday"."""
        found = [match for match in board.find(_TIMED) if self._is_time(board, match)]
        found += board.find(_BARE_CLOCK)
        found += [match for match in board.find(_DAYPART) if self._wanted(board, match)]
        found += [match for match in board.find(_MEAL) if match["day"] and self._wanted(board, match)]
        return sorted(found, key=lambda match: match.start() - match.end())

    def _add(self, board: Board, match: re.Match[str], words: str, *, shut: bool | None = None) -> None:
        if shut is None:
            shut = len(re.findall(r"(?:^|(?<= ))(?:not|closed|shut) ", match.group())) % 2 == 1
        node = Condition(
            table=self.table, column=self.column, values=(words,), negated=shut, words=board.words(*match.span())
        )
        start, stop = match.span()
        part = match.groupdict().get("part") or ""
        if re.search(r"breakfast|brunch", part) and not re.search(
            r"\b(open|serving)\b", match.group()
        ):  # a kind of food as well, which its own finder will see
            first, last = match.span("part")
            start, stop = (start, first) if first - start > stop - last else (last, stop)
        board.add(Mention(start, stop, "node", f"{self.table}.{self.column}", node, label="hours"))

    @staticmethod
    def _is_time(board: Board, match: re.Match[str]) -> bool:
        """Whether a bare number after a preposition is a time of day: "open past 10", but not "at 4 stars"."""
        clock = match["clock"]
        if not clock[0].isdigit():
            return True
        if _COUNTS.match(board.norm, match.end()):
            return False
        if ":" in clock or re.search(r"o'?clock|morning|afternoon|evening|night", clock):
            return True
        opened = bool(
            re.search(r"open|serv|closes?|close|stay", board.norm[max(0, match.start() - 30) : match.end()])
        ) or bool(match["day"])
        return (
            opened
            and float(clock) <= 24
            and match["relation"]
            in (
                "at",
                "until",
                "till",
                "til",
                "past",
                "after",
                "before",
                "by",
                "around",
                "from",
                "later than",
                "as late as",
                "to",
                "about",
            )
        )

    @staticmethod
    def _wanted(board: Board, match: re.Match[str]) -> bool:
        """Whether a day or a meal says when, rather than something else ("I had sushi last Friday")."""
        before = board.before(match.start(), 4)
        after = board.norm[match.end() : match.end() + 24]
        if re.search(r"\b(last|previous|past|not open|was|were|ago|yesterday|ate|had) $", before) and not re.search(
            r"open", match.group()
        ):
            return False
        part = match["part"] or ""
        if re.match(r" (?:club|specials?|deals?|menus?|buffets?|roast|date|night out|sets?|rush)\b", after):
            return False
        meal = re.search(r"breakfast|brunch", part)
        if meal and not match["day"] and not re.search(r"\bopen\b.* for\b", match.group()):
            return False  # a kind of food
        if part and not match["day"] and re.search(r"\b(?:set|working|packed) (?:\S+ )?$", f"{before}{match.group()} "):
            return False  # what kind of meal there is
        if re.search(r"\b(with|serves?|serving) $", before) and part and not match["day"]:
            return False
        bare = part and not match["day"] and not re.search(r"breakfast|brunch|lunch|dinner|supper", part)
        return not bare or match.group() != part or part in ("late night",)

    @staticmethod
    def _said(board: Board, match: re.Match[str]) -> str:
        """The words in one form. A meal that is spoken of elsewhere settles the hour: "brunch ... at ten"."""
        context, groups = _meal(board.norm), match.groupdict()
        day = _day(groups.get("day") or "")
        part = _part(groups.get("part") or ("late night" if _LATE_ON.search(match.group()) else ""))
        part = part or ("early" if _EARLY_ON.search(match.group()) else "")
        part = part or _LATE_OR_EARLY.get(match.group().split()[0], "")
        relation = groups.get("relation") or "at"
        if re.search(r"\bopens?\b", match.group()) and relation in ("before", "by", "as early as"):
            context = context or "morning"  # whoever opens before seven does so in the morning
        if _OPENS.search(match.group()):
            context = context or "morning"
        written = board.words(*match.span("clock")) if groups.get("clock") else ""
        clock = _clock(groups.get("clock") or "", part or context, written)
        if match.re in _MEANT:
            relation = _MEANT[match.re]
        if groups.get("first") is not None:
            first = _clock(groups["first"], part or context, written)
            return " ".join(filter(None, ["open", day, f"between {first} and {clock}"]))
        if day == "tonight":
            day = "tonight" if not clock else "tomorrow" if _SMALL_HOURS.match(clock) else "today"
        if part == "night" and _SMALL_HOURS.match(clock) and _RELATIONS.get(relation, relation) == "at":
            day = _NEXT.get(day, day)  # "at 2 am on Saturday night"; "after" and "until" are of the night that begins
        words = " ".join(filter(None, ["open", day, "" if clock else part]))
        if clock:
            relation = _RELATIONS.get(re.sub(r"^(it is).*", r"\1", relation), relation)
            if re.search(r"closes?|stay", match.group()) and relation == "at":
                relation = "until"
            words += f" {relation} {clock}"
        return words


def _one_time(*said: Condition) -> str:
    """The time that two conditions say together; "" where they are two."""
    words = [str(node.values[0]).removeprefix("open ") for node in said]
    first, second = (words.index(one) for one in sorted(words, key=lambda one: one not in _SPOKEN))
    clocked = [one for one in words if _HAS_CLOCK.search(one)]
    night = next((one for one in words if one.removesuffix(" night") in _WEEK and one.endswith(" night")), "")
    if night and clocked and (said_at := _AT_CLOCK.fullmatch(clocked[0])) is not None:
        evening = night.removesuffix(" night")  # "late on Saturday night, around 1 am"
        next_day = said_at["relation"] == "at" and _SMALL_HOURS.match(said_at["clock"])
        return f"open {_NEXT[evening] if next_day else evening} {clocked[0]}"
    if words[first] in _SPOKEN and not _HAS_DAY.search(words[second]):
        return f"open {words[first]} {words[second]}"
    if len(clocked) == 1 and "for" in " ".join(words).split():
        day = _OPENING_DAY.match(words[1 - words.index(clocked[0])])  # "Friday for lunch, say at 1:30"
        named = day is not None and not _HAS_DAY.search(clocked[0])
        return f"open {day.group() if day is not None and named else ''}{clocked[0]}"
    return ""


def _somebody_late(board: Board, match: re.Match[str]) -> bool:
    """Whether it is somebody who is late: "if you run late"."""
    said = _LATECOMER.search(board.norm[: match.start()]) is not None
    return said and not re.search(r"\b(?:open|opens|serv\w*|eats?|din\w+)\b", match.group())


def _meal(words: str) -> str:
    found = re.search(r"\b(breakfast|brunch|morning|dinner|evening|tonight)\b", words)
    at_work = re.search(r"\b(?:wifi|laptops?|coffee|(?:to|can|could) (?:work|study))\b", words)
    return found[1].replace("tonight", "night") if found else "at work" if at_work else ""


def _day(word: str) -> str:
    return _DAYS.get(word) or _DAYS.get(word.removesuffix("s"), "")


def _part(words: str) -> str:
    words = words.removesuffix("s").replace("lunch time", "lunch")
    meal = re.search(r"(early |late )?(breakfast|brunch|lunch|dinner|supper)", words)
    if meal:
        return f"for {'dinner' if meal[2] == 'supper' else meal[2]}"
    return {
        "noon": "at 12:00",
        "midday": "at 12:00",
        "late at night": "late at night",
        "late night": "late at night",
    }.get(words, words)


def _bounds(board: Board, match: re.Match[str]) -> bool:
    """Whether two numbers bound a stretch of the day, rather than how many of something."""
    said = match.group()
    timed = re.search(r":|noon|midday|midnight|open|morning|afternoon|evening|night", said) or match["day"]
    return bool(timed) and not _COUNTS.match(board.norm, match.end())


def _clock(words: str, part: str, written: str) -> str:
    """A time in the 24-hour clock. An hour is taken in the half of the day that the other words suggest, unless the
    user's own words for it, `written`, say which.
    """
    if not words:
        return ""
    if words in ("noon", "midday"):
        return "12:00"
    if words == "midnight":
        return "00:00"
    digits = re.match(r"(\d{1,2})(?::(\d{2}))?", words)
    if digits is None:
        return ""
    hour, minute = int(digits[1]), digits[2] or "00"
    context = words[digits.end() :] + " " + part
    if hour == 12 and "night" in context and not _EXACT.search(written):
        return f"00:{minute}"
    if hour >= 12 or words.startswith("0") or (digits[2] and _EXACT.search(written)):
        return f"{hour % 24:02d}:{minute}"
    if re.search(r"morning|breakfast|brunch|early", context):
        later = hour < 4 and "brunch" in context
    elif "at work" in context:
        later = hour < 6
    elif re.search(r"night", context):
        later = hour >= 5
    elif re.search(r"afternoon|evening|dinner|lunch", context):
        later = hour < 11 or "dinner" in context or "evening" in context
    else:  # people who say "open at 9" or "past 10" without a half mean the evening more often
        later = not (":" in written and hour >= 10)  # "10:30" is as a clock shows it
    return f"{(hour + 12) % 24 if later else hour:02d}:{minute}"
