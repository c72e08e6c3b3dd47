"""What is asked about things that are named: columns, what they are about, what people say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.catalogue.tables import Kind, Table
from agent.parsing.frame import Asked, Condition, Node, Projection, leaves
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics import english
from agent.parsing.semantics.aspects import AspectFinder
from agent.parsing.semantics.intents import IntentFinder, is_judged
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.second_question import Comparison, beside_columns, comparison, unread
from agent.parsing.semantics.workspace import Board, Mention

_YES_NO = re.compile(r"(?:is|are|does|do|has|can|could|may|will|would|should)\b")


OPINION = re.compile(
    r"\b(students|reviews|reviewers|people|everyone|everybody|anyone|they) (?:\w+ )?"
    r"(say|saying|think|describe|described|complain|complained|like|liked|love|loved|hate|hated|dislike|disliked|feel|felt|mention|praise|praised)|"
    r"\b(?:get|gets|got|been|being) (?:called|described|criticized|criticised|praised)\b|"
    r"\b(?:any|the|main|common|biggest) (?:complaints?|criticisms?|downsides?|drawbacks?)\b"
)
_ABOUT = frozenset({"about", "whats", "description", "describe", "summary", "summarize", "overview", "info", "details"})


_WHAT_LIKE = re.compile(  # asks for all that is said of it
    r"(?:(?:so|and|ok|but),? )*what(?:(?:['’]?s| is| are| was) (?:(?:it|this (?:course|class)) )?like|"
    r" (?:do|did) (?:people|students|reviewers|others|they) (?:say|think) (?:of|about) "
    r"(?:it|this (?:course|class)))|how(?:['’]?s| is| was) (?:it|this (?:course|class))",
    re.IGNORECASE,
)
_COMPLAINTS = re.compile(r"\b(?:complaints|criticisms|downsides|upsides|drawbacks|opinions)\b")
_COMPARES = re.compile(r"\b(?:compare|comparison|vs|versus)\b")
_OF_EFFORT = re.compile(
    r"^is this (?:course|class) (?:really |very |so |too |that |pretty )*(?:hard|difficult|easy|tough|challenging|"
    r"demanding|manageable|stressful|relaxed|relaxing|chill|time[- ]consuming|a lot of work|"
    r"much work|intense|brutal|light|heavy)\b"
)
_OF_LOAD = re.compile(r"^is the workload of this (?:course|class) ")
_OF_WORTH = re.compile(r"^is this (?:course|class) (?:(?:any|really|actually) )*(?:good|bad)\b")
_ANY_GOOD = re.compile(  # whether it is good by and large
    r"is (?:this (?:course|class)|it) (?:(?:any|really|actually) )*(?:good|worth (?:it|taking)|worthwhile)\?"
)
_NEEDED_BEFORE = (
    r"\b(prerequisites?|(?:need|require)s? (?:any|another|other|some|a) (?:other )?(?:class|course)(?:es|s)? "
    r"(?:first|before(?:hand)?)|(?:need|take|have|know|do|done|required|what) "
    r"(?:to (?:take|do|know|have)(?: taken| done| had)? )?before|"
    r"(?:can|could|may) (?:i|we) (?:take|do|get into)(?= .*\bif\b)|"
    r"(?:need|have|want) to (?:take|have taken|do|have done) first|"
    r"(?:take|do|taken|done|need|have) (?:\w+ ){1,3}before (?:the other|another|it))\b"
)
_WEEKLY = (  # "how long does X take a week"
    r"\bhow (?:long|much(?: (?:of (?:my|your|our|the) )?time)?)"
    r"(?= (?:do|does|did|will|would) .*\b(?:takes?|needs?|requires?|costs?)\b.* (?:(?:a|per|each|every) week|weekly)\b)"
)
_SEATS_LEFT = (
    r"\bany (?:room|space|seats|spots|places)(?: left| open| free)?(?= (?:in|for|left|with)\b)|"
    r"\b(?:is|are) (?:there )?(?:any |still |much |more )*(?:room|space|seats|spots|places)(?: left| open| free)?"
    r"(?= (?:in|for|left|with)\b)|"
    r"\b(?:has|have|with) (?:any |still |some |enough )*(?:room|space|seats|spots)(?: left| open| free)?"
    r"(?= (?:for|in|left)\b|\W*$)|"
    r"\bhow much (?:room|space)\b|\b(?:still|any|enough) (?:room|space|seats|spots|places)\b|"
    r"\b(?:room|space) (?:that |which |is |still )*(?:left|available|remaining)\b"
)
_ROOM = (  # the place, not what is left in it
    r"\b(where(?! (?:people|students|reviewers|they|you|i|we|the|no|nobody|one)\b)|"
    r"(?<!still )(?<!any )(?<!enough )(?<!more )room|building)\b"
)
_THAN_ITSELF = re.compile(r"\bthan (?:in|it|last|before|when|during|usual)\b")
_BETTER_TEACHER = re.compile(
    r"\b(?:who(?: is|s)|(?:which|what)(?: (?:one|of them))?(?: is)?)(?: the| a)? "
    r"(?:better|best|nicer|nicest)(?: rated)?(?: (?:teacher|prof|professor|instructor|lecturer))\b|"
    r"\bwhich (?:teacher|prof|professor|instructor|lecturer) is (?:the )?(?:better|best|nicer)\b"
)
_CALLED_PROF = re.compile(r"\b(?:prof(?:essor)?|dr)\b\.? (?=this \w+'s instructor)", re.IGNORECASE)
_HOWS = re.compile(r"^how'?s\b", re.IGNORECASE)
_ITS_COURSE = re.compile(  # of whom was named, and when: conditions by now
    r"\bthis \w+'s instructor's (?:(?:spring|summer|autumn|fall|winter) )?(?:version|edition|section|course|class)\b"
)
_OF_PERSON = re.compile(r"\b(?:his|her(?= [a-z]))\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:he|she|him|her)\b", re.IGNORECASE)
_TRAILING = re.compile(r",? (?:though|tho|anyway|then)(?=[\s?!.]*$)", re.IGNORECASE)
_THAT_ONE = re.compile(r"(?:(?<=in )|(?<=of )|(?<=about )|(?<=with ))(?:that|this|the) one\b", re.IGNORECASE)
_HOW = re.compile(r"how (?:is|are|was|were)\b")

TEACHERS = ("instructor_names",)


class Details:
    """Turns a question about named things into projections."""

    def __init__(
        self, profile: Profile, tables: list[Table], needs: str, intents: IntentFinder, aspects: AspectFinder | None
    ) -> None:
        self.profile, self.tables, self.needs, self.intents = profile, tables, needs, intents
        self.table = profile.table
        self.stated = aspects.stated if aspects else frozenset()  # what a description may say as well as the comments

    def columns(self, board: Board, within: Sequence[tuple[int, int]] | None = None) -> None:
        """Adds the columns that are asked about to the board: only `within` stretches of the text, where given, that
        ask nothing else ("and <who teaches it>")."""
        if re.search(r"\bwhat (?:is|are|gets?|do you) (?:taught|covered|learn)\b", board.norm):
            return  # a question to the description
        if re.search(r"\b(say|says|think|thinks|describe|complain|complains|opinions?|comments?)\b", board.norm):
            return  # a question to the comments, whatever column it names
        before = len(board.mentions)
        self._better_teacher(board)
        several = {
            r"\b(?:how (?:much|many|long) (?:time|hours?|hrs|work)\b(?: of work)?|hours|time commitment|work ?load)"
            r"(?: (?:a|per|each|every) week| weekly)?(?: (?:do|does|did|is|are|will) )?"
            r"(?:(?:people|students|you|i|one|we|it) )?"
            r"(?:(?:spend|put|take|need|eat|cost|require)s?(?: (?:on|in|into|for))?)?\b": ("average_hours_spent",),
            _WEEKLY: ("average_hours_spent",),
            r"\b(schedule|timetable|when and where|when (?:does|is|do|are)|what (?:days|times?)|meet(?:s|ing)?)\b": (
                "season",
                "days",
                "start_time",
                "end_time",
            ),
            r"\b(how many units|units|credits)\b": ("min_units", "max_units"),
            r"\b(who (?:teaches|is teaching|taught|will teach|s teaching)|instructors?|professors?|"
            r"(?:other )?teachers?|taught by|(?:by|with|from) (?:some|any)(?:one|body) else)\b": TEACHERS,
            r"\b(when|which|what) (?:quarters?|terms?|season|is it offered)\b|\boffered\b": ("season",),
            _NEEDED_BEFORE: (self.needs,),
            _SEATS_LEFT: ("capacity", "enrolled"),
            _ROOM: ("room",),
            r"\b(?:(?:rate|rated|rank|like|liked|prefer|preferred)s? (?:\w+ ){0,4}?"
            r"(?:higher|better|highest|best|more|most)|"
            r"(?:better|higher|best|highest)[ -](?:rated|ratings?|reviews))\b": ("average_rating",),
            r"\b(?:(?:less|more|fewer) (?:work|hours|time)|lighter|heavier) ?(?:workload)?\b": ("average_hours_spent",),
            r"\b(how many (?:people|students)(?: (?:are|take|took|enrol+ed|sign))?|"
            r"(?:a lot of|lots of|many) (?:people|students|others)(?: enrol+ed)? in (?:it|there|this|the class)|"
            r"how (?:big|large|crowded) (?:is|are) (?:it|this|the class(?:es)?)|"
            r"full|seats|space|spots|enrol+ed|capacity)\b": ("capacity", "enrolled"),
        }
        for pattern, names in several.items():
            for match in board.find(re.compile(pattern)):
                if within is not None and not board.says_only(*match.span(), within):
                    continue
                if names == TEACHERS and is_judged(board.norm, *match.span()):
                    continue
                for projection in self._projections(names):
                    board.add(Mention(*match.span(), "projection", projection=projection))
        if within is not None:
            return
        if len(board.mentions) == before or re.search(r"\b(rating|hours|grading|workload)\b", board.norm):
            self.intents.asked(board, named=True)

    def _better_teacher(self, board: Board) -> None:
        """ "Who's the better teacher for CS 9": the people of its ratings, with the ratings."""
        table = next((one for one in self.tables if self.profile.rating and one.name == self.profile.rating[0]), None)
        if table is None or table.column(TEACHERS[0]) is None or self.profile.rating is None:
            return
        for match in board.find(_BETTER_TEACHER):
            for column in (TEACHERS[0], self.profile.rating[1]):
                projection = Projection(table=table.name, column=column)
                board.add(Mention(*match.span(), "projection", projection=projection))

    def teachers(self, board: Board) -> None:
        """Who teaches things that are only described: "who teaches compilers?"."""
        for match in board.find(re.compile(r"\bwho(?: (?:is|will|has|else))* (?:teach|teaches|teaching|taught)\b")):
            for projection in self._projections(TEACHERS):
                board.add(Mention(*match.span(), "projection", projection=projection))

    def _projections(self, names: tuple[str, ...]) -> list[Projection]:
        found: list[Projection] = []
        for name in names:
            table = next((t for t in self.tables if t.column(name) is not None), None)
            if table is not None:
                found.append(Projection(table=table.name, column=name))
        return found

    def about(
        self, board: Board, nodes: tuple[Node, ...], question: str, *, settled: bool, known: bool
    ) -> tuple[tuple[Node, ...], list[Projection]]:
        """What is asked about named things: opinions become projections; names and quarters stay conditions."""
        compared = None if known and not self._of_people(nodes) else comparison(board, self.profile.noun)
        if compared is not None and self.profile.opinions:
            return self._compared(compared, nodes)
        question = beside_columns(board, asked_with_a_mark(question))
        kept: list[Node] = []
        asked: list[Projection] = []
        how = _HOW.match(board.norm) is not None
        whole = how or (not OPINION.search(board.norm) and self._one_thought(board, nodes))
        for node in nodes:
            if self._in_doubt(board, node):
                told = [leaf for leaf in leaves(node) if isinstance(leaf, Condition) and not leaf.negated]
                asked += [Projection(table=leaf.table, column=leaf.column) for leaf in told]
                continue
            prior = any(isinstance(leaf, Condition) and leaf.column == self.needs for leaf in leaves(node))
            if prior and self._needs_asked(board):
                continue  # "what do I need before compilers? I've only done CS 101"
            if all(
                isinstance(leaf, Condition) and not isinstance(leaf.values[0] if leaf.values else "", bool)
                for leaf in leaves(node)
            ):
                kept.append(node)
            for leaf in leaves(node):
                if isinstance(leaf, Asked) and (whole or OPINION.search(board.norm)):
                    asked.append(self._open_question(board, question))
                elif isinstance(leaf, Asked):
                    asked.append(self._asked(leaf))
                elif leaf.values and isinstance(leaf.values[0], bool):
                    asked.append(Projection(table=leaf.table, column=leaf.column))
        things = known or any(
            how or OPINION.search(board.norm) or m.label == "title" or m.slot.endswith("codes")
            for m in board.mentions
            if m.node is not None
        )
        if not asked and (how or self._unsaid(board) if settled else things or self._unsaid(board)):
            asked.append(self._open_question(board, question))
        elif self._open_question(board, question) not in asked:
            asked.extend(self._open_question(board, further) for further in unread(board))
        asked.extend(self._beside(board, asked))
        return tuple(kept), list(dict.fromkeys(asked))

    def _asked(self, leaf: Asked) -> Projection:
        """A condition as a question. What is stated of a thing is stated where it is described, and may be told by the
        comments where it is not."""
        told, described = (leaf.table, leaf.columns[-1]), self.profile.subject
        if leaf.question not in self.stated or described is None or told != self.profile.opinions:
            return Projection(table=leaf.table, column=leaf.columns[-1], question=leaf.question)
        return Projection(table=described[0], column=described[1], question=leaf.question, otherwise=told)

    def _compared(self, compared: Comparison, nodes: tuple[Node, ...]) -> tuple[tuple[Node, ...], list[Projection]]:
        """What is asked of each of the things compared, with the number that speaks to it; of the conditions those in
        the sentence that compares: one that is not held in winter is compared as well."""
        assert self.profile.opinions is not None
        kept = [
            node
            for node in nodes
            if isinstance(node, Condition) and (node.table == self.table.name or node.words in compared.words)
        ]
        table, column = self.profile.opinions
        asked = [Projection(table=table, column=column, question=compared.question)]
        number = self.profile.effort if _OF_EFFORT.search(compared.question) else None
        number = self.profile.rating if _OF_WORTH.search(compared.question) else number
        if number:
            asked.append(Projection(table=number[0], column=number[1]))
        return tuple(kept), asked

    def _of_people(self, nodes: Sequence[Node]) -> bool:
        """Whether it is people that are compared: "is it better with X or with Y"."""
        named = [leaf for node in nodes for leaf in leaves(node) if isinstance(leaf, Condition) and leaf.op == "="]
        own = [leaf for leaf in named if leaf.table == self.table.name]
        return not own and sum(len(leaf.values) for leaf in named if leaf.column == "instructor_names") > 1

    def _needs_asked(self, board: Board) -> bool:
        return any(m.projection is not None and m.projection.column == self.needs for m in board.mentions)

    def _beside(self, board: Board, asked: Sequence[Projection]) -> Iterator[Projection]:
        """Numbers that speak to what is asked of opinions: how many hours a course takes, to whether it is hard."""
        opinions = [
            item.question for item in asked if self.profile.opinions in ((item.table, item.column), item.otherwise)
        ]
        compares = bool(opinions) and _COMPARES.search(board.norm) is not None
        itself = _THAN_ITSELF.search(board.norm) is not None  # "easier in winter than in spring": the same hours
        effort = not itself and any(_OF_EFFORT.search(question) or _OF_LOAD.search(question) for question in opinions)
        if self.profile.effort and (compares or effort):
            yield Projection(table=self.profile.effort[0], column=self.profile.effort[1])
        good = any(map(_ANY_GOOD.fullmatch, opinions))
        if good and self.profile.opinions:  # it hangs on who teaches it
            yield from (Projection(table=self.profile.opinions[0], column=column) for column in TEACHERS)
        if self.profile.rating and (compares or good):
            yield Projection(table=self.profile.rating[0], column=self.profile.rating[1])

    @staticmethod
    def _one_thought(board: Board, nodes: tuple[Node, ...]) -> bool:
        """Whether several wishes are one question in pieces: "is the <midterm> of X <hard>?"."""
        asked = sum(isinstance(leaf, Asked) for node in nodes for leaf in leaves(node))
        joined = re.finditer(r"(?:^|(?<=\s))(?:and|or|,)(?=\s)", board.norm)
        return asked > 1 and not any(not board.taken(match.start()) for match in joined)

    def _in_doubt(self, board: Board, node: Node) -> bool:
        """Whether a yes/no question asks for a value of the thing itself: "does it fulfil ...?", "do I need CS 1?"."""
        if not isinstance(node, Condition):
            within = [leaf for leaf in leaves(node) if isinstance(leaf, Condition) and leaf.op == "within"]
            return bool(within) and _YES_NO.match(board.norm) is not None
        column = self.table.column(node.column) if node.table == self.table.name else None
        if column is not None and column.name == self.needs and _YES_NO.match(board.norm):
            return True
        return column is not None and column.kind is Kind.ENUM and bool(_YES_NO.match(board.norm))

    @staticmethod
    def _unsaid(board: Board) -> bool:
        """Whether a yes/no question says more than the columns and conditions it was read as."""
        if not _YES_NO.match(board.norm):
            return False
        free = [m.group() for m in re.finditer(r"[a-z']+", board.norm) if not board.taken(m.start())]
        return bool(set(english.content(free)) - {"teach", "teaches", "taught", "offered", "available", "held"})

    def _open_question(self, board: Board, question: str) -> Projection:
        """The user's own question, put to the description where it is about the content, or else to the comments."""
        content = re.search(
            r"\b(about|taught|cover|covers|covered|content|learn|teach|topics?|description|difference|syllabus)\b",
            re.sub(r"\btaught (?=by|with)", "", board.norm),
        )
        opinion = OPINION.search(board.norm) or _COMPLAINTS.search(board.norm)
        part = self.profile.subject if content and not opinion else self.profile.opinions
        table, column = part or (self.table.name, self.table.title)
        other = self.profile.opinions if part == self.profile.subject else self.profile.subject
        words = question.strip().rstrip("?!. ")
        judged = bool(opinion)  # of which what describes the thing says nothing
        for mention in board.mentions:
            if mention.label in ("name", "title") and isinstance(mention.node, Condition):
                said = re.sub(r"^(?:taught )?(?:by|with) ", "", mention.node.words)
                this = f"this {self.profile.noun}"
                if mention.node.column == "instructor_names":
                    judged = True
                    words = re.sub(rf",? (?:taught |given |led )?(?:by|with) {re.escape(said)}", "", words)
                    this += "'s instructor" + ("'s" if said.endswith("'s") else "")
                words = re.sub(rf"(?:\bthe )?{re.escape(said)}(?: (?:course|class)\b)?", this, words, count=1)
        words = re.sub(rf"(this {self.profile.noun})(?:'s)? (?:courses|classes)\b", r"\1", words)
        words = _HOWS.sub("how is", _CALLED_PROF.sub("", _ITS_COURSE.sub(f"this {self.profile.noun}", words)))
        words = _THAT_ONE.sub(f"this {self.profile.noun}", words)
        words = _PERSON.sub("the instructor", _OF_PERSON.sub("the instructor's", words))
        free = [m.group() for m in re.finditer(r"[a-z']+", board.norm) if not board.taken(m.start())]
        if content and re.search(r"difference|compare", board.norm):
            words = f"what does this {self.profile.noun} cover"
        elif _COMPARES.search(board.norm):
            words = f"what do students say about this {self.profile.noun}"
        elif _WHAT_LIKE.fullmatch(words) or (content and not opinion and not set(english.content(free)) - _ABOUT):
            return Projection(table=table, column=column, question=SUMMARY)
        asked = words[:1].lower() + words[1:] + "?"
        if _ANY_GOOD.fullmatch(asked) and self.profile.opinions:
            question = asked.replace("is it ", f"is this {self.profile.noun} ")
            return Projection(table=self.profile.opinions[0], column=self.profile.opinions[1], question=question)
        judged = judged or any(one.search(asked) for one in (_OF_EFFORT, _OF_LOAD, _OF_WORTH))
        judged = judged or _COMPARES.search(board.norm) is not None
        return Projection(table=table, column=column, question=asked, otherwise=None if judged else other)


def asked_with_a_mark(message: str) -> str:
    """The sentences of a message that end with a question mark; all of it where none does."""
    asked = [one for one in re.split(r"(?<=[.!?])\s+", message.strip()) if one.endswith("?")]
    return _TRAILING.sub("", re.sub(r"\?+", "?", " ".join(asked)) if asked else message)


def of_whom(
    tables: list[str], nodes: tuple[Node, ...], people: tuple[str, str], others: list[Table]
) -> tuple[Node, ...]:
    """The nodes with what is said of a person asked of the same rows as the opinions.

    Who teaches now and who was rated then are different rows: where a question reads another of the tables that name
    people, it is that one's people who are meant, and the first's only where something else is said of it.
    """
    read = [t.name for t in others if t.name in tables and t.name != people[0] and t.column(people[1]) is not None]
    named = [node for node in nodes if isinstance(node, Condition) and (node.table, node.column) == people]
    if not read or not named:
        return nodes
    stay = any(leaf.table == people[0] for node in nodes if node not in named for leaf in leaves(node))
    moved = [node.model_copy(update={"table": read[0]}) for node in named]
    return (*(node for node in nodes if stay or node not in named), *moved)
