"""What a course is about: known subjects and their short forms, and the phrases they are part of."""

from __future__ import annotations

import re

from agent.parsing.frame import Asked
from agent.parsing.lexicon import load
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention, compiled
from agent.parsing.semantics.lexing import fold
from agent.parsing.semantics.profile import Profile

_SUBJECT = re.compile(
    r"\b(?:about|on|in|covering|covers|teach(?:es)?(?: me)?|learn(?:ing)?(?: about)?|introduction to|intro to|studying|"
    r"into|related to|deal(?:s|ing)? with)\b"
)
_APART = frozenset(load("words")["apart"].split())  # words that end the phrase a subject is part of


class TopicFinder:
    """Puts subjects as questions to the column that describes the rows."""

    def __init__(self, profile: Profile, codes: tuple[str, ...]) -> None:
        self.profile = profile
        subjects = load(profile.table.name)["subjects"]
        self._subjects: dict[str, str] = {fold(o): c for c, others in subjects.items() for o in (c, *others)}
        self._own = self._everywhere(codes)
        names = "|".join(map(re.escape, sorted(self._subjects, key=len, reverse=True)))
        self._subject = compiled(rf"(?P<subject>{names})")

    def words(self) -> list[str]:
        """The subjects, for the speller."""
        return list(self._subjects)

    def _everywhere(self, codes: tuple[str, ...]) -> str:
        """The subject that nearly everything belongs to, and which therefore tells nothing apart."""
        departments = [code.split()[0].lower() for code in codes]
        top = max(set(departments), key=departments.count, default="")
        return self._subjects.get(top, "") if departments.count(top) > len(departments) / 2 else ""

    def __call__(self, board: Board) -> None:
        """Known subjects, and the words before "course" or after "about", as questions to the description."""
        for match in board.find(self._subject):
            subject = self._subjects[match["subject"]]
            if subject == self._own:
                board.claim(*match.span())
                continue
            longer = self._noun_phrase(board, *match.span())
            said = board.norm[slice(*longer)]
            short = len(match["subject"]) <= 5 and match["subject"] != "systems"
            words = subject if longer == match.span() else said.replace(match["subject"], subject) if short else said
            self._add_topic(board, longer, words)

    def _noun_phrase(self, board: Board, start: int, stop: int) -> tuple[int, int]:
        """The phrase a subject is part of: "first-year Japanese", "ethics of artificial intelligence"."""
        words = list(re.finditer(r"\S+", board.norm))
        first = next(i for i, m in enumerate(words) if m.start() == start)
        last = next(i for i, m in enumerate(words) if m.end() == stop)
        while first > 0 and self._describing(board, words[first - 1]):
            first -= 1
        while last + 1 < len(words) and self._describing(board, words[last + 1]):
            last += 1
        return words[first].start(), words[last].end()

    def _describing(self, board: Board, word: re.Match[str]) -> bool:
        text = word.group()
        plain = text not in english.filler() and text not in english.generic() and text.isalpha() and len(text) > 2
        return plain and not board.taken(word.start()) and text not in _APART

    def _add_topic(self, board: Board, span: tuple[int, int], words: str) -> None:
        if self.profile.subject is None:
            return
        table, column = self.profile.subject
        node = Asked(
            table=table,
            columns=(column,),
            question=f"is this {self.profile.noun} about {words}?",
            titled=words,
            words=board.words(*span),
        )
        board.add(Mention(*span, "node", f"{table}.{column}?", node, label="aspect"))

    def retarget(self, board: Board) -> None:
        """Bare phrases are what a course is about; "with ...", "where ..." is what students say of it."""
        if self.profile.subject is None:
            return
        table, column = self.profile.subject
        for mention in board.mentions:
            node = mention.node
            if mention.label != "residue" or not isinstance(node, Asked):
                continue
            teaches = re.fullmatch(
                rf"does this {self.profile.noun} (?:teach|cover|introduce|use|involve|treat|deal with) (?P<what>.+)\?",
                node.question,
            )
            if teaches:
                read_in = {"table": table, "columns": (column,), "titled": teaches["what"]}
                mention.node = node.model_copy(update=read_in)
                continue
            about = re.fullmatch(
                rf"(?:does this {self.profile.noun} have|is this {self.profile.noun}(?: "
                rf"good for| a good place to)?) (?:an? )?(?P<what>.+)\?",
                node.question,
            )
            before = board.before(mention.start, 2)
            said_of = re.search(r"\b(with|has|have|where|that|for|no|without|and) $", before)
            if about and (not said_of or _SUBJECT.search(before)) and not english.describes(about["what"].split()[-1]):
                if "good place to" in node.question:
                    mention.node = None  # "to fill my schedule": what the user is up to
                    continue
                what = re.sub(r"^(?:about|on|introduction to|intro to|learn|covering) ", "", about["what"])
                what = re.sub(rf"(?: (?:{'|'.join(english.generic())}))+$", "", what)
                while " " in what and what.split()[0] in english.filler():
                    what = what.partition(" ")[2]
                mention.node = node.model_copy(
                    update={
                        "table": table,
                        "columns": (column,),
                        "question": f"is this {self.profile.noun} about {what}?",
                        "titled": what,
                    }
                )
