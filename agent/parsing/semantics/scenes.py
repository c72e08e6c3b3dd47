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

_SENTENCE = re.compile(
    r"(?:^|[.;!?] )(?:(?:so|and|but|well|hi|hello|hey|ok|,|!|\.) )*"
    r"(?P<when>(?:(?:yesterday|today|earlier|recently|lately|this morning|last (?:night|week|weekend|month|year)|,) )*)"
    r"(?=\S)"
)
_END = re.compile(r"(?:^|\s)(?:[.;!?]|so|(?:, )?(?:but|and (?:i|we|now|need|want|am|are|would)))(?=\s|$)|\s,(?=\s|$)")
_LATELY = r"(?P<lately>(?:(?:just|finally|recently|only|also|all|both|already|actually) )*)"
_TOLD = tuple(
    re.compile(rf"{who}{_LATELY}(?P<verb>[a-z]+)(?= |$)")
    for who in (
        "(?P<who>i|we) ",
        r"(?P<who>my|our) \S+ ",
        r"(?P<who>my|our) \S+ \S+ ",
        "(?P<who>it|this|that) ",
        r"(?P<who>the) \S+ ",
        "(?P<who>)",
    )
)
_JOINED = re.compile(r"(?: ,)?(?: (?:and|but))?(?: (?=(?:i|we|now|need|want|am|are|would) )| (?=[a-z0-9]))(?<!\bso )")
_AGAIN = r"(?:(?:still|already|now|just|also|then|never|only|both|all|finally|really|totally|currently|even|so) )*"
_ONWARD = re.compile(rf"(?:and )?{_AGAIN}(?:(?:i|we|my \S+|our \S+) )?{_AGAIN}(?P<verb>[a-z]+)(?= |$)(?! (?:me|us) )")
_DOING = re.compile(r"(?:am|are|is|was|were|have|has|had|[a-z]{2,}ing|[a-z]{3,}ed)$")
_WISHING = re.compile(
    r"\b(?:want\w*|need\w*|would|looking (?:for|to)|hoping|crav\w+|hungry|starving|like|love|fancy|prefer\w*|must|"
    r"should|could|can|search\w+|after|for an?|find|wonder\w*|allerg\w+|hate|avoid\w*)\b"
)
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
_REST_OF_CLAUSE = r"(?: (?!(?:but|so(?! (?:much|many|\S+ that)\b)|and (?:i|we|now|need|want)|i|we) )[^\s.,;:!?]+)*"
_REST = rf"(?P<rest>{_REST_OF_CLAUSE})"
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
    for pattern in (*english.smalltalk(_REST_OF_CLAUSE), _WRITING, _OWN, _BESIDE_ME, _HERE, _FORGETTING, _HAVING_HAD):
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
    ignore_meanwhile(board)
    ignore_framing(board)
    told = list(_told(board))
    for start, stop in told:
        board.claim(start, stop)
    return told


def _told(board: Board) -> Iterator[tuple[int, int]]:
    """The clauses that tell what happened, in sentences that begin with one and before anything is wished for."""
    opening = True  # whether nothing but such sentences has been said: "it" is no place yet
    for begin in _SENTENCE.finditer(board.norm):
        start, telling = begin.end(), False
        while start < len(board.norm):
            end = _END.search(board.norm, start + 1)
            stop = end.start() if end else len(board.norm)
            named = any(m.label in ("name", "title") for m in board.mentions if start <= m.start < stop)
            clause = board.norm[start:stop]
            if end is None or stop == len(board.norm) or named or _SOUGHT.search(clause):
                break  # nothing follows that could be the wish, or this is it
            if not _accounted(board, start, stop):
                if not (
                    any(_tells(said, clause, opening=opening) for said in _matches(clause))
                    or (telling and _goes_on(clause))
                ):
                    break
                yield (start if telling else begin.start("when")), stop
            telling = True
            joint = _JOINED.match(board.norm, stop)
            if joint is None:
                break
            start = joint.end()
        opening = opening and telling


def _accounted(board: Board, start: int, stop: int) -> bool:
    """Whether all that a clause says is accounted for, and none of it means anything."""
    free = english.content(
        [m.group() for m in re.finditer(r"\S+", board.norm[start:stop]) if not board.taken(start + m.start())]
    )
    return not free and not any(m.node is not None for m in board.mentions if start <= m.start < stop)


def _goes_on(clause: str) -> bool:
    """Whether a clause goes on telling of the speaker: "moved here <and are still looking for the light switch>"."""
    onward = _ONWARD.match(clause)
    if onward is None or _WISHING.search(clause) or english.request().match(clause):
        return False
    verb = onward["verb"]
    return _DOING.match(verb) is not None or verb in english.past() | english.verbs()


def _matches(sentence: str) -> list[re.Match[str]]:
    return [said for pattern in _TOLD if (said := pattern.match(sentence)) is not None]


def _tells(said: re.Match[str], sentence: str, *, opening: bool) -> bool:
    """Whether the verb of a sentence says that something happened; `opening`: no place has been spoken of."""
    verb = said["verb"]
    if said["who"] in ("it", "this", "that", "the"):
        return opening and (verb in english.tensed() or verb in ("was", "were"))
    if verb == "got" and not said["lately"] and not _RECENTLY.search(sentence):
        return False  # "got a dog" is having one
    if not said["who"]:
        return (
            verb in english.tensed()
            or verb == "been"
            or (bool(said["lately"]) and (verb in english.past() or _ended(verb)))
        )
    return verb in english.past() or _ended(verb)


def _ended(verb: str) -> bool:
    """Whether a word is the regular past of a verb, as its form tells."""
    if not verb.endswith("ed") or verb in english.seeking():
        return False
    stem = verb.removesuffix("ed")
    bases = (stem, stem + "e", stem[:-1], stem[:-1] + "y" if stem.endswith("i") else stem)
    return len(stem) > 2 and any(base in english_rank() for base in bases)
