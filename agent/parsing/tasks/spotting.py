"""Which task a message begins: from the titles, verbs, choices and descriptions of the worksheets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.language import ChatKind
from agent.parsing.dialogue.chitchat import chat_kind
from agent.parsing.dialogue.excluding import rows_left_out
from agent.parsing.semantics import english
from agent.parsing.tasks.gates import implied
from agent.parsing.tasks.message import TOLD, Form, Message, Sentence
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers.choices import affirmed, written
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.similarity import Closeness, Meaning, beside, meanings, shared, spoken, telling
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.text.frequencies import english_rank
from agent.text.readers.reading import Reading
from agent.worksheets.entailment import is_router
from agent.worksheets.specification import Specification, Worksheet, WorksheetKind

_REQUEST = compiled(r"^\W*(?:(?:{filler}|{request}|and|also|but)[\s,]+)*")
_PERSONAL = compiled(r"\b(?:i|i'm|i've|i'd|my|mine|me|we|our|us|we're|we'd)\b")
_ANOTHER = compiled(r"\b(?:{another})\b")
_BEGINS = compiled(r"\b(?:open|start|begin|create|make|file|need|want|have|get|new)\b")
_MAY_I = compiled(
    r"^\W*(?:(?:{filler})[\s,]+)*(?:can|could|may|might|will|would|shall) (?:i|we)\b"
)  # asks whether one may
_ASKS_WITHIN = compiled(
    r"\b(?:how (?:many|much|long|often|do|can|should)|what (?:do|can|should|if|happens)|"
    r"(?:do|does|will|would|can|is) (?:that|this|it|they) [a-z]+)\b"
)
_BEFORE_A_VERB = compiled(
    r"(?:^|[,;:(]|\b(?:to|and|then|or|please|you|i|we|me|us|just|also|now|still|rather|help|let's|must|should|can|could|"
    r"would|will|gonna|wanna|gotta|'ll|try|tried|trying))\s*$"
)
_DID = re.compile(
    r"\b(?:i|we|(?:my|our) [a-z]+)(?:'ve| have| had|'d)? "
    r"(?:(?:just|only|also|already|finally|recently|never|once|all) )*$|"
    r"(?:^|[,.!;:-])\W*(?:(?:and|so|but|well|ok|hi|hey) )*(?:(?:just|only|finally|recently|newly) )+$"
)
_UNWANTED = re.compile(  # "no ticket", "I don't want to book a table"
    r"(?<!why )\b(?:no|not|never|don'?t)(?: (?:really|want|need|wish|like|have))*"
    r"(?: (?:an?|the|any|to|another|more|my))* $"
)
_PURPOSE = re.compile(  # what something else is for: "give me the number so I can book"
    r"\b(?:so(?: that)?|in case|before|once|when|after) (?:i|we)"
    r"(?:'d| can| could| may| might| decide to| want to| do)* $"
)
_DESCRIBED = re.compile(  # what a row has: "a place with tables outside"
    r"\b(?:with|has|that have|which have) (?:(?:an?|some|any|the|many|big|large|small|nice|free|outdoor|outside|"
    r"private|communal|shared|quiet|round|long) )*$"
)
_NOUN = compiled(r"\b(?:my|the|our|a|an|that|this|another|your|his|her) $")
_EXACT, _RELATED, _TITLE, _WORD = 2.0, 1.2, 1.0, 0.3  # what a verb, one of its family, a title, each word counts for
_WEAKLY, _PLAIN = 1.2, 250  # what a plain word counts for, and the rank in English above which it is plain
_HEAD = 0.4  # the verb stands where an order has it: "cancel my booking" is no booking
_SURE, _WITH_VALUES = 2.0, 1.2
_BRANCH, _BRANCH_MARGIN = 0.5, 0.15
_SEVERAL, _SPELT, _CLEARLY = 2, 0.9, 0.75  # choices that bear each other out; what one alone has to come to
_SPELT_OUT = 2.0  # a choice of several words as it is written: what only sounds like others gives way
_MEETING = {Shape.DATE, Shape.TIME, Shape.PEOPLE}  # "dinner for two tomorrow at 8" wants a table, said or not
_WHEN = {Shape.DATE, Shape.TIME}  # told with anything: "I need it today"
_TELLS = (None, ChatKind.CAPABILITIES)
_ALIKE = 0.5  # cosine to what the worksheet is for, beside values for its fields


@dataclass(frozen=True, slots=True)
class Branch:
    """A choice that opens worksheets inside a task: "Drop a Course" of ChangeCourse."""

    place: Place
    value: str
    strength: float
    specification: Specification


@dataclass
class Spotted:
    """A task that a sentence begins. `branches` are choices it makes; `claims` the words that name the task.
    `suggested`: a problem was told that the task may be for, and nothing was asked for."""

    worksheet: Worksheet
    strength: float
    sentence: Sentence
    another: bool = False
    suggested: bool = False
    branches: list[Branch] = field(default_factory=list)
    claims: list[tuple[int, int]] = field(default_factory=list)


class Spotter:
    """Finds the tasks that a message begins. `evidence` below counts the values it has for a worksheet's fields."""

    def __init__(self, closeness: Closeness) -> None:
        self._closeness = closeness

    def spot(self, workspace: Workspace, message: Message, evidence: dict[str, set[Shape]]) -> list[Spotted]:
        """The tasks of a message, at most one a sentence, in its order."""
        found = []
        for sentence in message.sentences:
            asks = sentence.form is Form.QUESTION and searches(workspace.specification)
            if not asks and (spotted := self._best(workspace, message, sentence, evidence)):
                found.append(spotted)
        return found

    def named(self, workspace: Workspace, words: str) -> list[Worksheet]:
        """The tasks that some words name ("the ticket"); several where they name several as well."""
        tasks = startable(workspace.specification)
        scores = [max(shared(words, task.title), *(shared(words, phrase) for phrase in _names(task))) for task in tasks]
        ranked = sorted(zip(scores, range(len(tasks)), strict=True), key=lambda pair: (-pair[0], pair[1]))
        return [tasks[index] for score, index in ranked if score >= max(0.5, ranked[0][0])]

    def _best(
        self, workspace: Workspace, message: Message, sentence: Sentence, evidence: dict[str, set[Shape]]
    ) -> Spotted | None:
        low = message.low[sentence.start : sentence.stop]
        found = [
            spotted
            for task in startable(workspace.specification)
            if (spotted := self._weigh(workspace, message, sentence, task, evidence.get(task.name, set())))
        ]
        best = max(found, key=lambda item: item.strength, default=None)
        if best is None and (only := self._only_task(workspace, low)) is not None:
            best = Spotted(only, _SURE, sentence)
        if best is not None:
            best.another = bool(_ANOTHER.search(low))
        return best

    @staticmethod
    def _only_task(workspace: Workspace, low: str) -> Worksheet | None:
        """What an assistant is for that does nothing else, and answers no questions: whoever tells it something that
        is no courtesy begins it."""
        if searches(workspace.specification) or workspace.state.instances or chat_kind(low) not in _TELLS:
            return None
        return next(iter(startable(workspace.specification)), None)

    def _weigh(
        self, workspace: Workspace, message: Message, sentence: Sentence, task: Worksheet, given: set[Shape]
    ) -> Spotted | None:
        low = message.low[sentence.start : sentence.stop]
        things = _own_things(workspace.specification, task)
        strength, whole, words = _wording(low, task, things)
        before = low[: words[0].start] if words else ""
        if _UNWANTED.search(before) or _PURPOSE.search(before):
            return None
        if words and searches(workspace.specification) and _DESCRIBED.search(before):
            return None
        if words and self._leaves_out_rows(workspace, low, words[0]):
            return None
        said_so = [item.span() for item in _ANOTHER.finditer(low)] + [(item.start, item.stop) for item in words]
        unread = message.rest(sentence.start, sentence.stop).lower()
        branches = self._branches(workspace, unread, _without(unread, said_so), task)
        best = max((branch.strength for branch in branches), default=0.0)
        requests = bool(said("request", low))
        personal = requests or bool(_PERSONAL.search(low))
        may = bool(_MAY_I.match(low))
        orders = sentence.form is Form.STATEMENT and bool(words) and words[0].start == _lead(low)[1]
        weak = strength == _WEAKLY * len(words) or (may and not whole and strength < _EXACT)
        asked_for = (
            (strength >= _SURE + _WORD and not weak)
            or (strength >= _WITH_VALUES and bool(given) and not (weak and (may or not (requests or orders))))
            or (strength >= _EXACT and not weak and len(low.split()) <= 6)
            or (whole and (requests or bool(_BEGINS.search(low)) or len(low.split()) <= 3))
            or (given >= _MEETING and not things and self._alike(low, task, _ALIKE - 0.2))
            or (not searches(workspace.specification) and personal and self._alike(low, task, _ALIKE - 0.05))
        )
        asked_for = asked_for and (requests or not all(_tells_past(low, one) for one in words) or not words)
        asks_beside = searches(workspace.specification) and _asks(message)
        told = best >= _BRANCH and (personal or best >= 0.75) and not may and not asks_beside
        if not asked_for and not told:
            return None
        vague = not requests or best < _SPELT
        suggested = not asked_for and vague and given <= _WHEN and len(branches) < _SEVERAL
        if suggested or asked_for:
            least = _SPELT if suggested else _CLEARLY
            branches = branches if len(branches) >= _SEVERAL else [one for one in branches if one.strength >= least]
        claims = [_lead(low)] + [(item.start, item.stop) for item in words]
        shifted = [(sentence.start + start, sentence.start + stop) for start, stop in claims if stop > start]
        suggested = suggested and searches(workspace.specification)
        weight = strength + best + 0.1 * len(given)
        return Spotted(task, weight, sentence, suggested=suggested, branches=branches, claims=shifted)

    @staticmethod
    def _leaves_out_rows(workspace: Workspace, low: str, verb: Meaning) -> bool:
        """ "Drop the ones with an exam" narrows a search; "drop CS 9" and "drop my class" do not."""
        left_out = rows_left_out(low) if searches(workspace.specification) else None
        return left_out is not None and left_out.start() <= verb.start < left_out.start("what")

    def _alike(self, low: str, task: Worksheet, least: float) -> bool:
        return max(self._closeness.between(low, [task.description, f"{task.verb} a {task.title}"])) >= least

    def _branches(self, workspace: Workspace, low: str, rest: str, task: Worksheet) -> list[Branch]:
        """The choices that open something inside the task, and that the words make: as they are written, or by what
        the `rest` of the words means that does not name the task."""
        sheet = Workspace(workspace.specification, workspace.state, workspace.now).new_root(task)
        gates = _gates(workspace.specification, sheet)
        low, rest = affirmed(low), affirmed(rest)
        found = []
        for one in sheet.tree():
            for declared in one.worksheet.fields:
                place = workspace.place(one, declared.name)
                if place is None or place.shape is not Shape.CHOICE or not gates:
                    continue
                branch = self._branch(workspace, low, rest, place, (one.worksheet.name, declared.name) in gates)
                if branch is not None:
                    found.append(branch)
        return _consistent(sorted(found, key=lambda item: -item.strength))

    def _branch(self, workspace: Workspace, low: str, rest: str, place: Place, gate: bool) -> Branch | None:
        options = place.field.enum_values
        exact = written(low, options)
        if exact:
            first = exact[0]
            phrase = first.strength == 1 and " " in low[first.start : first.stop].strip()
            strength = _SPELT_OUT if phrase else 0.9 if first.strength < 1 else 1.0
            return Branch(place, first.value, strength, workspace.specification)
        opened = [_opened_by(workspace.specification, place, option.value) for option in options] if gate else []
        context = f"{workspace.specification.title} {place.sheet.context} {place.field.predicate}"
        low = beside(rest, f"{workspace.specification.title} {place.sheet.context}")
        scores = telling(low, [option.value for option in options], context)
        for texts in ([option.description for option in options], opened):
            if texts:
                more = telling(low, texts, context)
                scores = [max(score, 0.9 * other) for score, other in zip(scores, more, strict=True)]
        order = sorted(range(len(options)), key=lambda index: -scores[index])
        second = scores[order[1]] if len(order) > 1 else 0.0
        best = order[0]
        if scores[best] >= _BRANCH and scores[best] - second >= _BRANCH_MARGIN:
            return Branch(place, options[best].value, scores[best], workspace.specification)
        return None


def _tells_past(low: str, word: Meaning) -> bool:
    """Whether a word that names a task tells what somebody did: "we just moved here" moves no booking."""
    verb, before = low[word.start : word.stop], low[: word.start]
    past = (verb.endswith("ed") and not verb.endswith("eed")) or verb in english.past()
    return past and (not before.strip() or _DID.search(before) is not None)  # "uploaded it yesterday"


def _asks(message: Message) -> bool:
    """Whether the message wants to know something, or whether one may: anywhere in it."""
    asked = (message.low[one.start : one.stop] for one in message.of(Form.REQUEST))
    marked = message.low.rstrip().endswith("?")
    asks = message.of(Form.QUESTION) or _ASKS_WITHIN.search(message.low) or any(map(_MAY_I.match, asked))
    return bool(asks) or (marked and not message.of(Form.REQUEST))


def startable(specification: Specification) -> tuple[Worksheet, ...]:
    """The tasks people can begin by themselves: neither routers nor worksheets that only actions propose."""
    return tuple(
        task
        for task in specification.roots
        if not is_router(specification, task) and (task.verb or (task.title and not _is_proposed(task, specification)))
    )


def _is_proposed(task: Worksheet, specification: Specification) -> bool:
    """Whether an action begins the task."""
    actions = [one.actions for one in specification.worksheets]
    actions += [field.actions for one in specification.worksheets for field in one.fields]
    return any(re.search(rf"\bpropose\({task.name}\b", text) for text in actions)


def ordered(message: Message, task: Worksheet) -> bool:
    """Whether a message says to do a task ("book …"): not where it only tells what the task is about ("a table")."""
    wanted = meanings(task.verb)
    for sentence in message.of(*TOLD):
        low = message.low[sentence.start : sentence.stop]
        for item in spoken(low):
            does = said("doing", low[item.start : item.stop]) is not None
            if _is_verb(low, item) and any(item.names & one and (does or _stems(item.names & one)) for one in wanted):
                return True
    return False


def titles(message: Message, task: Worksheet) -> list[Reading]:
    """The words of a message that the title of a task has: "reservation", which describes nothing that is searched.

    Of several of them something is said that is: "handles large reservations well".
    """
    wanted = [_stems(names) for names in meanings(task.title)]
    one_of = [item for item in spoken(message.low) if not _several(message.low[item.start : item.stop], task.title)]
    said_so = [item for item in one_of if any(_stems(item.names) & one for one in wanted)]
    return [Reading(message.words(item.start, item.stop), item.start, item.stop) for item in said_so]


def _several(word: str, title: str) -> bool:
    """Whether a word is a plural that a title does not have."""
    return word.endswith("s") and not word.endswith("ss") and word not in title.lower()


def searches(specification: Specification) -> bool:
    """Whether there is anything to be asked besides tasks: a question is then a question, not a request."""
    return any(worksheet.kind is WorksheetKind.KNOWLEDGE for worksheet in specification.worksheets)


def _own_things(specification: Specification, task: Worksheet) -> str:
    """What the things are called that somebody has and a task is done to: no rows of a table ("my reservation")."""
    nested = [(one, specification.by_name.get(one.type.name)) for one in task.fields if one.required]
    kinds = [(one, kind) for one, kind in nested if kind is not None and kind.kind is WorksheetKind.TYPE]
    return " ".join(f"{one.label} {kind.title}" for one, kind in kinds if not kind.table)


def _wording(low: str, task: Worksheet, things: str) -> tuple[float, bool, list[Meaning]]:
    """How strongly a sentence names a task, whether it has all of its title, and the words that do. `things` are what
    it is done to: whoever speaks of one's own beside a verb of its family means the task."""
    verb, title = meanings(task.verb), meanings(task.title)
    words = spoken(low)
    hits = [item for item in words if any(item.names & wanted for wanted in (*verb, *title))]
    if not hits:
        return 0.0, False, []
    related = [item for item in hits if _is_verb(low, item) and any(item.names & wanted for wanted in verb)]
    if all(_is_weak(item, verb) for item in hits):
        return _WEAKLY * len(hits), False, hits
    exact = any(_stems(item.names) & _stems(wanted) for item in related for wanted in verb)
    covered = [wanted for wanted in title if any(item.names & wanted for item in hits)]
    strength = (_EXACT if exact else _RELATED if related else 0.0) + _WORD * len(hits)
    strength += _TITLE * len(covered) / len(title) if title else 0.0
    if related and not covered and _PERSONAL.search(low) and shared(low, things):
        strength += _TITLE
    head = next((item for item in words if item.start >= _lead(low)[1]), None)
    strength += _HEAD if head is not None and head in related else 0.0
    return strength, bool(title) and len(covered) == len(title), hits


def _without(low: str, places: list[tuple[int, int]]) -> str:
    """A sentence less the words that name the task: "another ticket" is about no other issue."""
    for start, stop in places:
        low = low[:start] + " " * (stop - start) + low[stop:]
    return low


def _is_weak(item: Meaning, verb: tuple[frozenset[str], ...]) -> bool:
    """A word like "take" or "get", which means a task only beside a value for one of its fields."""
    stems = _stems(item.names)
    if any(stems & _stems(wanted) for wanted in verb):
        return False
    return all(" " not in name and english_rank().get(name, 10**6) < _PLAIN for name in stems)


def _is_verb(low: str, item: Meaning) -> bool:
    """ "my booking" is a thing, no booking; nor does a place book that "takes bookings"."""
    before = low[: item.start]
    return _NOUN.search(before) is None and (item.start <= _lead(low)[1] or bool(_BEFORE_A_VERB.search(before)))


def _stems(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if not name.startswith("~"))


def _names(task: Worksheet) -> tuple[str, ...]:
    return (task.title, f"{task.verb} {task.title}", " ".join(task.variable.split("_")))


def _lead(low: str) -> tuple[int, int]:
    match = _REQUEST.match(low)
    return match.span() if match else (0, 0)


def _gates(specification: Specification, sheet: Sheet) -> set[tuple[str, str]]:
    """The (worksheet, field) pairs whose values open nested worksheets of a sheet."""
    return {
        (item.worksheet, item.field)
        for child in sheet.tree()
        if child.parent is not None and child.held_by is not None
        for item in implied(specification, child.parent.worksheet.name, child.held_by.predicate)
        if isinstance(item.value, str)
    }


def _opened_by(specification: Specification, place: Place, value: str) -> str:
    """What the nested worksheet that a choice opens is called."""
    for child in place.sheet.children:
        if child.held_by is not None:
            wanted = implied(specification, place.sheet.worksheet.name, child.held_by.predicate)
            if any(item.field == place.field.name and item.value == value for item in wanted):
                return f"{child.worksheet.title} {child.worksheet.description}"
    return value


def _consistent(branches: list[Branch]) -> list[Branch]:
    """Of all ways through the worksheets, the choices of the one that the words speak for most."""
    best: list[Branch] = []
    for seed in branches:
        kept = [seed]
        for branch in branches:
            if branch is not seed and all(_together(branch, other) for other in kept):
                kept.append(branch)
        if sum(branch.strength for branch in kept) > sum(branch.strength for branch in best):
            best = kept
    return best


def _together(branch: Branch, other: Branch) -> bool:
    """Whether two choices can both be made: neither closes what the other is about."""
    wanted = _wanted(other)
    return all(wanted.get(key, value) == value for key, value in _wanted(branch).items())


def _wanted(branch: Branch) -> dict[tuple[str, str], object]:
    """The values that a choice says, its own and those that open the way to it."""
    specification, sheet = branch.specification, branch.place.sheet
    items = [*implied(specification, sheet.worksheet.name, branch.place.field.predicate)]
    for one in sheet.path:
        if one.parent is not None and one.held_by is not None:
            items += implied(specification, one.parent.worksheet.name, one.held_by.predicate)
    known = {(item.worksheet, item.field): item.value for item in items}
    return {**known, (sheet.worksheet.name, branch.place.field.name): branch.value}
