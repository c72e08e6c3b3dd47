"""Which clauses of a message may wish for something, and which only set the scene around the wish.

What no recogniser understood is asked of the reviews, and so it has to be *licensed* by its sentence: by a noun for
what is searched for ("a quiet <spot> with ..."), by a verb of wanting or a request, by a clause of which the place is
the subject ("it should ...", "the tables ..."), or by standing alone as a fragment ("patio, cheap"). A clause about
the speaker, the one spoken to or how the message came about is a *scene*, whatever its words. It is one only beside a
wish: a message that names nothing searched for is a wish as it stands.
"""

from __future__ import annotations

import re

from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board

_OF_PLACE = re.compile(  # a subject that stands for the place, or for what a place has
    rf"(?:they|it|there|one|ones|the (?:place|spot|restaurant|one|course|class)|"
    rf"(?:the |their |its )?(?:\S+ )?(?:{'|'.join(sorted(english.subjects() - {'i', 'we', 'you', 'one'}))}))(?= )"
)
_SOMEBODY = re.compile(
    r"(?:surely |maybe |hopefully )?(?:some|any|every)(?:one|body)(?= |$)(?! (?:with|who|said|says|mentioned))"
)
_ONE_THAT = re.compile(r"\bones? (?:that|with|where|which|whose)\b|\bsuch that\b")
_DEMANDED = re.compile(r"\b(?:must|should|ought|(?:has|have|needs?) to|cannot|important|essential|required|a must)\b")
_HELPING = frozenset(
    (
        *("is", "are", "was", "were", "am", "be", "been", "has", "had", "have", "does", "do", "did", "will", "would"),
        *("can", "could", "might", "may", "keeps", "seems"),
    )
)
_SPEAKING = re.compile(r"(?<![^\s])(?:i|we|my|me|you)(?![^\s])")
_PARTICIPLE = re.compile(
    r"(?:[a-z]{2,}ing|[a-z]{3,}ed|stuck|sat|lost|left) (?:in|on|at|by|from|under|behind|out|my|this)\b"
)
_UNDONE = frozenset({"gone", "dead", "done", "over", "off", "empty", "low"})  # "battery almost gone"
_AWAY = frozenset({"away", "ahead", "on"})  # "fire away"
_OBJECTS = re.compile(r"(?P<before>\S+ )?\b(?:me|you|i|myself|yourself)(?= |$)")
_TOWARDS = frozenset({"for", "near", "by", "around", "with", "like", "of", "from", "behind", "than", "to"})
_INTRODUCED = re.compile(r"[a-z]+ (?:[a-z]+ |from \S+ )?(?:here|speaking)$")
_HAPPENED = re.compile(rf"(?:they|it) (?:[a-z]{{3,}}ed|{'|'.join(sorted(english.past()))})(?= |$)")
_THERE_IS = re.compile(r"there (?:is|are|was|were)\b")
_PREFERRED = frozenset({"with", "without", "where", "must", "should", "ideally", "preferably", "hopefully", "maybe"})
_APPOSED = re.compile(r"(?:the )?(?:same )?(?:one|person|guy|girl|man|woman) (?:with|who|that|from)\b")
_JOINING = frozenset({"and", "or", "at", "in", "inside"})  # before a place whose own attributes stand before them
_DETERMINERS = frozenset({"a", "an", "the", "some", "any", "another", "these", "those", "this", "that", "my", "our"})
_REPORTED = re.compile(
    r"\b(?:says?|said|claims?|claimed|thinks?|swears?|swore|insists?|reckons?|tells? (?:me|us)|told (?:me|us)|"
    r"mentions?|mentioned|believes?|promises?|argues?|knows?|(?:reads?|hears?|heard|noticed?|learned)(?: \S+)? that)"
    r"(?: that)?(?= )"
)
_JOINT = re.compile(r"\s+|(?:and|but|so|then|because|well|oh|also)(?= )")
_RELATIVE = frozenset({"that", "which", "who", "where", "whose"})


class Licence:
    """What the clauses of one message license; `clauses` are all of them, in order."""

    def __init__(self, board: Board, noun: str, clauses: list[tuple[int, int]]) -> None:
        self.board = board
        self.nouns = (sought(board, noun) or _requested(board, clauses)) if clauses else []
        self.telegraphic = not any(self._speaks(*clause) for clause in clauses)
        self.scenes = self._scenes(clauses) if self.nouns else frozenset()

    def is_scene(self, start: int) -> bool:
        """Whether the clause that begins at a position only sets the scene."""
        return start in self.scenes

    def wish_from(self, start: int, stop: int) -> int:
        """Where the noun phrase begins that a clause searches for, what stands before it being about something else:
        "woke up wanting <a dressy place>"; `start` where nothing has to be left out."""
        noun = next((at for at in self.nouns if start <= at < stop), None)
        if noun is None:
            return start
        words = [(m.start(), m.group()) for m in re.finditer(r"\S+", self.board.norm[start:noun])]
        for index in range(len(words) - 1, -1, -1):
            at, word = words[index]
            before = words[index - 1][1] if index else ""
            if self.board.taken(start + at):
                continue
            if word in _DETERMINERS:
                return start if not before or before in _JOINING else start + at
            if word in _JOINING:
                return start
            if word in _BARRIERS:
                return start + at + (0 if word in _KEPT else len(word) + 1)
        return start

    def reported_from(self, start: int, stop: int) -> int:
        """Where what somebody says begins, if it is that there are places of a kind; 0 elsewhere."""
        said = _REPORTED.search(self.board.norm, start, stop)
        if said is None or not any(said.end() <= noun < stop for noun in self.nouns):
            return 0
        return self.wish_from(said.end() + 1, stop)

    # -- clauses -----------------------------------------------------------------------------------------------------

    def _scenes(self, clauses: list[tuple[int, int]]) -> frozenset[int]:
        found: set[int] = set()
        telling = False  # whether the sentence has begun with a scene
        for start, stop in clauses:
            if start and self.board.norm[start - 2 : start - 1] in (".", ";", "!", "?"):
                telling = False
            begin = _lead(self.board, start, stop)
            words = self.board.norm[begin:stop].split()
            if not words or any(start <= noun < stop for noun in self.nouns):
                continue
            if self._personal(begin, stop):
                telling = True  # what is wanted in it, if anything, is licensed by the verb of wanting
            elif self._tells(begin, stop, words, telling=telling):
                found.add(start)
                telling = True
        return frozenset(found)

    def _personal(self, start: int, stop: int) -> bool:
        return english.personal().match(self.board.norm, start, stop) is not None

    def _tells(self, start: int, stop: int, words: list[str], *, telling: bool) -> bool:
        """Whether a clause that names nothing searched for tells something."""
        text = " ".join(words)
        if self.board.norm[stop : stop + 1] == ":" or _INTRODUCED.match(text):
            return True
        if _SOMEBODY.match(text) or _bidden(words):
            return True
        if telling and _APPOSED.match(text):
            return True
        if _ONE_THAT.search(text):
            return False
        if (words[0] == "the" and len(words) == 2) or self._proper(start, stop):
            return True
        early = stop <= self.nouns[0]
        asking = self.board.norm[stop : stop + 1] == "?"
        if early and ((_THERE_IS.match(text) and not asking) or _HAPPENED.match(text)):
            return True
        if early and words[0] in english.markers() - _PREFERRED and self._apart(start, stop, words):
            return not _DEMANDED.search(text)
        if words[0] in english.markers() or _OF_PLACE.match(text) or _DEMANDED.search(text):
            return False
        if english.request().match(self.board.norm, start, stop):
            return False
        if self._spoken(text):
            return True
        if early and self._apart(start, stop, words):
            return True
        finite = _finite(words)
        if words[0] == "this" and finite:
            return early
        if finite:
            return early or telling
        return early and (_PARTICIPLE.match(text) is not None or (len(words) > 1 and words[-1] in _UNDONE))

    def _speaks(self, start: int, stop: int) -> bool:
        """Whether a clause is a sentence, or of the speaker: a message without any is in telegram style."""
        text = self.board.norm[_lead(self.board, start, stop) : stop]
        return _finite(text.split()) or _SPEAKING.search(text) is not None

    def _apart(self, start: int, stop: int, words: list[str]) -> bool:
        """Whether a fragment before what is searched for is no attribute of it: another sentence, or one about
        something definite; of "cheap, fireplace, some place in ..." all is."""
        if self.telegraphic:
            return False
        another = re.search(r" [.;!?](?: |$)", self.board.norm[start : self.nouns[0]]) is not None
        linked = any(start <= mention.start < stop for mention in self.board.mentions)
        definite = words[0] in _DETERMINERS - {"a", "an", "some", "any"}
        return definite or (another and not linked) or (len(words) > 2 and english.only_describes(words[-1]))

    def _proper(self, start: int, stop: int) -> bool:
        """Whether a clause is but a name: words capitalised although no sentence begins with them."""
        text = self.board.text
        first, last = text.token_at(start), text.token_at(max(stop - 1, start)) + 1
        tokens = [token for token in text.tokens[first:last] if not token.mark]
        begins = first == 0 or text.tokens[first - 1].norm in (".", "!", "?", ":", ";")
        capital = all(token.raw[:1].isupper() for token in tokens) and not text.message.isupper()
        known = any(start <= mention.start < stop for mention in self.board.mentions)
        others = any(token.raw[:1].islower() for token in text.tokens)
        return bool(tokens) and capital and not begins and not known and others

    @staticmethod
    def _spoken(text: str) -> bool:
        """Whether the speaker or the one spoken to acts, or is acted upon: "typical me", "hit me"."""
        for match in _OBJECTS.finditer(text):
            before = (match["before"] or "").strip()
            if before not in _TOWARDS and before not in ("so", "where", "that", "if", "when"):
                return True
        return False


def sought(board: Board, noun: str) -> list[int]:
    """Where a message names what it searches for: nouns for any of it, and kinds of it."""
    nouns = english.generic() - english.vague() | {
        noun,
        f"{noun}s",
        "cafe",
        "cafes",
        "bar",
        "bars",
        "pub",
        "pubs",
        "bistro",
    }
    kinds = [mention.start for mention in board.mentions if mention.label == "kind"]
    named = [
        match.start()
        for match in re.finditer(r"\S+", board.norm)
        if match.group() in nouns and not _told(board, match.start())
    ]
    return sorted({*kinds, *named})


def _requested(board: Board, clauses: list[tuple[int, int]]) -> list[int]:
    """Where dishes stand that are asked for in so many words, in a message that names nothing else it searches for:
    "where can I get <pho>"."""
    dishes = [mention.start for mention in board.mentions if mention.label == "dish"]
    requests = [span for span in clauses if english.request().match(board.norm, _lead(board, *span), span[1])]
    return sorted(at for at in dishes if any(start <= at < stop for start, stop in requests))


def _told(board: Board, at: int) -> bool:
    return board.taken(at) and not any(mention.start <= at < mention.stop for mention in board.mentions)


def _lead(board: Board, start: int, stop: int) -> int:
    """Past conjunctions, and courtesies already accounted for."""
    while start < stop:
        match = _JOINT.match(board.norm, start, stop)
        if match is not None:
            start = match.end()
        elif _told(board, start):
            start += 1
        else:
            break
    return start


def _finite(words: list[str]) -> bool:
    """Whether words hold a verb that makes a sentence of them."""
    for index, word in enumerate(words[1:7], start=1):
        if word in _RELATIVE:
            return index > 4
        if word in _HELPING or (
            word.endswith("s") and word != english.base(word) and english.base(word) in english.verbs()
        ):
            return True
    if len(words) > 2 and words[0] in ("the", "my", "our") and words[2].endswith("ed"):
        return True  # "the page crashed"
    return any(word in english.past() or word in english.seeking() for word in words[1:4])


def _bidden(words: list[str]) -> bool:
    """Whether words bid the one spoken to do something: "fire away", "be honest", "ignore that"."""
    if (words[0] == "be" and len(words) > 1) or words[1:] == ["on", "it"]:
        return True
    if len(words) == 2 and words[0] == words[1]:
        return True  # "chop chop"
    return len(words) == 2 and words[0] == english.base(words[0]) and words[1] in _AWAY | {"that", "this"}


_KEPT = _TOWARDS | {"on", "into", "onto", "about", "where", "because", "but", "so"}  # markers of the phrase itself
_BARRIERS = (
    _HELPING
    | _TOWARDS
    | {"on", "into", "onto", "about", "i", "you", "he", "she", "they", "we", "me", "us", "him", "them", "it", "find"}
    | {"wanting", "show", "give", "get", "name", "tell", "where", "what", "why", "how", "because", "but", "so", "up"}
)
