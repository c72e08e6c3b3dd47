"""Questions to documents in a conversation: what one goes on from, and which of them a message asks."""

from __future__ import annotations

import re

from agent.catalogue.tables import Column, Kind
from agent.language import Conversation, Parsed, PastQuery, Question
from agent.parsing.semantics import english
from agent.parsing.semantics.spelling import Speller
from agent.text.frequencies import english_rank
from agent.text.wordlists import words as listed
from agent.understanding.context import goes_on
from agent.understanding.documents import Documents
from agent.understanding.schema import folded

ELLIPTICAL = 5  # words: a question that is this short is read as going on from the one before it
POINTING = 3  # words: one this short says next to nothing by itself
CLAUSE = 9  # words: in a longer one, "it" and "that" more likely refer to something in the message itself
CLOSED = 12  # words: the same, where "it" or "that" closes the only clause of the message
SHORT = 3  # words that are no question yet: "what average and how many points do I need"
FEW = 1  # content words: a second question that has no more hangs on the one before it
RARE = 6_000  # the rank in English from which a short word is rather an abbreviation
STEM = 5  # letters by which a message comes back to a title

#: What any matter has: "the deadline for spring".
_OF_ANYTHING = frozenset(
    listed(
        """
        s m autumn fall winter spring summer quarter term terms date dates day days week weeks weekend month
        months year years january february march april may june july august september october november december monday
        tuesday wednesday thursday friday saturday sunday
        amount charge charges cost costs deadline deadlines due early exception exceptions fee fees first form happen
        happens hours last late later latest limit limits long maximum minimum miss missed number price rule rules steps
        time times usual whats
        """
    )
)
#: What one says who is about to ask: "can you help me with something?"
_HAS_SOME = frozenset(listed("help question questions something thing ask w answer know"))
_COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|please|"
    r"sorry|excuse me|ok|okay|so|and|um|quick question|question)\b[\s,.!:-]*(?: there\b[\s,.!]*)?)+|"
    r"[\s,.!]*(?:please|thanks(?: a lot| in advance)?|thank you)[\s.!]*$",
    re.IGNORECASE,
)
_COMMENT = re.compile(  # on the answer before: "That's a relief. How often can I come?"
    r"^that(?:'?s| is| sounds| helps| works)(?: (?!not\b|no\b)[a-z]+){0,3}[.!]+\s+(?=\w)", re.IGNORECASE
)
_POINTS = re.compile(r"\b(?:it|its|they|them|that|this|those|these)\b", re.IGNORECASE)
_ENDS_POINTING = re.compile(r"^[^,;.!?]*\b(?:it|them|that|this|those|these)\W*$", re.IGNORECASE)
_LEAD = r"\W*(?:(?:and|so|but|ok(?:ay)?) )*"
_OF_OFFICE = re.compile(  # asks for whoever stands behind a document: the whole of a message
    rf"{_LEAD}(?:(?:where|what|which|who)(?:'?s| is| are)? (?:that|this|the|their) "
    r"(?:office|desk|department|team|window|building|counter)(?: located| at)?|"
    r"(?:(?:(?:how|where|whom?) )?(?:can|could|do|should|may|would) i |is there a way to )"
    r"(?:ask|see|turn to|call|ring|phone|e-?mail|text|contact|reach|write(?: to)?|talk to|speak (?:to|with)|visit|find)"
    r"(?: (?:them|somebody|someone|that (?:office|desk|department)|anyone))?"
    r"(?: (?:about|for|with) (?:it|this|that))?)\W*",
    re.IGNORECASE,
)
_ONLY_ABOUT = re.compile(
    rf"{_LEAD}(?:what|how) about (?:the )?(?P<what>[a-z]{{2,5}})(?: (?:then|instead))?\W*", re.IGNORECASE
)
_BACK = re.compile(r"\b(?:back to|earlier|before)\b", re.IGNORECASE)
_ASKING = (
    r"(?:what|what's|whats|how|when|where|who|whom|which|why|"
    r"is|are|do|does|did|can|could|will|would|should|may|must|am)"
)
_ASKS = re.compile(
    rf"^\W*(?:(?:and|but|so|also|if [^,]*,) *)*{_ASKING}\b|\?\s*$|"
    r"\b(?:know|wonder(?:ing)?|ask|find out|tell me) (?:if|whether|which|what|how|when|where|who|why)\b",
    re.IGNORECASE,
)
_TURN = re.compile(
    rf"\?\s+(?=\w)|[.!]\s+(?=(?:(?:and|but|so|also),? )*{_ASKING}\b)|"
    rf"[,;]? (?:and|but|also|plus|\+)(?: also)?,? (?={_ASKING}\b)",
    re.IGNORECASE,
)
_JOINS = re.compile(r"^(?:also|plus)\b[\s,]*|[\s,;]*(?:(?:\b(?:and|but|also|plus)\b|\+)[\s,]*)*$", re.IGNORECASE)


def questions(message: str) -> tuple[Question, ...]:
    """Return the questions that a message asks: each goes on from the one before it. What only leads up to a question
    belongs to it ("my card is gone, what does a new one cost?"). None where one only says that one has some."""
    if set(english.content(_words(_plain(message)))) <= _HAS_SOME and not goes_on(message):
        return ()
    found: list[str] = []
    for turn in _TURN.finditer(message):
        left = message[sum(map(len, found)) : turn.end()]
        if _asks(left) and len(left.split()) > SHORT and len(message[turn.end() :].split()) > 1:
            found.append(left)
    found.append(message[sum(map(len, found)) :])
    parts = [_JOINS.sub("", part.strip()) for part in found]
    return tuple(Question(words=part, following=parts[at - 1] if at else "") for at, part in enumerate(parts))


def _asks(text: str) -> bool:
    return _ASKS.search(text) is not None or "?" in text


def read(question: Question, conversation: Conversation, here: Documents, speller: Speller) -> Parsed:
    """Return the query of a question to documents."""
    message = speller.spelt(question.words)
    past = _past(conversation, here.table.name)
    shown = next((one for one in past if one.keys), None)
    if shown is not None and not question.following:
        if here.contact is not None and _OF_OFFICE.fullmatch(message):
            return _kept(here.of_rows(here.contact.name, shown.keys[:1]), _asked_of(shown))
        if (column := _column(message, here)) is not None:
            return _kept(here.of_rows(column.name, shown.keys[:1]), _asked_of(shown))
    if (reached := here.office(message)) is not None:
        return reached
    words, terms = here.in_terms(_plain(message))
    topic = _topic(past, message)
    if question.following:
        return _second(question, words, topic or terms, here)
    base = _asked_of(past[0]) if past else ""
    if base and (instead := _of_another(message, base)):
        return _kept(here.nearest(_mark(instead), instead.rstrip("?!. ")), instead)
    if not base:
        return _kept(here.nearest(_mark(words), words.rstrip("?!. "), terms), message)
    length = len(message.split())
    points = length <= POINTING or _points(message, length) or (length <= CLAUSE and is_bare(message))
    bare = words.rstrip("?!. ")
    near = f"{topic} {base} ".lstrip() + bare if points else bare
    beside = f"{topic}: {bare}" if topic else terms
    if not (points or length <= ELLIPTICAL or goes_on(message)):
        return _kept(here.nearest(_mark(words), near, beside), message)
    return _kept(here.nearest(f"{_mark(words)} (about: {base.rstrip('?!. ')})", near, beside), base)


def _second(question: Question, words: str, topic: str, here: Documents) -> Parsed:
    """A question after another of the same message: where its own words say enough they find it, and those before only
    help; where they say too little, it is both together."""
    first, bare = _plain(question.following).rstrip("?!. "), words.rstrip("?!. ")
    told = len(english.content(_words(words))) > FEW and not is_bare(words) and not _points(words, len(words.split()))
    talk = f"{topic}: {first}" if topic else first
    if told:
        return _kept(here.nearest(_mark(words), bare, f"{talk} {bare}"), question.words)
    beside = f"{topic}: {first} {bare}" if topic else ""
    return _kept(here.nearest(f"{_mark(words)} (about: {first})", f"{first} {bare}", beside), question.following)


def _kept(parsed: Parsed, asked: str) -> Parsed:
    return parsed.model_copy(update={"frame": {"asked": asked}})


def _asked_of(query: PastQuery) -> str:
    return str((query.frame or {}).get("asked", query.question))


def _past(conversation: Conversation, table: str) -> list[PastQuery]:
    """The queries to documents before, the last one first. A text that did not answer one of two questions is not what
    the talk goes on from."""
    found: list[PastQuery] = []
    for turn in reversed(conversation.past):
        queries = [one for one in turn.queries if one.table == table and "asked" in (one.frame or {})]
        answered = any(one.keys for one in queries)
        found += [one.model_copy(update={"nearest": ""}) if answered else one for one in reversed(queries)]
    return found


def _topic(past: list[PastQuery], message: str) -> str:
    """The title of the document that a message comes back to, or of the one read last, whether it answered or not."""
    titles = [title for one in past for title in (one.titles or (one.nearest,))[:1] if title]
    if _BACK.search(message):
        said = _stems(message)
        return next((title for title in titles if said & _stems(title)), next(iter(titles), ""))
    return next(iter(titles), "")


def _column(message: str, here: Documents) -> Column | None:
    """The column that is all a message names, of the document shown: "when was that updated?"."""
    said = set(_words(message))
    content = [word for word in english.content([*said]) if word not in english.function()]
    for one in here.table.columns:
        if one.hidden or one.kind is Kind.FREE_TEXT or one.name in (here.table.title, *here.table.key):
            continue
        named = {word for name in (one.name, *one.synonyms) for word in folded(name).split()}
        if content and set(content) <= named and (one.kind is Kind.DATE or _POINTS.search(message)):
            return one
    return None


def _of_another(message: str, before: str) -> str:
    """The question before, of what a message names in place of what that named: "which AP exams give units?" and "what
    about IB?" are "which IB exams give units?". Empty where they do not both name one thing by its letters."""
    letters = [word for word in re.findall(r"[A-Za-z]+", before) if _is_letters(word)]
    match = _ONLY_ABOUT.fullmatch(message)
    named = match["what"] if match else ""
    if len(set(letters)) != 1 or not _is_letters(named) or named.lower() == letters[0].lower():
        return ""
    return re.sub(rf"\b{letters[0]}\b", named, before)


def _is_letters(word: str) -> bool:
    """Whether a word is an abbreviation: "IB", and "ib" as people type it."""
    short = re.fullmatch(r"[A-Z]{2,5}|[a-z]{2,3}", word) is not None
    return short and (word.isupper() or english_rank().get(word.lower(), RARE) >= RARE)


def is_bare(message: str) -> bool:
    """Return whether a message names no matter of its own: the deadline that it asks for is one of what the talk is
    on."""
    return all(word in _OF_ANYTHING for word in english.content(_words(message)))


def _points(message: str, length: int) -> bool:
    """Whether a message of so many words refers to what was said before it."""
    return (length <= CLAUSE and _POINTS.search(message) is not None) or (
        length <= CLOSED and _ENDS_POINTING.match(message) is not None
    )


def _plain(question: str) -> str:
    """The question without courtesies and what is only remarked before it; as it is where there is nothing else."""
    return _COURTESY.sub("", _COMMENT.sub("", _COURTESY.sub("", question))).strip() or question.strip()


def _mark(words: str) -> str:
    return words.rstrip("?!. ") + "?"


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in _words(text) if len(word) >= STEM}
