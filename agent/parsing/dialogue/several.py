"""The questions of one message: where one ends and the next begins, and which of them go on from the one before.

"How many are open on Sunday, and which is the cheapest?" asks twice of the same rows; "thai in Palo Alto, and somewhere
for a steak in Sunnyvale" looks for two things. What a search can answer at once stays one question: "a quiet place, and
when does it open?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.language.tasks import Question
from agent.parsing.dialogue import cues, sides
from agent.parsing.dialogue.articles import is_bare, with_name
from agent.parsing.dialogue.comparing import numbers_of_two, opposite
from agent.parsing.dialogue.follow import Read
from agent.parsing.dialogue.meaning import Meaning
from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.dialogue.plainly import direct
from agent.parsing.dialogue.references import without_references
from agent.parsing.dialogue.searches import additions, requests, says_what
from agent.parsing.frame import Condition, Frame, leaves, merge, without
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics import english

_TURN = compiled(  # before another question: "..., and which one is the worst?"
    r"(?:(?<=[?])|(?P<stop>[.!]+)|[,;:]*)(?P<and>(?:\s+(?:and|but|also|plus|then|[+&]),?)*)\s+"
    r"(?:if (?:so|yes|any|there (?:is|are)),? )?"
    r"(?P<tell>(?:(?:i(?:'d| would)?|would)(?: also)? (?:like|love|want|need) to (?:know|hear)|any idea|do you know|"
    r"(?:can you |could you |please )?(?:also )?(?:tell me|let me know)),? )?"
    r"(?=(?:{other_question}|(?<=[?] )(?:{question}|{listing})|"
    r"(?:(?<=and )|(?<=also ))(?:is|are|do|does|can|(?:tell|give) me (?:the|its|their)))\b)"
)
_NEXT = re.compile(r"(?<=[?])\s+(?=\w)")
_BARE = compiled(
    r"(?!{other_question})(?:is|are|do|does|can)\b"
    r"(?! (?:the|there|it|they|these|those|i|we|you|my|our|people|ppl|folks|students|guests|reviewers|customers)\b)"
)  # asks with no subject of its own: "how many are open and <are cheap>"
_ASKS = compiled(
    r"(?:^|[,.;:!?]\s+)(?:(?:and|but|so|also) )*(?:{question}|which)\b|\?\s*$|"
    r"\b(?:know|wonder(?:ing)?|ask|find out|tell me) (?:if|whether|which|{wh})\b"
)
_ELLIPTIC = compiled(r"(?:and )?(?:(?:what|how) about|on|in|at|for|near|by|after|before|under|with)\b")
_AND_THEN = re.compile(rf"(?<=[?])\s+(?={_ELLIPTIC.pattern})", re.IGNORECASE)  # "...? and on Saturday at 3?"
_POINTS = re.compile(r"\b(?:it|its|they|them|theirs?|those|these|there)\b", re.IGNORECASE)
_OPEN = re.compile(r"(?:what|how|why|who|when|where|which)\b", re.IGNORECASE)
_HANGS = re.compile(rf"{_POINTS.pattern}|\b(?:this|that|one)\b", re.IGNORECASE)
_CHOSEN = re.compile(  # what only the answer before it tells: "how late is the winner open"
    rf"{_POINTS.pattern}|\b(?:he|she|him|her|his|the (?:winner|former|latter)|(?:that|this|which)(?: one)?)\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\b(?:of (?:them|these|those)|which(?: one)?|the one with)\b", re.IGNORECASE)
_ONES = re.compile(r"which(?: (?:ones?|courses|classes|places))?\W*", re.IGNORECASE)  # after "how many"
_WHICH_ONE = re.compile(r"which (?:one|of (?:them|those|these))\b", re.IGNORECASE)
_OF_IT = compiled(
    r"(?!(?:is|are) there\b)"
    r"(?:is|are|does|do|has|have|can|will|would) (?:i |we |you )?(?:\w+ )?(?:of )?(?:it|they|there|them|these|those)\b|"
    r"(?:(?:is|are) there )?(?:any|anything|some|something|one|all|none|both|either|neither) (?:of|among(?:st)?) "
    r"(?:them|these|those)\b"
)
_SAYS = compiled(
    r"do (?:people|ppl|folks|students|reviewers|guests|customers|they) "
    r"(?:\w+ )?(?:say|think|find|feel|mention|complain)\b"
)
_OF_SHOWN = re.compile(  # of several rows that were shown, which ones: "do any of these have a final"
    r"\W*(?:(?:do|does|is|are|has|have|can|will|did) )?"
    r"(?:(?:which|any|either)\b|there (?:one|any)\b|(?:one|some|all) of\b)",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\bwhat(?:'s| is| are) (?:it|that|this|they) (?:\w+ )?about\b", re.IGNORECASE)
_AMONG = re.compile(r"\b(?:of|among(?:st)?) (?:them|these|those)\b", re.IGNORECASE)
_WHICH_ARE = re.compile(r"which (?:ones |places |courses )?(?:are|is|have|has|serve|do|offer)\b", re.IGNORECASE)
_OF_SOMETHING = re.compile(r"\b(?:i|we|you) \w+ (?:an?|the|my|our) \w+", re.IGNORECASE)  # "how do I order a transcript"
_THERE = re.compile(
    r"\b(?:near|around|close to|next to|by) (?:there|it|them|that)\b|\bthere\W*$|"
    r"\b(?:nearby|close by|around the corner)\b|"
    r"\b(?:that |which )?(?:is |are )?(?:(?:i|we) can )?(?:within )?walk(?:ing distance|able)?(?: (?:to|from|over to))?"
    r"(?: (?:there|it|that))?(?: (?:after(?:wards?)?|later))?(?=\W*$)",
    re.IGNORECASE,
)
_ONE_MORE = re.compile(r"\balso (?:an?|any|some) (?:\w+ ){1,2}ones?\b", re.IGNORECASE)
FEWEST = 2  # words: no question to the articles has as few
FEW = 1  # content words: a question to the articles that has no more hangs on the one before it
_KEYS = ("",)  # something that is known, whatever it is


def questions(text: str, read: Read, meaning: Meaning, *, shown: bool = False) -> tuple[Question, ...]:
    """The questions of a message, in its order; each that goes on from another says from which. `shown`: rows were
    shown before, of which it may ask."""
    for left, right in sides.enumerated(text):
        return (Question(words=left), *_going_on(left, right, read, meaning, own=_own(read(right), right, meaning)))
    for left, right in sides.apart(text):
        if _says(read(left)) and _says(read(right)):
            return (*questions(left, read, meaning, shown=shown), *questions(right, read, meaning))
    for ends in sides.both_ends(text):
        if opposite(*map(read, ends)):
            return tuple(Question(words=words) for words in ends)
    for groups in sides.two_groups(text):
        if numbers_of_two(*map(read, groups)):
            return tuple(Question(words=words) for words in groups)
    for turn in _TURN.finditer(text):
        left, right = text[: turn.start()].strip(" +&"), direct(text[turn.end() :].strip())
        asks = _ASKS.search(left) or cues.searches(left) or cues.compares(left)
        ended = left.endswith("?") or bool(turn["stop"] or turn["tell"])
        again = _ASKS.search(left) and cues.asks_openly(right)  # "is X open on Sunday, what do people say about it"
        picks = _ASKS.search(left) and _WHICH_ONE.match(right)  # "how many are there, which one is the nearest"
        named = (turn["and"] or ended) and meaning.names(read(left))  # "the address of X, and what people order"
        of_it = _OF_IT.match(right) and (ended or _AMONG.search(right))  # "I need a deli. Do they ...?"
        wanted = of_it and says_what(read(left), meaning)
        columns = shown and turn["and"] and _asks_columns(left, read(left), read)  # "phone number, and is it loud?"
        if not left or not (turn["and"] or ended or again or picks) or not (asks or named or wanted or columns):
            continue  # "I lost my card, what do I do?" asks once
        if turn["stop"] and not turn["and"] and not _ASKS.search(left) and read(left).presentation == "article":
            continue  # "I'm looking for a way to drop a class. Whom do I ask?"
        if meaning.names(read(right)):
            right = with_name(left, right, read(left))
        if parted := _parted(left, right, read, meaning, ended=ended, shown=shown):
            return parted
    for turn in _NEXT.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        if _ASKS.search(right) and _asks_articles(left, right, read):
            return (Question(words=left), *questions(right, read, meaning))  # "...? Also, if I leave, can I ...?"
    for turn in _AND_THEN.finditer(text):
        left, right = text[: turn.start()].strip(), text[turn.end() :].strip()
        first, second = read(left), read(right)
        if first.aggregate is not None and second.where:
            return (Question(words=left), *_going_on(left, right, read, meaning, own=False))
    for left, right in sides.again(text):
        if read(left).where and any(meaning.is_place(node) for node in read(right).where):
            return (Question(words=left), *_going_on(left, right, read, meaning, own=False))
    for left, right in (*additions(text, read, meaning), *requests(text, read, meaning)):
        following = left if _THERE.search(right) or sides.somewhere(right) else ""
        other, *others = questions(right, read, meaning)
        return (Question(words=left), other.model_copy(update={"following": following}), *others)
    return (Question(words=text),)


def _asks_articles(left: str, right: str, read: Read) -> bool:
    """Whether two sentences each ask enough of the articles to be answered by themselves."""
    return all(len(_content(side)) > FEW and read(side).presentation == "article" for side in (left, right))


def _parted(left: str, right: str, read: Read, meaning: Meaning, *, ended: bool, shown: bool) -> tuple[Question, ...]:
    """What comes before and after the beginning of a question, as questions of their own; none where it is but one.
    `ended`: the sentence before it is over."""
    first, second = read(left), read(right)
    if shown and not _says(first):
        first = read(left, _KEYS)
    of_articles = second.presentation == "article" and len(_content(right)) > FEW
    if _BARE.match(right) and not (ended or meaning.names(second) or of_articles):
        return ()  # "how many are open and are cheap"
    lists = cues.lists(right) and not (cues.asks(right) or cues.chooses(right)) and first.aggregate is None
    of_chosen = first.limit == 1 and first.aggregate is None and (lists or _CHOSEN.search(right) is not None)
    of_named = meaning.names(first) and not (_compares(first, meaning) or meaning.names(second))
    further = (of_chosen or of_named) and _asks_columns(right, second, read) and not _at_once(left, right, first, read)
    if lists and not further:
        return ()  # "do any take dogs? Show me the address."
    listed = second.aggregate is not None and second.aggregate.function == "distinct" and _POINTS.search(right)
    of_it = second.aggregate is not None and meaning.names(first) and _POINTS.search(right) is not None
    if listed or of_it or (not _says(second) and (first.aggregate is not None or _compares(first, meaning))):
        second = read(right, _KEYS)  # "how many are there, and where are they?", "is X loud, and how pricey is it?"
    if shown and _OF_SHOWN.match(left) and _OF_SHOWN.match(right) and _says(first) and second.where:
        return (Question(words=left), *questions(right, read, meaning, shown=True))
    if shown and first.presentation == "article" and second.order and second.presentation == "list":
        return (Question(words=left), *questions(right, read, meaning, shown=True))  # of a degree, and of the courses
    told = shown and _both_of_shown(left, right, first, second, read, meaning, ended=ended)
    facts = of_named and all(cues.asks_yes_no(side) and _is_fact(read(side, _KEYS)) for side in (left, right))
    picks = cues.chooses(left) and cues.comparative(left) is not None  # "which is more popular, and does it ...?"
    whole = (ended or _AMONG.search(right) or _SAYS.match(right) or first.limit == 1) and _asks_of_found(
        left, right, first, second, read, meaning
    )
    if told or facts or whole or further or (picks and _CHOSEN.search(right)) or _awaits(first, second, right, meaning):
        other, *others = questions(right, read, meaning, shown=True)
        return (Question(words=left), other.model_copy(update={"following": left, "awaits": True}), *others)
    if _asks_apart(first, second, right, meaning):
        own = _own(second, right, meaning) and not (_THERE.search(right) or _ONE_MORE.search(right))
        return (Question(words=left), *_going_on(left, right, read, meaning, own=own))
    return ()


def continued(first: Frame, words: str, read: Read, noun: str, meaning: Meaning) -> Frame:
    """What the words ask when they go on from a question of the same message: of the rows that it was about, or where
    those are, if they look for others there."""
    said = words if first.presentation == "article" else without_references(_THERE.sub(" ", words))
    plain = cues.without_talk(said).lstrip(" ,:;-")
    new = read(cues.as_search(plain, noun))
    if new.presentation == "article":
        return _of_the_same(first, new, words)
    rows = first.model_copy(
        update={"aggregate": None, "projections": (), "order": (), "each": (), "limit": None, "presentation": "list"}
    )
    if _ELLIPTIC.match(words) and new.where and not (new.aggregate or new.order):
        return merge(first, new).model_copy(update={"aggregate": first.aggregate, "presentation": first.presentation})
    fresh = _THERE.search(words) or _ONE_MORE.search(words) or sides.somewhere(words)
    if fresh and (says_what(new, meaning) or len(new.where) > 1 or (new.where and cues.names_kind(words))):
        placed = any(meaning.is_place(node) for node in new.where)
        places = () if placed else tuple(node for node in first.where if meaning.is_place(node))
        return new.model_copy(update={"where": (*new.where, *places)})
    if new.aggregate is not None:
        return merge(rows, new)
    if not (new.where or new.order or new.projections):
        asked = read(plain, _KEYS).projections
        told = tuple(one for one in asked if _content(plain) or not one.question)  # "what are they" asks for the rows
        new = new.model_copy(update={"projections": told})
    kinds = tuple(node for node in new.where if meaning.says_what(node))  # "which of them are vegetarian?"
    if kinds and _WHICH_ARE.match(words):  # "which places are kosher, and which are halal?"
        rows = without(rows, meaning.says_what)
    merged = merge(rows, without(new, lambda node: node in kinds))
    limit = new.limit if new.limit_said else 1 if new.order else None
    where = (*merged.where, *(node for node in kinds if node not in merged.where))
    return merged.model_copy(update={"where": where, "limit": limit, "presentation": new.presentation})


def within(first: Frame, new: Frame) -> Frame:
    """A question about a group that another told of, under the conditions that it was told under."""
    if new.table != first.table or new.presentation in ("detail", "comparison"):
        return new
    rows = Frame(tables=first.tables, where=first.where, words=first.words)
    return merge(rows, new).model_copy(update={"limit": new.limit, "limit_said": new.limit_said})


def _of_the_same(first: Frame, new: Frame, words: str) -> Frame:
    """A question to the articles: where its own words say enough they find it, and those before it only help; where
    they say too little, it is both together."""
    told = (_content(words) and _OF_SOMETHING.search(words)) or len(_content(words)) > FEW
    both = [f"{first.words} {term.words}" for term in new.order]
    if told and not (_HANGS.search(words) or is_bare(words)):
        talk = next((one.context for one in first.order if one.words in one.context), "") or first.words
        near = (term.model_copy(update={"context": term.context or f"{talk} {term.words}"}) for term in new.order)
        return new.model_copy(update={"order": tuple(near), "where": new.where or first.where})
    order = tuple(term.model_copy(update={"words": text}) for term, text in zip(new.order, both, strict=True))
    about = f" (about: {first.words.rstrip('?!. ')})"
    asked = tuple(
        one.model_copy(update={"question": one.question + about}) if one.question else one for one in new.projections
    )
    return new.model_copy(update={"order": order, "projections": asked, "where": new.where or first.where})


def _going_on(left: str, right: str, read: Read, meaning: Meaning, *, own: bool) -> Iterator[Question]:
    for question in questions(right, read, meaning):
        yield question if own or question.following else question.model_copy(update={"following": left})


def _awaits(first: Frame, second: Frame, words: str, meaning: Meaning) -> bool:
    """Whether what comes second can only be read when the first is answered: it is asked of the row or the group that
    the first chooses or names, and more than columns of it."""
    if "article" in (first.presentation, second.presentation):
        return False
    if meaning.names(second):  # "the best thai place, and how does it compare to Kaveri?"
        return first.limit == 1 and cues.sets_beside(words) and _CHOSEN.search(words) is not None
    if first.aggregate is not None:
        chooses = bool(first.aggregate.group) and first.limit == 1
        grouped = second.aggregate is not None and bool(second.aggregate.group)
        return chooses and not grouped and _CHOSEN.search(words) is not None
    if not (second.where or second.projections):
        return False
    if _compares(first, meaning):
        return second.table == first.table
    if meaning.names(first):  # of one thing a query can tell more than one, but not under conditions of their own
        if any(_OPEN.match(item.question) for item in first.projections if item.question != SUMMARY):
            return True  # "what do people build there, and do students say ...": each is put to the texts as it is
        return second.table == first.table and not cues.searches(words) and _on_terms(second, meaning)
    if first.limit != 1 or not first.order or _THERE.search(words):
        return False
    terms = any(isinstance(leaf, Condition) for node in second.where for leaf in leaves(node))
    return terms and not second.order and _CHOSEN.search(words) is not None


def _asks_of_found(left: str, right: str, first: Frame, second: Frame, read: Read, meaning: Meaning) -> bool:
    """Whether a sentence of its own asks more of what the one before it names or finds: "... in Chinatown? Is it the
    kind of place with a long wait?"."""
    if "article" in (first.presentation, second.presentation) or second.table != first.table or meaning.names(second):
        return False
    if first.aggregate is not None or second.aggregate is not None or second.order:
        return False
    asks = bool(second.where) or _asks_columns(right, second, read)
    if meaning.names(first) and not _compares(first, meaning):
        return asks and not cues.searches(right)
    if cues.asks_openly(right):  # "... in Chinatown? And what should we order there?"
        points = bool(first.where) and asks and _CHOSEN.search(right) is not None
        return points and not _at_once(left, right, first, read)
    chosen = first.limit == 1 and bool(first.order)
    if _SAYS.match(right):
        return bool(first.where) and asks and first.presentation == "list"
    over = chosen or left.endswith("?") or right.endswith("?") or _AMONG.search(right) is not None
    return (asks if chosen else bool(second.where)) and over and _OF_IT.match(right) is not None


def _both_of_shown(
    left: str, right: str, first: Frame, second: Frame, read: Read, meaning: Meaning, *, ended: bool
) -> bool:
    """Whether both sides ask something of the rows that were shown."""
    columns = _asks_columns(left, first, read)
    if (columns and _asks_columns(right, second, read)) or (
        cues.ask_of_it(left, right) and first.where and second.where
    ):
        return True
    if "article" in (first.presentation, second.presentation) or _own(second, right, meaning) or second.order:
        return False
    asks = (cues.asks_yes_no(right) or (ended and cues.asks_openly(right))) and _told(read(right, _KEYS))
    return asks and (columns or (ended and cues.asks(left) and not _own(first, left, meaning)))


def _is_fact(frame: Frame) -> bool:
    """Whether columns alone answer a question, so that each of two is a yes or a no of its own."""
    told = bool(frame.projections) and not any(item.question for item in frame.projections)
    return told and all(isinstance(leaf, Condition) for node in frame.where for leaf in leaves(node))


def _at_once(left: str, right: str, first: Frame, read: Read) -> bool:
    """Whether one search tells what is asked of the things that it finds."""
    both, told = read(f"{left} {right}"), read(right).projections or read(right, _KEYS).projections
    return bool(told) and set(told) <= set(both.projections) and both.where == first.where


def _asks_columns(words: str, frame: Frame, read: Read) -> bool:
    """Whether a question that says nothing by itself asks something of what is known."""
    asked = frame if _says(frame) else read(words, _KEYS)
    return frame.presentation != "article" and (_told(asked) or _ABOUT.search(words) is not None)


def _on_terms(frame: Frame, meaning: Meaning) -> bool:
    """Whether a question about a thing is about part of it ("in winter"), or would be a search by itself."""
    said_of = [leaf for node in frame.where for leaf in leaves(node)]
    parts = any(isinstance(leaf, Condition) and leaf.table != frame.table for leaf in said_of)
    return parts or says_what(frame, meaning)


def _compares(frame: Frame, meaning: Meaning) -> bool:
    """Whether several things are named, of which an answer chooses one."""
    named = [node for node in frame.where if meaning.names(frame.model_copy(update={"where": (node,)}))]
    return sum(len(leaf.values) for node in named for leaf in leaves(node) if isinstance(leaf, Condition)) > 1


def _asks_apart(first: Frame, second: Frame, words: str, meaning: Meaning) -> bool:
    """Whether what comes second is a question that no answer to the first can hold."""
    if first.presentation == "article" and meaning.names(second):
        return True  # "what does the MS require, and how many hours does CS 250 take?"
    if first.presentation == "article" or second.presentation == "article":
        both = first.presentation == second.presentation
        # "..., and how much?" belongs to what it is said of, and "what average" to what comes after it
        return both and bool(_content(words)) and len(first.words.split()) > FEWEST
    if first.aggregate is not None and _ONES.fullmatch(words):
        return True
    if not (_says(first) and _says(second)) or (meaning.names(second) and len(second.where) == 1 and not _told(second)):
        return False  # "does this one take walk-ins? Does that one?"
    if (cues.asks_of_any(words) and first.where and second.where) or _elsewhere(first, second, meaning):
        return True
    if _WHICH_ARE.match(words) and says_what(first, meaning) and says_what(second, meaning):
        return True
    if first.table != second.table:
        return meaning.names(second) or _own(second, words, meaning)
    if first.aggregate is not None and first.aggregate.group and second.aggregate is None:
        return _own(second, words, meaning)  # "who has the best ratings, and what else does she teach?"
    if first.aggregate is not None or second.aggregate is not None:
        return True
    if _THERE.search(words) and says_what(first, meaning) and says_what(second, meaning):
        return True
    if _own(second, words, meaning):
        return says_what(first, meaning) or meaning.names(first) or bool(first.projections)
    if second.order and not first.order and first.where and _OF_THEM.search(words):
        return True  # "show me the sushi places, and which of them is the cheapest?"
    return opposite(first, second)


def _elsewhere(first: Frame, second: Frame, meaning: Meaning) -> bool:
    """Whether the same is wanted at another place as well: "..., and what if we end up in Cupertino?"."""
    places = [node for node in first.where if meaning.is_place(node)]
    only = bool(second.where) and all(meaning.is_place(node) and node not in places for node in second.where)
    return only and bool(places) and says_what(first, meaning) and not (second.projections or second.order)


def _own(frame: Frame, words: str, meaning: Meaning) -> bool:
    """Whether a question says what it is about, rather than to go on from another."""
    if (
        frame.presentation == "article"
        or _WHICH_ARE.match(words)
        or _POINTS.search(said("existential").sub(" ", words))
    ):
        return False
    return says_what(frame, meaning) or meaning.names(frame)


def _content(words: str) -> list[str]:
    """The words that say something."""
    return english.content(re.findall(r"[a-z]+", words.lower()))


def _says(frame: Frame) -> bool:
    return bool(frame.where or frame.order or frame.aggregate or frame.projections)


def _told(frame: Frame) -> bool:
    """Whether more is asked than what a bare name asks for."""
    return any(item.question != SUMMARY for item in frame.projections) or frame.aggregate is not None
