"""A message in its normal form: a direct question in common words, without what is said around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce

from agent.parsing.dialogue.chitchat import without_courtesies
from agent.parsing.dialogue.codes import with_needs
from agent.parsing.dialogue.parentheticals import joined, of_kin, unannounced, unreported
from agent.parsing.dialogue.reported_speech import as_question, asked

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
_LIKED = (
    r"\bdo (?:people|students|guests|reviewers|customers|locals|others|they) "
    r"(?:(?:actually|really|generally|usually) )*(?:like|love|enjoy) "
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
    (re.compile(r"\bopen (?=(?:next|this) (?:quarter|term)\b)", re.IGNORECASE), "offered "),
    (re.compile(rf"{_LIKED}(?:it|this|that)(?: one)?(?=\W*$|[,.;?!])", re.IGNORECASE), "is it any good"),
    (re.compile(rf"{_LIKED}(?:them|these|those)(?=\W*$|[,.;?!])", re.IGNORECASE), "are they any good"),
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
_ADVICE = re.compile(
    r"\b(?:which|what)(?: one)?(?: of (?:them|these|those|the (?:two|three)))? (?:would|do|should) (?:you|i|we) "
    r"(?:recommend|pick|choose|suggest|prefer|advise|go (?:for|with))(?=\W*$|,\s+\w)|"
    r"\bwhat(?:'s| is) your (?:favou?rite|pick|recommendation|suggestion)(?=\W*$)",
    re.IGNORECASE,
)
_SIDE_WORD = r"(?!(?:which|what|and|or|vs|versus|is|are)\b)-*+[\w'’&.+]++(?:-++[\w'’&.+]++)*+"
_SIDE = rf"{_SIDE_WORD}(?: {_SIDE_WORD}){{0,6}}?"
_SIDES = re.compile(
    r"(?:(?:i(?:'m| am)|we(?:'re| are)) )?(?:(?:looking at|(?:deciding|torn|choosing|stuck|hesitating) between|"
    rf"considering|between|comparing) )?(?P<one>{_SIDE}) (?:vs\.?|versus|or) (?P<other>{_SIDE})\s*[:,;?–—-]+\s*"
    r"(?P<which>which(?: one)?(?: of (?:them|the two))? (?!of )[^,;?.]+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_OUT_OF = re.compile(r"\bout (?=of (?:all )?(?:of )?(?:those|these|them)\b)", re.IGNORECASE)
_OF_THOSE_WHAT = re.compile(
    r"^(?P<lead>\W*(?:(?:and|but|so|ok),? )*)of (?:all )?(?:of )?(?P<those>those|these|them),? what(?: ones?)? "
    r"(?=(?:can|could|should|may|do|does|is|are)\b)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+")


def sides_last(text: str) -> str:
    """Two things that are named before what is asked of them, named after it: "X vs Y: which is better rated, and ..."
    is "which is better rated, X or Y, and ..."."""
    said = _SIDES.match(text)
    if said is None:
        return text
    one, other = said["one"].strip(), said["other"].strip()
    return f"{said['which'].strip()}, {one} or {other}{said['rest']}"


def advised(text: str) -> str:
    """A request for advice as what decides it: "which one would you pick" asks which is rated best."""
    return _ADVICE.sub("which one is the best rated", text)


def counted(text: str) -> str:
    """How many there are, without saying that all of them are meant: "how many are there in total"."""
    return _IN_TOTAL.sub(r"\1", text)


def of_those(text: str) -> str:
    """The text with what is asked out of several as it is asked of them: "out of those, what can I take" is "which of
    those can I take"."""
    return _OF_THOSE_WHAT.sub(r"\g<lead>which of \g<those> ", _OUT_OF.sub("", text))


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


def in_common_words(text: str) -> str:
    """The text with common words for rarer ones: "what do they moan about" is "what do they complain about"."""
    for rare, common in _COMMON_WORDS:
        text = rare.sub(common, text)
    return text


def unaddressed(text: str) -> str:
    """Leave out e-mail addresses: "me@school.edu" asks for nothing about education."""
    return _ADDRESS.sub(" ", text)


_STEPS: tuple[Callable[[str], str], ...] = (
    without_courtesies,
    unaddressed,
    unannounced,
    as_question,
    joined,
    named_again,
    known,
    counted,
    of_those,
    unreported,
    of_kin,
    in_common_words,
    direct,
    believed,
    served,
    sides_last,
    advised,
    with_needs,
)


def plain(message: str) -> str:
    """The message with every step taken, in their order."""
    return reduce(lambda said, step: step(said), _STEPS, message)
