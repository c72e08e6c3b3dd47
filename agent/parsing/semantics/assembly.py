"""From mentions to conditions: what is negated, what "or", "and" and commas join, what is only preferred."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from agent.parsing.frame import Asked, Condition, Either, Node
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.branches import branches
from agent.parsing.semantics.workspace import Board, Mention
from agent.text import grammar

_NEGATION = re.compile(
    r"(?:^|\s)(no|not|nobody|no one|nowhere|without|free (?:of|from)|except(?: for)?|never|nor|neither|avoid|avoiding|"
    r"other than|besides|hates?|dislikes?|"
    r"(?:any|every)(?:thing|one|body|where) (?:else )?(?:but|except)|"
    r"(?<!hardly )(?<!barely )(?<!scarcely )(?<!without )(?<!not )(?:any|every) [a-z]+ (?:else )?(?:but|except)|"
    r"but not|excluding|"
    r"rather than|instead of|"
    r"skip|minus|non|forget(?: about)?|never mind|sick of|tired of|(?<!a )few|(?<!a )fewer|hardly|barely|"
    r"scarcely|rarely|seldom|minimal|"
    r"had enough(?: of)?|nothing|allergic to|no more|isn't|hate|dislike|(?:can|could) not stand|avoids?|"
    r"aside from|apart from|do not want|stay away from|less)"
    r"(?: (?:any|anything|a|an|the|too|so|very|that|super|really|overly|my|is|are|be|"
    r"being|to be|in|on|at|with|of|all|classes|courses|class|course|restaurants|places|"
    r"mood|big|huge|fan|feel|feeling|want|serving|serve|those|ones|one|whatever|somewhere|anywhere|place|spot|"
    r"these|another|more|need|like|eat|eating|some|kind of|near|have|has|had|having|going|play|playing|blast|allow|"
    r"require|for|looking for|taught|by|led|run|given|into|interested|to|get|gets|getting|hear|hearing|see|deal|"
    r"dealing|put up|ever|much|many|needs|requires|requiring|complaints?|complains?|complaining|about|"
    r"taken|taking|took|done|doing|finished|completed|passed|lists?|counts?|names?|yet|already))* $"
)
_MODIFIED = re.compile(r"(?:^|\s)(?:no|without|any|avoid|avoiding) (?P<how>[a-z]{3,}) $")
DENIED = re.compile(
    r" (?:is|are|was|were) (?:not|never|hardly)(?: (?:always|really|strictly))?"
    r" (?:mandatory|required|compulsory|needed|necessary|allowed|permitted|available|enforced|a problem|a thing)\b"
)
_COMPLAINED = re.compile(  # what makes all that stands before it in its clause unwanted
    r"(?:\s(?![.,;:!?]\s)\S+){0,4}?\s(?:sucks?|stinks?|kills? me|"
    r"(?:is|are) (?:the worst|awful|terrible|a no|a no go|out|hell)|(?:does|do) not work(?: for me)?|no thanks)(?=\s|$)"
)
_LISTING = re.compile(  # denials that go on over a comma: "no exams, homework"
    r"\b(?:no|without|except|excluding|besides|minus|skip|avoid|neither|any|hates?|dislikes?|allergic|anything|than|of)\b"
)
_DEGREE = re.compile(r"(?<=\s)(?!only |hardly |barely |scarcely |rarely )[a-z]{3,}ly $")  # "not ridiculously loud"
_NOT_DONE = re.compile(
    r"\b(?:(?:do|does|did|will|would) not(?: ever| really| even)?|never|nobody|no one|hardly ever|rarely|seldom) "
    r"(?P<verb>[a-z]+)(?: (?:any|the|their|its|your|my|our|an?|much|many|so|too|all))* $"
)
_NOT_UNWANTED = frozenset(  # what is not done with something that is wanted, or that nobody minds
    {"mind", "care", "know", "think", "believe", "remember", "avoid", "lack", "lose", "miss", "see", "find", "skip"}
    | {"understand", "hate", "dislike", "say", "matter", "cost", "charge", "close", "limit", "restrict", "end", "stop"}
    | {"be", "am", "run", "ruin", "trust", "forget"}
)
_ONLY = re.compile(r"\bnot (only|just)\b")
_SOFT = re.compile(
    r"\b(prefer|preferred|preferably|preference|ideally|if possible|would be (nice|great|good|a "
    r"plus|ideal|awesome|lovely|cool)|hopefully|bonus|nice to have|optionally|if you "
    r"can|is a plus|if available)\b"
)
_OR = re.compile(r"(?:^|\s)(or|vs|versus|either|whichever|otherwise|and or)(?:\s|$)")
_JOINING = re.compile(
    r"^[\s,]*(?:(?:and|or|vs|versus|but|either|also|maybe|even|both|a|an|the|some|nor|with|has|have|is|in|near|any|something|"
    r"anything|even better|possibly|perhaps|then|good|great|(?:kind|sort|type) of)[\s,]*)*$"
)
_TAKEN_UP = re.compile(  # what "or" begins once more: "about robots or about vision"
    r"\bor (?:(?:an?|on|about|covering|in|for|at|by|with|to|that|which|where|one|ones|is|are|does|do|has|have|courses?|"
    r"class(?:es)?|places?|somewhere|something) )+"
)
_PLURAL = re.compile(r"(?:\S+ ){1,3}?(?:restaurants|places|spots|joints|eateries)(?=\s|$)")
_AND_SO_ON = re.compile(r",? (?:, )?(?:or )?(?:whatever|etc|or so|or something|anything like that)\b")
_CLOSE = 24  # characters between two mentions that "or" may join


def assemble(board: Board, opposite: Callable[[str], str]) -> tuple[Node, ...]:
    """The conditions of a message, in its order. `opposite` gives the question for the opposite of an aspect."""
    mentions = sorted((m for m in board.mentions if m.kind == "node" and m.node is not None), key=lambda m: m.start)
    signs = _signs(board, mentions)
    mentions = [m for m in mentions if not (m.label == "dish" and signs[id(m)] and _diet(board, m))]
    mentions = [m for m in mentions if not (m.label == "kind" and signs[id(m)] and _sort_of(board, m, mentions))]
    sides = branches(board, mentions) or ()
    apart = {id(mention) for side in sides for mention in side}
    rest = [mention for mention in mentions if id(mention) not in apart]
    nodes = _nodes(board, rest, signs, opposite)
    if sides:
        words = board.words(sides[0][0].start, sides[1][-1].stop)
        parts = tuple(_together(_nodes(board, side, signs, opposite)) for side in sides)
        nodes = [Either(mode="any", parts=parts, words=words), *nodes]
    return tuple(_distinct(nodes))


def _nodes(board: Board, mentions: list[Mention], signs: dict[int, bool], opposite: Callable[[str], str]) -> list[Node]:
    """The conditions of mentions that hold together."""
    single = {mention.slot for mention in mentions if mention.single}
    nodes = [_joined(board, group, signs, opposite) for group in _groups(board, mentions, signs)]
    return _distinct(_alternatives(nodes, single))


def _together(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else Either(mode="all", parts=tuple(nodes))


def _alternatives(nodes: list[Node], single: set[str]) -> list[Node]:
    """The nodes with the values of a column that holds one value as alternatives, wherever they stand."""
    merged: dict[str, Condition] = {}
    kept: list[Node] = []
    for node in nodes:
        slot = f"{node.table}.{node.column}" if isinstance(node, Condition) and not node.negated else ""
        if not isinstance(node, Condition) or slot not in single or node.op != "=":
            kept.append(node)
        elif slot in merged:
            before = merged[slot]
            merged[slot] = before.model_copy(update={"values": tuple(dict.fromkeys((*before.values, *node.values)))})
            kept[kept.index(before)] = merged[slot]
        else:
            merged[slot] = node
            kept.append(node)
    return kept


def _diet(board: Board, mention: Mention) -> bool:
    """Whether a dish is what somebody does not eat, rather than what a place must not have."""
    return bool(
        re.search(
            r"(?<!\S)(?!that|which|places?|spots?|restaurants?)[a-z]+ (?:do|does|can|will) not (?:eat|like|touch)\b|"
            r"\b(?:i|we|he|she|they|who) (?:do|does|can|will) not have\b",
            board.before(mention.start, 8),
        )
    )


def _sort_of(board: Board, kind: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether what is denied is one sort of a kind, which is asked about: "not a dive bar" does not deny bars."""
    named = f" {board.norm[kind.start : kind.stop]}?"
    for other in mentions:
        leads = other.start < kind.start and other.stop + 1 >= kind.start
        if leads and isinstance(other.node, Asked):
            return other.label == "aspect" or other.node.question.endswith(named)
    return False


def _signs(board: Board, mentions: Sequence[Mention]) -> dict[int, bool]:
    """Whether each mention is negated, by identity; "no chinese or korean" negates both."""
    signs: dict[int, bool] = {}
    previous: Mention | None = None
    for mention in mentions:
        denied = negated(board, _phrase_start(board, mention)) != _denied_after(board, mention) or mention.unwanted
        coordinated = _coordinated(board, previous, mention, signs) and (not mention.fixed or _asks_yes(mention))
        signs[id(mention)] = mention.denied or coordinated or (not mention.fixed and denied)
        previous = mention
    return signs


def negated(board: Board, position: int) -> bool:
    """Whether a negation stands right before a position, in its clause."""
    before = re.split(r"(?:^|\s)[.;,!?](?=\s)", board.norm[:position])[-1]
    before = _DEGREE.sub("", before)
    if _ONLY.search(before):
        return False
    return _NEGATION.search(" " + before) is not None or _not_done(before)


def _not_done(before: str) -> bool:
    """Whether a clause says that somebody does not do something with what follows: "they do not <take> attendance"."""
    said = _NOT_DONE.search(before)
    return said is not None and english.base(said["verb"]) not in _NOT_UNWANTED and grammar.is_verb(said["verb"])


def _phrase_start(board: Board, mention: Mention) -> int:
    """Where the phrase begins that a thing ends: in "without pop <quizzes>" it is the quizzes that are denied."""
    before = _MODIFIED.search(board.norm[: mention.start])
    if mention.label != "aspect" or before is None or english.describes(board.norm[mention.start :].split()[0]):
        return mention.start
    plain = board.free(*before.span("how")) and english.content([before["how"]])
    return before.start("how") if plain else mention.start


def _denied_after(board: Board, mention: Mention) -> bool:
    """Whether what follows denies a mention: "attendance is not mandatory"."""
    denied = mention.label == "aspect" and DENIED.match(board.norm, mention.stop) is not None
    return denied or _COMPLAINED.match(board.norm, mention.stop) is not None


def _asks_yes(mention: Mention) -> bool:
    """Whether a mention is what was left over and has not been denied itself."""
    return mention.label == "wish" and isinstance(mention.node, Asked) and mention.node.expected == "Yes"


def _coordinated(board: Board, previous: Mention | None, mention: Mention, signs: dict[int, bool]) -> bool:
    if previous is None:
        return False
    between = board.norm[previous.stop : mention.start].strip()
    if previous.label == "wish" and isinstance(previous.node, Asked) and previous.node.expected == "No":
        return re.fullmatch(r"(?:, )?(?:or|nor)(?: any| the| a| an)?", between) is not None  # "without a book or exams"
    if not signs[id(previous)] or previous.slot != mention.slot:
        return False
    lists = previous.denied or _LISTING.search(board.before(previous.start)) is not None
    if not lists and not re.match(r"(?:, )?(?:or|nor)\b", between):
        return False  # "not loud, parking nearby" wants parking
    # "no exams and a project" wants the project; "no exams or a project" does not.
    return bool(re.fullmatch(r"(?:(?:or|nor|, or)(?: any| the| a| an)?|(?:,|and|, and)(?: any)?)", between))


def _groups(board: Board, mentions: Sequence[Mention], signs: dict[int, bool]) -> list[list[Mention]]:
    """Neighbours that "or", "and" or a comma join."""
    groups: list[list[Mention]] = []
    for at, mention in enumerate(mentions):
        if groups and (_belongs(board, groups[-1][-1], mention, signs) or _listed(board, mentions[at - 1 :], signs)):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _belongs(board: Board, left: Mention, right: Mention, signs: dict[int, bool]) -> bool:
    if signs[id(left)] != signs[id(right)]:
        return False
    between = _TAKEN_UP.sub("or ", board.norm[left.stop : right.start])
    joining = bool(_JOINING.match(between)) and len(between) <= _CLOSE
    if left.label == "kind" and re.search(r"\b(?:with|has|have)\b", between):
        return False  # "ethiopian or eritrean with vegetarian": what follows is wanted of either
    if left.slot == right.slot and left.label == "hours":
        return joining and bool(_OR.search(between))
    if left.slot == right.slot and left.label in ("kind", "scale", "place", "name", "dish", "value"):
        return joining
    # Different things are only alternatives where "or" says so: "dog friendly or with parking".
    return joining and bool(_OR.search(between)) and {left.label, right.label} <= {"aspect", "wish", "dish", "kind"}


def _listed(board: Board, mentions: Sequence[Mention], signs: dict[int, bool]) -> bool:
    """Whether the first two of the mentions, with a comma between, are of a list that "or" closes: "a, b or c"."""
    for left, right in pairwise(mentions):
        one, other = left.node, right.node
        if not (isinstance(one, Asked) and isinstance(other, Asked) and one.columns == other.columns):
            return False
        if signs[id(left)] != signs[id(right)]:
            return False
        between = board.norm[left.stop : right.start].strip()
        if between != ",":
            return bool(_OR.search(f" {between} ")) and left is not mentions[0] and _JOINING.match(between) is not None
    return False


def _joined(board: Board, group: list[Mention], signs: dict[int, bool], opposite: Callable[[str], str]) -> Node:
    first, last = group[0], group[-1]
    soft = _preferred(board, first, last)
    nodes = _distinct([_signed(mention, signs[id(mention)], opposite, soft=soft) for mention in group])
    if len(nodes) == 1:
        return nodes[0]
    between = " ".join(board.norm[a.stop : b.start] for a, b in pairwise(group))
    same = {(node.table, node.column, node.negated) for node in nodes if isinstance(node, Condition)}
    alternatives = bool(_OR.search(f" {between} ")) or first.label in ("scale", "place", "name") or first.single
    if first.slot.endswith(".days") and _slashed(board, group):
        alternatives = False  # "Tue/Thu" meets on both
    if first.label == "kind" and re.fullmatch(r"(?: ?, ?)+", between) and not _diets(nodes):
        alternatives = True  # "indian, nepalese": nobody cooks all of a list
    if first.label == "kind" and _PLURAL.match(board.norm, last.start) and not _diets(nodes):
        alternatives = "both" not in board.before(first.start, 1).split()  # "thai and indian places": of each some
    if _AND_SO_ON.match(board.norm, last.stop):
        alternatives = True  # "games, photos, art, whatever"
    if signs[id(first)]:
        alternatives = False  # neither of them
    if alternatives and len(same) == 1 and all(isinstance(node, Condition) for node in nodes):
        values = tuple(dict.fromkeys(v for node in nodes if isinstance(node, Condition) for v in node.values))
        head = nodes[0]
        assert isinstance(head, Condition)  # all of them are
        return head.model_copy(update={"values": values, "words": board.words(first.start, last.stop)})
    words = board.words(first.start, last.stop)
    return Either(mode="any" if alternatives else "all", parts=tuple(nodes), words=words, soft=soft)


def _diets(nodes: Sequence[Node]) -> bool:
    """Whether a diet is among kinds of food; it goes with any of them."""
    diets = set(load("food")["diets"]["words"])
    return any(isinstance(node, Condition) and diets & {str(value) for value in node.values} for node in nodes)


def _slashed(board: Board, group: list[Mention]) -> bool:
    tokens = board.text.tokens[board.text.token_at(group[0].start) : board.text.token_at(group[-1].stop - 1)]
    return any(token.raw == "/" for token in tokens)


def _preferred(board: Board, first: Mention, last: Mention) -> bool:
    """Whether a preference stands before ("ideally with a patio") or closes the clause ("seafood preferably")."""
    before = board.norm[max(0, first.start - 28) : first.start]
    after = re.split(r"\s[.,;!?](?=\s|$)", board.norm[last.stop : last.stop + 32])[0].strip()
    said = _SOFT.match(after)
    closing = said is not None and said.end() == len(after)
    return bool(_SOFT.search(before) and not _stops(board, first)) or closing


def _stops(board: Board, mention: Mention) -> bool:
    """Whether a clause ends between the mention and what stands before it."""
    return bool(re.search(r"[.;!?]\s*$", board.norm[: mention.start]))


def _signed(mention: Mention, negative: bool, opposite: Callable[[str], str], *, soft: bool) -> Node:
    node = mention.node
    assert node is not None  # assemble() keeps only mentions with one
    if soft:
        node = node.model_copy(update={"soft": True})
    if not negative:
        return node
    if isinstance(node, Asked):
        if mention.label == "dish":
            return node.model_copy(update={"negated": True})
        better = opposite(node.question)
        return node.model_copy(update={"question": better} if better else {"expected": "No"})
    return node.model_copy(update={"negated": True})


def _distinct(nodes: Sequence[Node]) -> list[Node]:
    """Each condition once, whatever words said it."""
    seen: set[str] = set()
    kept: list[Node] = []
    for node in nodes:
        key = node.model_copy(update={"words": "", "soft": False}).model_dump_json(
            exclude={"parts": {"__all__": {"words"}}, "also": {"__all__": {"words"}}}
        )
        if key not in seen:
            seen.add(key)
            kept.append(node)
    return kept
