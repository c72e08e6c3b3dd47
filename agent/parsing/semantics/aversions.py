"""Feelings about things: "exams make me panic" wishes for none, "I thrive on projects" for some.

A sentence about what something does to the speaker names the thing, and its verb or complement says whether they would
rather be without it. The feeling is accounted for before anything is searched for in its words; what the recognisers
then find in the thing it is about is unwanted or wanted, and a thing that none of them knows becomes a question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from agent.parsing.frame import Asked
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention
from agent.text import grammar

_JOINING = ("and", "but", "so", "as", "or", "because", "since", "that")
_BEGIN = rf"(?:^|(?<=[.,;:!?] )|{'|'.join(rf'(?<={edge}{word} )' for word in _JOINING for edge in (' ', '^'))})"
_HOW = (
    r"(?:(?:really|just|always|absolutely|totally|kind of|sort of|truly|simply|completely|usually|often|sometimes|"
    r"only|also|so|very|too|pretty|quite|extremely|super|terribly|honestly|still|genuinely|literally|tend to|a bit|"
    r"easily|actually|all|both|even|deeply|do|would|will|can|could|might) )*"
)
_STOP = r"(?!(?:and|but|so|because|since|which|that|if|when|whenever|or|i|we|any|what|is|are) )"
_WORD = r"[^\s.,;:!?]+"
_SUBJECT = rf"(?P<subject>(?!(?:i|we|you|it|that|this|which|what|there|who) )(?:{_WORD} ){{1,6}}?)"
_OBJECT = rf"(?P<object> (?!(?:it|that|when|how|if|to) )(?:{_STOP}{_WORD}(?: |$)|(?:and|or) (?!i |we )){{1,6}})"
_UNFELT = re.compile(r"\b(?:not|never|no longer)\b")
_THING = re.compile(r"(?:(?!(?:and|or) )\S+(?: |$))+")  # what "and" or "or" joins
_EMPTY = english.filler() | english.generic()


@dataclass(frozen=True, slots=True)
class Feeling:
    """A thing of which somebody says what it does to them, as a stretch of the message."""

    start: int
    stop: int
    welcome: bool


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], bool | None], ...]:
    """Sentences about feelings, and whether the thing is welcome; None where the words after "me" tell."""
    frightening, delighting = _verbs("frightening"), _verbs("delighting")
    upset = "|".join(sorted(english.upset()))
    rest = rf"(?: {_STOP}{_WORD}){{0,4}}"
    doing = r"(?:make|get|give|drive|send|leave|put|turn|keep|bring|cause|fill)s?"
    towards = r"(?:of|at|in|with|by|about|during|on|around|over|before|to|when it comes to)"
    return (
        (re.compile(rf"{_BEGIN}{_SUBJECT}(?P<feeling>{_HOW}(?:{frightening}) (?:me|us){rest})(?= |$)"), False),
        (re.compile(rf"{_BEGIN}{_SUBJECT}(?P<feeling>{_HOW}(?:{delighting}) (?:me|us){rest})(?= |$)"), True),
        (re.compile(rf"{_BEGIN}{_SUBJECT}(?P<feeling>{_HOW}{doing} (?:me|us)(?P<how>{rest}))(?= |$)"), None),
        (
            re.compile(
                rf"{_BEGIN}{_SUBJECT}(?P<feeling>(?:is|are|feels?(?: like)?|seems?|remains?) {_HOW}"
                r"(?:(?:a|an|my|the|pure|total|absolute|personal|living|big|biggest|worst|real|complete) )*"
                r"(?:nightmares?|torture|hell|weakness|kryptonite|horrors?|agony|enem(?:y|ies)|undoing|downfall|"
                r"fears?|pet peeves?|weak (?:spot|point)s?)(?: (?:for|to|of) (?:me|us|mine))?)(?= |$)"
            ),
            False,
        ),
        (
            re.compile(
                rf"{_BEGIN}(?P<feeling>(?:(?:i|we) )?(?:have )?{_HOW}(?:"
                r"dread|fear|loathe|detest|despise|abhor|hate|dislike|"
                r"(?:can|could) not (?:stand|bear|handle|face|deal with|cope with|stomach|tolerate|survive)|"
                r"(?:freeze|choke|panic|break down|shut down|struggle|crumble|fall apart|go blank|blank|suck|suffer|"
                rf"bomb|melt down|do badly|do poorly|stumble|cry)(?: (?:up|out|completely|badly))? {towards}|"
                rf"(?:am|are|get|feel|become|go|turn) {_HOW}(?:(?:a|an|the) )?(?:{_WORD} ){{0,2}}?"
                rf"(?:{upset}|bad|terrible|awful|hopeless|useless|lousy|wreck|mess|allergic|weak) {towards}|"
                r"(?:a |an )?(?:\S+ )?(?:fear|phobia|horror|dread|hatred|terror) (?:of|to|for|about)))"
                rf"{_OBJECT}"
            ),
            False,
        ),
        (
            re.compile(
                rf"{_BEGIN}(?P<feeling>(?:i|we) {_HOW}(?:love|adore|enjoy|thrive (?:on|in|with)|"
                rf"(?:am|are) (?:good|great) at)){_OBJECT}"
            ),
            True,
        ),
    )


def _verbs(kind: str) -> str:
    return "|".join(rf"{verb}(?:s|es)?" for verb in sorted(english.stirring(kind)))


def find_feelings(board: Board) -> list[Feeling]:
    """The things that a message tells the speaker's feelings about; what it feels is accounted for."""
    found: list[Feeling] = []
    for pattern, welcome in _patterns():
        for match in pattern.finditer(board.norm):
            first = "subject" in match.groupdict()
            start, stop = match.span("subject" if first else "object")
            if not board.free(*match.span("feeling")) or any(m.label in ("name", "title") for m in board.mentions):
                continue
            if welcome is None:
                how = set(match["how"].split())
                if not how & (english.upset() | english.delighted()):
                    continue
                wanted = not how & english.upset()
            else:
                wanted = welcome
            board.claim(*match.span("feeling"))
            if first and _UNFELT.search(match["subject"]):
                board.claim(start, stop)  # "tests do not scare me" neither wants nor minds them
            else:
                found.append(Feeling(start, stop, wanted))
    return found


def mark_feelings(board: Board, feelings: list[Feeling], table: str, column: str, noun: str) -> None:
    """Turns what was found in the things around where they are unwelcome; asks for those nothing was found in."""
    for feeling in feelings:
        inside = [m for m in board.mentions if feeling.start <= m.start < feeling.stop and m.label == "aspect"]
        for mention in inside:
            mention.unwanted = not feeling.welcome
            if feeling.welcome and mention.node is not None:
                mention.node = mention.node.model_copy(update={"soft": True})
        for thing in _THING.finditer(board.norm, feeling.start, feeling.stop):
            if board.free(*thing.span()) and (node := _asked(board, *thing.span(), table, column, noun)) is not None:
                mention = Mention(*thing.span(), "node", f"{table}.{column}?", node, label="aspect")
                mention.unwanted = not feeling.welcome
                board.add(mention)
        board.claim(feeling.start, feeling.stop)


def _asked(board: Board, start: int, stop: int, table: str, column: str, noun: str) -> Asked | None:
    """The question whether there is a thing that no recogniser knows; None where the words name no thing."""
    words = [m for m in re.finditer(r"\S+", board.norm[start:stop]) if m.group() not in _EMPTY]
    said = [word.group() for word in words]
    if not words or len(words) > 3 or said[-1] in english.verbs() or _acts(said[0]):
        return None
    first, last = start + words[0].start(), start + words[-1].end()
    question = f"does this {noun} have {english.with_article(board.norm[first:last])}?"
    return Asked(table=table, columns=(column,), question=question, words=board.words(first, last))


def _acts(word: str) -> bool:
    """Whether a word says what somebody does, and no thing that a course may have: "failing", unlike "coding"."""
    return word.endswith("ing") and grammar.base(word) in english.verbs()
