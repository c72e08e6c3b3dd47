"""Scenes: sentences that tell what happened to the user, in which nothing is wished for.

"We just moved here from Chicago" asks neither for Chicago nor for moving. A sentence is told when its subject is the
user or somebody of theirs, or is left out, and its verb is in the past, unless the verb speaks of what is searched for:
what somebody heard of, tried, liked or wanted. Where it names a place that they came to, that place still counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.parsing.lexicon import english_rank
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board
from agent.parsing.semantics.framing import ignore_framing

_SENTENCE = re.compile(r"(?:^|[.;!?] )(?:(?:so|and|well|hi|hello|hey|ok|,|!|\.) )*(?=\S)")
_END = re.compile(r"(?:^|\s)(?:[.;!?]|so|(?:, )?(?:but|and (?:i|we|now|need|want|am|are|would)))(?=\s|$)|\s,(?=\s|$)")
_LATELY = r"(?P<lately>(?:(?:just|finally|recently|only|also|all|both|already|actually) )*)"
_TOLD = tuple(
    re.compile(rf"{who}{_LATELY}(?P<verb>[a-z]+)(?= |$)")
    for who in ("(?P<who>i|we) ", r"(?P<who>my|our) \S+ ", r"(?P<who>my|our) \S+ \S+ ", "(?P<who>)")
)
_ORIGIN = re.compile(r"\bfrom (?:the )?(?:\S+ ?)+$")
_SOUGHT = re.compile(
    rf"\b(?:(?:an?|any|some) (?:\S+ ){{0,2}}?(?:{'|'.join(sorted(english.generic()))})|somewhere|something)\b"
)
_RECENTLY = re.compile(r"\b(?:yesterday|today|tonight|ago|last|this (?:morning|week|month|year))\b")
# What somebody does while writing, or instead: postures, communication, thought.
_MEANWHILE = (
    r"(?:typing|writing|texting|messaging|dictating|sending|sitting|standing|lying|stuck|waiting|riding|scrolling|"
    r"staring|thinking|wondering|reading|listening|procrastinating|commuting|"
    r"asking|speaking)"
)
_REST = r"(?P<rest>(?: (?!(?:but|so(?! (?:much|many|\S+ that)\b)|and (?:i|we|now|need|want)|i|we) )[^\s.,;:!?]+)*)"
_WRITING = re.compile(
    rf"(?:(?:^|(?<=[.,;:!?] )|(?<=so )|(?<=and )|(?<=but )|(?<= ))(?:(?:i|we) (?:am|are) (?:just |still |currently )*)|"
    rf"(?:^|(?<=[.;!?] ))){_MEANWHILE}(?= |$)(?! (?:outside(?! the)|outdoors|about (?:a|some))\b){_REST}"
)
_OWN = re.compile(
    rf"(?<![^\s])(?:my|our) (?!(?:\S+ )?(?:{'|'.join(sorted(english.relatives()))})(?:'s)? )(?:\S+ ){{1,2}}?"
    rf"(?:(?:is|are|will|has|have) (?:just |almost |nearly |not )*"
    rf"(?:about to|[a-z]{{2,}}ing|dead|gone|low|broken|down)|keeps?|just|(?:died|broke|decided|crashed))(?= |$){_REST}"
)
_BESIDE_ME = re.compile(
    r"(?:^|(?<=[.,;:!?] ))(?P<rest>(?:[^\s.,;:!?]+ )+?"
    r"(?:behind|beside|next to|in front of|under|opposite|across from|above|below) (?:me|us|my \S+))(?= [.,;:!?]|$)"
)
_FORGETTING = re.compile(
    r"(?:^|(?<=[.,;:!?] )|(?<=but )|(?<=and )|(?<=so ))(?:(?:i|we) )?(?:can|could|do|did) not "
    rf"(?:remember|recall|talk|think|believe|decide|imagine|know|sleep|stop)(?= |$){_REST}"
)
_HERE = re.compile(  # "wifi on this train", where the message is written
    r"(?:^|(?<=[.,;:!?] ))(?P<rest>(?:[^\s.,;:!?]+ )*?(?:[^\s.,;:!?]+ here(?= (?:is|are) )|(?:on|in|at|aboard) this "
    r"(?!(?:area|neighbou?rhood|city|town|part|side|street|block|price|range|week\w*|month|year|order|case|region)\b)"
    r"[^\s.,;:!?]+)(?: (?:is|are|was|has|keeps|does)\b[^.,;:!?]*)?)(?= [.,;:!?]|$)"
)
_LABEL = re.compile(  # "quick one:"
    r"(?:^|(?<=[.;!?] ))(?:\S+ ){0,3}(?:one|question|request|thing|favou?r|ask|try|attempt)"
    r"(?: (?:for|from|before) [^.,;:!?]+)?(?= :)"
)
_LAST_TIME = re.compile(
    r"(?<![^\s])the (?:last|previous|other|earlier|first) (?:\S+ )?(?:place|spot|restaurant|one|suggestion)s? "
    r"(?:[^\s.,;:!?]+ )*?(?:was|were|had|did|turned)(?= |$)[^.,;:!?]*"
)
_PICKED = re.compile(
    r"(?<=[a-z] )(?<!what )(?<!where )(?<!when )(?<!how )(?:(?:would|will|could|should) (?:you|i|we) [a-z]+|"
    r"do (?:you|we) (?:recommend|suggest|pick|have)|"
    r"is what (?:i|we) [a-z]+)(?: (?:for|to|there|here|me|us|with|after))*(?= [.,;!?]|$)"
)
_HAVING_HAD = re.compile(rf"(?<![^\s])(?:i|we) have (?:just |already |only )*(?:had|eaten|drunk)(?= ){_REST}")
_NOW = re.compile(
    r"(?<![^\s])for now(?= |$)|"
    r"(?:^|(?<=[.,;:!?] )|(?<=and )|(?<=but )|(?<=so ))now(?= (?:i|we|my|our|she|he|that|the) )"
)


def ignore_courtesies(board: Board) -> None:
    """Accounts for greetings, hesitation and the like, wherever they stand."""
    for pattern in english.noise():
        for match in board.find(pattern):
            board.claim(*match.span())


def ignore_meanwhile(board: Board) -> None:
    """Accounts for what is told of the writing of a message: what the speaker does just now, has beside them, or cannot
    call to mind. A need is told of those who will eat, and is none of these.
    """
    for pattern in (_WRITING, _OWN, _BESIDE_ME, _HERE, _FORGETTING, _HAVING_HAD):
        for match in _beside_wishes(board, pattern):
            board.claim(*match.span())
    for pattern in (_LABEL, _LAST_TIME, _PICKED, _NOW):
        for match in board.find(pattern):
            board.claim(*match.span())


def _beside_wishes(board: Board, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The matches in which nothing is searched for, in a message in which something is said beside them."""
    for match in board.find(pattern):
        if match.end() - match.start() < len(board.norm) - 2 and not _WISHED.search(match.group()):
            yield match


_ANYTHING = frozenset({"food", "side", "one", "list", "house", "thing", "things", "menu"})
_WISHED = re.compile(
    rf"\b(?:{'|'.join(sorted(english.generic() - _ANYTHING))}|"
    r"need|needs|want|wants|would|should|must|for an?|looking|like)\b"
)


def ignore_told(board: Board) -> list[tuple[int, int]]:
    """Accounts for the sentences of a message that tell what happened; where they stand."""
    ignore_framing(board)
    ignore_meanwhile(board)
    told: list[tuple[int, int]] = []
    for begin in _SENTENCE.finditer(board.norm):
        start = begin.end()
        end = _END.search(board.norm, start + 1)
        stop = end.start() if end else len(board.norm)
        inside = [mention for mention in board.mentions if start <= mention.start < stop]
        if stop == len(board.norm) or any(mention.label in ("name", "title") for mention in inside):
            continue  # nothing follows that could be the wish
        sentence = board.norm[start:stop]
        if _SOUGHT.search(sentence) or not any(_tells(said, sentence) for said in _matches(sentence)):
            continue
        board.claim(start, stop)
        told.append((start, stop))
        for mention in inside:
            if mention.label == "place" and _ORIGIN.search(board.norm[: mention.stop], mention.start - 9):
                mention.node = None
    return told


def _matches(sentence: str) -> list[re.Match[str]]:
    return [said for pattern in _TOLD if (said := pattern.match(sentence)) is not None]


def _tells(said: re.Match[str], sentence: str) -> bool:
    """Whether the verb of a sentence says that something happened."""
    verb = said["verb"]
    if verb == "got" and not said["lately"] and not _RECENTLY.search(sentence):
        return False  # "got a dog" is having one
    if not said["who"]:
        return verb in english.tensed() or (bool(said["lately"]) and (verb in english.past() or _ended(verb)))
    return verb in english.past() or _ended(verb)


def _ended(verb: str) -> bool:
    """Whether a word is the regular past of a verb, as its form tells."""
    if not verb.endswith("ed") or verb in english.seeking():
        return False
    stem = verb.removesuffix("ed")
    bases = (stem, stem + "e", stem[:-1], stem[:-1] + "y" if stem.endswith("i") else stem)
    return len(stem) > 2 and any(base in english_rank() for base in bases)
