"""What people leave unsaid since everybody knows it: which quarter the next one is, and whose number "210" is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime

from agent.parsing.dialogue.hearsay import asked

SEASONS = ("winter", "spring", "summer", "autumn")
_BEGIN = (1, 4, 7, 9)  # months
_TELL = (
    r"(?:(?:could|can|would) you |please )*(?:tell me|let me know)|do you (?:happen to )?know|"
    r"(?:also )?i(?:'d (?:also )?(?:like|love) to know| (?:also )?(?:need|want|would like) to know| wonder)"
)
_WHETHER = re.compile(
    rf"(?P<lead>^|^\W*(?:(?:hi|hello|hey|good \w+)\W+)?(?:{_TELL}) )(?:whether(?: or not)?|(?<= )if) "
    r"(?P<claim>[^,;?!]+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SAID_SO = re.compile(  # "is it true that they run out of things", "do people say it is hard"
    r"(?P<lead>^|[?.!;,]\s+|\b(?:and|also|but|so) )"
    r"(?:is it (?:really |actually |still )?true|"
    r"(?:do|did) (?:people|students|reviewers|guests|they) (?:say|think|find))"
    r"(?: that(?! (?:one|course|class|place|restaurant)\b))? (?P<claim>[^,;?!.]+)",
    re.IGNORECASE,
)
_ITS = re.compile(r"^its (?=\w+(?: (?:for|to|at|in|on|enough)\b|\s*$))", re.IGNORECASE)  # "its useful for a job"
_REPORTED = re.compile(  # after a question, what led to it: "does it cost extra, someone told me there's a fee"
    r"(?P<question>(?:^|[.?!;]\s+|\b(?:and|also|but) )"
    r"(?:what|who|when|how|which|is|are|does|do|did|can|could|has|have)\b[^.?!,;]{8,}),\s*"
    r"(?:(?:someone|somebody|a friend|my \w+|people|they|i|we) (?:just )?(?:told|says?|said|heard|read)\b|"
    r"i (?:might|may|could) (?:end up|have|get|be)\b)[^.?!;]*",
    re.IGNORECASE,
)
_TOLD_WHY = re.compile(  # "tell me about X, I'm a bit scared of it"
    r"(?P<question>\btell me (?:more )?about [^,;.?!]{3,50}),\s*(?:i'?m|i am|i've|i have|i heard|my \w+)\b[^.?!;]*",
    re.IGNORECASE,
)
_REMARKED = re.compile(  # on what was found, before a question: "sounds too hard for me. What is the next best?"
    r"^\W*(?:(?:ok|okay|hm+|ah|oh|well),? )?(?:(?:that|it|this)(?: one)? )?(?:sounds|looks|seems) [^.?!;]{3,40}[.!]\s+"
    r"(?=(?:what'?s?|which|who'?s?|how'?s?|is|are|do|does|any|anything)\b)",
    re.IGNORECASE,
)
_COMMON_WORDS = (  # how people put what the parser knows by another word
    (
        re.compile(r"\b(?:moan|whine|gripe|grumble|bitch)(?P<end>s|ed|ing)?(?= about\b)", re.IGNORECASE),
        r"complain\g<end>",
    ),
    (re.compile(r"\b(?:best|most)[ -](?:liked|loved)\b", re.IGNORECASE), "best rated"),
    (
        re.compile(
            r"\bwho (?:should|would|do|shall) (?:i|you|we|one) (?:take|do) (?P<end>[^,;.?!]{2,40}?) with\b", re.I
        ),
        r"who is the better teacher for \g<end>",
    ),
    (re.compile(r"\bthese days\b", re.IGNORECASE), "nowadays"),  # points to nothing
    (re.compile(r"\bwhich one['’]s (?=\w)", re.IGNORECASE), "which one is "),
    (
        re.compile(
            r"\b(?:can|could|may) (?:i|we|you) (?:also )?(?:do|take) (?:it|this|that|the (?:class|course)) online\b",
            re.IGNORECASE,
        ),
        "is it online",
    ),
    (
        re.compile(
            r"\bget out of (?P<end>(?:(?:the|a|an|my|its|taking|doing) )*(?:final|exam|midterm|test|homework)s?)\b"
        ),
        r"skip \g<end>",
    ),
    (
        re.compile(r"\b(?:to )?(?:hear|listen to|catch|enjoy) (?:some )?live (?P<end>music|jazz|bands?)\b", re.I),
        r"with live \g<end>",
    ),
    (
        re.compile(
            r"\b(?:is there|do you have) (?:also )?one (?P<end>(?:where|about|on|in which)\b[^,;.?!]*?)(?: instead)?"
            r"(?=\W*$|[,;.?!])",
            re.IGNORECASE,
        ),
        r"is there something \g<end>",
    ),
    (
        re.compile(
            r"\bcan (?:i|we|you|one) (?:just )?(?:turn|show|rock) up (?:at|to) (?P<end>[^,;.?!]+?)"
            r"(?: (?:tonight|today|tomorrow|on \w+))? without (?:an? |any )?(?:bookings?|reservations?|reserving)\b",
            re.IGNORECASE,
        ),
        r"do they accept walk-ins at \g<end>",
    ),
    (  # says when somebody has no time, and nothing of what is wanted
        re.compile(
            r"\bi (?:work|have (?:a )?(?:work|job))(?: full[- ]time| days| nights| (?:every|all) \w+|,? (?:from )?"
            r"(?:mon|tue|wed|thu|fri)\w* (?:to|till|through|thru|-) (?:thu|fri|sat)\w*)*,? so,? ",
            re.IGNORECASE,
        ),
        "",
    ),
)
_OF_KIN = re.compile(  # "my wife is coeliac. Is X safe for her?"
    r"\b(?:my|our) (?:[\w'’-]+ ){1,3}?(?:is|are|has|have) (?:an? |the )?"
    r"(?P<what>c(?:o?e)liacs?(?: disease)?|vegans?|vegetarians?|pescatarians?|gluten[- ]free|lactose[- ]intolerant|"
    r"diabetic|pregnant|deaf|blind|allergic to [\w-]+(?: [\w-]+)?)(?: and [^,;.?!]{0,30})?[.,;!]+\s+"
    r"(?:(?:so|and|now),? )?"
    r"(?P<asks>(?:is|are|would|will|can|could|does|do)\b[^.?!]*?\b(?:for|with)) (?:him|her|them|it)\b",
    re.IGNORECASE,
)
_WHAT_IT_IS = re.compile(  # "what the corkage fee is"
    r"\b(?P<what>what|how much|when|where) (?P<of>(?:the|their|its|his|her) (?:[\w'’-]+ ){1,4}?)(?P<be>is|are|was|were)"
    r"(?=\W*(?:$|[,;?.!]|(?:and|or)\b))",
    re.IGNORECASE,
)
_IN_TOTAL = re.compile(r"(\bhow many\b[^?.!;,]*?) (?:in total|altogether|in all)\b", re.IGNORECASE)
_ON_MENU = re.compile(  # where a dish is: what a place serves is on its menu
    r"(?:\b(?:is|are) there |\b(?:do|does|have) (?:they|it) (?:have |got )?|(?:^|(?<=[?.!,] )|(?<=and ))(?=any))"
    r"(?P<what>[^,;?!.]{3,40}?) on (?:the|their|its|your) menu\b",
    re.IGNORECASE,
)
_KIND_OF_THING = re.compile(
    r"(?<=\w),\s*(?P<what>(?!(?:and|or|but|with|in|for)\b)[\w-]+(?: [\w-]+){0,3}?) "
    r"(?:kind|sort|type)s? of (?:thing|stuff)s?\b",
    re.IGNORECASE,
)
_DO_YOU_KNOW = re.compile(
    r"\bdo you (?:happen to )?(?:know|have)(?: of)? (?=(?:an?|any|some|somewhere|anywhere) (?:\w+ ){0,3}?"
    r"(?:place|spot|restaurant|course|class|where)s?\b|somewhere\b|anywhere\b)",
    re.IGNORECASE,
)
_BY_THE_WAY = re.compile(
    r"(?:(?<=\w)(?P<mid>,?\s+(?:(?:and|oh|but) )*)|(?<=[.?!;]\s)|^)(?:btw|by the way)\b,?\s*", re.IGNORECASE
)
_ADVICE = re.compile(
    r"\b(?:which|what)(?: one)?(?: of (?:them|these|those|the (?:two|three)))? (?:would|do|should) (?:you|i|we) "
    r"(?:recommend|pick|choose|suggest|prefer|advise|go (?:for|with))(?=\W*$|,\s+\w)|"
    r"\bwhat(?:'s| is) your (?:favou?rite|pick|recommendation|suggestion)(?=\W*$)",
    re.IGNORECASE,
)
_SIDE = r"(?:(?!(?:which|what|and|or|vs|versus|is|are)\b)[\w'’&.+-]+ ?){1,7}?"
_SIDES = re.compile(
    r"(?:(?:i(?:'m| am)|we(?:'re| are)) )?(?:(?:looking at|(?:deciding|torn|choosing|stuck|hesitating) between|"
    rf"considering|between|comparing) )?(?P<one>{_SIDE}) (?:vs\.?|versus|or) (?P<other>{_SIDE})\s*[:,;?–—-]+\s*"
    r"(?P<which>which(?: one)?(?: of (?:them|the two))? (?!of )[^,;?.]+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NEEDED = re.compile(
    r"\b(?P<with>no|(?:without|w/o)(?: an?| any)?|with(?: an?)?) (?P<code>[a-z]{2,5} ?\d{1,3}[a-z]?) "
    r"(?:pre-?req(?:uisite)?s?|requirements?)\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\b(?P<which>this|the current|next|the coming|the upcoming) (?:quarter|term|trimester)\b", re.IGNORECASE
)
_ONE = r"(?<![\d.$])[1-9]\d\d[a-z]?\b(?![.:]\d)"
_SHORT = r"[1-9]\d{1,2}[a-z]?\b(?![.:]\d)"  # after another one: "between 142 and 42"
_JOIN = r"\s*(?:,|\band\b|\bor\b|\bvs\b\.?|\bversus\b|\bthan\b|\bwith\b|/)+\s*(?:(?:and|or)\s+)?"
_NO_MEASURE = (
    r"(?!\s*(?:\+|(?:or (?:more|fewer|less|so)|to|-)?\s*"
    r"(?:students?|people|seats?|spots|places|units?|credits?|hours?|hrs?|minutes?|min|level|reviews?|ratings?|raters|"
    r"courses?|class(?:es)?|others?|am|pm|days?|weeks?|pages|percent|stars?)\b|%|-|o'clock))"
)
_ANNOUNCED = re.compile(
    r"^\W*(?:(?:hi|hello|hey|so|ok)\W+)?(?:(?:i have|i've got|i got|just) )?"
    r"(?:two|2|three|3|a couple(?: of)?|a few|some|several|another two) (?:quick )?"
    r"(?:things|questions|q's|qs)\s*[:;,.–—-]+\s*",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"\bout (?=of (?:all )?(?:of )?(?:those|these|them)\b)", re.IGNORECASE)
_OF_THOSE_WHAT = re.compile(
    r"^(?P<lead>\W*(?:(?:and|but|so|ok),? )*)of (?:all )?(?:of )?(?P<those>those|these|them),? what(?: ones?)? "
    r"(?=(?:can|could|should|may|do|does|is|are)\b)",
    re.IGNORECASE,
)
_LEAD = (
    r"\b(?:take|took|taking|taken|done|did|finished|finish|completed|passed|had|about|between|compare|like|after|"
    r"before|without|w/o|is|does|need|needs|require|requires|of|for|with|beside|alongside|than|either)"
    r"\s+(?:(?:both|only|just|either|taking|having)\s+)*"
)
_MORE = rf"(?:{_JOIN}{_SHORT}{_NO_MEASURE})"
_NUMBER = re.compile(rf"(?P<lead>{_LEAD})(?P<first>{_ONE})(?P<more>{_MORE}*){_NO_MEASURE}", re.IGNORECASE)
_LISTED = re.compile(rf"(?P<lead>)(?P<first>{_ONE})(?P<more>{_MORE}+){_NO_MEASURE}", re.IGNORECASE)
_AFTER_CODE = re.compile(
    rf"(?P<lead>\b[A-Z]{{2,5}} ?[1-9]\d{{0,2}}[a-z]?{_JOIN})(?P<first>{_SHORT}){_NO_MEASURE}(?P<more>{_MORE}*)",
    re.IGNORECASE,
)
_CODED = re.compile(r"\b[A-Z]{2,5} ?$")
_BOUND = re.compile(  # a number of something else
    r"\b(?:capacity|enrol\w*|sizes?|fewer than|less than|more than|at most|at least|over|under|up to|"
    r"room|class(?:es)?) (?:\w+ ){0,2}$",
    re.IGNORECASE,
)


def sides_last(text: str) -> str:
    """Two things that are named before what is asked of them, named after it: "X vs Y: which is better rated, and ..."
    is "which is better rated, X or Y, and ..."."""
    said = _SIDES.match(text)
    if said is None:
        return text
    one, other = said["one"].strip(), said["other"].strip()
    return f"{said['which'].strip()}, {one} or {other}{said['rest']}"


def with_season(text: str, now: datetime) -> str:
    """The text with the quarters that are meant by the clock: "next quarter" in November is winter."""
    current = sum(now.month >= month for month in _BEGIN) - 1

    def named(match: re.Match[str]) -> str:
        ahead = 0 if match["which"].lower() in ("this", "the current") else 1
        return SEASONS[(current + ahead) % len(SEASONS)]

    return _QUARTER.sub(named, text)


def advised(text: str) -> str:
    """A request for advice as what decides it: "which one would you pick" asks which is rated best."""
    return _ADVICE.sub("which one is the best rated", text)


def with_needs(text: str) -> str:
    """What has to come first, as it is said of a code: "no CS 145 prereq" is "without CS 145 as a prerequisite"."""

    def said(match: re.Match[str]) -> str:
        lead = "that need" if match["with"].lower() in ("with", "with a", "with an") else "without"
        return f"{lead} {match['code']} as a prerequisite"

    return _NEEDED.sub(said, text)


def counted(text: str) -> str:
    """How many there are, without saying that all of them are meant: "how many are there in total"."""
    return _IN_TOTAL.sub(r"\1", text)


def unannounced(text: str) -> str:
    """The text without that several questions follow: "two things: ..."."""
    return _ANNOUNCED.sub("", text)


def of_those(text: str) -> str:
    """The text with what is asked out of several as it is asked of them: "out of those, what can I take" is "which of
    those can I take"."""
    return _OF_THOSE_WHAT.sub(r"\g<lead>which of \g<those> ", _OUT_OF.sub("", text))


def joined(text: str) -> str:
    """The text with "btw" as what joins two questions."""
    return _BY_THE_WAY.sub(lambda said: " and " if said["mid"] else "", text)


def direct(text: str) -> str:
    """An indirect question as it is asked: "whether they take cards" is "do they take cards", "what the fee is" is
    "what is the fee"."""
    if said := _WHETHER.match(text):
        text = f"{asked(said['claim'])}{said['rest']}"
    return _WHAT_IT_IS.sub(lambda said: f"{said['what']} {said['be']} {said['of'].strip()}", text)


def believed(text: str) -> str:
    """Whether something is true or said, as it is asked itself: "do people say it is hard" is "is it hard"."""

    def plain(said: re.Match[str]) -> str:
        question = asked(_ITS.sub("it's ", said["claim"]))
        stated = question != said["claim"].strip() and not question.startswith("is it so")
        return f"{said['lead']}{question}" if stated else said.group()

    return _SAID_SO.sub(plain, text)


def served(text: str) -> str:
    """What a place serves, without its menu: "anything vegan on their menu" is "do they have anything vegan"."""
    return _ON_MENU.sub(r"do they have \g<what>", text)


def named_again(text: str) -> str:
    """The text with what is named in other words as another word for it: "language tech, NLP kind of thing" is
    "language tech or NLP"."""
    return _KIND_OF_THING.sub(r" or \g<what>", text)


def known(text: str) -> str:
    """The text with what somebody may know of as it is looked for: "do you know a good place for tea"."""
    return _DO_YOU_KNOW.sub("", text)


def unreported(text: str) -> str:
    """The text without what somebody says beside a question: what led to it, or what they think of what was found."""
    return _TOLD_WHY.sub(r"\g<question>", _REPORTED.sub(r"\g<question>", _REMARKED.sub("", text)))


def of_kin(text: str) -> str:
    """A question about somebody who was spoken of, as one about people of their kind."""
    return _OF_KIN.sub(lambda said: f"{said['asks']} {_people(said['what'])}", text)


def _people(what: str) -> str:
    return "coeliacs" if re.fullmatch(r"c(?:o?e)liac(?: disease)?", what, re.IGNORECASE) else f"{what} people"


def in_common_words(text: str) -> str:
    """The text with common words for rarer ones: "what do they moan about" is "what do they complain about"."""
    for rare, common in _COMMON_WORDS:
        text = rare.sub(common, text)
    return text


def departments(codes: Collection[str]) -> dict[str, str]:
    """The department of each number: the only one that has it, or the one that has more than half of all codes."""
    owners: dict[str, set[str]] = {}
    for code in codes:
        department, _, number = code.partition(" ")
        owners.setdefault(number.lower(), set()).add(department)
    having = Counter(code.partition(" ")[0] for code in codes)
    main = {department for department, count in having.items() if count > len(codes) / 2}
    meant = {number: those if len(those) == 1 else those & main for number, those in owners.items()}
    return {number: next(iter(those)) for number, those in meant.items() if those}


def with_departments(text: str, owners: Mapping[str, str]) -> str:
    """The text with the department before bare numbers that one department has: "can I take 210 and 221", "CS 101, 102
    and 131"."""

    def coded(match: re.Match[str]) -> str:
        before, said = match["lead"], f"{match['first']}{match['more']}"
        known = {owners.get(number.lower(), "") for number in re.findall(rf"(?<!\w){_SHORT}", said, re.IGNORECASE)}
        if "" in known or (match.re is not _AFTER_CODE and _BOUND.search(text[: match.start("first")])):
            return match.group()
        if match.re is _LISTED and _CODED.search(text[: match.start()]):
            return match.group()
        if match.re is _AFTER_CODE and known != {before.split()[0].rstrip("0123456789").upper()}:
            return match.group()
        return before + re.sub(
            rf"(?<!\w){_SHORT}", lambda one: f"{owners[one[0].lower()]} {one[0]}", said, flags=re.IGNORECASE
        )

    for pattern in (_AFTER_CODE, _NUMBER, _LISTED):
        text = pattern.sub(coded, text)
    return text
