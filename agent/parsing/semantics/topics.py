"""What a course is about: known subjects and their short forms, and the phrases they are part of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise, takewhile

from agent.catalogue.tables import Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.parsing.frame import Asked, Condition, Node
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text import grammar
from agent.text.frequencies import english_rank
from agent.text.letters import fold

_SUBJECT = re.compile(
    r"\b(?:about|on|in|covering|covers|teach(?:es)?(?: me)?|learn(?:ing)?(?: about)?|introduction to|intro to|studying|"
    r"into|related to|(?:deal(?:s|ing)?|do|does|doing) with)\b"
)
_TEACHING = (
    r"(?:teach|cover|introduce|use|involve|treat|deal with|build|make|design|write|create|program|develop|train|learn)"
)
_INTRODUCING = re.compile(
    r"(?:^|(?<=\s))(?:an? )?(?:intro|introduction|introductory|basics|basic)"
    r"(?: (?:courses?|class(?:es)?|to|of|in|on|about))* $"
)
_MADE = compiled(
    r"(?:(?:i|we|you|students) )?(?:do |does |can |could |will |would )?(?:(?:i|we|you|students|me|us) )*"
    r"(?:(?:get|gets|teach(?:es)?|learn(?:ing)?|want|wants|like|love|able|lets?|help|helps|show|shows)"
    r"(?: (?:me|you|us|students|people|how))* (?:to )?|how to )"
    r"(?P<what>(?:build|make|design|write|create|program|develop|code|train) (?:(?:a|an|my|your|our|their|some|the) )?"
    r"(?P<thing>(?!(?:a|an|the|it|that|this) |(?:courses?|class(?:es)?|seminars?|lectures?|projects?)\b)[a-z-]{3,}"
    r"(?: (?!(?:in|for|with|and|or|but|that|on|at|from)\b)[a-z-]{3,}){0,2}))"
    r"(?: in (?:any|a|some|one|which)(?: of (?:the|your))? (?:courses?|class(?:es)?))?"
)
_LEARNING = re.compile(
    r"^(?:to )?(?:(?:learn|study|understand|explore|get|know|read|hear|go|dive|teach)(?:s|ing)?"
    r"(?: (?:more|deep|deeper|into|about|me|us))* (?:to )?)?"
)
_MADE_IN = re.compile(
    r"(?:how to )?(?:build|make|design|write|create|program|develop|code|train)(?:ing)? "
    r"(?:(?:a|an|my|your|our|their|some|the) )?(?P<thing>(?!for |with |from |about )[a-z0-9-]{3,}(?: [a-z0-9-]{3,})?)"
)
_A_COURSE = re.compile(r"(?:an?|any|some) (?P<what>.+) (?:course|class)(?:es|s)?")
_HOW = re.compile(r"(?:how|what|why|when) ")  # "how compilers work" is no title
_FIELD = frozenset(load("words")["field"].split())  # "cloud computing", "web development": the field of a topic
_COMMON = 5_000  # words this frequent stand in titles
_TELLING = 5  # letters
_LONGEST = 4  # words that a title may have in common with a topic
_APART = frozenset(load("words")["apart"].split())  # words that end the phrase a subject is part of


def subjects(table: Table) -> dict[str, str]:
    """The subjects that a table's texts tell of, by all the words for them, folded."""
    return {fold(one): name for name, others in _named_subjects(table) for one in (name, *others)}


def _named_subjects(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    return [pair for column in table.columns if column.kind is Kind.FREE_TEXT for pair in column.value_words]


def _departments(codes: tuple[str, ...], table: Table) -> dict[str, str]:
    """The department of each subject that has one among the codes: "mathematics" is MATH."""
    prefixes = {code.split()[0] for code in codes}
    named: dict[str, str] = {}
    for name, others in _named_subjects(table):
        short = {prefix for prefix in prefixes if prefix.lower() not in english_rank()}  # DATA is no databases
        begun = {prefix for prefix in short if " " not in name and name.startswith(prefix.lower())}
        known = begun | {prefix for prefix in prefixes if prefix.lower() in others}
        named |= {name: max(known, key=len)} if known else {}
    return named


def _subject(words: str) -> str:
    """The words for what a course is about, without what only leads to them."""
    what = re.sub(r"^(?:about|on|learn|learning(?: about| to)?|covering) ", "", words)
    what = re.sub(r"^(?:introduction|intro|introductory (?:course|class)) (?:to|in|on) ", "introductory ", what)
    what = re.sub(rf"(?: (?:{'|'.join(english.generic())}))+$", "", what)
    while " " in what and what.split()[0] in english.filler():
        what = what.partition(" ")[2]
    return what


def _stem_of(said: str, subject: str) -> str:
    """What is `said` for a subject, as titles have it: they seldom say "computer" of graphics, and have "Networks"."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(said, subject.split()[-1], strict=False))
    common = "".join(letter for letter, _ in alike)
    if len(common) >= _TELLING:
        return common
    telling = _title_words(subject)  # "video games" are in titles with "game"
    return telling if telling != subject and said not in subject else said


def _title_words(words: str) -> str:
    """The words of a topic that tell it apart, which titles have: "web" of "web development"."""
    said = words.split()
    if len(said) > _LONGEST:
        return ""
    while len(said) > 1 and said[-1] in _FIELD:
        said.pop()
    within_others = (
        len(said) == 1
        and len(words) <= 3
        and any(words in word[1:] for word, rank in english_rank().items() if rank < _COMMON)
    )
    return "" if within_others else " ".join(said)  # "art" is in "start" and "particular"


def _pairs(title: str) -> list[str]:
    """Two words of a title that stand side by side and both say something: "search engines"."""
    said = [fold(word) for word in re.findall(r"[A-Za-z-]+|[^A-Za-z -]", title)]
    plain = {"in", "of", "for", "on", "to", "the", "a", "an", "and", "from", "with", "why", "they", "how", "their"}
    return [
        f"{one} {two}"
        for one, two in pairwise(said)
        if one.isalpha() and two.isalpha() and not {one, two} & (plain | english.generic())
    ]


def areas_of(columns: Iterable[tuple[Table, Column]], memory: ValueMemory, lexicon: str) -> dict[str, Condition]:
    """The conditions of belonging to an area of study, by its name and what else it is called: "systems"."""
    named = {
        fold(value.replace("_", " ")): Condition(table=table.name, column=column.name, values=(value,))
        for table, column in columns
        if not column.many and "requirement" in column.name
        for value in memory.of(table.name, column.name)
    }
    others = load(lexicon).get("areas", {})
    return named | {one: named[name] for name, called in others.items() if name in named for one in called}


class TopicFinder:
    """Puts subjects as questions to the column that describes the rows."""

    def __init__(
        self,
        profile: Profile,
        column: str,
        codes: tuple[str, ...],
        titles: tuple[str, ...],
        attributes: frozenset[str] = frozenset(),
        areas: Mapping[str, Condition] | None = None,
    ) -> None:
        """`codes` are the values of the `column` of codes ("MATH 53"), `attributes` words for columns ("units").

        `areas` are the conditions of belonging to an area of study, by its name.
        """
        self._attributes = attributes
        self._areas = areas or {}
        self.profile = profile
        self._codes = column
        self._subjects = {pair: pair for title in titles for pair in _pairs(title)} | subjects(profile.table)
        self._own = self._everywhere(codes)
        self._departments = _departments(codes, profile.table)
        self._prefixes = {code.split()[0].lower(): code.split()[0] for code in codes} | {
            name: self._departments[subject] for name, subject in self._subjects.items() if subject in self._departments
        }
        listed = "|".join(map(re.escape, sorted(self._prefixes, key=len, reverse=True)))
        self._cross_listed = compiled(
            r"(?:(?:that|which) (?:is|are) )?(?:also )?cross ?listed (?:with|in|as|under|at|by|to) (?:the )?"
            rf"(?:(?P<first>{listed})(?: (?:or|and) (?P<second>{listed}))?|(?P<code>[a-z]{{2,10}}))(?: departments?)?"
        )
        names = "|".join(map(re.escape, sorted(self._subjects, key=len, reverse=True)))
        self._subject = compiled(rf"(?P<subject>{names})")
        noun = profile.noun
        self._teaches = re.compile(
            rf"(?:does this {noun}|do students)(?: {_TEACHING}) (?P<what>.+?)(?: in this {noun})?\?"
        )
        self._has = re.compile(
            rf"(?:does this {noun} have|is this {noun}(?: good for| a good place to)?) (?:an? )?(?P<what>.+)\?"
        )

    def words(self) -> list[str]:
        """The subjects, for the speller."""
        return list(self._subjects)

    def _everywhere(self, codes: tuple[str, ...]) -> str:
        """The subject that nearly everything belongs to, and which therefore tells nothing apart."""
        departments = [code.split()[0].lower() for code in codes]
        top = max(set(departments), key=departments.count, default="")
        return self._subjects.get(top, "") if departments.count(top) > len(departments) / 2 else ""

    def __call__(self, board: Board) -> None:
        """Known subjects, what is made, and for whom it is meant, as questions to the description."""
        for match in board.find(self._cross_listed):
            self._add_listed(board, match)
        for match in board.find(_MADE):
            if match["thing"] in self._subjects:
                continue  # "how to build web sites" is about web development
            made = board.norm[match.start("what") : match.end("what")]
            self._add(board, match.span(), f"do students {made} in this {self.profile.noun}?", titled=match["thing"])
        for match in board.find(self._subject):
            subject = self._subjects[match["subject"]]
            if subject == self._own:
                board.claim(*match.span())
                continue
            longer = self._noun_phrase(board, *match.span())
            said = board.norm[slice(*longer)]
            short = len(match["subject"]) <= 5 and match["subject"] != "systems"
            words = (
                subject
                if longer == match.span()
                else re.sub(rf"\b{re.escape(match['subject'])}\b", subject, said)
                if short
                else said
            )
            titled = words if short else _stem_of(said, subject)
            first = _INTRODUCING.search(board.norm[: longer[0]])
            if first is not None and board.free(first.start(), longer[0]):
                self._add_topic(board, (first.start(), longer[1]), f"introductory {words}", titled=titled)
            else:
                self._add_topic(board, longer, words, titled=titled)
                node = self._or_coded(board.mentions[-1].node, words)
                board.mentions[-1].node = self._or_in_area(node, said)

    def own(self, board: Board) -> tuple[Node, ...]:
        """The numbers of the department that nearly everything is of, for a message that says nothing else."""
        said = [m for m in self._subject.finditer(board.norm) if self._subjects[m["subject"]] == self._own]
        coded = [match for match in said if match["subject"] in self._prefixes]
        if not coded:
            return ()
        pattern, words = f"{self._prefixes[coded[0]['subject']]} %", board.words(*coded[0].span())
        name = self.profile.table.name
        return (Condition(table=name, column=self._codes, op="like", values=(pattern,), words=words),)

    def _add_listed(self, board: Board, match: re.Match[str]) -> None:
        """ "Cross-listed with EE" is having a number there, whatever a course is about."""
        if match["code"] and not board.words(*match.span("code")).isupper():
            return
        names = (self._prefixes.get(name, name.upper()) for name in match.groups() if name)
        patterns = tuple(f"{name} %" for name in names)
        table, words = self.profile.table.name, board.words(*match.span())
        node = Condition(table=table, column=self._codes, op="like", values=patterns, words=words)
        board.add(Mention(*match.span(), "node", f"{table}.{self._codes}", node, label="value"))

    def _or_coded(self, node: Node | None, subject: str) -> Node | None:
        """A question about a whole subject, which also holds of what has a number of its department."""
        department = self._departments.get(subject)
        if department is None or not isinstance(node, Asked):
            return node
        table, patterns = self.profile.table.name, (f"{department} %",)
        coded = Condition(table=table, column=self._codes, op="like", values=patterns, words=node.words)
        return node.model_copy(update={"also": (coded,)})

    def _or_in_area(self, node: Node | None, said: str) -> Node | None:
        """A question about a whole subject, which also holds of what belongs to the area that is called so."""
        area = self._areas.get(said)
        if area is None or not isinstance(node, Asked):
            return node
        return node.model_copy(update={"also": (*node.also, area.model_copy(update={"words": node.words}))})

    def _noun_phrase(self, board: Board, start: int, stop: int) -> tuple[int, int]:
        """The phrase a subject is part of: "first-year Japanese", "ethics of artificial intelligence"."""
        words = list(re.finditer(r"\S+", board.norm))
        first = next(i for i, m in enumerate(words) if m.start() == start)
        last = next(i for i, m in enumerate(words) if m.end() == stop)
        while (
            first > 0
            and self._describing(board, words[first - 1])
            and not _INTRODUCING.search(board.norm[: words[first].start()])
        ):
            first -= 1
        while last + 1 < len(words) and self._describing(board, words[last + 1]):
            last += 1
        return words[first].start(), words[last].end()

    def _describing(self, board: Board, word: re.Match[str]) -> bool:
        text = word.group()
        plain = text not in english.filler() and text not in english.generic() and text.isalpha() and len(text) > 2
        return plain and not board.taken(word.start()) and text not in _APART

    def _add_topic(self, board: Board, span: tuple[int, int], words: str, *, titled: str) -> None:
        self._add(board, span, f"is this {self.profile.noun} about {words}?", titled=titled)

    def _add(self, board: Board, span: tuple[int, int], question: str, *, titled: str = "") -> None:
        if self.profile.subject is None:
            return
        table, column = self.profile.subject
        titled = _title_words(titled)
        node = Asked(table=table, columns=(column,), question=question, titled=titled, words=board.words(*span))
        board.add(Mention(*span, "node", f"{table}.{column}?", node, label="aspect"))

    def about(self, board: Board, span: tuple[int, int]) -> None:
        """What stands there as the subject matter that a message wants, whatever was recognised inside it."""
        words = _LEARNING.sub("", board.norm[slice(*span)])
        made = _MADE_IN.match(words)
        if made is not None and made["thing"] in self._subjects:
            words, made = made["thing"], None  # "how to build web sites"
        asked = _HOW.match(words)
        what = words if made or asked else _subject(words)
        named = (
            " " not in what and what not in english.filler() and not grammar.is_only_verb(what)
        )  # "sound" is a thing
        if not (named or set(english.content(what.split())) - english.verbs()) or self._subjects.get(what) == self._own:
            return
        board.mentions[:] = [m for m in board.mentions if m.stop <= span[0] or m.start >= span[1]]
        noun = self.profile.noun
        subject = self._subjects.get(what, what)
        question = f"do students {what} in this {noun}?" if made else f"is this {noun} about {subject}?"
        titled = made["thing"] if made else "" if asked else _stem_of(what, subject) if subject != what else what
        self._add(board, span, question, titled=_title_words(titled))
        board.mentions[-1].node = self._or_in_area(board.mentions[-1].node, board.norm[slice(*span)])

    def retarget(self, board: Board) -> None:
        """What a course teaches is read in its description, whatever else is wished of it in what students say."""
        if self.profile.subject is None:
            return
        table, column = self.profile.subject
        for mention in board.mentions:
            node = mention.node
            if mention.label != "wish" or not isinstance(node, Asked):
                continue
            teaches = self._teaches.fullmatch(node.question)
            about = self._has.fullmatch(node.question)
            what = teaches["what"] if teaches else about["what"] if about else ""
            if about and set(what.split()) <= self._attributes:
                mention.node = None  # "does it have a prerequisite"
            elif teaches or (about and node.expected == "No" and _SUBJECT.search(board.before(mention.start, 3))):
                course = _A_COURSE.fullmatch(what)  # "does she teach <a security course>"
                what = course["what"] if course else what
                own = teaches and not course
                question = node.question if own else f"is this {self.profile.noun} about {_subject(what)}?"
                mention.node = node.model_copy(
                    update={"table": table, "columns": (column,), "question": question, "titled": _title_words(what)}
                )
